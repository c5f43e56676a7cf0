"""From a posted newer answer to its review, by real detection: what was judged is suggested again (F25)."""

import pytest
from django.contrib.auth.models import User

from detection.models import Answer, ApiKey, DetectionRun
from reviews.lifecycle import intake
from reviews.models import HallucinationReview, ReviewPass, adopt_run, newer_run, replacement_of
from tests.faults import broker
from tests.faults.answers import SOURCE

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("APP-03"),
]
WRONG, WORSE, OCCUPANCY = "$9,999,999.00", "$8,888,888.00", "71.3%"
TEXT = f"📈 Net operating income was {WRONG} in Q3 2024 [S0]. Occupancy was {OCCUPANCY} [S0]. The tenant left in May."


@pytest.fixture(autouse=True)
def _empty_broker(db: None) -> None:
    broker.empty()


@pytest.fixture
def backend() -> ApiKey:
    """The backend that posts answers."""
    return ApiKey.issue("backend", ["submit"])[0]


def _detected(backend: ApiKey, text: str) -> DetectionRun:
    sources = [{"id": "S0", "text": SOURCE}]
    run = intake.submit(intake.Submission(answer=text, external_id="q-1", sources=sources), backend)
    broker.deliver()
    return DetectionRun.objects.get(pk=run.pk)


def _live(run: DetectionRun) -> HallucinationReview:
    return HallucinationReview.objects.get(run=run)


def _judge_all(review: HallucinationReview, user: User) -> None:
    for claim in review.to_decide():
        ReviewPass.decide(review, user, review.version, claim, "rejected", reason_code="wrong_value")


def test_a_newer_answer_with_one_changed_number_keeps_the_other_verdicts_as_suggestions(
    backend: ApiKey, reviewer: User
) -> None:
    older = _live(_detected(backend, TEXT))
    _judge_all(older, reviewer)
    ReviewPass.add_claim(
        older,
        reviewer,
        older.version,
        quote="in May",
        kind="date",
        verdict="corrected",
        corrected_value="in June",
    )
    result = older.run.result
    newer = _live(_detected(backend, TEXT.replace(WRONG, WORSE)))
    older.refresh_from_db()
    older.run.refresh_from_db()
    assert (older.state, older.replaced_by, replacement_of(older)) == ("void", newer.answer, newer)
    assert older.run.result == result
    mine = newer.pass_of(reviewer)
    assert mine is not None
    suggested = {given.claim.text: given.verdict for given in mine.suggestions().select_related("claim")}
    assert suggested[OCCUPANCY] == "rejected"
    assert suggested["in May"] == "corrected"
    assert not any(WORSE in text for text in suggested)
    assert mine.decided().count() == 0
    waiting = {claim.text for claim in newer.undecided(reviewer)}
    assert {WORSE, OCCUPANCY} <= waiting


def test_a_rescreened_review_keeps_its_claims_until_the_newer_run_is_taken_over(
    backend: ApiKey, reviewer: User
) -> None:
    review = _live(_detected(backend, TEXT))
    _judge_all(review, reviewer)
    run, judged = review.run, {claim.text for claim in review.to_decide()}
    again = intake.rescreen(Answer.objects.get())
    assert newer_run(review) is None
    broker.deliver()
    review.refresh_from_db()
    assert (review.run, newer_run(review)) == (run, again)
    adopt_run(review, reviewer, review.version)
    mine = review.pass_of(reviewer)
    assert mine is not None
    assert review.run == again
    assert {given.claim.text for given in mine.suggestions()} == judged
    assert {claim.text for claim in review.undecided(reviewer)} == judged
