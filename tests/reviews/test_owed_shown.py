"""What is owed is told wherever somebody may look: lists, pages, alerts, health and metrics; not to whoever judges blind."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from detection.models import DetectionRun, OwedVerification, VerifierEndpoint
from tests.api_calls import Caller
from tests.reviews.test_metrics import samples

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("REL-25")]
URL = "http://127.0.0.1:9/v1"


@pytest.fixture
def owed(make_run: Callable[..., DetectionRun]) -> DetectionRun:
    """A run that is owed a verification; another one that is not is there too."""
    make_run(needs_review=False)
    run = make_run(needs_review=False, answer_status="not_verified")
    OwedVerification.note(run, "outage", 0.0, timezone.now())
    return run


@pytest.fixture
def down(settings: Any) -> None:
    """The verifier of answers cannot be reached, and one that is not used any more could not either."""
    settings.VERIFIER = {**settings.VERIFIER, "backend": "external", "base_url": URL, "model": "m"}
    for place in (URL, "http://127.0.0.1:8/v1"):
        VerifierEndpoint.fell(place, "m", "verifier_unreachable", timezone.now())


@pytest.fixture
def page(client: Client, senior: User) -> Client:
    client.force_login(senior)
    return client


def test_the_api_lists_by_what_is_owed_and_says_why(owed: DetectionRun) -> None:
    reader = Caller("read")
    listed = {
        wanted: [row["id"] for row in reader.get(f"answers/?verification_owed={wanted}").json()["results"]]
        for wanted in ("any", "outage", "rate_limit", "none")
    }
    assert listed["any"] == listed["outage"] == [str(owed.answer_id)]
    assert (listed["rate_limit"], len(listed["none"])) == ([], 1)
    assert reader.get("answers/?verification_owed=nonsense").status_code == 422
    rows = {row["id"]: row["verification_owed"] for row in reader.get("answers/").json()["results"]}
    told = rows.pop(str(owed.answer_id))
    assert (told["reason"], told["tries"], [*rows.values()]) == ("outage", 0, [None])
    assert reader.get(f"answers/{owed.answer_id}/").json()["verification_owed"] == told


def test_the_list_of_answers_marks_and_finds_them(page: Client, owed: DetectionRun) -> None:
    html = page.get(reverse("answers")).content.decode()
    assert (html.count('data-testid="answer-row"'), html.count('data-testid="owed-mark"')) == (2, 1)
    html = page.get(reverse("answers") + "?verification=owed").content.decode()
    assert (html.count('data-testid="answer-row"'), html.count('data-testid="owed-mark"')) == (1, 1)
    assert 'data-testid="answer-row"' not in page.get(reverse("answers") + "?verification=x").content.decode()


@pytest.mark.parametrize("reason", OwedVerification.Reason.values)
def test_the_page_of_an_answer_says_what_it_waits_for(
    page: Client, make_run: Callable[..., DetectionRun], reason: str
) -> None:
    run = make_run(needs_review=False)
    row = OwedVerification.note(run, reason, 0.0, timezone.now())
    address = reverse("answer", args=[run.answer_id])
    assert "Not verified yet: " in page.get(address).content.decode()
    row.give_up()
    assert "Not verified yet: " not in page.get(address).content.decode()


def test_whoever_judges_it_blind_is_told_nothing(
    client: Client, reviewer: User, make_review: Callable[..., Any]
) -> None:
    review = make_review()
    type(review).objects.filter(pk=review.pk).update(blind=True)
    OwedVerification.note(review.run, "outage", 0.0, timezone.now())
    client.force_login(reviewer)
    for address in (reverse("review", args=[review.pk]), reverse("answer", args=[review.answer_id])):
        assert "Not verified yet" not in client.get(address).content.decode()
    assert "owed-mark" not in client.get(reverse("answers")).content.decode()
    dana = Caller("read", "review", user=reviewer)
    assert dana.get("answers/?verification_owed=any").json()["results"] == []
    assert [row["verification_owed"] for row in dana.get("answers/").json()["results"]] == [None]
    assert "verification_owed" not in dana.get(f"answers/{review.answer_id}/").json()


@pytest.mark.requirement("REL-28")
@pytest.mark.usefixtures("down", "owed")
def test_a_verifier_that_is_down_is_an_alert_a_figure_and_no_fault_of_the_lanes(page: Client) -> None:
    html = page.get(reverse("dashboard")).content.decode()
    assert "The verifier could not be reached. Since " in html
    assert "; 1 answer waits to be judged again." in html
    response = page.get("/healthz/queue")
    told = response.json()["owed"]
    assert (response.status_code, told["answers"]) == (200, {"outage": 1})
    assert (told["verifier_down"]["model"], told["verifier_down"]["reason"]) == ("m", "verifier_unreachable")
    VerifierEndpoint.objects.update(down_since=timezone.now() - timedelta(hours=1))
    shown = samples()
    assert shown[("hallu_answers_owed", "outage")] == 1
    assert 3600 <= shown[("hallu_verifier_down_seconds",)] < 3700


@pytest.mark.requirement("REL-28")
@pytest.mark.usefixtures("down")
def test_a_verifier_that_is_well_again_or_not_used_any_more_is_no_alarm(page: Client) -> None:
    VerifierEndpoint.stood(URL, "m")
    assert "The verifier could not be reached" not in page.get(reverse("dashboard")).content.decode()
    assert page.get("/healthz/queue").json()["owed"]["verifier_down"] is None
    shown = samples()
    assert (shown[("hallu_verifier_down_seconds",)], shown[("hallu_answers_owed", "outage")]) == (0, 0)


@pytest.mark.requirement("REL-28")
@pytest.mark.usefixtures("down")
def test_a_person_may_take_it_for_what_the_endpoint_can_do(capsys: pytest.CaptureFixture[str]) -> None:
    lost = {"logprobs": False, "gave_logprobs": True, "probed_at": timezone.now()}
    VerifierEndpoint.objects.filter(base_url=URL).update(**lost)
    call_command("verifier_status")
    assert "no log-probabilities any more: what is asked is owed" in capsys.readouterr().out
    call_command("verifier_status", "--sampled")
    told = capsys.readouterr().out
    assert "Sampled from now on: external." in told
    assert "no log-probabilities: sampled" in told
