"""Calling the API in tests: a client with a key, a portfolio to ask about, the workers' work done at once."""

import itertools
import json
from typing import Any
from uuid import UUID

from django.test import Client

from detection.models import ApiKey, DetectionRun, FinancialMetrics, FinancialPeriod, Property
from detection.models.runs import FAST, SLOW
from reviews import tasks
from reviews.models import HallucinationReview

numbers = itertools.count()
TRUE, WRONG = "NOI was $1,234,567.89 [S0].", "NOI was $1,324,567.89 [S0]."
SOURCE = {"id": "S0", "text": "Net operating income for Q3 2024 was $1,234,567.89.", "score": 0.88}
PROBLEM = "application/problem+json"
VERDICTS: dict[str, dict[str, str]] = {
    "approved": {"verdict": "supported"},
    "corrected": {"verdict": "corrected", "corrected_value": "$1,234,567.89"},
    "rejected": {"verdict": "rejected"},
    "no_decision": {"verdict": "cannot_tell"},
}


class Caller:
    """A backend with an API key that sees every property; whoever it acts for agreed. ``key`` None sends none."""

    def __init__(self, *scopes: str, key: str | None = "", **fields: Any) -> None:
        self.row: Any = None
        if key == "":
            seen = {"all_properties": True, **fields}
            self.row, key = ApiKey.issue(f"key {next(numbers)}", list(scopes), **seen)
            if self.row.user:
                self.row.agree(self.row.user, self.row.last_event())
        self.http = Client()
        self.key = key

    def bound_to(self, *properties: Property) -> "Caller":
        """The same key, for these properties only."""
        ApiKey.objects.filter(pk=self.row.pk).update(all_properties=False)
        self.row.properties.set(properties)
        return self

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """One request; ``body`` is sent as JSON unless it is bytes already."""
        sent = body if isinstance(body, bytes) else json.dumps(body) if body is not None else ""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        named.setdefault("content-type", "application/json")
        if self.key is not None:
            named.setdefault("authorization", f"Bearer {self.key}")
        content_type = named.pop("content-type")
        return self.http.generic(method, f"/api/v1/{path}", sent, content_type=content_type, headers=named)

    def get(self, path: str, **headers: str) -> Any:
        """A GET."""
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        """A POST."""
        return self.call("POST", path, body, **headers)


def portfolio() -> Property:
    """OAK with its third quarter, whose NOI is 1,234,567.89."""
    oak = Property.objects.create(code="OAK", name="Oak Tower")
    quarter = FinancialPeriod.objects.create(
        property=oak, label="Q3 2024", start="2024-07-01", end="2024-09-30"
    )
    FinancialMetrics.objects.create(period=quarter, net_operating_income="1234567.89", occupancy_rate="85.5")
    return oak


def body(answer: Any = TRUE, **fields: Any) -> dict[str, Any]:
    """A submission about OAK's third quarter."""
    return {
        "question": "What was NOI in Q3 2024?",
        "answer": answer,
        "original_confidence": 0.95,
        "property": "OAK",
        "period": "Q3 2024",
        "sources": [SOURCE],
        **fields,
    }


def drain() -> None:
    """What the workers would do, until nothing is pending."""
    for lane in (FAST, SLOW):
        for pk in DetectionRun.objects.filter(finished_at=None).values_list("pk", flat=True):
            tasks.step(pk, lane)


def submitted(backend: Caller, answer: str = WRONG, **fields: Any) -> str:
    """The id of an answer that is judged."""
    pk = backend.post("answers/", body(answer, **fields)).json()["id"]
    drain()
    return str(pk)


def resolved(reviewer: Caller, pk: str, said: str, **given: Any) -> HallucinationReview:
    """The live review of an answer, resolved over the API with one verdict for all of its claims."""
    review = HallucinationReview.objects.get(answer=UUID(pk), resolved_at=None, voided_at=None)
    path = f"reviews/{review.pk}"
    reviewer.post(f"{path}/take/")
    shown = reviewer.get(f"{path}/").json()
    for claim in shown["undecided"]:
        shown = reviewer.post(
            f"{path}/verdict/", {"version": shown["version"], "claim": claim, **VERDICTS[said]}
        ).json()
    done = reviewer.post(f"{path}/resolve/", {"version": shown["version"], **given})
    assert done.status_code == 200, done.content
    review.refresh_from_db()
    return review


def faults(response: Any, status: int = 422) -> dict[str, str]:
    """The fields that a problem names, with their messages."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == PROBLEM
    problem = response.json()
    assert problem["status"] == status
    assert {"type", "title", "detail", "instance"} <= set(problem)
    return {fault["field"]: fault["message"] for fault in problem.get("errors", [])}
