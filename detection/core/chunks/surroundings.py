"""What stands around a number of running text: its words, its year, what leads to it (NUM-06).

A sentence often states several numbers; the words and the year of one are those nearest to it, not all of its
sentence. Lists that end in "respectively" pair numbers and years by their order.
"""

from dataclasses import dataclass

import regex

from detection.core.chunks.places import Words, words, years
from detection.core.numbers import fold

_REACH = 600  # characters on either side in which the ends of the sentence are looked for
_BEFORE, _BEHIND = 70, 60  # characters whose words belong to the number
_SENTENCE = regex.compile(r"(?<!\b(?:no|inc|corp|vs|mr|ms))[.!?;](?=\s)|[。！？；\n]")
_SENTENCE_BACK = regex.compile(f"(?r){_SENTENCE.pattern}")  # searched from the end of a text
_YEAR = regex.compile(
    r"(?:19|20)\d\d/\d\d(?!\d)|(?<![\d.$])(?:19|20)\d\d(?![\d.,]\d|\d)|\bf(?:y\s?)?\d\d(?!\d)"
)
_TOGETHER = regex.compile(r"\brespectively\b|בהתאמה|分别|分別")
_AMOUNT = regex.compile(r"[$€£¥₪]?\s?\(?\d[\d,.]*\d\)?|(?<![\w.])\d(?!\d)")
_STOP = regex.compile(
    r"[$€£¥₪]\s?\(?\d[\d,.]*\)?|\d[\d,]*[.,]\d+|\d[\d,.]*(?=\)?\s?(?:%|percent|million|billion|thousand|bn\b|מיליון|אלף|[万亿]))|(?<!\d)(?!(?:19|20)\d\d(?!\d))\d{3,}"
)  # an amount that ends the stretch of words of its neighbour: no year, no day of a month
_AMOUNT_BETWEEN = regex.compile(r"[$€£¥₪]|\d[.,]\d|million|billion|thousand|%|;|מיליון|亿|万")
_JOIN = regex.compile(
    r"\W*(?:(?:%|percent|million|billion|thousand|מיליון|אלף|and|to|ו-?|[和及、])\W*)*+[$€£¥₪]?\W*"
)
_YEARS_JOIN = regex.compile(
    r"\W*(?:(?:and|in|at|as of|the|fiscal|years?|ended|ending|[a-z]{3,9}\.? \d\d?|ו-?|[和及年、])\W*)*+"
)
_BEHIND_YEAR = 60
_GROUP = regex.compile(r"\(\s*((?:19|20)\d\d(?:/\d\d)?)[^()]{0,12}$")
_CLAUSE = regex.compile(r"[,;:()，；、]|\b(?:and|while|but|or)\b|\sו|[和及]")
_CLAUSE_BACK = regex.compile(f"(?r){_CLAUSE.pattern}")
_ANOTHER = regex.compile(r"\s*\(\D{0,12}(?:19|20)\d\d(?:/\d\d)?\s*:")  # "7 (2018: 16)": the year of the 16
_QUARTER = regex.compile(r"\b(?:q[1-4]|[1-4]q)(?![a-z])")  # a period beside a number does not name it
_BY = regex.compile(r"\b(?:by|increase of|decrease of|change of)\W*$|ב-?\W*$|[增减減]\w?\W*$")
_TO = regex.compile(r"\b(?:to|from|at|was|were|is|total(?:l?ed|l?ing)?|of)\W*$|ל-?\W*$|[至到为為]\W*$")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The words beside a number, those of its own clause, the years it belongs to, all years of its sentence,
    and whether ``by`` or ``to`` leads to it (``rose by 5 to 20``)."""

    near: Words
    close: Words
    years: Words
    sentence_years: Words
    lead: str


def surroundings(text: str, start: int, end: int) -> Surroundings:
    """What stands around ``text[start:end]``; the work is bounded whatever the length of ``text``."""
    low, high = max(0, start - _REACH), min(len(text), end + _REACH)
    before, behind = text[low:start].lower(), text[end:high].lower()
    before = before[_end_of_last(_SENTENCE_BACK, before) :]
    closing = _SENTENCE.search(behind)
    behind = behind[: closing.end()] if closing else behind
    number = text[start:end].lower()
    return Surroundings(
        _near(before, behind),
        _close(before, behind),
        _years(before, number, behind),
        years(f"{before} {number} {behind}"),
        _lead(before),
    )


def _end_of_last(backwards: "regex.Pattern[str]", text: str) -> int:
    found = backwards.search(text)
    return found.end() if found else 0


def _lead(before: str) -> str:
    tail = fold(before[-24:])[0]
    return "by" if _BY.search(tail) else "to" if _TO.search(tail) else ""


def _near(before: str, behind: str) -> Words:
    """The words up to the next number on either side; numbers of one list share what stands around the list."""
    left, right = before[-2 * _BEFORE :], behind[: 2 * _BEHIND]
    low, edge = 0, len(left)
    for match in reversed(list(_STOP.finditer(left))):
        if not _JOIN.fullmatch(left, match.end(), edge):
            low = match.end()
            break
        edge = match.start()
    first, high = 0, len(right)
    for match in _STOP.finditer(right):
        if not _JOIN.fullmatch(right, first, match.start()):
            high = match.start()
            break
        first = match.end()
    return _named(f"{left[max(low, edge - _BEFORE) : edge]} {right[first : min(high, first + _BEHIND)]}")


def _close(before: str, behind: str) -> Words:
    left, right = before[-_BEFORE:], behind[:_BEHIND]
    low = _end_of_last(_CLAUSE_BACK, left)
    end = _CLAUSE.search(right)
    return _named(f"{left[low:]} {right[: end.start()] if end else right}")


def _named(text: str) -> Words:
    return words(_QUARTER.sub(" ", text))


def _years(before: str, number: str, behind: str) -> Words:
    """The year of a list that pairs by order, of the brackets around the number, those of one list behind it, or the
    year before it."""
    earlier = list(_YEAR.finditer(before))
    later = list(_YEAR.finditer(behind))
    if not earlier and not later:
        return frozenset()
    if len(earlier) + len(later) > 1 and _TOGETHER.search(behind + before):
        paired = _paired(f"{before}{number}{behind}", len(before))
        if paired:
            return paired
    if grouped := _GROUP.search(before):
        return years(grouped[1])
    gap = behind[: later[0].start()] if later else ""
    if later and not _ANOTHER.match(behind) and len(gap) < _BEHIND_YEAR and not _AMOUNT_BETWEEN.search(gap):
        return years(" ".join(year.group() for year in _runs(later, behind, _YEARS_JOIN)[0]))
    if not earlier and _ANOTHER.match(behind):
        return frozenset()
    chosen = earlier[-1] if earlier else later[0]
    return years(chosen.group())


def _paired(sentence: str, place: int) -> Words:
    """The year at the number's rank, when its list of numbers is as long as one list of years."""
    dated = list(_YEAR.finditer(sentence))
    taken = [match.span() for match in dated]
    amounts = [
        match
        for match in _AMOUNT.finditer(sentence)
        if not any(low <= match.end() - 1 < high for low, high in taken)
    ]
    own = next(
        (
            run
            for run in _runs(amounts, sentence, _JOIN)
            if any(m.start() - 3 <= place < m.end() for m in run)
        ),
        [],
    )
    rank = sum(match.end() <= place for match in own)
    for run in _runs(dated, sentence, _YEARS_JOIN):
        if len(run) == len(own) > 1:
            return years(run[rank].group())
    return frozenset()


def _runs(
    found: "list[regex.Match[str]]", sentence: str, joins: "regex.Pattern[str]"
) -> "list[list[regex.Match[str]]]":
    runs: list[list[regex.Match[str]]] = []
    for match in found:
        if runs and joins.fullmatch(sentence, runs[-1][-1].end(), match.start()):
            runs[-1].append(match)
        else:
            runs.append([match])
    return runs
