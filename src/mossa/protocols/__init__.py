"""External programs as players, and our players as programs: UGI, Gomocup, KGP, Manchester."""

from mossa.protocols import gomocup as gomocup  # makes the name of its player known
from mossa.protocols.brain import serve_gomocup
from mossa.protocols.check import Check, check_player
from mossa.protocols.manchester import serve_manchester
from mossa.protocols.serve import serve
from mossa.protocols.ugi import UgiPlayer, hosted

__all__ = [
    "Check",
    "UgiPlayer",
    "check_player",
    "hosted",
    "serve",
    "serve_gomocup",
    "serve_manchester",
]
