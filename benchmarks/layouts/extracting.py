"""What people read PDF and DOCX with, and every way a table reaches us."""

import io
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

from benchmarks.layouts.rendering import aligned, delimited, docx, glued, html, pdf
from benchmarks.layouts.sheets import Sheet


def by_pypdf(data: bytes) -> str:
    """As pypdf reads pages."""
    import pypdf

    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages)


def by_pdfminer(data: bytes) -> str:
    """As pdfminer.six reads pages."""
    from pdfminer.high_level import extract_text

    return str(extract_text(io.BytesIO(data)))


def by_pdfplumber(data: bytes) -> str:
    """As pdfplumber reads pages."""
    import pdfplumber

    with pdfplumber.open(io.BytesIO(data)) as document:
        return "\n".join(page.extract_text() for page in document.pages)


def by_pdfium(data: bytes) -> str:
    """As pypdfium2 reads pages."""
    import pypdfium2

    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(data))


def by_markitdown(data: bytes, kind: str = ".pdf") -> str:
    """As markitdown reads pages and documents."""
    from markitdown import MarkItDown

    return str(MarkItDown().convert_stream(io.BytesIO(data), file_extension=kind).text_content)


def by_python_docx(data: bytes) -> str:
    """As a loop over paragraphs and cells reads a Word document: one cell a line."""
    import docx as word

    document = word.Document(io.BytesIO(data))
    texts = [paragraph.text for paragraph in document.paragraphs]
    cells = [cell.text for drawn in document.tables for row in drawn.rows for cell in row.cells]
    return "\n".join([*texts[:1], *texts[1:], *(cell for cell in cells if cell)])


EXTRACTORS: dict[str, Callable[[bytes], str]] = {
    "pypdf": by_pypdf, "pdfminer": by_pdfminer, "pdfplumber": by_pdfplumber, "pypdfium2": by_pdfium, "markitdown": by_markitdown,
}  # fmt: skip


def layouts() -> dict[str, Callable[[Sheet], str]]:
    """Every way a table reaches us, by name; of the programs that are not installed none."""
    found: dict[str, Callable[[Sheet], str]] = {}
    if find_spec("reportlab"):
        for name, extract in EXTRACTORS.items():
            if find_spec(name):
                found[name] = partial(_page, extract, False)
                found[f"{name}, signs apart"] = partial(_page, extract, True)
    found["html"] = html
    for name, mark in (("markdown", "|"), ("tabs", "\t"), ("csv", ","), ("slashes", " / ")):
        found[name] = partial(delimited, mark=mark)
    found["aligned"] = aligned
    found["glued"] = glued
    if find_spec("docx"):
        found["docx, one cell a line"] = lambda sheet: by_python_docx(docx(sheet))
        if find_spec("markitdown"):
            found["docx, markitdown"] = lambda sheet: by_markitdown(docx(sheet), ".docx")
    return found


def _page(extract: Callable[[bytes], str], filing: bool, sheet: Sheet) -> str:
    return extract(pdf(sheet, filing))
