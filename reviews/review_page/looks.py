"""What else a number was compared with, and where it was looked for when nothing was found.

Reads the rendered Result (one claim's dictionary); decides nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext, ngettext

from reviews.display import figures, slots
from reviews.display.comparisons import LABELS, SLIPS
from reviews.display.metric_names import metric_name
from reviews.display.slots import Slot

Result = Mapping[str, Any]

OTHER = re.compile(r"[^\d.]")


@dataclass(frozen=True, slots=True)
class Look:
    """One thing a number was compared with besides: what it says, where, how far off; ``written`` is how a source
    has it, ``says`` a recognised mistake in words, ``own`` whether it is what the claim speaks of, ``apart`` the slots in
    which it is not."""

    label: str
    value: str
    where: str
    written: str
    difference: str
    says: str
    arithmetic: str
    own: bool
    apart: tuple[Slot, ...] = ()


def searched(claim: Result, about: str) -> list[str]:
    """What was looked at for a number that nothing was found for, and what was not."""
    facts = claim.get("searched") or {}
    if not facts:
        return []
    read, left = facts.get("sources_read") or 0, facts.get("sources_left") or 0
    over = ngettext(
        "%(n)d source left unread, over the limit.", "%(n)d sources left unread, over the limit.", left
    )
    return [
        *_records(str(facts.get("database")), about),
        ngettext("%(n)d source read.", "%(n)d sources read.", read) % {"n": read},
        *([over % {"n": left}] if left else []),
        *([gettext("Time ran out before everything was read.")] if facts.get("timed_out") else []),
    ]


def _records(database: str, about: str) -> list[str]:
    if database == "unavailable":
        return [gettext("The database could not be read; it was not compared.")]
    if database == "not_asked":
        return [gettext("The database was not asked: the answer names no property.")]
    if database != "ok":
        return []
    if about:
        return [gettext("The figures of record of %(about)s, and their neighbours.") % {"about": about}]
    return [gettext("The figures of record, and their neighbours.")]


def looked_at(claim: Result) -> list[Look]:
    """What else the number was compared with, recognised mistakes first."""
    return [_look(item) for item in claim.get("looked_at") or []]


def _look(item: Result) -> Look:
    value, share = figures.decimal(item.get("value")), figures.decimal(item.get("deviation"))
    source = gettext("source %(id)s") % {"id": item["source"]} if item.get("source") else ""
    written = str(item.get("text") or item.get("value") or "")
    return Look(
        label=str(LABELS.get(str(item.get("origin")), "")),
        value=written if value is None else figures.together(value, value, str(item.get("unit") or ""))[0],
        where=" · ".join(part for part in (slot(str(item.get("slot") or "")), source) if part),
        written=written if item.get("source") and not _says(written, value) else "",
        difference=_apart(share, item.get("days")),
        says=str(SLIPS.get(str(item.get("slip")), "")),
        arithmetic=str(item.get("arithmetic") or ""),
        own=bool(item.get("own", True)),
        apart=slots.apart(item),
    )


def _says(written: str, value: Decimal | None) -> bool:
    """Whether digits as written are those of the value, or there is no value beside them."""
    plain = figures.decimal(OTHER.sub("", written))
    return value is None or (plain is not None and plain == abs(value))


def _apart(share: Decimal | None, days: Any) -> str:
    """A signed share of the value in per cent, or days; the same in words."""
    if days:
        most = max(days)
        return ngettext("%(n)d day", "%(n)d days", most) % {"n": most} if most else gettext("the same")
    if share is None:
        return ""
    return figures.deviation(float(share)) or gettext("the same")


def slot(text: str) -> str:
    """A stored place such as ``net operating income · Q3 2024 · OAK`` with its metric in the reader's language."""
    metric, rest, others = text.partition(" · ")
    return f"{metric_name(metric)}{rest}{others}"
