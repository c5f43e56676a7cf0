"""Charts as SVG made on the server, without any inline style (review-queue §7.3).

Each chart is an image with a ``<title>``; the page shows the same figures in a table beside it. Classes of
``static/charts.css`` colour it, and what colour tells is told by dashes, patterns or labels as well. Numbers run
from left to right in every language.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

from django.utils.html import format_html
from django.utils.safestring import SafeString

from reviews.display.chart_parts import (
    BOTTOM,
    LEFT,
    RIGHT,
    STYLES,
    TOP,
    WIDTH,
    Scale,
    axes,
    chart,
    dots,
    dots_of,
    figure,
    legend,
)


@dataclass(frozen=True, slots=True)
class Bar:
    """A named amount from 0 up, with its interval where it has one; ``shown`` is what stands beside it."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Bin:
    """How many rows of two series have a score from ``low`` to ``high``."""

    low: float
    high: float
    right: int
    wrong: int


@dataclass(frozen=True, slots=True)
class Series:
    """A line through (x, y); a point without y breaks it. ``band`` is (x, low, high) around it."""

    name: str
    points: Sequence[tuple[float, float | None]]
    band: Sequence[tuple[float, float, float]] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """Of ``n`` answers to which a confidence of ``said`` was given, the share ``right`` with its interval."""

    said: float
    right: float
    low: float
    high: float
    n: int


def bars(rows: Sequence[Bar], title: str) -> SafeString:
    """Amounts as horizontal bars, the longest across the plot; an interval is a line through the bar's end."""
    most = max([1e-9, *(each.high or each.value for each in rows)])
    across = Scale(0, most, 0, 200)
    drawn = [_bar(row, across, 26 * line) for line, row in enumerate(rows)]
    return chart("bars", title, 26 * len(rows) + 2, drawn)


def _bar(row: Bar, across: Scale, top: float) -> SafeString:
    interval = (
        format_html(
            '<path class="interval" d="M{} {}H{}"/>', across.at(row.low), top + 20, across.at(row.high)
        )
        if row.low is not None and row.high is not None
        else ""
    )
    return format_html(
        '<text x="0" y="{}">{}</text><rect class="fill one" x="0" y="{}" width="{}" height="9"/>{}'
        '<text class="end" x="{}" y="{}">{}</text>',
        top + 11,
        row.label,
        top + 15,
        across.at(row.value),
        interval,
        WIDTH,
        top + 24,
        row.shown or figure(row.value),
    )


def stacked(
    bins: Sequence[Bin], title: str, *, names: tuple[str, str] = ("", ""), mark: float | None = None
) -> SafeString:
    """A histogram of two series, the second (dotted) on top of the first; ``mark`` is a line at a value."""
    if not bins:
        return chart("stacked", title, 150, [])
    x = Scale(bins[0].low, bins[-1].high, LEFT, WIDTH - RIGHT)
    most = max([1, *(each.right + each.wrong for each in bins)])
    y = Scale(0, most, 150 - BOTTOM, TOP + 12)
    drawn = [_columns(each, x, y, dots_of(title)) for each in bins]
    if mark is not None and isfinite(mark):
        drawn.append(format_html('<path class="mark" d="M{} {}V{}"/>', x.at(mark), TOP, 150 - BOTTOM))
    return chart("stacked", title, 150, [dots(title), *axes(x, y, 150), *drawn, *legend(names)])


def _columns(each: Bin, x: Scale, y: Scale, pattern: str) -> SafeString:
    left, width = x.at(each.low), float(x.at(each.high)) - float(x.at(each.low)) - 0.5
    middle, top, foot = y.at(each.right), y.at(each.right + each.wrong), y.at(0)
    return format_html(
        '<rect class="fill one" x="{}" y="{}" width="{}" height="{}"/>'
        '<rect class="dotted" x="{}" y="{}" width="{}" height="{}" fill="url(#{})"/>',
        *(left, middle, f"{max(0.5, width):.1f}", f"{float(foot) - float(middle):.1f}"),
        *(left, top, f"{max(0.5, width):.1f}", f"{float(middle) - float(top):.1f}", pattern),
    )


def lines(
    series: Sequence[Series],
    title: str,
    *,
    marks: Sequence[float] = (),
    height: int = 190,
    most: float | None = None,
    ends: tuple[str, str] | None = None,
) -> SafeString:
    """Lines over one axis, each with its dash and, where given, its band; ``marks`` are values of x.

    ``most`` is the top of the axis, the largest value unless told otherwise; it begins at 0 or below.
    ``ends`` are said at the ends of the axis in place of numbers, such as two days.
    """
    points = [point for each in series for point in _drawn(each)]
    if not points:
        return chart("lines", title, height, [])
    x = Scale(min(x for x, _y in points), max(x for x, _y in points), LEFT, WIDTH - RIGHT)
    top = max(y for _x, y in points) if most is None else most
    y = Scale(min(0.0, *(y for _x, y in points)), top, height - BOTTOM, TOP + 12)
    drawn = [_band(each, x, y, style) for each, style in zip(series, STYLES, strict=False)]
    drawn += [
        format_html('<path class="mark" d="M{} {}V{}"/>', x.at(at), TOP, height - BOTTOM)
        for at in marks
        if isfinite(at)
    ]
    drawn += [
        format_html('<path class="line {}" d="{}"/>', style, _path(each.points, x, y))
        for each, style in zip(series, STYLES, strict=False)
    ]
    names = [each.name for each in series]
    return chart("lines", title, height, [*axes(x, y, height, ends), *drawn, *legend(names, line=True)])


