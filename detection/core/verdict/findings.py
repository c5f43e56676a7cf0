"""One finding for each claim, out of what the detectors that looked at it concluded."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from detection.core.statements import covered
from detection.core.text import Texts, named_in, spoken
from detection.core.types import Claim, Finding, NumericMeasurement, Overruled, Status
from detection.core.verdict.graded import ASSERTS_NOTHING
from detection.core.verdict.reason_sentences import word
from detection.core.verdict.reports import Report, missing

GRAVITY: Mapping[Status, int] = {
    "not_checked": 0,
    "supported": 0,
    "unverified": 0,
    "unsupported": 1,
    "contradicted": 2,
}
"""How grave a status is, where two detectors speak of one statement."""

OVERRULED: tuple[Status, ...] = ("contradicted", "unsupported", "unverified")
"""What a verifier finds of a statement that its figures may turn, or does not come to find."""
UNREAD = ("no_verifier",)
"""What they carry besides: statements that there is nobody to read."""
NOT_OVERRULED = (*ASSERTS_NOTHING, "pending")
DISPUTABLE: tuple[Status, ...] = ("supported", "contradicted")
"""Of what a claim may be that evidence disagrees about; of any other nothing decides."""

# fmt: off
REASONS: Mapping[str, Texts] = {
    "covered": {"en": "Its figures carry it: all that could be compared are verified, and it says hardly anything else.", "he": "נתוניו נושאים אותו: כל אלה שניתן היה להשוות אומתו, וכמעט דבר מלבדם אינו נאמר בו.", "zh": "其中的数据足以支持：凡可比对的均已核实，此外几乎别无所述。"},
    "number_contradicted": {"en": "A number in it is contradicted.", "he": "מספר שבתוכו נסתר.", "zh": "其中有数字与依据相矛盾。"},
    "not_asked": {"en": "The {name} check was not asked for.", "he": "בדיקת {name} לא נתבקשה.", "zh": "未请求{name}检查。"},
    "pending": {"en": "This check has not finished yet.", "he": "בדיקה זו טרם הסתיימה.", "zh": "此项检查尚未完成。"},
    "skipped": {"en": "Not checked: {why}", "he": "לא נבדק: {why}", "zh": "未核查：{why}"},
    "failed": {"en": "The check failed: {why}", "he": "הבדיקה נכשלה: {why}", "zh": "检查失败：{why}"},
    "not_measured": {"en": "This claim was not measured.", "he": "טענה זו לא נמדדה.", "zh": "此陈述未经测量。"},
}
"""Why a claim has no finding of its own detector, by language."""
# fmt: on


def claim_findings(
    read: Sequence[Claim],
    reports: Mapping[str, Report],
    due: Sequence[str],
    decisions: Mapping[str, Any],
    language: str,
) -> tuple[Finding, ...]:
    """One finding for each claim: its own detector's, or why there is none, told in ``language``."""
    found = {
        f.claim: f
        for name in ("numeric", "strawberry")
        if name in decisions
        for f in decisions[name].findings
    }
    every = [found.get(claim.index) or _without(claim, reports, due, language) for claim in read]
    every = _with_figures(read, every, reports, language)
    if "judge" in decisions:
        every = _with_opinion(every, decisions["judge"].findings)
    contradicted = {
        claim.statement for claim, f in zip(read, every, strict=True) if f.status == "contradicted"
    }
    last = (
        _by_its_number(f, language) if claim.kind == "statement" and claim.index in contradicted else f
        for claim, f in zip(read, every, strict=True)
    )
    return tuple(f if f.status in DISPUTABLE or not f.disputed else replace(f, disputed=()) for f in last)


def _with_figures(
    read: Sequence[Claim], findings: Sequence[Finding], reports: Mapping[str, Report], language: str
) -> list[Finding]:
    """Findings where statements that their figures carry are supported, whatever a verifier makes of their words: it does
    not reckon."""
    measured = reports["numeric"].measurement if "numeric" in reports else None
    words = measured.open_words if isinstance(measured, NumericMeasurement) else {}
    carried = covered(read, findings, words)
    reason = spoken(REASONS["covered"], language)
    return [
        replace(
            f,
            status="supported",
            code="covered",
            reason=reason,
            values={},
            severity=0.0,
            overruled=f.overruled if f.status == "supported" else _with(f),
            believed=None,
        )
        if f.claim in carried and _is_turned(f)
        else f
        for f in findings
    ]


def _is_turned(finding: Finding) -> bool:
    """Whether figures that carry a statement decide it: over what a verifier believes of it, finds or did not come to find."""
    if finding.code in NOT_OVERRULED:
        return False
    return finding.believed is not None or finding.status in OVERRULED or finding.code in UNREAD


def _with_opinion(findings: Sequence[Finding], opinion: Sequence[Finding]) -> list[Finding]:
    """Findings with the judge's doubts: it can make a statement worse and never better (CIT-06), and it says
    nothing of what asserts nothing. What the verifier measured of the statement stays with it."""
    doubted = {finding.claim: finding for finding in opinion}
    return [
        replace(doubted[f.claim], score=f.score, overruled=_with(f), disputed=f.disputed)
        if f.claim in doubted and _is_graver(doubted[f.claim], f)
        else f
        for f in findings
    ]


def _is_graver(doubt: Finding, finding: Finding) -> bool:
    return finding.code not in ASSERTS_NOTHING and GRAVITY[doubt.status] > GRAVITY[finding.status]


def _by_its_number(finding: Finding, language: str) -> Finding:
    """A contradicted number contradicts its statement, but only the number asks for a decision, whatever
    the verifier says of the statement besides."""
    reason = spoken(REASONS["number_contradicted"], language)
    overruled = _with(finding) if finding.status == "supported" else finding.overruled
    return replace(
        finding,
        status="contradicted",
        code="number_contradicted",
        reason=reason,
        values={},
        severity=0.0,
        overruled=overruled,
        believed=None,
    )


def _with(finding: Finding) -> tuple[Overruled, ...]:
    """What is overruled once a finding is, too."""
    return (*finding.overruled, Overruled(finding.detector, finding.status, finding.code, finding.reason))


def _without(claim: Claim, reports: Mapping[str, Report], due: Sequence[str], language: str) -> Finding:
    name = "strawberry" if claim.kind == "statement" else "numeric"
    status, code, told = absence(name, reports, due)
    why = missing(reports[name], language) if name in reports else ""
    reason = spoken(REASONS[told], language).format(name=word(name, language), why=why)
    plain = missing(reports[name], "en") if name in reports else ""
    named = named_in(REASONS[told], {"name": name, "why": plain})
    return Finding(name, claim.index, status, code, reason, values=named)


def absence(name: str, reports: Mapping[str, Report], due: Sequence[str]) -> tuple[Status, str, str]:
    """Status and code of a claim that the detector ``name`` has no finding for, and which of :data:`REASONS` says why."""
    if name not in due:
        return "not_checked", "switched_off", "not_asked"
    if name not in reports:
        return "unverified", "pending", "pending"
    status = reports[name].status
    if status == "skipped":
        return "not_checked", "switched_off", "skipped"
    if status in ("error", "timeout"):
        return "unverified", status, "failed"
    return "unverified", "not_measured", "not_measured"
