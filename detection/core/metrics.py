"""Which figure a number speaks of: the metric that the words around it name (contracts: bound claims).

A number belongs to the nearest phrase of its sentence that names a metric of its kind. A percentage belongs to
an amount only as its change. What was demanded or planned is not the figure itself: "the covenant of 1.20x" is
no DSCR. A number without such a phrase is bound to nothing.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import inf

import regex

from detection.core.belonging import in_order
from detection.core.binding_words import NORMS
from detection.core.landmarks import Landmarks
from detection.core.metric_words import ALIASES, COLUMNS, KINDS
from detection.core.names import Mark, Names, Words
from detection.core.types import Alias, Case, Kind, NumericClaim

NOTHING = ""  # what a phrase means that takes a number without naming a metric
_FARTHEST = 240  # a phrase beyond this, breaks of clauses counted in, does not name the number
_BREAK = 60
_BEHIND = 40
_MOST_PHRASES = 6  # that are looked at behind a number
_TAIL = 24  # characters behind a number that may still say it is a change
_OF_LENGTH = 40  # more than _OF matches
_OF = regex.compile(
    r"\s?(?:(?:increase|decrease|rise|growth|drop|decline|gain|improvement|reduction|jump)\s)?(?:in|of|for|as|on)?\s?(?:the\s|its\s|a\s)?(?:total\s|annual\s|quarterly\s)?"
    r"|\s?(?:עבור\s|של\s|ב|על\s)?-?(?:ה-?)?|[）)]?的?"
)
_SHARE = regex.compile(
    r"(?:%|\bpercent|\bper cent)\sof\s(?:the\s|its\s|total\s|gross\s|all\s|portfolio\s)*$|占\w{0,4}$"
)
_NAMED_OF = regex.compile(r"\bof\s$|\sשל\s$")
_PART = regex.compile(r"\W*(?:(?:of|מתוכ[םןו]|מתוך|מזה)\b|其中)")
_AND = (" and ", ", ", ", and ")
_GAPS = frozenset(("", " ", "-", " a ", " an ", " the "))
_ROW = regex.compile(
    r"\S{1,24}(?:\s(?:million|billion|thousand|percent))?,?\s?(?:or|and|או|ו-?|或|即|和)?\s?[(（]?"
)
_LONGEST_OPENING = 160
_MOST_IN_ROW = 4
_MOST_CARRIED = 8
_MEASURED_BY = regex.compile(
    r"\s(?:per|proceeds|claims?|compan(?:y|ies)|polic(?:y|ies)|providers?|officers?|team|staff|covers?)\b"
)

Metrics = Names[str]


def phrases_of(aliases: Iterable[Alias] = ()) -> Metrics:
    """The phrases that name metrics, the built-in ones and those of ``aliases``, ready for :func:`bind`.

    An alias without a language is the name of an account. Where that name is one of the built-in phrases of a
    figure without a column of its own, all phrases of this figure name the account: "real estate taxes" and
    "property taxes" are one line.
    """
    return _names(tuple(sorted((alias.text, alias.metric, not alias.language) for alias in aliases)))


@lru_cache(maxsize=64)
def _names(aliases: tuple[tuple[str, str, bool], ...]) -> Metrics:
    phrases = dict.fromkeys(NORMS, NOTHING)
    phrases.update((phrase, metric) for metric, names in ALIASES.items() for phrase in names)
    phrases.update(_accounts(phrases, aliases))
    phrases.update((text, metric) for text, metric, _ in aliases)
    return Names(phrases)


def _accounts(phrases: dict[str, str], aliases: Sequence[tuple[str, str, bool]]) -> dict[str, str]:
    """The built-in phrases that name one of the accounts, and no other."""
    codes: dict[str, set[str]] = {}
    for text, code, is_account in aliases:
        known = phrases.get(" ".join(text.lower().replace("&", "and").split()), NOTHING)
        if is_account and known and known not in COLUMNS:
            codes.setdefault(known, set()).add(code)
    return {
        phrase: code for metric, (code, *others) in codes.items() if not others for phrase in ALIASES[metric]
    }


def named(text: Words, names: Metrics) -> list[Mark[str]]:
    """The metrics a text names, in order. Beside a norm a metric is one itself ("budgeted NOI", "NOI target"), and
    so it is where it is counted by the piece or is part of another name. What a share is of ("3% of revenue") is
    not named by the share."""
    found: list[Mark[str]] = []
    for mark in names.find(text):
        if KINDS.get(mark.value) == "currency" and _share_of(text.folded, mark):
            continue
        if found and found[-1].value == "average_rent" and text.folded.startswith("per ", mark.start):
            continue  # a rent is one per unit
        if mark.value and mark.value != "average_rent" and _MEASURED_BY.match(text.folded, mark.end):
            mark = Mark(mark.start, mark.end, NOTHING)
        if found and (found[-1].value and mark.value) == NOTHING and _together(text.folded, found[-1], mark):
            if mark.value == NOTHING and text.folded[mark.end - 1] == "s":
                _all_norms(text.folded, found)
            mark = Mark(found.pop().start, mark.end, NOTHING)
        found.append(mark)
    return found


def _share_of(folded: str, mark: Mark[str]) -> bool:
    before = folded[max(0, mark.start - _OF_LENGTH) : mark.start]
    return _SHARE.search(before) is not None or (folded[mark.start] == "מ" and before.endswith("% "))


def _together(folded: str, first: Mark[str], second: Mark[str]) -> bool:
    return folded[first.end : second.start] in _GAPS


def _all_norms(folded: str, found: list[Mark[str]]) -> None:
    """ "The LTV and DSCR covenants" are covenants both."""
    place = len(found) - 1
    while place and found[place - 1].value and folded[found[place - 1].end : found[place].start] in _AND:
        place -= 1
        found[place] = Mark(found[place].start, found[place].end, NOTHING)


def kinds_of(case: Case) -> Mapping[str, Kind]:
    """The kind of each metric: of the built-in ones, and of the accounts and columns that the case has figures of."""
    if not case.aliases:
        return KINDS
    return {figure.field: figure.kind for figure in case.figures} | KINDS


def fits(metric: str, kind: Kind | None, number: NumericClaim, change: bool) -> bool:
    """Whether ``number`` can state ``metric`` of this kind (None: of any), or, where ``change`` says so, its change."""
    if number.kind == "date":
        return False
    if kind is None or kind == number.kind:
        return True
    if number.kind == "percentage":
        return kind == "currency" and change
    if number.kind == "ratio":
        return metric in ("ltv", "expense_ratio")
    return number.kind == "number" and number.noun is None and number.precision < 1


class MetricBinder:
    """The metrics of one sentence with its numbers, so that each number is bound by looking at its neighbours alone."""

    def __init__(
        self, marks: Landmarks, start: int, named: Sequence[Mark[str]], kinds: Mapping[str, Kind]
    ) -> None:
        self._marks, self._start, self._named, self._kinds = marks, start, named, kinds
        self._fitting: dict[tuple[object, ...], tuple[list[Mark[str]], list[int], list[int]]] = {}

    def values(self, numbers: Sequence[NumericClaim], around: frozenset[str]) -> list[str | None]:
        """The metric of each number of the sentence; None for none. ``around`` are those of the sentence before, with
        which one that names no subject goes on: "It rose to …"."""
        rows = [(mark.start, mark.end, mark.value) for mark in self._named]
        ordered = in_order(self._marks.text.folded, numbers, rows)
        found = [self._in_row(ordered.get(place), number) for place, number in enumerate(numbers)]
        goes_on = 0 < len(around) <= _MOST_CARRIED and None in found and self._goes_on(numbers[0])
        return [
            self._carried(around, number) if goes_on and metric is None else metric or None
            for metric, number in zip(found, numbers, strict=True)
        ]

    def _in_row(self, metric: str | None, number: NumericClaim) -> str | None:
        if metric is not None and fits(metric, self._kinds.get(metric), number, self._changes(number)):
            return metric
        return self.nearest(number)

    def _goes_on(self, first: NumericClaim) -> bool:
        start, marks = self._start, self._marks
        if first.start - start > _LONGEST_OPENING or _PART.match(marks.text.folded, start):
            return False
        return marks.bare(start, first.start) and not marks.said("spend", first.end, first.end + _TAIL)

    def _carried(self, around: frozenset[str], number: NumericClaim) -> str | None:
        fitting = [
            metric
            for metric in around
            if fits(metric, self._kinds.get(metric), number, self._changes(number))
        ]
        return fitting[0] if len(fitting) == 1 and number.noun is None else None

    def nearest(self, number: NumericClaim) -> str | None:
        """The metric of the phrase nearest to ``number``; None for none, :data:`NOTHING` for one that names no metric."""
        named, firsts, lasts = self._those_fitting(number)
        if not named:
            return None
        nearest, best = _FARTHEST + 1.0, None
        before = bisect_right(lasts, number.start) - 1
        if before >= 0 and self._marks.text.folded.startswith("per ", firsts[before]):
            before -= 1  # "per month" is said of the number before it
        if before >= 0 and (apart := self._ahead(lasts[before], number.start)) < nearest:
            nearest, best = apart, named[before].value
        place = bisect_left(firsts, number.end)
        for mark in named[place : place + _MOST_PHRASES]:
            if (apart := self._behind(number, mark, nearest)) < nearest:
                nearest, best = apart, mark.value
        return best

    def _those_fitting(self, number: NumericClaim) -> tuple[list[Mark[str]], list[int], list[int]]:
        """The phrases that may name what ``number`` is, with their first and last positions."""
        change = self._changes(number)
        key = (number.kind, change, number.noun is None, number.precision < 1)
        if key not in self._fitting:
            fitting = [
                mark for mark in self._named if fits(mark.value, self._kinds.get(mark.value), number, change)
            ]
            self._fitting[key] = fitting, [mark.start for mark in fitting], [mark.end for mark in fitting]
        return self._fitting[key]

    def _changes(self, number: NumericClaim) -> bool:
        """Whether the words between the number before and this one, or right behind it, speak of a change; numbers in
        a row ("$12,000, or 3.5 %") share these words."""
        marks = self._marks
        place = low = bisect_left(marks.numbers, number.start)
        high = number.start
        for place in range(low - 1, max(low - _MOST_IN_ROW, 0) - 1, -1):
            low = marks.numbers[place]
            if not _ROW.fullmatch(marks.text.folded, low, high):
                break
            high = low
        else:
            low = self._start
        low = max(low, self._start, number.start - _FARTHEST)
        change = number.direction is not None or number.text[0] in "+＋"
        change = change or marks.said("change", low, number.end + _TAIL)
        return change or marks.said("than", number.end, number.end + _TAIL)

    def _ahead(self, low: int, high: int) -> float:
        """How far a phrase that ends at ``low`` is from a number behind it."""
        marks = self._marks
        last = bisect_left(marks.numbers, high) - 1
        if last >= 0 and marks.numbers[last] >= low:  # the phrase has a number of its own
            since = marks.numbers[last]
            named = _NAMED_OF.search(marks.text.folded, max(since, high - _OF_LENGTH), high)
            if marks.said("spend", since, high) or (named and not marks.bare(since, high)):
                return inf
        return self._apart(low, high)

    def _behind(self, number: NumericClaim, mark: Mark[str], nearest: float) -> float:
        """How far a phrase is from a number before it: less likely its name, unless joined to it. Infinite where it
        cannot be nearer than ``nearest`` or names something else."""
        folded, low, high = self._marks.text.folded, number.end, mark.start
        enclosed = folded[low - 1] in ")）" or folded[low : low + 1] in (")", "）")
        joins = folded[high] == "ו"  # "and", a prefix in Hebrew
        if not enclosed and not joins and high - low <= _OF_LENGTH and _OF.fullmatch(folded, low, high):
            return 0
        if high - low > _FARTHEST:
            return inf
        last = bisect_left(self._marks.numbers, high) - 1
        if last >= 0 and self._marks.numbers[last] > low:
            if self._leads(mark):
                return inf
            low = self._marks.numbers[last]  # numbers in a row have one name behind them
        apart = self._apart(low, high) + _BEHIND
        clause = self._marks.clause(self._start, number.start)
        if apart >= nearest or not self._marks.bare(clause, number.start):
            return inf  # a number with a subject of its own has no name behind it
        return apart

    def _leads(self, mark: Mark[str]) -> bool:
        """Whether the phrase has a number of its own behind it."""
        numbers = self._marks.numbers
        place = bisect_left(numbers, mark.end)
        return place < len(numbers) and numbers[place] - mark.end <= _FARTHEST

    def _apart(self, low: int, high: int) -> float:
        """Characters from ``low`` to ``high``, a break of clauses counting for many."""
        breaks = self._marks.breaks
        return float(high - low + _BREAK * (bisect_left(breaks, high) - bisect_left(breaks, low)))
