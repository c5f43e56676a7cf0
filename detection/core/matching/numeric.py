"""The numeric detector: every number of an answer against records, tables and prose (NUM-05…NUM-08, NUM-13, NUM-14).

:func:`measure` compares and stores; :func:`decide` (of :mod:`detection.core.matching.decision`) judges what was
stored. What is measured does not depend on a tolerance, so that another tolerance needs no new measurement.
"""

from collections.abc import Hashable, Iterator, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from functools import cached_property

import regex

from detection.core import claims, evidence, lexicons
from detection.core.context import Context
from detection.core.disputes import Standing, figures
from detection.core.evidence import ENTITY, Grid
from detection.core.matching import measured
from detection.core.matching.anchored import Stated
from detection.core.matching.answers import Answer
from detection.core.matching.beside import Beside
from detection.core.matching.decision import FAR, decide
from detection.core.matching.equality import CONVERTED
from detection.core.matching.judged import Judged
from detection.core.matching.judging import Judge
from detection.core.matching.levels import Match
from detection.core.matching.reasons import REASONS
from detection.core.matching.relations import beyond, versus, written
from detection.core.matching.relations.standings import standing
from detection.core.matching.relations.told import Told
from detection.core.matching.times import dates
from detection.core.matching.times.durations import Durations
from detection.core.matching.together.quoted import Quoted
from detection.core.matching.weighing import GIVEN, Weigher
from detection.core.quantities import LIMITS, Quantity, enumerated, features
from detection.core.quantities.features import HAN
from detection.core.quantities.measures import DURATIONS, MONTHS
from detection.core.quantities.reach import supposed
from detection.core.statements import open_words
from detection.core.types import Case, Dispute, NumberMeasured, NumericClaim, NumericMeasurement

__all__ = ["REASONS", "decide", "measure"]

NOBODY = -2
"""The place of a property that has no figures: no record is its own."""
_FEW, _WHOLE = 12, Decimal("0.5")  # so many are counted, not looked up


def measure(context: Context) -> NumericMeasurement:
    """Compare every number of the claims, and what they say without digits, with the case's figures and sources.

    ``expired`` is asked before each source is read and before each number; those not reached are ``timed_out`` (NUM-13).
    Numbers that repeat with the same words around them are compared once (NUM-14).
    """
    case, said, bare = claims.bared(context.case, context.claims)
    found = _measured(replace(context, case=case, claims=said))
    if bare.places is None:
        return found
    return replace(found, claims={index: measured.marked(one, bare) for index, one in found.claims.items()})


def _measured(context: Context) -> NumericMeasurement:
    numbers = {claim.index: claim.number for claim in context.claims if claim.number is not None}
    if not numbers:
        return NumericMeasurement({})
    work = Measuring(context, list(numbers.values()))
    found: dict[int, NumberMeasured] = {}
    plain: dict[int, tuple[NumericClaim, tuple[str, ...]]] = {}
    for claim in context.claims:
        if claim.number is None:
            continue
        other = work.other_than_a_figure(claim.number)
        if other is not None:
            found[claim.index] = other
        else:
            plain[claim.index] = claim.number, claim.citations
            work.compare(claim.number, claim.citations)
    found.update((index, work.concluded(*one)) for index, one in plain.items())
    found.update((index, work.weighed(*one)) for index, one in plain.items())
    words = [one for one in numbers.values() if one.kind == "change"]
    for claim in context.claims:
        if claim.number and claim.number.kind == "change" and not found[claim.index].timed_out:
            found[claim.index] = work.said(claim.number, words)
    return NumericMeasurement(
        {index: found[index] for index in numbers}, open_words(context.case, context.claims, found)
    )


_TOWARDS = {"up": "ahead", "down": "behind"}
_BACK = 24  # characters before a number
_MOST_WEIGHED = 40
_OF = "的"


