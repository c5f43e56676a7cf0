"""Rows and columns of a table are known by all that stands over and beside them (NUM-06)."""

from datetime import date

import pytest

from detection.core import evidence
from detection.core.types import Case as Answer
from detection.core.types import Source, never
from tests.core.table_cases import Case, case, check, found, read
from tests.tables import each_case

pytestmark = pytest.mark.requirement("NUM-06")

HEADINGS = [
    case("a stretch, its day and its years, one a line", "Year Ended\nMay 31,\n2025\n2024\nTuition\n4,120\n3,980\nGrants\n910\n875", "3,980", periods="2024 2023-06-01/2024-05-31", row="tuition"),
    case("times behind their names", "Ward Beds 2024 Beds 2023 Stays 2024 Stays 2023 Share used\nNorth 41 38 903 871 92.1%\nSouth 28 28 640 655 88.4%", "38", column="beds", periods="2023"),
    case("times behind their names, the last", "Ward Beds 2024 Beds 2023 Stays 2024 Stays 2023 Share used\nNorth 41 38 903 871 92.1%\nSouth 28 28 640 655 88.4%", "640", column="stays", periods="2024"),
    case("a title above headings without ends", "Ferry Trust 2021-B Quay Report March 2025\nNo. Berth Value ($) % of Quay Rate Cover Occ.\n11 Pier Inn 4,600,000 61.3% 5.10% 1.40x 94%\n12 Dock Hall 2,900,000 38.7% 6.20% 1.10x 71%", "38.7%", column="% of quay", periods="2025-03"),
    case("a heading that ends in a unit", "Dam River Head MWp Output MWh Tariff EUR/MWh\nAsk Lule 42.0 73,920 61.0\nBro Dal 28.0 50,400 58.5", "28.0", column="head mwp", row="bro dal"),
    case("a month that is a word too", " | Jan | Feb | Mar | Q1 2025\nHoney | 10 | 20 | 30 | 60", "30", periods="2025-03"),
    case("a year so far in a column", "Item | Q1 2024 | Q2 2024 | YTD 2024\nHoney | 10 | 20 | 30", "30", periods="2024-H1"),
    case("a year so far in a row", "Quarter Paid Called\nQ1 2024 6.0 11.5\nQ2 2024 7.5 9.5\nYTD 2024 13.5 21.0", "21.0", periods="2024-H1"),
    case("a move beside two groups", "line;Plan Q3 2024;Actual Q3 2024;Variance;YTD Plan;YTD Actual\nWax;120;130;10;350;365\nHoney;80;75;-5;240;236", "-5", periods="2024-Q3"),
    case("a comparison in a heading", "2025年第二季度\n城市 空置率 租金(元) 环比\n东港 21.4% 88 -0.6%\n西港 17.9% 92 1.2%", "1.2%", periods="2025-Q2", unit="%"),
    case("twelve months up to a month", "Cash ($000s)\n            2022      2023     T-12 Apr-24\nRent       9,850     9,120      8,790\nFees       6,900     5,950      5,400", "5,400", periods="2023-05-01/2024-04-30"),
    case("a title with a year between tables", "<h4>Table 3a – 2024</h4>\n<table><tr><th>Crop</th><th>Loss %</th></tr><tr><td>Oats</td><td>7.1</td></tr></table>\n<h4>Table 3b – 2023</h4>\n<table><tr><th>Crop</th><th>Loss %</th></tr><tr><td>Oats</td><td>9.3</td></tr></table>", "9.3", periods="2023"),
    case("a sentence above a table", "<p>The flood of 4 May 2024 cost the farm EUR 212 million net of insurance, nearly all of it in Crops, and it was mended soon.</p>\n<table><tr><td>EUR million</td><td>2023</td></tr><tr><td>Crops</td><td>16</td></tr><tr><td>Herds</td><td>9</td></tr></table>", "9", periods="2023"),
    case("Hebrew quarters in one line", "קטגוריה רבעון 1 רבעון 2 ממוצע שנתי\nתבלינים 1,420 1,610 1,595\nשמנים 2,050 2,240 2,195", "2,240", row="שמנים"),
    case("months by number", "דייר שטח (מ\"ר) שכ\"ד חודשי (ש\"ח) תום חוזה\nאלון 6,200 260,400 06/2027\nברוש 4,150 186,750 12/2025", "186,750", row="ברוש", unit="ILS"),
    case("spanning, from the left", " | Year ended December 31, |  | Change | \n | 2019 | 2018 | $ | %\nSales | 50 | 40 | 10 | 25", "40", column="december", periods="2018"),
    case("behind a spanning heading", " | Year ended December 31, |  | Change | \n | 2019 | 2018 | $ | %\nSales | 50 | 40 | 10 | 25", "25", column="change", unit="%", periods="2019"),
    case("spanning, in the middle", " |  | Years ended |  | 2019 vs. 2018 | \n | 2019 | 2018 | 2017 | Dollars | Percent\nSales | 50 | 40 | 30 | 10 | 25", "30", years="2017"),
    case("written over each column", " | Year ended | Year ended\n | 2019 | 2018\nSales | 50 | 40", "40", years="2018"),
    case("one heading on two lines", " | Less than | \n | 1 year | 1-3 years\nDebt | 50 | 40", "40", column="3", row="debt"),
    case("the same heading twice, apart", " |  | % of total |  | % of total\n | Amount | revenue | Amount | revenue\nVAS | 199 | 53% | 176 | 56%", "176", column="amount"),
    case("quarters under a year", " |  | Fiscal 2019 |  | \n | First | Second | Third | Fourth\n | Quarter | Quarter | Quarter | Quarter\nSales | 10 | 20 | 30 | 40", "30", periods="2019-Q3"),
    case("year beside quarters", " | Q1 | Q2\n2019 | | \nSales | 10 | 20\n2018 | | \nSales | 11 | 21", "20", periods="2019-Q2"),
    case("year beside quarters, below", " | Q1 | Q2\n2019 | | \nSales | 10 | 20\n2018 | | \nSales | 11 | 21", "21", periods="2018-Q2"),
    case("months", "NOI | January 2024 | February 2024\nOak | 10 | 20", "20", periods="2024-02"),
    case("months under a year", " | 2024 | \n | Jan | Feb\nOak | 10 | 20", "20", periods="2024-02"),
    case("three months above the table", "Three months ended September 30 (in millions)\n\n| | 2025 | 2024 |\n|---|---|---|\n| Net sales | 142.8 | 136.0 |", "136.0", periods="2024-Q3", scale=10**6),
    case("names that sound like metrics", "flows Q1 2025 (GBP m)\nfund;subscriptions;redemptions\nAlder Income;38.5;61.2\nBirch Growth;54.1;20.3\nCedar;12.0;18.5", "54.1", row="birch growth", column="subscriptions", unit="GBP", scale=10**6),
    case("nine months above the table", "Nine months ended September 30 (in millions)\n\n| | 2025 | 2024 |\n|---|---|---|\n| Net sales | 418.3 | 409.7 |", "418.3", periods="2025-01-01/2025-09-30", scale=10**6),
    case("fiscal year", " | FY2019 | FY2018\nSales | 10 | 20", "20", periods="2018"),
    case("short fiscal year", " | FY19 | FY18\nSales | 10 | 20", "20", years="2018"),
    case("quarter", " | Q3 2024 | Q2 2024\nSales | 10 | 20", "20", periods="2024-Q2"),
    case("as of", "As of | June 30, 2024 | June 30, 2023\nCash | 10 | 20", "20", periods="2023-06-30"),
    case("as of in the corner", "As of June 30, | 2024 | 2023\nCash | 10 | 20", "20", periods="2023-06-30"),
    case("three months", " | Three months ended September 30, | \n | 2024 | 2023\nCash | 10 | 20", "20", periods="2023-Q3"),
    case("a year not ending in December", " | Year ended June 30, | \n | 2024 | 2023\nSales | 10 | 20", "20", periods="2023 2022-07-01/2023-06-30", years="2023"),
    case("years as decimals", "item | 2016.0 | 2015.0\nsales | 371.3 | 435.6", "435.6", years="2015"),
    case("headings in the middle", " | 2016 | 2015\ntotal debt | 622 | 587\n30 september | 2014.0 | 2013.0\nbank | 133 | 234", "234", years="2013"),
    case("the same headings again", " | 2016 | 2015\ndebt | 622 | 587\n | 2016 | 2015\nbank | 133 | 234", "234", years="2015", row="bank"),
    case("footnotes at headings", " | Fiscal 2019 (2) | Fiscal 2018(1)(2)\nSales | 10 | 20", "20", periods="2018"),
    case("Hebrew quarters", " | רבעון 3 2024 | רבעון 2 2024\nהכנסות | 10 | 20", "20", periods="2024-Q2", row="הכנסות"),
    case("Hebrew quarters under a year", " | 2024 | \n | רבעון ראשון | רבעון שני\nהכנסות | 10 | 20", "20", periods="2024-Q2"),
    case("Hebrew date", " | 31 בדצמבר 2023 | 31 בדצמבר 2022\nמזומנים | 10 | 20", "20", periods="2022-12-31"),
    case("Hebrew months", "2024 | ינואר | פברואר\nדמי שכירות | 10 | 20", "20", row="דמי שכירות"),
    case("Chinese quarters", " | 2024年第三季度 | 2024年第二季度\n净营业收入 | 10 | 20", "20", periods="2024-Q2", row="净营业收入"),
    case("Chinese quarters under a year", " | 2024年 | \n | 第一季度 | 第二季度\n收入 | 10 | 20", "20", periods="2024-Q2"),
    case("Chinese months", "项目 | 2024年1月 | 2024年2月\n租金 | 10 | 20", "20", periods="2024-02"),
    case("period in the caption", "Rent roll as of June 30, 2024\nTenant | Rent\nAcme | 50\nBolt | 40", "40", periods="2024-06-30", row="bolt"),
    case("current and prior period", "2024年第三季度财务数据（单位：万元）\n| 项目 | 本期 | 上期 |\n|---|---|---|\n| 净营业收入 | 1,234 | 1,100 |", "1,234", periods="2024-Q3", scale=10**4),
    case("prior period", "2024年第三季度财务数据（单位：万元）\n| 项目 | 本期 | 上期 |\n|---|---|---|\n| 净营业收入 | 1,234 | 1,100 |", "1,100", periods="2024-Q2"),
    case("labels at the right", "2018 | 2019 |\n1,100 | 1,234 | הכנסות\n700 | 800 | הוצאות", "1,100", row="הכנסות", periods="2018"),
    case("a year beside the page's labels", "2018 | 2019 | Item\n1,100 | 1,234 | Net sales\n700 | 800 | Costs", "800", row="costs", periods="2019"),
    case("indented sections", "| | 2019 |\n|---|---|\n| Assets | |\n|   Current | |\n|     Cash | 5 |\n|   Fixed | |\n|     Land | 7 |", "7", section="assets fixed", row="land"),
    case("section", "Assets: | 2019\nCurrent assets: | \nCash | 5\nTotal current assets | 6\nLand | 7", "5", section="current assets"),
    case("behind a section's total", " | 2019\nCurrent assets: | \nCash | 5\nTotal current assets | 6\nLand | 7", "7", section=""),
    case("a total keeps its section", " | 2019\nRevenue: | \nRent | 5\nTotal | 6", "6", section="revenue", row="total"),
    case("section in a section", " | 2019\nAssets | \nCurrent assets | \nCash | 5", "5", section="assets current"),
    case("bold section", "|  | 2019 |\n|---|---|\n| **Assets** | |\n| Cash | 5 |", "5", section="assets"),
    case("section of a period", " | External\nYear ended 30 June 2019 | \nOwned | 23%\nYear ended 30 June 2018 | \nOwned | 60%", "60%", years="2018", row="owned"),
    case("indented rows", "| Item | 2019 |\n|---|---|\n| Revenue | 50 |\n|    Rent | 40 |\n| Costs | 30 |", "40", section="revenue"),
    case("behind indented rows", "| Item | 2019 |\n|---|---|\n| Revenue | 50 |\n|    Rent | 40 |\n| Costs | 30 |", "30", section="", row="costs"),
    case("indented by style", "<table><tr><td>Item<td>2019<tr><td>Revenue<td>50<tr><td style='padding-left: 12px'>Rent<td>40</table>", "40", section="revenue"),
    case("headings of several Hebrew words in one line", "בתי קולנוע 2024\nסניף מספר אולמות שיעור תפוסה ממוצע מחיר כרטיס (₪)\nגלילות 12 41.5% 44\nיקנעם 7 38.0% 39\nשורק 9 36.2% 41", "38.0%", column="שיעור תפוסה", row="יקנעם"),
    case("brackets end a Hebrew heading", "מחסנים\nאתר שטח בנוי (מ\"ר) הכנסות שנתיות (אלפי ₪) מועד פירעון\nלוד 4,100 2,960 31.3.2027\nשוהם 6,350 4,480 30.9.2028\nאשדוד 5,020 3,770 31.12.2029", "4,480", column="הכנסות שנתיות", scale=1000),
    case("a row without a note, one cell a line", "利润表（千元）\n项目\n附注\n2024\n2023\n营业收入\n4\n91,300\n88,150\n营业成本\n5\n60,420\n59,960\n毛利\n\n30,880\n28,190", "28,190", years="2023", row="毛利"),
    case("key and value", "Property | Oak Plaza\nNOI | $1,234\nOccupancy | 91%", "$1,234", row="noi", column="oak plaza"),
    case("key and value without text", "NOI | $1,234\nDSCR | 1.25x", "1.25x", row="dscr", unit="x"),
    case("long form", "Property,Period,Metric,Value\nOAK,Q3 2024,NOI,1200\nOAK,Q2 2024,NOI,1100", "1100", row="oak noi", periods="2024-Q2"),
    case("a column of years", "Property | Year | NOI\nOak | 2023 | 50\nOak | 2024 | 60", "60", row="oak", column="noi", periods="2024"),
    case("a second table below bars", "| 项目 | 期末 | 期初 | 利率 | 到期日 |\n|---|---|---|---|---|\n| 甲银行 | 260 | 300 | 3.95% | 2028-04-11 |\n（九）存货（单位：万元）\n| 项目 | 余额 | 跌价准备 | 账面价值 |\n|---|---|---|---|\n| 原材料 | 9,840 | 312 | 9,528 |", "312", row="原材料", column="跌价准备", scale=10**4),
    case("a column of notes", "| | Note | 2024 | 2023 |\n|---|---|---|---|\n| Rent | 4 | 520 | 480 |\n| Costs | 6 | 210 | 190 |", "480", row="rent", periods="2023"),
    case("a label on two lines", "                         2024      2023\nRent                      520       480\nFees and other\nservice income             31        28\nCosts                     210       190", "31", row="fees and other service income", section=""),
    case("a heading over the first of its columns", "Results of Ardmore                          Page 9\n                 Sales £m           Backlog £m\n                 H1 2024  H1 2023   H1 2024  H1 2023\nRail               184.2    171.5     412.0    388.0\nRoads               96.7    104.1     286.0    301.0", "104.1", row="roads", column="sales", periods="2023-H1"),
    case("a title in the line above", "OAKUM ARCADE            RENT ROLL              31 December 2023\nUnit  Tenant            Sq m     Rent EUR       Expiry\n0.01  Pell Sport       1,450      261,000   31.03.2027\n0.02  Lind Optics        120       43,200   31.05.2025", "43,200", row="lind", column="rent", unit="EUR", periods="2023-12-31"),
    case("years of two digits", " | 30 Sep 24 | 31 Mar 24\nOrder book | 412 | 388\nBacklog | 40 | 30", "388", periods="2024-03-31"),
    case("months from and to", "line,2023-09..2023-11,2023-12..2024-02\nRent,924600,929400\nFees,3100,2900", "929400", periods="2023-12-01/2024-02-29"),
    case("an area among amounts", "In thousands of dollars\n| Farm | Tillable acres | Value |\n|---|---|---|\n| Crook | 3,260 | 41,700 |\n| Esker | 2,190 | 17,300 |", "2,190", scale=1),
    case("a rent by area", "| Suite | Rent/sq ft/yr |\n|---|---|\n| 100 | 24.50 |\n| 200 | 26.00 |\n\nAll rents in US dollars.", "26.00", unit=""),
    case("a table below a line of words", "Table 1\nItem;Budget;Actual\nLifts;38,000;35,900\nCleaning;96,500;94,200\n\nTable 2\nTenant;Event;Area;New rent\nFenn;Renewal;5,150;66.00\nQuire;Surrender;7,300;65.00", "7,300", row="quire", column="area"),
    case("tables below a page's head", "OAKUM WATER                        Budget book, p. 22\n\nTable A ($000)\n                 FY2023 actual   FY2025 budget\nWater charges          38,410          43,360\nSewer charges          29,870          32,750\n\nTable B ($000)\n                 FY2023 actual   FY2025 budget\nPersonnel              21,350          23,900\nMaintenance            11,210          13,400", "32,750", row="sewer", column="budget", years="2025", scale=1000),
    case("a page's number above dates", "Almog Ltd\n\nBalance sheet\n\n7\n\n31.12.2024\n\n31.12.2023\n\nCash\n\n186\n\n142\n\nDebtors\n\n34\n\n39\n\nStock\n\n20\n\n19", "39", row="debtors", periods="2023-12-31"),
    case("a total without dates", "Floor\n\nTenant\n\nSq ft\n\nRent (£)\n\nStart\n\nExpiry\n\n1st\n\nToll Coffee\n\n2,140\n\n96,300\n\n29/09/2020\n\n28/09/2030\n\n2nd\n\nPell Ltd\n\n12,650\n\n512,325\n\n25/12/2018\n\n24/12/2028\n\n3rd\n\nCrown LLP\n\n9,730\n\n428,120\n\n29/09/2016\n\n28/09/2026\n\nTotal\n\n24,520\n\n1,036,745", "1,036,745", row="total", column="rent", unit="GBP"),
    case("a year with a sign", "                        2023 £      2022 £\nProfit                 412,760     168,905\nDepreciation           538,200     541,650", "541,650", row="depreciation", unit="GBP", periods="2022"),
    case("a month that is also a word", "Pell House 2024\nmonth,rent,costs\nApr,62115,25810\nMay,63480,23290\nJun,64110,24870", "63480", column="rent", periods="2024-05"),
    case("Chinese signs take two places", "季度        电力(度)         气(立方米)\n第一季度        412.0            96.5\n第二季度        486.3           104.2\n全年          1,828.0           402.6", "104.2", column="气"),
    case("a page number above cells in lines", "季报\n\n7\n\n商圈\n\n空置率\n\n月租金\n\n信義\n\n5.3%\n\n3,480\n\n敦北\n\n4.1%\n\n2,390\n\n全區\n\n2,310", "4.1%", row="敦北", column="空置率"),
    case("labels twice", "Assets | 2019 | Liabilities | 2019\nCash | 5 | Debt | 7\nLand | 6 | Loans | 8", "8", row="loans"),
    case("years counted up beside a label", " |  | Years ended March 31, | \nBranch | 2017 | 2018 | 2019\n | % | % | %\nNorth | 31.0 | 32.5 | 33.0\nSouth | 69.0 | 67.5 | 67.0", "32.5", years="2018", unit="%", row="north"),
    case("years counted down beside a label", " | Plan | Share at March 31, | \nClass | 2020 | 2019 | 2018\nBonds | 31% | 32% | 33%\nOther | 69% | 68% | 67%", "33%", years="2018"),
    case("years that are values", " | Oak | Elm\nUnits | 12 | 14\nYear built | 1988 | 1974", "1974", row="built", column="elm"),
    case("blocks named at their right", " |  | 2019 |  | 2018\n | Cost | Depreciation | Cost | Depreciation\nLand | 50 | 4 | 40 | 3", "40", column="cost", years="2018"),
    case("blocks named at their left", " | 2019 |  | 2018 | \n | Cost | Depreciation | Cost | Depreciation\nLand | 50 | 4 | 40 | 3", "4", column="depreciation", years="2019"),
    case("wide blocks named in their middle", " |  | 2019 |  |  | 2018 | \n | Low | High | Mean | Low | High | Mean\nRent | 11 | 19 | 15 | 12 | 18 | 14", "12", column="low", years="2018"),
    case("a title in the middle", " | 2019 | 2018 | Change\nCash | 50 | 40 | 10\n | Liabilities |  | \nLoans | 70 | 60 | 11", "60", years="2018", section="liabilities", row="loans"),
    case("a title in the middle above all values", " | 2019 | 2018 | Change\n | Revenue: |  | \nRent | 70 | 60 | 11", "60", years="2018", section="revenue", column="2018"),
    case("a line end in a heading", " | March 28,\n2019 | March 29,\n2018\nTotal assets: |  | \nNorth | 751 | 645\nSouth | 958 | 937", "645", periods="2018-03-29"),
    case("a small table above a wider one", "Units | 12\nFloors | 14\n | 2019 | 2018\nRent | 751 | 645", "645", years="2018", row="rent"),
    case("a heading beside a scale row", " | 2019 | 2018\n | (in thousands) | \nCash | 5 | 4", "4", years="2018", scale=1000),
]  # fmt: skip


