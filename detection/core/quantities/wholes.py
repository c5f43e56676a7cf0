"""Numbers that are the whole of which others are parts: "$722,050 out of $2,153,880", "Of the $1.5 million spent, taxes took",
"August's $118,380 divides into"."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

import regex

from detection.core.lexicons import Mark
from detection.core.quantities.clauses import BREAK, Read, parting
from detection.core.quantities.features import Feature
from detection.core.quantities.measures import measured_in
from detection.core.quantities.pairing import Stretch
from detection.core.quantities.quantity import Parted, Quantity
from detection.core.types import NumericClaim

_REACH = 24  # characters before and behind a number
_TAKEN = 40  # characters of the words of what something is taken of
_FAR = 60  # characters behind it that may say what it is
_OF_THE = regex.compile(
    r"\sof\s(?:(?:the|its|a|an|all|their|our|that|this)\s)?\p{Sc}?(?:[A-Z]{2,3}\s?)?|\sמ(?:-|תוך\s)"
)
_OF_IT = regex.compile(r"\sof\s(?:it|that|this|the total|them|which)\b|\s(?:ממנו|ממנה|מהם|מכך)")
_OF_ENDS = regex.compile(r"\sof(?:\s(?:the|its|their|all))?$")
_ASIDE = regex.compile(r"[,，(（;；–—](?=[^,，(（;；–—]*$)")
_END = regex.compile(r"\s?[.,;)，。；）]|\s?$")
_BROKEN = regex.compile(r"[,;:.，；：。\d]")
_COMMA = regex.compile(r",\s|，")
_OPENS = regex.compile(r"[,，–—]\s?(?:\p{Lu}{3}\s?)?\p{Sc}?$")
_CLOSES = regex.compile(r"[^\d,，.。;；:：–—()（）]{0,20}(?:,\s|，|\s?[–—]\s?)")
_MONEY = " $€£₪¥"
_NEAR = 8  # characters from a comma to a number, with its currency


def of_whole(read: Read, inside: Sequence[NumericClaim], place: int, start: int, end: int) -> Stretch | None:
    """The words of a whole, where the number at ``place`` of a sentence is one; None for any other number."""
    number, before = inside[place], inside[place - 1] if place else None
    if number.kind not in ("currency", "number"):
        return None
    split = next(iter(read.marks("wholes", number.end, min(number.end + _REACH, end))), None)
    if split and "parts" in split.value and not read.text[number.end : split.start].strip():
        return before.end if before else start, number.start
    led = _leading(read, number, start)
    if led is None or not _is_led(read, before, led, number, start):
        return None
    stop = inside[place + 1].start if place + 1 < len(inside) else end
    if number.kind == "number":
        return number.end, _behind_noun(read, number, stop)
    found = BREAK.search(read.text, number.end, min(number.end + _FAR, stop))
    return number.end, found.start() if found else min(number.end + _FAR, stop)


def _behind_noun(read: Read, number: NumericClaim, stop: int) -> int:
    """Where the noun of a count ends, behind which something is said of the part: "60 of the 64 flats were let"; behind a unit
    it is of the whole: "24 of 30 MW installed"."""
    units = read.marks("units", number.end, min(number.end + _REACH, stop)) if measured_in(number) else []
    begin = units[0].end if units else number.end
    return next((one.end for one in read.within(begin, stop)), begin)


def _is_led(
    read: Read, before: NumericClaim | None, led: Mark[frozenset[str]], number: NumericClaim, start: int
) -> bool:
    """Whether what stands before "of the" is a part of the number behind it, or nothing does and parts follow."""
    if number.kind == "currency" and (_begins(read, led, start) or _is_share(read, led)):
        return True
    if any(mark.start <= number.end + 1 for mark in read.marks("totals", number.end, number.end + _REACH)):
        return True  # "rooms $1.8 million and food $0.5 million, out of $2.5 million overall"
    return before is not None and _is_part(read, before, led, number)


def _is_share(read: Read, led: Mark[frozenset[str]]) -> bool:
    """Whether words right before "of the" say which part: "half of the", "a third of its"."""
    marks = read.marks("multiples", max(led.start - _REACH, 0), led.end)
    return any(
        mark.end >= led.start - 1 and any(Decimal(times) < 1 for times in mark.value) for mark in marks[-1:]
    )


def fronted(read: Read, number: NumericClaim, start: int, stop: int) -> Stretch | None:
    """The subject behind the comma of a number that leads its sentence in: "At $101, cleaning was", "With costs of $101, Ness";
    or whose one between commas is: "the largest share, 41 %, went to schools", up to what it is compared with."""
    closed = _OPENS.search(read.text, max(start, number.start - _NEAR), number.start) and _CLOSES.match(
        read.text, number.end, stop
    )
    if closed and _is_owned(read, closed.end(), stop):
        than = (mark.start for mark in read.marks("bases", closed.end(), stop) if "than" in mark.value)
        return closed.end(), min(parting(read, closed.end(), stop) or stop, next(than, stop))
    marks = read.marks("wholes", start, number.start)[:1]
    led = marks and "fronted" in marks[0].value and _begins(read, marks[0], start)
    if not led:
        return None
    between = read.text[marks[0].end : number.start]
    with_words = "fronted_with" in marks[0].value and not _BROKEN.search(between)
    if between.strip(_MONEY) and not (with_words and read.within(marks[0].end, number.start)):
        return None
    comma = _COMMA.match(read.text, number.end)
    return (comma.end(), parting(read, comma.end(), stop) or stop) if comma and comma.end() < stop else None


def _is_owned(read: Read, low: int, stop: int) -> bool:
    """Whether words that begin at a place say whose the number before them is."""
    owned = read.marks("owned", low, stop)[:1]
    equals = (mark for mark in read.marks("arrivals", low, stop)[:1] if "equals" in mark.value)
    return any(mark.start - low <= 1 for mark in (*owned, *equals))


def _leading(read: Read, number: NumericClaim, start: int) -> Mark[frozenset[str]] | None:
    """The "out of" right before a number."""
    marks = read.marks("wholes", max(start, number.start - _REACH), number.start)
    near = marks[-1] if marks and "of" in marks[-1].value else None
    return near if near and not read.text[near.end : number.start].strip(_MONEY) else None


def _begins(read: Read, led: Mark[frozenset[str]], start: int) -> bool:
    return not read.text[start : led.start].strip(" *_-")


def _is_part(read: Read, part: NumericClaim, led: Mark[frozenset[str]], whole: NumericClaim) -> bool:
    """Whether a smaller number of the same kind stands right before the words that lead a whole in."""
    alike = (part.kind, part.unit) == (whole.kind, whole.unit) and not read.text[part.end : led.start].strip()
    return alike and float(part.value) < float(whole.value)


def is_taken(read: Read, number: NumericClaim, share: NumericClaim) -> bool:
    """Whether a share right before a number is one of it, so that the words before say what the share is: "rent was 88 % of
    the $13.1 million"."""
    return share.kind == "percentage" and _OF_THE.fullmatch(read.text, share.end, number.start) is not None


