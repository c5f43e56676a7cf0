"""Which metric the sentence of a source binds its number to: as the same words would in an answer (NUM-06).

Weights compare words; in “revenue was $5 million and costs were $2 million” both numbers stand in one sentence with both
names. Where the best place of a claim is such a number, its sentence is read like an answer's and has the last word.
"""

from bisect import bisect_right
from collections.abc import Sequence

from detection.core import claims
from detection.core.chunks import Passage, Place, Vocabulary
from detection.core.retrieval.support import Judged, Stated
from detection.core.text import sentences
from detection.core.types import Alias, Case, Claim


class SentenceMetrics:
    """The metrics of numbers in running text, each sentence read when it is first asked about."""

    def __init__(self, aliases: tuple[Alias, ...], known: Vocabulary) -> None:
        self._aliases, self._known = aliases, known
        self._spans: dict[str, list[tuple[int, int]]] = {}
        self._read: dict[tuple[str, int], tuple[Claim, ...]] = {}

    def held(
        self, verdict: Judged, stated: Sequence[Stated], metric: str | None, passage: Passage | None
    ) -> Judged:
        """The verdict, without the support of a number that its own sentence binds to another metric than the
        claim's while another number of the passage is bound to the claim's; ``passage`` holds the first.

        That other number is then the claim's slot. Without it the binding may be what is wrong.
        """
        best = verdict.best
        if not verdict.supported or best is None or metric is None or passage is None:
            return verdict
        if self._of(best, metric, passage) in (None, metric):
            return verdict
        own = [one for one in stated if not one.agrees and self._is_own(one, metric, passage)]
        if not own:
            return verdict
        return Judged(best, max(own, key=lambda one: one.ranked.weight), False, True)

    def _is_own(self, stated: Stated, metric: str, passage: Passage) -> bool:
        place = stated.ranked.place
        if place.source != passage.source or place.table >= 0 or place.date is not None:
            return False
        named = any(name <= place.row for name in self._known.names.get(metric, ()))
        return named and self._bound(place, passage) == metric

    def _of(self, stated: Stated, metric: str, passage: Passage) -> str | None:
        """The metric of a number of text; None where none is named, or no other could be meant."""
        place = stated.ranked.place
        if place.table >= 0 or place.date is not None or not self._names_others(place, metric):
            return None
        return self._bound(place, passage)

    def _bound(self, place: Place, passage: Passage) -> str | None:
        start, read = self._sentence(passage, place)
        return next((claim.metric for claim in read if claim.start + start == place.start), None)

    def _names_others(self, place: Place, metric: str) -> bool:
        names = self._known.names.items()
        return any(name <= place.row for other, called in names if other != metric for name in called)

    def _sentence(self, passage: Passage, place: Place) -> tuple[int, tuple[Claim, ...]]:
        """Where the sentence of a place begins, and its claims."""
        if passage.source not in self._spans:
            self._spans[passage.source] = sentences(passage.text)
        spans = self._spans[passage.source]
        index = bisect_right(spans, (place.start, len(passage.text))) - 1
        start, end = spans[index]
        if (passage.source, index) not in self._read:
            case = Case(passage.text[start:end], aliases=self._aliases)
            self._read[passage.source, index] = claims.read(case)
        return start, self._read[passage.source, index]
