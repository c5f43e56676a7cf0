"""How often something was tried without a result: an answer's run by workers, its verification or a fact's by a verifier."""

from dataclasses import dataclass
from datetime import datetime

from detection.models import DetectionRun, Fact, OwedVerification


@dataclass(frozen=True, slots=True)
class Attempts:
    """``made`` so many without a result, the last one at ``last``, None where nobody noted it. One may be ``under_way`` since
    ``last``, and is then not counted. ``next``: before that nobody tries again, None where that is not known; ``ended``: nobody
    does at all."""

    made: int
    last: datetime | None
    next: datetime | None = None
    under_way: bool = False
    ended: bool = False


def of_run(run: DetectionRun) -> Attempts:
    """The attempts of an unfinished run since it last got further. What holds it is heard of until its lease ends."""
    state = run.state
    under_way = state == "running"
    until = run.lease_until if under_way else None
    return Attempts(
        run.attempts - under_way, run.tried_at, until, under_way, ended=state == "needs_attention"
    )


def of_owed(owed: OwedVerification) -> Attempts:
    """The runs since ``owed`` began that concluded without their verifier, this one among them. One query."""
    runs = OwedVerification.objects.filter(answer=owed.answer_id, since=owed.since)
    ended = owed.ended_at is not None
    return Attempts(runs.count(), owed.noted_at, next=None if ended else owed.due_at, ended=ended)


def of_fact(fact: Fact) -> Attempts | None:
    """The attempts to verify a fact that is not verified, the one before it was stored among them; None where it is, or where
    no other attempt was to follow the first."""
    if fact.status != Fact.Status.UNVERIFIED or not (fact.verify_after or fact.attempts):
        return None
    return Attempts(fact.attempts + 1, None, fact.verify_after, ended=fact.verify_after is None)
