"""Players: anything with ``choose(position, limits) -> Choice``, named by a text.

``player("alphabeta:depth=6")`` reads ``name:option=value,option=value``. A plain function from a
position to a move is a player too: ``player(my_function)``, or ``player("my_file.py:my_function")``
if it is in a file. Packages add players of their own as entry points ``mossa.players``.
"""

import operator
import random
import reprlib
import sys
import threading
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Protocol, runtime_checkable
from zlib import crc32

from mossa._core import (
    Game,
    Limits,
    Move,
    Option,
    Position,
    StopToken,
    check_search,
    limit_options,
)
from mossa.errors import (
    GameError,
    InvalidPlayerError,
    PlayerFailedError,
    did_you_mean,
    failure,
    raised,
    shorten,
)
from mossa.search import SEARCHES, Info, PythonGameSearch, PythonPosition, Search

DEFAULT_TIME = 1.0
"""Seconds a search player thinks when nothing else limits it."""


@dataclass(frozen=True)
class Choice:
    """The move a player chose, and what it knows about it."""

    move: Move
    info: Info | None = None


@runtime_checkable
class Player(Protocol):
    """What the rest of mossa needs of a player.

    One that returns by itself when its time is up may say so with ``keeps_time = True``; the others
    are watched by the referee of a match.
    """

    name: str

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Choose a legal move within the limits; the game must not be over."""
        ...


class RandomPlayer:
    """Any legal move, each as likely as the others; the same seed gives the same game."""

    keeps_time = True

    def __init__(self, seed: int | None = None) -> None:
        """Take a seed for reproducible games."""
        self.name = "random" if seed is None else f"random:seed={seed}"
        self._random = random.Random(seed)

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Choose at once, whatever the limits."""
        if position.outcome is not None:
            raise GameError(f"no move in {position.game}: the game is over ({position.outcome})")
        return Choice(self._random.choice(position.moves))


class HumanPlayer:
    """A person at the terminal, asked for a move until it is legal."""

    name = "human"

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Ask on standard input; people are not held to the limits."""
        while True:
            text = input(f"{position.side.name} to move> ").strip()
            try:
                position.play(text)
            except GameError as error:
                print(error)
            else:
                return Choice(Move(text))


class FunctionPlayer:
    """A plain function from a position to a move (or its text) as a player."""

    def __init__(self, function: Callable[[Position], Move | str | int]) -> None:
        """Take the function's name as the player's."""
        if not callable(function):
            raise InvalidPlayerError(
                f"{function!r} is not a player: expected a text, a function, or an "
                "object with a name and a method choose(position, limits)"
            )
        self.name = getattr(function, "__name__", "function")
        self._function = function

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Ask the function, which has no limits to know of."""
        return checked(self._function(position), position)


# ---------------------------------------------------------------- what a player answers


def checked(answer: object, position: Position) -> Choice:
    """Return a player's answer as the choice of a legal move; raise PlayerFailedError if it isn't.

    Besides a Choice, a move or its text will do, and a number where moves are numbers.
    """
    info = answer.info if isinstance(answer, Choice) else None
    given = answer.move if isinstance(answer, Choice) else answer
    if (number := _number_text(given)) is not None and _has_numbers(position):
        given = number
    if not isinstance(given, Move | str):
        raise PlayerFailedError("output", _not_a_move(given, position))
    try:
        moved = position.play(given)
    except GameError as error:
        raise PlayerFailedError("illegal", str(error)) from None
    assert moved.last_move is not None
    return Choice(moved.last_move, info)


def choice_of(player: Player, position: Position, limits: Limits) -> Choice:
    """Ask a player for a legal move; raise PlayerFailedError whatever else it does."""
    try:
        return checked(player.choose(position, limits), position)
    except (Exception, SystemExit) as error:
        raise failure(error) from error


def _number_text(given: object) -> str | None:
    """Return the digits of a whole number, NumPy's too; None for anything else."""
    if isinstance(given, bool):
        return None
    try:
        return str(operator.index(given))  # type: ignore[arg-type]
    except Exception:  # whatever other people's classes may raise
        return None


