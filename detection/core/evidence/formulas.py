"""What a formula that words state comes to in a table or in the figures of record.

Its operands stand on one axis, each named by its own words, and share what stands on the other, and their period unless
each has its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, DecimalException
from itertools import islice, product

from detection.core.evidence.facts import Fact, Grid
from detection.core.evidence.values import Value, of
from detection.core.numbers import plain
from detection.core.periods import Span
from detection.core.quantities import Formula, Tier
from detection.core.types import Kind

_MOST_LABELS, _MOST_CHOICES, _MOST_SHARED = 3, 9, 12
_SLACK = 0.25  # of a score: as good as the best
Key = tuple[int, str, Span | None]


def results(
    grid: Grid,
    formula: Formula,
    said: Mapping[str, float],
    spans: Sequence[Sequence[Span]],
    now: Sequence[Span],
) -> list[Value]:
    """What ``formula`` comes to, the likeliest first. ``said`` are the words of the whole sentence, ``spans`` the periods
    that each operand names itself, ``now`` those that the sentence names."""
    if grid.is_prose or len(grid.axes) < 2 or formula.how == "rate":
        return []
    ranked: list[tuple[float, Value]] = []
    for axis in (0, 1):
        for score, facts in _along(grid, axis, formula, said, spans, now):
            ranked += [(score, value) for value in _worked(formula, facts)]
    ranked.sort(key=lambda one: -one[0])
    return [value for _, value in ranked]


def _along(
    grid: Grid,
    axis: int,
    formula: Formula,
    said: Mapping[str, float],
    spans: Sequence[Sequence[Span]],
    now: Sequence[Span],
) -> Iterator[tuple[float, tuple[Fact, ...]]]:
    """Facts that the operands may be, with how well words name them."""
    flat = [tier for part in formula.parts for tier in part]
    chosen = _named(grid, axis, flat)
    if not all(chosen):
        return
    others = grid.axes[1 - axis].scores(said)
    common = next((tuple(one) for one in spans if one), tuple(now))
    own = [tuple(one) or common for one in spans]
    for choice in islice(product(*chosen), _MOST_CHOICES):
        labels = [label for label, _ in choice]
        if len(set(zip(labels, own, strict=True))) < len(labels):
            continue
        tables = [
            _facts(grid, axis, label, mine, apart=len(set(own)) > 1)
            for label, mine in zip(labels, own, strict=True)
        ]
        shared = [key for key in tables[0] if all(key in table for table in tables[1:])]
        best = max((others.get(key[0], 0.0) for key in shared), default=0.0)
        score = sum(one for _, one in choice) / len(choice)
        for key in islice((k for k in shared if others.get(k[0], 0.0) >= best - _SLACK), _MOST_SHARED):
            yield score + others.get(key[0], 0.0), tuple(table[key] for table in tables)


def _named(grid: Grid, axis: int, flat: Sequence[Tier]) -> list[list[tuple[int, float]]]:
    """The labels that each operand may be called by; one that only names a period is of the thing before."""
    found: list[list[tuple[int, float]]] = []
    for tier in flat:
        words = dict.fromkeys(tier.words, 1.0)
        labels, _ = grid.axes[axis].named(words)
        scores = grid.axes[axis].scores(words)
        mine = [(label, scores[label]) for label in labels[:_MOST_LABELS]]
        if not mine and tier.periods and found:
            mine = found[-1]
        found.append(mine)
    return found


def _facts(grid: Grid, axis: int, label: int, wanted: Sequence[Span], *, apart: bool) -> dict[Key, Fact]:
    """The facts of a label by what they share with others: the other label, the role, and the period unless operands are
    of periods ``apart``."""
    found: dict[Key, Fact] = {}
    for fact in grid.at(((label,), None) if axis == 0 else (None, (label,))):
        if fact.value is None or (wanted and fact.span and not any(of(fact.span, span) for span in wanted)):
            continue
        found.setdefault((fact.at[1 - axis], fact.role, None if apart else fact.span), fact)
    return found


def _worked(formula: Formula, facts: Sequence[Fact]) -> Iterator[Value]:
    """The result of a formula on its operands, where they can be reckoned with each other."""
    units = {fact.unit for fact in facts if fact.unit}
    if not _alike({fact.kind for fact in facts}) or len(units) > 1 or "pp" in units:
        return
    first, last = facts[0], facts[-1]
    if (
        formula.how == "difference"
        and first.at == last.at
        and first.span
        and last.span
        and first.span < last.span
    ):
        facts = (last, first)  # what became of a figure, less what it was
    of_size = formula.how in ("share", "ratio")
    values = [Decimal(fact.value or 0) for fact in facts]
    rest = iter(map(abs, values) if of_size else values)
    groups = [[next(rest) for _ in part] for part in formula.parts]
    worth = [sum(group, Decimal(0)) for group in groups]
    shown = [_joined([plain(value) for value in group]) for group in groups]
    try:
        value, text = _result(formula, worth, shown)
    except DecimalException:
        return
    if formula.how not in ("sum", "difference") or all(abs(value) != abs(one) for one in worth):
        yield Value(value, tuple(facts), formula.how, text)


def _alike(kinds: set[Kind]) -> bool:
    """Whether values of these kinds can be reckoned with each other: an amount may have no sign."""
    return len(kinds) == 1 or kinds == {"currency", "number"}


def _joined(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"({' + '.join(texts)})"


def _result(formula: Formula, worth: Sequence[Decimal], shown: Sequence[str]) -> tuple[Decimal, str]:
    if formula.how in ("sum", "mean"):
        total, text = sum(worth, Decimal(0)), " + ".join(shown)
        return (total, text) if formula.how == "sum" else (total / len(worth), f"({text}) / {len(worth)}")
    first, second = worth
    if formula.how == "difference":
        return first - second, f"{shown[0]} − {shown[1]}"
    return first / second * (100 if formula.how == "share" else 1), f"{shown[0]} / {shown[1]}"
