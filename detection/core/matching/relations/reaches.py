"""A bound that is said to be kept in every period of a longer one, in some of them, or by so many of those listed."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

import regex

from detection.core import lexicons, numbers, periods
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.values import Place, Value, at, tiled
from detection.core.matching.equality import bounded, keeps, slack
from detection.core.matching.levels import Comparison, Match
from detection.core.periods import Span
from detection.core.periods.spans import months_of
from detection.core.quantities.reach import ALL, EVER, NONE, Reach

_AND = " ,、，;-־ו"  # also the Hebrew letter that means "and" before a word
_RATES = ("percentage", "ratio")


def kept(one: Comparison) -> Match | None:
    """Whether a bound is kept, or a figure reached, by as many as its words say; None for any other quantity, and where not
    all of those it speaks of were read."""
    quantity, said = one.quantity, one.quantity.reach
    if not (bounded(quantity) or said) or quantity.onward:
        return None
    if quantity.number.kind == "number" and not ((said or quantity.singled) and bounded(quantity)):
        return None  # a plain count is no bound of anything
    if said is not None and not bounded(quantity) and _is_of_a_piece(one, said):
        return None  # "losses in three of the four quarters ate up the $5 of Q3"
    if said is not None and (said.months or not bounded(quantity)):
        return next(_by_periods(one, said), None)
    if said is not None and one.grid.is_prose:
        return next((_told(one, run, said) for run in _enumerated(one, said.group)), None) or _in_pieces(one)
    if (said or quantity.singled) and (found := _by_labels(one, said or ALL)) is not None:
        return found
    return _in_pieces(one) or _in_each(one)


def _is_of_a_piece(one: Comparison, said: Reach) -> bool:
    """Whether the words right beside a number name one of the periods that others count."""
    named = [span for span in one.slots.now if span] if one.slots.span_tier == 0 else []
    return len(named) == 1 and bool(said.months) and months_of(named[0]) == said.months


def _by_periods(one: Comparison, said: Reach) -> Iterator[Match]:
    for place in one.places():
        for group in pieces(one, place, said):
            yield _told(one, group, said)


def pieces(one: Comparison, place: Place, said: Reach) -> Iterator[Sequence[Fact]]:
    """The pieces that a reach speaks of: those of a longer period that is named, else those that are named themselves."""
    named = list(dict.fromkeys(span for spans in one.slots.spans for span in spans))
    if said.months == EVER:
        yield from _ever(one, place, named)
        return
    for span in named:
        run = tiled(one.grid, place, span) if months_of(span) > said.months else ()
        fits = all(months_of(fact.span) == said.months for fact in run if fact.span)
        if run and fits and said.group in (0, len(run)):
            yield run
    parts = [span for span in named if months_of(span) == said.months]
    found = [fact for span in parts for value in list(at(one.grid, place, span))[:1] for fact in value.facts]
    if len(found) == len(parts) and len(found) > 1 and (not said.group or said.group == len(found)):
        yield found
    known = [fact for fact in _at(one, place) if fact.span and months_of(fact.span) == said.months]
    if said.least == said.most == 1 and not said.group:
        yield known
    told = said.group or (not named and not one.grid.is_prose and len(known))
    if told and len({fact.span for fact in known}) == len(known) == told:
        yield sorted(known, key=_begins)  # "all eight quarters" that there are, "every quarter" of a table


def _ever(one: Comparison, place: Place, named: Sequence[Span]) -> Iterator[Sequence[Fact]]:
    """The pieces of the first longer period that is named, else all there are of the shortest length."""
    runs = [run for span in named if (run := tiled(one.grid, place, span))]
    yield from runs[:1]
    known = [fact for fact in _at(one, place) if fact.span]
    least = min((months_of(fact.span) for fact in known if fact.span), default=0)
    every = {fact.span: fact for fact in known if fact.span and months_of(fact.span) == least}
    if not runs and len(every) > 1:
        yield list(every.values())


def _begins(fact: Fact) -> Span:
    assert fact.span is not None  # noqa: S101  # only facts with a period are sorted
    return fact.span


def _at(one: Comparison, place: Place) -> list[Fact]:
    """What stands at a place, of one kind: beside amounts no column of changes counts."""
    known = [
        fact
        for fact in one.grid.at([None if at == OPEN else (at,) for at in place])
        if fact.value is not None
    ]
    levels = [fact for fact in known if not fact.direction] or known
    return [fact for fact in levels if fact.kind == levels[0].kind]


def _by_labels(one: Comparison, said: Reach) -> Match | None:
    """Those of a column, or the properties of record, that keep the bound."""
    if len(one.grid.axes) < 2 or one.grid.is_prose or one.slots.axes[0].labels is None:
        return None
    spans = one.spans()
    latest = max(one.grid.spans, default=None)
    for label in one.slots.axes[0].labels:
        for span in spans if any(spans) or one.grid.is_recorded else (latest,):
            among = _rows(one, label, span)
            among = _others(one, among) if said.group == len(among) - 1 else _meant(one, said, among)
            whole = len(among) > 1 and all(_can_keep(one, fact) for fact in among)
            if whole and (meant := singled(one, 1, among)) is not None:
                return _just(one, among, meant)
            if (
                whole
                and one.quantity.reach
                and (said.group == len(among) or not (said.group or one.grid.is_recorded))
            ):
                return _told(one, among, said)
    return None


def _rows(one: Comparison, label: int, span: Span | None) -> list[Fact]:
    """What each of those listed has of a figure, without totals; nothing where one of them has several. Rows that only
    numbers name are each by itself."""
    known = [
        fact
        for fact in one.grid.at(((label,), None))
        if fact.value is not None and not fact.is_total and _is_of(fact, span)
    ]
    named = [fact for fact in known if fact.at[1] != OPEN]
    if not named and one.grid.is_list and not one.grid.axes[1].labels:
        return [fact for fact in known if not fact.span]
    return named if len({fact.at[1] for fact in named}) == len(named) else []


def _can_keep(one: Comparison, fact: Fact) -> bool:
    """Whether a fact is of such a kind that a bound can be on it."""
    return one.quantity.number.kind != "number" or fact.kind == "number"


def singled(one: Comparison, axis: int, group: Sequence[Fact]) -> frozenset[int] | None:
    """Those of a group of which alone something is said to be true; None where no words name any of it."""
    said, all_of = one.quantity.singled, frozenset(fact.at[axis] for fact in group)
    named = frozenset(one.grid.axes[axis].named(said.tier.words)[0]) if said else frozenset[int]()
    if said is None or not named or not named < all_of or len(all_of) != len(group):
        return None
    return named if said.only else all_of - named


def _enumerated(one: Comparison, count: int) -> Iterator[Sequence[Fact]]:
    """So many figures that one sentence of prose lists: "the three fields gave 46, 58 and 63 tonnes"."""
    choice = one.slots.axes[0]
    facts = [fact for fact in one.grid.facts if fact.value is not None and _can_keep(one, fact)]
    run: list[Fact] = []
    for fact in [*sorted(facts, key=lambda found: (found.source or "", found.start)), None]:
        if run and (fact is None or not _goes_on(one.grid, run[-1], fact)):
            named = not choice.tier and any(one.at[0] in (choice.labels or ()) for one in run)
            if len(run) == count > 1 and named and len(set(map(_scale, run))) == 1:
                yield run
            run = []
        run += [fact] if fact else []


def _goes_on(grid: Grid, before: Fact, fact: Fact) -> bool:
    """Whether nothing but a comma or an "and" stands between two figures of a sentence."""
    said, far = grid.named(0, fact.at[0]), fact.start - before.start
    if said != grid.named(0, before.at[0]) or fact.kind != before.kind or fact.source != before.source:
        return False
    places = (one.start() for one in regex.finditer(regex.escape(before.text), said))
    gaps = [
        said[place + len(before.text) : place + far]
        for place in places
        if said.startswith(fact.text, place + far)
    ]
    return any(_is_comma(gap) for gap in gaps)


def _is_comma(gap: str) -> bool:
    """Whether a gap in a list holds nothing but signs and a word that adds."""
    marks = lexicons.phrases("joints").find(lexicons.Words(gap))
    added = [mark for mark in marks if "add" in mark.value]
    rest = gap if not added else gap[: added[0].start] + gap[added[0].end :]
    return bool(gap) and not rest.strip(" ,、，;-־")


def _scale(fact: Fact) -> Decimal:
    """What the digits of a figure are multiplied by: a word behind the last of a list may scale that alone."""
    return abs(fact.value or Decimal(0)) / (numbers.written(fact.text) or Decimal(1))


def _others(one: Comparison, among: Sequence[Fact]) -> list[Fact]:
    """All but the one that is named where "the others" are spoken of: "each of the other four"."""
    own = one.slots.axes[1].labels or ()
    speaks_so = "other" in one.quantity.cue("entities")
    return [fact for fact in among if not (speaks_so and fact.at[1] in own)]


def _meant(one: Comparison, said: Reach, among: list[Fact]) -> list[Fact]:
    """Those that the words next to a number name, where it is said of each of several: "Lakeside and Harbour each"."""
    own = one.slots.axes[1]
    named = [fact for fact in among if fact.at[1] in (own.labels or ()) and not own.tier]
    return named if len(named) > 1 and not one.quantity.singled and said.group in (0, len(named)) else among


def _is_of(fact: Fact, span: Span | None) -> bool:
    return span is None or fact.span is None or periods.same(fact.span, span)


def _just(one: Comparison, among: Sequence[Fact], meant: frozenset[int]) -> Match:
    """Whether just those keep the bound that are said to."""
    other = [fact for fact in among if _keeps(one, fact) != (fact.at[1] in meant)]
    shown = (other or [fact for fact in among if fact.at[1] in meant])[0]
    return Match(Value(shown.value or Decimal(0), (shown,)), equal=not other)


def _told(one: Comparison, among: Sequence[Fact], said: Reach) -> Match:
    keeping = [fact for fact in among if _keeps(one, fact)]
    least = len(among) if said.least is None else said.least
    most = len(among) if said.most is None else said.most
    equal = least <= len(keeping) <= most
    breaking = [fact for fact in among if fact not in keeping]
    shown = (breaking if len(keeping) < least else keeping) or among
    value = shown[-1].value
    assert value is not None  # noqa: S101  # only facts with a value are among them
    return Match(Value(value, tuple(shown[-1:])), equal=equal)


def _keeps(one: Comparison, fact: Fact) -> bool:
    assert fact.value is not None  # noqa: S101
    value = one.magnitude(Value(fact.value, (fact,))).value
    if not bounded(one.quantity):
        return abs(value - Decimal(one.quantity.number.value)) <= slack(one.quantity.number)
    return keeps(one.quantity, value)


def _in_pieces(one: Comparison) -> Match | None:
    """A bound on a share or a level in a longer period is kept in every piece of it."""
    for place in one.places():
        for span in one.spans()[:1]:
            run = tiled(one.grid, place, span) if span else ()
            if run and not any(at(one.grid, place, span)) and _is_of_pieces(one, run):
                return _told(one, run, _of_each(one))
    return None


def _of_each(one: Comparison) -> Reach:
    """A bound is that of every piece, or of none."""
    return NONE if one.quantity.reach == NONE else ALL


def _is_of_pieces(one: Comparison, run: Sequence[Fact]) -> bool:
    """Whether a bound speaks of the pieces of a period: of shares and levels, and of amounts where it is as large as one
    of them rather than as all together."""
    if run[0].kind in _RATES:
        return True
    said = abs(Decimal(one.quantity.number.value))
    total = sum((abs(fact.value or Decimal(0)) for fact in run), Decimal(0))
    summed = one.quantity.cue("aggregations") & {"sum"}
    return not summed and abs(said - total / len(run)) < abs(said - total)


def _in_each(one: Comparison) -> Match | None:
    """A bound that is said of several periods is kept in each of them: "below 1.2x in Q3 and Q4"."""
    spans = [span for span in one.slots.now if span] if one.slots.span_tier == 0 else []
    if len(spans) < 2 or one.slots.bases or len({months_of(span) for span in spans}) > 1:
        return None
    for place in one.places():
        found = [
            fact for span in spans for value in list(at(one.grid, place, span))[:1] for fact in value.facts
        ]
        if len(found) == len(spans):
            return _told(one, found, _of_each(one))
    return None
