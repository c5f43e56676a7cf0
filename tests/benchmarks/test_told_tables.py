"""What is told of a table is true of it, and of the wrong twin one thing is not."""

import gzip
import json
from decimal import Decimal
from pathlib import Path

from benchmarks import told_tables
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


def test_periods_are_ordered_by_what_they_name() -> None:
    assert when("Q4 2023") < when("Q1 FY24") < when("2H 24") < when("2025")
    assert when("Mar 2024") < when("Jun 2024")


def test_values_are_written_in_their_unit() -> None:
    assert Unit("$", 3).written(Decimal(1234), 0, shorter=True) == "$1.23 million"
    assert Unit("$", 3).written(Decimal(1234), 0) == "$1,234 thousand"
    assert Unit(percent=True).written(Decimal("4.25"), 1) == "4.3%"
