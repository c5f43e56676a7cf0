"""The blind lane: an audit is told from a flagged answer by nothing that whoever judges it can reach (F22)."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from detection.models import Answer, DetectionRun
from reviews.chances import chance
from reviews.models import HallucinationReview, Lease, ReviewPass, Undecided, open_review, send_to_review
from reviews.models.states import AUDITS, SelectionReason
from tests.api_calls import Caller
from tests.conftest import NOI, OCCUPANCY, QUARTER
from tests.reviews import answers

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-05")]
Make = Callable[..., DetectionRun]
CLEAN = {NOI: False, OCCUPANCY: False, QUARTER: False}
QUIET: dict[str, Any] = {
    "result": {"verdict": {"risk_level": "low"}, "claims": []},
    "flagged": CLEAN,
    "needs_review": False,
    "has_hallucinations": False,
    "risk_level": "low",
    "risk_score": 0.0123,
    "adjusted_confidence": 0.9,
}
TOLD = ("Risk", "0.0123", "0.8", "0.70", "High", "Low", "audit", "Audit", "Flagged by", "flagged of all")


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def audit(make_run: Make) -> HallucinationReview:
    """The open audit of an answer in which nothing was found."""
    found = open_review(make_run(**QUIET), audit=(SelectionReason.AUDIT_RANDOM, 0.03))
    assert found is not None
    return found


@pytest.fixture
def mixed_in(make_run: Make, settings: Any) -> HallucinationReview:
    """A review of the same words, flagged by the detectors and judged blind."""
    settings.HALLU_BLIND_SHARE = 1.0
    found = open_review(make_run())
    settings.HALLU_BLIND_SHARE = 0.0
    assert found is not None
    return found


def page(user: User, path: str) -> str:
    response = browser(user).get(path)
    assert response.status_code == 200
    return str(response.content.decode())


def neutral(html: str, *reviews: HallucinationReview) -> str:
    """A page without what names one of ``reviews`` and nothing else: keys, tokens, times."""
    names = {str(review.pk) for review in reviews}
    for review in reviews:
        names |= {str(pk) for pk in review.run.claims.values_list("pk", flat=True)}
    html = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID", html)
    html = re.sub(r'value="[A-Za-z0-9]{30,}[^"]*"', "TOKEN", html)
    html = re.sub(r'(datetime|data-until)="[^"]*"|seen=\d+|due in [^<]*', "TIME", html)
    return re.sub(rf"(?<![0-9])({'|'.join(names)})(?![0-9])", "N", html)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_which_flagged_answers_are_mixed_in_is_told_by_their_hash(
    make_answer: Callable[..., Answer],
    make_review: Callable[..., HallucinationReview],
    settings: Any,
    share: float,
) -> None:
    settings.HALLU_BLIND_SHARE = share
    opened = [make_review(make_answer(f"Remark {'x' * n}"), flagged={}) for n in range(12)]
    expected = [chance(review.answer, "blind") < share for review in opened]
    assert [review.blind for review in opened] == expected
    assert share in (0.0, 1.0) or 0 < sum(expected) < 12
    assert {review.selection_reason for review in opened} == {"flagged"}


def test_what_a_person_sent_is_not_mixed_in(make_run: Make, reviewer: User, settings: Any) -> None:
    settings.HALLU_BLIND_SHARE = 1.0
    run = make_run(**QUIET)
    assert not send_to_review(run.answer, run, reviewer, "It looks odd.").blind


@pytest.mark.parametrize("held", [False, True])
def test_the_page_of_an_audit_and_of_a_flagged_answer_differ_in_nothing(
    audit: HallucinationReview, mixed_in: HallucinationReview, reviewer: User, held: bool
) -> None:
    HallucinationReview.objects.update(created_at=audit.created_at, due_at=audit.due_at, priority=2)
    seen = []
    for review in (audit, mixed_in):
        if held:
            Lease.take(review, reviewer)
        html = page(reviewer, f"/reviews/{review.pk}/")
        seen.append(neutral(html, audit, mixed_in))
        assert [
            word for word in TOLD if word in re.sub(r"<(script|head).*?</\1>", "", html, flags=re.DOTALL)
        ] == []
        Lease.release(review, reviewer)
    lines = [html.splitlines() for html in seen]
    assert [pair for pair in zip(*lines, strict=True) if len(set(pair)) > 1] == []


def test_the_row_of_an_audit_and_of_a_flagged_answer_differ_in_nothing(
    audit: HallucinationReview, mixed_in: HallucinationReview, reviewer: User
) -> None:
    HallucinationReview.objects.update(created_at=audit.created_at, due_at=audit.due_at, priority=2)
    html = page(reviewer, "/queue/")
    rows = re.findall(r'<tr data-testid="queue-row".*?</tr>', html, re.DOTALL)
    by_id = {int(re.search(r'data-review-id="(\d+)"', row)[1]): row for row in rows}  # type: ignore[index]
    one, other = (neutral(by_id[review.pk], audit, mixed_in) for review in (audit, mixed_in))
    assert one == other
    assert [word for word in TOLD if word in one] == []


@pytest.mark.parametrize("which", ["audit", "mixed_in"])
def test_every_claim_must_be_decided(which: str, reviewer: User, request: pytest.FixtureRequest) -> None:
    review: HallucinationReview = request.getfixturevalue(which)
    assert Lease.take(review, reviewer).blind
    for claim in list(review.to_decide())[:-1]:
        ReviewPass.decide(review, reviewer, review.version, claim, "supported")
    with pytest.raises(Undecided) as refused:
        review.resolve(reviewer, review.version, final_confidence=0.9)
    assert [claim.text for claim in refused.value.claims] == [QUARTER]
    ReviewPass.decide(review, reviewer, review.version, refused.value.claims[0], "supported")
    assert review.resolve(reviewer, review.version, final_confidence=0.9).outcome == "approved"


def test_a_false_alarm_gives_confidence_back_by_the_share_of_flagged_claims(
    mixed_in: HallucinationReview, reviewer: User
) -> None:
    """Original .9, automatic .7; of two flagged claims one was right."""
    Lease.take(mixed_in, reviewer)
    for claim in mixed_in.to_decide():
        wrong = claim.text == NOI
        ReviewPass.decide(mixed_in, reviewer, mixed_in.version, claim, "rejected" if wrong else "supported")
    assert mixed_in.proposed_confidence() == pytest.approx(0.8)


def test_next_serves_audits(audit: HallucinationReview, reviewer: User) -> None:
    response = browser(reviewer).post("/queue/next/")
    assert response.headers["Location"] == f"/reviews/{audit.pk}/"
    assert ReviewPass.objects.get(review=audit).blind


@pytest.mark.parametrize(
    "params",
    ["risk=low", "risk=moderate", "risk=high", "reason=audit_random", "reason=flagged", "kind=currency"],
)
def test_no_filter_of_the_queue_finds_the_blind_lane(
    audit: HallucinationReview, mixed_in: HallucinationReview, senior: User, params: str
) -> None:
    html = page(senior, f"/queue/?{params}")
    assert 'data-testid="queue-row"' not in html
    assert 'data-testid="queue-row"' in page(senior, "/queue/?language=en")


@pytest.mark.parametrize("name", ["reviewer", "senior"])
def test_the_pages_of_answers_tell_nothing_to_whoever_may_judge(
    audit: HallucinationReview, mixed_in: HallucinationReview, name: str, request: pytest.FixtureRequest
) -> None:
    person = request.getfixturevalue(name)
    for review in (audit, mixed_in):
        html = page(person, f"/answers/{review.answer_id}/")
        assert "Judged blind" in html
        assert [word for word in ("Risk:", "contradicted", "→ 0.7") if word in html] == []
    rows = re.findall(r'<tr data-testid="answer-row">.*?</tr>', page(person, "/answers/"), re.DOTALL)
    assert len(rows) == 2
    assert all("Blind" in row and "flagged of all" not in row and "→" not in row for row in rows)
    for risk in ("low", "high"):
        assert 'data-testid="answer-row"' not in page(person, f"/answers/?risk={risk}")


def test_whoever_cannot_judge_is_told(mixed_in: HallucinationReview, viewer: User) -> None:
    assert "Risk: high" in page(viewer, f"/answers/{mixed_in.answer_id}/").replace("High", "high")
    assert 'data-testid="answer-row"' in page(viewer, "/answers/?risk=high")


def test_everything_is_told_once_it_is_settled(mixed_in: HallucinationReview, reviewer: User) -> None:
    Lease.take(mixed_in, reviewer)
    for claim in mixed_in.to_decide():
        ReviewPass.decide(mixed_in, reviewer, mixed_in.version, claim, "supported")
    mixed_in.resolve(reviewer, mixed_in.version, final_confidence=0.9)
    assert "Judged blind" not in page(reviewer, f"/answers/{mixed_in.answer_id}/")
    assert "Risk score" in page(reviewer, f"/reviews/{mixed_in.pk}/history/")
    assert 'data-testid="queue-row"' in page(reviewer, "/queue/?state=resolved&reason=flagged")


def test_the_api_tells_a_reviewers_key_nothing_and_a_backends_all(
    audit: HallucinationReview, reviewer: User
) -> None:
    judge, backend = Caller("read", "review", user=reviewer), Caller("read", "review")
    hidden = judge.get(f"answers/{audit.answer_id}/").json()
    assert (hidden["verdict"], hidden["claims"]) == (None, [])
    assert hidden["review"] == {"id": audit.pk, "status": "open"}
    assert backend.get(f"answers/{audit.answer_id}/").json()["verdict"] == {"risk_level": "low"}
    for path in ("answers/", "reviews/"):
        rows = [caller.get(path).json()["results"][0] for caller in (judge, backend)]
        told = {
            n: [row[n] for row in rows] for n in ("verdict", "priority", "selection_reason") if n in rows[0]
        }
        assert all(mine is None and theirs is not None for mine, theirs in told.values()), told
    assert judge.get("answers/?risk_level=low").json()["results"] == []
    assert judge.get(f"reviews/?priority={rows[1]['priority']}").json()["results"] == []
    assert len(backend.get("answers/?risk_level=low").json()["results"]) == 1
    shown = judge.get(f"reviews/{audit.pk}/").json()
    assert (shown["selection_reason"], shown["automatic_confidence"], shown["undecided"]) == (
        None,
        None,
        [0, 1, 2],
    )


def test_history_and_log_tell_of_no_selection(
    audit: HallucinationReview, mixed_in: HallucinationReview, senior: User, make_user: Callable[..., User]
) -> None:
    secrets = ("audit_random", "Random audit", "Flagged by", "Risk", "0.0123", "risk_score")
    for path in (
        f"/reviews/{audit.pk}/history/",
        f"/reviews/{mixed_in.pk}/history/",
        "/audit/",
        "/audit/?kind=review",
    ):
        assert [word for word in secrets if word in _main(page(senior, path))] == [], path
    exported = b"".join(browser(senior).get("/audit/export/").streaming_content).decode()  # type: ignore[attr-defined]
    assert [word for word in secrets if word in exported] == []
    assert exported.count("opened") == 2
    admin = make_user("ada", "admin")
    assert "Random audit" in _main(page(admin, "/audit/?kind=review"))


def _main(html: str) -> str:
    """The page without the filters above its rows, which name all that there is."""
    return re.sub(r"<form.*?</form>", "", html[html.index("<main") :], flags=re.DOTALL)


def test_a_reopened_audit_is_judged_blind_and_whole_again(audit: HallucinationReview, senior: User) -> None:
    """And it stays the random sample that it was, or only audits judged right at once would be counted."""
    drawn = audit.selection_reason
    assert drawn in AUDITS
    Lease.take(audit, senior)
    for claim in audit.to_decide():
        ReviewPass.decide(audit, senior, audit.version, claim, "supported")
    audit.resolve(senior, audit.version, final_confidence=0.9)
    audit.reopen(senior, "I looked at the wrong quarter.")
    assert (audit.selection_reason, audit.blind, len(audit.to_decide())) == (drawn, True, 3)


def test_the_largest_answer_in_the_lane_is_shown_as_any_other(reviewer: User, settings: Any) -> None:
    settings.HALLU_BLIND_SHARE = 1.0
    review = answers.oak_plaza()
    html = page(reviewer, f"/reviews/{review.pk}/")
    assert "your judgement" in html
    assert json.dumps("contradicted") not in html
