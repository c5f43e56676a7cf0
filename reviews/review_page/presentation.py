"""What a person sees of a review: the one place that feeds the page and the list (review-queue §4.1).

A blind pass sees the answer and the evidence, never what the detectors concluded. The browser is given
finished slices and words; it decides nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from detection import runs
from detection.core.verdict import reason_code
from detection.models import Answer, Claim, DetectionRun, OwedVerification, StrictAnswer
from reviews.display import wording
from reviews.display.answer_text import AnswerPiece, answer_pieces, slot_names
from reviews.display.claim_rows import ClaimRow, claim_rows
from reviews.display.highlights import Change, replaced
from reviews.display.paragraphs import Paragraph, direction_of, language_of, paragraphs
from reviews.display.wording import Badge
from reviews.lifecycle import attempts
from reviews.lifecycle.attempts import Attempts
from reviews.models import ClaimVerdict, HallucinationReview, ReviewPass, replacement_of
from reviews.models.states import Against
from reviews.review_page.alike import decided_alike
from reviews.review_page.extracts import Extract, beside, extract, shortened
from reviews.review_page.panels import Panel, panels
from reviews.rights import Lease, Rights, judges_blind, rights

NOTICED = ("suspected_injection", "orders_verifier")
"""Reasons about orders to the verifier: they are shown above the answer, to blind reviewers too."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """Original → automatic → final, two digits each; empty where there is none. ``raw`` is the automatic one before
    a calibration map, empty where none was applied."""

    original: str
    automatic: str
    proposed: str = ""
    final: str = ""
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Versions:
    """The answer that replaced this one and its review, once it has one; the review that ``suggestions`` were
    carried from, None when that is this one on an earlier check."""

    newer_answer: UUID | None = None
    newer_review: int | None = None
    older_review: int | None = None
    suggestions: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """Everything the review page and the answer page show."""

    question: str
    about: str
    direction: str
    language: str
    paragraphs: Sequence[Paragraph[AnswerPiece]]
    claims: Sequence[ClaimRow]
    extract: Extract
    panels: Sequence[Panel]
    selected: ClaimRow | None
    confidence: Confidence
    answer_id: UUID
    reasons: Sequence[str] = ()
    notices: Sequence[str] = ()
    id: int = 0
    state: str = ""
    version: int = 0
    priority: Badge | None = None
    why: str = ""
    due: Badge | None = None
    versions: Versions = field(default_factory=Versions)
    undecided: Sequence[ClaimRow] = ()
    examined: int = 0
    changes: Sequence[Change] = ()
    corrections: int = 0
    outcome_word: str = ""
    resolved: HallucinationReview | None = None
    rights: Rights = field(default_factory=Rights)
    risk: Badge | None = None
    review_id: int | None = None
    waiting: str = ""
    attempts: Attempts | None = None
    strict: StrictAnswer | None = None

    @property
    def question_direction(self) -> str:
        """The direction of the question, which may be asked in another script than it is answered in."""
        return direction_of(self.question, self.direction)

    @property
    def question_language(self) -> str:
        """The language of the question as BCP 47 has it."""
        return language_of(self.question, self.language)

    @property
    def pieces(self) -> list[AnswerPiece]:
        """The shown text in slices that together are it."""
        return [piece for paragraph in self.paragraphs for piece in paragraph.pieces]

    @property
    def against(self) -> str:
        """The gravest conclusion against one of its claims; empty where nothing is, and for a blind reviewer."""
        return Against.gravest(claim.conclusion for claim in self.claims)

    @property
    def lease(self) -> Lease:
        """Who holds the review."""
        return self.rights.lease

    @property
    def next(self) -> int:
        """The number of the claim after the selected one, the first after the last."""
        return self._beside(1)

    @property
    def previous(self) -> int:
        """The number of the claim before the selected one, the last before the first."""
        return self._beside(-1)

    def _beside(self, by: int) -> int:
        if self.selected is None:
            return 1
        return self.claims[(self.claims.index(self.selected) + by) % len(self.claims)].n


def presentation(review: HallucinationReview, user: Any, *, claim: int | None = None) -> Page:
    """The page of ``review`` as ``user`` sees it, with claim number ``claim`` selected (from 1; None: the
    first undecided claim, else the first).

    ``review`` comes with answer, query, run, property, period and lease selected.
    """
    own = review.pass_of(user)
    blind = judges_blind(review, own)
    mine = own if own or blind else review.current_pass()
    given = _verdicts(mine)
    verdicts = {pk: one for pk, one in given.items() if one.decided_at}
    carried = {pk: one for pk, one in given.items() if not one.decided_at}
    page = _answer_page(
        review.answer, review.run, verdicts, carried, wording.about(review), claim, blind=blind
    )
    waiting = {c.pk for c in review.undecided(user if mine and mine.reviewer_id == user.pk else None)}
    allowed = rights(review, user)
    return replace(
        page,
        id=review.pk,
        state=review.get_state_display(),
        version=review.version,
        priority=wording.BLIND if blind else wording.urgency(review.priority, page.against),
        why="" if blind else _why(review, page),
        due=wording.due(review.due_at, timezone.now()) if review.is_live else None,
        versions=_versions(review, carried),
        undecided=[c for c in page.claims if c.id in waiting],
        examined=len(verdicts),
        changes=shortened(replaced(review.answer.text, _replacements(verdicts)), len(review.answer.text)),
        corrections=len(_replacements(verdicts)),
        outcome_word=str(mine.outcome().label) if mine else "",
        resolved=review if review.state == HallucinationReview.State.RESOLVED else None,
        confidence=_confidence(review, blind=blind),
        rights=allowed,
        strict=None if blind else StrictAnswer.objects.filter(judged=review.answer).first(),
    )


def answer_page(
    answer: Answer, run: DetectionRun | None, review_id: int | None, claim: int | None, *, blind: bool = False
) -> Page:
    """An answer read-only, with what its latest run found unless it is being judged ``blind``."""
    page = _answer_page(answer, run, {}, {}, wording.about(answer), claim, blind=blind)
    if run is None or not run.finished_at:
        tried = attempts.of_run(run) if run else None
        return replace(page, review_id=review_id, waiting=_waiting(run), attempts=tried)
    waits = str(wording.JUDGED_BLIND) if blind else ""
    risk = None if blind else wording.risk(run.risk_level, page.against)
    return replace(page, risk=risk, review_id=review_id, waiting=waits)


def _waiting(run: DetectionRun | None) -> str:
    """Where a run stands that has no result yet; of one that failed, why."""
    state = run.state if run else "queued"
    if run is None or not run.failed_reason:
        return str(_WAITING["begun" if state == "queued" and run and run.fence else state])
    code = re.split(r"\W", run.failed_reason, maxsplit=1)[0]
    return f"{_WAITING[state]} {wording.FAILED_FOR.get(code, run.failed_reason)}"


_WAITING = {
    "queued": _("Detection has not started yet. Reload to see what it finds."),
    "begun": _("Detection goes on as soon as a worker is free. Reload to see what it finds."),
    "running": _("Detection is running. Reload to see what it finds."),
    "needs_attention": _(
        "Detection failed for this answer and nothing was checked. An administrator can run it again."
    ),
}


def _answer_page(
    answer: Answer,
    run: DetectionRun | None,
    verdicts: Mapping[int, ClaimVerdict],
    carried: Mapping[int, ClaimVerdict],
    about: str,
    number: int | None,
    *,
    blind: bool,
) -> Page:
    rows = _claims_of(run, {**verdicts, **carried}) if run else []
    result: Mapping[str, Any] = runs.retold(run, get_language() or "en") if run else {}
    rendered = {c["index"]: c for c in result.get("claims") or []}
    shown = claim_rows(rows, rendered, verdicts, carried, direction=answer.direction, blind=blind)
    selected = _selected(shown, number)
    part = extract(len(answer.text), shown, selected)
    invalid = set() if blind else set((result.get("citations") or {}).get("invalid_citations") or ())
    language = language_of(answer.text, answer.language)
    shown_beside = panels(answer, beside(part.claims, selected), result, about, carried, blind=blind)
    alike = decided_alike(shown, rendered)
    owed = None if blind else _owed(answer, run)
    shown_beside = [replace(panel, alike=alike.get(panel.claim.id)) for panel in shown_beside]
    names = slot_names((panel.claim.id, slot) for panel in shown_beside for slot in panel.named)
    return Page(
        question=answer.question,
        about=about,
        direction=answer.direction,
        language=language,
        paragraphs=paragraphs(
            answer_pieces(answer.text[part.start : part.end], part.claims, invalid, part.start, names),
            answer.direction,
            language,
        ),
        claims=shown,
        extract=part,
        panels=shown_beside,
        selected=selected,
        answer_id=answer.pk,
        confidence=_stated(answer, None if blind else run),
        reasons=[] if blind else [reason["text"] for reason in _reasons(result)],
        notices=[
            *([_owing(owed)] if owed else []),
            *(reason["text"] for reason in _reasons(result) if reason.get("code") in NOTICED),
        ],
        attempts=attempts.of_owed(owed) if owed else None,
    )


def _owed(answer: Answer, run: DetectionRun | None) -> OwedVerification | None:
    """What an answer's verifier owes it, or what was given up of ``run``."""
    given_up = Q(ending=OwedVerification.Ending.GIVEN_UP, run=run)
    rows = OwedVerification.objects.filter(Q(ended_at__isnull=True) | given_up, answer=answer)
    return rows.order_by("-id").first()


