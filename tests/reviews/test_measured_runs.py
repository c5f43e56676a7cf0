"""What is loaded of stored runs decides as the runs themselves do, from rows, from blocks and from memory."""

from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from detection import runs
from detection.models import Answer, DetectionRun, Property, PropertyGroup
from reviews.lifecycle import intake
from reviews.models import MeasuredBlock
from reviews.models import blocks as rows
from reviews.tuning.replay import blocks, measured
from reviews.tuning.replay.codes import KINDS, STATUSES
from reviews.tuning.replay.deciding import LEVELS, replay
from reviews.tuning.replay.measured import Measured
from tests.api_calls import Caller, body, drain, portfolio

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("measured runs")]
TEXTS = (
    "NOI was $1,612,000 [S0] and occupancy was 85.5% in Q3 2024.",
    "Net operating income rose to $2.9 million in 2024 [S7]. The tenant renewed its lease [S0].",
    "Is the roof new? The vacancy rate was 14.5% [S0], which is usually low.",
)


@pytest.fixture(autouse=True)
def fresh_memory() -> None:
    blocks.forget()


@pytest.fixture(scope="module")
def written(shared_rows: Callable[..., int]) -> int:
    """Three answers about OAK, for all tests; the key of OAK."""

    def write() -> int:
        oak = portfolio()
        submit(*TEXTS)
        return oak.pk

    return shared_rows(write)


@pytest.fixture
def three_answers(written: int, db: None) -> Property:
    return Property.objects.get(pk=written)


def submit(*texts: str) -> None:
    backend = Caller("submit")
    for place, text in enumerate(texts):
        backend.post("answers/", body(text, model=f"writer-{place}", original_confidence=0.9))
    drain()


def everything() -> Measured:
    return measured.load(DetectionRun.objects.all())


def assert_decides_as_the_runs(loaded: Measured) -> None:
    """Each row is what the run's own reports mean under the active profile."""
    done = list(DetectionRun.objects.filter(pk__in=loaded.run.tolist()).order_by("pk"))
    assert [run.pk for run in done] == loaded.run.tolist()
    ends = [runs.decide(run) for run in done]
    replayed = replay(loaded, done[0].profile.values, done[0].profile.scoring)
    for place, (run, end) in enumerate(zip(done, ends, strict=True)):
        here = slice(loaded.first[place], loaded.first[place + 1])
        claims = list(
            run.claims.filter(origin="detector")
            .order_by("index")
            .values_list("pk", "kind", "status", "flagged")
        )
        kinds, statuses = loaded.kind[here], replayed.status[here]
        found = zip(loaded.claim[here], kinds, statuses, replayed.flagged[here], strict=True)
        assert [(pk, KINDS[kind], STATUSES[status], flagged) for pk, kind, status, flagged in found] == claims
        assert replayed.needs_review[place] == end.verdict.needs_review == run.needs_review
        assert replayed.risk_score[place] == run.risk_score
        assert LEVELS[replayed.risk_level[place]] == run.risk_level
        assert replayed.adjusted_confidence[place] == end.verdict.adjusted_confidence
    assert len(loaded.claim) == sum(len(end.findings) for end in ends)


def test_what_is_loaded_decides_as_the_runs_did(three_answers: Property) -> None:
    loaded = everything()
    assert len(loaded.run) == 3
    assert_decides_as_the_runs(loaded)
    assert loaded.models == ("writer-0", "writer-1", "writer-2")
    assert loaded.properties == (three_answers.code,)
    assert loaded.finished.tolist() == [
        run.finished_at.timestamp() for run in DetectionRun.objects.order_by("pk") if run.finished_at
    ]


def test_a_stored_block_decides_as_its_runs(three_answers: Property, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "SIZE", 2)
    monkeypatch.setattr(blocks, "SIZE", 2)
    everything()
    stored = MeasuredBlock.objects.count()
    assert stored
    blocks.forget()
    assert_decides_as_the_runs(everything())
    assert MeasuredBlock.objects.count() == stored


