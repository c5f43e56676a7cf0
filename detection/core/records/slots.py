"""The figures of record by place: property, period and metric, and which of these a claim speaks of (NUM-05).

Everything is sorted and grouped once for an answer, so that a number costs the same however many figures there are.
"""

from bisect import bisect_left, bisect_right
from calendar import monthrange
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

from detection.core.binding import ALIASES, Words, folded, metrics, property_binding
from detection.core.numbers import dates
from detection.core.records.words import Span
from detection.core.types import Case, Claim, Figure, NumericClaim

_LOOKED_AT = 64  # figures of about the claimed value that are looked at for one number
_TILES = 60
_MOST_DIGITS = 100  # a longer figure is none that anybody entered
_BUILT_IN: dict[str, set[str]] = defaultdict(set)  # the metrics that go by each name
for _metric, _names in ALIASES.items():
    for _name in _names:
        _BUILT_IN[_name].add(_metric)
_SLACK = timedelta(days=4)


@dataclass(frozen=True, slots=True)
class Slot:
    """What a number speaks of. ``metric`` None is any figure of its kind, ``span`` None any period; ``label``
    tells two periods of the same dates apart."""

    property: str
    metric: str | None = None
    span: Span | None = None
    label: str | None = None


def worth(figure: Figure, number: NumericClaim, metric: str | None) -> Decimal | None:
    """A figure in the unit of ``number``; None when the two cannot be compared."""
    if {figure.kind, number.kind} == {"ratio", "percentage"}:
        if figure.field != metric or number.unit == "pp":
            return None
        return figure.value / 100 if number.kind == "ratio" else figure.value * 100
    if number.kind == "number":
        meant = metric is not None and (figure.kind == "currency" or figure.field == metric)
        return figure.value if meant else None
    if figure.kind != number.kind or (number.kind == "percentage" and number.unit != "%"):
        return None
    return figure.value if number.kind != "currency" or figure.unit in ("", number.unit) else None


