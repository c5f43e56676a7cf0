"""An endpoint's bad hours, through real rows and real workers: what it could not answer then is answered later,
what it never answers is said to be unverified, and nobody has to look after it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from detection.models import Claim, DetectionRun, OwedVerification
from detection.operations import verifying
from reviews import tasks
from reviews.lifecycle.intake import Submission, submit
from reviews.management.commands.sweep import sweep
from tests.detection.fault_server import Does, faulty
from tests.faults import broker
from tests.faults.processes import running, sweeper, wait_until, worker
from tests.waiting import GIVEN_UP_AFTER

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("SPEC-08.42"),
    pytest.mark.requirement("SPEC-08.43"),
]

ROOF, LIFT = "The roof was replaced after the storm", "The elevator has been out of order since May"
SLOWLY = Does('{"error": {"message": "slow down"}}', 429, {"Retry-After": "1"})


def submitted(*sentences: str) -> DetectionRun:
    """A pending run of an answer of these sentences, each of which its source says word for word."""
    return submit(
        Submission(
            answer=" ".join(f"{each} [S0]." for each in sentences),
            sources=[{"id": "S0", "text": " ".join(f"{each}." for each in sentences)}],
            original_confidence=0.95,
            detectors=["citation", "strawberry"],
        )
    )


def statuses(run: DetectionRun) -> list[tuple[str, str]]:
    """What each claim of the run was found to be."""
    return list(Claim.objects.filter(run=run).order_by("index").values_list("status", "finding"))


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    """No message and no opened verifier of another test."""
    broker.empty()
    verifying.forget()
    yield
    verifying.forget()


def use(settings: Any, url: str, timeout: float = 120.0) -> None:
    """Let this process verify at ``url``."""
    settings.VERIFIER = {
        **settings.VERIFIER, "backend": "external", "base_url": url, "model": "m", "timeout": timeout,
    }  # fmt: skip


@pytest.mark.requirement("GOV-11")
def test_a_rate_limited_answer_is_told_at_once_and_verified_by_the_sweep(settings: Any) -> None:
    with faulty({ROOF: [SLOWLY, Does()]}) as stub:
        use(settings, stub.url)
        run = submitted(ROOF, LIFT)
        assert broker.deliver() == [tasks.screen.name, tasks.verify.name]
        run.refresh_from_db()
        assert (run.state, run.answer_status) == ("completed", "not_verified")
        assert run.reports.get(detector="strawberry").status == "rate_limited"
        cache.clear()  # the pause that the processes share is over
        verifying.forget()
        sweep(timezone.now() + timedelta(minutes=1))
        # Twice each where the sweep looked before the first message was out: the work is done once.
        assert list(dict.fromkeys(broker.deliver())) == [tasks.screen.name, tasks.verify.name]
    again = OwedVerification.objects.get(run=run).again
    assert again
    assert (again.answer_status, statuses(again)) == ("success", [("supported", "supported")] * 2)


def test_what_times_out_is_stored_as_unverified_with_less_confidence(settings: Any) -> None:
    with faulty({ROOF: [Does(hangs=True)]}) as stub:
        use(settings, stub.url, timeout=5.0)
        run = submitted(LIFT, ROOF)
        broker.deliver()
    run.refresh_from_db()
    assert run.state == "completed"
    assert statuses(run) == [("supported", "supported"), ("unverified", "timeout")]
    assert (run.answer_status, run.needs_review, run.adjusted_confidence) == ("not_verified", False, 0.76)
    assert run.reports.get(detector="strawberry").status == "timeout"


def test_an_error_is_logged_and_the_rest_goes_on(settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    with faulty({ROOF: [Does("{}", 500)]}) as stub:
        use(settings, stub.url)
        run = submitted(LIFT, ROOF)
        broker.deliver()
    run.refresh_from_db()
    assert statuses(run) == [("supported", "supported"), ("unverified", "verifier_error")]
    assert run.result is not None
    reasons = [reason["code"] for reason in run.result["verdict"]["reasons"]]
    assert "statement_unverified" in reasons
    assert ROOF not in caplog.text


@pytest.fixture
def logs(tmp_path: Path) -> tuple[Path, Path]:
    """What the worker and the sweeper of a test say."""
    return tmp_path / "worker.log", tmp_path / "sweep.log"


def of_child(url: str, timeout: float, folder: Path) -> dict[str, str]:
    """The variables of a worker that asks the endpoint at ``url`` and waits ``timeout`` seconds for it."""
    configuration = folder / "hallucination.yaml"
    configuration.write_text(f"hallucination:\n  timeout: {timeout:g}\n")
    return {
        "HALLU_VERIFIER": "external",
        "HALLU_VERIFIER_BASE_URL": url,
        "HALLU_VERIFIER_MODEL": "m",
        "HALLUCINATION_CONFIG": str(configuration),
        "FAULTY_PATIENCE": "1",
    }


def test_a_worker_brings_every_answer_to_its_end_through_an_endpoints_bad_hours(
    tmp_path: Path, logs: tuple[Path, Path]
) -> None:
    script = {
        "put off": [SLOWLY, SLOWLY, Does()],
        "broken": [Does("{}", 502)],
        "torn": [Does(cut=30)],
        "unreadable": [Does("<html></html>")],
    }
    found = {
        "put off": "supported", "broken": "verifier_error", "torn": "verifier_unreachable",
        "unreadable": "verifier_bad_json", "plain": "supported",
    }  # fmt: skip
    with faulty(script) as stub:
        runs = {kind: submitted(LIFT, f"The request of the tenant was {kind} by the owner") for kind in found}
        with running(worker(logs[0], **of_child(stub.url, GIVEN_UP_AFTER, tmp_path)), sweeper(logs[1])):
            wait_until(lambda: all(_was_found(runs[kind], found[kind]) for kind in found), *logs)
    for run in runs.values():
        assert run.answer.runs.filter(finished_at=None).count() <= 1


def test_a_worker_waits_for_a_silent_endpoint_no_longer_than_it_may(
    tmp_path: Path, logs: tuple[Path, Path]
) -> None:
    """How much else is answered in so little time depends on the machine, so nothing else is asked."""
    with faulty({ROOF: [Does(hangs=True)]}) as stub:
        run = submitted(ROOF)
        with running(worker(logs[0], **of_child(stub.url, 3, tmp_path)), sweeper(logs[1])):
            wait_until(
                lambda: DetectionRun.objects.filter(pk=run.pk, finished_at__isnull=False).exists(), *logs
            )
    run.refresh_from_db()
    assert (run.answer_status, statuses(run)) == ("not_verified", [("unverified", "timeout")])


def _was_found(run: DetectionRun, finding: str) -> bool:
    """Whether the second statement was found to be so by the first run of its answer, or by one that judged it again since
    the endpoint asked to wait."""
    told = ("supported" if finding == "supported" else "unverified", finding)
    finished = run.answer.runs.filter(finished_at__isnull=False)
    return any(statuses(each) == [("supported", "supported"), told] for each in finished)
