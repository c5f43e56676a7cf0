"""Records survive being stored, and what does not fit is refused."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from datetime import date
from decimal import Decimal
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from detection.core import codec
from detection.core.types import (
    Candidate,
    Case,
    Claim,
    Decision,
    Finding,
    GroundingMeasurement,
    JudgeMeasurement,
    LiftMeasured,
    Measurement,
    NumberMeasured,
    NumericClaim,
    NumericMeasurement,
    Overlap,
    Reason,
    Score,
    Source,
    Usage,
    Verdict,
)
from tests.tables import each_case

RECORDS = [
    *get_args(Measurement),
    *get_args(Decision),
    Claim,
    NumericClaim,
    Finding,
    Score,
    Reason,
    Verdict,
    Source,
    Case,
]
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=3,
)
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    float: st.floats(allow_nan=False, allow_infinity=False),
    Decimal: st.decimals(allow_nan=False, allow_infinity=False),
    object: JSON,
}


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Finite values of a type, tuples and mappings kept short."""
    origin, args = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        hints = get_type_hints(hint)
        return st.builds(hint, **{name: values(of) for name, of in hints.items()})
    if origin is UnionType:
        return st.one_of([values(of) for of in args])
    if origin is tuple:
        return (
            st.lists(values(args[0]), max_size=2).map(tuple) if ... in args else st.tuples(*map(values, args))
        )
    if origin is Mapping:
        return st.dictionaries(values(args[0]), values(args[1]), max_size=2)
    return PLAIN.get(hint, st.from_type(hint))


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.parametrize("cls", RECORDS, ids=lambda cls: cls.__name__)
@given(data=st.data())
def test_every_record_comes_back_as_it_was(cls: type, data: st.DataObject) -> None:
    record = data.draw(values(cls))
    stored = json.loads(json.dumps(codec.dump(record), allow_nan=False))
    loaded: object = codec.load(cls, stored)
    assert loaded == record
    assert codec.dump(loaded) == stored


def test_what_is_stored_can_be_read_by_people() -> None:
    measured = NumberMeasured(
        kind="currency",
        value=Decimal("1234567.890"),
        unit="USD",
        precision=Decimal("0.005"),
        candidates=(Candidate(origin="document", text="1,234,567.89", value=Decimal("1E+3"), days=(0, -3)),),
    )
    stored = codec.dump(NumericMeasurement({7: measured}))
    assert stored["schema"] == 1
    assert stored["claims"]["7"]["value"] == "1234567.890"
    assert stored["claims"]["7"]["candidates"][0]["value"] == "1E+3"
    assert stored["claims"]["7"]["candidates"][0]["days"] == [0, -3]


@pytest.mark.parametrize("value", [Decimal(2024), "2024", "2024-Q3", Decimal("-0.00"), Decimal("1E-30")])
def test_a_number_and_a_date_are_not_confused(value: Decimal | str) -> None:
    record = NumberMeasured(kind="date", value=value, unit="", precision=Decimal(0))
    loaded = codec.load(NumberMeasured, codec.dump(record))
    assert type(loaded.value) is type(value)
    assert str(loaded.value) == str(value)


def test_dates_are_stored_as_iso() -> None:
    number = NumericClaim(
        "date", "Q3", 0, 2, "2024-Q3", "", start_date=date(2024, 7, 1), end_date=date(2024, 9, 30)
    )
    stored = codec.dump(number)
    assert (stored["start_date"], stored["value"]) == ("2024-07-01", {"text": "2024-Q3"})
    assert codec.load(NumericClaim, stored) == number


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=r"claims\[3\]\.overlap:"):
        codec.dump(GroundingMeasurement({3: Overlap(value, 0.0, None)}, ()))
    with pytest.raises(ValueError, match=r"metadata\[page\]"):
        codec.dump(Source("S0", "", metadata={"page": [value]}))
    with pytest.raises(ValueError, match=r"usd"):
        codec.dump(Usage(usd=Decimal(value)))


JUDGED = codec.dump(JudgeMeasurement(0.5, "why", 0.9, "continue", 0.1, ""))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "schema 2"),
        ({"schema": None}, "schema None"),
        ({"score": "0.5"}, "score"),
        ({"score": True}, "score"),
        ({"score": math.nan}, "score"),
        ({"reasoning": 1}, "reasoning"),
        ({"reasoning": None}, "reasoning"),
        ({"invented": 1}, "invented"),
    ],
)
def test_data_that_does_not_fit_is_refused_by_name(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        codec.load(JudgeMeasurement, {**JUDGED, **change})


@each_case(
    ("cls", "data", "message"),
    [
        (JudgeMeasurement, {"schema": 1}, "score: missing"),
        (Reason, {"schema": 1, "code": "a", "text": "b", "claim": 1.5}, "claim"),
        (LiftMeasured, {"schema": 1, "text_length": 1, "cited": True, "p1": [0.1]}, "1 items where 2"),
        (LiftMeasured, {"schema": 1, "text_length": 1, "cited": True, "p1": 0.1}, "not a list"),
        (LiftMeasured, {"schema": 1, "text_length": 1, "cited": True, "usage": 5}, "not a Usage"),
        (Usage, {"schema": 1, "usd": "many"}, "usd"),
        (Usage, {"schema": 1, "usd": "NaN"}, "usd"),
        (Usage, {"schema": 1, "usd": 1.5}, "usd"),
        (NumericMeasurement, {"schema": 1, "claims": {"x": {}}}, "claims"),
        (NumericMeasurement, {"schema": 1, "claims": []}, "not a mapping"),
        (
            Finding,
            {"schema": 1, "detector": "n", "claim": 0, "status": "fine", "code": "", "reason": ""},
            "status",
        ),
    ],
)
def test_broken_rows_are_refused_by_name(cls: type, data: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        codec.load(cls, data)


def test_a_field_added_later_takes_its_default() -> None:
    stored = codec.dump(Overlap(0.5, 0.25, "S0")) | codec.dump(Usage(calls=3))
    kept = {name: stored[name] for name in ("schema", "calls")}
    assert codec.load(Usage, kept) == Usage(calls=3)


def test_only_records_are_stored() -> None:
    with pytest.raises(TypeError, match="dict"):
        codec.dump({"schema": 1})
    with pytest.raises(TypeError, match="type"):
        codec.dump(Usage)


def test_a_value_of_another_type_is_refused_when_stored() -> None:
    @dataclass(frozen=True)
    class Other:
        overlap: float = 0.5

    with pytest.raises(ValueError, match="object cannot be stored"):
        codec.dump(Source("S0", "", metadata={"page": object()}))
    with pytest.raises(ValueError, match="Other is not Overlap"):
        codec.dump(GroundingMeasurement({0: Other()}, ()))  # type: ignore[dict-item]  # the wrong type is the case