@each_case("one", HEADINGS, ids=lambda one: one.name)
def test_a_cell_knows_its_row_its_column_and_its_period(one: Case) -> None:
    check(one)


BOUNDS = [
    ("Covenant | Requirement | Actual\nDSCR | not less than 1.35x | 1.52x\nLTV | not more than 60.0% | 54.8%", "60.0%", "at_most"),
    ("Test | Covenant | Actual\nInterest cover | 1.75x min | 2.62x\nDebt to EBITDA | 6.50x max | 5.14x", "1.75x", "at_least"),
    ("אמת מידה | נדרש | בפועל\nיחס כיסוי | לפחות 1.25 | 1.41\nתפוסה | לפחות 85% | 91.3%", "1.25", "at_least"),
]  # fmt: skip


@pytest.mark.parametrize(("chunk", "written", "bound"), BOUNDS)
def test_a_cell_may_bound_its_value_in_words(chunk: str, written: str, bound: str) -> None:
    grids = evidence.read(Answer("", sources=(Source("S1", chunk),)), never).grids
    (fact,) = (fact for grid in grids for fact in grid.facts if fact.text == written)
    assert (fact.bound, fact.role) == (bound, "limit")


def test_rows_may_be_periods() -> None:
    chunk = "Year | NOI | Occupancy\n2023 | 50 | 91%\n2024 | 60 | 93%"
    assert [(place.text, place.column, place.iso) for place in read(chunk)] == [
        ("50", "NOI", "2023"), ("91%", "Occupancy", "2023"), ("60", "NOI", "2024"), ("93%", "Occupancy", "2024"),
    ]  # fmt: skip


