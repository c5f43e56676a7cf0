"""What becomes of verdicts when a newer answer or a newer run takes the place of what they judged (F25).

They are carried as suggestions where the same words stand again; a suggestion decides nothing until its
reviewer confirms it.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext

from detection.models import Answer, Claim, DetectionRun
from reviews.anchoring import Ambiguous, NotFound, anchored, context
from reviews.models.added_claims import added_claim
from reviews.models.errors import NotAllowed
from reviews.models.events import ReviewEvent
from reviews.models.guards import check_workable
from reviews.models.leases import Lease
from reviews.models.passes import ReviewPass
from reviews.models.queue_columns import queue_columns
from reviews.models.review import HallucinationReview
from reviews.models.states import PRIORITY_OF_RISK, Priority, VoidCause
from reviews.models.transition import transition
from reviews.models.verdicts import ClaimVerdict

SURROUNDINGS = (64, 16, 8)
"""Code points on each side by which equal quotes are told apart, one after the other: a wide stretch says more,
a narrow one is hurt by fewer changes nearby."""


def replacement_of(review: HallucinationReview) -> HallucinationReview | None:
    """The review of the newer answer that replaced this one's; None while that has none."""
    newer = review.replaced_by_id
    return HallucinationReview.objects.filter(answer=newer).order_by("-pk").first() if newer else None


def newer_run(review: HallucinationReview) -> DetectionRun | None:
    """A later finished run of the same answer, to be offered while the review is live; never its result."""
    if not review.is_live:
        return None
    runs = DetectionRun.objects.filter(
        answer=review.answer_id, pk__gt=review.run_id, finished_at__isnull=False
    )
    return runs.exclude(purpose=DetectionRun.Purpose.SHADOW).defer("result").order_by("-pk").first()


def adopt_run(review: HallucinationReview, user: User, version: int, *, idempotency_key: str = "") -> None:
    """Judge the newest run from now on. Everybody's draft is withdrawn and begins anew with suggestions.

    Raises :class:`Conflict` as :meth:`ReviewPass.decide` does, :class:`KeyReused`, and :class:`NotAllowed` when there
    is no newer run or somebody has submitted a pass on the present one.
    """
    asked = {"action": "adopt_run"}
    with transition(review, user, asked, key=idempotency_key, version=version, guard=check_workable) as step:
        if step.done is not None:
            return
        mine = Lease.renew(review, user)
        run = newer_run(review)
        if run is None:
            raise NotAllowed(gettext("There is no newer detection of this answer."))
        passes = review.passes.select_related("reviewer")
        if passes.filter(state=ReviewPass.State.SUBMITTED).exists():
            raise NotAllowed(gettext("Somebody has judged this detection already. The review ends with it."))
        old = review.run_id
        step.write(**columns_of(run))
        step.log("run_adopted", profile=run.profile, before={"run": old}, after=scores_of(run))
        for draft in passes.filter(state=ReviewPass.State.DRAFT).order_by("pk"):
            _begin_anew(review, draft, old)
        step.answer = {"pass_no": mine.pass_no}


def carry_from(review: HallucinationReview, versions: Sequence[Any]) -> None:
    """Carry what was said of the older ``versions`` of its answer in reviews that it ended. Of several by
    one reviewer the newest counts."""
    passes = ReviewPass.objects.filter(
        review__answer__in=versions,
        review__answer__erasure__isnull=True,
        review__void_cause=VoidCause.SUPERSEDED,
    ).exclude(state=ReviewPass.State.WITHDRAWN)
    done: set[int] = set()
    for old in passes.select_related("review", "reviewer").order_by("-review"):
        if old.reviewer_id not in done and old.verdicts.exists():
            done.add(old.reviewer_id)
            blind = review.judged_blind
            fresh = ReviewPass(review=review, reviewer=old.reviewer, pass_no=1, blind=blind)
            _suggest(review, old, fresh, old.review.run_id)


def _begin_anew(review: HallucinationReview, draft: ReviewPass, old_run: int) -> None:
    """Withdraw a draft on the run before, and give its reviewer one on this run; the time spent counts on."""
    ReviewPass.objects.filter(pk=draft.pk).update(state=ReviewPass.State.WITHDRAWN)
    fresh = ReviewPass.objects.create(
        review=review,
        reviewer=draft.reviewer,
        pass_no=draft.pass_no,
        blind=draft.blind,
        started_at=draft.started_at,
        last_active_at=draft.last_active_at,
        active_seconds=draft.active_seconds,
    )
    _suggest(review, draft, fresh, old_run)


def _suggest(review: HallucinationReview, old: ReviewPass, fresh: ReviewPass, old_run: int) -> None:
    """Carry the verdicts of ``old`` into ``fresh``, which is stored when there is anything to carry."""
    given = list(old.verdicts.select_related("claim"))
    found = {v.pk: claim for v, claim in _found_again(given, old_run, review.run_id)}
    if not found:
        return
    if fresh._state.adding:
        fresh.save()
    carried = [v for v in given if v.pk in found]
    ClaimVerdict.objects.bulk_create([_suggestion(v, fresh, found[v.pk]) for v in carried], batch_size=500)
    after = {"reviewer": fresh.reviewer_id, "claims": [found[v.pk].index for v in carried]}
    ReviewEvent.append(review, "carried", before={"review": old.review_id, "run": old_run}, after=after)


