"""How far a figure moved: from one period to another, in its own unit, in points or in per cent."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from detection.core import lexicons, periods
from detection.core.evidence import OPEN, Fact
from detection.core.evidence.values import Place, Value, at, ended, gathered, metrics_of
from detection.core.matching.equality import bounded, in_unit, keeps, same_money, slack
from detection.core.matching.levels import Comparison, Match
from detection.core.numbers import plain
from detection.core.periods import Span
from detection.core.quantities import Quantity
from detection.core.quantities.features import concept, is_meaning

_ALIKE = 1.3  # periods of one length
_LIKE = Decimal("0.7")  # of a bound, how far what is measured by it must go
_MOST_PAIRS, _MOST_KNOWN, _PAIR = 12, 4, 2
_SIDES = frozenset(("ahead", "behind"))
Rise = tuple[Decimal, Value]
"""How far a figure rose, and the value that says so."""


def asks(quantity: Quantity) -> bool:
    """Whether a quantity may say how far something moved."""
    number = quantity.number
    if number.unit == "pp" or number.direction or quantity.by:
        return True
    if quantity.arrives or quantity.is_share or number.kind == "date":
        return False
    return bool(quantity.direction) or bool(quantity.cue("operations") & {"difference", "growth"})


def only(quantity: Quantity) -> bool:
    """Whether it can say nothing else: points, what something moved "by", or exceeds something "by more than"."""
    moved = quantity.direction in ("up", "down", "improve", "worsen")
    sided = quantity.number.bound and (quantity.cue("sides") or quantity.cue("order") & {"ahead", "behind"})
    return quantity.number.unit == "pp" or bool(quantity.by and (moved or sided))


def matches(one: Comparison) -> Iterator[Match]:
    """The moves of the figure that a quantity speaks of, beside what it says."""
    tried = 0
    for place in one.places():
        for later, earlier in pairs(one):
            for new in _signed(one, place, later):
                for old in _signed(one, place, earlier):
                    if new.facts == old.facts:
                        continue  # what is of no period is of both
                    for rise in _rises(one.quantity, *_sized(one, new, old)):
                        yield _match(one, rise, place)
                    tried += 1
                    if tried >= _MOST_PAIRS:
                        return


def across(one: Comparison) -> Iterator[Match]:
    """How far the figure of the one that is named lies from that of each other: "4,580 more than the other property"."""
    if "other" not in one.quantity.cue("entities") or len(one.grid.axes) < 2 or one.grid.is_prose:
        return
    for metric, own in one.places():
        for span in one.spans()[:1] if own != OPEN else ():
            for fact in one.grid.at(((metric,) if metric != OPEN else None, None)):
                is_other = fact.at[1] not in (own, OPEN) and not fact.is_total and fact.span == span
                for mine in (
                    worth(one, (metric, own), span) if is_other and span and fact.value is not None else ()
                ):
                    for rise in _rises(one.quantity, mine, Value(fact.value, (fact,))):  # type: ignore[arg-type]  # has one
                        yield _match(one, rise, (metric, own))


def worth(one: Comparison, place: Place, span: Span) -> list[Value]:
    """What a figure is worth in a period, by its size where brackets are presentation."""
    return [one.magnitude(value) for value in _signed(one, place, span)]


def _signed(one: Comparison, place: Place, span: Span) -> list[Value]:
    stated = list(at(one.grid, place, span)) or list(ended(one.grid, place, span))
    if stated:
        return stated[:1]
    found = list(gathered(one.grid, place, span))
    rated = found and found[0].facts[0].kind != "currency"
    return [value for value in found if value.how in (("ratio", "mean") if rated else ("sum", "ratio"))][:1]


def pairs(one: Comparison) -> Iterator[tuple[Span, Span]]:
    """Which periods a move may lie between: to each that is spoken of, from the one that it is compared with, else from
    the one before and from a year back; the other way where words say by how much the earlier one lies ahead."""
    spans, said = [span for span in one.spans() if span], sorted(set(one.slots.now))
    sided = len(said) == _PAIR and bool(one.quantity.cue("order") & _SIDES)
    if sided and is_of_earlier(one.quantity, said[1], said[0]) and _as_long(said[0], said[1]):
        yield said[0], said[1]  # "Q1 is 5 % higher than Q4"
        return
    if not spans:
        latest = sorted(one.grid.spans, key=lambda span: (span[1], span[0]), reverse=True)[:_MOST_KNOWN]
        yield from ((later, earlier) for later, earlier in pairwise(latest))
    known = [span for span in spans if any(periods.same(span, each) for each in one.grid.spans)]
    ends = sorted(known or spans, key=lambda span: (span[1], span[0]))
    if len(ends) > 1 and _as_long(ends[0], ends[-1]) and ends[0] != ends[-1]:
        yield ends[-1], ends[0]
        if _is_between(one):
            return
    beside = [span for tier in one.slots.spans[:2] for span in tier] if one.slots.span_tier == 0 else spans
    for later in dict.fromkeys((*spans[:3], *beside[:3])):
        earlier = (
            base for base in (*one.slots.bases, *spans, *beside) if base < later and _as_long(base, later)
        )
        yield from ((later, base) for base in earlier)
        if not one.slots.bases and not _ends_a_stretch(later, one.slots.now):
            yield later, periods.before(later)
            yield later, periods.year_back(later)


def is_of_other_base(one: Comparison, value: Value) -> bool:
    """Whether a figure of a table was compared with another period than the one with a year that words name, of which it is
    known as well: "350,000 less than in 2021"."""
    named = [base for base in one.slots.bases if base in one.grid.spans]
    ends = [fact.span for fact in value.facts if fact.span]
    same = len({fact.at for fact in value.facts}) == 1 and len(set(ends)) > 1
    if len(named) != 1 or not same or one.grid.is_prose or one.grid.is_recorded:
        return False
    return not any(periods.same(end, named[0]) for end in ends) and bool(
        list(worth(one, value.facts[0].at, named[0]))
    )


def _is_between(one: Comparison) -> bool:
    """Whether words name both ends of a move: "between the first and the last quarter"."""
    said = one.quantity.tiers[0].periods
    return "between" in one.quantity.cue("bounds") or any(mention.between for mention in said)


def _ends_a_stretch(later: Span, named: Sequence[Span]) -> bool:
    """Whether a period is an end of a longer one that is named, so that the move is the one between its ends: "from 2022 to 2024"."""
    stretches = [span for span in named if periods.granularity(span) == "other" and span != later]
    return any(
        periods.contains(span, later) and (span[0] == later[0] or span[1] == later[1]) for span in stretches
    )


def _as_long(first: Span, second: Span) -> bool:
    lengths = sorted(((first[1] - first[0]).days + 1, (second[1] - second[0]).days + 1))
    return lengths[1] <= lengths[0] * _ALIKE


def _sized(one: Comparison, new: Value, old: Value) -> tuple[Value, Value]:
    """Two values of a cost without their brackets, which are presentation; growth, and what a loss shrank by, is that of
    the size anyway."""
    if max(new.value, old.value) > 0:
        return new, old
    grown = one.quantity.number.kind == "percentage" and one.quantity.number.unit != "pp"
    of_loss = "loss" in one.quantity.cue("polarity")
    if not (grown or of_loss) and (one.either(new) or one.speaks_of_either()):
        return new, old
    return replace(new, value=-new.value), replace(old, value=-old.value)


def _rises(quantity: Quantity, new: Value, old: Value) -> Iterator[Rise]:
    facts = (*new.facts, *old.facts)
    number, kind = quantity.number, new.facts[0].kind
    if not same_money(number, new.facts[0]) or not same_money(number, old.facts[0]):
        return
    if kind != old.facts[0].kind or (new.value * old.value == 0 and number.kind != "percentage"):
        return  # of two kinds, or from nothing: a plain value is no result
    apart = new.value - old.value
    in_points = number.unit == "pp"
    if kind == number.kind == "percentage" and quantity.is_result and not in_points:
        yield apart, Value(apart, facts, "difference", f"{plain(new.value)} − {plain(old.value)}")
    if number.kind == "percentage" and not in_points:
        if old.value:
            grown = apart / abs(old.value) * 100
            yield (
                grown,
                Value(
                    grown,
                    facts,
                    "growth",
                    f"({plain(new.value)} − {plain(old.value)}) / {plain(abs(old.value))}",
                ),
            )
        return
    if in_points == (kind == "percentage") and (in_points or kind == number.kind or number.kind == "number"):
        far = Value(apart, facts, "difference", f"{plain(new.value)} − {plain(old.value)}")
        yield from ((value.value, value) for value in in_unit(quantity, far))


def _match(one: Comparison, rise: Rise, place: Place) -> Match:
    """A move beside the quantity: as far, or within the bound that it states, and in the direction that the words say."""
    moved, value = rise
    claimed = Decimal(one.quantity.number.value)
    if bounded(one.quantity):
        is_so = keeps(one.quantity, abs(moved))
    else:
        is_so = abs(abs(claimed) - abs(moved)) <= slack(one.quantity.number)
    if not is_so:
        return Match(value, equal=False)
    way = one.quantity.direction or _side(one, value)
    said = -1 if claimed < 0 else sense(way, metrics_of(one.grid, place[0]))
    if not said and one.quantity.is_result and one.quantity.direction == "either":
        said = 1  # "the change was": a fall has a sign
    wrong = said and moved and (moved > 0) != (said > 0)
    if wrong and abs(moved) < abs(claimed) * _LIKE:
        return Match(value, equal=False)  # "below 71 %" says nothing of a move by 1 %
    return Match(value, "sign" if wrong else "", equal=not wrong)


def _side(one: Comparison, value: Value) -> str:
    """Where words say that a later value lies of an earlier one: "$5 less than in 2023"; of the earlier one they say the other
    side where its period is the number's own: "Q4 brought in $9; Q3 $2 less"."""
    order = one.quantity.cue("order")
    bounds = frozenset() if bounded(one.quantity) else one.quantity.cue("bounds")
    above, below = "ahead" in order or "more_than" in bounds, "behind" in order or "less_than" in bounds
    if above == below:
        return ""
    earlier = is_of_earlier(one.quantity, value.facts[0].span, value.facts[-1].span)
    return "up" if above != earlier else "down"


