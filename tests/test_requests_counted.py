"""Requests are counted by route, method and status in all processes of web, and no count falls when one is replaced (SPEC-08.40)."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from hallu_site.metrics import folder
from tests.faults.processes import Process, running, wait_until
from tests.faults.served import Asked, Site
from tests.product import free_port

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.requirement("SPEC-08.40")]


def samples(shown: str, name: str, **labels: str) -> float:
    """The sum of a metric's samples with these labels."""
    return sum(
        sample.value
        for family in text_string_to_metric_families(shown)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def shown() -> str:
    return Client().get("/metrics").content.decode()


@pytest.mark.parametrize(
    ("method", "path", "counted"),
    [
        ("GET", "/api/v1/answers/", {"route": "answer-list", "method": "GET", "status": "401"}),
        ("GET", "/api/v1/answers/zebra-1/", {"route": "answer-detail", "method": "GET"}),
        ("GET", "/no/such/zebra", {"route": "none", "status": "404"}),
        ("ZEBRA", "/healthz", {"route": "healthz", "method": "other", "status": "405"}),
        ("POST", "/log-in-that-is-not-there", {"route": "none", "method": "POST"}),
    ],
)
def test_a_request_is_counted_under_its_route_and_never_its_path(
    method: str, path: str, counted: dict[str, str]
) -> None:
    before = samples(shown(), "hallu_http_requests_total", **counted)
    Client().generic(method, path)
    after = shown()
    assert samples(after, "hallu_http_requests_total", **counted) == before + 1
    assert "zebra" not in after.lower()


def test_a_caller_who_wishes_to_wait_is_timed_apart() -> None:
    def timed(waits: str) -> float:
        return samples(shown(), "hallu_http_request_seconds_count", route="answer-list", waits=waits)

    before = {waits: timed(waits) for waits in ("true", "false")}
    Client(headers={"Prefer": "wait=5"}).post("/api/v1/answers/")
    assert {waits: timed(waits) for waits in before} == {**before, "true": before["true"] + 1}


@pytest.fixture
def web(tmp_path: Path) -> Iterator[tuple[Site, Process]]:
    """Two processes of web behind one port."""
    log, port = tmp_path / "web.log", free_port()
    process = Process(["process", "web", "--concurrency", "2"], log, HALLU_PORT=str(port))
    with running(process):
        site = Site(port, log)
        wait_until(site.answers, log)
        yield site, process


def children(process: Process) -> set[int]:
    """The processes that a gunicorn has."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.child.pid)], capture_output=True, text=True
    )
    return {int(pid) for pid in listed.stdout.split()}


@pytest.mark.budget(25)
def test_what_all_processes_counted_is_told_by_each_and_outlives_them(web: tuple[Site, Process]) -> None:
    site, process = web
    files = settings.HALLU_VAR / "requests" / str(site.port)

    def counted() -> float:
        told = site.ask(Asked("GET", "/metrics", "nobody"))[1].decode()
        return samples(told, "hallu_http_requests_total", route="healthz", status="405")

    def ask(times: int) -> None:
        for _ in range(times):
            site.ask(Asked("PUT", "/healthz", "nobody"))

    ask(20)
    assert counted() == 20
    victim, other = sorted(children(process))
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: len(children(process) - {victim}) == 2, site.log)
    wait_until(site.answers, site.log)
    assert counted() == 20
    os.kill(other, signal.SIGKILL)
    wait_until(lambda: not children(process) & {victim, other} and len(children(process)) == 2, site.log)
    wait_until(site.answers, site.log)
    ask(20)
    assert counted() == 40
    assert {path.name for path in files.glob("*.db")} <= {f"{kind}_{n}.db" for kind in ("counter", "histogram") for n in (0, 1)}  # fmt: skip


def test_the_folder_is_ones_own_and_begins_empty(tmp_path: Path) -> None:
    own, elsewhere = tmp_path / "own", tmp_path / "elsewhere"
    (elsewhere).mkdir(mode=0o700)
    (elsewhere / "precious").touch()
    own.mkdir(mode=0o700)
    (own / "counter_0.db").touch()
    assert folder.emptied([own, tmp_path / "other"]) == own
    assert list(own.iterdir()) == []
    (tmp_path / "linked").symlink_to(elsewhere)
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    assert folder.emptied([tmp_path / "linked", tmp_path / "open", tmp_path / "new"]) == tmp_path / "new"
    assert (elsewhere / "precious").exists()
    with pytest.raises(PermissionError):
        folder.emptied([tmp_path / "linked"])
