"""Where clauses begin, and which periods behind a number belong to another one."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Protocol

import regex

from detection.core import lexicons
from detection.core.lexicons import Mark
from detection.core.periods import Mention, contains, granularity, same
from detection.core.quantities.features import Feature, is_meaning
from detection.core.quantities.reach import reach
from detection.core.types import NumericClaim

BREAK = regex.compile(r",(?!\d|\s\d{4}\b)|[;:()\[\]，；：、（）。\n|•—–]| - |\.\s")
"""What parts the words of two numbers."""
CLAUSE = regex.compile(
    r"[;；。\n]|,\s(?:and|but|while|whereas|although|though|because|as|with|which|so)\b|\s(?:while|whereas|although|because)\s|，|,(?!\d|\s\d{4}\b)"
)
"""Where another clause begins."""
ASIDE = regex.compile(r"\s?[(（][^()（）]{0,40}[)）]")
"""What stands in brackets."""
_AND_NUMBER = regex.compile(r"\sו-?\p{Sc}?$")
_OPENED = regex.compile(r"(?:^|[\n.,;:([，；：（。–—]|\s-)\s?$")
_DENIED_TO = regex.compile(r"[,;:)\]，；：）。–—]|\s-\s|\.\s")
_ANOTHER = regex.compile(r",\s(?:and|but|while|whereas|although|though)\s")
_WORD = regex.compile(r"\s*((?:\p{L}|\d)[\p{L}-]*)")
_PARTICIPLES = ("ed", "ing", "aken", "iven", "wn", "ught", "aid")
_LED, _RELATIVE = regex.compile(r"[,，]?\s?"), frozenset(("relative", "time"))
_COMMA, _GOES_ON = regex.compile(r",\s$"), regex.compile(r"(?:\s?[\p{L}°²³/%]{1,8})?,(?=\s\p{Ll})")
_WHEN = regex.compile(r"(?i)\s(?:(?:in|for|during)\s(?:the\s)?)?")
_CLOSED = regex.compile(r"[)）]")
_BRACKETS = frozenset("()（）")
_NEAR, _FAR_OFF = 6, 1000  # characters
_REACH = 24  # characters behind a period in which the number that it is of may stand
_AROUND = 120  # characters in which a period may lie within another one
_LONGEST, _LONGEST_DENIED = 40, 80  # characters of a period, and of what is denied


class Read(Protocol):
    """What of a text that was read is asked here."""

    text: str

    def written(self, start: int, end: int) -> list[NumericClaim]:
        """The numbers between two places that are no dates."""
        ...

    def spoken(self, start: int, end: int) -> list[Mention]:
        """The periods named between two places."""
        ...

    def within(self, start: int, end: int) -> list[Feature]:
        """Words and metrics."""
        ...

    def marks(self, table: str, start: int, end: int) -> list[Mark[frozenset[str]]]:
        """What the phrases of a table say."""
        ...


def parted(read: Read, number: NumericClaim, one: Mention, clauses: Sequence[int]) -> bool:
    """Whether a period behind a number leads another clause, is compared with in one, or stands in brackets or behind a
    dash with another number: "86.3 % (2023: 87.5 %)", "5.1 million, and April came second at 4.8 million"."""
    place = bisect_right(clauses, one.start - 1)
    begun = clauses[place - 1] + 1 if place else 0
    if begun <= number.end:
        apart = _break(read, number.end, one.start)
        return apart is not None and bool(read.written(apart, one.end + _REACH))
    if read.written(begun, one.start):
        return bool(read.marks("bases", begun, one.start - 2))
    stop = clauses[place] if place < len(clauses) else len(read.text)
    return bool(read.within(begun, one.start) or read.written(one.end, max(stop, one.end)))


def _break(read: Read, low: int, high: int) -> int | None:
    """Where the first break between two places stands; brackets that are closed between them part nothing."""
    while (found := BREAK.search(read.text, low, high)) is not None:
        closing = _CLOSED.search(read.text, found.start(), high)
        if found[0] not in _BRACKETS or closing is None:
            return found.start()
        low = closing.end()
    return None


def of_base(read: Read, number: NumericClaim, one: Mention) -> bool:
    """Whether a period behind a number is that of what it came from: "1.8 million after 3.1 million in 2023"; behind brackets
    that hold this it is that of both: "Ness (14 %) lies above Stroma (6 %) in 2023"."""
    behind = [other for other in read.written(number.end, one.start) if other.kind == number.kind]
    if len(behind) != 1:
        return False
    if _CLOSED.search(read.text, behind[0].end, one.start):
        return False
    return bool(read.marks("bases", number.end, behind[0].start))


def bracketed(read: Read, one: Mention, stop: int) -> bool:
    """Whether a period stands in brackets, closed before ``stop``, with a number: "86.3 % (2023: 87.5 %), the rent"."""
    low = read.text.rfind("(", max(one.start - _REACH, 0), one.start + 1)
    high = read.text.find(")", one.end, stop)
    return low >= 0 <= high and ")" not in read.text[low : one.start] and bool(read.written(low, high))


def outrun(read: Read, low: int, high: int) -> int:
    """Where behind a number the words begin for what its own figure, named before, lies ahead of or behind: "catches of 410 put
    it ahead of Ness"; ``high`` where there are none."""
    for one in read.marks("pronouns", low, high):
        behind = read.marks("order", one.end, min(one.end + _REACH, high))
        if behind and not read.text[one.end : behind[0].start].strip():
            return one.start
    return high