class Measuring:
    """One answer while its numbers are compared: first each by itself, then those that nothing states by what others
    of the answer, that are supported, come to."""

    def __init__(self, context: Context, numbers: list[NumericClaim]) -> None:
        self._expired, self._case = context.expired, context.case
        case = context.case
        cited = {ref for claim in context.claims for ref in claim.citations}
        self._known = evidence.read(case, context.reading, context.frames, cited, numbers)
        reader = context.slot_reader
        if reader is not None and self._known.grids:
            self._known = evidence.with_proposals(self._known, case.sources, reader)
        self._expired()  # the time for comparing begins here
        self._judge = Judge(
            self._known,
            (case.period.start, case.period.end) if case.period else None,
            self._own(case),
            {source.ref: source.title for source in case.sources},
        )
        self._answer = Answer(case, numbers, self._known, reader)
        self._durations = Durations(case, self._known)
        self._beside = Beside(self._answer, self._judge)
        both = self._known.records is not None and bool(self._known.grids)
        self._apart = [self._judge.only(recorded=True), self._judge.only(recorded=False)] if both else []
        self._judged: dict[Hashable, Judged] = {}
        self._made: dict[Hashable, NumberMeasured] = {}
        self._weighed: set[Hashable] = set()
        self._sure: list[Quoted] = []
        self._compared: list[tuple[Quantity, Judged]] = []
        self._concluded: dict[int, tuple[Quantity, Judged]] = {}
        self._outcomes: dict[Hashable, tuple[Quantity, Judged]] = {}
        self.weigher = Weigher(case, self._answer, self._known, self._judge.asked, self._judge.entity)

    def other_than_a_figure(self, number: NumericClaim) -> NumberMeasured | None:
        """What is measured of a date and of a number that names a period; nothing yet of a claim without digits; None for
        figures."""
        empty = self._empty(number)
        if self._expired():
            return replace(empty, timed_out=True)
        if number.kind == "date":
            dated = dates.compare(
                number, self._answer.reading, self._answer.around(number), self._case, self._known
            )
            return replace(empty, candidates=dated.candidates, slips=dated.slips, counts=dated.names)
        lasts = self._durations.told(number, self._answer.reading, self._answer.around)
        if lasts is not None and not (lasts.equal and lasts.origin == "document"):
            return replace(empty, candidates=(lasts,))
        if any(one.start <= number.start < one.end for one in self._answer.reading.periods):
            return replace(empty, counts=True)  # "nine months" is a period, not a figure
        if number.value == 1 and number.noun and number.noun in MONTHS:
            return replace(empty, counts=True)  # "in only one quarter"
        reading = self._answer.reading
        if self._is_numbered(number):
            return replace(empty, counts=True)  # "Line 3" is a name
        if self._is_supposed(number):
            return replace(empty, counts=True)
        led = reading.marks("rounding", max(number.start - _BACK, 0), number.start)
        if led and not reading.text[led[-1].end : number.start].strip():
            written = "nearest" in led[-1].value or self._is_written(number)
            return replace(empty, counts=True) if written else None
        return empty if number.kind == "change" else None

    def _is_supposed(self, number: NumericClaim) -> bool:
        """Whether a number is a limit that the answer itself draws, of which it counts nothing, and the evidence has none: "a
        threshold of $5"."""
        if not supposed(self._answer.reading, number) or self._answer.said(number).reach is not None:
            return False
        return not any(fact.role in LIMITS or fact.bound for grid in self._known.all for fact in grid.facts)

    def _is_written(self, number: NumericClaim) -> bool:
        """Whether a source writes a number as the answer does."""
        return any(number.text in source.text for source in self._case.sources)

    def compare(self, number: NumericClaim, cited: tuple[str, ...]) -> None:
        """Compare a figure by itself."""
        key = self._key(number, cited)
        if key not in self._judged:
            quantity, near = self._answer.said(number), self._answer.beside(number)
            self._judged[key] = self._turned(quantity, self._judge.judge(quantity, (), near, cited))
            self._compared.append((quantity, self._judged[key]))
            self._keep(quantity, self._judged[key])

    def _keep(self, quantity: Quantity, found: Judged) -> None:
        """Let other numbers be reckoned from a figure that is supported."""
        if found.outcome == "supported":
            value = found.match.value if found.match else None
            if value is None or value.how != "count":  # how many there are is no amount of theirs
                self._sure.append(Quoted(quantity, value))
            if value and value.how:
                self.weigher.reckoned[quantity.number.start] = value

    def concluded(self, number: NumericClaim, cited: tuple[str, ...]) -> NumberMeasured:
        """What is measured of a figure, with what the supported numbers of the answer come to."""
        key = self._key(number, cited)
        if key not in self._made:
            found, quantity, near = self._judged[key], self._answer.said(number), self._answer.beside(number)
            if found.outcome != "supported":
                found = self._judge.judge(quantity, self._sure, near, cited, self._stated)
                if found.outcome in ("not_found", "contradicted") and not found.slip:
                    found = self._judge.echoed(quantity, self._derived) or found
                found = self._turned(quantity, found)
                self._keep(quantity, found)
            self._concluded[number.start] = self._outcomes[key] = quantity, found
            apart = [one.judge(quantity, (), near, cited) for one in self._apart]
            counts, bound = _counts(number, found, self._is_compound(number)), quantity.number.bound
            empty = replace(self._empty(number), counts=counts, bound=number.bound or bound)
            made = measured.figure(empty, quantity, found, apart, self._beside)
            self._made[key] = replace(made, disputes=self._disputes(quantity, found, apart))
        return self._made[key]

    def _disputes(self, quantity: Quantity, found: Judged, apart: Sequence[Judged]) -> tuple[Dispute, ...]:
        """What other evidence says than that which carries a number: where the records refute it, than its documents."""
        carrying = next((one for one in (found, *apart) if one.outcome == "supported"), None)
        if carrying is None or carrying.match is None:
            return ()
        bearers = [(carrying.match, carrying.grid), *carrying.also]
        stated = [
            Standing(match.value.facts[0], grid)
            for match, grid in bearers
            if grid is not None and match.value.facts and not match.value.how
        ]
        return figures(self._case, self._known, stated, self._answer.sentence(quantity)) if stated else ()

    def weighed(self, number: NumericClaim, cited: tuple[str, ...]) -> NumberMeasured:
        """What is measured of a figure once it is weighed against all ways to it, where it was refused before."""
        key = self._key(number, cited)
        made, (quantity, found) = self._made[key], self._outcomes[key]
        if key in self._weighed or not self.is_refused(key) or self._expired():
            return made
        self._weighed.add(key)
        refused = [other for other in self._made if self.is_refused(other)]
        self.weigher.refused = frozenset(self._outcomes[other][0].number.start for other in refused)
        others = len(refused) - 1
        better = (
            self.weigher.weighed(quantity, found, others) if len(self._weighed) <= _MOST_WEIGHED else None
        )
        if isinstance(better, Judged):
            another = better.match and self._judge.is_of_another(quantity, better.match.value)
            better = None if another else self._turned(quantity, better)
        if better == GIVEN:
            self._made[key] = replace(made, counts=True)
        elif isinstance(better, Judged):
            weighed = measured.figure(self._empty(number), quantity, better, (), self._beside)
            if better.match and better.match.value.how and made.metric:  # of what it is, its words say
                weighed = replace(weighed, metric=made.metric, period=made.period, property=made.property)
            self._made[key] = weighed
            self._concluded[number.start] = quantity, better
            self._keep(quantity, better)
        return self._made[key]

    def _turned(self, quantity: Quantity, found: Judged) -> Judged:
        """What is found, refuted where it is how far the wrong one of two figures lies from the other."""
        value = found.match.value if found.match and found.outcome == "supported" else None
        if not beyond.is_other_side(quantity, value, self._answer.reading, self._known.all):
            return found
        slip = Match(value, "sign", equal=False) if value else None
        return replace(found, outcome="contradicted", match=slip, slip=slip, is_settled=True)

    def is_refused(self, key: Hashable) -> bool:
        """Whether nothing supported a figure, though the evidence was read whole."""
        made, (_, found) = self._made[key], self._outcomes[key]
        missing = found.outcome == "not_found" and bool(made.sources_left or made.timed_out)
        return found.outcome in ("contradicted", "not_found") and not made.counts and not missing

    @property
    def _derived(self) -> list[tuple[Quantity, Match]]:
        """The figures of the answer that were reckoned, with how."""
        found = [*self._compared, *self._concluded.values()]
        supported = ((said, one.match) for said, one in found if one.outcome == "supported")
        return [(said, match) for said, match in supported if match and match.value.how]

    @cached_property
    def _stated(self) -> list[Stated]:
        """The figures of the answer that stand in the evidence, whatever was said of them."""
        return [
            one for quantity, found in self._compared if (one := self._judge.stated(quantity, found)).facts
        ]

    def said(self, number: NumericClaim, words: Sequence[NumericClaim]) -> NumberMeasured:
        """What is measured of a claim without digits: by the numbers that stand beside it, else by what its words name."""
        empty = self._empty(number)
        if self._expired():
            return replace(empty, timed_out=True)
        if self._is_name(number) or self._is_outdone(number, words):
            return empty
        around = self._answer.around(number)
        near = written.Neighbours(number, words, self._answer.reading, self._concluded, around.reach)
        found = standing(near, around, of_all=self._judge.entity is None)
        told = found.told if found and found.told else self._of_two(number, near, around, found)
        told = self._judge.placed(around, told) or told or self._judge.tell(around, found)
        if (told is None and found is None) or (
            found is written.SILENT and str(number.value).startswith("order:")
        ):
            told = self._of_sides(number, near, around) or told
        if told is None or (told.value is None and not told.holds):
            told = self._versus(around, near) or told
        if told is not None and around.denied:
            plain = around.denied == "not" and told.value is not None and around.reach is None
            told = replace(told, holds=not told.holds) if plain else None
        return measured.told(empty, around, told, self._beside)

    def _versus(self, around: Quantity, near: written.Neighbours) -> Told | None:
        """What a table tells of a comparison of its rows whose figure no words name alone."""
        compared = (self._judge.comparison(around, grid, True) for grid in self._known.grids)
        return next((told for one in compared if (told := versus.told(one, near)) is not None), None)

    def _of_two(
        self, number: NumericClaim, near: written.Neighbours, around: Quantity, found: written.Standing | None
    ) -> Told | None:
        """What is told of a multiple of which words name both sides: "twice the size of infrastructure debt"."""
        table, _, times = str(number.value).partition(":")
        both = near.sides(written.NOT_OF_TWO) if table == "multiples" and found is None else None
        if not both:
            return None
        told = self._judge.multiplied(around, *both, Decimal(times))
        if Decimal(times) >= 1 or (told and told.value):
            return told
        return self._judge.shared(around, Decimal(times), self._leading(number)) or told

    def _leading(self, number: NumericClaim) -> str:
        """The word right behind a share, with which its whole is named; empty where Chinese names none there."""
        reading = self._answer.reading
        names = not HAN.search(number.text) or reading.text.startswith(_OF, number.end)
        ahead = reading.within(number.end, number.end + _BACK) if names else []
        return ahead[0].name if ahead else ""

    def _of_sides(self, number: NumericClaim, near: written.Neighbours, around: Quantity) -> Told | None:
        """What is told of an order or a direction of which words name both ends: "lobbies were lower than roofs", "fell from
        winter to spring"."""
        table, _, key = str(number.value).partition(":")
        key = _TOWARDS.get(key, "") if table == "directions" else around.direction
        both = near.ends() if table == "directions" else near.sides()
        return self._judge.sided(around, *both, key) if both and key in _TOWARDS.values() else None

    def _key(self, number: NumericClaim, cited: tuple[str, ...]) -> Hashable:
        return (replace(number, start=0, end=0), cited, self._answer.place(number))

    def _empty(self, number: NumericClaim) -> NumberMeasured:
        return NumberMeasured(
            kind=number.kind,
            value=number.value,
            unit=number.unit,
            precision=number.precision,
            approximate=number.approximate,
            bound=number.bound,
            database=self._case.database,
            sources_read=self._known.read,
            sources_left=self._known.unread + len(self._known.unreadable),
            timed_out=self._known.timed_out,
        )

    def _own(self, case: Case) -> int | None:
        """The place of the answer's own property among those of the records."""
        records = self._known.records
        if records is None or case.property is None:
            return None
        codes = list(dict.fromkeys(fact.figure.property for fact in records.facts if fact.figure))
        return codes.index(case.property) if case.property in codes else NOBODY

    def _is_numbered(self, number: NumericClaim) -> bool:
        """Whether a number is part of what a row or a column is called."""
        if self._answer.reading.is_size(number):
            return True
        names = {one.name for one in enumerated(self._answer.reading.words) if one.end == number.end}
        tables = (grid for grid in self._known.grids if not grid.is_prose)
        return bool(names) and any(not names.isdisjoint(axis.words) for grid in tables for axis in grid.axes)

    def _is_compound(self, number: NumericClaim) -> bool:
        """Whether a number is part of a word: "two-bedroom flats"."""
        return regex.match(r"[-‐‑]\p{L}", self._answer.reading.text, pos=number.end) is not None

    def _is_outdone(self, number: NumericClaim, words: Sequence[NumericClaim]) -> bool:
        """Whether a loss that is counted before in its clause took what is said to be earned, or the other way round."""
        low, _ = self._answer.reading.clause(number.start, number.end)
        before = [one for one in words if low <= one.start < number.start]
        polar = {str(one.value) for one in (*before, number) if str(one.value).startswith("polarity:")}
        is_one = str(number.value).startswith("polarity:")
        return is_one and len(polar) > 1 and self._answer.around(number).reach is not None

    def _names_column(self, words: Set[str]) -> bool:
        """Whether what words for a direction say is what a column of a table is called, that holds no change: "Liftings"."""
        columns = (one for grid in self._known.grids if grid.is_list for one in grid.axes[0].labels)
        return any(
            any(words <= form for form in one.forms)
            and not lexicons.phrases("directions").find(lexicons.Words(one.text))
            for one in columns
        )

    def _is_of_a_thing(self, number: NumericClaim) -> bool:
        """Whether something else is lost than money: "the loss of a tenant"."""
        reading = self._answer.reading
        if not str(number.value).startswith("polarity:") or not number.text.lower().endswith(" of"):
            return False
        near = number.end, number.end + _BACK
        known = (*reading.written(*near), *reading.spoken(*near), *reading.marks("metrics", *near))
        return bool(reading.within(*near)) and not known

    def _is_name(self, number: NumericClaim) -> bool:
        """Whether a word that would claim something is part of a property's name, or with the one behind it of a figure's:
        the "Largest tenant share of rent"."""
        words = {one.name for one in features(lexicons.Words(number.text))}
        if self._is_of_a_thing(number):
            return True
        labels = self._known.records.axes[ENTITY].labels if self._known.records else ()
        if words and any(words <= form for label in labels for form in label.forms):
            return True
        if words and str(number.value).startswith("directions:") and self._names_column(words):
            return True
        behind = next((one.name for one in self._answer.reading.within(number.end, number.end + _BACK)), None)
        if not words or behind is None or not str(number.value).startswith("order:"):
            return False
        return any({*words, behind} <= form for grid in self._known.grids for form in _rows(grid))


def _rows(grid: Grid) -> Iterator[frozenset[str]]:
    """The words of the names of a table's figures."""
    return (form for label in grid.axes[0].labels for form in label.forms) if not grid.is_prose else iter(())


def _counts(number: NumericClaim, found: Judged, is_compound: bool) -> bool:
    """Whether a number that nothing states counts a few things, or how long something takes: no figure tells that."""
    unstated = found.outcome == "not_found" or _is_far(number, found)
    if not unstated or number.kind != "number" or not (number.noun or is_compound):
        return False
    if Decimal(number.value) <= _FEW and number.precision == _WHOLE:
        return True
    marks = lexicons.phrases("units").find(lexicons.Words(number.noun or ""))
    return any(mark.value & DURATIONS for mark in marks)


def _is_far(number: NumericClaim, found: Judged) -> bool:
    """Whether what refutes a number is many times as large, so that it is no count of the same things."""
    if found.outcome != "contradicted" or found.match is None or found.slip:
        return False
    if found.match.value.how == CONVERTED:
        return False
    return abs(found.match.value.value) > FAR * abs(Decimal(number.value))
