"""What one client, and all clients together, may ask of the server."""

from os import cpu_count

from mossa.trace import SECONDS

BODY_BYTES = 64 * 1024
"""Bytes of a request or message; the longest game on the largest board needs less."""
CELLS = 10_000
"""Cells of the largest board: 100 x 100."""
SPEC_LENGTH = 200
"""Characters of a player's spec or a game's name."""
THINKING_SECONDS = 10.0
"""Seconds for a computer's move, whatever its spec says."""
HINT_SECONDS = 1.0
ANALYSIS_SECONDS = 60.0
"""Enough to know a position well; a client that wants more can ask again."""
GRAPH_SECONDS = 0.15
"""For a point of the graph of a game; for all of them:"""
GRAPH_TOTAL_SECONDS = 20.0
REVIEW_SECONDS = 0.5
"""For a move that is reviewed; for all of them:"""
REVIEW_TOTAL_SECONDS = 60.0
REVIEW_LEAST_SECONDS = 0.1
"""In less, a move on the largest board gets no grade, so long games have ungraded moves."""
MEMORY_MB = 64
"""For the table of a search that a client starts."""
SEARCHES = max(2, cpu_count() or 2)
"""How many computer moves to think about at once; as many analyses run besides."""
WAITING = 400
"""Searches that may queue; any more are told to try again."""
SOCKETS = 1000
"""Pages all clients together may have open; any more are told to try again."""
SOCKETS_PER_CLIENT = 500
"""A client is an address, and a school may have one address for all its pupils."""
CONNECTIONS = 2000
"""Of any sort, sockets too."""
CONNECTIONS_PER_CLIENT = 1000
"""A browser opens up to six, and one for each page: enough for more than a hundred pupils."""
REQUEST_SECONDS = 10.0
"""Seconds until a connection's first request must be there."""
KEEP_ALIVE_SECONDS = 60.0
"""After an answer until the next request is there. Longer than people think about a move, and than
clients keep an idle connection: one that both ends give up at once loses a request."""
BODY_SECONDS = 20.0
"""Seconds until a request's body must be there."""
ANSWER_SECONDS = 20.0
"""Seconds until a client must have read what it was sent."""
IDLE_SECONDS = 3600.0
"""Seconds of silence from a page on its socket; the page then opens another one."""
GAMES = 20_000
"""Saved games; when there are more, the one unused for longest is deleted."""
REMEMBERED = 300
"""Games, and analyses, on one browser's page."""
PLAYERS = 32
"""Computer players that may keep their memory from move to move."""
TRACE_NODES = 3000
"""Nodes of a search recorded for the viewer; nobody steps through more."""
TRACE_CELLS = 600_000
"""Cells of all these nodes together: large boards have fewer nodes."""
TRACE_SECONDS = SECONDS
PUZZLES = 5000
"""Puzzle names a page may send as done."""
ENTRANTS = 12
"""Players of a tournament."""
TOURNAMENT_GAMES = 2000
TOURNAMENTS = 100
"""Tournaments kept; if there are more, the oldest idle one is deleted."""
TOURNAMENT_SECONDS = 5.0
"""For a move."""
WORKERS = max(1, (cpu_count() or 1) - 1)
"""Games of the arena at once: of one tournament, the others wait. A core is left for the pages."""
