"""The last line of the screen: the most used keys, as many as fit."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.strip import Strip
from textual.widget import Widget

Key = tuple[str, str, str]
"""A key as the program calls it, as people call it, and what it does."""


def shown_keys(bindings: Sequence[BindingType]) -> list[Key]:
    """Return the keys a screen wants to show, in its order."""
    found = []
    for each in bindings:
        if isinstance(each, Binding) and each.show:
            key = each.key.partition(",")[0]
            found.append((key, each.key_display or key, each.description))
    return found


class KeyLine(Widget):
    """Keys and what they do, to read or click. The last two, help and quit, always show."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "KeyLine { height: 1; background: $panel; color: $text; }"
    _ALWAYS = 2

    def __init__(self, keys: Sequence[Key]) -> None:
        """Take the keys, the most important ones first."""
        super().__init__()
        self._keys = list(keys)

    def shown(self) -> list[Key]:
        """Return the keys that fit."""
        kept, always = self._keys[: -self._ALWAYS], self._keys[-self._ALWAYS :]
        while kept and self._length([*kept, *always]) > self.size.width:
            kept.pop()
        return [*kept, *always]

    @staticmethod
    def _length(keys: Sequence[Key]) -> int:
        return sum(len(name) + len(does) + 3 for _, name, does in keys)

    def render_line(self, y: int) -> Strip:
        """Return the line."""
        base = self.rich_style
        key_style = base + Style(
            bold=True, color=self.app.theme_variables.get("footer-key-foreground")
        )
        segments = []
        for _, name, does in self.shown():
            segments += [Segment(f" {name}", key_style), Segment(f" {does} ", base)]
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def on_click(self, event: events.Click) -> None:
        """Treat a click on a key as the key."""
        at = 0
        for key, name, does in self.shown():
            at += len(name) + len(does) + 3
            if event.x < at:
                self.app.simulate_key(key)
                return
