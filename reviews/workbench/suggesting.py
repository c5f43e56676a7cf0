"""The best thresholds for the stated objective, with what they gave on later days (review-queue §5.2, §5.3)."""

import json
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from detection.models import ThresholdProfile
from reviews.tuning.objectives import Objective, Outcome, Suggestion, suggest
from reviews.workbench import words
from reviews.workbench.asked import OBJECTIVES, Wanted, asked, value_text
from reviews.workbench.points import costs
from reviews.workbench.remembered import Remembered
from reviews.workbench.window import Window, window

SUGGESTIONS: Remembered[Suggestion] = Remembered(16)
WHY_NOT = {
    "no_labels": _("No answer of these days has a verdict yet, so nothing can be chosen."),
    "no_audits": _("No unflagged answer was audited: recall is not known, so nothing can be chosen."),
    "one_class": _("All answers with a verdict have the same one, so nothing can be chosen."),
}


def suggested(user: User, wanted: Wanted) -> dict[str, Any]:
    """What the page of the suggestion shows; its values go into a draft only when somebody presses."""
    profile, seen = ThresholdProfile.active(), window(user, wanted)
    found = _found(seen, profile, wanted)
    changes = [
        {"name": name.replace("_", " "), "old": value_text(old), "new": value_text(new)}
        for name, (old, new) in found.changes.items()
    ]
    return {
        **asked(wanted),
        "active": profile,
        "objective": OBJECTIVES[wanted.objective],
        "why_not": WHY_NOT.get(found.why_not, ""),
        "changes": changes,
        "outcomes": _outcomes(found),
        "moved": found.moved,
        "values": json.dumps(found.values),
    }


def _found(seen: Window, profile: ThresholdProfile, wanted: Wanted) -> Suggestion:
    objective = Objective(wanted.objective, costs(wanted), wanted.recall, wanted.capacity)
    key = (seen.key, profile.pk, objective)
    return SUGGESTIONS.get(
        key, lambda: suggest(seen.measured, seen.labels, profile.values, profile.scoring, objective)
    )


def _outcomes(found: Suggestion) -> list[dict[str, Any]]:
    """The suggestion on the days it was chosen on and on the later ones, and what is in force on those."""
    named = (
        (_("Suggested, on the days it was chosen on"), found.chosen_on),
        (_("Suggested, on later days"), found.reported_on),
        (_("In use, on the same later days"), found.in_force),
    )
    return [{"words": title, **_told(outcome)} for title, outcome in named if outcome]


def _told(outcome: Outcome) -> dict[str, str]:
    return {
        "precision": words.estimate(outcome.performance.precision),
        "recall": words.estimate(outcome.performance.recall),
        "load": f"{outcome.load:.1f}",
        "cost": "–" if outcome.cost is None else f"{outcome.cost:,.1f}",
        "days": f"{outcome.days:g}",
    }
