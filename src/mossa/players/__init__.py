"""Players: anything that chooses moves, named by a text; see `player`."""

from mossa.players.base import (
    Choice,
    MinimalPlayer,
    Player,
    Report,
    SearchingPlayer,
    checked,
    choice_of,
)
from mossa.players.foreign import folder_of, is_foreign
from mossa.players.registry import (
    LIMITS,
    Group,
    PlayerKind,
    kind_names,
    limits_from,
    player_kind,
    player_kinds,
    register,
)
from mossa.players.searching import DEFAULT_TIME, SearchPlayer, stricter
from mossa.players.simple import HumanPlayer
from mossa.players.spec import PlayerLike, player, unknown_player

__all__ = [
    "DEFAULT_TIME",
    "LIMITS",
    "Choice",
    "Group",
    "HumanPlayer",
    "MinimalPlayer",
    "Player",
    "PlayerKind",
    "PlayerLike",
    "Report",
    "SearchPlayer",
    "SearchingPlayer",
    "checked",
    "choice_of",
    "folder_of",
    "is_foreign",
    "kind_names",
    "limits_from",
    "player",
    "player_kind",
    "player_kinds",
    "register",
    "stricter",
    "unknown_player",
]
