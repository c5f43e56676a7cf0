"""What one cell says by itself: a value, a date, a period, a dash for none, or words."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

import regex

from detection.core import numbers
from detection.core.evidence.tables import words
from detection.core.patterns import late

Sort = Literal["empty", "text", "value", "year", "date", "period", "dash", "missing", "sign"]

_LONGEST = 64  # characters; a longer cell is text
_HUNDRED = Decimal(100)
_ONE = Decimal(1)


class Said(NamedTuple):
    """A cell by itself. ``start`` and ``end`` hold the value in the cell's text; ``unit`` and ``scale`` are those
    written in the cell, ``scale`` None where it writes none; ``bare``: a dollar sign alone, that of any dollar."""

    sort: Sort
    value: Decimal | None = None
    step: Decimal = _ONE
    unit: str = ""
    scale: Decimal | None = None
    iso: str = ""
    start: int = 0
    end: int = 0
    bare: bool = False


def any_of(names: object) -> str:
    """A pattern of alternatives, the longest first."""
    return "|".join(regex.escape(name) for name in sorted(names, key=len, reverse=True))  # type: ignore[call-overload]


CODES = [code.lower() for code in numbers.CURRENCY_CODES]
SIGN = rf"(?:{any_of([*numbers.CURRENCY_SIGNS, *CODES, 'rs.', 'rs'])})"
_SCALES = {**numbers.SCALE_WORDS, **numbers.SCALE_LETTERS}
_POINTS = ("pp", "ppt", "ppts", "pts", "p.p.", "percentage points", "个百分点", "個百分點", "נקודות אחוז")
_PERCENTS = ("%", "percent", "per cent", "pct", "אחוז", "אחוזים")
_COUNTS = {
    "sf": "sf", "sq ft": "sf", "sq. ft.": "sf", "sq.ft.": "sf", "square feet": "sf", "sqm": "sqm", "m²": "sqm", "m2": "sqm", "sq m": "sqm",
    "square metres": "sqm", "square meters": "sqm", "平方米": "sqm", "㎡": "sqm", "מ\"ר": "sqm", "months": "", "years": "", "days": "", "yrs": "",
    "units": "", "rooms": "", "acres": "", "hectares": "", "employees": "", "shares": "", "חודשים": "", "שנים": "", "ימים": "", "个月": "",
    "年": "", "户": "", "套": "", "人": "", "件": "",
}  # fmt: skip
_AFTER = any_of(
    [*_PERCENTS, "bps", "bp", "x", "×", "倍", *_POINTS, *numbers.CURRENCY_WORDS, *CODES, *_COUNTS]
)
MARK = r"(?:\s*+(?:\((?:[1-9]|[a-z])(?:,\s?(?:[1-9]|[a-z]))*+\)|\[(?:\d{1,2}|[a-z])\]|[*†‡§#^`¹²³⁰⁴-⁹]))"
_CELL = late(
    rf"""[\s*_~]*+(?P<number>(?:(?:[<>≤≥~≈]=?|=)\s*+)?(?P<open>\()?\s*+(?P<minus>[-–—△▲])?\s*+(?:(?P<sign>{SIGN})\s*+)?(?P<minus2>[-–—])?(?P<open2>\()?
    \s*+\+?\s?(?P<digits>\d[\d.,'\u00a0]*+(?:\s\d{{3}}(?!\d))*+(?:,\d++)?|\.\d++)(?P<minus3>-(?=\s*+$))?
    (?:\s*+(?P<percent>%))?(?:\s*+(?P<scale>{any_of(_SCALES)})(?![a-zא-ת]))?(?:[\s-]*+(?P<after>{_AFTER}|[$€£₪¥₹])(?![a-zא-ת]))?
    (?P<close>\s*+\))?(?:\s?(?P<late>%|x|bps))?)
    [\s*_~]*+{MARK}*+[\s*_~]*+""",
    regex.X,
)
_PLAIN = re.compile(
    r"(\(|-)?(\$)?(\(|-)?(\d{1,3}(?:,\d{3})+(?:\.\d{1,9})?|\d{1,12}(?:\.\d{1,9})?)(%)?\)?(%)?"
)
_DIGIT = re.compile(r"\d")
_THOUSANDS = re.compile(rf"\(?(?:{SIGN}|[$€£₪¥₹])?\s?'?000'?s?\)?")
_HALF_EUROPEAN = re.compile(r"\d+,\d{1,2}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_YEAR_IN = re.compile(r"(?:19|20)\d\d [$€£₪¥₹]")  # over a column of pounds
_HAN_YEAR = re.compile(r"(?:19|20)\d\d\s?年度?")
_SIGNS = re.compile(rf"[()%$€£₪¥₹]|\)\s?%|{SIGN}|[$€£₪¥₹]\s?\(|\(\s?[$€£₪¥₹]")
_NONES = frozenset(
    (*words.NONES, *(f"{a}{b}{c}" for a in ("$", "£", "€", "₪", "") for b in ("", " ") for c in "-—–"))
)
_MISSING = frozenset(words.MISSING)
_DASH_PERCENT = re.compile(r"[-—–]\s?%|\([-—–]\)")


@lru_cache(maxsize=8192)
def said(text: str) -> Said:
    """What the cell ``text`` (trimmed) says."""
    folded, origin = numbers.fold(text)
    if not folded:
        return Said("empty")
    if len(folded) > _LONGEST:
        return Said("text")
    if folded in _NONES or _DASH_PERCENT.fullmatch(folded):
        return Said("dash", Decimal(0), unit=_sign_in(folded), end=len(text))
    if folded in _MISSING:
        return Said("missing")
    if _SIGNS.fullmatch(folded):
        return Said("sign")
    if _THOUSANDS.fullmatch(folded):
        return Said("text")
    if not _DIGIT.search(folded):
        return Said("period") if is_period(folded) else Said("text")
    if _YEAR_IN.fullmatch(folded):
        return Said("period")
    found = None if _HAN_YEAR.fullmatch(folded) else _number(folded)
    if found is not None:
        return found if origin is None else found._replace(start=0, end=len(text))
    return _dated(text, folded)


_BOUNDED = late(rf"(?:{words.BOUNDS}|{words.SET_BEFORE})(?:[\s:]+(?=-\d)|[\s:\-]*(?=[\d$€£₪¥(]))")
_BOUNDED_BEHIND = late(rf"\s*(?:{words.BOUNDS})$")


@lru_cache(maxsize=8192)
def bounded(text: str) -> Said | None:
    """What a cell says that bounds its value in words: ``not less than 1.35x``, ``1.75x min``; None for any other."""
    folded = numbers.fold(text)[0]
    if len(folded) != len(text) or len(folded) > _LONGEST or not _DIGIT.search(folded):
        return None
    found = _BOUNDED.match(folded)
    behind = None if found else _BOUNDED_BEHIND.search(folded)
    low, high = (found.end(), len(text)) if found else (0, behind.start() if behind else 0)
    inner = said(text[low:high])
    return inner._replace(start=low + inner.start, end=low + inner.end) if inner.sort == "value" else None


_RANGE = regex.compile(r"(\d[\d,]*(?:\.\d+)?)\s?[–—-]\s?(\d[\d,]*(?:\.\d+)?)")
_WIDEST = 5  # times its lower end


def is_range(text: str) -> bool:
    """Whether a cell holds the two ends of a range, ``185 - 200``: no value, and no second one below zero."""
    found = _RANGE.fullmatch(text)
    low, high = map(numbers.written, found.groups()) if found else (None, None)
    return low is not None and high is not None and low < high <= low * _WIDEST


_BRACKETED = regex.compile(
    r"(?P<first>[^()/]*\d[^()/]*?)(?:\s*/\s*\d[\d,]*)?\s*\((?P<second>[^()]*\d[^()]*)\)[*†‡§]?"
)


@lru_cache(maxsize=8192)
def bracketed(text: str) -> tuple[Said, Said] | None:
    """The two values of a cell that puts one in brackets behind the other, ``37 (18.4%)``, ``37/201 (18.4%)``, which takes
    no sign from them; None for any other."""
    folded = numbers.fold(text)[0]
    if len(folded) != len(text) or len(folded) > _LONGEST or folded[-1:] not in set(")*†‡§"):
        return None
    found = _BRACKETED.fullmatch(folded)
    if found is None or _NOTED.fullmatch(folded, found.end("first")):
        return None
    first, second = (_placed(text, *found.span(name)) for name in ("first", "second"))
    return (first, second) if first.sort == second.sort == "value" else None


_NOTED = regex.compile(rf"{MARK}+")


def _placed(text: str, low: int, high: int) -> Said:
    """What a part of a cell says, where that stands in the cell."""
    part = text[low:high].strip()
    low = text.index(part, low)
    inner = said(part)
    return inner._replace(start=low + inner.start, end=low + inner.end)


def _sign_in(folded: str) -> str:
    return next((numbers.CURRENCY_SIGNS[sign] for sign in folded if sign in numbers.CURRENCY_SIGNS), "")


def _number(folded: str) -> Said | None:
    if folded[-1] == ",":  # cut in two where a chunk ends
        return None
    plain = _PLAIN.fullmatch(folded)
    if plain is not None:
        return _plain(folded, *plain.groups())
    found = _CELL.fullmatch(folded)
    return _read(found) if found is not None else None


def _plain(folded: str, *parts: str | None) -> Said:
    minus, dollar, minus2, run, percent, late = parts
    parsed = numbers.digits(run or "")
    if parsed is None:
        return Said("text")
    unit = "USD" if dollar else "%" if percent or late else ""
    sort: Sort = "year" if _YEAR.fullmatch(folded) else "value"
    return Said(
        sort,
        -parsed.value if minus or minus2 else parsed.value,
        parsed.step,
        unit,
        None,
        "",
        0,
        len(folded),
        bool(dollar),
    )


def _read(found: "regex.Match[str]") -> Said | None:
    run = regex.sub(r"\s", "\u00a0", found["digits"].rstrip(".,'\u00a0"))
    parsed = numbers.digits(run)
    if parsed is None or (_HALF_EUROPEAN.fullmatch(run) and not found["percent"]):
        return None
    after = found["late"] or found["after"] or found["percent"] or ""
    unit, scale = _unit(found["sign"], found["percent"] or after), _SCALES.get(found["scale"] or "")
    value, step = parsed.value, parsed.step
    if after in ("bps", "bp"):
        value, step, unit = value / _HUNDRED, step / _HUNDRED, "pp"
    if scale is None and (after in _COUNTS or (unit and unit not in ("%", "x", "pp") and after)):
        scale = _ONE if after in _COUNTS else None
    if any((found["minus"], found["minus2"], found["minus3"], found["open"], found["open2"])):
        value = -value
    bare = _YEAR.fullmatch(found["number"]) is not None
    start, end = found.span("number")
    dollar = "$" in (found["sign"], after)
    return Said("year" if bare else "value", value, step, unit, scale, "", start, end, dollar)


def _unit(sign: str | None, after: str) -> str:
    if not sign:
        if after in _PERCENTS:
            return "%"
        if after in _POINTS or after in ("x", "×", "倍"):
            return "pp" if after in _POINTS else "x"
        if after in _COUNTS:
            return _COUNTS[after]
    return currency(sign or after)


def currency(name: str) -> str:
    """The ISO 4217 code of a sign, a code or a name; "" for none."""
    if not name:
        return ""
    if name in ("rs", "rs."):
        return "INR"
    code = name.upper()
    return (
        numbers.CURRENCY_SIGNS.get(name)
        or numbers.CURRENCY_WORDS.get(name)
        or numbers.CODE_MEANS.get(code, code)
    )


_DATE_LIKE = late(
    rf"\d{{1,4}}\s?[-/.]\s?\d{{1,2}}\s?[-/.]\s?\d{{2,4}}|(?<!\d)\d{{4}}-\d\d(?!\d)|(?<!\d)\d{{1,2}}/\d{{4}}|年|月"
    rf"|(?<![a-z])(?:{words.MONTHS})(?![a-z])|[א-ת]*(?:{any_of(words.MONTHS_HEBREW)})(?![א-ת])"
)


def _dated(text: str, folded: str) -> Said:
    """A date or a period, where the cell is nothing else."""
    if is_period(folded):
        sort: Sort = "period"
    elif not _DATE_LIKE.search(folded):
        return Said("text")
    else:
        sort = "date"
    tongue = "he" if _HEBREW.search(text) else "en"
    claims = numbers.extract(text, tongue) if len(text) <= 40 else []
    if len(claims) == 1 and claims[0].kind == "date" and isinstance(claims[0].value, str):
        whole = claims[0].end - claims[0].start >= len(text.rstrip(" *†‡.")) - 1
        if whole:
            iso = claims[0].value
            day = len(iso) >= len("2024-01") and not _SPAN.search(iso)
            return Said("date" if day else "period", iso=iso, start=claims[0].start, end=claims[0].end)
    return Said("period" if sort == "period" else "text")


_HEBREW = re.compile("[א-ת]")
_SPAN = re.compile("[QH/]")
_WORD = regex.compile(
    r"\d+(?:st|nd|rd|th)?(?![a-z])|[a-zא-ת][a-zא-ת'\"-]*\d{0,4}|\d[qh]\d{0,4}|\d+[a-z]?|%|[\u4e00-\u9fff]+|[^\s\w]|\S"
)
_PERIOD_WORDS = words.PERIOD_WORDS
_STRONG = words.STRONG_PERIODS
_SHORT_PERIOD = re.compile(
    r"(?:q[1-4]|h[12]|fy|[1-4]q|[12]h|cy)(?:19|20)?'?\d\d[ae]?|(?:fy|cy)\d\d|(?:19|20)\d\d[aepbf]?|(?:6|9|12|3)m(?:\d\d)?"
)
_HAN_PERIOD = regex.compile(
    r"(?:(?:19|20)\d\d)?\s?年?\s?(?:度|末|底)?(?:第?[一二三四1-4]季度?|上半年|下半年|前[一二三四五六七八九]个?月|\d{1,2}月(?:\d{1,2}日)?(?:末)?|1-\d{1,2}月|半年度|本期|上期|本年|上年|期末|期初|年末|年初)*"
)
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)?")
_NEUTRAL = frozenset(",.-–—/()'’\"&:;*")


@lru_cache(maxsize=8192)
def is_period(folded: str) -> bool:
    """Whether ``folded`` names a time and nothing else: ``Six months ended June 30,``, ``Q3 2024``, ``2019``."""
    if len(folded) > 90:
        return False
    if _HAN_PERIOD.fullmatch(folded) and len(folded) > 1:
        return True
    strong = False
    for word in _WORD.findall(folded):
        if _SHORT_PERIOD.fullmatch(word) or word in _STRONG:
            strong = True
        elif word not in _PERIOD_WORDS and word not in _NEUTRAL and not _DAY.fullmatch(word):
            return False
    return strong
