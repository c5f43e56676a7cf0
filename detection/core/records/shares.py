"""Shares, margins and ratios of two metrics of one slot, as the words put them (contracts §3.4):
``45 % of revenue``, ``NOI margin of 62 %``, ``NOI covered debt service 1.35 times``."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import regex

from detection.core.binding import KINDS
from detection.core.records.operands import Reckoning, known, pair
from detection.core.records.slots import Records, Slot
from detection.core.records.words import Said
from detection.core.types import NumericClaim

Mention = tuple[int, int, str]  # where a metric is named, and which
_OF_AFTER = regex.compile(
    r"^\s*(?:percent|per\scent)?\s*(?:of|out\sof|relative\sto)\s(?:(?:the|its|total|gross|all|overall|property['’]s|(?:19|20)\d\d|q[1-4])\s)*$"
    r"|^\s*(?:מתוך|מ-?|מכלל)\s?(?:סך\s)?(?:כל\s)?ה?$"
)
_SHARE_OF = regex.compile(
    r"\b(?:as\sa|as)\s(?:percentage|percent|share|proportion|fraction)\sof\s(?:the\s|total\s)*$|\b(?:to|over|divided\sby|/)\s(?:the\s)?$|[-–]to[-–]$|^\s?/\s?$|כאחוז\sמ\S*\s?$|占$|佔$"
)
_MARGIN = regex.compile(
    r"\s?(?:(?:profit|income)\s)?margins?\b|\s?(?:利润率|利潤率|率)|(?<![א-ת])שולי\s?(?:הרווח|ה)?"
)
_MARGIN_WORD = regex.compile(
    r"\b(?:(?P<which>operating|net|gross|profit)\s)*margins?\b|利润率|利潤率|שולי\sהרווח"
)
_MARGIN_OF = {"operating": "net_operating_income", "net": "net_income", "gross": "gross_profit"}
_WHOLE = "total_revenue"


def shares(
    records: Records, slot: Slot, number: NumericClaim, said: Said, mentions: Sequence[Mention]
) -> list[Reckoning]:
    """What a percentage or a ratio is of, by the words; nothing where they name no two amounts of record."""
    if number.kind == "percentage" and number.unit == "%":
        pairs, operation, unit = list(_parts(said, mentions)), "share", "%"
    elif number.kind == "ratio":
        pairs, operation, unit = list(_ratios(said, mentions)), "ratio", "x"
    else:
        return []
    found = []
    for part, whole in dict.fromkeys(pairs):
        sides = [
            known(records, Slot(slot.property, metric, slot.span, slot.label)) for metric in (part, whole)
        ]
        if all(side is not None and side.kind == "currency" and side.operand.value for side in sides):
            reckoning = pair(operation, sides[0], sides[1], unit)
            if reckoning is not None:
                found.append(reckoning)
    return found


def is_part(said: Said, mentions: Sequence[Mention]) -> bool:
    """``5 % of revenue``: the words behind the number say what it is a part of."""
    behind = next((mention for mention in mentions if mention[0] >= said.end), None)
    return behind is not None and _OF_AFTER.match(said.text[said.end : behind[0]]) is not None


def _parts(said: Said, mentions: Sequence[Mention]) -> Iterator[tuple[str, str]]:
    """Part and whole, as metrics."""
    before = [mention for mention in mentions if mention[1] <= said.start]
    behind = [mention for mention in mentions if mention[0] >= said.end]
    if is_part(said, behind):
        others = before[::-1] or behind[1:]
        if others and others[0][2] != behind[0][2]:
            yield others[0][2], behind[0][2]
        return
    for one, other in pairwise(before):
        if one[2] != other[2] and _SHARE_OF.search(said.text[one[1] : other[0]]):
            yield one[2], other[2]
    yield from _margins(said, mentions)


def _margins(said: Said, mentions: Sequence[Mention]) -> Iterator[tuple[str, str]]:
    for _, end, metric in mentions:
        if _MARGIN.match(said.text, end) and metric != _WHOLE:
            yield metric, _WHOLE
            return
    if word := _MARGIN_WORD.search(said.text):
        yield _MARGIN_OF.get(word.group("which") or "", "net_operating_income"), _WHOLE


def _ratios(said: Said, mentions: Sequence[Mention]) -> Iterator[tuple[str, str]]:
    """Dividend and divisor: the two amounts named nearest to the number, in either order."""
    amounts = [mention for mention in mentions if KINDS.get(mention[2], "currency") == "currency"]
    near = sorted(amounts, key=lambda m: min(abs(m[1] - said.start), abs(m[0] - said.end)))
    metrics = list(dict.fromkeys(metric for _, _, metric in near))[:2]
    if len(metrics) == 2:
        yield metrics[0], metrics[1]
        yield metrics[1], metrics[0]
