"""What the words right before a number make of it: a bound, a denied bound, a direction, the change or the sum of something."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

import regex

from detection.core import lexicons
from detection.core.lexicons import Mark
from detection.core.quantities.clauses import BREAK, CLAUSE
from detection.core.quantities.features import HAN, is_meaning
from detection.core.quantities.pairing import Read
from detection.core.quantities.quantity import LIMITS, Tier
from detection.core.quantities.reach import supposed
from detection.core.types import NumericClaim

_RECKONED = (
    ("operations", frozenset(("difference", "growth", "mean", "sum"))),
    ("aggregations", frozenset(("mean", "sum"))),
    ("directions", frozenset(("up", "down", "either"))),
)
_OF_SOMETHING = regex.compile(r"\)?\s(?:in|of|between)\s|\s(?:ב|של\s|בין\s)|之间|之間")
_CLOSE = frozenset(("just_over", "just_under"))
_DEGREES = _CLOSE | {"approximately", "exactly"}
_NEXT = regex.compile(r"\s?(?:of\s)?[$€£¥₪]?\s?\d")
_DIRECT = regex.compile(r"[^\d,;:.，；：、。]{0,12}")
_DIGIT = regex.compile(r"\d")
_THROUGH = regex.compile(
    r"[^\d;]{0,12}\d[\d.,]*\s?(?:%|x|million|billion)?(?:\s\([^()]*\))?\s?(?:and|to|–|-|至|到|ל-?)\s?[^\d,;]{0,10}"
)
_REACH, _LONG_REACH = 24, 40  # characters before a number
_ADVERBS = regex.compile(r"[^\d\p{P}\n]{0,20}")
_FROM_THE = "מה"  # of a Hebrew word behind a number: from its budget
_FROM, _CAME, _BY = frozenset(("from", "versus", "than")), frozenset(("from",)), frozenset(("by",))
_VERSUS = frozenset(("versus",))
_QUALIFIED = regex.compile(r"[^\d,;:.，；：。]{1,14}的[约約]?")
_SIDES = frozenset(("more_than", "less_than", "just_over", "just_under"))
_MEASURED = ("currency", "percentage", "ratio")
_TURNED: dict[str, Literal["at_least", "at_most"]] = {"at_least": "at_most", "at_most": "at_least"}
_FAR = 40  # characters from the words of a bound to the number that is outdone
_SIDED = {
    "ahead": "ahead",
    "behind": "behind",
    "more_than": "ahead",
    "less_than": "behind",
    "up": "ahead",
    "down": "behind",
}
_TELLING = ("order", "further", "directions")
_LED = " \t\n$€£₪¥(-־"  # what may stand between words and the number that they lead to
_UNIT = 2  # words: "percentage points"
_ALIKE = 4  # times that a number may be another that it is compared with
_NAMES = 80  # characters from the words of a role to the number that they are said of
_OF_IT = regex.compile(r"(?i)\s?(?:of|:|为|是|של)?\s?[$€£¥₪]?")
_TOTAL_OR_MEAN = frozenset(("sum", "mean"))
_AGAIN = frozenset(("contrast", "add"))  # behind these a verb says something else: "and was back above"
_ARTICLE = regex.compile(r"^\s(?:the|an?|its|their)\s")  # "from the $651,100 of Q4"
_HARD = regex.compile(r"[;；]")
_DISTANCE = regex.compile(r"[\d%％]\s*$")  # "and more than 50 % above the 308,142"


def reckons(reading: Read, stretches: Iterable[tuple[int, int]]) -> bool:
    """Whether the words call the number the change, difference, sum or mean of something."""
    for low, high in stretches:
        for table, keys in _RECKONED:
            for mark in reading.marks(table, low, high):
                said = reading.text[mark.start : mark.end].lower()
                named = said.endswith((" in", " of", " between"))
                if table == "directions" and _is_verb(said):
                    continue
                if mark.value & keys and (named or _OF_SOMETHING.match(reading.text, mark.end, high)):
                    return True
    return False


def _is_verb(said: str) -> bool:
    """Whether a word of change is a verb of the past, whose "in" says when: "slipped in Q1"."""
    first = said.split()[0] if said else ""
    return first.endswith("ed") or first in _past()


@cache
def _past() -> frozenset[str]:
    return frozenset(word for keys in lexicons.table("change_words").values() for word in keys["past"])


def heads(reading: Read, number: NumericClaim, stretches: Iterable[tuple[int, int]]) -> bool:
    """Whether words before a number say that it comes of a reckoning: "the change in NOI", "the average rent"."""
    leading = [one for one in stretches if one[0] < number.start]
    averages = (mark for low, high in leading for mark in reading.marks("aggregations", low, high))
    return reckons(reading, leading) or any("mean" in mark.value for mark in averages)


def went_up_to(reading: Read, number: NumericClaim, start: int) -> bool:
    """Whether "up to" belongs to a verb: "revenue went up to", "that adds up to roughly"."""
    low = max(start, number.start - _REACH)
    if any("up_to" not in mark.value for mark in reading.marks("bounds", low, number.start)[-1:]):
        return False  # "dropped below"
    marks = [
        mark for table in ("directions", "aggregations") for mark in reading.marks(table, low, number.start)
    ]
    return any(
        mark.end - mark.start > len("up to") and number.start - mark.end <= len(" to roughly $ ")
        for mark in marks
    )


def stated(reading: Read, number: NumericClaim, start: int) -> Literal["at_least", "at_most"] | None:
    """The bound that the words directly before a number state: "may not go above"."""
    marks = reading.marks("bounds", max(start, number.start - _LONG_REACH), number.start)
    behind = reading.marks("bounds", number.end, number.end + _REACH)
    if marks and not reading.text[marks[-1].end : number.start].strip(_LED):  # "גבוה מ-100%"
        keys = marks[-1].value
    elif behind and _touches(reading, number, behind[0]):  # "95 % or better"
        keys = behind[0].value & {"at_least", "at_most"}
    else:
        return None
    said: Literal["at_least", "at_most"] | None = None
    if keys & {"at_most", "less_than"}:
        said = "at_most"
    elif keys & {"at_least", "more_than"}:
        said = "at_least"
    return _TURNED[said] if said and marks and negated(reading, marks[-1].start, start) else said


def _touches(reading: Read, number: NumericClaim, mark: Mark[frozenset[str]]) -> bool:
    """Whether words stand right behind a number, with no stop between."""
    return not reading.text[number.end : mark.start].strip()


def bound(reading: Read, number: NumericClaim, start: int, *, none: bool) -> NumericClaim:
    """A number with the bound that its words state, with ``none`` without any."""
    if supposed(reading, number):
        behind = reading.marks("order", number.end, number.end + _FAR)
        below = any("behind" in mark.value for mark in behind)
        return replace(number, bound="at_most" if below else "at_least")
    if none or (number.bound == "at_most" and went_up_to(reading, number, start)):
        return replace(number, bound=None)
    if (said := stated(reading, number, start)) is not None:
        return replace(number, bound=said)
    if number.bound and denied(reading, number, start):
        return replace(number, bound=_TURNED[number.bound])
    return number


def unbound(
    reading: Read, number: NumericClaim, stretches: Sequence[tuple[int, int]], start: int
) -> list[tuple[int, int]]:
    """The stretches of a number without the words of its own bound, which compare it with nothing: "a share above 15 %"."""
    marks = reading.marks("bounds", max(start, number.start - _LONG_REACH), number.start)[-1:]
    own = [mark for mark in marks if not reading.text[mark.end : number.start].strip(_LED)]
    if not own or number.bound is None:
        return list(stretches)
    cut = own[0].start, own[0].end
    parts = [part for low, high in stretches for part in ((low, min(high, cut[0])), (max(low, cut[1]), high))]
    return [part for part in parts if part[0] < part[1]]


def beside(reading: Read, number: NumericClaim, start: int, keys: frozenset[str]) -> frozenset[str]:
    """The bounds of the words around a number without "nearly" and "just over" that stand before something else."""
    marks = reading.marks("bounds", max(start, number.start - _LONG_REACH), number.start)
    own = {
        key
        for mark in marks
        if _DIRECT.fullmatch(reading.text, mark.end, number.start)
        and not reading.marks("multiples", mark.end, number.start)  # "almost doubled to $5"
        for key in mark.value
    }
    behind = reading.marks("further", number.end, number.end + _REACH)
    apart = behind[0].value if behind and _touches(reading, number, behind[0]) else frozenset()
    return keys - (_CLOSE - own) | apart


def ends(reading: Read, number: NumericClaim, start: int) -> frozenset[str]:
    """Which end of a range a number is: "between 1.69x and 1.87x" are a lowest and a highest."""
    low = max(start, number.start - _FAR)
    for mark in reversed(reading.marks("bounds", low, number.start)):
        if "between" in mark.value:
            gap = reading.text[mark.end : number.start]
            if _DIRECT.fullmatch(gap):
                return frozenset(("minimum",))
            return frozenset(("maximum",)) if _THROUGH.fullmatch(gap) else frozenset()
    return frozenset()


def gathered(reading: Read, number: NumericClaim, start: int, said: frozenset[str]) -> frozenset[str]:
    """What words ask to be gathered; only an average where one is said last: "across the four quarters NOI averaged $5"."""
    if not said >= _TOTAL_OR_MEAN:
        return said
    last = reading.marks("aggregations", start, number.start)[-1:]
    return said - {"sum"} if last and last[0].value == {"mean"} else said


def polarity(reading: Read, number: NumericClaim, stretches: Iterable[tuple[int, int]]) -> frozenset[str]:
    """Whether the words around a number call it a loss; not where they say so of something before the figure that is
    named: "including the fourth-quarter loss, net income was", or of the next number: "after a positive $1.4 million"."""
    return frozenset(
        key
        for low, high in stretches
        for mark in reading.marks("polarity", low, high)
        if not (mark.start >= number.end and _NEXT.match(reading.text, mark.end))
        and not any(is_meaning(one.name) for one in reading.within(mark.end, number.start))
        for key in mark.value
    )


def negated(reading: Read, place: int, start: int) -> Literal["", "not", "hardly"]:
    """Whether a "not" stands right before what begins at ``place``: "has not dropped below"; ``hardly`` where a word of
    degree follows it: "was not much better". "No quarter" and "none of them" say of how many something is true."""
    marks = reading.marks("negations", max(start, place - _REACH), place)
    last = marks[-1] if marks else None
    if last is None or not _ADVERBS.fullmatch(reading.text, last.end, place):
        return ""
    counted = [one for one in reading.marks("quantifiers", last.start, place) if "none" in one.value]
    ever = any("ever" in one.value for one in reading.marks("reach", last.start, last.end))
    if reading.marks("metrics", last.end, place) or (counted and not ever):
        return ""
    between = reading.text[last.end : place].lower().split()
    return "hardly" if _degrees().intersection(between) else "not"


@cache
def _degrees() -> frozenset[str]:
    return frozenset(word for keys in lexicons.table("change_words").values() for word in keys["degree"])


def speaks_back(reading: Read, inside: Sequence[NumericClaim], place: int, start: int, end: int) -> bool:
    """Whether the words around a number speak of an earlier time ("it had been $5"), or its sentence goes on to another
    number of its kind, which that may have become."""
    number, behind = inside[place], inside[place + 1 :]
    if any((one.kind, one.unit) == (number.kind, number.unit) for one in behind):
        return True
    low = inside[place - 1].end if place else start
    high = behind[0].start if behind else end
    based = [one for one in reading.spoken(low, high) if one.is_base]
    return any(
        not any(one.start <= mark.start < one.end for one in based)
        for mark in reading.marks("earlier", low, high)
    )


def denied(reading: Read, number: NumericClaim, start: int) -> bool:
    """Whether a "not" stands before the words of a bound and outside them: "may not go above"."""
    bounds = reading.marks("bounds", max(start, number.start - _LONG_REACH), number.start)
    low = bounds[-1].start if bounds else number.start - _REACH
    negated = reading.marks("negations", max(start, low - _REACH), low)
    return bool(negated) and not _DIGIT.search(reading.text, negated[-1].end, low)


def more_than(reading: Read, number: NumericClaim, before: NumericClaim | None) -> bool:
    """Whether words of a bound say how far another number lies from this one: "16 % more than the $1.7 million"."""
    if before is None or number.bound is None:
        return False
    marks = reading.marks("bounds", before.end, number.start)
    return bool(marks) and not reading.text[before.end : marks[0].start].strip()


def direction(reading: Read, number: NumericClaim, stretches: Sequence[tuple[int, int]], start: int) -> str:
    """Where a change went: by the words at the number, else by the nearest before it in its sentence."""
    own = [mark for low, high in stretches for mark in reading.marks("directions", low, high)]
    near = sorted(own, key=lambda mark: max(mark.start - number.end, number.start - mark.end))
    if (
        len(near) > 1
        and {"up", "down"} <= near[0].value | near[1].value
        and _is_or(reading, near[1], near[0])
    ):
        return "either"  # "the increase / (decrease) in"
    if near and near[0].value & {"improve", "worsen"}:
        return min(near[0].value)
    if number.unit == "pp" and (apart := _apart(reading, number)):
        return apart
    if number.direction:
        return number.direction
    if near:
        return min(near[0].value)
    earlier = reading.marks("directions", start, number.start)
    if not earlier or _apart(reading, number) or _goes_on(reading, earlier[-1].end, number.start):
        return ""
    way = min(earlier[-1].value)
    return "" if _AGAINST.get(way, "") in _further(reading, number) else way


_AGAINST = {"up": "less_than", "down": "more_than"}


def _further(reading: Read, number: NumericClaim) -> frozenset[str]:
    """On which side words right behind a number say that it lies: "orthopaedics saw 390 fewer"."""
    behind = reading.marks("further", number.end, number.end + _REACH)[:1]
    close = behind and not reading.text[number.end : behind[0].start].strip()
    return behind[0].value if close else frozenset()


def _goes_on(reading: Read, low: int, high: int) -> bool:
    """Whether another clause that names a figure of its own stands between: "revenue grew to 5, and the margin was 13 %"."""
    begun = CLAUSE.search(reading.text, low, high)
    return begun is not None and bool(reading.marks("metrics", begun.end(), high))


def _apart(reading: Read, number: NumericClaim) -> str:
    """On which side of something so many points lie: "recovered to 94.5 %, 2.8 points short of the peak"."""
    for mark in reading.marks("order", number.end, number.end + _REACH)[:1]:
        if len(reading.text[number.end : mark.start].split()) <= _UNIT:
            return "up" if "ahead" in mark.value else "down" if "behind" in mark.value else ""
    return ""


def _is_or(reading: Read, first: Mark[frozenset[str]], second: Mark[frozenset[str]]) -> bool:
    """Whether nothing but a stroke or a bracket stands between two words."""
    return not reading.text[first.end : second.start].strip(" /(")


def names_figure(own: Tier) -> bool:
    """Whether words name which figure a number is: "the 121,500 of debt service", "850,000 in Q3 2023"."""
    return bool(own.periods) or any(map(is_meaning, own.words))


def spoken_of(reading: Read, earlier: Sequence[NumericClaim], start: int) -> NumericClaim | None:
    """The last of some numbers that is not only what another came from: "weakened to 3.1x from 3.8x, well over"."""
    return next((one for one in reversed(earlier) if not led_by(reading, "bases", _FROM, one, start)), None)


def _is_limit(reading: Read, start: int, end: int) -> bool:
    """Whether the words right before a number call it a limit: "31, above its limit of 50"."""
    return any(mark.value & LIMITS for mark in reading.marks("roles", start, end))


def outdone(reading: Read, number: NumericClaim, before: NumericClaim | None) -> NumericClaim | None:
    """The number before, where words of a bound compare it with this one: "1.05x is below the 1.20x minimum"."""
    if before is None or (before.kind, before.unit) != (number.kind, number.unit) or number.unit == "pp":
        return None
    marks = [
        mark
        for mark in reading.marks("bounds", before.end, number.start)
        if mark.value & _SIDES
        and not any(one.value & _CAME for one in reading.marks("bases", mark.start, mark.end))
    ]
    if not marks or number.start - marks[-1].end > _FAR:
        return None
    if number.kind not in _MEASURED and not _is_limit(reading, marks[-1].end, number.start):
        return None
    led = reading.text[before.end : marks[-1].start]
    joints = reading.marks("joints", before.end, marks[-1].start)
    parted = _HARD.search(led) or any(
        joint.value & _AGAIN and reading.text[joint.end : marks[-1].start].strip() for joint in joints
    )
    own = reading.text[marks[-1].end : number.start]
    if reading.marks("multiples", marks[-1].start, number.start):
        return None  # "less than twice the 109,100"
    far = max(before.value, number.value) > _ALIKE * min(before.value, number.value)  # type: ignore[operator]  # Decimals
    if (
        not led.strip()
        or _DISTANCE.search(led)
        or parted
        or far
        or _names_another(reading, before, marks[-1])
        or reading.marks("directions", before.end, marks[-1].start)
        or any(sign in own for sign in ",;，；")
        or _is_move(reading, before)
    ):
        return None
    return before


def _names_another(reading: Read, before: NumericClaim, words: Mark[frozenset[str]]) -> bool:
    """Whether words of a bound speak of a figure that is named behind a number: "expenses were 1.0m, and NOI was over"."""
    low = next(iter(reading.marks("joints", before.end, words.start)), None)
    return low is not None and bool(reading.marks("metrics", low.end, words.start))


def _is_move(reading: Read, number: NumericClaim) -> bool:
    """Whether a number is how far something went: "rose 3 % to above 90 %"."""
    low = max(number.start - _REACH, 0)
    marks = reading.marks("directions", low, number.start)
    touches = bool(marks) and not reading.text[marks[-1].end : number.start].strip(" $€£₪¥~≈")
    return bool(number.direction) or touches or led_by(reading, "arrivals", _BY, number, low)


def roles(reading: Read, number: NumericClaim, stretches: Iterable[tuple[int, int]]) -> frozenset[str]:
    """The roles that words before a number and right behind it may mean, parts of names among them: "a budget of $5",
    "the $5 budget"."""
    marks = [mark for low, high in stretches for mark in reading.marks("roles", low, high)]
    near = reading.marks("roles", number.end, number.end + _REACH)
    marks += [one for one in near if one.start <= number.end + 1]
    return frozenset(key for mark in marks for key in mark.value)


def called(reading: Read, number: NumericClaim, start: int) -> frozenset[str]:
    """The role that words give a number itself, not what it is compared with: "a budget of $5", "budgeted $5 for books", "$5
    was planned"; of "$5 against a budget of $6", "$5, under budget" the first has none."""
    marks = reading.marks("roles", max(start, number.start - _NAMES), number.start)
    if marks and _gives(reading, marks[-1], number, start):
        return marks[-1].value
    for near in reading.marks("roles", number.end, number.end + _REACH)[:1]:
        if _is_plain(reading, number.end, near.start) and not _leads_away(reading, near):
            return near.value
    return frozenset()