def test_a_section_that_ended_is_not_of_the_next_rows() -> None:
    chunk = " | 2019\nCurrent assets: | \nCash | 5\nTotal current assets | 6\nLand | 7"
    assert "Current assets" in found(chunk, "6").section
    assert found(chunk, "7").section == ""


def test_numbers_in_labels_and_headings_are_not_values() -> None:
    chunk = "Debt due in 5 years (Note 12) | Tranche 3\n | 2019\n4.5% senior notes | 50\nBuilding 7 | 60"
    assert [place.text for place in read(chunk)] == ["50", "60"]


def test_the_same_period_twice_stays_two_columns() -> None:
    places = read(" | Budget | Actual\n | Q3 2024 | Q3 2024\nNOI | 50 | 60")
    assert [(place.text, place.iso) for place in places] == [("50", "2024-Q3"), ("60", "2024-Q3")]
    assert places[0].column != places[1].column


@pytest.mark.parametrize(
    "chunk",
    [
        " | 2019 | 2018",
        "| Item | 2019 |\n|---|---|",
        "| | |\n| | |",
        "<table></table>",
        "<table><tr><th>2019",
    ],
)
def test_headings_without_rows_are_no_values(chunk: str) -> None:
    assert [place for place in read(chunk) if place.value not in (2018, 2019)] == []


