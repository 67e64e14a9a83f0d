"""External programs as players, and our players as programs: UGI, Gomocup, KGP, Manchester."""

from mossa.protocols.check import Check, check_player
from mossa.protocols.gomocup.serve import serve_gomocup
from mossa.protocols.manchester.serve import serve_manchester
from mossa.protocols.ugi.drive import UgiPlayer, hosted
from mossa.protocols.ugi.serve import serve

__all__ = [
    "Check",
    "UgiPlayer",
    "check_player",
    "hosted",
    "serve",
    "serve_gomocup",
    "serve_manchester",
]