class Records:
    """The figures of one case."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self._figures = [
            figure
            for figure in case.figures
            if figure.value.is_finite() and abs(figure.value.adjusted()) < _MOST_DIGITS
        ]
        self._rows = _rows(self._figures)
        self._of_field: dict[str, list[Figure]] = defaultdict(list)
        for figure in self._figures:
            self._of_field[figure.field].append(figure)
        self._found: dict[Slot, list[Figure]] = {}
        self._tiled: dict[tuple[str, str, Span], list[list[Figure]]] = {}
        self._ladders: dict[str, tuple[list[Decimal], list[Figure]]] = {}
        self._called: dict[str, set[str]] = {}
        self._fields_called: dict[str, set[str]] = {}
        self._groups: dict[str, frozenset[str]] = {}
        self._of_metric: dict[str, list[Figure]] = {}
        self._names = property_binding.names_of(case)
        self._phrases = metrics.phrases_of(case.aliases)
        self._cut: tuple[str, Words] = "", Words("")

    def slot(self, claim: Claim) -> Slot | None:
        """The slot of a claim: what its own words name, else the answer's; None without a property."""
        about = claim.property or self.case.property
        if about is None:
            return None
        span = self.span(claim, about)
        asked = self.case.period
        label = asked.label if asked and span == (asked.start, asked.end) else None
        return Slot(about, claim.metric, span, label)

    def span(self, claim: Claim, about: str) -> Span | None:
        """The period a claim speaks of: its own words', else the answer's.

        A day or month inside the asked-for period, or a year around it, of which the database knows nothing, only
        places the asked-for one: ``in 2024`` in an answer about Q3 2024.
        """
        asked = (self.case.period.start, self.case.period.end) if self.case.period else None
        stated = dates.of_iso(claim.period) if claim.period is not None else None
        if stated is None or stated.start is None or stated.end is None:
            return asked
        span = (stated.start, stated.end)
        if asked is None or self._reported(span, about, claim.metric):
            return span
        inner = _inside(span, asked) and (span[1] - span[0]).days <= 31
        outer = _inside(asked, span) and (span[1] - span[0]).days > 360
        return asked if inner or outer else span

    def _reported(self, span: Span, about: str, metric: str | None) -> bool:
        named = (period.property == about and (period.start, period.end) for period in self.case.periods)
        if any(other and dates.same_period(other, span) for other in named):
            return True
        if any(dates.same_period(other, span) for other, _ in self._rows.get(about, ())):
            return True
        return metric is not None and bool(self.tilings(metric, about, span))

    def at(self, slot: Slot) -> list[Figure]:
        """The figures of a slot: one, none, or every one of a property and period for a slot without metric.

        Where two periods have the same dates, the one labelled as the slot is speaks alone.
        """
        if slot not in self._found:
            fields = None if slot.metric is None else self.fields(slot.metric)
            rows = [
                (label, figures)
                for (span, label), figures in self._rows.get(slot.property, {}).items()
                if slot.span is None or dates.same_period(span, slot.span)
            ]
            labelled = [row for row in rows if row[0] == slot.label]
            self._found[slot] = [
                figure
                for _, figures in labelled or rows
                for figure in figures
                if fields is None or figure.field in fields
            ]
        return self._found[slot]

    def fields(self, metric: str) -> frozenset[str]:
        """The fields that are one metric: its column and the statement's accounts that go by its names."""
        if metric not in self._groups:
            self._read_names()
            built_in = {other for name in self._called.get(metric, ()) for other in _BUILT_IN.get(name, ())}
            called = {name for other in {metric, *built_in} for name in ALIASES.get(other, ())}
            alike = {field for name in called for field in self._fields_called.get(name, ())}
            self._groups[metric] = frozenset({metric, *built_in, *alike})
        return self._groups[metric]

    def _read_names(self) -> None:
        """What each field is called, in small letters, and the fields that go by each name."""
        for field, figures in self._of_field.items() if not self._called else ():
            self._called[field] = {folded(name) for name in {figure.name for figure in figures}}
            for name in self._called[field]:
                self._fields_called.setdefault(name, set()).add(field)

    def of_metric(self, metric: str) -> Sequence[Figure]:
        """Every figure of a metric or account, whatever its property and period."""
        if metric not in self._of_metric:
            fields = sorted(self.fields(metric))
            self._of_metric[metric] = [figure for name in fields for figure in self._of_field.get(name, ())]
        return self._of_metric[metric]

    def named(self, text: str) -> list[tuple[int, str]]:
        """The properties that a lower-case text names, each with its first place there."""
        found: dict[str, int] = {}
        for mark in self._names.find(self._words(text)):
            if mark.value is not None:
                found.setdefault(mark.value, mark.start)
        return [(start, code) for code, start in found.items()]

    def mentions(self, text: str) -> list[tuple[int, int, str]]:
        """The metrics that a lower-case text names, with their places."""
        marks = self._phrases.find(self._words(text))
        return [(mark.start, mark.end, mark.value) for mark in marks if mark.value != metrics.NOTHING]

    def _words(self, text: str) -> Words:
        if self._cut[0] != text:
            self._cut = text, Words(text)
        return self._cut[1]

    def spans(self, about: str) -> list[Span]:
        """The periods that figures of a property are known for."""
        return list(dict.fromkeys(span for span, _ in self._rows.get(about, ())))

    def near(self, number: NumericClaim, value: Decimal) -> Iterator[Figure]:
        """Figures of the number's kind by how near they come to ``value``, a bounded number of them."""
        values, figures = self._ladder(number)
        above = bisect_left(values, value)
        below = above - 1
        for _ in range(min(_LOOKED_AT, len(values))):
            up = above < len(values) and (below < 0 or values[above] - value <= value - values[below])
            yield figures[above if up else below]
            above, below = (above + 1, below) if up else (above, below - 1)

    def equal(self, number: NumericClaim, value: Decimal) -> list[Figure]:
        """Figures of the number's kind that are ``value`` inside the number's own rounding, a bounded number."""
        values, figures = self._ladder(number)
        low = bisect_left(values, value - number.precision)
        return figures[low : min(bisect_right(values, value + number.precision), low + _LOOKED_AT)]

    def _ladder(self, number: NumericClaim) -> tuple[list[Decimal], list[Figure]]:
        kind = "currency" if number.kind == "number" else number.kind
        if kind not in self._ladders:
            figures = sorted((f for f in self._figures if f.kind == kind), key=lambda f: f.value)
            self._ladders[kind] = [figure.value for figure in figures], figures
        return self._ladders[kind]

    def tilings(self, metric: str, about: str, span: Span) -> list[list[Figure]]:
        """The figures of shorter periods that fill ``span`` without gap or overlap, by length of period:
        four quarters of a year, three months of a quarter; the longest periods first."""
        key = metric, about, span
        if key not in self._tiled:
            lengths: dict[int, dict[date, Figure]] = defaultdict(dict)
            for figure in self.of_metric(metric):
                if figure.property == about and _inside((figure.start, figure.end), span, _SLACK):
                    months = round((figure.end - figure.start).days / 30.4)
                    lengths[months].setdefault(figure.start, figure)
            chains = [sorted(lengths[months].items()) for months in sorted(lengths, reverse=True)]
            self._tiled[key] = [
                [figure for _, figure in chain]
                for chain in chains
                if _fills([(figure.start, figure.end) for _, figure in chain], span)
            ]
        return self._tiled[key]

    def filled(self, span: Span, about: str) -> list[Span]:
        """``span`` itself where known shorter periods of the property fill it, else nothing."""
        lengths: dict[int, list[Span]] = defaultdict(list)
        known = {(period.start, period.end) for period in self.case.periods if period.property == about}
        for other in sorted(known | set(self.spans(about))):
            if _inside(other, span, _SLACK):
                lengths[round((other[1] - other[0]).days / 30.4)].append(other)
        return [span] if any(_fills(chain, span) for chain in lengths.values()) else []

    def before(self, span: Span, about: str) -> Span | None:
        """The known period of the same length that ends where ``span`` begins."""
        days = (span[1] - span[0]).days
        for other in self.spans(about):
            ends = timedelta(0) < span[0] - other[1] <= _SLACK
            if ends and abs((other[1] - other[0]).days - days) <= 7:
                return other
        return None