def test_rows_of_other_lengths_keep_what_they_have() -> None:
    chunk = " | 2019 | 2018\nRent | 5\nFees | 6 | 7 | 8\n | 9 | 10\nTax"
    assert [(place.text, place.iso) for place in read(chunk) if place.text != "8"] == [
        ("5", "2019"), ("6", "2019"), ("7", "2018"), ("9", "2019"), ("10", "2018"),
    ]  # fmt: skip


LINES = (
    "Dock Lane schedule\nBay Tenant SF Monthly rent Lease end\nC1 Orla Tools 4,200 $3,150 03/31/2027\nC2 Pell Print 6,100 $4,575 10/31/2028\nC3 Quay Foods 5,000 $4,100 06/30/2029",
    "TOP TENANTS\nRank Tenant Leases SF ABR % of ABR\n1 Harl Homes 14 612 $9,180 6.8%\n2 Ione Drugs 22 297 $7,425 5.5%\n3 Jute Gyms 11 418 $5,940 4.4%",
)


@pytest.mark.parametrize(
    ("chunk", "written", "column"),
    [
        (LINES[0], "4,200", "sf"),
        (LINES[0], "$4,575", "monthly rent"),
        (LINES[0], "06/30/2029", "lease end"),
        (LINES[1], "22", "leases"),
        (LINES[1], "$5,940", "abr"),
    ],
)
def test_a_line_of_headings_is_cut_by_what_the_values_below_are(
    chunk: str, written: str, column: str
) -> None:
    assert found(chunk, written).column.casefold() == column


