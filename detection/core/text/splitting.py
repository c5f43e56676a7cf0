"""Where sentences begin and end (GOV-01, SPEC-08.07): rules, linear in the length of the text.

Lines are read first — a line break, a bullet, a table row ends a sentence, unless the next line plainly goes
on in small letters or begins for want of room — then the full stops inside each. A citation mark right after the full stop stays with
its sentence: none of the splitters that were compared does that, and a lost mark looks like an uncited claim.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import regex

from detection.core.text.abbreviations import WORD, WORD_LENGTH, footnote_after, is_full_stop, word_before
from detection.core.text.brackets import brackets
from detection.core.text.marks import BRACKET, is_mark
from detection.core.text.phrases import ADVERSATIVE, ATTRIBUTION, MARK_SAYS

Span = tuple[int, int]

_LINE = regex.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
_MAY_CUT = regex.compile(r"[.!?…。！？；｡．։।॥؟۔።፧)•⁃‣◦●▪■]")
_ENDS = ".!?:;|。！？；：…"
_BEGINS = "-–—*•⁃‣◦●▪■|#>+"
_WIDE, _WIDE_CJK = 60, 24  # characters of the longest line
_COLUMNS = regex.compile(r"\t|\s{2}|\|")
_BULLET = regex.compile(r"\s[•⁃‣◦●▪■]")
_ENDING = regex.compile(r"\.(?: ?\.)*[!?]*|[!?]+|…+|[。！？；｡．։।॥؟۔።፧။។]+[。！？；…]*")
_CLOSING = regex.compile(r"[\"'”’»)\]】］）」』》〉›*_`״]*+")
_OPENING = "\"'“‘«([【［（「『《〈‹*_`¿¡„״-–—"
_ITEM = regex.compile(r"(?:^|(?<=\s))(?P<place>\d{1,2}|[a-z])(?:\.\)?|\))\s+(?=[\p{Lu}\p{Lo}])")
_LETTERED = regex.compile(r"\([a-z]\)\s")
_UNSPACED = regex.compile(r"\p{Ll}{2,}|[\d.,]*\d")
_CJK = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
_EMPHASISED_LENGTH = 2000
_KEPT = 64  # texts cut lately: each detector cuts the answer and its sources anew
_ATTRIBUTION, _ADVERSATIVE, _MARK_SAYS = map(regex.compile, (ATTRIBUTION, ADVERSATIVE, MARK_SAYS))


class _Ending(NamedTuple):
    """A full stop in its surroundings: where the sentence would end, with and without the marks after it."""

    start: int
    stop: int
    closed: int
    marked: int


def sentences(text: str, language: str | None = None) -> list[Span]:
    """Offsets (start, end) of each sentence in order, outer white space excluded.

    Every character that is no white space lies in exactly one sentence. ``language`` (ISO 639-1) chooses the
    abbreviations beside the English ones; None is English, which serves Hebrew and Chinese as well. Never
    raises, whatever the text holds.
    """
    return list(_sentences(text, language or "en"))


@lru_cache(maxsize=_KEPT)
def _sentences(text: str, language: str) -> tuple[Span, ...]:
    return tuple(span for block in _blocks(text) for span in _split(text, block, language))


def _blocks(text: str) -> Iterator[Span]:
    """Runs of lines that may hold sentences together, trimmed."""
    for lines in _paragraphs(text):
        width = max(end - start for start, end in lines)
        block, before = lines[0], lines[0]
        for line in lines[1:]:
            if _continues(text, block, *line) or _wraps(text, before, line, width):
                block = block[0], line[1]
            else:
                yield block
                block = line
            before = line
        yield block


def _paragraphs(text: str) -> Iterator[list[Span]]:
    """The lines with something on them, trimmed, those that no empty line parts together."""
    lines: list[Span] = []
    for found in _LINE.finditer(text):
        line = _trimmed(text, found.start(), found.end())
        if line[0] == line[1]:
            continue
        if lines and len(text[lines[-1][1] : line[0]].replace("\r\n", "\n").strip(" \t\u00a0")) > 1:
            yield lines
            lines = []
        lines.append(line)
    if lines:
        yield lines


def _continues(text: str, before: Span, start: int, end: int) -> bool:
    """Whether the line at ``start`` goes on with the sentence of the lines before it."""
    if text[before[0]] in "|#":
        return False
    if text[start] in "[【［" and _after_marks(text, start, end) == end:
        return True
    return text[start].islower() and text[before[1] - 1] not in _ENDS


def _wraps(text: str, before: Span, line: Span, width: int) -> bool:
    """Whether a line begins where it does for want of room alone: its first word had no place on the line before, which
    is no row of a table and no item, in a paragraph as wide as prose is."""
    cjk = _CJK.match(text, line[0]) is not None
    word = 1 if cjk else len(text[slice(*line)].split(None, 1)[0])
    if width < (_WIDE_CJK if cjk else _WIDE) or before[1] - before[0] + 1 + word <= width:
        return False
    if text[before[1] - 1] in _ENDS or text[line[0]] in _BEGINS:
        return False
    return not any(_COLUMNS.search(text, *one) for one in (before, line))


def _split(text: str, block: Span, language: str) -> Iterator[Span]:
    start, end = block
    if text[start] == "|" or not _MAY_CUT.search(text, start, end):
        yield block
        return
    for cut in _cuts(text, block, language):
        if trimmed := _nonempty(text, start, cut):
            yield trimmed
        start = cut
    if trimmed := _nonempty(text, start, end):
        yield trimmed


def _cuts(text: str, block: Span, language: str) -> Iterator[int]:
    """Positions where a sentence of the block ends, ascending."""
    start, end = block
    bracketed = brackets(text, start, end)
    opened = [opening for opening, _ in bracketed]
    items = [*_items(text, start, end), *(found.start() for found in _BULLET.finditer(text, start, end))]
    for found in _merged(_ENDING.finditer(text, start, end), sorted(items)):
        if isinstance(found, int):
            cut: int | None = found
        else:
            ending = _ending(text, found, (start, end), language)
            if _opens_bold(text, start, found.end()):
                ending = ending._replace(closed=ending.stop, marked=ending.stop)
            held = bisect_right(opened, ending.start) - 1
            free = held < 0 or _leaves(text, ending, bracketed[held], (start, end))
            cut = _cut(text, ending, (start, end), language) if free and ending.start >= start else None
        if cut is not None and cut > start:
            yield cut
            start = cut


def _merged(
    endings: Iterator["regex.Match[str]"], items: Sequence[int]
) -> Iterator["regex.Match[str] | int"]:
    """Full stops and beginnings of list items by position."""
    waiting = iter(items)
    item = next(waiting, None)
    for ending in endings:
        while item is not None and item <= ending.start():
            yield item
            item = next(waiting, None)
        yield ending
    if item is not None:
        yield from (item, *waiting)


def _items(text: str, start: int, end: int) -> Iterator[int]:
    """Where the second and later items of a list within one line begin: ``1. … 2. …``, counted from the
    first, since a lone ``2.`` is more often the end of a sentence."""
    expected = ""
    for found in _ITEM.finditer(text, start, end):
        place = found["place"]
        before = text[max(found.start() - 2, start) : found.start()].rstrip()
        if place in ("1", "a") and (not before or before[-1] in ".:;!?。：；"):
            expected = _following(place)
        elif place == expected:
            yield found.start()
            expected = _following(place)


def _following(place: str) -> str:
    return str(int(place) + 1) if place.isdigit() else chr(ord(place) + 1)


def _leaves(text: str, ending: _Ending, bracket: Span, limits: Span) -> bool:
    """Whether a full stop inside a bracket or quotation may end the sentence around it: only as the last
    thing in there, and after a remark in round brackets only where a capital shows that a sentence begins."""
    opening, closing = bracket
    if ending.closed < closing:
        return False
    if (
        ending.start >= closing
        or text[opening] not in "(（"
        or not text[max(limits[0], opening - WORD_LENGTH) : opening].strip()
    ):
        return True
    following = WORD.search(text, ending.marked, min(limits[1], ending.marked + WORD_LENGTH))
    return following is None or following[0][0].isupper()


def _ending(text: str, found: "regex.Match[str]", limits: Span, language: str) -> _Ending:
    start, end = limits
    closing = _CLOSING.match(text, found.end(), end)
    closed = closing.end() if closing else found.end()
    closed = footnote_after(text, found.span(), closed, start, language)
    marked = _after_marks(text, closed, end)
    if marked > closed and marked < end and text[marked] in ".。":
        marked += 1
    return _Ending(found.start(), found.end(), closed, marked)


def _opens_bold(text: str, start: int, position: int) -> bool:
    """Whether the ``**`` at ``position`` belongs to what follows: the sentence has none open."""
    near = text.startswith("**", position) and position - start <= _EMPHASISED_LENGTH
    return near and text.count("**", start, position) % 2 == 0


def _after_marks(text: str, position: int, end: int) -> int:
    """The position behind the citation marks that follow ``position``, or ``position`` when none does."""
    while True:
        begin = position
        while begin < end and text[begin].isspace():
            begin += 1
        found = BRACKET.match(text, begin, end)
        if not found or not is_mark(text, found):
            return position
        position = found.end()


def _cut(text: str, ending: _Ending, limits: Span, language: str) -> int | None:
    """Where the sentence ends if this full stop ends one, else None."""
    start, end = limits
    sign = text[ending.start]
    if text[ending.start - 1 : ending.start] in ("[", "(") and ending.closed > ending.stop:
        return None
    following = ending.marked
    while following < end and text[following].isspace():
        following += 1
    if following == end:
        return end
    spaced = following > ending.marked
    after = text[following]
    first = following
    while first < end - 1 and (text[first] in _OPENING or text[first].isspace()):
        first += 1
    letter = text[first]
    if ending.marked > ending.closed and _MARK_SAYS.match(text, first, end):
        return ending.closed
    if _goes_on(text, ending, first, end):
        return None
    if sign not in ".!?…":
        return None if after in ",，、：:" or letter.islower() else ending.marked
    if not spaced and not _joined(text, ending, first, start):
        return None
    if after in ",;:，、；：)" or (
        sign == "." and not is_full_stop(text, (ending.start, ending.stop), first, start, language)
    ):
        return None
    if letter.islower() and not _LETTERED.match(text, following, end):
        # "… rose. [S1] shows …": the mark is the subject of the next sentence
        return ending.closed if ending.marked > ending.closed and text[ending.closed].isspace() else None
    return ending.marked


def _goes_on(text: str, ending: _Ending, first: int, end: int) -> bool:
    """Whether the sentence goes on where no capital could show it: ``“…。”他说``, ``... אך``."""
    if ending.closed > ending.stop and _ATTRIBUTION.match(text, first, end):
        return True
    trails = text[ending.start] == "…" or text.startswith("..", ending.start)
    return trails and _ADVERSATIVE.match(text, first, end) is not None


def _joined(text: str, ending: _Ending, first: int, start: int) -> bool:
    """Whether a full stop without a space after it may end a sentence: before Chinese, after a mark, or where
    the space was forgotten (``… rose.Costs fell``) and neither a name nor an address can be meant."""
    letter = text[first]
    if text[ending.start] == "…":
        return False
    if _CJK.match(letter):
        return not text[ending.start - 1 : ending.start].isascii() or ending.marked > ending.stop
    if ending.marked > ending.closed:
        return letter.isalpha() and not letter.islower()
    following = WORD.match(text, first, first + WORD_LENGTH)
    plain = following and following[0].istitle() and text[following.end() : following.end() + 1] in (" ", ",")
    return bool(plain) and _UNSPACED.fullmatch(word_before(text, ending.start, start)) is not None


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    return end - len(piece.lstrip()) if piece.strip() else start, start + len(piece.rstrip())


def _nonempty(text: str, start: int, end: int) -> Span | None:
    span = _trimmed(text, start, end)
    return span if span[0] < span[1] else None
