"""``manage.py up`` starts all processes, starts again what dies, refuses to start twice, leaves nothing behind."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from hallu_site.supervisor import FIRST_DELAY, LONGEST_DELAY, Child, Supervisor
from tests import migrated
from tests.faults.processes import wait_until
from tests.waiting import GIVEN_UP_AFTER

ENDLESS = [sys.executable, "-c", "import time; print('at work', flush=True); time.sleep(600)"]


def alive(pid: int) -> bool:
    """Whether a process runs (an ended one that nobody waited for does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Lines(list[tuple[str, str]]):
    def say(self, name: str, line: str) -> None:
        self.append((name, line))


@pytest.fixture
def lines() -> Lines:
    return Lines()


@pytest.fixture
def child(lines: Lines) -> Iterator[Child]:
    started = Child("fast", ENDLESS, lines.say)
    yield started
    started.kill()


def ended(child: Child) -> Callable[[], bool]:
    return lambda: not child.alive()


def test_every_line_of_a_child_is_named(child: Child, lines: Lines) -> None:
    child.look()
    wait_until(lambda: ("fast", "at work") in lines)


def test_a_child_that_dies_is_started_again(child: Child, lines: Lines) -> None:
    child.look()
    assert child.process
    first = child.process.pid
    child.signal(signal.SIGKILL)
    wait_until(ended(child))
    child.look()
    assert ("fast", f"ended with -9, starts again in {child.delay:g} s") in lines
    child.due = 0
    child.look()
    assert child.process
    assert child.process.pid != first
    assert child.alive()


def test_a_child_that_keeps_dying_is_started_ever_later(lines: Lines) -> None:
    dying = Child("fast", [sys.executable, "-c", ""], lines.say)
    delays = []
    for _ in range(8):
        dying.due = 0
        dying.look()
        wait_until(ended(dying))
        dying.look()
        delays.append(dying.delay)
    assert delays == sorted(delays)
    assert delays[0] > FIRST_DELAY
    assert delays[-1] == LONGEST_DELAY


def test_a_child_that_lived_long_is_started_again_soon(child: Child) -> None:
    child.delay = LONGEST_DELAY
    child.look()
    child.started -= 60
    child.signal(signal.SIGKILL)
    wait_until(ended(child))
    child.look()
    assert child.delay == FIRST_DELAY


def test_a_child_that_will_not_end_is_killed_with_all_it_started(
    lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    stubborn = (
        "import signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        "grandchild = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); "
        "print(grandchild.pid, flush=True); time.sleep(600)"
    )
    monkeypatch.setattr("hallu_site.supervisor.GRACE_SECONDS", 0.5)
    supervisor = Supervisor({"web": [sys.executable, "-c", stubborn]}, lines.say)
    supervisor.children[0].look()
    wait_until(lambda: bool(lines))
    supervisor.end()
    assert not supervisor.children[0].alive()
    wait_until(lambda: not alive(int(lines[0][1])))


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> dict[str, str]:
    """An installation with its database, on a port of its own."""
    var = tmp_path_factory.mktemp("installation")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    migrated.install(var / "hallu.sqlite3")
    fresh = {"HALLU_VAR": str(var), "HALLU_PORT": str(port), "PYTHONUNBUFFERED": "1"}
    mine = {
        name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "CELERY_BROKER_URL"}
    }
    return {**mine, **fresh, "DATABASE_URL": f"sqlite:///{var}/hallu.sqlite3"}


class Up:
    """A running ``manage.py up``."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.log = log = Path(environment["HALLU_VAR"]) / "up.log"
        with log.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up"],
                cwd=settings.BASE_DIR,
                env=environment,
                stdout=output,
                stderr=output,
            )
        wait_until(lambda: "ready at http" in log.read_text(), log)

    def children(self) -> list[int]:
        """Every process below the supervisor."""
        found, parents = [], [self.process.pid]
        while parents:
            parent = parents.pop()
            listed = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
            found += [int(pid) for pid in listed]
            parents += [int(pid) for pid in listed]
        return found


@pytest.fixture(scope="module")
def started() -> Iterator[list[Up]]:
    """Every start of the installation; at the end TERM must stop all of it."""
    starts: list[Up] = []
    yield starts
    if starts and starts[-1].process.poll() is None:
        below = starts[-1].children()
        starts[-1].process.terminate()
        assert starts[-1].process.wait(GIVEN_UP_AFTER) == 0
        wait_until(lambda: not any(alive(pid) for pid in below), starts[-1].log)


@pytest.fixture
def up(environment: dict[str, str], started: list[Up]) -> Up:
    """The installation, running: as the test before has left it, or started again."""
    if not started or started[-1].process.poll() is not None:
        started.append(Up(environment))
    return started[-1]


def second_start(environment: dict[str, str]) -> tuple[int, str]:
    result = subprocess.run(
        [sys.executable, "manage.py", "up"],
        cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return result.returncode, result.stderr


def test_a_taken_port_is_refused_naming_the_variable(environment: dict[str, str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", int(environment["HALLU_PORT"])))
        taken.listen()
        code, said = second_start(environment)
    assert code == 1
    assert f"Port {environment['HALLU_PORT']}" in said
    assert "HALLU_PORT" in said
    assert "Traceback" not in said


def test_a_second_start_is_refused_with_what_to_do(up: Up, environment: dict[str, str]) -> None:
    code, said = second_start(environment)
    assert code == 1
    assert "already runs" in said
    assert "HALLU_VAR" in said


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_killing_the_supervisor_ends_its_children(up: Up) -> None:
    below = up.children()
    up.process.kill()
    up.process.wait()
    wait_until(lambda: not any(alive(pid) for pid in below), up.log)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_control_c_leaves_nothing_running(up: Up) -> None:
    below = up.children()
    assert len(below) >= 6
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait(GIVEN_UP_AFTER) == 0
    assert [pid for pid in below if alive(pid)] == []
