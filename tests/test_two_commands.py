"""``./run`` and ``./test`` as a user meets them: what they refuse, what they install. What they print and leave behind:
tests/test_first_ten_minutes.py."""

import shutil
import socket
import subprocess
from pathlib import Path

import pytest

import bootstrap
from tests.product import ROOT, environment


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
    monkeypatch.setenv("HALLU_EXAMPLES", "300")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    taken = bootstrap.test_environment("/tmp/own")
    assert "PYTHONDONTWRITEBYTECODE" not in taken
    assert "DATABASE_URL" not in taken
    assert "HALLU_VERIFIER_API_KEY" not in taken
    assert (taken["HALLU_DATA"], taken["HALLU_EXAMPLES"]) == ("/data", "300")
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