def _leads_away(reading: Read, role: Mark[frozenset[str]]) -> bool:
    """Whether the words of a role are those of the next number, "614 of a planned 780", or a Hebrew "from" is part of them."""
    if reading.text.startswith(_FROM_THE, role.start):
        return True
    ahead = reading.written(role.end, role.end + _REACH)[:1]
    return bool(ahead) and not reading.text[role.end : ahead[0].start].strip()


def _gives(reading: Read, role: Mark[frozenset[str]], number: NumericClaim, start: int) -> bool:
    """Whether the words of a role before a number are said of it."""
    low = role.end
    if BREAK.search(reading.text, low, number.start) or reading.written(low, number.start):
        return False
    if HAN.match(reading.text, low) and reading.within(low, number.start):
        return False  # 一般公共预算收入: the words are part of a name
    if led_by(reading, "arrivals", _BY, number, start) or any(
        reading.marks(table, low, number.start) for table in ("bases", "bounds", "roles", "joints")
    ):
        return False
    if any(one.end + 1 >= role.start for one in reading.written(role.start - _REACH, role.start)):
        return False  # "under its $9 million budget at a cost of $8 million"
    before = [
        mark
        for table in ("bases", "bounds")
        for mark in reading.marks(table, max(start, role.start - _REACH), role.end)
    ]
    compared = any(
        _DIRECT.fullmatch(reading.text, mark.end, role.start) or mark.end > role.start for mark in before
    )
    return not compared or _OF_IT.fullmatch(reading.text, low, number.start) is not None


