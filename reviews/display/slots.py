"""The slots of a number as people read them: what its words named, what the evidence states, what came of each.

Reads the rendered Result; decides nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from detection.core.lexicons import unit_names
from detection.core.text import base
from reviews.display.metric_names import metric_name

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Result = Mapping[str, Any]

FIELDS: "dict[str, StrOrPromise]" = {
    "metric": _("metric"),
    "property": _("property"),
    "entity": _("whose"),
    "period": _("period"),
    "unit": _("unit"),
    "role": _("role"),
    "bound": _("bound"),
    "direction": _("direction"),
    "sign": _("sign"),
}
PLACES: "dict[str, StrOrPromise]" = {
    "head": _("its row or column"),
    "before": _("what stands before"),
    "question": _("the question"),
    "link": _("what the answer is filed under"),
    "model": _("found by a language model"),
}
"""Where words stand that name a slot; those of the sentence itself need no telling."""
CODES: "dict[str, dict[str, StrOrPromise]]" = {
    "role": {
        "actual": _("actual value"),
        "limit": _("limit"),
        "limit_min": _("required minimum"),
        "limit_max": _("permitted maximum"),
        "budget": _("budget"),
        "forecast": _("forecast"),
        "target": pgettext_lazy("role of a figure", "target"),
        "underwritten": _("underwritten"),
        "prior": _("earlier value"),
        "market": _("market value"),
        "pro_forma": _("pro forma"),
        "size": _("full size"),
        "drawn": _("drawn"),
        "available": _("available"),
        "preliminary_offer": _("preliminary or asked"),
        "restated": _("restated"),
        "excluded": _("excluded"),
    },
    "bound": {"at_least": _("at least"), "at_most": _("at most")},
    "direction": {
        "up": pgettext_lazy("direction", "up"),
        "down": pgettext_lazy("direction", "down"),
        "flat": _("unchanged"),
        "improve": _("better"),
        "worsen": _("worse"),
        "either": _("changed"),
        "from": _("before the change"),
        "to": _("after the change"),
    },
    "sign": {"loss": _("loss"), "profit": _("profit"), "negative": _("negative"), "positive": _("positive")},
}
"""What the evidence states, where that is a code."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot: its name, what the answer ``said`` and ``where``, what the evidence ``states``, and the ``verdict`` on
    both, empty where that is not known or is for the reviewer to say. ``at`` is where in the answer the words stand, in
    code points; None where they do not."""

    name: str
    said: str
    where: str
    states: str
    verdict: str = ""
    at: tuple[int, int] | None = None

    @property
    def label(self) -> str:
        """The name as people read it."""
        return str(FIELDS[self.name])


def slots(rendered: Sequence[Result]) -> tuple[Slot, ...]:
    """The slots of a rendered claim, or of something that it was compared with."""
    return tuple(map(_slot, rendered))


def _parts(one: Result) -> Sequence[Result]:
    """A slot that words of several places name, as one for each place."""
    return [{"slot": one["slot"], **part} for part in one.get("parts") or ()] or [one]


def _slot(one: Result) -> Slot:
    name, by = str(one["slot"]), str(one.get("by") or "")
    return Slot(
        name=name,
        said=_told(name, str(one.get("said") or "")),
        where=str(PLACES.get(by, "")),
        states=_called(name, str(one.get("states") or "")),
        verdict=str(one.get("verdict") or ""),
        at=(one["start"], one["end"]) if one.get("end") is not None else None,
    )


def _told(name: str, words: str) -> str:
    """Words as they are written; a code in words, a unit of measure by what the page's language calls it."""
    if name == "unit":
        return unit_names(words, base(get_language() or "en"))
    return str(CODES.get(name, {}).get(words, words))


def _called(name: str, stated: str) -> str:
    """What the evidence states, metrics by what people call them."""
    return ", ".join(map(metric_name, stated.split(", "))) if name == "metric" else _told(name, stated)


def without_conclusions(found: Sequence[Slot]) -> tuple[Slot, ...]:
    """What both sides name, for a blind pass: whether they agree is for the reviewer to say."""
    return tuple(replace(one, verdict="") for one in found)


def named(claim: Result, differing: Sequence[Slot] = ()) -> tuple[Slot, ...]:
    """What the words of a number name, slot by slot, words of several places each by themselves; its metric too where
    nothing names it, its unit only where words of their own do; and of the ``differing`` slots, in which its mistake
    lies, those that are not among them."""
    found = slots([part for one in claim.get("slots") or [] for part in _parts(one)])
    known = {one.name for one in found}
    every = (*found, *(one for one in differing if one.name not in known))
    return tuple(
        one for one in every if one.name == "metric" or (one.said and (one.name != "unit" or one.at))
    )


def stated(claim: Result) -> tuple[Slot, ...]:
    """The slots that the evidence of a number names."""
    return tuple(one for one in slots(claim.get("slots") or []) if one.states)


def apart(item: Result) -> tuple[Slot, ...]:
    """The slots in which something that a number was compared with differs from what it speaks of."""
    return tuple(one for one in slots(item.get("slots") or []) if one.verdict == "conflict")