def dates(read: Read, number: NumericClaim, one: Mention) -> bool:
    """Whether a part of a year right behind a number says when it was: "fell in Q2 and Q3, then rose to $5 in Q4"."""
    said = (one.span or one.part) and not one.is_base and one.start >= number.end
    return bool(said) and _WHEN.fullmatch(read.text, number.end, one.start) is not None


def ranges(read: Read, number: NumericClaim, one: Mention) -> bool:
    """Whether a period before a number is that over which another part of the sentence ranks or counts something: "its
    highest since 2023, with occupancy at 95 %", "two of the four quarters of 2024, and the worst was $5 in Q1"."""
    closed = BREAK.search(read.text, one.end, number.start) if one.end < number.start else None
    if closed is None:
        return False
    begun = [found.end() for found in BREAK.finditer(read.text, max(one.start - _AROUND, 0), one.start)]
    part = begun[-1] if begun else 0, closed.start()
    if one.each and (counted := reach(read, *part)) is not None and counted.least is not None:
        return True
    since = any("since" in mark.value for mark in read.marks("bases", one.start - _REACH, closed.start()))
    wide = since or bool(one.each) or _holds_another(read, one, (part[0] - _AROUND, number.end + _AROUND))
    return wide and bool(read.marks("order", *part))


def _holds_another(read: Read, one: Mention, near: tuple[int, int]) -> bool:
    """Whether another period that is named near by lies within one: a quarter beside the year that it is of."""
    others = [other for other in read.spoken(*near) if other != one and not other.is_base]
    dated = [other.span for other in others if other.span]
    if one.span is None:
        return False
    of_year = granularity(one.span) == "year" and any(other.part and not other.part.years for other in others)
    return of_year or any(contains(one.span, span) and not same(one.span, span) for span in dated)


def relative(read: Read, number: NumericClaim) -> Mention | None:
    """The period right behind which the clause of a number says something of it: "2023, when it was $5", "Q2, which saw $5";
    None where no clause begins so, or it goes on past a comma, another period or another number, or to a later time: "Q2, then
    $6 in Q3"."""
    before = read.spoken(number.start - _AROUND, number.start)
    one = before[-1] if before else None
    if one is None or read.written(one.end, number.start):
        return None
    led = _LED.match(read.text, one.end)
    told = read.marks("joints", one.end, number.start) if led else []
    later = {mark.start for mark in read.marks("onward", one.end, number.start)}
    begins = led and any(
        mark.start == led.end() and mark.start not in later and mark.value & _RELATIVE for mark in told
    )
    return one if led and begins and not BREAK.search(read.text, led.end(), number.start) else None


def denied(read: Read) -> Iterator[tuple[int, int]]:
    """The stretches of a text that say of what it does not speak: "it is Oak, not Elm, that waits 62 minutes"."""
    for mark in read.marks("denied", 0, len(read.text)):
        opened = "apart" in mark.value or ("not" in mark.value and _OPENED.search(read.text, 0, mark.start))
        end = _denied_to(read, mark.end) if opened else None
        if end is not None and not read.written(mark.end, end):
            yield mark.start, end


def _denied_to(read: Read, start: int) -> int | None:
    """Where what is denied ends; None where nothing says so."""
    stop = start + _LONGEST_DENIED
    ends = [mark.start for mark in read.marks("denied", start, stop) if "ends" in mark.value]
    closed = _DENIED_TO.search(read.text, start, stop)
    return min([*ends, *([closed.start()] if closed else [])], default=None)


