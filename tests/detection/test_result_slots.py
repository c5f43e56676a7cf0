"""What a Result says of the slots of a number: those of what its finding rests on, and of all else it was compared with."""

from datetime import date
from typing import Any

import pytest

from detection import toolkit
from detection.models import FinancialMetrics, FinancialPeriod, Property
from detection.serializers.results import SlotSerializer

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("NUM-05")]


def amount(
    answer: str, sources: list[dict[str, str]] | None = None, period: FinancialPeriod | None = None
) -> dict[str, Any]:
    """The rendered claim of the first number of an answer that is no date."""
    result = toolkit.judge(
        answer,
        sources=sources or [],
        detectors=["numeric"],
        about=period.property if period else None,
        period=period,
    )
    return next(c for c in result["claims"] if c["kind"] not in ("statement", "date", "change"))


def quarter(label: str, start: str, end: str, income: str) -> FinancialPeriod:
    """A quarter of Oak Plaza with its net operating income."""
    oak, _ = Property.objects.get_or_create(code="OAK", defaults={"name": "Oak Plaza"})
    period = FinancialPeriod.objects.create(
        property=oak, label=label, start=date.fromisoformat(start), end=date.fromisoformat(end)
    )
    FinancialMetrics.objects.create(period=period, net_operating_income=income)
    return period


@pytest.fixture
def own(db: None) -> FinancialPeriod:
    """The third quarter of 2024, with the one before it."""
    quarter("Q2 2024", "2024-04-01", "2024-06-30", "1173500")
    return quarter("Q3 2024", "2024-07-01", "2024-09-30", "1234567.89")


def told(slots: list[dict[str, Any]]) -> dict[str, tuple[Any, ...]]:
    return {s["slot"]: (s.get("said"), s.get("states"), s["verdict"], s.get("by")) for s in slots}


def test_a_supported_figure_says_which_words_named_what(own: FinancialPeriod) -> None:
    answer = "NOI came to $1,234,567.89."
    claim = amount(answer, period=own)
    assert told(claim["slots"]) == {
        "metric": ("NOI", "net operating income", "agree", "sentence"),
        "property": ("Oak Plaza", "OAK", "assumed", "link"),
        "period": ("Q3 2024", "Q3 2024", "assumed", "link"),
        "unit": ("USD", "USD", "agree", "sentence"),
    }
    (metric,) = (s for s in claim["slots"] if s["slot"] == "metric")
    assert answer[metric["start"] : metric["end"]] == "NOI"
    assert all("slots" not in item for item in claim["evidence"])
    assert claim["numeric"]["tolerance"] is None


def test_words_of_several_places_are_sent_each_by_itself(own: FinancialPeriod) -> None:
    answer = "Q3 2024 was strong. NOI rose 5.2% from Q2 2024."
    (period,) = (s for s in amount(answer, period=own)["slots"] if s["slot"] == "period")
    assert [(one["by"], answer[one["start"] : one["end"]]) for one in period["parts"]] == [
        ("sentence", "Q2 2024"),
        ("before", "Q3 2024"),
    ]


def test_a_slip_carries_the_slot_in_which_it_lies(own: FinancialPeriod) -> None:
    claim = amount("NOI was $1,173,500.00 in Q3 2024.", period=own)
    assert {s["verdict"] for s in claim["slots"]} <= {"agree", "assumed"}
    slip = claim["looked_at"][0]
    assert told(slip["slots"])["period"] == ("Q3 2024", "Q2 2024", "conflict", "sentence")


def test_a_number_that_is_somebody_elses_alone_shows_the_slots_of_that() -> None:
    claim = amount(
        "Actual revenue was $4.2 million.", [{"id": "S0", "text": "Budgeted revenue was $4.2 million."}]
    )
    assert (claim["finding"], claim["numeric"]["expected"]) == ("off_role", None)
    assert told(claim["slots"])["role"] == ("Actual", "budget", "conflict", "sentence")


def test_what_words_name_is_there_where_nothing_could_be_compared() -> None:
    claim = amount("NOI was budgeted at $5 million in Q3 2024.", [{"id": "S0", "text": "Nothing here."}])
    assert told(claim["slots"])["role"] == ("budgeted", None, "open", "sentence")


def test_the_documented_shape_is_what_is_sent(own: FinancialPeriod) -> None:
    for slot in amount("NOI was $1,234,567.89.", period=own)["slots"]:
        shape = SlotSerializer(data=slot)
        assert shape.is_valid(), shape.errors
        assert set(slot) <= set(shape.fields)
