"""What a line of words says in whole sentences: prose, and no title, heading or unit line of a table."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

import regex

from detection.core import lexicons, periods
from detection.core import text as texts
from detection.core.evidence.tables import words
from detection.core.evidence.tables.lines import Line
from detection.core.evidence.tables.units import LONGEST, declares
from detection.core.evidence.tables.values import SIGN, said
from detection.core.patterns import late

WORD = regex.compile(r"\p{L}[\p{L}'’-]*")
MOST_WORDS = 16  # of a line that is no sentence
MARKED = frozenset(("bar", "tab", "comma", "slash", "dash", "html"))
_AMOUNT = late(rf"(?i)(?<!\w)(?:{SIGN}|[$€£₪¥₹])\s?(?!0{{3}})\d")
_ABBREVIATED = ("Inc.", "Ltd.", "Co.", "etc.", "incl.")
_LEAST_WORDS = 4  # of a sentence, where blanks part words
_FIGURE = regex.compile(
    r"(?<!\d)(?!000\b)\d+(?:[.,]\d+)*+(?![.:)]\s)"
)  # no scale, and none that numbers what stands behind it
_MARKS = " \t#*>_"
_SENTENCES = regex.compile(r"(?<=[.!?]\)?)\s+(?=[^\s\p{Ll}])|(?<=[。！？])\s*(?=\S)")


def is_prose(line: Line) -> bool:
    """Whether a line is of a sentence: many words, a finite verb or a full stop, and no cells; or a short one that
    states an amount."""
    if line.cut in MARKED:
        return False
    return _runs_on(line) or (len(line.pieces) == 1 and states(line.text))


def _runs_on(line: Line) -> bool:
    values = sum(piece.is_value for piece in line.pieces)
    first = line.pieces[0].text if line.pieces else ""
    if len(line.pieces) > 2 and values >= 2 and len(first) <= 120:
        return False
    text = line.text
    if "\u4e00" <= text[:1] <= "\u9fff" and len(text) > 24:
        return not declares(text) and any(sign in text for sign in "，。,;；")
    if declares(text) and values < 1 and len(text) <= 250 and not _AMOUNT.search(text):
        return False
    found = WORD.findall(text)
    verbs = sum(word.lower() in words.SENTENCE for word in found)
    if len(found) > MOST_WORDS or (verbs and len(found) > 6):
        return True
    return len(found) > 6 and text.rstrip()[-1:] in ".!?;" and not text.rstrip().endswith(_ABBREVIATED)


_KEY_AND_REST = 2  # pieces
_REMARK = late(rf"(?i)[^:：]{{1,60}}[:：]\s+(?P<said>(?:(?:{SIGN}|[$€£₪¥₹])\s?)?\d.*[\p{{L}}(].*)")


def is_remark(line: Line) -> bool:
    """Whether a line is a name with an amount of which more is said: ``Rent: £868,000 a year exclusive``; no name with a
    time, which tells of what a table is."""
    if line.cut != "loose" or len(line.pieces) > _KEY_AND_REST or len(line.text) > LONGEST:
        return False
    found = _REMARK.fullmatch(line.text.strip(_MARKS))
    if found is None or line.pieces[-1].said.sort != "text":
        return False
    body = found["said"]
    return not any(one.start == 0 for one in periods.find(body, texts.detect_language(body)))


def is_event(line: Line) -> bool:
    """Whether a line is what happened and when: ``Built: 2004``, which is no time of other lines."""
    first, last = line.pieces[0], line.pieces[-1]
    if len(line.pieces) != _KEY_AND_REST or last.said.sort != "year" or first.text[-1:] not in ":：":
        return False
    marks = lexicons.phrases("date_roles").find(lexicons.Words(first.text))
    return any(mark.start == 0 and mark.end == len(first.text) - 1 for mark in marks)


@lru_cache(maxsize=4096)
def states(text: str) -> bool:
    """Whether a text is a whole sentence that states an amount: ``The network serves 7,300 connections.``"""
    body = text.strip(_MARKS)
    if len(body) > LONGEST or body[-1:] not in set(".!。！") or body.endswith(_ABBREVIATED):
        return False
    if body[-1] in ".!" and len(body.split()) < _LEAST_WORDS:
        return False
    figures = [found.start() for found in _FIGURE.finditer(body)]
    times = periods.find(body, texts.detect_language(body)) if figures else ()
    return not all(any(one.start <= place < one.end for one in times) for place in figures)


def parted(line: Line) -> list[Line]:
    """A line of words parted where some of its sentences are of a table, its title or its units, others prose:
    ``Wards in March. Admissions in thousand. The target is 85 percent.``"""
    if line.cut != "loose" or len(line.pieces) != 1 or len(line.text) > 2 * LONGEST:
        return [line]
    (piece,) = line.pieces
    spans = list(_sentences(piece.text))
    parts = [
        list(group)
        for _, group in groupby(spans, lambda span: _is_of_table(piece.text[slice(*span)], not span[0]))
    ]
    if len(parts) < 2 or not any(states(piece.text[slice(*span)]) for span in spans):
        return [line]
    return [_part(line, part[0][0], part[-1][1]) for part in parts]


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    low = 0
    for found in _SENTENCES.finditer(text):
        yield low, found.start()
        low = found.end()
    yield low, len(text)


def _is_of_table(sentence: str, first: bool) -> bool:
    """Whether a sentence declares units and states nothing, or is a title: the first, without a verb."""
    titled = first and words.SENTENCE.isdisjoint(map(str.lower, WORD.findall(sentence)))
    return (titled or declares(sentence)) and not states(sentence)


def _part(line: Line, low: int, high: int) -> Line:
    (piece,) = line.pieces
    text, start = piece.text[low:high], piece.start + low
    own = piece._replace(
        text=text,
        start=start,
        end=piece.start + high,
        left=piece.left + low,
        right=piece.left + high,
        said=said(text),
    )
    return line._replace(pieces=(own,), start=start, end=own.end, gap=line.gap and not low)