def test_a_word_that_ends_every_row_is_a_column_of_its_own() -> None:
    chunk = "Covenant Requirement Actual Status\nMinimum DSCR 1.30x 1.38x Pass\nMaximum LTV 70.0% 66.3% Pass"
    assert found(chunk, "1.38x").column == "Actual"
    assert "Maximum LTV" in found(chunk, "70.0%").row


PARTS = [
    case("the year of the headings beside", " | Rent Q3 2024 | Rent Q4 2024 | Rate Q3 | Rate Q4\nOak | 10 | 20 | 0.35 | 0.30", "0.30", periods="2024-Q4"),
    case("rows that are parts of the years above", "Output (GWh)\nQuarter | 2023 | 2024\nQ1 | 118.5 | 121.4\nQ2 | 164.2 | 176.0", "176.0", periods="2024-Q2"),
    case("a table that goes on by one cell a line", "Supplier\nGoods\nTonnes\nSpend (EUR 000)\nOrr\nTar\n420\n40.5\nPim\nOil\n310\n28.5\nSay\nWax\n180\n18.0\nTotal\n87.0", "87.0", row="total", column="spend", value="87", scale=1000),
    case("words and times in turn, a line each", "Segment\nSales\nQ1 2025\nSales\nQ1 2024\nProfit\nQ1 2025\nProfit\nQ1 2024\nShops\n214.6\n198.3\n12.9\n9.4\nTransport\n87.2\n91.5\n6.1\n7.8", "91.5", column="sales", periods="2024-Q1", row="transport"),
    case("a line of headings without capitals", "指标 约束值 2024年6月30日 2024年12月31日\n净负债(倍) ≤3.50 3.12 3.38\n资产负债率(%) ≤65.0 58.7 61.2", "61.2", periods="2024-12-31", unit="%"),
    case("a label and a value, over and over", "Summary\nItem\nAmount\nUnits\n184\nIncome\n$3,480\nLoss\n($174)\nNet\n$3,306\nCosts\n($1,190)\nNOI\n$2,116\nRate\n5.75%\nValue\n$36,800", "$3,480", row="income"),
]  # fmt: skip


