"""Plots of an experiment, with matplotlib, which is needed for nothing else and loaded only here.

They are made for a printed report: colours that colour-blind people tell apart, a marker or hatch
of its own for every series so that grey is enough, published figures as hollow squares.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING
from warnings import catch_warnings, filterwarnings

from mossa.errors import how_to_install
from mossa.lab.runner import Cell, Grid, InvalidExperimentError, Panel, Ranges, cell_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

FORMATS = (".png", ".svg", ".pdf")
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_PUBLISHED = "#8c8c8c"
_MARKERS = "osD^vPX"
_DASHES = ("-", "--", "-.", ":")
_HATCHES = ("", "///", "...", "\\\\\\", "xxx", "---", "+++")
_WIDTH, _HEIGHT = 5.6, 4.2  # inches of one panel
_ROOM = 0.06  # of the width, beyond the last value, for an arrow


def check_installed() -> None:
    """Raise InvalidExperimentError if there is nothing to draw with."""
    if find_spec("matplotlib") is None:
        raise InvalidExperimentError(f"plots need matplotlib: {how_to_install('plot')}")


def to_image(
    panels: Sequence[Panel | Grid | Ranges], form: str, columns: int | None = None
) -> bytes:
    """Return the panels as one picture, ``png``, ``svg`` or ``pdf``: side by side, or in rows."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # Texts stay texts in an SVG, so that they can be searched and take the font of the page; and a
    # name with dollar signs is no formula. What the font of a PNG lacks is drawn as a box.
    with (
        rc_context({"svg.fonttype": "none", "font.size": 9, "hatch.linewidth": 0.4}),
        rc_context({"text.parse_math": False}),
        catch_warnings(),
    ):
        filterwarnings("ignore", "Glyph .* missing from")
        across = min(columns or len(panels), len(panels))
        down = math.ceil(len(panels) / across)
        wide, high = map(max, zip(*map(_size, panels), strict=True))
        figure = Figure(figsize=(wide * across, high * down), layout="constrained")
        FigureCanvasAgg(figure)  # draws into memory: there need be no display
        parts = figure.subfigures(down, across, squeeze=False).flat
        for part, panel in zip(parts, panels, strict=False):  # the last row may have gaps
            if isinstance(panel, Grid):
                _draw_grid(part, panel)
            elif isinstance(panel, Ranges):
                _draw_ranges(part, panel)
            else:
                _draw(part, panel)
        image = io.BytesIO()
        figure.savefig(image, format=form, dpi=160)
    return image.getvalue()


def _size(panel: Panel | Grid | Ranges) -> tuple[float, float]:
    """Inches across and down: more than usual where there is more to show."""
    if isinstance(panel, Ranges):
        return _WIDTH, max(1.6, 0.9 + 0.3 * len(panel.rows))
    if isinstance(panel, Grid) or panel.lines or panel.stacked:
        return _WIDTH, _HEIGHT
    return max(_WIDTH, 0.2 * sum(map(len, panel.series.values()))), _HEIGHT


def _draw(part: SubFigure, panel: Panel) -> None:
    axes = part.subplots()
    if panel.log:
        axes.set_yscale("log")
    if panel.log_x:
        axes.set_xscale("log")
    if panel.lines:
        _draw_lines(axes, panel)
    else:
        _draw_bars(axes, panel)
    if panel.level:
        label, value = panel.level
        axes.axhline(value, color=_PUBLISHED, linestyle="--", linewidth=1.4, label=label)
    if panel.top is not None:
        axes.set_ylim(top=panel.top)
    axes.set_title(panel.title, fontsize=10, loc="left", fontweight="bold")
    if panel.counts:
        _count_in_whole_numbers(axes, panel)
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    _, labels = axes.get_legend_handles_labels()
    if len(labels) > 1:
        columns = 2 if max(map(len, labels)) > 15 else 3
        part.legend(loc="outside lower center", ncols=columns, frameon=False, fontsize=8)


