"""Our games in OpenSpiel, our players as its bots, its bots and policies as our players.

>>> from mossa.adapters import openspiel
>>> game = openspiel.load_game("mnk:5x5x4")
>>> state = game.new_initial_state()
>>> state.apply_action(openspiel.bot("engine:time=0.1").step(state))
>>> state.current_player(), len(state.legal_actions())
(1, 24)
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from mossa._core import Game, Limits, Move, Position, Side
from mossa.adapters.openspiel_games import GAMES, theirs_for
from mossa.adapters.seen import Seen, reward
from mossa.errors import GameError, InvalidPlayerError, needed_by, shorten
from mossa.games import game as game_of
from mossa.players import Choice, Player, PlayerLike
from mossa.players import player as player_of
from mossa.render import to_text
from mossa.search import NO_LIMITS

with needed_by("mossa.adapters.openspiel", extra="adapters"):
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

__all__ = ["MossaBot", "MossaGame", "MossaState", "SpielPlayer", "bot", "load_game", "player"]

NAME = "python_mossa"
"""What OpenSpiel calls all our games; the parameter ``game`` says which."""
_PARAMETER = {"game": "connect4"}


def _game_type() -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=NAME,
        long_name="a game of mossa",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETER,
    )


_TYPE = _game_type()


def load_game(name: str | Game) -> MossaGame:
    """Return one of our games for OpenSpiel."""
    game = game_of(name) if isinstance(name, str) else name
    return MossaGame({"game": str(game).replace(",", ";").replace("=", ":")})


def _name_in(parameter: str) -> str:
    """Return the name of a game as we write it: OpenSpiel has its own use for ``,`` and ``=``."""
    head, *options = parameter.replace(",", ";").split(";")
    return ",".join([head, *(option.replace(":", "=", 1) for option in options)])


def _longest(game: Game) -> int:
    """Return a number of moves that no game reaches."""
    cells = game.start().cells
    if game.traits.lines:
        return len(cells) * len(cells[0])
    if game.traits.shape.name == "pits":
        seeds = sum(map(sum, cells))
        return max(1000, seeds * seeds * len(cells[0]))
    return 2 * len(cells) ** 2 * len(cells[0])


class MossaGame(pyspiel.Game):
    """A game of ours. Its actions are those of `mossa.vector`, its returns +1, 0 or -1."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Take the parameter ``game``, the name of one of ours."""
        given = str((params or {}).get("game", _PARAMETER["game"]))
        self.seen = Seen(_name_in(given))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.seen.actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_longest(self.seen.game),
        )
        super().__init__(_TYPE, info, {"game": given})

    def new_initial_state(self, state: Any = None) -> MossaState:
        """Return the position before the first move."""
        return MossaState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return an observer that sees planes."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class _Held:
    """Keeps OpenSpiel, which copies states deeply, from copying what never changes."""

    def __init__(self, position: Position, seen: Seen) -> None:
        self.position, self.seen = position, seen

    def __deepcopy__(self, memo: Any) -> _Held:
        return self


class MossaState(pyspiel.State):
    """A position of ours."""

    def __init__(self, game: MossaGame) -> None:
        """Begin at the start."""
        super().__init__(game)
        self._held = _Held(game.seen.start, game.seen)

    @property
    def position(self) -> Position:
        """The same state as one of our positions."""
        return self._held.position

    def begin_at(self, position: Position) -> None:
        """Begin at another position than the start, before any action."""
        self._held = _Held(position, self._held.seen)

    def current_player(self) -> int:
        """Return 0 for first, 1 for second."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(self.position.side is Side.second)

    def _legal_actions(self, player: int) -> list[int]:
        """Return the legal actions in ascending order."""
        return sorted(map(self._held.seen.action, self.position.moves))

    def _apply_action(self, action: int) -> None:
        seen = self._held.seen
        self._held = _Held(seen.play(self.position, action), seen)

    def _action_to_string(self, player: int, action: int) -> str:
        move = self._held.seen.move(action)
        return f"action {action}" if move is None else str(move)

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self.position.outcome is not None

    def returns(self) -> list[float]:
        """Return +1, 0 or -1 for either player; 0 while the game goes on."""
        return [reward(self.position, side) for side in (Side.first, Side.second)]

    def __str__(self) -> str:
        """Draw the board."""
        return to_text(self.position)


class _Observer:
    """Planes as a player sees them."""

    def __init__(self, game: MossaGame, params: Any) -> None:
        if params:
            raise GameError(
                f"invalid observation parameters {shorten(str(params))}: there are none"
            )
        self._seen = game.seen
        self.tensor = np.zeros(int(np.prod(self._seen.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(self._seen.shape)}

    def set_from(self, state: MossaState, player: int) -> None:
        """Look at a state."""
        side = Side.second if player == 1 else Side.first
        self.dict["observation"][:] = self._seen.planes(state.position, side)

    def string_from(self, state: MossaState, player: int) -> str:
        """Return the board as text, the same for both players."""
        return state.position.text


pyspiel.register_game(_TYPE, MossaGame)


# ---------------------------------------------------------------- our players there


def position_of(state: Any) -> Position:
    """Return a state as our position: of our games, and of theirs that have our rules."""
    if isinstance(state, MossaState):
        return state.position
    game = state.get_game()
    name = game.get_type().short_name
    if name == NAME:
        rules = load_game(_name_in(str(game.get_parameters()["game"])))
        position = rules.seen.start
        for action in state.history():
            position = rules.seen.play(position, action)
        return position
    if name not in GAMES:
        raise GameError(
            f"we have no game like OpenSpiel's {name}: load one of ours with load_game, or take "
            f"one of {', '.join(GAMES)}"
        )
    given = {**game.get_type().parameter_specification, **game.get_parameters()}
    position = game_of(GAMES[name].ours(given)).start()
    for action in state.history():
        position = position.play(GAMES[name].move(position, action))
    return position


def action_of(state: Any, position: Position, move: Move) -> int:
    """Return the action of a move in the numbering of a state's game."""
    name = state.get_game().get_type().short_name
    if name in GAMES:
        return GAMES[name].action(position, move)
    return Seen(position.game).action(move)


