"""What a person sees of an audited reasoning trace: its steps, its answer, its context."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from detection.core import text
from detection.core.traces import step_named
from detection.models import Trace, TraceStep
from reviews.budgets import Budget, budget
from reviews.wording import Shown

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

STATUSES = {
    "ENTAILED": Shown("ok", "✓", pgettext_lazy("step", "entailed")),
    "CONTRADICTED": Shown("bad", "≠", pgettext_lazy("step", "contradicted")),
    "NOT_IN_CONTEXT": Shown("warn", "?", pgettext_lazy("step", "not in context")),
    "UNVERIFIABLE": Shown("idle", "…", pgettext_lazy("step", "unverifiable")),
}
VERDICTS = {
    True: Shown("ok", "✓", pgettext_lazy("answer", "follows")),
    False: Shown("bad", "≠", pgettext_lazy("answer", "does not follow")),
    None: Shown("idle", "…", pgettext_lazy("answer", "not decided")),
}
HOW: "dict[str, StrOrPromise]" = {
    "executor": _("An independent executor answered from the question and the steps alone."),
    "entailment": _("No language model is configured as executor: the answer was held against the steps."),
    "none": "",
}
LONGEST = 4000
"""Characters shown of one text; the API has the whole."""
MOST_SOURCES = 100


@dataclass(frozen=True, slots=True)
class Link:
    """A citation or a step as a link to its place on the page; without ``href`` it names nothing there."""

    name: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A text with its direction; ``left`` counts the characters that are not shown."""

    text: str
    direction: str
    left: int = 0


@dataclass(frozen=True, slots=True)
class StepShown:
    """A step: what it says, what was found, what it cites and rests on, and its budget, if one was measured."""

    n: int
    said: Said
    status: Shown
    code: str
    reason: str
    citations: Sequence[Link]
    rests_on: Sequence[Link]
    confidence: str
    budget: Budget | None
    bits: str
    p1: float
    p0: float


@dataclass(frozen=True, slots=True)
class SourceShown:
    """A source of the context with its anchor."""

    anchor: str
    ref: str
    title: str
    said: Said


@dataclass(frozen=True, slots=True)
class TracePage:
    """Everything the page of a trace shows; ``sources_left`` counts sources that it leaves out."""

    trace: Trace
    question: str
    about: str
    language: str
    steps: Sequence[StepShown]
    counts: Sequence[tuple[Shown, int]]
    sources: Sequence[SourceShown]
    sources_left: int
    answer: Said
    executor: Said
    verdict: Shown
    how: "StrOrPromise"


def trace_page(trace: Trace, steps: Sequence[TraceStep]) -> TracePage:
    """The page of a stored trace."""
    cited = {ref for step in steps for ref in step.citations}
    kept = _kept(trace.context, cited)
    anchors = _anchors(kept)
    return TracePage(
        trace=trace,
        question=trace.question,
        about=trace.property.name if trace.property else "",
        language=trace.language,
        steps=[_step(step, anchors) for step in steps],
        counts=counts([step.status for step in steps]),
        sources=[_source(position, source) for position, source in kept],
        sources_left=len(trace.context) - len(kept),
        answer=_said(trace.answer),
        executor=_said(trace.executor_answer),
        verdict=VERDICTS[trace.derivable],
        how=HOW[trace.method],
    )


def counts(statuses: Sequence[str]) -> list[tuple[Shown, int]]:
    """How many steps there are of each status, those of none left out."""
    return [(shown, statuses.count(name)) for name, shown in STATUSES.items() if name in statuses]


def _step(step: TraceStep, anchors: Mapping[str, str]) -> StepShown:
    measured: Mapping[str, Any] = step.strawberry or {}
    return StepShown(
        n=step.index + 1,
        said=_said(step.text),
        status=STATUSES[step.status],
        code=step.status,
        reason=step.reason,
        citations=[_cited(ref, step.index, anchors) for ref in step.citations],
        rests_on=[Link(str(n + 1), f"#step-{n + 1}") for n in step.rests_on],
        confidence="" if step.confidence is None else f"{step.confidence:.2f}",
        budget=budget({"strawberry": measured}),
        bits=_bits(step),
        p1=round(100 * (measured.get("p1") or 0), 1),
        p0=round(100 * (measured.get("p0") or 0), 1),
    )


def _bits(step: TraceStep) -> str:
    """The budget in words."""
    if step.required_bits is None or step.observed_bits is None:
        return ""
    got = f"{step.observed_bits:.2f}".replace("-0.00", "0.00").replace("-", "−")
    if step.required_bits <= 0:
        return gettext("It is likely enough without evidence; the evidence adds %(got)s bits.") % {"got": got}
    return gettext("It needed %(needed)s bits of evidence and got %(got)s bits.") % {
        "needed": f"{step.required_bits:.2f}",
        "got": got,
    }


def _cited(ref: str, index: int, anchors: Mapping[str, str]) -> Link:
    named = step_named(ref)
    if named is not None:
        return Link(ref, f"#step-{named + 1}" if named < index else "")
    known = text.resolve(ref, list(anchors))
    return Link(ref, f"#{anchors[known]}" if known else "")


def _kept(context: Sequence[Mapping[str, Any]], cited: set[str]) -> list[tuple[int, Mapping[str, Any]]]:
    """The sources that are shown, with their positions: those cited before others where there are many."""
    ranked = sorted(enumerate(context), key=lambda pair: (pair[1]["id"] not in cited, pair[0]))
    return sorted(ranked[:MOST_SOURCES], key=lambda pair: pair[0])


def _anchors(kept: Sequence[tuple[int, Mapping[str, Any]]]) -> dict[str, str]:
    """What may be cited, ids before parent ids, and where it stands."""
    own = {str(source["id"]): f"source-{position}" for position, source in kept}
    parents = [(str(s["parent_id"]), f"source-{n}") for n, s in reversed(kept) if s.get("parent_id")]
    return {**dict(parents), **own}


def _source(position: int, source: Mapping[str, Any]) -> SourceShown:
    return SourceShown(
        f"source-{position}", str(source["id"]), source.get("title") or "", _said(source.get("text") or "")
    )


def _said(whole: str) -> Said:
    return Said(whole[:LONGEST], text.direction(whole[:LONGEST]), max(0, len(whole) - LONGEST))
