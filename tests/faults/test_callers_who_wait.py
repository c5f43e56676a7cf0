"""However many callers wait for detection, a web process goes on to take in and to show; whoever hangs up ends theirs."""

import json
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from detection import toolkit
from detection.models import DetectionRequest, DetectionRun
from tests.faults import broker
from tests.faults.processes import running, wait_until, worker
from tests.faults.served import Asked, Site, served, submission

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("APP-06"),
]
PLACES = 16
LEAVE = 4
NEVER = "600"
SOURCES = [{"id": "S0", "text": "Net operating income for Q3 2024 was $1,234,567.89. Occupancy was 95.2%."}]
ANSWER = "Net operating income was $9,999,999.00 in Q3 2024 [S0]. Occupancy was 95.2% [S0]. "
NEARLY_LARGE = (ANSWER * 400)[:33_000]


class Caller:
    """One who sends a request and waits for its answer."""

    def __init__(
        self, site: Site, body: dict[str, Any], path: str = "answers:detect", **headers: str
    ) -> None:
        sent = json.dumps(body).encode()
        told = {"Host": "localhost", "Content-Length": str(len(sent)), "Connection": "close"}
        lines = [f"{name}: {value}" for name, value in (told | site.headers["key"] | headers).items()]
        begun = "\r\n".join([f"POST /api/v1/{path} HTTP/1.1", *lines, "", ""])
        self.port, self.request = site.port, begun.encode() + sent
        self.send()

    def send(self) -> None:
        self.connection = socket.create_connection(("127.0.0.1", self.port))
        self.connection.sendall(self.request)

    def send_again_if_refused(self) -> None:
        """Do as a 503 says, which a busy machine may give at any time."""
        if not self.waits():
            status, body = self.answer()
            assert status == 503, body
            self.send()

    def waits(self) -> bool:
        """Whether nothing has come back yet."""
        try:
            return not self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return True

    def answer(self) -> tuple[int, dict[str, Any]]:
        """Status and body, once all of it is there."""
        with self.connection as opened:
            head, _, body = b"".join(iter(lambda: opened.recv(65536), b"")).partition(b"\r\n\r\n")
        return int(head.split()[1]), json.loads(body)

    def hang_up(self) -> None:
        self.connection.close()


def detect(text: str) -> dict[str, Any]:
    return {"answer": text, "sources": SOURCES, "external_id": "a"}


def asked() -> int:
    return DetectionRequest.objects.count()


def all_wait(*callers: Caller) -> bool:
    """Whether each of these, and nobody else, is waiting to be judged."""
    for caller in callers:
        caller.send_again_if_refused()
    return asked() == len(callers)


def goes_on(site: Site) -> None:
    """It takes answers in, and shows pages and results."""
    for number in range(8):
        assert site.ask(submission(number))[0] == 202
    assert site.ask(Asked("GET", "/queue/"))[0] == 200
    assert site.ask(Asked("GET", "/api/v1/answers/", "key"))[0] == 200


def test_while_callers_wait_the_process_goes_on_and_each_gets_their_result(tmp_path: Path) -> None:
    broker.empty()
    web, log = tmp_path / "web.log", tmp_path / "worker.log"
    waits = {"HALLU_WAITERS": str(PLACES), "HALLU_DETECT_SECONDS": NEVER}
    with served(web, **waits) as site, ExitStack() as stack:
        large = [Caller(site, detect(NEARLY_LARGE)) for _ in range(LEAVE)]
        small = [Caller(site, detect(ANSWER)) for _ in range(PLACES - LEAVE)]
        wait_until(lambda: all_wait(*large, *small), web)
        refused = [Caller(site, detect(ANSWER)).answer() for _ in range(8)]
        assert {(status, body["type"]) for status, body in refused} == {
            (503, "urn:hallu:problem:not-in-time")
        }
        posted = [Caller(site, detect(ANSWER), "answers/", Prefer="wait=10").answer() for _ in range(8)]
        assert {(status, body["status"]) for status, body in posted} == {(202, "queued")}
        goes_on(site)
        assert all(caller.waits() for caller in (*large, *small))
        assert asked() == PLACES

        for caller in large:
            caller.hang_up()
        wait_until(lambda: all_wait(*small), web)
        later = [Caller(site, detect(ANSWER)) for _ in range(LEAVE - 1)]
        wait_until(lambda: all_wait(*small, *later), web)
        prefers = Caller(site, detect(ANSWER), "answers/", Prefer="wait=10")
        wait_until(lambda: DetectionRun.objects.count() == 8 + 8 + 1, web)
        prefers.hang_up()  # who posts and hangs up has posted
        stack.enter_context(running(worker(log)))
        found = [caller.answer() for caller in (*small, *later)]
        wait_until(lambda: not DetectionRun.unfinished().exists(), web, log)
    assert {status for status, _ in found} == {200}, log.read_text()[-4000:]
    assert asked() == 0
    same = told(toolkit.judge(ANSWER, sources=SOURCES)) | {"external_id": "a"}
    assert [told(result) for _, result in found] == [same] * (PLACES - 1)


def told(result: dict[str, Any]) -> dict[str, Any]:
    """A Result without what was measured with a clock."""
    plain: dict[str, Any] = json.loads(json.dumps(result))
    del plain["timings_ms"], plain["numeric"]["verification_time_ms"]
    return plain


def test_a_caller_whom_no_worker_serves_is_told_so_at_the_deadline(tmp_path: Path) -> None:
    """A worker that died with a request is one that took it and says nothing more."""
    web = tmp_path / "web.log"
    with served(web, HALLU_DETECT_SECONDS="2") as site:
        caller = Caller(site, detect(ANSWER))
        wait_until(lambda: any(DetectionRequest.take(pk) for pk in keys()) or not caller.waits(), web)
        status, body = caller.answer()
    assert (status, body["type"]) == (503, "urn:hallu:problem:not-in-time")
    assert "Post it to /api/v1/answers/ instead" in body["detail"]
    assert asked() == 0


def keys() -> list[Any]:
    return list(DetectionRequest.objects.values_list("pk", flat=True))
