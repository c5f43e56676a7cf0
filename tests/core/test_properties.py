"""Which property a number speaks of: the words around it, else what stands above it, else the answer's."""

import pytest

from detection.core.types import Named
from tests.core.slot_cases import slots
from tests.tables import each_case

PROPERTIES = (
    Named("OAK", "OAK"),
    Named("OAK", "Oak Tower Apartments"),
    Named("MAPLE", "Maple Court"),
    Named("HDR", "קניון הדר"),
    Named("12", "12"),
    Named("IN", "IN"),
)


def owners(text: str, *more: Named, own: str | None = None) -> list[str | None]:
    """The property of each number; None for the answer's own where that is none of them."""
    language = "he" if any("א" <= sign <= "ת" for sign in text) else "en"
    metrics = ("net_operating_income", "dscr")
    found = slots(text, language=language, metrics=metrics, names=(*PROPERTIES, *more), own=own or "OWN")
    return [None if slot.property == "OWN" else slot.property for slot in found]


@pytest.mark.requirement("NUM-05")
@each_case(
    ("text", "codes"),
    [
        ("NOI was $1.2M.", [None]),
        ("oak tower apartments' NOI was $1.2M.", ["OAK"]),
        ("NOI was $1.2M at Oak Tower.", ["OAK"]),
        ("OAK had NOI of $1.2M, Maple Court $0.9M.", ["OAK", "MAPLE"]),
        ("NOI was $0.9M at Maple Court and $1.2M at OAK.", ["MAPLE", "OAK"]),
        ("OAK and Maple Court reported NOI of $1.2M and $0.9M, respectively.", ["OAK", "MAPLE"]),
        ("OAK outperformed Maple Court, with NOI of $1.2M.", ["OAK"]),
        ('ה-NOI בקניון הדר היה 1.2 מיליון ש"ח.', ["HDR"]),
        ("Maple Court did well. NOI was $0.9M.", ["MAPLE"]),
        ("## Maple Court\n\n- NOI: $0.9M\n- DSCR: 1.2x", ["MAPLE", "MAPLE"]),
        ("The portfolio's NOI was $5M.", [None]),
        ("Maple Court did well. Spending fell across the portfolio. NOI was $0.9M.", ["MAPLE"]),
    ],
)
def test_a_number_belongs_to_the_property_its_words_name(text: str, codes: list[str | None]) -> None:
    assert owners(text) == codes


def test_numbers_and_small_words_are_no_names() -> None:
    assert owners("NOI was $1.2M in 12 of 15 units, in all.") == [None] * 3
    assert owners("Oaks grew; NOI was $1.2M.") == [None]


def test_a_name_that_two_properties_bear_is_the_answers_own_or_nobodys() -> None:
    twin = Named("MAPLE2", "Maple Court")
    assert owners("NOI at Maple Court was $1.2M.", twin) == [None]
    assert owners("NOI at Maple Court was $1.2M.", twin, own="MAPLE2") == ["MAPLE2"]


def test_the_first_words_of_a_name_do_where_they_are_no_others() -> None:
    elm = Named("ELM1", "Elm House North")
    assert owners("NOI at Elm House was $1.2M.", elm) == ["ELM1"]
    assert owners("NOI at Elm House was $1.2M.", elm, Named("ELM2", "Elm House South")) == [None]


def test_hundreds_of_properties_are_found_as_one_is() -> None:
    many = tuple(Named(f"P{place}", f"Number {place} Main Street") for place in range(500))
    assert owners("NOI at Number 499 Main Street was $1.2M.", *many) == ["P499"]