def _owing(owed: OwedVerification) -> str:
    return str(wording.GIVEN_UP if owed.ended_at else wording.OWED_FOR[owed.reason])


def _stated(answer: Answer, run: DetectionRun | None) -> Confidence:
    """The confidence that was stated, and what the detectors of ``run`` made of it."""
    original = wording.confidence(answer.original_confidence)
    if run is None:
        return Confidence(original, "")
    return Confidence(original, wording.confidence(run.adjusted_confidence), raw=wording.uncalibrated(run))


def _versions(review: HallucinationReview, carried: Mapping[int, ClaimVerdict]) -> Versions:
    """How ``review`` and its suggestions ``carried`` stand to other versions. One query more where a newer answer exists, none for the older one."""
    newer = Answer.objects.filter(supersedes=review.answer_id).values_list("pk", flat=True).first()
    replacement = replacement_of(review) if newer else None
    sources = (verdict.carried_from for verdict in carried.values() if verdict.carried_from)
    older = next((given.review_pass.review_id for given in sources), None)
    return Versions(
        newer_answer=newer,
        newer_review=replacement.pk if replacement else None,
        older_review=older if older != review.pk else None,
        suggestions=len(carried),
    )


def _claims_of(run: DetectionRun, given: Mapping[int, ClaimVerdict]) -> list[Claim]:
    """The claims that detectors read, and those that the pass with the verdicts ``given`` added."""
    added = [pk for pk, one in given.items() if one.claim.origin == Claim.Origin.REVIEWER]
    seen = Q(origin=Claim.Origin.DETECTOR) | Q(pk__in=added)
    return list(Claim.objects.filter(seen, run=run).defer("reading").order_by("index"))


