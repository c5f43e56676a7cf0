"""Sources with cells as tables; every mark stays on its characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.highlights import Span
from reviews.source_tables import Block, Cell, blocks, is_table, whole_lines

STATEMENT = (
    "Operating statement\n(USD) | Q3 2024 | Q2 2024\nRevenue | 2,410.10 | 2,355.18\nNOI | 1,234.56 | (7.00)\n"
)


def text_of(cell: Cell) -> str:
    return "".join(piece.text for piece in cell.pieces)


def marked(found: tuple[Block, ...]) -> list[str]:
    cells = [cell for block in found for row in (block.head, *block.rows) for cell in row]
    pieces = [piece for cell in cells for piece in cell.pieces]
    pieces += [piece for block in found for piece in block.pieces]
    return [piece.text for piece in pieces if piece.keys]


def test_heading_labels_and_values_are_told_apart() -> None:
    prose, table = blocks(STATEMENT, [])
    assert "".join(piece.text for piece in prose.pieces) == "Operating statement\n"
    assert [text_of(cell) for cell in table.head] == ["(USD)", "Q3 2024", "Q2 2024"]
    assert [[text_of(cell) for cell in row] for row in table.rows] == [
        ["Revenue", "2,410.10", "2,355.18"],
        ["NOI", "1,234.56", "(7.00)"],
    ]
    assert [cell.figure for cell in table.rows[1]] == [False, True, True]


def test_the_matching_cell_alone_is_marked() -> None:
    start = STATEMENT.index("1,234.56")
    found = blocks(STATEMENT, [Span(start, start + 8, "match")])
    assert marked(found) == ["1,234.56"]
    assert [cell.matched for row in found[1].rows for cell in row].count(True) == 1


def test_a_markdown_table_loses_its_frame_and_its_rule() -> None:
    (table,) = blocks("| Metric | Q3 |\n|---|---:|\n| NOI | 12 |\n", [])
    assert [text_of(cell) for cell in table.head] == ["Metric", "Q3"]
    assert [[text_of(cell) for cell in row] for row in table.rows] == [["NOI", "12"]]


def test_a_label_column_without_a_heading_keeps_its_place() -> None:
    (table,) = blocks(" | First | Second\nNet sales | $117 | $120\n", [])
    assert [len(row) for row in (table.head, *table.rows)] == [3, 3]
    assert table.head[0].pieces == ()


def test_tabs_part_cells_and_empty_cells_keep_their_column() -> None:
    (table,) = blocks("\tQ3\tQ2\nNOI\t\t12\n", [])
    assert [[text_of(cell) for cell in row] for row in (table.head, *table.rows)] == [
        ["", "Q3", "Q2"],
        ["NOI", "", "12"],
    ]


@pytest.mark.parametrize("text", ["a | b", "plain\ntext", "one | bar\n\nother | bar", ""])
def test_a_lone_bar_makes_no_table(text: str) -> None:
    assert not is_table(text)
    assert all(not block.rows for block in blocks(text, []))


def test_a_window_is_moved_out_to_whole_lines() -> None:
    inside = STATEMENT.index("410")
    start, end = whole_lines(STATEMENT, inside, inside + 3)
    assert STATEMENT[start:end] == "Revenue | 2,410.10 | 2,355.18"
    assert whole_lines("x" * 5000, 2000, 3000) == (2000, 3000)


@given(st.text(alphabet="ab1|\t\n -", max_size=60), st.integers(0, 59), st.integers(1, 10))
def test_what_is_marked_is_what_was_matched(text: str, start: int, length: int) -> None:
    span = Span(start, min(start + length, len(text)), "match")
    shown = "".join(marked(blocks(text, [span])))
    wanted = text[span.start : span.end] if span.start < span.end else ""
    drop = str.maketrans("", "", "|\t\n -")
    assert shown.translate(drop) == wanted.translate(drop)
