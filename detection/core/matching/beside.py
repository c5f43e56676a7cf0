"""A number beside a value of the evidence, slot by slot: which words named the slot, what the evidence states, what came of it.

The one place that fills :class:`~detection.core.types.SlotCompared`. It tells what :mod:`detection.core.matching.levels`
decided and decides nothing: a conflict in a supported number, or none in the slot that explains a wrong one, is a defect.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Literal, NamedTuple

import regex

from detection.core import periods
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.values import FORMULAS
from detection.core.lexicons import Words
from detection.core.matching.answers import Answer, Passage
from detection.core.matching.choices import INHERITED
from detection.core.matching.equality import bounded
from detection.core.matching.judging import Judge
from detection.core.matching.levels import Comparison, Match
from detection.core.matching.relations.changes import asks
from detection.core.matching.slots import KIN, resolved
from detection.core.periods import Mention, Span
from detection.core.quantities import Feature, Quantity, features
from detection.core.quantities.features import concept, is_meaning
from detection.core.quantities.measures import measured_in
from detection.core.types import SlotCompared, SlotWords

Slot = Literal["metric", "entity", "period", "unit", "role", "bound", "direction", "sign"]
Verdict = Literal["agree", "conflict", "open", "assumed"]
_LONGEST, _MOST_TOLD = 60, 3  # characters of a name, and names of operands, that are kept
_JOINED = regex.compile(r"[^\p{N}.;:!?。；：]{0,8}")
_MOVED = frozenset(("difference", "growth"))


class Said(NamedTuple):
    """Words of the answer or its question, and where they stand."""

    text: str
    by: Literal["", "sentence", "head", "before", "question", "link", "model"] = ""
    start: int | None = None
    end: int | None = None


_NOTHING = Said("")


class Beside:
    """The numbers of one answer beside values of its evidence."""

    def __init__(self, answer: Answer, judge: Judge) -> None:
        self._answer, self._judge = answer, judge

    def slots(self, quantity: Quantity, match: Match, grid: Grid | None) -> tuple[SlotCompared, ...]:
        """What became of each slot that the words or the evidence name; ``grid`` is where the value stands, None where
        it follows from several."""
        facts = match.value.facts
        grid = grid or (self._holding(facts[0]) if facts else None)
        if not facts or grid is None:
            return ()
        one = self._judge.comparison(quantity, grid, bool(match.value.how))
        return tuple(_Laid(one, match, self._answer.passages(quantity), self._judge.asked).slots())

    def read(self, quantity: Quantity) -> tuple[SlotCompared, ...]:
        """What the words of a number name, where nothing was found to compare it with."""
        words = _Words(quantity, self._answer.passages(quantity))
        period = next((words.spoken(one, place) for place, one in words.mentions()), _NOTHING)
        said: tuple[tuple[Slot, Said], ...] = (
            ("metric", words.metric()), ("period", period), ("unit", words.unit()),
            ("role", words.marked("roles", quantity.cue("roles"))), ("bound", _bound(words)),
        )  # fmt: skip
        return tuple(SlotCompared(slot, one.text, "", "open", *one[1:]) for slot, one in said if one.text)

    def _holding(self, fact: Fact) -> Grid | None:
        """The grid in which a fact stands."""
        return next((grid for grid in self._judge.evidence.all if grid.holds(fact)), None)


@dataclass(frozen=True, slots=True)
class _Words:
    """A quantity and where the words of its tiers stand."""

    quantity: Quantity
    passages: Sequence[Sequence[Passage]]

    def naming(self, names: frozenset[str], tiers: Iterable[int]) -> Said:
        """The words that say most of ``names`` in the first of ``tiers`` that says any."""
        for place in tiers:
            found = [
                (passage, run)
                for passage in self.passages[place]
                for run in _runs(
                    passage.reading.text,
                    [f for f in passage.reading.within(*passage[1:3]) if f.name in names],
                )
            ]
            if found:
                passage, run = max(found, key=lambda one: (len({f.name for f in one[1]}), -self._far(*one)))
                return _said(passage, run[0].start, max(f.end for f in run))
        return _NOTHING

    def metric(self) -> Said:
        """The nearest known metric that the words name."""
        every = range(len(self.passages))
        return next((said for place in every if (said := self._meaning(place)).text), _NOTHING)

    def _meaning(self, place: int) -> Said:
        names = frozenset(filter(is_meaning, self.quantity.tiers[place].words))
        return self.naming(names, (place,)) if names else _NOTHING

    def marked(self, table: str, keys: frozenset[str]) -> Said:
        """The words nearest to the number that say one of ``keys`` of a table of the lexicons."""
        for passage in self.passages[0] if keys else ():
            marks = [m for m in passage.reading.marks(table, *passage[1:3]) if m.value & keys]
            if marks:
                near = min(marks, key=lambda m: max(m.start - self._end, self._start - m.end, 0))
                return _said(passage, near.start, near.end)
        return _NOTHING

    def unit(self) -> Said:
        """What the number is in, and per what: that alone is said by words that are not the number's own."""
        per = self.quantity.cue("per")
        text, said = _unit(_own_unit(self.quantity), per), self.marked("per", per)
        return said._replace(text=text, by=said.by or "sentence") if text else _NOTHING

    def mentions(self) -> Iterator[tuple[int, Mention]]:
        """The periods named, with the tier that names them, the nearest first."""
        for place, tier in enumerate(self.quantity.tiers):
            yield from ((place, one) for one in tier.periods)

    def bases(self) -> Iterator[tuple[int, Mention]]:
        """The periods that its sentence compares with."""
        yield from ((0, one) for one in self.quantity.bases)

    def spoken(self, one: Mention, place: int) -> Said:
        """The words of a period."""
        for passage in self.passages[place]:
            if one in passage.reading.periods:
                return _said(passage, one.start, one.end)
        return _NOTHING

    @property
    def _start(self) -> int:
        return self.quantity.number.start

    @property
    def _end(self) -> int:
        return self.quantity.number.end

    def _far(self, passage: Passage, run: Sequence[Feature]) -> int:
        if passage.by != "sentence":
            return 0
        return max(run[0].start - self._end, self._start - run[-1].end, 0)


