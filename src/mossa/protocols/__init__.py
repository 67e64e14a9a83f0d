"""External programs as players, and our players as programs: UGI, and Gomocup for mnk."""

from mossa.protocols import gomocup as gomocup  # makes the name of its player known
from mossa.protocols.check import Check, check_player
from mossa.protocols.serve import serve
from mossa.protocols.ugi import UgiPlayer, hosted

__all__ = ["Check", "UgiPlayer", "check_player", "hosted", "serve"]