def _is_plain(reading: Read, low: int, high: int) -> bool:
    """Whether nothing between a number and the words behind it compares the two."""
    return (
        _DIRECT.fullmatch(reading.text, low, high) is not None
        and not reading.within(low, high)
        and not any(reading.marks(table, low, high) for table in ("bases", "bounds", "joints"))
    )


def led_by(reading: Read, table: str, keys: frozenset[str], number: NumericClaim, start: int) -> bool:
    """Whether words of these meanings stand directly before a number."""
    return leading(reading, table, keys, number, start) is not None


def distance(reading: Read, number: NumericClaim) -> str:
    """The side on which something lies, by a share without digits, of something else, as the words right beside it say: "a
    fifth above" is ``ahead``, "down nearly a quarter" ``behind``; empty where it is a share of a whole."""
    if not str(number.value).startswith("multiples:0"):
        return ""
    ahead = [mark for table in _TELLING for mark in reading.marks(table, number.start, number.end + _REACH)]
    told = [mark for mark in ahead if not reading.text[number.end : mark.start].strip()]
    before = reading.marks("directions", max(number.start - _REACH, 0), number.start)[-1:]
    told += [mark for mark in before if not _said_between(reading, mark.end, number.start, _DEGREES | _SIDES)]
    return next((_SIDED[key] for mark in told for key in sorted(mark.value) if key in _SIDED), "")


