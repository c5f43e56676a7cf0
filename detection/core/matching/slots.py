"""What a quantity speaks of in a grid: for each slot the labels or periods that its words name, nearest words first."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from detection.core import lexicons, periods
from detection.core.evidence import OPEN, Axis, Fact, Grid
from detection.core.evidence.values import labelled
from detection.core.matching.choices import INHERITED, Choice, widened
from detection.core.matching.equality import bounded, same_money
from detection.core.numbers import stated_scale
from detection.core.periods import Calendar, Mention, Span
from detection.core.quantities import LIMITS, PLANS, Quantity, Tier
from detection.core.quantities.features import is_meaning
from detection.core.quantities.measures import AREAS, DURATIONS, PHYSICAL, measured_in
from detection.core.types import Kind

NOT_OF_RECORD = LIMITS | PLANS | {"market", "pro_forma"}
"""The roles that no figure of record has: what had to be kept, was planned, is the market's, or is as if."""
_SIZES = frozenset(("size", "drawn", "available"))
KIN = dict.fromkeys(LIMITS, LIMITS) | dict.fromkeys(PLANS, PLANS)
"""Roles that words tell apart from each other no better than from the actual value."""
_KEPT = frozenset(("inside", "outside"))
_ENDS = frozenset(("at_most", "at_least", "up_to"))
_TURNED = {"limit_max": "at_least", "limit_min": "at_most"}
_LAST_DAY = 3
_FURTHER = 2.0  # words of the sentence, which weigh half
KINDS: dict[Kind, frozenset[Kind]] = {
    "currency": frozenset(("currency", "number")),
    "percentage": frozenset(("percentage", "number", "ratio")),
    "ratio": frozenset(("ratio", "number", "percentage")),
    "number": frozenset(("number", "currency", "percentage", "ratio")),
}
"""The kinds of facts that can state a number of each kind."""
_RATES, _POINTS = frozenset(("percentage", "ratio")), "pp"
_UNMEASURED: frozenset[Kind] = frozenset(("currency", "percentage"))
"""Kinds of which nothing is in a unit of measure: no amount is in tonnes, no share in megawatts."""


@dataclass(frozen=True, slots=True)
class Slots:
    """What a quantity speaks of. ``spans`` are periods by tier, the nearest first; ``bases`` what it is compared with; ``is_dated``: the nearest
    period is named by its date, not only by its distance."""

    axes: tuple[Choice, ...]
    spans: tuple[tuple[Span, ...], ...] = ()
    span_tier: int = INHERITED
    bases: tuple[Span, ...] = ()
    is_dated: bool = False

    @property
    def choices(self) -> tuple[tuple[int, ...] | None, ...]:
        """The labels by axis."""
        return tuple(choice.labels for choice in self.axes)

    def names_figure(self, grid: Grid) -> bool:
        """Whether words name a figure of ``grid``; where its columns have no names but roles ("Result", "Limit"), its row does."""
        if self.axes[0].labels is not None or grid.axes[0].labels or grid.is_prose:
            return self.axes[0].labels is not None
        return len(self.axes) > 1 and self.axes[1].tier == 0

    @property
    def now(self) -> tuple[Span, ...]:
        """The periods of the nearest tier that names any."""
        return self.spans[0] if self.spans else ()


