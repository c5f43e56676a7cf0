"""Template filters for what was judged, answers, facts and traces: its state in a tone, a sign and a word, its texts cut."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django import template
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from detection.core import text
from detection.models import Fact, RejectedFact, Trace, TraceStep
from detection.runs import middle
from reviews.display import wording
from reviews.display.wording import Badge
from reviews.lifecycle import attempts
from reviews.lifecycle.attempts import Attempts
from reviews.review_page import budgets
from reviews.review_page.budgets import Budget

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

register = template.Library()
register.filter("about", wording.about)
register.filter("confidence", wording.confidence)
register.filter("direction", text.direction)

FACTS = {
    "verified": Badge("ok", "✓", pgettext_lazy("fact", "verified")),
    "unverified": Badge("idle", "…", pgettext_lazy("fact", "not verified")),
    "withdrawn": Badge("plain", "", pgettext_lazy("fact", "withdrawn")),
}
REJECTED = Badge("bad", "≠", pgettext_lazy("fact", "rejected"))
STEPS = {
    "wrong": Badge("bad", "≠", pgettext_lazy("step", "contradicted")),
    "not_in_evidence": Badge("warn", "?", pgettext_lazy("step", "not in context")),
    "doubtful": wording.DOUBTFUL,
    "not_checked": Badge("idle", "…", pgettext_lazy("step", "unverifiable")),
    "supported": Badge("ok", "✓", pgettext_lazy("step", "entailed")),
}
"""How the conclusions of steps look, the gravest first."""
VERDICTS = {
    True: Badge("ok", "✓", pgettext_lazy("answer", "follows")),
    False: Badge("doubt", "?", pgettext_lazy("answer", "does not follow")),
    None: Badge("idle", "…", pgettext_lazy("answer", "not decided")),
}
"""Whether an answer follows is what a model thinks, never proof."""
LAYERS = {
    "answered": _("whether the model answers at all"),
    "language": _("the language of the question"),
    "citations": pgettext_lazy("layer", "citations"),
    "patterns": _("phrases, ids and length"),
    "grounding": _("words and numbers of the sources"),
    "sources": _("cited sources exist"),
}
"""The layers of safety that look at a strictly written text, in words."""
HOW: "dict[str, StrOrPromise]" = {
    "executor": _("An independent executor answered from the question and the steps alone."),
    "entailment": _("No language model is configured as executor: the answer was held against the steps."),
    "none": "",
}
LONGEST = 4000
"""Characters shown of one text; the API has the whole."""
MOST_SOURCES = 3
"""Sources of a fact in a list."""


@dataclass(frozen=True, slots=True)
class Said:
    """A text with its direction; ``left`` counts the characters that are not shown."""

    text: str
    direction: str
    left: int = 0


@register.filter
def said(whole: str, longest: int = LONGEST) -> Said:
    """The beginning of a text."""
    part = (whole or "")[:longest]
    return Said(part, text.direction(part), len(whole or "") - len(part))


@register.filter
def layer(name: str) -> "StrOrPromise":
    """A layer of safety in words."""
    return LAYERS.get(name, name)


@register.filter
def spaced(code: str) -> str:
    """A stored code without underscores."""
    return code.replace("_", " ")


@register.filter
def beginning(whole: str, longest: int) -> str:
    """The beginning of a text, with a sign when it goes on."""
    return whole[:longest] + (" …" if len(whole) > longest else "")


@register.filter
def age(then: datetime) -> str:
    """How long ago."""
    return wording.age(then, timezone.now())


@register.filter
def fact_look(row: Fact | RejectedFact) -> Badge:
    """How the status of a fact looks."""
    return FACTS[row.status] if isinstance(row, Fact) else REJECTED


@register.filter
def fact_attempts(row: Fact | RejectedFact) -> Attempts | None:
    """How often its verification was tried without a result; None where it has one, or was never late."""
    return attempts.of_fact(row) if isinstance(row, Fact) else None


@register.filter
def confidences(row: Fact | RejectedFact) -> str:
    """The stated and the adjusted confidence, once where they are alike."""
    trail = [wording.confidence(row.stated_confidence), wording.confidence(row.confidence)]
    return " → ".join(dict.fromkeys(trail))


@register.filter
def fact_budget(row: Fact | RejectedFact) -> Budget | None:
    """A fact's columns as the budget of a statement."""
    measured = {
        "p1": middle(row.p1),
        "p0": middle(row.p0),
        "required_bits": row.required_bits,
        "observed_bits": row.observed_bits,
        "finding": _carried(row),
        "scrubbed": [source["id"] for source in row.evidence[:MOST_SOURCES]],
        "method": row.method,
        "model": row.model,
    }
    return budgets.budget({"strawberry": measured})


def _carried(row: Fact | RejectedFact) -> str:
    """Whether the evidence carries a fact, in the words of a statement's finding."""
    if row.finding == "contradicted":
        return "contradicted"
    if isinstance(row, RejectedFact):
        return "unsupported"
    return "supported" if (row.budget_gap or 0) <= 0 else "borderline"


@register.filter
def step_look(conclusion: str) -> Badge:
    """How the conclusion of a step looks."""
    return STEPS[conclusion]


@register.filter
def verdict_look(trace: Trace) -> Badge:
    """How it looks whether the answer follows from the steps."""
    return VERDICTS[trace.derivable]


@register.filter
def how(trace: Trace) -> "StrOrPromise":
    """How the answer was held against the steps."""
    return HOW[trace.method]


@register.filter
def step_budget(step: TraceStep) -> Budget | None:
    """The budget of a step, if one was measured."""
    return budgets.budget({"strawberry": step.strawberry})


@register.filter
def bar(probability: float | None) -> float:
    """The length of a bar in per cent."""
    return round(100 * (probability or 0), 1)


@register.filter
def bits(step: TraceStep) -> str:
    """The budget of a step in words."""
    if step.required_bits is None or step.observed_bits is None:
        return ""
    got = f"{step.observed_bits:.2f}".replace("-0.00", "0.00").replace("-", "−")
    if step.required_bits <= 0:
        return gettext("It is likely enough without evidence; the evidence adds %(got)s bits.") % {"got": got}
    return gettext("It needed %(needed)s bits of evidence and got %(got)s bits.") % {
        "needed": f"{step.required_bits:.2f}",
        "got": got,
    }


@register.filter
def step_counts(conclusions: Sequence[str]) -> list[tuple[Badge, int]]:
    """How many steps there are of each conclusion, those of none left out."""
    return [(look, conclusions.count(word)) for word, look in STEPS.items() if word in conclusions]


@register.filter
def beyond(rows: Sequence[object], most: int) -> int:
    """How many of ``rows`` are not shown."""
    return max(len(rows) - most, 0)
