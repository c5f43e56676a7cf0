"""The Result of a stored answer: what its latest run found, and what a person made of it."""

from collections.abc import Collection, Iterable
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from msgspec import Raw, Struct, json

from detection import runs
from detection.models import Answer, DetectionRun, OwedVerification
from detection.runs import ClaimEffective, Effective
from reviews.models import ClaimVerdict, HallucinationReview, ReviewPass, name_of
from reviews.rights import hidden_answers

State, GOLD = HallucinationReview.State, HallucinationReview.SelectionReason.GOLD
STATUSES = {True: "hallucination_detected", False: "success", None: None}
"""The status of an answer by whether a person found something wrong in it."""

WORDS = {"supported": "supported", "corrected": "wrong", "rejected": "wrong"}
"""The word of a claim's conclusion by a person's verdict on it; whoever cannot tell, or sees no claim there, gives none."""


def live_runs() -> QuerySet[DetectionRun]:
    """The runs that speak for their answers, newest first; shadow runs do not."""
    return DetectionRun.objects.exclude(purpose=DetectionRun.Purpose.SHADOW).order_by("-id")


def result_of(answer: Answer, reader: Any = None) -> bytes:
    """The Result as delivered, in JSON; before the run has finished, what is there of it and no verdict. A ``reader`` (the
    person a key acts for) who may have to judge it blind gets neither verdict nor claims until it is resolved.

    A verdict over half of the checks would look like a clear answer, so there is none until all reports are in. What is stored
    is handed on as the text that it is: that of a large answer takes seconds to read and write.
    """
    found = live_runs().filter(answer=answer).select_related("profile").defer("result")
    run = found.annotate(stored=Cast("result", TextField())).first()
    if run is None:
        raise DetectionRun.DoesNotExist(f"answer {answer.pk} has no run")
    named = {"id": str(answer.pk), "external_id": answer.query.external_id, "status": run.state}
    if hidden_answers(reader, [answer.pk]):
        blind: dict[str, Any] = {
            "verdict": None,
            "effective": None,
            "claims": [],
            "review": review_of(answer),
        }
        return json.encode({**named, **blind})
    stored = run.stored if run.finished_at else json.encode(_partial(run))
    body = json.decode(stored or "{}", type=dict[str, Raw])
    failed = {"failed_reason": run.failed_reason} if run.failed_reason else {}
    counts = effective_of([answer.pk]).get(answer.pk)
    told: dict[str, Any] = {
        "effective": counts.shown() if counts else None,
        **_owed(answer),
        "review": review_of(answer),
    }
    claims = _with_effective(body.get("claims", Raw(b"[]")), run, counts)
    return json.encode({**named, **body, "claims": claims, **failed, **told})


def _owed(answer: Answer) -> dict[str, Any]:
    """What the answer's verifier owes it now, and what it did before."""
    rows = list(OwedVerification.objects.filter(answer=answer).order_by("id"))
    now = next((row.shown() for row in rows if row.ended_at is None), None)
    return {"verification_owed": now, "verification_history": [row.shown_ended() for row in rows]}


class _Concluded(Struct):
    word: str | None = None


class _Claim(Struct):
    """What of a claim of a Result says whose word counts on it."""

    kind: str
    start: int | None
    end: int | None
    conclusion: _Concluded | None = None


def _with_effective(claims: Raw, run: DetectionRun, counts: Effective | None) -> list[Raw]:
    """The claims of a Result, each with what counts of it now; nothing does where the answer has no verdict, or a newer
    one has it."""
    given, read = json.decode(claims, type=list[Raw]), json.decode(claims, type=list[_Claim])
    if counts is None or counts.by == "supersession":
        return [_with(claim, b"null") for claim in given]
    people = _said_of_claims(run.answer) if counts.by == "person" else {}
    said = {place: json.encode(one.shown()) for place, one in people.items()}
    at = run.finished_at

    @cache
    def by_machine(word: str | None) -> bytes:
        return json.encode(runs.claim_by_machine(word, at).shown() if at else None)

    return [
        _with(
            claim,
            said.get((one.kind, one.start, one.end)) or by_machine(one.conclusion and one.conclusion.word),
        )
        for claim, one in zip(given, read, strict=True)
    ]


def _with(claim: Raw, effective: bytes) -> Raw:
    """A claim and, at its end, what counts of it."""
    return Raw(b'%s,"effective":%s}' % (bytes(claim)[:-1], effective))


