"""The picture of detection: read the claims, measure each once, decide, grade.

``screen`` does all of it for one case in memory. Workers do the same in steps and store what
:func:`measure` returns; tuning calls :func:`conclude` again over what is stored.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from detection.core import citations, claims, judge, strawberry
from detection.core.citations import grounding, misplaced
from detection.core.judge import Judges
from detection.core.matching import numeric
from detection.core.ports import Verifier, VerifierRateLimited, VerifierTimeout
from detection.core.strawberry import error_reason
from detection.core.thresholds import Thresholds
from detection.core.types import (
    Case,
    CitationDecision,
    Claim,
    Decision,
    Expired,
    Finding,
    GroundingMeasurement,
    Measurement,
    NumericMeasurement,
    Verdict,
    never,
)
from detection.core.verdict import Graded, Report, claim_findings, missing, report_of, risk

__all__ = [
    "DETECTORS",
    "Conclusion",
    "Detector",
    "Models",
    "Report",
    "conclude",
    "leave_out",
    "measure",
    "screen",
]


@dataclass(frozen=True, slots=True)
class Models:
    """Whom the detectors ask: a verifier, and the judge's two models where there are any."""

    verifier: Verifier
    judges: Judges | None = None


@dataclass(frozen=True, slots=True)
class Detector:
    """A detector is two functions. ``measure`` is expensive and done once; ``decide`` is pure and cheap: what was
    measured, under thresholds and a scoring, told in a language."""

    measure: Callable[[Case, Sequence[Claim], Thresholds, Models, Expired], Measurement]
    decide: Callable[[Any, Thresholds, str, str], Decision]


DETECTORS = {
    "numeric": Detector(
        lambda case, read, thresholds, _models, expired: numeric.measure(case, read, thresholds, expired),
        lambda measured, thresholds, _scoring, language: numeric.decide(measured, thresholds, language),
    ),
    "citation": Detector(
        lambda case, read, _thresholds, _models, _expired: citations.measure(case, read),
        lambda measured, thresholds, _scoring, _language: citations.decide(measured, thresholds),
    ),
    "grounding": Detector(
        lambda case, read, _thresholds, _models, _expired: grounding.measure(case, read),
        lambda measured, thresholds, _scoring, _language: grounding.decide(measured, thresholds),
    ),
    "strawberry": Detector(
        lambda case, read, thresholds, models, expired: strawberry.measure(
            case, read, models.verifier, thresholds, expired
        ),
        lambda measured, thresholds, scoring, language: strawberry.decide(
            measured, thresholds, scoring, language
        ),
    ),
    "judge": Detector(
        lambda case, read, thresholds, models, expired: judge.measure(
            case, read, thresholds, models.judges, expired
        ),
        lambda measured, thresholds, _scoring, language: judge.decide(measured, thresholds, language),
    ),
}
NOT_DUE = "it was not asked for or is switched off."
OVERLOAD = "too many answers waited for the verifier. It is made up for when fewer do."
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


def screen(
    case: Case,
    thresholds: Thresholds,
    verifier: Verifier,
    *,
    due: Sequence[str] = tuple(DETECTORS),
    scoring: str = "information_budget",
    deadline: Callable[[str], Expired] = lambda _detector: never,
) -> Conclusion:
    """Judge one case. ``due`` names the detectors; ``deadline`` gives each its own ``expired``."""
    read = claims.read(case)
    reports = {name: measure(name, case, read, thresholds, verifier, deadline(name)) for name in due}
    return conclude(case, read, reports, due, thresholds, scoring)