def _rows(figures: Sequence[Figure]) -> dict[str, dict[tuple[Span, str], list[Figure]]]:
    """The figures of each period of each property; those of one period mostly come together."""
    found: dict[str, dict[tuple[Span, str], list[Figure]]] = {}
    last, row = None, []
    for figure in figures:
        place = figure.property, figure.period, figure.start, figure.end
        if place != last:
            periods = found.setdefault(figure.property, {})
            row = periods.setdefault(((figure.start, figure.end), figure.period), [])
            last = place
        row.append(figure)
    return found


def year_before(span: Span, years: int = 1) -> Span:
    """The same period one year earlier."""
    first, last = (_moved(day, -years) for day in span)
    ends_month = span[1].day == monthrange(span[1].year, span[1].month)[1]
    if ends_month and last.month == 2:
        last = date(last.year, 3, 1) - timedelta(days=1)
    return first, last


def _moved(day: date, years: int) -> date:
    year = max(day.year + years, 1)
    return day.replace(year=year, day=28) if (day.month, day.day) == (2, 29) else day.replace(year=year)


def _inside(inner: Span, outer: Span, slack: timedelta = timedelta(0)) -> bool:
    return outer[0] - inner[0] <= slack and inner[1] - outer[1] <= slack


def _fills(tiles: Sequence[Span], span: Span) -> bool:
    if not 2 <= len(tiles) <= _TILES:
        return False
    if abs(tiles[0][0] - span[0]) > _SLACK or abs(tiles[-1][1] - span[1]) > _SLACK:
        return False
    return all(timedelta(0) < later[0] - earlier[1] <= _SLACK for earlier, later in pairwise(tiles))
