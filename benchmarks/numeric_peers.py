"""Other readers of numbers, made to answer in our terms: Recognizers-Text, quantulum3, price-parser.

``requirements-peers.txt`` names the versions; a peer that is not installed is named with the reason, never
estimated. The mapping favours the peer: a number or a date that it reads in several ways is offered in each of
them, a range as both its ends, and where it knows no ratios its plain numbers are offered as ratios.
"""

import importlib
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from detection.core.numbers import CODE_MEANS, CURRENCY_CODES, CURRENCY_SIGNS, CURRENCY_WORDS, iso_of
from detection.core.types import Kind, NumericClaim

Reader = Callable[[str], list[NumericClaim]]


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer ready to read; ``kinds`` are those it knows, ``running_text`` whether it reads every number of a text."""

    name: str
    read: Reader
    kinds: frozenset[str]
    running_text: bool = True


def installed() -> tuple[list[Peer], list[str]]:
    """The peers of this environment, and one line for each that is missing."""
    peers, missing = [], []
    for name, make in (
        ("Recognizers-Text", _recognizers),
        ("quantulum3", _quantulum),
        ("price-parser", _price_parser),
    ):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                peers.append(make(name))
        except ImportError as error:
            missing.append(f"{name}: not installed, not compared ({error})")
    return peers, missing


def _claim(kind: Kind, text: str, start: int, end: int, value: object, unit: str = "") -> NumericClaim | None:
    try:
        known = value if kind == "date" and isinstance(value, str) else Decimal(str(value))
    except InvalidOperation:
        return None
    return NumericClaim(kind, text[start:end], start, end, known, unit)


# --- Recognizers-Text: a model for each kind, offsets of the last character ----------------------------------

_UNITS = {  # names of its units whose ISO code it leaves out because more than one country uses them
    "Dollar": "USD", "Pound": "GBP", "Franc": "CHF", "Rupee": "INR", "Peso": "MXN", "Yen": "JPY", "Euro": "EUR"
}  # fmt: skip


def _recognizers(name: str) -> Peer:
    suite = importlib.import_module("recognizers_suite")
    english = suite.Culture.English
    units = importlib.import_module("recognizers_number_with_unit").NumberWithUnitRecognizer(english)
    numbers = importlib.import_module("recognizers_number").NumberRecognizer(english)
    dates = importlib.import_module("recognizers_date_time").DateTimeRecognizer(english)
    models: list[tuple[Kind, Any]] = [
        ("currency", units.get_currency_model()),
        ("percentage", numbers.get_percentage_model()),
        ("date", dates.get_datetime_model()),
        ("number", numbers.get_number_model()),
    ]

    def read(text: str) -> list[NumericClaim]:
        claims: list[NumericClaim] = []
        for kind, model in models:
            for found in model.parse(text):
                if kind != "number" or not _inside(claims, found.start, found.end + 1):
                    claims.extend(_recognized(kind, text, found))
        return claims

    return Peer(name, read, frozenset({"currency", "percentage", "date", "number"}))


def _inside(claims: list[NumericClaim], start: int, end: int) -> bool:
    return any(claim.start < end and start < claim.end for claim in claims)


def _recognized(kind: Kind, text: str, found: Any) -> Iterator[NumericClaim]:
    said = found.resolution or {}
    start, end = found.start, found.end + 1
    if kind == "date":
        readings = [_date(reading) for reading in said.get("values", [])]
        claims = [_claim("date", text, start, end, reading) for reading in readings if reading]
    elif kind == "currency":
        code = said.get("isoCurrency") or _UNITS.get(said.get("unit", ""), said.get("unit", ""))
        claims = [_claim("currency", text, start, end, said.get("value"), code)]
    else:
        value = str(said.get("value")).rstrip("%")
        kinds: tuple[Kind, ...] = ("number", "ratio") if kind == "number" else (kind,)
        claims = [_claim(each, text, start, end, value, "") for each in kinds]
    yield from (claim for claim in claims if claim is not None)


def _date(reading: dict[str, str]) -> str | None:
    """Our ISO form of a reading; the end of its ranges is the day after."""
    try:
        if reading["type"] == "date":
            return date.fromisoformat(reading["value"]).isoformat()
        if reading["type"] == "daterange":
            last = date.fromisoformat(reading["end"]) - timedelta(days=1)
            return iso_of(date.fromisoformat(reading["start"]), last)
    except (KeyError, ValueError):
        return None
    return None


# --- quantulum3: quantities with units; it reads no dates ----------------------------------------------------


def _quantulum(name: str) -> Peer:
    parser = importlib.import_module("quantulum3.parser")

    def read(text: str) -> list[NumericClaim]:
        try:
            found = parser.parse(text)
        except Exception:  # noqa: BLE001 - it raises many kinds on unusual text; what it cannot read it does not find
            return []
        return [claim for one in found for claim in _quantity(text, one)]

    return Peer(name, read, frozenset({"currency", "percentage", "number"}))


def _quantity(text: str, found: Any) -> Iterator[NumericClaim]:
    kinds: tuple[Kind, ...] = ("number", "ratio")
    unit = ""
    if found.unit.entity.name == "currency":
        kinds, unit = ("currency",), getattr(found.unit, "currency_code", None) or found.unit.name
    elif found.unit.name == "percentage":
        kinds = ("percentage",)
    spread = found.uncertainty or 0
    for value in {found.value, found.value - spread, found.value + spread}:
        for kind in kinds:
            claim = _claim(kind, text, found.span[0], found.span[1], value, unit)
            if claim is not None:
                yield claim


# --- price-parser: one price of one short text ---------------------------------------------------------------


def _price_parser(name: str) -> Peer:
    price = importlib.import_module("price_parser").Price

    def read(text: str) -> list[NumericClaim]:
        found = price.fromstring(text)
        if found.amount is None:
            return []
        start = text.find(found.amount_text)
        unit = _code(found.currency or "")
        claim = _claim("currency", text, start, start + len(found.amount_text), found.amount, unit)
        return [claim] if claim is not None else []

    return Peer(name, read, frozenset({"currency"}), running_text=False)


def _code(written: str) -> str:
    plain = written.lower()
    if written.upper() in CURRENCY_CODES:
        return CODE_MEANS.get(written.upper(), written.upper())
    return CURRENCY_SIGNS.get(plain) or CURRENCY_WORDS.get(plain) or written
