"""Ordinals that stand for a period without its noun: "in the first quarter … in the third", "the weakest was the first"."""

import re

from detection.core import lexicons
from detection.core.periods.tokens import Tokens

_FAR = 40  # tokens back in which the noun stands that an ordinal leaves out
_PARTS = frozenset((3, 6))
_YEARS = frozenset((12, 24))
_THINGS = ("x", "#", "!")
_NOUNS = "UuκqQ×KPMm7"
_AHEAD = frozenset("oφz@θB↕h")
_PREPOSITIONS = frozenset("במל")  # "בשלישי": a noun before it would have taken the preposition
_DEFINITE = _PREPOSITIONS | {"ה"}


def _words(key: str) -> frozenset[str]:
    return frozenset(word for words in lexicons.table("bare_ordinals").values() for word in words[key])


_IS, _BEHIND, _NEVER = _words("is"), _words("behind"), _words("never")


def stands_for(tokens: Tokens, first: int, last: int) -> int:
    """The months of the quarter or half that an ordinal at the tokens stands for; 0 where it counts another thing."""
    place = _noun(tokens, first)
    if place is None or not _is_definite(tokens, first) or not _is_alone(tokens, last):
        return 0
    if tokens.words[first - 1] in _IS:  # "the loss of the first quarter was the second in five years"
        meant = tokens.signs[place] in "Uuκ" and _is_closed(tokens, last)
    else:
        meant = _is_led_in(tokens, first) or _is_gapped(tokens, first, last)
    return _months(tokens, place) if meant else 0


def _is_definite(tokens: Tokens, first: int) -> bool:
    return tokens.signs[first] in "tg" or not _DEFINITE.isdisjoint(tokens.lexemes[first][2])


def _noun(tokens: Tokens, first: int) -> int | None:
    """Where the nearest part of a year is named before it in its clause; None where a month is nearer, or what else is
    numbered there: "the first building"."""
    for place in range(first - 1, max(first - _FAR, 0) - 1, -1):
        sign = tokens.signs[place]
        if sign in "n." or _counts_another(tokens, place):
            return None
        if sign in _NOUNS and _months(tokens, place) not in _YEARS:
            return place if _months(tokens, place) in _PARTS else None
    return None


def _counts_another(tokens: Tokens, place: int) -> bool:
    """Whether an ordinal or a count belongs to a noun that is no period."""
    sign, _, prefix = tokens.lexemes[place]
    behind, ahead = tokens.signs[place + 1 : place + 2], tokens.signs[max(place - 1, 0) : place]
    if sign in "NjOw" and not prefix:
        return behind in _THINGS and ahead not in ("U", "u") and tokens.words[place + 1] not in _BEHIND
    return sign == "O" and ahead in _THINGS and tokens.words[place - 1] not in _IS and "ה" in prefix


def _months(tokens: Tokens, place: int) -> int:
    sign, value, _ = tokens.lexemes[place]
    if sign in "MmP7":
        return 0
    return int(str(value[0] if isinstance(value, tuple) else value))


def _is_led_in(tokens: Tokens, first: int) -> bool:
    """Whether a preposition stands before the ordinal, or is written with it."""
    if not _NEVER.isdisjoint(tokens.words[first - 1 : first + 1]):
        return False
    sign = tokens.signs[first - 1]
    return (
        sign in _AHEAD
        or not _PREPOSITIONS.isdisjoint(tokens.lexemes[first][2])
        or (sign == "&" and tokens.signs[first - 2] in "OU")
    )


def _is_gapped(tokens: Tokens, first: int, last: int) -> bool:
    """Whether the ordinal has a value of its own behind another: "the first half brought $9m and the second $12m"."""
    return tokens.signs[first - 1] in "&," and tokens.signs[last : last + 1] == "0"


def _is_closed(tokens: Tokens, last: int) -> bool:
    """Whether the clause ends behind the ordinal, or goes on with what there was then."""
    behind = tokens.signs[last : last + 1]
    return not behind or behind in ",.n)@B-(&" or tokens.words[last] in _BEHIND


def _is_alone(tokens: Tokens, last: int) -> bool:
    """Whether no noun follows that the ordinal may count: "the third, at 82 %", no "third tenant"."""
    signs = tokens.signs
    if last >= len(signs):
        return True
    rest = re.match(r"[,&z-]+[ot-]*([Ow])", signs[last:])
    if rest is not None:
        return _is_alone(tokens, last + rest.end())
    sign, word = signs[last], tokens.words[last]
    if sign == "0":
        return not word.isdecimal()
    if sign == "z":
        return signs[last + 1 : last + 2] in ("0", "D", "-")
    if sign == "&":
        return signs[last + 1 : last + 2] in tuple("toh0φ")
    return sign in ",.n)(h@φθB-h»" or (sign == "o" and word != "of") or word in _BEHIND