def is_of_earlier(quantity: Quantity, later: Span | None, earlier: Span | None) -> bool:
    """Whether the words before a number say of the earlier of two periods, and not of the later, how far it lies from the other."""
    before = [said for said in quantity.tiers[0].periods if said.end <= quantity.number.start]
    own = [said.span for said in before if said.span and not said.is_base]
    if later is None or earlier is None or any(periods.same(later, span) for span in own):
        return False
    return any(periods.same(earlier, span) for span in own)


def risen(key: str, said: frozenset[str], new: Decimal, old: Decimal, *, is_loss: bool) -> Decimal:
    """How far a figure rose, by the sizes of both values; see :func:`is_of_result`."""
    apart = abs(new) - abs(old)
    return -apart if is_loss and is_of_result(key, said) else apart


def is_of_result(key: str, said: frozenset[str]) -> bool:
    """Whether what is said of a loss is said of the result, which rises as it falls; not where the words, whose polarity is
    ``said``, say that the loss itself went up or down."""
    return "loss" not in said or key not in ("up", "down")


def sense(direction: str, metrics: list[str]) -> int:
    """1 for up, −1 for down, 0 where the words do not say; "better" is up or down by what is good for the figure."""
    if direction in ("up", "down"):
        return 1 if direction == "up" else -1
    if direction in ("improve", "worsen"):
        known = lexicons.concepts()
        good = {known[metric].favourable for metric in metrics if metric in known} - {""}
        if len(good) == 1:
            return 1 if (good == {"up"}) == (direction == "improve") else -1
    return 0


