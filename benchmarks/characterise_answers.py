"""Answers for :mod:`benchmarks.characterise`: an even, seeded draw from the labelled sets and the demo."""

import gzip
import json
import os
from pathlib import Path
from random import Random
from typing import Any

Row = dict[str, Any]

SEED = 2026


def rows_of(name: str) -> list[Row]:
    """The rows of a file of ``HALLU_DATA``."""
    path = Path(os.environ["HALLU_DATA"]) / name
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as lines
    ):
        return [json.loads(line) for line in lines]


def fast_answers() -> list[Row]:
    """Answers made for speed; what they cite are others of them."""
    rows = rows_of("perf_answers.jsonl")
    texts = [row["answer"] for row in rows] * 2
    return [
        {
            "answer": row["answer"],
            "sources": [{"id": f"S{n}", "text": texts[at + n + 1]} for n in range(row["n_sources"])],
        }
        for at, row in enumerate(rows)
    ]


def numeric_answers() -> list[Row]:
    """True sentences and wrong ones, in turn, over real filings' tables."""
    return [
        {
            "answer": row["perturbed_answer_sentence" if at % 2 else "answer_sentence"],
            "question": row["question"],
            "sources": [{"id": chunk["id"], "text": chunk["text"]} for chunk in row["source_chunks"]],
        }
        for at, row in enumerate(rows_of("financial_numeric_verification.jsonl"))
    ]


def labelled_answers(name: str) -> list[Row]:
    """Labelled answers over documents or figures of record."""
    wanted = ("answer", "question", "sources", "property", "period")
    return [
        {"language": row["lang"]} | {key: row[key] for key in wanted if row.get(key)} for row in rows_of(name)
    ]


def demo_answers() -> list[Row]:
    """The demo's answers, as they were submitted."""
    from detection.models import Answer

    return [
        {
            "answer": answer.text,
            "question": answer.question,
            "language": answer.language,
            "original_confidence": answer.original_confidence,
            "property": answer.property.code,
            "period": answer.period.label,
            "sources": [
                {"id": each.ref, "text": each.text, "title": each.title} for each in answer.sources.all()
            ],
        }
        for answer in Answer.objects.order_by("query__external_id")
        if answer.property and answer.period
    ]


def drawn(total: int) -> list[Row]:
    """As many answers, evenly from every set; of a set that has fewer all of them, and the rest from the others."""
    sets = [
        demo_answers(),
        fast_answers(),
        labelled_answers("contrast_dev.jsonl.gz"),
        numeric_answers(),
        labelled_answers("training_answers.jsonl.gz"),
    ]
    random, found = Random(SEED), list[Row]()
    for left, rows in zip(range(len(sets), 0, -1), sorted(sets, key=len), strict=True):
        found += random.sample(rows, min(len(rows), (total - len(found)) // left))
    random.shuffle(found)
    return found
