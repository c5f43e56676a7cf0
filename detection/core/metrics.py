"""Which figure a number speaks of: the metric its words name and the period beside it (contracts: bound claims).

A number belongs to the nearest phrase of its clause that names a metric of its kind. A percentage belongs to
an amount only as its growth. A number without such a phrase is bound to nothing.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import inf

import regex

from detection.core import dates
from detection.core.metric_words import ALIASES, KINDS
from detection.core.types import Alias, Kind, NumericClaim

_LONGEST = (
    4000  # a stretch without a sentence end beyond this is no sentence; only its words near a number count
)
_NEAR = 160
_FARTHEST = 240  # a phrase beyond this, breaks of clauses counted in, does not name the number
_OF_LENGTH = 16  # more than _OF matches
_CLAUSE = regex.compile(
    r"[;；，。]|,(?!\d)|\b(?:while|whereas|although|but|versus)\b|(?<![א-ת])(?:בעוד|ואילו|אך|אבל)(?![א-ת])|而"
)
_SENTENCE = regex.compile(r"[.!?](?=\s)|[。！？\n]")
_GROWTH = regex.compile(
    r"\b(?:grew|growth|gr[oe]w|increas\w*|decreas\w*|rose|rising|fell|declin\w*|drop\w*|up|down|chang\w*|higher|lower|improv\w*|gain\w*|year[- ]over[- ]year)\b"
    r"|(?:עלה|עלתה|עלו|עלייה|ירד|ירדה|ירדו|ירידה|צמח|צמחה|צמיחה|גדל|גדלה|גידול|קיטון|שינוי)|[增减減涨漲跌升降]"
)
_TOGETHER = regex.compile(r"\brespectively\b|בהתאמה|分别|分別")
_PART = regex.compile(
    r"\s(?:margin|growth|per|ratio|coverage|yield|budget|variance|forecast|taxes?)\b|率|成长|增长率"
)
_OF = regex.compile(r"\s?(?:in|of|for|as)?\s?(?:the\s)?(?:total\s)?|\s?ב?-?|的?")


def _folded(text: str) -> str:
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c if len(c.lower()) > 1 else c.lower() for c in text)


Phrases = tuple[dict[str, str], "regex.Pattern[str]"]


def phrases_of(aliases: Iterable[Alias] = ()) -> Phrases:
    """The phrases that name metrics, the built-in ones and those of ``aliases``, ready for :func:`bind`.

    A metric that is not built in fits every kind of number but dates.
    """
    named = {(_folded(alias.text).strip(), alias.metric) for alias in aliases if alias.text.strip()}
    return _patterns(tuple(sorted(named)))


@lru_cache(maxsize=64)
def _patterns(extra: tuple[tuple[str, str], ...]) -> Phrases:
    phrases = {phrase: metric for metric, names in ALIASES.items() for phrase in names}
    phrases.update(extra)
    words = "|".join(regex.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))
    bounded = rf"(?<![a-z0-9_])(?<![א-ת]{{2}})(?:{words})(?![a-z0-9_א-ת])"
    han = "|".join(regex.escape(p) for p in sorted(phrases, key=len, reverse=True) if ord(p[0]) > 0x2E80)
    return phrases, regex.compile(rf"{bounded}|(?:{han})")


def bind(
    text: str, start: int, end: int, numbers: Sequence[NumericClaim], phrases: Phrases | None = None
) -> list[str | None]:
    """The metric each of ``numbers`` belongs to, all of them inside ``text[start:end]`` and in order; None for
    none. ``phrases`` are those of :func:`phrases_of`; without them, the built-in ones."""
    if not numbers:
        return []
    sentence = _folded(text[start:end])
    named = _named(sentence, *(phrases or phrases_of()))
    if not named:
        return [None] * len(numbers)
    whole = end - start <= _LONGEST
    if whole and (together := _respectively(sentence, named, numbers)) is not None:
        return together
    clauses = _Clauses(sentence, start, named, [number.start for number in numbers] if whole else [])
    return [clauses.nearest(number, len(sentence) if whole else _NEAR) for number in numbers]


def _named(
    sentence: str, phrases: dict[str, str], pattern: "regex.Pattern[str]"
) -> list[tuple[int, int, str]]:
    return [
        (match.start(), match.end(), phrases[match.group()])
        for match in pattern.finditer(sentence)
        if not _PART.match(sentence, match.end())
    ]


def _fits(metric: str, number: NumericClaim, growth: bool) -> bool:
    kind: Kind | None = KINDS.get(metric)
    if number.kind == "date":
        return False
    if kind is None or kind == number.kind:
        return True
    if number.kind == "percentage":
        return kind == "currency" and (number.direction is not None or growth)
    if number.kind == "ratio":
        return metric in ("ltv", "expense_ratio")
    return number.kind == "number" and kind == "currency" and number.noun is None and number.precision < 1


def _respectively(
    sentence: str, named: list[tuple[int, int, str]], numbers: Sequence[NumericClaim]
) -> list[str | None] | None:
    """``NOI and debt service were $1.2M and $0.9M, respectively``: by order."""
    counted = [number for number in numbers if number.kind != "date"]
    if len(named) != len(counted) or len(named) < 2 or not _TOGETHER.search(sentence):
        return None
    order = iter(named)
    return [None if number.kind == "date" else next(order)[2] for number in numbers]


_Named = tuple[int, int, str]


class _Clauses:
    """One sentence with its phrases, its breaks and its numbers by position, so that each number is bound by
    looking at its neighbours alone."""

    def __init__(self, sentence: str, offset: int, named: list[_Named], starts: list[int]) -> None:
        self._sentence, self._offset, self._named = sentence, offset, named
        self._breaks = [match.start() for match in _CLAUSE.finditer(sentence)]
        self._stops = [match.start() for match in _SENTENCE.finditer(sentence)]
        self._growth = [match.start() for match in _GROWTH.finditer(sentence)]
        self._numbers = sorted(start - offset for start in starts)
        self._fitting: dict[tuple[object, ...], tuple[list[_Named], list[int], list[int]]] = {}

    def nearest(self, number: NumericClaim, reach: int) -> str | None:
        """The metric of the phrase nearest to ``number``, at most ``reach`` characters away."""
        start, end = number.start - self._offset, number.end - self._offset
        growth = _between(self._growth, start - reach, end + reach)
        named, firsts, lasts = self._those_fitting(number, growth)
        choices: list[tuple[float, str]] = []
        before = bisect_right(lasts, start) - 1
        if before >= 0 and firsts[before] >= start - reach:
            choices.append((self._apart(lasts[before], start), named[before][2]))
        for place in range(bisect_left(firsts, end), len(named)):
            first, last, metric = named[place]
            if last > end + reach or (first > end + _OF_LENGTH and len(choices) > 1):
                break
            choices.append((self._apart(end, first) + self._behind(end, first), metric))
        best = min(choices, key=lambda choice: choice[0], default=(inf, ""))
        return best[1] if best[0] <= _FARTHEST else None

    def _those_fitting(self, number: NumericClaim, growth: bool) -> tuple[list[_Named], list[int], list[int]]:
        """The phrases that may name what ``number`` is, with their first and last positions."""
        key = (number.kind, growth or number.direction is not None, number.noun is None, number.precision < 1)
        if key not in self._fitting:
            named = [name for name in self._named if _fits(name[2], number, growth)]
            self._fitting[key] = named, [name[0] for name in named], [name[1] for name in named]
        return self._fitting[key]

    def _apart(self, low: int, high: int) -> float:
        """Characters from ``low`` to ``high``, a break of clauses counting for many and a sentence's end for
        too many."""
        if _between(self._stops, low, high):
            return inf
        return float(high - low + 60 * (bisect_left(self._breaks, high) - bisect_left(self._breaks, low)))

    def _behind(self, end: int, first: int) -> int:
        """What a phrase behind its number loses against one before it."""
        if _OF.fullmatch(self._sentence, end, first):
            return 0
        return 440 if _between(self._numbers, end, first) else 40


def _between(places: list[int], low: int, high: int) -> bool:
    """Whether one of the ascending ``places`` lies from ``low`` up to, not including, ``high``."""
    return bisect_left(places, low) < bisect_left(places, high)


def bind_periods(numbers: Sequence[NumericClaim]) -> list[str | None]:
    """The ISO period each number of one sentence belongs to; None when the sentence names none, and for dates.

    A date right behind the number (``$1.2M in Q3 2024``) comes first, then the nearest before it, then the
    nearest behind it.
    """
    stated = [number for number in numbers if number.kind == "date" and number.start_date and number.end_date]
    starts, ends = [date.start for date in stated], [date.end for date in stated]
    return [None if number.kind == "date" else _period(number, stated, starts, ends) for number in numbers]


def _period(
    number: NumericClaim, stated: list[NumericClaim], starts: list[int], ends: list[int]
) -> str | None:
    before, behind = bisect_right(ends, number.start) - 1, bisect_left(starts, number.end)
    near = 6 + (len(number.noun) + 1 if number.noun else 0)
    if behind < len(stated) and (starts[behind] - number.end <= near or before < 0):
        chosen = stated[behind]
    elif before >= 0:
        chosen = stated[before]
    else:
        return None
    if chosen.start_date is None or chosen.end_date is None:
        return None
    return dates.iso_of(chosen.start_date, chosen.end_date)
