"""A cell has the scale, the currency and the unit that its table declares for it (NUM-06)."""

from decimal import Decimal

import pytest

from detection.core import evidence
from detection.core.types import Case as Answer
from detection.core.types import Source, never
from tests.core.table_cases import Case, case, check, found, read
from tests.tables import each_case

pytestmark = pytest.mark.requirement("NUM-06")

HEAD = " | 2019 | 2018\nNet sales | 1,234 | 1,100"

SCALES = [
    case("at the end of a caption", "Segments, EUR million\n | 2019 | 2018\nRetail | 1,234 | 1,100", "1,234", scale=10**6, unit="EUR"),
    case("behind a title, any currency", "Cash flow statement KRW billion\n | 2019 | 2018\nDividends | 1,234 | 1,100", "1,234", scale=10**9, unit="KRW"),
    case("things in thousands", "Customers at year end (in thousands)\n | 2019 | 2018\nFibre | 1,234 | 1,100", "1,234", scale=1000, unit=""),
    case("things with decimals", "CHF millions | 2019\nTurnover | 412.0\nTEU (000) | 118.3", "118.3", scale=1000, unit=""),
    case("hundredths of a currency", "Tariff | Standing charge (pence/day)\nBasic | 53.0\nFixed | 48.0", "48.0", value="0.48", unit="GBP"),
    case("a scale of things in the corner", "<table><tr><td>Thousand tonnes</td><td>Q3 2024</td></tr><tr><td>Slag</td><td>612.4</td></tr><tr><td>Wire</td><td>101.8</td></tr></table>", "612.4", scale=1000, unit="ton"),
    case("a scale of a currency that nobody knows", "Trade in goods, adjusted, billion florins\n | 2024 | 2023\nExports | 4.82 | 4.65", "4.65", scale=10**9),
    case("a scale behind a year", "Exports in 2023, million euros\n | Wool | Tin\nNorway | 4.8 | 4.6", "4.6", scale=10**6, unit="EUR"),
    case("an exception behind what it excepts", "(人民币千元,每股数据除外)\n项目 | 2024 | 2023\n营业收入 | 486,350 | 521,740", "521,740", scale=1000, unit="CNY"),
    case("Singapore dollars", "表二 项目（千新元）\n项目 | 评估值 | 贷款余额\n滨坊 | 152,000 | 63,840", "63,840", scale=1000, unit="SGD"),
    case("square metres in tens of thousands", "城市 | 净吸纳量(万㎡)\n东港 | 8.7\n西港 | 12.4", "12.4", scale=10**4, unit="sqm"),
    case("boxes in a column of units", "指标 | 单位 | 2024年\n货物 | 万吨 | 8,640\n箱量 | 万标箱 | 216.3", "216.3", scale=10**4),
    case("money overdue for days", "Month;Billed EUR;Arrears over 60 days EUR\n2024-01;142000;8150\n2024-02;142000;9420", "9420", unit="EUR"),
    case("a number of things among money", "CHF millions | 2024 | 2023\nTurnover | 412 | 398\nKiosks at year end (number) | 143 | 147", "147", scale=1, unit=""),
    case("thousands of things among money", "CHF millions | 2024 | 2023\nTurnover | 412 | 398\nActive hosts (thousand) | 84 | 91", "91", scale=1000, unit=""),
    case("things behind a dash", "Yearbook of the port - boxes handled - thousand TEU\nquay,2023,2024\nEast,1180,1256\nWest,842,801", "1256", scale=1000),
    case("things behind the name of a row", "Measure | 2024 | 2023\nGold produced, thousand oz | 191 | 185\nCapital spent, $ million | 59 | 62", "191", scale=1000),
    case("a length among things in thousands", "Boxes handled, thousand TEU\nQuay | 2024 | Berth length (m)\nEast | 1,256 | 1,150\nWest | 801 | 900", "1,150", scale=1),
    case("Hebrew thousands behind a year", "קו | נוסעים 2023 (אלפים) | נוסעים 2024 (אלפים)\nצפון | 7,315 | 7,902\nחוף | 2,480 | 2,366", "7,902", scale=1000),
    case("things in many words", "Output by field, thousand barrels of oil equivalent per day\nField | Q1 2024 | Q2 2024\nVarg | 61.3 | 59.8\nTor | 38.7 | 40.1", "59.8", scale=1000),
    case("corner", "(in thousands) | 2019 | 2018\nNet sales | 1,234 | 1,100", "1,234", scale=1000, periods="2019"),
    case("corner with a currency", "$ in millions | 2019\nNet sales | 1,234", "1,234", scale=10**6, unit="USD"),
    case("corner with a code", "USD millions | 2019\nNet sales | 1,234", "1,234", scale=10**6, unit="USD"),
    case("a row of its own", " | 2019 | 2018\n | (in thousands) | \nNet sales | 1,234 | 1,100", "1,100", scale=1000),
    case("a label of its own", " | 2019 | 2018\nAmounts in millions | |\nNet sales | 1,234 | 1,100", "1,100", scale=10**6),
    case("each column", " | 2019 | 2019\n | $'000 | £m\nNet sales | 1,234 | 1,100", "1,100", scale=10**6, unit="GBP"),
    case("only one column", " | Shares (in thousands) | Fee\nA | 1,234 | 7", "7", scale=1),
    case("a column of units", "Item | Unit | 2019\nNet sales | USD million | 1,234\nOccupancy | % | 91", "1,234", scale=10**6, unit="USD"),
    case("a column of units, per cent", "Item | Unit | 2019\nNet sales | USD million | 1,234\nOccupancy | % | 91", "91", unit="%", scale=1),
    case("in full beside millions", "Farm | 2024 rent ($) | Value ($m)\nBell | 1,310,160 | 58.9\nCrook | 991,040 | 41.7", "991,040", scale=1, unit="USD"),
    case("not in thousands", "Lakes Inc. (in thousands of dollars)\nOperating data (not in thousands)\n | 2024 | 2023\nSkier visits | 684,200 | 641,300", "641,300", scale=1),
    case("an amount below that declares nothing", "<table><caption>שכר דירה בש\"ח</caption><tr><th>שוכר<th>שכר דירה<tr><td>נועה<td>93,000<tr><td>ארז<td>53,200</table><p>הפדיון: 118 מיליון ש\"ח.</p>", "53,200", scale=1),
    case("a label that only says what is spared", "In thousands, except member data\n | 2024 | 2023\nSales to industrial members | 24,180 | 26,335\nCosts | 3,650 | 3,200", "24,180", scale=1000),
    case("areas in thousands", "(Square metres in thousands; sales in millions)\nStore | SQM | Sales\nNorth | 14 | 31.5\nSouth | 9 | 18.2", "14", scale=1000, unit="sqm"),
    case("caption", f"Results (in thousands of euros):\n{HEAD}", "1,234", scale=1000, unit="EUR"),
    case("nearest caption", f"Assets in millions follow.\nResults (in thousands):\n{HEAD}", "1,234", scale=1000),
    case("line below", f"{HEAD}\n(Amounts in thousands)", "1,234", scale=1000),
    case("HTML caption", "<table><caption>In millions</caption><tr><td>Net sales<td>1,234</table>", "1,234", scale=10**6),
    case("(000s)", "(000s) | 2019\nNet sales | 1,234", "1,234", scale=1000),
    case("typographic apostrophe", "US$’000 | 2019\nNet sales | 1,234", "1,234", scale=1000, unit="USD"),
    case("euros", "€m | 2019\nNet sales | 1,234", "1,234", scale=10**6, unit="EUR"),
    case("billions", "RMB bn | 2019\nNet sales | 1,234", "1,234", scale=10**9, unit="CNY"),
    case("crores", "₹ in crores | 2019\nNet sales | 1,234", "1,234", scale=10**7, unit="INR"),
    case("Hebrew before the sign of the currency", "סבסוד (מיליוני ₪)\n | 2024 | 2023\nגני ילדים | 31.5 | 28.0", "31.5", scale=10**6, unit="ILS"),
    case("Hebrew thousands before the sign of the currency", "באלפי ₪ | 2024\nהיטלים | 870", "870", scale=1000, unit="ILS"),
    case("hundredths in a caption", "תעריפים ליחידה (אגורות)\n | 2024 | 2023\nדמי רשת | 14.2 | 13.8", "14.2", value="0.142", unit="ILS"),
    case("hundredths in a caption, of a share", "Payouts (pence)\n | 2024 | 2023\nDividend per share | 21.5 | 20.0", "21.5", value="0.215", unit="GBP"),
    case("Hebrew multiple of a result", "במיליוני ש\"ח | 2024\nחוב נטו ל-EBITDA | 5.8", "5.8", scale=1, unit="x"),
    case("Chinese multiple of a result", "单位：百万元 | 2024\n净负债/EBITDA | 3.4", "3.4", scale=1, unit="x"),
    case("Hebrew", "באלפי ש\"ח | 2019\nהכנסות | 1,234", "1,234", scale=1000, unit="ILS"),
    case("Hebrew, typographic", "(במיליוני ש״ח) | 2019\nהכנסות | 1,234", "1,234", scale=10**6, unit="ILS"),
    case("Hebrew dollars", "אלפי דולר | 2019\nהכנסות | 1,234", "1,234", scale=1000, unit="USD"),
    case("Hebrew caption", "הדוח להלן במיליוני שקלים:\n | 2019\nהכנסות | 1,234", "1,234", scale=10**6, unit="ILS"),
    case("Chinese", "单位：万元 | 2024年\n收入 | 1,234", "1,234", scale=10**4, unit="CNY"),
    case("Chinese millions", "人民币百万元 | 2024年\n收入 | 1,234", "1,234", scale=10**6, unit="CNY"),
    case("Chinese hundred millions", "项目（亿元） | 2024年\n收入 | 12.34", "12.34", scale=10**8, unit="CNY"),
    case("Chinese dollars", "千美元 | 2024年\n收入 | 1,234", "1,234", scale=1000, unit="USD"),
    case("Chinese caption", "金额单位：人民币千元\n|项目|2024年|\n|---|---|\n|收入|1,234|", "1,234", scale=1000, unit="CNY"),
    case("scale at the row", "(in thousands) | 2019\nBacklog (in millions) | 1,234", "1,234", scale=10**6),
    case("scale in the cell", "(in thousands) | 2019\nBacklog | $1.2 million", "$1.2 million", value="1.2", scale=10**6),
    case("scale letter in the cell", " | 2019\nBacklog | €1.2m", "€1.2m", value="1.2", scale=10**6, unit="EUR"),
    case("Chinese scale in the cell", " | 2024年\n收入 | 120万元", "120万元", value="120", scale=10**4, unit="CNY"),
    case("for each share", "(in thousands, except per share data) | 2019\nEarnings per share | 0.52", "0.52", scale=1),
    case("for each share, not said", "(in thousands) | 2019\nDiluted earnings per share | 0.52", "0.52", scale=1),
    case("shares excepted", "(in thousands, except share and per share data) | 2019\nWeighted average shares outstanding | 5,200", "5,200", scale=1),
    case("shares not excepted", "(in thousands, except per share data) | 2019\nWeighted average shares outstanding | 5,200", "5,200", scale=1000),
    case("paid in shares", "(in thousands, except share and per share data) | 2019\nShare-based compensation | 5,200", "5,200", scale=1000),
    case("for each share in Hebrew", "באלפי ש\"ח | 2019\nרווח למניה | 0.52", "0.52", scale=1),
    case("for each share in Chinese", "万元 | 2024年\n每股收益 | 0.52", "0.52", scale=1),
]  # fmt: skip

