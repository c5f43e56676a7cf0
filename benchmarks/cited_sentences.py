"""True sentences over real filings with the id of the chunk that holds their figure, and of one that does not."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from detection.core.types import Source

SCORE = 0.9
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
NEAR = "near_miss_within_4pct"


@dataclass(frozen=True, slots=True)
class Cited:
    """A true sentence, its chunks, the id that is right and one that is valid and wrong (None where every chunk holds the
    figure); ``wrong`` are sentences with another figure, by the kind of mistake."""

    id: str
    question: str
    sentence: str
    sources: tuple[Source, ...]
    right: str
    misplaced: str | None
    wrong: tuple[tuple[str, str], ...]


def read(path: Path) -> list[Cited]:
    """The rows whose figure stands in a chunk, in an order that only their ids decide."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    found = [one for row in rows if row["trace"] == "direct" for one in _cited(row)]
    return sorted(found, key=lambda one: draw(one.id))


def draw(name: str) -> int:
    """A number that only ``name`` decides, to choose by."""
    return int(hashlib.md5(name.encode(), usedforsecurity=False).hexdigest(), 16)


def citing(sentence: str, ref: str) -> str:
    """The sentence with the mark before its full stop."""
    return f"{sentence.rstrip().rstrip('.')} [{ref}]."


def _cited(row: dict[str, Any]) -> Iterator[Cited]:
    figure = _figures(row["gold_surface"])
    holding = [chunk["id"] for chunk in row["source_chunks"] if figure & _figures(chunk["text"])]
    others = [chunk["id"] for chunk in row["source_chunks"] if chunk["id"] not in holding]
    if holding:
        yield Cited(
            row["id"],
            row["question"],
            row["answer_sentence"],
            tuple(Source(chunk["id"], chunk["text"], score=SCORE) for chunk in row["source_chunks"]),
            holding[0],
            _one(others, row["id"]),
            tuple((p["kind"], p["sentence"]) for p in row["perturbations"] if p["kind"] != NEAR),
        )


def _one(refs: Sequence[str], name: str) -> str | None:
    return refs[draw(name) % len(refs)] if refs else None


def _figures(text: str) -> set[str]:
    return {found.replace(",", "") for found in _DIGITS.findall(text)}