def test_a_block_that_a_later_run_falls_into_is_built_anew(
    three_answers: Property, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = DetectionRun.objects.order_by("pk")[1]
    unfinished = DetectionRun.objects.exclude(pk=late.pk)
    first = measured.load(unfinished)
    assert len(first.run) == 2
    monkeypatch.setattr(blocks, "COUNTED", blocks.COUNTED & ~Q(pk=late.pk))
    blocks.forget()
    everything()
    monkeypatch.undo()
    assert_decides_as_the_runs(everything())


def test_new_runs_join_what_is_remembered(three_answers: Property) -> None:
    everything()
    submit("The lease of the anchor tenant ends in 2031 [S0].")
    loaded = everything()
    assert len(loaded.run) == 4
    assert_decides_as_the_runs(loaded)


def test_a_block_from_another_schema_is_not_read(
    three_answers: Property, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "SIZE", 1)
    monkeypatch.setattr(blocks, "SIZE", 1)
    everything()
    MeasuredBlock.objects.update(schema=0, columns=b"old")
    blocks.forget()
    assert_decides_as_the_runs(everything())
    assert not MeasuredBlock.objects.filter(columns=b"old", first__lt=everything().run.max()).exists()


def window(user: User) -> Measured:
    now = timezone.now()
    return measured.window(user, now - timedelta(days=1), now + timedelta(seconds=1))


def test_of_an_answer_judged_again_the_last_judging_counts(three_answers: Property, viewer: User) -> None:
    again = intake.rescreen(Answer.objects.order_by("created_at")[0])
    drain()
    loaded = window(viewer)
    assert len(loaded.run) == 3
    assert again.pk in loaded.run
    assert_decides_as_the_runs(loaded)


def test_shadow_runs_are_left_out(three_answers: Property, viewer: User) -> None:
    DetectionRun.objects.filter(pk=DetectionRun.objects.order_by("pk")[0].pk).update(purpose="shadow")
    assert len(everything().run) == len(window(viewer).run) == 2


def test_people_see_their_own_properties_only(
    three_answers: Property, make_user: Callable[..., User]
) -> None:
    group = PropertyGroup.objects.create(name="Owners")
    group.properties.add(three_answers)
    insider, outsider = make_user("ira", "viewer"), make_user("olga", "viewer")
    group.members.add(insider)
    assert len(window(insider).run) == 3
    assert len(window(outsider).run) == 0


def test_a_window_ends_where_it_says(three_answers: Property, viewer: User) -> None:
    now = timezone.now()
    assert len(measured.window(viewer, now - timedelta(days=2), now - timedelta(days=1)).run) == 0


def test_a_property_that_got_another_code_is_known_by_it(three_answers: Property) -> None:
    everything()
    Property.objects.filter(pk=three_answers.pk).update(code="NEW")
    assert everything().properties == ("NEW",)


def test_an_override_by_property_replays_as_it_decides(three_answers: Property) -> None:
    values = {
        "overrides": [{"when": {"property": three_answers.code}, "values": {"review_queue_enabled": False}}]
    }
    assert not replay(everything(), values, "information_budget").needs_review.any()


def test_loading_what_is_remembered_reads_no_reports(
    three_answers: Property, django_assert_max_num_queries: Callable[..., object]
) -> None:
    everything()
    with django_assert_max_num_queries(4):  # type: ignore[attr-defined]
        everything()


def test_the_sweep_stores_blocks_that_are_full(
    three_answers: Property, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "SIZE", 2)
    monkeypatch.setattr(blocks, "SIZE", 2)
    while blocks.keep_up():
        pass
    newest = DetectionRun.objects.latest("pk").pk
    held = {block.first: block.runs for block in MeasuredBlock.objects.all()}
    assert all(first + 2 <= newest for first in held)
    assert sum(held.values()) >= 1


def test_a_block_that_has_grown_enough_is_stored_before_it_is_full(
    three_answers: Property, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not blocks.keep_up()
    monkeypatch.setattr(blocks, "WORTH_STORING", 3)
    assert blocks.keep_up()
    assert not blocks.keep_up()
    assert [block.runs for block in MeasuredBlock.objects.all()] == [3]
    blocks.forget()
    submit("The lease of the anchor tenant ends in 2031 [S0].")
    assert not blocks.keep_up()
    assert_decides_as_the_runs(everything())


def test_a_report_that_cannot_be_read_counts_as_broken(three_answers: Property) -> None:
    run = DetectionRun.objects.order_by("pk")[0]
    run.reports.filter(detector="numeric").update(measurements={"schema": 99})
    loaded = everything()
    assert len(loaded.run) == 3
    assert replay(loaded, {}, "information_budget").needs_review[0]


def test_a_mask_cuts_everything_that_hangs_on_an_answer(three_answers: Property) -> None:
    loaded = everything()
    middle = loaded.subset(np.array([False, True, False]))
    assert middle.run.tolist() == loaded.run[1:2].tolist()
    assert_decides_as_the_runs(middle)
