"""What is told of a table is true of it, and of the wrong twin one thing is not."""

import gzip
import json
from decimal import Decimal
from pathlib import Path

from benchmarks import told_tables
from benchmarks.record_scenes import figures, record_scenes
from benchmarks.table_scenes import Unit, scenes, when

LIST = (
    "| Harbour | Catch (t) | Value ($m) | Boats |\n|---|---:|---:|---:|\n| Grimsay | 410 | 1.2 | 12 |\n| Hallin | 250 | 0.9 | 9 |\n"
    "| Ness | 190 | 0.7 | 7 |\n| Stroma | 150 | 0.4 | 4 |\n| Coast | 1,000 | 3.2 | 32 |"
)
LINES = "| $ thousand | 2021 | 2022 | 2023 |\n|---|---:|---:|---:|\n| Landing fees | 310 | 330 | 380 |\n| Fuel | 120 | 150 | 90 |\n| Staff | 14 | 15 | 16 |"
SENTENCES = [
    {"id": "one", "kind": "L", "text": "{A} and {B} have {A+B} of the {T} in {M}, {A+B|T} of it."},
    {"id": "two", "kind": "P", "text": "{M} [[rose|fell]] by {M%} from {M.q} in {q} to {M.p} in {p}."},
]


HEAD = "property,property_name,currency,period,account_code,total_revenue,net_operating_income,occupancy_rate"
COURTS = ("Ash Court", "Birch Row", "Cedar Hall", "Dogwood Yard")
RECORDS = "\n".join(
    [
        HEAD,
        *(
            f"P-{at},{name},USD,Q{part} 2024,,{900 - at * 70 + part},{500 - at * 60 + part},{91 - at}.{part}"
            for at, name in enumerate(COURTS)
            for part in (1, 2)
        ),
        "P-0,,,Q2 2024,4000,,,",
        "C-3,Elm Wharf,GBP,Q1 2024,,300,100,88.0",
    ]
)
CAFES = "| 门店 | 营收（万元） | 座位（个） |\n|---|---:|---:|\n| 南湖店 | 860 | 62 |\n| 北桥店 | 540 | 48 |\n| 东塔店 | 410 | 36 |\n| 西门店 | 300 | 30 |\n| 合计 | 2,110 | 176 |"


def _pairs(folder: Path) -> Path:
    rows = [
        {"id": f"h-00{at}-c", "pair": f"h-00{at}", "lang": "en", "sources": [{"id": "S0", "title": "Harbours", "text": text}]}
        for at, text in enumerate((LIST, LINES), start=1)
    ]  # fmt: skip
    path = folder / "h.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_a_row_that_is_the_sum_of_the_others_is_none_of_them(tmp_path: Path) -> None:
    harbours, fees = scenes([_pairs(tmp_path)])
    assert harbours.names == ("Grimsay", "Hallin", "Ness", "Stroma")
    assert [line.unit for line in harbours.lines] == [Unit(noun="t"), Unit("$", 6), Unit()]
    assert (fees.kind, fees.names, fees.lines[0].unit) == ("P", ("2021", "2022", "2023"), Unit("$", 3))


def test_what_is_told_is_so_and_its_twin_differs_in_one_gap(tmp_path: Path) -> None:
    sentences, out = tmp_path / "sentences.jsonl", tmp_path / "told.jsonl.gz"
    sentences.write_text("\n".join(map(json.dumps, SENTENCES)), encoding="utf-8")
    assert told_tables.main([str(sentences), str(out), str(_pairs(tmp_path)), "--each", "3"]) == 0
    rows = [json.loads(line) for line in gzip.decompress(out.read_bytes()).decode().splitlines()]
    assert len(rows) == 12
    for right, wrong in zip(rows[::2], rows[1::2], strict=True):
        assert wrong["wrong_text"] in wrong["answer"]
        assert right["answer"] != wrong["answer"]
        assert right["sources"] == wrong["sources"]
    shares = [row["answer"] for row in rows if row["label"] == "correct" and "catch" in row["answer"]]
    assert all("1,000 t" in answer for answer in shares)


def test_properties_of_one_currency_are_told_of_in_lists_and_over_quarters(tmp_path: Path) -> None:
    path = tmp_path / "figures.csv"
    path.write_text(RECORDS, encoding="utf-8")
    first, second, ash, *others = record_scenes(figures(path))
    assert (first.kind, first.names, first.subject, first.not_it) == ("L", COURTS, "Q1 2024", ("Q2 2024",))
    assert (ash.kind, ash.names, ash.subject, ash.pair) == ("P", ("Q1 2024", "Q2 2024"), "Ash Court", "P-0")
    assert [line.name for line in second.lines] == ["total revenue", "net operating income", "occupancy rate"]
    assert len(others) == 3


