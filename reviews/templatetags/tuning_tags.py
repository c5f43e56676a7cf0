"""Template tags of the pages about thresholds."""

from typing import Any

from django import template
from django.utils import timezone

from detection.access import changes_thresholds
from reviews.watching import Watch, watch

register = template.Library()


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
