"""What prose says alike of several that it names is a list: what they come to, one of them on average and a share of that are
supported, and nothing is refuted by it."""

import pytest

from detection.core.evidence.prose import of_prose
from detection.core.periods import CALENDAR_YEAR
from detection.core.types import Source
from tests.core.document_cases import judged
from tests.tables import each_case

TRAMS = (
    "The council has published what passengers paid. Line Vesper took €410,000 in fares; the takings of Harbour and Old Mint "
    "came to €260,000 and €190,000. That leaves Quayside: €140,000 is what the auditors found."
)
VANS = (
    "The Ferrow has a payload of 900 and a range of 310. For the Kestrel the two values are 1,100 and 280, for the Dunnock 750 and 350, "
    "and the Merlin, the last one tested, has 1,250 and 240."
)
RANKED = "Four schools were compared: Alder, Birch, Cedar and Dogwood. Measured by pupils, they stand at 410, 380, 295 and 210 respectively."
BANK = "Halden Savings shuts 23 of its 118 branches by the end of June, it said on Thursday, and 190 jobs go."
STALLS = "东门摊位的销售额为320元，西门摊位的销售额为180元，南门摊位的销售额为100元。"
pytestmark = pytest.mark.requirement("NUM-06")


def lists(source: str, title: str = "") -> list[dict[str, list[str]]]:
    """The lists of a text: what stands in each row."""
    grids, _ = of_prose(Source("S0", source, title=title), (), CALENDAR_YEAR)
    return [
        {
            row.text: [fact.text for fact in grid.facts if fact.at[1] == place]
            for place, row in enumerate(grid.axes[1].labels)
        }
        for grid in grids
        if grid.is_told
    ]


@each_case(
    ("source", "rows"),
    [
        (TRAMS, [["€410,000"], ["€260,000"], ["€190,000"], ["€140,000"]]),
        (VANS, [["900", "310"], ["1,100", "280"], ["750", "350"], ["1,250", "240"]]),
        (RANKED, [["410"], ["380"], ["295"], ["210"]]),
        (STALLS, [["320元"], ["180元"], ["100元"]]),
    ],
)
def test_each_number_goes_with_its_name(source: str, rows: list[list[str]]) -> None:
    (found,) = lists(source)
    assert [*found.values()] == rows


def test_numbers_of_different_things_make_no_list() -> None:
    assert lists(BANK) == []


def test_two_names_make_no_list() -> None:
    assert lists("Ferrow carries 900 kg and Kestrel 1,100 kg.") == []


@each_case(
    ("answer", "source", "number", "right"),
    [
        ("The four lines took €1,000,000 in total.", TRAMS, "€1,000,000", True),
        ("The four lines took €1,060,000 in total.", TRAMS, "€1,060,000", False),
        ("On average a line took €250,000.", TRAMS, "€250,000", True),
        ("On average a line took €280,000.", TRAMS, "€280,000", False),
        ("Together, Harbour and Quayside account for 40% of all takings.", TRAMS, "40%", True),
        ("Together, Harbour and Quayside account for 47% of all takings.", TRAMS, "47%", False),
        ("Alder has 115 more pupils than Cedar.", RANKED, "115", True),
        ("Alder has 155 more pupils than Cedar.", RANKED, "155", False),
        ("三个摊位的平均销售额为200元。", STALLS, "200元", True),
        ("三个摊位的平均销售额为250元。", STALLS, "250元", False),
    ],
)
def test_what_follows_from_a_list_is_supported(answer: str, source: str, number: str, right: bool) -> None:
    assert (judged(answer, source, number=number).status == "supported") is right


def test_a_list_names_whose_a_number_is() -> None:
    assert judged("Old Mint took €260,000 in fares.", TRAMS, number="€260,000").code == "off_metric"
