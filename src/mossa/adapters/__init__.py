"""Games and players of mossa in other people's frameworks, and the other way round.

One module a framework; each is imported only when it is asked for.
"""
