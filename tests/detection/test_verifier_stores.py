"""What all workers remember together: capabilities and money in rows, circuits and estimates in the cache."""

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from io import StringIO
from math import log
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection, connections, transaction

from detection.core.ports import Verifier
from detection.models import VerifierEndpoint, VerifierSpending
from detection.operations import verifier_state, verifier_stores, verifying
from detection.operations.checks import money_can_be_counted
from detection.operations.lanes import Lane
from detection.operations.verifier_stores import Books, EveryonesCache, Rows, read, written
from detection.verifiers.endpoints.budget import today
from detection.verifiers.endpoints.last_error import LastError
from detection.verifiers.stores import Capability
from tests.detection.verifier_stub import Answer, completion, sends, serving

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

GOOD = completion({"YES": log(0.8), "NO": log(0.1), "UNKNOWN": log(0.1)})
DAY = date(2026, 1, 1)
Opened = Callable[..., Verifier]


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    """Rows and cache as on the first day."""
    cache.clear()
    VerifierEndpoint.objects.all().delete()
    VerifierSpending.objects.all().delete()
    yield
    written()
    cache.clear()


@pytest.fixture
def worker(settings: Any) -> Iterator[Opened]:
    """``worker(url)``: the verifier of a worker that has just started."""

    def opened(url: str, **more: Any) -> Verifier:
        given = {"backend": "external", "base_url": url, "model": "m", "timeout": 60, "price_in": 100}
        settings.VERIFIER = {**settings.VERIFIER, **given, **more}
        verifying.forget()
        verifier_stores.stores.cache_clear()
        return verifying.verifier_for("output_verification")

    yield opened
    verifying.forget()


# --- rows -------------------------------------------------------------------------------------------
def test_a_capability_is_read_as_it_was_written_and_replaced_by_the_next() -> None:
    rows, found = Rows(), Capability(False, 5, "max_tokens", False, "none", 2048, datetime.now(UTC))
    assert rows.load("http://e/v1", "m") is None
    for capability in (Capability(probed_at=datetime(2026, 1, 1, tzinfo=UTC)), found):
        rows.save("http://e/v1", "m", capability)
    written()
    assert rows.load("http://e/v1", "m") == found
    assert rows.load("http://e/v1", "another") is None
    assert VerifierEndpoint.objects.count() == 1


def test_an_error_is_noted_with_its_time_until_it_is_over() -> None:
    rows = Rows()
    rows.note("http://e/v1", "m", "verifier_auth: refused")
    written()
    row = VerifierEndpoint.objects.get()
    assert row.last_error == "verifier_auth: refused"
    assert row.last_error_at is not None
    assert row.capability is None
    rows.note("http://e/v1", "m", "")
    written()
    assert VerifierEndpoint.objects.filter(last_error="", last_error_at=None).exists()


def test_a_restarted_process_ends_the_error_that_the_one_before_it_left() -> None:
    Rows().note("http://e/v1", "m", "verifier_auth: refused")
    with LastError(Rows(), "http://e/v1", "m").watched():
        pass
    written()
    assert VerifierEndpoint.objects.get().last_error == ""


@pytest.mark.requirement("GOV-09")
def test_money_that_several_spend_at_the_same_time_is_all_entered() -> None:
    def spend() -> None:
        try:
            for _ in range(10):
                VerifierSpending.add(
                    DAY, "self", "m", calls=1, tokens_in=200, tokens_out=1, usd=Decimal("0.0000306")
                )
        finally:
            connections.close_all()

    spenders = [threading.Thread(target=spend) for _ in range(4)]
    for spender in spenders:
        spender.start()
    for spender in spenders:
        spender.join()
    row = VerifierSpending.objects.get()
    assert (row.calls, row.tokens_in, row.tokens_out, row.cached) == (40, 8000, 40, 0)
    assert row.usd == VerifierSpending.spent(DAY) == Decimal("0.001224")
    assert VerifierSpending.spent(DAY + timedelta(days=1)) == 0


@pytest.mark.requirement("GOV-09")
def test_what_could_not_be_entered_is_entered_with_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    books = Books()

    def breaks(*place: Any, **counts: Any) -> None:
        raise OSError("gone")

    with monkeypatch.context() as broken:
        broken.setattr(VerifierSpending, "add", breaks)
        books.add(DAY, "self", "m", calls=1, tokens_in=200, tokens_out=1, usd=Decimal("0.5"))
        written()
    books.add_lookups(DAY, "self", "m", found=3, missed=1)
    written()
    row = VerifierSpending.objects.get()
    assert (row.calls, row.cached, row.tokens_in, row.usd) == (1, 3, 200, Decimal("0.5"))


def test_what_was_paid_outlives_the_transaction_in_which_it_was_paid() -> None:
    books = Books()
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer: what is paid is entered when the transaction ends")
    with transaction.atomic():
        books.add(DAY, "self", "m", calls=1, tokens_in=1, tokens_out=1, usd=Decimal(1))
        written()
        transaction.set_rollback(True)
    assert books.spent(DAY) == 1


