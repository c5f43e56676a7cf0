"""Tables of any shape are read in time that grows with their length, and none crashes (NUM-06)."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.core.table_cases import read

pytestmark = pytest.mark.requirement("NUM-06")

LENGTH = 40_000


def repeated(piece: str) -> str:
    """``piece`` again and again, as long as a large chunk."""
    return (piece * (LENGTH // len(piece) + 1))[:LENGTH]


SHAPES = {
    "bars": repeated("|"),
    "commas": repeated(","),
    "quotes": repeated('"a,"b\n'),
    "cells": repeated("<td>"),
    "tables in tables": repeated("<table><tr><td>"),
    "ends": repeated("</table>"),
    "wide spans": repeated("<td colspan=9999 rowspan=9999>1"),
    "spans over many rows": "<tr>" + repeated("<td rowspan=9999>1")[: LENGTH // 2] + repeated("<tr><td>1"),
    "comments": repeated("<!-- "),
    "scripts": "<table>" + repeated("<script>"),
    "entities": "<table><td>" + repeated("&#36;&"),
    "open tags": "<table>" + repeated("<a "),
    "columns": repeated("1|"),
    "headings over headings": repeated("|x\n"),
    "a wide heading over many rows": repeated("h|")[: LENGTH // 2] + "\n" + repeated("a|1\n"),
    "sections": repeated("Assets:|\n"),
    "ever deeper": "".join(" " * (place % 200) + "a|1\n" for place in range(LENGTH // 100)),
    "gaps": repeated("a|b\n\n\n"),
    "drawn lines": repeated("-") + "x",
    "blanks": repeated("a   "),
    "aligned": repeated("a   1   2\nb   1\n"),
    "one long line of numbers": repeated("1  "),
    "lists": repeated("$1 and $2 in 2019 and 2018, respectively, "),
    "exceptions": "(in thousands, except " + repeated("a, ") + ")|1",
    "hidden characters": repeated("\u200b|\u200e1"),
    "blocks of labels": repeated("|x|1") + "\na" + repeated("|x|1"),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.timeout(60)
def test_a_large_chunk_of_any_shape_is_read(name: str) -> None:
    """Anything worse than linear would run for minutes here, and end by the time limit."""
    chunk = SHAPES[name]
    for place in read(chunk):
        assert chunk[place.start : place.end] == place.text


PIECES = st.sampled_from(
    [
        "|", "\t", "\n", ",", ";", '"', "  ", "   ", "<table>", "</table>", "<tr>", "<td>", "<th colspan=2>", "<td rowspan=3>", "</td>", "<sup>", "<b>", "<!--",
        "-->", "<script>", "&nbsp;", "&#36;", "&amp", "---", "|---|", ":-:", "$", "%", "(", ")", "1,234", "(1,234)", "12.5%", "2019", "2018.0", "Q3 2024",
        "Year ended", "December 31,", "in thousands", "Net sales", "Assets:", "total", "n/a", "—", "1.234,56", "\u200f", "\u00a0", "הכנסות", "באלפי ש\"ח", "净营业收入", "万元",
        "٣", "９", "respectively", "and", "\r\n", "İ", "\U0001f4c8", "except per share", "9" * 40, "1e999", "31 February 2024",
    ]
)  # fmt: skip


CRASHED = (
    "1.234,56<table>12.5%   <table>12.5%)<table>12.5%         )   1.234,56respectively<table>1.234,56   )respectively",
    "(1,234)(1,234),andהכנסות<script>2019(1,234)הכנסות31 February 20242019<script>20192019",
    "31 February 2024|---|$in thousands</td>     \n\nYear ended(andrespectively31 February 2024|2018.01e999;(",
    "|הכנסות|הכנסותהכנסות<table>$<table>|in thousands1.234,56הכנסות$|1.234,56הכנסותהכנסות<table>|$1.234,56||$<table>",
)


@pytest.mark.parametrize("chunk", CRASHED)
def test_what_once_ended_the_reader_is_read(chunk: str) -> None:
    """Lines without cells, heads of notes alone and days that no month has."""
    assert all(chunk[place.start : place.end] == place.text for place in read(chunk))


@settings(max_examples=300, deadline=None)
@example("&#36;1,234")
@given(st.lists(PIECES, max_size=60).map("".join))
def test_every_place_is_the_number_as_the_chunk_writes_it(chunk: str) -> None:
    for place in read(chunk):
        assert 0 <= place.start < place.end <= len(chunk)
        assert chunk[place.start : place.end] == place.text
        assert place.value is None or place.value.is_finite()


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read(chunk: str) -> None:
    for place in read(chunk):
        assert chunk[place.start : place.end] == place.text


ROWS = st.lists(st.lists(st.integers(-99_999, 99_999), min_size=3, max_size=3), min_size=1, max_size=8)


@settings(max_examples=100, deadline=None)
@given(ROWS, st.sampled_from(["bars", "outer bars", "tabs", "html"]))
def test_every_number_of_a_table_comes_back_with_its_row_and_column(rows: list[list[int]], form: str) -> None:
    """Whatever the numbers are and whatever draws the table."""
    head = ["", "Alpha", "Beta", "Gamma"]
    body = [
        [f"Item {chr(97 + place)}{chr(97 + place)}", *(f"{value:,}" for value in row)]
        for place, row in enumerate(rows)
    ]
    places = read(_drawn([head, *body], form))
    assert [place.value for place in places] == [value for row in rows for value in row]
    assert [place.column for place in places] == ["Alpha", "Beta", "Gamma"] * len(rows)
    assert [place.row.split()[1] for place in places] == [
        chr(97 + place) * 2 for place in range(len(rows)) for _ in range(3)
    ]


def _drawn(rows: list[list[str]], form: str) -> str:
    if form == "html":
        return (
            "<table>"
            + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) for row in rows)
            + "</table>"
        )
    bar = "\t" if form == "tabs" else " | "
    lines = [bar.join(row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines) if form == "outer bars" else "\n".join(lines)
