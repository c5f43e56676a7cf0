"""The thresholds that something was judged by: their version, and what it changed against the one before (S6)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from detection.models import ThresholdProfile
from reviews.audit.events import Change

GROUPS: dict[str, str | Promise] = {
    "numeric": _("Numbers"),
    "citations": _("Citations"),
    "grounding": _("Groundedness"),
    "strawberry": _("The verifier"),
    "risk": _("Risk"),
    "review": _("Reviews"),
}
"""What thresholds belong to, by the group they are declared in."""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the thresholds; ``older`` is the one it is compared with, ``active`` the one in use now when
    that is another."""

    profile: ThresholdProfile
    older: int | None
    changes: Sequence[Change]
    active: int | None


def version_of(profile: ThresholdProfile) -> Version:
    """``profile`` as the history page shows it."""
    before = ThresholdProfile.objects.filter(version__lt=profile.version).order_by("-version").first()
    active = ThresholdProfile.objects.filter(state=ThresholdProfile.State.ACTIVE).first()
    return Version(
        profile=profile,
        older=before.version if before else None,
        changes=differences(before, profile) if before else (),
        active=active.version if active and active != profile else None,
    )


def differences(before: ThresholdProfile, after: ThresholdProfile) -> list[Change]:
    """The thresholds that have another value in ``after``, by their declared names."""
    old, new = _values(before), _values(after)
    return [
        Change(name, _text(old.get(name)), _text(new.get(name)))
        for name in {**old, **new}
        if old.get(name) != new.get(name)
    ]


def _values(profile: ThresholdProfile) -> dict[str, Any]:
    """Every threshold with its value, the rules for particular answers among them, and the scoring."""
    overrides = {_condition(each["when"]): each["values"] for each in profile.values.get("overrides") or ()}
    return {"scoring": profile.get_scoring_display(), **asdict(profile.resolve({})), **overrides}


def _condition(when: dict[str, Any]) -> str:
    return " ".join(f"{facet}={value}" for facet, value in sorted(when.items()))


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
