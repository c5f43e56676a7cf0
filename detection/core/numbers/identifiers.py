"""Numbers that name something and claim nothing: sections and pages, addresses, identifiers, list marks, ordinals.

Each pattern looks at a bounded stretch beside a plain number, so reading stays linear.
"""

from decimal import Decimal

import regex

from detection.core.numbers import adjacency as edges
from detection.core.numbers import words as words
from detection.core.patterns import late

_EDGE = frozenset(("|", "\t", "\n", ",", ";", '"', ""))
_REACH = 28  # characters that the longest label and its signs take


def _any(names: tuple[str, ...]) -> str:
    return "|".join(
        regex.escape(name, literal_spaces=False).replace(r"\ ", r"\s")
        for name in sorted(names, key=len, reverse=True)
    )


_SPACED = _any(tuple(name for name in words.LABELS_BEFORE if name.isascii()))
_HEBREW = _any(tuple(name for name in words.LABELS_BEFORE if "א" <= name[0] <= "ת"))
_HAN = _any(tuple(name for name in words.LABELS_BEFORE if name[0] > "\u2e80"))
_LABEL = late(
    rf"(?r)(?:(?:(?<![a-z0-9_])(?:{_SPACED})|(?<![א-ת])[בלמהוכש]{{0,2}}(?:{_HEBREW})|(?<![代发發报報试試意企])(?:{_HAN}))\s?[\#:;(]?\s?|[\#§@=/\\_]\s?"
    r"|(?<![א-ת])ב?(?:רחוב|רח'|שדרות|שד')\s(?:[א-ת'\"-]{2,12}\s){1,3})"
)
_GOES_ON = regex.compile(r"(?r)(?:(?<=[a-z]s|pp\.)\s|(?<=ים|ות)\s|[^\x00-\x7fא-ת]\s?)")
_MEMBERS = regex.compile(
    r"(?:(?:\s?,\s?(?:and\s)?|\s(?:and|to|or|through|&)\s|\s?[-–]\s?|\sו-?|\s?[、和及至到]\s?)\d{1,4}(?:\.\d{1,3}){0,3}[a-z]?"
    r"(?![\d%]|[.,]\d|\s?(?:%|percent|million|billion|thousand|[kx]\b)))++"
)
_BEFORE_A_PART = (",", ";", ":", "。", "、", " and", " or", " ו", "和")
_FOLLOWED = regex.compile(r"[.)、．](?=\s|$|[^\x00-\x7f\d])")
_LISTED = regex.compile(r"(?r)(?:^|\n)[\s>*•-]{0,12}\(?", regex.V1)
_TAIL = regex.compile(
    r"(?:st|nd|rd|th)\b|-(?:[a-z]{1,2}|\d{1,4}-)(?![a-z])|\([a-z]\)|:\d|%[0-9a-f]{2}|°|\s?(?:号楼|号|號|室|楼|樓|弄|巷)(?!\d)"
)
_STREET = late(
    r"\s(?:(?!(?:on|in|at|of|the|and|for|to|near|from|along|with|by|per|a|is|was|are|were|has|square)\b)(?:[a-z][a-z'.]{0,13}|\d{1,3}(?:st|nd|rd|th))\s){1,3}"
    r"(?:street|st\.|avenue|ave\b|road|rd\.|boulevard|blvd|drive|lane|highway|parkway|pkwy|plaza|terrace|way)(?!\w|\s(?:units?|stores?|shops?|locations?))"
)
_STATES = (
    "al|ak|az|ar|ca|co|ct|de|dc|fl|ga|hi|id|il|in|ia|ks|ky|la|me|md|ma|mi|mn|ms|mo|mt|ne|nv|nh|nj|nm|ny|nc|nd|oh|ok|or|pa|ri|sc|sd|tn|tx"
    "|ut|vt|va|wa|wv|wi|wy"
)
_ZIP = regex.compile(rf"(?r),\s(?:{_STATES})\s")


def name_end(folded: str, start: int, end: int, value: Decimal) -> int | None:
    """Where the name ends that the plain number ``folded[start:end]`` is part of, None when it claims something. The
    name of ``Sections 3.2, 3.4 and 5`` and of ``pages 12–14`` goes on behind its first number."""
    if _labelled(folded, start) and "," not in folded[start:end]:  # "Delivery note: 8,200 crates"
        list_of = _GOES_ON.match(folded, max(0, start - 4), start) or folded[end : end + 1] in ("-", "–")
        others = _MEMBERS.match(folded, end) if list_of else None
        return others.end() if others else end
    return end if _named_by_place(folded, start, end, value) or lonely_name(folded, start, end) else None


def lonely_name(folded: str, start: int, end: int) -> bool:
    """Whether a number with nothing telling beside it is a house number or a postal code."""
    if end - start > 5 or not folded[start:end].isdigit():
        return False
    if folded[end : end + 1] == " " and _STREET.match(folded, end):
        return True
    return end - start == 5 and _ZIP.match(folded, max(0, start - 5), start) is not None


def _named_by_place(folded: str, start: int, end: int, value: Decimal) -> bool:
    if _TAIL.match(folded, end):
        return True
    after = folded[end : end + 2]
    if value != int(value):
        return False
    if after[:1] == "/" and after[1:].isdigit():
        return True
    return value < 1000 and _listed(folded, start, end, value)


def _labelled(folded: str, start: int) -> bool:
    pair = edges.before(folded, start)
    near = edges.may_end(pair, edges.LABEL) or "א" <= pair[-1:] <= "ת"  # a street's name may stand before it
    return near and _LABEL.match(folded, max(0, start - _REACH), start) is not None


def _listed(folded: str, start: int, end: int, value: Decimal) -> bool:
    """``1. …`` and ``2) …`` at the start of a line, ``(3)`` and ``3)`` in it."""
    if _FOLLOWED.match(folded, end) and _LISTED.match(folded, max(0, start - 16), start):
        return True
    if not folded.startswith(")", end) or value >= 100:
        return False
    if folded[start - 1 : start] == "(":
        if in_cell(folded, start - 1, end + 1):
            return False
        return value < 10 or folded[max(0, start - 12) : start - 1].rstrip().endswith(_BEFORE_A_PART)
    return "(" not in folded[max(0, start - 40) : start]


def in_cell(folded: str, start: int, end: int) -> bool:
    """Whether ``folded[start:end]`` is all that a line or a cell of a pasted table holds."""
    left, right = folded[max(0, start - 2) : start], folded[end : end + 2]
    left_free = left.isspace() or left[-1:] in _EDGE or left.rstrip(" ")[-1:] in _EDGE
    return left_free and (right.isspace() or right[:1] in _EDGE or right.lstrip(" ")[:1] in _EDGE)