@each_case("one", PARTS, ids=lambda one: one.name)
def test_what_stands_beside_completes_a_heading_or_a_row(one: Case) -> None:
    check(one)


def test_a_limit_that_the_row_names_is_that_of_its_own_column() -> None:
    chunk = "Covenant Limit 31 Mar 2025 30 Jun 2025\nNet leverage (x) max 3.50 2.84 3.12\nInterest cover (x) min 4.00 5.60 4.90"
    grids = evidence.read(Answer("", sources=(Source("S1", chunk),)), never).grids
    roles = {fact.text: fact.role for fact in grids[0].facts}
    assert roles["3.50"] == "limit_max"
    assert roles["4.00"] == "limit_min"
    assert not roles["2.84"]
    assert not roles["4.90"]


def test_parts_of_a_year_beside_two_years_are_of_the_year_behind_them() -> None:
    chunk = "Orders received (EUR million)\nQ1 Q2 H1 2024 2023\nDrives 31.2 33.8 65.0 128.4 121.9\nValves 12.0 14.1 26.1 50.6 52.3"
    grids = evidence.read(Answer("", sources=(Source("S1", chunk),)), never).grids
    spans = {fact.text: fact.span for fact in grids[0].facts}
    assert spans["33.8"] == (date(2024, 4, 1), date(2024, 6, 30))
    assert spans["26.1"] == (date(2024, 1, 1), date(2024, 6, 30))
    assert spans["52.3"] == (date(2023, 1, 1), date(2023, 12, 31))