def _has_numbers(position: Position) -> bool:
    return any(move.number is not None for move in position.moves)


def _not_a_move(given: object, position: Position) -> str:
    """Say what was returned, and what to return instead."""
    try:
        shown = " ".join(reprlib.repr(given).split())
    except Exception:  # a number of a million digits, say
        shown = "something"
    if given is None:
        what = "None (is a return statement missing?)"
    else:
        what = f"{shown} ({type(given).__name__})"
    example = next((move for move in position.moves if move.number), position.moves[0])
    number = "" if example.number is None else f", or its number, such as {example.number}"
    return (
        f"returned {what}, which is not a move: return one of position.moves, "
        f"or its text, such as {str(example)!r}{number}"
    )


class SearchPlayer:
    """Plays what a search of the core finds best, within its own limits and the caller's.

    With ``ponder`` it goes on thinking while the opponent does, on the reply it expects; the search
    remembers what it learnt, so a right guess is time won.
    """

    keeps_time = True

    def __init__(
        self,
        algorithm: str,
        options: Mapping[str, str] | None = None,
        *,
        limits: Limits | None = None,
        ponder: bool = False,
        name: str | None = None,
    ) -> None:
        """Take options as texts. Without any limits, its own or others', it thinks a second."""
        self._algorithm = algorithm
        self._options = dict(options or {})
        check_search(algorithm, self._options)
        self._limits = limits or Limits()
        self._ponder = ponder
        self.name = name or algorithm
        self._search: tuple[str, Search] | None = None
        self._python_search: tuple[type, PythonGameSearch] | None = None
        self._pondering: tuple[threading.Thread, StopToken] | None = None

    @property
    def limits(self) -> Limits:
        """Its own limits; the caller's hold besides."""
        return self._limits

    def choose(
        self,
        position: Position | PythonPosition,
        limits: Limits,
        *,
        report: Callable[[Info], object] | None = None,
        stop: StopToken | None = None,
    ) -> Choice:
        """Search until the stricter of both limits; ``report`` is told of every better answer.

        The position may be one of a game written in Python (see PythonPosition).
        """
        self.stop_pondering()
        limits = self._defaulted(stricter(self._limits, limits))
        if not isinstance(position, Position):
            info = self._python_search_of(position).run(position, limits, report=report, stop=stop)
            return Choice(info.move, info)
        search = self.search_of(position.game)
        info = search.run(position, limits, report=report, stop=stop)
        if self._ponder:
            self._start_pondering(search, position, info)
        return Choice(info.move, info)

    def _python_search_of(self, position: PythonPosition) -> PythonGameSearch:
        kind = type(position)
        if self._python_search is None or self._python_search[0] is not kind:
            self._python_search = kind, PythonGameSearch(self._algorithm, self._options)
        return self._python_search[1]

    def width(self, game: Game) -> int | None:
        """Return how many moves of a position it tries at most; None if it tries all."""
        known = {option.name: option.default for option in SEARCHES[self._algorithm].options}
        return int(float(self._options.get("width") or known.get("width") or 0)) or None

    def search_of(self, game: Game) -> Search:
        """Keep the search from move to move, and start anew when the game is another one."""
        if self._search is None or self._search[0] != game.name:
            self._search = game.name, Search(game, self._algorithm, self._options)
        return self._search[1]

    def stop_pondering(self) -> None:
        """End the thinking in the opponent's time, if there is any."""
        if self._pondering is not None:
            _end_pondering(*self._pondering)
            self._pondering = None

    def _start_pondering(self, search: Search, position: Position, info: Info) -> None:
        expected = position.after(info.line[:2])
        if len(info.line) < 2 or expected.outcome is not None:
            return
        token = StopToken()
        thread = threading.Thread(
            target=search.run, args=(expected, Limits()), kwargs={"stop": token}, daemon=True
        )
        thread.start()
        self._pondering = thread, token
        # A player that is forgotten, or the end of the program, ends its thinking too.
        weakref.finalize(self, _end_pondering, thread, token)

    def _defaulted(self, limits: Limits) -> Limits:
        """Add a time where nothing else would end the search."""
        ends = limits.iterations if self._algorithm == "mcts" else limits.depth
        if any(given is not None for given in (limits.time, limits.nodes, ends)):
            return limits
        if "hands" in self._options:
            return limits
        return stricter(limits, Limits(time=DEFAULT_TIME))


