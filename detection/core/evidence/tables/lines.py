"""A chunk as lines of pieces: what stands between bars, tabs, commas, slashes, wide blanks and line ends.

The marks between pieces are hints. They only say where a piece may end; which pieces are one cell, one row, one table is
told later, from what repeats.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Literal, NamedTuple

import regex

from detection.core.evidence.tables import words
from detection.core.evidence.tables.values import SIGN, Said, bounded, bracketed, is_range, said
from detection.core.patterns import late

Cut = Literal["html", "bar", "tab", "comma", "slash", "dash", "blank", "loose"]


class Piece(NamedTuple):
    """A stretch of a line. ``left`` and ``right`` say where it stands: columns of a grid where bars, tabs, commas or
    HTML count them, else characters of the line. ``said`` is what it says by itself."""

    text: str
    start: int
    end: int
    left: int
    right: int
    said: Said
    heading: bool = False

    @property
    def is_value(self) -> bool:
        """Whether it is a value, or stands for one: a dash, "n/a"."""
        return self.said.sort in ("value", "dash", "missing")

    @property
    def is_time(self) -> bool:
        """Whether it is a year, a date or a period."""
        return self.said.sort in ("year", "date", "period")


class Line(NamedTuple):
    """A line: its pieces, how it was cut, whether a blank line stands before it, and its indent. ``group`` numbers the
    tables of HTML; ``drawn`` marks a line drawn below headings."""

    pieces: tuple[Piece, ...]
    cut: Cut
    start: int
    end: int
    gap: bool = False
    indent: int = 0
    group: int = 0
    drawn: bool = False

    @property
    def text(self) -> str:
        """Its words and values, one blank apart."""
        return " ".join(piece.text for piece in self.pieces if piece.text)


_DRAWN = re.compile(r"[\s|+:=_-]{3,}")
_WIDE = re.compile(r"[ \u00a0\u3000]{2,}|\u3000")
_TRIM = " \t\r\u00a0\u3000*_`~"
_SPACE = " \t\r\u00a0\u3000"
_LONGEST = 2000  # characters; a longer line without marks is prose
_BULLET = re.compile(r"\s*(?:[-*•▪●◦–]|\d{1,2}[.)])\s+")
_KEYED = re.compile(r"([^:：|\t]{1,60}[:：])\s+(\S.{0,80})")


def lines_of(text: str, base: int = 0) -> list[Line]:
    """The lines of ``text`` that are not blank; ``base`` is where it begins in its chunk."""
    found: list[Line] = []
    raw = list(_raw(text, base))
    commas = _comma_lines([line for _, line in raw])
    opened = _opened_lines([line for _, line in raw])
    tails = _tails([line for _, line in raw])
    dashes = _dashed_lines([line for _, line in raw])
    gap = False
    for index, (place, line) in enumerate(raw):
        if not line.strip(_SPACE):
            gap = True
            continue
        if _DRAWN.fullmatch(line):
            if found:
                found[-1] = found[-1]._replace(drawn=True)
            continue
        cut: Cut = "comma" if index in commas else "dash" if index in dashes else _cut_of(line)
        pieces = _pieces(line[: tails.get(index)], place, cut, commas.get(index, ","), index in opened)
        if index in tails:
            tail = _piece(line, place, tails[index], len(line))
            pieces = (*pieces, tail._replace(said=Said("missing")))
        if pieces:
            indent = _indent(line, cut)
            found.append(Line(pieces, cut, place, place + len(line.rstrip()), gap, indent))
        gap = False
    return found


def _indent(line: str, cut: Cut) -> int:
    """How far in the words of a line begin; between bars, behind the first."""
    body = line.lstrip(_SPACE)
    if cut == "bar" and body.startswith("|"):
        return max(0, len(body) - 1 - len(body[1:].lstrip(_SPACE)) - 1)
    return len(line) - len(body)


def _raw(text: str, base: int) -> Iterator[tuple[int, str]]:
    held = ""
    for line in text.split("\n"):
        if held and _CARRIED.match(line):
            held += "\n" + line
            continue
        if held:
            yield base, held
            base += len(held) + 1
        held = line
        if "|" not in line or not line.rstrip().endswith(","):
            yield base, held
            base += len(held) + 1
            held = ""
    if held:
        yield base, held


_CARRIED = re.compile(
    r"(?:19|20)\d\d\s*(?:$|\|(?!\s*(?:19|20)\d\d\b))"
)  # a date of a cell that is broken over lines


def _cut_of(line: str) -> Cut:
    if "|" in line:
        return "bar"
    if "\t" in line.strip():
        return "tab"
    if line.count(" / ") >= 2 or (line.count(" /") >= 2 and line.rstrip().endswith("/")):
        return "slash"
    if _WIDE.search(line.strip(_SPACE)) and len(line) <= _LONGEST:
        return "blank"
    return "loose"


_CUTS = {
    "bar": re.compile(r"(?<!\\)\|"),
    "tab": re.compile("\t"),
    "slash": re.compile(r" /(?: |$)"),
    "dash": re.compile(r" [–—-](?: |$)"),
    "blank": _WIDE,
}


_DASHED_VALUE = late(rf" ([–—-]) (?={SIGN}?\s?[(+−-]?{SIGN}?\d|[–—-](?: |$)|n/?a\b)")
_LEAST_DASHED = 2  # rows, and values of each


def _dashed_lines(lines: list[str]) -> frozenset[int]:
    """The lines whose cells dashes part, ``Quay – 14,206 – 15,118``: as many in each of several rows, all before values, and
    in the headings right above them."""
    plain = {at for at, line in enumerate(lines) if line.strip(_SPACE) and _cut_of(line) == "loose"}
    counts = {at: len(_CUTS["dash"].findall(lines[at])) for at in plain}
    rows = {
        at for at in plain if len(_DASHED_VALUE.findall(lines[at])) == counts[at] >= _LEAST_DASHED
    }  # fmt: skip
    beside = {
        at for at in rows if any(counts.get(near) == counts[at] for near in (at - 1, at + 1) if near in rows)
    }
    heads = {
        at for at in plain - rows if at + 1 in beside and counts[at] in (counts[at + 1], counts[at + 1] - 1)
    }
    return frozenset(beside | heads)


def _opened_lines(lines: list[str]) -> frozenset[int]:
    """The lines that begin with a bar among lines that do not: their first cell is empty, and no bars enclose the row."""
    found: set[int] = set()
    group: list[int] = []
    for index, line in enumerate([*lines, ""]):
        if "|" in line:
            group.append(index)
            continue
        led = {one for one in group if lines[one].lstrip(_SPACE).startswith("|")}
        if led and any(one not in led and not lines[one].rstrip().endswith("|") for one in group):
            found |= led
        group = []
    return frozenset(found)


def _pieces(line: str, place: int, cut: Cut, comma: str, is_open: bool = False) -> tuple[Piece, ...]:
    if cut == "comma":
        parts = list(_fields(line, comma))
    elif cut == "loose":
        parts = [(0, len(line))]
    else:
        parts = list(_between(line, _CUTS[cut], cut, is_open))
    found: list[Piece] = []
    for index, (first, last) in enumerate(parts):
        left, right = (-1, -1) if cut in ("blank", "loose") else (index, index + 1)
        piece = _piece(line, place, first, last, left, right)
        if cut == "comma" and '""' in piece.text:
            piece = piece._replace(text=piece.text.replace('""', '"'))
        if piece.said.sort == "text" and (found or _AMOUNT.match(piece.text)):
            piece = (_BY_CUT.get(cut) or valued)(piece)
        if cut == "blank" and not piece.text:
            continue
        found.extend(_split(line, piece, place) if cut in ("blank", "loose") else (piece,))
    return tuple(found)


def _between(line: str, mark: re.Pattern[str], cut: Cut, is_open: bool) -> Iterator[tuple[int, int]]:
    first = 0
    last = len(line)
    if cut == "bar" and not is_open:
        body = line.strip(_SPACE)
        first = line.find(body)
        last = first + len(body)
        closed = body.endswith("|") and len(body) > 1
        first += body.startswith("|") and (
            closed or line.startswith("|")
        )  # " | 2019" leaves its first cell empty
        last -= closed
    for found in mark.finditer(line, first, last):
        yield first, found.start()
        first = found.end()
    yield first, last


def _piece(line: str, place: int, first: int, last: int, left: int = -1, right: int = -1) -> Piece:
    text = line[first:last]
    plain = text.strip(_TRIM)
    if not plain:
        plain = text.strip(_SPACE)
    start = first + text.find(plain) if plain else first
    if left < 0:  # counted in characters
        left, right = start, start + len(plain)
    return Piece(plain, place + start, place + start + len(plain), left, right, said(plain))


_AMOUNT = re.compile(r"[$€£₪¥]?\d")


def limited(piece: Piece) -> Piece:
    """A cell that bounds a value in words is that value: ``not less than 1.35x``."""
    told = bounded(piece.text)
    return piece if told is None else piece._replace(said=told)


def valued(piece: Piece) -> Piece:
    """A cell of a value that is bounded in words, or that another one in brackets stands behind, is that value."""
    pair = bracketed(piece.text)
    return limited(piece) if pair is None else piece._replace(said=pair[0])


def _by_itself(piece: Piece) -> Piece:
    """A line of two values of two kinds is one cell, ``41,200 (18.2%)``; of two of one kind the second may be below zero."""
    pair = bracketed(piece.text)
    apart = pair is not None and (pair[0].unit == "%") is not (pair[1].unit == "%")
    return valued(piece) if apart else limited(piece)


_BY_CUT = {"blank": limited, "loose": _by_itself}


def cells_of(line: Line, text: str) -> Line:
    """A line cut at its wide blanks alone, its pieces counted in order: a label that ends in a number is one."""
    body = text[line.start : line.end]
    found = [_piece(body, line.start, *part) for part in _between(body, _WIDE, "blank", False)]
    told = [limited(one) if one.said.sort == "text" else one for one in found if one.text]
    return line._replace(pieces=tuple(one._replace(left=at, right=at + 1) for at, one in enumerate(told)))


# --- values at the end of a line ---

_RUN = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:\.\d+)?|\.\d+)"
_TOKEN = late(
    rf"""(?<![^\s(])(?:
      (?P<period>(?:[1-4]Q|Q[1-4]|H[12]|[12]H|FY|CY)[ ’']?(?:(?:19|20)\d\d|\d\d)[AEPF]?(?:\s?\(\w\))?|(?:YTD|LTM|TTM)\s(?:19|20)\d\d|(?:\d{{1,2}}\s)?(?i:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?[ -](?:\d{{1,2}},\s)?(?:19|20)\d\d
        |\d{{4}}-\d\d-\d\d|(?:0[1-9]|1[0-2])/(?:19|20)\d\d|\d{{1,2}}[./-]\d{{1,2}}[./-](?:19|20)?\d\d|\d{{1,2}}-[A-Z][a-z]{{2}}-(?:19|20)?\d\d|(?:19|20)\d\d(?:[AEPF]|\s\(\w\))|(?:19|20)\d\d年(?:\d{{1,2}}月(?:\d{{1,2}}日)?|第?[一二三四]季度|[上下]半年)?)
     |(?P<value>(?:[<>≤≥]=?\s?)?(?:{SIGN}|[$€£₪¥₹])?\s?(?:\(\s?|[-−+]\s?|–)?(?:[$€£₪¥₹]\s?)?{_RUN}(?:\s?%|x|×|\s?bps|bn|m|k|倍)?(?:\s?\))?(?:\s?%|\s?x(?!\w))?[*†‡§]?)
     |(?P<none>(?:[$€£₪¥₹]\s?)?[—–-]{{1,3}}\s?%?|(?i:n/a|n\.a\.|nil|nm|n\.m\.))
     )(?![^\s])""",
    regex.X,
)
_MOST_LABEL = 200
_PAGED = regex.compile(words.PAGED, regex.I)
_PAGE_BETWEEN = regex.compile(r"[–—-] ?\d{1,4} ?[–—-]")
_WORD = regex.compile(r"\p{L}{2}")


def _split(line: str, piece: Piece, place: int) -> tuple[Piece, ...]:
    """``Net sales $ 5,144 $ 5,003`` is a label and its values; words of a sentence stay together."""
    sort = piece.said.sort
    if _PAGED.fullmatch(piece.text) or _PAGE_BETWEEN.fullmatch(piece.text):
        return (piece,)
    if is_range(piece.text):
        return (piece._replace(said=Said("missing")),)
    if sort not in ("text", "period") or len(piece.text) > _LONGEST or not _ENDS.search(piece.text):
        return (piece,) if sort != "text" or not piece.text else _keyed(line, piece, place)
    if sort == "period" and not (_SEVERAL.search(piece.text) or _DECIMAL.search(piece.text)):
        return (piece,)
    first, last = piece.start - place, piece.end - place
    tokens = _trailing(line, first, last)
    if not tokens or (sort == "period" and len(tokens) < 2) or _is_dated(line, first, tokens):
        return _keyed(line, piece, place)
    if _is_dashed(line, first, tokens):
        return (piece,)
    tokens = _labelled(line, first, tokens)
    found = []
    if line[first : tokens[0][0]].strip(_SPACE):
        found.append(_piece(line, place, first, tokens[0][0]))
    found.extend(_piece(line, place, low, high) for low, high in tokens)
    return tuple(found)


_TAIL = regex.compile(r"(?<=[\d%x)] )\p{Lu}\p{L}*(?: \p{Ll}+)?$")
_LEAST_BEFORE = 2


def _tails(lines: list[str]) -> dict[int, int]:
    """Where a word begins that ends a row, behind as many values as in the line beside it: ``DSCR 1.30x 1.38x Pass``."""
    ends = [_TAIL.search(line.rstrip()) if _cut_of(line) == "loose" else None for line in lines]
    counts = [
        len(_trailing(line, 0, len(line[: end.start()].rstrip()))) if end else 0
        for line, end in zip(lines, ends, strict=True)
    ]
    return {
        index: end.start()
        for index, end in enumerate(ends)
        if end
        and counts[index] >= _LEAST_BEFORE
        and counts[index] in (counts[index - 1] if index else 0, *counts[index + 1 : index + 2])
    }


def parts_of(piece: Piece) -> list[Piece]:
    """The label and the values that stand in one cell; the piece itself where it holds no more than one of these."""
    dash = _DASHED.match(piece.text) if piece.is_value else None
    if dash is not None:
        return [part_of(piece, 0, 1), part_of(piece, dash.end(), len(piece.text))]
    if piece.said.sort != "text" or not piece.text:
        return [piece]
    tokens = _trailing(piece.text, 0, len(piece.text))
    first = piece.text[: tokens[0][0]].strip(_SPACE) if tokens else ""
    if len(tokens) + bool(first) < _SEVERAL_PARTS or (first and len(tokens) == 1):
        return [piece]
    places = [(0, tokens[0][0])] if first else []
    return [
        _piece(piece.text, piece.start, low, high, piece.left, piece.right)
        for low, high in [*places, *tokens]
    ]


def part_of(piece: Piece, low: int, high: int) -> Piece:
    """A part of the text of a piece, read anew."""
    return _piece(piece.text, piece.start, low, high, piece.left, piece.right)


_DASHED = regex.compile(r"[-–—]\s+(?=[\d.(])")
_SEVERAL_PARTS = 2
_GOES_ON = regex.compile(
    r"(?i)(?:(?<!-)\b(?:at|of|on|ended|ending|through|until|since|for|in|and|to|due|maturing|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"[a-z]*\.?(?:\s\d{1,2},?)?)|,)\s*$"
)
_CODED = regex.compile(r"(?!YTD|LTM|TTM)[A-Z]{3}(?=\s+[\d.])")
_TO_DAY = regex.compile(rf"(?i)(?<![a-z])(?:{words.MONTHS})\.?\s*$")
_DAY = regex.compile(r"[12]?\d|3[01]")


def _labelled(line: str, first: int, tokens: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The tokens behind the label: it may end in a date, ``Balance at December 31, 2018 17,059``, or be the name of a
    currency, ``USD 53.6 70.07``."""
    low, high = tokens[0]
    before = line[first:low]
    if len(tokens) > 1 and _DAY.fullmatch(line[low:high].strip()) and _TO_DAY.search(before):
        return tokens[1:]  # Year ended December 31 2024 2023
    if len(tokens) > 1 and _GOES_ON.search(before) and said(line[low:high].strip()).sort in _TIMES:
        behind = tokens[1:]
        return behind if any(said(line[slice(*one)].strip()).sort not in _TIMES for one in behind) else tokens
    code = _CODED.match(line, low) if len(tokens) > 1 and not before.strip(_SPACE) else None
    if code is not None and not any(_CODED.match(line, start) for start, _ in tokens[1:]):
        return [(code.end(), high), *tokens[1:]]
    return tokens


_TIMES = frozenset(("year", "date", "period"))
_ENDS = regex.compile(r"(?:[\d%)xXA-Z*†‡kmn年日月度季²³¹]|[—–-]|nil|倍|(?i:n/a|n\.a\.))\s*$")
_DECIMAL = re.compile(r"(?<![\d.])\d{1,3}\.\d{1,3}(?![\d.])")  # small numbers look like days
_SEVERAL = re.compile(r"(?:(?:19|20)\d\d|[QHFY12]\S?\d\d)\D.*(?:19|20)?\d\d|\d[QH]\d\d\s")


def _is_dated(line: str, first: int, tokens: list[tuple[int, int]]) -> bool:
    """Words that end with a year, ``third quarter 2023``, are words; ``(in thousands) 2023`` heads a column."""
    if len(tokens) == 1 and _NOTE.fullmatch(line, *tokens[0]):
        return True  # EBITDA (1)
    if len(tokens) > 1 or said(line[slice(*tokens[0])].strip()).sort not in ("year", "date", "period"):
        return False
    before = line[first : tokens[0][0]].rstrip()
    return bool(before) and before[-1] != ")"


def _is_dashed(line: str, first: int, tokens: list[tuple[int, int]]) -> bool:
    """Whether a dash stands between words and a time, as in a title: ``Table 7a – 2024``."""
    sorts = [said(line[slice(*one)].strip(_SPACE)).sort for one in tokens]
    led = bool(line[first : tokens[0][0]].strip(_SPACE))
    return led and len(sorts) == _PAIR and sorts[0] == "dash" and sorts[1] in _TIMES


_NOTE = re.compile(r"\(\d{1,2}\s?(?:m|mths?|months|yrs?|years|q)?\)\s*")


def _trailing(line: str, first: int, last: int) -> list[tuple[int, int]]:
    """The values and periods that end the line, nothing but blanks between them."""
    tokens: list[tuple[int, int]] = []
    for found in _TOKEN.finditer(line, first, last):
        if tokens and line[tokens[-1][1] : found.start()].strip(_SPACE):
            tokens.clear()
        if said(found[0].strip(_SPACE)).sort == "text" or (")" in found[0] and "(" not in found[0]):
            tokens.clear()
        else:
            tokens.append(found.span())
    if not tokens or line[tokens[-1][1] : last].strip(_SPACE):
        return []
    first_token = line[slice(*tokens[0])]
    years = len(tokens) > 1 and all(_is_year(line[low:high]) for low, high in tokens[1:])
    if years and len(first_token) > _YEAR and _is_year(first_token[-_YEAR:]):
        tokens[0] = (tokens[0][1] - _YEAR, tokens[0][1])  # Years ended August 31, 2019 2018
    return tokens


_YEAR = 4


def _is_year(text: str) -> bool:
    return len(text) == _YEAR and said(text).sort == "year"


def _keyed(line: str, piece: Piece, place: int) -> tuple[Piece, ...]:
    """``Test date: 31 December 2023`` is a label and its value."""
    found = _KEYED.fullmatch(piece.text)
    if found is None or said(found[2].strip(_TRIM)).sort not in ("value", "date", "period", "year"):
        return (piece,)
    first = piece.start - place
    low = first + found.start(2)
    return (
        _piece(line, place, first, first + found.end(1)),
        _piece(line, place, low, piece.end - place),
    )


# --- commas ---

_VALUES = re.compile(r"[^,;]*[^\d,;](?:[,;]\s?[$€£(+-]*[\d—–-][^,;]*)+")  # a name, then values
_PARTING = re.compile(r"[^\d\s],(?! )|,(?=[^\d\s])|,,|\d{4},\d")
_LEAST_FIELDS = 3


def _comma_lines(lines: list[str]) -> dict[int, str]:
    """The lines that are rows of comma or semicolon separated values: neighbours with as many fields."""
    counts: list[tuple[str, int]] = [_counted(line) for line in lines]
    found: dict[int, str] = {}
    for index, (mark, count) in enumerate(counts):
        if not count:
            continue
        beside = [counts[other] for other in (index - 1, index + 1) if 0 <= other < len(counts)]
        if (mark, count) in beside:
            found[index] = mark
    return found | _under_names(lines)


def _under_names(lines: Sequence[str]) -> dict[int, str]:
    """The lines of headings, ``year,profit``, and of the values below them, whatever stands first in these: ``2021,13``."""
    found: dict[int, str] = {}
    for index, line in enumerate(lines):
        mark = next((one for one in ",;" if _are_names(line, one)), "") if index not in found else ""
        if not mark:
            continue
        rows = _rows_of(lines, index, mark)
        if len(rows) >= _PAIR:
            found |= dict.fromkeys((index, *rows), mark)
    return found


def _rows_of(lines: Sequence[str], index: int, mark: str) -> list[int]:
    """The lines of values right below a line of headings, as many in each."""
    count = len(_parts(lines[index], mark))
    below = range(index + 1, len(lines))
    return list(takewhile(lambda one: _has_values(lines[one], mark, count), below))


def _are_names(line: str, mark: str) -> bool:
    """Whether a line is of headings, nothing but a mark between them."""
    fields = _parts(line, mark)
    return bool(fields) and all(_NAMED.match(one) for one in fields) and said(fields[0]).sort in _NAMING


def _has_values(line: str, mark: str, count: int) -> bool:
    """Whether a line is of so many fields, all but the first a value."""
    first, *values = _parts(line, mark) or [""]
    each = (said(value.strip(_TRIM)).sort in _VALUED for value in values)
    return bool(first) and len(values) == count - 1 and all(each)


def _parts(line: str, mark: str) -> list[str]:
    """The fields of a line that has two or more, and no blank behind the mark."""
    if mark not in line or "|" in line or "\t" in line or len(line) > _LONGEST or mark + " " in line:
        return []
    return [line[low:high].strip(_SPACE) for low, high in _fields(line, mark)]


_NAMING = frozenset(("text", "period"))  # "year" and "quarter" name periods
_NAMED = regex.compile(r"\p{L}[^.!?。，]*$")


def _is_pair(line: str) -> bool:
    """Whether a line is a name and a value or a time with a comma between: ``Roof,31.0``."""
    fields = [line[low:high].strip(_SPACE) for low, high in _fields(line, ",")]
    if len(fields) != _PAIR or len(line) > _MOST_LABEL or line.count(", "):
        return False
    named = any(sign.isalpha() for sign in fields[0]) and not fields[0][-1:].isdigit()
    return named and said(fields[1].strip(_TRIM)).sort in _VALUED


_PAIR = 2
_VALUED = frozenset(("value", "year", "date", "period", "dash", "missing"))


def _counted(line: str) -> tuple[str, int]:
    if line.count(",") and "|" not in line and "\t" not in line and _is_pair(line):
        return ",", _PAIR
    for mark in (";", ","):
        if (
            line.count(mark) >= _LEAST_FIELDS - 1
            and "|" not in line
            and "\t" not in line
            and len(line) <= _LONGEST
        ):
            if _VALUES.fullmatch(line):
                fields = [line[low:high].strip(_SPACE) for low, high in _fields(line, mark)]
                if all(said(field).sort in _VALUED for field in fields[1:]):
                    return mark, len(fields)
            if mark == "," and (
                line.count(", ") * 2 > line.count(",")
                or not _PARTING.search(line)
                or _WIDE.search(line.strip(_SPACE))
            ):
                continue
            return mark, sum(1 for _ in _fields(line, mark))
    return "", 0


def _fields(line: str, mark: str) -> Iterator[tuple[int, int]]:
    """Where the fields of a line of separated values stand; quotes hold what they enclose together."""
    first, quoted = 0, False
    for place, sign in enumerate(line):
        if sign == '"' and (quoted or place == first):
            quoted = not quoted or line[place + 1 : place + 2] not in (mark, "")
        elif sign == mark and not quoted:
            yield _unquoted(line, first, place)
            first = place + 1
    yield _unquoted(line, first, len(line))


def _unquoted(line: str, first: int, last: int) -> tuple[int, int]:
    if last - first >= 2 and line[first] == line[last - 1] == '"':
        return first + 1, last - 1
    return first, last


_COMMA = re.compile(r"[(\-−–]?\d{1,3}(?:\.\d{3})*,\d{1,2}\s?%?\)?")
_POINT = re.compile(r".*(?:\d,\d{3}(?!\d)|\d\.\d{1,2}(?!\d)).*")
_EITHER = re.compile(r"[(\-−–]?\d{1,3}(?:\.\d{3})*(?:,\d+)?\s?%?\)?")
_SWAPPED = str.maketrans(",.", ".,")


def with_commas(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines read anew where their numbers have decimal commas and none has a decimal point."""
    texts = [piece.text for line in lines for piece in line.pieces]
    if not any(map(_COMMA.fullmatch, texts)) or any(map(_POINT.fullmatch, texts)):
        return lines
    return [
        line._replace(
            pieces=tuple(
                piece._replace(said=said(piece.text.translate(_SWAPPED)))
                if _EITHER.fullmatch(piece.text)
                else piece
                for piece in line.pieces
            )
        )
        for line in lines
    ]
