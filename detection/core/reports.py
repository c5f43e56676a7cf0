"""What one detector brought back, and how good that is."""

from collections import Counter
from dataclasses import dataclass

from detection.core.strawberry_reasons import error_reason
from detection.core.types import Measurement, NumericMeasurement, ReportStatus, StrawberryMeasurement


@dataclass(frozen=True, slots=True)
class Report:
    """What one detector brought back; ``reason`` says what is missing and why."""

    status: ReportStatus
    measurement: Measurement | None = None
    reason: str = ""


def report_of(measurement: Measurement) -> Report:
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
