"""Answers that say a word which stands nowhere else, and where it is found."""

import json
import re
import zlib
from typing import Any
from uuid import UUID

from django.db import connection

from detection.core.evidence import remembered
from detection.models import Answer, Erasure
from reviews.erasing import orders
from reviews.models import HallucinationReview
from tests.api_calls import Caller, body, drain

WORD = "zanzibar"
ANSWER = f"NOI of the {WORD} wing was $1,324,567.89 [{WORD} S0]. Occupancy was 85.5% in Q3 2024."
SAYING = re.compile(WORD.encode(), re.IGNORECASE)


def said(backend: Caller, **fields: Any) -> Answer:
    """An answer that is judged, and says :data:`WORD` wherever a caller may say anything."""
    source = {
        "id": f"{WORD} S0",
        "title": f"Report on {WORD}",
        "text": f"Net operating income of {WORD} for Q3 2024 was $1,234,567.89.\n\n| {WORD} | Q3 2024 |\n|---|---|\n| Rent | 55 |",
        "metadata": {"file": f"{WORD}.pdf"},
    }
    remembered.clear()  # else what another test has read here is not kept
    sent = body(
        ANSWER,
        question=f"What was NOI of {WORD} in Q3 2024?",
        external_id=f"{WORD}-1",
        asked_by=f"{WORD}@example.com",
        sources=[source],
    )
    sent |= fields
    reply = backend.post("answers/", sent, idempotency_key=f"{WORD}-{sent['external_id']}")
    assert reply.status_code == 202, reply.content
    drain()
    return Answer.objects.get(pk=UUID(reply.json()["id"]))


def settled(answer: Answer, reviewer: Caller) -> HallucinationReview:
    """Its review, settled with corrections, notes and an answer that say the word."""
    review = HallucinationReview.objects.get(answer=answer, resolved_at=None, voided_at=None)
    path = f"reviews/{review.pk}"
    reviewer.post(f"{path}/take/")
    reviewer.post(f"{path}/release/", {"reason": f"Later, {WORD}"})
    reviewer.post(f"{path}/take/")
    shown = reviewer.get(f"{path}/").json()
    for claim in shown["undecided"]:
        given = {
            "verdict": "corrected",
            "corrected_value": f"{WORD} $5",
            "reason_code": "other",
            "note": f"It is {WORD}.",
        }
        shown = reviewer.post(
            f"{path}/verdict/", {"version": shown["version"], "claim": claim, **given}
        ).json()
    sent = {
        "version": shown["version"],
        "corrected_answer": f"All of {WORD}.",
        "reason": f"Because of {WORD}",
    }
    done = reviewer.post(f"{path}/resolve/", sent)
    assert done.status_code == 200, done.content
    review.refresh_from_db()
    return review


def saying() -> set[str]:
    """Every column of every table that says the word, in whatever form: as text, as JSON, packed."""
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if table.startswith("detection_answersearch_groups"):
                continue  # SQLite's FTS5, which can only be searched
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608  # names out of the database
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                found |= {f"{table}.{name}" for name, value in zip(names, row, strict=True) if _says(value)}
    return found


def _says(value: Any) -> bool:
    if isinstance(value, bytes | memoryview):
        packed = bytes(value)
        return any(SAYING.search(form) for form in (packed, _unpacked(packed)))
    return bool(SAYING.search(json.dumps(value, default=str, ensure_ascii=False).encode()))


def _unpacked(packed: bytes) -> bytes:
    try:
        return zlib.decompress(packed)
    except zlib.error:
        return b""


def erased(*answers: Answer, reason: str = "asked for") -> Erasure:
    """An order that erased these."""
    order = Erasure(cause=Erasure.Cause.ORDER, reason=reason)
    assert sum(orders.carry_out(order, [one.pk for one in answers])) == len(answers)
    return order
