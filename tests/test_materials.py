"""What the product is made of is written down, is allowed, and has no vulnerability that is known."""

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests import materials, vulnerabilities

pytestmark = pytest.mark.requirement("SEC-27")
PIN = f"regex==1.0 \\\n    --hash=sha256:{'0' * 64}\n"


def part(name: str, version: str = "1.0", **licence: Any) -> dict[str, Any]:
    """A part of a bill."""
    return {"name": name, "version": version, "bom-ref": name, "licenses": [licence] if licence else []}


def test_the_product_is_made_of_what_is_pinned_under_licences_that_are_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert materials.main(tmp_path / "sbom.json") == 0, capsys.readouterr().out
    bill = json.loads((tmp_path / "sbom.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    named = {part["name"].lower() for part in bill["components"]}
    assert {"django", "authlib", "psycopg"} <= named
    assert not {"pytest", "cyclonedx-bom"} & named
    assert len(named) == len(materials.pinned("requirements.txt"))


@pytest.mark.parametrize(
    ("installed", "said"),
    [
        (part("other", license={"id": "MIT"}), "pinned and not installed"),
        (part("regex", "2.0", license={"id": "MIT"}), "installed at 2.0"),
        (part("regex", license={"id": "GPL-3.0-only"}), "not among those that are allowed"),
        (part("regex", expression="MIT AND AGPL-3.0-only"), "not among those that are allowed"),
        (part("regex", license={"name": "License :: Other/Proprietary License"}), "not among those"),
        (part("regex", license={"name": "License :: DFSG approved"}), "names no licence"),
        (part("regex"), "names no licence"),
    ],
)
def test_a_bill_with_a_fault_is_told(installed: dict[str, Any], said: str) -> None:
    (found,) = materials.faults({"components": [installed]}, {"regex": "1.0"})
    assert said in found


@pytest.mark.parametrize(
    "licence",
    [
        {"license": {"id": "MIT"}},
        {"expression": "GPL-3.0-only OR MIT"},
        {"expression": "(Apache-2.0 AND ISC)"},
    ],
)
def test_a_licence_that_may_be_chosen_is_enough(licence: dict[str, Any]) -> None:
    assert list(materials.faults({"components": [part("regex", **licence)]}, {"regex": "1.0"})) == []


# --- vulnerabilities ---
@contextmanager
def service(answer: dict[str, Any]) -> Iterator[str]:
    """A service for vulnerabilities that says the same of every package (the protocol of OSV)."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.dumps(answer).encode()
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # its name
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


FLAW = {
    "id": "PYSEC-2026-1",
    "summary": "It runs what it reads.",
    "affected": [
        {
            "package": {"name": "regex", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.1"}]}],
        }
    ],
}


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    """A lock file with one package."""
    path = tmp_path / "requirements.txt"
    path.write_text(PIN)
    return path


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        ({"vulns": [FLAW]}, 1, "regex 1.0: PYSEC-2026-1, fixed in 1.1."),
        ({}, 0, "1 of 1 packages audited, 0 with a vulnerability."),
    ],
)
def test_a_known_vulnerability_fails(
    lock: Path, capsys: pytest.CaptureFixture[str], answer: dict[str, Any], status: int, said: str
) -> None:
    with service(answer) as url:
        assert vulnerabilities.main(lock, ("-s", "osv", "--osv-url", url)) == status
    assert said in capsys.readouterr().out


def test_a_service_that_is_away_is_told_and_fails_nothing(
    lock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert vulnerabilities.main(lock, ("-s", "osv", "--osv-url", "http://127.0.0.1:9/")) == 0
    assert "NOT AUDITED: the service for vulnerabilities cannot be reached" in capsys.readouterr().out


def test_an_audit_that_is_broken_is_none(lock: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert vulnerabilities.main(lock, ("--no-such-option",)) == 1
    assert "could not do its work" in capsys.readouterr().out


def test_a_service_that_does_not_end_is_told(
    lock: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_given: Any, **options: Any) -> None:
        raise subprocess.TimeoutExpired("pip-audit", options["timeout"])

    monkeypatch.setattr(subprocess, "run", late)
    assert vulnerabilities.main(lock) == 0
    assert "NOT AUDITED" in capsys.readouterr().out


def test_packages_that_nobody_knows_are_not_called_audited(capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[dict] = [
        {"name": "regex", "skip_reason": "not found"},
        {"name": "django", "version": "5.2", "vulns": []},
    ]
    assert vulnerabilities._told(asked, []) == 0
    told = capsys.readouterr().out
    assert "NOT AUDITED: the service knows nothing of 1 of 2 packages (regex)." in told
    assert "1 of 2 packages audited" in told
