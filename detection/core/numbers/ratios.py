"""Whether a bare number is a ratio by the name before it: "the quick ratio was 1.09" (NUM-03).

The name stands right before the number, links apart, or it opens the clause whose verb the number follows ("the asset
turnover ratio for Maple Court in 2023 is 24.26").
"""

import re
from collections.abc import Iterable

import regex

from detection.core.numbers import adjacency as edges
from detection.core.numbers import words as words
from detection.core.numbers.nouns import is_counted
from detection.core.numbers.values import Parsed
from detection.core.patterns import late

_HAN_FROM = chr(0x2E80)
_REACH = 112  # characters that a name, its clause and its verb take


def _any(names: Iterable[str]) -> str:
    return "|".join(re.escape(name).replace(r"\ ", r"\s") for name in sorted(names, key=len, reverse=True))


RATIO_BEFORE = late(
    rf"""(?r)(?:(?:(?<![a-z0-9_])(?<![a-z]-)(?:{_any(n for n in words.RATIO_NAMES if n.isascii())})|(?:{_any(n for n in words.RATIO_NAMES if not n.isascii())}))
    (?:\s?\([^()]{{1,12}}\))?
    (?:(?:\s|[:=,|(]|(?<!\w)(?:{"|".join(words.RATIO_LINKS)})(?!\w)|(?<!\w)[בלכמ]-?|为|為|是|达|達|到|至|约|約|降|升)){{0,24}}
    |(?<![א-ת])פי\s)""",
    regex.X,
)
_PLAIN_NAMES = ("ratio", "ratios", "coverage", "cover", "multiple")  # nouns of other meanings too
_HEAD = late(
    rf"""(?<![a-z-])(?:ratios?(?!\sof\s\d)|(?:{_any(n for n in words.RATIO_NAMES if n.isascii() and n not in _PLAIN_NAMES)})
      |(?:{"|".join(words.RATIO_OF)})-to-[a-z]+
      |(?:{"|".join(words.COVERS)})[\s-]cover(?:age)?
      |multiples?(?=\s(?:of|for|was|is|at|in|on|stood|came|to|rose|fell|achieved|paid|implied|and)\b|,|\s\())(?![a-z])
    | (?<![א-ת])[והלכמש]{{0,2}}(?:ב(?!יחס\sל))?(?:יחס|מכפיל)(?![א-ת])
    | (?:{_any(n for n in words.RATIO_NAMES if n[0] > _HAN_FROM)})""",
    regex.X,
)
_ADVERB = r"(?:about|approximately|around|roughly|nearly|almost|just|only|now|then|still|also|currently|at\sleast|at\smost|below|above|over|under|well|less\sthan|more\sthan|no\sless\sthan|not\sless\sthan|an?|the|even)"
_LINK = (
    rf"(?:is|was|were|are|be|been|reached|equals?|equall?ed|averaged?|hit|topped|exceed(?:s|ed)?|of|\w+(?:\s(?:up|down|back|out|in|slightly|sharply|further|steadily|unchanged))?\s(?:to|at))"
    rf"(?:\s{_ADVERB})*"
)
_VALUE = r"[0-9]+(?:\.[0-9]+)?(?:x|\stimes)?(?:\s(?:in|for|at|as\sof|on|a\syear)\s[^.;$%\n]{1,24})?"
_CONTINUED = rf"{_VALUE},?\s(?:and|to|from|versus|vs\.?|compared\s(?:to|with)|against|down\sfrom|up\sfrom|or|but)\s(?:{_ADVERB}\s)*"
_ANOTHER = r"\b(?:and|but|while|whereas|as|because|when|since|although|though|so|or|than|per|if|margin|percentage|yield|income|revenue|profit|rent|price|average|total)\b"
_CLAUSE = late(
    rf"""(?:(?:\s?\([^()]{{1,24}}\))?(?:(?!{_ANOTHER})(?:[^.;:!?\n$€£₪¥%\d(]|\.(?=\w)|(?:19|20)\d\d(?!\d)|(?<=q|h)[1-4]|\d{{1,2}}(?=,\s(?:19|20)\d\d))){{0,72}}?\s{_LINK}\s(?:{_CONTINUED}){{0,3}}
    | (?:\s[^.;:!?\n$€₪%\d]{{1,48}}|\s[^.;:!?\n$€₪%\d]{{0,40}}(?:19|20)\d\d[^.;:!?\n$€₪%\d]{{1,24}})?\s(?:היה|היתה|הייתה|הוא|היא|הינו|של|(?:עמד|עמדה|הגיע|ירד|עלה|השתפר|נותר|נקבע|הסתכם)(?:\s(?:על|רק))?)\s?(?:[כלב]-?|מ-?[0-9.]+\s?ל-?)?
    | (?:[^，。；！？\n$%\d]|(?:19|20)\d\d\s?年){{0,20}}?(?:为|為|是|达到?|達到?|至|到|等于|等於|仅|僅|由[0-9.]+倍?[降升]?[至到])(?:约|約)?)""",
    regex.X,
)
_POINTS = regex.compile(r"\s?(?:percentage\s|full\s)?points?(?![a-z])|\s?נקודות|\s?个?個?(?:百分)?[点點]")
_COUNTED = re.compile(r"\bof\s(?:the|these|those|all|its|our)\s\Z")
_ENDS = re.compile(r"\s*(?:[,;:)|。，；]|\.(?!\d)|\Z|\n)")


def is_named(folded: str, start: int, end: int, parsed: Parsed) -> bool:
    """Whether the bare number ``folded[start:end]`` is a ratio by the name before it."""
    if not edges.may_end(edges.before(folded, start), edges.RATIO):
        return False
    if _POINTS.match(folded, end):
        return False
    whole = parsed.step == 1
    if whole and _COUNTED.search(folded[max(0, start - _REACH) : start]):
        return False
    if RATIO_BEFORE.match(folded, max(0, start - 64), start) is not None:
        return not (whole and is_counted(folded, end))
    if whole and _ENDS.match(folded, end) is None:
        return False
    heads = [head.end() for head in _HEAD.finditer(folded, max(0, start - _REACH), start)]
    return bool(heads) and _CLAUSE.fullmatch(folded, heads[-1], start) is not None
