"""Games and players of mossa in other people's frameworks, and the other way round.

Each framework has a module, which is imported only when it is asked for.
"""
