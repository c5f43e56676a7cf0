"""What a browser is told and what a log is not: cookies, headers and records that a verification of security asks for."""

import io
import json
import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.test import Client
from gunicorn.config import Config

from detection import identity_provider
from detection.access import provider as asking
from detection.access.passwords import OwnWords
from hallu_site import production
from hallu_site.access_log import OneLine
from hallu_site.liveness import ANSWER
from tests.api_calls import Caller
from tests.tables import each_case

ROOT = Path(__file__).resolve().parent.parent
TOLD = """
import json
from hallu_site import settings
print(json.dumps({name: getattr(settings, name) for name in dir(settings) if "COOKIE" in name or name == "MESSAGE_STORAGE"}))
"""


def test_every_cookie_of_a_production_start_is_bound_to_its_host_and_read_by_no_script(
    tmp_path: Path,
) -> None:
    given = {
        "DATABASE_URL": "postgresql://hallu@localhost/hallu",
        "CELERY_BROKER_URL": "redis://localhost:6379/0",
        "DJANGO_SECRET_KEY": "kept-for-tests-" * 4,
        "HALLU_VAR": str(tmp_path),
        "HALLU_TEST": "false",
    }
    asked = subprocess.run(
        [sys.executable, "-c", TOLD], cwd=ROOT, env=os.environ | given, capture_output=True, text=True
    )
    told = json.loads(asked.stdout)
    names = {name: value for name, value in told.items() if name.endswith("COOKIE_NAME")}
    assert len(names) == 4
    assert all(value.startswith("__Host-") for value in names.values())
    assert told["CSRF_COOKIE_HTTPONLY"]
    assert told["LANGUAGE_COOKIE_HTTPONLY"]
    assert all(told[f"{kind}_COOKIE_SECURE"] for kind in ("SESSION", "CSRF", "LANGUAGE"))
    assert told["MESSAGE_STORAGE"].endswith("SessionStorage")


@pytest.mark.django_db
def test_signing_out_has_the_browser_forget_its_pages(make_user: Callable[..., User]) -> None:
    browser = Client()
    browser.force_login(make_user("dana", "reviewer"))
    assert browser.post("/logout/")["Clear-Site-Data"] == '"cache"'