def _drawn(series: Series) -> list[tuple[float, float]]:
    """The points of a series that have a y, and the top of its band."""
    given = [(x, y) for x, y in series.points if y is not None and isfinite(y)]
    return given + [(x, high) for x, _low, high in series.band if isfinite(high)]


def _band(series: Series, x: Scale, y: Scale, style: str) -> SafeString:
    if not series.band:
        return SafeString()
    there = [f"{x.at(at)} {y.at(high)}" for at, _low, high in series.band]
    back = [f"{x.at(at)} {y.at(low)}" for at, low, _high in reversed(series.band)]
    return format_html('<path class="band {}" d="M{}Z"/>', style, "L".join(there + back))


def _path(points: Iterable[tuple[float, float | None]], x: Scale, y: Scale) -> str:
    parts, begun = [], False
    for at, value in points:
        if value is None or not isfinite(value):
            begun = False
            continue
        parts.append(f"{'L' if begun else 'M'}{x.at(at)} {y.at(value)}")
        begun = True
    return "".join(parts) or "M0 0"


def sparkline(values: Sequence[float | None], title: str) -> SafeString:
    """A trend without axes, its last point marked; a gap where a value is missing."""
    known = [(at, value) for at, value in enumerate(values) if value is not None and isfinite(value)]
    if not known:
        return chart("sparkline", title, 28, [], width=120)
    x = Scale(0, max(1, len(values) - 1), 3, 117)
    y = Scale(min(value for _at, value in known), max(value for _at, value in known), 24, 4)
    path = _path(list(enumerate(values)), x, y)
    end = format_html('<circle class="fill one" cx="{}" cy="{}" r="2.5"/>', *_place(known[-1], x, y))
    return chart(
        "sparkline", title, 28, [format_html('<path class="line one" d="{}"/>', path), end], width=120
    )


def _place(point: tuple[float, float], x: Scale, y: Scale) -> tuple[str, str]:
    return x.at(point[0]), y.at(point[1])


def reliability(points: Sequence[Point], title: str) -> SafeString:
    """Confidence against the share judged right, each point with its 95 % bar and as large as its n.

    Points with n < 10 are hollow (review-queue §5.4); the dashed diagonal is where both are equal.
    """
    x, y = Scale(0, 1, LEFT, 248), Scale(0, 1, 250 - BOTTOM, TOP)
    diagonal = format_html('<path class="mark" d="M{} {}L{} {}"/>', x.at(0), y.at(0), x.at(1), y.at(1))
    largest = max([1, *(point.n for point in points)])
    drawn = [
        format_html(
            '<path class="interval" d="M{} {}V{}"/><circle class="{}" cx="{}" cy="{}" r="{}"/>',
            *(x.at(point.said), y.at(point.low), y.at(point.high)),
            "fill one" if point.n >= 10 else "hollow",
            *(x.at(point.said), y.at(point.right), f"{3 + 5 * (point.n / largest) ** 0.5:.1f}"),
        )
        for point in points
    ]
    return chart("reliability", title, 250, [*axes(x, y, 250), diagonal, *drawn], width=256)


def matrix(
    rows: Sequence[tuple[str, Sequence[int]]], title: str, *, columns: Sequence[str] = ()
) -> SafeString:
    """Counts of pairs: a cell's number stands in it, and the more there are the denser it is filled."""
    most = max([1, *(count for _label, counts in rows for count in counts)])
    width = (WIDTH - 90) / max(1, max((len(counts) for _label, counts in rows), default=1))
    heads = [
        format_html('<text class="middle" x="{}" y="12">{}</text>', f"{90 + width * (at + 0.5):.1f}", name)
        for at, name in enumerate(columns)
    ]
    drawn = [
        _cell(count, most, 90 + width * at, 18 + 26 * line, width)
        for line, (_label, counts) in enumerate(rows)
        for at, count in enumerate(counts)
    ]
    names = [
        format_html('<text x="0" y="{}">{}</text>', 35 + 26 * line, label)
        for line, (label, _counts) in enumerate(rows)
    ]
    return chart("matrix", title, 20 + 26 * len(rows), [*heads, *names, *drawn])


def _cell(count: int, most: int, left: float, top: float, width: float) -> SafeString:
    return format_html(
        '<rect class="cell" x="{}" y="{}" width="{}" height="24" fill-opacity="{}"/>'
        '<text class="middle" x="{}" y="{}">{}</text>',
        *(f"{left:.1f}", top, f"{width - 2:.1f}", f"{0.05 + 0.4 * count / most:.2f}"),
        *(f"{left + width / 2 - 1:.1f}", top + 16, count),
    )
