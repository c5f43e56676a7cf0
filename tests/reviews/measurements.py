"""Random measurements of every shape that detectors store: with ties, gaps, failures and nothing at all."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from random import Random
from typing import Any, TypeVar

from detection.core import pipeline
from detection.core.statements import ABSTENTIONS
from detection.core.types import (
    RECORD,
    Candidate,
    Case,
    CitationMeasurement,
    Claim,
    Dispute,
    GroundingMeasurement,
    Hallucination,
    JudgeMeasurement,
    LiftMeasured,
    Measurement,
    NumberMeasured,
    NumericMeasurement,
    Overlap,
    SentenceCited,
    Slip,
    Source,
    Span,
    StrawberryMeasurement,
    Voice,
)
from detection.core.verdict import Report
from reviews.tuning.replay.columns import Columns, Sheet
from reviews.tuning.replay.rows import Judged, write

T = TypeVar("T")

REFS = ("S0", "S1", "S2", "doc")
NUMBERS: tuple[Any, ...] = ("number", "currency", "percentage", "ratio", "date")
PROBABILITIES = (0.0, 0.05, 0.1, 0.15, 0.26, 0.3, 0.45, 0.5, 0.6, 0.7, 0.85, 0.9, 0.95, 1.0)
DISTANCES = (
    "0",
    "0.001",
    "0.02",
    "0.02000000000000000000001",
    "0.05",
    "0.049999999999999999999",
    "0.1",
    "0.7",
    "3",
)
SLIPS: tuple[Any, ...] = ("transposed", "period", "property", "metric", "scale", "sign")
DATE_SLIPS: tuple[Any, ...] = tuple(slip for slip in SLIPS if slip not in ("scale", "sign"))
FACETS: dict[str, tuple[str | None, ...]] = {
    "language": (None, "en", "he", "zh"),
    "property": (None, "OAK", "ELM"),
    "question_type": (None, "currency", "summary"),
    "source_quality": (None, "low", "high"),
}


class Maker:
    """Makes answers out of one seed."""

    def __init__(self, seed: int) -> None:
        self.random, self.words, self.disputed = Random(seed), Random(seed), Random(seed)  # noqa: S311  # test data
        self.calm = False
        """Whether the answer being made has little wrong with it, so that what little there is decides."""

    def answers(self, count: int) -> list[Judged]:
        """That many answers; the keys of runs and claims ascend."""
        made, keys = [], 1
        for run in range(1, count + 1):
            self.calm = self._maybe()
            claims = self._claims()
            made.append(self._judged(run, claims, range(keys, keys + len(claims))))
            keys += len(claims)
        return made

    def _one(self, values: Sequence[T]) -> T:
        return self.random.choice(values)

    def _maybe(self, share: float = 0.5) -> bool:
        return self.random.random() < share

    def _share(self) -> float:
        return self._one(PROBABILITIES) if self._maybe(0.6) else self.random.random()

    def _claims(self) -> list[Claim]:
        claims: list[Claim] = []
        for sentence in range(self.random.randrange(6 if self.calm else 4)):
            parent = len(claims)
            known = [*REFS] if self.calm else [*REFS, "S9"]
            refs = tuple(self.random.sample(known, self._one((1, 1, 1, 0) if self.calm else (0, 1, 2))))
            excluded = self._one((None, None, None, "question"))
            claims.append(Claim(parent, "statement", "text", 0, 4, sentence, refs, excluded=excluded))
            for _ in range(self.random.randrange(2 if self.calm else 3)):
                statement = self._one((parent, parent, None))
                claims.append(
                    Claim(len(claims), self._one(NUMBERS), "1", 0, 1, sentence, refs, statement=statement)
                )
        return claims

    def _judged(self, run: int, claims: list[Claim], keys: Sequence[int]) -> Judged:
        sources = [
            Source(ref, "", parent_ref=self._one((None, "doc")), score=self._one((None, self._share())))
            for ref in self.random.sample(REFS[:3], self.random.randrange(4))
        ]
        facets = {facet: self._one(values) for facet, values in FACETS.items()}
        case = Case(
            answer="",
            language=facets["language"] or "",
            sources=tuple(sources),
            original_confidence=self._one((None, self._share())),
            iteration=self._one((None, 1, 5)),
            max_iterations=self._one((None, 5, 8)),
            refused=None if self.calm else self._one((None, None, "no figure")),
        )
        due = [name for name in pipeline.DETECTORS if self.calm or self._maybe(0.9)]
        reports = {name: self._report(name, claims) for name in due if self.calm or self._maybe(0.95)}
        return Judged(run, 1000.0 + run, case, claims, keys, reports, due, facets, self._one(("", "gpt")))

    def _report(self, name: str, claims: list[Claim]) -> Report:
        status: Any = self._one(("ok",) * 8 + ("timeout", "timeout", "error", "skipped") * (not self.calm))
        made: dict[str, Callable[[list[Claim]], Measurement]] = {
            "numeric": self._numeric,
            "citation": self._citation,
            "grounding": self._grounding,
            "strawberry": self._strawberry,
            "judge": self._judge,
        }
        measurement = made[name](claims)
        return Report(status, None if status != "ok" and self._maybe() else measurement)

    def _numeric(self, claims: list[Claim]) -> NumericMeasurement:
        numbers = [claim for claim in claims if claim.kind != "statement" and self._maybe(0.95)]
        words = {claim.index: self.words.randrange(4) for claim in claims if claim.kind == "statement"}
        return NumericMeasurement({claim.index: self._number(claim.kind) for claim in numbers}, words)

    def _number(self, kind: Any) -> NumberMeasured:
        date = self._one(("2024-12-01", "2024-13-40", "2024"))
        return NumberMeasured(
            kind=kind,
            value=date if kind == "date" else Decimal(self._one(("100", "12", "-5", "0"))),
            unit="",
            precision=Decimal(self._one(("0", "0.5", "5"))),
            approximate=self._maybe(0.3),
            bound=self._one((None, None, None, "at_least", "at_most")),
            metric=self._one((None, "net_operating_income")),
            candidates=tuple(self._candidate(kind) for _ in range(self.random.randrange(4))),
            slips=tuple(
                Slip(self._one(DATE_SLIPS if kind == "date" else SLIPS), "", self._candidate(kind))
                for _ in range(0 if self.calm else self.random.randrange(2))
            ),
            database=self._one(("ok", "ok", "unavailable", "not_asked")),
            sources_left=self._one((0, 0, 2)),
            timed_out=not self.calm and self._maybe(0.1),
            disputes=self._disputes(RECORD),
        )

    def _disputes(self, *others: str) -> tuple[Dispute, ...]:
        """Mostly nothing; S0 against S1 or against one of ``others``."""
        if self.disputed.random() < 0.8:
            return ()
        against = Voice(self.disputed.choice(("S1", *others)), "2")
        return (Dispute(Voice("S0", "1", 0, 1), against),)

    def _candidate(self, kind: str) -> Candidate:
        distance = Decimal(self._one(DISTANCES[:6] if self.calm else DISTANCES))
        days = (self._one((0, 1, 7, 8, 400)), self._one((0, 6, 7)))
        return Candidate(
            origin=self._one(("database", "document", "derived")),
            text="",
            value=None if self._maybe(0.1) else Decimal(100) + distance * 100,
            relative=None if self._maybe(0.1) else distance,
            absolute=None if self._maybe(0.1) else distance * self._one((30, 100)),
            days=days if kind == "date" and self._maybe(0.8) else None,
            same=self._maybe(0.8),
            source=self._one((None, *REFS[:3])),
            field=self._one((None, "noi")),
            operands=(Span(self._one(REFS[:3]), 0, 1, "1"),) if self._maybe(0.2) else (),
        )

    def _citation(self, claims: list[Claim]) -> CitationMeasurement:
        sentences = []
        for claim in (claim for claim in claims if claim.kind == "statement"):
            invalid = tuple(ref for ref in claim.citations if ref == "S9")
            stated = tuple(other.index for other in claims if other.sentence == claim.sentence)
            length = self._one((5, 20, 21, 50, 51, 90))
            sentences.append(
                SentenceCited(
                    0, 9, length, "Usually so.", claim.citations, invalid, stated if self._maybe(0.9) else ()
                )
            )
        cited = list(dict.fromkeys(ref for each in sentences for ref in each.citations))
        return CitationMeasurement(
            sentences=tuple(sentences),
            valid=tuple(ref for ref in cited if ref != "S9"),
            invalid=tuple(ref for ref in cited if ref == "S9"),
            sources=3,
            answer_length=self._one((0, 100)),
            context_length=self._one((0, 50, 200)),
        )

    def _grounding(self, claims: list[Claim]) -> GroundingMeasurement:
        statements = [claim for claim in claims if claim.kind == "statement" and self._maybe(0.9)]
        return GroundingMeasurement(
            {claim.index: self._overlap(claim) for claim in statements},
            tuple(self._overlap(claim) for claim in statements),
        )

    def _overlap(self, claim: Claim) -> Overlap:
        cited = self._share() if claim.citations and self._maybe(0.8) else None
        return Overlap(self._share(), self._share(), self._one((None, *REFS[:3])), self._share(), cited)

    def _strawberry(self, claims: list[Claim]) -> StrawberryMeasurement:
        lifts, skipped = {}, {}
        for claim in (claim for claim in claims if claim.kind == "statement"):
            if self._maybe(0.8):
                lifts[claim.index] = self._lift()
            elif self._maybe(0.8):
                skipped[claim.index] = self._one(
                    (
                        "question",
                        "hedge",
                        "heading",
                        "too_short",
                        "claim_limit",
                        "overload",
                        *ABSTENTIONS.values(),
                    )
                )
        injected = (Span("S0", 0, 1, "x"),) if self._maybe(0.1) else ()
        return StrawberryMeasurement(lifts, skipped, self._one((None, self._share())), injected)

    def _lift(self) -> LiftMeasured:
        if self.calm:
            return self._good_lift()
        failed = self._maybe(0.15)
        p1, p0, no = (tuple(sorted((self._share(), self._share()))) for _ in range(3))
        if self._maybe():
            p1, p0, no = ((p[0], p[0]) for p in (p1, p0, no))
        return LiftMeasured(
            text_length=self._one((1, 14, 15, 40, 1000)),
            cited=self._maybe(0.7),
            confidence=self._one((None, None, self._share())),
            p1=None if failed else (p1[0], p1[1]),
            p0=None if failed else (p0[0], p0[1]),
            p_no=None if failed else (no[0], no[1]),
            p_cited=self._one((None, self._share())),
            method=self._one(("", "local", "external")),
            error=self._one((None, "timeout", "not_measured", "verifier_error")) if failed else None,
            disputes=self._disputes(),
        )

    def _good_lift(self) -> LiftMeasured:
        """Used evidence that reaches its target, or very nearly."""
        p1 = self._one((0.93, 0.945, 0.95, 0.97))
        return LiftMeasured(
            40,
            self._maybe(0.8),
            p1=(p1, p1 + 0.01),
            p0=(0.1, 0.2),
            p_no=(0.0, 0.02),
            p_cited=p1,
            method=self._one(("", "local")),
        )

    def _judge(self, claims: list[Claim]) -> JudgeMeasurement:
        statements = [claim.index for claim in claims if claim.kind == "statement"]
        kinds = ("contradictory", "unsupported", "over_extrapolation", "fabricated_citation")
        named = tuple(
            Hallucination(
                self._one(kinds),
                0,
                "",
                tuple(self.random.sample(statements, min(len(statements), self.random.randrange(3)))),
            )
            for _ in range(0 if self.calm else self.random.randrange(3))
        )
        return JudgeMeasurement(
            score=0.5,
            reasoning="",
            confidence=self._share(),
            decision="continue",
            hallucination_risk=self._one((0.1, 0.3) if self.calm else (self._share(), 0.3, 0.6, 1.5)),
            hallucination_notes="",
            hallucinations=named,
        )


def columns_of(answers: Sequence[Judged]) -> Columns:
    """Answers as columns."""
    sheet = Sheet()
    for answer in answers:
        write(sheet, answer)
    return sheet.columns()
