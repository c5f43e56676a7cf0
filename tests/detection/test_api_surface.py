"""The documented face of the API: schema, docs page, throttling, threshold profiles, and a real server."""

import http.client
import json
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, override_settings

from detection.access import throttle
from detection.api.profiles import ProfileViewSet
from detection.models import Answer, ProfileEvent, ThresholdProfile
from hallu_site import reference
from tests.api_calls import Caller, body, faults, portfolio

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-04")]


def test_the_schema_is_a_file_that_is_valid_and_says_what_the_views_do() -> None:
    from drf_spectacular.validation import validate_schema  # two seconds, which every test process would take

    call_command("schema", "--check")
    document = json.loads(reference.SCHEMA.read_text())
    validate_schema(document)  # type: ignore[no-untyped-call]  # it has no types
    assert document["openapi"].startswith("3.1")


def test_no_value_of_the_schema_is_said_twice_in_what_must_fit_one_alone() -> None:
    def told(node: Any) -> Iterator[list[Any]]:
        if isinstance(node, dict) and "oneOf" in node:
            yield node["oneOf"]
        for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            yield from told(part)

    every = list(told(json.loads(reference.SCHEMA.read_text())))
    assert every
    assert [one for one in every if len({json.dumps(each) for each in one}) < len(one)] == []


def test_a_stale_file_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr(reference, "generated", lambda: "{}")
    monkeypatch.setattr(reference, "SCHEMA", tmp_path / "openapi.json")
    with pytest.raises(CommandError, match="stale"):
        call_command("schema", "--check")
    call_command("schema")
    call_command("schema", "--check")


def test_whoever_has_the_schema_is_not_sent_it_again() -> None:
    client = Client()
    first = client.get("/api/v1/schema/", headers={"accept": "application/vnd.oai.openapi+json"})
    assert first.content == reference.SCHEMA.read_bytes()
    for known in ({"if-none-match": first["ETag"]}, {"if-modified-since": first["Last-Modified"]}):
        assert (client.get("/api/v1/schema/", headers=known).status_code, known) == (304, known)
    assert client.get("/api/v1/schema/", headers={"if-none-match": '"other"'}).status_code == 200
    assert set(faults(client.get("/api/v1/schema/?format=yaml"))) == {"format"}
    faults(client.post("/api/v1/schema/"), 405)


def test_the_schema_shows_examples_problems_and_how_to_sign_in() -> None:
    schema = Client().get("/api/v1/schema/").json()
    assert schema["components"]["securitySchemes"]["apiKey"]["scheme"] == "bearer"
    posted = schema["paths"]["/api/v1/answers/"]["post"]
    assert posted["requestBody"]["content"]["application/json"]["examples"]
    assert "application/problem+json" in posted["responses"]["default"]["content"]
    assert {"200", "202"} <= set(posted["responses"])
    assert {p["name"] for p in posted["parameters"] if p["in"] == "header"} == {"Prefer", "Idempotency-Key"}
    accepted = schema["components"]["schemas"]["SubmissionRequest"]
    assert accepted["required"] == ["answer"]


def test_the_docs_page_needs_no_inline_script_and_no_other_host() -> None:
    page = Client().get("/api/v1/docs/")
    assert page.status_code == 200
    html = page.content.decode()
    assert "script-src 'self'" in page["Content-Security-Policy"].split("; ")
    assert page["X-Frame-Options"] == "DENY"
    assert "https://" not in html
    assert all(part.split(">")[1].startswith("</script") for part in html.split("<script")[1:])
    assert Client().get("/api/v1/docs/?script=").headers["Content-Type"].startswith("application/javascript")


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Ten requests a minute, in a minute that does not end."""
    monkeypatch.setattr(throttle, "clock", lambda: 600.0)
    monkeypatch.setattr(throttle.KeyThrottle, "_permits", {})
    cache.clear()
    with override_settings(HALLU_REQUESTS_PER_MINUTE=10):
        yield 10
    cache.clear()


@pytest.mark.requirement("SEC-22")
def test_more_requests_than_the_limit_are_told_when_to_come_back(limited: int) -> None:
    caller, other = Caller("read"), Caller("read")
    assert {caller.get("answers/").status_code for _ in range(limited)} == {200}
    response = caller.get("answers/")
    faults(response, 429)
    assert response["Retry-After"] == "60"
    assert other.get("answers/").status_code == 200


@pytest.mark.requirement("SEC-22")
def test_the_limit_holds_for_processes_together(limited: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process keeps permits of its own and takes them from the counter they share."""
    monkeypatch.setattr(throttle, "BLOCKS", 4)
    caller = Caller("read")
    processes: list[dict[tuple[int, int], throttle.Permits]] = [{}, {}, {}]
    allowed = 0
    for n in range(30):
        monkeypatch.setattr(throttle.KeyThrottle, "_permits", processes[n % 3])
        allowed += caller.get("answers/").status_code == 200
    assert allowed == limited


@pytest.mark.requirement("SEC-22")
def test_a_new_minute_brings_new_permits(limited: int, monkeypatch: pytest.MonkeyPatch) -> None:
    caller = Caller("read")
    for _ in range(limited + 1):
        last = caller.get("answers/")
    faults(last, 429)
    monkeypatch.setattr(throttle, "clock", lambda: 660.0)
    assert caller.get("answers/").status_code == 200


