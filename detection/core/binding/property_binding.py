"""Which property a number speaks of, where the words name one (contracts: the property in the sentence, else the answer's)."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from detection.core.binding.attachment import Attachment, Named, in_order
from detection.core.binding.binding_words import WHOLE
from detection.core.binding.cues import Cues
from detection.core.binding.names import Mark, Names, Words
from detection.core.types import Case, NumericClaim
from detection.core.types import Named as PropertyName

Properties = Names[str | None]
_SHORT = 2  # a name this short is taken for one only as it is written: "IN" is no word of a sentence
_BEFORE = 24


def names_of(case: Case) -> Properties:
    """The names of the case's properties, ready for :func:`named`. A name that several properties bear means the
    answer's own, if it is among them, else none; the first words of a longer name mean its property where they
    are no other's."""
    return _names(case.properties, case.property)


@lru_cache(maxsize=64)
def _names(properties: tuple[PropertyName, ...], own: str | None) -> Properties:
    bearers: dict[str, set[str]] = {}
    shortened: Counter[str] = Counter()
    beginnings: dict[str, str] = {}
    for one in properties:
        words = Words(one.name).words
        if not words or all(word.isdigit() for word in words):
            continue
        bearers.setdefault(" ".join(words), set()).add(one.property)
        for count in range(2, len(words)):
            beginnings[" ".join(words[:count])] = one.property
            shortened[" ".join(words[:count])] += 1
    phrases: dict[str, str | None] = dict.fromkeys(WHOLE)
    phrases.update(
        (name, code) for name, code in beginnings.items() if shortened[name] == 1 and not _han(name)
    )
    phrases.update(
        (name, own if own in codes else min(codes))
        for name, codes in bearers.items()
        if own in codes or len(codes) == 1
    )
    return Names(phrases)


def _han(name: str) -> bool:
    return "\u3400" <= name[0] <= "\u9fff"


def named(words: Words, case: Case, numbers: Sequence[NumericClaim]) -> list[Mark[str | None]]:
    """The properties an answer names, in order; None for all of them together."""
    if not case.properties:
        return []
    taken = {place for number in numbers for place in range(number.start, number.end)}
    return [
        mark
        for mark in names_of(case).find(words)
        if mark.start not in taken
        and (mark.end - mark.start > _SHORT or case.answer[mark.start : mark.end].isupper())
    ]


class PropertyBinder:
    """The properties one sentence names, and which of them its numbers belong to."""

    def __init__(
        self, marks: Cues, low: int, found: Sequence[Mark[str | None]], numbers: Sequence[NumericClaim]
    ) -> None:
        self._marks, self._numbers = marks, numbers
        self.named = [Named(one.start, one.end, one.value, self._compared(low, one.start)) for one in found]
        self._attachment = Attachment(marks, low, self.named, numbers)
        self.main = self._attachment.main()

    def values(self) -> list[Named | None]:
        """The property of each number; None where the sentence names none."""
        if not self.named:
            return [None] * len(self._numbers)
        rows = [(one.start, one.end, one.value) for one in self.named]
        ordered = in_order(self._marks.text.folded, self._numbers, rows)
        return [
            Named(0, 0, ordered[place]) if place in ordered else self._said(place)
            for place in range(len(self._numbers))
        ]

    def _said(self, place: int) -> Named | None:
        attachment, number = self._attachment, self._numbers[place]
        return attachment.beside[place] or attachment.before(number) or attachment.behind(number)

    def _compared(self, low: int, start: int) -> bool:
        """Whether another property is compared with the one named at ``start``."""
        cues = [
            self._marks.last_cue(meaning, max(low, start - _BEFORE), start) for meaning in ("versus", "than")
        ]
        return any(
            not self._marks.numbered(cue.end, start) and not self._marks.broken(cue.end, start)
            for cue in cues
            if cue
        )
