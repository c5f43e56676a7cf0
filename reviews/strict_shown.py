"""What the page of an answer says where it was written strictly: what the reader got, and which layer refused."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from detection.core import text
from detection.models import Answer, StrictAnswer

LAYERS = {
    "answered": _("whether the model answers at all"),
    "language": _("the language of the question"),
    "citations": pgettext_lazy("layer", "citations"),
    "patterns": _("phrases, ids and length"),
    "grounding": _("words and numbers of the sources"),
    "sources": _("cited sources exist"),
}
"""The layers of safety that look at a written text, in words."""


@dataclass(frozen=True, slots=True)
class StrictShown:
    """A strict answer as a page tells of it. ``given`` is what the reader got; ``refusals`` are the layers that refused,
    each with its reason; ``left_out`` says that a layer was switched off, so that it is not safe."""

    refused: bool
    given: str
    direction: str
    refusals: list[tuple[str | Promise, str]]
    left_out: bool
    preset: str
    model: str
    finished: datetime | None


def strict_shown(answer: Answer) -> StrictShown | None:
    """What is told of an answer that strict generation wrote; None for every other."""
    row = StrictAnswer.objects.filter(judged=answer).first()
    if row is None:
        return None
    succeeded = row.status == StrictAnswer.Status.SUCCESS
    return StrictShown(
        refused=not succeeded,
        given=row.answer,
        direction=text.direction(row.answer),
        refusals=[
            (LAYERS.get(one["name"], one["name"]), one["reason"]) for one in row.layers if one["reason"]
        ],
        left_out=succeeded and not row.is_safe,
        preset=row.preset.replace("_", " "),
        model=row.model,
        finished=row.finished_at,
    )
