"""What one detector brought back, and how good that is."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from detection.core.statements import NO_EVIDENCE
from detection.core.strawberry import FAILED, error_reason
from detection.core.text import Texts, spoken
from detection.core.types import Measurement, NumericMeasurement, ReportStatus, StrawberryMeasurement
from detection.core.verdict.reason_sentences import word

_SOME_FAILED: Texts = {
    "en": "{failed} of {due} statements: {why}",
    "he": "{failed} מתוך {due} טענות: {why}",
    "zh": "{due} 条陈述中有 {failed} 条：{why}",
}
_SOME_LATE: Texts = {
    "en": "{late} of {numbers} numbers were not reached in time.",
    "he": "{late} מתוך {numbers} מספרים לא נבדקו בזמן.",
    "zh": "{numbers} 个数字中有 {late} 个未能及时核对。",
}
_FAILURES = {texts["en"]: texts for texts in FAILED.values()}


RULES = "rules"
"""The verifier of answers that were judged by rules alone."""
LONGEST = 300


@dataclass(frozen=True, slots=True)
class Report:
    """What one detector brought back; ``reason`` says what is missing and why."""

    status: ReportStatus
    measurement: Measurement | None = None
    reason: str = ""


def verifier_of(reports: Mapping[str, Report]) -> str:
    """Method, model and prompt version that most statements of an answer were verified with, as one text
    (``logprobs · some-model · 2``); :data:`RULES` when none was. Of two as frequent the first by name."""
    report = reports.get("strawberry")
    measured = report.measurement if report else None
    lifts = measured.claims.values() if isinstance(measured, StrawberryMeasurement) else ()
    named = Counter(
        " · ".join(part for part in (lift.method, lift.model, lift.prompt_version) if part)
        for lift in lifts
        if lift.p1 is not None
    )
    return min(named, key=lambda name: (-named[name], name))[:LONGEST] if named else RULES


def report_of(measurement: Measurement) -> Report:
    """What is there is kept in every case; ``rate_limited`` and ``timeout`` when claims were left for that
    reason, ``error`` when a verifier answered for none of the statements it was asked about."""
    return Report(_status(measurement), measurement, _left(measurement, "en"))


def missing(report: Report, language: str) -> str:
    """What is missing from a report and why, in ``language``; the words of an error that nobody foresaw stay as they
    are."""
    left = _left(report.measurement, language) if report.status != "skipped" else ""
    if left:
        return left
    known = _FAILURES.get(report.reason)
    return spoken(known, language) if known else word(report.reason, language)


def _status(measurement: Measurement) -> ReportStatus:
    if isinstance(measurement, NumericMeasurement):
        return "timeout" if _late(measurement) else "ok"
    if not isinstance(measurement, StrawberryMeasurement):
        return "ok"
    errors, due = _errors(measurement)
    if "rate_limited" in errors:
        return "rate_limited"
    if "timeout" in errors:
        return "timeout"
    return "error" if errors and errors.total() == due else "ok"


def _left(measurement: Measurement | None, language: str) -> str:
    """What a measurement left undone; empty when nothing."""
    if isinstance(measurement, NumericMeasurement) and _late(measurement):
        return spoken(_SOME_LATE, language).format(late=_late(measurement), numbers=len(measurement.claims))
    if not isinstance(measurement, StrawberryMeasurement):
        return ""
    errors, due = _errors(measurement)
    if not errors:
        return ""
    why = error_reason(errors.most_common(1)[0][0], language)
    return spoken(_SOME_FAILED, language).format(failed=errors.total(), due=due, why=why)


def _late(measurement: NumericMeasurement) -> int:
    return sum(number.timed_out for number in measurement.claims.values())


def _errors(measurement: StrawberryMeasurement) -> tuple[Counter[str], int]:
    """How often each error came, and of how many statements that were asked about; where there is nothing to ask by, no
    check failed."""
    due = [
        lift
        for index, lift in measurement.claims.items()
        if index not in measurement.skipped and lift.error != NO_EVIDENCE
    ]
    return Counter(lift.error for lift in due if lift.error), len(due)
