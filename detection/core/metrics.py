"""Which figure a number speaks of: the metric its words name and the period beside it (contracts: bound claims).

A number belongs to the nearest phrase of its clause that names a metric of its kind. A percentage belongs to
an amount only as its growth. A number without such a phrase is bound to nothing.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import regex

from detection.core import dates
from detection.core.metric_words import ALIASES, KINDS
from detection.core.types import Alias, Kind, NumericClaim

_LONGEST = (
    4000  # a stretch without a sentence end beyond this is no sentence; only its words near a number count
)
_NEAR = 160
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


@lru_cache(maxsize=64)
def _patterns(extra: tuple[tuple[str, str], ...]) -> tuple[dict[str, str], "regex.Pattern[str]"]:
    phrases = {phrase: metric for metric, names in ALIASES.items() for phrase in names}
    phrases.update(extra)
    words = "|".join(regex.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))
    bounded = rf"(?<![a-z0-9_])(?<![א-ת]{{2}})(?:{words})(?![a-z0-9_א-ת])"
    han = "|".join(regex.escape(p) for p in sorted(phrases, key=len, reverse=True) if ord(p[0]) > 0x2E80)
    return phrases, regex.compile(rf"{bounded}|(?:{han})")


def _extra(aliases: Iterable[Alias]) -> tuple[tuple[str, str], ...]:
    return tuple(
        sorted({(_folded(alias.text).strip(), alias.metric) for alias in aliases if alias.text.strip()})
    )


def bind(
    text: str, start: int, end: int, numbers: Sequence[NumericClaim], aliases: Iterable[Alias] = ()
) -> list[str | None]:
    """The metric each of ``numbers`` belongs to, all of them inside ``text[start:end]``; None for none.

    ``aliases`` are further phrases, added to the built-in ones. A metric of theirs that is not built in fits
    every kind but dates.
    """
    if not numbers:
        return []
    phrases, pattern = _patterns(_extra(aliases))
    bound: list[str | None] = []
    together = None
    if end - start <= _LONGEST:
        sentence = _folded(text[start:end])
        named = _named(sentence, phrases, pattern)
        together = _respectively(sentence, named, numbers)
        breaks = [match.start() for match in _CLAUSE.finditer(sentence)]
        bound = [_nearest(sentence, start, number, named, breaks, numbers) for number in numbers]
        return together or bound
    for number in numbers:
        low, high = max(start, number.start - _NEAR), min(end, number.end + _NEAR)
        sentence = _folded(text[low:high])
        named = _named(sentence, phrases, pattern)
        breaks = [match.start() for match in _CLAUSE.finditer(sentence)]
        bound.append(_nearest(sentence, low, number, named, breaks, [number]))
    return bound


def _named(
    sentence: str, phrases: dict[str, str], pattern: "regex.Pattern[str]"
) -> list[tuple[int, int, str]]:
    return [
        (match.start(), match.end(), phrases[match.group()])
        for match in pattern.finditer(sentence)
        if not _PART.match(sentence, match.end())
    ]


def _fits(metric: str, number: NumericClaim, sentence: str) -> bool:
    kind: Kind | None = KINDS.get(metric)
    if number.kind == "date":
        return False
    if kind is None or kind == number.kind:
        return True
    if number.kind == "percentage":
        return kind == "currency" and (number.direction is not None or _GROWTH.search(sentence) is not None)
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


def _nearest(
    sentence: str,
    offset: int,
    number: NumericClaim,
    named: list[tuple[int, int, str]],
    breaks: list[int],
    numbers: Sequence[NumericClaim],
) -> str | None:
    start, end = number.start - offset, number.end - offset
    best: tuple[float, str] | None = None
    for first, last, metric in named:
        if not _fits(metric, number, sentence):
            continue
        distance = float(start - last) if last <= start else float(first - end)
        low, high = (last, start) if last <= start else (end, first)
        distance += 60 * sum(low <= place < high for place in breaks)
        if first >= end and not _OF.fullmatch(sentence, end, first):
            distance += 40
            distance += 400 * any(
                low <= other.start - offset < high for other in numbers if other is not number
            )
        if _SENTENCE.search(sentence, low, high):
            continue
        if distance >= 0 and (best is None or distance < best[0]):
            best = (distance, metric)
    return best[1] if best and best[0] <= 240 else None


def bind_periods(numbers: Sequence[NumericClaim]) -> list[str | None]:
    """The ISO period each number of one sentence belongs to; None when the sentence names none, and for dates.

    A date right behind the number (``$1.2M in Q3 2024``) comes first, then the nearest before it, then the
    nearest behind it.
    """
    stated = [number for number in numbers if number.kind == "date" and number.start_date and number.end_date]
    return [None if number.kind == "date" else _period(number, stated) for number in numbers]


def _period(number: NumericClaim, stated: list[NumericClaim]) -> str | None:
    before = [date for date in stated if date.end <= number.start]
    behind = [date for date in stated if date.start >= number.end]
    near = 6 + (len(number.noun) + 1 if number.noun else 0)
    if behind and (behind[0].start - number.end <= near or not before):
        chosen = behind[0]
    elif before:
        chosen = before[-1]
    else:
        return None
    if chosen.start_date is None or chosen.end_date is None:
        return None
    return dates.iso_of(chosen.start_date, chosen.end_date)