def is_turned(
    quantity: Quantity, pair: tuple[Decimal, Decimal], facts: Sequence[Fact], around: Sequence[Quantity]
) -> bool:
    """Whether the difference of a larger and a smaller value, of these ``facts``, goes the other way than the words say; the
    earlier of two values is told by their periods, else the one that is spoken of by the nearest number of the sentence."""
    up = says_up(quantity)
    if up is None:
        return False
    spans = [fact.span for fact in facts if fact.span]
    if len(spans) == _PAIR and spans[0] != spans[1]:
        earlier = is_of_earlier(quantity, max(spans), min(spans))
        return (spans[0] > spans[1]) != (up != earlier)
    before = [fact.role == "prior" for fact in facts]
    if before.count(True) == 1 and len(before) == _PAIR:
        return before[1] != up
    return _other_way(quantity, pair, around, up)


def says_up(quantity: Quantity) -> bool | None:
    """Whether the words or the sign say that something grew or is more; None where they leave it open."""
    is_share = quantity.number.kind == "change"  # of "more than a fifth below" the first words are a bound
    order, bounds = quantity.cue("order"), frozenset() if is_share else quantity.cue("bounds")
    if not is_share and Decimal(quantity.number.value) < 0:
        return False
    if quantity.number.text.startswith("+"):
        return True
    better = sense(
        quantity.direction, [concept(word) for word in quantity.tiers[0].words if is_meaning(word)]
    )
    if better and quantity.direction in ("improve", "worsen"):
        return better > 0
    up = quantity.direction == "up" or "ahead" in order or "more_than" in bounds
    down = quantity.direction == "down" or "behind" in order or "less_than" in bounds
    if up != down:
        return up
    return True if quantity.is_result and quantity.direction == "either" else None


def _other_way(
    quantity: Quantity, pair: tuple[Decimal, Decimal], around: Sequence[Quantity], up: bool
) -> bool:
    """Whether the one of two values that the sentence speaks of is on the other side of the one it compares with."""
    near = [
        one
        for one in around
        if one.sentence == quantity.sentence and one.number.start != quantity.number.start
    ]
    for one in sorted(near, key=lambda one: abs(one.number.start - quantity.number.start)):
        said = Decimal(one.number.value)
        if pair[0] != pair[1] and said in pair and not _is_base(one):
            other = one.number.start > quantity.number.start and not one.arrives and not one.in_brackets
            return (said == pair[0]) != (up != other)
    return False


def _is_base(one: Quantity) -> bool:
    """Whether a number is what another is compared with, as it is said of it or of its period: "than the 29.0 % of 2023"."""
    return one.is_base or any(mention.is_base for mention in one.tiers[0].periods)
