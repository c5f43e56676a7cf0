"""Whatever is sent, the reply says what is wrong with it and nothing half is stored (issue A, "Bad input")."""

import json
from typing import Any

import pytest
from django.db import OperationalError
from django.test import override_settings

from detection.models import Answer, ApiKey, Property, Source
from tests.api_calls import PROBLEM, SOURCE, Caller, body, faults, portfolio

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-04"), pytest.mark.requirement("SPEC-08.43")]


@pytest.fixture
def backend() -> Caller:
    portfolio()
    return Caller("submit", "read", "admin")


def nested(depth: int) -> bytes:
    return b'{"answer": "x", "metadata": ' + b"[" * depth + b"]" * depth + b"}"


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"{", "not JSON"),
        (b"answer=x", "not JSON"),
        (b'{"answer": NaN}', "NaN"),
        (b'{"answer": "x", "original_confidence": Infinity}', "Infinity"),
        (b'{"answer": "x", "original_confidence": -Infinity}', "Infinity"),
        (b'{"answer": "x", "original_confidence": 1e400}', "too large"),
        (b'{"answer": "x", "iteration": ' + b"9" * 5000 + b"}", "cannot be read"),
        (b'{"answer": "x", "answer": "y"}', "answer"),
        (b'{"answer": "x", "sources": [{"id": "a", "id": "b"}]}', "twice"),
        (b'{"answer": "\xff"}', "UTF-8"),
        (b"\xef\xbb\xbf" + b'{"answer": "x"}', "byte order mark"),
        (json.dumps({"answer": "x"}).encode("utf-16"), "UTF-8"),
        (nested(100), "deeper"),
        (nested(100_000), "deeper"),
        (b'{"a":' * 100_000, "deeper"),
    ],
)
def test_what_is_no_json_is_malformed(backend: Caller, sent: bytes, told: str) -> None:
    for path in ("answers/", "answers:detect", "properties:bulk"):
        response = backend.post(path, sent)
        faults(response, 400)
        assert told in response.json()["detail"]
    assert Answer.objects.count() == 0


@pytest.mark.postgres
@pytest.mark.parametrize("unstorable", ["a\x00b", "a\ud83d", "\udc00"])
@pytest.mark.parametrize(
    ("place", "field"),
    [
        ({"answer": "?"}, "answer"),
        ({"question": "?"}, "question"),
        ({"external_id": "?"}, "external_id"),
        ({"property": "?"}, "property"),
        ({"period": {"start": "?"}}, "period.start"),
        ({"detectors": ["?"]}, "detectors[0]"),
        ({"callback_url": "?"}, "callback_url"),
        ({"sources": [SOURCE, {"id": "?", "text": "x"}]}, "sources[1].id"),
        ({"sources": [{"id": "S0", "text": "?"}]}, "sources[0].text"),
        ({"sources": [{"id": "S0", "metadata": {"a": ["?"]}}]}, "sources[0].metadata.a[0]"),
        ({"unheard_of": "?"}, "unheard_of"),
    ],
)
def test_characters_that_cannot_be_stored_are_named(
    backend: Caller, place: dict[str, Any], field: str, unstorable: str
) -> None:
    sent = json.loads(json.dumps(body(**place)).replace('"?"', json.dumps(unstorable)))
    assert list(faults(backend.post("answers/", sent))) == [field]
    assert Answer.objects.count() == 0


