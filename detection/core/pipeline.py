"""The picture of detection: read the claims, measure each once, decide, grade.

``screen`` does all of it for one case in memory. Workers do the same in steps and store what
:func:`measure` returns; tuning calls :func:`conclude` again over what is stored.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from detection.core import citations, claims, grounding, judge, numeric, risk, strawberry
from detection.core.misplaced import misplaced
from detection.core.ports import Verifier
from detection.core.strawberry_reasons import error_reason
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
    ReportStatus,
    StrawberryMeasurement,
    Verdict,
    never,
)


@dataclass(frozen=True, slots=True)
class Detector:
    """A detector is two functions. ``measure`` is expensive and done once; ``decide`` is pure and cheap."""

    measure: Callable[[Case, Sequence[Claim], Thresholds, Verifier, Expired], Measurement | None]
    decide: Callable[[Any, Thresholds, str], Decision]


DETECTORS = {
    "numeric": Detector(
        lambda case, read, thresholds, _verifier, expired: numeric.measure(case, read, thresholds, expired),
        lambda measured, thresholds, _scoring: numeric.decide(measured, thresholds),
    ),
    "citation": Detector(
        lambda case, read, _thresholds, _verifier, _expired: citations.measure(case, read),
        lambda measured, thresholds, _scoring: citations.decide(measured, thresholds),
    ),
    "grounding": Detector(
        lambda case, read, _thresholds, _verifier, _expired: grounding.measure(case, read),
        lambda measured, thresholds, _scoring: grounding.decide(measured, thresholds),
    ),
    "strawberry": Detector(
        lambda case, read, thresholds, verifier, expired: strawberry.measure(
            case, read, verifier, thresholds, expired
        ),
        lambda measured, thresholds, scoring: strawberry.decide(measured, thresholds, scoring),
    ),
    "judge": Detector(
        lambda _case, _read, _thresholds, _verifier, _expired: None,
        lambda measured, thresholds, _scoring: judge.decide(measured, thresholds),
    ),
}
WHY_SKIPPED = {"judge": "no text model is configured."}
NOT_DUE = "it was not asked for or is switched off."
OVERLOAD = "too many answers waited for the verifier. It is made up for when fewer do."
OUT_OF_TIME = "it took too long and was ended."


@dataclass(frozen=True, slots=True)
class Report:
    """What one detector brought back; ``reason`` says what is missing and why."""

    status: ReportStatus
    measurement: Measurement | None = None
    reason: str = ""


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
    out_of_time: tuple[type[Exception], ...] = (TimeoutError,),
) -> Report:
    """Run one detector. Its failure is a report with that status, never an exception (SPEC-08.43).

    ``out_of_time`` are the exceptions by which the caller's surroundings end work that took too long.
    """
    try:
        measurement = DETECTORS[name].measure(case, read, thresholds, verifier, expired)
    except out_of_time:
        return Report("timeout", reason=OUT_OF_TIME)
    except Exception as error:  # noqa: BLE001  # one detector's fault must not take the answer with it
        return Report("error", reason=f"{type(error).__name__}: {error}"[:300])
    if measurement is None:
        return Report("skipped", reason=WHY_SKIPPED[name])
    return _report(measurement)


def leave_out(case: Case, read: Sequence[Claim], thresholds: Thresholds) -> Report:
    """The report of a ``strawberry`` check that is left out under load (SPEC-08.39)."""
    return Report("skipped", strawberry.leave_out(case, read, thresholds, "overload"), OVERLOAD)


def _report(measurement: Measurement) -> Report:
    """What is there is kept in every case; ``rate_limited`` and ``timeout`` when claims were left for that
    reason, ``error`` when a verifier answered for none of the statements it was asked about."""
    if isinstance(measurement, StrawberryMeasurement):
        return _verified(measurement)
    if isinstance(measurement, NumericMeasurement):
        late = sum(number.timed_out for number in measurement.claims.values())
        if late:
            why = f"{late} of {len(measurement.claims)} numbers were not reached in time."
            return Report("timeout", measurement, why)
    return Report("ok", measurement)


def _verified(measurement: StrawberryMeasurement) -> Report:
    due = [lift for index, lift in measurement.claims.items() if index not in measurement.skipped]
    errors = Counter(lift.error for lift in due if lift.error)
    if not errors:
        return Report("ok", measurement)
    why = f"{errors.total()} of {len(due)} statements: {error_reason(errors.most_common(1)[0][0])}"
    if "rate_limited" in errors:
        return Report("rate_limited", measurement, why)
    if "timeout" in errors:
        return Report("timeout", measurement, why)
    return Report("error" if errors.total() == len(due) else "ok", measurement, why)


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
        name: DETECTORS[name].decide(report.measurement, thresholds, scoring)
        for name, report in reports.items()
        if report.measurement is not None
    }
    findings = _findings(read, reports, due, decisions)
    if "citation" in decisions:
        decisions["citation"] = _with_misplaced(
            case, read, findings, reports, decisions["citation"], thresholds
        )
    failed = {
        name: report.reason for name, report in reports.items() if _has_failed(report, decisions.get(name))
    }
    graded = risk.Graded(
        case=case,
        claims=read,
        findings=findings,
        citations=decisions.get("citation"),
        grounding=decisions.get("grounding"),
        judge=decisions.get("judge"),
        injected=getattr(decisions.get("strawberry"), "injected", ()),
        failed=failed,
        left_out={name: NOT_DUE for name in DETECTORS if name not in due}
        | {name: report.reason for name, report in reports.items() if report.status == "skipped"},
        all_failed=bool(due) and all(name in failed for name in due),
        flag_threshold_bits=flag_threshold_bits,
    )
    verdict = risk.grade(graded, thresholds)
    return Conclusion(
        tuple(read), reports, decisions, findings, verdict, risk.flagged(graded, thresholds), thresholds
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


def _findings(
    read: Sequence[Claim], reports: Mapping[str, Report], due: Sequence[str], decisions: Mapping[str, Any]
) -> tuple[Finding, ...]:
    """One finding for each claim: its own detector's, or why there is none."""
    found = {
        f.claim: f
        for name in ("numeric", "strawberry")
        if name in decisions
        for f in decisions[name].findings
    }
    every = [found.get(claim.index) or _without(claim, reports, due) for claim in read]
    contradicted = {
        claim.statement for claim, f in zip(read, every, strict=True) if f.status == "contradicted"
    }
    return tuple(
        _by_its_number(f) if claim.kind == "statement" and claim.index in contradicted else f
        for claim, f in zip(read, every, strict=True)
    )


def _by_its_number(finding: Finding) -> Finding:
    """A contradicted number contradicts its statement, but only the number asks for a decision, whatever
    the verifier says of the statement besides."""
    reason = "A number in it is contradicted."
    return replace(finding, status="contradicted", code="number_contradicted", reason=reason, severity=0.0)


def _without(claim: Claim, reports: Mapping[str, Report], due: Sequence[str]) -> Finding:
    name = "strawberry" if claim.kind == "statement" else "numeric"
    if name not in due:
        return Finding(
            name, claim.index, "not_checked", "switched_off", f"The {name} check was not asked for."
        )
    if name not in reports:
        return Finding(name, claim.index, "unverified", "pending", "This check has not finished yet.")
    report = reports[name]
    if report.status == "skipped":
        return Finding(name, claim.index, "not_checked", "switched_off", f"Not checked: {report.reason}")
    if report.status in ("error", "timeout"):
        return Finding(name, claim.index, "unverified", report.status, f"The check failed: {report.reason}")
    return Finding(name, claim.index, "unverified", "not_measured", "This claim was not measured.")