UNITS = [
    case("two tables of other widths", "Maturities (EUR million)\nYear   Bonds  Loans  Total\n2025       5    145    150\n2026     500     90    590\n\nLiquidity (EUR million)\nItem         Amount\nCash            486\nCredit          750", "486", row="cash", column="amount", scale=10**6),
    case("quotes within quotes", 'סניף,"שטח (מ""ר)","מכירות (אלפי ש""ח)"\nאלון,1250,38400\nברוש,860,31820', "38400", unit="ILS", scale=1000),
    case("a column of currencies", "Country | Currency | Rent 2023 (million) | Rent 2024 (million)\nPoland | PLN | 1,912 | 2,103\nHungary | HUF | 884 | 972", "2,103", unit="PLN", scale=10**6),
    case("a column of units beside one of money", "Item | Quantity | Unit | Amount (€)\nFormwork | 18,400 | m² | 662,400\nSteel | 610 | t | 683,200", "662,400", unit="EUR"),
    case("per cent in the corner", "Ratio (%) | 2019 | 2018\nLeverage ratio | 5.1 | 5.0", "5.1", unit="%"),
    case("per cent in a caption", "Churn by tier (% per quarter)\nTier | 2019 | 2018\nEnterprise | 0.9 | 0.8", "0.8", unit="%"),
    case("what something lasts", "EUR million\nItem | 2019 | 2018\nInventory | 318.5 | 342.0\nInventory days | 71.3 | 82.9", "71.3", value="71.3", unit=""),
    case("per cent heading", " | 2019 | Change %\nNet sales | 1,234 | 5.2", "5.2", unit="%", scale=1),
    case("per cent in a spanned heading", " | 2019 | % of revenue\nNet sales | 1,234 | 5.2", "5.2", unit="%"),
    case("per cent row", "(in thousands) | 2019\nGross margin (%) | 41.5", "41.5", unit="%", scale=1),
    case("rate row", " | 2019\nInterest rate | 4.5", "4.5", unit="%"),
    case("a rate that is none", " | 2019\nExchange rate | 3.7", "3.7", unit=""),
    case("a dollar sign where other dollars are declared", "(Singapore dollars in thousands)\n | 2024 | 2023\nFees | 1,310 | 1,205\nTotal | $4,120 | $3,950", "$4,120", unit="SGD", scale=1000),
    case("a dollar sign alone", "(in thousands)\n | 2024 | 2023\nFees | $1,310 | $1,205", "$1,310", unit="USD", scale=1000),
    case("rent by a percentage of sales", "($ in millions) | 2024 | 2023\nFixed rent | 31.0 | 29.5\nPercentage rent | 2.4 | 2.9", "2.4", unit="USD", scale=10**6),
    case("rate swaps, which are no rate", "(in thousands of $) | 2024 | 2023\nInterest rate swaps | 7 | 5,120\nDeposits | 410 | 395", "7", unit="USD", scale=1000),
    case("margin in money", " | 2019\nGross margin | 40,615", "40,615", unit=""),
    case("per cent section", " | 2019\nAs a percentage of revenue: |\nCost of sales | 40.0", "40.0", unit="%"),
    case("per cent only at the ends", " | 2019\nSales | 100.0 %\nGross profit | 40.0\nIncome | 7.2 %", "40.0", unit="%"),
    case("Hebrew per cent", " | 2019\nשיעור התפוסה | 93.5", "93.5", unit="%"),
    case("Chinese per cent", " | 2024年\n出租率 | 93.5", "93.5", unit="%"),
    case("coverage", " | 2019\nDebt service coverage ratio | 1.25", "1.25", unit="x", scale=1),
    case("Hebrew coverage", " | 2019\nיחס כיסוי החוב | 1.25", "1.25", unit="x"),
    case("counted", "$ in thousands | 2019\nNumber of employees | 512", "512", unit="", scale=1),
    case("counted in Chinese", "单位：万元 | 2024年\n员工人数 | 512", "512", unit=""),
    case("currency of the corner", "USD | 2019\nNet sales | 1,234", "1,234", unit="USD"),
    case("currency of a column", " | EUR | GBP\nNet sales | 1,234 | 1,100", "1,100", unit="GBP"),
    case("currency of a row", " | 2019\nNet sales (€) | 1,234", "1,234", unit="EUR"),
    case("a row named for a currency", "Currency | FY 2019\nGBP | 91.60", "91.60", unit=""),
    case("shekel sign", " | 2019\nהכנסות | ₪1,234", "₪1,234", unit="ILS", value="1234"),
    case("sign behind", " | 2019\nUmsatz | 1.234,56 €", "1.234,56 €", unit="EUR", value="1234.56"),
    case("decimal comma", "Posten;2019;2018\nUmsatz;1.234;1.100\nMarge;12,5;11,9", "1.234", value="1234"),
    case("decimal point", " | 2019\nSales | 1.234\nMargin | 12.5", "1.234", value="1.234"),
    case("per cent in a row with a scale", " | 2019 | Change\nNOI ($K) | 1,234 | +5.2%", "+5.2%", unit="%", scale=1),
    case("basis points", " | Change\nMargin | -130 bps", "-130 bps", value="-1.3", unit="pp"),
    case("times", " | 2019\nLeverage | 3.2x", "3.2x", value="3.2", unit="x"),
]  # fmt: skip

