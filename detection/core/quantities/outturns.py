"""What came about beside its plan: in "2 % under plan at $7.6 million" the plan is what the 2 % are measured from, and the
amount no plan; in "$8 million against a plan of $7 million, $6 million against $5 million" the last is one too."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import regex

from detection.core.lexicons import Mark
from detection.core.quantities.bounds import led_by
from detection.core.quantities.pairing import Read
from detection.core.quantities.quantity import PLANS, Quantity, Tier
from detection.core.types import NumericClaim

_COMPARES = ("bases", "bounds")
_AGAINST = frozenset(("versus",))
_REACH, _FAR = 40, 80  # characters around a distance, and from it to the amount
_THE = regex.compile(r"(?i)\s?(?:(?:the|its|their|our|of|on|a)\s)?(?:\w+\s)?|的?")
_OFF = regex.compile(r"(?i)\s?(?:off|behind|beyond|shy of)\s(?:the\s|its\s)?")
_LED = regex.compile(
    r"(?i)\s?[,，(–—-]?\s?(?:at|to|with|reaching|to reach|coming in at|landing at|为|為|达|達|至|עם|על|ל-?|ב-?)?\s?(?:about|some|just|around|roughly|约|約|כ-?)?\s?(?:\p{Lu}{3}\s?|人民[币幣]|新[台臺][币幣]|港[币幣]|美元)?\p{Sc}?"
)
_BARE = regex.compile(r"\s?[,，]?\s?(?:\p{Lu}{3}\s?)?\p{Sc}?")


def outturns(read: Read, found: Iterable[Quantity]) -> Iterator[Quantity]:
    """The quantities of a sentence, those that lie so far from their plan without its words and its role, and those that
    others are held against in the role of the one before them."""
    before: NumericClaim | None = None
    for one in _opposed(read, found):
        plan = _plan(read, before, one.number) if before else None
        yield _freed(read, one, plan) if plan else one
        before = one.number


def _opposed(read: Read, found: Iterable[Quantity]) -> Iterator[Quantity]:
    """Those that others are held against as the plans that the one before was, of their own period."""
    plans = frozenset[str]()
    for one in found:
        roles = one.cue("roles")
        plans = roles & PLANS if roles else plans
        if (
            plans
            and not roles
            and led_by(read, "bases", _AGAINST, one.number, max(one.number.start - _FAR, 0))
        ):
            one = replace(one, cues={**one.cues, "roles": plans}, is_base=False)
        yield one


def _plan(read: Read, far: NumericClaim, number: NumericClaim) -> Mark[frozenset[str]] | None:
    """The words for the plan from which the number right before another one is measured."""
    if number.kind == "percentage" or number.start - far.end > _FAR:
        return None
    behind = [one for one in read.marks("roles", far.end, number.start) if one.value & PLANS][:1]
    if behind and _is_compared(read, behind[0], far.end) and _leads(read, behind[0].end, number):
        return behind[0]
    ahead = [one for one in read.marks("roles", max(far.start - _REACH, 0), far.start) if one.value & PLANS][
        -1:
    ]
    between = bool(ahead) and not read.written(ahead[0].end, far.start)
    if (
        between
        and far.kind == "percentage"
        and _is_compared(read, ahead[0], 0)
        and _leads(read, far.end, number)
    ):
        return ahead[0]
    return None


def _is_compared(read: Read, plan: Mark[frozenset[str]], low: int) -> bool:
    """Whether words right before a plan compare something with it: "under plan", "short of its target"."""
    marks = [
        mark for table in _COMPARES for mark in read.marks(table, max(low, plan.start - _REACH), plan.end)
    ]
    near = any(mark.end > plan.start or _THE.fullmatch(read.text, mark.end, plan.start) for mark in marks)
    return near or (low > 0 and _OFF.fullmatch(read.text, low, plan.start) is not None)


def _leads(read: Read, low: int, number: NumericClaim) -> bool:
    """Whether words lead from a distance to the amount that lies so far off."""
    between = read.text[low : number.start]
    return _LED.fullmatch(between) is not None and _BARE.fullmatch(between) is None


def _freed(read: Read, one: Quantity, plan: Mark[frozenset[str]]) -> Quantity:
    """A quantity without the words of the plan that it is not."""
    taken = {each.name for each in read.within(plan.start, plan.end)}
    near, *further = one.tiers
    tiers = [Tier(_without(tier, taken), tier.periods) for tier in (near, *further[:1])]
    roles = one.cue("roles") - plan.value
    return replace(
        one, tiers=(*tiers, *further[1:]), cues={**one.cues, "roles": roles}, said=one.said - plan.value,
        may_be=one.may_be - plan.value, called=one.called - plan.value, is_actual=True,
    )  # fmt: skip


def _without(tier: Tier, taken: set[str]) -> dict[str, float]:
    return {word: weight for word, weight in tier.words.items() if word not in taken}
