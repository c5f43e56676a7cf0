"""Claim and evidence pairs, and what every grounding figure needs: rows, word overlap, AUROC, intervals."""

import gzip
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from detection.core.text import words

Row = dict[str, str | int]

FAMILIES = {"uhgeval_real": "uhgeval"}
"""A source whose supported and other claims are two sets is read as one."""


def read_rows(path: Path) -> list[Row]:
    """The rows of a ``.jsonl`` or ``.jsonl.gz`` file."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def family(row: Row) -> str:
    """The source a row's figure belongs to."""
    return FAMILIES.get(str(row["source"]), str(row["source"]))


def by_family(rows: Sequence[Row]) -> dict[str, list[int]]:
    """Row numbers of each source, in order of first appearance."""
    found: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        found.setdefault(family(row), []).append(number)
    return found


def word_overlap(row: Row) -> float:
    """The floor every verifier must beat: the share of the claim's words that the evidence has (RAG-08)."""
    claim = set(words(str(row["claim"])))
    return len(claim & set(words(str(row["evidence"])))) / len(claim) if claim else 0.0


def auroc(labels: Sequence[int], scores: Sequence[float]) -> float | None:
    """Area under the ROC curve; None where only one class is there."""
    return float(roc_auc_score(labels, scores)) if len(set(labels)) == 2 else None


def bootstrap(
    groups: Sequence[str], figure: Callable[[list[int]], float | None], rounds: int = 300, seed: int = 0
) -> tuple[float, float]:
    """The 95 % interval of a figure when whole groups are drawn again with replacement."""
    members: dict[str, list[int]] = {}
    for number, group in enumerate(groups):
        members.setdefault(group, []).append(number)
    parts = list(members.values())
    draw = np.random.default_rng(seed)
    drawn: Iterable[np.ndarray] = (draw.integers(len(parts), size=len(parts)) for _ in range(rounds))
    values = [figure([number for part in picks for number in parts[part]]) for picks in drawn]
    low, high = np.percentile([value for value in values if value is not None], [2.5, 97.5])
    return float(low), float(high)
