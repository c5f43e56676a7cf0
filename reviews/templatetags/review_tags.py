"""Template tags of the screens: keys from the registry, links that keep the other filters."""

from typing import Any

from django import template
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from reviews.keys import KEYS, Key

register = template.Library()


@register.simple_tag
def key(name: str) -> SafeString:
    """The attributes that bind a control to a key."""
    return format_html('data-key="{}" aria-keyshortcuts="{}"', KEYS[name].codes, KEYS[name].hint)


@register.simple_tag
def hint(name: str) -> SafeString:
    """The key as shown on its control."""
    return format_html('<kbd aria-hidden="true">{}</kbd>', KEYS[name].hint)


@register.simple_tag
def key_sheet(screen: str) -> list[Key]:
    """The keys of a screen, for its key sheet."""
    return [entry for entry in KEYS.values() if entry.screen in (screen, "both")]


@register.simple_tag(takes_context=True)
def with_params(context: dict[str, Any], **changes: Any) -> str:
    """The query string of this page with some parameters changed; an empty value drops one.

    Paging restarts unless ``after`` is among the changes.
    """
    request: HttpRequest = context["request"]
    params = request.GET.copy()
    params.pop("after", None)
    for name, value in changes.items():
        params.pop(name, None)
        if value not in (None, ""):
            params[name] = str(value)
    return f"?{params.urlencode()}" if params else "?"
