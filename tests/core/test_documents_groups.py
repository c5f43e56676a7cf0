"""What is said of a table's group, of its names and of what it leaves: each of them, line 3, what is let (NUM-05, NUM-06)."""

import pytest

from detection.core.types import Case, Source
from tests.core.document_cases import judged
from tests.core.record_cases import told
from tests.tables import each_case

pytestmark = [pytest.mark.requirement("NUM-05"), pytest.mark.requirement("NUM-06")]

ROLL = "| Tenant | Area (sq ft) | Monthly rent ($) |\n|---|---:|---:|\n| Northway | 6,200 | 26,040 |\n| Pharma Plus | 4,150 | 18,675 |\n| Vacant | 1,150 | – |\n| **Total** | **11,500** | **44,715** |"
LINES = "Line\tOutput (t)\tScrap (t)\tScrap rate\tDowntime (h)\nLine 1\t4,862\t146\t3.0%\t38\nLine 2\t3,975\t87\t2.2%\t21\nLine 3\t5,318\t239\t4.5%\t64\nTotal\t14,155\t472\t3.3%\t123"
PLANTS = "Plant Utilisation Yield Downtime\nNewport 88.4% 96.2% 42\nDeerfield 91.7% 97.1% 35\nDawson 79.3% 93.8% 88\nEastbay 84.6% 95.9% 51\nAverage 86.0% 95.8% 54\n"
LOANS = (
    "Lender;Balance ($m);LTV cap;Actual LTV\nArbel Bank;142.5;65%;52.1%\nGilboa Insurance;88.0;60%;57.8%\n"
)
COSTS = "| $ thousand | Q2 2024 | Q3 2024 |\n|---|---|---|\n| Total revenue | 6,210 | 6,345 |\n| Property taxes | 810 | 825 |\n| Repairs | 402 | 366 |\n| Operating expenses | 2,880 | 2,935 |\n| Net operating income | 3,330 | 3,410 |"
SALES = "in thousands of euros FY2023 FY2022 Change %\nMilk 318,450 301,200 5.7\nBread 204,115 209,880 (2.7)\nIce cream 142,360 118,940 19.7\nNet sales 664,925 630,020 5.5\n"
NOI = "| $ thousand | Q1 2024 | Q2 2024 | Q3 2024 | Q4 2024 |\n|---|---|---|---|---|\n| NOI, Oakhill | 602.1 | 608.9 | 615.7 | 622.3 |\n| NOI, Pinewood | 295.7 | 291.7 | 288.7 | 290.1 |"
PARKING = "| סעיף | רבעון 1 2024 | רבעון 2 2024 | רבעון 3 2024 | רבעון 4 2024 |\n|---|---|---|---|---|\n| הכנסות חניה (₪) | 433,310 | 410,290 | 414,730 | 375,070 |\n| הכנסות שכירות (₪) | 3,433,310 | 3,410,290 | 3,414,730 | 3,375,070 |"
HOSPITAL = "The South campus performed 8,430 procedures, down from 8,790, as two of its operating rooms were closed for renovation."


@each_case(
    ("text", "answer", "number", "status"),
    [
        (ROLL, "The building is 90.0% let.", "90.0%", "supported"),
        (ROLL, "The building is 92.0% let.", "92.0%", "unsupported"),
        (ROLL, "In all 10,350 sq ft of the building are let.", "10,350", "supported"),
        (ROLL, "Northway pays $50.40 per sq ft per year.", "$50.40", "supported"),
        (ROLL, "Northway pays $4.20 per sq ft per year.", "$4.20", "unsupported"),
        (LINES, "Line 3 was responsible for 51% of scrap.", "51%", "supported"),
        (LINES, "Line 3 was responsible for 31% of scrap.", "31%", "unsupported"),
        (LINES, "Line 2 had 21 hours of downtime.", "21", "supported"),
        (LINES, "Line 2 had 64 hours of downtime.", "64", "contradicted"),
        (PLANTS, "Dawson accounts for about 41% of total downtime.", "41%", "supported"),
        (PLANTS, "Dawson accounts for about 47% of total downtime.", "47%", "unsupported"),
        (LOANS, "Gilboa Insurance: 57.8% against a cap of 60%.", "57.8%", "supported"),
        (LOANS, "Gilboa Insurance has a cap of 57.8%.", "57.8%", "contradicted"),
        (COSTS, "The largest expense in Q3 2024 was property taxes: $825 thousand, about 13.0% of total revenue.", "13.0%", "supported"),
        (COSTS, "The largest expense in Q3 2024 was property taxes: $825 thousand, about 28.1% of total revenue.", "28.1%", "unsupported"),
        (SALES, "Bread turnover fell 2.7% in FY2023.", "2.7%", "supported"),
        (SALES, "Bread turnover grew 2.7% in FY2023.", "2.7%", "contradicted"),
        (NOI, "Average quarterly NOI in 2024:\n- Oakhill: $612.3 thousand\n- Pinewood: $291.6 thousand", "$291.6 thousand", "supported"),
        (NOI, "Average quarterly NOI in 2024:\n- Oakhill: $612.3 thousand\n- Pinewood: $1,166 thousand", "$1,166 thousand", "contradicted"),
        (PARKING, "הכנסות החניה הסתכמו ב-1,633,400 ₪ בארבעת רבעוני 2024.", "1,633,400 ₪", "supported"),
        (PARKING, "הכנסות החניה הסתכמו ב-408,350 ₪ בארבעת רבעוני 2024.", "408,350 ₪", "contradicted"),
        (HOSPITAL, "South's volume fell 4.1% because two operating rooms were shut.", "two", "not_checked"),
    ],
)  # fmt: skip
def test_a_number_is_compared_with_what_its_group_comes_to(
    text: str, answer: str, number: str, status: str
) -> None:
    assert judged(answer, text, number=number).status == status