@dataclass(frozen=True, slots=True)
class _Laid:
    """A quantity laid beside one value."""

    one: Comparison
    match: Match
    passages: Sequence[Sequence[Passage]]
    asked: Span | None

    def slots(self) -> Iterator[SlotCompared]:
        """The slots, in the order in which a reader asks for them."""
        for found in (
            self._metric(), self._entity(), self._period(), self._unit(), self._role(), self._bound(), self._direction(),
        ):  # fmt: skip
            if found is not None:
                yield found

    @property
    def _words(self) -> _Words:
        return _Words(self.one.quantity, self.passages)

    @property
    def _fact(self) -> Fact:
        return self.match.value.facts[0]

    @property
    def _here(self) -> list[Fact]:
        """The facts that stand in the grid; a share may be of a total in another."""
        return [fact for fact in self.match.value.facts if self.one.grid.holds(fact)]

    def _slot(self, slot: Slot, said: Said, states: str, *, agrees: bool) -> SlotCompared | None:
        """One slot; None where neither side names it. What differs in a number that holds was left open."""
        if not said.text and not states:
            return None
        verdict: Verdict = "open"
        if self.match.conflict == slot:
            verdict = "conflict"
        elif agrees and states:
            verdict = "assumed" if said.by == "link" else "agree"
        elif said.text and states and not self._holds:
            verdict = "conflict"
        return SlotCompared(slot, said.text, _cut(states, 2 * _LONGEST), verdict, *said[1:])

    @property
    def _holds(self) -> bool:
        return self.match.equal and not self.match.conflict

    def _metric(self) -> SlotCompared | None:
        choice, words = self.one.slots.axes[0], self._words
        ats = frozenset(fact.at[0] for fact in self._here) - {OPEN}
        own = self._names(ats) | (self._formulas() if self.match.value.how else frozenset())
        tiers = [choice.tier] if choice.labels and choice.tier != INHERITED else []
        elsewhere = bool(tiers) and not self._holds and not ats & {*(choice.labels or ())}
        if elsewhere or self.match.conflict == "metric":
            other = words.naming(self._names(choice.labels or ()), tiers)
            said = other if other.text else words.metric()
            return self._slot("metric", said, self._called(0, own), agrees=False)
        said = words.naming(own, [*tiers, *range(len(self.passages))])
        agrees = bool(said.text)
        return self._slot("metric", said if agrees else words.metric(), self._called(0, own), agrees=agrees)

    def _names(self, labels: Iterable[int]) -> frozenset[str]:
        """The words by which some labels of the first axis may be called."""
        found = [self.one.grid.axes[0].labels[label] for label in labels]
        return frozenset(name for one in found for form in (*one.forms, *one.above) for name in form)

    def _formulas(self) -> frozenset[str]:
        """The ratios that the words name, which follow from two figures."""
        words = (name for tier in self.one.quantity.tiers[:2] for name in tier.words)
        return frozenset(name for name in words if is_meaning(name) and concept(name) in FORMULAS)

    def _called(self, axis: int, of_prose: frozenset[str] = frozenset()) -> str:
        """What the evidence calls its metric or whose it is; of prose the words ``of_prose`` that it shares with the answer."""
        grid = self.one.grid
        facts = {fact.at[axis]: fact for fact in self._here if fact.at[axis] != OPEN}
        if grid.is_recorded:
            names = [(f.figure.property if axis else f.figure.field) for f in facts.values() if f.figure]
        elif grid.is_prose:
            said = frozenset(name for tier in self.one.quantity.tiers for name in tier.words) & of_prose
            names = [_shared(grid.named(axis, at), said) for at in facts]
        else:
            names = [grid.named(axis, at) for at in facts]
        return ", ".join(_cut(name, _LONGEST) for name in [*dict.fromkeys(names)][:_MOST_TOLD])

    def _entity(self) -> SlotCompared | None:
        if (
            len(self.one.grid.axes) < 2
            or self._fact.at[1] == OPEN
            or (self._fact.role and not self.one.grid.is_list)
        ):
            return None
        labels, choice = self.one.grid.axes[1].labels, self.one.slots.axes[1]
        if choice.labels is None:
            return self._slot("entity", _NOTHING, self._called(1), agrees=False)
        if choice.tier == INHERITED:
            said = Said(labels[choice.labels[0]].text, "link")
        else:
            names = frozenset(name for at in choice.labels for form in labels[at].forms for name in form)
            said = self._words.naming(names, [choice.tier])
        return self._slot("entity", said, self._called(1), agrees=self._fact.at[1] in choice.labels)

    def _period(self) -> SlotCompared | None:
        spans = list(dict.fromkeys(fact.span for fact in self.match.value.facts if fact.span))
        named = [
            f.figure.period if f.figure else periods.label(f.span) for f in self.match.value.facts if f.span
        ]
        named = list(dict.fromkeys(named))
        states = ", ".join(named) if len(named) <= _MOST_TOLD else f"{named[0]} … {named[-1]}"
        words = self._words
        told = list(words.mentions())
        also = list(words.bases()) if self.match.value.how else []
        right = self._naming(sorted((*told, *also), key=itemgetter(0)), spans)
        if right:
            parts = right if also else right[:1]
            said = parts[0]._replace(text=", ".join(one.text for one in parts))
            found = self._slot("period", said, states, agrees=True)
            kept = tuple(SlotWords(*one) for one in parts) if len(parts) > 1 else ()
            return replace(found, parts=kept) if found else None
        if told:
            return self._slot("period", words.spoken(told[0][1], told[0][0]), states, agrees=False)
        if self.asked is None or not self.one.grid.is_recorded:
            return self._slot("period", _NOTHING, states, agrees=False)
        asked = self.asked
        said = Said(periods.label(asked), "link")
        return self._slot("period", said, states, agrees=any(periods.meet(span, asked) for span in spans))

    def _naming(self, mentions: Iterable[tuple[int, Mention]], spans: Sequence[Span]) -> list[Said]:
        """The words of the first ``mentions`` that mean ``spans``; what means only what is named already, names nothing."""
        right, left = [], spans
        for place, one in mentions:
            meant = self._meant(one, left)
            if meant:
                right.append(self._words.spoken(one, place))
                left = [span for span in left if span not in meant]
        return right

    def _meant(self, one: Mention, spans: Sequence[Span]) -> list[Span]:
        """Which of ``spans`` a period of the answer may be, or the whole that they are pieces of."""
        grid, tiers = self.one.grid, self.one.quantity.tiers
        anchors = [m.span for tier in tiers for m in tier.periods if m.span] + (
            [self.asked] if self.asked else []
        )
        calendars = grid.calendars(self.one.slots.axes[1].labels if len(grid.axes) > 1 else None)
        meant = resolved(one, anchors, grid, calendars)
        whole = bool(self.match.value.how)
        return [
            span
            for span in spans
            if any(periods.meet(span, known) or (whole and periods.contains(known, span)) for known in meant)
        ]

    def _unit(self) -> SlotCompared | None:
        """What both are in and per what; where one of them leaves that open, nothing is in conflict."""
        number, fact = self.one.quantity.number, self._fact
        if self.match.value.how or number.kind == "change":
            return None
        pers = self.one.quantity.cue("per"), frozenset(fact.per.split())
        said, states, own = self._words.unit(), _unit(fact.unit, pers[1]), _own_unit(self.one.quantity)
        alike = said.text == states or (self.match.equal and bool(own and fact.unit))
        other = bool(own and fact.unit and own != fact.unit) or bool(all(pers) and pers[0] != pers[1])
        if not (alike or other or self.match.conflict == "unit"):
            return SlotCompared("unit", said.text, states, "open", *said[1:]) if said.text or states else None
        return self._slot("unit", said, states, agrees=alike)

    def _role(self) -> SlotCompared | None:
        quantity, role = self.one.quantity, self._fact.role
        keys = (quantity.cue("roles") or quantity.said) | (
            KIN.get(role, frozenset()) if bounded(quantity) else frozenset()
        )
        said = self._words.marked("roles", quantity.cue("roles") or quantity.said)
        if self.match.conflict != "role" and role in ("", "actual") and keys <= {"actual"}:
            return None
        agrees = role in keys or bool(keys & KIN.get(role, frozenset()))
        return self._slot(
            "role", said, role or ("actual" if self.match.conflict == "role" else ""), agrees=agrees
        )

    def _bound(self) -> SlotCompared | None:
        if self.one.quantity.number.kind == "change":
            return None
        said, states = _bound(self._words), self._fact.bound
        if said.text and not states and not self.match.conflict:
            return SlotCompared(
                "bound", said.text, "", "agree" if self.match.equal else "conflict", *said[1:]
            )
        return self._slot("bound", said, states, agrees=states == self.one.quantity.number.bound)

    def _direction(self) -> SlotCompared | None:
        """Where a change went; of a figure that stands still its sign."""
        quantity, value = self.one.quantity, self.match.value
        if quantity.number.kind == "change" and not str(quantity.number.value).startswith("directions:"):
            return None
        went = self._fact.direction or self._fact.turn
        if value.how in _MOVED or (quantity.number.kind == "change" and value.arithmetic):
            went = "up" if value.value > 0 else "down" if value.value < 0 else "flat"
        said = self._words.marked(
            "directions", frozenset((quantity.direction,)) if quantity.direction else frozenset()
        )
        if went and (asks(quantity) or quantity.number.kind == "change" or self.match.conflict == "sign"):
            agrees = self.match.conflict != "sign" and (self.match.equal or went == quantity.direction)
            return self._turned("direction", said, went, agrees=agrees)
        if self.match.conflict != "sign":
            return None
        loss = self._words.marked("polarity", frozenset(("loss", "profit")))
        states = self._fact.polarity or ("negative" if value.value < 0 else "positive")
        number = quantity.number
        own = Said(number.text, "sentence", number.start, number.end)
        return self._turned("sign", loss if loss.text else own, states, agrees=False)

    def _turned(self, slot: Slot, said: Said, states: str, *, agrees: bool) -> SlotCompared:
        return SlotCompared(slot, said.text, states, "agree" if agrees else "conflict", *said[1:])


