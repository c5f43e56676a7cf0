"""What an answer says without digits: that a figure rose, fell or stayed, doubled, was a loss, was the highest, was more
than another, or did so in every period.

Each is a claim of kind ``change``. It is contradicted only where its own words name the figure and every reading of them
is false; where the evidence does not hold the whole of what is compared, it is not checked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from detection.core import lexicons, periods
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.values import Place, Value, at, gathered, labelled, metrics_of, tiled
from detection.core.matching.choices import Choice
from detection.core.matching.levels import Comparison, Match
from detection.core.matching.relations import changes, multiples, parts, prose, reaches
from detection.core.matching.relations.counted import counted, exactly, of_row
from detection.core.matching.relations.ranks import RANKS, has_place, ranks, reversed_rank
from detection.core.matching.relations.told import Told
from detection.core.numbers import plain
from detection.core.periods import Span
from detection.core.quantities import Quantity
from detection.core.quantities.reach import ALL, EVER

FLAT = Decimal("0.005")  # a move of less is none
_ALMOST = Decimal("0.02")  # a move of less may be called none
_MOST_WINNERS = 400
_PAIR = 2


def compare(one: Comparison) -> Told | None:
    """Whether a claim without digits holds in a grid; None where that cannot be told."""
    table, _, key = str(one.quantity.number.value).partition(":")
    of_rest = "remainder" in one.quantity.cue("operations") and key not in RANKS
    if one.quantity.cue("entities") & {"other"} or of_rest:
        return None  # "it remains the largest" speaks of no rest
    if one.quantity.singled and table == "directions" and not one.grid.is_prose:
        if one.quantity.reach and one.quantity.reach.months:
            return None  # "only the North grew every year"
        told = exactly(one, key)
        if told is not None or not one.quantity.singled.only:
            return told
    if "except" in one.quantity.cue("quantifiers"):
        return None
    if one.grid.is_prose:
        return prose.compare(one, table, key)
    if table == "polarity" and (one.slots.axes[0].labels is None or one.slots.axes[0].tier):
        known = tuple(labelled(one.grid, "net_income"))
        one.slots = replace(one.slots, axes=(Choice(known, 0), *one.slots.axes[1:])) if known else one.slots
    said = one.quantity.reach
    if said and (table == "polarity" or (table == "directions" and said.group)):
        return counted(one, table, key)
    if said == ALL and table == "directions" and not (_named(one) or _is_of_a_line(one)):
        if one.grid.is_recorded and one.slots.axes[1].labels is None:
            return None  # "in every region" speaks of no single property
        if not one.grid.is_recorded and (told := counted(one, table, key)) is not None:
            return told
    if table == "directions" and (told := of_row(one, key)) is not None:
        return told
    if table == "multiples" and Decimal(key) < 1 and (told := parts.shared(one, Decimal(key))) is not None:
        return told
    if table == "order" and (told := parts.ranked(one, key)) is not None:
        other = _ranked(one, key) if one.slots.axes[0].labels and not one.slots.axes[0].tier else None
        return other if other and other.holds else told
    if one.slots.axes[0].labels is None or one.slots.axes[0].tier > 0:
        return None
    if table == "directions":
        return _moved(one, key)
    if table == "multiples":
        return _multiplied(one, Decimal(key))
    if table == "polarity":
        return _signed(one, key)
    if key in prose.SIDES:
        return _moved(one, prose.SIDES[key]) if one.slots.bases else None
    return _ranked(one, key)


def outdone(quantity: Quantity) -> Match | None:
    """What refutes that another number of the answer lies on the side of ``quantity`` that its words say."""
    if quantity.beyond is None:
        return None
    other, own = Decimal(quantity.beyond.value), Decimal(quantity.number.value)
    said = quantity.cue("bounds")
    above, below = bool(said & {"more_than", "just_over"}), bool(said & {"less_than", "just_under"})
    if above == below or (other > own if above else other < own):
        return None
    sign = "≤" if above else "≥"
    return Match(Value(other, (), "order", f"{plain(other)} {sign} {plain(own)}"), equal=False)


def other_way(one: Comparison) -> Match | None:
    """What refutes how far a figure of a table lies from another period's, which words name: it lies as far on the other
    side."""
    up, number = changes.says_up(one.quantity), one.quantity.number
    if up is None or not one.slots.bases or one.slots.axes[0].labels is None or one.grid.is_prose:
        return None
    for place in one.places():
        for new, old in _both(one, place):
            far = new.value - old.value
            if far and (far > 0) != up and abs(abs(far) - abs(Decimal(number.value))) <= number.precision:
                shown = f"{plain(new.value)} − {plain(old.value)}"
                return Match(Value(far, (*new.facts, *old.facts), "difference", shown), "sign", equal=False)
    return None


def _moved(one: Comparison, key: str) -> Told | None:
    told: list[Told] = []
    for place in one.places():
        said = changes.sense(key, metrics_of(one.grid, place[0]))
        steps = (
            _steps(one, place)
            if key in ("flat", "either") or "all" in one.quantity.cue("quantifiers")
            else ()
        )
        if steps:
            told.append(_throughout(one, steps, said, key == "either"))
            continue
        if not said and key not in ("flat", "either"):
            return None
        for new, old in _both(one, place):
            apart = new.value - old.value
            if said and max(new.value, old.value) < 0:
                if key not in prose.SIDES.values() or "loss" not in one.quantity.cue("polarity"):
                    return None  # a loss that shrinks is a result that rises
                apart = -apart
            still = abs(apart) <= abs(old.value) * FLAT
            if key == "flat" and not still and abs(apart) <= abs(old.value) * _ALMOST:
                return None
            holds = still if key == "flat" else bool(apart) and (key == "either" or (apart > 0) == (said > 0))
            value = Value(
                apart, (*new.facts, *old.facts), "difference", f"{plain(new.value)} − {plain(old.value)}"
            )
            told.append(Told(holds, value, one.grid))
    return next((one for one in told if one.holds), told[0] if told else None)


def _steps(one: Comparison, place: Place) -> Sequence[Fact]:
    """The pieces of the period that is named, where it has any; of "every year" of a table all there are."""
    for span in one.spans()[:1]:
        if span is not None and (found := tiled(one.grid, place, span)):
            return found
    said = one.quantity.reach
    if said is None or said.least is not None or one.slots.spans or one.grid.is_list:
        return ()
    for months in (said.months or EVER, EVER):  # of "every year" also what was counted once in each
        for pieces in reaches.pieces(one, place, said._replace(months=months)):
            return pieces
    return ()


def _throughout(one: Comparison, steps: Sequence[Fact], said: int, any_way: bool) -> Told:
    """Whether a figure moved as is said, or not at all, from each piece to the next."""
    values = [fact.value for fact in steps if fact.value is not None]
    moves = [second - first for first, second in pairwise(values)]
    if any_way:
        return Told(
            any(moves),
            Value(moves[0], tuple(steps), "difference", f"{plain(values[1])} − {plain(values[0])}"),
            one.grid,
        )
    holds = (
        all((move > 0) == (said > 0) and move for move in moves)
        if said
        else max(values) - min(values) <= abs(values[0]) * FLAT
    )
    step = next((place for place, move in enumerate(moves) if (move > 0) != (said > 0)), 0) if said else 0
    shown = f"{plain(values[step + 1])} − {plain(values[step])}"
    return Told(holds, Value(moves[step], tuple(steps), "difference", shown), one.grid)


def _both(one: Comparison, place: Place) -> Iterator[tuple[Value, Value]]:
    """A figure in the period that is spoken of and in the one that it is compared with; where no words look back further, and
    the one right before is known, in that one."""
    known: set[Span] = set()
    for later, earlier in changes.pairs(one):
        if later in known and earlier == periods.year_back(later) and not _looks_back(one):
            continue
        if earlier == periods.before(later) and changes.worth(one, place, earlier):
            known.add(later)
        for new in changes.worth(one, place, later):
            for old in changes.worth(one, place, earlier):
                if new.facts != old.facts:  # what is of no period is of both
                    yield new, old


def _looks_back(one: Comparison) -> bool:
    """Whether words around a claim compare with another period."""
    return bool(one.slots.bases) or any(
        said.is_base or said.looks_back for tier in one.quantity.tiers for said in tier.periods
    )


def _multiplied(one: Comparison, times: Decimal) -> Told | None:
    told = []
    for place in one.places():
        for new, old in _both(one, place):
            of_losses = "loss" in one.quantity.cue("polarity") and max(new.value, old.value) < 0
            if not of_losses and min(new.value, old.value) <= 0:
                continue
            became = multiples.became(one, new, old, times)
            if became is None:
                return None
            told.append(became)
    return next((one for one in told if one.holds), told[0] if told else None)


def _signed(one: Comparison, key: str) -> Told | None:
    """Whether a figure that can be a loss is one."""
    if key not in ("loss", "profit"):
        return None
    if one.quantity.cue("polarity") >= {"loss", "profit"} and not one.grid.is_prose:
        return None  # "the loss of Q1 took back what Q2 earned": which is of which is not told
    spans, known = one.spans(), len(one.slots.now) if one.slots.span_tier == 0 else 0
    if known > 1 and len({periods.granularity(span) for span in one.slots.now}) == 1:
        each = [_signs(one, span, key) for span in one.slots.now]
        told = [found[0] for found in each if found]
        return next((found for found in told if not found.holds), told[0]) if len(told) == known else None
    told = _signs(one, spans[0], key) if known or len(spans) == 1 else []
    return next((found for found in told if found.holds), told[0] if told else None)


def _signs(one: Comparison, span: Span | None, key: str) -> list[Told]:
    """Whether each value of a figure in a period is a loss or a profit as is said."""
    told: list[Told] = []
    for place in one.places() if span else ():
        sums = (value for value in gathered(one.grid, place, span) if value.how == "sum")  # type: ignore[arg-type]  # a period
        for value in (*at(one.grid, place, span), *sums):
            told += _sign_of(one, value, key)
    return told


def _sign_of(one: Comparison, value: Value, key: str) -> list[Told]:
    can_be_either = one.either(value) or value.value < 0
    return [Told((value.value < 0) == (key == "loss"), value, one.grid)] if can_be_either else []


_OF_LOSSES = ("maximum", "second", "third")
"""The largest loss is the lowest figure; which loss is the smallest, the profits beside them do not tell."""


def _ranked(one: Comparison, key: str) -> Told | None:
    """Whether the period, or the one, that a word of order speaks of has that place among all there are. Both readings
    of who is ranked may be open; it is denied only where neither holds, and not of three or more that are named, which may be
    all that are compared: "of Ness, Stroma and Hallin, Ness"."""
    if key not in RANKS:
        return None
    if "loss" in one.quantity.cue("polarity"):
        if key not in _OF_LOSSES:
            return None
        key = reversed_rank(key)
    told = [
        found
        for place in one.places()
        for rank in ranks(one.quantity.number.text, key, metrics_of(one.grid, place[0]))
        for found in (
            (_among_lines(one, place, rank),)
            if one.quantity.cue("entities") & {"line"}
            else (_among_periods(one, place, rank), _among_labels(one, place, rank))
        )
        if found is not None
    ]
    denied = told[0] if told and not _is_mixed(one) and len(_named(one)) <= _PAIR else None
    return next((found for found in told if found.holds), denied)


def _among_periods(one: Comparison, place: Place, key: str) -> Told | None:
    """A period that its own words name, among those of its length in the longer one that is named, in its year or in all."""
    named = [span for span in one.slots.now if span] if one.slots.span_tier == 0 else []
    facts = one.grid.at([None if i == OPEN else (i,) for i in place])
    known = [fact for fact in facts if fact.span and fact.value is not None]
    for winner in named:
        rivals = [fact for fact in known if fact.span and _as_long(fact.span, winner)]
        held = next((fact for fact in rivals if fact.span and periods.same(fact.span, winner)), None)
        if held is None or len(rivals) < 2:
            continue
        years = years_of(held, one.grid)
        wider = [span for spans in one.slots.spans for span in spans if _is_wider(span, winner)]
        groups = [
            [fact for fact in rivals if fact.span and periods.contains(span, fact.span)]
            for span in (*wider, *years)
        ]
        if one.asked is None and not wider:
            groups = []  # of the year only where something says so
        holds = any(has_place(held, group, key, one.grid) for group in (*groups, rivals))
        return Told(holds, Value(held.value or Decimal(0), (held,)), one.grid)
    return None


def years_of(fact: Fact, grid: Grid) -> Iterator[Span]:
    """The calendar year, and the fiscal one of its own, in which a fact's period ends."""
    if fact.span is None:
        return
    last = fact.span[1]
    yield last.replace(month=1, day=1), last.replace(month=12, day=31)
    for calendar in grid.calendars(fact.at[1:2]):
        if calendar.fiscal:
            yield calendar.fiscal_year(calendar.year_of(last))


