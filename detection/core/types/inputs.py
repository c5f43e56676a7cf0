"""What goes in: an answer with its sources, and the figures of record that it is judged by."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal

from detection.core.types.words import Kind

RECORD = "record: "
"""How the ids of passages begin that figures of record are told in; no source that is submitted may be called so."""


def is_of_record(ref: str) -> bool:
    """Whether an id is that of a passage of figures of record, and of no source."""
    return ref.startswith(RECORD)


@dataclass(frozen=True, slots=True)
class Source:
    """One chunk the answer was written from. ``ref`` is the id that ``[ref]`` in the answer cites."""

    ref: str
    text: str
    parent_ref: str | None = None
    title: str = ""
    score: float | None = None
    quality: float | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Period:
    """A financial period of one property, both ends inclusive."""

    id: int
    property: str
    label: str
    start: date
    end: date


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of record: one column of one row of the financial database.

    ``kind`` is currency (major units, ``unit`` an ISO 4217 code), percentage (in percent, ``%``) or
    ratio (``x``). ``field`` is the metric's name (``net_operating_income``) or a statement line's
    account code; ``name`` is what people call it.
    """

    record: str
    id: int
    field: str
    name: str
    kind: Kind
    value: Decimal
    unit: str
    property: str
    period: str
    start: date
    end: date
    as_of: str


@dataclass(frozen=True, slots=True)
class Alias:
    """A phrase that names a metric in a language: ``NOI`` is ``net_operating_income``."""

    metric: str
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Named:
    """A property by its code and a name that people call it by (its code among them)."""

    property: str
    name: str


@dataclass(frozen=True, slots=True)
class Case:
    """One answer with everything it is judged by.

    ``figures`` holds the asked-for property's and period's figures and their neighbours (other periods
    of the property, other properties in the period), because a value that stands in the wrong slot must
    be recognised as such. ``database`` says whether they could be read: ``unavailable`` never looks like
    support (contracts §3.6). ``refused`` is why strict generation did not show the answer to its reader.
    """

    answer: str
    question: str = ""
    language: str = "en"
    sources: tuple[Source, ...] = ()
    figures: tuple[Figure, ...] = ()
    periods: tuple[Period, ...] = ()
    aliases: tuple[Alias, ...] = ()
    properties: tuple[Named, ...] = ()
    property: str | None = None
    period: Period | None = None
    fiscal_year_end: int | None = (
        None  # the month in which the property's fiscal year ends, where it is stored
    )
    database: Literal["ok", "unavailable", "not_asked"] = "not_asked"
    original_confidence: float | None = None
    question_type: str | None = None
    iteration: int | None = None
    max_iterations: int | None = None
    refused: str | None = None
