"""What a person sees of a review: the one place that feeds the page and the list (review-queue §4.1).

A blind pass sees the answer and the evidence, never what the detectors concluded. The browser is given
finished slices and words; it decides nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.utils import timezone

from detection.core.marks import mark_spans
from detection.models import Answer, Claim, DetectionRun
from reviews import wording
from reviews.claims_shown import ClaimShown, claims_shown
from reviews.extracts import Extract, extract, shortened
from reviews.highlights import Change, Span, cut, replaced
from reviews.models import ClaimVerdict, HallucinationReview, ReviewPass
from reviews.panels import Panel, panels
from reviews.rights import Lease, Rights, rights
from reviews.wording import Shown

NOTICED = ("suspected_injection",)
"""Reasons about the sources themselves: they are shown above the answer, to blind reviewers too."""


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """A slice of the answer: the innermost claim that covers it, all their ids, the badges after it."""

    text: str
    look: str = ""
    claim: ClaimShown | None = None
    ids: tuple[int, ...] = ()
    badges: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Confidence:
    """Original → automatic → final, two digits each; empty where there is none."""

    original: str
    automatic: str
    proposed: str = ""
    final: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Everything the review page and the answer page show."""

    question: str
    about: str
    direction: str
    language: str
    pieces: Sequence[AnswerPiece]
    claims: Sequence[ClaimShown]
    extract: Extract
    panels: Sequence[Panel]
    selected: ClaimShown | None
    confidence: Confidence
    answer_id: UUID
    reasons: Sequence[str] = ()
    notices: Sequence[str] = ()
    id: int = 0
    state: str = ""
    version: int = 0
    priority: Shown | None = None
    why: str = ""
    due: Shown | None = None
    superseded: bool = False
    undecided: Sequence[ClaimShown] = ()
    examined: int = 0
    changes: Sequence[Change] = ()
    corrections: int = 0
    outcome_word: str = ""
    resolution: Mapping[str, Any] | None = None
    rights: Rights = field(default_factory=Rights)
    risk: Shown | None = None
    review_id: int | None = None
    waiting: str = ""

    @property
    def number(self) -> int:
        """The number people call the review by."""
        return self.id

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
    mine = review.pass_of(user) or review.current_pass()
    blind = bool(mine and mine.blind and mine.reviewer_id == user.pk and review.is_live)
    verdicts = _verdicts(mine)
    page = _answer_page(review.answer, review.run, verdicts, about_of(review), claim, blind=blind)
    waiting = {c.pk for c in review.undecided(user if mine and mine.reviewer_id == user.pk else None)}
    allowed = rights(review, user)
    return replace(
        page,
        id=review.pk,
        state=review.get_state_display(),
        version=review.version,
        priority=None if blind else wording.PRIORITIES[HallucinationReview.Priority(review.priority)],
        why="" if blind else _why(review),
        due=wording.due(review.due_at, timezone.now()) if review.is_live else None,
        superseded=review.answer.is_superseded,
        undecided=[c for c in page.claims if c.id in waiting],
        examined=len(verdicts),
        changes=shortened(replaced(review.answer.text, _replacements(verdicts)), len(review.answer.text)),
        corrections=len(_replacements(verdicts)),
        outcome_word=review.derived_outcome(mine).label if mine else "",
        resolution=_resolution(review),
        confidence=_confidence(review, blind=blind),
        rights=allowed,
    )


def answer_page(answer: Answer, run: DetectionRun | None, review_id: int | None, claim: int | None) -> Page:
    """An answer read-only, with what its latest run found."""
    parts = [answer.property.name if answer.property else "", answer.period.label if answer.period else ""]
    page = _answer_page(answer, run, {}, " · ".join(p for p in parts if p), claim, blind=False)
    waits = "" if run and run.finished_at else _WAITING.get(run.state if run else "queued", "")
    risk = wording.RISKS.get(run.risk_level) if run else None
    return replace(page, risk=risk, review_id=review_id, waiting=waits)


_WAITING = {
    "queued": "Detection has not started yet. Reload to see what it finds.",
    "running": "Detection is running. Reload to see what it finds.",
    "needs_attention": "Detection failed for this answer and nothing was checked. An administrator can run it again.",
}