def parting(read: Read, low: int, high: int) -> int | None:
    """Where the words between two numbers part, or None."""
    aside = ASIDE.match(read.text, low, high)
    if aside and not read.written(aside.start(), aside.end()):
        low = aside.end()
    low = _past_apposition(read, low)
    closed = _CLOSED.match(read.text, low, high)
    found = BREAK.search(read.text, closed.end() if closed else low, high)
    others = _and_others(read, low, found.start() if found else high)
    others += _outdone(read, low, found.start() if found else high)
    # a multiple leads in another figure that this one is measured by: "twice the utility bill of $5"
    others += [mark.end for mark in read.marks("multiples", low, high)]
    if found and not closed:
        return min((*others, _past_aside(read, found, high)))
    joints = [one.start for one in read.marks("joints", low, high) if not _is_of_periods(read, one)]
    joints += [found.start()] if found else []
    joints += others
    # "(63 %) went into rooms and $5 into equipment": the words are of what stands before
    return min(joints, default=low if closed else None)


def _past_apposition(read: Read, low: int) -> int:
    """Where the clause goes on behind a number that ends at ``low`` and stands between two commas: "the lowest, $5, was at Oak",
    but not "the rate, 5 %, was higher than Oak's"."""
    going_on = _GOES_ON.match(read.text, low)
    number = (
        next((one for one in read.written(low - _REACH, low) if one.end == low), None) if going_on else None
    )
    if (
        not going_on
        or number is None
        or not _COMMA.search(read.text, max(number.start - _NEAR, 0), number.start)
    ):
        return low
    closed = BREAK.search(read.text, going_on.end())
    near = going_on.end(), closed.start() if closed else going_on.end() + _AROUND
    compares = any(read.marks(table, *near) for table in ("order", "bases", "bounds"))
    return low if compares else going_on.end()


def _past_aside(read: Read, comma: regex.Match[str], high: int) -> int:
    """Where the words behind a comma part, an aside left with what stands before: "2 %, taken at closing, and the rate is"."""
    going_on = _ANOTHER.search(read.text, comma.end(), high) if comma[0] == "," else None
    is_aside = going_on and _begins_aside(read, comma.end(), going_on.start())
    return going_on.start() if going_on and is_aside else comma.start()


def _begins_aside(read: Read, low: int, high: int) -> bool:
    """Whether words begin no subject: with a number, a preposition, a participle or a word of direction."""
    word = _WORD.match(read.text, low, high)
    if (
        word is None
        or word.end() == high
        or any(mark.start == word.start(1) for mark in read.marks("joints", low, high))
    ):
        return False
    led = any(mark.start == word.start(1) for mark in read.marks("directions", low, high))
    numbered = any(one.start == word.start(1) for one in read.written(low, high))
    return (
        led or numbered or word[1].endswith(_PARTICIPLES) or word[1] in lexicons.table("stop")["en"]["words"]
    )


def _and_others(read: Read, low: int, high: int) -> list[int]:
    """Where a Hebrew "and", a letter before the word or the number, leads in another figure: "86.7% וה-DSCR"."""
    named = (one.start for one in read.within(low, high) if is_meaning(one.name))
    spaces = (read.text.rfind(" ", low, start) for start in named)
    joined = _AND_NUMBER.search(read.text, low, high)
    numbered = [joined.start()] if joined else []
    return [space for space in spaces if space >= 0 and read.text.startswith("ו", space + 1)] + numbered


def _outdone(read: Read, low: int, high: int) -> list[int]:
    """Where another figure is named that the one before is said to exceed, or to trail: "Orders of $34 exceeded sales by"."""
    marks = read.marks("bases", low, high)
    named = [one.start for one in read.within(low, high) if is_meaning(one.name)]
    after = [mark.end for mark in marks if "than" in mark.value][:1]
    return [end for end in after if any(start >= end for start in named)]


def _is_of_periods(read: Read, joint: Mark[frozenset[str]]) -> bool:
    """Whether a joint stands between two periods, "between Q3 and Q4", or in one: "one quarter later"."""
    if any(one.start <= joint.start < one.end for one in read.spoken(joint.start - _LONGEST, joint.end)):
        return True
    before = read.spoken(joint.start - _FAR_OFF, joint.start)[-1:]
    after = read.spoken(joint.end, joint.end + _FAR_OFF)[:1]
    return any(joint.start - _NEAR <= one.end for one in before) and any(
        one.start <= joint.end + _NEAR for one in after
    )
