"""Figures of record in bulk, for the API and for ``manage.py import_financials``: all rows or none.

A row is found by what people call it (property code, period label, account code); what it leaves out stays
as it is. However many rows there are, each kind costs a fixed number of queries.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import models, transaction
from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from detection.models import FinancialMetrics, FinancialPeriod, IncomeStatementData, Property
from detection.problems import fields
from detection.serializers.financials import (
    FIGURES,
    MetricsRow,
    PeriodRow,
    PropertyRow,
    StatementLineRow,
)
from detection.serializers.lookup import nearest

Key = tuple[Any, ...]
Row = Mapping[str, Any]
Rows = Mapping[int, Row]
BATCH = 500


@dataclass(frozen=True, slots=True)
class BadRow:
    """Why a row cannot be stored; ``position`` counts the given rows from 0."""

    position: int
    field: str
    message: str


class BadRows(ValueError):
    """Some rows cannot be stored, so nothing was. ``rows`` names each of them."""

    def __init__(self, kind: str, rows: Sequence[BadRow]) -> None:
        self.kind, self.rows = kind, list(rows)
        super().__init__(f"{len(self.rows)} faults in {kind}")


@dataclass
class Outcome:
    """What an upsert did: counts, and one line for each row created or changed."""

    created: int = 0
    changed: int = 0
    unchanged: int = 0
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of record: its row form, how a checked row is keyed, and what a stored one needs.

    ``key`` are the row's fields that identify it, ``required`` those that a new record cannot lack.
    """

    name: str
    model: type[models.Model]
    row: type[serializers.Serializer[Any]]
    key: tuple[str, ...]
    values: tuple[str, ...]
    required: tuple[str, ...] = ()


PROPERTIES = Kind(
    "properties", Property, PropertyRow, ("code",), ("name", "currency", "fiscal_year_end_month"), ("name",)
)
PERIODS = Kind(
    "periods", FinancialPeriod, PeriodRow, ("property", "label"), ("start", "end"), ("start", "end")
)
METRICS = Kind("financial-metrics", FinancialMetrics, MetricsRow, ("property", "period"), FIGURES)
STATEMENT_LINES = Kind(
    "income-statements", IncomeStatementData, StatementLineRow, ("property", "period", "account_code"),
    ("account_name", "amount"), ("account_name",),
)  # fmt: skip
KINDS = (PROPERTIES, PERIODS, METRICS, STATEMENT_LINES)


@transaction.atomic
def upsert(
    kind: Kind, rows: Sequence[Any], visible: QuerySet[Property], *, may_create: bool = True
) -> Outcome:
    """Create or change one record for each row, all or none.

    ``visible`` are the properties that may be written to; ``may_create`` says whether new properties may
    be made (never for a caller bound to some). Raises :class:`BadRows` naming every bad row.
    """
    checked, faults = _checked(kind, rows)
    owners, unknown = _owners(kind, checked, visible)
    if kind is PROPERTIES and not may_create:
        unknown = _foreign(checked, visible)
    stored = _stored(kind, owners)
    faults += unknown + _lacking(kind, checked, owners, stored) + _disordered(kind, checked, stored)
    if faults:
        raise BadRows(kind.name, sorted(faults, key=lambda fault: fault.position))
    return _write(kind, list(checked.values()), owners, stored)


def _checked(kind: Kind, rows: Sequence[Any]) -> tuple[Rows, list[BadRow]]:
    """The rows whose values are right and whose key comes first, by position; and the faults of the others."""
    form, checked, faults = kind.row(), {}, []
    first: dict[Key, int] = {}
    for n, given in enumerate(rows):
        try:
            row = form.run_validation(given)
        except ValidationError as error:
            faults += [
                BadRow(n, "row" if name == "body" else name, told) for name, told in fields(error.detail)
            ]
            continue
        earlier = first.setdefault(_key(kind, row), n)
        if earlier == n:
            checked[n] = row
        else:
            faults.append(BadRow(n, kind.key[-1], f"This is the same record as row {earlier + 1}."))
    return checked, faults


def _key(kind: Kind, row: Row) -> Key:
    return tuple(row[name] for name in kind.key)


def _owners(kind: Kind, rows: Rows, visible: QuerySet[Property]) -> tuple[dict[Key, Any], list[BadRow]]:
    """What the rows belong to, by key: nothing, properties by code, or periods by code and label; and the
    faults of rows whose owner is unknown, which are left out."""
    if kind is PROPERTIES:
        return {_key(kind, row): None for row in rows.values()}, []
    properties = {p.code: p for p in visible.filter(code__in={row["property"] for row in rows.values()})}
    unknown = {n: row for n, row in rows.items() if row["property"] not in properties}
    known = list(visible.values_list("code", flat=True)) if unknown else []
    faults = [
        BadRow(n, "property", f"There is no property “{row['property']}”.{nearest(row['property'], known)}")
        for n, row in unknown.items()
    ]
    rest = {n: row for n, row in rows.items() if n not in unknown}
    if kind is PERIODS:
        return {_key(kind, row): properties[row["property"]] for row in rest.values()}, faults
    owners, more = _periods_of(kind, rest, properties)
    return owners, faults + more


