"""Numbers written in words: what one looks like and what it is worth, in three languages (NUM-01…NUM-04)."""

from collections.abc import Iterable
from decimal import Decimal

import regex

from detection.core.numbers import words as words
from detection.core.numbers.counted import HEBREW_DUALS
from detection.core.numbers.values import Parsed

_ONE = Decimal(1)
_HALF, _QUARTER, _THREE_QUARTERS = Decimal("0.5"), Decimal("0.25"), Decimal("0.75")
_PARTS = {"half": _HALF, "quarter": _QUARTER, "חצי": _HALF, "רבע": _QUARTER}
_TWO_THOUSAND = "אלפיים"


def _any(names: Iterable[str]) -> str:
    return "|".join(name.replace(" ", r"\s") for name in sorted(names, key=len, reverse=True))


_SCALE = _any(words.ENGLISH_SCALES)
_WORD = _any((*words.ENGLISH_NUMBERS, *words.ENGLISH_SCALES))
_AND_A_PART = r"(?:\sand\s(?:(?:an?|one)[\s-])?(?:half|quarter)|\sand\sthree[\s-]quarters)"
_POINT = (
    rf"\spoint(?:\s(?:{_any(name for name, value in words.ENGLISH_NUMBERS.items() if value < 10)})){{1,8}}"
)
_OF_A = r"\s(?:of\s)?(?:an?\s)?"
_PART = r"(?:half|quarter|three[\s-]quarters)"
_NO_FRACTION = r"(?!\w|[\s-](?:halves|thirds?|(?:fif|six|seven|eigh|nin|ten|hundred|thousand|million)ths?)\b|(?<=three)[\s-]quarters)"
ENGLISH = (
    rf"(?:{_PART}{_OF_A}(?:(?:{_SCALE})(?!\w)|(?<=\san?\s)(?=per\s?cent))"
    rf"|(?:(?<=(?<![a-z])an?\s)|(?!{_SCALE}))(?:{_WORD})(?:[\s-](?:(?<=(?:{_SCALE})\s)and\s)?(?:{_WORD})){{0,12}}+"
    rf"(?:{_AND_A_PART}(?:\s(?:{_SCALE})){{0,2}}|{_POINT}(?:\s(?:{_SCALE})){{0,2}})?+{_NO_FRACTION})"
)
"""``two hundred fifty thousand``, ``one and a half million``, ``half a million``, ``half a`` before ``percent``. A scale
with nothing before it (``million dollars``) is no number: ``several million``, ``multi-million``."""

_HEBREW_SCALE = _any(words.HEBREW_SCALES)
_DUALS = dict.fromkeys(HEBREW_DUALS, 2)
_HEBREW_WORD = _any((*words.HEBREW_NUMBERS, *words.HEBREW_SCALES))
HEBREW = (
    rf"(?:(?:{_any(_DUALS)})(?:\sו(?:חצי|רבע))?(?![א-ת'\"])|(?:חצי|רבע)\s(?=אחוז|נקודת)|(?:(?:חצי|רבע)\s(?:{_HEBREW_SCALE})"
    rf"|(?!מאות|אלפים|אלפי\s)(?:{_HEBREW_WORD})(?:[\s-]ו?(?:{_HEBREW_WORD})(?![א-ת])){{0,8}}+(?:\sו(?:חצי|רבע)(?:\s(?:{_HEBREW_SCALE}))?)?)(?![א-ת'\"]))"
)
_TOKEN = regex.compile(
    rf"three[\s-]quarters|{_any(_DUALS)}|{_HEBREW_WORD}|חצי|רבע|{_WORD}|half|quarter|point"
)
_SCALE_OF_ONE = regex.compile(rf"^({_HEBREW_SCALE})\s(?:אחד|אחת)$")
"""``מיליון אחד`` is one million; one more than it is ``מיליון ואחד``."""
_VAGUE = regex.compile(r"(?r)(?:(?<![א-ת])ב?(?:כמה|עשרות|מאות|אלפי|מספר)\s|[数數几幾上多])")
_NUMBERS = {**words.ENGLISH_NUMBERS, **words.HEBREW_NUMBERS, **_DUALS}
_SCALES = {**words.ENGLISH_SCALES, **words.HEBREW_SCALES}


