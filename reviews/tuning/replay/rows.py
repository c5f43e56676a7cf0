"""One judged answer as rows of a :class:`~reviews.tuning.replay.columns.Sheet`.

What depends on no threshold is worked out here, by the core's own functions, once: budgets between p1 and p0, the turns of
each number, what a claim is that no detector found anything of.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from detection.core import judge
from detection.core.citations import lead_of, named_sources, places_of
from detection.core.context import Context
from detection.core.disputes import sorts
from detection.core.matching import SWITCHES, Breakpoint, breakpoints, tolerance_name
from detection.core.pipeline import DETECTORS
from detection.core.strawberry import beliefs_of, skip_status
from detection.core.thresholds import DEFAULTS
from detection.core.types import (
    Case,
    CitationMeasurement,
    Claim,
    GroundingMeasurement,
    JudgeMeasurement,
    LiftMeasured,
    NumberMeasured,
    NumericMeasurement,
    StrawberryMeasurement,
)
from detection.core.verdict import Report, absence, verifier_of
from reviews.tuning.replay.codes import JUDGED, KINDS, OF_STATEMENTS, STATUSES, TOLERANCES, code_of
from reviews.tuning.replay.columns import Sheet

NOTHING = math.nan
SURE = Context(thresholds=DEFAULTS.changed(judge_confidence=0.0))
"""Under which every opinion is sure of itself."""
NEVER_NEAR = 2**30
"""How far an answer without an iteration limit is from it, and a statement without figures from being all explained."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One finished run: the case (its texts and figures are not looked at), the claims with their keys, the reports, and
    what overrides and people group answers by."""

    run: int
    finished: float
    case: Case
    claims: Sequence[Claim]
    keys: Sequence[int]
    reports: Mapping[str, Report]
    due: Sequence[str]
    facets: Mapping[str, str | None]
    model: str = ""


def write(sheet: Sheet, judged: Judged) -> None:
    """Add an answer and all its claims to the sheet."""
    measured = {name: report.measurement for name, report in judged.reports.items()}
    answer = _write_answer(sheet, judged)
    rules, overlaps = measured.get("citation"), measured.get("grounding")
    if isinstance(rules, CitationMeasurement):
        for sentence in rules.sentences:
            if sentence.statements:
                cites, valid = bool(sentence.citations), len(sentence.citations) > len(sentence.invalid)
                sheet.add("sentences", of=answer, length=sentence.length, cites=cites, cites_valid=valid)
    if isinstance(overlaps, GroundingMeasurement):
        for each in overlaps.sentences:
            overlap = max(each.overlap, each.overlap_literal)
            sheet.add("overlaps", of=answer, overlap=overlap, weighted=each.weighted)
    _write_claims(sheet, judged, answer)


def _write_answer(sheet: Sheet, judged: Judged) -> int:
    case, facets = judged.case, judged.facets
    scores = [source.score for source in case.sources]
    scored = any(score is not None for score in scores)
    limited = case.iteration is not None and case.max_iterations is not None
    lifts = judged.reports["strawberry"].measurement if "strawberry" in judged.reports else None
    return sheet.add(
        "answers",
        run=judged.run,
        finished=judged.finished,
        **{
            name: sheet.code(name, facets[name])
            for name in ("language", "property", "question_type", "source_quality")
        },
        model=sheet.code("model", judged.model or None),
        verifier=sheet.code("verifier", verifier_of(judged.reports)),
        original_confidence=_number(case.original_confidence),
        to_limit=(case.max_iterations or 0) - (case.iteration or 0) if limited else NEVER_NEAR,
        sources=len(case.sources),
        mean_score=sum(score or 0.0 for score in scores) / len(scores) if scored else NOTHING,
        refused=bool(case.refused),
        injected=isinstance(lifts, StrawberryMeasurement) and bool(lifts.injected),
        **_rules(judged.reports.get("citation")),
        **_opinion(judged.reports.get("judge")),
        **_states(judged),
    )


def _rules(report: Report | None) -> dict[str, object]:
    rules = report.measurement if report else None
    if not isinstance(rules, CitationMeasurement):
        return {"ruled": False, "valid": 0, "invalid": 0, "answer_length": 0, "context_length": 0}
    return {
        "ruled": True,
        "valid": len(rules.valid),
        "invalid": len(rules.invalid),
        "answer_length": rules.answer_length,
        "context_length": rules.context_length,
    }


def _opinion(report: Report | None) -> dict[str, object]:
    """What the judge says of the answer as a whole, as if it were sure of it; how sure it is stands beside it."""
    opinion = report.measurement if report else None
    if not isinstance(opinion, JudgeMeasurement):
        return {
            "judged": False,
            "judge_risk": 0.0,
            "judge_confidence": NOTHING,
            "judge_unsupported": False,
            "judge_doubts": False,
        }
    sure = judge.decide(opinion, SURE)
    return {
        "judged": True,
        "judge_risk": sure.risk,
        "judge_confidence": opinion.confidence,
        "judge_unsupported": sure.unsupported,
        "judge_doubts": bool(sure.findings),
    }


def _states(judged: Judged) -> dict[str, int]:
    """Sets of detectors, a bit each: which were due, which failed whatever the thresholds, and which ran out of time
    and failed only if nothing they measured comes to a conclusion, and which have a model that was away."""
    due, failed, late, away = 0, 0, 0, 0
    for place, name in enumerate(DETECTORS):
        report = judged.reports.get(name)
        due |= (name in judged.due) << place
        ended = report is not None and report.status == "timeout"
        tells = (
            report is not None
            and name in ("numeric", "strawberry", "judge")
            and report.measurement is not None
        )
        failed |= (report is not None and (report.status == "error" or (ended and not tells))) << place
        late |= (ended and tells) << place
        away |= (report is not None and report.status == "away") << place
    return {"due": due, "failed": failed, "late": late, "away": away}


def _write_claims(sheet: Sheet, judged: Judged, answer: int) -> None:
    measured = {name: report.measurement for name, report in judged.reports.items()}
    numbers, lifts = measured.get("numeric"), measured.get("strawberry")
    rows = {claim.index: row for row, claim in enumerate(judged.claims)}
    around = _Around(judged)
    for claim, key in zip(judged.claims, judged.keys, strict=True):
        parent = None if claim.statement is None else rows.get(claim.statement)
        status, code = _without(claim, judged)
        row = sheet.add(
            "claims",
            of=answer,
            claim=key,
            kind=KINDS.index(claim.kind),
            statement=0 if parent is None else parent - rows[claim.index],
            status=STATUSES.index(status),
            code=code_of(code),
            open_words=_open_words(numbers, claim),
            disputes=_disputes(measured, claim),
            **around.of(claim),
        )
        if claim.kind == "statement":
            if isinstance(lifts, StrawberryMeasurement) and claim.index in lifts.claims:
                _write_lift(sheet, row, lifts.claims[claim.index], lifts)
        elif isinstance(numbers, NumericMeasurement) and claim.index in numbers.claims:
            parents_cited = around.cited_by(None if parent is None else judged.claims[parent])
            _write_number(sheet, row, numbers.claims[claim.index], parents_cited)


def _open_words(numbers: object, claim: Claim) -> int:
    told = numbers.open_words if isinstance(numbers, NumericMeasurement) else {}
    return told.get(claim.index, NEVER_NEAR)


def _disputes(measured: Mapping[str, object], claim: Claim) -> int:
    """What evidence disagrees about a claim, a bit a sort; no switch concerns that of a statement."""
    numbers, lifts = measured.get("numeric"), measured.get("strawberry")
    if claim.kind != "statement":
        told = numbers.claims.get(claim.index) if isinstance(numbers, NumericMeasurement) else None
        return sorts(told.disputes) if told else 0
    lift = lifts.claims.get(claim.index) if isinstance(lifts, StrawberryMeasurement) else None
    return OF_STATEMENTS if lift and lift.disputes else 0


def _without(claim: Claim, judged: Judged) -> tuple[str, str]:
    """Status and code of a claim that was not measured: why it was skipped, or why its detector has nothing."""
    name = "strawberry" if claim.kind == "statement" else "numeric"
    report = judged.reports.get(name)
    lifts = report.measurement if report else None
    skipped = lifts.skipped.get(claim.index) if isinstance(lifts, StrawberryMeasurement) else None
    if skipped and skipped != "too_short":
        return skip_status(skipped), skipped
    status, code, _ = absence(name, judged.reports, judged.due)
    return status, code


class _Around:
    """What the citations, the overlaps and the judge say of single claims of one answer."""

    def __init__(self, judged: Judged) -> None:
        measured = {name: report.measurement for name, report in judged.reports.items()}
        rules, overlaps, opinion = (measured.get(name) for name in ("citation", "grounding", "judge"))
        sentences = rules.sentences if isinstance(rules, CitationMeasurement) else ()
        self._invalid = {index for each in sentences if each.invalid for index in each.statements}
        self._overlaps = overlaps.claims if isinstance(overlaps, GroundingMeasurement) else {}
        self._named = named_sources(judged.case.sources)
        self._doubted: Mapping[int, str] = {}
        if isinstance(opinion, JudgeMeasurement):
            sure = judge.decide(opinion, SURE)
            self._doubted = {finding.claim: finding.code for finding in sure.findings}

    def cited_by(self, claim: Claim | None) -> set[str]:
        """The sources that a claim's citations name."""
        return {ref for each in claim.citations for ref in self._named.get(each, ())} if claim else set()

    def of(self, claim: Claim) -> dict[str, object]:
        """The columns of one claim."""
        overlap, cited = self._overlaps.get(claim.index), self.cited_by(claim)
        lead = lead_of(overlap, cited) if overlap else None
        return {
            "cites_invalid": claim.index in self._invalid,
            "judge": JUDGED.index(self._doubted.get(claim.index)),
            "cites": claim.kind == "statement" and bool(cited) and not claim.excluded,
            "elsewhere": lead is not None,
            "lead": _number(lead),
            "overlap": max(overlap.overlap, overlap.overlap_literal) if overlap else NOTHING,
            "weighted": overlap.weighted if overlap else NOTHING,
        }


