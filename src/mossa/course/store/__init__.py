"""The file of a course: students, versions, games and ratings, in an SQLite database.

The server and the driver share nothing else. A game is a row before it is played; its result is an
update of that row which succeeds once, together with the counts that the ratings are made of.
"""

from mossa.course.store.file import FILE, FORMAT
from mossa.course.store.games import MOST_REVIEWS, Games
from mossa.course.store.ratings import Ratings
from mossa.course.store.rows import (
    CURRENT,
    FAILED,
    REPLACED,
    SKIPPED,
    STATES,
    TESTING,
    WAITING,
    Duel,
    LadderGame,
    RatingPoint,
    Standing,
    Student,
    Version,
)
from mossa.course.store.students import Students
from mossa.course.store.versions import Versions


class CourseStore(Students, Versions, Games, Ratings):
    """The database, for all threads of a process; each has a connection of its own."""


__all__ = [
    "CURRENT",
    "FAILED",
    "FILE",
    "FORMAT",
    "MOST_REVIEWS",
    "REPLACED",
    "SKIPPED",
    "STATES",
    "TESTING",
    "WAITING",
    "CourseStore",
    "Duel",
    "LadderGame",
    "RatingPoint",
    "Standing",
    "Student",
    "Version",
]
