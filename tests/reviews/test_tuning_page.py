"""The threshold workbench: its figures equal a plain reference, its gate, what it says when little is known."""

import re

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from benchmarks.labelled_claims import Population, build, write
from detection.core.thresholds import form_fields
from detection.models import DetectorReport, Property, PropertyGroup, ThresholdProfile
from reviews.models import ClaimVerdict, HallucinationReview
from tests.reviews.answers import person
from tests.reviews.workbench_page import block, page, slot

pytestmark = pytest.mark.django_db
CLAIMS = 5


@pytest.fixture
def as_admin() -> Client:
    client = Client()
    client.force_login(person("avi", "admin"))
    return client


@pytest.fixture
def as_senior() -> Client:
    client = Client()
    client.force_login(person("sara", "senior"))
    return client


def by_hand(drawn: list[float], wrong: list[bool], audited: int = 0) -> Population:
    """One claim an answer; the first ``audited`` of them were audited."""
    answers = len(drawn)
    return Population(
        np.array(drawn)[:, None],
        np.array(wrong)[:, None],
        np.arange(answers) < audited,
        np.zeros(answers, np.int64),
        1.0,
        np.zeros(answers, np.int64),
    )


@pytest.mark.parametrize(("labelled", "gate"), [(29, "closed"), (30, "open")])
def test_the_gate_opens_with_thirty_labels_in_the_band(as_admin: Client, labelled: int, gate: str) -> None:
    in_band, beyond = [0.06] * labelled, [0.2] * 5
    write(by_hand([0.001] * 100 + in_band + beyond, [False] * (100 + labelled) + [True] * 5, audited=100))
    html = page(as_admin, value="8")
    assert f'data-gate="{gate}"' in html
    said = slot(html, "gate")
    assert said.startswith("May be activated." if gate == "open" else "Needs a second administrator.")
    assert str(labelled) in said


def test_a_change_that_only_flags_more_passes_the_gate(as_admin: Client) -> None:
    write(by_hand([0.001, 0.04, 0.2], [False, False, True], audited=1))
    html = page(as_admin, value="3")
    assert 'data-gate="open"' in html


def test_without_an_answer_the_page_says_so(as_senior: Client) -> None:
    html = page(as_senior)
    assert "No answers in these days" in html
    assert 'id="curve"' not in html


def test_without_a_verdict_only_counts_are_known(as_senior: Client) -> None:
    drawn = build(60, CLAIMS, labelled=False)
    html = page(as_senior, value="3")
    assert "No answer of these days has a verdict yet" in html
    newly = drawn.flagged_at(0.03) & ~drawn.flagged
    assert slot(html, "more").startswith(f"+{newly.sum()} answer")
    assert slot(html, "precision") == "–"
    assert slot(html, "cost") == "–"
    points = block(html)
    assert set(points["recall"]) == {None}
    assert points["optimum"] is None


def test_one_class_only_is_told(as_senior: Client) -> None:
    write(by_hand([0.2] * 12, [True] * 12))
    assert "All answers with a verdict (n = 12) have the same one" in page(as_senior)


def test_equal_scores_are_told(as_senior: Client) -> None:
    write(by_hand([0.2] * 6, [True, False] * 3))
    assert "Every score behind this threshold is the same" in page(as_senior)


def test_numbers_without_a_score_break_nothing(as_senior: Client) -> None:
    write(by_hand([0.2, 0.01, 0.07], [True, False, True], audited=3))
    for report in DetectorReport.objects.all():
        assert report.measurements
        for number in report.measurements["claims"].values():
            number["candidates"] = []
        report.save()
    html = page(as_senior, value="3")
    assert "NaN" not in html
    assert block(html)["texts"]["more"]


def test_only_answers_that_a_person_may_see_count(as_senior: Client) -> None:
    build(40, CLAIMS)
    group = PropertyGroup.objects.create(name="Others")
    group.properties.add(Property.objects.get(code="OAK"))
    assert "No answers in these days" in page(as_senior)
    group.members.add(User.objects.get(username="sara"))
    assert "40 answers in 30 days" in page(as_senior)


def test_every_threshold_is_listed_with_its_value(as_senior: Client) -> None:
    build(40, CLAIMS)
    html = page(as_senior)
    declared = {each.name: each.metadata["phase"] for each in form_fields()}
    listed = re.findall(r'data-testid="knob" data-name="(\w+)"', html)
    assert sorted(listed) == sorted(name for name, phase in declared.items() if phase == "decide")
    still = html.split("Needs a shadow run")[1]
    assert all(name.replace("_", " ") in still for name, phase in declared.items() if phase != "decide")


@pytest.mark.parametrize(
    "name",
    ["verify_currency", "citation_ratio_rule", "target_by_method", "indicator_phrases", "uncited_high"],
)
def test_switches_choices_and_lists_have_a_page(as_senior: Client, name: str) -> None:
    build(40, CLAIMS)
    page(as_senior, threshold=name)


