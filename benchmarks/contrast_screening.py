"""Contrast pairs judged as the product judges an answer that nothing is stored of. Needs Django over a database with
the figures of record (:func:`benchmarks.own_database.own_database`)."""

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.contrast_counting import Judged, Row
from detection.core import claims, pipeline
from detection.core.context import Context
from detection.core.ports import Estimate
from detection.core.stores import Memory
from detection.core.text import strip_marks
from detection.core.thresholds import DEFAULTS
from detection.core.types import Claim, Finding

NOT_VERIFIED = "not_verified"
MEASURED = ("metric", "period", "property")
SUBMITTED = ("answer", "question", "property", "period", "sources")


def read_rows(path: Path) -> list[Row]:
    """The rows of a ``.jsonl`` or ``.jsonl.gz`` file."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    return [json.loads(line) for line in text.split("\n") if line.strip()]


@dataclass(slots=True)
class LabelsVerifier:
    """The perfect verifier: it knows what is wrong in the answer, and without evidence it guesses.

    ``wrong`` is the falsified text of a wrong twin, empty for a correct one.
    """

    answer: str
    wrong: str = ""
    placeholder: str = DEFAULTS.placeholder
    name: str = "labels"

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        """Sure of what the label says, unless evidence was taken out of the context."""
        if self.placeholder in context:
            return _estimate(0.35, 0.05)
        return _estimate(0.02, 0.95) if self._is_wrong(claim) else _estimate(0.97, 0.01)

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """One estimate for each claim."""
        return [self.estimate_probability(claim, context) for claim in claims]

    def _is_wrong(self, claim: str) -> bool:
        return overlaps(self.answer, claim, self.wrong)


def overlaps(answer: str, claim: str, wrong: str) -> bool:
    """Whether a claim of an answer overlaps its falsified text, both without citation marks; an empty one overlaps nothing."""
    said, falsified = (_plain(strip_marks(text)) for text in (claim, wrong))
    if not falsified:
        return False
    whole = _plain(strip_marks(answer))
    begin, at = whole.find(said), whole.find(falsified)
    if begin < 0 or at < 0:
        return falsified in said or said in falsified
    return begin < at + len(falsified) and at < begin + len(said)


def _plain(text: str) -> str:
    return "".join(text.split())


def _estimate(yes: float, no: float) -> Estimate:
    unknown = round(1 - yes - no, 6)
    return Estimate((yes, yes), (no, no), (unknown, unknown), method="labels", model="labels")


@dataclass(frozen=True, slots=True)
class Screening:
    """How rows are judged: by which detectors (the product's own choice for None), and with ``labels`` by the perfect
    verifier. No deadline ends, so that a busy machine judges like a quiet one."""

    detectors: Sequence[str] | None = None
    labels: bool = False

    def judge(self, row: Row) -> Judged:
        """One row, judged."""
        from detection import runs

        due = runs.due_detectors(self.detectors)
        conclusion = pipeline.screen(self.context(row), Memory(due))
        verdict = conclusion.verdict
        flagged = verdict.has_hallucinations or verdict.needs_review
        silent = not flagged and str(verdict.answer_status) == NOT_VERIFIED
        return Judged(row, None if silent else flagged, told(conclusion))

    def context(self, row: Row) -> Context:
        """What :func:`detection.toolkit.judge` makes of a submission, with the models that a detector may ask."""
        from detection import answer_files, runs
        from detection.models import ThresholdProfile
        from detection.operations import verifying

        # a period belongs to a property: an answer that compares several names none of them
        sent = {name: row[name] for name in SUBMITTED if name != "period" or row["property"]}
        given = answer_files.submission(sent)
        case = runs.build(
            answer=given["answer"],
            question=given.get("question", ""),
            sources=tuple(map(runs.source_of, given["sources"])),
            about=given.get("property"),
            period=given.get("period"),
        )
        profile = ThresholdProfile.active()
        context = Context(
            case,
            claims.read(case),
            profile.resolve({"language": case.language, "property": case.property}),
            profile.scoring,
            verifying.flag_threshold_bits(),
            verifying.verifier_for("output_verification"),
            verifying.judges(),
        )
        if not self.labels:
            return context
        wrong = str(row["wrong_text"] or "")
        return replace(context, verifier=LabelsVerifier(case.answer, wrong, context.thresholds.placeholder))


def told(conclusion: pipeline.Conclusion) -> dict[str, Any]:
    """What was found: of the answer its status and the reasons, of each claim the finding."""
    verdict, report = conclusion.verdict, conclusion.reports.get("numeric")
    measured = getattr(report.measurement, "claims", {}) if report else {}
    return {
        "status": verdict.answer_status,
        "reasons": [reason.code for reason in verdict.reasons],
        "findings": [
            _found(claim, finding, measured.get(claim.index))
            for claim, finding in zip(conclusion.claims, conclusion.findings, strict=True)
        ],
    }


def _found(claim: Claim, finding: Finding, measured: object) -> dict[str, Any]:
    """The finding of one claim; of a number also what it was bound to."""
    shown = {"kind": claim.kind, "text": claim.text, "detector": finding.detector}
    shown |= {"code": finding.code, "status": finding.status, "reason": finding.reason}
    bound = {name: getattr(measured, name, None) for name in MEASURED} if measured else {}
    return {**shown, "severity": finding.severity, **bound}