# --- patience ---------------------------------------------------------------------------------------
@pytest.mark.requirement("SPEC-08.43")
def test_a_database_that_fails_or_hangs_costs_what_is_remembered_and_no_more(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    released = threading.Event()
    monkeypatch.setattr(verifier_stores, "PATIENCE", 0.05)
    monkeypatch.setattr(verifier_stores, "reading", Lane("test-reads"))

    def breaks() -> int:
        raise OSError("gone")

    assert read(lambda: 1, 0) == 1
    assert [read(breaks, 0) for _ in range(3)] == [0, 0, 0]
    assert caplog.text.count("lane_failed") == 1
    assert read(released.wait, False) is False
    released.set()


def test_the_shared_cache_keeps_forgets_and_adds_once() -> None:
    shared = EveryonesCache()
    assert shared.add("k", 1, 60)
    assert not shared.add("k", 2, 60)
    assert shared.get("k") == 1
    shared.set("l", {"a": [1]}, 60)
    written()
    assert shared.get_many(["k", "l", "m"]) == {"k": 1, "l": {"a": [1]}}
    shared.delete("k")
    written()
    assert shared.get("k") is None


# --- workers ----------------------------------------------------------------------------------------
@pytest.mark.requirement("SPEC-08.30")
def test_what_one_worker_asked_and_learnt_another_knows(worker: Opened) -> None:
    with serving(sends(GOOD)) as stub:
        first = worker(stub.url).batch_estimate(["a", "b"], "context")
        written()
        other = worker(stub.url)
        again = other.batch_estimate(["a", "b", "c"], "context")
        written()
    assert [estimate.yes for estimate in again] == [first[0].yes] * 3
    assert len(stub.asked) == 3
    row = VerifierSpending.objects.get()
    assert (row.day, row.backend, row.model, row.calls, row.cached) == (today(), "external", "m", 3, 2)
    assert row.usd == Decimal("0.06")
    assert VerifierEndpoint.objects.get().capability is not None


@pytest.mark.requirement("SPEC-08.42")
def test_a_rate_limit_holds_for_all_workers(worker: Opened) -> None:
    with serving(sends("{}", 429, Retry_After="60")) as stub:
        worker(stub.url).batch_estimate(["a"], "context")
        written()
        (estimate,) = worker(stub.url).batch_estimate(["b"], "context")
    assert estimate.error == "rate_limited"
    assert estimate.retry_after is not None
    assert estimate.retry_after > 50
    assert len(stub.asked) == 1


def test_the_money_of_a_day_is_that_of_all_workers(worker: Opened) -> None:
    with serving(sends(GOOD)) as stub:
        worker(stub.url, daily_usd="0.02").batch_estimate(["a"], "context")
        written()
        (estimate,) = worker(stub.url, daily_usd="0.02").batch_estimate(["b"], "context")
    assert estimate.error == "budget_spent"
    assert len(stub.asked) == 1


# --- the state --------------------------------------------------------------------------------------
def status(*arguments: str) -> str:
    out = StringIO()
    call_command("verifier_status", *arguments, stdout=out, stderr=out)
    return out.getvalue()


def test_the_status_of_the_embedded_verifier_is_its_name() -> None:
    assert "local: output_verification" in status()
    assert "0.000000 USD, no limit" in status()


@pytest.mark.parametrize(
    ("answer", "seen"),
    [
        (sends(GOOD), ["20 alternatives", "closed", "1 calls", "0.020000 USD, of 0.02 USD; spent"]),
        (sends("{}", 429, Retry_After="60"), ["not known yet", "left alone (rate_limited)", "last error"]),
        (sends("{}", 401), ["verifier_auth"]),
    ],
)
def test_the_status_names_capability_circuit_errors_and_money(
    worker: Opened, answer: Answer, seen: list[str]
) -> None:
    with serving(answer) as stub:
        worker(stub.url, daily_usd="0.02").batch_estimate(["a"], "context")
        written()
        said = status()
    assert [piece for piece in seen if piece not in said] == []
    assert stub.url in said


def test_a_probe_asks_anew_and_says_what_came_back(worker: Opened) -> None:
    with serving(sends(completion({"YES": -0.1}, logprobs=None))) as stub:
        worker(stub.url)
        assert "external answered: no log-probabilities: sampled" in status("--probe")
    with serving(sends("{}", 500)) as stub:
        worker(stub.url)
        assert "external did not answer: The verifier answered 500." in status("--probe")
    worker("")
    assert "HALLU_VERIFIER_BASE_URL" in status("--probe")


def test_shared_estimates_are_counted_where_the_cache_is_a_table(worker: Opened, settings: Any) -> None:
    with serving(sends(GOOD)) as stub:
        worker(stub.url).batch_estimate(["a", "b"], "context")
        written()
    table = settings.CACHES["default"]["BACKEND"].endswith("TableCache")
    assert verifier_state.state().shared_estimates == (2 if table else None)


@pytest.mark.requirement("SPEC-08.27")
def test_each_operation_is_served_by_its_own_backend(worker: Opened, settings: Any) -> None:
    tree = settings.HALLUCINATION
    own = {"trace_auditing": "haiku", "memory_gate": "external", "output_verification": ""}
    settings.HALLUCINATION = tree | {
        name: tree[name] | {"enabled": True, "backend": backend} for name, backend in own.items()
    }
    worker(
        "http://127.0.0.1:1/v1", backend="configurable", haiku={"model": "h", "api_key": "k", "base_url": ""}
    )
    try:
        names = [verifying.verifier_for(operation).name for operation in verifying.OPERATIONS]
        assert names == ["local", "external", "haiku"]
        assert [state.model for state in verifier_state.state().backends] == ["", "m", "h"]
    finally:
        verifying.forget()


def test_a_budget_without_prices_is_warned_of(settings: Any) -> None:
    settings.VERIFIER = {
        **settings.VERIFIER,
        "backend": "self",
        "daily_usd": "5",
        "price_in": 0,
        "price_out": 0,
    }
    (warning,) = money_can_be_counted()
    assert warning.id == "detection.W002"
    assert "HALLU_VERIFIER_PRICE_IN" in str(warning.hint)
    settings.VERIFIER = {**settings.VERIFIER, "price_out": 2.0}
    assert money_can_be_counted() == []
