"""What a number counts: the noun or the measure behind it, and whether a number word counts anything (NUM-01…NUM-04).

A number word under eleven is read only where a known noun follows ("three months' rent", "two break options"), and a
duration in words only where it is no period that the text speaks of ("the trailing twelve months").
"""

import re

import regex

from detection.core.numbers import counted as counted
from detection.core.numbers import words as words
from detection.core.numbers.values import Parsed

_HAN = r"\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HAN = _HAN
_LEAST_SPELLED = 11  # "one of them", "the two": small number words count nothing by themselves


def _any(names: tuple[str, ...]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


def _singular(noun: str) -> str:
    if noun in counted.IRREGULAR:
        return counted.IRREGULAR[noun]
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-2] if noun.endswith(("xes", "ches", "shes", "sses", "uses")) else noun[:-1]


_DURATIONS = frozenset((*counted.DURATIONS, *map(_singular, counted.DURATIONS)))
_PLURALS = frozenset((*counted.DURATIONS, *counted.THINGS, "staff"))
_NOUNS = _PLURALS | frozenset(map(_singular, _PLURALS))
_NO_MODIFIERS = frozenset(counted.NO_MODIFIERS)
_NO_NOUN = _any(counted.NO_MODIFIERS)
_NOUN = re.compile(
    rf"\+?(?P<gap>[\s-])(?!(?:{_NO_NOUN})\b)(?:(?P<english>[a-z]{{3,30}})|(?P<hebrew>[א-ת]{{2,20}}))|(?![至到和与與及])(?P<han>[{_HAN}]{{1,2}})"
)
_PHRASE = re.compile(
    r"\+?[\s-]([a-z]+(?:-[a-z]+)*)(?:[ \u00a0]([a-z]+(?:-[a-z]+)*))?(?:[ \u00a0]([a-z]+(?:-[a-z]+)*))?"
)
_MEASURE = re.compile(rf"[\s-]{{0,2}}(?P<measure>{'|'.join(counted.MEASURES)})(?![a-z0-9²³])")
_HEBREW_TWO = re.compile(rf"[\s-](?P<noun>{_any(counted.HEBREW_MEASURES)})(?![א-ת])")
_HEBREW_OF = re.compile(
    r"[\s-](?P<noun>(?!כפי|לפי|אחרי|לפני|כדי|מדי|שני|דמי|בלי|אולי|עלי)[א-ת]{2,12}י\s[א-ת\"']{2,14})(?![א-ת])"
)
_CLASSIFIERS = counted.CHINESE_CLASSIFIERS + counted.CHINESE_LOOSE_CLASSIFIERS
_HAN_MEASURES = (
    rf"{_any(counted.CHINESE_MEASURES)}|日(?=[之以]?[内內])"  # 十日内 lasts, 十日 is a day of the month
)
_HAN_THINGS = _any(counted.CHINESE_THINGS)
_WITH_CLASSIFIER = ("个月", "個月", "个点", "個點")  # 月 alone is a month of the year, 点 an hour
_NO_HAN_MODIFIER = "的了在于於为為是和与與及或至到由从從被将將已均都不"
_HAN_NOUN = re.compile(
    rf"""\s?(?:(?P<measure>{_HAN_MEASURES})(?![转轉边邊然津度])
    | [{_CLASSIFIERS}]\s?(?P<thing>[^\W\x00-\x7f{_NO_HAN_MODIFIER}]{{0,3}}?(?:{_HAN_THINGS}))
    | (?P<direct>{_HAN_THINGS})
    | (?P<classifier>[{_CLASSIFIERS}]))""",
    re.VERBOSE,
)
HAN_COUNTED = (
    rf"(?:[至到][一二两兩三四五六七八九十]{{1,3}})?(?:(?:{_HAN_MEASURES})(?![转轉边邊然津度])|[{counted.CHINESE_CLASSIFIERS}](?![数數分门門曲])"
    rf"|[{counted.CHINESE_LOOSE_CLASSIFIERS}][^\W\x00-\x7f{_NO_HAN_MODIFIER}]{{0,3}}?(?:{_HAN_THINGS}))"
)
"""What follows Chinese numerals that count something."""