def _answer_page(
    answer: Answer,
    run: DetectionRun | None,
    verdicts: Mapping[int, ClaimVerdict],
    about: str,
    number: int | None,
    *,
    blind: bool,
) -> Page:
    rows = list(Claim.objects.filter(run=run).defer("reading").order_by("index")) if run else []
    result: Mapping[str, Any] = (run.result if run else None) or {}
    rendered = {c["index"]: c for c in result.get("claims") or []}
    shown = claims_shown(rows, rendered, verdicts, blind=blind)
    selected = _selected(shown, number)
    part = extract(len(answer.text), shown, selected)
    return Page(
        question=answer.question,
        about=about,
        direction=answer.direction,
        language=answer.language,
        pieces=answer_pieces(
            answer.text[part.start : part.end],
            part.claims,
            set((result.get("citations") or {}).get("invalid_citations") or ()),
            part.start,
        ),
        claims=shown,
        extract=part,
        panels=panels(answer, part.claims, rendered, about, blind=blind),
        selected=selected,
        answer_id=answer.pk,
        confidence=Confidence(
            wording.confidence(answer.original_confidence),
            "" if blind or run is None else wording.confidence(run.adjusted_confidence),
        ),
        reasons=[] if blind else [reason["text"] for reason in _reasons(result)],
        notices=[reason["text"] for reason in _reasons(result) if reason.get("code") in NOTICED],
    )


def _reasons(result: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return (result.get("verdict") or {}).get("reasons") or []


def answer_pieces(
    text: str, claims: Sequence[ClaimShown], invalid: set[str], offset: int = 0
) -> list[AnswerPiece]:
    """``text``, which begins ``offset`` code points into the answer, as slices that together are it, claims
    and citation marks told apart.

    A slice under several claims looks like the innermost and lists them all; a claim's badge stands after
    its last slice.
    """
    by_id = {c.id: c for c in claims}
    spans = [Span(c.start - offset, c.end - offset, c.id) for c in claims]
    spans += [Span(start, end, f"[{text[start:end]}") for start, end in mark_spans(text)]
    pieces = []
    for piece in cut(text, spans):
        ids = tuple(k for k in piece.keys if isinstance(k, int))
        mark = next((k for k in piece.keys if isinstance(k, str)), "")
        inner = by_id[ids[-1]] if ids else None
        cites = ("citing wrong" if inner else "cite bad") if any(i in mark for i in invalid if i) else ""
        cites = cites or (("citing" if inner else "cite") if mark else "")
        pieces.append(
            AnswerPiece(
                piece.text,
                " ".join(part for part in (inner.look if inner else "", cites) if part),
                inner,
                ids,
                tuple(sorted(by_id[k].n for k in piece.closes if isinstance(k, int))),
            )
        )
    return pieces


def _selected(claims: Sequence[ClaimShown], number: int | None) -> ClaimShown | None:
    asked = next((c for c in claims if c.n == number), None)
    flagged = (c for c in claims if c.flagged and not c.verdict_code)
    return asked or next(flagged, claims[0] if claims else None)


def about_of(review: HallucinationReview) -> str:
    """Property and period of a review in words."""
    parts = (review.property.name if review.property else "", review.period.label if review.period else "")
    return " · ".join(part for part in parts if part)


def _verdicts(given: ReviewPass | None) -> dict[int, ClaimVerdict]:
    return {v.claim_id: v for v in given.decided().select_related("claim")} if given else {}


def _replacements(verdicts: Mapping[int, ClaimVerdict]) -> list[tuple[int, int, str]]:
    """Corrections at their claims' places; of two that begin together the wider one wins."""
    given = [v for v in verdicts.values() if v.verdict == ClaimVerdict.Verdict.CORRECTED]
    given.sort(key=lambda v: (v.claim.start, -v.claim.end, v.claim.index))
    return [(v.claim.start, v.claim.end, v.corrected_value) for v in given]


def _why(review: HallucinationReview) -> str:
    """The first reason of the verdict in a few words, for the chip beside the priority."""
    if review.selection_reason != HallucinationReview.SelectionReason.FLAGGED:
        return review.get_selection_reason_display().lower()
    reasons = ((review.run.result or {}).get("verdict") or {}).get("reasons") or []
    return str(reasons[0].get("code", "")).replace("_", " ") if reasons else ""


def _resolution(review: HallucinationReview) -> dict[str, Any] | None:
    if review.state != HallucinationReview.State.RESOLVED:
        return None
    by = review.resolved_by
    return {
        "outcome": review.outcome,
        "word": review.get_outcome_display().lower(),
        "by": (by.get_full_name() or by.get_username()) if by else "",
        "at": review.resolved_at,
    }


def _confidence(review: HallucinationReview, *, blind: bool) -> Confidence:
    proposed = review.original_confidence if blind else review.proposed_confidence()
    return Confidence(
        wording.confidence(review.original_confidence),
        "" if blind else wording.confidence(review.automatic_confidence),
        wording.confidence(proposed),
        wording.confidence(review.final_confidence),
    )
