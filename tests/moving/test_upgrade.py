"""The database of an older version is brought to this one, served by it, and taken back, and loses nothing on either way."""

import json
from collections.abc import Iterator, Mapping
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from django.db import connection

from tests.faults.processes import Process, running, wait_until
from tests.moving import older
from tests.moving.databases import counted, empty_database, environment, manage, opened
from tests.product import free_port

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("MOV-4"),
]

SETTLED = "demo-carmel-turned"
NO_HEADERS: Mapping[str, str] = {}
WRITTEN = """
    SELECT q.external_id, a.text, r.risk_level, r.result IS NOT NULL FROM detection_detectionrun r
    JOIN detection_answer a ON a.id = r.answer_id JOIN detection_query q ON q.id = a.query_id ORDER BY q.external_id
"""
NEW = {
    "external_id": "new",
    "answer": "Occupancy was 95.2% [S0].",
    "sources": [{"id": "S0", "text": "It was 95.2%."}],
}


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A database of the older version."""
    with empty_database(tmp_path) as made:
        older.load(made)
        yield made


def content(url: str) -> list[tuple[object, ...]]:
    """Every answer, what its run found, and that it has a result."""
    with opened(url) as database:
        return [tuple(row) for row in database.execute(WRITTEN).fetchall()]


def last_migrations(url: str) -> dict[str, str]:
    """App → the number of the last of its migrations that the database has."""
    asked = "SELECT app, max(name) FROM django_migrations WHERE app IN ('detection', 'reviews') GROUP BY app"
    with opened(url) as database:
        return {app: name[:4] for app, name in database.execute(asked).fetchall()}


class Visitor:
    """Somebody who asks the site over HTTP, and keeps its cookies."""

    def __init__(self, port: int) -> None:
        self.root, self.cookies = f"http://localhost:{port}", CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.cookies))

    def ask(self, path: str, body: bytes | None = None, headers: Mapping[str, str] = NO_HEADERS) -> str:
        """The body of the answer; raises for a status that is none of success."""
        with self.opener.open(Request(self.root + path, body, dict(headers))) as response:
            return str(response.read(), "utf-8")

    def log_in(self, name: str, password: str) -> None:
        self.ask("/login/")
        token = next(cookie.value or "" for cookie in self.cookies if "csrf" in cookie.name)
        form = {"username": name, "password": password, "csrfmiddlewaretoken": token}
        self.ask("/login/", urlencode(form).encode())


def served_whole(port: int) -> None:
    """The API and a page give what was written by the version before, and a new answer is taken in."""
    visitor = Visitor(port)
    key = {"Authorization": f"Bearer {older.KEYS[connection.vendor]}", "Content-Type": "application/json"}
    found = json.loads(visitor.ask("/api/v1/answers/?" + urlencode({"external_id": SETTLED}), headers=key))
    (answer,) = found["results"]
    assert (answer["verdict"]["risk_level"], answer["effective"]["outcome"]) == ("high", "corrected")
    visitor.log_in(older.PERSON, older.PASSWORD)
    page = visitor.ask(f"/reviews/{answer['review']['id']}/")
    assert "Corrected answer" in page
    assert "947,382.56" in page  # computed from what its source says, and shown beside the claim
    visitor.ask("/api/v1/answers/", json.dumps(NEW).encode(), key)


READ_AGAIN = {"detection_chunkframes"}
"""What is kept of sources only to spare reading them again: its keys changed on the way."""


def test_an_older_database_is_upgraded_served_and_taken_back(url: str, tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "web.log"
    variables = environment(url, tmp_path, DJANGO_SECRET_KEY=older.SECRET_KEY, HALLU_PORT=str(port))
    before, rows = content(url), counted(url)
    assert len(before) == 20
    manage(variables, ["migrate"])
    with running(Process(["process", "web", "--concurrency", "1"], log, **variables)):
        wait_until(lambda: log.exists() and ready(port), log)
        served_whole(port)
    back = ["migrate", "detection", older.MIGRATIONS["detection"]]
    assert "All histories are whole." in manage(variables, ["verify_audit"], back)
    assert last_migrations(url) == older.MIGRATIONS
    assert [row for row in content(url) if row[0] != "new"] == before
    left = counted(url)
    lost = {table for table, count in rows.items() if left[table] < count}
    assert lost <= READ_AGAIN


def ready(port: int) -> bool:
    """Whether the site can take answers in."""
    try:
        Visitor(port).ask("/readyz")
    except OSError:
        return False
    return True
