"""The patterns of numbers: what marks one, what stands before and behind it, what only looks like one."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import regex

from detection.core import dates
from detection.core import number_edges as edges
from detection.core import number_words as words
from detection.core.number_values import Parsed
from detection.core.types import Kind


def _any(names: Iterable[str]) -> str:
    return "|".join(
        regex.escape(name, literal_spaces=False).replace(r"\ ", r"\s")
        for name in sorted(names, key=len, reverse=True)
    )


_ENGLISH = "|".join(sorted((*words.ENGLISH_NUMBERS, *words.ENGLISH_SCALES), key=len, reverse=True))
_HEBREW = "|".join(sorted((*words.HEBREW_NUMBERS, *words.HEBREW_SCALES), key=len, reverse=True))
_CHINESE = "".join((*words.CHINESE_DIGITS, *words.CHINESE_UNITS, *words.CHINESE_MYRIADS))

_CODE = "|".join(words.CURRENCY_CODES).lower()
_LETTERS_LEFT = r"(?<![a-z0-9_])"
_KEYWORDS = (
    r"q[1-4](?=\s?[-/]?\s?(?:of|in|for|the|[fc']|[0-9]))|h[12](?=\s?[-/]?\s?(?:of|in|for|the|[fc']|[0-9]))|fy|f[12]|cy|fisc|fina|cale|year"
    r"|twel|quar|thre|six|nine|mont|firs|seco|thir|four|last|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|http|www|(?:"
    + _ENGLISH
    + r")(?![a-z])"
)
_ASCII = rf"{_LETTERS_LEFT}[0-9]|(?<={_CODE})[0-9]|\[(?=[^\[\]]{{1,60}}\])|[(+.](?=[0-9])|{_LETTERS_LEFT}(?:{_KEYWORDS})"
FIRST_ASCII = re.compile(_ASCII)
FIRST = re.compile(
    rf"{_ASCII}|(?<![א-ת])[בלמהוכש]{{0,2}}-?(?:רבעון|מחצית|{_HEBREW}|{'|'.join(m for m in words.MONTHS if not m.isascii())})|财年|(?<![{_CHINESE}])[{_CHINESE}]"
)
"""Where something may begin. The pattern of its script is then matched at that place."""

_MAY_BE_DATE = (  # what follows the first digits of every form of dates.FROM_DIGIT
    r"(?=\d{1,4}+(?:[-/rt]|\.\d{1,2}[-/.]|\s{0,2}[adfhjmnoqsא-ת年财財]|\s[-/]))"
)
_FROM_DIGIT = regex.compile(
    rf"""(?:
   (?P<skip>\[[\w\s,;\#:.^&-]{{1,60}}+\])
 | (?P<skip>(?=[\d+(])(?<![\w.])(?:
     (?:\+\d{{1,3}}[\s.-]?)?+(?:\(\d{{2,4}}\)[\s.-]?\d{{3,4}}[\s.-]\d{{3,4}}|(?:\d{{2,4}}[.-])\d{{3,4}}[.-]\d{{3,4}}|0\d{{1,2}}-?\d{{7}}|\d{{3}}-\d{{4}})(?![\w.,-]\d|\w)
   | \+\d{{1,3}}[\s.-]\d{{1,4}}[\s.-]\d{{3,4}}[\s.-]?\d{{3,4}}))
 | (?P<skip>(?<![\w.,:$])\d{{1,2}}(?::\d\d(?::\d\d)?+(?:\.\d++)?(?:\s?[ap]\.?m\b\.?)?(?![\d:.]\d)|\s?[ap]\.?m\b\.?))
 | (?P<date>{_MAY_BE_DATE}(?<![a-z0-9_$€£¥₪₹]|\d[.,/-])(?:{dates.FROM_DIGIT}))
 | (?P<digits>(?<![a-z0-9_%=&@]|[a-z]-|\d[./,])(?:\d++(?:[.,'\u00a0](?=\d)\d++)*+(?:e[-+]?\d{{1,3}}(?!\w))?+|(?<!\w)\.\d++(?![\d.])))
 | (?P<digits>(?<=[a-z])(?<=(?<![a-z])(?:{_CODE}))\d++(?:[.,'\u00a0](?=\d)\d++)*+)
)""",
    regex.X,
)
_FROM_LETTER = regex.compile(
    rf"""(?:(?P<skip>(?:https?://|www\.)\S++)|(?P<date>{dates.FROM_LETTER})
 |(?P<words>(?<!-)(?:{_ENGLISH})(?:[\s-](?:and\s)?(?:{_ENGLISH})){{0,12}}+(?!\w)))""",
    regex.X,
)
_FROM_HEBREW = regex.compile(
    rf"(?:(?P<date>{dates.FROM_HEBREW})|(?P<words>ו?(?:{_HEBREW})(?:\sו?(?:{_HEBREW})){{0,8}}+(?!\w)))",
    regex.X,
)
_FROM_HAN = regex.compile(
    rf"""(?:(?P<date>财年\s?(?P<y>(?:19|20)\d\d))
 |(?:(?<=百分之)|(?!百分之))(?P<words>[{_CHINESE}]{{1,16}}+(?:点[{_CHINESE}]{{1,8}}+)?(?:(?<=百分之.{{1,26}})|(?=\s?(?:{_any(w for w in words.CURRENCY_WORDS if ord(w[0]) > 0x2E80)}|个百分点|倍|%)))))""",
    regex.X,
)


def marks(folded: str) -> Iterator[Any]:
    """Each number, date or thing that only looks like one, as a match whose ``lastgroup`` is ``digits``,
    ``words``, ``date`` or ``skip``, in order and not overlapping."""
    place = 0
    for first in (FIRST_ASCII if folded.isascii() else FIRST).finditer(folded):
        start = first.start()
        if start < place:
            continue
        sign = folded[start]
        pattern = (
            _FROM_LETTER
            if "a" <= sign <= "z"
            else _FROM_HEBREW
            if "א" <= sign <= "ת"
            else _FROM_HAN
            if sign > "\u2e80"
            else _FROM_DIGIT
        )
        match = pattern.match(folded, start)
        if match is not None:
            place = match.end()
            yield match


_SIGN = _any(words.CURRENCY_SIGNS)
PREFIX = regex.compile(
    rf"""(?r)(?:(?P<open>\()\s?)?(?:(?P<minus>(?<![\w)%\]])[-–])|(?<!\w)(?P<negative>minus\s|negative\s|מינוס\s|负)|(?<!\w)\+)?
    (?:(?:(?P<code>(?<![a-z])(?:{_CODE}))\s{{0,2}}(?:[$€£¥₪₹]\s{{0,2}})?|(?P<sign>(?<![a-z])(?:{_SIGN})|[$€£¥₪₹])\s{{0,2}}
      |(?P<name>{"|".join(words.HAN_CURRENCIES)})\s?|(?P<percent>百分之)\s?)(?P<minus2>-)?)?
    (?:(?P<open2>\()\s?)?""",
    regex.X,
)
_WORD = r"(?![a-z0-9_א-ת])"
SUFFIX = regex.compile(
    rf"""(?P<close>\s?\)(?=\s?(?:{_any(s for s in words.SCALE_WORDS if s.isascii())}|%)))?
    (?:[\s-]{{0,2}}(?P<scale>{_any(words.SCALE_WORDS)})(?![a-z0-9_א-ת])(?=(?P<of>\sof\stimes)?)
      |(?P<gap>\s?)(?P<letter>{_any(words.SCALE_LETTERS)})(?={_WORD}|usd|gbp|eur|ils))?+
    (?:\s{{0,2}}-?(?P<points>percentage[\s-]points?|pps?|ppts?|p\.p\.|pct[\s-]points?|נקודות\sאחוז|נקודת\sאחוז|נקודות\sהאחוז|个?百分点|個?百分點){_WORD}
      |\s{{0,2}}-?(?P<basis>bps?|basis[\s-]points?|נקודות\sבסיס|נקודת\sבסיס|个?基点|個?基點){_WORD}
      |\s{{0,2}}(?P<percent>%(?!\w)|(?:percentage|percent|per\scent|pct\.?|אחוזים|אחוז){_WORD}|%(?=[א-ת\p{{Han}}]))
      |\s?(?P<times>[x×]){_WORD}(?!\s?\d)
      |\s(?P<fold>times){_WORD}
      |\s?(?P<multiple>倍)
      |\s?:\s?(?P<one>1)(?:\.0+)?(?![\d:]|[.,]\d)
      |\sto\s(?P<to>1|one)(?:\.0+)?(?![\d%:]|[.,]\d|\s(?:million|billion|percent|%)|-)
      |[\s-]{{0,2}}(?P<word>{_any(words.CURRENCY_WORDS)})(?![a-z0-9_א-ת])
      |\s{{0,2}}(?P<sign>us\s?\$|[$€£¥₪₹₡₭₾]){{1}}(?!\s?\d)
      |\s{{0,2}}(?P<code>{_CODE}){_WORD}
    )?+""",
    regex.X,
)
RANGE = regex.compile(r"\s?(?P<dash>[-–—~])\s?|\s(?:to|עד)\s(?:about\s)?|\s?[至到]\s?")
NOUN = regex.compile(r"[\s-](?!(?:and|or|of|to|in|for|from|with|by|at|on|is|was|were|are|as|the|than|per|but|vs|versus|while|respectively|which|that|during|over)\b)(?P<noun>[a-z]{3,30}|[א-ת]{2,20})|(?P<noun>[\p{Han}]{1,2})")  # fmt: skip
RATIO_BEFORE = regex.compile(
    rf"""(?r)(?:(?:(?<![\w-])(?:{_any(n for n in words.RATIO_NAMES if n.isascii())})|(?:{_any(n for n in words.RATIO_NAMES if not n.isascii())}))
    (?:\s?\([^()]{{1,12}}\))?
    (?:(?:\s|:|=|(?<!\w)(?:{"|".join(words.RATIO_LINKS)})(?!\w)|(?<!\w)[בלכ]-?|为|為|是|达|達|到|至|约|約)){{0,24}}
    |(?<![א-ת])פי\s)""",
    regex.X,
)
_LABEL = regex.compile(rf"(?r)(?:(?<![\w])(?:{_any(words.LABELS_BEFORE)})\s?[\#:(]?\s?|[\#§@=/\\_]\s?)")
_LISTED = regex.compile(r"(?r)(?:^|\n)[\s>*•-]{0,12}\(?", regex.V1)
_LIST_END = regex.compile(r"[.)](?=\s|$)")


@dataclass(frozen=True, slots=True)
class Unit:
    """What kind of number the words beside it make it; ``suffix`` whether the unit read behind the digits is its own."""

    kind: Kind
    name: str
    scale: Decimal = Decimal(1)
    scaled: bool = False
    suffix: bool = True


def around(folded: str, low: int, start: int, end: int) -> tuple[Any, Any]:
    """What stands right before and right behind the digits ``folded[start:end]``, not before ``low``. Both
    patterns match also where nothing stands."""
    before = PREFIX.match(folded, low if edges.may_precede(folded, start, edges.PREFIX) else start, start)
    after = SUFFIX.match(folded, end) if edges.may_follow(folded, end) else SUFFIX.match(folded, end, end)
    return before, after


def unit_of(before: Any, after: Any, parsed: Parsed, folded: str, start: int) -> Unit | None:
    """The unit of the number at ``start`` from its surroundings; None when it is part of a name (``777x``,
    ``10-k``)."""
    if not before.group() and not after.group():
        return _bare(parsed, folded, start, after.end())
    scale, scaled = _scale(after)
    if after["percent"] or before["percent"]:
        return Unit("percentage", "%", scale, scaled)
    if after["points"]:
        return Unit("percentage", "pp", scale, scaled)
    if after["basis"]:
        return Unit("percentage", "pp", scale / 100, True)
    currency, ours = _currency(before, after)
    if currency:
        return Unit("currency", currency, scale, scaled or parsed.scaled, ours)
    if not scaled and (named := _ratio(after, parsed, folded, start)):
        return named
    if _goes_on(folded, after.end()):
        return None
    if after["letter"] and after["gap"]:
        return Unit("number", "", scaled=parsed.scaled, suffix=False)
    return Unit("number", "", scale, scaled or parsed.scaled)


_PLAIN = Unit("number", "")


def _bare(parsed: Parsed, folded: str, start: int, end: int) -> Unit | None:
    """The unit of a number with nothing beside it."""
    counts = parsed.step == 1 and folded[end : end + 1].isalpha()
    if parsed.value < 100 and not counts and _named_ratio(folded, start):
        return Unit("ratio", "x")
    if _goes_on(folded, end):
        return None
    return Unit("number", "", scaled=True) if parsed.scaled else _PLAIN


def _goes_on(folded: str, end: int) -> bool:
    behind = folded[end : end + 1]
    return behind.isascii() and (behind.isalpha() or behind == "_")


def _named_ratio(folded: str, start: int) -> bool:
    if not edges.may_precede(folded, start, edges.RATIO):
        return False
    return RATIO_BEFORE.match(folded, max(0, start - 64), start) is not None


def _ratio(after: Any, parsed: Parsed, folded: str, start: int) -> Unit | None:
    if after["times"] and parsed.step == 1 and parsed.value >= 200:
        return None
    if after["times"] or after["multiple"] or after["one"] or after["to"]:
        return Unit("ratio", "x")
    if parsed.value >= 100 or (parsed.step == 1 and folded[after.end() : after.end() + 1].isalpha()):
        return None
    if after["fold"] and (parsed.step < 1 or _AS_MUCH.match(folded, after.end())):
        return Unit("ratio", "x")
    named = (not after.group() or after["fold"]) and _named_ratio(folded, start)
    return Unit("ratio", "x") if named else None


def _scale(after: Any) -> tuple[Decimal, bool]:
    if after["scale"]:
        return words.SCALE_WORDS[after["scale"]], True
    if after["letter"]:
        return words.SCALE_LETTERS[after["letter"]], True
    return Decimal(1), False


def _currency(before: Any, after: Any) -> tuple[str | None, bool]:
    """The currency named before or behind a number, and whether what stands behind belongs to this number."""
    first = _named(before["code"], before["sign"], before["name"])
    second = _named(after["code"], after["sign"], after["word"])
    return first or second, not (first and second and first != second)


def _named(code: str | None, sign: str | None, word: str | None) -> str | None:
    if code:
        return words.CODE_MEANS.get(code.upper(), code.upper())
    if sign:
        return words.CURRENCY_SIGNS.get(" ".join(sign.split()), "USD")
    return words.CURRENCY_WORDS[" ".join(word.split())] if word else None


_AS_MUCH = regex.compile(r"\s(?:ebitda|interest|earnings|debt|revenue|sales|coverage|book|leverage|as|higher|larger|more|greater|the|its|annual|cash|net|adjusted|trailing)\b")  # fmt: skip


def not_a_claim(folded: str, start: int, end: int, value: Decimal) -> bool:
    """Whether a plain number only counts a place: list and section numbers, identifiers, fractions, ordinals."""
    after = folded[end : end + 4]
    near = edges.may_precede(folded, start, edges.LABEL)
    labelled = near and _LABEL.match(folded, max(0, start - 16), start) is not None
    if labelled or (after[:1] == "/" and after[1:2].isdigit()):
        return True
    if value == int(value) and value < 1000:
        if _LIST_END.match(after) and _LISTED.match(folded, max(0, start - 16), start):
            return True
        if after.startswith(")") and value < 100 and "(" not in folded[max(0, start - 40) : start - 1]:
            return True
    return _TAIL.match(after) is not None


_TAIL = regex.compile(r"(?:st|nd|rd|th)\b|-(?:[a-z]{1,2}|\d{1,4}-)(?![a-z])|:\d|%[0-9a-f]{2}|°")
