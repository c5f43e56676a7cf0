"""A start says which times contradict each other, and that a broker may forget (SEC-26, F12)."""

import io
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from redis import Redis

from detection.configuration import Configuration
from detection.operations.checks import BROKER_SETTINGS, INSTALLATION
from hallu_site.broker import configuration
from hallu_site.checks import HEARTBEAT, broker_evicts_nothing, times_fit_together
from reviews.lifecycle.strict import LONGEST
from reviews.management.commands import sweep
from tests import servers
from tests.product import free_port

USER = [
    "--user",
    "default",
    "off",
    "--user",
    "hallu",
    "on",
    ">a-long-one",
    "~*",
    "+@all",
    "-@admin",
    "-@dangerous",
]
LEASE_SCRIPT = Path(__file__).parents[1] / "static" / "lease.js"


@pytest.fixture(autouse=True)
def as_it_comes(settings: Any) -> None:
    """The verifier's timeout, which is none in the tests."""
    settings.HALLUCINATION = {**settings.HALLUCINATION, "timeout": Configuration().timeout}


def test_the_times_as_they_come_contradict_nothing() -> None:
    assert times_fit_together() == []


def test_what_no_setting_changes_contradicts_nothing_either() -> None:
    limits = configuration.task_annotations
    assert all(limit.get("soft_time_limit", 0) < limit["time_limit"] for limit in limits.values())
    assert limits["reviews.answer_strictly"]["soft_time_limit"] > LONGEST
    pulse = re.search(r"PULSE = ([\d_]+)", LEASE_SCRIPT.read_text())
    assert pulse is not None
    assert int(pulse[1]) == 1000 * HEARTBEAT


@pytest.mark.parametrize(
    ("changed", "hints"),
    [
        ({"HALLU_DETECT_SECONDS": 119}, []),
        ({"HALLU_DETECT_SECONDS": 120}, ["Set HALLU_DETECT_SECONDS to less than 120."]),
        ({"RUN_LEASE_SECONDS": 2}, []),
        ({"RUN_LEASE_SECONDS": 1}, ["Set HALLU_RUN_LEASE_SECONDS to 2 or more."]),
        ({"RUN_LEASE_SECONDS": 284}, []),
        ({"RUN_LEASE_SECONDS": 285}, ["Lower HALLU_RUN_LEASE_SECONDS or HALLU_SWEEP_SECONDS."]),
        ({"SWEEP_SECONDS": 270}, ["Lower HALLU_RUN_LEASE_SECONDS or HALLU_SWEEP_SECONDS."]),
        ({"REVIEW_LEASE_SECONDS": 61}, []),
        ({"REVIEW_LEASE_SECONDS": 60}, ["Set HALLU_REVIEW_LEASE_SECONDS to more than 60."]),
    ],
)
def test_times_that_contradict_each_other_are_named(
    settings: Any, changed: dict[str, int], hints: list[str]
) -> None:
    for name, seconds in changed.items():
        setattr(settings, name, seconds)
    assert [warning.hint for warning in times_fit_together()] == hints


@pytest.mark.parametrize(("seconds", "named"), [(119.5, False), (120.0, True)])
def test_a_verifier_that_outlives_its_worker_is_named(settings: Any, seconds: float, named: bool) -> None:
    settings.HALLUCINATION = {**settings.HALLUCINATION, "timeout": seconds}
    hints = [warning.hint for warning in times_fit_together()]
    assert hints == (["Set HALLU_VERIFIER_TIMEOUT to less than 120."] if named else [])


@pytest.mark.parametrize("policy", ["noeviction", "allkeys-lru", "volatile-ttl"])
def test_a_broker_that_may_evict_is_named(settings: Any, tmp_path: Path, policy: str) -> None:
    with servers.redis(tmp_path, "--maxmemory-policy", policy) as url:
        settings.CELERY_BROKER_URL = f"{url}/0"
        found = [warning.msg for warning in broker_evicts_nothing()]
    named = f"The broker may forget messages when its memory is full: its maxmemory-policy is {policy}."
    assert found == ([] if policy == "noeviction" else [named])


def test_a_broker_that_does_not_say_is_no_fault(settings: Any, tmp_path: Path) -> None:
    with servers.redis(tmp_path, "--maxmemory-policy", "allkeys-lru", *USER) as url:
        settings.CELERY_BROKER_URL = url.replace("redis://", "redis://hallu:a-long-one@")
        with Redis.from_url(settings.CELERY_BROKER_URL) as client:
            assert client.ping()
        assert broker_evicts_nothing() == []


@pytest.mark.parametrize("url", ["redis://127.0.0.1:{port}/0", "amqp://guest@127.0.0.1:{port}//"])
def test_a_broker_that_is_away_is_no_fault(settings: Any, url: str) -> None:
    settings.CELERY_BROKER_URL = url.format(port=free_port())
    assert broker_evicts_nothing() == []


def test_the_sweeper_and_the_command_say_it(settings: Any) -> None:
    settings.REVIEW_LEASE_SECONDS = 1
    said = io.StringIO()
    call_command("check", tags=[INSTALLATION], stderr=said)
    assert "Set HALLU_REVIEW_LEASE_SECONDS to more than 60." in said.getvalue()
    assert {INSTALLATION, BROKER_SETTINGS} == set(sweep.Command.requires_system_checks)
    assert "hallu_site.W001" in [found.id for found in run_checks(tags=[INSTALLATION, BROKER_SETTINGS])]