def _as_long(first: Span, second: Span) -> bool:
    return periods.granularity(first) == periods.granularity(second)


def _is_wider(span: Span, winner: Span) -> bool:
    return periods.contains(span, winner) and not periods.same(span, winner)


def _among_labels(one: Comparison, place: Place, key: str) -> Told | None:
    """Those that its own words name, among all of a column or a row, without totals; amounts in several currencies have no
    order."""
    named = _named(one)
    for span in one.spans() if named else ():
        rivals = _rivals(one, place, span)
        held = [fact for fact in rivals if fact.at[1] in named]
        if len(rivals) > 1 and held and not _in_several_units(rivals):
            holds = any(has_place(fact, rivals, key, one.grid) for fact in held)
            return Told(holds, Value(held[0].value or Decimal(0), tuple(held[:1])), one.grid)
    return None


def _named(one: Comparison) -> tuple[int, ...]:
    """Those of a column or a row that its own words name."""
    choice = one.slots.axes[1] if len(one.slots.axes) > 1 else Choice(None)
    labels = choice.labels or ()
    is_meant = choice.tier == 1 and len(labels) == 1 and one.slots.axes[0].tier == 0 and not one.grid.is_prose
    return labels if choice.tier == 0 or is_meant else ()  # "though it is the smallest by rooms"