def _found_again(
    given: Sequence[ClaimVerdict], old_run: int, run: int
) -> Iterator[tuple[ClaimVerdict, Claim]]:
    """Each verdict with the claim of ``run`` that says the same."""
    before, now = (Answer.objects.get(runs=judged) for judged in (old_run, run))
    same = matches(_claims(old_run), before.text, _claims(run), now.text)
    for verdict in given:
        claim = same.get(verdict.claim_id)
        if claim is None and verdict.claim.origin == Claim.Origin.REVIEWER:
            claim = _added_again(verdict.claim, before, now, run)
        if claim is not None:
            yield verdict, claim


def _added_again(claim: Claim, before: Answer, now: Answer, run: int) -> Claim | None:
    """A reviewer's claim again, where its words stand once, or once in the same surroundings."""
    around = context(before.text, claim.start, claim.end)
    try:
        start, end = anchored(now.text, claim.text, *around)
        unique = context(now.text, start, end) == around or _is_single(now.text, claim.text)
    except (Ambiguous, NotFound):
        return None
    taken = _claims(run).filter(start=start, end=end, kind=claim.kind).exists()
    return added_claim(run, now, start, end, claim.kind) if unique and not taken else None


def matches(old: Iterable[Claim], old_text: str, new: Iterable[Claim], new_text: str) -> dict[int, Claim]:
    """The ids of old claims, each with the new claim of the same kind that says the same.

    In the same text it stands in the same place. In another one its words must be there once; where they
    are there several times, once in the same surroundings.
    """
    if old_text == new_text:
        places = {(claim.kind, claim.start, claim.end): claim for claim in new}
        found = ((claim.pk, places.get((claim.kind, claim.start, claim.end))) for claim in old)
        return {pk: claim for pk, claim in found if claim}
    before, now = _grouped(old, old_text), _grouped(new, new_text)
    same: dict[int, Claim] = {}
    for words, olds in before.items():
        news = now.get(words, [])
        if len(olds) == len(news) == 1:
            same[olds[0].pk] = news[0]
        else:
            same |= _by_surroundings(olds, old_text, news, new_text)
    return same


def _by_surroundings(
    olds: Sequence[Claim], old_text: str, news: Sequence[Claim], new_text: str
) -> dict[int, Claim]:
    """Of equal quotes those that stand once in the same surroundings, the wider ones first."""
    same: dict[int, Claim] = {}
    for size in SURROUNDINGS:
        taken = {claim.pk for claim in same.values()}
        left = [claim for claim in olds if claim.pk not in same]
        free = [claim for claim in news if claim.pk not in taken]
        before, now = _around(left, old_text, size), _around(free, new_text, size)
        single = [key for key, group in before.items() if len(group) == 1 and len(now.get(key, ())) == 1]
        same |= {before[key][0].pk: now[key][0] for key in single}
    return same


def _grouped(claims: Iterable[Claim], text: str) -> Mapping[Hashable, list[Claim]]:
    groups: dict[Hashable, list[Claim]] = defaultdict(list)
    for claim in claims:
        groups[claim.kind, text[claim.start : claim.end]].append(claim)
    return groups


def _around(claims: Iterable[Claim], text: str, size: int) -> Mapping[Hashable, list[Claim]]:
    groups: dict[Hashable, list[Claim]] = defaultdict(list)
    for claim in claims:
        groups[context(text, claim.start, claim.end, size)].append(claim)
    return groups


def _claims(run: int) -> Any:
    """The detectors' claims of a run, without what only they read."""
    rows = Claim.objects.filter(run=run, origin=Claim.Origin.DETECTOR)
    return rows.defer("reading", "reason", "citations").order_by("index")


def _is_single(text: str, quote: str) -> bool:
    try:
        anchored(text, quote)
    except Ambiguous:
        return False
    return True


def _suggestion(given: ClaimVerdict, fresh: ReviewPass, claim: Claim) -> ClaimVerdict:
    """A verdict again, undecided; what was a suggestion itself points on to what it came from."""
    return ClaimVerdict(
        review_pass=fresh,
        claim=claim,
        **given.content(),
        examined=False,
        detector_visible=not fresh.blind,
        carried_from_id=given.pk if given.decided_at else given.carried_from_id,
    )


def columns_of(run: DetectionRun) -> dict[str, Any]:
    """The columns of a review that come from the run it judges."""
    return {
        "run": run,
        "profile": run.profile,
        "priority": PRIORITY_OF_RISK.get(run.risk_level, Priority.MEDIUM),
        "automatic_confidence": run.adjusted_confidence,
        **queue_columns(run),
    }


def scores_of(run: DetectionRun) -> dict[str, Any]:
    """What the detectors said; measured values as text, so that they hash alike."""
    flagged = Claim.objects.filter(run=run, flagged=True).order_by("index")
    columns = ("index", "kind", "status", "finding", "deviation", "p1_low", "p1_high", "p0_low", "p0_high")
    return {
        "run": run.pk,
        "risk_score": _text(run.risk_score),
        "risk_level": run.risk_level,
        "adjusted_confidence": _text(run.adjusted_confidence),
        "claims": [{name: _text(value) for name, value in row.items()} for row in flagged.values(*columns)],
    }


def _text(value: Any) -> Any:
    return repr(value) if isinstance(value, float) else value
