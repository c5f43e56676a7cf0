"""One finding for each claim, out of what the detectors that looked at it concluded."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from detection.core.reports import Report
from detection.core.types import Claim, Finding, Status

ASSERTS_NOTHING = ("question", "instruction", "hedge")
GRAVITY: Mapping[Status, int] = {
    "not_checked": 0,
    "supported": 0,
    "unverified": 0,
    "unsupported": 1,
    "contradicted": 2,
}
"""How grave a status is, where two detectors speak of one statement."""


def claim_findings(
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
    if "judge" in decisions:
        every = _with_opinion(every, decisions["judge"].findings)
    contradicted = {
        claim.statement for claim, f in zip(read, every, strict=True) if f.status == "contradicted"
    }
    return tuple(
        _by_its_number(f) if claim.kind == "statement" and claim.index in contradicted else f
        for claim, f in zip(read, every, strict=True)
    )


def _with_opinion(findings: Sequence[Finding], opinion: Sequence[Finding]) -> list[Finding]:
    """Findings with the judge's doubts: it can make a statement worse and never better (CIT-06), and it says
    nothing of what asserts nothing."""
    doubted = {finding.claim: finding for finding in opinion}
    return [
        doubted[f.claim] if f.claim in doubted and _is_graver(doubted[f.claim], f) else f for f in findings
    ]


def _is_graver(doubt: Finding, finding: Finding) -> bool:
    return finding.code not in ASSERTS_NOTHING and GRAVITY[doubt.status] > GRAVITY[finding.status]


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
