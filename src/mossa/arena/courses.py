"""The configurations of the course tournaments that two of the reports were written for.

Ten seconds a move, also for set-up; a time-out, an exception or an illegal move forfeits the game.
"""

_MNK = """
3,3,3 4,3,3 4,4,3 4,4,4 5,4,4 5,5,4 5,5,5 6,4,4 6,5,4 6,6,4 6,6,5 6,6,6 7,4,4 7,5,4 7,6,4 7,7,4
7,5,5 7,6,5 7,7,5 7,7,6 7,7,7 8,8,4 10,10,5 50,50,10 70,70,10
"""

_CONNECT = [
    (rows, cols, k)
    for k in (4, 5)
    for rows in range(4, 8)
    for cols in range(4, 8)
    if (rows, cols, k) != (4, 4, 5)
]

COURSES = {
    "course-mnk": tuple(f"mnk:{each.replace(',', 'x')}" for each in _MNK.split()),
    "course-connect": tuple(
        f"connect:{rows}x{cols}x{k}"
        for rows, cols, k in [*_CONNECT, *((size, size, 10) for size in (20, 30, 40, 50))]
    ),
    # Another version of the course text has other large boards.
    "course-connect-large": tuple(
        f"connect:{size}x{size}x{k}" for size, k in ((25, 10), (50, 15), (75, 20), (100, 30))
    ),
}
"""Games by the name of a course: 25 mnk boards, 35 connect boards, four more large ones."""