def test_what_is_told_of_records_names_the_quarter_and_brings_no_source(tmp_path: Path) -> None:
    (tmp_path / "figures.csv").write_text(RECORDS, encoding="utf-8")
    sentences, out = tmp_path / "sentences.jsonl", tmp_path / "told.jsonl.gz"
    told = {"id": "one", "kind": "P", "text": "At {S}, {M} [[rose|fell]] to {M.p} in {p}."}
    sentences.write_text(json.dumps(told), encoding="utf-8")
    assert told_tables.main([str(sentences), str(out), str(tmp_path / "figures.csv"), "--each", "2"]) == 0
    rows = [json.loads(line) for line in gzip.decompress(out.read_bytes()).decode().splitlines()]
    assert {(row["evidence"], row["property"]) for row in rows} == {("record", f"P-{at}") for at in range(4)}
    assert all(
        row["sources"] == [] and "Q2 2024" in row["answer"] for row in rows if row["label"] == "correct"
    )
    assert "C-3" not in (tmp_path / "told.csv").read_text(encoding="utf-8")


def test_tables_of_other_languages_are_told_in_their_units(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    row = {
        "id": "c-001-c",
        "pair": "c-001",
        "lang": "zh",
        "sources": [{"id": "S0", "title": "门店", "text": CAFES}],
    }
    path.write_text(json.dumps(row), encoding="utf-8")
    (cafes,) = scenes([path], "zh")
    assert (cafes.names[0], len(cafes.names), cafes.lines[0].unit) == ("南湖店", 4, Unit("元", 4, lang="zh"))
    assert [line.unit.written(line.values[0], 0) for line in cafes.lines] == ["860万元", "62个"]
    assert list(scenes([path])) == []


def test_periods_are_ordered_by_what_they_name() -> None:
    assert when("2023年第四季") < when("2024Q1") < when("רבעון 2 2024") < when("2025年")
    assert when("Q4 2023") < when("Q1 FY24") < when("2H 24") < when("2025")
    assert when("Mar 2024") < when("Jun 2024")


def test_values_are_written_in_their_unit() -> None:
    assert Unit("$", 3).written(Decimal(1234), 0, shorter=True) == "$1.23 million"
    assert Unit("$", 3).written(Decimal(1234), 0) == "$1,234 thousand"
    assert Unit("$", shortens=True).written(Decimal(1_813_500), 0, shorter=True) == "$1.81 million"
    assert Unit(noun="x").written(Decimal("1.79"), 2) == "1.79x"
    assert Unit('ש"ח', 3, lang="he").written(Decimal(41250), 0, shorter=True) == '41.25 מיליון ש"ח'
    assert Unit(percent=True).written(Decimal("4.25"), 1) == "4.3%"


def test_a_passage_tells_a_part_of_a_table_and_is_the_source_instead(tmp_path: Path) -> None:
    passages = [
        {"id": "p1", "role": "source", "kind": "P", "text": "In {3} {M} [[rose|fell]] to {M.3}, after {M.2} in {2} and {M.1} in {1}; {N} went from {N.1} by way of {N.2} to {N.3}."},
        {"id": "p2", "role": "source", "kind": "L", "text": "{R1}, {R2}, {R3} and {R4} had {M} of {R1.M}, {R2.M}, {R3.M} and {R4.M}."},
        {"id": "p3", "role": "answer", "kind": "P", "text": "{M} came to {M.p} in {p}."},
        {"id": "p4", "role": "answer", "kind": "L", "text": "{TOP} leads with {TOP.M}."},
    ]  # fmt: skip
    sentences, out = tmp_path / "passages.jsonl", tmp_path / "told.jsonl.gz"
    sentences.write_text("\n".join(map(json.dumps, passages)), encoding="utf-8")
    assert told_tables.main([str(sentences), str(out), str(_pairs(tmp_path)), "--each", "1"]) == 0
    rows = [json.loads(line) for line in gzip.decompress(out.read_bytes()).decode().splitlines()]
    assert [(row["layout"], row["note"]) for row in rows] == [("prose", "p4 p2")] * 2 + [
        ("prose", "p3 p1")
    ] * 2
    harbours, fees = (row["sources"][0]["text"] for row in rows[::2])
    assert harbours.count("Grimsay") == harbours.count("Stroma") == 1
    assert "{" not in fees
    assert rows[1]["wrong_text"] in harbours