def noun_after(folded: str, end: int) -> str | None:
    """The noun that a number ending at ``end`` counts, None where no noun follows: the words up to the known noun
    (``parking spaces``, ``square feet``, ``ימי עסקים``, ``平方米``), else the next word."""
    match = _NOUN.match(folded, end)
    if match is None:
        return _measure(folded, end) or _hebrew(folded, end)
    if match["english"]:
        word: str = match["english"]
        if word in _DURATIONS or match["gap"] == "-":
            return word
        if match["gap"] == "\n":  # the next row of a table, or a line that goes on
            return _measure(folded, end) or word
        return _phrase(folded, end) or _measure(folded, end) or word
    return _hebrew(folded, end) or match["hebrew"] if match["hebrew"] else _han(folded, end) or match["han"]


def _measure(folded: str, end: int) -> str | None:
    match = _MEASURE.match(folded, end)
    return " ".join(match["measure"].split()) if match else None


def measured(folded: str, end: int) -> bool:
    """Whether a unit of measure is glued to the number that ends at ``end``: ``120sqm``."""
    return _MEASURE.match(folded, end) is not None


def _phrase(folded: str, end: int) -> str | None:
    """The words up to the known English noun, at most three; None where there is none."""
    match = _PHRASE.match(folded, end)
    read = [word for word in match.groups() if word] if match else []
    for place, word in enumerate(read):
        if word in _NO_MODIFIERS:
            break
        if word in _NOUNS:
            if word not in _PLURALS and read[place + 1 : place + 2] and read[place + 1] in _PLURALS:
                return " ".join(read[: place + 2])
            return " ".join(read[: place + 1])
    return None


def _hebrew(folded: str, end: int) -> str | None:
    beside = _HEBREW_BESIDE.match(folded, end)
    end = beside.end() if beside else end
    match = _HEBREW_TWO.match(folded, end) or _HEBREW_OF.match(folded, end)
    return match["noun"] if match else None


def _han(folded: str, end: int) -> str | None:
    match = _HAN_NOUN.match(folded, end)
    if match is None:
        return None
    noun: str = match[match.lastgroup or 0]
    return noun if noun in _WITH_CLASSIFIER else noun.lstrip("个個") or noun


def is_counted(folded: str, end: int) -> bool:
    """Whether a known English noun stands behind the number that ends at ``end``."""
    return _phrase(folded, end) is not None or _measure(folded, end) is not None


# --- number words ---------------------------------------------------------------------------------------
_PERIOD_BEFORE = regex.compile(
    r"(?r)(?<![a-z])(?:the|these|those|first|last|past|next|previous|prior|preceding|trailing|latest|final|recent|following|initial|opening|subsequent|coming|other|both|same|any|another|no|or)\s"
)
_DEFINITE_BEFORE = regex.compile(
    r"(?r)(?<![a-z])(?:the|these|those|other|both|first|last|next|any|same|another|no|such|or)\s"
)
_SOME_DAY = regex.compile(
    r"(?r)(?<![a-z])(?:within|for|of|than|least|most|about|only|by|to|every)\s"
)  # "one day" is any
_PERIOD_AFTER = re.compile(r"[\s-][a-z]+\s(?:periods?\b|ended\b|ending\b|later\b|ago\b|earlier\b|to\sdate\b)")
_BESIDE = re.compile(
    r"(?:\sto\s|\s?[-–]\s?)(?:[0-9]{1,3}|" + _any(tuple(words.ENGLISH_NUMBERS)) + r")(?=[\s-])"
)
_HEBREW_BESIDE = re.compile(rf"\sעד\s(?:{_any(tuple(words.HEBREW_NUMBERS))})(?![א-ת])")
_HEBREW_PLURAL = re.compile(r"[\s-](?P<noun>[א-ת]{2,14}(?:ים|ות)|[א-ת]{2,12}י(?=\s[א-ת]))(?![א-ת\"'])")
_HEBREW_BEFORE = regex.compile(
    r"(?r)(?<![א-ת])[בלמהוכש]{0,2}(?:יום|רבעון|שלב|פרק|סעיף|לפני|סבב|שנה|עונה)\s[בלמהוכש]{0,2}-?"
)
_HEBREW_ADJECTIVE = regex.compile(
    r"(?r)(?:(?<![א-ת])[בלמוכש]?ה|(?:ים|ות|יי)\s)"
)  # חודשיים are monthly ones too
_HEBREW_AGO = regex.compile(r"(?r)(?<![א-ת])(?:לפני|בעוד|כעבור)\s(?:כ-?)?")
_HEBREW_PAST = re.compile(r"(?:\s[א-ת]{2,14})?\s(?:ה?(?:ראשונ|אחרונ|קודמ)(?:ים|ות))(?![א-ת])")
_HEBREW_SPAN = regex.compile(rf"(?r)(?<![א-ת])[בלמהוכש]{{0,2}}-?({'|'.join(counted.HEBREW_SPANS)})\s")
_HAN_BEFORE = regex.compile(
    r"(?r)(?:第|前|过去|過去|最近|未来|未來|上|下|这|這|那|后|後|其余|其他|首|头|頭|末|某|任|上述|分之|周|星期|近(?=[\p{Han}]{1,6}(?:年|个月|個月|周)))\s?"
)
_HAN_OF_THEM = re.compile(r"之一|之中|中")
_HAN_AFTER = re.compile(r"(?:年|个月|個月|周|天|个?星期|个?季度)(?:以?[前后後来來]|之[前后後]|间|間)")


