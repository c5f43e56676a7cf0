"""What is taken off or added in an amount already, and what is not: "8.1 % net of fees", "€600 including VAT"."""

from collections.abc import Iterable
from functools import cache, lru_cache

import regex

from detection.core import lexicons, text
from detection.core.lexicons import Mark, Words
from detection.core.quantities.clauses import BREAK, Read
from detection.core.quantities.features import features, is_meaning
from detection.core.quantities.texts import Text
from detection.core.types import NumericClaim

_TAKEN, _LISTED_ALONE = frozenset(("after", "with")), frozenset(("before", "after"))
_GAP = regex.compile(
    r"(?i)[\s.]*(?:(?:the|its|all|any|an?|ה-?|של)\s?)?(?:\p{Sc}?\d[\d.,]*\s?[%％]?\s?(?:of\s)?)?"
)
_BEHIND = regex.compile(r"(?i)[\s,，(（]*(?:(?:an?|per|each|לכל|ל)[\s-]?\p{L}+[\s,，(（]*)?")
_COUNTED = regex.compile(r"\s?\p{L}+[\s,，(（]*")
_PART = regex.compile(rf"(?i)(?:{_GAP.pattern.removeprefix('(?i)')}|[^\d]{{0,40}}\s(?:of|של)\s)\p{{Sc}}?")
_BESIDE = regex.compile(r"[\s,，(（]*")
_FAR, _MOST = 48, 4  # characters and words behind an opener that name what it is about


def said(
    reading: Read, stretches: Iterable[tuple[int, int]], number: NumericClaim | None = None
) -> frozenset[str]:
    """What words say is taken off or added, or is not, each as its side and its thing: ``after_fees``. What stands right
    behind a number is that number's alone."""
    marks = [mark for low, high in stretches for mark in reading.marks("basis", low, high)]
    if number is not None:
        marks = [mark for mark in marks if not _is_of_another(reading, mark, number)]
        marks += _right_behind(reading, number)
    return settled(one for mark in marks for one in _told(reading, mark))


@lru_cache(maxsize=16_384)
def of_name(called: str) -> frozenset[str]:
    """What the name of a row or a column says of it."""
    if not lexicons.phrases("basis").find(Words(called)):
        return frozenset()
    return said(Text(called, text.detect_language(called), found=()), ((0, len(called)),))


def settled(named: Iterable[str]) -> frozenset[str]:
    """Without what both is and is not taken off, which leaves it open."""
    found = frozenset(named)
    return frozenset(one for one in found if not any(_are_apart(one, other) for other in found))


def differ(first: Iterable[str], second: Iterable[str]) -> bool:
    """Whether one amount is said to be before what the other is after."""
    others = tuple(second)
    return any(_are_apart(one, other) for one in first for other in others)


def agree(first: Iterable[str], second: Iterable[str]) -> bool:
    """Whether two amounts are said to be before, or both after, one thing."""
    others = tuple(second)
    return any(
        _is_taken(one) == _is_taken(other) and _are_alike(one, other) for one in first for other in others
    )


@lru_cache(maxsize=1024)
def words(named: frozenset[str]) -> frozenset[str]:
    """The words by which one says what is taken off or added: no part of what an amount is called."""
    keys = {part for one in named for part in (one if one.endswith("_deductions") else "", *one.split("_"))}
    phrases = [
        phrase
        for table in ("basis", "deductions")
        for language in lexicons.table(table).values()
        for key in keys & language.keys()
        for phrase in language[key]
    ]
    found = {one.name for phrase in phrases for one in features(Words(phrase))}
    return frozenset(found | {word for one in named for word in one.partition("_")[2].split()})


