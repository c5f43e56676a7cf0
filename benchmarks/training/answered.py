"""Statements of labelled answers as the embedded verifier is asked about them: what it is for, unlike pairs of a claim and a
text that somebody picked. Needs Django over a database with the figures of record."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path

from benchmarks.contrast_counting import Row
from benchmarks.contrast_screening import Screening, overlaps, read_rows
from benchmarks.grounding_data import Row as Pair
from benchmarks.own_database import own_database
from detection.core import pipeline
from detection.core.ports import Estimate
from detection.core.statements import read_context
from detection.core.stores import Memory
from detection.verifiers.embedded.local import LocalVerifier

ANSWERED, WITHOUT = "answers", "answers_without_evidence"
"""Sources of the rows: statements beside all evidence, and beside what is left once theirs is taken out."""
DECIDED = ("covered", "number_contradicted", "too_short")
"""Statements that figures decide, or nobody."""


@dataclass(slots=True)
class Asked:
    """The embedded verifier, which keeps the contexts that each claim was asked with, the full one first."""

    name: str = "local"
    contexts: dict[str, list[str]] = field(default_factory=dict)
    verifier: LocalVerifier = field(default_factory=LocalVerifier)

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        """One estimate."""
        return self.batch_estimate([claim], context)[0]

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """The estimates of the verifier that ships."""
        for claim in claims:
            self.contexts.setdefault(claim, []).append(context)
        return self.verifier.batch_estimate(claims, context)


def answered_rows(files: Sequence[tuple[Path, Path | None]]) -> list[Pair]:
    """The statements of the answers in these files that neither figures nor refuters decide, with all evidence and without
    theirs. Each file has its figures of record beside it, or none."""
    found: list[Pair] = []
    with own_database():
        from django.core.management import call_command
        from django.db import connections

        for path, figures in files:
            if figures:
                call_command("import_financials", str(figures), stdout=io.StringIO())
            connections.close_all()
            with get_context("fork").Pool() as pool:
                found += [one for each in pool.map(_rows, read_rows(path), chunksize=8) for one in each]
    return found


def falsified(row: Row) -> list[str]:
    """The texts of an answer that its evidence does not carry: of a wrong twin, or marked as spans."""
    wrong = [str(row["wrong_text"])] if row.get("wrong_text") else []
    return [str(span["text"]) for span in row.get("spans") or ()] + wrong


def _rows(row: Row) -> list[Pair]:
    from detection import runs

    asked = Asked()
    context = replace(Screening().context({"property": None, "period": None, **row}), verifier=asked)
    found = pipeline.screen(context, Memory(runs.due_detectors(None)))
    return list(_of(row, found, asked))


def _of(row: Row, found: pipeline.Conclusion, asked: Asked) -> Iterator[Pair]:
    measured = getattr(found.reports["strawberry"].measurement, "claims", {})
    kept: Pair = {"lang": str(row["lang"]), "group": str(row.get("doc") or row["pair"]), "license": "own"}
    for claim, finding in zip(found.claims, found.findings, strict=True):
        contexts = _contexts(asked, claim.text)
        if finding.code in DECIDED or not _is_judged(measured.get(claim.index)) or len(contexts) < 2:
            continue
        right = not any(overlaps(str(row["answer"]), claim.text, text) for text in falsified(row))
        for source, context, y in ((ANSWERED, contexts[0], right), (WITHOUT, contexts[1], False)):
            evidence = "\n".join(read_context(context))
            label = "supported" if y else "unsupported"
            asked_of: Pair = {
                "claim": claim.text,
                "evidence": evidence,
                "label": label,
                "y": int(y),
                "source": source,
            }
            yield asked_of | kept


def _is_judged(lift: object) -> bool:
    """Whether the verifier judged a statement, and by its words alone."""
    return getattr(lift, "p1", None) is not None and not getattr(lift, "against", ())


def _contexts(asked: Asked, text: str) -> list[str]:
    """What was asked of a claim, whose marks were taken off before."""
    return next((each for claim, each in asked.contexts.items() if claim in text or text in claim), [])