def test_a_static_file_that_is_opened_by_itself_runs_nothing_and_is_framed_by_nobody() -> None:
    headers: dict[str, str] = {}
    settings.WHITENOISE_ADD_HEADERS_FUNCTION(headers, "", "")
    for directive in ("default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "object-src 'none'"):
        assert directive in headers["Content-Security-Policy"]
    assert "script-src" not in headers["Content-Security-Policy"]


def test_a_request_writes_no_line_of_its_own_into_the_log_of_requests() -> None:
    logger = OneLine(Config())
    environ = {"PATH_INFO": "/a\r\n127.0.0.1 forged \x1b[2J", "RAW_URI": "/a", "REQUEST_METHOD": "GET"} | {
        "SERVER_PROTOCOL": "HTTP/1.1"
    }
    request = SimpleNamespace(headers=[])
    response = SimpleNamespace(status="404 Not Found", headers=[], sent=0)
    took = SimpleNamespace(seconds=0, microseconds=0)
    atoms = logger.atoms(response, request, environ, took)
    assert atoms["U"] == "/a\\r\\n127.0.0.1 forged \\x1b[2J"


@pytest.fixture
def written() -> Any:
    """What is logged meanwhile."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    root = logging.getLogger()
    root.addHandler(handler)
    yield stream
    root.removeHandler(handler)


@pytest.mark.django_db
def test_what_is_refused_is_logged_with_whom_and_where(make_user: Callable[..., User], written: Any) -> None:
    dana = make_user("dana", "viewer")
    browser = Client()
    browser.force_login(dana)
    browser.get("/queue/nowhere%0Aat all/")
    Client().get("/api/v1/answers/", REMOTE_ADDR="192.0.2.7")
    reader = Caller("read")
    reader.post("answers/", {"answer": "NOI was $5."})
    lines = [line for line in written.getvalue().splitlines() if line.startswith("refused ")]
    assert lines == [
        f"refused status=404 method=GET path='/queue/nowhere\\nat all/' by=person:{dana.pk} address=127.0.0.1",
        "refused status=401 method=GET path='/api/v1/answers/' by=nobody address=192.0.2.7",
        f"refused status=403 method=POST path='/api/v1/answers/' by=key:{reader.row.pk} address=127.0.0.1",
    ]


@pytest.mark.django_db
def test_a_failed_log_in_is_logged_with_its_address_and_without_what_was_typed(written: Any) -> None:
    Client().post("/login/", {"username": "my-secret-word", "password": "another"}, REMOTE_ADDR="192.0.2.9")
    assert "log_in_failed factor=password address=192.0.2.9" in written.getvalue()
    assert "my-secret-word" not in written.getvalue()


@pytest.mark.django_db
def test_a_key_that_comes_unencrypted_is_refused_and_not_led_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SECURE_SSL_REDIRECT", True)
    reader = Caller("read")
    refused = reader.get("answers/")
    assert refused.status_code == 403
    assert "https://" in refused.json()["detail"]
    led_on = Client().get("/api/v1/docs/")
    assert (led_on.status_code, led_on["Location"][:8]) == (301, "https://")


def test_two_steps_are_for_nobody_for_who_administers_or_for_everybody() -> None:
    given = {word: production.second_factor(word) for word in ("true", "False", "everybody")}
    assert given == {"true": True, "False": False, "everybody": "everybody"}
    with pytest.raises(ImproperlyConfigured, match="HALLU_SECOND_FACTOR"):
        production.second_factor("perhaps")


@each_case(
    "password, stands",
    [
        ("Hallu-2026-admin", False),
        ("hallucination1!", False),
        ("reviewer reviewer", False),
        ("halluwoods", False),
        ("hallu wanders at dusk", True),
        ("correct horse battery", True),
    ],
)
def test_a_password_is_more_than_words_of_this_place(password: str, stands: bool) -> None:
    try:
        OwnWords().validate(password)
    except ValidationError:
        assert not stands
    else:
        assert stands


def test_a_list_of_passwords_that_cannot_be_read_stops_the_start(tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("correct horse battery\n")
    (listed,) = production.known_passwords(str(known))
    assert listed["OPTIONS"] == {"password_list_path": str(known)}
    assert production.known_passwords("") == []
    with pytest.raises(ImproperlyConfigured, match="HALLU_PASSWORD_LIST"):
        production.known_passwords(str(tmp_path / "nowhere.txt"))


class Elsewhere(BaseHTTPRequestHandler):
    """A provider that sends whoever asks to another address."""

    asked: list[str] = []

    def do_GET(self) -> None:
        """302 to /elsewhere."""
        self.asked.append(self.path)
        self.send_response(302)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        """Nothing."""


@pytest.mark.requirement("SEC-37")
def test_a_provider_that_leads_elsewhere_is_not_followed(rf: Any) -> None:
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        there = identity_provider.configured(
            f"http://127.0.0.1:{server.server_port}", client_id="hallu", client_secret="kept", scopes="openid",
            groups_claim="groups", groups="", creates=False, emergency=[], second_factors=[],
        )  # fmt: skip
        assert there
        with pytest.raises(asking.ProviderAway, match="TooManyRedirects"):
            asking.begin(there, rf.get("/login/provider/"), "http://testserver/back/")
        server.shutdown()
    assert Elsewhere.asked == ["/.well-known/openid-configuration"]


def test_the_sign_of_life_says_what_other_answers_say() -> None:
    for told in (b"nosniff", b"frame-ancestors 'none'", b"max-age=31536000", b"charset=utf-8"):
        assert told in ANSWER
    assert ANSWER.endswith(b"\r\n\r\n")


@pytest.mark.django_db
def test_nothing_of_the_api_is_cached() -> None:
    for path in ("answers/", "nowhere/"):
        assert Caller("read").get(path)["Cache-Control"] == "no-store"
    assert (
        Caller("read").get("schema/")["Cache-Control"] == "no-cache"
    )  # everybody's, and asked for again each time


@pytest.mark.django_db
def test_trace_is_answered_nowhere(make_user: Callable[..., User]) -> None:
    browser = Client()
    browser.force_login(make_user("all", "viewer", "reviewer", "senior", "admin"))
    paths = (
        "/login/",
        "/queue/",
        "/healthz",
        "/readyz",
        "/metrics",
        "/admin/",
        "/api/v1/answers/",
        "/api/v1/docs/",
    )
    assert {path: browser.trace(path).status_code for path in paths} == dict.fromkeys(paths, 405)


@pytest.mark.django_db
def test_a_host_that_is_not_ours_is_refused() -> None:
    for forged in ({"Host": "elsewhere.example"}, {"Host": "testserver@elsewhere.example"}):
        for path in ("/login/", "/api/v1/answers/"):
            assert Client().get(path, headers=forged).status_code == 400, (forged, path)
    spoken = Client().get("/queue/", headers={"X-Forwarded-Host": "elsewhere.example"})
    assert "elsewhere" not in spoken["Location"]


def test_no_template_turns_escaping_off_and_one_room_alone_makes_markup() -> None:
    """What the tags of a template put together is escaped by them; nothing else calls a text safe."""
    unsafe = {
        ".html": r"\|\s*safe\b|autoescape\s+off|\bsafeseq\b",
        ".py": r"mark_safe|SafeString\((?!\)|\"\"\))",
    }
    found = {
        str(path.relative_to(ROOT))
        for folder in ("templates", "reviews", "detection", "hallu_site")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in unsafe and re.search(unsafe[path.suffix], path.read_text())
    }
    assert {Path(path).parent.as_posix() for path in found} == {"reviews/templatetags"}, found


@pytest.mark.django_db
def test_the_administration_answers_no_question_about_what_it_does_not_show(
    make_user: Callable[..., User],
) -> None:
    browser = Client()
    make_user("root")
    User.objects.filter(username="root").update(is_staff=True, is_superuser=True)
    browser.force_login(User.objects.get(username="root"))
    assert browser.get("/admin/auth/user/?username=root").status_code == 200
    for asked in (
        "password__startswith=a",
        "second_factor__secret__startswith=g",
        "apikey__digest__startswith=0",
    ):
        assert browser.get(f"/admin/auth/user/?{asked}").status_code in (302, 400), asked


class FullDisk(io.StringIO):
    """Where nothing can be written."""

    def write(self, text: str) -> int:
        """ENOSPC."""
        raise OSError(28, "No space left on device")


@pytest.mark.django_db
def test_a_log_that_cannot_be_written_costs_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    full = logging.StreamHandler(FullDisk())
    monkeypatch.setattr(sys, "stderr", FullDisk())
    logging.getLogger().addHandler(full)
    try:
        assert Caller("submit").post("answers/", {"answer": "NOI was $5."}).status_code == 202
        assert Client().get("/nowhere/").status_code == 404
    finally:
        logging.getLogger().removeHandler(full)
