"""The global log of who did what (S12, F13), for seniors and administrators; a page at a time, or all as CSV."""

import csv
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any
from uuid import UUID

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from detection.models import ApiKey, Event
from reviews.audit import listing
from reviews.audit.events import ACTIONS, KINDS, Entry, entries
from reviews.audit.listing import Asked as Wanted
from reviews.display.cells import plain
from reviews.display.screen import Asked, View, screen
from reviews.forms import first_error

log = logging.getLogger(__name__)

NUMBERED = ("review", "profile", "calibration", "erasure")
"""Histories whose subjects are looked for by their number."""
MOST_NAMES = 300
"""Names of people and keys that the field for them suggests."""
COLUMNS = (
    "time", "person", "api_key", "history", "subject", "number", "action", "before", "after", "reason",
    "thresholds", "request_id", "hash",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LogRow:
    """An event of the log; ``word`` and ``about`` name its subject, ``url`` is where that is shown, if anywhere."""

    kind: str
    word: str
    about: str
    url: str
    entry: Entry


class LogForm(forms.Form):
    """What is looked for in the log."""

    kind = forms.ChoiceField(required=False, label=_("About"), choices=[("", ""), *KINDS.items()])
    action = forms.CharField(required=False, label=_("Action"), max_length=40)
    subject = forms.CharField(required=False, label=_("Which one"), max_length=200)
    who = forms.CharField(required=False, label=_("Who"), max_length=200)
    first = forms.DateField(required=False, label=_("From"))
    last = forms.DateField(required=False, label=_("To"))

    def clean_who(self) -> User | ApiKey | None:
        """The person with this log-in name, or the key with this name."""
        name = self.cleaned_data["who"]
        if not name:
            return None
        found = User.objects.filter(username=name).first() or ApiKey.objects.filter(name=name).first()
        if found is None:
            raise ValidationError(_("Nobody and no API key has this name."))
        return found

    def clean(self) -> dict[str, Any]:
        """Read the subject as its history names it."""
        data = super().clean() or {}
        kind, subject = data.get("kind"), data.get("subject")
        if subject and not kind:
            raise ValidationError({"subject": _("Say as well what it is: a review, a fact, …")})
        if subject and kind:
            data["subject"] = self._named(kind, subject.removeprefix("#"))
        return data

    def _named(self, kind: str, text: str) -> int | UUID | str:
        try:
            named = UUID(text) if kind == "fact" else int(text) if kind in NUMBERED else text
        except ValueError:
            named = -1
        if isinstance(named, int) and not 0 <= named < 2**31:
            raise ValidationError({"subject": _("This is not how it is named. Copy it from the log.")})
        return named

    def wanted(self) -> Wanted:
        """The filter; only for a valid form."""
        given = self.cleaned_data
        who = given["who"]
        return Wanted(
            kind=given["kind"],
            action=given["action"],
            subject=given["subject"],
            actor=who.pk if isinstance(who, User) else None,
            key=who.pk if isinstance(who, ApiKey) else None,
            first=given["first"],
            last=given["last"],
        )


def for_seniors(view: View) -> View:
    """A page of the log; 403 in words for everybody else."""

    @wraps(view)
    def by_a_senior(request: Asked, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not listing.may_read(request.user):
            raise PermissionDenied(gettext("The audit log is for seniors and administrators."))
        return view(request, *args, **kwargs)

    return screen(by_a_senior)


@for_seniors
@require_safe
def log_page(request: Asked) -> HttpResponseBase:
    """One page of the log, newest first."""
    form = LogForm(request.GET)
    valid = form.is_valid()
    wanted = form.wanted() if valid else Wanted()
    place = listing.Cursor.read(request.GET.get("after", ""))
    found, after = listing.page(request.user, wanted, place) if valid else ([], None)
    readable = listing.kinds(request.user)
    context = {
        "rows": _rows(found),
        "after": after or "",
        "beyond": place is not None,
        "fault": "" if valid else first_error(form),
        "params": request.GET.dict(),
        "narrowed": wanted.narrowed or not valid,
        "kinds": [(kind, KINDS[kind]) for kind in readable],
        "actions": [(KINDS[kind], ACTIONS[kind].items()) for kind in readable],
        "names": _names(),
        "whole": len(readable) == len(KINDS),
        "section": "audit",
    }
    return render(request, "reviews/audit/audit.html", context, status=200 if valid else 422)


@for_seniors
@require_safe
def export(request: Asked) -> HttpResponseBase:
    """The log as CSV, filtered like its page. It is streamed and, like all reading, no event itself: the request stands
    in the logs of the server with its number and its reader."""
    form = LogForm(request.GET)
    if not form.is_valid():
        return log_page(request)
    log.info("audit_exported user=%s filters=%s", request.user.pk, form.wanted())
    response = StreamingHttpResponse(
        _written(listing.every(request.user, form.wanted())), content_type="text/csv; charset=utf-8"
    )
    name = f"hallu-audit-{timezone.now():%Y%m%d-%H%M}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _rows(found: Iterable[listing.Row]) -> list[LogRow]:
    """The events of a page in words, their people read in one query for each history."""
    rows = list(found)
    shown: dict[tuple[str, int], Entry] = {}
    for kind in {kind for kind, _event in rows}:
        events = [event for each, event in rows if each == kind]
        told = [
            replace(entry, changes=()) if listing.is_hidden(event) else entry
            for event, entry in zip(events, entries(kind, events), strict=True)
        ]
        shown |= {(kind, event.pk): entry for event, entry in zip(events, told, strict=True)}
    return [
        LogRow(kind, str(KINDS[kind]), *_subject(kind, event), shown[kind, event.pk]) for kind, event in rows
    ]


SUBJECTS: Mapping[str, Callable[[Any], tuple[str, str]]] = {
    "review": lambda event: (f"#{event.subject_id}", reverse("review-history", args=[event.subject_id])),
    "fact": lambda event: (
        event.subject.content[:80] or str(event.subject_id),
        reverse("fact", args=[event.subject_id]),
    ),
    "profile": lambda event: (str(event.subject.version), ""),
    "calibration": lambda event: (f"#{event.subject_id} {event.subject.verifier}", reverse("calibration")),
    "key": lambda event: (event.subject.name, ""),
    "person": lambda event: (event.subject.get_username(), ""),
    "erasure": lambda event: (f"#{event.subject_id}", ""),
}


def _subject(kind: str, event: Event) -> tuple[str, str]:
    return SUBJECTS[kind](event)


def _names() -> list[str]:
    """Log-in names and names of keys, to choose from."""
    people = User.objects.order_by("username").values_list("username", flat=True)[:MOST_NAMES]
    keys = ApiKey.objects.order_by("name").values_list("name", flat=True)[:MOST_NAMES]
    return [*people, *keys]


class _Line:
    """A file of which each write is handed on at once."""

    def write(self, text: str) -> str:
        """The line as it was formatted."""
        return text


def _written(rows: Iterable[listing.Row]) -> Iterator[str]:
    """The lines of the file; the mark at its beginning tells spreadsheets that it is UTF-8."""
    writer = csv.writer(_Line())
    yield "\ufeff" + writer.writerow(COLUMNS)
    for kind, event in rows:
        yield writer.writerow([plain(cell) for cell in _cells(kind, event)])


def _cells(kind: str, event: Event) -> list[str]:
    named: Any = event
    subject = str(named.subject_id) if kind in ("review", "fact") else _subject(kind, event)[0]
    sides = ({}, {}) if listing.is_hidden(event) else (event.before, event.after)
    return [
        event.created_at.isoformat(),
        event.actor.get_username() if event.actor else "",
        event.key.name if event.key else "",
        kind,
        subject,
        str(event.seq),
        event.action,
        *(json.dumps(side, ensure_ascii=False) for side in sides),
        event.reason,
        str(event.profile.version) if event.profile else "",
        event.request_id,
        event.hash,
    ]
