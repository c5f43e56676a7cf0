"""Figures of record as facts: a frame by construction, all its slots named (NUM-05)."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from functools import cache

from detection.core import lexicons, periods
from detection.core.evidence.facts import Fact, Grid
from detection.core.evidence.frames import Recent
from detection.core.evidence.labels import NAMED, Axis, Label, label, together
from detection.core.periods import Calendar
from detection.core.quantities.features import meaning
from detection.core.types import Case, Figure

METRIC, ENTITY = 0, 1
"""The axes of the grid of records."""
_NAMED_IN = "en"  # the language of the names of figures
_MOST_DIGITS = 100  # a longer figure is none that anybody entered


_MOST = 40_000  # figures in grids that a process remembers
_remembered = Recent(_MOST, lambda kept: len(kept[0]))


def read(case: Case, calendar: Calendar) -> Grid | None:
    """The grid of the case's figures: metric by property, each fact with its period; None without any.

    One answer after another is compared with the same figures: their grid is remembered, and found again by which figures
    they are, not by what they say.
    """
    named = case.aliases, case.properties, case.property, case.fiscal_year_end
    key = tuple(map(id, case.figures)), named, calendar, tuple(calendar.labels.items())
    kept = _remembered.get(key)
    if kept is None:
        kept = case.figures, _read(case, calendar)  # with the figures, so that no others get their ids
        _remembered.put(key, kept)
    grid: Grid | None = kept[1]
    return grid


def _read(case: Case, calendar: Calendar) -> Grid | None:
    figures = [f for f in case.figures if f.value.is_finite() and abs(f.value.adjusted()) < _MOST_DIGITS]
    if not figures:
        return None
    fields = {field: place for place, field in enumerate(dict.fromkeys(f.field for f in figures))}
    codes = {code: place for place, code in enumerate(dict.fromkeys(f.property for f in figures))}
    axes = (
        Axis("metric", _metrics(case, figures, fields)),
        Axis("property", _properties(case, codes), NAMED[1]),
    )
    facts = (
        Fact(
            f.kind, f.value, f.value * 0, f.unit, (fields[f.field], codes[f.property]), (f.start, f.end),
            text=f.name, figure=f,
        )
        for f in figures
    )  # fmt: skip
    named: dict[str, dict[tuple[str, date, date], None]] = defaultdict(dict)
    for f in figures:
        named[f.property][f.period, f.start, f.end] = None
    calendars = {
        codes[code]: periods.learnt(list(seen), case.fiscal_year_end if code == case.property else None)
        for code, seen in named.items()
    }
    return Grid("records", axes, facts, calendar, calendars)


def _metrics(case: Case, figures: Iterable[Figure], fields: Iterable[str]) -> list[Label]:
    called: dict[str, list[Label]] = defaultdict(list)
    for name, field in dict.fromkeys((f.name, f.field) for f in figures):
        called[field].append(label(name))
    for alias in case.aliases:
        called[alias.metric].append(label(alias.text))
    known = lexicons.concepts()
    return [
        together(called[field][0].text, [_own(field), *called[field]] if field in known else called[field])
        for field in fields
    ]


@cache
def _own(field: str) -> Label:
    """The metric itself, and what the languages call it in which the database does not name it: the words of another
    figure that is named in part would else tell more than it."""
    others = (language for language in lexicons.LANGUAGES if language != _NAMED_IN)
    names = (lexicons.named("metrics", field, language) for language in others)
    return together(
        field, (Label(field, (frozenset((meaning(field),)),)), *(label(name) for name in names if name))
    )


def _properties(case: Case, codes: Iterable[str]) -> list[Label]:
    called = {code: [_code(code)] for code in codes}
    names = {code: code for code in called}
    for one in case.properties:
        if one.property in called:
            called[one.property].append(label(one.name))
            names[one.property] = one.name
    return [together(names[code], parts) for code, parts in called.items()]


def _code(code: str) -> Label:
    """The label of a property's code, named by its letters with their number, never by the letters alone: "LAT-33" has
    nothing to do with late fees."""
    own = label(code)
    numbered = [frozenset(word for word in form if " " in word) for form in own.forms]
    return Label(code, tuple(form for form in dict.fromkeys(numbered) if form) or own.forms)
