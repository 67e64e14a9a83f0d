"""Small screens before the board: a question, a line to type, the keys."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static


class Ask(ModalScreen[str | None]):
    """One line to type; Escape cancels."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back")]

    def __init__(self, question: str, given: str = "") -> None:
        """Take the question, and a text to accept, change or type over."""
        super().__init__()
        self._question, self._given = question, given

    def compose(self) -> ComposeResult:
        """Show the line."""
        with Vertical(classes="dialog"):
            yield Label(self._question, markup=False)
            yield Input(self._given, compact=True)  # selected: what is typed replaces it
            yield Label("Enter to accept, Escape to cancel", classes="quiet")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Return what was typed."""
        self.dismiss(event.value.strip() or None)

    def action_leave(self) -> None:
        """Return nothing."""
        self.dismiss(None)


_ANSWERS = "[@click=screen.answer(True)]y yes[/]   [@click=screen.answer(False)]n no[/]"


class Confirm(ModalScreen[bool]):
    """A yes-or-no question, answered with y or n."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, question: str) -> None:
        """Take the question."""
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """Show the question."""
        with Vertical(classes="dialog"):
            yield Label(self._question, markup=False)
            yield Label(_ANSWERS, classes="answers")

    def action_answer(self, answer: bool) -> None:
        """Return the answer."""
        self.dismiss(answer)


class Keys(ModalScreen[None]):
    """All keys, and what they do."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1,enter", "leave", "Back")
    ]

    def __init__(self, rows: list[tuple[str, str]], title: str = "Keys") -> None:
        """Take the keys and what they do."""
        super().__init__()
        self._rows, self._title = rows, title

    def compose(self) -> ComposeResult:
        """Show the list; it scrolls if it does not fit."""
        text = Text()
        wide = max(len(keys) for keys, _ in self._rows)
        for keys, does in self._rows:
            text.append(f"{keys:<{wide}}  ", "bold").append(f"{does}\n")
        text.rstrip()
        with VerticalScroll(classes="dialog keys"):
            yield Label(self._title, classes="title")
            yield Static(text)
            yield Label("Escape to close", classes="quiet")

    def action_leave(self) -> None:
        """Return to the board."""
        self.dismiss()