FARM = "# Fields in 2024. Area in hectares, yield in tonnes per hectare, production in tonnes, income and direct cost in USD thousand.\ncrop,area,yield,production,income,direct cost,gross margin\nbarley,1184,6.0,7104,1421,902,519\noats,640,5.2,3328,612,401,211"
FISH = "Sites, Q3 2024. Weights in tonnes live weight, cost in NOK million.\n\n| Site | Feed used | Weight harvested | Cost |\n|---|---|---|---|\n| Lavik | 4,056 | 3,120 | 142.5 |\n| Ostvik | 2,870 | 2,244 | 98.1 |"
HEAT = "District heating 2023\nHeat in megawatt-hours (MWh), cost in DKK thousand.\nPlant            Heat sold   Fuel cost   Staff\nNordby             41,250       9,380      14\nSonder             28,900       6,115      11"
FERRIES = "Ferries 2024\nPassengers in thousand, fuel in tonnes, fares in GBP thousand\n\nRoute\nPassengers\nFuel\nFares\nSkye\n412\n1,930\n6,840\nMull\n268\n1,204\n4,115\nIona\n88\n310\n1,020"
MINE = "| | 2023 | 2024 |\n|---|---|---|\n| Ore milled | 4,120 | 4,385 |\n| Copper sold | 31,200 | 33,940 |\n| Royalties | 13.1 | 15.2 |\n\nOre in thousand tonnes, copper in tonnes, royalties in USD million."
SHOPS = 'הכנסות באלפי ש"ח, שטח במ"ר\nסניף | שטח | הכנסות | רווח | עובדים\nאלון | 1,250 | 38,400 | 2,140 | 22\nברוש | 860 | 31,820 | 1,905 | 17'
SCHOOLS = "学费收入单位为万元，人数为人\n学校 | 人数 | 学费收入 | 其他收入\n东城 | 1,240 | 3,720 | 410\n西城 | 980 | 2,940 | 355"
POWER = "Volumes in GWh; prices in EUR per MWh; revenue in EUR million\nMonth | Volume | Price | Revenue\nJan 2024 | 312 | 84.50 | 26.4\nFeb 2024 | 287 | 79.10 | 22.7"
BRACKETS = "Area (hectares), yield (t/ha), income (USD thousand)\nFarm | Area | Yield | Income\nOak | 512 | 6.1 | 480\nElm | 210 | 5.4 | 190"
STATEMENT = "Results in EUR million; shares in thousands\n | 2024 | 2023\nRevenue | 512 | 480\nFuel | 210 | 190\nShares outstanding | 8,800 | 8,500"

