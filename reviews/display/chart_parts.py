"""What charts are made of: scales, axes, legends, and the image around them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zlib import crc32

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH = 320
LEFT, RIGHT, TOP, BOTTOM = 38, 8, 8, 24
"""Room around the plot for axis labels, in the units of the view box."""
STYLES = ("one", "two", "three", "four")
"""Classes of the series of a chart, in order: each has a colour and a dash of its own."""


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to places in the view box: ``first`` … ``last`` lie at ``start`` … ``end``."""

    first: float
    last: float
    start: float
    end: float

    def at(self, value: float) -> str:
        """The place of a value; values beyond the ends lie at the ends."""
        span = self.last - self.first
        share = (value - self.first) / span if span else 0.5
        return f"{self.start + (self.end - self.start) * min(1.0, max(0.0, share)):.1f}"

    def shown(self) -> tuple[float, float, float]:
        """The first, the middle and the last value."""
        return self.first, (self.first + self.last) / 2, self.last


def figure(value: float) -> str:
    """A number as an axis names it: at most three figures after the point, none that say nothing."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) < 100 else f"{value:.0f}"


def axes(x: Scale, y: Scale, height: int, ends: tuple[str, str] | None = None) -> list[SafeString]:
    """The two axes with the figures at their ends and middles, or with words at the ends of the lower one."""
    foot = height - BOTTOM
    frame = format_html('<path class="axis" d="M{} {}V{}H{}"/>', LEFT, TOP, foot, x.end)
    below = [_labelled("middle", x.at(value), height - 8, figure(value)) for value in x.shown()]
    if ends:
        below = [_labelled("start", LEFT, height - 8, ends[0]), _labelled("end", x.end, height - 8, ends[1])]
    beside = [_labelled("end", LEFT - 4, float(y.at(value)) + 4, figure(value)) for value in y.shown()]
    return [frame, *below, *beside]


def _labelled(anchor: str, x: object, y: object, text: str) -> SafeString:
    return format_html('<text class="{}" x="{}" y="{}">{}</text>', anchor, x, y, text)


def legend(names: Sequence[str], *, line: bool = False) -> list[SafeString]:
    """What each series is called, above the plot."""
    shown = [name for name in names if name]
    step = (WIDTH - LEFT) / max(1, len(shown))
    keys = (
        '<path class="line {}" d="M{} 9h16"/>'
        if line
        else '<rect class="fill {}" x="{}" y="4" width="10" height="9"/>'
    )
    styles = STYLES if line else ("one", "ground")
    return [
        format_html(
            keys + '<text x="{}" y="13">{}</text>',
            style,
            f"{LEFT + at * step:.1f}",
            f"{LEFT + 20 + at * step:.1f}",
            name,
        )
        for at, (name, style) in enumerate(zip(shown, styles, strict=False))
    ]


def dots_of(title: str) -> str:
    """The id of a chart's pattern of dots, unlike that of any other chart of the page."""
    return f"dots-{crc32(title.encode()):08x}"


def dots(title: str) -> SafeString:
    """The pattern of what lies on top in a histogram, for ``fill="url(#…)"`` by :func:`dots_of`."""
    return format_html(
        '<defs><pattern id="{}" width="4" height="4" patternUnits="userSpaceOnUse">'
        '<rect class="ground" width="4" height="4"/><circle class="dot" cx="2" cy="2" r="1.1"/></pattern></defs>',
        dots_of(title),
    )


def chart(
    kind: str, title: str, height: float, parts: Iterable[SafeString], *, width: int = WIDTH
) -> SafeString:
    """The image: ``kind`` is its class, ``title`` what it is called for those who do not see it."""
    return format_html(
        '<svg class="chart {}" viewBox="0 0 {} {}" role="img" focusable="false"><title>{}</title>{}</svg>',
        *(kind, width, height, title, format_html_join("", "{}", ((part,) for part in parts))),
    )