def slots(
    quantity: Quantity,
    grid: Grid,
    asked: Span | None = None,
    given: Sequence[tuple[int, ...] | None] = (),
    *,
    of_any_kind: bool = False,
) -> Slots:
    """The slots of ``quantity`` in ``grid``; ``asked`` and ``given`` fill those that no words name."""
    fits = None if of_any_kind else _fitting(quantity, grid)
    axes = tuple(
        choose(quantity.tiers, grid, axis, fits if not axis else None, given[axis] if given else None)
        for axis in range(len(grid.axes))
    )
    if axes and not of_any_kind and (areas := _areas(quantity, grid)):
        axes = (_of_area(quantity.tiers, grid, areas), *axes[1:])
    axes = widened(quantity, grid, axes)
    if quantity.number.kind == "change" and _has_one_column(grid):
        axes = (_of_only_column(quantity, grid, axes), *axes[1:])
    if axes and axes[0].labels and not (grid.is_prose or grid.is_recorded):
        axes = (_beside_limits(quantity, grid, axes[0]), *axes[1:])
    tiers = quantity.tiers
    bases = quantity.bases
    if (
        of_any_kind
    ):  # what moved did so up to the period spoken of, from the one before that words look back to
        bases += tuple(one for tier in tiers[:1] for one in tier.periods if one.looks_back)
        tiers = tuple(Tier(t.words, tuple(one for one in t.periods if not one.looks_back)) for t in tiers)
    calendars = grid.calendars(axes[1].labels if len(axes) > 1 else None)
    by_tier = spans_of(tiers, quantity.behind, grid, asked, calendars)
    first = next((tier for tier, spans in enumerate(by_tier) if spans), INHERITED)
    near = tuple(spans for spans in by_tier if spans)
    anchors = [span for spans in near for span in spans]
    back = tuple(span for one in bases for span in resolved(one, anchors, grid, calendars))
    dated = first < len(tiers) and any(one.span or one.part for one in tiers[first].periods)
    return Slots(axes, near, first, back, dated)


def _fitting(quantity: Quantity, grid: Grid) -> Callable[[Fact], bool] | None:
    """Whether a fact may state a number: it is of such a kind, of money and shares nothing in a unit of measure, nor a bare
    number where a list has columns of the currency; of millions no rate, of tonnes no money either, of points nothing but points where there are any, of no other
    share what moved by points."""
    kind, unit = quantity.number.kind, quantity.number.unit
    kinds = KINDS.get(kind)
    if kinds is None:
        return None
    if kind == "currency" and grid.is_list and any(fact.unit == unit for fact in grid.facts):
        kinds = frozenset(("currency",))
    elif kind == "number" and measured_in(quantity.number) in PHYSICAL:
        kinds = frozenset(("number",))
    elif kind == "number" and stated_scale(quantity.number) > 1:
        kinds -= _RATES
    unmeasured = kind in _UNMEASURED and not quantity.is_share  # a share "of scrap" is of its tonnes
    in_points = unit == _POINTS and any(fact.unit == _POINTS for fact in grid.facts)

    def fitting(fact: Fact) -> bool:
        """Whether one fact may."""
        if fact.kind not in kinds or (unmeasured and fact.kind == "number" and fact.unit):
            return False
        return fact.unit == _POINTS if in_points else unit == _POINTS or not _is_move(fact)

    return fitting


def _is_move(fact: Fact) -> bool:
    """Whether a fact says by how many points something moved."""
    return fact.unit == _POINTS and bool(fact.direction)


def _areas(quantity: Quantity, grid: Grid) -> frozenset[int]:
    """The labels of a table whose values are areas, where a quantity is one: "18,900 sq ft" is no rent per square foot."""
    if grid.is_prose or grid.is_recorded or measured_in(quantity.number) not in AREAS:
        return frozenset()
    measured = {fact.at[0] for fact in grid.facts if fact.unit in AREAS and fact.at[0] != OPEN}
    return frozenset(measured) | frozenset(labelled(grid, "area"))


def _of_area(tiers: Sequence[Tier], grid: Grid, areas: frozenset[int]) -> Choice:
    """Of the labels of areas those that the nearest telling words name, else all."""
    for place, tier in enumerate(tiers):
        labels, score = grid.axes[0].named(tier.words, areas)
        if labels:
            return Choice(labels, place, score)
    return Choice(tuple(sorted(areas)), 0)


def _has_one_column(grid: Grid) -> bool:
    """Whether a list has one column of values: whatever is said of its rows is said of that."""
    return grid.is_list and len(grid.axes[0].labels) == 1 and all(fact.at[0] != OPEN for fact in grid.facts)


