"""Which unflagged answers people look at all the same, and with what probability (review-queue F22, §5.3).

Verdicts on flagged answers alone say nothing of what was missed. So each live answer that opens no review belongs to
a stratum with a rate, and its own hash (:mod:`reviews.chances`) decides whether it is audited. Stratum and probability
are written on the run by the UPDATE that concludes it, for audited answers and all others, and never change
(a trigger holds them). An answer that is superseded keeps its decision and opens no review; one that is judged
again is not drawn again.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext

from detection.access import roles
from detection.core import pipeline
from detection.core.verdict import stricter
from detection.models import DetectionRun, ThresholdProfile
from detection.runs import Prepared
from reviews.chances import chance
from reviews.models import AuditDraw, ClaimVerdict, HallucinationReview, NotAllowed, ReviewPass, open_audit
from reviews.models.queue_columns import LIVE
from reviews.models.states import AUDITS, SelectionReason, State

ENOUGH = 100
"""Labels of a language or a kind of claim from which on it is no longer new."""
LISTED = 500
"""Ids that a query names one by one."""
FRESH = 60
"""Seconds for which a process remembers how many labels there are."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What the sampler decided about an unflagged answer: its stratum, the probability of an audit there (0–1),
    and whether its own number fell below it."""

    stratum: str
    probability: float
    audited: bool

    @property
    def columns(self) -> dict[str, Any]:
        """What the run keeps of it."""
        return {"audit_stratum": self.stratum, "audit_probability": self.probability}

    @property
    def selection(self) -> tuple[SelectionReason, float] | None:
        """Why and with what probability a review opens; None when none does."""
        return (REASONS[self.stratum], self.probability) if self.audited else None


REASONS: Mapping[str, SelectionReason] = {
    "base": SelectionReason.AUDIT_RANDOM,
    "boundary": SelectionReason.AUDIT_BOUNDARY,
    "new": SelectionReason.AUDIT_STRATUM,
}
"""Why a review opens, by the stratum of its answer."""


def draw(run: DetectionRun, prepared: Prepared) -> Draw | None:
    """Decide whether the answer of a run about to conclude is audited.

    None for a shadow or repeated run, for an answer that opens a review anyway, and where the profile opens none.
    Of the strata that an answer belongs to, the one with the highest rate is its own.
    """
    conclusion = prepared.conclusion
    silent = not conclusion.thresholds.review_queue_enabled
    if run.purpose != DetectionRun.Purpose.LIVE or conclusion.verdict.needs_review or silent:
        return None
    rates = _rates()
    stratum = next(name for name in sorted(rates, key=lambda n: -rates[n]) if MEMBERS[name](run, prepared))
    return Draw(stratum, rates[stratum], chance(run.answer, "audit") < rates[stratum])


def _rates() -> dict[str, float]:
    """The rates of the strata; of equal ones the first counts, which is asked at the least cost."""
    return {
        "base": settings.HALLU_AUDIT_BASE,
        "boundary": settings.HALLU_AUDIT_BOUNDARY,
        "new": settings.HALLU_AUDIT_NEW,
    }


def _is_new(run: DetectionRun, prepared: Prepared) -> bool:
    """Whether its language, or the kind of one of its claims, has few labels yet."""
    kinds = {claim.kind for claim in prepared.conclusion.claims}
    return _scarce("language", run.answer.language) or any(_scarce("kind", kind) for kind in sorted(kinds))


def _is_near(run: DetectionRun, prepared: Prepared) -> bool:
    """Whether thresholds a fifth stricter (:mod:`detection.core.verdict.boundary`) would have asked for a review: the same
    pure decision over the measurements at hand."""
    context, bits = prepared.context, prepared.context.flag_threshold_bits
    nearer = replace(
        context,
        thresholds=stricter(context.thresholds),
        flag_threshold_bits=None if bits is None else bits * 4 / 5,
    )
    return pipeline.conclude(nearer, prepared.conclusion.reports, run.due).verdict.needs_review


MEMBERS: Mapping[str, Callable[[DetectionRun, Prepared], bool]] = {
    "new": _is_new,
    "boundary": _is_near,
    "base": lambda _run, _prepared: True,
}
"""Who belongs to a stratum."""


def _scarce(what: str, value: str) -> bool:
    return _labels(what, value, int(time.monotonic() // FRESH)) < ENOUGH


@lru_cache(maxsize=256)
def _labels(what: str, value: str, _minute: int) -> int:
    """How many labels there are of a language (answers that were resolved) or of a kind of claim (verdicts that were
    submitted), counted as far as :data:`ENOUGH`."""
    if what == "language":
        return HallucinationReview.objects.filter(state=State.RESOLVED, language=value)[:ENOUGH].count()
    given = ClaimVerdict.objects.filter(
        claim__kind=value, decided_at__isnull=False, review_pass__state=ReviewPass.State.SUBMITTED
    )
    return given[:ENOUGH].count()


def forget() -> None:
    """Count anew, as a process does that starts; for tests that add labels."""
    _labels.cache_clear()


@transaction.atomic
def more_audits(runs: Iterable[int], n: int, actor: User, *, profile: int, threshold: str) -> int:
    """Open audits of these runs until ``n`` of them wait for one, or none is left to draw; returns how many.

    ``runs`` is the band: the answers whose flag depends on ``threshold`` of profile version ``profile``. Those of them
    take part that are live, unflagged and not superseded; those can be drawn that nobody has reviewed. The lots are
    hashes of their own, independent of the decision at conclusion, so each of ``m`` that can be drawn has the
    probability n / m. It is kept in an :class:`AuditDraw` for everyone who takes part, those audited earlier too: had
    they not been, they would have been drawn as likely. Raises :class:`NotAllowed` for whoever is neither senior nor
    administrator.
    """
    if not roles(actor) & {"senior", "admin"}:
        raise NotAllowed(gettext("Only a senior or an administrator can queue audits."))
    # Of two who press at once, the second counts what the first has drawn.
    ThresholdProfile.objects.select_for_update().filter(version=profile).first()
    stratum, band = f"band:{profile}:{threshold}", set(runs)
    members = _members(band)
    free = [run for run in members if not run.reviewed]
    chosen = sorted(free, key=lambda run: chance(run.answer, stratum))[: max(n - _waiting(band), 0)]
    if not chosen:
        return 0
    probability = len(chosen) / len(free)
    audited = {run.pk for run in chosen if open_audit(run, probability)}
    AuditDraw.objects.bulk_create(
        [
            AuditDraw(
                run=run, stratum=stratum, probability=probability, audited=run.pk in audited, drawn_by=actor
            )
            for run in members
            if not run.reviewed or run.sampled
        ],
        batch_size=500,
    )
    return len(audited)


def _waiting(wanted: Collection[int]) -> int:
    """How many of these runs wait for their audit."""
    audits = HallucinationReview.objects.filter(LIVE, _among("run", wanted), selection_reason__in=AUDITS)
    return sum(run in wanted for run in audits.values_list("run_id", flat=True))


def _members(wanted: set[int]) -> list[Any]:
    """The unflagged live runs among ``wanted`` whose answers are the newest: each with whether its answer was
    ``reviewed``, and whether the sampler (``sampled``) is why."""
    reviews = HallucinationReview.objects.filter(answer=OuterRef("answer"))
    runs = (
        DetectionRun.objects.filter(
            _among("pk", wanted),
            purpose=DetectionRun.Purpose.LIVE,
            needs_review=False,
            answer__superseded_by=None,
        )
        .select_related("answer__query")
        .defer("result")
        .annotate(reviewed=Exists(reviews), sampled=Exists(reviews.filter(selection_reason__in=AUDITS)))
    )
    return [run for run in runs.order_by("pk") if run.pk in wanted]


def _among(name: str, wanted: Collection[int]) -> Q:
    """That ``name`` is one of these ids; of very many, that it lies between them: a database takes only so many."""
    if len(wanted) <= LISTED:
        return Q(**{f"{name}__in": wanted})
    return Q(**{f"{name}__gte": min(wanted), f"{name}__lte": max(wanted)})


def probabilities(runs: Iterable[int]) -> dict[int, float]:
    """The probability with which each of these unflagged runs is looked at, by run, for weights of 1 / p: that of its
    conclusion p₁ and of every later draw it took part in p₂, … together, 1 − (1 − p₁)(1 − p₂)….

    A run without a decision (flagged, or older than sampling, and in no draw) is left out; so is one whose probability
    is 0, which no audit can speak for.
    """
    wanted = set(runs)
    missed: dict[int, float] = {}
    concluded = DetectionRun.objects.filter(_among("pk", wanted), audit_probability__isnull=False)
    drawn = AuditDraw.objects.filter(_among("run", wanted))
    for pk, p in chain(
        concluded.values_list("pk", "audit_probability"), drawn.values_list("run_id", "probability")
    ):
        if pk in wanted and p is not None:
            missed[pk] = missed.get(pk, 1.0) * (1 - p)
    return {pk: 1 - left for pk, left in missed.items() if left < 1}
