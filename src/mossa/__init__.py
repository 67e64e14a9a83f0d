"""mossa plays, analyses, solves and compares two-player board games.

>>> import mossa
>>> position = mossa.game("connect4").position("4453")
>>> position.side.name, len(position.moves), position.outcome
('first', 7, None)
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any


def _public_names() -> dict[str, str]:
    """Return the module that defines each public name, as the stub tells it to type checkers."""
    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    return {
        alias.name: each.module
        for each in stub.body
        if isinstance(each, ast.ImportFrom) and each.module
        for alias in each.names
    }


_WHERE = _public_names()
__all__ = sorted(name for name, module in _WHERE.items() if module != __name__)


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is first asked for: all at once takes a while."""
    if name == "__version__":
        return import_module("importlib.metadata").version(__name__)
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _WHERE[name]
    if module == __name__:
        return import_module(f"{module}.{name}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})