def _write_number(sheet: Sheet, row: int, number: NumberMeasured, cited: set[str]) -> None:
    """A number and its turns; settings of the switches under which it turns alike share theirs."""
    added = sheet.add(
        "numbers", of=row, kind=KINDS.index(number.kind), tolerance=TOLERANCES.index(tolerance_name(number))
    )
    alike: dict[tuple[Breakpoint, ...], int] = {}
    for place, switches in enumerate(SWITCHES):
        if switches.percentage_points and number.kind != "percentage":
            continue  # points are for percentages: others turn as they do relatively
        turned = tuple(breakpoints(number, switches))
        alike[turned] = alike.get(turned, 0) | 1 << place
    for turned, settings in alike.items():
        for turn in turned:
            places = places_of(number, turn.matched)
            sheet.add(
                "turns",
                of=added,
                switches=settings,
                at=turn.at,
                code=code_of(turn.code),
                placed=bool(places),
                hit=bool(places & cited),
            )


def _write_lift(sheet: Sheet, row: int, lift: LiftMeasured, measured: StrawberryMeasurement) -> None:
    stated = lift.confidence if lift.confidence is not None else measured.original_confidence
    probed = _probabilities(lift)
    sheet.add(
        "lifts",
        of=row,
        length=lift.text_length,
        cited=lift.cited,
        usable=probed is not None,
        error=code_of(lift.error or "not_measured"),
        method=sheet.code("method", lift.method),
        stated=_number(stated),
        **(probed or dict.fromkeys(PROBABILITIES, NOTHING)),
    )


PROBABILITIES = (
    "p1_low", "p1_high", "p0_low", "p0_high", "no_low", "p_cited", "signed_low", "signed_high", "middle", "corner_low",
    "corner_high", "govil_required", "govil_observed", "govil_use", "govil_confidence",
)  # fmt: skip


def _probabilities(lift: LiftMeasured) -> dict[str, float] | None:
    """What the verifier believes and every budget that no target enters; None where nothing usable came."""
    beliefs = beliefs_of(lift, NOTHING)
    if beliefs is None:
        return None
    values = (
        *beliefs.p1, *beliefs.p0, beliefs.p_no[0], _number(beliefs.p_cited), *beliefs.signed, beliefs.plain,
        *beliefs.corners, beliefs.plain, beliefs.above_chance, beliefs.use, beliefs.grounding,
    )  # fmt: skip
    return dict(zip(PROBABILITIES, values, strict=True))


def _number(value: float | None) -> float:
    return NOTHING if value is None else value