def _reasons(result: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return (result.get("verdict") or {}).get("reasons") or []


def _selected(claims: Sequence[ClaimRow], number: int | None) -> ClaimRow | None:
    asked = next((c for c in claims if c.n == number), None)
    flagged = (c for c in claims if c.flagged and not c.verdict_code)
    return asked or next(flagged, claims[0] if claims else None)


def _verdicts(given: ReviewPass | None) -> dict[int, ClaimVerdict]:
    """What a pass says of each claim, suggestions from an older version among it."""
    if given is None:
        return {}
    related = ("claim", "carried_from__review_pass__reviewer")
    return {v.claim_id: v for v in given.verdicts.select_related(*related)}


def _replacements(verdicts: Mapping[int, ClaimVerdict]) -> list[tuple[int, int, str]]:
    """Corrections at their claims' places; of two that begin together the wider one wins."""
    given = [v for v in verdicts.values() if v.verdict == ClaimVerdict.Verdict.CORRECTED]
    given.sort(key=lambda v: (v.claim.start, -v.claim.end, v.claim.index))
    return [(v.claim.start, v.claim.end, v.corrected_value) for v in given]


def _why(review: HallucinationReview, page: Page) -> str:
    """What weighs most in a few words, for the chip beside the priority: the gravest conclusion on a claim, a number's
    before its statement's, else the verdict's first reason."""
    if review.selection_reason != HallucinationReview.SelectionReason.FLAGGED:
        return review.get_selection_reason_display().lower()
    grave = [claim for claim in page.claims if page.against and claim.conclusion == page.against]
    codes = {reason_code(claim.kind, claim.status, claim.conclusion) for claim in grave}
    told = [*sorted(codes), *(str(reason.get("code")) for reason in _reasons(review.run.result or {}))]
    return str(wording.WHY.get(told[0], "")) if told else ""


def _confidence(review: HallucinationReview, *, blind: bool) -> Confidence:
    proposed = review.original_confidence if blind else review.proposed_confidence()
    return Confidence(
        wording.confidence(review.original_confidence),
        "" if blind else wording.confidence(review.automatic_confidence),
        wording.confidence(proposed),
        wording.confidence(review.final_confidence),
        "" if blind else wording.uncalibrated(review.run),
    )