ANNOUNCED = [
    ("Lamps in thousands; sales in EUR thousands. Columns: month, lamps 2024, lamps 2023, shop sales 2024, shop sales 2023", "April   842   815   9,310   9,020\nMay   901   923   9,870   9,905", "9,870", "shop sales", 9_870_000, "2024-05-01"),
    ("Area in square metres; rents in AED per square metre per year\nCategory, number of leases, area let, average new rent", "Shoes 14 3,920 3,150\nBread 9 1,260 4,200", "1,260", "area let", 1_260, ""),
    ("Table 2: ratios. Columns in order: limit; Dec-24; Sep-24; Dec-23", "Core ratio | 10.2% | 13.0% | 12.8% | 12.1%\nCover | 3.75% | 5.1% | 5.0% | 5.3%", "5.0%", "", 5, "2024-09-01"),
    ("Figures in EUR millions; columns are opening stock 1 Jan, intake, sold, closing stock 30 Jun.", "Rails      1,420   465   385   1,500\nLamps        610   190   220     580", "220", "sold", 220_000_000, ""),
    ("£000; 52 weeks ended 28 September 2024, then 52 weeks ended 30 September 2023", "Sugar  265,400  241,900\nFeed  88,250  93,100", "93,100", "", 93_100_000, "2022-10-02"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "rows", "written", "column", "value", "start"), ANNOUNCED)