@pytest.mark.requirement("SEC-22")
@pytest.mark.django_db(transaction=True)
def test_parallel_requests_never_get_past_the_limit(limited: int) -> None:
    key = Caller("read").key
    codes: list[int] = []

    def many() -> None:
        try:
            codes.extend(Caller(key=key).get("answers/").status_code for _ in range(5))
        finally:
            connection.close()

    threads = [threading.Thread(target=many) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (codes.count(200), codes.count(429)) == (limited, 30)


def test_a_profile_is_drafted_and_moved_by_an_admin() -> None:
    admin = Caller("admin")
    made = admin.post(
        "threshold-profiles/", {"values": {"base": {"currency_tolerance": 3}}, "note": "stricter"}
    )
    assert made.status_code == 201
    pk = made.json()["id"]
    assert (made.json()["state"], made.json()["version"]) == ("draft", 2)
    assert admin.post(f"threshold-profiles/{pk}/shadow/", {"reason": "try"}).json()["state"] == "shadow"
    assert admin.post(f"threshold-profiles/{pk}/activate/", {"reason": "good"}).json()["state"] == "active"
    first = ThresholdProfile.objects.get(version=1)
    assert first.state == "retired"
    assert [
        row["id"] for row in Caller("read").get("threshold-profiles/?state=active").json()["results"]
    ] == [pk]
    moves = ProfileEvent.objects.filter(subject=pk).order_by("seq").values_list("action", "body__reason")
    assert list(moves) == [("drafted", ""), ("shadow", "try"), ("active", "good")]


def test_a_move_that_a_profile_cannot_make_is_refused() -> None:
    admin, active = Caller("admin"), ThresholdProfile.active()
    for step in ("activate", "shadow", "retire"):
        faults(admin.post(f"threshold-profiles/{active.pk}/{step}/", {}))
    assert ThresholdProfile.active() == active


def test_a_shadow_that_became_active_meanwhile_is_not_retired(monkeypatch: pytest.MonkeyPatch) -> None:
    profile = ThresholdProfile.draft({"base": {"currency_tolerance": 3}})
    profile.shadow()
    seen = ThresholdProfile.objects.get(pk=profile.pk)
    profile.activate()
    monkeypatch.setattr(ProfileViewSet, "get_object", lambda _view: seen)
    faults(Caller("admin").post(f"threshold-profiles/{profile.pk}/retire/", {}))
    assert ThresholdProfile.active() == profile


@pytest.mark.parametrize(
    "values",
    [
        {"base": {"currency_tolerance": 101}},
        {"base": {"currency_tolerance": 10**400}},
        {"base": {"no_such": 1}},
        {"base": []},
        {"overrides": [{"when": {"weather": "fine"}, "values": {}}]},
        {"overrides": [{}]},
        {"overrides": 5},
        [],
        "x",
    ],
)
def test_thresholds_out_of_bounds_are_refused(values: Any) -> None:
    assert list(faults(Caller("admin").post("threshold-profiles/", {"values": values}))) == ["values"]
    assert ThresholdProfile.objects.count() == 1


class Wire:
    """One connection to the live server, for what a test client would tidy up."""

    def __init__(self, url: str, key: str | None) -> None:
        self.host, self.key = urlsplit(url).netloc, key

    def send(self, content: bytes, **headers: str) -> tuple[int, Any, http.client.HTTPMessage]:
        """POST raw bytes; status, problem or reply, headers."""
        link = http.client.HTTPConnection(self.host, timeout=30)
        named = {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}", **headers}
        link.request("POST", "/api/v1/answers/", content, {n.replace("_", "-"): v for n, v in named.items()})
        reply = link.getresponse()
        told = json.loads(reply.read())
        link.close()
        return reply.status, told, reply.headers


@pytest.mark.django_db(transaction=True)
def test_over_the_wire_the_same_rules_hold(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reviews.lifecycle.publishing.publish", lambda *_: None)
    portfolio()
    wire = Wire(live_server.url, Caller("submit").key)
    status, told, headers = wire.send(
        json.dumps(body("דמי שכירות 租金 " * 60_000), ensure_ascii=False).encode()
    )
    assert (status, headers["Location"]) == (202, f"/api/v1/answers/{told['id']}/")
    assert Answer.objects.get().text.startswith("דמי שכירות 租金")
    for content, extra, expected in [
        (b'{"answer": "\xff\xfe"}', {}, 400),
        (json.dumps(body()).encode("utf-16"), {}, 400),
        (b'{"answer": "x"', {}, 400),
        (b'{"answer": "a\\u0000b"}', {}, 422),
        (b'{"answer": "a\\ud83d"}', {}, 422),
        (b"answer=x", {"Content_Type": "application/x-www-form-urlencoded"}, 415),
        (b'{"answer": "x"}', {"Authorization": "Bearer nothing"}, 401),
        (b"", {}, 422),
    ]:
        status, problem, headers = wire.send(content, **extra)
        assert (status, problem["status"], headers["Content-Type"]) == (
            expected,
            expected,
            "application/problem+json",
        )
    assert Answer.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_over_the_wire_a_body_over_the_limit_gets_its_413(live_server: Any) -> None:
    wire = Wire(live_server.url, Caller("submit").key)
    with override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=1_000_000):
        status, problem, _ = wire.send(b'{"answer": "' + b"x" * 2_000_000 + b'"}')
    assert (status, problem["title"]) == (413, "Request Entity Too Large")
    assert Answer.objects.count() == 0
