"""A PostgreSQL that is dead, frozen, locked or read-only is told with 503 and when to come back, and soon; nothing is half stored."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.db import connection, connections, transaction

from detection.models import Answer
from detection.operations import patience
from tests.faults.between import Between
from tests.faults.processes import database_url, wait_until
from tests.faults.served import Asked, Site, served, submission

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("SPEC-08.43"),
]
CHOICE = Asked("POST", "/me/", body="theme=dark&language=en")
PAGES = [Asked("GET", "/queue/"), CHOICE, Asked("GET", "/admin/")]
MANY, LONGEST = 40, 60.0
"""Requests under one fault, and the seconds for all of them, one after the other. Each was held by a frozen server for 36 s before there were
limits, and for 2 s if each found out by itself."""


@pytest.fixture
def network() -> Iterator[Between]:
    """Between the site and the server of this test run."""
    url = urlsplit(database_url())
    folder = parse_qs(url.query).get("host", [""])[0]
    opened = Between(
        f"{folder}/.s.PGSQL.{url.port or 5432}" if folder else (url.hostname or "", url.port or 5432)
    )
    yield opened
    opened.be("well")
    opened.close()


@pytest.fixture
def site(network: Between, tmp_path: Path) -> Iterator[Site]:
    url = urlsplit(database_url())
    user = url.netloc.rpartition("@")[0]
    through = url._replace(netloc=f"{user}@127.0.0.1:{network.port}", query="").geturl()
    with served(tmp_path / "web.log", DATABASE_URL=through) as opened:
        yield opened


def refused(site: Site, asked: Asked) -> None:
    """Assert that a request is told to come back, in the form of its kind."""
    response = site.response(asked)
    told = (asked, response.status, response.body[:500], site.log.read_text()[-3000:])
    assert response.status == 503, told
    assert int(response.headers["Retry-After"]) > 0, told
    if asked.path.startswith("/api/"):
        assert response.headers["Content-Type"] == "application/problem+json", told
        assert b"urn:hallu:problem:database-away" in response.body, told
    else:
        assert b"Not available now" in response.body, told


@pytest.mark.parametrize("fault", ["dead", "frozen"])
def test_a_server_that_is_away_is_told_soon_while_the_process_lives(
    fault: str, site: Site, network: Between
) -> None:
    requests = [submission(1), Asked("GET", "/api/v1/answers/", "key"), *PAGES]
    assert [site.ask(asked)[0] for asked in requests] == [202, 200, 200, 302, 200]
    network.be(fault)
    begun = time.monotonic()
    for number in range(MANY):
        refused(site, submission(10 + number))
    for asked in requests[1:]:
        refused(site, asked)
    assert site.ask(Asked("GET", "/readyz", "nobody"))[0] == 503
    assert time.monotonic() - begun < LONGEST
    assert site.ask(Asked("GET", "/healthz", "nobody"))[0] == 200
    network.be("well")
    wait_until(lambda: site.ask(submission(2))[0] == 202, site.log)
    assert Answer.objects.count() == 2


def test_a_read_only_server_is_read_and_takes_nothing(site: Site, network: Between) -> None:
    reads = [Asked("GET", "/api/v1/answers/", "key"), Asked("GET", "/queue/")]
    assert [site.ask(asked)[0] for asked in [submission(1), *reads]] == [202, 200, 200]
    reconnected(network, "ALTER DATABASE {} SET default_transaction_read_only = on")
    try:
        refused(site, submission(2))
        refused(site, CHOICE)
        assert [site.ask(asked)[0] for asked in reads] == [200, 200]
        status, told = site.ask(Asked("GET", "/readyz", "nobody"))
        # On a slow machine the cache may be left out as well, which is named in a line of its own and costs no readiness.
        assert (status, told.splitlines()[0]) == (503, b"database: InternalError")
    finally:
        reconnected(network, "ALTER DATABASE {} RESET default_transaction_read_only")
    assert site.ask(submission(2))[0] == 202
    assert Answer.objects.count() == 2


def reconnected(network: Between, statement: str) -> None:
    """Change the database for all connections that are made from now on, which those of the site are."""
    with connection.cursor() as cursor:
        cursor.execute(statement.format(connection.ops.quote_name(connection.settings_dict["NAME"])))
    network.be("dead")
    network.be("well")


def test_a_lock_that_another_holds_is_not_waited_for(site: Site) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE detection_answer IN ACCESS EXCLUSIVE MODE")
        refused(site, submission(1))
    assert site.ask(submission(1))[0] == 202


@pytest.mark.parametrize("lane", ["web", "worker"])
def test_each_lane_has_limits_of_its_own(lane: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = patience.LANES[lane]
    database = settings.DATABASES["default"]
    monkeypatch.setitem(settings.DATABASES, "default", database | {"OPTIONS": dict(database["OPTIONS"])})
    patience.limit(lane)
    fresh = type(connections["default"])(settings.DATABASES["default"])
    try:
        with fresh.cursor() as cursor:
            cursor.execute("SELECT current_setting('statement_timeout'), current_setting('lock_timeout')")
            assert cursor.fetchone() == (f"{wanted.statement}s", f"{wanted.lock}s")
        assert fresh.get_connection_params()["connect_timeout"] == wanted.connect
        assert fresh.connection.seconds > wanted.statement
    finally:
        fresh.close()


def test_a_server_that_has_just_answered_is_asked_by_the_next_statement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    database = settings.DATABASES["default"]
    limited = database | {"OPTIONS": {**database["OPTIONS"], "connect_timeout": 2}}
    fresh = type(connections["default"])(limited)
    monkeypatch.setattr("hallu_site.postgresql.base.FRESH", 3600.0)
    try:
        with fresh.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (process,) = cursor.fetchone()
            assert fresh.is_usable()
            assert fresh.connection.doubted == 2, "it is waited for no longer than a question would be"
            cursor.execute("SELECT 1")
            assert fresh.connection.doubted is None
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 60000)", [process])
        assert not fresh.is_usable()
    finally:
        fresh.close()


def test_a_server_that_has_been_silent_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = type(connections["default"])(settings.DATABASES["default"])
    monkeypatch.setattr("hallu_site.postgresql.base.FRESH", 0.0)
    try:
        fresh.ensure_connection()
        answered = fresh.connection.answered
        assert fresh.is_usable()
        assert fresh.connection.doubted is None
        assert fresh.connection.answered > answered
    finally:
        fresh.close()
