"""Calibration maps: fitted once, one active for each verifier, reversible, and used by whatever is judged from then on."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import Error, IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from detection import toolkit
from detection.core import claims, codec, pipeline
from detection.core.calibration import Platt
from detection.core.context import Context
from detection.core.types import Case, LiftMeasured, StrawberryMeasurement
from detection.core.verdict import Report, verifier_of
from detection.models import CalibrationEvent, CalibrationMap, DetectionRun, DetectorReport
from detection.models.calibration import MapChanged, Split
from detection.runs import calibration
from tests.api_calls import Caller, body, drain, portfolio
from tests.calibration_maps import EARLIER, LATER, drafted

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def judged(**more: Any) -> DetectionRun:
    """A run of the whole way, from a submitted answer to its stored result."""
    Caller("submit").post("answers/", body("The tenant renewed its lease [S0].", **more))
    drain()
    run = DetectionRun.objects.order_by("-pk").first()
    assert run is not None
    return run


def lift(method: str, p1: tuple[float, float] | None = (0.9, 0.9), model: str = "m") -> LiftMeasured:
    return LiftMeasured(text_length=10, cited=True, p1=p1, method=method, model=model, prompt_version="2")


def test_versions_count_for_each_verifier_and_begin_as_drafts(senior: User) -> None:
    first, second, other = drafted(actor=senior), drafted(fitted=Platt(1.0, 0.0)), drafted("local · f · 1")
    assert [(m.version, m.state, m.method) for m in (first, second, other)] == [
        (1, "draft", "isotonic"),
        (2, "draft", "platt"),
        (1, "draft", "isotonic"),
    ]
    event = CalibrationEvent.objects.get(subject=first)
    assert (event.action, event.actor, event.after) == (
        "fitted",
        senior,
        {"method": "isotonic", "labels": 260},
    )
    assert second.curve() == Platt(1.0, 0.0)


@pytest.mark.parametrize(
    "splits",
    [{"on": Split(EARLIER.first, EARLIER.last, 199)}, {"reported": Split(EARLIER.last, LATER.last, 90)}],
)
def test_too_few_labels_and_days_that_are_not_later_are_refused(splits: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="200 labels"):
        drafted(**splits)
    assert not CalibrationMap.objects.exists()


def test_activating_retires_the_one_before_and_an_older_one_comes_back(senior: User) -> None:
    first, second = drafted(), drafted()
    first.activate(actor=senior, reason="better")
    second.activate(actor=senior, instead_of=first.pk)
    first.refresh_from_db()
    assert (first.state, CalibrationMap.active("rules")) == ("retired", second)
    first.activate(instead_of=second.pk)
    assert CalibrationMap.active("rules") == first
    first.deactivate(actor=senior, reason="raw again")
    assert CalibrationMap.active("rules") is None
    assert [e.action for e in first.events.order_by("seq")] == [
        "fitted", "activated", "retired", "activated", "retired",
    ]  # fmt: skip
    assert CalibrationEvent.broken_at(first) is None


def test_of_two_who_activate_at_once_the_second_is_told() -> None:
    first, second = drafted(), drafted()
    first.activate()
    with pytest.raises(MapChanged, match="meanwhile"):
        second.activate(instead_of=None)
    with pytest.raises(MapChanged):
        second.deactivate()
    with pytest.raises(ValidationError, match="active already"):
        first.activate(instead_of=first.pk)
    assert CalibrationMap.active("rules") == first


def test_maps_of_other_verifiers_are_left_alone() -> None:
    mine, other = drafted(), drafted("local · f · 1")
    mine.activate()
    other.activate()
    assert CalibrationMap.objects.filter(state="active").count() == 2


def test_the_database_keeps_one_active_map_and_the_coefficients() -> None:
    first, second = drafted(), drafted()
    first.activate()
    with pytest.raises(IntegrityError), transaction.atomic():
        CalibrationMap.objects.filter(pk=second.pk).update(state="active")
    with pytest.raises(Error, match="must not change"), transaction.atomic():
        CalibrationMap.objects.filter(pk=first.pk).update(coefficients={"at": [0.5], "to": [1.0]})


def test_an_active_map_calibrates_new_answers_and_leaves_finished_ones() -> None:
    before = judged(original_confidence=0.9, detectors=["numeric"], external_id="one")
    drafted().activate()
    after = judged(original_confidence=0.9, detectors=["numeric"], external_id="two")
    before.refresh_from_db()
    assert (before.adjusted_confidence, before.raw_confidence, before.calibration) == (0.9, 0.9, None)
    assert (after.adjusted_confidence, after.raw_confidence) == (0.45, 0.9)
    assert (after.calibration, after.verifier) == (CalibrationMap.active("rules"), "rules")
    assert after.result is not None
    verdict = after.result["verdict"]
    assert (verdict["adjusted_confidence"], verdict["uncalibrated_confidence"]) == (0.45, 0.9)
    assert verdict["confidence_adjustment"] == -0.45


def test_a_map_of_another_verifier_changes_nothing() -> None:
    drafted("logprobs · m · 2").activate()
    run = judged(original_confidence=0.9, detectors=["numeric"])
    assert (run.adjusted_confidence, run.calibration) == (0.9, None)


def test_an_answer_without_a_confidence_gets_none() -> None:
    drafted().activate()
    run = judged(detectors=["numeric"], original_confidence=None)
    assert (run.adjusted_confidence, run.raw_confidence, run.calibration) == (None, None, None)
    assert run.verifier == "rules"


def test_what_is_judged_without_storing_is_calibrated_too() -> None:
    drafted().activate()
    told = toolkit.judge("The tenant renewed.", detectors=["numeric"], original_confidence=0.9)["verdict"]
    assert (told["adjusted_confidence"], told["uncalibrated_confidence"]) == (0.45, 0.9)


def test_a_map_costs_one_query_and_without_a_confidence_none(
    conclusion_of: Callable[[float | None], Any], queries: Callable[[], CaptureQueriesContext]
) -> None:
    drafted().activate()
    for confidence, asked in ((0.9, 1), (None, 0)):
        with queries() as counted:
            calibration.calibrated(conclusion_of(confidence))
        assert len(counted) == asked


@pytest.fixture(autouse=True)
def _about() -> None:
    portfolio()


@pytest.fixture
def conclusion_of() -> Callable[[float | None], Any]:
    """What the core concludes of a short answer with a stated confidence."""

    def concluded(confidence: float | None) -> Any:
        case = Case(answer="The tenant renewed.", original_confidence=confidence)
        return pipeline.conclude(Context(case, claims.read(case)), {}, [])

    return concluded


@pytest.fixture
def queries() -> Callable[[], CaptureQueriesContext]:
    """A counter of queries."""
    return lambda: CaptureQueriesContext(connection)


@pytest.mark.parametrize(
    ("lifts", "named"),
    [
        ([], "rules"),
        ([lift("sampling", p1=None)], "rules"),
        ([lift("logprobs"), lift("logprobs"), lift("sampling")], "logprobs · m · 2"),
        ([lift("sampling"), lift("logprobs")], "logprobs · m · 2"),
        ([lift("local", model="")], "local · 2"),
    ],
)
def test_the_verifier_is_the_one_that_most_statements_were_asked_of(
    lifts: list[LiftMeasured], named: str
) -> None:
    measured = StrawberryMeasurement(dict(enumerate(lifts)))
    assert verifier_of({"strawberry": Report("ok", measured)}) == named
    assert verifier_of({}) == "rules"


def test_the_migration_names_the_verifiers_of_runs_that_are_finished() -> None:
    by_rules = judged(detectors=["numeric"], external_id="one")
    by_model = judged(detectors=["numeric"], external_id="two")
    measured = StrawberryMeasurement({0: lift("logprobs"), 1: lift("sampling", p1=None)})
    report = {"detector": "strawberry", "status": "ok", "measurements": codec.dump(measured)}
    DetectorReport.objects.create(run=by_model, **report)
    DetectionRun.objects.update(verifier=None)
    import_module("detection.migrations.0017_calibration").name_verifiers(apps, None)
    named = dict(DetectionRun.objects.values_list("pk", "verifier"))
    assert named == {by_rules.pk: "rules", by_model.pk: "logprobs · m · 2"}


def test_the_migration_writes_no_run_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL checks a row written twice at the end of the transaction, and until then makes no index."""
    run = judged(detectors=["numeric"])
    measured = StrawberryMeasurement({0: lift("logprobs")})
    DetectorReport.objects.create(
        run=run, detector="strawberry", status="ok", measurements=codec.dump(measured)
    )
    DetectionRun.objects.update(verifier=None)
    written: list[int] = []
    update = QuerySet.update
    monkeypatch.setattr(QuerySet, "update", lambda rows, **values: written.append(update(rows, **values)))
    import_module("detection.migrations.0017_calibration").name_verifiers(apps, None)
    assert sum(written) == DetectionRun.objects.count() == 1
