"""What a text claims without digits: that something rose, doubled, was a loss or the highest, or is one in five."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence, Set
from decimal import Decimal
from functools import cache
from itertools import accumulate, islice, pairwise

import regex

from detection.core import lexicons, periods
from detection.core.lexicons import Mark, Words
from detection.core.quantities.measures import DURATIONS, measured_in
from detection.core.types import NumericClaim

TABLES = ("directions", "multiples", "order", "polarity")
"""The tables of the lexicons whose phrases make a claim of kind ``change``; its value is ``table:key``."""
_BREAK = regex.compile(r"[.,;:!?](?!\d)|[\n，。；：！？]|\s(?:while|whereas|although|but)\s")
_VALUED = regex.compile(r"(?r)[\d%x]\s$")
_WORD = regex.compile(r"[\p{L}’'-]+")
_BACK = regex.compile(r"(?r)([\p{L}’'-]+)\s+")
_FIGURES = frozenset(("currency", "percentage", "ratio"))
_MOST_ADVERBS = 2
_CLAUSE = 40  # signs of a Chinese clause before its predicate
_BESIDE = 5  # characters between the name of a figure and what it is
_ENDS = ("order:maximum", "order:minimum")
_NOT_BEFORE_NUMBERS = ("directions:flat", "order:next")  # "held at 95 %", "followed by 1.25x"


def unwritten(body: str, language: str, written: Sequence[NumericClaim]) -> list[NumericClaim]:
    """The claims that ``body`` makes without digits, outside the numbers ``written`` in it, in order.

    A word of change claims something where it is a verb of its subject; a noun, an adjective or a preposition only in a
    clause that names a figure; what is part of a name nothing.
    """
    words = Words(body)
    taken = _covers([(one.start, one.end) for one in written])
    spelled = {
        one.start for one in written if one.kind == "number" and one.noun and body[one.start].isalpha()
    }
    found = [
        NumericClaim(
            "change", body[mark.start : mark.end], mark.start, mark.end, f"{table}:{min(mark.value)}", ""
        )
        for table in TABLES
        for mark in lexicons.phrases(table).find(words)
        if not taken(mark.start, mark.end) or (mark.start in spelled and _is_part(table, mark))
    ]
    found += [*_fractions(body, words, written), *_parted(body, words, written)]
    starts = {one.start for one in written if one.kind != "date"}
    found = [one for one in found if not (one.value in _NOT_BEFORE_NUMBERS and one.end + 1 in starts)]
    named = _covers([(one.start, one.end) for one in periods.find(body, language)])
    found = [one for one in found if not named(one.start, one.end) and not _is_limit(body, one)]
    kept: list[NumericClaim] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    kept = [one for one in kept if not _is_below_zero(body, one, kept, written)]
    if not kept:
        return []
    figures = [(mark.start, mark.end) for mark in lexicons.phrases("metrics").find(words)]
    figures += [(one.start, one.end) for one in written if one.kind in _FIGURES]
    clauses = _Clauses(body, figures)
    return [
        one
        for one in kept
        if not _is_name(body, one) and (_is_said(body, one) or clauses.name_a_figure_beside(one))
    ]


def _is_below_zero(
    body: str, one: NumericClaim, claims: Sequence[NumericClaim], written: Sequence[NumericClaim]
) -> bool:
    """Whether a word for a profit only names a figure that is below zero: "净利润为负", "profit of −$5 million"."""
    if one.value != "polarity:profit":
        return False
    loss = next(
        (each.start for each in claims if each.value == "polarity:loss" and each.start >= one.end), None
    )
    if loss is not None and loss - one.end <= _BESIDE:
        return True
    figure = next((each for each in written if each.kind in _FIGURES and each.start >= one.end), None)
    if figure is None or Decimal(figure.value) >= 0:
        return False
    return _BREAK.search(body, one.end, figure.start) is None


def _is_part(table: str, mark: Mark[frozenset[str]]) -> bool:
    """Whether words say what part of something is meant, though they begin with a number: "one quarter of the"."""
    return table == "multiples" and Decimal(min(mark.value)) < 1


def _is_limit(body: str, one: NumericClaim) -> bool:
    """Whether a word right behind a number calls it a limit: "the 55 % maximum"."""
    return one.text.lower() in _words("limiting") and _VALUED.search(body, 0, one.start) is not None


def _is_name(body: str, one: NumericClaim) -> bool:
    """Whether a word stands in a name: with a capital beside another word with one; two capitals and no abbreviation."""
    if not one.text[0].isupper() or one.text.isupper():
        return False
    before, behind = _BACK.match(body, 0, one.start), _WORD.match(body, one.end + 1)
    ahead = before is not None and not before[1].isupper() and before[1][0].isupper()
    return ahead or (behind is not None and behind[0].istitle() and not one.text.lower().endswith("ed"))


def _is_said(body: str, one: NumericClaim) -> bool:
    """Whether a word says something of a subject by itself: a verb of the past, "was up", a word of another script."""
    text = one.text.lower()
    if text in _words("doubtful"):
        return one.value in _ENDS and _is_predicate(body, one)
    table = str(one.value).partition(":")[0]
    if table != "directions" or not text.isascii():
        return True
    if text.endswith("er") and _after_article(body, one):
        return False
    first = text.split()[0]
    if not _after_article(body, one) and (first.endswith("ed") or first in _words("past") or "not" in text):
        return True
    place, adverbs = one.start, 0
    while (before := _BACK.match(body, 0, place)) is not None:
        word = before[1].lower()
        if word in _words("said_of"):
            return True
        if adverbs == _MOST_ADVERBS or not (word in _words("adverb") or word.endswith("ly")):
            return False
        place, adverbs = before.start(), adverbs + 1
    return False


def _is_predicate(body: str, one: NumericClaim) -> bool:
    """Whether the clause of a Chinese word begins with what links it to the subject of the one before: "，是各季度中最低的"."""
    if one.text.isascii():
        return False
    low = max(one.start - _CLAUSE, 0)
    begun = max((found.end() for found in _BREAK.finditer(body, low, one.start)), default=0)
    return begun > 0 and body.startswith(tuple(_words("said_of")), begun)


def _after_article(body: str, one: NumericClaim) -> bool:
    before = _BACK.match(body, 0, one.start)
    return before is not None and before[1].lower() in ("the", "a", "an", "this", "that", "its", "their")


class _Clauses:
    """Where the clauses of a text begin and end, and the figures in them."""

    def __init__(self, body: str, figures: Sequence[tuple[int, int]]) -> None:
        breaks = [found.span() for found in _BREAK.finditer(body)]
        self._starts, self._ends = [start for start, _ in breaks], [end for _, end in breaks]
        self._figures, self._length = sorted(figures), len(body)

    def name_a_figure_beside(self, one: NumericClaim) -> bool:
        """Whether the clause of a word names a metric or states an amount, outside the word itself."""
        before = bisect_right(self._ends, one.start)
        low = self._ends[before - 1] if before else 0
        behind = bisect_left(self._starts, one.end)
        high = self._starts[behind] if behind < len(self._starts) else self._length
        for start, end in islice(self._figures, bisect_left(self._figures, (low, 0)), None):
            if start >= high:
                return False
            if end <= high and (end <= one.start or one.end <= start):
                return True
        return False


def _covers(stretches: Sequence[tuple[int, int]]) -> Callable[[int, int], bool]:
    """Tells whether a stretch of a text touches any of these, in the time of a search."""
    ordered = sorted(stretches)
    starts = [start for start, _ in ordered]
    reached = [0, *accumulate((end for _, end in ordered), max)]
    return lambda start, end: reached[bisect_left(starts, end)] > start


@cache
def _words(key: str) -> frozenset[str]:
    return frozenset(word for keys in lexicons.table("change_words").values() for word in keys[key])


_FAR = 8  # characters from one number of a share to the next
_DIGITS = Decimal("0.000001")
_EVERY = "每"


def _fractions(body: str, words: Words, written: Sequence[NumericClaim]) -> Iterator[NumericClaim]:
    """The shares that a text says as one number word in another, the second of which counts things: "one in five homes",
    "three out of ten", 每五户中有一户."""
    ends = {one.start: one for one in written}
    for first, second in pairwise(lexicons.phrases("numbers").find(words)):
        between = body[first.end : second.start]
        own, other = (Decimal(min(mark.value)) for mark in (first, second))
        if len(between) - 2 > _FAR or not 0 < min(own, other) < max(own, other) or not _is_each(between):
            continue
        is_han = body[first.start - 1 : first.start] == _EVERY
        counted = ends.get(second.start)
        if is_han == (own > other) and (counted is None or _counts(counted, second)):
            share = (min(own, other) / max(own, other)).quantize(_DIGITS)
            start, end = first.start - is_han, second.end
            if is_han and body[first.end] == body[end : end + 1]:
                end += 1  # the measure is said twice: 每五户中有一户
            value = f"multiples:{share.normalize():f}"
            yield NumericClaim("change", body[start:end], start, end, value, "")


def _is_each(between: str) -> bool:
    """Whether words between two numbers end in those that say "of so many"."""
    marks = [mark for mark in lexicons.phrases("members").find(Words(between)) if "each" in mark.value]
    if not marks or between[marks[-1].end :].strip():
        return False
    return not between[: marks[-1].start].strip() or not between.isascii()


def _counts(number: NumericClaim, mark: Mark[frozenset[str]]) -> bool:
    """Whether a number is one word and no time: "one in five million", "two in three years"."""
    return number.end == mark.end and number.kind == "number" and measured_in(number) not in DURATIONS


_MOST_BETWEEN = 4  # words
_AMOUNTS = ("multiples", "numbers", "directions")


def _parted(body: str, words: Words, written: Sequence[NumericClaim]) -> Iterator[NumericClaim]:
    """What is said to be more or less than another thing, whose name parts the words: "more patients than beds"; "$5 more
    than" says that of a number."""
    taken = _covers([(one.start, one.end + 2) for one in written])
    than = [place for place, word in enumerate(words.words) if word in _words("than")]
    marks = {mark.end: mark for mark in lexicons.phrases("further").find(words)} if than else {}
    amounts = (
        {mark.start for table in _AMOUNTS for mark in lexicons.phrases(table).find(words)} if marks else set()
    )
    for place in than:
        yield from _degrees(body, words, place, taken)
        for before in range(place - 1, max(place - 2 - _MOST_BETWEEN, -1), -1):
            if not words.joined(before + 1):
                break
            mark = marks.get(words.spans[before][1])
            if mark is None or taken(mark.start, words.spans[place][1]):
                continue
            if before + 1 == place and _is_bound(words, place + 1, amounts):
                break
            side = "ahead" if "more_than" in mark.value else "behind"
            end = words.spans[place][1]
            yield NumericClaim("change", body[mark.start : end], mark.start, end, f"order:{side}", "")
            break


