"""How a property or a company names its periods: where its fiscal year ends and what its stored periods are called."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from detection.core.periods.spans import Span, ago, month_end, months_of, shifted, stretch

_YEAR = 12
_SLACK = 7  # days of the next month in which a year of 52 weeks may still end
_LONGEST = 80
_FISCAL_YEAR = re.compile(
    r"(?P<f>fy|fiscal year|fiscal|f|财年|財年|שנת כספים)?[\s'-]*(?P<y>(?:19|20)?\d\d)(?:\s?财年|\s?財年|\s?年度?)?"
)
_QUARTER = re.compile(
    r"(?P<f>f|fiscal )?(?:q(?P<q>[1-4])|(?P<n>[1-4])q)[\s'/-]*(?P<g>fy)?[\s'-]*(?P<y>(?:19|20)?\d\d)"
    r"|(?P<g2>fy|f)?[\s'-]*(?P<y2>(?:19|20)?\d\d)[\s/-]*(?P<f2>f)?q(?P<q2>[1-4])"
)


@dataclass(frozen=True, slots=True)
class Calendar:
    """How periods are named: the month in which the fiscal year ends (12 for the calendar year, None unknown), the
    labels of stored periods, folded, and by how many years the fiscal year's end lies behind the year that names it
    (1 where FY2023 ends in January 2024)."""

    year_end: int | None = None
    labels: Mapping[str, Span] = field(default_factory=dict, hash=False)
    ends_after: int = 0

    @property
    def fiscal(self) -> bool:
        """Whether the fiscal year is known and another than the calendar year."""
        return self.year_end is not None and (self.year_end != _YEAR or self.ends_after != 0)

    def fiscal_year(self, year: int) -> Span:
        """The fiscal year that is called ``year``: the one of that label where there is one."""
        stored = self.labels.get(f"fy{year}")
        if stored is not None:
            return stored
        end = self.year_end or _YEAR
        return stretch(year + self.ends_after, end - _YEAR + 1, _YEAR)

    def fiscal_quarter(self, year: int, number: int) -> Span:
        """A quarter of the fiscal year that is called ``year``."""
        stored = self.labels.get(f"fq{number} {year}")
        return stored if stored is not None else self.fiscal_part(year, 3, number)

    def fiscal_part(self, year: int, months: int, number: int) -> Span:
        """The ``number``-th span of ``months`` of the fiscal year that is called ``year``."""
        end = self.year_end or _YEAR
        return stretch(year + self.ends_after, end - _YEAR + 1 + (number - 1) * months, months)

    def year_of(self, day: date) -> int:
        """What the fiscal year in which the day lies is called."""
        end = self.year_end or _YEAR
        return (day.year if day.month <= end else day.year + 1) - self.ends_after


CALENDAR_YEAR = Calendar(_YEAR)


def folded_label(text: str) -> str:
    """A stored label in one form: ``FQ1-2024`` and ``fq1 2024`` are the same."""
    plain = " ".join(re.sub(r"[\s_/-]+", " ", text[:_LONGEST].casefold()).split())
    year = _FISCAL_YEAR.fullmatch(plain)
    if year is not None:
        return f"{'fy' if year['f'] else ''}{_full(year['y'])}"
    quarter = _QUARTER.fullmatch(plain)
    if quarter is None:
        return plain
    found = quarter.groupdict()
    fiscal = any(found[key] for key in ("f", "g", "g2", "f2"))
    return f"{'f' if fiscal else ''}q{found['q'] or found['n'] or found['q2']} {_full(found['y'] or found['y2'])}"


def _full(year: str) -> int:
    return int(year) if len(year) == 4 else 2000 + int(year)


def learnt(periods: Iterable[tuple[str, date, date]], stated: int | None = None) -> Calendar:
    """The calendar that stored periods follow, from their labels and dates; a ``stated`` month of the year's end goes
    before what they say."""
    labels: dict[str, Span] = {}
    votes: Counter[tuple[bool, int, int]] = Counter()
    for text, start, end in periods:
        named = folded_label(text)
        labels.setdefault(named, (start, end))
        vote = _vote(named, (start, end))
        if vote is not None:
            votes[vote] += 1
    fiscal = Counter({vote: count for vote, count in votes.items() if vote[0]}) or votes
    if stated is not None:
        fiscal = Counter({vote: count for vote, count in fiscal.items() if vote[1] == stated})
        offset = fiscal.most_common(1)[0][0][2] if fiscal else 0
        return Calendar(stated, labels, offset)
    if not fiscal:
        return Calendar(None, labels)
    (_, month, offset), _ = min(fiscal.items(), key=lambda item: (-item[1], item[0][1:]))
    return Calendar(month, labels, offset)


def _vote(named: str, span: Span) -> tuple[bool, int, int] | None:
    """Where the fiscal year ends by one stored period: whether it is called fiscal, the month, the years behind."""
    match = re.fullmatch(r"(fy|f)?(?:q([1-4]) )?(\d{4})", named)
    if match is None or months_of(span) != (3 if match[2] else _YEAR):
        return None
    end = ago(span[1], _SLACK) if span[1].day <= _SLACK else span[1]
    last = shifted((end, month_end(end.year, end.month)), 3 * (4 - int(match[2] or 4)))[1]
    return (match[1] is not None, last.month, min(max(last.year - int(match[3]), 0), 1))
