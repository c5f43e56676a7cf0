"""How well an explanation fits the words around its number: the features that are weighed."""

from collections.abc import Mapping, Sequence
from math import log10

from detection.core import periods
from detection.core.evidence import OPEN
from detection.core.matching.equality import bounded, slack
from detection.core.matching.relations.changes import asks, says_up
from detection.core.matching.slots import NOT_OF_RECORD
from detection.core.matching.weighing.explanations import ROUNDED, Explanation, Pool, operations
from detection.core.matching.weighing.terms import EVERY, QUOTED, Term
from detection.core.matching.weighing.words import BEFORE, CLAUSE, HARDLY, NOWHERE, OWN, QUESTION, SENTENCE
from detection.core.quantities import LIMITS, Quantity
from detection.core.quantities.features import is_meaning

_ALIKE = 10  # days
_BY_HOW = (
    "metric worst 2", "metric best 2", "entity worst 2", "operands told", "period rival 0", "metric rival 0", "entity rival 0",
    "metric margin", "entity margin", "left over 0", "all covered 0", "left over 1",
)  # fmt: skip
"""Features that weigh otherwise for each way to reckon."""
_ASKED = {
    "growth": ("growth", "difference"), "difference": ("difference", "growth", "remainder"), "ratio": ("share", "ratio", "margin"),
    "sum": ("sum",), "total": ("sum", "cumulative"), "mean": ("mean",), "piece": ("mean", "per_piece"), "times": ("annualised",), "remainder": ("remainder",),
}  # fmt: skip


def features(
    quantity: Quantity, one: Explanation, found: Pool, said: Sequence[tuple[float, int]]
) -> Mapping[str, float]:
    """The features of an explanation. ``said`` are the other figures of the answer, each with how many sentences away
    it stands."""
    known = [term for term in one.terms if term.grid != QUOTED]
    made: dict[str, float] = {"bias": 1.0, f"how {one.how}": 1.0}
    if len(one.terms) > 1:
        made[f"{one.how} over {one.relation}"] = 1.0
    made["across"] = float(len({term.grid for term in one.terms}) > 1)
    made["quoted"] = float(len(one.terms) - len(known))
    if known:
        grid = found.naming(known[0]).grid
        made["prose"], made["record"] = float(grid.is_prose), float(grid.is_recorded)
        made |= _labels(known, found)
        made |= _periods(known, found)
        made |= _left_over(known, found)
    made |= _words(quantity, one)
    made |= _roles(quantity, one)
    made |= _stated(one, said)
    made |= _chance(quantity, one, found)
    made |= {f"{name} | {one.how}": made[name] for name in _BY_HOW if made.get(name)}
    return {name: value for name, value in made.items() if value}


def _labels(known: Sequence[Term], found: Pool) -> dict[str, float]:
    made: dict[str, float] = {}
    for axis, name in ((0, "metric"), (1, "entity")):
        own = [t for t in known if axis < len(t.place) and t.place[axis] not in (OPEN, EVERY)]
        if not own:
            made[f"{name} open"] = 1.0
            continue
        named = [found.naming(t).label(axis, t.place[axis]) for t in own]
        best, worst = max(named, key=lambda n: n.own), min(named, key=lambda n: n.own)
        for level in (OWN, CLAUSE, SENTENCE, BEFORE, QUESTION):
            made[f"{name} best {level}"] = best.own[level]
            made[f"{name} worst {level}"] = worst.own[level]
        for level in (OWN, CLAUSE, SENTENCE, QUESTION):
            made[f"{name} rival {level}"] = max(0.0, best.rival[level] - best.own[level])
        made[f"{name} margin"] = best.margin
        made[f"{name} unnamed"] = float(best.own[QUESTION] < HARDLY)
    return made


def _left_over(known: Sequence[Term], found: Pool) -> dict[str, float]:
    """The share of the words near the number that name something in the evidence, but nothing of the explanation."""
    naming = found.naming(known[0])
    covered = frozenset().union(*(found.naming(term).covered(term) for term in known))
    made: dict[str, float] = {}
    for level, spoken in enumerate(naming.spoken):
        left = spoken - covered
        made[f"left over {level}"] = len(left) / len(spoken) if spoken else 0.0
        made[f"all covered {level}"] = float(bool(spoken) and not left)
        made[f"metric left over {level}"] = float(any(map(is_meaning, left)))
    return made