def _draw_lines(axes: Axes, panel: Panel) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

    for i, (label, points) in enumerate(panel.series.items()):
        axes.plot(
            *_sorted(points),
            label=label,
            color=_COLOURS[i % len(_COLOURS)],
            marker=_pick(_MARKERS, i),
            linestyle=_DASHES[i % len(_DASHES)],
            markersize=5,
            linewidth=1.4,
        )
        if label in panel.published:
            axes.plot(
                *_sorted(panel.published[label]),
                linestyle="none",
                marker="s",
                markersize=9,
                markerfacecolor="none",
                markeredgecolor=_COLOURS[i % len(_COLOURS)],
            )
    if panel.published:
        axes.plot([], [], "s", ms=9, mfc="none", mec="#333333", label="report")
    places = {x for points in panel.series.values() for x in _sorted(points)[0]}
    axes.xaxis.set_major_locator(
        FixedLocator(sorted(places)) if len(places) <= 8 else MaxNLocator(integer=True)
    )
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,g}"))
    lowest = min((y for points in panel.series.values() for y in points.values()), default=0)
    if not panel.log and lowest >= 0:
        axes.set_ylim(bottom=0)


def _count_in_whole_numbers(axes: Axes, panel: Panel) -> None:
    """Nobody counts half a node: marks at whole numbers only, written out."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

    if panel.log:
        axes.set_ylim(bottom=max(1.0, axes.get_ylim()[0]))
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=8))
        axes.yaxis.set_minor_locator(NullLocator())
    else:
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:,.0f}"))


def _draw_bars(axes: Axes, panel: Panel) -> None:
    names = list(dict.fromkeys(name for points in panel.series.values() for name in points))
    count = 1 if panel.stacked else len(panel.series)
    width = 0.84 / max(count, 1)
    below = [0.0] * len(names)
    for i, (label, points) in enumerate(panel.series.items()):
        heights = [points.get(name, 0.0) for name in names]
        offset = 0.0 if panel.stacked else (i - (count - 1) / 2) * width
        published = label.startswith("report")
        bars = axes.bar(
            [at + offset for at in range(len(names))],
            heights,
            width * 0.92,
            bottom=below if panel.stacked else None,
            label=label,
            color=_PUBLISHED if published else _COLOURS[i % len(_COLOURS)],
            hatch="" if published else _pick(_HATCHES, i),
            edgecolor="white",
        )
        if panel.stacked:
            below = [low + height for low, height in zip(below, heights, strict=True)]
        else:
            figures = [cell_text(height) if height else "" for height in heights]
            upright = len(names) * count > 9
            axes.bar_label(bars, figures, fontsize=7, padding=2, rotation=90 if upright else 0)
    _set_floor(axes, panel)
    slanted = sum(len(str(name)) for name in names) > 55
    axes.set_xticks(
        range(len(names)),
        [str(name) for name in names],
        rotation=20 if slanted else 0,
        ha="right" if slanted else "center",
    )


def _pick(signs: Sequence[str], at: int) -> str:
    """Return the sign of a series; when the colours start over, each gets another sign."""
    return signs[(at + at // len(_COLOURS)) % len(signs)]


def _draw_ranges(part: SubFigure, panel: Ranges) -> None:
    """Draw a dot and a bar for every name, below each other."""
    axes = part.subplots()
    if panel.log:
        axes.set_xscale("log")
    known = [each for row in panel.rows.values() for each in row if each is not None]
    start, end = _reach(known or [0.0], log=panel.log)
    if panel.zero:
        axes.axvline(0, color="#8c8c8c", linewidth=1, linestyle="--")
    for at, (low, value, high) in enumerate(panel.rows.values()):
        if (low, value, high) == (None, None, None):
            continue
        if low is None and high is None:
            low = high = value  # nothing is known but the value
        left, right = start if low is None else low, end if high is None else high
        axes.plot([left, right], [at, at], color="black", linewidth=1.2)
        for edge, bound, arrow in ((left, low, "<"), (right, high, ">")):
            axes.plot(edge, at, arrow if bound is None else "|", color="black", markersize=6)
        if value is not None:
            axes.plot(value, at, "o", color=_COLOURS[0], markeredgecolor="black", markersize=6)
    axes.set_xlim(start, end)
    axes.set_ylim(len(panel.rows) - 0.4, -0.6)  # the first one on top
    axes.set_yticks(range(len(panel.rows)), [_short(name) for name in panel.rows])
    axes.set_title(panel.title, fontsize=10, loc="left", fontweight="bold")
    axes.set_xlabel(panel.x_label)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if panel.log:
        _write_powers(axes)


def _reach(values: Sequence[float], *, log: bool) -> tuple[float, float]:
    """Return where an axis begins and ends that has room for the values and for arrows."""
    low, high = min(values), max(values)
    if log:
        low, high = math.log10(max(low, 1e-6)), math.log10(max(high, 1e-6))
    room = _ROOM * max(high - low, 1e-3) + (0.05 if log else 1.0)
    low, high = low - room, high + room
    return (10**low, 10**high) if log else (low, high)


def _write_powers(axes: Axes) -> None:
    """Write 0.01, 1 and 100 on an axis of powers, not 10 with raised digits."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axes.get_xlim()
    steps = (1.0,) if high / low > 30 else (1.0, 2.0, 5.0)
    axes.xaxis.set_major_locator(LogLocator(subs=steps))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _short(name: str) -> str:
    return name if len(name) <= 30 else name[:29] + "…"


