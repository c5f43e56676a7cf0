"""What judged answers say of a verifier's doubts becomes a limit: proposed, accepted by a person, in force for later answers."""

import html
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from detection.models import DetectionRun, ProfileEvent, Property, PropertyGroup, ThresholdProfile
from reviews.tuning.replay import measured as measuring
from reviews.tuning.replay.deciding import replay
from tests.api_calls import Caller
from tests.detection.test_degraded import verified_by
from tests.detection.verifier_stub import serving
from tests.reviews.answers import person
from tests.reviews.doubted_answers import DENIED, SURE, UNSURE, answer, settled, submitted, taught

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.requirement("APP-05")]

VERIFIER = re.compile(r"logprobs · stub · \S+")


@pytest.fixture(autouse=True)
def endpoint(settings: Any) -> Iterator[None]:
    """A configured endpoint; every unflagged answer is audited."""
    settings.HALLU_AUDIT_BASE = settings.HALLU_AUDIT_BOUNDARY = settings.HALLU_AUDIT_NEW = 1.0
    with serving(answer) as stub, verified_by(stub.url):
        yield


def signed_in(name: str, *roles: str) -> Client:
    client = Client()
    client.force_login(person(name, *roles))
    return client


def shown(client: Client) -> str:
    page = client.get(reverse("tuning-limits"))
    assert page.status_code == 200
    return page.content.decode()


def proposed(page: str) -> str:
    found = re.search(r'name="proposed" value="([^"]*)"', page)
    assert found
    return html.unescape(found[1])


def test_verdicts_teach_a_limit_that_an_administrator_accepts_and_later_answers_are_decided_by(
    backend: Caller, senior: User
) -> None:
    older = taught(backend, senior)
    flagged = [run.needs_review for run in older]
    assert flagged == [False] * 32 + [True] * 8
    first, admin, other = ThresholdProfile.active(), signed_in("ada", "admin"), signed_in("eve", "admin")
    page = shown(admin)
    assert "one half: nothing is known of this verifier" in page
    assert re.search(r"20 % \(\d+ %–\d+ %, n = 40\)", page)
    assert "0.60 (" in page
    assert ThresholdProfile.active() == first

    asked = admin.post(reverse("tuning-limits-draft"), {"proposed": proposed(page)})
    drafted = ThresholdProfile.objects.get(state="draft")
    assert asked.headers["Location"] == reverse("version", args=[drafted.version])
    assert ThresholdProfile.active() == first
    step = reverse("version-step", args=[drafted.version])
    admin.post(step, {"step": "ask", "reason": "the verdicts say so"})
    other.post(step, {"step": "confirm", "seen": first.version})
    active = ThresholdProfile.active()
    assert active == drafted
    ((name, limit),) = active.values["base"]["doubt_limits"].items()
    assert name.startswith("en words · ")
    assert VERIFIER.fullmatch(name.removeprefix("en words · "))
    assert limit == 0.6

    unsure, denied = submitted(backend, UNSURE, DENIED)
    assert (unsure.needs_review, denied.needs_review) == (False, True)
    assert unsure.profile == active

    seen = measuring.load(DetectionRun.objects.filter(pk__in=[run.pk for run in older]))
    then = replay(seen, first.values, first.scoring)
    assert then.needs_review.tolist() == flagged
    now = replay(seen, active.values, active.scoring)
    assert now.needs_review.tolist() == [False] * 38 + [True] * 2
    again = DetectionRun.objects.in_bulk([run.pk for run in older])
    assert [(again[run.pk].needs_review, again[run.pk].profile) for run in older] == [
        (was, first) for was in flagged
    ]

    told = shown(admin)
    assert re.search(r"learnt from 40 correct answers \(95 %: 0\.\d\d–0\.90\)", told)
    assert "No other limit than those in force is learnt." in told
    assert ProfileEvent.broken_at(active) is None
    assert active.learnt_from[name]["limit"] == limit


def test_what_was_seen_is_what_is_saved_or_nothing_is(backend: Caller, senior: User) -> None:
    taught(backend, senior)
    admin = signed_in("ada", "admin")
    before = proposed(shown(admin))
    submitted(backend, *[DENIED] * 5)
    settled(senior)
    refused = admin.post(reverse("tuning-limits-draft"), {"proposed": before})
    assert refused.status_code == 409
    assert "nothing was saved" in refused.content.decode()
    assert ThresholdProfile.objects.count() == 1


def test_with_too_few_it_says_how_many_are_missing_and_proposes_nothing(
    backend: Caller, senior: User
) -> None:
    submitted(backend, *[UNSURE] * 6)
    settled(senior)
    page = shown(signed_in("ada", "admin"))
    assert "30 more correct answers have to be judged." in page
    assert 'name="proposed"' not in page


def test_wrong_answers_teach_nothing_of_correct_ones(backend: Caller, senior: User) -> None:
    submitted(backend, *[DENIED] * 5)
    settled(senior, "rejected")
    assert "36 more correct answers have to be judged." in shown(signed_in("ada", "admin"))


def test_flagged_answers_alone_teach_nothing(settings: Any, backend: Caller, senior: User) -> None:
    settings.HALLU_AUDIT_BASE = settings.HALLU_AUDIT_BOUNDARY = settings.HALLU_AUDIT_NEW = 0.0
    taught(backend, senior)
    page = shown(signed_in("ada", "admin"))
    assert "No unflagged answer was audited." in page
    assert 'name="proposed"' not in page


def test_audits_alone_teach_nothing_while_flagged_answers_wait(backend: Caller, senior: User) -> None:
    submitted(backend, *[SURE] * 40)
    settled(senior)
    submitted(backend, UNSURE)
    assert "No answer that was sent to review is settled yet." in shown(signed_in("ada", "admin"))


def test_without_an_answer_the_page_says_what_holds() -> None:
    page = shown(signed_in("sara", "senior"))
    assert "Nothing to learn from yet" in page
    assert "one half for verifiers of which nothing is known" in page


def test_seniors_read_and_do_not_change(backend: Caller, senior: User) -> None:
    taught(backend, senior)
    client = signed_in("sara", "senior")
    assert "0.60 (" in shown(client)
    assert 'data-testid="save-limits"' not in shown(client)
    assert client.post(reverse("tuning-limits-draft"), {"proposed": "{}"}).status_code == 403


def test_who_sees_a_part_is_told_so(backend: Caller, senior: User) -> None:
    taught(backend, senior)
    PropertyGroup.objects.create(name="Others").properties.add(Property.objects.get(code="OAK"))
    page = shown(signed_in("sara", "senior"))
    assert "Only answers that you may see are counted here" in page
    assert "Nothing to learn from yet" in page


def test_a_limit_that_somebody_wrote_is_told_as_such() -> None:
    written = {"base": {"doubt_limits": {"he figures · logprobs · m · 2": 0.7}}}
    ThresholdProfile.draft(written).activate()
    page = shown(signed_in("sara", "senior"))
    assert "written by hand or read from a file" in page
    assert "logprobs · m · 2" in page


def test_the_threshold_itself_has_no_curve_but_leads_to_the_limits(backend: Caller) -> None:
    submitted(backend, SURE)
    client = signed_in("sara", "senior")
    page = client.get(reverse("tuning"), {"threshold": "doubt_limits"}).content.decode()
    assert page.count(reverse("tuning-limits")) == 2
    assert client.get(reverse("tuning-changes"), {"threshold": "doubt_limits"}).status_code == 200