LETTING = (
    "Prepared by the agent. Areas are in square feet; rents are annual, in £000, before incentives.\n\n"
    "| Building | Let | Passing rent |\n|---|---|---|\n| Alder House | 40,100 | 1,123 |\n| Birch Court | 24,960 | 699 |"
)
SEVERAL = [
    case("measured, beside money in thousands", FARM, "7104", scale=1, unit="ton"),
    case("a rate of what is measured", FARM, "6.0", scale=1, unit=""),
    case("the second name of a part", FARM, "902", scale=1000, unit="USD"),
    case("money that no part names", FARM, "519", scale=1000, unit="USD"),
    case("weights", FISH, "3,120", scale=1, unit="ton"),
    case("no money, and named by none", FISH, "4,056", scale=1, unit=""),
    case("money behind what is measured", FISH, "98.1", scale=10**6, unit="NOK"),
    case("a unit with its sign in brackets", HEAT, "41,250", scale=1, unit="mwh"),
    case("money in aligned text", HEAT, "9,380", scale=1000, unit="DKK"),
    case("counted in thousands", FERRIES, "412", scale=1000, unit=""),
    case("measured, one cell a line", FERRIES, "1,930", scale=1, unit="ton"),
    case("money, one cell a line", FERRIES, "6,840", scale=1000, unit="GBP"),
    case("thousands of a measure below the rows", MINE, "4,385", scale=1000, unit="ton"),
    case("a measure in full below the rows", MINE, "33,940", scale=1, unit="ton"),
    case("money below the rows", MINE, "15.2", scale=10**6, unit="USD"),
    case("an area, in a sentence behind another", LETTING, "40,100", scale=1),
    case("a rent, in a sentence behind another", LETTING, "1,123", scale=1000, unit="GBP"),
    case("square metres in Hebrew", SHOPS, "1,250", scale=1, unit="sqm"),
    case("money in Hebrew", SHOPS, "38,400", scale=1000, unit="ILS"),
    case("money in Hebrew that no part names", SHOPS, "2,140", scale=1000, unit="ILS"),
    case("counted in Hebrew, named by none", SHOPS, "22", scale=1, unit=""),
    case("people in Chinese", SCHOOLS, "1,240", scale=1, unit=""),
    case("money in Chinese", SCHOOLS, "3,720", scale=10**4, unit="CNY"),
    case("money in Chinese that no part names", SCHOOLS, "355", scale=10**4, unit="CNY"),
    case("energy", POWER, "312", scale=1, unit="gwh"),
    case("money for each", POWER, "84.50", scale=1, unit="EUR"),
    case("money in total", POWER, "22.7", scale=10**6, unit="EUR"),
    case("a rate in brackets", BRACKETS, "6.1", scale=1, unit=""),
    case("money in brackets", BRACKETS, "190", scale=1000, unit="USD"),
    case("the lines of a statement", STATEMENT, "210", scale=10**6, unit="EUR"),
    case("the shares of a statement", STATEMENT, "8,800", scale=1000, unit=""),
    case("per cent of what is named", "Occupancy in percent, revenue in GBP million, stay in days\nHotel | Occupancy | Revenue | Stay\nOak | 71.2 | 5.1 | 2.4\nElm | 66.0 | 4.3 | 3.1", "66.0", scale=1, unit="%"),
    case("money that is called by what is measured too", "Feed in tonnes, cost in NOK million\nSite | Feed | Feed cost\nLavik | 4,056 | 42.5\nOstvik | 2,870 | 38.1", "38.1", scale=10**6, unit="NOK"),
    case("a price that no part names", "Sales in EUR thousand, volume in tonnes\nMill | Sales | Volume | Average price\nOak | 512 | 4,802 | 107\nElm | 210 | 1,903 | 110", "110", scale=1),
    case("countries, which are no units", "Sales in Poland, Norway and Spain in EUR million\n | 2024 | 2023\nPoland | 512 | 480\nNorway | 210 | 190", "210", scale=10**6, unit="EUR"),
]  # fmt: skip

