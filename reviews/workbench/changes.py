"""The answers that the chosen value would change, confirmed errors that would be lost first."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from detection.models import DetectionRun
from reviews.display.choices import LANGUAGES
from reviews.rights import hidden_answers
from reviews.tuning.what_if import WhatIf

MOST = 50
"""Answers that the list shows."""
EXCERPT = 240
Words = str | Promise
VERDICTS: dict[int, tuple[Words, str]] = {
    1: (pgettext_lazy("answer", "wrong"), "bad"),
    0: (pgettext_lazy("answer", "right"), "ok"),
    -1: (_("no verdict"), "idle"),
}
BECOMES: dict[bool, tuple[Words, str]] = {True: (_("flagged"), "warn"), False: (_("not flagged"), "idle")}


@dataclass(frozen=True, slots=True)
class Changing:
    """One answer of the list; the tones are classes of colour."""

    run: int
    answer: Any
    question: str
    text: str
    becomes: Words
    tone: str
    verdict: Words
    verdict_tone: str
    property: str
    language: Words


def changing(change: WhatIf, user: User) -> dict[str, Any]:
    """The first of them in words, and how many more there are; what ``user`` may have to judge blind is counted alone.
    A fixed number of queries."""
    rows = list(
        zip(
            change.rows[:MOST].tolist(),
            change.row_newly[:MOST].tolist(),
            change.row_label[:MOST].tolist(),
            strict=True,
        )
    )
    runs = DetectionRun.objects.filter(pk__in=[run for run, _newly, _label in rows])
    found = runs.select_related("answer__property").defer("result").in_bulk()
    hidden = hidden_answers(user, [run.answer_id for run in found.values()])
    told = {pk: run for pk, run in found.items() if run.answer_id not in hidden}
    shown = [_row(told[run], newly, label) for run, newly, label in rows if run in told]
    return {"changes": shown, "more_changes": max(0, len(change.rows) - len(shown))}


def _row(run: DetectionRun, newly: bool, label: int) -> Changing:
    answer = run.answer
    return Changing(
        run.pk,
        answer.pk,
        answer.question[:EXCERPT],
        answer.text[:EXCERPT],
        *BECOMES[newly],
        *VERDICTS[label],
        property=answer.property.code if answer.property else "",
        language=dict(LANGUAGES).get(answer.language, answer.language),
    )
