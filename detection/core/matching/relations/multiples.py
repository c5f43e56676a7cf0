"""What is said to be so many times another, or to have become so: doubled, halved, "fell by a third"."""

from decimal import Decimal

import regex

from detection.core.evidence.values import Value
from detection.core.matching.levels import Comparison
from detection.core.matching.relations.changes import says_up
from detection.core.matching.relations.told import Told
from detection.core.numbers import plain

_HALVES = regex.compile(r"(?i)halv|减半|減半|腰斩|腰斬")
_BY = regex.compile(r"(?i)by\s|ב(?=\p{Hebrew}{3})")
_ABOUT = Decimal("0.05")  # how far "doubled" may be from two
_ROUGHLY = Decimal("0.1")  # how far "roughly half" may be from it
_NEARLY = Decimal("0.2")  # how far "almost doubled" may be from it


def became(one: Comparison, new: Value, old: Value, times: Decimal) -> Told | None:
    """Whether a figure became so many times what it was, or moved by so much of it; None for a share of something."""
    ratio = new.value / old.value
    moved = _BY.match(one.quantity.number.text) is not None or one.quantity.by
    if times < 1 and not moved and not _HALVES.search(one.quantity.number.text):
        return None
    cues = one.quantity.cue("bounds")
    holds = has_moved(ratio, times, says_up(one.quantity), cues) if moved else is_times(ratio, times, cues)
    shown = f"{plain(new.value)} / {plain(old.value)}"
    return Told(holds, Value(ratio, (*new.facts, *old.facts), "ratio", shown), one.grid)


def has_moved(ratio: Decimal, share: Decimal, up: bool | None, cues: frozenset[str]) -> bool:
    """Whether what became ``ratio`` times itself moved by such a share of it, ``up`` or down where words say so."""
    turned = up is not None and (ratio > 1) != up
    return not turned and is_share(abs(ratio - 1), share, cues)


def is_share(ratio: Decimal, share: Decimal, cues: frozenset[str]) -> bool:
    """Whether a part of a whole is the share that words say; more than a share is more, as less is less."""
    if cues & {"more_than", "at_least"} and not cues & {"just_over", "just_under"}:
        return ratio >= share
    return is_times(ratio, share, cues)


def is_times(ratio: Decimal, times: Decimal, cues: frozenset[str]) -> bool:
    """Whether a ratio is the multiple that words say, as nearly as they say it."""
    if cues & {"just_over", "just_under"}:
        return (
            times * (1 - _NEARLY) <= ratio < times
            if "just_under" in cues
            else times <= ratio <= times * (1 + _NEARLY)
        )
    if cues & {"more_than", "at_least"}:
        return ratio >= times if times > 1 else ratio <= times
    if "less_than" in cues:
        return ratio < times
    return abs(ratio - times) <= times * (_ROUGHLY if "approximately" in cues else _ABOUT)
