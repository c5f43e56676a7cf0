"""``./run`` and ``./test`` as a user meets them: what they refuse, what they leave behind. What they print: tests/test_first_ten_minutes.py."""

import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import pytest

import bootstrap
from tests.product import ROOT, await_page, environment, free_port, running
from tests.waiting import GIVEN_UP_AFTER


def processes_of(var: Path) -> list[str]:
    """The command lines of every process that runs with this HALLU_VAR, whatever its session."""
    mark, found = f"HALLU_VAR={var}\0".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


def test_a_start_on_a_taken_port_says_so_and_how_to_change_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        second = subprocess.run(
            ["./run"], cwd=ROOT, env=environment(tmp_path, port), capture_output=True, text=True
        )
    assert second.returncode != 0
    assert f"Port {port} cannot be used" in second.stderr
    assert f"HALLU_PORT={port + 1}" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc to see every process")
def test_ctrl_c_leaves_nothing_running_and_a_second_start_shows_the_same_log_ins(tmp_path: Path) -> None:
    var, port = tmp_path / "var", free_port()
    welcomes = []
    for _ in range(2):
        with running(var, port) as (process, output):
            await_page(process, port, output)
            assert len(processes_of(var)) >= 4
            os.killpg(process.pid, signal.SIGINT)
            process.wait(GIVEN_UP_AFTER)
            assert processes_of(var) == []
            printed = output.read_text()
            assert "Traceback" not in printed
            welcomes.append(printed[printed.index("  viewer") :].split("API documentation")[0])
    assert welcomes[0] == welcomes[1]


def test_what_cannot_be_installed_is_said_without_a_traceback(tmp_path: Path) -> None:
    for name in ("run", "bootstrap.py", "requirements.txt", "requirements-dev.txt"):
        shutil.copy(ROOT / name, tmp_path)
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path), "PIP_NO_CACHE_DIR": "1"}
    tried = subprocess.run(
        ["./run"], cwd=tmp_path, env=environment(tmp_path, 1) | offline, capture_output=True, text=True
    )
    assert tried.returncode == 1
    assert "could not be installed. Is the package index reachable?" in tried.stderr
    assert "Traceback" not in tried.stderr
    assert not (tmp_path / ".venv" / "installed-locks.json").exists()


def test_without_a_python_that_is_new_enough_the_reason_is_named(tmp_path: Path) -> None:
    (tmp_path / "dirname").symlink_to(shutil.which("dirname") or "/usr/bin/dirname")
    tried = subprocess.run([ROOT / "run"], env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    assert tried.returncode == 1
    assert "Python 3.11 or newer is needed" in tried.stderr


def test_nothing_is_installed_when_the_lock_is_in_place() -> None:
    current = {name: bootstrap.fingerprint(name) for name in (bootstrap.RUNTIME, bootstrap.DEVELOPMENT)}
    assert bootstrap.lock_to_install(bootstrap.RUNTIME, current) is None
    assert bootstrap.lock_to_install(bootstrap.DEVELOPMENT, current) is None


def test_run_never_takes_away_what_test_installed() -> None:
    stale = {bootstrap.RUNTIME: "old", bootstrap.DEVELOPMENT: "old"}
    assert bootstrap.lock_to_install(bootstrap.RUNTIME, stale) == bootstrap.DEVELOPMENT


def test_test_adds_development_packages_to_what_run_installed() -> None:
    runtime_alone = {bootstrap.RUNTIME: bootstrap.fingerprint(bootstrap.RUNTIME)}
    assert bootstrap.lock_to_install(bootstrap.RUNTIME, runtime_alone) is None
    assert bootstrap.lock_to_install(bootstrap.DEVELOPMENT, runtime_alone) == bootstrap.DEVELOPMENT


def test_tests_take_neither_database_nor_key_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://production")
    monkeypatch.setenv("HALLU_VERIFIER_API_KEY", "secret")
    monkeypatch.setenv("HALLU_DATA", "/data")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    taken = bootstrap.test_environment("/tmp/own")
    assert "PYTHONDONTWRITEBYTECODE" not in taken
    assert "DATABASE_URL" not in taken
    assert "HALLU_VERIFIER_API_KEY" not in taken
    assert taken["HALLU_DATA"] == "/data"
    assert taken["HALLU_VAR"] == "/tmp/own"


@pytest.mark.parametrize("asked", [[], ["-q", "--junitxml=out.xml"], ["--no-header"], ["-k", "numbers"]])
def test_all_tests_are_shared_by_a_process_for_each_core(asked: list[str]) -> None:
    assert bootstrap.processes(asked) == ["-n", "auto"]


@pytest.mark.parametrize("asked", [["-n0"], ["-n", "4"], ["--pdb"], ["tests/test_access.py::test_one"]])
def test_who_says_how_or_which_tests_run_is_obeyed(asked: list[str]) -> None:
    assert bootstrap.processes(asked) == []


def test_the_scripts_are_plain_shell() -> None:
    for script in ("run", "test"):
        assert (ROOT / script).read_text().startswith("#!/bin/sh\n")
        subprocess.run(["sh", "-n", script], cwd=ROOT, check=True)
