"""One cell of a table: its text, where it stands in the chunk, and the number written in it (NUM-06)."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

import regex

from detection.core.numbers import digits
from detection.core.numbers import words as words

_LONGEST = 60  # characters; a longer cell is text
_HUNDRED = Decimal(100)


class Cell(NamedTuple):
    """A cell of the folded chunk, trimmed. ``column`` is where it begins and ``width`` how many columns it spans;
    ``places`` gives start and end of each character where the text is not one stretch of the chunk; ``heading``
    marks what HTML calls a heading; ``indent`` counts the blanks before a label; ``again`` marks a cell that
    stands here because it spans several rows.
    """

    text: str
    start: int
    column: int = 0
    width: int = 1
    places: Sequence[tuple[int, int]] | None = None
    heading: bool = False
    indent: int = 0
    again: bool = False

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Start and end in the folded chunk of ``text[first:last]``, which is not empty."""
        if self.places is None:
            return self.start + first, self.start + last
        return self.places[first][0], self.places[last - 1][1]


class Written(NamedTuple):
    """A number as a cell writes it: ``text[start:end]``, with the unit and the scale that stand in the cell."""

    start: int
    end: int
    value: Decimal
    unit: str = ""
    scale: Decimal | None = None


def _any(names: Sequence[str]) -> str:
    return "|".join(regex.escape(name) for name in sorted(names, key=len, reverse=True))


_CODES = [code.lower() for code in words.CURRENCY_CODES]
_SIGN = rf"(?:{_any([*words.CURRENCY_SIGNS, *_CODES, *words.HAN_CURRENCIES, 'rs.', 'rs'])})"
_SCALES = {**words.SCALE_WORDS, **words.SCALE_LETTERS}
_POINTS = ("pp", "ppt", "ppts", "pts", "pt", "p.p.", "percentage points", "个百分点", "נקודות אחוז")
_PERCENTS = ("%", "percent", "per cent", "pct", "אחוז", "אחוזים")
_AFTER = _any([*_PERCENTS, "bps", "bp", "x", "×", "倍", *_POINTS, *words.CURRENCY_WORDS, *_CODES])
_MARK = r"(?:\s*+(?:\((?:[1-9]|[a-z])(?:,\s?(?:[1-9]|[a-z]))*+\)|\[(?:\d{1,2}|[a-z])\]|[*†‡§#^`¹²³⁰⁴-⁹]))"
_FRAME = r"[\s*_~]*+"
_CELL = regex.compile(
    rf"""{_FRAME}(?P<number>(?P<open>\()?\s*+(?P<minus>[-–—△▲])?\s*+(?:(?P<sign>{_SIGN})\s*+)?(?P<minus2>[-–—])?(?P<open2>\()?
    \s*+\+?(?P<digits>\d[\d.,'\u00a0]*+(?:\s\d{{3}}(?!\d))*+(?:,\d++)?|\.\d++)(?P<minus3>-(?=\s*+$))?
    (?:\s*+(?P<percent>%))?(?:\s*+(?P<scale>{_any(list(_SCALES))})(?![a-zא-ת]))?(?:\s*+(?P<after>{_AFTER}|[$€£₪¥₹])(?![a-z]))?
    (?P<close>\s*+\))?(?:\s?(?P<late>%|x|bps))?)
    {_FRAME}{_MARK}*+{_FRAME}""",
    regex.X,
)
_PLAIN = re.compile(
    r"(-|\()?(\$)?\s?(-|\()?(\d{1,3}(?:,\d{3})+(?:\.\d{1,12})?|\d{1,15}(?:\.\d{1,12})?)(?:\s?\))?(?:\s?(%))?(?:\s?\))?"
)
"""What most cells look like; anything else that has a digit is read with the full pattern."""
_DIGIT = re.compile(r"\d")
EMPTY = frozenset(("", "-", "—", "–", "--", "---", "...", "…", "n/a", "na", "n.a.", "nm", "n.m.", "nil", "none", "$-", "$—", "$–", "$ -", "$ —", "-%", "—%", "- %", "*", ".", "-0-", "不适用", "无", "ל\"ר", "ל.ר."))  # fmt: skip


def written(text: str, european: bool = False) -> Written | None:
    """The one number that the cell ``text`` (folded, trimmed) states, and nothing else; None for words, for
    several numbers and for what stands for no value. ``european`` reads ``1.234`` as 1,234."""
    if len(text) > _LONGEST:
        return None
    if not european and (plain := _PLAIN.fullmatch(text)):
        minus, dollar, minus2, run, percent = plain.groups()
        value = Decimal(run.replace(",", ""))
        unit = "USD" if dollar else "%" if percent else ""
        return Written(0, len(text), -value if minus or minus2 else value, unit)
    if not _DIGIT.search(text):
        return None
    found = _CELL.fullmatch(text)
    return _read(found, european) if found else None


def _read(found: "regex.Match[str]", european: bool) -> Written | None:
    run = found["digits"].rstrip(".,'\u00a0")
    value = _value(regex.sub(r"\s", "\u00a0", run), european)
    if value is None:
        return None
    after = found["late"] or found["after"] or found["percent"] or ""
    unit = _unit(found["sign"], found["percent"] or after)
    if after in ("bps", "bp"):
        value, unit = value / _HUNDRED, "pp"
    if any((found["minus"], found["minus2"], found["minus3"], found["open"], found["open2"])):
        value = -value
    start, end = found.span("number")
    return Written(start, end, value, unit, _SCALES.get(found["scale"] or ""))


_EUROPEAN = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+")
_HALF_EUROPEAN = re.compile(r"\d+,\d{1,2}")


def _value(run: str, european: bool) -> Decimal | None:
    if european and _EUROPEAN.fullmatch(run):
        run = run.replace(".", "").replace(",", ".")
    elif _HALF_EUROPEAN.fullmatch(run):
        return None
    parsed = digits(run)
    return parsed.value if parsed else None


def _unit(sign: str | None, after: str) -> str:
    if after in _PERCENTS:
        return "%"
    if after in _POINTS or after in ("x", "×", "倍"):
        return "pp" if after in _POINTS else "x"
    name = sign or after
    if not name:
        return ""
    if name in ("rs", "rs."):
        return "INR"
    code = name.upper()
    return (
        words.CURRENCY_SIGNS.get(name) or words.CURRENCY_WORDS.get(name) or words.CODE_MEANS.get(code, code)
    )


_COMMA_DECIMAL = re.compile(r",(?<=\d,)\d{1,2}(?![\d,.])")
_POINT_DECIMAL = re.compile(r"[.](?<=\d[.])\d{1,2}(?![\d,.])|,(?<=\d,)\d{3}(?!\d)")


def european(cells: str) -> bool:
    """Whether ``cells``, the text of a table, writes its decimals with a comma and never with a point."""
    return bool(_COMMA_DECIMAL.search(cells)) and not _POINT_DECIMAL.search(cells)