def taken_of(read: Read, start: int) -> list[Feature]:
    """The words of what something is taken of, which begin at ``start`` and end before another number that they do not
    lead to: "44 % of staff and 38 % of new hires", "70 % of the $5 million collected"."""
    near = read.written(start, start + _TAKEN)[:1]
    far = near[0].start if near and read.within(start, near[0].start) else start + _TAKEN
    stop = BREAK.search(read.text, start, far)
    verbs = [mark.start for table in ("arrivals", "owned") for mark in read.marks(table, start, far)[:1]]
    return read.within(start, min([stop.start() if stop else far, *verbs]))


def divided(read: Read, low: int, high: int) -> Iterator[Feature]:
    """The words of what a part in words is of, where no number follows: "a third of the network total, but it also"."""
    for mark in read.marks("multiples", max(low - _REACH, 0), high):
        taken = taken_of(read, mark.end) if _OF_ENDS.search(read.text, mark.start, mark.end) else []
        if taken and taken[-1].end < high and not read.written(taken[-1].end, taken[-1].end + _REACH):
            yield from taken


def is_of_it(read: Read, share: NumericClaim) -> bool:
    """Whether a percentage is one of what was spoken of: "63 % of it"."""
    return share.kind == "percentage" and _OF_IT.match(read.text, share.end) is not None


