"""The labels that a quantity may speak of, and which others its words leave open in figures of record: the total of which
another number is a part, the line that the question asks for, the other property that one is compared with; in a table
its total, or its one figure that can be a loss."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from detection.core import lexicons
from detection.core.evidence import ENTITY, OPEN, Grid
from detection.core.evidence.values import labelled, metrics_of
from detection.core.quantities import Quantity, Tier
from detection.core.quantities.features import concept, is_meaning
from detection.core.quantities.measures import factors, measured_in

INHERITED = 9
"""The tier of a slot that only the answer's own property or period fills."""
_TOTALS = ("total_revenue", "operating_expenses")
_WHOLLY = 0.99  # of the words of a name


@dataclass(frozen=True, slots=True)
class Choice:
    """Labels of one axis, the likeliest first, and the tier whose words name them; None where nothing does."""

    labels: tuple[int, ...] | None
    tier: int = INHERITED
    score: float = 0.0


def widened(quantity: Quantity, grid: Grid, axes: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The choices of a quantity with what else it may be of: among figures of record, and of a whole the total of a table."""
    if not grid.is_recorded:
        for open_ in (_of_total, _of_result, _of_kind, _of_unit):
            axes = open_(quantity, grid, axes)
        return axes
    metric, entity = axes[0], axes[ENTITY]
    if quantity.is_whole and metric.tier > 0:
        metric = _with(metric, _totals(grid))
    elif metric.labels and set(metric.labels) <= set(_totals(grid)):
        metric = _with(metric, _asked_line(quantity, grid))
    if quantity.is_base or "other" in quantity.cue("entities"):
        entity = _with_others(quantity, grid, entity)
    return (metric, entity, *axes[2:])


def _of_total(quantity: Quantity, grid: Grid, axes: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The choices with the total of a table for a whole that no words name: "half of the $90 million"; and for a move that is
    said of none of its rows: "emissions were 31 % below the base"."""
    if grid.is_prose or axes[0].labels is not None:
        return axes
    if not quantity.is_whole:
        return _of_all(quantity, grid, axes)
    totals = [fact for fact in grid.facts if fact.is_total and fact.kind == quantity.number.kind]
    labels = {fact.at[0] for fact in totals}
    if not grid.is_list:
        return (_only(labels), *axes[1:]) if labels else axes
    rows = {fact.at[ENTITY] for fact in totals}  # a column is meant where it alone is of that kind
    return (_only(labels), _only(rows), *axes[2:]) if len(labels) == 1 else axes


def _of_all(quantity: Quantity, grid: Grid, axes: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The choices with the one total row of a table, for a share by which something moved."""
    moves = quantity.direction or quantity.cue("operations") & {"difference", "growth"}
    if (
        grid.is_list
        or quantity.number.kind != "percentage"
        or not moves
        or quantity.is_share
        or quantity.said
    ):
        return axes
    labels = {fact.at[0] for fact in grid.facts if fact.is_total}
    return (_only(labels), *axes[1:]) if len(labels) == 1 else axes


def _only(labels: Collection[int]) -> Choice:
    return Choice(tuple(sorted(labels)), 1, 1.0)


def _of_result(quantity: Quantity, grid: Grid, axes: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The choices with the one figure of a table that can be a loss for what is said to be a loss or a profit: "books earned
    $18 million" beside "Operating profit"."""
    if not quantity.cue("polarity") or grid.is_prose or axes[0].labels is not None:
        return axes
    known = lexicons.concepts()
    labels = range(len(grid.axes[0].labels))
    results = [
        at
        for at in labels
        if any(known[one].sign == "either" for one in metrics_of(grid, at) if one in known)
    ]
    return (Choice(tuple(results), 0, 1.0), *axes[1:]) if len(results) == 1 else axes


def _of_kind(quantity: Quantity, grid: Grid, axes: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The choices with the one column of a list that holds amounts, or shares, for an amount or a share of a row that its own
    words name: "Loan A, at $42 million" beside "Balance"."""
    kind = quantity.number.kind
    if not grid.is_list or kind not in ("currency", "percentage") or axes[0].labels is not None:
        return axes
    row = axes[ENTITY]
    columns = {fact.at[0] for fact in grid.facts if fact.kind == kind and fact.at[0] != OPEN}
    return (_only(columns), *axes[1:]) if len(columns) == 1 and row.labels and row.tier == 0 else axes


def _of_unit(quantity: Quantity, grid: Grid, axes: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The choices with the one figure of a table that is in the unit of a number whose own words name none: "430 tonnes" beside
    "Grapes picked (t)"."""
    unit = measured_in(quantity.number)
    if not unit or grid.is_prose or axes[0].tier == 0:
        return axes
    alike = {fact.at[0] for fact in grid.facts if fact.unit == unit or factors(fact.unit, unit)}
    return (Choice(tuple(alike), 0, 1.0), *axes[1:]) if len(alike) == 1 and OPEN not in alike else axes


def _totals(grid: Grid) -> tuple[int, ...]:
    return tuple(label for name in _TOTALS for label in labelled(grid, name))


def _with(choice: Choice, more: tuple[int, ...]) -> Choice:
    labels = tuple(dict.fromkeys((*(choice.labels or ()), *more)))
    return replace(choice, labels=labels) if more else choice


def _asked_line(quantity: Quantity, grid: Grid) -> tuple[int, ...]:
    """The account that the question names wholly, where the answer calls it only income or expense: "it brought in"."""
    asked = quantity.tiers[-1].words
    words = {word: weight for word, weight in asked.items() if concept(word) not in _TOTALS}
    labels, score = grid.axes[0].named(words)
    return labels if score >= _WHOLLY and not _calls_total(quantity, grid) else ()


def _calls_total(quantity: Quantity, grid: Grid) -> bool:
    """Whether the words next to a number call a total by its name and not only by a verb: "revenue shrank"."""
    said = [word for word in quantity.tiers[0].words if not is_meaning(word)]
    return any(
        word in form for word in said for at in _totals(grid) for form in grid.axes[0].labels[at].forms
    )


def _with_others(quantity: Quantity, grid: Grid, own: Choice) -> Choice:
    """Another property too, of a number that a figure of the first is compared with and whose own words name none; which
    ones, the sentences before and the question say."""
    speaks_so = "other" in quantity.cue("entities")
    if own.labels is None:
        return own
    named = [label for tier in quantity.tiers[1:] for label in _entities(tier, grid)]
    others = [label for label in dict.fromkeys(named) if label not in own.labels]
    if own.tier == 0 and len(others) > 1 and not speaks_so:
        return own
    if not others and speaks_so:
        others = list(range(len(grid.axes[ENTITY].labels)))
    return _with(own, tuple(others))


def _entities(tier: Tier, grid: Grid) -> tuple[int, ...]:
    words = {word: weight for word, weight in tier.words.items() if not is_meaning(word)}
    return tuple(label for label in grid.axes[ENTITY].named(words)[0] if label != OPEN)
