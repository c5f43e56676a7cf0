"""The memory gate: a fact is verified, then remembered or not (SPEC-08.15…18, SPEC-08.38, SPEC-08.42)."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Self
from uuid import UUID

from django.db import Error
from django.utils import timezone

from detection.core.types import Case, Source
from detection.facts import checks
from detection.facts.checks import Checked, NoAssertion
from detection.models import ApiKey, Fact, Property, RejectedFact, ThresholdProfile
from detection.operations import verifying
from detection.runs import build, mapping_of, middle, source_of
from detection.verifiers.deadlines import Deadline

__all__ = ["NOT_GROUNDED", "Gated", "NoAssertion", "UnsoundFact", "gate_fact", "verify_due"]

log = logging.getLogger(__name__)

SECONDS = 2.0
"""The gate blocks its caller no longer (SPEC-08.38)."""
FOR_STORING = 0.6
"""Seconds of those that are kept for deciding, writing the fact down and answering."""

NOT_GROUNDED = "ErrFactNotGrounded"
"""The status of a rejected fact (SPEC-08.16)."""
SWITCHED_OFF = "The memory gate is switched off: nothing was verified."

LONGEST_FACT = 4_000
MOST_EVIDENCE = 100_000
"""Characters. More could not be read and compared within the two seconds."""

ROUND_SECONDS = 5.0
MOST_A_ROUND = 100
RETRY_AFTER = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=1)
MOST_ATTEMPTS = 12
"""With doubling waits: about seven hours until a fact stays unverified for good."""


class UnsoundFact(ValueError):
    """A fact that cannot be taken as it was given; ``field`` names what to change."""

    def __init__(self, field: str, fault: str) -> None:
        super().__init__(fault)
        self.field = field


@dataclass(frozen=True, slots=True)
class Gated:
    """What became of a fact. ``status`` is verified, unverified, withdrawn or :data:`NOT_GROUNDED`; the figures are
    midpoints, bits base 2, None where nothing was measured; ``finding`` is a code, ``reason`` a sentence."""

    id: UUID
    stored: bool
    status: str
    confidence: float
    p0: float | None
    p1: float | None
    required_bits: float | None
    observed_bits: float | None
    budget_gap: float | None
    reduced: bool
    finding: str
    reason: str

    @classmethod
    def of(cls, row: Fact | RejectedFact) -> Self:
        """The outcome that a row tells of."""
        stored = isinstance(row, Fact)
        return cls(
            id=row.pk,
            stored=stored,
            status=str(row.status) if isinstance(row, Fact) else NOT_GROUNDED,
            confidence=row.confidence,
            p0=middle(row.p0),
            p1=middle(row.p1),
            required_bits=row.required_bits,
            observed_bits=row.observed_bits,
            budget_gap=row.budget_gap,
            reduced=isinstance(row, Fact) and row.reduced,
            finding=row.finding,
            reason=row.reason,
        )


def gate_fact(
    content: str,
    confidence: float,
    evidence: str | Sequence[str | Mapping[str, Any]] = (),
    *,
    about: Property | None = None,
    language: str = "",
    submitted_by: ApiKey | None = None,
) -> Gated:
    """Verify a fact against its evidence, then remember it or not; returns within two seconds (SPEC-08.38).

    ``confidence`` is the stated one, 0 to 1; ``evidence`` a text, or texts and source mappings (``id``, ``text`` …), all
    of it taken as cited. A fact with numbers is compared with its evidence and with the figures of ``about`` too.
    While the gate is switched off the fact is stored unverified (SPEC-08.15). Raises :class:`NoAssertion` for a
    question, an order or a hedge, and :class:`UnsoundFact` for too long a text, a confidence outside its bounds or an id
    given twice.
    """
    deadline = Deadline(SECONDS - FOR_STORING)
    case = _case(content, confidence, _sources(evidence), about, language, submitted_by)
    read = checks.assertion(case)
    given, profile = _given(case, about, submitted_by), ThresholdProfile.active()
    if not verifying.is_on("memory_gate"):
        return Gated.of(_unverified(given, confidence, profile))
    row = _keep(given, checks.check(case, read, profile, deadline))
    stored, took = isinstance(row, Fact), deadline.spent_ms()
    log.info("fact_gated fact=%s stored=%s finding=%s ms=%.0f", row.pk, stored, row.finding, took)
    return Gated.of(row)


def _case(
    content: str,
    confidence: float,
    sources: tuple[Source, ...],
    about: Property | None,
    language: str,
    submitted_by: ApiKey | None,
) -> Case:
    _refuse_unsound(content, confidence, sources)
    return build(
        answer=content,
        sources=sources,
        about=about,
        period=None,
        language=language,
        submitted_by=submitted_by,
        original_confidence=confidence,
    )


def _refuse_unsound(content: str, confidence: float, sources: Sequence[Source]) -> None:
    if len(content) > LONGEST_FACT:
        raise UnsoundFact("content", f"Give at most {LONGEST_FACT} characters.")
    if not 0 <= confidence <= 1:
        raise UnsoundFact("confidence", "Give a number from 0 to 1.")
    if len({source.ref for source in sources}) < len(sources):
        raise UnsoundFact("evidence", "Give each source an id of its own.")
    if sum(len(source.text) for source in sources) > MOST_EVIDENCE:
        raise UnsoundFact("evidence", f"Give at most {MOST_EVIDENCE} characters in all.")


def _sources(evidence: str | Iterable[str | Mapping[str, Any]]) -> tuple[Source, ...]:
    """Sources as given; bare texts are called S0, S1 … by their place."""
    given = [evidence] if isinstance(evidence, str) else evidence
    return tuple(
        Source(f"S{place}", each) if isinstance(each, str) else source_of(each)
        for place, each in enumerate(given)
    )


def _given(case: Case, about: Property | None, submitted_by: ApiKey | None) -> dict[str, Any]:
    """The columns that do not depend on any verification: the fact with its provenance."""
    return {
        "content": case.answer,
        "language": case.language,
        "property": about,
        "evidence": [mapping_of(source) for source in case.sources],
        "stated_confidence": case.original_confidence,
        "submitted_by": submitted_by,
    }


def _unverified(given: Mapping[str, Any], confidence: float, profile: ThresholdProfile) -> Fact:
    return Fact.store(
        **given,
        confidence=confidence,
        profile=profile,
        status=Fact.Status.UNVERIFIED,
        finding="switched_off",
        reason=SWITCHED_OFF,
    )


def _keep(given: Mapping[str, Any], checked: Checked) -> Fact | RejectedFact:
    """The row of a checked fact: in memory, or among the rejected (SPEC-08.16, SPEC-08.18)."""
    if checked.outcome.result == "rejected":
        return RejectedFact.objects.create(**given, **checked.columns)
    return Fact.store(
        **given,
        **checked.columns,
        status=Fact.Status.VERIFIED if checked.verified else Fact.Status.UNVERIFIED,
        reduced=checked.outcome.result == "stored_reduced",
        verify_after=timezone.now() + _patience(checked, 0) if checked.later else None,
    )


def _patience(checked: Checked | None, attempts: int) -> timedelta:
    """How long to leave a verifier alone: as long as it asked for, else twice as long each time."""
    wait = checked.wait if checked else None
    asked = RETRY_AFTER * 2**attempts if wait is None else timedelta(seconds=wait)
    return min(asked, LONGEST_WAIT)


def verify_due(now: datetime) -> int:
    """Verify facts whose verifier was late or asked to wait (SPEC-08.42); returns how many were settled.

    A few seconds of work at most, so that a sweep goes on; the rest is due again in the next. A verifier that is
    still away ends the round.
    """
    if not verifying.is_on("memory_gate"):
        return 0
    deadline, settled = Deadline(ROUND_SECONDS), 0
    for fact in Fact.due(now)[:MOST_A_ROUND]:
        if deadline.expired():
            break
        if not fact.take(now):
            continue
        checked = _checked_again(fact, deadline)
        if checked is not None and _conclude(fact, checked):
            settled += 1
            continue
        _wait(fact, checked, now)
        if checked is not None and checked.later:
            break
    return settled


def _checked_again(fact: Fact, deadline: Deadline) -> Checked | None:
    """A stored fact, measured anew; None when that failed, which is logged and costs the others nothing."""
    sources = tuple(source_of(source) for source in fact.evidence)
    try:
        about = fact.property, fact.language, fact.submitted_by
        case = _case(fact.content, fact.stated_confidence, sources, *about)
        return checks.check(case, checks.assertion(case), ThresholdProfile.active(), deadline)
    except Error:
        raise
    except Exception:
        log.exception("fact_check_failed fact=%s", fact.pk)
        return None


def _conclude(fact: Fact, checked: Checked) -> bool:
    """Write down what a later verification found, unless the fact was withdrawn meanwhile; False when it found
    nothing."""
    rejected = checked.outcome.result == "rejected"
    if not rejected and not checked.verified:
        return False
    if rejected:
        moved = fact.refuse(**checked.columns)
    else:
        moved = fact.verify(**checked.columns, reduced=checked.outcome.result == "stored_reduced")
    if moved:
        log.info("fact_settled fact=%s status=%s finding=%s", fact.pk, fact.status, checked.outcome.code)
    return True


def _wait(fact: Fact, checked: Checked | None, now: datetime) -> None:
    """Try again later, or stay unverified for good after many attempts."""
    if fact.attempts < MOST_ATTEMPTS:
        fact.postpone(now + _patience(checked, fact.attempts))
        return
    fact.give_up(checked.outcome.reason if checked else "It could not be checked.")
    log.warning("fact_given_up fact=%s attempts=%s", fact.pk, fact.attempts)
