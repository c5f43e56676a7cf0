"""Which unflagged answers are audited: by their own hash, with a probability that is kept and never changes (F22)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import Error, connection, transaction
from django.test.utils import CaptureQueriesContext

from detection.models import ApiKey, DetectionRun, ThresholdProfile
from reviews.chances import chance
from reviews.lifecycle import intake, sampling
from reviews.lifecycle.sampling import more_audits, probabilities
from reviews.models import AuditDraw, HallucinationReview, Lease, NotAllowed, ReviewPass
from reviews.toolkit import screen_now

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-05")]
SOURCE = {"id": "S0", "text": "Net operating income for Q3 2024 was $1,000,000. The lobby was repainted."}
FAST = ("numeric", "citation", "grounding")


@pytest.fixture(autouse=True)
def rates(settings: Any) -> Iterator[Callable[..., None]]:
    """``rates(base=0.5)``: the rates of the strata; none before that. Labels are counted anew in each test."""

    def given(base: float = 0.0, boundary: float = 0.0, new: float = 0.0) -> None:
        settings.HALLU_AUDIT_BASE = base
        settings.HALLU_AUDIT_BOUNDARY = boundary
        settings.HALLU_AUDIT_NEW = new

    given()
    sampling.forget()
    yield given
    sampling.forget()


def judged(text: str, **fields: Any) -> DetectionRun:
    """A finished live run of an answer; the caller is ``fields["caller"]``."""
    caller = fields.pop("caller", None)
    submission = intake.Submission(
        answer=text, question="What was NOI?", sources=[SOURCE], detectors=FAST, language="en", **fields
    )
    run = intake.submit(submission, caller)
    screen_now(run)
    return run


def plain(n: int) -> DetectionRun:
    """An answer that nothing speaks against."""
    return judged(f"The lobby was repainted [S0]. That is remark {'x' * n}.")


def decision(run: DetectionRun) -> tuple[str, float | None]:
    return run.audit_stratum, run.audit_probability


def audited(runs: Sequence[DetectionRun]) -> set[int]:
    return set(HallucinationReview.objects.filter(run__in=runs).values_list("run_id", flat=True))


def test_every_unflagged_answer_keeps_its_decision_and_the_hash_says_which_are_audited(
    rates: Callable[..., None],
) -> None:
    rates(base=0.3)
    runs = [plain(n) for n in range(20)]
    assert {decision(run) for run in runs} == {("base", 0.3)}
    chosen = {run.pk for run in runs if chance(run.answer, "audit") < 0.3}
    assert 0 < len(chosen) < 20
    assert audited(runs) == chosen
    reviews = HallucinationReview.objects.values_list("selection_reason", "selection_probability", "blind")
    assert set(reviews) == {("audit_random", 0.3, True)}


@pytest.mark.parametrize(("rate", "opened"), [(0.0, 0), (1.0, 5)])
def test_a_rate_of_nothing_audits_none_and_of_one_all(
    rates: Callable[..., None], rate: float, opened: int
) -> None:
    rates(base=rate)
    assert len(audited([plain(n) for n in range(5)])) == opened


def test_the_same_answer_draws_the_same_lot_again(rates: Callable[..., None]) -> None:
    rates(base=0.5)
    for n in range(8):
        once, again = plain(n), plain(n)
        assert chance(once.answer, "audit") == chance(again.answer, "audit")
        assert len(audited([once, again])) in (0, 2)


def test_a_query_that_has_an_id_is_told_by_it_and_its_caller(rates: Callable[..., None]) -> None:
    first, _ = ApiKey.issue("first", ["submit"])
    second, _ = ApiKey.issue("second", ["submit"])
    asked = judged("The lobby was repainted [S0].", external_id="nlq-1", caller=first)
    later = judged("It was repainted in June [S0].", external_id="nlq-1", caller=first)
    other = judged("The lobby was repainted [S0].", external_id="nlq-1", caller=second)
    lots = [chance(run.answer, "audit") for run in (asked, later, other)]
    assert lots[0] == lots[1] != lots[2]


def test_another_salt_draws_other_lots(settings: Any) -> None:
    run = plain(1)
    before = chance(run.answer, "audit")
    settings.HALLU_AUDIT_SALT = "secret"
    assert chance(run.answer, "audit") != before != chance(run.answer, "blind")


def test_what_is_flagged_is_not_drawn(rates: Callable[..., None]) -> None:
    rates(base=1.0)
    run = judged("Net operating income was $1,300,000 in Q3 2024 [S0].")
    assert decision(run) == ("", None)
    review = HallucinationReview.objects.get(run=run)
    assert (review.selection_reason, review.selection_probability) == ("flagged", 1.0)


@pytest.mark.usefixtures("tolerant")
@pytest.mark.parametrize(
    ("figure", "stratum"), [("1,000,000", "base"), ("1,030,000", "base"), ("1,045,000", "boundary")]
)
def test_a_figure_in_the_last_fifth_of_its_tolerance_is_near_the_boundary(
    rates: Callable[..., None], figure: str, stratum: str
) -> None:
    rates(base=0.1, boundary=1.0)
    run = judged(f"Net operating income was ${figure} in Q3 2024 [S0].")
    assert decision(run) == (stratum, {"base": 0.1, "boundary": 1.0}[stratum])
    if stratum == "boundary":
        review = HallucinationReview.objects.get(run=run)
        assert (review.selection_reason, review.selection_probability) == ("audit_boundary", 1.0)


@pytest.mark.usefixtures("tolerant")
def test_of_two_strata_the_one_with_the_higher_rate_counts(rates: Callable[..., None]) -> None:
    rates(base=0.5, boundary=0.2)
    run = judged("Net operating income was $1,045,000 in Q3 2024 [S0].")
    assert decision(run) == ("base", 0.5)


def test_a_language_and_a_kind_of_claim_are_new_until_enough_of_them_are_labelled(
    rates: Callable[..., None], reviewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "ENOUGH", 1)
    rates(base=0.1, new=1.0)
    run = plain(1)
    assert decision(run) == ("new", 1.0)
    review = HallucinationReview.objects.get(run=run)
    assert review.selection_reason == "audit_stratum"
    Lease.take(review, reviewer)
    for claim in review.to_decide():
        ReviewPass.decide(review, reviewer, review.version, claim, "supported")
    review.resolve(reviewer, review.version, final_confidence=None)
    sampling.forget()
    assert decision(plain(2)) == ("base", 0.1)
    assert decision(judged("Net operating income was $1,000,000 [S0].")) == ("new", 1.0), "no sum yet"


def test_labels_are_counted_once_a_minute(
    rates: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "FRESH", 10**9)
    rates(base=0.1, new=0.2)
    plain(1)
    with CaptureQueriesContext(connection) as queries:
        plain(2)
    assert not [q for q in queries if "claimverdict" in q["sql"] and "COUNT" in q["sql"]]


def test_an_answer_that_is_judged_again_is_not_drawn_again(rates: Callable[..., None]) -> None:
    run = plain(1)
    rates(base=1.0)
    again = intake.rescreen(run.answer)
    screen_now(again)
    assert (decision(run), decision(again)) == (("base", 0.0), ("", None))
    assert not audited([run, again])


def test_a_superseded_answer_keeps_its_decision_and_opens_nothing(rates: Callable[..., None]) -> None:
    rates(base=1.0)
    key, _ = ApiKey.issue("backend", ["submit"])
    asked: Mapping[str, Any] = {"external_id": "nlq-1", "sources": [SOURCE], "detectors": FAST}
    old, new = (
        intake.submit(intake.Submission(answer=text, **asked), key)
        for text in ("The lobby was repainted [S0].", "It was repainted in June [S0].")
    )
    screen_now(old)
    screen_now(new)
    assert decision(old) == decision(new) == ("base", 1.0)
    assert audited([old, new]) == {new.pk}


def test_an_audit_ends_when_a_newer_answer_comes(rates: Callable[..., None]) -> None:
    rates(base=1.0)
    key, _ = ApiKey.issue("backend", ["submit"])
    old = judged("The lobby was repainted [S0].", external_id="nlq-1", caller=key)
    new = judged("It was repainted in June [S0].", external_id="nlq-1", caller=key)
    states = [HallucinationReview.objects.get(run=run).state for run in (old, new)]
    assert states == ["void", "open"]


def test_a_profile_that_opens_no_reviews_opens_no_audits(rates: Callable[..., None]) -> None:
    rates(base=1.0)
    ThresholdProfile.objects.filter(state="active").update(state="retired")
    ThresholdProfile.objects.create(
        version=2, values={"base": {"review_queue_enabled": False}}, state="active"
    )
    run = plain(1)
    assert (decision(run), audited([run])) == (("", None), set())


def test_a_decision_never_changes(rates: Callable[..., None]) -> None:
    run = plain(1)
    for changed in ({"audit_probability": 0.9}, {"audit_stratum": "boundary"}):
        with pytest.raises(Error, match="must not change"), transaction.atomic():
            DetectionRun.objects.filter(pk=run.pk).update(**changed)


def test_most_audits_wait_among_the_least_urgent_and_some_do_not(rates: Callable[..., None]) -> None:
    rates(base=1.0)
    runs = [plain(n) for n in range(40)]
    lots = [chance(run.answer, "priority") for run in runs]
    expected = [0 if lot < 0.05 else 1 if lot < 0.2 else 2 for lot in lots]
    found = (
        HallucinationReview.objects.filter(run__in=runs).order_by("run_id").values_list("priority", flat=True)
    )
    assert list(found) == expected
    assert expected.count(2) > 20 > len(expected) - expected.count(2) > 0


def draws(runs: Sequence[DetectionRun]) -> list[AuditDraw]:
    return list(AuditDraw.objects.filter(run__in=runs))


def test_more_audits_are_drawn_from_a_band_with_the_share_that_is_drawn(
    rates: Callable[..., None], senior: User
) -> None:
    rates(base=0.0)
    runs = [plain(n) for n in range(8)]
    assert more_audits([run.pk for run in runs], 2, senior, profile=7, threshold="currency_tolerance") == 2
    band = "band:7:currency_tolerance"
    first = sorted(runs, key=lambda run: chance(run.answer, band))[:2]
    assert audited(runs) == {run.pk for run in first}
    assert {(d.stratum, d.probability, d.drawn_by) for d in draws(runs)} == {(band, 0.25, senior)}
    assert {d.run_id for d in draws(runs) if d.audited} == audited(runs)
    assert {decision(DetectionRun.objects.get(pk=run.pk)) for run in runs} == {("base", 0.0)}
    review = HallucinationReview.objects.get(run=first[0])
    assert (review.selection_reason, review.selection_probability, review.blind) == (
        "audit_boundary",
        0.25,
        True,
    )
    assert review.events.get().actor is None
    assert more_audits([run.pk for run in runs], 2, senior, profile=7, threshold="currency_tolerance") == 0


def test_probabilities_of_all_draws_are_put_together(rates: Callable[..., None], senior: User) -> None:
    rates(base=0.3)
    runs = [plain(n) for n in range(12)]
    sampled = audited(runs)
    free = len(runs) - len(sampled)
    assert probabilities([run.pk for run in runs]) == pytest.approx({run.pk: 0.3 for run in runs})
    for wait in (len(sampled) + 2, len(sampled) + 3):
        more_audits([run.pk for run in runs], wait, senior, profile=7, threshold="overlap")
    assert len(audited(runs)) == len(sampled) + 3
    once = 1 - 0.7 * (1 - 2 / free)
    twice = 1 - (1 - once) * (1 - 1 / (free - 2))
    found = probabilities(run.pk for run in runs)
    assert [found[pk] for pk in sampled] == pytest.approx([twice] * len(sampled))
    never = [run.pk for run in runs if run.pk not in audited(runs)]
    assert [found[pk] for pk in never] == pytest.approx([twice] * len(never))


def test_probabilities_leave_out_what_no_audit_can_speak_for(rates: Callable[..., None]) -> None:
    rates(base=0.0)
    unreachable, flagged = plain(1), judged("Net operating income was $1,300,000 in Q3 2024 [S0].")
    assert probabilities([unreachable.pk, flagged.pk, 10**6]) == probabilities([]) == {}


def test_a_band_is_drawn_empty_and_then_nothing_is_left(rates: Callable[..., None], senior: User) -> None:
    rates(base=0.0)
    band = [plain(n).pk for n in range(3)]
    band.append(judged("Net operating income was $1,300,000 in Q3 2024 [S0].").pk)
    given: Mapping[str, Any] = {"profile": 1, "threshold": "overlap"}
    assert more_audits(band, 24, senior, **given) == 3
    assert set(AuditDraw.objects.values_list("probability", flat=True)) == {1.0}
    assert more_audits(band, 24, senior, **given) == 0
    assert more_audits([], 24, senior, **given) == 0
    assert more_audits(band, -1, senior, **given) == 0


def test_only_a_senior_or_an_administrator_queues_audits(
    rates: Callable[..., None], reviewer: User, make_user: Callable[..., User]
) -> None:
    run = plain(1)
    with pytest.raises(NotAllowed, match="senior"):
        more_audits([run.pk], 1, reviewer, profile=1, threshold="overlap")
    assert more_audits([run.pk], 1, make_user("ada", "admin"), profile=1, threshold="overlap") == 1


def test_a_draw_needs_a_probability_above_nothing(rates: Callable[..., None], senior: User) -> None:
    run = plain(1)
    with pytest.raises(Error, match="probability_above_0"), transaction.atomic():
        AuditDraw.objects.create(run=run, stratum="band", probability=0.0, drawn_by=senior)


def test_many_ids_are_looked_up_like_few(
    rates: Callable[..., None], senior: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates(base=0.3)
    runs = [plain(n).pk for n in range(4)]
    wanted = [runs[0], runs[1], runs[3]]
    few = probabilities(wanted)
    monkeypatch.setattr(sampling, "LISTED", 0)
    assert probabilities(wanted) == few == dict.fromkeys(wanted, pytest.approx(0.3))
    more_audits(wanted, 9, senior, profile=1, threshold="overlap")
    assert set(AuditDraw.objects.values_list("run", flat=True)) == set(wanted)
