"""Chances that come out of an answer itself: the same answer draws the same lot, whoever asks and however often.

Nothing is drawn by a generator of random numbers, so a retry, a second worker and a test all come to one decision
(review-queue §5.3). A secret salt keeps callers from foreseeing which of their answers people will look at.
"""

import json
from hashlib import blake2b

from django.conf import settings

from detection.models import Answer

SPAN = 2**64


def chance(answer: Answer, purpose: str) -> float:
    """A number in [0, 1), uniform over answers and independent between purposes: a hash of the salt, the
    purpose and what tells the answer from others, which is its caller's id for the query, else question and text.

    ``answer`` comes with its query selected, or reads it.
    """
    lot = json.dumps([settings.HALLU_AUDIT_SALT, purpose, *_identity(answer)])
    return int.from_bytes(blake2b(lot.encode(), digest_size=8).digest()) / SPAN


def _identity(answer: Answer) -> tuple[str | int | None, ...]:
    named = answer.query.external_id
    if named is not None:
        return ("id", answer.submitted_by_id, named)
    return ("text", answer.question, answer.text)
