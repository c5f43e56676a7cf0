"""What may stand right beside a number, by its nearest two characters.

Most numbers have nothing beside them that means anything. A look at two characters tells so and saves the
patterns of :mod:`detection.core.numbers.units`; it never says no where one of them would match.
"""

from collections.abc import Iterable

import regex

from detection.core.numbers import words as words

_REACH = 28  # more than the blanks that any pattern passes over, and two characters
_BLANKS = "".join(regex.findall(r"\s", "".join(map(chr, range(0x3001)))))
_HAN = "\u2e80"


def _pairs(names: Iterable[str], last: bool) -> frozenset[str]:
    """The outer two characters of each name, or the outer one where there is no second to rely on."""
    found = set()
    for name in names:
        pair = name[-2:] if last else name[:2]
        outer = pair[-1] if last else pair[0]
        found.add(outer if len(pair) < 2 or " " in pair or outer > _HAN else pair)
    return frozenset(found)


PREFIX = _pairs(
    (*words.CURRENCY_SIGNS, *words.CURRENCY_ABBREVIATIONS, *(code.lower() for code in words.CURRENCY_CODES), *words.HAN_CURRENCIES,
     "負", "(", "-", "–", "+", "minus", "negative", "מינוס", "负", "百分之"),
    last=True,
)  # fmt: skip
RATIO = _pairs(
    (
        *words.RATIO_NAMES,
        *words.RATIO_LINKS,
        *(f"{name[-1]}{sign}" for name in words.RATIO_NAMES for sign in ",|"),
        " |",
        *":=()",
        "-",
        "פי",
        *"בלכ为為是达達到至约約降升仅僅于於",
        *(
            "well",
            "even",
            "just",
            "only",
            "then",
            "still",
            "also",
            "currently",
            "roughly",
            "around",
            "nearly",
            "almost",
            "vs.",
            "against",
            "with",
        ),
    ),
    last=True,
)
LABEL = _pairs((*words.LABELS_BEFORE, *"#:(§@=/\\_"), last=True)
_CUES = (*words.UP, *words.DOWN, *words.APPROXIMATE, *words.AT_LEAST, *words.AT_MOST, *words.CUE_LINKS)
_CUE = _pairs(_CUES, last=True)
_LINKS = frozenset(words.CUE_LINKS)
_CUE_WORDS = frozenset(word for cue in _CUES for word in cue.split()[-2:])
_BEFORE_SIGN = PREFIX | _pairs(
    (name[:-1].rstrip() for name in words.CURRENCY_SIGNS if name[-1] == "$" and len(name) > 1), last=True
)

_BESIDE = PREFIX | RATIO | LABEL | _CUE

_LETTERS = frozenset(letter for letter in words.SCALE_LETTERS if len(letter) == 1) | {"x"}
_SUFFIX = _pairs(
    (*words.SCALE_WORDS, *words.CURRENCY_WORDS, *words.CURRENCY_PARTS, *words.CURRENCY_SIGNS, *words.CURRENCY_ABBREVIATIONS, *"多余餘成", *(code.lower() for code in words.CURRENCY_CODES),
     *(letters + code for letters in words.SCALE_LETTERS for code in ("usd", "gbp", "eur", "ils")),
     "percent", "pct", "per", "pp", "p.p", "points", "נקודות", "个", "個", "百", "bp", "basis", "基", "%", "אחוז", "×", "倍", ":", "to ", ")",
     "times", "us", *"$€£¥₪₹₡₭₾", *(letters for letters in words.SCALE_LETTERS if len(letters) > 1)),
    last=False,
)  # fmt: skip
_CUE_AFTER = _pairs(words.CUES_AFTER, last=False)
_AFTER = _SUFFIX | _CUE_AFTER
_APART = frozenset((*" ,;\n", ""))


def before(folded: str, start: int) -> str:
    """The last two characters before ``start``, blanks apart."""
    return folded[start - _REACH if start > _REACH else 0 : start].rstrip()[-2:]


def may_end(pair: str, names: frozenset[str]) -> bool:
    """Whether one of the names behind ``names`` may end with the two characters ``pair``."""
    return pair in names or pair[-1:] in names


def lonely(folded: str, start: int, end: int) -> bool:
    """Whether the digits ``folded[start:end]`` have nothing beside them that could say what they count."""
    if folded[end : end + 1] not in _APART:
        return False
    near = folded[end : end + 5].lstrip(_BLANKS + "-")
    if near[:2] in _AFTER or near[:1] in _AFTER or near[:1] in _LETTERS:
        return False
    pair = before(folded, start)
    return not may_end(pair, _BESIDE) and not "א" <= pair[-1:] <= "ת"


def only_sign(folded: str, start: int) -> bool:
    """Whether the currency sign right before ``start`` stands for itself: no sign, code or bracket before it."""
    return not folded[start - 2 : start - 1].isalpha() and not may_end(
        before(folded, start - 1), _BEFORE_SIGN
    )


def may_follow(folded: str, end: int) -> bool:
    """Whether a scale, a unit or a currency may begin at ``end``, up to three blanks and hyphens later."""
    near = folded[end : end + 5].lstrip(_BLANKS + "-")
    if near[:1] in _LETTERS and not "a" <= near[1:2] <= "z":
        return True
    return near[:2] in _SUFFIX or near[:1] in _SUFFIX


def cue_may_precede(folded: str, start: int) -> bool:
    """Whether a word or sign that qualifies a number may end before ``start``."""
    near = folded[start - _REACH if start > _REACH else 0 : start].rstrip()
    last = near[-1:]
    if not "a" <= last <= "z":
        return near[-2:] in _CUE or last in _CUE
    *others, word = near.rsplit(None, 2)
    if word in _LINKS and word != "by" and others and others[-1].isalpha():
        return others[-1] in _CUE_WORDS
    return word in _CUE_WORDS


def cue_may_follow(folded: str, end: int) -> bool:
    """Whether a word that qualifies the number may begin at ``end``."""
    near = folded[end : end + 5].lstrip(_BLANKS)
    return near[:2] in _CUE_AFTER or near[:1] in _CUE_AFTER