WRITTEN = [
    ("(1,234)", "-1234"), ("$(1,234)", "-1234"), ("($1,234)", "-1234"), ("$ (1,234)", "-1234"), ("-1,234", "-1234"), ("−1,234", "-1234"),
    ("1,234-", "-1234"), ("△1,234", "-1234"), ("(8.4%)", "-8.4"), ("(4.3)%", "-4.3"), ("(265 )", "-265"), ("+80", "80"), ("1 234 567", "1234567"),
    ("1\u00a0234", "1234"), ("1'234'567", "1234567"), (".5", "0.5"), ("١٬٢٣٤", "1234"), ("１，２３４", "1234"), ("人民币1,234", "1234"),
]  # fmt: skip


@each_case("one", SCALES, ids=lambda one: one.name)
def test_a_cell_has_the_scale_that_is_declared_nearest(one: Case) -> None:
    check(one)


@each_case("one", UNITS, ids=lambda one: one.name)
def test_a_cell_has_the_unit_that_is_declared_nearest(one: Case) -> None:
    check(one)


@each_case("one", SEVERAL, ids=lambda one: one.name)
def test_each_part_of_a_unit_line_declares_for_what_it_names(one: Case) -> None:
    check(one)


@each_case(
    "chunk, written, value",
    [
        (FARM, "7104", "7104"),
        (FISH, "4,056", "4056"),
        (MINE, "33,940", "33940"),
        ("plant,output,revenue\nNorth,512,3120\nSouth,407,2290\n\nSee below for notes on all of the plants.\n\n# Output in tonnes, revenue in EUR thousand.", "512", "512"),
    ],
)  # fmt: skip
def test_a_scale_that_is_declared_for_some_is_spread_over_no_others(
    chunk: str, written: str, value: str
) -> None:
    grids = evidence.read(Answer("", sources=(Source("S1", chunk),)), never).grids
    told = [fact.value for grid in grids for fact in grid.facts if fact.text == written]
    assert told == [Decimal(value)]


