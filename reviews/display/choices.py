"""What the queue list offers to narrow it by, and what narrows it now as chips (F10)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import Group, User
from django.db.models import CharField, Exists, Max, OuterRef, QuerySet, Value
from django.db.models.functions import Cast
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from detection.access import visible_periods, visible_properties
from detection.models import Property
from reviews.models import name_of
from reviews.models.states import Against, SelectionReason, State

Words = str | Promise
Options = Sequence[tuple[str, Words]]

PARAMS = (
    "q",
    "mine",
    "risk",
    "against",
    "due",
    "kind",
    "property",
    "period",
    "language",
    "state",
    "reason",
    "assignee",
    "holder",
)
"""The names that narrow the list, in the order of their chips."""
MOST = 200
"""Options of one control; the address takes more."""

KINDS: dict[str, Words] = {
    "currency": _("Currency"),
    "percentage": _("Percentage"),
    "ratio": _("Ratio"),
    "date": _("Date"),
    "number": _("Number"),
    "change": _("Change"),
    "statement": _("Statement"),
}
RISKS: Options = [
    ("high", pgettext_lazy("priority", "High")),
    ("moderate", pgettext_lazy("priority", "Medium")),
    ("low", pgettext_lazy("priority", "Low")),
]
LANGUAGES: Options = [("en", _("English")), ("he", _("Hebrew")), ("zh", _("Chinese"))]
LABELS: dict[str, Words] = {"q": _("Search"), "holder": _("Held by")}


@dataclass(frozen=True, slots=True)
class Choice:
    """One filter: its name in the address, its options and the one chosen."""

    name: str
    label: Words
    any: Words
    options: Options
    value: str


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in force, and the address of the list without it."""

    label: Words
    value: Words
    without: str


def choices(params: Mapping[str, str], user: Any) -> list[Choice]:
    """The filters of the list; one query for the names in them."""
    names = _names(user)
    offered: list[tuple[str, Words, Words, Options]] = [
        ("risk", _("Priority"), _("Any priority"), RISKS),
        ("against", _("Conclusion"), _("Any conclusion"), Against.choices),
        ("due", _("Due"), _("Any time"), [("overdue", _("Overdue")), ("today", _("Today"))]),
        ("mine", _("Whose"), _("Everybody's"), _MINE),
        ("kind", _("Flagged claim"), _("Any claim"), list(KINDS.items())),
        ("property", _("Property"), _("Any property"), names["property"]),
        ("period", _("Period"), _("Any period"), names["period"]),
        ("language", _("Language"), _("Any language"), LANGUAGES),
        ("assignee", _("Assigned to"), _("Anybody"), [("none", _("Nobody")), *names["person"]]),
        ("reason", _("In the queue because"), _("Any reason"), SelectionReason.choices),
        ("state", _("State"), _("To do"), [*State.choices, ("all", _("All states"))]),
    ]
    return [
        Choice(name, label, any_, options, params.get(name, "")) for name, label, any_, options in offered
    ]


_MINE: Options = [
    ("both", _("Held by or assigned to me")),
    ("held", _("Held by me")),
    ("assigned", _("Assigned to me")),
]


def _names(user: Any) -> Mapping[str, Options]:
    """The names in the filters: of properties and of people by name, of periods the latest first and those of several
    properties once. One query; :data:`MOST` of each are read."""
    seen = visible_properties(user).order_by("name").values("pk")[:MOST]
    properties = (
        Property.objects.filter(pk__in=seen)
        .order_by()
        .values_list(Value("property"), "code", "name", Value(""))
    )
    latest = visible_periods(user).order_by().values("label").annotate(latest=Max("start"))
    last = latest.order_by("-latest", "label").values("label")[:MOST]
    periods = latest.filter(label__in=last).values_list(
        Value("period"), "label", Cast("latest", CharField()), Value("")
    )
    people = _able().filter(pk__in=_able().values("pk")[:MOST]).order_by()
    everybody = people.values_list(Value("person"), "username", "first_name", "last_name")
    found = defaultdict(list)
    for kind, *told in properties.union(periods, everybody, all=True):
        found[kind].append(told)
    return {
        "property": [
            (code, name) for code, name, _rest in sorted(found["property"], key=lambda one: one[1].casefold())
        ],
        "period": [
            (label, label) for label, *_rest in sorted(found["period"], key=lambda one: one[1], reverse=True)
        ],
        "person": _people(
            User(username=one[0], first_name=one[1], last_name=one[2]) for one in found["person"]
        ),
    }


def _people(people: Iterable[User]) -> Options:
    named = [(person.get_username(), name_of(person)) for person in people]
    return sorted(named, key=lambda person: person[1].casefold())


def reviewers() -> list[User]:
    """The people who can be given a review, by name."""
    return list(_able()[:MOST])


def _able() -> QuerySet[User]:
    able = Group.objects.filter(name__in=("reviewer", "senior"))
    people = User.objects.filter(Exists(able.filter(user=OuterRef("pk"))), is_active=True)
    return people.order_by("first_name", "last_name", "username")


def chips(params: Mapping[str, str], kept: Mapping[str, str], controls: Iterable[Choice]) -> list[Chip]:
    """One removable chip for each filter in force, in the words of its control; ``kept`` stays in the address."""
    by_name = {choice.name: choice for choice in controls}
    return [
        Chip(
            _label(name, by_name),
            _word(name, value, by_name),
            address({k: v for k, v in params.items() if k != name} | dict(kept)),
        )
        for name, value in params.items()
    ]


def _label(name: str, by_name: Mapping[str, Choice]) -> Words:
    return by_name[name].label if name in by_name else LABELS.get(name, name)


def _word(name: str, value: str, by_name: Mapping[str, Choice]) -> Words:
    return dict(by_name[name].options).get(value, value) if name in by_name else value


def address(params: Mapping[str, str]) -> str:
    """``params`` as a query string, empty ones left out; ``?`` alone for none."""
    return f"?{urlencode({name: value for name, value in params.items() if value})}"
