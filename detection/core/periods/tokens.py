"""A text cut into the words and signs that periods are made of: one sign of the grammar for each.

Hebrew words are looked up without their prefixes; Chinese, which has no spaces, by the longest known word.
"""

import re

from detection.core.numbers import folding
from detection.core.numbers.dates import YEAR_APART
from detection.core.periods.spans import Span, month_end, stretch
from detection.core.periods.words import Meaning, phrases

Lexeme = tuple[str, object, str]
"""A sign of the grammar, its value, and the Hebrew prefixes that were taken off."""

_HAN_DIGITS = {sign: digit for digit, sign in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_PREFIXES = "ובהלמשכ"
_LONGEST = 16  # characters of a date in digits
_MOST = 20_000  # words remembered
_PHRASES = phrases()


def _any(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_GROWN = r"(?<![\d〇零一二三四五六七八九十上下])[年季月][增減减](?![长長加少])"  # 年增24%, but 2025年增长
_ALL_QUARTERS = r"(?<!第)四季(?![度报報])"  # the four of a year, no period of their own
_GROWN_WORDS = frozenset(one + other for one in "年季月" for other in "增減减")
_HAN_WORDS = [word for word in _PHRASES if "\u3400" <= word[0] <= "\u9fff" and word not in _GROWN_WORDS]
_SEVERAL = [word for word in _PHRASES if not word.isalpha() and not word[0].isdigit() and word[0] < "\u3400"]
_LATIN = [word for word in _SEVERAL if word.isascii()]
_HEBREW = [word for word in _SEVERAL if not word.isascii()]
_PART = r"(?:f?q[1-4]|h[12]|[1-4]q|[12]h|[369]m|12m)"
_ALONE = r"(?![\d%]|[.,/-]\d)"
_SHORT = rf"\s{YEAR_APART}(?![\d%]|[.,/-]\d|\s?%)"
_PLAIN = rf"""
  (?=[a-z])(?:
    (?=[qhfc])(?:{_PART}(?:\s?'|[-/]?(?:fy)?)\d\d{_ALONE} | {_PART}{_SHORT} | {_PART}(?=f?y?\d{{4}}|fy|[^a-z\d]|$) | fy[-\s]?'?\d\d(?:[-/]\d\d)?{_ALONE} | cy\s?\d\d{_ALONE})
  | (?=[{"".join(sorted({word[0] for word in _LATIN}))}])(?:{_any(_LATIN)})(?![a-z])
  | [a-z]+(?:'s(?![a-z]))?
  )
| (?=\d)(?:
    (?<![a-z\d.,])(?=\d\d?[qhm]){_PART}(?:(?:\s?'|[-/]?(?:fy)?)\d\d{_ALONE}|{_SHORT}|(?=\d{{4}}|fy|[^a-z\d]|$))
  | \d{{4}}(?:-\d\d?-|/\d\d?/|\.\d\d?\.)\d\d?(?!\d)
  | (?<![\d.,/])(?<!\d-)\d\d?(?:-\d\d?-|/\d\d?/|\.\d\d?\.)(?:\d{{4}}|\d\d)(?![\d%]|[./-]\d)
  | (?:19|20)\d\d\s?[-/]\s?(?:20)?\d\d(?![\d%]|[-/.,]\d)
  | (?<![\d.,/])(?<!\d-)\d\d?\s?[-/]\s?(?:19|20)\d\d(?![\d%]|[-/.,]\d)
  | \d\d?(?:st|nd|rd|th)\b
  | (?<![\d.,/-])(?:1[0-2]|0?[1-9])-(?:1[0-2]|[1-9])[./](?:19|20)\d\d(?![\d%]|[.,/-]\d)
  | (?<![\d.,/-])(?:0[1-9]|1[0-2])\.(?:19|20)\d\d(?![\d%]|[.,/-]\d)
  | (?<!\d)[12]\d年(?=第|[一二三四1-4]季|[上下]半年|\d\d?月|[qh]\d|全年|末|底|度)
  | (?:\d{{1,3}}(?:,\d{{3}}){{1,8}}(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s?%|'s(?![a-z]))?
  )
| '\d\d(?![\w%])
| [$€£¥₪]\s?\d[\d,.]*
| [^\s\w]
| \n
"""
_MORE = rf"""
| (?=[א-ת])(?:[ובהלמשכ]{{0,2}}(?:{_any(_HEBREW)})(?![א-ת])|[א-ת]+(?:'(?!\d))?(?:"[א-ת]+)?)
| {_GROWN}
| (?=[{"".join(sorted({word[0] for word in _HAN_WORDS}))}])(?:{_any(_HAN_WORDS)})
| {_ALL_QUARTERS}
| [〇零一二三四五六七八九十两兩]+
| \w
"""
_ASCII = re.compile(_PLAIN, re.VERBOSE)
_ANY = re.compile(_PLAIN + _MORE, re.VERBOSE)
_SIGNS = {sign: sign for sign in "-/.,'()&"} | {"–": "-", "—": "-", "、": "&", "~": "z"}
_FROM_THE = re.compile(
    r"מה(?!נדס|יר|ות|לך|פכ|דור|ימ|ון|גר)[א-ת]{3}"
)  # "than the expenses", no word of its own
_OF_NUMBER = re.compile(r"[\d]+|[a-z]+")


class _Lexicon(dict[str, Lexeme]):
    """What each word means; words are read when they first come up."""

    def __missing__(self, word: str) -> Lexeme:
        found = _lexeme(word)
        if len(self) < _MOST and len(word) < 30:
            self[word] = found
        return found


def _lexeme(word: str) -> Lexeme:
    meaning = _PHRASES.get(word)
    if meaning is not None:
        return (*meaning, "")
    first = word[0]
    if first == "\n":
        return "n", None, ""
    if first in _HAN_DIGITS or first == "十":
        return _han(word)
    if any(sign.isdecimal() for sign in word):
        return _numeral(word)
    if "א" <= first <= "ת":
        return _hebrew(word)
    if word.endswith("'s"):
        return (*_PHRASES.get(word[:-2], Meaning("x")), "")
    return _SIGNS.get(word, "n" if word in ";!?:。；！？|" else "x"), None, ""


def _hebrew(word: str) -> Lexeme:
    for count in range(1, min(3, len(word) - 2) + 1):
        if word[count - 1] not in _PREFIXES:
            break
        meaning = _PHRASES.get(word[count:])
        if meaning is not None and meaning.sign not in "oφtp":
            return (*meaning, word[:count])
    return ("φ" if _FROM_THE.match(word) else "x"), None, ""


def _han(word: str) -> Lexeme:
    if len(word) == 4 and "十" not in word:
        year = int("".join(str(_HAN_DIGITS[sign]) for sign in word))
        return ("Y", year, "") if 1900 <= year < 2200 else ("0", None, "")
    tens, ten, ones = word.rpartition("十")
    if len(tens) > 1 or len(ones) > 1:
        return "0", None, ""
    value = (_HAN_DIGITS.get(tens, 1) * 10 if ten else 0) + _HAN_DIGITS.get(ones, 0)
    return "D", value, ""


def _numeral(word: str) -> Lexeme:
    """A run with digits: a year, a small number, a date, a named part of a year, or any other number."""
    if word[0] == "'" and len(word) == 3:
        return "Y", _full(int(word[1:])), ""
    if word.endswith("'s"):
        return _numeral(word[:-2])
    if word[-1] == "年":
        return "Y", _full(int(word[:-1])), ""
    if word.isdecimal():
        if len(word) == 4 and 1900 <= int(word) < 2200:
            return "Y", int(word), ""
        return ("D", int(word), "") if len(word) <= 2 else ("0", None, "")
    if word[-2:] in ("st", "nd", "rd", "th"):
        return "O", int(word[:-2]), ""
    if word.startswith("cy"):
        return "Y", _full(int(word[-2:])), ""
    if word.startswith("fy"):
        return "W", _full(int(_OF_NUMBER.findall(word)[-1])), ""
    if word[0] in "fqh" or word[1:2] in "qhm" or word[:3] == "12m":
        return _named(word)
    if len(word) > _LONGEST or any(sign in word for sign in "$€£¥₪%,"):
        return "0", None, ""
    runs = [int(run) for run in _OF_NUMBER.findall(word) if run.isdecimal()]
    if len(runs) == 3:
        if word[-5] in "./" and "-" in word:
            ok = 1 <= runs[0] < runs[1] <= 12
            return ("I", stretch(runs[2], runs[0], runs[1] - runs[0] + 1), "") if ok else ("0", None, "")
        return "T", (*runs, "." in word, word[:4].isdigit()), ""
    if len(runs) == 2 and ("." not in word or (word[2] == "." and 1900 < runs[1] < 2100)):
        return _pair(runs, word)
    return "0", None, ""


def _named(word: str) -> Lexeme:
    first, *rest = (int(run) for run in _OF_NUMBER.findall(word) if run.isdecimal())
    part = (first, 1) if "m" in word else (3 if "q" in word else 6, first)
    if rest:
        return "×", (*part, _full(rest[0]), "f" in word), ""
    return ("Q" if word[0] == "f" else "q"), part, ""


def _pair(runs: list[int], word: str) -> Lexeme:
    """Two numbers with a dash or a stroke: a month, a year of two years, or two years."""
    first, last = runs
    if first > 1900 and last > 1900:
        return ("W", last, "") if last == first + 1 and "/" in word else ("↔", (first, last), "")
    if first > 1900 and last == (first + 1) % 100 and last > 12:
        return "W", first + 1, ""
    if "-" in word and max(first % 100, 12) < last < 100 and first > 1900:
        return "↔", (first, first - first % 100 + last), ""
    if first > 1900:
        if 1 <= last <= 12 and last != first % 100 + 1:
            return "I", stretch(first, last, 1), ""
        return ("W", first + 1, "") if last == (first + 1) % 100 else ("0", None, "")
    if last > 1900:
        return ("I", stretch(last, first, 1), "") if 1 <= first <= 12 else ("0", None, "")
    if last == first + 1:
        return "Y", _full(last), ""
    return "0", None, ""


def _full(short: int) -> int:
    return 2000 + short if short < 70 else 1900 + short


def day_of(value: tuple[int, ...], *, day_first: bool) -> Span | None:
    """The day of a date in digits; None where there is no such day."""
    first, second, third, dotted, year_first = value
    if year_first:
        year, month, day = first, second, third
    else:
        year = third if third > 99 else _full(third)
        turned = (day_first or dotted) and second <= 12
        month, day = (second, first) if turned or first > 12 else (first, second)
    if not (1 <= month <= 12 and 1 <= day <= 31 and 1000 <= year < 3000):
        return None
    end = month_end(year, month)
    return (end.replace(day=day),) * 2 if day <= end.day else None


class Tokens:
    """The tokens of a text: their signs as one string, their values, and where they stand."""

    __slots__ = ("_folded", "_matches", "_origin", "lexemes", "signs", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded, self._origin = folding.fold(text)
        pattern = _ASCII if self._folded.isascii() else _ANY
        self._matches = [*pattern.finditer(self._folded)]
        self.words: list[str] = [match[0] for match in self._matches]
        self.lexemes = [_LEXICON[word] for word in self.words]
        self.signs = "".join([lexeme[0] for lexeme in self.lexemes])

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where the tokens from ``first`` up to ``last`` stand in the text."""
        start, end = self._matches[first].start(), self._matches[last - 1].end()
        if self._origin is not None:
            return self._origin[start], self._origin[end - 1] + 1
        return start, end

    def values(self, first: int, last: int, signs: str) -> list[object]:
        """The values of the tokens of such signs."""
        return [value for sign, value, _ in self.lexemes[first:last] if sign in signs]


_LEXICON = _Lexicon()
