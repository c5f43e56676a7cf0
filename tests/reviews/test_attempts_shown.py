"""How often an answer was tried stands beside the state that is not clear: when last, when next, and why it was in vain."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from detection.models import Answer, DetectionRun, OwedVerification
from reviews.models import Preferences

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("REL-25")]
SECONDS, LIMIT = 30, 5


@pytest.fixture
def page(client: Client, senior: User) -> Callable[[Any], str]:
    """The page of an answer, or of its review, as people see it."""
    client.force_login(senior)

    def shown(subject: Any) -> str:
        name = "answer" if isinstance(subject, Answer) else "review"
        return client.get(reverse(name, args=[subject.pk])).content.decode()

    return shown


@pytest.fixture
def waiting(make_run: Callable[..., DetectionRun]) -> DetectionRun:
    """A run that nobody has begun."""
    return make_run(finished_at=None, result=None, flagged={}, risk_level="")


def attempts(html: str) -> tuple[str, list[str]]:
    """What the page says of attempts, and the moments in it as machines read them."""
    found = re.search(r'<p[^>]*data-testid="attempts">(.*?)</p>', html, re.DOTALL)
    text = found[1] if found else ""
    words = " ".join(re.sub(r"<[^>]+>", "", text).split())
    return words, re.findall(r'datetime="([^"]+)"', text)


def break_off(run: DetectionRun, times: int) -> DetectionRun:
    """So many attempts that end without a result."""
    for _ in range(times):
        taken = DetectionRun.take(run.pk, seconds=SECONDS, limit=LIMIT)
        assert taken
        taken.release(progressed=False)
    run.refresh_from_db()
    return run


def test_what_nobody_has_tried_says_that_it_has_not_begun(
    page: Callable[[Any], str], waiting: DetectionRun
) -> None:
    html = page(waiting.answer)
    assert "Detection has not started yet." in html
    assert attempts(html) == ("", [])


def test_an_attempt_under_way_says_since_when_and_until_when_it_is_waited_for(
    page: Callable[[Any], str], waiting: DetectionRun
) -> None:
    break_off(waiting, 1)
    run = DetectionRun.take(waiting.pk, seconds=SECONDS, limit=LIMIT)
    assert run
    assert run.tried_at
    assert run.lease_until
    words, moments = attempts(page(waiting.answer))
    assert words.startswith("Tried 1 time without a result. The attempt under way began on ")
    assert "If nothing is heard of it until " in words
    assert moments == [run.tried_at.isoformat(), run.lease_until.isoformat()]
    assert run.lease_until - run.tried_at == timedelta(seconds=SECONDS)


def test_what_broke_off_counts_its_attempts_and_goes_on(
    page: Callable[[Any], str], waiting: DetectionRun
) -> None:
    run = break_off(waiting, 3)
    html = page(run.answer)
    words, moments = attempts(html)
    assert "Detection goes on as soon as a worker is free." in html
    assert words.startswith("Tried 3 times without a result. The last attempt was on ")
    assert run.tried_at
    assert moments == [run.tried_at.isoformat()]


def test_what_got_further_starts_counting_anew(page: Callable[[Any], str], waiting: DetectionRun) -> None:
    break_off(waiting, 2)
    run = DetectionRun.take(waiting.pk, seconds=SECONDS, limit=LIMIT)
    assert run
    run.release(progressed=True)
    assert attempts(page(run.answer))[0].startswith("The last attempt was on ")


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        ("", "Each attempt broke off before it had a result."),
        ("too_long: more than 240 s to read its claims", "Reading its claims takes longer than it may"),
        ("a reason of later days", "a reason of later days"),
    ],
)
def test_what_needs_attention_says_why_and_that_nobody_tries_again(
    page: Callable[[Any], str], waiting: DetectionRun, reason: str, why: str
) -> None:
    run = break_off(waiting, LIMIT)
    if reason:
        run.fail(reason)
    else:
        assert DetectionRun.take(run.pk, seconds=SECONDS, limit=LIMIT) is None
    html = page(run.answer)
    assert why in html
    words, moments = attempts(html)
    assert words.startswith("Tried 5 times without a result.")
    assert words.endswith("It is not tried again by itself.")
    assert run.tried_at
    assert moments == [run.tried_at.isoformat()]


def test_what_is_owed_counts_the_runs_that_went_without_the_verifier(
    page: Callable[[Any], str], make_review: Callable[..., Any], make_run: Callable[..., DetectionRun]
) -> None:
    review = make_review()
    first = OwedVerification.note(review.run, "rate_limit", 60.0, timezone.now() - timedelta(minutes=9))
    again = make_run(review.answer)
    OwedVerification.pay(review.answer, again)
    second = OwedVerification.note(again, "rate_limit", 60.0, timezone.now())
    assert second.since == first.since
    for subject in (review.answer, review):
        html = page(subject)
        words, moments = attempts(html)
        assert "the verifier asked to wait" in html
        assert words.startswith("Tried 2 times without a result. The last attempt was on ")
        assert "The next one is on " in words
        assert moments == [second.noted_at.isoformat(), second.due_at.isoformat()]


def test_what_was_given_up_says_so_until_it_is_judged_again(
    page: Callable[[Any], str], make_review: Callable[..., Any], make_run: Callable[..., DetectionRun]
) -> None:
    review = make_review()
    OwedVerification.note(review.run, "outage", 0.0, timezone.now()).give_up()
    for subject in (review.answer, review):
        html = page(subject)
        assert "Not verified: the verifier gave no result for this answer" in html
        assert attempts(html)[0].endswith("It is not tried again by itself.")
    make_run(review.answer)
    html = page(review.answer)
    assert "Not verified: " not in html
    assert attempts(html) == ("", [])


def test_whoever_judges_blind_learns_nothing_of_the_verifier(
    client: Client, reviewer: User, make_review: Callable[..., Any]
) -> None:
    review = make_review()
    type(review).objects.filter(pk=review.pk).update(blind=True)
    owed = OwedVerification.note(review.run, "outage", 0.0, timezone.now())
    client.force_login(reviewer)
    for ended in (False, True):
        if ended:
            owed.give_up()
        for address in (reverse("review", args=[review.pk]), reverse("answer", args=[review.answer_id])):
            html = client.get(address).content.decode()
            assert "Not verified" not in html
            assert attempts(html) == ("", [])


@pytest.mark.parametrize(
    ("language", "said"), [("he", "נעשו 3 ניסיונות ללא תוצאה."), ("zh-hans", "已尝试 3 次，均无结果。")]
)
def test_it_is_said_in_the_language_of_its_reader_with_every_moment_apart(
    page: Callable[[Any], str], senior: User, waiting: DetectionRun, language: str, said: str
) -> None:
    break_off(waiting, 3)
    Preferences.keep(senior, language=language)
    html = page(waiting.answer)
    assert attempts(html)[0].startswith(said)
    assert re.search(r"<bdi><time[^>]*>[^<]+</time></bdi>", html)