def _bound(words: _Words) -> Said:
    """The words of a bound that the number states."""
    quantity = words.quantity
    if not bounded(quantity):
        return _NOTHING
    said = words.marked("bounds", quantity.cue("bounds"))
    return said if said.text else Said(quantity.number.bound or "", "sentence")


def _own_unit(quantity: Quantity) -> str:
    return quantity.number.unit or measured_in(quantity.number)


def _unit(unit: str, per: frozenset[str]) -> str:
    return "/".join((unit, *sorted(per))) if unit else ""


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def _said(passage: Passage, start: int, end: int) -> Said:
    in_answer = passage.by in ("sentence", "before", "model")
    text = passage.reading.text[start : min(end, start + _LONGEST)]
    return Said(text, passage.by, start if in_answer else None, end if in_answer else None)


def _shared(sentence: str, names: frozenset[str]) -> str:
    """The words of a sentence that say most of ``names``; without any the sentence."""
    runs = _runs(sentence, [one for one in features(Words(sentence)) if one.name in names])
    best = max(runs, key=lambda run: len({one.name for one in run}), default=None)
    return sentence[best[0].start : max(one.end for one in best)] if best else sentence


def _runs(text: str, found: Sequence[Feature]) -> list[list[Feature]]:
    """Words that stand together, with no more than a few signs between them."""
    runs: list[list[Feature]] = []
    for one in found:
        last = max((f.end for f in runs[-1]), default=0) if runs else 0
        if runs and (one.start <= last or _JOINED.fullmatch(text, last, one.start)):
            runs[-1].append(one)
        else:
            runs.append([one])
    return runs
