"""Over how many of a group something is said to hold: every quarter, three of the five properties, no month."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple, Protocol

import regex

from detection.core.lexicons import Mark
from detection.core.periods import Mention
from detection.core.quantities.measures import DURATIONS
from detection.core.types import NumericClaim

_PIECES = {"month": 1, "quarter": 3, "year": 12}
_ANSWERS = (":", ",", " –", " —", "，", "：")  # "No: all eight quarters"
_WHOLE = frozenset(("none", "all", "both"))
_THE = regex.compile(r"(?i)the\s")
_FIRST = 12  # characters into a clause
_NEAR, _LONG, _MOST = 24, 40, 60  # characters, also of a count in words; things that are counted


_COMMA = regex.compile(r"[,;，；]")
_NAMES = regex.compile(r"\s?\p{L}")


class Reach(NamedTuple):
    """``least`` to ``most`` of a group; None for all of it. ``months``: how long its pieces are, 0 where it is one of
    properties, tenants … ``group``: of how many, 0 where that is not said."""

    least: int | None
    most: int | None
    months: int
    group: int = 0


ALL = Reach(None, None, 0)
NONE = Reach(0, 0, 0)
EVER = -1
"""The months of what is said of every period there is, however long: "at no point"."""


class Apart(NamedTuple):
    """Where those of a group are named that are unlike the others: of which alone something is true (``only``), or is
    not."""

    start: int
    end: int
    only: bool


class Read(Protocol):
    """What of a text that was read is asked here."""

    text: str

    def written(self, start: int, end: int) -> list[NumericClaim]:
        """The numbers between two places that are no dates."""

    def spoken(self, start: int, end: int) -> list[Mention]:
        """The periods named between two places."""

    def marks(self, table: str, start: int, end: int) -> list[Mark[frozenset[str]]]:
        """What the phrases of a table say between two places."""


class _Count(NamedTuple):
    start: int
    end: int
    value: int
    bound: str = ""


class Told(Read, Protocol):
    """A text of which the sentences are known, too."""

    @property
    def sentences(self) -> Sequence[tuple[int, int]]:
        """Where each sentence stands; none of a text that is one."""

    def clause(self, start: int, end: int) -> tuple[int, int]:
        """The clause around a stretch."""

    def sentence_at(self, place: int) -> int:
        """The number of the sentence at a place."""


def supposed(read: Read, number: NumericClaim) -> bool:
    """Whether a number is a limit that a text itself draws, to count by: "a threshold of $5 was passed by two of the five"."""
    led = read.marks("supposed", max(number.start - _MOST, 0), number.start)
    return bool(led) and not read.text[led[-1].end : number.start].strip()


def reached(told: Told, number: NumericClaim) -> Reach | None:
    """Over how many of a group a bound is said to hold, or of how many periods a figure: "92 % in two of the four quarters",
    "counting those above $5, we arrive at two out of four"."""
    clause = told.clause(number.start, number.end)
    if supposed(told, number) and told.sentences:
        clause = told.sentences[told.sentence_at(number.start)]
    if not number.bound and not any(one.each for one in told.spoken(*clause)):
        return None
    found = reach(told, *clause, number)
    if number.bound and (found is None or not found.group):
        start, end = told.sentences[told.sentence_at(number.start)] if told.sentences else (0, 0)
        counting = any("count" in mark.value for mark in told.marks("aggregations", start, number.start))
        whole = reach(told, start, end, number) if counting else None
        found = (whole if whole and whole.group else None) or among(told, start, *clause) or found
    counted = found is not None and found.months and found.group and found.least
    return found if number.bound or counted else None


def reach(read: Read, start: int, end: int, own: NumericClaim | None = None) -> Reach | None:
    """What the words between two places say of how many periods, or of how many of those that are listed, something
    holds; None where they do not. ``own`` is the number of which it is said, which counts none of them."""
    pieces = [one for one in read.spoken(start, end) if one.each]
    counts = [one for one in _counts(read, start, end) if own is None or one.start != own.start]
    if pieces:
        return _of_periods(read, start, pieces, counts)
    times = {key for mark in read.marks("reach", start, end) for key in mark.value}
    if times & {"ever", "never"}:
        return Reach(0, 0, EVER) if "never" in times else Reach(None, None, EVER)
    for one in read.written(start, end):
        if one.noun in _PIECES and one.value == 1:  # "in only one quarter"; more of them are a period
            return Reach(1, 1, _PIECES[one.noun])
    nouns = {one.start for one in read.written(start, end) if one.noun and one.kind == "number"}
    wholes = [
        one for one in counts if one.start in nouns or _part(read, counts, one.start) or _is_led(read, one)
    ]
    found = _of_things(read, start, counts, wholes)
    if found is None and "none" in _said(read, start, end):
        return NONE
    return ALL if found is None and _is_each(read, start, end) else found


def singled(
    read: Read, clause: tuple[int, int], sentence: tuple[int, int], said: Reach | None
) -> Apart | None:
    """Where words of a clause, or of its sentence where the clause speaks of each of a group, name the exceptions or the
    only ones: "in every region except the East", "only in the East"."""
    wide = said is not None and not said.months and (said.least is None or said == NONE)
    for mark in read.marks("singling", *(sentence if wide else clause)):
        only = "only" in mark.value
        if clause[0] <= mark.start < clause[1] if only else wide:
            end = _end_of_names(read, mark.end, min(sentence[1], mark.end + _LONG))
            if end > mark.end:
                return Apart(mark.end, end, only or said == NONE)
    return None


def _end_of_names(read: Read, start: int, end: int) -> int:
    """How far words that begin at a place may name some of a group: to the next joint, number, period or comma."""
    stops = [one.start for one in read.written(start, end)]
    stops += [one.start for one in read.spoken(start, end)]
    stops += [mark.start for mark in read.marks("joints", start, end) if mark.value - {"add"}]
    found = _COMMA.search(read.text, start, end)
    return min([*stops, found.start() if found else end, end])


def _is_each(read: Read, start: int, end: int) -> bool:
    """Whether words say that something holds for each of a group, without saying of how many: "in every region"."""
    marks = (mark for mark in read.marks("reach", start, end) if "each" in mark.value)
    return any(_NAMES.match(read.text, mark.end) for mark in marks)


def among(read: Read, start: int, middle: int, end: int) -> Reach | None:
    """What the words from ``middle`` on say of how many of a group that those before it name: "Of the eight quarters, six were
    below 2x"; None where they name none."""
    marks = read.marks("reach", start, middle + _FIRST)  # a phrase may go on behind the comma: 当中,有
    if not any("of" in mark.value and mark.start < middle for mark in marks):
        return None
    pieces = [one for one in read.spoken(start, middle) if one.several]
    wholes = [(one.several, one.each) for one in pieces] or [
        (one.value, 0) for one in _counts(read, start, middle)
    ]
    own = next((one for one in _counts(read, middle, end) if one.start - middle <= _FIRST), None)
    group, months = max(wholes, default=(0, 0))
    return _as_many(own, months, group) if own and own.value < group else None


