"""Which figure a number speaks of: the metric that the words around it name (contracts: bound claims).

A number belongs to the nearest phrase of its sentence that names a metric of its kind. A percentage belongs to
an amount only as its change. What was demanded or planned is not the figure itself: "the covenant of 1.20x" is
no DSCR. A number without such a phrase is bound to nothing.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import inf

import regex

from detection.core.belonging import in_order as ordered
from detection.core.binding_words import NORMS
from detection.core.landmarks import Landmarks
from detection.core.metric_words import ALIASES, COLUMNS, KINDS
from detection.core.names import Mark, Names
from detection.core.period_binding import bind_periods as bind_periods
from detection.core.types import Alias, Kind, NumericClaim

NOTHING = ""  # what a phrase means that takes a number without naming a metric
_FARTHEST = 240  # a phrase beyond this, breaks of clauses counted in, does not name the number
_BREAK = 60
_BEHIND = 40
_TAKEN = 440
_MOST_PHRASES = 6  # that are looked at behind a number
_TAIL = 24  # characters behind a number that may still say it is a change
_OF_LENGTH = 40  # more than _OF matches
_OF = regex.compile(
    r"\s?(?:(?:increase|decrease|rise|growth|drop|decline|gain|improvement|reduction|jump)\s)?(?:in|of|for|as|on)?\s?(?:the\s|its\s|a\s)?(?:total\s|annual\s|quarterly\s)?"
    r"|\s?(?:עבור\s|של\s|ב|על\s)?-?(?:ה-?)?|[）)]?的?"
)
_OR = regex.compile(r"[^,;]{1,24},?\s?(?:or|\(|או)\s?\(?|[^，；]{1,24}[，（(]?(?:即|或)?")
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


def named(marks: Landmarks, names: Metrics) -> list[Mark[str]]:
    """The metrics a text names, in order. Beside a norm a metric is one itself ("budgeted NOI", "NOI target"), and
    so it is where it is counted by the piece or is part of another name."""
    found: list[Mark[str]] = []
    for mark in names.find(marks.text):
        if mark.value and _MEASURED_BY.match(marks.text.folded, mark.end) and mark.value != "average_rent":
            mark = Mark(mark.start, mark.end, NOTHING)
        if found and mark.start - found[-1].end <= 1 and (found[-1].value and mark.value) == NOTHING:
            mark = Mark(found.pop().start, mark.end, NOTHING)
        found.append(mark)
    return found


def fits(metric: str, number: NumericClaim, change: bool) -> bool:
    """Whether ``number`` can state ``metric``, or, where ``change`` says so, its change."""
    kind: Kind | None = KINDS.get(metric)
    if number.kind == "date":
        return False
    if kind is None or kind == number.kind:
        return True
    if number.kind == "percentage":
        return kind == "currency" and (number.direction is not None or change)
    if number.kind == "ratio":
        return metric in ("ltv", "expense_ratio")
    return kind == "currency" and number.kind == "number" and number.noun is None and number.precision < 1


def in_order(text: str, numbers: Sequence[NumericClaim], named: Sequence[Mark[str]]) -> dict[int, str]:
    """The metrics of numbers that stand in a row like their names do, by place of the number; only such as fit."""
    rows = [(mark.start, mark.end, mark.value) for mark in named]
    found = ordered(text, numbers, rows)
    return {
        place: metric
        for place, metric in found.items()
        if metric and fits(metric, numbers[place], change=False)
    }


class MetricBinder:
    """The metrics of one sentence with its numbers, so that each number is bound by looking at its neighbours alone."""

    def __init__(self, marks: Landmarks, named: Sequence[Mark[str]]) -> None:
        self._marks, self._named = marks, named
        self._fitting: dict[tuple[object, ...], tuple[list[Mark[str]], list[int], list[int]]] = {}

    def nearest(self, number: NumericClaim) -> str | None:
        """The metric of the phrase nearest to ``number``; None for none, :data:`NOTHING` for one that names no metric."""
        named, firsts, lasts = self._those_fitting(number)
        choices: list[tuple[float, str]] = []
        before = bisect_right(lasts, number.start) - 1
        if before >= 0 and number.start - firsts[before] <= _FARTHEST:
            choices.append((self._ahead(lasts[before], number.start), named[before].value))
        place = bisect_left(firsts, number.end)
        for mark in named[place : place + _MOST_PHRASES]:
            if mark.start > number.end + _FARTHEST:
                break
            choices.append((self._behind(number.end, mark.start), mark.value))
        best = min(choices, key=lambda choice: choice[0], default=(inf, ""))
        return best[1] if best[0] <= _FARTHEST else None

    def _those_fitting(self, number: NumericClaim) -> tuple[list[Mark[str]], list[int], list[int]]:
        """The phrases that may name what ``number`` is, with their first and last positions."""
        change = number.direction is not None or self._changes(number)
        key = (number.kind, change, number.noun is None, number.precision < 1)
        if key not in self._fitting:
            fitting = [mark for mark in self._named if fits(mark.value, number, change)]
            self._fitting[key] = fitting, [mark.start for mark in fitting], [mark.end for mark in fitting]
        return self._fitting[key]

    def _changes(self, number: NumericClaim) -> bool:
        """Whether the words between the number before and this one, or right behind it, speak of a change."""
        marks = self._marks
        place = bisect_left(marks.numbers, number.start)
        low = marks.numbers[place - 1] if place else 0
        if place > 1 and _OR.match(marks.text.folded, low, number.start):
            low = marks.numbers[place - 2]
        return marks.said("change", max(low, number.start - _FARTHEST), number.end + _TAIL)

    def _ahead(self, low: int, high: int) -> float:
        """How far a phrase that ends at ``low`` is from a number behind it."""
        numbers = self._marks.numbers
        place = bisect_left(numbers, high)
        if place and numbers[place - 1] >= low and self._marks.said("spend", numbers[place - 1], high):
            return inf
        return self._apart(low, high)

    def _behind(self, low: int, high: int) -> float:
        """How far a phrase that begins at ``high`` is from a number before it: less likely its name, unless
        joined to it."""
        folded = self._marks.text.folded
        enclosed = folded[low - 1] in ")）" or folded[low : low + 1] in (")", "）")
        joins = folded[high] == "ו"  # "and", a prefix in Hebrew
        if not enclosed and not joins and high - low <= _OF_LENGTH and _OF.fullmatch(folded, low, high):
            return 0
        return self._apart(low, high) + (_TAKEN if self._marks.numbered(low, high) else _BEHIND)

    def _apart(self, low: int, high: int) -> float:
        """Characters from ``low`` to ``high``, a break of clauses counting for many."""
        breaks = self._marks.breaks
        return float(high - low + _BREAK * (bisect_left(breaks, high) - bisect_left(breaks, low)))