def test_a_switch_has_two_points(as_senior: Client) -> None:
    drawn = build(60, CLAIMS)
    html = page(as_senior, threshold="verify_currency", value="false")
    assert block(html)["sent"] == ["false", "true"]
    assert slot(html, "change") == "on → off"
    assert slot(html, "fewer").startswith(f"−{drawn.flagged.sum()} ")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"value": "400"}, "Give a number from 0 to 100."),
        ({"value": "nan"}, "Give a number from 0 to 100."),
        ({"value": "many"}, "Give a number from 0 to 100."),
        ({"threshold": "no_such"}, "no_such"),
        ({"threshold": "verify_dates", "value": "maybe"}, "Choose one of the values offered."),
        ({"days": "31"}, "31"),
    ],
    ids=str,
)
def test_what_cannot_be_read_is_refused_with_the_reason(
    as_senior: Client, asked: dict[str, str], said: str
) -> None:
    html = page(as_senior, 422, **asked)
    assert said in html.split('data-testid="form-error"')[1].split("</p>")[0]


def test_a_value_is_saved_as_a_draft_on_top_of_the_version_in_use(as_admin: Client) -> None:
    build(40, CLAIMS)
    response = as_admin.post(reverse("tuning-draft"), {"value": "3", "note": "tighter"})
    made = ThresholdProfile.objects.get(state="draft")
    assert made.values["base"] == {"exact_numbers": False, "currency_tolerance": 3.0}
    assert made.note == "tighter"
    assert response.status_code == 302
    html = page(as_admin)
    points = block(html)
    assert points["x"][points["draft"]] == 3


def test_a_shadow_is_started_from_the_card(as_admin: Client) -> None:
    build(40, CLAIMS)
    as_admin.post(reverse("tuning-draft"), {"value": "4", "then": "shadow"})
    assert ThresholdProfile.objects.get(values__base__currency_tolerance=4.0).state == "shadow"


def test_a_value_out_of_bounds_is_never_saved(as_admin: Client) -> None:
    response = as_admin.post(reverse("tuning-draft"), {"value": "400"})
    assert response.status_code == 422
    assert ThresholdProfile.objects.count() == 1


def test_more_audits_are_queued_among_the_answers_that_would_be_flagged(as_admin: Client) -> None:
    write(by_hand([0.04] * 50 + [0.2] * 4, [False] * 50 + [True] * 4, audited=10))
    html = page(as_admin, value="3")
    assert slot(html, "audits") == "Queue 20 more audits"
    before = set(HallucinationReview.objects.values_list("pk", flat=True))
    as_admin.post(reverse("tuning-audits"), {"value": "3"})
    opened = HallucinationReview.objects.exclude(pk__in=before)
    assert opened.count() == 20
    assert not ClaimVerdict.objects.filter(review_pass__review__in=opened).exists()
    as_admin.post(reverse("tuning-audits"), {"value": "3"})
    assert opened.count() == 20


def test_an_answer_that_waits_to_be_judged_blind_is_not_listed(as_admin: Client, as_senior: Client) -> None:
    write(by_hand([0.04] * 35 + [0.2] * 4, [False] * 35 + [True] * 4, audited=10))
    as_admin.post(reverse("tuning-audits"), {"value": "3"})
    waiting = set(HallucinationReview.objects.filter(state="open", blind=True).values_list("run", flat=True))
    lists = [client.get(reverse("tuning-changes"), {"value": "3"}) for client in (as_admin, as_senior)]
    whole, told = (
        {int(run) for run in re.findall(r'data-run="(\d+)"', html.content.decode())} for html in lists
    )
    assert len(waiting) == 20
    assert waiting <= whole
    assert told == whole - waiting


def test_a_shadow_that_finds_no_place_leaves_no_draft(as_admin: Client) -> None:
    build(40, CLAIMS)
    for _ in range(2):
        ThresholdProfile.draft({"base": {"overlap": 0.4}}).shadow()
    refused = as_admin.post(reverse("tuning-draft"), {"value": "3", "then": "shadow"})
    assert refused.status_code == 422
    assert ThresholdProfile.objects.filter(state="draft").count() == 0


@pytest.mark.parametrize("role", ["viewer", "reviewer"])
def test_others_are_told_whose_it_is(role: str) -> None:
    client = Client()
    client.force_login(person("rita", role))
    assert "Thresholds are for seniors and administrators." in page(client, 403)


def test_a_senior_reads_and_changes_nothing(as_senior: Client) -> None:
    build(40, CLAIMS)
    versions = ThresholdProfile.objects.count()
    html = page(as_senior)
    assert "Administrators change thresholds." in html
    assert reverse("tuning-draft") not in html
    response = as_senior.post(reverse("tuning-draft"), {"value": "3"})
    assert response.status_code == 403
    assert ThresholdProfile.objects.count() == versions
