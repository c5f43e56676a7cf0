"""Whose date a date is in a table or a sentence: the words beside it name another one that has a date of its own there."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from detection.core import lexicons, periods
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.lexicons import Words
from detection.core.matching.times.subjects import named_in
from detection.core.periods import Span
from detection.core.quantities import Reading
from detection.core.quantities.texts import LEADS, SAYS
from detection.core.types import NumericClaim

_NEAR = 24  # characters


class Named(NamedTuple):
    """What the words beside a date call it: the words, those that lead to it first, and the roles that they mean."""

    words: tuple[str, ...]
    roles: frozenset[str]


def named(reading: Reading, number: NumericClaim) -> Named:
    """What an answer says that a date is."""
    clause = reading.clause(number.start, number.end)
    event = reading.event(number.start, number.end, _NEAR)
    said = reading.within(*clause)
    led = [
        one
        for one in said
        if one.end <= number.start and LEADS.fullmatch(reading.text, one.end, number.start)
    ]
    behind = [
        one for one in said if one.start >= number.end and SAYS.fullmatch(reading.text, number.end, one.start)
    ]
    ordered = [*sorted(led, key=lambda one: -one.end), *sorted(behind, key=lambda one: one.start)]
    return Named(tuple(one.name for one in ordered), event.value if event else frozenset())


def is_other(said: Named, fact: Fact, grid: Grid, claimed: Span) -> bool:
    """Whether the words beside a date name another row or column of dates than that of a fact, which has another date for
    the same one."""
    return any(_is_elsewhere(said, fact, grid, axis, claimed) for axis in range(len(fact.at)))


def _is_elsewhere(said: Named, fact: Fact, grid: Grid, axis: int, claimed: Span) -> bool:
    """The same along one axis; the second one names dates only where words for roles stand there."""
    place, rest = fact.at[axis], (*fact.at[:axis], *fact.at[axis + 1 :])
    beside = [
        one
        for one in grid.facts
        if one.days and (*one.at[:axis], *one.at[axis + 1 :]) == rest and one.source == fact.source
    ]
    labels = _labels(grid, axis, {one.at[axis] for one in beside} - {OPEN})
    meant = _meant(said, labels)
    if not meant or place in meant or (axis and not any(roles for _, roles in labels.values())):
        return False
    own = [one.days for one in beside if one.at[axis] in meant and one.days]
    return bool(own) and not any(meet(days, claimed) for days in own)


def _labels(grid: Grid, axis: int, places: Iterable[int]) -> dict[int, tuple[frozenset[str], frozenset[str]]]:
    """The words that tell labels of dates apart, and the roles that they mean."""
    called = {place: grid.named(axis, place) for place in places}
    words = {place: named_in(text) for place, text in called.items()}
    count = Counter(word for those in words.values() for word in those)
    vague = _vague()
    return {
        place: (
            frozenset(word for word in words[place] if count[word] == 1 and word not in vague),
            frozenset(
                key
                for mark in lexicons.phrases("date_roles").find(Words(called[place]))
                for key in mark.value
            ),
        )
        for place in called
    }


def _vague() -> frozenset[str]:
    return named_in(
        " ".join(word for keys in lexicons.table("date_owners").values() for word in keys["vague"])
    )


def _meant(said: Named, labels: dict[int, tuple[frozenset[str], frozenset[str]]]) -> set[int]:
    """The labels that the nearest words name, else those of the same role."""
    for word in said.words:
        if found := {place for place, (words, _) in labels.items() if word in words}:
            return found
    return {place for place, (_, roles) in labels.items() if roles & said.roles}


def of_sentence(facts: Sequence[Fact], fact: Fact, bounds: tuple[int, int]) -> list[Fact]:
    """The other dates that stand in the sentence of a date."""
    low, high = bounds
    return [
        one
        for one in facts
        if one.source == fact.source and low <= one.start < high and one.start != fact.start
    ]


def owners(text: str) -> frozenset[str]:
    """Those that words name of what has ends of its own beside a contract: a warranty, an option, a trial."""
    marks = lexicons.phrases("date_owners").find(Words(text))
    return frozenset(key for mark in marks for key in mark.value) - {"vague"}


def meet(first: Span, second: Span) -> bool:
    """Whether two periods are one, or one lies in the other."""
    return periods.same(first, second) or periods.contains(first, second) or periods.contains(second, first)
