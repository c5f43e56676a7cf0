"""The numbers of one answer, each with all ways to it and how well each fits its words."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import regex

from detection.core.evidence import Evidence
from detection.core.evidence.values import Value
from detection.core.matching.answers import Answer
from detection.core.matching.equality import is_in_unit
from detection.core.matching.judged import Judged
from detection.core.matching.levels import Match
from detection.core.matching.together import margins, netting, portions
from detection.core.matching.weighing import weights
from detection.core.matching.weighing.explanations import (
    Explanation,
    Pool,
    explanations,
    is_said,
    pool,
    worth,
)
from detection.core.matching.weighing.fit import features
from detection.core.matching.weighing.terms import QUOTED, Terms, quoted, terms
from detection.core.matching.weighing.words import Naming, around
from detection.core.periods import Span
from detection.core.quantities import Quantity
from detection.core.quantities.features import content
from detection.core.types import Case, NumericClaim

_NEAR, _FAR = 1, 3  # sentences
_MOST_QUOTED, _MOST_SAID = 8, 200
_BEFORE = regex.compile(r"([\p{L}][\p{L}.-]*)[\s\p{Pd}#№]{1,3}$")
_BEHIND = regex.compile(r"^[\s-]{0,2}([\p{L}]+)")
_TEXT = 100_000  # characters of sources that are searched for a name


Given = Literal["given"]
GIVEN: Given = "given"
"""What a number is that the question states, or that is part of a name."""


class Explained(NamedTuple):
    """A way to a number, and the features of how well it fits."""

    one: Explanation
    features: Mapping[str, float]


class Weigher:
    """The evidence of one answer as terms to reckon with."""

    def __init__(
        self, case: Case, answer: Answer, known: Evidence, asked: Span | None, entity: int | None
    ) -> None:
        self._case, self._answer, self._grids = case, answer, known.all
        self._asked, self._entity = asked, entity
        self.reckoned: dict[int, Value] = {}
        """What the numbers of the answer that were reckoned come of, by where they begin."""
        self.refused: frozenset[int] = frozenset()
        """Where the numbers begin that nothing supports: none is reckoned from them."""

    @cached_property
    def _terms(self) -> Terms:
        return terms(self._grids)

    def explained(self, quantity: Quantity) -> list[Explained]:
        """All ways to a number of the answer, with how well each fits."""
        said = self._said(quantity)
        found = self._pool(quantity, said)
        ways = [
            *(
                one
                for one in explanations(quantity, found)
                if is_said(quantity, one, found)
                and not self._is_turned(quantity, one)
                and is_in_unit(quantity, worth(one))
            ),
            *self._given(quantity),
        ]
        return [Explained(one, features(quantity, one, found, said)) for one in ways]

    def weighed(self, quantity: Quantity, found: Judged, others: int) -> Judged | Given | None:
        """What supports a number after all, which the nearest words lead elsewhere (``found``): the way to it that fits its
        words best, where that fits well enough; None where it does not. ``others``: so many other numbers of the answer
        are in the same case. Ways are magnitudes: they cannot tell that a wrong sign is right after all, nor that what the
        words call a plan was one."""
        slipped = found.slip.conflict if found.slip else ""
        if found.is_settled or slipped == "sign" or (slipped == "role" and quantity.called):
            return None
        ways = self.explained(quantity)
        if found.grid is not None and found.grid.is_recorded:  # what is on record is not told by documents
            ways = [way for way in ways if self.is_recorded(way.one) or not way.one.terms]
        best = max(ways, key=lambda way: weights.fit(way.features), default=None)
        if best is None:
            return None
        recorded = self.is_recorded(best.one)
        told = weights.Refusal(found.outcome, slipped, quantity.number.kind, others, recorded)
        if not weights.accepts(best.one.how, weights.fit(best.features), len(ways), told):
            return None
        if not best.one.terms:
            return GIVEN
        first = best.one.terms[0]
        single = len(best.one.terms) == 1 and first.pieces == 1
        grid = self._grids[first.grid] if single and first.grid != QUOTED else None
        return Judged("supported", Match(worth(best.one)), grid=grid)

    def _is_turned(self, quantity: Quantity, one: Explanation) -> bool:
        """Whether a difference is of a figure that lies on the other side of its plan than is said, or of another deduction, or a
        share of one row where several are taken together."""
        tabled = any(term.grid != QUOTED and not self._grids[term.grid].is_prose for term in one.terms)
        if tabled and portions.is_alone(quantity, worth(one)):
            return True
        turned = (margins.is_turned, ("difference", "growth")), (netting.is_turned, ("sum", "difference"))
        return any(
            one.how in hows and is_turned(quantity, worth(one), self._grids) for is_turned, hows in turned
        )

    def is_recorded(self, one: Explanation) -> bool:
        """Whether a number is explained by figures of record."""
        return any(term.grid != QUOTED and self._grids[term.grid].is_recorded for term in one.terms)

    def _pool(self, quantity: Quantity, said: Sequence[tuple[float, int]]) -> Pool:
        tiers = around(quantity, self._answer.reading)
        namings = [
            Naming(
                quantity, tiers, grid, self._asked if grid.is_recorded else None, self._entity if grid.is_recorded else None
            )
            for grid in self._grids
        ]  # fmt: skip
        near = [
            quoted(one, self.reckoned.get(one.start))
            for one in self._others(quantity)
            if abs(self._away(quantity, one)) <= _NEAR
            and one.kind not in ("date", "change")
            and one.start not in self.refused
        ]
        return pool(namings, self._terms, [value for value, _ in said], near[:_MOST_QUOTED])

    def _others(self, quantity: Quantity) -> list[NumericClaim]:
        """The other numbers of the answer, the nearest first."""
        place = quantity.number.start
        others = [one for one in self._answer.reading.values if one.start != place and one.kind != "date"]
        return sorted(others, key=lambda one: abs(one.start - place))[:_MOST_SAID]

    def _away(self, quantity: Quantity, other: NumericClaim) -> int:
        return self._answer.reading.sentence_at(other.start) - quantity.sentence

    def _said(self, quantity: Quantity) -> list[tuple[float, int]]:
        """The values of the other numbers, each with how many sentences away it stands."""
        return [
            (abs(float(one.value)), min(abs(self._away(quantity, one)), _FAR))
            for one in self._others(quantity)
            if one.value
        ]

    def _given(self, quantity: Quantity) -> list[Explanation]:
        """A number that its question states, or that is part of a name in the evidence: "Draw 7", "400 mcg"."""
        number = quantity.number
        found = []
        if any(one.kind == number.kind and one.value == number.value for one in self._answer.asked):
            found.append(Explanation("question", (), float(number.value)))
        if number.kind == "number" and number.text.isdigit() and self._is_named(number):
            found.append(Explanation("name", (), float(number.value)))
        return found

    def _is_named(self, number: NumericClaim) -> bool:
        """Whether the evidence has a number with the same word right beside it."""
        body = self._answer.reading.text
        before, behind = (
            _BEFORE.search(body[max(number.start - 40, 0) : number.start]),
            _BEHIND.match(body[number.end :]),
        )
        named = [f"{before[1]} {number.text}"] if before and content(before[1].casefold()) else []
        named += [f"{number.text} {behind[1]}"] if behind and content(behind[1].casefold()) else []
        return any(f" {name.casefold()} " in self._body for name in named)

    @cached_property
    def _body(self) -> str:
        told = " ".join(f"{one.title} {one.text}" for one in self._case.sources)[:_TEXT]
        return " " + " ".join(regex.findall(r"[\p{L}\p{N}][\p{L}\p{N}.,]*(?<![.,])", told.casefold())) + " "
