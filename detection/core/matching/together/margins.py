"""How far a figure lies from the plan, the target or the limit that stands beside it in prose or in its row of a table, or
that a document states of what is on record, and on which side."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

from detection.core import lexicons, periods
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.values import Value, metrics_of
from detection.core.matching.equality import bounded, keeps, slack
from detection.core.matching.levels import Comparison, Match
from detection.core.matching.slots import KIN
from detection.core.matching.together.vicinity import alike, beside, own, subject
from detection.core.numbers import plain
from detection.core.quantities import Quantity
from detection.core.quantities.features import concept, is_meaning
from detection.core.quantities.measures import measured_in
from detection.core.quantities.quantity import PLANS

_ACTUAL = ("", "actual", "drawn")
_PAIR, _POINTS = 2, "pp"
_SENTENCE = 1  # the tier of what the sentence of a number says beside its clause
_TIGHT = Decimal("1.35")  # of "less than 7 million", how much less it may be
_SIDES = {"over": True, "under": False}
_GOOD = {"better": True, "inside": True, "worse": False, "outside": False}
_BOUNDS = {"more_than": True, "less_than": False}
_BY_LIMIT = {"limit_min": True, "limit_max": False}
_BY_SENSE = {"up": True, "down": False}


def matches(one: Comparison) -> Iterator[Match]:
    """The margins of figures to what they are measured against, beside what is said; one that lies on the other side than
    the words say conflicts in its sign."""
    return (
        _beside(one.quantity, fact, aim, _words(one, fact, one.grid, aim)) for fact, aim in _measured(one)
    )


def across(one: Comparison, actual: Sequence[tuple[Fact, Grid]], title: str) -> Iterator[Match]:
    """The margins of figures that stand elsewhere to the plans and limits of a grid, of the same metric in the same period,
    beside what is said; in per cent as a share of what they are measured against. A document whose ``title`` calls it a plan
    is one."""
    quantity, roles, plan = one.quantity, _roles(one.quantity), _planned(title)
    for fact, grid in actual if quantity.number.unit != _POINTS else ():
        metrics = metrics_of(grid, fact.at[0])
        for aim in one.grid.facts if fact.role in _ACTUAL and fact.span and metrics else ():
            if (aim.role or plan) in roles and aim.value and _is_of(one, aim, fact, metrics):
                yield _beside(quantity, fact, aim, _words(one, fact, grid, aim))


def is_turned(quantity: Quantity, value: Value, grids: Sequence[Grid]) -> bool:
    """Whether a figure lies on the other side of its plan or limit than is said of how far it lies from it."""
    aims = [fact for fact in value.facts if fact.role in KIN]
    actual = [fact for fact in value.facts if fact.role in _ACTUAL]
    if len(aims) == _PAIR:  # a forecast is measured against what was planned
        actual = [fact for fact in aims if fact.role == "forecast"]
        aims = [fact for fact in aims if fact.role != "forecast"]
    if value.how not in ("difference", "growth") or len(aims) != 1 or len(actual) != 1:
        return False
    near = (own(fact, grid) for fact in value.facts for grid in grids if grid.holds(fact))
    above = _is_above(quantity, aims[0], _senses(frozenset(quantity.tiers[0].words).union(*near)))
    first, limit = actual[0].value or Decimal(0), aims[0].value or Decimal(0)
    return above is not None and first != limit and above != (first > limit)


def _is_of(one: Comparison, aim: Fact, fact: Fact, metrics: Sequence[str]) -> bool:
    """Whether an aim is one for a figure: of its metric and period, and of no other thing than the words name."""
    named = one.slots.axes[1].labels if len(one.slots.axes) > 1 else None
    is_named = named is None or aim.at[1] in (*named, OPEN)
    when = aim.span is not None and fact.span is not None and periods.same(aim.span, fact.span)
    share = one.quantity.number.kind == "percentage"
    fits = alike(fact, aim) and (aim.kind != "percentage" if share else _is_kind(one.quantity, aim))
    return fits and when and is_named and not set(metrics).isdisjoint(metrics_of(one.grid, aim.at[0]))


@lru_cache(maxsize=256)
def _planned(title: str) -> str:
    """The role that a title gives to all figures of its document; empty where it names several."""
    keys = {key for mark in lexicons.phrases("roles").find(lexicons.Words(title)) for key in mark.value}
    return keys.pop() if len(keys) == 1 else ""


def _roles(quantity: Quantity) -> frozenset[str]:
    """The roles of what a figure may be measured against, as the sentence names them."""
    return frozenset(kin for role in quantity.said for kin in KIN.get(role, ()))


def _words(one: Comparison, fact: Fact, grid: Grid, aim: Fact) -> frozenset[str]:
    """The words for a margin, and those next to the two figures."""
    return frozenset(one.quantity.tiers[0].words) | own(fact, grid) | own(aim, one.grid)


def _measured(one: Comparison) -> Iterator[tuple[Fact, Fact]]:
    """The figures that the words may speak of, each with what it is measured against."""
    return _in_prose(one) if one.grid.is_prose else _in_rows(one)


def _in_prose(one: Comparison) -> Iterator[tuple[Fact, Fact]]:
    """The figures that stand beside a plan or a limit, where the words name one, and share a word of what is spoken of."""
    quantity = one.quantity
    roles = _roles(quantity)
    if not tells(quantity):
        return
    said = subject(quantity)
    for aim in one.grid.facts:
        if aim.role in roles and aim.value is not None and _is_kind(quantity, aim):
            for fact in beside(aim, one.grid):
                shared = said & (own(aim, one.grid) | own(fact, one.grid))
                if fact.role in _ACTUAL and not fact.direction and alike(fact, aim) and shared:
                    yield fact, aim


def _in_rows(one: Comparison) -> Iterator[tuple[Fact, Fact]]:
    """The actual figures of the rows of a table that the words name, each with the plan or the limit of its row; a side
    alone, "an overrun of $2 million", is one of a plan."""
    quantity, grid = one.quantity, one.grid
    roles = _roles(quantity) or PLANS
    if grid.is_recorded or not (quantity.cue("sides") or "difference" in quantity.cue("operations")):
        return
    axis = 1 if grid.is_list else 0
    aims = _of_rows(one, [aim for aim in grid.facts if aim.role in roles and aim.value is not None], axis)
    pairs = [(fact, aim) for aim in aims if _is_kind(quantity, aim) for fact in _actual_of(aim, grid, axis)]
    metrics = one.slots.axes[0].labels or ()
    yield from [pair for pair in pairs if any(each.at[0] in metrics for each in pair)] or pairs


def _of_rows(one: Comparison, aims: Sequence[Fact], axis: int) -> Sequence[Fact]:
    """The plans of the rows that words of a number or of its sentence name, or of the periods that are rows; where they name
    none, those of totals. Of several periods only what is named is meant."""
    named = one.slots.axes[axis]
    spans = [span for span in one.spans() if span]
    if named.labels and named.tier <= _SENTENCE:
        found = [aim for aim in aims if aim.at[axis] in named.labels]
    elif spans and any(aim.at[axis] == OPEN for aim in aims):
        found = list(aims)
    else:
        found = [aim for aim in aims if aim.is_total]
    if len({aim.span for aim in found}) > 1:
        return [aim for aim in found if aim.span and any(periods.same(aim.span, span) for span in spans)]
    return found


def _actual_of(aim: Fact, grid: Grid, axis: int) -> Sequence[Fact]:
    """The figure of a row that is measured against an aim: of its period, or the last, and called alike where one is."""
    line = grid.at((None, (aim.at[axis],)) if axis else ((aim.at[axis],), None))
    found = [one for one in line if one.role in _ACTUAL and one.value is not None and alike(one, aim)]
    found = [one for one in found if not one.direction]
    if axis:
        found = [one for one in found if own(one, grid) & own(aim, grid)] or found
    if aim.span:
        return [one for one in found if one.span and periods.same(one.span, aim.span)]
    last = max((one.span[1] for one in found if one.span), default=None)
    return [one for one in found if not last or (one.span and one.span[1] == last)]


def tells(quantity: Quantity) -> bool:
    """Whether words name a plan or a limit and a side of it."""
    sided = quantity.cue("sides") or quantity.cue("bounds") & _BOUNDS.keys()
    return bool(sided and _roles(quantity))


def _is_kind(quantity: Quantity, aim: Fact) -> bool:
    """Whether a margin to a figure is of the kind that a number is: points of what is in per cent."""
    number = quantity.number
    if number.kind == "percentage":
        return number.unit == _POINTS and aim.kind == "percentage"
    unit = number.unit or measured_in(number)
    return number.kind == aim.kind and (not unit or not aim.unit or unit == aim.unit)


def _beside(quantity: Quantity, fact: Fact, aim: Fact, words: frozenset[str]) -> Match:
    """A margin beside what is said of it."""
    value, limit = fact.value or Decimal(0), aim.value or Decimal(0)
    far, how, shown = value - limit, "difference", f"{plain(value)} − {plain(limit)}"
    above = _is_above(quantity, aim, _senses(words))
    turned = above is not None and bool(far) and above != (far > 0)
    if quantity.number.kind == "percentage" and quantity.number.unit != _POINTS:
        far, how, shown = far / abs(limit) * 100, "growth", f"({shown}) / {plain(abs(limit))}"
    return Match(
        Value(far, (fact, aim), how, shown), "sign" if turned else "", equal=_agrees(quantity, abs(far))
    )


def _agrees(quantity: Quantity, far: Decimal) -> bool:
    """Whether a margin is what a number says, or keeps the bound that it states and is about as large."""
    claimed = abs(Decimal(quantity.number.value))
    if bounded(quantity) and far != claimed:
        return keeps(quantity, far) and claimed <= far * _TIGHT and far <= claimed * _TIGHT
    return abs(far - claimed) <= slack(quantity.number)


def _is_above(quantity: Quantity, aim: Fact, senses: frozenset[str]) -> bool | None:
    """Whether words say that a figure lies above its aim; None where they leave it open."""
    sides = quantity.cue("sides")
    if quantity.cue("negations"):
        return None
    told = {_SIDES[side] for side in sides & _SIDES.keys()}
    good = _good_side(aim, senses, strict=bool(sides & {"inside", "outside"}))
    if not told and good is not None:
        told = {_GOOD[side] == good for side in sides & _GOOD.keys()}
    if not sides:
        told = {_BOUNDS[bound] for bound in quantity.cue("bounds") & _BOUNDS.keys()}
    return told.pop() if len(told) == 1 else None


def _good_side(aim: Fact, senses: frozenset[str], *, strict: bool) -> bool | None:
    """Whether it is good to lie above an aim; of a figure that nothing is known of, more is better than planned."""
    if aim.role in _BY_LIMIT:
        return _BY_LIMIT[aim.role]
    if len(senses) == 1:
        return _BY_SENSE[min(senses)]
    return None if strict or senses else True


def _senses(words: frozenset[str]) -> frozenset[str]:
    """Which way is good for the figures that are named."""
    known = lexicons.concepts()
    named = (known[concept(word)].favourable for word in words if is_meaning(word) and concept(word) in known)
    return frozenset(filter(None, named))
