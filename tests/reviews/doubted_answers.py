"""Answers that an endpoint believes more or less, submitted, judged and settled."""

from math import log
from typing import Any

from django.contrib.auth.models import User

from detection.models import DetectionRun
from reviews.models import HallucinationReview
from tests.api_calls import Caller, body, drain
from tests.detection.fault_server import question
from tests.detection.verifier_stub import Endpoint, completion
from tests.reviews.dashboards import resolved

SURE, UNSURE, DENIED = (
    f"The tenants of the building {told} [S0]."
    for told in ("praise the new garden", "like the light staircase", "complain of noisy neighbours")
)
BELIEVED = {SURE[:-6]: 0.7, UNSURE[:-6]: 0.4, DENIED[:-6]: 0.1}
EVIDENCE = {"id": "S0", "text": "A survey asked the tenants what they think of the building.", "score": 0.9}


def answer(endpoint: Endpoint, asked: dict[str, Any]) -> None:
    """An endpoint that believes each of the three as much as :data:`BELIEVED` says."""
    claim, _ = question(asked)
    yes = next(chance for said, chance in BELIEVED.items() if claim.startswith(said))
    endpoint.reply(200, completion({"YES": log(yes), "NO": log(0.01), "UNKNOWN": log(1 - yes - 0.01)}))


def submitted(backend: Caller, *texts: str) -> list[DetectionRun]:
    """The finished runs of these answers, in their order."""
    before = set(DetectionRun.objects.values_list("pk", flat=True))
    for text in texts:
        sent = body(text, question="What do tenants say?", sources=[EVIDENCE], detectors=["strawberry"])
        assert backend.post("answers/", sent).status_code == 202
    drain()
    return list(DetectionRun.objects.exclude(pk__in=before).order_by("pk"))


def settled(by: User, verdict: str = "supported") -> None:
    """Every open review, settled."""
    resolved(list(HallucinationReview.objects.filter(state="open")), by, verdict)


def taught(backend: Caller, judge: User) -> list[DetectionRun]:
    """40 answers that people found correct, of which the verifier doubts six and denies two."""
    runs = submitted(backend, *[SURE] * 32, *[UNSURE] * 6, *[DENIED] * 2)
    settled(judge)
    return runs