def _end_pondering(thread: threading.Thread, token: StopToken) -> None:
    token.stop()
    thread.join()


def check_plays(player: Player, game: Game) -> None:
    """Raise InvalidPlayerError if a player says that it is not for this game."""
    plays: Callable[[Game], bool] | None = getattr(player, "plays", None)
    if plays is not None and not plays(game):
        raise InvalidPlayerError(f"{player.name} does not play {game}")
    if isinstance(player, SearchPlayer):
        player.search_of(game)  # some of its options are for some games only


def stricter(one: Limits, other: Limits) -> Limits:
    """Return the limits that satisfy both."""

    def least(name: str) -> Any:
        given = (getattr(limits, name) for limits in (one, other))
        return min((value for value in given if value is not None), default=None)

    return Limits(
        time=least("time"),
        nodes=least("nodes"),
        iterations=least("iterations"),
        depth=least("depth"),
    )


# ---------------------------------------------------------------- players by name


@dataclass(frozen=True)
class PlayerKind:
    """How to make the players of one name, and the options they take."""

    name: str
    summary: str
    make: Callable[[dict[str, str]], Player]
    options: tuple[Option, ...] = ()
    bare: str | None = None
    """The option whose value may stand without its name, as in ``level:3``."""
    rest: str | None = None
    """The option that takes the rest of the spec as it stands, commas and all: a command line."""


LIMITS = {option.name: option for option in limit_options()}
"""The options that are limits, by name."""


def limits_from(options: Mapping[str, str]) -> Limits:
    """Return the limits among checked options."""

    def whole(name: str) -> int | None:
        return int(float(options[name])) if name in options else None

    return Limits(
        time=float(options["time"]) if "time" in options else None,
        nodes=whole("nodes"),
        iterations=whole("iterations"),
        depth=whole("depth"),
    )


_KINDS: dict[str, PlayerKind] = {}


def register(kind: PlayerKind) -> None:
    """Make a kind of player known to player()."""
    _KINDS[kind.name] = kind


def player_kinds() -> dict[str, PlayerKind]:
    """Return every kind of player there is, by name."""
    return dict(_KINDS)


def player(spec: str | Player | Callable[[Position], Move | str | int]) -> Player:
    """Return the player that ``spec`` names; a player or a function is taken as it is."""
    if isinstance(spec, Player):
        return spec
    if not isinstance(spec, str):
        return FunctionPlayer(spec)
    name, _, option_text = spec.strip().partition(":")
    if is_foreign(spec):
        return _foreign(spec.strip())
    if name not in _KINDS:
        raise InvalidPlayerError(unknown_player(spec))
    kind = _KINDS[name]
    options = _read_options(spec, kind, option_text)
    try:
        made = kind.make(options)
    except GameError as error:
        raise InvalidPlayerError(f"invalid player {shorten(spec)}: {error}") from None
    made.name = spec.strip()
    return made


def unknown_player(spec: str) -> str:
    """Return what is wrong with a spec that begins with no name of a player."""
    hint = did_you_mean(spec.strip().partition(":")[0], _KINDS)
    return (
        f"unknown player {shorten(spec)}: {hint}there are {', '.join(_KINDS)}; "
        "a function or class of your own is path/to/file.py:name"
    )


# ---------------------------------------------------------------- players of other people

GROUP = "mossa.players"
"""The entry points by which a package adds players."""

_FILE = ".py:"


def is_foreign(spec: str) -> bool:
    """Tell whether a spec names Python code that is not mossa's: a file, or an entry point."""
    name = spec.strip().partition(":")[0]
    if name in _KINDS:
        return False
    return _FILE in spec or name in entry_points(group=GROUP).names