def _counts(read: Read, start: int, end: int) -> list[_Count]:
    """The small whole numbers between two places, in words or digits."""
    written = read.written(start, end)
    found = {
        mark.start: _Count(mark.start, mark.end, int(min(mark.value)))
        for mark in read.marks("numbers", start, end)
        if not any(one.start < mark.start < one.end for one in written)  # "$5.1 million" counts nothing
    }
    found |= {
        one.start: _Count(one.start, one.end, int(one.value), one.bound or "")
        for one in written
        if _is_small(one) and not _lasts(read, one)
    }
    return sorted(found.values())


def _is_small(one: NumericClaim) -> bool:
    value = one.value
    is_whole = isinstance(value, Decimal) and value == value.to_integral_value()
    return one.kind == "number" and is_whole and 0 <= Decimal(value) <= _MOST


def _lasts(read: Read, one: NumericClaim) -> bool:
    """Whether a number says how long something takes."""
    return any(mark.value & DURATIONS for mark in read.marks("units", one.start, one.end + _NEAR)[:1])


def _of_periods(read: Read, start: int, pieces: Sequence[Mention], counts: Sequence[_Count]) -> Reach | None:
    one = pieces[0]
    several = sorted(piece.several for piece in pieces if piece.several and piece.each == one.each)
    if len(several) > 1 and several[0] < several[1]:  # of four quarters three
        return Reach(several[0], several[0], one.each, several[1])
    part = _part(read, counts, one.start) if one.several else None
    if part is not None:
        return _as_many(part, one.each, one.several)
    said = _said(read, max(start, one.start - _NEAR), one.end)
    if "none" in said:
        return Reach(0, 0, one.each, one.several)
    if said & {"all", "both"} or not one.several:
        return Reach(None, None, one.each, one.several)
    led = read.marks("reach", max(start, one.start - _NEAR), one.start)
    if led and "in" in led[-1].value and not read.text[led[-1].end : one.start].strip():
        if _THE.match(read.text, one.start):
            return Reach(None, None, one.each, one.several)
        return Reach(one.several, one.several, one.each)
    return None


def _of_things(read: Read, start: int, counts: Sequence[_Count], wholes: Sequence[_Count]) -> Reach | None:
    for one in wholes:
        part = _part(read, counts, one.start)
        if part is not None and part.value < one.value:
            return _as_many(part, 0, one.value)
        said = _said(read, max(start, one.start - _NEAR), one.end)
        if "none" in said:
            return Reach(0, 0, 0, one.value)
        if said & {"all", "both"}:
            return Reach(None, None, 0, one.value)
        if one.value:
            return _as_many(one, 0, 0)
    return None


def _part(read: Read, counts: Sequence[_Count], whole: int) -> _Count | None:
    """The count that says how many of the group at ``whole`` are meant: "three of the four quarters"."""
    first = bisect_left(counts, whole - _NEAR - _LONG, key=_begins)
    for one in counts[first : bisect_right(counts, whole, key=_begins)]:
        if one.end <= whole <= one.end + _NEAR:
            between = read.text[one.end : whole].strip()
            marks = read.marks("reach", one.end, whole + _NEAR)[:1]
            if not between or any("of" in mark.value and mark.start <= whole for mark in marks):
                return one
    return None


def _is_led(read: Read, one: _Count) -> bool:
    """Whether a quantifier stands right before a count: "none of the six"."""
    marks = read.marks("quantifiers", one.start - _NEAR, one.start)
    return bool(marks) and bool(marks[-1].value & _WHOLE) and not read.text[marks[-1].end : one.start].strip()


def _begins(one: _Count) -> int:
    return one.start


def _said(read: Read, start: int, end: int) -> frozenset[str]:
    """The quantifiers between two places that are no part of a bound ("never below") and no answer by themselves ("No:")."""
    bounds = read.marks("bounds", start, end)
    return frozenset(
        key
        for mark in read.marks("quantifiers", start, end)
        if not any(one.start <= mark.start < one.end for one in bounds)
        and not read.text.startswith(_ANSWERS, mark.end)
        for key in mark.value
    )


def _as_many(one: _Count, months: int, group: int) -> Reach:
    least = 0 if one.bound == "at_most" else one.value
    most = (group or _MOST) if one.bound == "at_least" else one.value
    return Reach(least, most, months, group)
