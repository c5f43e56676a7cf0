"""What stands before and behind a number, and the unit that it makes (NUM-01…NUM-04)."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, NamedTuple

import regex

from detection.core.numbers import adjacency as edges
from detection.core.numbers import ratios as ratios
from detection.core.numbers import words as words
from detection.core.numbers.nouns import HAN, measured
from detection.core.numbers.values import Parsed
from detection.core.patterns import late
from detection.core.types import Kind

_ONE = Decimal(1)
_TEN, _HUNDRED = Decimal(10), Decimal(100)
_HAN_FROM = "\u2e80"


def _any(names: Iterable[str]) -> str:
    return "|".join(re.escape(name).replace(r"\ ", r"\s") for name in sorted(names, key=len, reverse=True))


_CODE = "|".join(words.CURRENCY_CODES).lower()
_SIGN = _any(words.CURRENCY_SIGNS)
_SHORT = _any(words.CURRENCY_ABBREVIATIONS)
PREFIX = late(
    rf"""(?r)(?:(?P<open>\()\s?)?(?:(?P<minus>(?<![a-z0-9_א-ת)%\]])[-–])|(?P<negative>(?<!\w)(?:minus|negative|מינוס)\s|[负負])|(?<![a-z0-9_א-ת])\+)?
    (?:(?:(?P<code>(?<![a-z])(?:{_CODE}))\s{{0,2}}(?:[$€£¥₪₹]\s{{0,2}})?|(?P<sign>(?<![a-z])(?:{_SIGN}|{_SHORT})|[$€£¥₪₹])\s{{0,2}}
      |(?P<name>{"|".join(words.HAN_CURRENCIES)})\s?|(?P<percent>百分之)\s?)(?P<minus2>-)?)?
    (?:(?P<open2>\()\s?)?""",
    regex.X,
)
_WORD = r"(?![a-z0-9_א-ת])"
_PERCENT_AHEAD = r"\d{1,3}(?:\.\d{1,4})?\s?(?:%|percent)"
_POINTS_OF_PERCENT = (  # points alone may be those of an index
    rf"points?(?=\s(?:to|from)\s{_PERCENT_AHEAD})|נקודות(?=\s[למ]-?{_PERCENT_AHEAD})|个点(?=[至到]{_PERCENT_AHEAD})"
)
SUFFIX = re.compile(
    rf"""(?P<close>\s?\)(?=\s?(?:{_any((*words.SCALE_WORDS, *words.CURRENCY_WORDS))}|[%$€£¥₪])))?
    (?:[\s-]{{0,2}}(?P<over>[多余餘])?(?!{_any(words.PREFIXED_UNITS)})(?P<scale>{_any(words.SCALE_WORDS)}){_WORD}(?:\s(?!(?P=scale){_WORD})(?P<times_scale>{_any(words.SCALE_WORDS)}){_WORD})?
      |(?P<gap>[^\S\n]?)(?P<letter>{_any(words.SCALE_LETTERS)})(?={_WORD}(?![²³])|usd|gbp|eur|ils)(?:(?<=mio|mln|mrd)\.)?)?+
    (?:\s{{0,2}}-?(?P<points>percentage[\s-]points?|pps?|ppts?|p\.p\.|pct[\s-]points?|נקודות\sאחוז|נקודת\sאחוז|נקודות\sהאחוז|个?百分点|個?百分點|{_POINTS_OF_PERCENT}){_WORD}
      |\s{{0,2}}-?(?P<basis>bps?|basis[\s-]points?|נקודות\sבסיס|נקודת\sבסיס|个?基点|個?基點){_WORD}
      |[\s-]{{0,2}}(?P<percent>%(?!\w)|(?:(?<!\b(?:19|20)\d\d[\s-])percentage|percent|per\scent|pct\.?|אחוזים|אחוז){_WORD}|%(?=[א-ת{HAN}]))
      |\s?(?P<times>[x×]){_WORD}(?!\s?\d)
      |\s(?P<fold>times){_WORD}
      |\s?(?P<multiple>倍)
      |(?<!\b(?:19|20)\d\d)(?:[^\S\n]:[^\S\n]?|:(?:[^\S\n](?!1[.)](?!\d)))?)(?P<one>1)(?:\.0+)?(?![\d:、]|[.,]\d)
      |\sto\s(?P<to>1|one)(?:\.0+)?(?![\d%:]|[.,]\d|\s(?:million|billion|percent|%)|-)
      |[\s-]{{0,2}}(?P<word>{_any(words.CURRENCY_WORDS)}){_WORD}(?!-[^\W\d])
      |[\s-]{{0,2}}(?P<part>{_any(words.CURRENCY_PARTS)}|ct(?=\s?/)){_WORD}
      |\s{{0,2}}(?P<sign>{_SIGN}|us\s\$)(?!\s?\d)
      |\s{{0,2}}(?P<code>{_CODE}){_WORD}
      |\s{{0,2}}(?P<short>{_SHORT}){_WORD}(?!\s?\d)
      |\s?(?P<tenths>成)(?![本功立交长長分果员員熟就绩績品型份套语語了])
    )?+""",
    re.VERBOSE,
)
RANGE = re.compile(
    r"\s?(?P<dash>[-–—~至到])\s?|\s(?:to|עד)\s(?:about\s)?|(?P<between>\sand\s|\s(?:ל|ועד|ו)-?|\s?[和与與]\s?)"
)
PART = re.compile(r",?\s(?:and\s)?")
_JOINT = r"\s(?:and|or)\s|\s(?:ו|או\s)-?|\s?[和与與及]\s?"
LAST = re.compile(rf"[,，、]?(?:{_JOINT})")
LISTED = re.compile(rf"[,，、]?(?:{_JOINT})|[,，]\s|[,，、]")
BETWEEN = regex.compile(r"(?r)(?<![a-zא-ת])(?:between|בין|介于|介於|在)\s?")

_UNITS_TOO = frozenset(("k", "m", "mm", "b", "t"))  # standing apart they are metres, millimetres, tonnes …


class Before(NamedTuple):
    """What stands right before a number; ``outer`` and ``inner`` are brackets opened before and behind the currency."""

    text: str
    currency: str | None = None
    percent: bool = False
    negative: bool = False
    outer: bool = False
    inner: bool = False


class After(NamedTuple):
    """What stands right behind a number. ``sort`` names the unit (``percent``, ``points``, ``times`` …);
    ``to_scale`` is how far its scale reaches; ``apart`` says that a scale letter stands off (``5 m``)."""

    text: str
    sort: str | None = None
    currency: str | None = None
    scale: Decimal = _ONE
    scaled: bool = False
    to_scale: int = 0
    apart: bool = False
    closed: bool = False
    over: bool = False


class Unit(NamedTuple):
    """What kind of number the words beside it make it; ``suffix`` whether the unit read behind the digits is its own."""

    kind: Kind
    name: str
    scale: Decimal = _ONE
    scaled: bool = False
    suffix: bool = True
    hundredths: bool = False


_NOTHING_BEFORE = Before("")
_ONE_SIGN = {sign: Before(sign, code) for sign, code in words.CURRENCY_SIGNS.items() if len(sign) == 1}
_NOTHING_AFTER = After("")
_CONTRADICTION = After("", "contradiction")
_USUAL_SUFFIX = re.compile(r"(?:%| percent|x)(?![\w]|\s?[0-9])")
_USUAL_AFTER = {
    "%": After("%", "percent"),
    " percent": After(" percent", "percent"),
    "x": After("x", "times"),
}


def around(folded: str, low: int, start: int, end: int) -> tuple[Before, After]:
    """What stands right before (not before ``low``) and right behind the digits ``folded[start:end]``."""
    before = _before(folded, low, start)
    after = _after(folded, end)
    return before, after if before.inner or not after.closed else _NOTHING_AFTER


def _before(folded: str, low: int, start: int) -> Before:
    if not edges.may_end(edges.before(folded, start), edges.PREFIX):
        return _NOTHING_BEFORE
    sign = folded[start - 1]
    if sign in _ONE_SIGN and low < start and edges.only_sign(folded, start):
        return _ONE_SIGN[sign]
    match: Any = PREFIX.match(folded, low, start)
    return Before(
        match.group(),
        _named(match["code"], match["sign"], match["name"]),
        match["percent"] is not None,
        bool(match["minus"] or match["minus2"] or match["negative"]),
        match["open"] is not None,
        match["open2"] is not None,
    )


def _after(folded: str, end: int) -> After:
    usual = _USUAL_SUFFIX.match(folded, end)
    if usual is not None:
        return _USUAL_AFTER[usual.group()]
    if not edges.may_follow(folded, end):
        return _NOTHING_AFTER
    match: Any = SUFFIX.match(folded, end)
    word, letter, more = match["scale"], match["letter"], match["times_scale"]
    scale = words.SCALE_WORDS[word] if word else words.SCALE_LETTERS[letter] if letter else _ONE
    if more:
        if words.SCALE_WORDS[more] < scale:
            return _CONTRADICTION
        scale *= words.SCALE_WORDS[more]
    return After(
        match.group(),
        match.lastgroup,
        words.CURRENCY_PARTS.get(match["part"] or "", "USD" if match["part"] else None)
        or _named(match["code"], match["sign"] or match["short"], match["word"]),
        scale,
        bool(word or letter),
        match.end("times_scale" if more else "scale") - end if word else 0,
        bool(letter in _UNITS_TOO and match["gap"]),
        match["close"] is not None,
        match["over"] is not None,
    )


_PERCENT = Unit("percentage", "%")
_RATIO = Unit("ratio", "x")
_PLAIN = Unit("number", "")


def unit_of(before: Before, after: After, parsed: Parsed, folded: str, start: int, end: int) -> Unit | None:
    """The unit of the number ``folded[start:end]`` from its surroundings; None when it is part of a name (``777x``,
    ``10-k``)."""
    if parsed.percent:
        return _PERCENT
    if not before.text and not after.text and not after.sort:
        return _bare(parsed, folded, start, end)
    _, sort, _, scale, scaled, _, apart, _, _ = after
    if sort == "contradiction":
        return None
    if sort == "percent" or before.percent:
        return Unit("percentage", "%", scale, scaled) if scaled else _PERCENT
    if sort == "tenths" and parsed.value <= 10:
        return Unit("percentage", "%", _TEN, True)
    if sort == "points":
        return Unit("percentage", "pp", scale, scaled)
    if sort == "basis":
        return Unit("percentage", "pp", scale / _HUNDRED, True)
    first, second = before.currency, after.currency
    if first == "USD" and second in words.DOLLARS and before.text.endswith("$"):
        first = None
    if first or second:
        ours = not (first and second and first != second)
        if sort == "part":
            if first:
                return Unit("currency", first, scale, scaled, suffix=False)
            return Unit("currency", second or "", scale / _HUNDRED, True, hundredths=True)
        return Unit("currency", first or second or "", scale, scaled or parsed.scaled, ours)
    stop = end + len(after.text)
    if sort == "times" and parsed.step == 1 and parsed.value >= 200:
        return None
    if not scaled and _is_ratio(after, parsed, folded, start, stop):
        return _RATIO
    if _goes_on(folded, stop) and not measured(folded, stop):
        return None
    if apart:
        return Unit("number", "", scaled=parsed.scaled, suffix=False)
    return Unit("number", "", scale, scaled or parsed.scaled)


def _bare(parsed: Parsed, folded: str, start: int, end: int) -> Unit | None:
    """The unit of a number with nothing beside it."""
    counts = parsed.step == 1 and folded[end : end + 1].isalpha()
    if parsed.value < 100 and not counts and ratios.is_named(folded, start, end, parsed):
        return _RATIO
    if _goes_on(folded, end) and not measured(folded, end):
        return None
    return Unit("number", "", scaled=True) if parsed.scaled else _PLAIN


def _goes_on(folded: str, end: int) -> bool:
    behind = folded[end : end + 1]
    return behind == "_" or (behind.isalpha() and not "א" <= behind <= "ת" and behind < _HAN_FROM)


def _is_ratio(after: After, parsed: Parsed, folded: str, start: int, stop: int) -> bool:
    sort = after.sort
    if sort in ("times", "multiple", "one", "to"):
        return True
    if parsed.value >= 100 or (parsed.step == 1 and folded[stop : stop + 1].isalpha()):
        return False
    if sort == "fold" and (parsed.step < 1 or _AS_MUCH.match(folded, stop)):
        return True
    return (not after.text or sort == "fold") and ratios.is_named(folded, start, stop, parsed)


def _named(code: str | None, sign: str | None, word: str | None) -> str | None:
    if code:
        return words.CODE_MEANS.get(code.upper(), code.upper())
    if sign:
        plain = " ".join(sign.split())
        return words.CURRENCY_SIGNS.get(plain) or words.CURRENCY_ABBREVIATIONS.get(plain, "USD")
    return words.CURRENCY_WORDS[" ".join(word.split())] if word else None


_AS_MUCH = re.compile(r"\s(?:ebitda|interest|earnings|debt|revenue|sales|coverage|book|leverage|as|higher|larger|more|greater|the|its|annual|cash|net|adjusted|trailing)\b")  # fmt: skip
