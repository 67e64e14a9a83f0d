"""Courses: a class hands in players, which are tested and play each other all the time."""

from mossa.course.course import Course
from mossa.course.inbox import BusyError, ClosedError, FullError
from mossa.course.people import Link
from mossa.course.plan import CourseError, CoursePlan
from mossa.course.register import Visitor
from mossa.course.store import STATES, RatingPoint, Student, Version
from mossa.course.uploads import UploadError
from mossa.course.views import Opponent, Overview, Played, Row, is_decided, verdict

__all__ = [
    "STATES",
    "BusyError",
    "ClosedError",
    "Course",
    "CourseError",
    "CoursePlan",
    "FullError",
    "Link",
    "Opponent",
    "Overview",
    "Played",
    "RatingPoint",
    "Row",
    "Student",
    "UploadError",
    "Version",
    "Visitor",
    "is_decided",
    "verdict",
]