def test_headings_that_a_sentence_announces_are_those_of_the_next_chunk(
    head: str, rows: str, written: str, column: str, value: int, start: str
) -> None:
    sources = (Source("S0", head, title="Note 4, heading"), Source("S1", rows, title="Note 4, rows"))
    grids = evidence.read(Answer("", sources=sources), never).grids
    fact = next(fact for grid in grids for fact in grid.facts if fact.text == written)
    assert fact.value == value
    assert not column or column in {
        label.text for grid in grids for axis in grid.axes for label in axis.labels
    }
    assert not start or str(fact.span and fact.span[0]) == start


def test_a_list_of_words_that_ends_a_chunk_heads_nothing() -> None:
    head = Source("S0", "We grow apples, pears, plums, figs", title="Farm, part 1")
    rows = Source("S1", "Rye 1 2 3\nOats 4 5 6\nHay 7 8 9", title="Farm, part 2")
    grids = evidence.read(Answer("", sources=(head, rows)), never).grids
    assert "apples" not in {label.text for grid in grids for axis in grid.axes for label in axis.labels}


def test_a_label_is_not_called_by_what_is_left_out_of_it() -> None:
    forms = evidence.label("Net interest income after provision").forms
    assert [{word for word in form if word.startswith("§")} for form in forms] == [
        set(),
        {"§net_interest_income"},
    ]


def test_a_table_below_another_without_a_title_is_in_its_unit() -> None:
    chunk = "USES (US$)\nUses         Amount\nLand      6,250,000\nFees        510,000\n\nSources      Amount\nLoan      4,750,000\nEquity    2,010,000"
    grids = evidence.read(Answer("", sources=(Source("S1", chunk),)), never).grids
    units = {fact.text: fact.unit for grid in grids for fact in grid.facts}
    assert units["2,010,000"] == units["6,250,000"] == "USD"


@pytest.mark.parametrize(
    ("above", "below"), [("header", "body"), ("(heading)", "(rows)"), ("table head", "lines")]
)
def test_headings_and_rows_that_came_apart_are_one_table(above: str, below: str) -> None:
    head = Source(
        "S0", "Berths in Swiss francs a year\nBerth / Length m / Fee / Deposit", title=f"Marina, {above}"
    )
    rows = "A-1 / 12 / 4,300 / 900\nA-2 / 15 / 5,150 / 1,000\nB-1 / 9 / 2,980 / 700"
    grids = evidence.read(
        Answer("", sources=(head, Source("S1", rows, title=f"Marina, {below}"))), never
    ).grids
    fees = [fact for grid in grids for fact in grid.facts if grid.named(0, fact.at[0]) == "Fee"]
    assert [(str(fact.value), fact.source) for fact in fees] == [
        ("4300", "S1"),
        ("5150", "S1"),
        ("2980", "S1"),
    ]