def _of_only_column(quantity: Quantity, grid: Grid, axes: Sequence[Choice]) -> Choice:
    """The only column of a list of which a claim's own words name a row; not where they name a figure that it does not
    hold."""
    metric, entity = axes[0], axes[1]
    words = quantity.tiers[0].words
    known = {*grid.axes[0].words, *grid.axes[1].words}
    if metric.tier == 0 or entity.tier or any(is_meaning(word) and word not in known for word in words):
        return metric
    return Choice((0,), 0)


def _beside_limits(quantity: Quantity, grid: Grid, choice: Choice) -> Choice:
    """The labels of limits, and those of what has to keep them where the words of another number name the limit: "57.8 %
    against a cap of 60 %"; or where they say that it is kept: "in breach of its covenant at 66 %"."""
    kept_or_broken = quantity.cue("sides") & _KEPT and not quantity.called & LIMITS
    if quantity.cue("roles") & LIMITS and not kept_or_broken:
        return choice
    labels = choice.labels or ()
    capped = {
        one
        for one in labels
        if all(fact.role in LIMITS for fact in grid.at(((one,), None)[: len(grid.axes)]))
    }
    if not capped:
        return choice
    metrics = frozenset(word for one in capped for word in grid.axes[0].words_of(one) if is_meaning(word))
    kept = tuple(
        index
        for index, one in enumerate(grid.axes[0].labels)
        if index not in labels and any(metrics & form for form in one.forms)
    )
    return Choice((*labels, *kept), choice.tier, choice.score) if kept else choice


def choose(
    tiers: Sequence[Tier],
    grid: Grid,
    axis: int,
    fits: Callable[[Fact], bool] | None,
    given: tuple[int, ...] | None,
) -> Choice:
    """The labels of an axis that the nearest telling words name, among those with a fact that ``fits``."""
    among = grid.among(axis, fits) if fits else None
    for place, tier in enumerate(tiers):
        labels, score = grid.axes[axis].named(tier.words, among)
        if not labels:
            continue
        if not place and not axis and grid.is_prose:
            own, rivals = tier.own(), labels
            labels = tuple(one for one in labels if not grid.axes[axis].is_other(one, own, rivals))
        more = _under_headings(tiers[place:], grid.axes[axis], among) if grid.axes[axis].has_headings else ()
        if place > 1:  # no nearer words name any: each of those named before may be meant
            more += tuple(
                label
                for later in tiers[place + 1 :]
                for label in grid.axes[axis].named(later.words, among)[0]
            )
        return Choice(tuple(dict.fromkeys((*labels, *more))), place, score)
    return Choice(given)


def _under_headings(tiers: Sequence[Tier], axis: Axis, among: frozenset[int] | None) -> tuple[int, ...]:
    """Labels of which the nearest words name the heading and the sentence the rest."""
    words = {word: _FURTHER * weight for tier in tiers[1:2] for word, weight in tier.words.items()}
    found = axis.named(words | dict(tiers[0].words), among)[0]
    return tuple(label for label in found if axis.labels[label].above)


def spans_of(
    tiers: Sequence[Tier],
    behind: Sequence[Mention],
    grid: Grid,
    asked: Span | None,
    calendars: Sequence[Calendar],
) -> list[tuple[Span, ...]]:
    """The periods named in each tier; those without a year by the years that stand around them. Those further on in the
    sentence count as one that leads it in."""
    anchors = [*_absolute(tiers), *([asked] if asked else []), *(one.span for one in behind if one.span)]
    spoken = [*anchors, *_absolute(tiers, compared=True)]
    anchors = spoken or _only_year(grid)
    found: list[tuple[Span, ...]] = []
    for place, tier in enumerate(tiers):
        spans = [
            span
            for one in tier.periods
            if not (asked and place > 1 and _only_counts(one))
            for span in resolved(one, _bases(one, tiers, place, spoken, grid, calendars), grid, calendars)
        ]
        spans = [*_in_years(tiers[: place + 2], tier, spans, grid, calendars), *spans]
        found.append(tuple(dict.fromkeys(spans)))
    further = [span for one in behind for span in resolved(one, anchors, grid, calendars)]
    found[2:3] = [tuple(dict.fromkeys((*further, *spans))) for spans in found[2:3] or [()]]
    found += [(asked,)] if asked else []
    if not grid.spans or any(span[1] > periods.UNNAMED[1] for span in grid.spans):
        return found
    return [tuple(dict.fromkeys(map(periods.in_unnamed, spans))) for spans in found]


