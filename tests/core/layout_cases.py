"""Tables of many fields as they come out of pages, chunks and exports, with what a person reads in them.

A case: its name, the chunks as title and text, and values as they are written with their row and their column: a word of its
label, the first day of its period, or "moves" for how far something moved.
"""

CASES: list[tuple[str, list[tuple[str, str]], list[tuple[str, str, str]]]] = [
    (
        "fleet",
        [
            (
                "Fleet report p. 4",
                "Fleet in service\nVehicle type\n2021\n2022\n2023\nChange 22/23\nTrams\n140\n146\n151\n+3.4%\nBuses\n388\n371\n360\n-3.0%\nTrolleybuses\n52\n52\n48\n-7.7%\nTotal\n580\n569\n559\n-1.8%\nAll figures at year end\nTrams include museum cars\n4",
            )
        ],
        [
            ("151", "Trams", "2023-01-01"),
            ("371", "Buses", "2022-01-01"),
            ("-7.7%", "Trolley", "moves"),
            ("140", "Trams", "2021-01-01"),
        ],
    ),
    (
        "hospital list",
        [
            (
                "Annex B",
                "Annex B - Beds and staff by clinic\nClinic\nBeds\nCases\nMean stay (days)\nNurses (FTE)\nCardiology\n84\n4,120\n6.1\n96.5\nSurgery\n120\n6,845\n5.4\n141.0\nNeurology\n46\n1,980\n7.9\n58.2\nPaediatrics\n38\n2,470\n3.6\n49.8\nNurses include trainees in their third year\nSource: hospital information system\n- 17 -",
            )
        ],
        [
            ("84", "Cardiology", "Beds"),
            ("96.5", "Cardiology", "Nurses"),
            ("6,845", "Surgery", "Cases"),
            ("3.6", "Paed", "Mean stay"),
        ],
    ),
    (
        "wine",
        [
            (
                "Vintage report",
                "Grape harvest 2023\nRegion\nArea (ha)\nHarvest (t)\nYield (t/ha)\nPrice (EUR/t)\nLower Valley\n1,240\n9,920\n8.0\n640\nHill country\n860\n5,160\n6.0\n910\nLakeside\n415\n3,735\n9.0\n720\nPrices are averages weighted by quantity\nArea as registered on 1 August",
            )
        ],
        [
            ("1,240", "Lower", "Area"),
            ("640", "Lower", "Price"),
            ("5,160", "Hill", "Harvest"),
            ("9.0", "Lakeside", "Yield"),
        ],
    ),
    (
        "energy, currency end",
        [
            (
                "",
                "Electricity generation\nBy source\nSource\n2022\n2023\n2024\nShare 2024\nHydro\n1,410\n1,385\n1,502\n48.1%\nWind\n690\n742\n811\n26.0%\nSolar\n205\n288\n344\n11.0%\nGas\n610\n540\n466\n14.9%\nAll figures in gigawatt hours\nPage 12 of 40",
            )
        ],
        [
            ("1,502", "Hydro", "2024-01-01"),
            ("48.1%", "Hydro", "Share"),
            ("742", "Wind", "2023-01-01"),
            ("205", "Solar", "2022-01-01"),
        ],
    ),
    (
        "library",
        [
            (
                "Library statistics",
                "City library\nLoans and visitors\nBranch\nOpen days\nLoans\nVisitors\nNew members\nLoans per visitor\nCentral\n298\n412,300\n256,800\n3,410\n1.61\nHarbour\n240\n88,150\n61,900\n980\n1.42\nWestend\n236\n74,020\n49,300\n715\n1.50\nSundays are counted at Central only\nBranch Harbour was closed in July",
            )
        ],
        [
            ("298", "Central", "Open days"),
            ("1.61", "Central", "Loans per"),
            ("61,900", "Harbour", "Visitors"),
            ("715", "Westend", "New members"),
        ],
    ),
    (
        "zh",
        [
            (
                "港口统计",
                "港口货物吞吐量\n货类\n2022年\n2023年\n2024年\n同比增长\n粮食\n612\n574\n641\n11.7%\n钢材\n418\n402\n377\n-6.2%\n集装箱\n96\n103\n118\n14.6%\n单位：千吨\n注：集装箱不含箱重",
            )
        ],
        [("641", "粮食", "2024-01-01"), ("-6.2%", "钢材", "moves"), ("96", "集装箱", "2022-01-01")],
    ),
    (
        "he",
        [
            (
                "דוח מפעלים",
                'תפוקה ועובדים לפי מפעל\nמפעל\nעובדים\nתפוקה (טון)\nימי השבתה\nמחזור\nצפון\n214\n18,300\n12\n96.4\nדרום\n180\n15,950\n9\n81.2\nמרכז\n96\n7,420\n21\n40.8\nהמחזור במיליוני ש"ח\nעמוד 3',
            )
        ],
        [
            ("214", "צפון", "עובדים"),
            ("96.4", "צפון", "מחזור"),
            ("15,950", "דרום", "תפוקה"),
            ("21", "מרכז", "השבתה"),
        ],
    ),
    (
        "exports with unit line over",
        [
            (
                "",
                "Exports by destination\nUSD million\nDestination\n2023\n2024\nChange\nGermany\n1,204\n1,268\n+5.3%\nPoland\n880\n841\n-4.4%\nItaly\n512\n540\n+5.5%\nOthers\n1,960\n2,012\n+2.7%\nPreliminary figures for 2024\nSource: customs office",
            )
        ],
        [("1,268", "Germany", "2024-01-01"), ("+5.3%", "Germany", "moves"), ("880", "Poland", "2023-01-01")],
    ),
    (
        "quarter columns",
        [
            (
                "",
                "Passengers by line\nLine\nQ1 2024\nQ2 2024\nQ3 2024\nQ4 2024\nU1\n8.4\n8.9\n8.1\n9.2\nU2\n6.1\n6.3\n5.8\n6.6\nU3\n3.9\n4.0\n3.7\n4.3\nIn million boardings\n3",
            )
        ],
        [("8.1", "U1", "2024-07-01"), ("6.1", "U2", "2024-01-01"), ("4.3", "U3", "2024-10-01")],
    ),
    (
        "absolute and relative change",
        [
            (
                "",
                "Households by size\nSize of household\n2014\n2024\nChange\nChange in %\nOne person\n184,200\n221,400\n37,200\n20.2\nTwo persons\n160,100\n171,300\n11,200\n7.0\nThree and more\n142,700\n138,900\n-3,800\n-2.7\nSource: register of residents, 31 December\nWithout student halls",
            )
        ],
        [
            ("221,400", "One", "2024-01-01"),
            ("37,200", "One", "moves"),
            ("-2.7", "Three", "moves"),
            ("160,100", "Two", "2014-01-01"),
        ],
    ),
    (
        "five heads last unit",
        [
            (
                "Shops",
                "Shop results, October\nShop\nSales\nCustomers\nSales per customer\nReturns\nOld Town\n184,300\n9,215\n20.00\n1.8%\nStation\n240,960\n16,064\n15.00\n2.4%\nMall\n310,500\n12,420\n25.00\n3.1%\nSales and sales per customer in EUR\nSales are net of VAT",
            )
        ],
        [
            ("9,215", "Old Town", "Customers"),
            ("20.00", "Old Town", "Sales per customer"),
            ("3.1%", "Mall", "Returns"),
            ("240,960", "Station", "Sales"),
        ],
    ),
    (
        "two title lines, text column",
        [
            (
                "",
                "Bridge register\nState on 1 March 2024\nBridge\nBuilt\nLength (m)\nLoad class\nScore\nKings Bridge\n1932\n212\nC\n2.8\nNorth Viaduct\n1967\n648\nA\n1.9\nMill Footbridge\n2004\n41\nF\n1.2\nScore: 1 very good, 4 unsafe",
            )
        ],
        [("212", "Kings", "Length"), ("2.8", "Kings", "Score"), ("648", "North", "Length")],
    ),
    (
        "hotels",
        [
            (
                "Table 1",
                "Table 1. Rooms and nights 2023\nHotel | Rooms | Room nights (thousand) a | Occupancy\nAstoria | 210 | 58.4 | 76.2%\nBellevue | 148 | 38.9 | 72.0%\nCorona | 96 | 21.4 | 61.1%\na Sold nights, without complimentary stays. 1 room night = one room for one night.",
            ),
            (
                "Table 2",
                "Table 2. Revenue 2023\nHotel | Room revenue (EUR thousand) | RevPAR (EUR) b\nAstoria | 7,884 | 102.85\nBellevue | 4,279 | 79.21\nCorona | 1,926 | 54.97\nb Per available room and night.",
            ),
        ],
        [
            ("58.4", "Astoria", "Room nights"),
            ("7,884", "Astoria", "Room revenue"),
            ("102.85", "Astoria", "RevPAR"),
            ("96", "Corona", "Rooms"),
        ],
    ),
    (
        "one source two tables",
        [
            (
                "Annual water report",
                "Table A Abstraction\nWorks | Wells | Volume (Ml)\nNorthwell | 12 | 4,820\nAshby | 7 | 2,215\nVolume: raw water, metered.\n\nTable B Cost\nWorks | Energy (kWh/Ml) | Cost (GBP thousand)\nNorthwell | 410 | 1,930\nAshby | 515 | 1,040",
            )
        ],
        [("4,820", "Northwell", "Volume"), ("410", "Northwell", "Energy"), ("1,040", "Ashby", "Cost")],
    ),
    (
        "aligned two tables",
        [
            (
                "Crops",
                "Table 1  Area and yield\nCrop        Area (kha)   Yield (t/ha)\nWheat            412.5          7.1\nBarley           198.3          6.2\nRape              86.0          3.4\n(1) Winter and spring crops together.\n\nTable 2  Prices\nCrop        Price (EUR/t)   Stocks (kt)\nWheat               214            530\nBarley              188            210\nRape                452             64\n(2) Delivered to the mill.",
            )
        ],
        [
            ("412.5", "Wheat", "Area"),
            ("214", "Wheat", "Price"),
            ("64", "Rape", "Stocks"),
            ("6.2", "Barley", "Yield"),
        ],
    ),
    (
        "md with superscripts",
        [
            (
                "",
                "| Plant | Capacity (MW)¹ | Output (GWh) |\n|---|---|---|\n| Rhone | 1,300 | 8,940 |\n| Loire | 905 | 6,120 |\n\n¹ Net capacity on 31 December.\n\n| Plant | Staff² | Outage (days) |\n|---|---|---|\n| Rhone | 612 | 41 |\n| Loire | 488 | 67 |\n\n² Full-time equivalents, average of the year.",
            )
        ],
        [
            ("1,300", "Rhone", "Capacity"),
            ("8,940", "Rhone", "Output"),
            ("488", "Loire", "Staff"),
            ("41", "Rhone", "Outage"),
        ],
    ),
    (
        "footnote starting with a number",
        [
            (
                "",
                "Table 3. Fleet\nShip | Built | Slots (TEU) * | Crew\nAurora | 2016 | 8,400 | 24\nBorealis | 2021 | 14,000 | 22\n* At 14 tonnes each the capacity is 6,300 and 10,900.\nTable 4. Voyages\nShip | Calls | Cargo (kt) | Fuel (t)\nAurora | 61 | 1,220 | 18,300\nBorealis | 48 | 1,690 | 21,450",
            )
        ],
        [
            ("8,400", "Aurora", "Slots"),
            ("24", "Aurora", "Crew"),
            ("1,220", "Aurora", "Cargo"),
            ("21,450", "Borealis", "Fuel"),
        ],
    ),
    (
        "one in thousand one in million",
        [
            (
                "Chunk 1",
                "Table 5. Premiums (EUR million)\nLine | 2022 | 2023\nMotor | 812.4 | 850.1\nProperty | 404.0 | 431.6",
            ),
            (
                "Chunk 2",
                "Table 6. Claims (EUR thousand)\nLine | 2022 | 2023\nMotor | 601,300 | 655,900\nProperty | 251,700 | 240,100",
            ),
        ],
        [("850.1", "Motor", "2023-01-01"), ("601,300", "Motor", "2022-01-01")],
    ),
    (
        "zh two",
        [
            (
                "表一",
                "表1 产量（2023年）\n矿区 | 矿石（千吨） | 铜（吨）\n东山 | 3,410 | 21,200\n西岭 | 1,965 | 9,630\n注：铜为精矿含铜量。",
            ),
            (
                "表二",
                "表2 成本（2023年）\n矿区 | 采矿成本（元/吨） | 人数\n东山 | 86.5 | 1,118\n西岭 | 94.2 | 742",
            ),
        ],
        [("3,410", "东山", "矿石"), ("86.5", "东山", "采矿成本"), ("742", "西岭", "人数")],
    ),
    (
        "he two",
        [
            (
                "לוח 1",
                'לוח 1. ייצור 2023\nאתר | הספק (מגה-ואט) | ייצור (אלפי קוט"ש) א\nנגב | 120 | 214,500\nגליל | 45 | 80,100\nא נטו, לאחר צריכה עצמית.',
            ),
            (
                "לוח 2",
                'לוח 2. עלויות 2023\nאתר | תחזוקה (אלפי ש"ח) | עובדים\nנגב | 3,960 | 31\nגליל | 1,720 | 14',
            ),
        ],
        [("120", "נגב", "הספק"), ("214,500", "נגב", "ייצור"), ("14", "גליל", "עובדים")],
    ),
    (
        "sentence columns",
        [
            (
                "Release chunk 3",
                "Passengers by airport, thousand. Columns from left to right: 2022, 2023, 2024, change 2023 to 2024. Transfers are counted once.",
            ),
            (
                "Release chunk 4",
                "Vienna 23,700 29,500 31,700 +7.5%\nGraz 620 735 812 +10.5%\nLinz 290 305 298 -2.3%\nSalzburg 1,580 1,720 1,810 +5.2%",
            ),
        ],
        [("31,700", "Vienna", "2024-01-01"), ("+7.5%", "Vienna", "moves"), ("305", "Linz", "2023-01-01")],
    ),
    (
        "same chunk",
        [
            (
                "",
                "The table below lists, from left to right: opening stock, deliveries, sales, closing stock (tonnes).\nDepot A 410 1,220 1,180 450\nDepot B 95 640 655 80\nDepot C 300 150 290 160",
            )
        ],
        [("410", "Depot A", "opening"), ("655", "Depot B", "sales"), ("160", "Depot C", "closing")],
    ),
    (
        "columns:",
        [
            (
                "Part 1",
                "Deposits by branch. The columns are: customers, current accounts (EUR m), savings (EUR m), loans (EUR m).",
            ),
            (
                "Part 2",
                "Aalen 12,400 88.1 214.6 301.2\nBonn 20,150 160.4 377.0 512.8\nCelle 7,300 41.2 102.9 133.4",
            ),
        ],
        [("12,400", "Aalen", "customers"), ("377.0", "Bonn", "savings"), ("133.4", "Celle", "loans")],
    ),
    (
        "header chunk pipes",
        [
            (
                "Rents - headings",
                "| Property | Area (sqm) | Rent (EUR/sqm) | WALT (years) |\n|---|---|---|---|",
            ),
            (
                "Rents - rows",
                "| Alster | 4,200 | 18.50 | 6.1 |\n| Binnen | 2,950 | 22.00 | 3.4 |\n| Fleet | 6,100 | 16.75 | 8.8 |",
            ),
        ],
        [("4,200", "Alster", "Area"), ("22.00", "Binnen", "Rent"), ("8.8", "Fleet", "WALT")],
    ),
    (
        "quarters",
        [
            (
                "Chunk 11",
                "Orders by division, EUR million; columns: Q1 2023, Q4 2023, Q1 2024, change on the year before.",
            ),
            (
                "Chunk 12",
                "Drives 310.4 355.0 342.9 +10.5%\nRobots 120.6 98.2 101.3 -16.0%\nServices 88.0 92.4 95.1 +8.1%",
            ),
        ],
        [("342.9", "Drives", "2024-01-01"), ("120.6", "Robots", "2023-01-01"), ("-16.0%", "Robots", "moves")],
    ),
    (
        "zh",
        [
            (
                "第7块",
                "各地区销售额（百万元）。各列从左至右依次为：2023年第三季度、2024年第二季度、2024年第三季度、同比。",
            ),
            (
                "第8块",
                "华东 411.2 455.0 498.7 +21.3%\n华南 305.6 322.4 351.9 +15.2%\n华北 142.8 139.5 131.0 -8.3%",
            ),
        ],
        [("498.7", "华东", "2024-07-01"), ("-8.3%", "华北", "moves"), ("322.4", "华南", "2024-04-01")],
    ),
    (
        "he",
        [
            ("חלק 1", 'מכירות לפי אזור, מיליון ש"ח. העמודות מימין לשמאל: 2022, 2023, 2024, שינוי.'),
            ("חלק 2", "צפון 41.2 45.5 49.7 +9.2%\nדרום 30.6 32.4 35.9 +10.8%\nמרכז 142.8 139.5 131.0 -6.1%"),
        ],
        [("49.7", "צפון", "2024-01-01"), ("139.5", "מרכז", "2023-01-01")],
    ),
    (
        "in order",
        [
            (
                "Part 1",
                "Results of the clinical laboratory; the values are given in the following order: samples, rejected, mean time (h), cost per sample (EUR).",
            ),
            (
                "Part 2",
                "Haematology 41,200 310 2.1 6.40\nChemistry 88,750 402 1.6 4.15\nMicrobiology 15,300 288 38.5 21.90",
            ),
        ],
        [("41,200", "Haem", "samples"), ("6.40", "Haem", "cost"), ("38.5", "Micro", "mean time")],
    ),
    (
        "labelled first col in sentence",
        [
            ("Part 1", "Columns: region, stores, sales (EUR m), like-for-like growth."),
            ("Part 2", "Benelux 112 410.3 +2.4%\nNordics 64 288.7 -1.1%\nIberia 89 305.2 +6.0%"),
        ],
        [("112", "Benelux", "stores"), ("288.7", "Nordics", "sales"), ("+6.0%", "Iberia", "growth")],
    ),
    (
        "columns show",
        [
            (
                "Extract, page 2",
                "Nights spent by guests, in thousands. The four columns show 2019, 2022, 2023 and the change against 2019.",
            ),
            (
                "Extract, page 3",
                "Tyrol 49,960 45,810 49,420 -1.1%\nCarinthia 13,330 13,010 13,210 -0.9%\nVienna 17,600 13,200 17,260 -1.9%",
            ),
        ],
        [
            ("49,420", "Tyrol", "2023-01-01"),
            ("13,330", "Carinthia", "2019-01-01"),
            ("-1.9%", "Vienna", "moves"),
        ],
    ),
    (
        "plant keys",
        [
            (
                "Bench (left)",
                "Row keys\nRow 1: Alba depot\nRow 2: Brno depot\nRow 3: Cork depot\nCosts in EUR per parcel.",
            ),
            (
                "Bench (right)",
                "| | Parcels (k) | Labour | Transport | Total cost |\n|1| 4,120 | 1.10 | 0.82 | 1.92 |\n|2| 2,865 | 0.95 | 0.90 | 1.85 |\n|3| 1,490 | 1.30 | 1.05 | 2.35 |",
            ),
        ],
        [("4,120", "Alba", "Parcels"), ("1.85", "Brno", "Total cost"), ("1.05", "Cork", "Transport")],
    ),
    (
        "key list numbers",
        [
            (
                "Key",
                "Legend to the figures of part B:\n1 = Maple House\n2 = Oak House\n3 = Pine House\n4 = Rowan House",
            ),
            (
                "Part B",
                "| No. | Beds | Residents | Staff |\n|---|---|---|---|\n| 1 | 40 | 38 | 29 |\n| 2 | 52 | 47 | 35 |\n| 3 | 30 | 30 | 24 |\n| 4 | 64 | 55 | 41 |",
            ),
        ],
        [("38", "Maple", "Residents"), ("35", "Oak", "Staff"), ("64", "Rowan", "Beds")],
    ),
    (
        "letters",
        [
            ("Survey (sheet 1)", "A: Hanover\nB: Kassel\nC: Fulda\nAll values are monthly averages."),
            ("Survey (sheet 2)", "Site;NO2 (µg/m3);PM10 (µg/m3)\nA;38.2;21.4\nB;31.0;19.9\nC;24.6;17.2"),
        ],
        [("38.2", "Hanover", "NO2"), ("17.2", "Fulda", "PM10")],
    ),
    (
        "row keys he",
        [
            ("מפתח שורות", "שורה 1: מפעל חיפה\nשורה 2: מפעל אשדוד\nשורה 3: מפעל ירוחם"),
            (
                "טבלה",
                "| | תפוקה (טון) | עובדים | עלות לטון |\n|1| 1,120 | 214 | 41.7 |\n|2| 865 | 180 | 38.2 |\n|3| 1,490 | 96 | 38.9 |",
            ),
        ],
        [("1,120", "חיפה", "תפוקה"), ("38.2", "אשדוד", "עלות")],
    ),
    (
        "row keys zh",
        [
            ("行键", "第1行：城东厂\n第2行：城西厂\n第3行：城南厂"),
            (
                "数据",
                "| | 产量（吨） | 电耗 | 人工 |\n|1| 1,120 | 14.8 | 6.9 |\n|2| 865 | 12.1 | 7.8 |\n|3| 1,490 | 13.5 | 5.6 |",
            ),
        ],
        [("1,120", "城东厂", "产量"), ("7.8", "城西厂", "人工")],
    ),
    (
        "same source key behind",
        [
            (
                "",
                "| Row | Turnover | Footfall |\n|---|---|---|\n| 1 | 410 | 12,300 |\n| 2 | 388 | 9,900 |\n| 3 | 295 | 8,100 |\nRow 1: Camden store. Row 2: Soho store. Row 3: Brixton store.",
            )
        ],
        [("410", "Camden", "Turnover"), ("9,900", "Soho", "Footfall")],
    ),
    (
        "count differs: no map",
        [
            ("Key", "Row 1: Alba\nRow 2: Brno"),
            ("Part", "| | Parcels | Cost |\n|1| 4,120 | 1.92 |\n|2| 2,865 | 1.85 |\n|3| 1,490 | 2.35 |"),
        ],
        [],
    ),
    (
        "line keys sentence",
        [
            (
                "Notes (1/2)",
                "The lines of the table on the next page stand for: 1 Grants, 2 Donations, 3 Ticket sales, 4 Sponsoring.",
            ),
            (
                "Notes (2/2)",
                "| Line | 2022 | 2023 |\n|---|---|---|\n| 1 | 410 | 425 |\n| 2 | 88 | 93 |\n| 3 | 1,220 | 1,344 |\n| 4 | 310 | 250 |",
            ),
        ],
        [("425", "Grants", "2023-01-01"), ("250", "Sponsoring", "2023-01-01")],
    ),
    (
        "codes",
        [
            ("Codebook", "S1 - Sofia\nS2 - Plovdiv\nS3 - Varna"),
            ("Data", "Site | Patients | Drop-outs\nS1 | 204 | 11\nS2 | 180 | 9\nS3 | 96 | 4"),
        ],
        [("204", "Sofia", "Patients"), ("9", "Plovdiv", "Drop")],
    ),
    (
        "numbers that are floors: leave",
        [
            (
                "",
                "| Floor | Area (sqm) | Tenants |\n|---|---|---|\n| 1 | 820 | 3 |\n| 2 | 790 | 2 |\n| 3 | 790 | 4 |",
            )
        ],
        [("820", "1", "Area"), ("4", "3", "Tenants")],
    ),
    (
        "trial",
        [
            (
                "Table 14.1",
                "Table 14.1  Disposition\n                    Arm A 50 mg   Arm B 100 mg   Placebo\n                    N=120         N=118          N=121\nCompleted           101 (84.2%)    97 (82.2%)    104 (86.0%)\nWithdrawn            19 (15.8%)    21 (17.8%)     17 (14.0%)\nAdverse event         8  (6.7%)    11  (9.3%)      4  (3.3%)",
            )
        ],
        [
            ("101", "Completed", "50 mg"),
            ("84.2%", "Completed", "50 mg"),
            ("9.3%", "Adverse", "100 mg"),
            ("4", "Adverse", "Placebo"),
        ],
    ),
    (
        "md",
        [
            (
                "",
                "| Response | Control (n=80) | Intervention (n=82) |\n|---|---|---|\n| Improved | 31 (38.8%) | 48 (58.5%) |\n| Unchanged | 36 (45.0%) | 27 (32.9%) |\n| Worse | 13 (16.3%) | 7 (8.5%) |",
            )
        ],
        [
            ("48", "Improved", "Intervention"),
            ("58.5%", "Improved", "Intervention"),
            ("45.0%", "Unchanged", "Control"),
        ],
    ),
    (
        "mean (sd)",
        [
            (
                "",
                "| Measure | Baseline | Week 12 |\n|---|---|---|\n| Weight (kg) | 84.2 (11.3) | 79.8 (10.9) |\n| Systolic (mmHg) | 148.1 (12.0) | 136.4 (11.7) |",
            )
        ],
        [("84.2", "Weight", "Baseline"), ("136.4", "Systolic", "Week 12")],
    ),
    (
        "percent first",
        [
            (
                "",
                "                 2022            2023\nPaid on time     91.2% (1,820)   93.4% (1,946)\nPaid late         6.3%   (126)    5.1%   (106)\nNot paid          2.5%    (50)    1.5%    (31)",
            )
        ],
        [
            ("93.4%", "Paid on time", "2023-01-01"),
            ("126", "Paid late", "2022-01-01"),
            ("31", "Not paid", "2023-01-01"),
        ],
    ),
    (
        "one cell a line",
        [
            (
                "",
                "Votes by party\nParty\n2019\n2023\nGreens\n41,200 (18.2%)\n47,900 (20.6%)\nLiberals\n60,350 (26.7%)\n55,100 (23.7%)\nLabour\n88,400 (39.1%)\n92,800 (39.9%)",
            )
        ],
        [
            ("47,900", "Greens", "2023-01-01"),
            ("18.2%", "Greens", "2019-01-01"),
            ("39.9%", "Labour", "2023-01-01"),
        ],
    ),
    (
        "n/N (%)",
        [
            (
                "",
                "| Event | Drug 20 mg, n/N (%) | Placebo, n/N (%) |\n|---|---|---|\n| Nausea | 37/201 (18.4%) | 17/198 (8.6%) |\n| Rash | 12/201 (6.0%) | 9/198 (4.5%) |",
            )
        ],
        [("18.4%", "Nausea", "20 mg"), ("4.5%", "Rash", "Placebo")],
    ),
    (
        "true negatives keep",
        [
            (
                "",
                "| USD million | 2023 | 2022 |\n|---|---|---|\n| Revenue growth | (4.2%) | 3.1% |\n| Net income (loss) | (12.4) | 8.8 |\n| Margin | (6.1%) | 4.0% |",
            )
        ],
        [("(4.2%)", "Revenue growth", "2023-01-01"), ("(12.4)", "Net income", "2023-01-01")],
    ),
    (
        "zh",
        [
            (
                "",
                "| 不良事件 | 试验组 20 mg (N=201) | 安慰剂组 (N=198) |\n|---|---|---|\n| 恶心 | 37（18.4%） | 17（8.6%） |\n| 头晕 | 19（9.5%） | 11（5.6%） |",
            )
        ],
        [("18.4%", "恶心", "试验组"), ("11", "头晕", "安慰剂")],
    ),
    (
        "semicolon #",
        [
            (
                "export.csv",
                "# Export from metering system, 2024-05-02\n# Unit: kWh unless noted\nsite;month;consumption;peak_kw;cost_eur\nHall A;2024-03;41200;212;7416\nHall B;2024-03;30500;160;5490\nHall A;2024-04;38900;205;7002\nHall B;2024-04;28700;151;5166",
            )
        ],
        [("41200", "Hall A", "consumption"), ("160", "Hall B", "peak"), ("7002", "Hall A", "cost")],
    ),
    (
        "tab #",
        [
            (
                "t",
                "# survey of rivers\n# discharge in m3/s\nriver\tstation\tmean_discharge\tmax_discharge\nEnns\tSteyr\t204\t1,310\nMur\tGraz\t118\t842\nDrau\tVillach\t168\t1,005",
            )
        ],
        [("204", "Enns", "mean"), ("1,005", "Drau", "max")],
    ),
    (
        "# heads",
        [("t", "#id;name;stock;reorder\n1;Bolts M8;4200;1500\n2;Nuts M8;3900;1500\n3;Washers;12000;4000")],
        [("4200", "Bolts", "stock"), ("4000", "Washers", "reorder")],
    ),
    (
        "comma quoted",
        [
            (
                "t",
                '# generated 2024-01-31\nstation,year,rain_mm,sun_h\n"Hohe Warte",2022,612,2105\n"Hohe Warte",2023,735,2018\n"Flughafen",2022,540,2188\n"Flughafen",2023,668,2090',
            )
        ],
        [("735", "Hohe", "rain"), ("2188", "Flughafen", "sun")],
    ),
    (
        "units row",
        [
            (
                "t",
                "well;depth;temperature;flow\n-;m;degC;l/s\nW1;2,140;96;41.0\nW2;1,980;88;36.5\nW3;2,410;104;52.2",
            )
        ],
        [("2,140", "W1", "depth"), ("52.2", "W3", "flow")],
    ),
    (
        "comment between",
        [
            (
                "t",
                "route;buses;km_per_day\n12;8;1,420\n# route 15 replaced by tram on Sundays\n15;11;1,905\n18;6;870\n# end of file",
            )
        ],
        [("11", "15", "buses"), ("870", "18", "km")],
    ),
    (
        "key = value",
        [
            (
                "t",
                "# currency = CHF\n# scale = thousands\ncanton;tax_2022;tax_2023\nUri;81200;84100\nZug;402300;431900\nJura;150400;149800",
            )
        ],
        [("84100", "Uri", "tax"), ("402300", "Zug", "tax")],
    ),
    (
        "empty fields",
        [("t", "dept;planned;filled;vacant\nIT;40;37;3\nHR;12;12;\nLegal;9;7;2")],
        [("37", "IT", "filled"), ("7", "Legal", "filled")],
    ),
    (
        "bar csv",
        [
            (
                "t",
                "# 3 rows\ncountry|population_m|gdp_usd_bn\nAustria|9.1|516\nCzechia|10.9|331\nSlovenia|2.1|68",
            )
        ],
        [("9.1", "Austria", "population"), ("331", "Czechia", "gdp")],
    ),
]
