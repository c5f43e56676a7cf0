"""Sheets as PDF, HTML, DOCX and text."""

import io
import re
from collections.abc import Iterable, Sequence

from benchmarks.layouts.sheets import Sheet


def cells_of(sheet: Sheet) -> list[list[str]]:
    """All rows of a sheet as texts, headings first, of one length."""
    width = len(sheet.heads[0])
    rows = [list(row) for row in sheet.heads] + [[line.label, *line.cells] for line in sheet.lines]
    return [row + [""] * (width - len(row)) for row in rows]


def pdf(sheet: Sheet, filing: bool) -> bytes:
    """The sheet on pages. ``filing`` writes currency signs and closing brackets in cells of their own."""
    from reportlab.lib.pagesizes import A4, landscape
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate
    from reportlab.platypus import Table as Drawn

    style = getSampleStyleSheet()["Normal"]
    rows = cells_of(sheet)
    grid = [apart(row) for row in rows] if filing else rows
    spans = [("SPAN", (low, line), (high, line)) for line, low, high in spans_of(sheet, 3 if filing else 1)]
    drawn = Drawn(
        grid,
        style=[
            ("ALIGN", (1, 0), (-1, -1), "LEFT" if filing else "RIGHT"),
            ("FONTSIZE", (0, 0), (-1, -1), 7),
            *spans,
        ],
        repeatRows=len(sheet.heads),
    )
    page = io.BytesIO()
    above = [Paragraph(text.replace("&", "&amp;").replace("<", "&lt;"), style) for text in sheet.above]
    below = [Paragraph(text, style) for text in sheet.below]
    SimpleDocTemplate(page, pagesize=landscape(A4)).build([*above, drawn, *below])
    return page.getvalue()


def apart(row: Sequence[str]) -> list[str]:
    """Each value in three cells: its sign, its digits, its closing bracket."""
    found = [row[0]]
    for text in row[1:]:
        sign = re.match(r"[$€£]", text)
        body = text[1:] if sign else text
        close = ")" if body.endswith(")") and body.startswith("(") else ""
        found += [sign[0] if sign else "", body[:-1] if close else body, close]
    return found


def spans_of(sheet: Sheet, each: int) -> Iterable[tuple[int, int, int]]:
    """The headings over several columns: line, first and last column."""
    for line, row in enumerate(sheet.heads[:-1]):
        if not sheet.own:
            return
        starts = [column for column in range(1, len(row)) if row[column]]
        for low, high in zip(starts, [*starts[1:], len(row)], strict=True):
            if high - low > 1 or each > 1:
                yield line, 1 + (low - 1) * each, (high - 1) * each


def html(sheet: Sheet) -> str:
    """The sheet as a web page has it."""
    spans = {(line, low): high - low + 1 for line, low, high in spans_of(sheet, 1)}
    rows = []
    for line, row in enumerate(cells_of(sheet)):
        tag, cells, column = ("th" if line < len(sheet.heads) else "td"), [], 0
        while column < len(row):
            wide = spans.get((line, column), 1)
            span = f' colspan="{wide}"' if wide > 1 else ""
            cells.append(f"<{tag}{span}>{row[column].replace('&', '&amp;').replace('<', '&lt;')}</{tag}>")
            column += wide
        rows.append(f"<tr>{''.join(cells)}</tr>")
    above = "".join(f"<p>{text}</p>\n" for text in sheet.above)
    return (
        above
        + "<table>\n"
        + "\n".join(rows)
        + "\n</table>\n"
        + "".join(f"<p>{text}</p>" for text in sheet.below)
    )


def delimited(sheet: Sheet, mark: str) -> str:
    """The sheet with its cells between bars, tabs or commas."""
    rows = cells_of(sheet)
    if mark == "|":
        texts = [f"| {' | '.join(row)} |" for row in rows]
        texts.insert(len(sheet.heads), "|" + "---|" * len(rows[0]))
    elif mark == ",":
        texts = [",".join(f'"{cell}"' if "," in cell else cell for cell in row) for row in rows]
    else:
        texts = [mark.join(row) for row in rows]
    gap = [""] if mark == "|" else []
    return "\n".join([*sheet.above, *gap, *texts, *gap, *sheet.below])


def aligned(sheet: Sheet) -> str:
    """The sheet in columns of blanks, headings over several columns above the first of them."""
    rows = cells_of(sheet)
    widths = [
        max(len(row[column]) for row in rows[len(sheet.heads) - 1 :]) + 4 for column in range(len(rows[0]))
    ]
    texts = []
    for row in rows:
        text, place = "", 0
        for cell, width in zip(row, widths, strict=True):
            if cell:
                text = text.ljust(place) + ("  " if text and len(text) > place - 2 else "") + cell
            place += width
        texts.append(text)
    return "\n".join([*sheet.above, *texts, *sheet.below])


def docx(sheet: Sheet) -> bytes:
    """The sheet as a Word document."""
    import docx as word

    document = word.Document()
    for text in sheet.above:
        document.add_paragraph(text)
    rows = cells_of(sheet)
    drawn = document.add_table(len(rows), len(rows[0]))
    for line, row in enumerate(rows):
        for column, cell in enumerate(row):
            drawn.cell(line, column).text = cell
    for text in sheet.below:
        document.add_paragraph(text)
    page = io.BytesIO()
    document.save(page)
    return page.getvalue()


def glued(sheet: Sheet) -> str:
    """One row a line with single blanks, some blanks between words lost, page numbers between."""
    rows = cells_of(sheet)
    texts = [" ".join(cell for cell in row if cell) for row in rows]
    texts = [
        re.sub(r"\band ", "and", text, count=1) if index % 3 == 0 else text
        for index, text in enumerate(texts)
    ]
    return "\n".join([*sheet.above, *texts, *sheet.below, "47"])