def _is_of_a_line(one: Comparison) -> bool:
    """Whether the own words of a claim name one line of a table whose columns are periods: "North grew at every count"."""
    lines = one.slots.axes[0]
    return lines.tier == 0 and len(lines.labels or ()) == 1 and not (one.grid.is_list or one.grid.is_recorded)


def _rivals(one: Comparison, place: Place, span: Span | None) -> list[Fact]:
    """All of a column or a row, without totals, in a period."""
    return [
        fact for fact in one.grid.at([(place[0],) if place[0] != OPEN else None, None])
        if fact.value is not None and not fact.is_total and (span is None or fact.span is None or periods.same(fact.span, span))
    ][:_MOST_WINNERS]  # fmt: skip


def _is_mixed(one: Comparison) -> bool:
    """Whether those that its own words name cannot be ranked with the others, so that no other reading denies it."""
    spans = one.spans() if _named(one) else ()
    return any(_in_several_units(_rivals(one, place, span)) for place in one.places() for span in spans)


def _in_several_units(facts: Sequence[Fact]) -> bool:
    return len({fact.unit for fact in facts if fact.unit}) > 1


def _among_lines(one: Comparison, place: Place, key: str) -> Told | None:
    """The account that its own words name, among those of its section in the period."""
    for span in one.spans()[:1]:
        held = next((value.facts[0] for value in at(one.grid, place, span)), None)
        rivals = lines(held, one.grid) if held is not None else []
        if held is not None and len(rivals) > 1:
            return Told(
                has_place(held, rivals, key, one.grid), Value(held.value or Decimal(0), (held,)), one.grid
            )
    return None


def lines(fact: Fact, grid: Grid) -> list[Fact]:
    """The lines of the section, of the column and period, of a fact; of record, the accounts whose codes begin alike."""
    return [
        one
        for one in grid.facts
        if one.value is not None and (one.kind, one.role) == (fact.kind, fact.role)
        and one.at[1:] == fact.at[1:] and one.span == fact.span and _is_line(one, fact)
    ]  # fmt: skip


def _is_line(one: Fact, fact: Fact) -> bool:
    if one.figure is None or fact.figure is None:
        return not one.is_total and one.unit == fact.unit
    known = lexicons.concepts()
    codes = one.figure.field, fact.figure.field
    return not known.keys() & set(codes) and codes[0][:1] == codes[1][:1]
