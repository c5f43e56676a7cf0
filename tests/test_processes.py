"""``manage.py process`` becomes the process that it names, and refuses what is none."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from hallu_site.management.commands.process import LANES, PROCESSES, QUEUES, command_line
from hallu_site.management.commands.up import commands
from reviews.lifecycle import publishing
from tests.tables import each_case

pytestmark = pytest.mark.requirement("MOV-1")

ROOT = Path(__file__).resolve().parent.parent


def option(command: list[str], name: str) -> str:
    return command[command.index(name) + 1]


@each_case(
    "name, listens, workers",
    [
        ("web", "127.0.0.1:8041", "1"),
        ("fast", "", "2"),
        ("verify", "", "4"),
        ("large", "", "1"),
        ("sweep", "", ""),
    ],
)
def test_each_process_has_its_own_command(name: str, listens: str, workers: str) -> None:
    command = command_line([name])
    assert name in PROCESSES
    assert command[0] == sys.executable
    if listens:
        assert option(command, "--worker-class") == "hallu_site.liveness.Worker"
        assert option(command, "--workers") == workers
    elif workers:
        assert option(command, "--queues") == ",".join(QUEUES[name])
        assert option(command, "--concurrency") == workers
    else:
        assert command[1:] == [str(ROOT / "manage.py"), name]


def test_the_web_process_listens_on_this_machine_alone_unless_it_is_told_otherwise(settings: Any) -> None:
    settings.HALLU_PORT = 8041
    assert option(command_line(["web"]), "--bind") == "127.0.0.1:8041"
    assert option(command_line(["web"], host="0.0.0.0"), "--bind") == "0.0.0.0:8041"  # noqa: S104 - what is asked for


def test_the_log_of_requests_keeps_no_search_texts(settings: Any) -> None:
    settings.PRODUCTION = True
    logged = option(command_line(["web"]), "--access-logformat")
    assert "%(U)s" in logged  # the path; r, q and f are the request line, the query string, the referrer
    assert not {"%(r)s", "%(q)s", "%(f)s"} & set(logged.replace('"', " ").split())


def test_every_queue_that_is_published_to_has_a_worker() -> None:
    read = {queue for lane in LANES for queue in QUEUES[lane]}
    assert {queue for _, queue in publishing.TASKS.values()} == read


def test_one_worker_takes_several_lanes() -> None:
    command = command_line(["fast", "verify"])
    assert (option(command, "--queues"), option(command, "--concurrency")) == (
        "fast,detect,verify,detect_verify",
        "6",
    )
    assert option(command_line(["fast", "verify"], concurrency=3), "--concurrency") == "3"


@each_case(
    "arguments, said",
    [
        (["web", "fast"], "can be one process together"),
        (["sweep", "sweep"], "can be one process together"),
        (["fast", "--host", "0.0.0.0"], "Only web listens"),  # noqa: S104
        (["fast", "--concurrency", "0"], "1 or more"),
        (["sweep", "--concurrency", "2"], "of web and of workers"),
        (["slow"], "invalid choice: 'slow'"),
    ],
)
def test_what_is_no_process_is_refused(arguments: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("process", *arguments)


def test_the_supervisor_starts_every_process_by_its_name() -> None:
    assert {name: command[1:] for name, command in commands().items()} == {
        name: [str(ROOT / "manage.py"), "process", name] for name in PROCESSES
    }


def test_it_becomes_the_process_without_loading_the_apps(tmp_path: Path) -> None:
    """What is started keeps the number of what was called, so that signals arrive; from whatever folder."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\nif sys.argv[-1] == 'sweep' and len(sys.argv) == 2:\n"
        "    print('becomes', os.getpid(), os.getcwd())\n    sys.stdout.flush()\n    os._exit(0)\n"
    )
    called = subprocess.Popen(
        [sys.executable, "-X", "importtime", str(ROOT / "manage.py"), "process", "sweep"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    printed, imported = called.communicate()
    assert printed.split() == ["becomes", str(called.pid), str(ROOT)], imported[-2000:]
    assert "django.apps" in imported
    assert "detection.models" not in imported


LOADED = """
import sys, django
django.setup()
print(*(name for name in sys.modules if name.startswith(("detection.core.evidence", "detection.core.verdict"))))
"""


def test_a_program_that_judges_nothing_loads_nothing_that_judges() -> None:
    """It is more than half of the start of every command."""
    given = os.environ | {"DJANGO_SETTINGS_MODULE": "hallu_site.settings"}
    done = subprocess.run(
        [sys.executable, "-c", LOADED], env=given, capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split() == []
