"""The calibration page and its API: what they show of judged answers, who changes maps, what is refused and why."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from detection.models import CalibrationMap, DetectionRun, Property, PropertyGroup
from reviews.calibration import figures, fitting
from reviews.models import ClaimVerdict, HallucinationReview, ReviewPass
from tests.api_calls import Caller
from tests.calibration_maps import drafted
from tests.reviews.answers import oak_plaza, person
from tests.reviews.judged_answers import judged_answers

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def as_senior() -> Client:
    return signed_in(person("sara", "senior"))


@pytest.fixture
def as_admin() -> Client:
    return signed_in(person("avi", "admin"))


def page(client: Client, status: int = 200, **asked: Any) -> str:
    response = client.get(reverse("calibration"), asked)
    assert response.status_code == status
    return response.content.decode()


def sent(client: Client, name: str, *args: Any, **given: Any) -> Any:
    return client.post(reverse(name, args=args), given)


def fault(response: Any) -> str:
    found = re.search(r'data-testid="form-error">(.*?)</p>', response.content.decode())
    assert found
    return found[1]


def diagram(html: str, title: str) -> str:
    """The figure with a title."""
    return next(part for part in html.split('data-testid="diagram"') if f"<h3>{title}</h3>" in part)


def all_of(user: User) -> figures.Seen:
    today = timezone.now().date()
    return figures.seen(user, today - timedelta(days=84), today)


# --- what is shown ----------------------------------------------------------------------------------
def test_without_labels_it_says_how_many_are_needed(as_senior: Client) -> None:
    assert "0 of 200 labels" in page(as_senior)
    runs = judged_answers(3)
    ClaimVerdict.objects.all().delete()
    html = page(as_senior)
    assert "0 of 200 labels" in html
    assert f"{len(runs)} answers were judged by detectors in these days, none by people." in html
    assert "%" not in html.split('data-testid="empty"')[1].split("</section>")[0]


def test_automatic_final_and_statement_figures_are_those_reckoned_plainly(as_senior: Client) -> None:
    judged_answers(120)
    found = all_of(person("all", "senior"))
    wrong = found.labels.answer == 1
    weight, said = found.labels.weight, found.said.delivered
    brier = float((weight * (said - ~wrong) ** 2).sum() / weight.sum())
    html = page(as_senior)
    assert re.search(rf"<bdi dir=\"ltr\">{brier:.3f} \(", diagram(html, "Automatic confidence"))
    assert figures.reliability(found)["automatic"].brier.value == pytest.approx(brier)
    assert figures.reliability(found)["final"].n == 120
    assert figures.reliability(found)["p1"].n == 120
    assert '<dd><bdi dir="ltr">120</bdi></dd>' in diagram(html, "Probability of statements")


def test_audited_answers_count_for_those_they_stand_for() -> None:
    judged_answers(120)
    unseen = judged_answers(60, seed=7)
    HallucinationReview.objects.filter(run__in=unseen).exclude(run__needs_review=True).update(
        state="open", outcome="", resolved_at=None
    )
    found = all_of(person("all", "senior"))
    audited = found.labels.audited
    assert audited.any()
    assert found.labels.weight[audited].sum() == pytest.approx((found.labels.stratum > 0).sum())


def test_a_bin_is_told_in_words_with_its_number(as_senior: Client) -> None:
    judged_answers(120)
    html = page(as_senior)
    assert re.search(
        r'data-testid="sentence">When the system says 0\.\d\d–\d\.\d\d, reviewers agree \d+ % of the time \(n = 1\d\)\.<',
        html,
    )
    assert "When the system" not in diagram(html, "Final confidence")


def test_diagrams_by_kind_and_by_language_come_on_demand(as_senior: Client) -> None:
    judged_answers(40)
    assert 'data-testid="groups"' not in page(as_senior)
    by_kind = page(as_senior, by="kind").split('data-testid="groups"')[1].split('data-testid="agreement"')[0]
    assert re.findall(r"<h3>(.*?)</h3>", by_kind) == ["Statement", "Currency"]
    by_language = (
        page(as_senior, by="language").split('data-testid="groups"')[1].split('data-testid="agreement"')[0]
    )
    assert re.findall(r"<h3>(.*?)</h3>", by_language) == ["English", "Hebrew"]


def test_right_claims_of_a_kind_are_right_whatever_others_are() -> None:
    judged_answers(40)
    by_kind = figures.by_kind(all_of(person("all", "senior")))
    assert {one.share for one in by_kind["statement"].bins} == {1.0}
    assert min(one.share for one in by_kind["currency"].bins) < 1.0


def test_detectors_and_people_are_counted_against_each_other(as_senior: Client) -> None:
    judged_answers(60)
    counted = {
        (flagged, wrong): ClaimVerdict.objects.filter(
            claim__flagged=flagged, verdict="rejected" if wrong else "supported"
        ).count()
        for flagged in (False, True)
        for wrong in (False, True)
    }
    found = figures.agreement(all_of(person("all", "senior")))
    assert found.counts == tuple(tuple(counted[f, w] for w in (False, True)) for f in (False, True))
    total = sum(counted.values())
    seen = (counted[True, True] + counted[False, False]) / total
    flags, wrongs = counted[True, True] + counted[True, False], counted[True, True] + counted[False, True]
    chance = (flags * wrongs + (total - flags) * (total - wrongs)) / total**2
    assert found.kappa.value == pytest.approx((seen - chance) / (1 - chance))
    html = page(as_senior).split('data-testid="agreement"')[1]
    assert f'<bdi dir="ltr">{total}</bdi>' in html


def test_where_they_differ_missed_errors_come_first_with_their_reviews(as_senior: Client) -> None:
    judged_answers(60)
    told = re.findall(
        r'data-testid="difference"><span class="chip (\w+)">.*?href="/reviews/(\d+)/"', page(as_senior)
    )
    assert len(told) == 2 * figures.MOST_DISAGREEMENTS
    assert [tone for tone, _ in told] == sorted(tone for tone, _ in told)
    missed = ClaimVerdict.objects.filter(claim__flagged=False, verdict="rejected")
    newest = missed.order_by("-claim__run_id").values_list("review_pass__review", flat=True)
    assert [int(pk) for tone, pk in told if tone == "bad"] == list(
        newest[: len([1 for t, _ in told if t == "bad"])]
    )


def test_fewer_than_30_claims_are_too_few_to_agree(as_senior: Client) -> None:
    judged_answers(10)
    assert "too few" in page(as_senior)
    judged_answers(10, seed=2)
    assert "too few" not in page(as_senior)


def test_weeks_are_shown_with_their_control_limits(as_senior: Client) -> None:
    judged_answers(120)
    html = page(as_senior)
    drifts = html.split('data-testid="drift"')[1:]
    assert ["Precision by week" in drifts[0], "Wrong among audited by week" in drifts[1]] == [True, True]
    assert all("three standard errors" in part for part in drifts)
    assert 9 <= drifts[0].count("<tr>") - 1 <= 10


@pytest.mark.parametrize(
    ("asked", "left"), [({"language": "he"}, 20), ({"language": "zh"}, 0), ({"property": "OAK"}, 0)]
)
def test_filters_narrow_what_is_counted(asked: dict[str, Any], left: int, as_senior: Client) -> None:
    judged_answers(40)
    html = page(as_senior, **asked)
    assert (f"{left} judged answers" in html) == bool(left)
    assert ("0 of 200 labels" in html.split('data-testid="maps"')[0]) == (not left)


def test_impossible_days_are_named(as_senior: Client) -> None:
    impossible: dict[str, Any] = {"from": "2024-02-31"}
    assert re.search(r'data-testid="faults".*<li>From: ', page(as_senior, **impossible))


def test_a_person_sees_the_figures_of_their_properties_only(as_senior: Client) -> None:
    oak = Property.objects.create(code="OAK", name="Oak")
    judged_answers(30, about=oak)
    assert "30 judged answers" in page(as_senior)
    group = PropertyGroup.objects.create(name="east")
    oak.groups.add(group)
    assert 'data-testid="empty"' in page(as_senior)
    assert ">OAK<" not in page(as_senior)
    User.objects.get(username="sara").property_groups.add(group)
    assert "30 judged answers" in page(as_senior)


def test_the_page_asks_as_many_queries_for_many_answers_as_for_few(as_senior: Client) -> None:
    def asked() -> int:
        page(as_senior)
        with CaptureQueriesContext(connection) as counted:
            page(as_senior)
        return len(counted)

    judged_answers(20)
    few = asked()
    judged_answers(120, seed=2)
    assert asked() <= few + 2


# --- maps -------------------------------------------------------------------------------------------
def test_an_administrator_fits_activates_and_deactivates_a_map(as_admin: Client) -> None:
    judged_answers(320)
    html = page(as_admin)
    assert "Fit an isotonic map" in html
    assert sent(as_admin, "calibration-fit", verifier="rules", method="isotonic").status_code == 302
    made = CalibrationMap.objects.get()
    assert (made.state, made.version, made.created_by) == ("draft", 1, User.objects.get(username="avi"))
    assert made.fitted_n + made.reported_n == 320
    assert made.fitted_to < made.reported_from
    before, after = (made.report[name]["ece"]["value"] for name in ("before", "after"))
    assert after < before
    html = page(as_admin)
    assert f"{before:.3f} (" in html
    assert f"{after:.3f} (" in html
    sent(as_admin, "calibration-activate", made.pk, reason="better")
    assert CalibrationMap.active("rules") == made
    sent(as_admin, "calibration-deactivate", made.pk, reason="worse", instead_of=made.pk)
    assert CalibrationMap.active("rules") is None
    assert [event.reason for event in made.events.order_by("seq")] == ["", "better", "worse"]


def test_the_days_that_are_shown_are_the_days_that_are_fitted(as_admin: Client) -> None:
    judged_answers(400)
    first = timezone.now().date() - timedelta(days=45)
    answered = sent(
        as_admin, "calibration-fit", verifier="rules", method="platt", **{"from": first.isoformat()}
    )
    assert f"from={first}" in answered["Location"]
    made = CalibrationMap.objects.get()
    assert (made.method, made.fitted_from >= first) == ("platt", True)


def test_too_few_labels_are_named_and_no_map_is_offered(as_admin: Client) -> None:
    judged_answers(150)
    assert "150 of 200 labels" in page(as_admin)
    assert "Fit an isotonic map" not in page(as_admin)
    refused = sent(as_admin, "calibration-fit", verifier="rules", method="isotonic")
    assert (refused.status_code, fault(refused)) == (422, "150 of 200 labels on the days to fit on.")


def test_labels_that_are_enough_in_all_may_be_too_few_to_fit_on(as_admin: Client) -> None:
    judged_answers(220)
    refused = sent(as_admin, "calibration-fit", verifier="rules", method="isotonic")
    assert re.fullmatch(r"1\d\d of 200 labels on the days to fit on\.", fault(refused))


def test_labels_of_another_verifier_do_not_count(as_admin: Client) -> None:
    judged_answers(300)
    judged_answers(20, verifier="local · f · 1", seed=2)
    html = page(as_admin)
    assert "20 of 200 labels" in html
    refused = sent(as_admin, "calibration-fit", verifier="local · f · 1", method="platt")
    assert fault(refused).startswith("20 of 200 labels")


def test_of_two_who_activate_at_once_the_second_gets_409(as_admin: Client) -> None:
    first, second = drafted(), drafted()
    assert sent(as_admin, "calibration-activate", first.pk, reason="a", instead_of="").status_code == 302
    late = sent(as_admin, "calibration-activate", second.pk, reason="b", instead_of="")
    assert late.status_code == 409
    assert "meanwhile" in fault(late)
    assert CalibrationMap.active("rules") == first


def test_a_change_without_a_reason_is_refused(as_admin: Client) -> None:
    refused = sent(as_admin, "calibration-activate", drafted().pk, reason=" ")
    assert (refused.status_code, fault(refused)) == (422, "Say why.")
    assert CalibrationMap.active("rules") is None


def test_a_senior_reads_maps_and_changes_none(as_senior: Client) -> None:
    made = drafted()
    judged_answers(210)
    html = page(as_senior)
    assert 'data-testid="map"' in html
    assert "Fit an isotonic map" not in html
    assert "/activate/" not in html
    assert sent(as_senior, "calibration-activate", made.pk, reason="x").status_code == 403


def test_maps_are_fitted_to_raw_confidences_not_to_calibrated_ones() -> None:
    judged_answers(300)
    DetectionRun.objects.update(adjusted_confidence=0.5)
    admin = person("avi", "admin")
    first, last = timezone.now() - timedelta(days=80), timezone.now()
    made = fitting.fit(admin, "rules", "isotonic", first, last)
    assert len(made.coefficients["at"]) > 2


def test_runs_from_before_raw_confidences_were_stored_count_with_theirs() -> None:
    judged_answers(300)
    DetectionRun.objects.update(raw_confidence=None)
    found = all_of(person("all", "senior"))
    assert (found.said.raw == found.said.delivered).all()


def test_the_raw_confidence_is_shown_beside_the_calibrated_one(as_senior: Client) -> None:
    review = oak_plaza()
    here = (
        reverse("review", args=[review.pk]),
        reverse("answer", args=[review.answer_id]),
        reverse("answers"),
    )
    assert not any("0.87" in as_senior.get(url).content.decode() for url in here)
    DetectionRun.objects.filter(pk=review.run_id).update(raw_confidence=0.87, calibration=drafted())
    decided(review, User.objects.get(username="sara"))
    shown = [as_senior.get(url).content.decode() for url in here]
    assert all('raw <bdi dir="ltr">0.87</bdi>' in html for html in shown[:2])
    assert "0.95 → 0.87 → 0.76" in shown[2]


def decided(review: HallucinationReview, reviewer: User) -> None:
    """Every claim has its verdict and the review is over."""
    for claim in review.to_decide():
        ReviewPass.decide(review, reviewer, review.version, claim, "supported")
    review.resolve(reviewer, review.version, final_confidence=0.5)


# --- the API ----------------------------------------------------------------------------------------
def test_the_api_tells_the_same_figures(as_senior: Client) -> None:
    judged_answers(60)
    made = drafted()
    told = Caller("read").get("calibration/?by=language").json()
    found = all_of(person("all", "senior"))
    reliability = figures.reliability(found)["automatic"]
    assert told["labels"] == 60
    assert told["confidence"]["automatic"]["ece"]["value"] == pytest.approx(reliability.ece.value)
    assert len(told["confidence"]["automatic"]["bins"]) == len(reliability.bins)
    assert set(told["by"]) == {"en", "he"}
    assert told["agreement"]["counts"] == [list(row) for row in figures.agreement(found).counts]
    assert told["maps"][0]["id"] == made.pk
    assert sum(week["n"] for week in told["drift"]["precision"]["weeks"]) == int(
        (found.labels.stratum == 0).sum()
    )


def test_a_key_sees_the_figures_of_its_properties_only() -> None:
    oak = Property.objects.create(code="OAK", name="Oak")
    judged_answers(10, about=oak)
    judged_answers(15, seed=2)
    caller = Caller("read").bound_to(oak)
    assert caller.get("calibration/").json()["labels"] == 10
    assert caller.get("calibration/?from=nowhere").status_code == 422
    assert Caller("submit").get("calibration/").status_code == 403


def test_without_answers_the_api_has_nulls() -> None:
    told = Caller("read").get("calibration/").json()
    assert told["confidence"]["automatic"] == {
        "n": 0,
        "ece": {"value": None, "low": None, "high": None, "n": 0},
        "brier": {"value": None, "low": None, "high": None, "n": 0},
        "bins": [],
    }
