"""Events as people read them: who did what to what, what it was before and after (S6, S12, F13)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from detection.models import Event
from reviews.display import wording
from reviews.models import Skip, name_of

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NOTED = _("Noted as it was")
WORDS_ERASED = _("What was said here was erased")
ACTIONS: "dict[str, dict[str, StrOrPromise]]" = {
    "review": {
        "opened": _("Opened"),
        "taken": _("Taken"),
        "released": _("Given back"),
        "force_released": _("Released for somebody else"),
        "lease_expired": _("Given back: the time ran out"),
        "decided": _("Verdict"),
        "claim_added": _("Missed claim added"),
        "rest_examined": _("Remaining claims examined"),
        "resolved": _("Resolved"),
        "reopened": _("Reopened"),
        "voided": _("Withdrawn from the queue"),
        "skipped": _("Skipped"),
        "requeued": _("Put back into one’s own queue"),
        "assigned": _("Assigned"),
        "snoozed": _("Snoozed"),
        "woken": _("Back from snooze"),
        "undone": _("Undone"),
        "run_adopted": _("Newer check adopted"),
        "carried": _("Verdicts carried over as suggestions"),
        "erased": WORDS_ERASED,
    },
    "fact": {
        "stored": _("Remembered"),
        "verified": _("Verified"),
        "given_up": _("Verification given up"),
        "withdrawn": _("Withdrawn"),
        "erased": WORDS_ERASED,
    },
    "profile": {
        "drafted": _("Drafted"),
        "changed": _("Draft changed"),
        "shadow": _("Started as shadow"),
        "active": _("Activated"),
        "retired": _("Retired"),
        "asked": _("Asked for in spite of the gate"),
        "declined": _("Request declined"),
    },
    "calibration": {"fitted": _("Fitted"), "activated": _("Activated"), "retired": _("Retired")},
    "key": {
        "issued": _("Key issued"),
        "changed": _("Key changed"),
        "revoked": _("Key revoked"),
        "consented": _("Consent given"),
        "consent_withdrawn": _("Consent withdrawn"),
        "noted": NOTED,
        "rotated": _("New secret of a key"),
        "old_secret_ended": _("Old secret of a key ended"),
    },
    "person": {
        "added": _("Person added"),
        "access_changed": _("Access changed"),
        "password_changed": _("Password changed"),
        "signed_in": _("Signed in"),
        "second_factor_replaced": _("Second factor replaced"),
        "recovery_codes_made": _("Recovery codes made"),
        "recovery_code_used": _("Recovery code used"),
        "property_regrouped": _("Groups of a property changed"),
        "noted": NOTED,
    },
    "erasure": {"carried_out": _("Erased")},
}
"""What was done, by the history and the stored action."""

KINDS: "dict[str, StrOrPromise]" = {
    "review": _("Review"),
    "fact": _("Fact"),
    "profile": _("Thresholds"),
    "calibration": _("Calibration"),
    "key": _("API key"),
    "person": _("Person"),
    "erasure": _("Erasure"),
}

FIELDS: "dict[str, StrOrPromise]" = {
    "verdict": _("Verdict"),
    "reason_code": _("Reason"),
    "corrected_value": _("Correct value"),
    "note": _("Note"),
    "outcome": _("Outcome"),
    "state": _("State"),
    "original_confidence": _("Original confidence"),
    "automatic_confidence": _("Automatic confidence"),
    "final_confidence": _("Final confidence"),
    "adjusted_confidence": _("Adjusted confidence"),
    "corrected_answer": _("Corrected answer"),
    "selection_reason": _("Why it was chosen"),
    "risk_level": _("Risk"),
    "risk_score": _("Risk score"),
    "active_seconds": _("Active seconds"),
    "reopen_count": _("Times reopened"),
    "assignee": _("Assigned to"),
    "holder": _("Held by"),
    "reviewer": _("Reviewer"),
    "held": _("Was held"),
    "skip": _("Why it was skipped"),
    "until": _("Until"),
    "returned_at": _("Came back"),
    "on_evidence": _("Comes back with new evidence"),
    "cause": _("Cause"),
    "quote": _("Quote"),
    "kind": _("Kind"),
    "action": _("Action"),
    "undoes": _("Step that was undone"),
    "status": _("Status"),
    "confidence": _("Confidence"),
    "reduced": _("Trusted less"),
    "finding": _("Finding"),
    "values": _("Thresholds"),
    "scoring": _("Scoring"),
    "gate": _("Gate"),
    "replaced": _("In place of version"),
    "copied_from": _("Copied from version"),
    "method": _("Method"),
    "labels": _("Labels"),
    "name": _("Name"),
    "scopes": _("Scopes"),
    "properties": _("Properties"),
    "all_properties": _("All properties"),
    "expires": _("Expires"),
    "revoked": _("Revoked"),
    "user": _("Acts for"),
    "consent": _("Consent"),
    "secret": _("Secret"),
    "old_secret": _("Old secret"),
    "old_until": _("Old secret until"),
    "requests_per_minute": _("Requests a minute"),
    "user_name": _("User name"),
    "password": _("Password"),
    "permissions": _("Permissions"),
    "property": _("Property"),
    "roles": _("Roles"),
    "property_groups": _("Property groups"),
    "log_in": _("May log in"),
    "administration": _("Administration"),
    "everything": _("Sees every property"),
    "second_factor": _("Second factor"),
    "identities": _("Identities at the provider"),
    "signed_in": _("Signed in"),
    "way": _("First step"),
    "confirmed_by": _("Second step"),
    "recovery_codes": _("Recovery codes left"),
    "set_at": _("Set up"),
    "resolved_by": _("Resolved by"),
    "ordered_by": _("By order of"),
    "erased_rows": _("Rows erased"),
}
"""Names of what changed. A name that is not here is shown as it is stored."""

PEOPLE = ("assignee", "holder", "reviewer", "resolved_by", "ordered_by")
TIMES = ("until", "returned_at", "expires", "revoked", "consent", "signed_in", "set_at")
HIDDEN = frozenset(
    {
        "claim", "claims", "verdicts", "pass_no", "run", "review", "selection_probability", "derived_outcome",
        "suggested", "replaced_by", "learnt", "bodies", "erasure", "rows", "why",
    }
)  # fmt: skip
"""What only machines read."""

CODES: "dict[str, StrOrPromise]" = {
    **wording.WORDS,
    **dict(Skip.Reason.choices),
    **{code: risk.word for code, risk in wording.RISKS.items()},
    "woken": pgettext_lazy("cause", "by a person"),
    "due": pgettext_lazy("cause", "its time had come"),
    "new_detection": pgettext_lazy("cause", "a new check"),
    "new_figures": pgettext_lazy("cause", "new figures of record"),
    "order": pgettext_lazy("erasure", "by order"),
    "age": pgettext_lazy("erasure", "its age"),
    "verified": pgettext_lazy("fact", "verified"),
    "unverified": pgettext_lazy("fact", "not verified"),
    "withdrawn": pgettext_lazy("fact", "withdrawn"),
    "grounded": _("its evidence carries it"),
    "no_evidence": _("there is no evidence"),
    "no_lift": _("its evidence adds nothing"),
    "over_budget": _("too few bits of evidence"),
    "low_confidence": _("too little confidence"),
    "contradicted": _("contradicted"),
    "number_contradicted": _("a number is contradicted"),
    "number_unsupported": _("a number is found nowhere"),
    "number_unverified": _("a number is not verified"),
    "injected": _("a source gives orders"),
    "switched_off": _("the gate was off"),
    "by_password": _("by password"),
    "by_emergency_password": _("by password, as an emergency account"),
    "by_provider": _("by the organisation's account"),
    "code_of_app": _("a code of the app"),
    "recovery_code": _("a recovery code"),
}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that differs, in words."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One event in words; ``actor`` empty is the system, ``profile`` the version of the thresholds."""

    seq: int
    action: str
    title: str
    actor: str
    at: datetime
    reason: str
    changes: tuple[Change, ...]
    request: str
    profile: int | None


