"""Claims that the detectors missed, added by whoever found them (F26)."""

from bisect import bisect_right
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Max
from django.utils.translation import gettext

from detection.core import text
from detection.models import Answer, Claim, DetectionRun
from reviews.anchoring import Ambiguous, NotFound, anchored


def added_claim(run_id: int, answer: Answer, start: int, end: int, kind: str) -> Claim:
    """Store a reviewer's claim under the next free number of the run. The run is locked, since two reviews
    may judge it."""
    DetectionRun.objects.select_for_update().only("pk").get(pk=run_id)
    claims = Claim.objects.filter(run_id=run_id)
    around = claims.filter(kind="statement", origin=Claim.Origin.DETECTOR, start__lte=start, end__gte=end)
    statement = None if kind == "statement" else around.order_by("-start").first()
    starts = [first for first, _ in text.sentences(answer.text, answer.language or None)]
    last: int | None = claims.aggregate(last=Max("index"))["last"]
    return Claim.objects.create(
        run_id=run_id,
        index=0 if last is None else last + 1,
        kind=kind,
        origin=Claim.Origin.REVIEWER,
        text=answer.text[start:end],
        start=start,
        end=end,
        sentence=max(bisect_right(starts, start) - 1, 0),
        statement=statement.index if statement else None,
        citations=statement.citations if statement else [],
    )


def place_of(answer: str, quote: str, prefix: str, suffix: str) -> tuple[int, int]:
    """Where ``quote`` between ``prefix`` and ``suffix`` stands in ``answer``. Raises :class:`ValidationError` when it is
    not there, or several times."""
    try:
        return anchored(answer, quote, prefix, suffix)
    except NotFound as error:
        raise ValidationError(
            {"quote": gettext("The answer does not say this. Select it in the answer.")}
        ) from error
    except Ambiguous as error:
        message = gettext("The answer says this several times. Select a little more of the text around it.")
        raise ValidationError({"quote": message}) from error


def where(claim: Claim) -> dict[str, Any]:
    """Which claim it is and where it stands, for the history."""
    return {
        "claim": claim.index,
        "kind": claim.kind,
        "text": claim.text,
        "start": claim.start,
        "end": claim.end,
    }
