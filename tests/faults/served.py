"""The site in a process of its own, on the database of the tests, and requests to it."""

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from detection.models import ApiKey
from tests.faults.processes import Process, running, wait_until
from tests.product import free_port

TOKEN = "c" * 32


class Asked(NamedTuple):
    """One request; as a person, a key or nobody."""

    method: str
    path: str
    who: str = "person"
    body: str = ""


class Answered(NamedTuple):
    """A status, and the seconds that it took."""

    status: int
    seconds: float


class Response(NamedTuple):
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Site:
    """Gunicorn on the database of the tests, with people and keys that may do everything."""

    def __init__(self, port: int, log: Path) -> None:
        self.port, self.log = port, log
        person = User.objects.create_superuser("everybody", password="x")
        browser = Client()
        browser.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
        session = f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}"
        token = {"X-CSRFToken": TOKEN, "Cookie": f"csrftoken={TOKEN}"}
        _, key = ApiKey.issue("everything", ["submit", "read", "review", "admin"])
        self.headers = {
            "nobody": token,
            "person": token | {"Cookie": f"csrftoken={TOKEN}; {session}"},
            "key": {"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
        }

    def response(self, asked: Asked) -> "Response":
        """The answer to one request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = self.headers[asked.who]
        if asked.who != "key" and asked.body:
            headers = headers | {"Content-Type": "application/x-www-form-urlencoded"}
        try:
            connection.request(asked.method, asked.path, asked.body, headers)
            got = connection.getresponse()
            return Response(got.status, got.headers, got.read())
        finally:
            connection.close()

    def ask(self, asked: Asked) -> tuple[int, bytes]:
        """Status and body of one request."""
        response = self.response(asked)
        return response.status, response.body

    def answers(self) -> bool:
        """Whether it can take answers in yet."""
        try:
            return self.ask(Asked("GET", "/readyz", "nobody"))[0] == 200
        except OSError:
            return False

    def walk(self, requests: list[Asked]) -> dict[Asked, Answered]:
        """Send all, one after the other."""
        found = {}
        for asked in requests:
            begun = time.monotonic()
            found[asked] = Answered(self.ask(asked)[0], time.monotonic() - begun)
        return found


def submission(number: int) -> Asked:
    """An answer to be judged."""
    sources = [{"id": "S0", "text": "Occupancy was 95.2%."}]
    sent = {"external_id": f"a-{number}", "answer": "Occupancy was 95.2% [S0].", "sources": sources}
    return Asked("POST", "/api/v1/answers/", "key", json.dumps(sent))


@contextmanager
def served(log: Path, **variables: str) -> Iterator[Site]:
    """The web process, as ``./run`` has it, under these variables."""
    port = free_port()
    command = ["process", "web", "--concurrency", "1"]
    with running(Process(command, log, HALLU_PORT=str(port), **variables)):
        site = Site(port, log)
        wait_until(site.answers, log)
        yield site
