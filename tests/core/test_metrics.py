"""Which metric a number belongs to: the nearest phrase of its kind, in the words of three languages."""

import pytest

from detection.core.types import Alias
from tests.core.slot_cases import METRICS, slots
from tests.tables import each_case

CASES = [
    (
        "NOI rose from $1.1M to $1.2M while occupancy fell to 91 %",
        ["net_operating_income", "net_operating_income", "occupancy_rate"],
    ),
    ("NOI and debt service were $1.2M and $0.9M, respectively.", ["net_operating_income", "debt_service"]),
    ("The property had 91% occupancy and a DSCR of 1.25.", ["occupancy_rate", "dscr"]),
    (
        "Total revenue was $5M, operating expenses were $3M and NOI was $2M.",
        ["total_revenue", "operating_expenses", "net_operating_income"],
    ),
    ('ה-NOI עמד על 1.2 מיליון ש"ח והתפוסה על 91%', ["net_operating_income", "occupancy_rate"]),
    ("净营业收入为120万元，出租率为91%。", ["net_operating_income", "occupancy_rate"]),
    ("NOI grew 5 %.", ["net_operating_income"]),
    ("NOI was 5 %.", [None]),
    ("Occupancy was $5.", [None]),
    ("The fee was $5.", [None]),
]


def metrics_of(text: str, *aliases: Alias) -> list[str | None]:
    language = "zh" if "。" in text else "he" if any("א" <= sign <= "ת" for sign in text) else "en"
    known = [*METRICS, *(alias.metric for alias in aliases if alias.metric not in METRICS)]
    return [slot.metric for slot in slots(text, language=language, metrics=known, aliases=aliases)]


@pytest.mark.requirement("NUM-05")
@each_case(("text", "metrics"), CASES)
def test_a_number_belongs_to_the_nearest_fitting_metric_of_its_clause(
    text: str, metrics: list[str | None]
) -> None:
    assert metrics_of(text) == metrics


@pytest.mark.parametrize(
    "text",
    [
        "The DSCR covenant is 1.20x.",
        "Budgeted NOI was $1.3M.",
        "The NOI target is $1.3M.",
        "NOI per unit was $4,520.",
    ],
)
def test_what_was_demanded_or_planned_or_counted_by_the_piece_is_not_the_figure(text: str) -> None:
    assert metrics_of(text) == [None]


@pytest.mark.parametrize(
    ("text", "metrics"),
    [
        ("Management fees were 3% of revenue, or $93,000.", [None, "management_fees"]),
        ("管理费占总收入的3%。", [None]),
        ("NOI:\n- 2023: $4.4M\n- 2024: $4.7M", ["net_operating_income"] * 2),
        ("Operating expenses:\n- Roof: $20,000", [None]),
        ("| NOI | Budget |\n|---|---|\n| $1.2M | $1.3M |", ["net_operating_income", None]),
        ("| Year | NOI ($) | Occupancy (%) |\n|---|---|---|\n| 2023 | 4,400,000 | 94.0 |",
         ["net_operating_income", "occupancy_rate"]),
        ("NOI was $1.2M after a roof repair of $40,000.", ["net_operating_income", None]),
    ],
)  # fmt: skip
def test_shares_headings_and_tables_name_what_a_reader_takes_them_to(
    text: str, metrics: list[str | None]
) -> None:
    assert metrics_of(text) == metrics


def test_what_somebody_pays_is_no_figure_of_the_subject_before() -> None:
    text = "NOI was $1.2M and the owner spent $50,000 on a new roof."
    assert metrics_of(text) == ["net_operating_income", None]


def test_a_sentence_without_a_subject_goes_on_with_the_figure_before() -> None:
    assert metrics_of("NOI was $1.1M. It rose to $1.2M.") == ["net_operating_income"] * 2
    assert metrics_of("NOI was $1.1M. The roof cost $1.2M.") == ["net_operating_income", None]
    assert metrics_of("NOI was $1.1M and revenue $3M. It rose to $1.2M.")[2] is None


def test_account_names_are_added_to_the_built_in_phrases() -> None:
    assert metrics_of("Parking permits were $5.", Alias("4300", "", "Parking Permits")) == ["4300"]


def test_a_percentage_is_of_an_account_only_as_its_change() -> None:
    alias = Alias("4300", "", "Parking Permits")
    assert metrics_of("Parking permits were 5 %.", alias) == [None]
    assert metrics_of("Parking permits rose 5 %.", alias) == ["4300"]


def test_an_account_named_by_a_built_in_phrase_answers_to_its_other_phrases() -> None:
    taxes = Alias("6100", "", "Real Estate Taxes")
    assert metrics_of("Property taxes were $5.", taxes) == ["6100"]
    assert metrics_of("Property taxes were $5.", taxes, Alias("6101", "", "Property tax")) == [
        "property_taxes"
    ]


def test_an_alias_of_the_admins_names_its_metric_in_any_language() -> None:
    alias = Alias("net_operating_income", "he", "השורה התפעולית")
    assert metrics_of('השורה התפעולית הייתה 5 ש"ח.', alias) == ["net_operating_income"]
