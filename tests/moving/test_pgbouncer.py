"""The site and its workers on PostgreSQL through a PgBouncer that gives two connections to all of them."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, connections

from detection.models import DetectionRun
from detection.operations import patience
from tests.faults.answers import finished_whole
from tests.faults.processes import running, sweeper, wait_until, worker
from tests.faults.served import Asked, served, submission
from tests.moving.databases import environment
from tests.moving.shipped import ROOT
from tests.product import free_port

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("MOV-6"),
    pytest.mark.skipif(not shutil.which("pgbouncer"), reason="pgbouncer is not there: apt install pgbouncer"),
]

SHIPPED = ROOT / "deploy" / "pgbouncer.ini"
CONNECTIONS = 2
LANES = {"hallu_web": "web", "hallu": "worker"}
"""The databases that are shipped, and whose limits are theirs."""


def here(port: int) -> str:
    """What is shipped, with this machine's addresses, and fewer connections than there are threads."""
    connection.ensure_connection()
    server = connection.connection.info
    password = f" password={server.password}" if server.password else ""
    at = f"host={server.host} port={server.port} dbname={server.dbname} user={server.user}{password}"
    text = re.sub(r"host=\S+ port=\d+ dbname=\S+", at, SHIPPED.read_text())
    ours = {"listen_port": port, "unix_socket_dir": "", "auth_type": "any", "default_pool_size": CONNECTIONS}
    for name, value in ours.items():
        text, count = re.subn(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.MULTILINE)
        assert count == 1, name
    return re.sub(r"^auth_file = .*\n", "", text, flags=re.MULTILINE)


def somebody() -> str:
    """A user that is not root, and reaches the server's socket where it has one."""
    host = Path(connection.connection.info.host)
    return host.owner() if host.is_dir() else "nobody"


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[str]:
    """PgBouncer on the database of this test run: its address, to which the name of one of its databases is added."""
    port = free_port()
    with TemporaryDirectory() as folder, (tmp_path / "pgbouncer.log").open("w") as log:
        Path(folder).chmod(0o755)  # started by root it becomes somebody else
        configuration = Path(folder) / "pgbouncer.ini"
        configuration.write_text(here(port))
        become = [] if os.geteuid() else ["--user", somebody()]
        started = subprocess.Popen(["pgbouncer", *become, str(configuration)], stdout=log, stderr=log)
        try:
            wait_until(
                lambda: "process up" in (tmp_path / "pgbouncer.log").read_text(), tmp_path / "pgbouncer.log"
            )
            yield f"postgresql://hallu@127.0.0.1:{port}/"
        finally:
            started.terminate()
            started.wait()


def limits(lane: Any, url: str, name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """How long a connection of that lane may take for a statement and a lock, as the server has it."""
    port = int(url.rsplit(":", 1)[1].strip("/"))
    at = {"HOST": "127.0.0.1", "PORT": port, "NAME": name, "USER": "hallu", "OPTIONS": {}}
    monkeypatch.setitem(settings.DATABASES, "default", settings.DATABASES["default"] | at)
    patience.limit(lane)
    fresh = type(connections["default"])(settings.DATABASES["default"])
    try:
        with fresh.cursor() as cursor:
            cursor.execute("SELECT current_setting('statement_timeout'), current_setting('lock_timeout')")
            found: tuple[str, str] = cursor.fetchone()
            return found
    finally:
        fresh.close()


def test_each_lane_has_its_limits_which_no_connection_brings(
    pool: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BEHIND_PGBOUNCER = True
    for name, lane in LANES.items():
        wanted = patience.LANES[lane]
        assert limits(lane, pool, name, monkeypatch) == (f"{wanted.statement}s", f"{wanted.lock}s")
    settings.BEHIND_PGBOUNCER = False
    with pytest.raises(OperationalError, match="unsupported startup parameter: options"):
        limits("web", pool, "hallu_web", monkeypatch)


def test_answers_are_taken_in_judged_and_read_through_it(pool: str, tmp_path: Path) -> None:
    web, log, swept = tmp_path / "web.log", tmp_path / "worker.log", tmp_path / "sweep.log"
    behind = {"HALLU_BEHIND_PGBOUNCER": "true", "DATABASE_URL": f"{pool}hallu"}
    through = running(worker(log, "fast", "verify", **behind), sweeper(swept, **behind))
    with served(web, **behind | {"DATABASE_URL": f"{pool}hallu_web"}) as site, through:
        for number in range(8):
            assert site.ask(submission(number))[0] == 202
        wait_until(
            lambda: DetectionRun.objects.filter(finished_at__isnull=False).count() == 8, web, log, swept
        )
        assert site.ask(Asked("GET", "/queue/"))[0] == 200
        assert site.ask(Asked("GET", "/metrics", "nobody"))[0] == 200
    for run in DetectionRun.objects.all():
        finished_whole(run)
    told = web.read_text() + log.read_text() + swept.read_text()
    assert not re.search("prepared statement|cursor|Traceback", told), told[-3000:]


def test_no_cursor_is_kept_on_the_server(tmp_path: Path) -> None:
    asked = "from django.conf import settings; print(settings.DATABASES['default']['DISABLE_SERVER_SIDE_CURSORS'])"
    variables = environment("postgresql://hallu@localhost/hallu", tmp_path, HALLU_BEHIND_PGBOUNCER="true")
    told = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, env=variables, capture_output=True, text=True
    )
    assert told.stdout == "True\n", told.stderr


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_backups_are_not_made_through_it(command: str, settings: Any, tmp_path: Path) -> None:
    settings.BEHIND_PGBOUNCER = True
    with pytest.raises(CommandError, match="PostgreSQL itself, not through PgBouncer"):
        call_command(command, tmp_path / "file")
