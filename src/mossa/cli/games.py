"""``mossa games``: what can be played."""

import json
from typing import Any

from rich.console import Console
from rich.table import Table

from mossa.cli.common import Json
from mossa.games import FORMS, KINDS, PRESETS, form_of


def run(as_json: Json = False) -> None:
    """List the games: presets, kinds, sizes and rule options."""
    if as_json:
        kinds = [_kind_data(name) for name in KINDS]
        print(json.dumps({"presets": PRESETS, "forms": FORMS, "kinds": kinds}))
        return
    console = Console()
    presets = Table("preset", "is", box=None, header_style="bold")
    for name, meaning in PRESETS.items():
        presets.add_row(name, meaning)
    presets.columns[1].overflow = "fold"  # a name that is cut is no name
    console.print(presets)
    for kind in KINDS.values():
        sizes = ", ".join(f"{size.name} {size.low} to {size.high}" for size in kind.sizes)
        console.print(f"\n[bold]{form_of(kind.name)}[/bold]  {kind.summary}")
        console.print(f"  {sizes}", highlight=False)
        for form, meaning in FORMS.items():
            if meaning.startswith(f"{kind.name}:"):
                console.print(f"  {form} is short for {meaning}", highlight=False)
        if not kind.options:
            continue  # rich prints a table without rows as an empty line
        options = Table.grid(padding=(0, 2))
        for option in kind.options:
            options.add_row("", f"{option.name}={'|'.join(option.values)}", option.help)
        console.print(options)


def _kind_data(name: str) -> dict[str, Any]:
    kind = KINDS[name]
    return {
        "name": name,
        "summary": kind.summary,
        "sizes": [{"name": s.name, "low": s.low, "high": s.high} for s in kind.sizes],
        "options": [{"name": o.name, "values": o.values, "help": o.help} for o in kind.options],
    }