def _in_years(
    tiers: Sequence[Tier], tier: Tier, spans: Sequence[Span], grid: Grid, calendars: Sequence[Calendar]
) -> list[Span]:
    """The part of each year that is meant where a tier names years alone and a part is named before them: "in the fourth
    quarter ..., from 1.2m in 2023 to 1.3m in 2024"."""
    if not spans or any(periods.granularity(span) != "year" for span in spans):
        return []
    first = min((one.start for one in tier.periods), default=0)
    parts = [one for known in tiers for one in known.periods if one.part is not None and one.start <= first]
    return [span for year in spans for one in parts for span in resolved(one, (year,), grid, calendars)[:1]]


def _only_counts(one: Mention) -> bool:
    """Whether words say no more than how many periods there are: what a sentence before them ranked or counted."""
    return bool(one.each and one.several) and not (one.span or one.away or one.part or one.trailing)


def _bases(
    mention: Mention,
    tiers: Sequence[Tier],
    place: int,
    spoken: Sequence[Span],
    grid: Grid,
    calendars: Sequence[Calendar],
) -> list[Span]:
    """The periods from which one of the tier at ``place`` may be told, the nearest first. "For the period" is of none where
    nothing is ``spoken`` of."""
    here, around = [*_absolute(tiers[place:])], spoken or _only_year(grid)
    near = [*here, *around]
    if mention.away is None or not mention.is_this:
        return [*_followed(mention, tiers, near, grid, calendars), *near]
    meant = [*here, *_of_year(tiers[place:], around, grid, calendars), *spoken]
    return meant or (near if mention.away.unit else [])


def _of_year(
    tiers: Iterable[Tier], anchors: Sequence[Span], grid: Grid, calendars: Sequence[Calendar]
) -> Iterator[Span]:
    """The parts of a year that are named without it: "the second quarter", which "this quarter" is then."""
    parts = (one for tier in tiers for one in tier.periods if one.part is not None and not one.is_base)
    return (span for one in parts for span in resolved(one, anchors, grid, calendars)[:1])


def _followed(
    mention: Mention,
    tiers: Sequence[Tier],
    anchors: Sequence[Span],
    grid: Grid,
    calendars: Sequence[Calendar],
) -> tuple[Span, ...]:
    """The period that one follows which is told by its distance to it, "a quarter later": the last that is named before."""
    if mention.away is None or max(mention.away.months, mention.away.whole) <= 0:
        return ()
    before = _named_before(mention, tiers)
    if before is None:
        return ()
    near = [*_followed(before, tiers, anchors, grid, calendars), *anchors]
    return resolved(before, near, grid, calendars)[:1]


def _named_before(mention: Mention, tiers: Sequence[Tier]) -> Mention | None:
    """The period that is named last before one: in its sentence, else in the nearest that leads it in."""
    sentence = [one for tier in tiers[:2] for one in tier.periods]
    for spoken in (sentence, *(tier.periods for tier in tiers[2:])):
        before = [
            one
            for one in spoken
            if one.start < mention.start and not (one.is_base or one.each or one.several)
        ]
        if before:
            return max(before, key=lambda one: one.start)
    return None