def _periods(known: Sequence[Term], found: Pool) -> dict[str, float]:
    naming = found.naming(known[0])
    spans = [t.span for t in known if t.span]
    if not spans:
        return {"undated": 1.0}
    ordered = sorted(dict.fromkeys(spans), key=lambda span: (span[1], span[0]), reverse=True)
    nearest = [naming.period(span) for span in ordered]
    made = {f"period at {nearest[0]}": 1.0}
    for level in (OWN, CLAUSE, SENTENCE):
        named = any(naming.spans[: level + 1])
        made[f"period rival {level}"] = float(named and min(nearest) > level)
    latest = max((span for span in naming.grid.spans), default=None, key=lambda span: (span[1], span[0]))
    made["latest"] = float(latest is not None and ordered[0][1] == latest[1])
    made["only period"] = float(len(naming.grid.spans) == 1)
    if len(ordered) > 1:
        new, old = ordered[0], ordered[-1]
        if nearest[-1] != NOWHERE:
            made[f"base at {nearest[-1]}"] = 1.0
        elif periods.same(old, periods.before(new)):
            made["base before"] = 1.0
        elif periods.same(old, periods.year_back(new)):
            made["base year back"] = 1.0
        else:
            made["base other"] = 1.0
        length = abs((new[1] - new[0]) - (old[1] - old[0])).days
        made["lengths differ"] = float(length > _ALIKE)
    return made


def _words(quantity: Quantity, one: Explanation) -> dict[str, float]:
    words = operations(quantity)
    made: dict[str, float] = {}
    moved = one.how in ("growth", "difference")
    asked = bool(words & frozenset(_ASKED.get(one.how, ())))
    if one.how == "ratio":
        asked = asked or quantity.is_share or bool(quantity.cue("per"))
    made["asked"] = float(asked and one.how in _ASKED)
    made["unasked"] = float(not asked and one.how in _ASKED)
    made["stated but asked"] = float(one.how == "stated" and (asks(quantity) or quantity.by))
    made["moves but no growth"] = float(quantity.by and not moved)
    up = says_up(quantity)
    if moved and up is not None and one.relation == "time":
        made["way agrees" if (one.value > 0) == up else "way differs"] = 1.0
    if quantity.number.unit == "pp":
        made["points"] = 1.0
    rows = one.how in ("total", "sum") and any(EVERY in t.place[:1] for t in one.terms)
    made["rows unasked"] = float(rows and not asked)
    made["bounded"] = float(bounded(quantity) and one.how != "kept")
    made["polarity"] = float(
        bool(quantity.cue("polarity") & {"loss"}) and one.value > 0 and one.how == "stated"
    )
    made["negative"] = float(float(quantity.number.value) < 0 < one.value)
    made["was negative"] = float(one.value < 0 < float(quantity.number.value) and one.how == "stated")
    made[f"kind {quantity.number.kind} {one.how}"] = 1.0
    made["kinds differ"] = float(
        any(t.kind != quantity.number.kind for t in one.terms) and len(one.terms) == 1
    )
    return made


def _roles(quantity: Quantity, one: Explanation) -> dict[str, float]:
    said = quantity.cue("roles") | quantity.said | quantity.may_be
    planned = [t.role for t in one.terms if t.role in NOT_OF_RECORD]
    made = {
        "role unsaid": float(
            any(role not in said and not (role in LIMITS and said & LIMITS) for role in planned)
        ),
        "role said": float(any(role in said for role in planned)),
        "role asked": float(bool(quantity.cue("roles") & NOT_OF_RECORD) and not planned),
    }
    per = quantity.cue("per")
    stated = {unit for t in one.terms for fact in t.facts for unit in fact.per.split()}
    made["per differs"] = float(bool(per and stated and not per & stated))
    turn = {fact.turn for t in one.terms for fact in t.facts} - {""}
    made["turned"] = float(
        len(one.terms) == 1 and (("from" in turn and quantity.arrives) or ("to" in turn and quantity.is_base))
    )
    return made


def _stated(one: Explanation, said: Sequence[tuple[float, int]]) -> dict[str, float]:
    """Which of the terms the answer states itself."""
    if len(one.terms) < 2:
        return {}
    distances = [_distance(term, said) for term in one.terms]
    return {
        "operands here": float(sum(far == 0 for far in distances)),
        "operands near": float(sum(far <= 1 for far in distances)),
        "operands told": float(sum(far < NOWHERE for far in distances)),
        "both told": float(all(far < NOWHERE for far in distances)),
    }


def _distance(one: Term, said: Sequence[tuple[float, int]]) -> int:
    return min((far for value, far in said if abs(abs(one.size) - value) <= value * ROUNDED), default=NOWHERE)


def _chance(quantity: Quantity, one: Explanation, found: Pool) -> dict[str, float]:
    """How likely a wrong number is explained as well as this by something."""
    room = float(slack(quantity.number)) or 0.5
    claimed = abs(float(quantity.number.value)) or 1.0
    spread = 50.0 if quantity.number.kind == "percentage" else claimed
    least = min((found.anchor(term) for term in one.terms), default=0.0)
    if not one.terms:
        return {}
    rank = sum(anchor >= least for anchor in found.anchors)
    count = rank if len(one.terms) == 1 else rank * max(rank - 1, 1) / 2
    if one.how == "kept":
        return {}
    chance, digits = max(-4.0, log10(count * 2 * room / spread + 1e-4)), min(5.0, log10(claimed / room))
    return {f"chance {one.how}": chance, f"digits {one.how}": digits}