def entries(kind: str, events: Iterable[Event]) -> list[Entry]:
    """Events of one history as the timeline shows them; the people in them are read in one query."""
    rows = list(events)
    people = _people(rows)
    return [_entry(kind, event, people) for event in rows]


def title_of(kind: str, action: str) -> str:
    """What was done, in words."""
    return str(ACTIONS[kind].get(action, action.replace("_", " ").capitalize()))


def actor_of(event: Event) -> str:
    """Who did it: a person, a person by an API key, the key alone; empty for the system."""
    person = name_of(event.actor) if event.actor else ""
    if event.key is None:
        return person
    if not person:
        return gettext("API key %(key)s") % {"key": event.key.name}
    return gettext("%(person)s by API key %(key)s") % {"person": person, "key": event.key.name}


def _entry(kind: str, event: Event, people: Mapping[int, str]) -> Entry:
    title, claim = title_of(kind, event.action), event.after.get("claim")
    if isinstance(claim, int):
        title = gettext("%(what)s on claim %(number)d") % {"what": title, "number": claim + 1}
    return Entry(
        seq=event.seq,
        action=event.action,
        title=title,
        actor=actor_of(event),
        at=event.created_at,
        reason=event.reason,
        changes=tuple(_changes(event, people)),
        request=event.request_id,
        profile=event.profile.version if event.profile else None,
    )


def _people(events: Sequence[Event]) -> dict[int, str]:
    named = {
        value
        for event in events
        for side in (event.before, event.after)
        for name in PEOPLE
        if isinstance(value := side.get(name), int)
    }
    return {person.pk: name_of(person) for person in User.objects.filter(pk__in=named)} if named else {}


def _changes(event: Event, people: Mapping[int, str]) -> list[Change]:
    """What differs, in words; what only machines read, and what stayed empty, is left out."""
    before, after = _flat(event.before), _flat(event.after)
    names = [n for n in {**before, **after} if n not in HIDDEN and before.get(n) != after.get(n)]
    shown = [
        Change(str(FIELDS.get(n, n)), _text(n, before.get(n), people), _text(n, after.get(n), people))
        for n in names
    ]
    return [change for change in shown if change.before or change.after]


def _flat(side: Mapping[str, Any]) -> dict[str, Any]:
    """The thresholds of a profile one by one; the rest as it is."""
    values = side.get("values")
    if not isinstance(values, dict):
        return dict(side)
    rest = {name: value for name, value in side.items() if name != "values"}
    overrides = {"overrides": values["overrides"]} if values.get("overrides") else {}
    return {**rest, **(values.get("base") or {}), **overrides}


def _text(name: str, value: Any, people: Mapping[int, str]) -> str:
    """A stored value in words."""
    if value in (None, "", [], {}):
        return ""
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if name in PEOPLE and isinstance(value, int):
        return people.get(value, f"#{value}")
    if name in TIMES and isinstance(value, str) and (at := parse_datetime(value)):
        return f"{date_format(at, 'SHORT_DATETIME_FORMAT')} UTC"
    if isinstance(value, dict):
        return ", ".join(f"{key} {each}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(str(each) for each in value)
    if name == "action" and isinstance(value, str):
        return title_of("review", value)
    return str(CODES.get(value, value) if isinstance(value, str) else value)