def _only_year(grid: Grid) -> list[Span]:
    """The year that all periods of a document lie in, which its readers need not name."""
    if grid.is_recorded or not grid.spans:
        return []
    whole = min(span[0] for span in grid.spans), max(span[1] for span in grid.spans)
    return (
        [(date(whole[1].year, 1, 1), date(whole[1].year, 12, 31))] if whole[0].year == whole[1].year else []
    )


def resolved(
    mention: Mention, anchors: Sequence[Span], grid: Grid, calendars: Sequence[Calendar]
) -> tuple[Span, ...]:
    """The spans that a mention may mean, by the periods that the grid has and the calendars that it is read in."""
    found = [
        span for calendar in calendars for span in periods.resolve(mention, anchors, calendar, grid.spans)
    ]
    if mention.point and mention.third == _LAST_DAY and mention.span is not None:
        found.append(mention.span)  # "at the end of 2023" is what is stated for 2023
    if mention.is_this:
        found = _this(found, anchors, grid.spans)
    if (
        not grid.is_recorded
    ):  # documents call a fiscal year, and the day that it ends with, by the calendar's year
        years = [span[1].year for span in found if periods.granularity(span) == "year"]
        found += [known for year in years for known in grid.spans if _ends_in(known, year)]
        found += [known for year in years for known in _counted_in(grid, year)]
    if mention.between and found:
        found += _outer(found[0], grid.spans)
    return tuple(dict.fromkeys(found))


def _this(found: Sequence[Span], anchors: Sequence[Span], known: Sequence[Span]) -> list[Span]:
    """What "the same quarter" may mean: any of that length that was spoken of, or that is known of a year that was, where the
    year's last is not."""
    length = periods.granularity(found[0]) if found else ""
    alike = [one for one in anchors if not length or periods.granularity(one) == length]
    year = [
        one for one in anchors[:1] if not alike and not any(periods.same(found[0], span) for span in known)
    ]
    inside = [
        one
        for span in year
        for one in known
        if periods.granularity(one) == length and periods.contains(span, one)
    ]
    return [*(() if inside else found), *alike, *inside]


def _outer(span: Span, known: Iterable[Span]) -> list[Span]:
    """The first and the last of the periods of each length in a stretch."""
    inside: dict[str, list[Span]] = {}
    for one in sorted(known):
        if periods.contains(span, one) and not periods.same(span, one):
            inside.setdefault(periods.granularity(one), []).append(one)
    return [one for pieces in inside.values() if len(pieces) > 1 for one in (pieces[0], pieces[-1])]


def _ends_in(span: Span, year: int) -> bool:
    """Whether a span is a year, or a day, that a plain year may mean."""
    return span[1].year == year and ((span[1] - span[0]).days == 0 or 350 <= (span[1] - span[0]).days <= 380)


def _counted_in(grid: Grid, year: int) -> list[Span]:
    """The month of a year in which a document counts once a year: "the October census" of "2021"."""
    counted = [one for one in grid.spans if periods.granularity(one) == "month"]
    years = {one[1].year for one in counted}
    once = len(counted) == len(years) == len(grid.spans) > 1
    return [one for one in counted if once and one[1].year == year]


def _absolute(tiers: Iterable[Tier], *, compared: bool = False) -> Iterable[Span]:
    """The periods with a year that are spoken of, or those that are only ``compared`` with."""
    return (one.span for tier in tiers for one in tier.periods if one.span and one.is_base == compared)


def fits(quantity: Quantity, fact: Fact) -> bool:
    """Whether a fact's kind, unit and role can be what a quantity states."""
    number = quantity.number
    if fact.kind not in KINDS.get(number.kind, ()) or fact.value is None:
        return False
    if not same_money(number, fact):
        return False
    if fact.bound and not bounded(quantity) and not quantity.cue("roles") & LIMITS:
        return False
    if fact.figure is not None and quantity.cue("roles") & NOT_OF_RECORD:
        return False
    if number.unit != _POINTS and _is_move(fact):
        return False
    if (
        number.kind == "number"
        and number.noun
        and fact.kind != "number"
        and (fact.kind != "currency" or fact.unit)
    ):
        return False
    return number.unit != _POINTS or fact.unit == _POINTS