def measure(
    name: str,
    case: Case,
    read: Sequence[Claim],
    thresholds: Thresholds,
    verifier: Verifier,
    expired: Expired = never,
    *,
    judges: Judges | None = None,
    out_of_time: tuple[type[Exception], ...] = (TimeoutError,),
) -> Report:
    """Run one detector. Its failure is a report with that status, never an exception (SPEC-08.43).

    ``out_of_time`` are the exceptions by which the caller's surroundings end work that took too long.
    """
    try:
        measurement = DETECTORS[name].measure(case, read, thresholds, Models(verifier, judges), expired)
    except judge.NotAsked as why:
        return Report("skipped", reason=str(why))
    except VerifierRateLimited as failure:
        return Report("rate_limited", reason=error_reason(failure.code))
    except out_of_time:
        return Report("timeout", reason=OUT_OF_TIME)
    except VerifierTimeout:
        return Report("timeout", reason=OUT_OF_TIME)
    except Exception as error:  # noqa: BLE001  # one detector's fault must not take the answer with it
        return Report("error", reason=f"{type(error).__name__}: {error}"[:300])
    return report_of(measurement)


def leave_out(case: Case, read: Sequence[Claim], thresholds: Thresholds) -> Report:
    """The report of a ``strawberry`` check that is left out under load (SPEC-08.39)."""
    return Report("skipped", strawberry.leave_out(case, read, thresholds, "overload"), OVERLOAD)


def conclude(
    case: Case,
    read: Sequence[Claim],
    reports: Mapping[str, Report],
    due: Sequence[str],
    thresholds: Thresholds,
    scoring: str = "information_budget",
    flag_threshold_bits: float | None = None,
) -> Conclusion:
    """Decide over what was measured: a pure function, called again for every what-if.

    An answer whose doubtful statements lack more than ``flag_threshold_bits`` together is flagged (SPEC-08.22).
    """
    decisions: dict[str, Any] = {
        name: DETECTORS[name].decide(report.measurement, thresholds, scoring, case.language)
        for name, report in reports.items()
        if report.measurement is not None
    }
    findings = claim_findings(read, reports, due, decisions, case.language)
    if "citation" in decisions:
        decisions["citation"] = _with_misplaced(
            case, read, findings, reports, decisions["citation"], thresholds
        )
    graded = _graded(case, read, findings, decisions, reports, due, flag_threshold_bits)
    verdict = risk.grade(graded, thresholds)
    return Conclusion(
        tuple(read), reports, decisions, findings, verdict, risk.flagged(graded, thresholds), thresholds
    )


def _graded(
    case: Case,
    read: Sequence[Claim],
    findings: Sequence[Finding],
    decisions: Mapping[str, Any],
    reports: Mapping[str, Report],
    due: Sequence[str],
    flag_threshold_bits: float | None,
) -> Graded:
    """What the grader looks at."""
    why = {name: missing(report, case.language) for name, report in reports.items()}
    failed = {name: why[name] for name, report in reports.items() if _has_failed(report, decisions.get(name))}
    return Graded(
        case=case,
        claims=read,
        findings=findings,
        citations=decisions.get("citation"),
        grounding=decisions.get("grounding"),
        judge=decisions.get("judge"),
        injected=getattr(decisions.get("strawberry"), "injected", ()),
        failed=failed,
        left_out={name: NOT_DUE for name in DETECTORS if name not in due}
        | {name: why[name] for name, report in reports.items() if report.status == "skipped"},
        all_failed=bool(due) and all(name in failed for name in due),
        flag_threshold_bits=flag_threshold_bits,
    )


def _with_misplaced(
    case: Case,
    read: Sequence[Claim],
    findings: Sequence[Finding],
    reports: Mapping[str, Report],
    rules: CitationDecision,
    thresholds: Thresholds,
) -> CitationDecision:
    """The citation rules with what only the other detectors know: where the numbers and the words stand."""
    numbers, overlaps = (
        reports[name].measurement if name in reports else None for name in ("numeric", "grounding")
    )
    return replace(
        rules,
        misplaced=misplaced(
            case.sources,
            read,
            findings,
            numbers if isinstance(numbers, NumericMeasurement) else None,
            overlaps if isinstance(overlaps, GroundingMeasurement) else None,
            thresholds,
        ),
    )


def _has_failed(report: Report, decision: Any) -> bool:
    """Whether a check broke, or ran out of time before it could say anything."""
    if report.status != "timeout":
        return report.status == "error"
    return not any(f.status not in ("unverified", "not_checked") for f in getattr(decision, "findings", ()))
