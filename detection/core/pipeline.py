"""The picture of detection: measure each claim once, decide, grade.

Everything that judges an answer calls :func:`screen`, over a store of its own: workers keep reports as rows, lane by
lane; the API, commands, strict answers and the gate for facts in memory. Tuning calls :func:`conclude` again over
what is stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from detection.core import citations, judge, strawberry
from detection.core.citations import grounding, misplaced
from detection.core.context import Context, NotAsked
from detection.core.matching import numeric
from detection.core.ports import VerifierError
from detection.core.stores import Store
from detection.core.strawberry import error_reason
from detection.core.thresholds import Thresholds
from detection.core.types import (
    CitationDecision,
    Claim,
    Decision,
    Finding,
    GroundingMeasurement,
    Measurement,
    NumericMeasurement,
    Verdict,
)
from detection.core.verdict import (
    LASTING,
    Graded,
    Report,
    claim_findings,
    missing,
    report_of,
    risk,
    verifier_of,
)

__all__ = [
    "DETECTORS",
    "ENGINE",
    "Conclusion",
    "Detector",
    "Report",
    "conclude",
    "measure",
    "screen",
]


ENGINE = 18
"""Raise it when answers that are stored would be judged otherwise now, by what is measured or by what it is taken to mean:
``manage.py rescreen`` finds what older engines concluded by it."""


class Detector(Protocol):
    """A detector measures once and decides many times."""

    def measure(self, context: Context) -> Measurement:
        """What is there to be known of the answer: expensive, done once and stored."""
        ...

    def decide(self, measurement: Any, context: Context) -> Decision:
        """What was measured, under a profile: a pure function, and cheap."""
        ...


DETECTORS: dict[str, Detector] = {
    "numeric": numeric,
    "citation": citations,
    "grounding": grounding,
    "strawberry": strawberry,
    "judge": judge,
}
NOT_DUE = "it was not asked for or is switched off."
OUT_OF_TIME = "it took too long and was ended."


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The end of the way: one finding for each claim in order, the decisions, the verdict, and the
    claims that ask a reviewer for a decision."""

    claims: tuple[Claim, ...]
    reports: Mapping[str, Report]
    decisions: Mapping[str, Any]
    findings: tuple[Finding, ...]
    verdict: Verdict
    flagged: frozenset[int]
    thresholds: Thresholds


def screen(context: Context, store: Store) -> Conclusion:
    """Judge one answer: run the detectors that are pending in ``store``, keep each report, conclude.

    Raises :class:`~detection.core.stores.Pending` when a report is still due that this screening does not bring.
    """
    for name in store.pending():
        store.keep(name, measure(name, store.begin(name, context)))
    return conclude(context, store.reports(), store.due)


def measure(name: str, context: Context) -> Report:
    """Run one detector. Its failure is a report with that status, never an exception (SPEC-08.43)."""
    try:
        with context.limited():
            measurement = DETECTORS[name].measure(context)
    except NotAsked as why:
        return Report("skipped", why.measurement, str(why))
    except context.out_of_time:
        return Report("timeout", reason=OUT_OF_TIME)
    except Exception as error:  # noqa: BLE001  # one detector's fault must not take the answer with it
        if isinstance(error, VerifierError) and error.code not in (*LASTING, judge.OpinionUnreadable.code):
            return Report("away", reason=error_reason(error.code))
        return Report("error", reason=f"{type(error).__name__}: {error}"[:300])
    return report_of(measurement)


def conclude(context: Context, reports: Mapping[str, Report], due: Sequence[str]) -> Conclusion:
    """Decide over what was measured: a pure function, called again for every what-if."""
    decisions: dict[str, Any] = {
        name: DETECTORS[name].decide(report.measurement, context)
        for name, report in reports.items()
        if report.measurement is not None
    }
    findings = claim_findings(context.claims, reports, due, decisions, context.language)
    if "citation" in decisions:
        decisions["citation"] = _with_misplaced(context, findings, reports, decisions["citation"])
    graded = _graded(context, findings, decisions, reports, due)
    return Conclusion(
        claims=tuple(context.claims),
        reports=reports,
        decisions=decisions,
        findings=findings,
        verdict=risk.grade(graded, context.thresholds),
        flagged=risk.flagged(graded, context.thresholds),
        thresholds=context.thresholds,
    )


def _graded(
    context: Context,
    findings: Sequence[Finding],
    decisions: Mapping[str, Any],
    reports: Mapping[str, Report],
    due: Sequence[str],
) -> Graded:
    """What the grader looks at."""
    why = {name: missing(report, context.language) for name, report in reports.items()}
    failed = {name: why[name] for name, report in reports.items() if _has_failed(report, decisions.get(name))}
    return Graded(
        case=context.case,
        claims=context.claims,
        findings=findings,
        citations=decisions.get("citation"),
        grounding=decisions.get("grounding"),
        judge=decisions.get("judge"),
        injected=getattr(decisions.get("strawberry"), "injected", ()),
        failed=failed,
        left_out={name: NOT_DUE for name in DETECTORS if name not in due}
        | {name: why[name] for name, report in reports.items() if report.status in ("skipped", "away")},
        away=[name for name, report in reports.items() if report.status == "away"],
        all_failed=bool(due) and all(name in failed for name in due),
        flag_threshold_bits=context.flag_threshold_bits,
        verifier=verifier_of(reports),
    )


def _with_misplaced(
    context: Context, findings: Sequence[Finding], reports: Mapping[str, Report], rules: CitationDecision
) -> CitationDecision:
    """The citation rules with what only the other detectors know: where the numbers and the words stand."""
    numbers, overlaps = (
        reports[name].measurement if name in reports else None for name in ("numeric", "grounding")
    )
    return replace(
        rules,
        misplaced=misplaced(
            context.case.sources,
            context.claims,
            findings,
            numbers if isinstance(numbers, NumericMeasurement) else None,
            overlaps if isinstance(overlaps, GroundingMeasurement) else None,
            context.thresholds,
        ),
    )


def _has_failed(report: Report, decision: Any) -> bool:
    """Whether a check broke, or ran out of time before it could say anything."""
    if report.status != "timeout":
        return report.status == "error"
    return not any(f.status not in ("unverified", "not_checked") for f in getattr(decision, "findings", ()))