@pytest.mark.postgres
def test_a_key_that_cannot_be_stored_is_named_readably(backend: Caller) -> None:
    named = faults(
        backend.post("answers/", {"answer": "x", "sources": [{"id": "a", "metadata": {"k\x00\ud83d": 1}}]})
    )
    assert list(named) == ["sources[0].metadata.k\\u0000\\ud83d"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"answer": 5}, "answer"),
        ({"answer": ["x"]}, "answer"),
        ({"answer": True}, "answer"),
        ({"original_confidence": 1.01}, "original_confidence"),
        ({"original_confidence": "0.9"}, "original_confidence"),
        ({"original_confidence": True}, "original_confidence"),
        ({"language": "english please"}, "language"),
        ({"detectors": ["numeric", "magic"]}, "detectors[1]"),
        ({"detectors": []}, "detectors"),
        ({"detectors": "numeric"}, "detectors"),
        ({"iteration": 2**70}, "iteration"),
        ({"iteration": -1}, "iteration"),
        ({"max_iterations": 1.5}, "max_iterations"),
        ({"max_iterations": "2"}, "max_iterations"),
        ({"callback_url": "https://nlq.example/hook"}, "callback_url"),
        ({"external_id": "x" * 201}, "external_id"),
        ({"sources": {"id": "S0"}}, "sources"),
        ({"sources": ["S0"]}, "sources[0]"),
        ({"sources": [{"text": "no id"}]}, "sources[0].id"),
        ({"sources": [{"id": ""}]}, "sources[0].id"),
        ({"sources": [{"id": "x" * 10_000}]}, "sources[0].id"),
        ({"sources": [{"id": 5.5}]}, "sources[0].id"),
        ({"sources": [{"id": True}]}, "sources[0].id"),
        ({"sources": [{"id": "a", "parent_id": [5]}]}, "sources[0].parent_id"),
        ({"sources": [{"id": "a", "score": "high"}]}, "sources[0].score"),
        ({"sources": [{"id": "a", "score": 10**400}]}, "sources[0].score"),
        ({"sources": [{"id": "a", "quality": 1.5}]}, "sources[0].quality"),
        ({"sources": [{"id": "a", "metadata": [1]}]}, "sources[0].metadata"),
        ({"property": 2**70}, "property"),
        ({"property": -1}, "property"),
        ({"property": True}, "property"),
        ({"property": 1.5}, "property"),
        ({"property": "9" * 5000}, "property"),
        ({"property": ["OAK"]}, "property"),
        ({"period": 2**70}, "period"),
        ({"period": {"start": "2024-07-01"}}, "period"),
        ({"period": {"start": "2024-02-30", "end": "2024-03-01"}}, "period"),
        ({"period": {"start": 5, "end": 6}}, "period"),
        ({"property": None}, "period"),
    ],
)
def test_an_invalid_field_is_named(backend: Caller, wrong: dict[str, Any], field: str) -> None:
    assert list(faults(backend.post("answers/", body(**wrong)))) == [field]
    assert Answer.objects.count() == 0


def test_every_invalid_field_is_named_at_once(backend: Caller) -> None:
    named = faults(backend.post("answers/", body(5, language="?", sources=[{"id": ""}, {}])))
    assert sorted(named) == ["answer", "language", "sources[0].id", "sources[1].id"]


@pytest.mark.parametrize("sent", [b"[]", b"null", b'"x"', b"5", b"true"])
def test_a_body_that_is_no_object_is_invalid(backend: Caller, sent: bytes) -> None:
    assert list(faults(backend.post("answers/", sent))) == ["body"]


def test_an_unknown_property_is_named_with_the_nearest_codes(backend: Caller) -> None:
    for code in ("OAKWOOD", "ELM", "PINE"):
        Property.objects.create(code=code, name=code)
    message = faults(backend.post("answers/", body(property="oka")))["property"]
    assert "“oka”" in message
    assert "Nearest: OAK" in message


def test_an_unknown_period_is_named_with_the_nearest_labels(backend: Caller) -> None:
    assert "Nearest: Q3 2024" in faults(backend.post("answers/", body(period="Q3 2042")))["period"]
    dates = {"start": "2024-07-01", "end": "2024-09-29"}
    assert (
        "Q3 2024 (2024-07-01 to 2024-09-30)" in faults(backend.post("answers/", body(period=dates)))["period"]
    )


def test_a_source_id_given_twice_is_named(backend: Caller) -> None:
    sent = body(sources=[{"id": "S0"}, {"id": "S1"}, {"id": "S0"}, {"id": "S1"}])
    assert faults(backend.post("answers/", sent)) == {
        "sources[2].id": "“S0” is the id of sources[0] already.",
        "sources[3].id": "“S1” is the id of sources[1] already.",
    }


def test_an_answer_of_a_megabyte_is_taken_in(backend: Caller) -> None:
    response = backend.post("answers/", body("NOI rose. " * 104_858, sources=[]))
    assert response.status_code == 202
    assert len(Answer.objects.get().text) == 1_048_580


def test_an_answer_over_the_limit_is_refused_by_name(backend: Caller) -> None:
    assert list(faults(backend.post("answers/", body("x" * 1_100_001)))) == ["answer"]


@pytest.mark.postgres
def test_ten_thousand_sources_are_taken_in(backend: Caller) -> None:
    sent = body(sources=[{"id": f"S{n}", "text": "x"} for n in range(10_000)])
    assert backend.post("answers/", sent).status_code == 202
    assert Source.objects.count() == 10_000


