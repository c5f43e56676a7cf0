"""What an answer is still owed: a verification that its verifier could not do, and would do now if it could."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from detection.core.rules import any_of
from detection.core.thresholds import DEFAULTS
from detection.core.types import Claim, Finding, StrawberryMeasurement
from detection.core.verdict.levels import CLAIMED
from detection.core.verdict.reports import Report

OwedFor = Literal["outage", "overload", "rate_limit", "budget", "degraded"]
OWED_FOR: tuple[OwedFor, ...] = get_args(OwedFor)
BY_CODE: Mapping[str, OwedFor] = {
    "overload": "overload",
    "rate_limited": "rate_limit",
    "budget_spent": "budget",
    "verifier_no_logprobs": "degraded",
}
"""Why a verification is owed, by the code of a finding; whatever else a verifier failed by is an outage."""
_ROWS = [row for row in CLAIMED if row.gives == "owed"]


@dataclass(frozen=True, slots=True)
class Owed:
    """Why an answer's verification is owed, of several reasons the commonest, and after how many ``seconds`` its verifier wants to
    be asked again."""

    reason: OwedFor
    seconds: float = 0.0


def owed(claims: Sequence[Claim], findings: Sequence[Finding], reports: Mapping[str, Report]) -> Owed | None:
    """What of these findings is owed, None where nothing is: nobody owes what ran out of our own time."""
    strawberry = reports.get("strawberry")
    measured = strawberry.measurement if strawberry else None
    codes = [f.code for claim, f in zip(claims, findings, strict=True) if _is_owed(claim, f)]
    if not isinstance(measured, StrawberryMeasurement):
        codes = []
    codes += ["away" for report in reports.values() if report.status == "away"]
    if not codes:
        return None
    lifts = measured.claims.values() if isinstance(measured, StrawberryMeasurement) else ()
    asked = [lift.retry_after or 0.0 for lift in lifts if lift.error == "rate_limited"]
    return Owed(
        Counter(BY_CODE.get(code, "outage") for code in codes).most_common(1)[0][0], max(asked, default=0.0)
    )


def _is_owed(claim: Claim, finding: Finding) -> bool:
    told = {"status": finding.status, "code": finding.code, "number": claim.kind != "statement"}
    return bool(any_of(_ROWS, told, DEFAULTS))
