"""The sentences of a finished run in the language of whoever reads them (conclusion §6).

They are stored as they were delivered, in the answer's language. What they say stands in the reports, and deciding is a pure
function of these: in another language it is done again. Where it comes to another finding than the stored one, as
it may for a result of an older version, the stored sentence stays.
"""

import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from detection.core.pipeline import Conclusion
from detection.core.text import LANGUAGES, base
from detection.core.types import Finding, Reason
from detection.core.verdict import missing
from detection.models import DetectionRun
from detection.runs.steps import decide, load

logger = logging.getLogger(__name__)

Result = dict[str, Any]


def retold(run: DetectionRun, language: str) -> Result:
    """The stored result of ``run``, empty before it has one, with its sentences in ``language`` (ISO 639); as it was
    delivered where that is the answer's. What people and models wrote stays as they wrote it."""
    stored: Result = run.result or {}
    if not stored or _told(language) == _told(run.answer.language):
        return stored
    try:
        context = load(run)
        conclusion = decide(run, replace(context, case=replace(context.case, language=language)))
        return stored | _sentences(stored, conclusion, language)
    except Exception:
        logger.exception("retelling_failed run=%s", run.pk)
        return stored


def _told(language: str) -> str:
    """The language that the core speaks to a reader of ``language``."""
    return base(language) if base(language) in LANGUAGES else "en"


def _sentences(stored: Result, conclusion: Conclusion, language: str) -> dict[str, Any]:
    """The parts of a result that hold sentences, with those of ``conclusion``."""
    verdict = stored.get("verdict") or {}
    findings = {finding.claim: finding for finding in conclusion.findings}
    reports = conclusion.reports
    return {
        "claims": [_claim(claim, findings.get(claim["index"])) for claim in stored.get("claims") or []],
        "verdict": verdict | {"reasons": _reasons(verdict.get("reasons") or [], conclusion.verdict.reasons)},
        "checks": {
            name: check | {"reason": missing(reports[name], language)}
            if name in reports and reports[name].status == check.get("status")
            else check
            for name, check in (stored.get("checks") or {}).items()
        },
    }


def _claim(claim: Result, finding: Finding | None) -> Result:
    if finding is None or (finding.status, finding.code) != (claim["status"], claim["finding"]):
        return claim
    drawn = claim.get("conclusion") or {}
    said = {(one.detector, one.status, one.code): one.reason for one in finding.overruled}
    overruled = [
        one | {"reason": said.get((one["by"], one["status"], one["finding"]), one["reason"])}
        for one in drawn.get("overruled") or []
    ]
    told = claim | {"reason": finding.reason}
    return told | {"conclusion": drawn | {"overruled": overruled}} if drawn else told


def _reasons(stored: Sequence[Result], told: Sequence[Reason]) -> list[Result]:
    """Reasons of one code and claim are told in one order, whatever the language."""
    texts = defaultdict[Any, list[str]](list)
    for reason in told:
        texts[reason.code, reason.claim].append(reason.text)
    return [
        reason | {"text": left.pop(0)} if (left := texts[reason.get("code"), reason.get("claim")]) else reason
        for reason in stored
    ]
