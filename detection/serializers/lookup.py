"""Finding what a caller names: a property by code or id, a period by label, id or dates.

What is not among the caller's own counts as unknown. The message of :class:`Unknown` gives the nearest known
names, so that a typing error is mended without asking anybody.
"""

import difflib
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.db.models import QuerySet

from detection.models import FinancialPeriod, Property

NEAREST = 3
MOST_IDS = 2**63 - 1


class Unknown(ValueError):
    """Nothing the caller may see goes by this name."""


def property_named(given: Any, visible: QuerySet[Property]) -> Property:
    """The property with this code, or with this id. Raises :class:`Unknown`."""
    if isinstance(given, str):
        found = visible.filter(code=given).first()
        if found:
            return found
    number = _number(given)
    found = visible.filter(pk=number).first() if number is not None else None
    if found:
        return found
    raise Unknown(
        f"There is no property {_quoted(given)}.{nearest(given, visible.values_list('code', flat=True))}"
    )


def period_named(given: Any, about: Property) -> FinancialPeriod:
    """The property's period with this label, this id, or exactly these ``{start, end}``. Raises :class:`Unknown`."""
    periods = about.periods.all()
    if isinstance(given, Mapping):
        return _period_between(given, about)
    found = periods.filter(label=given).first() if isinstance(given, str) else None
    number = _number(given)
    if found is None and number is not None:
        found = periods.filter(pk=number).first()
    if found:
        return found
    known = nearest(given, periods.values_list("label", flat=True))
    raise Unknown(f"{about.code} has no period {_quoted(given)}.{known}")


def _period_between(given: Mapping[str, Any], about: Property) -> FinancialPeriod:
    try:
        start, end = date.fromisoformat(given["start"]), date.fromisoformat(given["end"])
    except (KeyError, TypeError, ValueError) as error:
        raise Unknown("Give a period as {start, end} with dates such as 2024-07-01.") from error
    found = about.periods.filter(start=start, end=end).first()
    if found:
        return found
    near = sorted(about.periods.all(), key=lambda p: abs((p.start - start).days) + abs((p.end - end).days))
    known = ", ".join(f"{p.label} ({p.start} to {p.end})" for p in near[:NEAREST])
    raise Unknown(
        f"{about.code} has no period from {start} to {end}.{f' Nearest: {known}.' if known else ''}"
    )


def nearest(given: Any, known: Iterable[str]) -> str:
    """`` Nearest: OAK, OAKS.`` — the known names most like ``given``; empty when there are none."""
    by_fold = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(str(given)[:100].casefold(), by_fold, n=NEAREST, cutoff=0.0)
    return f" Nearest: {', '.join(by_fold[name] for name in close)}." if close else ""


def _number(given: Any) -> int | None:
    if isinstance(given, bool) or not isinstance(given, int | str):
        return None
    if isinstance(given, str) and not (given.isascii() and given.isdigit() and len(given) < 20):
        return None
    number = int(given)
    return number if 0 < number <= MOST_IDS else None


def _quoted(given: Any) -> str:
    return f"“{str(given)[:60]}”"
