"""Which number of prose the words around a number of the answer do not mean: another one is named, or another party."""

from collections.abc import Callable
from functools import cache

from detection.core import lexicons, periods
from detection.core.evidence import OPEN, Fact, Grid, Label
from detection.core.evidence.labels import are_kin
from detection.core.matching.equality import bounded
from detection.core.quantities import Quantity
from detection.core.quantities.features import concept, is_meaning

_WELL, _HARDLY, _FEW, _TWO = 0.75, 0.25, 3, 2
_MOVES = frozenset(("up", "down", "either", "improve", "worsen"))


def is_other_figure(quantity: Quantity, grid: Grid, fact: Fact, can_be: Callable[[Fact], bool]) -> bool:
    """Whether words mean another figure than a fact of prose, which names figures by any words: they name another metric, or
    hardly those of the fact and those of another number that it ``can_be``."""
    axis = grid.axes[0]
    own = _at(quantity)
    said, theirs = (
        frozenset(filter(is_meaning, words)) for words in (own, _first_form(axis.labels[fact.at[0]]))
    )
    if theirs and said & grid.meanings and not said & theirs:
        return True
    alike = [other.at[0] for other in grid.facts if can_be(other) and other.value != fact.value]
    if axis.is_other(fact.at[0], own | quantity.share_of, alike):
        return True
    if len(own) < _FEW:
        return False
    scores = axis.scores(quantity.tiers[0].words)
    rivals = [label for label in scores if any(map(can_be, grid.at(((label,), None))))]
    best = max(rivals, key=scores.__getitem__, default=None)
    if best is None or scores[best] < _WELL or scores.get(fact.at[0], 0.0) >= scores[best] * _HARDLY:
        return False
    return not are_kin(axis.words_of(fact.at[0]) - axis.words_of(best), own)


def _at(quantity: Quantity) -> frozenset[str]:
    """The words that say of what a number is; of the whole of a count ("60 of the 64 flats were let") what it counts."""
    own, number = quantity.tiers[0].own(), quantity.number
    counted = quantity.is_whole and number.kind == "number"
    return own & lexicons.content([number.noun or ""]) if counted else own


def _first_form(one: Label) -> frozenset[str]:
    return one.forms[0] if one.forms else frozenset()


def is_opposed(quantity: Quantity, grid: Grid, fact: Fact) -> bool:
    """Whether the words at a number name a metric of which more is good and those of a fact of prose one of which more is bad,
    or of two amounts one a level and the other a flow: occupancy is no vacancy, revenue no cost, cash no sale."""
    own, theirs = quantity.tiers[0].own(), _first_form(grid.axes[0].labels[fact.at[0]])
    named, others = (_figures(words, fact) for words in (own, theirs))
    return bool(named and others) and all(
        _are_opposed(one, other, own & theirs) for one in named for other in others
    )


def _figures(words: frozenset[str], fact: Fact) -> list[str]:
    """The metrics among words that are of the kind of a fact."""
    known, kinds = lexicons.concepts(), ({fact.kind, "number"} if fact.kind == "currency" else {fact.kind})
    found = (concept(word) for word in words if is_meaning(word))
    return [one for one in found if one in known and known[one].kind in kinds]


def _are_opposed(one: str, other: str, shared: frozenset[str]) -> bool:
    """Whether two metrics are never one; not those of which one is called by a word that both texts say: "the fees" of parking."""
    first, second = lexicons.concepts()[one], lexicons.concepts()[other]
    called = frozenset(one.split("_")) ^ frozenset(other.split("_"))
    if shared & lexicons.content(called):
        return False
    across = {first.favourable, second.favourable} == {"up", "down"}
    return across or (first.kind == second.kind == "currency" and first.stock != second.stock)


def is_earlier(quantity: Quantity, grid: Grid, fact: Fact) -> bool:
    """Whether a fact of prose is what another came from in an unnamed earlier period, of which the words at a number, that
    name no period, do not speak."""
    if fact.direction or fact.span or quantity.is_base or quantity.speaks_back:
        return False
    if quantity.cue("directions") or any(not one.is_base for tier in quantity.tiers for one in tier.periods):
        return False
    return any(other.since == fact.at[0] and other.value != fact.value for other in grid.facts)


def is_other_end(quantity: Quantity, grid: Grid, fact: Fact) -> bool:
    """Whether a fact is of the later of a figure's two periods where words say that it came from it, or of the earlier one where
    it went to it."""
    moves = quantity.direction in _MOVES and not quantity.speaks_back
    if quantity.is_base == quantity.arrives or not moves or fact.span is None:
        return False
    beside = grid.at([None if one == OPEN else (one,) for one in fact.at])
    ends = {one.span for one in beside if one.span and periods.as_long(one.span, fact.span)}
    return len(ends) == _TWO and fact.span == (max(ends) if quantity.is_base else min(ends))


def is_of_other_whole(quantity: Quantity, grid: Grid, fact: Fact) -> bool:
    """Whether a bound is of a share of a figure that has a name, and a fact of prose is of nothing that has one: "more than
    75 % of revenue" where 96 % arrived on time."""
    wholes = frozenset(filter(is_meaning, quantity.share_of))
    if not (bounded(quantity) and wholes) or quantity.number.kind != "percentage":
        return False
    return not any(map(is_meaning, grid.axes[0].words_of(fact.at[0])))


def is_other_party(quantity: Quantity, grid: Grid, fact: Fact) -> bool:
    """Whether the words at a number name the party to which prose gives a parallel one, and not that of a fact: "Elm pays
    $7" where Oak does."""
    words = quantity.tiers[0].own()
    if not fact.party or words & fact.party or not words & grid.parties:
        return False
    if quantity.is_base or words & _comparing():
        return False
    return any(
        2 * len(words & theirs) >= len(theirs)
        for other in grid.facts
        if (theirs := other.party - fact.party) and words & theirs and _are_parallel(grid, fact, other)
    )


@cache
def _comparing() -> frozenset[str]:
    """Lemmas of the words behind which stands what something is compared with: "behind", "after"."""
    phrases = (one for keys in lexicons.table("bases").values() for said in keys.values() for one in said)
    return frozenset(lexicons.lemma(phrase) for phrase in phrases if " " not in phrase)


def _are_parallel(grid: Grid, fact: Fact, other: Fact) -> bool:
    """Whether two numbers of prose are of one kind and stand in one sentence or one list, or are said alike of two."""
    counted = "number" == fact.kind == other.kind and not (fact.unit and other.unit)  # "14 miles; Elm 9"
    if ((fact.kind, fact.unit) != (other.kind, other.unit) and not counted) or fact.value == other.value:
        return False
    if fact.series != OPEN and fact.series == other.series:
        return True
    first, second = (grid.axes[0].labels[one.at[0]] for one in (fact, other))
    if first.text == second.text:
        return True
    said, more = (grid.axes[0].words_of(one.at[0]) - one.party for one in (fact, other))
    return 2 * len(said & more) >= min(len(said), len(more)) > 0
