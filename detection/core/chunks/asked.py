"""What the words around a claimed number ask for: a metric, a year, a change, a total (NUM-06).

A sentence that speaks of a change or of two years together asks for something that a single figure is not,
unless the figure's own label speaks of it too.
"""

from dataclasses import dataclass
from functools import lru_cache

import regex

from detection.core.chunks.places import Words, words, years

_OPERATIONS = {
    "change": words(
        "change changed changing increase increased increasing decrease decreased decreasing difference differ grew growth decline declined"
        " rise rose fell variance up down versus vs yoy שינוי עלייה ירידה גידול קיטון הפרש צמיחה עלה ירד"
    )
    | frozenset("增减減升降涨跌变變"),
    "average": words("average averaged mean ממוצע") | frozenset("均"),
    "ratio": words("ratio proportion יחס"),
    "sum": words("sum combined together altogether aggregate cumulative יחד"),
}
_TOTAL = words("total סך") | frozenset("总總计計")
_COUNTED = words(
    "number share unit employee store customer lease option award right warrant count headcount מספר יחידות עובדים מניות"
)
_SEVERAL = regex.compile(r"\b(?:both|between|respectively|over|across|each of)\b|בין|שתי|שני|之间|之間|两年")
_SPLIT_YEAR = regex.compile(r"(?<=(?:19|20)\d\d)/\d\d(?!\d)")
_FALLING = words(
    "loss losses decrease decreased expense expenses cost costs tax taxes payment paid used outflow decline charge deficit less reduction"
    " depreciation amortization impairment repayment purchase repurchase dividend expenditure allowance forfeited redeemed cancelled"
    " הפסד הוצאה הוצאות ירידה קיטון עלות תשלום פחת"
) | frozenset("亏虧损損费費支减減降折")
_NEUTRAL = words(
    "change changed difference variance increase increased growth rise שינוי הפרש גידול עלייה"
) | frozenset("变變增升")


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a claim's sentence without the number: all, the years, the operations, a total, several at
    once, counted things; ``falls`` where the words say that the amount goes out, ``moves`` that it changes."""

    words: Words
    years: Words
    operations: frozenset[str]
    total: bool
    several: bool
    counted: bool
    falls: bool
    moves: bool


def wording(sentence: str, names: tuple[Words, ...] = (), asked: Words = frozenset()) -> Wording:
    """What ``sentence`` asks for. ``names`` are those by which the sources call the metric that the claim is bound
    to; they count as said, unless the sentence says one of them itself. ``asked`` are the years meant by a sentence
    that names none."""
    said, named = words(sentence), years(sentence) or asked
    if names and not any(name <= said for name in names):
        said = said.union(*names)
    return Wording(
        said,
        named,
        operations(said),
        bool(said & _TOTAL),
        len(years(_SPLIT_YEAR.sub("", sentence))) > 1 or _SEVERAL.search(sentence.lower()) is not None,
        bool(said & _COUNTED),
        bool(said & _FALLING),
        bool(said & _NEUTRAL),
    )


@lru_cache(maxsize=4096)
def operations(said: Words) -> frozenset[str]:
    """The operations that words speak of: ``change``, ``average``, ``ratio``, ``sum``."""
    return frozenset(name for name, those in _OPERATIONS.items() if said & those)


def names_total(said: Words) -> bool:
    """Whether words speak of a total."""
    return bool(said & _TOTAL)


def goes_out(said: Words) -> bool:
    """Whether words speak of a loss, a cost or a payment, which tables often show in brackets."""
    return bool(said & _FALLING)