REGIONS = "REVENUE BY REGION ($m)\nRegion | 2024 | 2023\nNorth | 84.2 | 79.5\nSouth | 56.9 | 50.3\nEast | 23.1 | 22.0\nWest | 31.7 | 27.4\nTotal | 195.9 | 179.2\n"
HALVES = "| EUR m | H1 2024 | H2 2023 | H1 2023 |\n|---|---|---|---|\n| Revaluation of properties | (6.4) | (12.7) | (11.6) |\n| Distributions | (7.2) | (6.5) | (7.9) |"


@each_case(
    ("text", "answer", "phrase", "code"),
    [
        (REGIONS, "Revenue rose in every region.", "rose", "holds"),
        (REGIONS, "Revenue fell in each region.", "fell", "contradicted"),
        (REGIONS.replace("50.3", "58.3"), "Revenue rose in every region.", "rose", "contradicted"),
        (REGIONS, "ההכנסות עלו בכל האזורים.", "עלו", "holds"),
        (REGIONS, "各地区收入均增长。", "增长", "holds"),
        (HALVES, "The heaviest revaluation loss (€12.7m) was in H2 2023.", "heaviest", "holds"),
        (HALVES, "The heaviest revaluation loss (€6.4m) was in H1 2024.", "heaviest", "contradicted"),
        (HALVES, "Distributions were lowest in H2 2023, at €6.5m.", "lowest", "holds"),
        (HALVES, "Distributions were lowest in H1 2023, at €7.9m.", "lowest", "contradicted"),
    ],
)
def test_what_is_said_of_all_or_of_the_largest_is_held_against_each(
    text: str, answer: str, phrase: str, code: str
) -> None:
    assert told(Case(answer, sources=(Source("S0", text),)))[phrase] == code


HOUSES = "| House | Raised, $ |\n|---|---|\n| Lions | 412 |\n| Eagles | 388 |\n| Ravens | 301 |\n| Foxes | 250 |\n| Total | 1,351 |"
ZONES = "| Zone | Water, thousand m³ |\n|---|---|\n| North | 84 |\n| East | 42 |\n| South | 60 |"
SEASONS = "season,inpatients\nwinter,340\nspring,310\nsummer,290\nautumn,325"
HEBREW_SEASONS = "עונה,מאושפזים\nחורף,340\nאביב,310\nקיץ,290\nסתיו,325"
CHINESE_SEASONS = "季节,游客(万人)\n春季,42\n夏季,55\n秋季,61\n冬季,20"


@each_case(
    ("text", "answer", "phrase", "code"),
    [
        (HOUSES, "The Ravens came third in the school fundraising.", "came third", "holds"),
        (HOUSES, "The Ravens came second in the school fundraising.", "came second", "contradicted"),
        (ZONES, "The north zone used twice as much water as the east zone.", "twice as much", "holds"),
        (ZONES, "The north zone used half as much water as the east zone.", "half as much", "contradicted"),
        (ZONES, "The north zone pays twice the rent of the east zone.", "twice the", "not_compared"),
        (CHINESE_SEASONS, "全年游客最多的是秋季。", "最多", "holds"),
        (CHINESE_SEASONS, "全年游客最多的是夏季。", "最多", "contradicted"),
        (SEASONS, "The number of inpatients fell from winter to spring.", "fell", "holds"),
        (SEASONS, "The number of inpatients rose from winter to spring.", "rose", "contradicted"),
        (SEASONS, "From summer to autumn inpatients decreased.", "decreased", "contradicted"),
        (HEBREW_SEASONS, "מספר המאושפזים ירד מחורף לאביב.", "ירד", "holds"),
        (HEBREW_SEASONS, "מספר המאושפזים עלה מחורף לאביב.", "עלה", "contradicted"),
        (CHINESE_SEASONS, "游客从春季到夏季减少了。", "减少", "contradicted"),
    ],
)  # fmt: skip
def test_a_row_of_a_list_with_one_column_needs_no_name_of_it(
    text: str, answer: str, phrase: str, code: str
) -> None:
    assert told(Case(answer, sources=(Source("S0", text),)))[phrase] == code


