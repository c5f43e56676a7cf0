"""What each history tells of its subject, and what the subject's row says (SEC-20): the two must agree.

People begin without any right, the first thresholds as the active ones; whatever differs was written down. What no event of a
key speaks of is not compared.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User

from detection.history.chains import Broken, State
from detection.models import (
    Answer,
    ApiKey,
    CalibrationMap,
    DetectionRun,
    Erasable,
    Erasure,
    Event,
    Fact,
    RejectedFact,
    StrictAnswer,
    ThresholdProfile,
    Trace,
    TraceStep,
)
from detection.models.events import ERASED
from detection.models.standing import standing
from reviews.models import HallucinationReview

Told = dict[str, Any]
RESOLUTION = ("outcome", "final_confidence", "corrected_answer")
LIVE: Told = {
    "state": "live",
    "outcome": "",
    "final_confidence": None,
    "corrected_answer": "",
    "resolved_by": None,
}
MEMORY = ("status", "confidence", "reduced", "finding")
KEPT_OF_KEYS = (
    "scopes",
    "user",
    "expires",
    "properties",
    "all_properties",
    "consent",
    "requests_per_minute",
)
NOTHING: Told = {
    "administration": False,
    "everything": False,
    "roles": [],
    "permissions": [],
    "property_groups": [],
    "all_properties": False,
    "second_factor": False,
    "identities": [],
}


def _review_stored(review: HallucinationReview) -> Mapping[str, Sequence[Any]]:
    """Whether somebody works on it, and whose it is, is told by leases and is no state here."""
    ended = review.state in ("resolved", "void", "snoozed")
    return {
        "state": [review.state if ended else "live"],
        "resolved_by": [review.resolved_by_id],
        "void_cause": [review.void_cause],
        **{name: [getattr(review, name)] for name in RESOLUTION},
    }


def _review_told(_review: HallucinationReview, chain: Sequence[Event]) -> Told | None:
    told = None
    for event in chain:
        told = _after(told or {**LIVE, "void_cause": ""}, event)
    return told


def _after(told: Told, event: Event) -> Told:
    """What a review is after an event."""
    done = event.after.get("action", "") if event.action == "undone" else ""
    if event.action == "resolved":
        kept = {name: event.after[name] for name in RESOLUTION if name in event.after}
        return told | kept | {"state": "resolved", "resolved_by": event.actor_id}
    if event.action == "voided":
        return told | {"state": "void", "void_cause": event.after.get("cause", "")}
    if event.action == ERASED:
        return told | {name: event.after[name] for name in told if name in event.after}
    if event.action == "snoozed":
        return told | {"state": "snoozed"}
    return told | LIVE if event.action in ("reopened", "woken") or done in ("resolved", "snoozed") else told


def _moved(
    start: Callable[[Any], Told], names: Sequence[str]
) -> Callable[[Any, Sequence[Event]], Told | None]:
    """Of a history whose events have these ``names`` behind them; ``start`` is what is told before the first, empty where
    there must be one."""

    def told(row: Any, chain: Sequence[Event]) -> Told | None:
        state = start(row)
        for event in chain:
            state |= {name: event.after[name] for name in names if name in event.after}
        return state if chain or state else None

    return told


def _profile_stored(profile: ThresholdProfile) -> Mapping[str, Sequence[Any]]:
    return {"state": [profile.state], "values": [_whole(profile.values)], "scoring": [profile.scoring]}


def _first_profile(profile: ThresholdProfile) -> Told:
    """The first version is active from the beginning, as it was declared."""
    return {"state": "active", "values": _whole({})} if profile.version == 1 else {}


def _profile_told(profile: ThresholdProfile, chain: Sequence[Event]) -> Told | None:
    told = _moved(_first_profile, ("state", "values", "scoring"))(profile, chain)
    if told and "values" in told:
        told["values"] = _whole(told["values"])
    return {"state": "draft", **told} if told is not None else None


def _map_told(made: CalibrationMap, chain: Sequence[Event]) -> Told | None:
    told = _moved(lambda _made: {}, ("state",))(made, chain)
    return {"state": "draft", **told} if told is not None else None


def _whole(values: Mapping[str, Any]) -> Told:
    return {"base": {}, "overrides": [], **values}


def _key_stored(key: ApiKey) -> Mapping[str, Sequence[Any]]:
    """Before, a change told people and properties by their keys, and times as Python prints them."""
    places = list(key.properties.values_list("code", "pk"))
    return {
        "scopes": [sorted(key.scopes)],
        "user": [key.user.username, str(key.user_id)] if key.user else [None],
        "expires": [key.expires.isoformat(), str(key.expires)] if key.expires else [None],
        "properties": [sorted(code for code, _ in places), sorted(str(pk) for _, pk in places)],
        "all_properties": [key.all_properties],
        "consent": [key.consented_at.isoformat() if key.consented_at else None],
        "requests_per_minute": [key.requests_per_minute],
        "revoked": [key.revoked is not None],
    }


def _key_told(key: ApiKey, chain: Sequence[Event]) -> Told | None:
    told = _moved(lambda _key: {}, KEPT_OF_KEYS)(key, chain)
    if told is None:
        return None
    scopes = {"scopes": sorted(told["scopes"])} if "scopes" in told else {}
    return told | scopes | {"revoked": any(event.action == "revoked" for event in chain)}


def _person_stored(person: User) -> Mapping[str, Sequence[Any]]:
    return {name: [value] for name, value in standing(person).items()}


def _person_told(person: User, chain: Sequence[Event]) -> Told | None:
    """The groups of a property, which the histories of its readers tell too, are not theirs."""
    own = [event for event in chain if event.action != "property_regrouped"]
    return _moved(lambda _person: NOTHING | {}, tuple(standing(person)))(person, own)


ERASABLE: dict[str, type[Erasable]] = {
    "answer": Answer,
    "strict": StrictAnswer,
    "trace": Trace,
    "fact": Fact,
    "rejected": RejectedFact,
}
"""What an order erases, by the word of its history."""


def _erasure_stored(order: Erasure) -> Mapping[str, Sequence[Any]]:
    """The order, and the rows that say they were erased by it."""
    rows = {kind: model._default_manager.filter(erasure=order) for kind, model in ERASABLE.items()}
    keys = {kind: sorted(map(str, found.values_list("pk", flat=True))) for kind, found in rows.items()}
    return {name: [value] for name, value in {**order.told(), **keys}.items()}


def _erasure_told(order: Erasure, chain: Sequence[Event]) -> Told | None:
    """An order that has erased nothing is none."""
    told = _moved(lambda _order: {}, tuple(order.told()))(order, chain)
    rows = {
        kind: sorted(key for event in chain for key in event.after["rows"].get(kind, ())) for kind in ERASABLE
    }
    return None if told is None else told | rows


def unordered() -> Iterator[Broken]:
    """Results and steps that were emptied although nobody ordered to erase what they belong to."""
    runs = DetectionRun.objects.filter(erasure__isnull=False, answer__erasure__isnull=True)
    yield from (
        Broken(f"run {pk}", 0, "was erased, and its answer was not")
        for pk in runs.order_by("pk").values_list("pk", flat=True)
    )
    steps = TraceStep.objects.filter(erasure__isnull=False, trace__erasure__isnull=True)
    yield from (
        Broken(f"step {pk}", 0, "was erased, and its trace was not")
        for pk in steps.order_by("pk").values_list("pk", flat=True)
    )


STATES: dict[str, State] = {
    "review": State(_review_stored, _review_told),
    "fact": State(
        lambda fact: {name: [getattr(fact, name)] for name in MEMORY}, _moved(lambda _fact: {}, MEMORY)
    ),
    "profile": State(_profile_stored, _profile_told),
    "calibration": State(lambda made: {"state": [made.state]}, _map_told),
    "key": State(_key_stored, _key_told),
    "person": State(_person_stored, _person_told),
    "erasure": State(_erasure_stored, _erasure_told),
}
"""How each kind of subject is compared, by the names of :data:`~reviews.audit.histories.HISTORIES`."""
