"""On a full disk what is stored is read on, and what cannot be stored is told with 503 and when to come back (F9)."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from detection.models import Answer, DetectionRun
from tests import migrated
from tests.faults.elsewhere import connected_to
from tests.faults.processes import wait_until
from tests.faults.served import Asked, Site, served, submission

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="The file of SQLite is put on a small disk."),
]
MEGABYTES, MOST = 32, 500
"""The size of the disk, and how many answers it may take to fill what the log has room for."""
READS = [Asked("GET", "/api/v1/answers/", "key"), Asked("GET", "/queue/")]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own; skipped where this process may mount none."""
    folder = tmp_path / "disk"
    folder.mkdir()
    size = f"size={MEGABYTES}m"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip(f"No disk can be mounted here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def site(disk: Path, tmp_path: Path) -> Iterator[Site]:
    """The site on a database on that disk."""
    migrated.install(disk / "hallu.sqlite3")
    url = f"sqlite:///{disk / 'hallu.sqlite3'}"
    with connected_to(url), served(tmp_path / "web.log", DATABASE_URL=url) as opened:
        connection.close()
        yield opened


def fill(disk: Path) -> Path:
    """A file that takes all the room that is left."""
    junk = disk / "junk"
    with junk.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(1024)):
                pass
        except OSError:
            return junk
    raise AssertionError("the disk has no end")


def test_a_full_disk_is_read_and_told_and_taken_up_again(site: Site, disk: Path) -> None:
    assert [site.ask(asked)[0] for asked in [submission(0), *READS]] == [202, 200, 200]
    junk = fill(disk)
    taken = 1
    while (response := site.response(submission(taken))).status == 202:
        taken += 1
        assert taken < MOST, "it was never full"
    told = (response.status, response.body, site.log.read_text()[-3000:])
    assert response.status == 503, told
    assert int(response.headers["Retry-After"]) > 0, told
    assert b"urn:hallu:problem:database-away" in response.body, told
    assert [site.ask(asked)[0] for asked in READS] == [200, 200]
    assert site.ask(Asked("GET", "/healthz", "nobody"))[0] == 200
    junk.unlink()
    wait_until(lambda: site.ask(submission(taken))[0] == 202, site.log)
    assert Answer.objects.count() == DetectionRun.objects.count() == taken + 1