@each_case(("written", "value"), WRITTEN)
def test_a_number_is_read_as_books_write_it(written: str, value: str) -> None:
    check(case("", f" | 2019\nNet | {written}", written, value=value, row="net"))


@pytest.mark.parametrize("mark", ["(1)", " (1)", "*", "†", " (a)", "(1)(2)", "¹", " [3]"])
def test_a_footnote_is_no_part_of_a_number(mark: str) -> None:
    place = found(f" | 2019\nNet | 1,234{mark}", "1,234")
    assert place.value == 1234


@each_case("empty", ["-", "—", "–", "n/a", "N/A", "", "$—", "nm", "...", "不适用"])
def test_what_stands_for_no_number_is_none(empty: str) -> None:
    assert [place.text for place in read(f" | 2019 | 2018\nNet | {empty} | 5") if place.value] == ["5"]


@pytest.mark.parametrize("broken", ["1,23", "1.2.3", "12,345,67", "1e999", "∞", "NaN", "%", "$"])
def test_what_is_no_number_is_no_value(broken: str) -> None:
    assert [place.text for place in read(f" | 2019 | 2018\nNet | {broken} | 5,000.1")][-1:] == ["5,000.1"]


def test_a_cell_with_two_numbers_gives_both() -> None:
    places = read(" | 2019\nVolatility | 27% - 35%\nLife | 5 to 40 years")
    assert [(place.text, place.iso) for place in places] == [
        ("27%", "2019"), ("35%", "2019"), ("5", "2019"), ("40", "2019"),
    ]  # fmt: skip