def _periods_of(
    kind: Kind, rows: Rows, properties: Mapping[str, Property]
) -> tuple[dict[Key, Any], list[BadRow]]:
    of = FinancialPeriod.objects.filter(property__in=properties.values()).select_related("property")
    periods = {(p.property.code, p.label): p for p in of}
    owners, faults = {}, []
    for n, row in rows.items():
        owner = periods.get((row["property"], row["period"]))
        if owner:
            owners[_key(kind, row)] = owner
            continue
        known = nearest(row["period"], [label for code, label in periods if code == row["property"]])
        faults.append(BadRow(n, "period", f"{row['property']} has no period “{row['period']}”.{known}"))
    return owners, faults


def _foreign(rows: Rows, visible: QuerySet[Property]) -> list[BadRow]:
    known = set(visible.values_list("code", flat=True))
    return [
        BadRow(n, "code", f"There is no property “{row['code']}”.{nearest(row['code'], known)}")
        for n, row in rows.items()
        if row["code"] not in known
    ]


def _lacking(kind: Kind, rows: Rows, owners: Mapping[Key, Any], stored: Mapping[Key, Any]) -> list[BadRow]:
    """New records without something that a record needs."""
    new = {n: row for n, row in rows.items() if _key(kind, row) in owners and _key(kind, row) not in stored}
    return [
        BadRow(n, name, "A new record needs this.")
        for n, row in new.items()
        for name in kind.required
        if row.get(name) is None
    ]


_KEY_OF: dict[str, Callable[[Any], Key]] = {
    "properties": lambda row: (row.code,),
    "periods": lambda row: (row.property.code, row.label),
    "financial-metrics": lambda row: (row.period.property.code, row.period.label),
    "income-statements": lambda row: (row.period.property.code, row.period.label, row.account_code),
}


def _stored(kind: Kind, owners: Mapping[Key, Any]) -> dict[Key, Any]:
    """The records that are there already, locked, by key."""
    rows: QuerySet[Any] = kind.model._default_manager.select_for_update()
    if kind is PROPERTIES:
        rows = rows.filter(code__in=[key[0] for key in owners])
    elif kind is PERIODS:
        rows = rows.filter(property__in=set(owners.values())).select_related("property")
    else:
        rows = rows.filter(period__in=set(owners.values())).select_related("period__property")
    found = ((_KEY_OF[kind.name](row), row) for row in rows)
    return {key: row for key, row in found if key in owners}


def _disordered(kind: Kind, rows: Rows, stored: Mapping[Key, Any]) -> list[BadRow]:
    """Periods whose one given date contradicts the stored other one."""
    if kind is not PERIODS:
        return []
    faults = []
    for n, row in rows.items():
        before = stored.get(_key(kind, row))
        start, end = (row.get(name) or getattr(before, name, None) for name in ("start", "end"))
        if start and end and start > end:
            faults.append(BadRow(n, "end", f"A period cannot end before it starts ({start})."))
    return faults


def _write(kind: Kind, rows: Sequence[Row], owners: Mapping[Key, Any], stored: Mapping[Key, Any]) -> Outcome:
    outcome, new, changed = Outcome(), [], []
    for row in rows:
        key = _key(kind, row)
        record = stored.get(key)
        if record is None:
            new.append(_made(kind, row, owners[key]))
            outcome.lines.append(f"new {kind.name}: {' · '.join(map(str, key))}")
            continue
        changes = _changes(kind, record, row)
        if changes:
            changed.append(record)
            outcome.lines.append(f"changed {kind.name}: {' · '.join(map(str, key))}: {'; '.join(changes)}")
    columns = [*kind.values, *(["updated_at"] if hasattr(kind.model, "updated_at") else [])]
    kind.model._default_manager.bulk_create(new, batch_size=BATCH)
    kind.model._default_manager.bulk_update(changed, columns, batch_size=BATCH)
    outcome.created, outcome.changed = len(new), len(changed)
    outcome.unchanged = len(rows) - len(new) - len(changed)
    return outcome


def _made(kind: Kind, row: Row, owner: Any) -> Any:
    values = {name: row[name] for name in (*kind.key, *kind.values) if name in row}
    if owner is not None:
        values |= {"property": owner} if kind is PERIODS else {"period": owner}
    if kind in (METRICS, STATEMENT_LINES):
        values.pop("property", None)
    return kind.model(**values)


def _changes(kind: Kind, record: Any, row: Row) -> list[str]:
    """Lay the row's values over the record; what differed, in words."""
    told = []
    for name in kind.values:
        if name in row and getattr(record, name) != row[name]:
            told.append(f"{name} {getattr(record, name)} → {row[name]}")
            setattr(record, name, row[name])
    if told and hasattr(record, "updated_at"):
        record.updated_at = timezone.now()
    return told
