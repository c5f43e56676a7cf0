"""Tiles as the page shows them: figures in words, charts, tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from reviews.dashboard.registry import TILES, Entry, of_block
from reviews.dashboard.scope import Scope
from reviews.dashboard.tiles.tile import Row, Tile, Unit
from reviews.display.charts import Bar, Series, bars, lines, matrix, sparkline
from reviews.display.wording import span

NOTHING = "–"


@dataclass(frozen=True, slots=True)
class TileRow:
    """A row of a tile's table."""

    label: str
    value: str
    n: str
    interval: str


@dataclass(frozen=True, slots=True)
class TileView:
    """A tile on the page; ``groups`` are its rows under their headings, ``weeks`` its trend as a table."""

    name: str
    title: str | Promise
    definition: str | Promise
    value: str
    n: str
    interval: str
    text: str
    chart: SafeString
    trend: SafeString
    weeks: Sequence[tuple[str, str]]
    groups: Sequence[tuple[str, Sequence[TileRow]]]
    link: str


def block_view(block: str, scope: Scope) -> list[TileView]:
    """The tiles of a block, worked out."""
    return [tile_view(name, TILES[name], TILES[name].work_out(scope), scope) for name in of_block(block)]


def tile_view(name: str, entry: Entry, tile: Tile, scope: Scope) -> TileView:
    """One tile."""
    rows = [(group, list(found)) for group, found in groupby(tile.rows, key=lambda row: row.group)]
    title = str(entry.title)
    trend = sparkline([value for _week, value in tile.trend], _("%(title)s by week") % {"title": title})
    return TileView(
        name,
        entry.title,
        entry.definition,
        figure(tile.value, entry.unit),
        "" if tile.n is None else f"{tile.n:,}",
        interval(tile.low, tile.high, entry.unit),
        tile.text,
        CHARTS[entry.chart](rows, title, entry.unit) if tile.rows else SafeString(),
        trend if any(value is not None for _week, value in tile.trend) else SafeString(),
        [(date_format(week, "DATE_FORMAT"), figure(value, entry.unit)) for week, value in tile.trend],
        [(group, [_row(row, entry.unit) for row in found]) for group, found in rows],
        entry.link(scope),
    )


def _row(row: Row, unit: Unit) -> TileRow:
    own = row.unit or unit
    n = "" if row.n is None else f"{row.n:,}"
    return TileRow(row.label, figure(row.value, own), n, interval(row.low, row.high, own))


def figure(value: float | None, unit: Unit) -> str:
    """A figure in its unit; a dash for none."""
    if value is None:
        return NOTHING
    if unit == "share":
        return f"{value:.1%}".replace("%", " %")
    if unit == "seconds":
        return duration(value)
    if unit == "per_hour":
        return _("%(n)s an hour") % {"n": f"{value:.1f}"}
    return {"coefficient": f"{value:.3f}", "number": f"{value:.2f}"}.get(unit, f"{value:,.0f}")


def duration(seconds: float) -> str:
    """A length of time in one unit."""
    if seconds >= 60:
        return span(timedelta(seconds=seconds))
    return _("%(n)s s") % {"n": f"{seconds:.0f}" if seconds >= 10 else f"{seconds:.2g}"}


def interval(low: float | None, high: float | None, unit: Unit) -> str:
    """The 95 % interval of a figure; empty for none."""
    if low is None or high is None:
        return ""
    if unit == "share":
        return f"{100 * low:.1f}–{100 * high:.1f} %"
    return f"{figure(low, unit)} – {figure(high, unit)}"


Groups = Sequence[tuple[str, Sequence[Row]]]


def _bars(groups: Groups, title: str, unit: Unit) -> SafeString:
    """The first group alone: one chart has one unit and one kind of thing."""
    found = [row for row in groups[0][1] if row.value is not None]
    own = [
        Bar(row.label, row.value or 0, row.low, row.high, figure(row.value, row.unit or unit))
        for row in found
    ]
    return bars(own, title) if own else SafeString()


def _matrix(groups: Groups, title: str, _unit: Unit) -> SafeString:
    counts = [(group, [int(row.value or 0) for row in rows]) for group, rows in groups]
    return matrix(counts, title, columns=[row.label for row in groups[0][1]])


def _lines(groups: Groups, title: str, _unit: Unit) -> SafeString:
    """A line for each label, over the groups in their order."""
    series: Mapping[str, list[tuple[float, float | None]]] = {row.label: [] for row in groups[0][1]}
    for at, (_group, rows) in enumerate(groups):
        for row in rows:
            series[row.label].append((at, row.value))
    drawn = [Series(name, points) for name, points in series.items()]
    return lines(drawn, title, ends=(groups[0][0], groups[-1][0]))


def _no_chart(_groups: Groups, _title: str, _unit: Unit) -> SafeString:
    return SafeString()


CHARTS = {"": _no_chart, "bars": _bars, "matrix": _matrix, "lines": _lines}

CSV_COLUMNS = ("tile", "group", "label", "value", "n", "low", "high")


def csv_rows(name: str, tile: Tile) -> Iterable[tuple[str | float | None, ...]]:
    """A tile as rows of :data:`CSV_COLUMNS`: itself, its parts, its weeks."""
    yield name, "", "", tile.value, tile.n, tile.low, tile.high
    for row in tile.rows:
        yield name, row.group, row.label, row.value, row.n, row.low, row.high
    for week, value in tile.trend:
        yield name, "week", week.isoformat(), value, None, None, None
