"""Sources with cells as tables; every mark stays on its characters, and nothing of a source is markup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.display.highlights import Span
from reviews.review_page.source_tables import MOST_READ, Block, Cell, Excerpt, excerpt

STATEMENT = (
    "Operating statement\n(USD) | Q3 2024 | Q2 2024\nRevenue | 2,410.10 | 2,355.18\nNOI | 1,234.56 | (7.00)\n"
)
HTML = (
    "<p>Works</p>\n<table><caption>In thousands &amp; rounded</caption><thead><tr><th>Work</th><th>Q3 2024</th></tr></thead>"
    "<tr><td><b>Roof</b></td><td>31.0</td></tr><tr><td>All&nbsp;works</td><td>6<i>2</i>.7</td></tr></table>"
)


def whole(text: str, *spans: Span) -> Excerpt:
    return excerpt(text, spans, 0, len(text))


def text_of(cell: Cell) -> str:
    return "".join(piece.text for piece in cell.pieces)


def table_of(found: Excerpt) -> list[list[str]]:
    (block,) = (block for block in found.blocks if block.rows)
    return [[text_of(cell) for cell in row] for row in (*block.head, *block.rows)]


def marked(found: tuple[Block, ...]) -> list[str]:
    cells = [cell for block in found for row in (*block.head, *block.rows) for cell in row]
    pieces = [piece for cell in cells for piece in cell.pieces]
    pieces += [piece for block in found for piece in block.pieces]
    return [piece.text for piece in pieces if piece.keys]


def test_heading_labels_and_values_are_told_apart() -> None:
    (table,) = whole(STATEMENT).blocks
    assert table.caption == "Operating statement"
    assert [text_of(cell) for cell in table.head[0]] == ["(USD)", "Q3 2024", "Q2 2024"]
    assert [[text_of(cell) for cell in row] for row in table.rows] == [
        ["Revenue", "2,410.10", "2,355.18"],
        ["NOI", "1,234.56", "(7.00)"],
    ]
    assert [cell.figure for cell in table.rows[1]] == [False, True, True]


def test_the_matching_cell_and_the_figure_taken_instead_are_told_apart() -> None:
    right, wrong = STATEMENT.index("1,234.56"), STATEMENT.index("2,410.10")
    found = whole(STATEMENT, Span(right, right + 8, "match"), Span(wrong, wrong + 8, "slip"))
    assert marked(found.blocks) == ["2,410.10", "1,234.56"]
    cells = {text_of(cell): cell for row in found.blocks[0].rows for cell in row}
    assert [name for name, cell in cells.items() if cell.matched] == ["1,234.56"]
    assert [name for name, cell in cells.items() if cell.slipped] == ["2,410.10"]


@pytest.mark.parametrize(
    "text",
    [
        "| Work | Q3 2024 |\n|---|---:|\n| Roof | 31.0 |\n| Lobby | 62.7 |\n",
        "Work\tQ3 2024\nRoof\t31.0\nLobby\t62.7\n",
        "Work,Q3 2024\nRoof,31.0\nLobby,62.7\n",
        'Work,"Q3 2024"\n"Roof",31.0\nLobby,"62.7"\n',
        "<table><tr><th>Work</th><th>Q3 2024</th></tr><tr><td>Roof<td>31.0<tr><td>Lobby</td><td>62.7</td></tr></table>",
        "Work          Q3 2024\nRoof             31.0\nLobby            62.7\n",
    ],
)
def test_every_form_of_a_table_is_shown_as_one(text: str) -> None:
    start = text.index("62.7")
    found = whole(text, Span(start, start + 4, "match"))
    assert table_of(found) == [["Work", "Q3 2024"], ["Roof", "31.0"], ["Lobby", "62.7"]]
    assert marked(found.blocks) == ["62.7"]


def test_a_table_in_html_keeps_its_words_and_caption_and_loses_its_markup() -> None:
    start = HTML.index("6<i>")
    found = whole(HTML, Span(start, start + len("6<i>2</i>.7"), "match"))
    (table,) = found.blocks
    assert table.caption == "Works · In thousands & rounded"
    assert table_of(found) == [["Work", "Q3 2024"], ["Roof", "31.0"], ["All works", "62.7"]]
    assert "".join(marked(found.blocks)) == "62.7"


def test_cells_that_span_columns_keep_the_others_in_place() -> None:
    text = "<table><tr><td></td><td colspan=2>2024</td></tr><tr><td>NOI</td><td>1.5</td><td>2.5</td></tr></table>"
    (block,) = (block for block in whole(text).blocks if block.rows)
    assert [[cell.width for cell in row] for row in (*block.head, *block.rows)] == [[1, 2], [1, 1, 1]]


def test_a_label_column_without_a_heading_keeps_its_place() -> None:
    found = whole(" | First | Second\nNet sales | $117 | $120\n")
    assert table_of(found) == [["", "First", "Second"], ["Net sales", "$117", "$120"]]


def test_hidden_signs_and_full_width_digits_are_shown_as_submitted() -> None:
    text = "Work | Ｑ３\nRo\u200bof | １２．５\nLobby | 7\n"
    start = text.index("１２．５")
    found = whole(text, Span(start, start + 4, "match"))
    assert table_of(found)[1] == ["Ro\u200bof", "１２．５"]
    assert marked(found.blocks) == ["１２．５"]


@pytest.mark.parametrize("text", ["a | b", "plain\ntext", "one | bar\n\nother | bar", ""])
def test_a_lone_bar_makes_no_table(text: str) -> None:
    assert whole(text).blocks == ()


def test_a_table_that_begins_outside_the_part_is_shown_whole() -> None:
    text = f"{'Before. ' * 200}\n{STATEMENT}{'After. ' * 200}"
    at = text.index("1,234.56")
    found = excerpt(text, [Span(at, at + 8, "match")], at - 20, at + 20)
    assert table_of(found)[0] == ["(USD)", "Q3 2024", "Q2 2024"]
    assert text[found.start : found.end].startswith("Operating statement\n(USD)")
    assert marked(found.blocks) == ["1,234.56"]


def test_sections_and_cells_without_a_value_are_shown() -> None:
    found = whole("| | 2024 | 2023 |\n|---|---|---|\n| Costs | | |\n| Tax | 2 | — |\n| Fees | 3 | n/a |\n")
    assert table_of(found) == [
        ["", "2024", "2023"],
        ["Costs"],
        ["Tax", "2", "—"],
        ["Fees", "3", "n/a"],
    ]


def test_a_table_out_of_a_pdf_with_one_cell_a_line_is_shown_in_its_columns() -> None:
    text = "Statement\n2024\n2023\nRevenue\n4,100\n3,900\nExpenses\n(1,900)\n(1,800)\nTotal\n2,200\n2,100\n"
    at, label = text.index("(1,800)"), text.index("Revenue")
    found = whole(text, Span(at, at + 7, "match"), Span(label, label + 7, 5))
    assert table_of(found)[:3] == [
        ["", "2024", "2023"],
        ["Revenue", "4,100", "3,900"],
        ["Expenses", "(1,900)", "(1,800)"],
    ]
    assert marked(found.blocks) == ["Revenue", "(1,800)"]


def test_a_table_with_a_mark_outside_its_cells_stays_text() -> None:
    at = STATEMENT.index("Q3 2024")
    assert whole(STATEMENT, Span(at, at + 7, "match")).blocks == ()


def test_of_a_long_table_the_rows_around_the_match_are_shown() -> None:
    text = "Unit | Rent\n" + "".join(f"Unit {n} | {n}.50\n" for n in range(200))
    at = text.index("150.50")
    (block,) = (b for b in excerpt(text, [Span(at, at + 6, "match")], at, at + 6).blocks if b.rows)
    assert (text_of(block.head[0][1]), len(block.rows)) == ("Rent", 17)
    assert (block.above, block.below) == (142, 41)
    assert [text_of(cell) for cell in block.rows[8]] == ["Unit 150", "150.50"]


def test_of_a_very_long_source_only_what_is_around_is_read() -> None:
    row = "Unit | 12.50\n"
    text = row * (5 * MOST_READ // len(row))
    at = len(text) // 2
    at = text.index("12.50", at)
    found = excerpt(text, [Span(at, at + 5, "match")], at, at + 5)
    assert marked(found.blocks) == ["12.50"]
    assert found.end - found.start <= MOST_READ


@given(st.text(alphabet="ab1|\t\n -", max_size=60), st.integers(0, 59), st.integers(1, 10))
def test_what_is_marked_is_what_was_matched(text: str, start: int, length: int) -> None:
    span = Span(start, min(start + length, len(text)), "match")
    found = whole(text, span)
    wanted = text[span.start : span.end] if span.start < span.end else ""
    drop = str.maketrans("", "", "|\t\n -")
    if found.blocks:
        assert "".join(marked(found.blocks)).translate(drop) == wanted.translate(drop)


@given(st.text(alphabet="<>/tdrhableciop=\"'&;1 |\n,%" + "\u200b１", max_size=120), st.integers(0, 119))
def test_nothing_is_too_broken_to_show(text: str, at: int) -> None:
    at = min(at, len(text))
    found = excerpt(text, [Span(at, at + 3, "match")], max(0, at - 10), min(len(text), at + 10))
    assert 0 <= found.start <= found.end <= len(text)