def _degrees(
    body: str, words: Words, place: int, taken: Callable[[int, int], bool]
) -> Iterator[NumericClaim]:
    """What a comparative before "than" says, where words of order know its superlative: "longer than", "a bigger team than";
    "cheaper" as "cheapest" is the lowest."""
    for before in range(place - 1, max(place - 2 - _MOST_BETWEEN, -1), -1):
        if not words.joined(before + 1):
            return
        word, (start, _), (_, end) = words.words[before], words.spans[before], words.spans[place]
        side = _sides().get(word)
        if side and not taken(start, end):
            yield NumericClaim("change", body[start:end], start, end, f"order:{side}", "")
            return


_SUPERLATIVE = regex.compile(r"[a-z]*[aeiouy][a-z]*est")


@cache
def _sides() -> dict[str, str]:
    """Comparatives of one word by the side that they say, out of the superlatives of words of order; "later" is one of dates."""
    ends = {"maximum": "ahead", "minimum": "behind"}
    order = lexicons.table("order")["en"]
    return {
        f"{word.removesuffix('est')}er": side
        for key, side in ends.items()
        for word in order.get(key, ())
        if _SUPERLATIVE.fullmatch(word) and word not in _words("doubtful")
    }


def _is_bound(words: Words, place: int, amounts: Set[int]) -> bool:
    """Whether an amount stands behind "more than", which is then a bound on it: "more than doubled", "more than $5"."""
    if place >= len(words.words) or not (words.joined(place) and words.words[place].isalpha()):
        return True
    return words.spans[place][0] in amounts
