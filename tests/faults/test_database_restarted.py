"""Workers live through a restart of their PostgreSQL: no answer that was taken in is lost, and each is judged once (F8)."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection

from detection.models import DetectionRun
from tests import migrated, servers
from tests.faults import broker
from tests.faults.answers import finished_whole, pending_runs
from tests.faults.elsewhere import connected_to
from tests.faults.processes import running, sweeper, wait_until, worker

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
ANSWERS, DONE, JUST_GIVEN = 8, 3, 4
"""How many are given at first, how many of them are done before the server goes, how many are given right before it does."""


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[servers.Cluster]:
    """A cluster of its own, with the tables of this test run."""
    folder = tmp_path_factory.mktemp("cluster")
    for reached in (folder, *list(folder.parents)[:2]):
        reached.chmod(0o755)  # started by root, PostgreSQL runs as a user of its own
    with servers.cluster(folder) as own:
        kept = urlsplit(settings.DATABASE_URL)._replace(path=f"/{migrated.PREFIX}{migrated.key()}").geturl()
        dumped = [str(servers.programs() / "pg_dump"), "--no-owner", kept]
        tables = subprocess.run(dumped, capture_output=True, check=True).stdout
        filled = [str(servers.programs() / "psql"), "--quiet", "--set=ON_ERROR_STOP=1", own.url]
        subprocess.run(filled, input=tables, stdout=subprocess.DEVNULL, check=True)
        yield own


def done(runs: list[DetectionRun]) -> int:
    return DetectionRun.objects.filter(pk__in=[run.pk for run in runs], finished_at__isnull=False).count()


def test_no_answer_is_lost_while_the_server_is_restarted(cluster: servers.Cluster, tmp_path: Path) -> None:
    broker.empty()
    logs = tmp_path / "worker.log", tmp_path / "sweep.log"
    given = {"DATABASE_URL": cluster.url}
    working, sweeping = worker(logs[0], pool="prefork", **given), sweeper(logs[1], **given)
    with running(working, sweeping), connected_to(cluster.url):
        runs = pending_runs(ANSWERS, remark="It dawdles.")
        wait_until(lambda: done(runs) >= DONE, *logs)
        runs += pending_runs(JUST_GIVEN)
        connection.close()
        cluster.crash()
        wait_until(lambda: done(runs) == len(runs), *logs)
        assert (working.child.poll(), sweeping.child.poll()) == (None, None)
        for run in runs:
            finished_whole(run)