_ARTICLE = regex.compile(r"(?r)(?<![a-z])an?\s")


_TAKE_ARTICLES = ("half", "quarter", *words.ENGLISH_SCALES)


def article(folded: str, start: int) -> int:
    """How many characters the article before ``a million`` or ``a half million`` takes."""
    if not folded.startswith(_TAKE_ARTICLES, start):
        return 0
    match = _ARTICLE.match(folded, max(0, start - 4), start)
    return len(match.group()) if match else 0


def vague(folded: str, start: int) -> bool:
    """Whether what stands before a number word makes it no number: ``כמה מיליון``, ``几千万``."""
    return _VAGUE.match(folded, max(0, start - 8), start) is not None


def spelled(run: str) -> Parsed | None:
    """The value of number words: ``twenty-five``, ``one and a half million``, ``חמישה מיליון``, ``五百万``; None when
    their scales contradict each other (``five million thousand``)."""
    if run[0] in _HAN:
        return _chinese(run)
    run = _SCALE_OF_ONE.sub(r"\1", run)
    words_read = _Words()
    for word in _TOKEN.findall(run):
        if not words_read.take(word):
            return None
    return words_read.total()


class _Words:
    """Number words added up from left to right. ``value`` holds what a scale has closed, ``group`` what is still open."""

    def __init__(self) -> None:
        self.value, self.group, self.step = Decimal(0), Decimal(0), _ONE
        self.last, self.closed = 0, Decimal(0)
        self.open, self.whole, self.scaled, self.decimals = False, True, False, 0

    def take(self, word: str) -> bool:
        """Add one word; False when it contradicts what stands before it."""
        if word == _TWO_THOUSAND:
            return self._scale(1000, Decimal(2))
        if word in _NUMBERS:
            return self._number(_NUMBERS[word], word.isascii())
        if word in _SCALES and _SCALES[word] > 100:
            return self._scale(_SCALES[word], self.group if self.open else None)
        if word == "point":
            self.decimals = 1
        elif word in _SCALES:
            self._hundred()
        else:
            self._part(_PARTS.get(word, _THREE_QUARTERS))
        return True

    def _part(self, part: Decimal) -> None:
        self.whole = self.open
        self.group, self.open = self.group + part, True
        self.step = Decimal("0.1") if part == _HALF else Decimal("0.01")

    def _number(self, number: int, english: bool) -> bool:
        if self.decimals:
            self.step = _ONE.scaleb(-self.decimals)
            self.group, self.decimals = self.group + number * self.step, self.decimals + 1
            return True
        rest = self.group % 100
        teen = not english and 0 < rest < 10 == number
        if rest and not teen and not (rest >= 20 and rest % 10 == 0 and number < 10):
            return False  # "five six": two numbers
        self.group, self.step = self.group + number, _ONE
        self.open = self.whole = True
        return True

    def _hundred(self) -> None:
        ones = (
            self.group % 100
        )  # "one thousand two hundred", and אלף ושלוש מאות, multiply their last number alone
        self.group += (ones or 1) * 100 - ones
        self.open = self.whole = self.scaled = True

    def _scale(self, scale: int, count: Decimal | None) -> bool:
        if count is None and self.last:
            if scale < self.last:
                return False
            self.value += self.closed * (scale - 1)
            self.closed *= scale
        else:
            self.closed = (_ONE if count is None else count) * scale
            self.value += self.closed
        self.step = scale * (self.step if self.step < 1 else _ONE)
        self.group, self.open, self.scaled, self.last, self.decimals = Decimal(0), False, True, scale, 0
        return True

    def total(self) -> Parsed:
        """What the words are worth; a part of nothing belongs to the scale before it (``one million and a half``)."""
        if self.open and not self.whole and self.last:
            return Parsed(self.value + self.group * self.last, self.step * self.last, scaled=True)
        return Parsed(self.value + self.group, self.step, scaled=self.scaled)


_HAN = {*words.CHINESE_DIGITS, *words.CHINESE_UNITS, *words.CHINESE_MYRIADS, "半"}


