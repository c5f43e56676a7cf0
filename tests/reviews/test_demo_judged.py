"""The demo when it has been judged: each answer is found to be what it is meant to be, and four weeks are settled."""

from collections import Counter
from collections.abc import Callable
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import override_settings
from django.utils import timezone

from detection.access import roles
from detection.core.types import CONCLUSIONS
from detection.core.verdict import concluded
from detection.models import Answer, ApiKey, Claim, DetectionRun
from reviews.demo.answers import demo_answers
from reviews.demo.people import DEMO_USERS
from reviews.models import HallucinationReview, ReviewEvent, ReviewPass

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("test_demo_judged")]
DEMO = {answer.name: answer for answer in demo_answers()}
WRONG = {name for name, answer in DEMO.items() if answer.wrong}
PAST = {name for name, answer in DEMO.items() if answer.past}
MISSED = {"demo-carmel-made_up", "demo-lotus-cause", "demo-oak-made_up"}
"""Wrong answers that the detectors let pass, as in any real queue."""
FALSE_ALARMS = {"demo-harbor-works", "demo-lotus-works", "demo-bamboo-works"}
"""Correct answers that they flag."""
BY_FIGURES = {
    "transposed",
    "period",
    "metric",
    "property",
    "scale",
    "inexact",
    "invented",
    "wrong_growth",
    "wrong_works",
}
"""Recipes in which a figure is wrong: the piece that is wrong is itself found wrong."""


@pytest.fixture(scope="module")
def said(shared_rows: Callable[[Callable[[], str]], str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """What seeding says that judges the demo here; everything unflagged that is new is audited."""
    folder = tmp_path_factory.mktemp("demo")

    def seed() -> str:
        out = StringIO()
        with override_settings(HALLU_VAR=folder, HALLU_AUDIT_BASE=1.0):
            call_command("seed_demo", now=True, stdout=out)
        return out.getvalue()

    return shared_rows(seed)


def words() -> Counter[str]:
    """How often each conclusion occurs."""
    return Counter(map(word_of, Claim.objects.all()))


def word_of(claim: Claim) -> str:
    """The conclusion of a claim."""
    return concluded(claim.kind, claim.status, claim.finding)


def runs() -> dict[str, DetectionRun]:
    """The runs by the names of their answers."""
    found = DetectionRun.objects.select_related("answer__query")
    return {str(run.answer.query.external_id): run for run in found}


@pytest.mark.requirement("APP-01")
@pytest.mark.budget(60)  # it judges the whole demo
def test_every_status_and_every_conclusion_occurs_in_three_languages(said: str) -> None:
    statuses = {"supported", "contradicted", "unsupported", "unverified", "not_checked"}
    assert set(Claim.objects.values_list("status", flat=True)) == statuses
    assert set(words()) == set(CONCLUSIONS)
    findings = set(Claim.objects.exclude(kind="statement").values_list("finding", flat=True))
    assert {
        "derived",
        "contradicted",
        "unbound",
        "not_found",
        "transposed",
        "scale",
        "off_period",
        "off_property",
        "off_metric",
    } <= findings
    assert set(Answer.objects.values_list("language", flat=True)) == {"en", "he", "zh"}
    assert Answer.objects.count() == len(DEMO)
    for name, role in DEMO_USERS.items():
        assert f"{name} / " in said
        assert role in roles(User.objects.get(username=name))
    assert ApiKey.find(said.split("API key")[1].split()[0]) is not None


@pytest.mark.usefixtures("said")
def test_wrong_answers_are_flagged_and_correct_ones_are_clear() -> None:
    flagged = {name for name, run in runs().items() if run.needs_review}
    assert WRONG - flagged <= MISSED
    assert flagged - WRONG <= FALSE_ALARMS


@pytest.mark.usefixtures("said")
def test_a_wrong_figure_is_found_where_it_stands() -> None:
    judged = runs()
    told = [name for name in WRONG if name.split("-", 2)[2] in BY_FIGURES]
    assert len(told) >= 12
    for name in told:
        claims = judged[name].claims.exclude(kind="statement")
        wrong = {claim.text for claim in claims if word_of(claim) == "wrong"}
        assert wrong == {DEMO[name].wrong}, name


@pytest.mark.usefixtures("said")
def test_four_weeks_are_settled_with_verdicts() -> None:
    past = HallucinationReview.objects.filter(answer__query__external_id__in=PAST)
    assert set(past.values_list("state", flat=True)) == {"resolved"}
    assert {"approved", "corrected", "rejected"} <= set(past.values_list("outcome", flat=True))
    weeks = {(timezone.now() - review.resolved_at).days // 7 for review in past if review.resolved_at}
    assert weeks == {0, 1, 2, 3}
    for review in past.select_related("answer__query"):
        assert review.resolved_at
        assert review.created_at < review.resolved_at < review.due_at
        wrong = bool(DEMO[str(review.answer.query.external_id)].wrong)
        assert (review.outcome in ("corrected", "rejected")) == wrong
        assert not ReviewEvent.broken_at(review)
    assert set(past.values_list("selection_reason", flat=True)) == {"flagged", "audit_random"}
    assert set(past.values_list("resolved_by__username", flat=True)) == {"dana", "noam"}
    assert ReviewPass.objects.filter(review__in=past, pass_no=2).count() >= 5


@pytest.mark.usefixtures("said")
def test_a_correction_puts_right_what_is_wrong() -> None:
    corrected = HallucinationReview.objects.filter(outcome="corrected").select_related("answer__query")
    assert corrected
    for review in corrected:
        demo = DEMO[str(review.answer.query.external_id)]
        assert review.corrected_answer == demo.answer.replace(demo.wrong, demo.right, 1)


@pytest.mark.usefixtures("said")
def test_what_is_new_waits_in_the_queue() -> None:
    waiting = HallucinationReview.objects.filter(state="open").select_related("answer__query")
    names = {str(review.answer.query.external_id) for review in waiting}
    assert names
    assert not names & PAST
    assert names & WRONG
    audits = HallucinationReview.objects.filter(selection_reason="audit_random")
    assert set(audits.values_list("blind", "run__needs_review")) == {(True, False)}