def _draw_grid(part: SubFigure, grid: Grid) -> None:
    """Draw a board: the darker a cell, the greater its share; stones as letters."""
    from matplotlib.patches import Rectangle

    axes = part.subplots()
    rows, cols = len(grid.stones), len(grid.stones[0])
    shades = [[grid.shares.get((row, col), 0.0) for col in range(cols)] for row in range(rows)]
    axes.imshow(shades, origin="lower", cmap="Blues", vmin=0, vmax=1)
    for row in range(rows):
        for col in range(cols):
            stone, share = " xo"[grid.stones[row][col]], grid.shares.get((row, col))
            text = stone if share is None else f"{100 * share:.0f}"
            colour = "white" if share is not None and share > 0.5 else "black"
            size = 20 if share is None else 11
            axes.text(col, row, text, ha="center", va="center", color=colour, fontsize=size)
            if (row, col) in grid.marked:
                corner = col - 0.46, row - 0.46
                frame = Rectangle(corner, 0.92, 0.92, fill=False, color=_COLOURS[1], linewidth=2)
                axes.add_patch(frame)
    axes.set_title(grid.title, fontsize=10, loc="left", fontweight="bold")
    axes.set_xticks([col - 0.5 for col in range(cols + 1)], [""] * (cols + 1))
    axes.set_yticks([row - 0.5 for row in range(rows + 1)], [""] * (rows + 1))
    axes.tick_params(length=0)
    axes.grid(color="#bbbbbb", linewidth=0.6)
    axes.set_xlabel("framed: the right move" if grid.marked else "")


def _set_floor(axes: Axes, panel: Panel) -> None:
    """Where the bars begin, and room above them for the figures."""
    axes.margins(y=0.2)
    if not panel.log:
        axes.set_ylim(bottom=0)
        return
    heights = [y for points in panel.series.values() for y in points.values() if y > 0]
    if heights:
        low, high = math.log10(min(heights)), math.log10(max(heights))
        floor = math.floor(low - 0.2)
        axes.set_ylim(10**floor, 10 ** (high + 0.28 * (high - floor)))


def _sorted(points: Mapping[Cell, float]) -> tuple[list[float], list[float]]:
    """The x and y of a line, from left to right."""
    numbers = sorted((x, y) for x, y in points.items() if isinstance(x, int | float))
    return [x for x, _ in numbers], [y for _, y in numbers]
