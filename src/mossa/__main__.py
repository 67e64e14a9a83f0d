"""``python -m mossa`` is the ``mossa`` command."""

from mossa.cli import main

if __name__ == "__main__":
    main()
