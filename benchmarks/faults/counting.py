"""What became of the answers that were taken in, and what must hold of the rows afterwards."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from io import StringIO
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from django.db import Error, connection
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from benchmarks.faults.breaking import Kill
from detection.models import Answer, Claim, DetectionRun, DetectorReport, OwedVerification
from reviews.demo.people import tell_standing
from reviews.models import HallucinationReview, Lease, ReviewError, ReviewPass
from reviews.models.states import State

Value = TypeVar("Value")
LIVE = DetectionRun.Purpose.LIVE
AT_ONCE = 500
REVIEWER = "reviewer"
Settled = tuple[str, int, datetime | None]
"""State and version of a review, and when it was settled."""
ATTEMPTS = 5


def asked(what: Callable[[], Value]) -> Value:
    """The answer of a database that may be restarting."""
    while True:
        try:
            return what()
        except Error:
            connection.close()
            time.sleep(0.2)


def held() -> list[int]:
    """The runs that somebody works on now."""
    rows = DetectionRun.objects.filter(finished_at=None, failed_reason="", lease_until__gt=timezone.now())
    return asked(lambda: list(rows.values_list("pk", flat=True)))


def ended() -> int:
    """How many first runs of answers have come to an end."""
    over = DetectionRun.objects.exclude(finished_at=None, failed_reason="")
    return asked(over.filter(purpose=LIVE).count)


def waiting() -> int:
    """How many runs are unfinished, and how many answers are still to be judged again: counted in one statement, because
    a sweep turns the one into the other."""
    owing = OwedVerification.open().order_by().values("pk")
    return asked(DetectionRun.unfinished().order_by().values("pk").union(owing, all=True).count)


def _parts(ids: Iterable[str]) -> Iterator[list[UUID]]:
    waiting = map(UUID, ids)
    while part := list(islice(waiting, AT_ONCE)):
        yield part


def became(accepted: Mapping[int, str]) -> Counter[str]:
    """How many of the accepted answers are completed, waiting, need attention, are lost, are doubled."""
    found: Counter[str] = Counter(accepted=len(accepted), completed=0, waiting=0, attention=0, lost=0)
    for part in _parts(accepted.values()):
        runs = DetectionRun.objects.filter(answer__in=part, purpose=LIVE)
        of_state = {
            "completed": runs.filter(finished_at__isnull=False),
            "attention": runs.filter(finished_at=None).exclude(failed_reason=""),
            "waiting": runs.filter(finished_at=None, failed_reason=""),
        }
        for state, rows in of_state.items():
            found[state] += rows.values("answer").distinct().count()
        found["lost"] += len(part) - runs.values("answer").distinct().count()
    found["doubled"] = sum(doubled().values())
    return found


def doubled() -> dict[str, int]:
    """Effects that happened twice."""
    of_answers = Answer.objects.values("pk")
    live = ~Q(reviews__state__in=[State.RESOLVED, State.VOID])
    return {
        "answers taken in twice": _more_than_one(Answer.objects.values("query")),
        "answers judged twice": _more_than_one(DetectionRun.objects.filter(purpose=LIVE).values("answer")),
        "reports doubled": _more_than_one(DetectorReport.objects.values("run", "detector")),
        "claims doubled": _more_than_one(Claim.objects.values("run", "index")),
        "reviews doubled": of_answers.annotate(n=Count("reviews", filter=live)).filter(n__gt=1).count(),
    }


def _more_than_one(rows: "QuerySet[Any, Any]") -> int:
    return int(rows.order_by().annotate(n=Count("pk")).filter(n__gt=1).count())


def broken(
    accepted: Mapping[int, str], differing: list[int], settled: Mapping[int, Settled]
) -> dict[str, int]:
    """The invariants, each with how often it does not hold."""
    newest = DetectionRun.newest().filter(finished_at__isnull=False)
    clear = newest.filter(answer_status="success", has_hallucinations=False, needs_review=False)
    return {
        "V1 every 2xx has one row": abs(Answer.objects.count() - len(accepted)) + len(differing),
        "V2 nothing is left unfinished": DetectionRun.unfinished().count(),
        "V3 nothing is doubled": sum(doubled().values()),
        "V3 every finished run has its reports": _without_their_reports(),
        "V4 what is clear was checked": clear.filter(claims__status="unverified").distinct().count(),
        "V5 what is not clear says why": newest.filter(
            Q(needs_review=True) | ~Q(answer_status="success"), result__verdict__reasons=[]
        ).count(),
        "V6 what a person settled stays": sum(_settled(pk) != then for pk, then in settled.items()),
        "V7 no run is tried too often": DetectionRun.objects.filter(attempts__gt=ATTEMPTS).count(),
        "V8 the histories verify": _unverified(),
    }  # fmt: skip


def hire() -> None:
    """Make the person who settles; a demo's would keep a production's web processes from starting."""
    group, _ = Group.objects.get_or_create(name="senior")
    person = User.objects.create_user(REVIEWER)
    person.groups.add(group)
    tell_standing(person)


def settle() -> dict[int, Settled]:
    """Settle the oldest open review as a person would; how it then stands, by its key. None where there is none, or where the
    database was away."""
    try:
        person = User.objects.get(username=REVIEWER)
        review = HallucinationReview.objects.filter(state=State.OPEN).order_by("pk").first()
        if review is None:
            return {}
        Lease.take(review, person)
        for claim in review.to_decide():
            ReviewPass.decide(review, person, review.version, claim, "supported")
        review.resolve(person, review.version, final_confidence=review.proposed_confidence())
    except (Error, ReviewError):
        connection.close()
        return {}
    return {review.pk: _settled(review.pk)}


def _settled(pk: int) -> Settled:
    review = HallucinationReview.objects.get(pk=pk)
    return review.state, review.version, review.resolved_at


def _without_their_reports() -> int:
    rows = DetectionRun.objects.filter(finished_at__isnull=False).annotate(n=Count("reports"))
    return sum(len(due) != there for due, there in rows.values_list("due", "n").iterator())


def _unverified() -> int:
    said = StringIO()
    try:
        call_command("verify_audit", stdout=said, stderr=said)
    except CommandError:
        print(said.getvalue())
        return 1
    return 0


def recovery(kills: Iterable[Kill]) -> list[float]:
    """Seconds from a kill of a worker until each run that was held then had finished, by whomever."""
    seconds = []
    for kill in kills:
        ends = DetectionRun.objects.filter(pk__in=kill.held, finished_at__isnull=False)
        seconds += [at.timestamp() - kill.at for at in ends.values_list("finished_at", flat=True) if at]
    return sorted(max(0.0, each) for each in seconds)


def ordinary() -> list[float]:
    """Seconds from the submission of each answer to its end: what the queue alone makes of the time after a kill."""
    runs = DetectionRun.objects.filter(purpose=LIVE, finished_at__isnull=False)
    times = runs.values_list("created_at", "finished_at")
    return sorted((end - start).total_seconds() for start, end in times if end)


def attempts() -> dict[int, int]:
    """How many runs needed how many attempts, as last counted."""
    counted = DetectionRun.objects.order_by("attempts").values_list("attempts").annotate(n=Count("pk"))
    return dict(counted)


def owed() -> int:
    """How many answers wait for a verifier that was not well."""
    return OwedVerification.open().count()


def line(**facts: Any) -> str:
    """One line of the report that is kept."""
    return json.dumps({"at": timezone.now().isoformat(timespec="seconds")} | facts)
