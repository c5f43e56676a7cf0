"""The limits of doubt: what is in force, what judged answers say of it, and what they teach (conclusion §4)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from detection.models import ThresholdProfile
from reviews.display.choices import LANGUAGES
from reviews.tuning.estimates import Estimate
from reviews.tuning.grids import in_force
from reviews.tuning.limits import Standing, records, standings, with_learnt
from reviews.workbench.asked import Wanted
from reviews.workbench.remembered import Remembered
from reviews.workbench.window import Window, window

DAYS = 365
"""Answers of so many days teach: a verifier with another model or prompt has limits of its own anyway."""
FOUND: Remembered[tuple[Standing, ...]] = Remembered(4)
SOURCES: Mapping[str, str | Promise] = {
    "shipped": _("ships with Hallu"),
    "half": _("one half: nothing is known of this verifier"),
    "least": _("one half, the least there is: correct answers meet less doubt"),
    "learnt": _("written by hand or read from a file"),
}
KINDS: Mapping[bool, str | Promise] = {True: _("with verified figures"), False: _("words alone")}
WHY_NOT: Mapping[str, str | Promise] = {
    "no_share": _("No number of answers can show that none is sent."),
    "no_audits": _("No unflagged answer was audited."),
    "unsettled": _("No answer that was sent to review is settled yet."),
}


class Overtaken(Exception):
    """What was seen is not what judged answers teach by now; nothing was written."""


@dataclass(frozen=True, slots=True)
class Row:
    """One sort of answers in words; empty what is not known."""

    verifier: str
    language: str | Promise
    kind: str | Promise
    answers: int
    limit: str
    source: str
    sent: str
    learnt: str
    learnt_from: str
    would_send: str
    why_not: str
    is_new: bool


def limits_page(user: User) -> dict[str, Any]:
    """What the page shows ``user``; ``proposed`` is what accepting sends back, empty where nothing new was learnt."""
    profile, seen = ThresholdProfile.active(), window(user, Wanted(days=DAYS))
    found, told = _found(seen, profile), profile.learnt_from
    new = any(each.is_new for each in found)
    return {
        "active": profile,
        "days": DAYS,
        "share": f"{in_force(profile.values, 'clean_to_review'):g}",
        "rows": [_row(each, told) for each in found],
        "whole": seen.whole,
        "proposed": _written(with_learnt(profile.values, found)) if new else "",
    }


def accept(user: User, proposed: str, note: str) -> ThresholdProfile:
    """A draft of the version in use with the limits that were ``proposed`` on the page. Raises :class:`Overtaken` when verdicts or
    another version have changed them since, :class:`ValidationError` when the draft is refused."""
    profile = ThresholdProfile.active()
    found = _found(window(user, Wanted(days=DAYS)), profile)
    values = with_learnt(profile.values, found)
    if proposed != _written(values) or not any(each.is_new for each in found):
        raise Overtaken(gettext("Other limits are learnt by now. Look at them again: nothing was saved."))
    return ThresholdProfile.draft(
        values,
        scoring=profile.scoring,
        note=note or gettext("Limits of doubt learnt from judged answers."),
        actor=user,
        learnt=records(found),
    )


def _found(seen: Window, profile: ThresholdProfile) -> tuple[Standing, ...]:
    return FOUND.get(
        (seen.key, profile.pk),
        lambda: standings(seen.measured, seen.labels, profile.values, profile.scoring),
    )


def _written(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True)


def _row(each: Standing, told: Mapping[str, Mapping[str, Any]]) -> Row:
    alike = each.alike
    return Row(
        verifier=alike.verifier,
        language=dict(LANGUAGES).get(alike.language, alike.language or "–"),
        kind=KINDS[alike.figures],
        answers=each.answers,
        limit=f"{each.limit.doubt:.2f}",
        source=_source(each, told.get(alike.name)),
        sent=_sent(each.sent),
        is_new=each.is_new,
        **_learnt(each),
    )


def _learnt(each: Standing) -> dict[str, str]:
    """What was learnt, or why nothing was."""
    found = each.learnt
    if not found:
        return {"learnt": "", "learnt_from": "", "would_send": "", "why_not": _why_not(each)}
    said = ngettext("from %(n)d correct answer", "from %(n)d correct answers", found.answers)
    return {
        "learnt": f"{found.limit:.2f} ({found.low:.2f}–{found.high:.2f})",
        "learnt_from": said % {"n": found.answers},
        "would_send": f"{_percent(found.exceeded)} (n = {found.answers:,})",
        "why_not": "",
    }


def _source(each: Standing, told: Mapping[str, Any] | None) -> str:
    """Where the limit in force comes from."""
    if each.limit.source != "learnt" or not told:
        return str(SOURCES[each.limit.source])
    said = ngettext(
        "learnt from %(n)d correct answer (95 %%: %(range)s)",
        "learnt from %(n)d correct answers (95 %%: %(range)s)",
        told["answers"],
    )
    return said % {"n": told["answers"], "range": f"{told['low']:.2f}–{told['high']:.2f}"}


def _why_not(each: Standing) -> str:
    if each.why_not != "few":
        return str(WHY_NOT[each.why_not])
    said = ngettext(
        "%(n)d more correct answer has to be judged.",
        "%(n)d more correct answers have to be judged.",
        each.missing,
    )
    return said % {"n": each.missing}


def _sent(found: Estimate) -> str:
    """A share of correct answers with its interval and n; empty where none was judged."""
    if found.value is None or found.low is None or found.high is None:
        return ""
    return f"{_percent(found.value)} ({_percent(found.low)}–{_percent(found.high)}, n = {found.n:,})"


def _percent(value: float) -> str:
    return f"{value * 100:.0f} %"