def _said_of_claims(answer: Answer) -> dict[tuple[str, int | None, int | None], ClaimEffective]:
    """What the review that decides an answer says of its claims, by kind and place: the run that it judged may be an
    older one of the same text. Of several verdicts the one of the pass that counts most."""
    review = _deciding(reviews_of([answer.pk]).get(answer.pk, ()))
    given = ClaimVerdict.objects.filter(
        review_pass__review=review, review_pass__state=ReviewPass.State.SUBMITTED, decided_at__isnull=False
    ).select_related("claim", "review_pass__reviewer")
    ranked = sorted(given, key=lambda one: one.review_pass.rank)
    return {(one.claim.kind, one.claim.start, one.claim.end): _said_of(one) for one in ranked}


def _said_of(given: ClaimVerdict) -> ClaimEffective:
    return ClaimEffective(
        by="person",
        who=name_of(given.review_pass.reviewer),
        at=given.decided_at,
        word=WORDS.get(given.verdict),
        verdict=given.verdict,
        reason_code=given.reason_code or None,
        corrected_value=given.corrected_value or None,
    )


def _partial(run: DetectionRun) -> dict[str, Any]:
    loaded = runs.load(run)
    return {**runs.render(run, loaded.case, runs.decide(run, loaded)), "verdict": None}


def review_of(answer: Answer) -> dict[str, Any] | None:
    """The answer's latest review, None when none was opened."""
    reviews = HallucinationReview.objects.filter(answer=answer)
    review = reviews.exclude(selection_reason=GOLD).order_by("-id").first()
    return review_section(review) if review else None


def review_section(review: HallucinationReview) -> dict[str, Any]:
    """Id and status; once resolved, the decision."""
    shown: dict[str, Any] = {"id": review.pk, "status": review.state}
    if review.resolved_at:
        shown |= {
            "outcome": review.outcome,
            "final_confidence": review.final_confidence,
            "corrected_answer": review.corrected_answer or None,
            "resolved_at": review.resolved_at.isoformat(),
        }
    return shown


def effective_of(answers: Collection[UUID], reader: Any = None) -> dict[UUID, Effective]:
    """:func:`effective` of each of ``answers``, in a fixed number of queries; nothing for those that are not judged yet,
    and for those of which ``reader`` (as of :func:`result_of`) may not be told."""
    latest = {run.answer_id: run for run in live_runs().defer("result").filter(answer__in=answers).reverse()}
    reviews = reviews_of(answers)
    superseding = Answer.objects.filter(supersedes__in=answers).values_list("supersedes", "pk", "created_at")
    newer = {older: (pk, at) for older, pk, at in superseding}
    hidden = hidden_answers(reader, answers)
    found = {
        pk: effective(latest.get(pk), reviews.get(pk, ()), newer.get(pk))
        for pk in answers
        if pk not in hidden
    }
    return {pk: one for pk, one in found.items() if one}


def reviews_of(answers: Collection[UUID]) -> dict[UUID, list[HallucinationReview]]:
    """All reviews of each of ``answers``, the newest first, with who resolved them."""
    found: dict[UUID, list[HallucinationReview]] = {}
    rows = HallucinationReview.objects.filter(answer__in=answers).select_related("resolved_by")
    for review in rows.defer("corrected_answer").order_by("-id"):
        found.setdefault(review.answer_id, []).append(review)
    return found


def effective(
    run: DetectionRun | None, reviews: Iterable[HallucinationReview], newer: tuple[UUID, datetime] | None
) -> Effective | None:
    """The verdict on an answer that counts now, by its latest run, its reviews from the newest on, and the id and time of
    a newer answer; None while nobody has judged it.

    A newer answer comes first, then a person, if the newest review is resolved: while one is live, opened again or anew,
    what was said is in doubt. A review that was withdrawn says nothing, nor does gold.
    """
    if newer:
        return Effective(by="supersession", superseded_by=newer[0], at=newer[1])
    review = _deciding(reviews)
    if review and review.resolved_at:
        return _said(review)
    return runs.by_machine(run, run.finished_at) if run and run.finished_at else None


def _deciding(reviews: Iterable[HallucinationReview]) -> HallucinationReview | None:
    """The newest that was not withdrawn and is no gold, of reviews from the newest on."""
    return next((one for one in reviews if one.state != State.VOID and one.selection_reason != GOLD), None)


def _said(review: HallucinationReview) -> Effective:
    wrong = HallucinationReview.Outcome(review.outcome).found_wrong
    return Effective(
        by="person",
        who=name_of(review.resolved_by),
        at=review.resolved_at,
        has_hallucinations=wrong,
        answer_status=STATUSES[wrong],
        outcome=review.outcome,
    )