def _foreign(spec: str) -> Player:
    path, found, name = spec.rpartition(_FILE)
    try:
        entry = entry_points(group=GROUP)
        thing = _from_file(f"{path}.py", name) if found else entry[spec].load()
        made = thing() if isinstance(thing, type) else thing
        result = player(made)
    except InvalidPlayerError:
        raise
    except Exception as error:
        raise InvalidPlayerError(f"cannot load player {shorten(spec)}: {raised(error)}") from error
    result.name = spec
    return result


def _from_file(path: str, name: str) -> Any:
    """Load a file as a module and return what it calls ``name``."""
    place = Path(path).resolve()
    if not place.is_file():
        spec = shorten(f"{path}:{name}")
        raise InvalidPlayerError(f"cannot load player {spec}: there is no file {shorten(path)}")
    # Unlike any other module's, and the same whenever this file is loaded.
    module_name = f"mossa_player_{place.stem}_{crc32(str(place).encode()):08x}"
    found_at = spec_from_file_location(module_name, place)
    assert found_at is not None and found_at.loader is not None  # its name ends in .py
    module = module_from_spec(found_at)
    sys.modules[module_name] = module
    if str(place.parent) not in sys.path:
        sys.path.append(str(place.parent))  # for the modules next to it; last, to hide no others
    try:
        found_at.loader.exec_module(module)
    except SystemExit as error:
        raise InvalidPlayerError(f"{shorten(path)} ends with sys.exit({error.code!r})") from None
    found = vars(module)
    if name not in found:
        there = [each for each, thing in found.items() if callable(thing) and each[0] != "_"]
        raise InvalidPlayerError(
            f"no {shorten(name)} in {shorten(path)}: {did_you_mean(name, there)}"
            f"there are {', '.join(there) or 'no functions or classes'}"
        )
    return found[name]


# ---------------------------------------------------------------- options


def _parts(kind: PlayerKind, text: str) -> list[str]:
    """Split options at the commas, but leave together what the kind takes as it stands."""
    if kind.rest is None:
        return text.split(",")
    parts = []
    names = {option.name for option in kind.options} - {kind.rest}
    while (head := text.partition(",")[0]).partition("=")[0].strip() in names:
        parts.append(head)
        text = text.removeprefix(head).removeprefix(",")
    return [*parts, f"{kind.rest}={text}"]


def _read_options(spec: str, kind: PlayerKind, text: str) -> dict[str, str]:
    known = {option.name: option for option in kind.options}
    options: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in _parts(kind, text))):
        key, equals, value = part.partition("=")
        if kind.bare and not equals:
            key, value = kind.bare, part
        if key not in known:
            takes = ", ".join(known) or "no options"
            raise InvalidPlayerError(
                f"unknown option {shorten(key)} in player {shorten(spec)}: "
                f"{did_you_mean(key, known)}{kind.name} takes {takes}"
            )
        if key in options:
            raise InvalidPlayerError(f"option {key!r} is given twice in player {shorten(spec)}")
        if key != kind.rest and not known[key].accepts(value):
            raise InvalidPlayerError(
                f"invalid value {shorten(value)} of {key!r} in player {shorten(spec)}: "
                f"expected {known[key].accepted}"
            )
        options[key] = value
    return options


PONDER = Option("ponder", ["off", "on"], "think in the opponent's time too")


def _search_kind(algorithm: str) -> PlayerKind:
    kind = SEARCHES[algorithm]

    def make(options: dict[str, str]) -> Player:
        search_options = {
            name: value for name, value in options.items() if name not in {*LIMITS, "ponder"}
        }
        return SearchPlayer(
            algorithm,
            search_options,
            limits=limits_from(options),
            ponder=options.get("ponder") == "on",
        )

    return PlayerKind(algorithm, kind.summary, make, (*LIMITS.values(), *kind.options, PONDER))


def _make_random(options: dict[str, str]) -> Player:
    return RandomPlayer(int(float(options["seed"])) if "seed" in options else None)


register(PlayerKind("human", "a person at the terminal", lambda options: HumanPlayer()))
register(
    PlayerKind(
        "random",
        "any legal move",
        _make_random,
        (Option("seed", 0, 2_000_000_000, "the same seed plays the same game"),),
    )
)
for _algorithm in SEARCHES:
    register(_search_kind(_algorithm))
