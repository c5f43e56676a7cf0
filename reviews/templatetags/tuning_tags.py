"""Template tags of the pages about thresholds."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from detection.access import changes_thresholds
from detection.core.calibration import Bin
from reviews.calibration.reliability import interval
from reviews.display.figures import whole_percent
from reviews.display.wording import Badge
from reviews.thresholds.watching import Watch, watch
from reviews.tuning.estimates import Estimate

register = template.Library()
register.filter(whole_percent)

STATES = {
    "draft": Badge("plain", "", _("Draft")),
    "shadow": Badge("warn", "", _("Shadow")),
    "active": Badge("ok", "", _("Active")),
    "retired": Badge("dim", "", _("Retired")),
}
"""Each state of a version in a word, and the tone of its chip."""


@register.simple_tag(takes_context=True)
def watched(context: dict[str, Any]) -> Watch | None:
    """The first day of the active version, for whoever is looking."""
    return watch(timezone.now(), context["request"].user)


@register.filter
def may_change_thresholds(user: Any) -> bool:
    """Whether a person drafts and activates."""
    return changes_thresholds(user)


@register.filter
def percent(share: float | None) -> str:
    """``12.3 %``; a dash for nothing known. Never shown without its n."""
    return "–" if share is None else f"{share * 100:.1f} %"


@register.filter
def bin_limits(one: Bin) -> str:
    """The 95 % interval of the share of a bin that was right."""
    share = interval(one)
    return f"{whole_percent(share.low)}–{whole_percent(share.high)}"


@register.filter
def share_limits(found: Estimate) -> str:
    """The interval of a share; a dash without one."""
    if found.low is None:
        return "–"
    return f"{whole_percent(found.low)}–{whole_percent(found.high)}"


@register.filter
def limits(found: Estimate, digits: int = 3) -> str:
    """A figure with its interval; a dash without one."""
    if found.value is None or found.low is None or found.high is None:
        return "–"
    return f"{found.value:.{digits}f} ({found.low:.{digits}f}–{found.high:.{digits}f})"


@register.filter
def state_look(state: str) -> Badge:
    """How the state of a version looks."""
    return STATES[state]


@register.filter
def threshold(value: Any) -> str:
    """The value of a threshold as text; empty for none."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {threshold(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
