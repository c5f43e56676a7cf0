"""Which of the periods or properties that a sentence names a number belongs to.

Both follow one order: the one right behind the number ("$1.2M in Q3 2024", "88 % at Maple Court"), else the
nearest before it, else one that follows for all ("revenue was $3M and NOI $1.2M in Q3 2024"). What a figure is
compared with ("up from Q2 2024", "more than Maple Court") counts only for a number of its own.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from detection.core.binding.cues import COMPARING, Cues
from detection.core.types import NumericClaim

_LOOKED_AT = 8  # named things on either side of a number
_BESIDE = 60
_CLOSE = 14
_WITHIN = 40
_PREPOSITION = regex.compile(
    r"(?:.*\b(?:in|at|for|of|during|on|by|through|as\sof)(?:\s(?:the|its|end\sof|year|the\send\sof|the\syear|fiscal|month\sof|quarter|year\sended|full\syear))*\s|.*\sשל\s|.*\sבשנת\s|.*\sבחודש\s"
    r"|.*\sב-?|\s?[(（\[:：–-]?\s?|[\s]?[（(]?)",
    regex.DOTALL,
)
_OPENED = regex.compile(r"[(（]")
_COPULA = regex.compile(r"\s?(?:[:：为為是达達]|(?:was|were|is)\b)")  # it is the subject of what follows
_ARTICLE = regex.compile(r"\b(?:the|a)\s")
_GLUED = "בל"
_AND_PREFIX = "ו"
_FROM_PREFIX = "מ"
_JOINED = regex.compile(
    r"\s*(?:,|、|，|;|/|&|and\b|as\swell\sas\b|和|及|与|與|以及|ו)[\s-]*(?:and\s|ו-?|和)?(?:for\s|in\s|at\s|of\s|the\s|its\s|ב-?|ה-?)*"
)
_OR_TO = regex.compile(
    r"\s*(?:,|、|，|and\b|和|及|与|ו|to\b|through\b|–|-|至|到|增至|增长到|增加到|增長到|升至|上升至|提高到|降至|下降到|下降至|减少到|減少至|ל|ועד|עד)[\s-]*(?:ל-?|ב-?|ה-?)?"
)
_TO = regex.compile(r"\s*(?:to|ל-?|至|到|增至|升至|降至|减至|減至)\s*")  # where a change arrived
_ARRIVES = regex.compile(r"(?:\bto|[至到])\s?$")  # what follows is of the number behind it
_ASIDE = regex.compile(r"[\s,，(（]*(?:having|after|before|לאחר|אחרי|לפני|此前|之前)\b")
_RELATIVE = regex.compile(r"[\s,，]*(?:which|who|שהיה|שהייתה|שהיו|שעמד|שעמדה)\b")
_YIELDED = regex.compile(
    r"(?r)\b(?:produc(?:ed|es)|yield(?:ed|s)|generat(?:ed|es)|left|leaves|g[ai]ves?|resulted\sin|results\sin|made|makes?)\s(?:an?\s|the\s)?"
)
_BY_THE_WAY = regex.compile(r"\s*(?:with|given|despite|on|at|based\son|עם|בהינתן)\s")
_LONGEST_JOINT = 24
_NEAR_ROWS = 3


@dataclass(frozen=True, slots=True)
class Named:
    """A period or property that a sentence names. ``value`` is None for one that is no single one.

    ``base``: a figure is only compared with it. ``event``: something happened then or there. ``loose``: it needs
    no preposition to belong to the number before it ("$1.1M a year earlier").
    """

    start: int
    end: int
    value: str | None
    base: bool = False
    event: bool = False
    loose: bool = False


class Attachment:
    """The periods, or the properties, of one sentence, and which of them each of its numbers belongs to."""

    def __init__(
        self, marks: Cues, start: int, named: Sequence[Named], numbers: Sequence[NumericClaim]
    ) -> None:
        self._marks, self._named, self._low = marks, named, start
        self._starts = [one.start for one in named]
        self._ends = [one.end for one in named]
        self.beside = [self._beside(number) if named else None for number in numbers]
        self._taken = {
            one.start
            for number, one in zip(numbers, self.beside, strict=True)
            if one and compared(marks, start, number.start)
        }
        self._asides = {one.start for one in named if self._aside(one)}
        self._taken |= self._asides

    def _beside(self, number: NumericClaim) -> Named | None:
        """The one that follows ``number`` directly and is said of it alone."""
        place = bisect_left(self._starts, number.end)
        if place == len(self._named):
            return None
        one = self._named[place]
        gap = one.start - number.end
        if gap > _BESIDE or one.event or one.value is None or self._parted(number.end, one.start):
            return None
        if gap > _CLOSE and self._just_before(number):
            return None
        words = self._marks.text.folded[number.end : one.start]
        first = self._marks.text.folded[one.start]
        if first == _AND_PREFIX or (one.base and first == _FROM_PREFIX):
            return None
        if _OPENED.search(words) and _COPULA.match(self._marks.text.folded, one.end):
            return None
        loose = one.loose and len(_ARTICLE.sub("", words).split()) <= 1 and not _ARRIVES.search(words)
        if loose or _PREPOSITION.fullmatch(words):
            return one
        glued = self._marks.text.folded[one.start] in _GLUED
        return one if glued and gap <= _CLOSE else None

    def before(self, number: NumericClaim) -> Named | None:
        """The nearest one before ``number`` that is also said of it."""
        last = bisect_right(self._ends, number.start) - 1
        for one in reversed(self._named[max(0, last + 1 - _LOOKED_AT) : last + 1]):
            own = self.own(one, number)
            if one.event and not (own and number.kind == "currency"):
                continue
            if one.start in self._taken and _TO.fullmatch(self._marks.text.folded, one.end, number.start):
                continue
            if own or not (one.base or one.start in self._taken):
                return one
        return None

    def behind(self, number: NumericClaim) -> Named | None:
        """One further behind that is said of all numbers before it."""
        first = bisect_left(self._starts, number.end)
        for one in self._named[first : first + _LOOKED_AT]:
            if self._marks.set_against(number.end, one.start):
                return None
            if one.base or one.event:
                continue
            if one.start in self._asides and self._marks.broken(number.end, one.start):
                continue
            if not self._leads(one) or self._opens_main(number, one):
                return one
        return None

    def _aside(self, one: Named) -> bool:
        """Whether ``one`` stands in a clause that only looks back: ", which had been 9 % a year earlier,"."""
        marks = self._marks
        folded, clause = marks.text.folded, marks.clause(self._low, one.start)
        if clause == self._low:
            return False
        goes_on = folded[one.end : one.end + 1] in (",", "，")
        return _ASIDE.match(folded, clause) is not None or (
            goes_on and _RELATIVE.match(folded, clause) is not None
        )

    def _opens_main(self, number: NumericClaim, one: Named) -> bool:
        """Whether what ``number`` states led to a result of ``one``: "With expenses at $1M, Q2 2024 left NOI of $2M",
        "Revenue of $3M and expenses of $1M produced Q2 2024 NOI of $2M"."""
        marks = self._marks
        if _YIELDED.match(marks.text.folded, max(number.end, one.start - _WITHIN), one.start):
            return not marks.broken(number.end, one.start)
        opening = _BY_THE_WAY.match(marks.text.folded, self._low)
        begins = marks.clause(self._low, one.start)
        return (
            opening is not None
            and marks.bare(begins, one.start)
            and not marks.broken(self._low, number.start)
        )

    def main(self) -> list[Named]:
        """Those that the sentence is about: not what it compares with, nor dates of events."""
        return [one for one in self._named if not (one.base or one.event or one.start in self._taken)]

    def own(self, one: Named, number: NumericClaim) -> bool:
        """Whether ``number`` is the first behind ``one``, in the same clause. What has changed since is not of then."""
        marks, low, high = self._marks, one.end, number.start
        return not (
            marks.broken(low, high)
            or marks.numbered(low, high)
            or (one.base and marks.said("change", low, high))
        )

    def _just_before(self, number: NumericClaim) -> bool:
        last = bisect_right(self._ends, number.start) - 1
        return last >= 0 and not self._parted(self._ends[last], number.start)

    def _parted(self, low: int, high: int) -> bool:
        marks = self._marks
        return marks.numbered(low, high) or marks.broken(low, high) or marks.set_against(low, high)

    def _leads(self, one: Named) -> bool:
        """Whether ``one`` has a number of its own behind it."""
        numbers, breaks = self._marks.numbers, self._marks.breaks
        place = bisect_left(numbers, one.end)
        if place == len(numbers) or numbers[place] - one.end > _BESIDE:
            return False
        return bisect_left(breaks, one.end) == bisect_left(breaks, numbers[place])


def compared(marks: Cues, start: int, place: int, meanings: Sequence[str] = COMPARING) -> bool:
    """Whether what stands at ``place`` is what another is compared with ("up from", "versus NOI of"): a cue of one of
    these meanings stands shortly before, in its clause of the sentence from ``start``, no number between."""
    cues = (marks.last_cue(meaning, max(start, place - _WITHIN), place) for meaning in meanings)
    return any(
        not (
            marks.numbered(cue.end, place)
            or marks.broken(cue.end, place)
            or marks.said("change", cue.end, place)
        )
        for cue in cues
        if cue
    )


def in_order(
    text: str,
    numbers: Sequence[NumericClaim],
    named: Sequence[tuple[int, int, str | None]],
    *,
    ranges: bool = False,
) -> dict[int, str | None]:
    """Numbers that stand in a row belong to as many names in a row, by order ("NOI and debt service were $1.2M and
    $0.9M, respectively"): the values by place of the number in ``numbers``. With ``ranges``, "from … to …" is a row."""
    if len(numbers) < 2 or len(named) < 2:
        return {}
    rows = _rows(text, [(number.start, number.end) for number in numbers], ranges)
    lists = _rows(text, [(one[0], one[1]) for one in named], ranges)
    found: dict[int, str | None] = {}
    for low, high in rows:
        first, last = numbers[low].start, numbers[high - 1].end
        place = bisect_left(lists, first, key=lambda row: named[row[0]][0])
        near = [
            (min(abs(first - named[upto - 1][1]), abs(named[start][0] - last)), start)
            for start, upto in lists[max(0, place - _NEAR_ROWS) : place + _NEAR_ROWS]
            if upto - start == high - low and (named[upto - 1][1] <= first or named[start][0] >= last)
        ]
        if near:
            start = min(near)[1]
            found.update((low + step, named[start + step][2]) for step in range(high - low))
    return found


def _rows(text: str, spans: Sequence[tuple[int, int]], ranges: bool) -> list[tuple[int, int]]:
    """The runs of at least two spans with nothing but "and" or commas between them."""
    rows, low = [], 0
    for place in range(1, len(spans) + 1):
        if place < len(spans) and _joined(text, spans[place - 1][1], spans[place][0], ranges):
            continue
        if place - low > 1:
            rows.append((low, place))
        low = place
    return rows


def _joined(text: str, low: int, high: int, ranges: bool) -> bool:
    if not 0 < high - low <= _LONGEST_JOINT:
        return False
    if text[high] == "ו" and text[low:high].isspace():  # Hebrew joins by a prefix, a part of the name
        return True
    return bool(_JOINED.fullmatch(text, low, high) or (ranges and _OR_TO.fullmatch(text, low, high)))