def parted_by(read: Read, inside: Sequence[NumericClaim], place: int) -> Parted | None:
    """The part and the whole right before a share that says nothing but how much of it that is: "34 of the 40 flats are let, or
    85 %"; None for any other number."""
    if place < 2 or inside[place].kind != "percentage":
        return None
    part, whole, share = inside[place - 2 : place + 1]
    comma = _ASIDE.search(read.text, whole.end, share.start)
    alone = comma and _says_nothing(read, comma.start(), share.start) and _END.match(read.text, share.end)
    alike = (part.kind, part.unit) == (whole.kind, whole.unit)
    return Parted(part, whole) if alone and alike and _is_led_by(read, part, whole) else None


def _says_nothing(read: Read, low: int, high: int) -> bool:
    """Whether words say no more than how near a number is: ", just over"."""
    near = read.marks("bounds", low, high)
    return all(
        any(mark.start <= one.start and one.end <= mark.end for mark in near)
        for one in read.within(low, high)
    )


NO_WHOLE = -1
_BESIDE, _BACK = 16, 3  # characters from a number to "of them"; numbers before it


def counted_wholes(found: Sequence[Quantity], read: Read) -> Iterator[int]:
    """For each quantity of a text the place of the count or the amount of which it is said to be a part: "35 ships, of which
    14", "Of the 90 loans, 30"; ``NO_WHOLE`` where none is."""
    for place, one in enumerate(found):
        before = range(place - 1, max(place - 1 - _BACK, -1), -1)
        near = (at for at in before if _may_hold(found[at], one))
        yield next((at for at in near if _is_of(found[at], one, read)), _next_whole(found, place, read))


def _may_hold(whole: Quantity, part: Quantity) -> bool:
    """Whether a count or an amount may be of what another one of its sentence or of the next is a part of."""
    first, second = whole.number, part.number
    if first.kind != second.kind or first.kind not in ("number", "currency"):
        return False
    if first.unit != second.unit or not 0 <= part.sentence - whole.sentence <= 1:
        return False
    alike = measured_in(first) == measured_in(second) or not measured_in(second)
    return alike and Decimal(first.value) > Decimal(second.value) > 0


def _is_of(whole: Quantity, part: Quantity, read: Read) -> bool:
    """Whether words between two counts or right behind the second say that it is of the first."""
    first, second = whole.number, part.number
    marks = read.marks("members", first.end, second.end + _BESIDE)
    if any("of_them" in mark.value and mark.end >= second.start - _BESIDE for mark in marks):
        return True
    led = read.marks("members", max(first.start - _REACH, 0), first.start)[-1:]
    fronted = led and "of" in led[0].value and _ends_before(read, led[0], first)
    return (
        bool(fronted)
        and _leads(read, led[0])
        and _COMMA.search(read.text, first.end, second.start) is not None
    )


def _next_whole(found: Sequence[Quantity], place: int, read: Read) -> int:
    """The place of the whole right behind a part: "30 of the 90 loans"."""
    if place + 1 >= len(found) or not _may_hold(found[place + 1], found[place]):
        return NO_WHOLE
    return place + 1 if is_counted(read, found[place].number, found[place + 1].number) else NO_WHOLE


def is_counted(read: Read, part: NumericClaim, whole: NumericClaim) -> bool:
    """Whether a count is that of which the number right before it is a part: "30 of the 90 loans", "a third of the 90"."""
    return whole.kind == "number" and _is_led_by(read, part, whole)


def _is_led_by(read: Read, part: NumericClaim, whole: NumericClaim) -> bool:
    """Whether an "of" stands between a number and the one behind it, right before that."""
    led = read.marks("members", part.end, whole.start)[-1:] if whole.start - part.end <= _REACH else []
    return bool(led) and "of" in led[0].value and not read.text[led[0].end : whole.start].strip(_MONEY)


def _ends_before(read: Read, mark: Mark[frozenset[str]], number: NumericClaim) -> bool:
    return not read.text[mark.end : number.start].strip()


def _leads(read: Read, mark: Mark[frozenset[str]]) -> bool:
    """Whether words begin a sentence."""
    before = read.text[: mark.start].rstrip()
    return not before or before[-1] in ".!?。！？\n"
