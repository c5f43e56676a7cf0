"""Public labelled sets, read as answers with their sources and what somebody said of them. Two shapes of rows:

* ``claim`` and ``evidence`` with a ``label`` (supported, refuted, unsupported, partial): the claim is the answer, citing the
  evidence as its one source;
* ``answer_sentence`` and ``perturbed_answer_sentence`` over ``source_chunks``: two answers, one true, one wrong.

A row without a licence is refused, and so is one whose claim reads as several statements: its label is of the whole.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from detection.core import claims
from detection.core.types import Case, Source
from detection.models import Claim

TEST_SHARE = 0.3
"""The share of groups that are left for testing."""
UNLICENSED = re.compile(r"^\s*$|not stated|\bnone\b", re.IGNORECASE)
WHY = {
    "refuted": "contradicted_by_source",
    "unsupported": "unsupported_inference",
    "partial": "unsupported_inference",
    "off_period_value": "wrong_period",
    "wrong_table_value": "wrong_metric",
    "scale_slip": "wrong_unit_or_scale",
    "unit_slip": "wrong_unit_or_scale",
}
"""What is wrong by a set's words → the reason code of a verdict; any other is a wrong value."""


class Refused(ValueError):
    """A row that cannot become an answer; the message says why."""


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """One answer. ``name`` is its external id, ``group`` what must not be torn apart by a split, ``wrong`` the reason
    code of what is wrong, empty for a right one; ``surface`` the wrong piece where only a piece is wrong."""

    name: str
    kind: str
    group: str
    language: str
    question: str
    text: str
    sources: tuple[Mapping[str, Any], ...]
    wrong: str = ""
    surface: str = ""


def read_file(path: Path) -> Iterator[tuple[int, Any]]:
    """The lines of a ``.jsonl`` or ``.jsonl.gz`` file with their numbers; a line that is no JSON gives None."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield number, _json(line)


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def answers_of(row: Any) -> tuple[LabelledAnswer, ...]:
    """The answers of a row, one or two. Raises :class:`Refused`."""
    if not isinstance(row, dict):
        raise Refused("this is no JSON object.")
    if UNLICENSED.search(str(row.get("license") or "")):
        raise Refused(f"its licence is not stated ({row.get('license') or 'empty'}).")
    try:
        return (_of_claim(row),) if "claim" in row else _of_sentences(row)
    except (KeyError, TypeError, AttributeError) as error:
        raise Refused(f"a field is missing or of the wrong kind ({error}).") from error


def _of_claim(row: Mapping[str, Any]) -> LabelledAnswer:
    label = row["label"]
    if label not in ("supported", "refuted", "unsupported", "partial"):
        raise Refused(f"the label {label!r} is unknown.")
    return LabelledAnswer(
        name=f"labelled:{row['id']}",
        kind=str(row["source"])[:40],
        group=str(row["group"]),
        language=row["lang"],
        question=row.get("question") or "",
        text=f"{row['claim'].strip()} [S0]",
        sources=({"id": "S0", "text": row["evidence"], "metadata": _origin(row)},),
        wrong="" if label == "supported" else WHY[label],
    )


def _of_sentences(row: Mapping[str, Any]) -> tuple[LabelledAnswer, LabelledAnswer]:
    sources = tuple(
        {"id": chunk["id"], "text": chunk["text"], "title": chunk["kind"], "metadata": _origin(row)}
        for chunk in row["source_chunks"]
    )
    about = {
        "kind": str(row["source"])[:40],
        "group": str(row["doc"]),
        "language": "en",
        "question": row["question"],
        "sources": sources,
    }
    true = LabelledAnswer(name=f"labelled:{row['id']}:true", text=row["answer_sentence"], **about)
    wrong = LabelledAnswer(
        name=f"labelled:{row['id']}:wrong",
        text=row["perturbed_answer_sentence"],
        wrong=WHY.get(row["perturbation_kind"], "wrong_value"),
        surface=row["perturbed_surface"],
        **about,
    )
    return true, wrong


def _origin(row: Mapping[str, Any]) -> dict[str, str]:
    """What a source's metadata say of where it comes from."""
    return {"set": str(row["source"]), "license": str(row["license"]), "row": str(row["id"])}


def in_test(group: str) -> bool:
    """Whether a group belongs to the test split: by the hash of its name, so the same in every file and every run."""
    return chance("split", group) < TEST_SHARE


def place(seed: int, name: str) -> float:
    """Where an answer stands in the order from which a limited number is taken: 0 to 1, by hash."""
    return chance(f"order {seed}", name)


def drawn(seed: int, name: str, share: float) -> bool:
    """Whether an unflagged answer is audited when ``share`` of them are, by hash."""
    return chance(f"audit {seed}", name) < share


def chance(salt: str, name: str) -> float:
    """A number from 0 to 1 that a name has under a salt, the same in every run."""
    return int.from_bytes(hashlib.sha256(f"{salt}\n{name}".encode()).digest()[:8]) / 2**64


def is_one_statement(answer: LabelledAnswer) -> bool:
    """Whether the answer reads as one statement, so that its label is that statement's."""
    sources = tuple(Source(given["id"], given["text"]) for given in answer.sources)
    read = claims.read(Case(answer=answer.text, sources=sources, language=answer.language))
    return sum(claim.kind == "statement" for claim in read) == 1


def verdicts(answer: LabelledAnswer, read: Iterable[Claim]) -> dict[int, tuple[str, str]]:
    """Verdict and reason code for each claim by its index.

    In a right answer every claim is right. In a wrong one the statement is rejected; of its numbers, those that touch
    the wrong piece are, the others are right; where the label names no piece, nobody can tell of a single number.
    """
    if not answer.wrong:
        return {claim.index: ("supported", "") for claim in read}
    start = answer.text.rfind(answer.surface) if answer.surface else -1
    end = start + len(answer.surface)
    said: dict[int, tuple[str, str]] = {}
    for claim in read:
        if claim.kind == "statement" or (start >= 0 and claim.start < end and start < claim.end):
            said[claim.index] = ("rejected", answer.wrong)
        else:
            said[claim.index] = ("supported", "") if start >= 0 else ("cannot_tell", "")
    return said
