"""An amount in one unit of measure beside one in another: converted, a slip of the unit, or of something else."""

import pytest

from tests.core.document_cases import judged
from tests.tables import each_case

pytestmark = pytest.mark.requirement("NUM-05")

WATER = (
    "| District | Inflow (ML) | Leakage (ML) | Mains (km) |\n|---|---|---|---|\n"
    "| Nordhof | 6,310 | 742 | 418 |\n| Suhl | 2,205 | 391 | 260 |"
)
SOLAR = "Site;Output 2023 (MWh);Output 2024 (MWh);Outages (hours)\nDune;18,400;17,950;212\nMarsh;9,120;9,640;88\nHill;7,300;7,410;96"
MINES = "Pit | Ore (kt) | Gold (koz) a\nAlder | 2,140 | 188.3\nBirch | 1,020 | 74.6\nCedar | 655 | 41.2\na payable metal"
CROPS = "Crop | Area, ha | Harvest, t\nBarley | 1,840 | 11,960\nOats | 620 | 3,410\nRye | 410 | 1,930"
FREIGHT = (
    "Goods moved, in thousand tonnes\n | 2023 | 2024\nTimber | 318 | 344\nCement | 207 | 195\nScrap | 96 | 88"
)
MILK = (
    "| Dairy | Delivered (t) | Price (ct/kg) |\n|---|---|---|\n| Almtal | 41,200 | 46.35 |\n| Berghof | 28,750 | 44.80 |\n"
    "| Seehof | 13,300 | 45.10 |"
)
METALS = (
    "| Metal | Price (USD/t) | Stock (t) |\n|---|---|---|\n| Zinc | 2,640 | 5,120 |\n| Tin | 29,800 | 870 |"
)
GRAVEL = (
    "| Pit | Gravel sold (kt) | Net price (USD/t) |\n|---|---|---|\n| Ostra | 612 | 74 |\n| Velm | 388 | 81 |"
)
UNITS = (
    "Item | Unit | 2023 | 2024\nGas | GJ | 5,210 | 4,980\nWater | m³ | 31,700 | 33,150\nWaste | t | 412 | 395"
)
CELLAR = "The cellar holds 4,200 hectolitres of wine. The new press handles 12 tonnes of grapes an hour."
SHEMESH = "תחנה,ייצור 2023 (MWh),ייצור 2024 (MWh)\nאלה,14200,13900\nברוש,8600,8950\nגפן,6100,6240"
DIANCHANG = "电站 | 2023年发电量（万千瓦时） | 2024年发电量（万千瓦时）\n东山 | 5,210 | 5,468\n西岭 | 3,120 | 3,045\n南河 | 1,870 | 1,902"
MATZA = 'במפעל הופקו 3,150 טון מלט. צריכת המים הייתה 4,200 מ"ק.'
GANGKOU = "码头全年完成吞吐量3,640万吨，耗电1,280万千瓦时。"


@each_case(
    ("answer", "source", "code"),
    [
        ("Nordhof lost 742 megalitres by leakage.", WATER, "exact"),
        ("Nordhof lost 742 ML by leakage.", WATER, "exact"),
        ("Nordhof lost 742,000 cubic metres by leakage.", WATER, "derived"),
        ("Nordhof lost 742 million litres by leakage.", WATER, "derived"),
        ("Nordhof lost 0.742 GL by leakage.", WATER, "derived"),
        ("Dune produced 17.95 GWh in 2024.", SOLAR, "derived"),
        ("Dune produced 17,950 MWh in 2024.", SOLAR, "exact"),
        ("Dune's output fell by 450 MWh in 2024.", SOLAR, "derived"),
        ("Dune's output fell by 450,000 kWh in 2024.", SOLAR, "derived"),
        ("Alder yielded 188.3 thousand troy ounces of gold.", MINES, "derived"),
        ("Alder yielded 188,300 ounces of gold.", MINES, "derived"),
        ("Alder moved 2.14 million tonnes of ore.", MINES, "derived"),
        ("Alder moved 2,140 kt of ore.", MINES, "exact"),
        ("The area of barley was 1,840 hectares.", CROPS, "exact"),
        ("The area of barley was 18.4 square kilometres.", CROPS, "derived"),
        ("The oats harvest came to 3,410 t.", CROPS, "exact"),
        ("The oats harvest came to 3.41 kt.", CROPS, "derived"),
        ("Timber came to 344 thousand tonnes in 2024.", FREIGHT, "exact"),
        ("Timber came to 344 kt in 2024.", FREIGHT, "derived"),
        ("Almtal paid 46.35 cents per kilogram.", MILK, "exact"),
        ("Almtal paid 46.35 ct/kg.", MILK, "exact"),
        ("Almtal paid EUR 463.50 per tonne.", MILK, "derived"),
        ("Zinc cost USD 2,640 per tonne.", METALS, "exact"),
        ("Zinc cost USD 2.64 per kilogram.", METALS, "derived"),
        ("Gas use was 4,980 GJ in 2024.", UNITS, "exact"),
        ("Gas use was 4.98 TJ in 2024.", UNITS, "derived"),
        ("Water use was 33,150 cubic metres in 2024.", UNITS, "exact"),
        ("The cellar holds 420,000 litres of wine.", CELLAR, "derived"),
        ("בשנת 2024 הפיקה אלה 13.9 ג'יגה-ואט שעה.".replace("ג'יגה", "גיגה"), SHEMESH, "derived"),
        ('בשנת 2024 הפיקה אלה 13,900,000 קוט"ש.', SHEMESH, "derived"),
        ("במפעל הופקו 3,150,000 קילוגרם מלט.", MATZA, "derived"),
        ("2024年东山发电5,468万千瓦时。", DIANCHANG, "exact"),
        ("2024年东山发电54.68吉瓦时。", DIANCHANG, "derived"),
        ("码头全年吞吐量为36.4百万吨。", GANGKOU, "exact"),
    ],
)
def test_an_amount_is_the_same_in_every_unit_of_its_dimension(answer: str, source: str, code: str) -> None:
    assert judged(answer, source).code == code