class MossaBot(pyspiel.Bot):
    """One of our players as a bot, for our games and for OpenSpiel's own that have our rules."""

    def __init__(self, player: PlayerLike, *, limits: Limits | None = None) -> None:
        """Take a player or its spec."""
        super().__init__()
        self._player = player_of(player)
        self._limits = limits or Limits()

    def step(self, state: Any) -> int:
        """Choose an action."""
        position = position_of(state)
        self._player.check_game(position.game)
        move = self._player.ask(position, self._limits).move
        return action_of(state, position, move)

    def restart(self) -> None:
        """Do nothing: a player looks at the position alone."""

    def restart_at(self, state: Any) -> None:
        """Do nothing, for the same reason."""

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Do nothing, for the same reason."""


def bot(player: PlayerLike, *, limits: Limits | None = None) -> MossaBot:
    """Return one of our players as a bot of OpenSpiel."""
    return MossaBot(player, limits=limits)


# ---------------------------------------------------------------- their players here

MakeAgent = Callable[[Any, Limits, int], Any]
"""Makes a bot or policy for a game of pyspiel, the limits of a move, and a seed."""


def state_of(position: Position, *, own: bool = True) -> Any:
    """Return a position as a state of OpenSpiel's own game with our rules, or else of ours.

    Its own games are faster there, but know no positions that were set up from text.
    """
    theirs = theirs_for(position.game) if own and position.start_text is None else None
    if theirs is None:
        game = load_game(position.game)
        state = game.new_initial_state()
        if position.start_text is not None:
            state.begin_at(position.game.from_text(position.start_text))
        for move in position.history:
            state.apply_action(game.seen.action(move))
        return state
    kind, parameters = theirs
    state = pyspiel.load_game(kind.name, dict(parameters)).new_initial_state()
    at = position.game.start()
    for move in position.history:
        state.apply_action(kind.action(at, move))
        at = at.play(move)
    return state


class SpielPlayer(Player):
    """A bot or a policy of OpenSpiel as a player here.

    A bot has ``step(state)``; a policy has ``action_probabilities(state)``, and chance decides.
    """

    def __init__(
        self, make: MakeAgent, *, name: str, seed: int | None = None, own: bool = True
    ) -> None:
        """Take what makes the agent; with ``own`` it sees OpenSpiel's own games where it can."""
        self.name = name
        self._make, self._own = make, own
        self._random = random.Random(seed)

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Ask the agent."""
        state = state_of(position, own=self._own)
        agent = self._make(state.get_game(), limits, self._random.randrange(2**31))
        action = self._action(agent, state)
        name = state.get_game().get_type().short_name
        if name in GAMES:
            return Choice(GAMES[name].move(position, action))
        played = Seen(position.game).play(position, action).last_move
        assert played is not None
        return Choice(played)

    def _action(self, agent: Any, state: Any) -> int:
        if hasattr(agent, "step"):
            return int(agent.step(state))
        chances = agent.action_probabilities(state)
        return int(self._random.choices([*chances], [*chances.values()])[0])


def player(agent: Any, *, name: str | None = None, seed: int | None = None) -> SpielPlayer:
    """Return a bot or a policy as a player.

    It sees the states of the game that it was made for: give one that was made for `load_game`, or
    for OpenSpiel's own game with the same rules.
    """
    if not hasattr(agent, "step") and not hasattr(agent, "action_probabilities"):
        raise InvalidPlayerError(
            f"{shorten(repr(agent))} is not an OpenSpiel player: expected a bot with step(state), "
            "or a policy with action_probabilities(state)"
        )
    game = getattr(agent, "game", None)
    ours = isinstance(game, MossaGame)
    called = name or type(agent).__name__
    return SpielPlayer(lambda game, limits, seed: agent, name=called, seed=seed, own=not ours)


EXPLORATION, MEGABYTES = 2.0, 512
"""Of mcts."""


def _mcts(simulations: int) -> MakeAgent:
    def make(game: Any, limits: Limits, seed: int) -> Any:
        most = limits.iterations or simulations
        if isinstance(game, MossaGame):
            # Its bot in C++ lets go of Python's lock, and crashes in games that are in Python.
            chance = np.random.RandomState(seed)
            return mcts.MCTSBot(
                game,
                EXPLORATION,
                most,
                mcts.RandomRolloutEvaluator(1, chance),
                random_state=chance,
            )
        return pyspiel.MCTSBot(
            game,
            pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed),
            EXPLORATION,
            most,
            MEGABYTES,
            True,  # proves wins and losses
            seed,
            False,  # prints nothing
            max_wall_clock_time=-1.0 if limits.time is None else limits.time,
        )

    return make


def _random(game: Any, limits: Limits, seed: int) -> Any:
    return _RandomBot(seed)


class _RandomBot:
    """Their uniform random bot plays for one side only, which is not known here."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def step(self, state: Any) -> int:
        side = state.current_player()
        return int(pyspiel.make_uniform_random_bot(side, self._seed).step(state))


def named_player(bot: str, *, simulations: int, seed: int | None) -> SpielPlayer:
    """Return the player of a spec: ``openspiel:mcts``, ``openspiel:uniform_random``."""
    make = _mcts(simulations) if bot == "mcts" else _random
    return SpielPlayer(make, name=f"openspiel:{bot}", seed=seed)