@override_settings(HALLU_MAX_SOURCES=20_000)
def test_too_many_sources_are_refused_by_name(backend: Caller) -> None:
    sent = body(sources=[{"id": f"S{n}"} for n in range(20_001)])
    assert list(faults(backend.post("answers/", sent))) == ["sources"]


@override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=1000)
def test_a_body_over_the_size_limit_is_refused_unread(backend: Caller) -> None:
    for path in ("answers/", "answers:detect", "properties:bulk"):
        response = backend.post(path, b"x" * 1001)
        faults(response, 413)
        assert "1000 bytes" in response.json()["detail"]


def test_a_body_without_length_is_refused(backend: Caller) -> None:
    faults(backend.post("answers/", b"", transfer_encoding="chunked"), 411)


@pytest.mark.parametrize(
    "media_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-16",
    ],
)
def test_only_json_is_read(backend: Caller, media_type: str) -> None:
    faults(backend.post("answers/", b"answer=x", content_type=media_type), 415)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", "answers/"),
        ("PUT", "answers/"),
        ("GET", "answers:detect"),
        ("GET", "properties:bulk"),
        ("PATCH", "threshold-profiles/"),
    ],
)
def test_a_method_that_is_not_there_is_a_405_for_every_key(method: str, path: str) -> None:
    response = Caller("read").call(method, path)
    faults(response, 405)
    assert response["Allow"]


@pytest.mark.parametrize(
    "authorization", ["", "Bearer", "Bearer nothing", "Bearer a b", "Bearer \xe9\xff", "Basic YTpi"]
)
def test_without_a_key_that_lives_nobody_gets_in(authorization: str) -> None:
    nobody = Caller(key=None)
    for method, path in (
        ("GET", "answers/"),
        ("POST", "answers/"),
        ("POST", "answers:detect"),
        ("GET", "reviews/"),
    ):
        response = nobody.call(method, path, **({"authorization": authorization} if authorization else {}))
        faults(response, 401)
        assert response["WWW-Authenticate"] == "Bearer"


def test_a_revoked_key_is_refused_at_once(backend: Caller) -> None:
    assert backend.get("answers/").status_code == 200
    backend.row.revoke()
    response = backend.get("answers/")
    faults(response, 401)
    assert "revoked" in response.json()["detail"]


@pytest.mark.postgres
@pytest.mark.parametrize("call", [("POST", "answers/"), ("GET", "answers/"), ("GET", "properties/")])
def test_a_database_that_is_away_is_a_503_that_says_when_to_come_back(
    backend: Caller, monkeypatch: pytest.MonkeyPatch, call: tuple[str, str]
) -> None:
    def away(*_args: Any) -> None:
        raise OperationalError("could not connect")

    monkeypatch.setattr(ApiKey, "find", away)
    response = backend.call(*call, body())
    faults(response, 503)
    assert int(response["Retry-After"]) > 0
    assert "nothing was stored" in response.json()["detail"]


def test_what_nobody_expected_is_a_500_problem_without_details(
    backend: Caller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_args: Any) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(ApiKey, "find", broken)
    response = backend.get("answers/")
    faults(response, 500)
    assert b"secret detail" not in response.content
    assert "secret detail" in caplog.text


@pytest.mark.postgres
def test_text_is_kept_to_the_last_character(backend: Caller) -> None:
    text = "  \u202eNOI\u202c ‏היה 1,234 ₪ \u200b😀 {{7*7}} <script>alert(1)</script>\r\n "
    assert backend.post("answers/", body(text)).status_code == 202
    assert Answer.objects.get().text == text


def test_every_error_is_a_problem(backend: Caller) -> None:
    for response in (
        backend.get("nowhere"),
        backend.post("answers/", b"{"),
        backend.get("answers/?cursor=%FF"),
    ):
        assert response["Content-Type"] == PROBLEM
        assert response.json()["instance"].startswith("/api/v1/")


def test_a_backend_that_numbers_its_chunks_may_send_the_numbers(backend: Caller) -> None:
    sources = [{**SOURCE, "id": 7, "parent_id": 3}]
    answered = backend.post("answers/", body(sources=sources, answer="NOI was $1 [7]."))
    assert answered.status_code == 202
    assert list(Source.objects.values_list("ref", "parent_ref")) == [("7", "3")]