@each_case(
    ("answer", "source", "code"),
    [
        ("Nordhof lost 742 cubic metres by leakage.", WATER, "off_unit"),
        ("Nordhof lost 742 hectolitres by leakage.", WATER, "off_unit"),
        ("Nordhof's mains are 418 miles long.", WATER, "off_unit"),
        ("Dune produced 17,950 kWh in 2024.", SOLAR, "off_unit"),
        ("Dune produced 17,950 gigawatt-hours in 2024.", SOLAR, "off_unit"),
        ("Dune's outages took 212 days.", SOLAR, "off_unit"),
        ("Alder moved 2,140 tonnes of ore.", MINES, "off_unit"),
        ("The area of barley was 1,840 acres.", CROPS, "off_unit"),
        ("The oats harvest came to 3,410 kg.", CROPS, "off_unit"),
        ("Zinc cost USD 2,640 per kilogram.", METALS, "off_unit"),
        ("Almtal paid 46.35 cents per litre.", MILK, "off_unit"),
        ("Gas use was 4,980 MJ in 2024.", UNITS, "off_unit"),
        ("Water use was 33,150 litres in 2024.", UNITS, "off_unit"),
        ("Waste came to 395 kg in 2024.", UNITS, "off_unit"),
        ("The cellar holds 4,200 litres of wine.", CELLAR, "off_unit"),
        ('בשנת 2024 הפיקה אלה 13,900 קוט"ש.', SHEMESH, "off_unit"),
        ("במפעל הופקו 3,150 קילוגרם מלט.", MATZA, "off_unit"),
        ("2024年东山发电5,468万兆瓦时。", DIANCHANG, "off_unit"),
    ],
)
def test_equal_digits_in_another_unit_are_another_amount(answer: str, source: str, code: str) -> None:
    assert judged(answer, source).code == code


@each_case(
    ("answer", "source"),
    [
        ("Nordhof lost 742 tonnes by leakage.", WATER),
        ("Nordhof's mains cover 418 hectares.", WATER),
        ("Dune's outages came to 212 kilometres.", SOLAR),
        ("The area of barley was 1,840 kilometres.", CROPS),
        ("Timber came to 344 thousand cubic metres in 2024.", FREIGHT),
        ("Zinc cost USD 2,640 per barrel.", METALS),
        ("The cellar holds 4,200 tonnes of wine.", CELLAR),
        ("בשנת 2024 הפיקה אלה 13,900 טון.", SHEMESH),
        ("2024年东山发电5,468万吨。", DIANCHANG),
    ],
)
def test_an_amount_of_another_dimension_is_not_the_one_that_is_stated(answer: str, source: str) -> None:
    assert judged(answer, source).code == "off_unit"


@each_case(
    ("answer", "source", "wrong"),
    [
        ("Dune's output fell by 450 kWh in 2024.", SOLAR, "450"),
        ("Together the mains of Nordhof and Suhl are 678 metres long.", WATER, "678"),
        ("בשנת 2024 ירד הייצור באלה ב-300 קילו-ואט שעה.", SHEMESH, "300"),
    ],
)
def test_what_is_reckoned_is_in_the_unit_of_its_figures(answer: str, source: str, wrong: str) -> None:
    assert judged(answer, source, number=wrong).code in ("not_found", "contradicted", "off_unit", "scale")


@each_case(
    ("answer", "source", "code"),
    [
        ("Nordhof lost 742 by leakage.", WATER, "exact"),
        ("The mains of Nordhof are 418 long.", WATER, "exact"),
        (
            "The area of the cellar is 4,200 feet.",
            "| Room | Area (sq ft) |\n|---|---|\n| Cellar | 4,200 |\n| Loft | 900 |\n| Hall | 1,300 |",
            "exact",
        ),
        (
            "The min depth of tank A is 12 metres.",
            "| Tank | Depth (min) | Depth (max) |\n|---|---|---|\n| A | 12 | 15 |\n| B | 9 | 11 |\n| C | 4 | 8 |",
            "exact",
        ),
        ("Almtal paid 46.35 cents.", MILK, "exact"),
        ("Holm earned £412 million.", "Firm | Revenue (£m)\nHolm | 412\nRask | 388\nLind | 95", "exact"),
        ("Holm earned $412 million.", "Firm | Revenue ($ m)\nHolm | 412\nRask | 388\nLind | 95", "exact"),
        ("Holm sold 412 thousand units.", "Firm | Units (k)\nHolm | 412\nRask | 388\nLind | 95", "exact"),
    ],
)
def test_one_side_without_a_unit_is_compared_as_it_stands(answer: str, source: str, code: str) -> None:
    assert judged(answer, source).code == code


def test_what_is_weighed_is_no_price() -> None:
    said = "Ostra sold 612 thousand tonnes at a net price of $74."
    assert judged(said, GRAVEL, number="612 thousand").code == "derived"