GROWTH = "region,growth_percent\nNorth,4.2\nSouth,3.1\nEast,-1.5\nWest,2.0"
SHOPS = "region,growth_percent,sales_usd\nNorth,4,100\nSouth,-2,200\nEast,3,150"
SOLD = "region,sales_2023,sales_2024\nNorth,10,12\nSouth,9,8\nEast,7,9"
CHINESE_GROWTH = "区域,增长率(%)\n北区,4\n南区,-2\n西区,3"
HEBREW_GROWTH = "אזור,צמיחה באחוזים\nצפון,4\nדרום,-2\nמרכז,3"


@each_case(
    ("text", "answer", "phrase", "code"),
    [
        (GROWTH, "Sales grew in every region except the East.", "grew", "holds"),
        (GROWTH, "Sales grew in every region except the North.", "grew", "contradicted"),
        (GROWTH, "Apart from the South, all regions grew.", "grew", "contradicted"),
        (GROWTH, "Sales grew in every region.", "grew", "contradicted"),
        (GROWTH, "Sales grew in three of the four regions.", "grew", "holds"),
        (GROWTH, "Sales grew in two of the four regions.", "grew", "contradicted"),
        (GROWTH, "Sales fell only in the East.", "fell", "holds"),
        (GROWTH, "Sales fell only in the West.", "fell", "contradicted"),
        (GROWTH, "Sales fell in the North.", "fell", "contradicted"),
        (GROWTH, "The North grew only because the East fell.", "grew", "holds"),
        (SHOPS, "Only the South saw sales fall.", "fall", "holds"),
        (SHOPS, "Only the East saw sales fall.", "fall", "contradicted"),
        (SOLD, "Sales rose in all regions except the South.", "rose", "holds"),
        (SOLD, "Sales fell only in the East in 2024.", "fell", "contradicted"),
        (CHINESE_GROWTH, "除南区外，各区域销售额均增长。", "增长", "holds"),
        (CHINESE_GROWTH, "除北区外，各区域销售额均增长。", "增长", "contradicted"),
        (HEBREW_GROWTH, "המכירות ירדו רק בדרום.", "ירדו", "holds"),
        (HEBREW_GROWTH, "המכירות צמחו בכל האזורים למעט הצפון.", "צמחו", "contradicted"),
    ],
)  # fmt: skip
def test_exceptions_and_the_only_ones_are_just_those_of_which_it_is_so(
    text: str, answer: str, phrase: str, code: str
) -> None:
    assert told(Case(answer, sources=(Source("S0", text),)))[phrase] == code


WELLS = "well,nitrate_mg_per_l\nW1,31\nW2,44\nW3,27\nW4,39"
CLASSES = "class,pupils\n3A,24\n3B,28\n3C,22"
LATE = "קו,איחור ממוצע (דקות)\n1,12\n5,8\n18,15\n25,11"
POINTS = "house,points\nLions,40\nEagles,30\nRavens,20\nTotal,90"
FIELDS = "The three wheat fields gave 46, 58 and 63 tonnes."


@each_case(
    ("text", "answer", "number", "status"),
    [
        (WELLS, "All four wells were under the 50 mg/l standard.", "50", "supported"),
        (WELLS, "Only three of the four wells were under the 50 mg/l standard.", "50", "contradicted"),
        (WELLS, "No well exceeded 45 mg/l.", "45", "supported"),
        (WELLS, "No well exceeded 40 mg/l.", "40", "contradicted"),
        (WELLS, "All wells except W2 were below 40 mg/l.", "40", "supported"),
        (WELLS, "All wells except W3 were below 40 mg/l.", "40", "contradicted"),
        (WELLS, "Only W2 exceeded 40 mg/l, and all four were below 45 mg/l.", "45", "supported"),
        (CLASSES, "No class has more than 28 pupils.", "28", "supported"),
        (CLASSES, "No class has more than 24 pupils.", "24", "contradicted"),
        (CLASSES, "Every class has at least 23 pupils.", "23", "contradicted"),
        (LATE, "בשלושה מארבעת הקווים היה האיחור הממוצע יותר מ-10 דקות.", "10", "supported"),
        (LATE, "בשניים מארבעת הקווים היה האיחור הממוצע יותר מ-10 דקות.", "10", "contradicted"),
        (POINTS, "No house scored more than 40 points.", "40", "supported"),
        (POINTS, "All houses scored at least 25 points.", "25", "contradicted"),
        (FIELDS, "Each of the three fields gave at least 46 tonnes.", "46", "supported"),
        (FIELDS, "Each of the three fields gave at least 55 tonnes.", "55", "contradicted"),
    ],
)  # fmt: skip
def test_a_bound_on_counts_is_kept_by_as_many_of_a_list_as_is_said(
    text: str, answer: str, number: str, status: str
) -> None:
    assert judged(answer, text, number=number).status == status
