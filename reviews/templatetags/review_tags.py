"""Template tags of the screens: keys from the registry, links that keep the other filters."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from django import template
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from detection.access import may_review
from reviews.audit.listing import may_read
from reviews.display.keys import KEYS, Key, keys_of
from reviews.display.wording import REASONS
from reviews.models import Preferences, name_of
from reviews.review_page.toasts import toast_of

register = template.Library()
register.filter("may_review", may_review)
register.filter("may_audit", may_read)
register.filter("name", name_of)


def _keys(context: Mapping[str, Any]) -> Mapping[str, Key]:
    """The keys of whoever is looking, read once for a request."""
    request = context.get("request")
    user = getattr(request, "user", None)
    if request is None or not getattr(user, "is_authenticated", False):
        return KEYS
    if not hasattr(request, "own_keys"):
        request.own_keys = keys_of(Preferences.of(user))
    own: Mapping[str, Key] = request.own_keys
    return own


@register.simple_tag(takes_context=True)
def key(context: dict[str, Any], name: str) -> SafeString:
    """The attributes that bind a control to a key; none when the person has switched it off."""
    found = _keys(context)[name]
    if not found.codes:
        return SafeString("")
    return format_html('data-key="{}" aria-keyshortcuts="{}"', found.codes, found.shortcuts)


@register.simple_tag(takes_context=True)
def hint(context: dict[str, Any], name: str) -> SafeString:
    """The key as shown on its control."""
    found = _keys(context)[name]
    return format_html('<kbd aria-hidden="true">{}</kbd>', found.hint) if found.hint else SafeString("")


@register.simple_tag
def moment(at: datetime) -> SafeString:
    """A moment as people read it and as machines do, to stand in a sentence: "…began on %(when)s UTC"."""
    return format_html('<time datetime="{}">{}</time>', at.isoformat(), date_format(at, "DATETIME_FORMAT"))


@register.simple_tag
def saves(action: str) -> SafeString:
    """The attributes of a form of the verdict bar that is sent to ``action``, the bar coming back in its place."""
    return format_html(
        'method="post" action="{0}" hx-post="{0}" hx-target="#bar" hx-swap="outerHTML" hx-sync="this:drop" data-saves',
        action,
    )


@register.simple_tag(takes_context=True)
def key_sheet(context: dict[str, Any], screen: str) -> list[Key]:
    """The keys of a screen that work for whoever is looking, for its key sheet."""
    return [entry for entry in _keys(context).values() if entry.codes and entry.screen in (screen, "both")]


@register.inclusion_tag("reviews/shared/_toast.html", takes_context=True)
def toast(context: dict[str, Any]) -> dict[str, Any]:
    """The last step that can still be taken back, on whatever page one went to."""
    request = context.get("request")
    signed_in = getattr(getattr(request, "user", None), "is_authenticated", False)
    return {"request": request, "toast": toast_of(request) if request and signed_in else None}


@register.simple_tag
def reason_options(chosen: str) -> SafeString:
    """The options of a select of reason codes, each with the letter that picks it."""
    known = chosen if any(code == chosen for code, _text, _letter in REASONS) else ""
    return _options(known, get_language() or "")


@cache
def _options(chosen: str, language: str) -> SafeString:
    """Written once for each code and language, since a page has them twice for every claim."""
    rows = ((code, letter, " selected" if code == chosen else "", text) for code, text, letter in REASONS)
    return format_html_join("", '<option value="{0}" data-letter="{1}"{2}>{3} ({1})</option>', rows)


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
