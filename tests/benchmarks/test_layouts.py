"""What the benchmark of layouts writes, the reader reads back, without any of the programs that read files."""

from collections import Counter

import pytest

from benchmarks.layouts.cutting import SPLITTERS, chunks_of, recursive, sentences
from benchmarks.layouts.extracting import layouts
from benchmarks.layouts.measuring import counted
from benchmarks.layouts.sheets import OWN, parsed
from detection.core.evidence.tables import read_document

WRITTEN = ("html", "markdown", "tabs", "csv", "slashes", "aligned", "glued")


@pytest.mark.parametrize("splitter", SPLITTERS)
@pytest.mark.parametrize("layout", WRITTEN)
def test_every_cell_comes_back_from_what_is_written_as_text(layout: str, splitter: str) -> None:
    score: Counter[str] = Counter()
    for sheet in OWN:
        chunks = chunks_of(sheet.name, layouts()[layout](sheet), SPLITTERS[splitter])
        score += counted(sheet, read_document(chunks))
    assert score["cells"] > 300
    assert not score["wrong"]
    assert score["right"] >= 0.99 * score["cells"]


def test_a_splitter_loses_nothing_and_cuts_at_lines() -> None:
    text = "\n".join(f"Row {number} 1,{number:03d}" for number in range(400))
    for cut in (recursive(text), sentences(text)):
        assert len(cut) > 3
        assert {line for chunk in cut for line in chunk.split("\n")} >= set(text.split("\n")[1:-1])
    assert all(len(chunk) <= 1000 for chunk in recursive(text))


def test_a_public_table_is_taken_only_with_headings_and_rows_of_one_length() -> None:
    sheet = parsed(" | 2019 | 2018\nRent | 7 | 5\nFees | 2 | 1", "T")
    assert sheet is not None
    assert [line.label for line in sheet.lines] == ["Rent", "Fees"]
    assert parsed(" | 2019 | 2018\nRent | 7\nFees | 2 | 1", "T") is None
    assert parsed("Rent | 7 | 5\nFees | 2 | 1", "T") is None
