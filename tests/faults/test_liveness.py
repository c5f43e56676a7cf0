"""A web process whose threads are all held still says that it lives."""

import socket
import time
from collections import deque
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.conf import settings
from gunicorn.http.body import Body, LengthReader

from hallu_site.liveness import Worker
from hallu_site.management.commands.process import THREADS
from tests.faults.served import Asked, Site, served, submission

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.requirement("APP-06")]


def begun(site: Site, asked: Asked) -> socket.socket:
    """A connection on which a request was sent, with less of its body than it announced."""
    opened = socket.create_connection(("127.0.0.1", site.port))
    headers = {"Host": "localhost", "Content-Length": str(len(asked.body))} | site.headers[asked.who]
    lines = [
        f"{asked.method} {asked.path} HTTP/1.1",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    opened.sendall("\r\n".join([*lines, "", ""]).encode())
    return opened


def test_a_process_whose_threads_are_all_held_answers_that_it_lives(tmp_path: Path) -> None:
    with served(tmp_path / "web.log") as site, ExitStack() as stack:
        posts = [submission(number) for number in range(THREADS + settings.HALLU_WAITERS)]
        held = [stack.enter_context(begun(site, post)) for post in posts]
        silent = [stack.enter_context(socket.create_connection(("127.0.0.1", site.port))) for _ in range(20)]
        waiting = stack.enter_context(begun(site, Asked("GET", "/readyz", "nobody")))
        for _ in range(3):
            assert site.ask(Asked("GET", "/healthz", "nobody")) == (200, b"ok\n")
            assert site.ask(Asked("HEAD", "/healthz", "nobody")) == (200, b"")
        for opened, post in zip(held, posts, strict=True):
            opened.sendall(post.body.encode())
            assert opened.recv(4096).startswith(b"HTTP/1.1 202")
        assert waiting.recv(4096).startswith(b"HTTP/1.1 200")
        assert len(silent) == 20


class Held:
    """A connection of the worker, as far as it looks at one."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock


class Asking:
    """A request, of whose body so many bytes are due."""

    def __init__(self, due: int) -> None:
        self.body = Body(LengthReader(None, due))


def test_what_stops_half_way_is_read_no_further_when_its_time_is_over() -> None:
    """Its thread reads the end of it then, and is free."""
    late, half, soon = (
        (time.monotonic() - 1, None),
        (time.monotonic() - 1, Asking(3)),
        (time.monotonic() + 600, None),
    )
    for read_until, ends in ((late, True), (half, True), (soon, False)):
        assert looks_as_if_hung_up(read_until) is ends


def test_who_waits_for_an_answer_to_a_whole_request_has_not_hung_up() -> None:
    assert not looks_as_if_hung_up((time.monotonic() - 1, Asking(0)))


def looks_as_if_hung_up(read_until: tuple[float, Asking | None]) -> bool:
    """Whether the worker's side of a connection that is open reads its end, once the worker has looked at it."""
    worker = Worker.__new__(Worker)
    worker.pending_conns = deque()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"GET /queue/ HT")
        worker.read_until = {Held(ours): read_until}
        worker.murder_pending()
        assert ours.recv(100) == b"GET /queue/ HT"
        ours.settimeout(0)
        try:
            return ours.recv(100) == b""
        except BlockingIOError:
            return False