def compared_with(reading: Read, number: NumericClaim, start: int) -> bool:
    """Whether a number is what another is compared with, the words that qualify it between: "比公司整体的97.2%低"."""
    marks = reading.marks("bases", max(start, number.start - _REACH), number.start)
    own = [mark for mark in marks if mark.value & _VERSUS and not _is_bound(reading, number, mark)]
    return bool(own) and _QUALIFIED.fullmatch(reading.text, own[-1].end, number.start) is not None


def leading(
    reading: Read, table: str, keys: frozenset[str], number: NumericClaim, start: int
) -> Mark[frozenset[str]] | None:
    """The words of these meanings that stand directly before a number."""
    degrees, far = (_DEGREES | _SIDES, _LONG_REACH) if keys == _BY else (_DEGREES, _REACH)
    marks = [
        mark
        for mark in reading.marks(table, max(start, number.start - far), number.start)
        if mark.value & keys and not (table == "bases" and _is_bound(reading, number, mark))
    ]
    return marks[-1] if marks and not _said_between(reading, marks[-1].end, number.start, degrees) else None


def _is_bound(reading: Read, number: NumericClaim, mark: Mark[frozenset[str]]) -> bool:
    """Whether words of comparing make a bound of a number rather than a base: "just over 1.7x", "למעלה מ-2%"."""
    if number.bound is None:
        return False
    around = reading.marks("bounds", max(mark.start - _REACH, 0), mark.end)
    return "than" in mark.value or any(
        one.start < mark.start and mark.end <= one.end and one.value & _SIDES for one in around
    )


def _said_between(reading: Read, low: int, high: int, degrees: frozenset[str]) -> str:
    """What stands between words and the number that they lead to, but for how exact it is: "widened to about 33.6 %"; of how
    far something went also for its bound: "a rise of more than 2 %"."""
    said = reading.text[low:high]
    for mark in reversed(reading.marks("bounds", low, high)):
        if mark.value & degrees:
            said = said[: mark.start - low] + said[mark.end - low :]
    return _ARTICLE.sub("", said).strip(" .$€£₪¥(~≈-−")
