"""Everything that the workbench shows for one question, ready for its templates."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.utils.translation import gettext, ngettext

from detection.models import ThresholdProfile
from reviews.tuning.labels import Labels
from reviews.workbench import knobs, words
from reviews.workbench.asked import TUNABLE, Wanted, asked, is_number, value_text, written
from reviews.workbench.changes import changing
from reviews.workbench.points import Point, Points, point, points
from reviews.workbench.window import Window, window

WITHOUT_CURVE = ("indicator_phrases", "doubt_limits")
"""Thresholds that are no single value."""


def latest_draft() -> ThresholdProfile | None:
    """The newest version that is still a draft."""
    return ThresholdProfile.objects.filter(state=ThresholdProfile.State.DRAFT).first()


def page(user: User, wanted: Wanted) -> dict[str, Any]:
    """What the templates of the workbench need."""
    profile, draft = ThresholdProfile.active(), latest_draft()
    seen = window(user, wanted)
    declared = TUNABLE[wanted.threshold]
    context: dict[str, Any] = {
        **asked(wanted),
        "active": profile,
        "draft": draft,
        "chosen": knobs.knob(declared, profile, draft),
        "answers": seen.answers,
    }
    if not seen.answers:
        return context
    context |= {
        "groups": knobs.groups(seen, profile, draft, wanted.threshold),
        "shadow_only": knobs.shadow_only(profile),
        "warnings": warnings(seen, wanted.threshold),
    }
    if wanted.threshold in WITHOUT_CURVE:
        return context
    listed = changing(point(seen, profile, wanted).change, user)
    return context | _curve(seen, profile, draft, wanted) | listed


def here(user: User, wanted: Wanted) -> Point:
    """The chosen point alone."""
    return point(window(user, wanted), ThresholdProfile.active(), wanted)


def _curve(
    seen: Window, profile: ThresholdProfile, draft: ThresholdProfile | None, wanted: Wanted
) -> dict[str, Any]:
    found = points(seen, profile, draft, wanted)
    cards = [words.card(found, each, wanted.capacity) for each in found.points]
    card = cards[found.chosen]
    label = wanted.threshold.replace("_", " ")
    spread = gettext("Scores behind this threshold, with a verdict")
    return {
        "warnings": warnings(seen, wanted.threshold, found),
        "marks": found,
        "points": [_row(found, at, each) for at, each in enumerate(found.points)],
        "last": len(found.points) - 1,
        "numeric": is_number(wanted.threshold),
        "offered": [{"sent": written(p.value), "shown": value_text(p.value)} for p in found.points],
        "sent": {**asked(wanted)["sent"], "value": written(found.here.value)},
        "card": card | {"value": value_text(found.here.value)},
        "figures": [
            {"name": name, "words": title, "text": card[name]} for name, title in words.FIGURES.items()
        ],
        "slices": [
            {"name": name, "words": title, "text": card[name]} for name, title in words.SLICES.items()
        ],
        "gate": "open" if found.here.gate.open else "closed",
        "window_words": _window_words(seen, profile),
        "chart_label": gettext("Precision, recall and flagged answers a day against %(name)s")
        % {"name": label},
        "histogram": knobs.large(knobs.histograms(seen)[wanted.threshold], spread, found.here.value),
        "histogram_label": spread,
        "curve": _block(found, cards, wanted),
    }


def _block(found: Points, cards: list[words.Card], wanted: Wanted) -> Mapping[str, Any]:
    """The points for the script: numbers for the chart, and the texts of the card at each of them."""
    each = found.points
    numeric = is_number(wanted.threshold)
    return {
        "threshold": wanted.threshold,
        "numeric": numeric,
        "x": [p.value if numeric else at for at, p in enumerate(each)],
        "sent": [written(p.value) for p in each],
        "shown": [value_text(p.value) for p in each],
        **_shares("precision", [p.precision for p in each]),
        **_shares("recall", [p.recall for p in each]),
        "load": [round(p.load, 3) for p in each],
        "capacity": wanted.capacity,
        "active": found.active,
        "draft": found.draft,
        "chosen": found.chosen,
        "optimum": found.optimum,
        "flat": found.flat,
        "gate": ["open" if p.gate.open else "closed" for p in each],
        "texts": {slot: [card[slot] for card in cards] for slot in cards[0]},
    }


def _shares(name: str, estimates: list[Any]) -> dict[str, list[float | None]]:
    return {
        name: [_rounded(each.value) for each in estimates],
        f"{name}_low": [_rounded(each.low) for each in estimates],
        f"{name}_high": [_rounded(each.high) for each in estimates],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None or value != value else round(float(value), 4)


def _row(found: Points, at: int, each: Point) -> dict[str, Any]:
    return {
        "value": value_text(each.value),
        "load": f"{each.load:.1f}",
        "precision": words.estimate(each.precision),
        "recall": words.estimate(each.recall),
        "cost": "–" if each.cost is None else f"{each.cost:,.0f}",
        "chosen": at == found.chosen,
        "mark": _marks(found, at),
    }


def _marks(found: Points, at: int) -> str:
    told = [
        word
        for place, word in (
            (found.active, gettext("in use")),
            (found.draft, gettext("draft")),
            (found.optimum, gettext("least cost")),
        )
        if place == at
    ]
    if found.flat and found.flat[0] <= at <= found.flat[1] and at != found.optimum:
        told.append(gettext("near the least cost"))
    return ", ".join(told)


def _window_words(seen: Window, profile: ThresholdProfile) -> str:
    said = ngettext(
        "%(answers)s answer in %(days)d days, against version %(version)d",
        "%(answers)s answers in %(days)d days, against version %(version)d",
        seen.answers,
    )
    return said % {"answers": f"{seen.answers:,}", "days": seen.days, "version": profile.version}


def warnings(seen: Window, threshold: str, along: Points | None = None) -> list[str]:
    """What makes the figures say less than they seem to."""
    found = [_of_labels(seen.labels)]
    if along and along.moved:
        found.append(gettext("The last days alone would choose another value, beyond the flat zone."))
    if knobs.one_score(knobs.histograms(seen)[threshold]):
        found.append(gettext("Every score behind this threshold is the same: no value parts them."))
    return [text for text in found if text]


def _of_labels(labels: Labels) -> str:
    """What the labels lack."""
    told = labels.answer[labels.answer >= 0]
    if not len(told):
        return gettext("No answer of these days has a verdict yet: only counts are known.")
    if len(np.unique(told)) == 1:
        return gettext(
            "All answers with a verdict (n = %(n)d) have the same one: precision and recall say little."
        ) % {"n": len(told)}
    if not labels.audited.any():
        return gettext("No unflagged answer was audited: recall is not known.")
    return ""
