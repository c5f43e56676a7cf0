"""What is read: the claims of an answer and the numbers in them."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from detection.core.types.words import Kind


@dataclass(frozen=True, slots=True)
class NumericClaim:
    """A number as the text states it (contracts §3).

    ``value`` is a Decimal (major currency units, percent, ratio, plain number) or, for dates, the ISO
    form ``2024-12-01``, ``2024-12``, ``2024-Q3``, ``2024-H1``, ``2024``. ``precision`` is half a unit of the last stated
    digit, in the unit of ``value``: ``$1.2M`` has 50,000. ``bound`` is ``at_least`` / ``at_most`` for
    "more than" / "up to"; ``direction`` is ``up`` / ``down`` for "increased by".
    """

    kind: Kind
    text: str
    start: int
    end: int
    value: Decimal | str
    unit: str
    precision: Decimal = Decimal(0)
    approximate: bool = False
    bound: Literal["at_least", "at_most"] | None = None
    direction: Literal["up", "down"] | None = None
    noun: str | None = None
    start_date: date | None = None
    end_date: date | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One verifiable thing the answer says: a statement, or a number inside one.

    ``excluded`` names the act of a statement that asserts nothing of the world (``question``, ``instruction``, ``hedge``,
    ``abstention`` …: :data:`detection.core.discourse.Act`; SPEC-08.09). ``statement`` is a number's parent index.
    ``confidence`` is stated in the text or None. ``metric``, ``period`` (ISO form) and ``property`` (code) are what a number is bound to by the words
    around it; None where they name none, which means the answer's own period and property.
    """

    index: int
    kind: Kind
    text: str
    start: int
    end: int
    sentence: int
    citations: tuple[str, ...] = ()
    statement: int | None = None
    confidence: float | None = None
    excluded: str | None = None
    number: NumericClaim | None = None
    metric: str | None = None
    period: str | None = None
    property: str | None = None
