"""Numbers that are the whole of which others are parts: "$722,050 out of $2,153,880", "Of the $1.5 million spent, taxes took",
"August's $118,380 divides into"."""

from collections.abc import Sequence

import regex

from detection.core.lexicons import Mark
from detection.core.quantities.clauses import BREAK, Read, parting
from detection.core.quantities.pairing import Stretch
from detection.core.types import NumericClaim

_REACH = 24  # characters before and behind a number
_FAR = 60  # characters behind it that may say what it is
_COMMA = regex.compile(r",\s|，")
_MONEY = " $€£₪¥"


def of_whole(read: Read, inside: Sequence[NumericClaim], place: int, start: int, end: int) -> Stretch | None:
    """The words of a whole, where the number at ``place`` of a sentence is one; None for any other number."""
    number, before = inside[place], inside[place - 1] if place else None
    if number.kind != "currency":
        return None
    split = next(iter(read.marks("wholes", number.end, min(number.end + _REACH, end))), None)
    if split and "parts" in split.value and not read.text[number.end : split.start].strip():
        return before.end if before else start, number.start
    led = _leading(read, number, start)
    if led is None or not (_begins(read, led, start) or (before and _is_part(read, before, led, number))):
        return None
    stop = inside[place + 1].start if place + 1 < len(inside) else end
    found = BREAK.search(read.text, number.end, min(number.end + _FAR, stop))
    return number.end, found.start() if found else min(number.end + _FAR, stop)


def fronted(read: Read, number: NumericClaim, start: int, stop: int) -> Stretch | None:
    """The subject behind the comma of a number that leads its sentence in: "At $101, cleaning was"."""
    marks = read.marks("wholes", start, number.start)[:1]
    led = marks and "fronted" in marks[0].value and _begins(read, marks[0], start)
    if not led or read.text[marks[0].end : number.start].strip(_MONEY):
        return None
    comma = _COMMA.match(read.text, number.end)
    return (comma.end(), parting(read, comma.end(), stop) or stop) if comma and comma.end() < stop else None


def _leading(read: Read, number: NumericClaim, start: int) -> Mark[frozenset[str]] | None:
    """The "out of" right before a number."""
    marks = read.marks("wholes", max(start, number.start - _REACH), number.start)
    near = marks[-1] if marks and "of" in marks[-1].value else None
    return near if near and not read.text[near.end : number.start].strip(_MONEY) else None


def _begins(read: Read, led: Mark[frozenset[str]], start: int) -> bool:
    return not read.text[start : led.start].strip(" *_-")


def _is_part(read: Read, part: NumericClaim, led: Mark[frozenset[str]], whole: NumericClaim) -> bool:
    """Whether a smaller amount of the same currency stands right before the words that lead a whole in."""
    alike = (part.kind, part.unit) == (whole.kind, whole.unit) and not read.text[part.end : led.start].strip()
    return alike and float(part.value) < float(whole.value)