def is_whole(name: str) -> bool:
    """Whether a name says nothing but that its values are those of all others together."""
    marks = lexicons.phrases("totals").find(lexicons.Words(name))
    return any("total" in mark.value and mark.end - mark.start == len(name.strip()) for mark in marks)


def is_other_role(quantity: Quantity, grid: Grid, fact: Fact) -> bool:
    """Whether a fact is a plan, a limit or a size that the words do not call so, or what came about beside the limit that
    they speak of. What is the only one of its place in a table needs no such words; rooms and terms have no roles."""
    if quantity.is_actual and fact.role in PLANS:
        return True  # "2 % under plan at $5"
    if _is_limited(quantity, grid, fact) or _is_planned(quantity, grid, fact):
        return True  # "must not drop below 1.83x" where that is what came about
    if fact.role in _TURNED and _TURNED[fact.role] in quantity.cue("bounds"):
        return True  # "at least 180 a day" where 180 is the most
    roles = _roles(quantity)
    if fact.role in NOT_OF_RECORD and fact.unit not in AREAS | DURATIONS:
        called = roles | quantity.may_be
        alone = not grid.is_prose and not _has_other(grid, fact, {""})
        return not alone and not called & {fact.role, *KIN.get(fact.role, ())}
    sizes = roles & _SIZES
    return fact.role in _SIZES and bool(sizes) and fact.role not in sizes and _has_other(grid, fact, sizes)


def _roles(quantity: Quantity) -> frozenset[str]:
    """The roles that its words name; those of the sentence where its own name no figure. A bound is a limit."""
    own = quantity.cue("roles")
    if not own and not any(map(is_meaning, quantity.tiers[0].words)):
        own = quantity.said
    limits = bounded(quantity) or quantity.cue("bounds") & _ENDS
    return own | LIMITS if limits else own


def _is_limited(quantity: Quantity, grid: Grid, fact: Fact) -> bool:
    """Whether a fact of a table is what came about, beside the limit that the words speak of."""
    limit = quantity.cue("roles") & _TURNED.keys()
    return bool(limit) and not fact.role and not grid.is_prose and _has_other(grid, fact, LIMITS)


def _is_planned(quantity: Quantity, grid: Grid, fact: Fact) -> bool:
    """Whether a fact is not of the plan that the words call the number and that stands beside it: what came about, "budgeted
    $18,000", or in a table another plan, "a forecast of $21,000"."""
    plans = quantity.called & PLANS
    another = fact.role in PLANS and fact.role not in plans and not grid.is_prose
    if not plans or not (another or fact.role not in NOT_OF_RECORD):
        return False
    beside = plans if another else PLANS
    return any(one.role in beside and one.kind == fact.kind for one in _called_alike(grid, fact))


def _called_alike(grid: Grid, fact: Fact) -> Iterator[Fact]:
    """The facts of the sentence of a fact, or of its row of a table those that are called as it is, or by their role alone."""
    own = grid.axes[0].labels[fact.at[0]] if fact.at[0] != OPEN else None
    for other in grid.facts if grid.is_prose else grid.at([None, *((one,) for one in fact.at[1:])]):
        if other.at == fact.at or (other.at[0] == OPEN and not grid.is_prose):
            yield other
        elif own and other.at[0] != OPEN:
            label = grid.axes[0].labels[other.at[0]]
            if label.text == own.text if grid.is_prose else not {*label.forms}.isdisjoint(own.forms):
                yield other


def _has_other(grid: Grid, fact: Fact, roles: Collection[str]) -> bool:
    """Whether a figure of one of these roles stands beside a fact: in its place of a table, anywhere in prose."""
    beside = grid.facts if grid.is_prose else grid.at([(one,) for one in fact.at])
    return any(other.role in roles and other.kind == fact.kind for other in beside)
