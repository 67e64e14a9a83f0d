"""Courses: a class hands in players, which are tested and play each other all the time."""

from mossa.course.course import (
    BusyError,
    ClosedError,
    Course,
    FullError,
    Opponent,
    Overview,
    Played,
    Row,
    Visitor,
    is_decided,
    verdict,
)
from mossa.course.people import Link
from mossa.course.plan import CourseError, CoursePlan
from mossa.course.store import STATES, RatingPoint, Student, Version
from mossa.course.uploads import UploadError

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
