"""``python -m mossa`` is the ``mossa`` command."""

from mossa.cli import main

main()
