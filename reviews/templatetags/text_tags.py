"""Template filters for texts that somebody else wrote: nothing in them is ever markup."""

from collections.abc import Iterable, Iterator, Sequence

from django import template
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString

from reviews.display.answer_text import AnswerPiece, SlotName, Stretch
from reviews.display.highlights import Piece
from reviews.display.signs import Sign, signs
from reviews.review_page.source_tables import Block, Cell, Row

register = template.Library()


@register.filter
def visible(text: object) -> SafeString:
    """``text`` escaped, with the characters that nobody sees shown as signs."""
    found = signs(str(text))
    if len(found) == 1 and not found[0].name:
        return conditional_escape(found[0].text)
    return format_html_join("", "{}", ((_drawn(sign),) for sign in found))


def _drawn(sign: Sign) -> SafeString:
    if not sign.name:
        return conditional_escape(sign.text)
    return format_html(
        '<span class="{}" data-sign="{}" title="{}">{}</span>',
        "sign shut" if sign.shut else "sign",
        sign.name,
        sign.told,
        "" if sign.left_out else sign.text,
    )


@register.filter
def worded(piece: AnswerPiece, selected: int | None) -> SafeString:
    """A slice of the answer; words that name slots carry the name and whose slots they are, those of the claim
    ``selected`` show it. The names are no text, so that what is selected and copied is the answer."""
    return _joined(_named(words, selected) for words in piece.words)


def _named(words: Stretch, selected: int | None) -> SafeString:
    drawn = visible(words.text)
    for one in reversed(words.names):
        drawn = _naming(one, drawn, selected, ends=one in words.ends)
    return drawn


def _naming(one: SlotName, drawn: SafeString, selected: int | None, *, ends: bool) -> SafeString:
    return format_html(
        '<span class="{}" data-names-of="{}"{}>{}</span>',
        "naming now" if selected in one.ids else "naming",
        " ".join(map(str, one.ids)),
        format_html(' data-slot-name="{}"', one.label) if ends else "",
        drawn,
    )


@register.filter
def marked(pieces: Sequence[Piece]) -> SafeString:
    """Slices of a source with what matches marked; the match of another claim leads to that claim."""
    if len(pieces) == 1 and not pieces[0].keys:
        return visible(pieces[0].text)
    return format_html_join("", "{}", ((_piece(piece),) for piece in pieces))


def _piece(piece: Piece) -> SafeString:
    text = visible(piece.text)
    if not piece.keys:
        return text
    key = piece.keys[0]
    if isinstance(key, str):
        return format_html('<mark class="{}">{}</mark>', key, text)
    return format_html('<mark class="other"><a href="#claim-{0}" data-select="{0}">{1}</a></mark>', key, text)


@register.filter
def table(block: Block) -> SafeString:
    """The rows of a table. Drawn here, since a template takes ten times as long and a page has many."""
    head = (f"<tr>{_joined(_heading(cell) for cell in row)}</tr>" for row in block.head)
    body = (f"<tr>{_joined(_cells(row))}</tr>" for row in block.rows)
    caption = f"<caption>{visible(block.caption)}</caption>" if block.caption else ""
    top = f"<thead>{''.join(head)}</thead>" if block.head else ""
    return SafeString(f"{caption}{top}<tbody>{''.join(body)}</tbody>")


def _joined(parts: Iterable[SafeString]) -> SafeString:
    return SafeString("".join(parts))


def _heading(cell: Cell) -> SafeString:
    scope = ("colgroup" if cell.width > 1 else "col") if cell.pieces else ""
    label = SafeString(' class="label" data-testid="column-label"') if cell.label else ""
    named = format_html(' scope="{}"', scope) if scope else ""
    return format_html("<th{}{}{}>{}</th>", label, named, _width(cell), marked(cell.pieces))


def _cells(row: Row) -> Iterator[SafeString]:
    for place, cell in enumerate(row):
        if cell.label or (place == 0 and cell.pieces and not cell.figure):
            label = SafeString(' class="label" data-testid="row-label"') if cell.label else ""
            yield format_html('<th scope="row"{}{}>{}</th>', label, _width(cell), marked(cell.pieces))
        else:
            looks = (
                "value" if cell.figure else "",
                "hit" if cell.matched else "slipped" if cell.slipped else "",
            )
            look = " ".join(part for part in looks if part)
            yield format_html('<td class="{}"{}>{}</td>', look, _width(cell), marked(cell.pieces))


def _width(cell: Cell) -> SafeString:
    return format_html(' colspan="{}"', cell.width) if cell.width > 1 else SafeString("")
