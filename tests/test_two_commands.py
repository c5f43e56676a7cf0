"""``./run`` and ``./test`` as a user meets them: what they print, what they refuse, what they leave behind."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import bootstrap

ROOT = Path(__file__).resolve().parent.parent
STARTS_WITHIN = 150.0  # seconds on a busy machine, the demo included


def free_port() -> int:
    """A loopback port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment(var: Path, port: int) -> dict[str, str]:
    """A user's environment: none of the test run's variables, its own folder and port."""
    own = ("HALLU", "DJANGO_", "DATABASE_URL", "CELERY_", "CACHE_URL")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    return kept | {"HALLU_VAR": str(var), "HALLU_PORT": str(port)}


@contextmanager
def running(var: Path, port: int) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """``./run`` in a session of its own, with the file that its output goes to; ended with the block."""
    output = var.parent / f"{var.name}-{port}.txt"
    with output.open("wb") as log:
        product = subprocess.Popen(
            ["./run"], cwd=ROOT, env=environment(var, port), stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield product, output
    finally:
        if product.poll() is None:
            os.killpg(product.pid, signal.SIGTERM)
            product.wait(60)


def await_page(product: subprocess.Popen[bytes], port: int, output: Path) -> None:
    """Return once the site answers; fail with what was printed when the product ends or stays silent."""
    end = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < end and product.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5)
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
        else:
            return
    pytest.fail(f"./run did not come up:\n{output.read_text()[-3000:]}")


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


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int, Path]]:
    """A running product; gives its folder, its port and its output."""
    var, port = tmp_path_factory.mktemp("product") / "var", free_port()
    with running(var, port) as (process, output):
        await_page(process, port, output)
        yield var, port, output


def test_run_prints_the_address_the_log_ins_and_a_key_that_works(product: tuple[Path, int, Path]) -> None:
    _, port, output = product
    printed = output.read_text()
    assert f"http://localhost:{port}/" in printed
    key = printed.split("Bearer ")[1].split("'")[0]
    answer = json.dumps(
        {"answer": "NOI was $1.2 million [S0].", "sources": [{"id": "S0", "text": "NOI: $1.2M"}]}
    )
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/answers/",
        data=answer.encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json", "Prefer": "wait=10"},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        assert response.status in (200, 202)
        assert json.load(response)["id"]


def test_a_second_start_says_that_the_port_is_taken_and_how_to_change_it(
    product: tuple[Path, int, Path], tmp_path: Path
) -> None:
    _, port, _ = product
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
            process.wait(60)
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
    taken = bootstrap.test_environment("/tmp/own")
    assert "DATABASE_URL" not in taken
    assert "HALLU_VERIFIER_API_KEY" not in taken
    assert taken["HALLU_DATA"] == "/data"
    assert taken["HALLU_VAR"] == "/tmp/own"


def test_the_scripts_are_plain_shell() -> None:
    for script in ("run", "test"):
        assert (ROOT / script).read_text().startswith("#!/bin/sh\n")
        subprocess.run(["sh", "-n", script], cwd=ROOT, check=True)
