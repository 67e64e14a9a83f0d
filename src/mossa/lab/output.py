"""Results as people and programs want them: tables on a terminal, CSV, JSON."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from mossa.analysis import score_data
from mossa.lab.runner import Results, Row, Table, cell_text


def show(console: Console, results: Results) -> None:
    """Print the tables of an experiment."""
    for table in results.tables:
        console.print(to_rich(table))


def to_rich(table: Table) -> RenderableType:
    """Return a table for the terminal; numbers stand to the right, texts of the user are plain."""
    shown = RichTable(
        title=Text(table.title, style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for i, name in enumerate(table.columns):
        cells = [row[i] for row in table.rows]
        numeric = any(isinstance(cell, int | float) for cell in cells) or not any(cells)
        shown.add_column(
            Text(name),
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=numeric,
            vertical="bottom",
            style="bold" if name == "mossa" else "",
        )
    for row in table.rows:
        shown.add_row(*(Text(cell_text(cell)) for cell in row))
    notes = [Text(note, style="dim") for note in table.notes]
    return Group(shown, *notes, Text())


def to_csv(rows: Sequence[Row]) -> str:
    """Return all rows as CSV below a header; unknown values stay empty."""
    table = [row.as_dict() for row in rows]
    columns = list(dict.fromkeys(name for row in table for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue()


def to_data(results: Results) -> dict[str, Any]:
    """Return the results as plain data, for JSON."""
    return {
        "experiment": results.experiment.name,
        "complete": results.complete,
        "rows": [_row_data(row) for row in results.rows],
        "tables": [
            {
                "title": table.title,
                "columns": [name.replace("\n", " ") for name in table.columns],
                "rows": table.rows,
                "notes": table.notes,
            }
            for table in results.tables
        ],
    }


def _row_data(row: Row) -> dict[str, Any]:
    """Return a row with moves and score as all JSON of mossa has them."""
    score = None if row.score is None else score_data(row.score)
    return {**row.as_dict(), "moves": row.moves.split(), "score": score}