def _chinese(run: str) -> Parsed | None:
    """The value of Chinese numerals; None for a scale with nothing before it (``百万``), which is vague."""
    if "成" in run:
        return _tenths(run)
    if run[0] == "半":
        scale = Decimal(words.CHINESE_MYRIADS[run[-1]])
        return Parsed(scale / 2, scale / 10, scaled=True)
    whole, _, fraction = run.partition("点")
    if (
        run[0] in "百千"
        or run[0] in words.CHINESE_MYRIADS
        or any(sign not in words.CHINESE_DIGITS for sign in fraction)
    ):
        return None
    total = _added(whole)
    scaled = any(sign not in words.CHINESE_DIGITS for sign in whole)
    if fraction:
        decimals = "".join(str(words.CHINESE_DIGITS[sign]) for sign in fraction)
        return Parsed(total + Decimal(f"0.{decimals}"), _ONE.scaleb(-len(decimals)), scaled=scaled)
    return Parsed(total, _ONE, scaled=scaled)


def _added(signs: Iterable[str]) -> Decimal:
    """The value of Chinese numerals, or of digits with scales between them: a scale multiplies what stands before it, of
    a smaller one behind a larger only what came since: 一亿五千万 is 150 million, 三万亿 three trillion."""
    value, since, group, digit, last = Decimal(0), Decimal(0), Decimal(0), Decimal(0), 0
    for sign in signs:
        if sign in words.CHINESE_UNITS:
            group, digit = group + (digit or 1) * words.CHINESE_UNITS[sign], Decimal(0)
        elif sign not in words.CHINESE_MYRIADS:
            digit = Decimal(words.CHINESE_DIGITS.get(sign, sign))
        else:
            myriad = words.CHINESE_MYRIADS[sign]
            if myriad < last:
                value, since = value + since, Decimal(0)
            since, group, digit, last = (since + group + digit) * myriad, Decimal(0), Decimal(0), myriad
    return value + since + group + digit


_SCALED = r"\d++(?:,\d{{3}}(?!\d))*+[十百千]?[{}]"
_LARGE, _SMALL = _SCALED.format("亿億"), _SCALED.format("万萬")
_REST = r"\d++(?:,\d{3}(?!\d))*+(?:\.\d++)?+"
MIXED_HAN = (
    rf"(?:{_LARGE}(?:{_SMALL}(?:\d[千]|\d,?\d{{3}}(?![\d.,年]))?|{_REST}[百千]?[万萬])"
    rf"|{_SMALL}(?:\d[千百]|\d,?\d{{3}}(?![\d.,年]))|\d千\d百?[万萬亿億])"
)
"""Digits with scales between them: ``1億5,873萬``, ``2万3千``, ``3千5百万``."""
_MIXED_SIGNS = regex.compile(r"\d++(?:,\d{3})*+(?:\.\d++)?+|[十百千万萬亿億]")


def mixed(run: str) -> Parsed:
    """The value of digits with scales between them, exact to the last of its digits."""
    signs = [sign.replace(",", "") for sign in _MIXED_SIGNS.findall(run)]
    last = max(place for place, sign in enumerate(signs) if sign[0].isdigit())
    step = _added(("1", *signs[last + 1 :]))
    decimals = len(signs[last].partition(".")[2])
    return Parsed(_added(signs), step.scaleb(-decimals), scaled=True)


_AND_HALF = regex.compile(r"[年天周週]半")


def with_half(folded: str, end: int, parsed: Parsed) -> Parsed:
    """A number with the half that Chinese says behind the measure: 一年半 is 1.5 years."""
    if parsed.step != _ONE or _AND_HALF.match(folded, end) is None:
        return parsed
    return Parsed(parsed.value + _HALF, Decimal("0.1"), scaled=parsed.scaled)


def _tenths(run: str) -> Parsed:
    """Tenths and hundredths: 八成五 is 85 %, 三成 is 30 %."""
    tens, _, ones = run.partition("成")
    value = Decimal(words.CHINESE_DIGITS[tens] * 10)
    if not ones:
        return Parsed(value, Decimal(10), percent=True)
    return Parsed(value + (5 if ones == "半" else words.CHINESE_DIGITS[ones]), _ONE, percent=True)