def counts(folded: str, start: int, end: int, parsed: Parsed, capital: bool) -> bool:
    """Whether the plain number words ``folded[start:end]`` count something that can be checked; ``capital`` where the
    text writes them as a name (``Three Rivers``)."""
    sign = folded[start]
    if sign.isascii():
        return _english_counts(folded, start, end, parsed) and not (capital and parsed.value < _LEAST_SPELLED)
    return (
        _hebrew_counts(folded, start, end, parsed)
        if "א" <= sign <= "ת"
        else _han_counts(folded, start, end, parsed)
    )


def _english_counts(folded: str, start: int, end: int, parsed: Parsed) -> bool:
    beside = _BESIDE.match(folded, end)
    stop = beside.end() if beside else end
    phrase = _phrase(folded, stop)
    if phrase in _DURATIONS:
        if (
            phrase == "day"
            and parsed.value == 1
            and _SOME_DAY.match(folded, max(0, start - 16), start) is None
        ):
            return False
        glued = folded[stop : stop + 1] == "-"
        period = not glued and _PERIOD_BEFORE.match(folded, max(0, start - 16), start) is not None
        return not period and _PERIOD_AFTER.match(folded, stop) is None
    if parsed.value >= _LEAST_SPELLED:
        return True
    if phrase is None and _measure(folded, stop) is None:
        return False
    if parsed.value < 2 and (phrase or "").rpartition(" ")[2] not in _DURATIONS:
        return False
    return _DEFINITE_BEFORE.match(folded, max(0, start - 16), start) is None


def _hebrew_counts(folded: str, start: int, end: int, parsed: Parsed) -> bool:
    if parsed.value >= _LEAST_SPELLED:
        return True
    if _HEBREW_AGO.match(folded, max(0, start - 12), start) or _HEBREW_PAST.match(folded, end):
        return False
    if folded[start:end].split()[0] in counted.HEBREW_DUALS:
        return _HEBREW_ADJECTIVE.match(folded, max(0, start - 16), start) is None
    if parsed.value == 1:
        return _HEBREW_SPAN.match(folded, max(0, start - 12), start) is not None
    if parsed.value == 2 and _HEBREW_BEFORE.match(folded, max(0, start - 12), start):
        return False
    beside = _HEBREW_BESIDE.match(folded, end)
    end = beside.end() if beside else end
    match = _HEBREW_TWO.match(folded, end) or _HEBREW_PLURAL.match(folded, end)
    noun = match["noun"] if match else ""
    definite = noun[:1] == "ה" and not noun.startswith(counted.HEBREW_WITH_HE)
    return bool(noun) and not definite and noun not in counted.HEBREW_NO_NOUNS


def _han_counts(folded: str, start: int, end: int, parsed: Parsed) -> bool:
    run = folded[start:end]
    if parsed.scaled and run[-1] in words.CHINESE_MYRIADS:
        return True
    if len(run) > 1 and not any(sign in words.CHINESE_UNITS for sign in run):
        return "点" in run  # 两三年, 九八年
    if run == "二":
        return False
    match = _HAN_NOUN.match(folded, end)
    if run in ("一", "零") and (match is None or not match["measure"] or match["measure"].startswith("平")):
        return False
    ahead = folded.startswith("提前", start - 2)
    if match is not None and _HAN_OF_THEM.match(folded, match.end()):
        return False
    return _HAN_BEFORE.match(folded, max(0, start - 6), start) is None and (
        ahead or _HAN_AFTER.match(folded, end) is None
    )


def dual_noun(run: str) -> str | None:
    """The noun of a Hebrew dual: ``שנתיים`` are two שנים."""
    return counted.HEBREW_DUALS.get(run.split()[0])


def span_before(folded: str, start: int) -> str | None:
    """The Hebrew noun before its number one: חודש in ``חודש אחד``."""
    match = _HEBREW_SPAN.match(folded, max(0, start - 12), start)
    return match[1] if match else None
