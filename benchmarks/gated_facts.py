"""What does the memory gate let through? (python -m benchmarks.gated_facts)

    HALLU_DATA=… python -m benchmarks.gated_facts [--rows 1500] [--file grounding_dev_he_zh.jsonl.gz]

Claims with evidence and a label, as facts stated with a confidence of 0.9, through the core detectors and the gate with
the embedded verifier and the limits as they come. Printed for each source: of the supported claims and of the others
the share remembered, the share remembered with reduced confidence, the precision of what is remembered, and the mean
confidence it keeps beside that precision. The default file holds the rows that the verifier was trained on.
"""

import argparse
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from benchmarks.grounding_data import Row, family, read_rows
from detection.core import claims, pipeline
from detection.core.context import Context
from detection.core.facts import GateLimits, Outcome, memory_gate
from detection.core.ports import Verifier
from detection.core.stores import Memory
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Claim, Source, StrawberryMeasurement
from detection.verifiers import open_verifier

STATED = 0.9
THRESHOLDS = DEFAULTS.changed(minimum_claim_length=0, maximum_verified_claims=1000, target_by_method={})
FEWEST = 30


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a claim; ``outcome`` is None for one that asserts nothing."""

    family: str
    supported: bool
    outcome: Outcome | None

    def became(self, *results: str) -> bool:
        """Whether the outcome is one of these."""
        return self.outcome is not None and self.outcome.result in results


def fate(row: Row, verifier: Verifier) -> Fate:
    """Put one row through the gate."""
    source = Source("S0", str(row["evidence"])[:100_000])
    case = Case(
        str(row["claim"])[:4000], sources=(source,), original_confidence=STATED, language=str(row["lang"])
    )
    read = claims.read(case)
    outcome = None
    if read and not any(claim.excluded for claim in read):
        outcome = gated(case, [replace(c, citations=("S0",), confidence=None) for c in read], verifier)
    return Fate(family(row), row["label"] == "supported", outcome)


def gated(case: Case, read: Sequence[Claim], verifier: Verifier) -> Outcome:
    """The gate's outcome for one assertion."""
    context = Context(case, read, THRESHOLDS, verifier=verifier)
    found = pipeline.screen(context, Memory(("numeric", "strawberry")))
    numbers = [f for claim, f in zip(read, found.findings, strict=True) if claim.kind != "statement"]
    measured = found.reports["strawberry"].measurement
    assert isinstance(measured, StrawberryMeasurement)
    return memory_gate.gate(measured, numbers, STATED, GateLimits(), THRESHOLDS)


def share(rows: Iterable[bool]) -> float:
    """How many of them are true, in per cent."""
    listed = list(rows)
    return 100 * sum(listed) / len(listed) if listed else float("nan")


def line(name: str, fates: Sequence[Fate]) -> str:
    """One row of the table."""
    true, others = ([f for f in fates if f.supported is side] for side in (True, False))
    kept = [f for f in fates if f.became("stored")]
    mean = sum(f.outcome.confidence for f in kept if f.outcome) / len(kept) if kept else float("nan")
    return (
        f"{name:24} {len(true):6d} {len(others):6d} {share(f.became('stored') for f in true):9.0f}"
        f" {share(f.became('stored') for f in others):9.0f} {share(f.became('stored_reduced') for f in true):9.0f}"
        f" {share(f.became('stored_reduced') for f in others):9.0f} {share(f.supported for f in kept):9.0f} {100 * mean:9.0f}"
    )


def main() -> None:
    """Read, gate, print."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--rows", type=int, default=1500)
    options.add_argument("--file", default="grounding_train.jsonl.gz")
    chosen = options.parse_args()
    rows = read_rows(Path(os.environ["HALLU_DATA"]) / chosen.file)
    Random(5).shuffle(rows)
    verifier = open_verifier({"backend": "local"})
    fates = [fate(row, verifier) for row in rows[: chosen.rows]]
    print(
        f"{chosen.file}, {len(fates)} rows, {share(f.outcome is None for f in fates):.1f} % refused as no assertion"
    )
    print(
        f"{'':24}   supp.  other  supp.kept other kept  supp.red. other red. precision confidence, per cent"
    )
    parted: dict[str, list[Fate]] = defaultdict(list)
    for each in fates:
        parted[each.family].append(each)
    for name, part in sorted(parted.items()):
        if len(part) >= FEWEST:
            print(line(name, part))
    print(line("all rows", fates))


if __name__ == "__main__":
    main()
