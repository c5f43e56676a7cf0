"""Of which period the numbers of a text are: their own, their sentence's, else the one that the text speaks of."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import regex

from detection.core import periods
from detection.core.periods import Calendar, Mention, Span
from detection.core.quantities import Quantity, Reading

_NEAR = 12  # characters between a number and the period that is its own
_OPENING = 300  # characters in which a text says what it speaks of
_LEADING = 30  # characters at the start of a sentence, or of a number
_WIDE = 400  # characters that brackets enclose
_PARAGRAPH = regex.compile(r"\n\s*\n")


class Times:
    """The periods of the numbers of one text. What stands in brackets with a number, "(2023: 5 %)", or right behind one that
    another is compared with, "against 4 in 2023", is of that number alone, and nothing else is of it."""

    def __init__(self, reading: Reading, calendar: Calendar, title: Sequence[Span]) -> None:
        self._reading, self._calendar, self._title = reading, calendar, tuple(title)

    def of(self, one: Quantity) -> Span | None:
        """The period of a number, None where nothing tells it."""
        own, said = ([m for m in tier.periods if self._speaks_of(m, one)] for tier in one.tiers[:2])
        context = tuple(self._context(one))
        named = [m for m in (*own, *said) if m.span and not m.is_base]
        before = [m.span for m in named if m.span and m.start < one.number.start]
        near = (*before, *context, *(m.span for m in named if m.span))
        alone = one.in_brackets and self._compares(one)
        if alone:
            said = [m for m in said if self._bracket(m)[0] >= 0]
        for mentions in (own, said):
            spans = [span for m in mentions for span in periods.resolve(m, near, self._calendar)[:1]]
            if spans:
                return spans[0]
        return None if one.is_base or alone else next(iter(context), None)

    def _compares(self, one: Quantity) -> bool:
        """Whether a number in brackets stands behind one of its kind: "298 million (241 million)"."""
        number, text = one.number, self._reading.text
        low = text.rfind("(", max(number.start - _WIDE, 0), number.start)
        return low >= 0 and any(
            other.kind == number.kind and other.end <= low
            for other in self._reading.written(low - _NEAR - _LEADING, low)[-1:]
            if low - other.end < _NEAR
        )

    def _speaks_of(self, mention: Mention, one: Quantity) -> bool:
        """Whether a period may be that of a number."""
        number = one.number
        low, high = self._bracket(mention)
        if low >= 0 and not low <= number.start < high and self._reading.written(low, high):
            return False
        return not any(
            number.end <= other.start
            and mention.start - other.end < _NEAR
            and self._reading.marks("bases", number.end, other.start)
            for other in self._reading.written(mention.start - _LEADING, mention.start)[-1:]
        )

    def _bracket(self, mention: Mention) -> tuple[int, int]:
        """Where the brackets around a period begin and end, before the text where there are none."""
        text = self._reading.text
        start, end = self._reading.sentences[self._reading.sentence_at(mention.start)]
        low = text.rfind("(", max(start, mention.start - _WIDE), mention.start + 1)
        if low < 0 or text.find(")", low, mention.start) >= 0:
            return -1, -1
        high = text.find(")", mention.end, min(end, mention.end + _WIDE))
        return low, high if high >= 0 else min(end, mention.end + _WIDE)

    def _context(self, one: Quantity) -> Iterator[Span]:
        """What the text speaks of where a number stands: what leads in the sentence before, then what the text is about."""
        yield from self._led(one)
        yield from self._title or self._opening

    def _led(self, one: Quantity) -> Iterator[Span]:
        """The period that begins the nearest sentence before of the paragraph that names any."""
        reading = self._reading
        for place in range(one.sentence - 1, max(one.sentence - 5, -1), -1):
            start, end = reading.sentences[place]
            behind = reading.sentences[place + 1][0]
            if _PARAGRAPH.search(reading.text, max(start, behind - _LEADING), behind):
                return
            leading = [
                m.span
                for m in reading.spoken(start, min(end, start + 2 * _LEADING))
                if m.span and not m.is_base and m.start - start < _LEADING
            ]
            if leading:
                yield leading[0]
                return

    @cached_property
    def _opening(self) -> tuple[Span, ...]:
        """What the first lines say that the text is about: a span of time, no single day."""
        spoken = self._reading.spoken(0, _OPENING)
        flows = [m.span for m in spoken if m.span and not m.is_base and m.span[0] != m.span[1]]
        return tuple(flows[:1])
