"""Facts whose verifier was late or asked to wait are verified later, without a person."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from detection import facts
from detection.facts import checks, gate, verify_due
from detection.models import Fact, FactEvent, RejectedFact, ThresholdProfile
from reviews.management.commands import sweep
from tests.detection.facts import EVIDENCE, FACT, GUESSED, believes, gate_on
from tests.detection.verifier_stub import Endpoint, sends, serving

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("SPEC-08.42"),
]
GOOD, BUSY = believes(0.97, 0.1), sends("{}", 429, Retry_After="60")


def waiting(content: str = FACT, **fields: Any) -> Fact:
    """A fact whose verifier asked to wait, due now."""
    columns: dict[str, Any] = {
        "content": content,
        "language": "en",
        "evidence": [{"id": "S0", "text": EVIDENCE}],
        "stated_confidence": 0.8,
        "confidence": 0.4,
        "status": "unverified",
        "reduced": True,
        "finding": "rate_limited",
        "reason": "The verifier asked to wait.",
        "profile": ThresholdProfile.active(),
        "verify_after": timezone.now(),
    }
    return Fact.store(**(columns | fields))


def later(seconds: float = 1) -> datetime:
    return timezone.now() + timedelta(seconds=seconds)


def actions(fact: Fact) -> list[str]:
    assert FactEvent.broken_at(fact) is None
    return [event.action for event in fact.events.order_by("seq")]


@pytest.mark.requirement("SPEC-08.17")
def test_a_fact_that_its_evidence_carries_gets_its_confidence_back_and_no_more() -> None:
    fact = waiting()
    with gate_on():
        assert verify_due(later()) == 1
    fact.refresh_from_db()
    assert (fact.status, fact.confidence, fact.reduced, fact.verify_after) == ("verified", 0.8, False, None)
    assert fact.p1 is not None
    assert fact.reason.startswith("The evidence gives")
    event = fact.events.get(action="verified")
    assert (event.before["confidence"], event.after["confidence"]) == (0.4, 0.8)
    assert event.reason == fact.reason


@pytest.mark.requirement("SPEC-08.18")
def test_a_fact_that_it_does_not_carry_is_withdrawn_and_kept_for_analysis() -> None:
    fact = waiting(GUESSED)
    with gate_on():
        verify_due(later())
    fact.refresh_from_db()
    rejected = RejectedFact.objects.get(fact=fact)
    assert (fact.status, fact.verify_after, fact.withdrawn_reason) == ("withdrawn", None, rejected.reason)
    assert (rejected.content, rejected.finding, rejected.stated_confidence) == (
        GUESSED,
        "no_lift",
        0.8,
    )
    assert actions(fact) == ["stored", "withdrawn"]


def test_the_sweep_verifies_what_is_due_and_leaves_the_rest() -> None:
    due, early = waiting(), waiting(verify_after=later(600))
    with gate_on():
        sweep.sweep(later())
    due.refresh_from_db()
    early.refresh_from_db()
    assert (due.status, early.status) == ("verified", "unverified")


def test_a_verifier_that_still_asks_to_wait_ends_the_round_and_is_asked_when_it_said() -> None:
    first, second = waiting(), waiting()
    with serving(BUSY) as stub, gate_on(stub.url):
        now = later()
        assert verify_due(now) == 0
    first.refresh_from_db()
    second.refresh_from_db()
    assert first.verify_after is not None
    assert timedelta(seconds=50) < first.verify_after - now <= timedelta(seconds=60)
    assert first.attempts == 1
    assert second.attempts == 0
    assert actions(first) == ["stored"]


def test_each_vain_attempt_waits_longer_up_to_a_limit() -> None:
    waits = [gate._patience(None, attempts) for attempts in range(facts.MOST_ATTEMPTS)]
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (facts.RETRY_AFTER, facts.LONGEST_WAIT)


def test_after_many_vain_attempts_a_fact_stays_unverified_for_good() -> None:
    fact = waiting(attempts=facts.MOST_ATTEMPTS - 1)
    with serving(BUSY) as stub, gate_on(stub.url):
        verify_due(later())
    fact.refresh_from_db()
    assert (fact.status, fact.verify_after, fact.confidence) == ("unverified", None, 0.4)
    assert actions(fact) == ["stored", "given_up"]


def test_a_fact_that_breaks_its_check_costs_the_others_nothing() -> None:
    broken, sound = waiting("What was the rent?"), waiting()
    with gate_on():
        verify_due(later())
    broken.refresh_from_db()
    sound.refresh_from_db()
    assert (broken.status, sound.status) == ("unverified", "verified")
    assert broken.verify_after is not None
    assert broken.verify_after > timezone.now()


def test_a_fact_whose_own_question_fails_does_not_keep_the_others_waiting() -> None:
    hopeless, sound = waiting(GUESSED), waiting()

    def odd(endpoint: Endpoint, body: dict[str, Any]) -> None:
        (sends("{}", 200) if "happy" in str(body["messages"]) else GOOD)(endpoint, body)

    with serving(odd) as stub, gate_on(stub.url):
        assert verify_due(later()) == 1
    hopeless.refresh_from_db()
    sound.refresh_from_db()
    assert (hopeless.status, hopeless.attempts, sound.status) == ("unverified", 1, "verified")


def test_two_sweepers_verify_a_fact_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fact, check = waiting(), checks.check
    rounds: list[int] = []

    def beside_another(*args: Any) -> Any:
        if not rounds:
            rounds.append(verify_due(later()))
        return check(*args)

    monkeypatch.setattr(checks, "check", beside_another)
    with gate_on():
        assert verify_due(later()) == 1
    assert rounds == [0]
    assert actions(fact) == ["stored", "verified"]


def test_an_attempt_that_died_is_made_again() -> None:
    fact = waiting()
    assert fact.take(later())
    with gate_on():
        assert verify_due(later()) == 0
        assert verify_due(later(120)) == 1


def test_a_fact_withdrawn_meanwhile_stays_withdrawn() -> None:
    fact = waiting()
    assert fact.take(later())
    assert Fact.objects.get(pk=fact.pk).withdraw(reason="wrong building")
    assert not fact.verify(confidence=0.8)
    assert not fact.refuse(reason="not carried", confidence=0.0, finding="over_budget")
    assert not RejectedFact.objects.exists()
    fact.refresh_from_db()
    assert (fact.status, fact.withdrawn_reason) == ("withdrawn", "wrong building")


def test_while_the_gate_is_off_nothing_is_verified() -> None:
    waiting()
    assert verify_due(later()) == 0
    assert Fact.objects.get().attempts == 0


def test_a_fact_is_withdrawn_once() -> None:
    fact = waiting()
    assert fact.withdraw(reason="first")
    assert not fact.withdraw(reason="second")
    assert fact.withdrawn_reason == "first"
    assert actions(fact) == ["stored", "withdrawn"]
