"""What the log says of a concluded run: its outcome, and each doubtful claim with its figures (SPEC-08.41, NUM-11)."""

import logging
from collections import Counter
from typing import Any

from detection import logs
from detection.core.pipeline import Conclusion
from detection.core.types import Claim, Finding
from detection.models import DetectionRun
from detection.runs.result_sections import NUMERIC_FAILING, lifts, middle

log = logging.getLogger(__name__)

MOST_LOGGED = 20
DOUBTFUL = (
    "claim_doubtful run=%s claim=%s kind=%s status=%s finding=%s p1=%s p0=%s required_bits=%s observed_bits=%s"
    " gap_bits=%s method=%s model=%s latency_ms=%s"
)


def concluded(run: DetectionRun, conclusion: Conclusion) -> None:
    """Log the outcome of a run, its doubtful claims, and the numbers that were not verified."""
    counts = Counter(finding.status for finding in conclusion.findings)
    log.info(
        "run_concluded run=%s answer=%s purpose=%s claims=%s supported=%s contradicted=%s unsupported=%s unverified=%s"
        " not_checked=%s risk_level=%s risk_score=%s needs_review=%s",
        run.pk,
        run.answer_id,
        run.purpose,
        len(conclusion.findings),
        *(counts[status] for status in ("supported", "contradicted", "unsupported", "unverified", "not_checked")),
        conclusion.verdict.risk_level,
        conclusion.verdict.risk_score,
        conclusion.verdict.needs_review,
    )  # fmt: skip
    doubtful = [
        (claim, finding)
        for claim, finding in zip(conclusion.claims, conclusion.findings, strict=True)
        if finding.status in NUMERIC_FAILING
    ]
    for claim, finding in doubtful[:MOST_LOGGED]:
        log.info(DOUBTFUL, run.pk, *_figures(conclusion, claim, finding), extra=logs.text(claim.text))
    _unverified_numbers(
        run, conclusion, [finding for claim, finding in doubtful if claim.kind != "statement"]
    )


def _figures(conclusion: Conclusion, claim: Claim, finding: Finding) -> tuple[Any, ...]:
    """Index, kind, status, finding, p1, p0, required, observed, gap, method, model and latency of a claim."""
    lift, score = lifts(conclusion).get(claim.index), finding.score
    required, observed = (middle(score.required_bits), middle(score.observed_bits)) if score else (None, None)
    gap = None if required is None or observed is None else round(required - observed, 6)
    measured = (middle(lift.p1), middle(lift.p0)) if lift else (None, None)
    source = (lift.method, lift.model, round(lift.latency_ms, 1)) if lift else (finding.detector, None, None)
    return (
        claim.index,
        claim.kind,
        finding.status,
        finding.code,
        *measured,
        required,
        observed,
        gap,
        *source,
    )


def _unverified_numbers(run: DetectionRun, conclusion: Conclusion, failing: list[Finding]) -> None:
    """NUM-11: which numbers a run could not verify, if the profile wants it; what they say is not logged."""
    if failing and conclusion.thresholds.log_unverified_claims:
        shown = " ".join(f"{finding.claim}:{finding.code}" for finding in failing[:MOST_LOGGED])
        log.info("unverified_claims run=%s count=%s claims=%s", run.pk, len(failing), shown)
