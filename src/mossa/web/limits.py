"""What one client, and all of them together, may ask of the server."""

from os import cpu_count

from mossa.trace import SECONDS

BODY_BYTES = 64 * 1024
"""Of a request or a message; the longest game of the largest board needs less."""
CELLS = 10_000
"""Of the largest board: 100 x 100."""
SPEC_LENGTH = 200
"""Characters of a player's spec or a game's name."""
THINKING_SECONDS = 10.0
"""For a move of the computer, whatever its spec says."""
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
"""In less, a move of the largest board gets no grade; so long games have some moves without."""
MEMORY_MB = 64
"""For the table of a search that a client starts."""
SEARCHES = max(2, cpu_count() or 2)
"""Moves of the computer that are thought about at once; as many analyses besides."""
WAITING = 400
"""Searches that may queue; later ones are told to try again."""
SOCKETS = 1000
"""Pages that all clients may have open; later ones are told to try again."""
SOCKETS_PER_CLIENT = 500
"""A client is an address, and a school may have one address for all its pupils."""
CONNECTIONS = 2000
"""Of any sort, sockets too."""
CONNECTIONS_PER_CLIENT = 1000
"""A browser opens up to six, and one for each page: enough for more than a hundred pupils."""
REQUEST_SECONDS = 10.0
"""Until the first request of a connection is there."""
KEEP_ALIVE_SECONDS = 60.0
"""After an answer until the next request is there. Longer than people think about a move, and than
clients keep an idle connection: one that both ends give up at once loses a request."""
BODY_SECONDS = 20.0
"""Until the body of a request is there."""
ANSWER_SECONDS = 20.0
"""Until a client has taken what it is sent."""
IDLE_SECONDS = 3600.0
"""Without a word from a page on its socket; the page opens another one."""
GAMES = 20_000
"""Saved games; when there are more, the one unused for longest is deleted."""
REMEMBERED = 300
"""Games, and analyses, on the page of one browser."""
PLAYERS = 32
"""Computer players that keep their memory from move to move."""
TRACE_NODES = 3000
"""Of a search that is recorded for the viewer; nobody steps through more."""
TRACE_CELLS = 600_000
"""Cells of all these nodes together: large boards have fewer nodes."""
TRACE_SECONDS = SECONDS
PUZZLES = 5000
"""Names of puzzles that a page may send as done."""
ENTRANTS = 12
"""Players of a tournament."""
TOURNAMENT_GAMES = 2000
TOURNAMENTS = 100
"""Kept; when there are more, the oldest that is not being played goes."""
TOURNAMENT_SECONDS = 5.0
"""For a move."""
WORKERS = max(1, (cpu_count() or 1) - 1)
"""Games of the arena at once: of one tournament, the others wait. A core is left for the pages."""
