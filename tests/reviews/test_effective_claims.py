"""Each claim of a Result has the verdict on it that counts now, a person's before the detectors', whose own stays beside it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from detection.models import Answer, DetectionRun
from detection.models.runs import FAST
from reviews import tasks
from reviews.models import ClaimVerdict, HallucinationReview, ReviewPass, send_to_review
from tests.api_calls import TRUE, WRONG, Caller, body, drain, resolved, submitted

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-04")]
UNSAID = {"who": None, "verdict": None, "reason_code": None, "corrected_value": None}


def claims(caller: Caller, pk: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = caller.get(f"answers/{pk}/").json()["claims"]
    return found


def flagged(caller: Caller, pk: str) -> dict[str, Any]:
    (claim,) = [claim for claim in claims(caller, pk) if claim["flagged"]]
    return claim


def test_what_nobody_judged_has_the_detectors_word(backend: Caller) -> None:
    pk = submitted(backend)
    finished = DetectionRun.objects.get().finished_at
    assert finished is not None
    for claim in claims(backend, pk):
        word = claim["conclusion"]["word"]
        assert claim["effective"] == {
            **UNSAID,
            "by": "machine",
            "word": word,
            "at": finished.isoformat(),
        }


@pytest.mark.parametrize(
    ("outcome", "verdict", "word", "value"),
    [
        ("approved", "supported", "supported", None),
        ("corrected", "corrected", "wrong", "$1,234,567.89"),
        ("rejected", "rejected", "wrong", None),
        ("no_decision", "cannot_tell", None, None),
    ],
)
def test_a_persons_verdict_counts_and_the_detectors_stays_beside_it(
    backend: Caller, dana: Caller, outcome: str, verdict: str, word: str | None, value: str | None
) -> None:
    pk = submitted(backend)
    resolved(dana, pk, outcome)
    given = ClaimVerdict.objects.get(verdict=verdict)
    assert given.decided_at is not None
    claim = flagged(backend, pk)
    assert claim["effective"] == {
        "by": "person",
        "who": "Dana Levi",
        "at": given.decided_at.isoformat(),
        "word": word,
        "verdict": verdict,
        "reason_code": None,
        "corrected_value": value,
    }
    assert (claim["status"], claim["conclusion"]["word"]) == ("contradicted", "wrong")
    (other,) = [claim for claim in claims(backend, pk) if not claim["flagged"]]
    assert other["effective"]["by"] == "machine", "nobody said anything of it"


def test_a_reason_that_was_chosen_is_told(backend: Caller, dana: Caller) -> None:
    pk = submitted(backend)
    resolved(dana, pk, "rejected")
    ClaimVerdict.objects.update(reason_code="wrong_period")
    assert flagged(backend, pk)["effective"]["reason_code"] == "wrong_period"


def test_a_verdict_counts_once_its_review_is_resolved(backend: Caller, dana: Caller) -> None:
    pk = submitted(backend)
    review = HallucinationReview.objects.get()
    dana.post(f"reviews/{review.pk}/take/")
    shown = dana.get(f"reviews/{review.pk}/").json()
    given = {"version": shown["version"], "claim": shown["undecided"][0], "verdict": "supported"}
    assert dana.post(f"reviews/{review.pk}/verdict/", given).status_code == 200
    assert flagged(backend, pk)["effective"]["by"] == "machine"


def test_of_two_passes_the_first_counts_and_an_adjudication_before_both(
    backend: Caller, dana: Caller
) -> None:
    pk = submitted(backend)
    review = resolved(dana, pk, "approved")
    claim = ClaimVerdict.objects.get().claim
    for number, verdict, told in ((2, "rejected", "supported"), (3, "rejected", "rejected")):
        person = User.objects.create(username=f"pass {number}")
        done = ReviewPass.objects.create(
            review=review, reviewer=person, pass_no=number, state="submitted", submitted_at=review.resolved_at
        )
        ClaimVerdict.objects.create(
            review_pass=done, claim=claim, verdict=verdict, decided_at=review.resolved_at
        )
        assert flagged(backend, pk)["effective"]["verdict"] == told


def test_judged_again_a_claim_keeps_what_a_person_said_of_it(
    backend: Caller, dana: Caller, reviewer: User
) -> None:
    pk = submitted(backend, TRUE)
    answer = Answer.objects.get()
    review = send_to_review(answer, answer.runs.get(), reviewer, "A tenant complained.")
    dana.post(f"reviews/{review.pk}/take/")
    shown = dana.get(f"reviews/{review.pk}/").json()
    given = {"version": shown["version"], "claim": 1, "verdict": "rejected"}
    shown = dana.post(f"reviews/{review.pk}/verdict/", given).json()
    told = {"version": shown["version"], "outcome": "rejected"}
    assert dana.post(f"reviews/{review.pk}/resolve/", told).status_code == 200
    before = claims(backend, pk)[1]["effective"]
    assert (before["by"], before["word"]) == ("person", "wrong")
    backend.post(f"answers/{pk}/rescreen/")
    drain()
    assert DetectionRun.objects.filter(finished_at__isnull=False).count() == 2
    assert [claim["effective"]["by"] for claim in claims(backend, pk)] == ["machine", "person"]
    assert claims(backend, pk)[1]["effective"] == before


def test_none_counts_before_the_run_has_ended(backend: Caller) -> None:
    pk = str(backend.post("answers/", body(WRONG)).json()["id"])
    tasks.step(DetectionRun.objects.get().pk, FAST)
    assert [claim["effective"] for claim in claims(backend, pk)] == [None, None]


def test_none_counts_where_a_newer_answer_does(backend: Caller) -> None:
    pk = submitted(backend, external_id="q")
    submitted(backend, TRUE, external_id="q")
    assert [claim["effective"] for claim in claims(backend, pk)] == [None, None]


def test_judged_without_storing_there_is_no_time(backend: Caller) -> None:
    shown = backend.post("answers:detect", body(WRONG)).json()["claims"]
    told = {**UNSAID, "by": "machine", "word": "wrong", "at": None}
    assert [claim["effective"] for claim in shown] == [told, told]


def test_a_claim_of_before_conclusions_were_drawn_has_no_word(
    backend: Caller, make_run: Callable[..., DetectionRun]
) -> None:
    run = make_run(result={"claims": [{"kind": "statement", "start": 0, "end": 3, "status": "supported"}]})
    (claim,) = backend.get(f"answers/{run.answer_id}/").json()["claims"]
    assert (claim["effective"]["by"], claim["effective"]["word"]) == ("machine", None)


def test_the_schema_says_what_may_be_null() -> None:
    accept = {"accept": "application/vnd.oai.openapi+json"}
    schemas = Client().get("/api/v1/schema/", headers=accept).json()["components"]["schemas"]
    shown = schemas["Claim"]
    assert "effective" in shown["required"]
    assert {"type": "null"} in shown["properties"]["effective"]["oneOf"]
    fields = schemas["ClaimEffective"]["properties"]
    assert all("null" in field["description"].lower() for name, field in fields.items() if name != "by")
