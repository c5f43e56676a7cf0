"""Sums and averages of record over periods, properties or metrics, as the words list them (contracts §3.4)."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from decimal import Decimal

import regex

from detection.core.derivations import Operand, derive, speaks_of_average, speaks_of_sum
from detection.core.records.operands import Reckoning, known, over
from detection.core.records.shares import Mention
from detection.core.records.slots import Records, Slot, year_before
from detection.core.records.words import Said, Span, named_spans
from detection.core.types import Figure, NumericClaim

_MOST = 24
_RANGE = regex.compile(r"\b(?:through|thru|to|until|till|between)\b|[–—]|\d\s?-\s?q|(?<![א-ת])עד|至|到")
_TO_DATE = regex.compile(r"\b(?:year[\s-]to[\s-]date|ytd)\b|מתחילת\sהשנה|年初至今")
_TRAILING = regex.compile(
    r"\b(?:trailing|last|past|previous)\s(?:twelve|12)[\s-]months?\b|\b(?:ttm|ltm|t12|t-12)\b|\b(?:last|past|trailing)\s(?:four|4)\squarters\b|过去12个月|过去十二个月|近四个季度"
)
_PER = regex.compile(
    r"\b(?:average\s(?P<each>month|quarter)ly|(?P<each>month|quarter)ly\saverage|(?:per|a|each)\s(?P<each>month|quarter)|(?P<each>month|quarter)ly)\b|(?P<zh>月均|每月|季均|每季)"
)
_ANNUALIZED = regex.compile(r"\bannuali[sz]ed?\b|\brun[\s-]rate\b|שנתי\sמתואם|在年化|年化")
_COUNTS = {"month": 1, "quarter": 3, "月均": 1, "每月": 1, "季均": 3, "每季": 3}


def totals(
    records: Records, slot: Slot, number: NumericClaim, said: Said, mentions: Sequence[Mention]
) -> list[Reckoning]:
    """Sums and averages that the sentence speaks of; nothing without a word for them."""
    found = list(_spread_over_months(records, slot, number, said))
    named = _named(number, said, mentions)
    if number.unit == "pp" or slot.metric is None:
        return found
    if number.kind in ("currency", "number") and _reaching_back(slot, said) is not None:
        named.add("sum")
    for name in sorted(named):
        for figures in _listed(records, slot, said):
            found += over(figures[:_MOST], name, number.unit)
        if name == "sum":
            metrics = list(dict.fromkeys(metric for _, _, metric in mentions))
            found += _of_metrics(records, slot, number, metrics)
    return found


def lists_operands(
    records: Records, slot: Slot, number: NumericClaim, said: Said, mentions: Sequence[Mention]
) -> bool:
    """Whether the sentence sums up or averages things it lists, or reaches back, so that no figure alone is meant."""
    if _reaching_back(slot, said) is not None:
        return number.kind in ("currency", "number")
    if said.peers or not _named(number, said, mentions):
        return False
    return len(_properties(records, said)) > 1 or len(_own_spans(slot, said)) > 1


def _named(number: NumericClaim, said: Said, mentions: Sequence[Mention]) -> set[str]:
    """``average`` and ``sum`` where words outside the names of metrics say so; rates do not add up."""
    if number.unit == "pp":
        return set()
    text = said.text
    for start, end, _ in mentions:
        text = text[:start] + " " * (end - start) + text[end:]
    around = Said(text, said.start, said.end).around
    named = {"average"} if speaks_of_average(around) else set()
    if number.kind not in ("percentage", "ratio") and speaks_of_sum(around):
        named.add("sum")
    return named


def _listed(records: Records, slot: Slot, said: Said) -> Iterator[list[Figure]]:
    """The figures that a sum or an average may run over."""
    spans = _own_spans(slot, said)
    properties = _properties(records, said)
    if len(properties) > 1:
        yield _figures(records, [Slot(code, slot.metric, slot.span) for code in properties])
    if len(spans) > 1:
        yield _figures(records, [Slot(slot.property, slot.metric, span) for span in spans])
        if len(spans) == 2 and _RANGE.search(said.text):
            yield _between(records, slot, spans[0], spans[1])
    for span in (slot.span, _reaching_back(slot, said)):
        if span is not None and slot.metric is not None:
            yield from records.tilings(slot.metric, slot.property, span)


def _own_spans(slot: Slot, said: Said) -> list[Span]:
    spans = sorted(span for span, base in named_spans(said, slot.span) if not base)
    if not spans:
        return []
    days = (spans[0][1] - spans[0][0]).days
    return [span for span in spans if abs((span[1] - span[0]).days - days) <= 7]


def _properties(records: Records, said: Said) -> list[str]:
    return [code for _, code in records.named(said.text)][:_MOST]


def _figures(records: Records, slots: Sequence[Slot]) -> list[Figure]:
    """One figure for each slot; nothing when one is missing, as a sum without it would be another sum."""
    found = [figures[0] for slot in slots if (figures := records.at(slot))]
    return found if len(found) == len(slots) else []


def _between(records: Records, slot: Slot, first: Span, last: Span) -> list[Figure]:
    whole = (first[0], last[1])
    tilings = records.tilings(slot.metric or "", slot.property, whole)
    return tilings[0] if tilings else []


def _reaching_back(slot: Slot, said: Said) -> Span | None:
    """``year to date`` and ``trailing twelve months`` end with the claim's period and begin before it."""
    if slot.span is None:
        return None
    end = slot.span[1]
    if _TO_DATE.search(said.text):
        return end.replace(month=1, day=1), end
    if _TRAILING.search(said.text):
        return year_before(slot.span)[1] + timedelta(days=1), end
    return None


def _of_metrics(
    records: Records, slot: Slot, number: NumericClaim, metrics: Sequence[str]
) -> Iterator[Reckoning]:
    sides = [known(records, Slot(slot.property, metric, slot.span, slot.label)) for metric in metrics[:_MOST]]
    present = [side for side in sides if side is not None and side.kind == "currency"]
    if len(present) < 2 or len(present) < len(sides):
        return
    derived = derive("sum", [side.operand for side in present], number.unit)
    if derived is not None:
        what = " and ".join(side.name for side in present)
        yield Reckoning(derived, f"sum of {what}, {present[0].period}", present[0].period)


def _spread_over_months(
    records: Records, slot: Slot, number: NumericClaim, said: Said
) -> Iterator[Reckoning]:
    """An amount for each month or quarter of its period, and one taken for a whole year."""
    whole = known(records, slot) if number.kind in ("currency", "number") else None
    if whole is None or whole.kind != "currency" or slot.span is None:
        return
    months = round((slot.span[1] - slot.span[0]).days / 30.4)
    each = _PER.search(said.text)
    size = _COUNTS[each.group("each") or each.group("zh")] if each else 0
    if size and months > size and months % size == 0:
        count = Operand(Decimal(months // size), str(months // size))
        if (derived := derive("ratio", (whole.operand, count), number.unit)) is not None:
            unit_name = "month" if size == 1 else "quarter"
            yield Reckoning(derived, f"{whole.name} a {unit_name}, {whole.period}", whole.period)
    if _ANNUALIZED.search(said.text) and months in (1, 3, 6):
        year = derive(
            "ratio", (whole.operand, Operand(Decimal(months) / 12, f"({months} / 12)")), number.unit
        )
        if year is not None:
            yield Reckoning(year, f"{whole.name} of {whole.period} for a whole year", whole.period)
