"""Figures of record as passages of text, for whoever reads words: verifiers, the judge, the overlap of words."""

import re
from collections.abc import Iterable, Iterator

from detection.core.types import RECORD, Case, Figure, Source

_MOST = 24
"""Periods of properties that become passages: each is read by a verifier with every statement."""
_YEAR = re.compile(r"(?<!\d)(?:19|20|21)\d\d(?!\d)")


def passages(case: Case) -> tuple[Source, ...]:
    """A passage for each period of each property that the answer is about or names, a line a figure, at most 24: those of
    the years that answer, question or the answer's period name and of the year before each; of all years where none is named.
    """
    named = {one.property for one in case.properties}
    years = _years(case)
    rows: dict[tuple[str, str], list[Figure]] = {}
    for figure in case.figures if case.database == "ok" else ():
        if figure.property in named and (not years or years & {figure.start.year, figure.end.year}):
            rows.setdefault((figure.property, figure.period), []).append(figure)
    names = {one.property: one.name for one in case.properties if one.name != one.property}
    return tuple(
        _passage(names.get(code, code), code, period, figures)
        for (code, period), figures in list(rows.items())[:_MOST]
    )


def texts(case: Case) -> tuple[Source, ...]:
    """All that a statement may rest on: the sources as they came, then the figures of record as passages."""
    return (*case.sources, *passages(case))


def is_empty(known: Iterable[Source]) -> bool:
    """Whether of all that a statement may rest on nothing says anything: there is nothing to compare it with."""
    return not any(source.text.strip() for source in known)


def _years(case: Case) -> set[int]:
    said = {int(year) for year in _YEAR.findall(f"{case.question}\n{case.answer}")}
    asked = {case.period.start.year, case.period.end.year} if case.period else set()
    return {year - back for year in said | asked for back in (0, 1)}


def _passage(name: str, code: str, period: str, figures: Iterable[Figure]) -> Source:
    """Each line names the property and the period again: whoever reads sentences by themselves must find them there."""
    called = name if name == code else f"{name} ({code})"
    return Source(_ref(code, period), "\n".join(_lines(called, period, figures)), title=f"{called}, {period}")


def _lines(called: str, period: str, figures: Iterable[Figure]) -> Iterator[str]:
    for figure in figures:
        yield f"{called}, {period}: {figure.name} {amount(figure)}"


def amount(figure: Figure) -> str:
    """The value of a figure with its unit: ``1,399,850 USD``."""
    return f"{figure.value:,}{figure.unit if figure.unit in ('%', 'x') else f' {figure.unit}'}"


def passage_of(figure: Figure) -> str:
    """The id of the passage that a figure is told in."""
    return _ref(figure.property, figure.period)


def _ref(code: str, period: str) -> str:
    return f"{RECORD}{code}, {period}"