def _right_behind(reading: Read, number: NumericClaim) -> list[Mark[frozenset[str]]]:
    """The words right behind a number, though a comma parts them from it."""
    found = reading.marks("basis", number.end, number.end + _FAR)[:1]
    when = reading.spoken(number.end, number.end + _FAR)[:1]  # "$8.4 million in 2022, including"
    starts = [number.end, *(one.end for one in when if not reading.within(number.end, one.start))]
    kinds = (_BEHIND, _COUNTED) if number.noun else (_BEHIND,)
    return [
        mark
        for mark in found
        if any(kind.fullmatch(reading.text, start, mark.start) for kind in kinds for start in starts)
        and not _leads_on(reading, mark)
    ]


def _leads_on(reading: Read, mark: Mark[frozenset[str]]) -> bool:
    """Whether words lead to the next number: "$5 million, after tax $4 million"; of "including 20 % VAT" that is a part."""
    stop = BREAK.search(reading.text, mark.end, mark.end + _FAR)
    following = reading.written(mark.end, stop.start() if stop else mark.end + _FAR)[:1]
    opens = any("_" not in key for key in mark.value)
    return any(not (opens and _PART.fullmatch(reading.text, mark.end, one.start)) for one in following)


def _is_of_another(reading: Read, mark: Mark[frozenset[str]], number: NumericClaim) -> bool:
    """Whether words stand right behind another number."""
    before = reading.written(max(mark.start - _FAR, 0), mark.start)[-1:]
    return any(
        one.start != number.start and _BESIDE.fullmatch(reading.text, one.end, mark.start) for one in before
    )


def _told(reading: Read, mark: Mark[frozenset[str]]) -> Iterable[str]:
    """What words say of which thing; net and gross in the name of a metric say nothing beside it."""
    for key in mark.value:
        side, _, thing = key.partition("_")
        if thing == "deductions" and _in_metric(reading, mark):
            continue
        thing = thing or _thing(reading, mark.end, listed=side in _LISTED_ALONE)
        if thing:
            yield f"{side}_{thing}"


def _thing(reading: Read, start: int, *, listed: bool) -> str:
    """What stands behind an opener: a thing that the lexicons list; else, unless only ``listed`` ones count (a "before" may be
    of time), the words for it."""
    for mark in reading.marks("deductions", start, start + _FAR)[:1]:
        if _GAP.fullmatch(reading.text, start, mark.start):
            return min(mark.value)
    if listed:
        return ""
    stop = BREAK.search(reading.text, start, start + _FAR)
    far = stop.start() if stop else start + _FAR
    numbers = [
        one.start for one in reading.written(start, far) if not _GAP.fullmatch(reading.text, start, one.start)
    ]
    named = reading.within(start, min((far, *numbers)))
    words = dict.fromkeys(one.name for one in named if not is_meaning(one.name))
    return " ".join([*words][:_MOST])


def _in_metric(reading: Read, mark: Mark[frozenset[str]]) -> bool:
    near = reading.marks("metrics", max(mark.start - _FAR, 0), mark.end + _FAR)
    return any(one.start <= mark.start and mark.end <= one.end and one[:2] != mark[:2] for one in near)


def _is_taken(one: str) -> bool:
    return one.partition("_")[0] in _TAKEN


def _are_apart(one: str, other: str) -> bool:
    return _is_taken(one) != _is_taken(other) and _are_alike(one, other)


def _are_alike(one: str, other: str) -> bool:
    """Whether two are about one thing; a net price may be one without VAT, net pay is pay after tax."""
    sides, things = zip(*(named.partition("_")[::2] for named in (one, other)), strict=True)
    if things[0] == things[1] or set(things) == {"tax", "vat"}:
        return True
    if "deductions" in things:
        return set(sides) <= _LISTED_ALONE and set(things) <= _listed() - {"vat"}
    first, second = (frozenset(thing.split()) for thing in things)
    return not (first | second) & _listed() and (first <= second or second <= first)


@cache
def _listed() -> frozenset[str]:
    """The things that the lexicons list."""
    return frozenset(key for keys in lexicons.table("deductions").values() for key in keys)
