"""Sources of which one says a statement and another denies it: a refuter speaks against it in the one and not in the other,
and both sentences speak of the same thing."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from detection.core.disputes.speaking import spoken, titled
from detection.core.lexicons import content
from detection.core.refuters import Refutation, nearest, refutations
from detection.core.refuters.operators import CONDITION, DENIAL
from detection.core.refuters.reading import read
from detection.core.text import sentences, words
from detection.core.types import Dispute, Source, Voice

_CARRIED = 0.8
"""How much of a statement's words the sentence of a source has that says it."""
_SHARED = 0.6
"""How much of them the sentence has that denies it; it may be shorter, and say nothing that the other does not."""
_MOST, _BOTH = 2, 2  # disputes told of one statement, sources that it takes
_KEPT = 64  # sources whose sentences are kept


class _Sentence(NamedTuple):
    """A sentence of a source: where it stands, its text and its words."""

    start: int
    end: int
    text: str
    words: frozenset[str]


def statements(
    claim: str, known: Sequence[Source], stated: Sequence[str], language: str
) -> tuple[Dispute, ...]:
    """What one source says of ``claim``, a statement in ``language``, and another denies. ``stated`` are the texts of the sources
    without orders."""
    own = content(words(claim))
    best = {place: _best(own, stated[place], language) for place in nearest(claim, stated)}
    near = {place: one for place, one in best.items() if one and _share(own, one) >= _SHARED}
    if len(near) < _BOTH:
        return ()
    against = {place: refutations(claim, [stated[place]], language) for place in near}
    silent = {
        place: one for place, one in near.items() if not against[place] and _share(own, one) >= _CARRIED
    }
    found = []
    for place, refuted in against.items():
        denial = _denial(claim, stated[place], refuted[0], language) if refuted and silent else None
        bearer = next(
            (
                each
                for each, one in silent.items()
                if denial and denial.is_of(one) and _are_of_one(known[each], known[place])
            ),
            None,
        )
        if denial is not None and bearer is not None:
            found.append(
                Dispute(_voice(known[bearer], silent[bearer]), _voice(known[place], denial.sentence))
            )
    return tuple(found[:_MOST])


@dataclass(frozen=True, slots=True)
class _Denial:
    """A claim and the sentence of a source that denies it; ``start`` and ``end`` are where in the sentence it does."""

    claim: str
    language: str
    refuted: Refutation
    sentence: _Sentence
    start: int
    end: int

    def is_of(self, carried: _Sentence) -> bool:
        """Whether it denies what a sentence of another source says: it speaks of nothing that this and the claim do not, and of most that
        the claim does beside what is denied."""
        body, claim, other = self.sentence.text, spoken(self.claim), spoken(carried.text)
        said, rest = spoken(body), spoken(f"{body[: self.start]} {body[self.end :]}")
        if said.counts - claim.counts - other.counts or said.periods != claim.periods:
            return False
        if rest.words - claim.words - other.words or not self._is_plain(carried):
            return False
        bare = spoken(
            f"{self.claim[: self.refuted.claim_start]} {self.claim[self.refuted.claim_end :]}"
        ).words
        return len(bare & said.words) >= _SHARED * len(bare)

    def _is_plain(self, carried: _Sentence) -> bool:
        """Whether it has, beside what is held against the claim, neither a denial ("not … without") nor a condition that the
        other sentence lacks."""
        reading, other = (read(one.text, self.language) for one in (self.sentence, carried))
        denials = (reading.span(mark) for mark in reading.operators.get(DENIAL, ()))
        further = any(low >= self.end or high <= self.start for low, high in denials)
        return not further and len(reading.operators.get(CONDITION, ())) == len(
            other.operators.get(CONDITION, ())
        )


def _denial(claim: str, text: str, one: Refutation, language: str) -> _Denial | None:
    """What a refuter found, with the sentence in which it stands; None where it spans several."""
    sentence = next((each for each in _sentences(text, language) if each.start <= one.start < each.end), None)
    if sentence is None or one.end > sentence.end:
        return None
    return _Denial(claim, language, one, sentence, one.start - sentence.start, one.end - sentence.start)


def _are_of_one(source: Source, other: Source) -> bool:
    """Whether titles name no two of a kind: loan A and loan B, tower 1 and tower 2."""
    return titled(source.title).counts == titled(other.title).counts


def _best(own: frozenset[str], text: str, language: str) -> _Sentence | None:
    """The sentence of a source that has most of the words of a statement."""
    return max(_sentences(text, language), key=lambda one: len(own & one.words), default=None)


def _share(own: frozenset[str], sentence: _Sentence) -> float:
    return len(own & sentence.words) / len(own) if own else 0.0


@lru_cache(maxsize=_KEPT)
def _sentences(text: str, language: str) -> tuple[_Sentence, ...]:
    return tuple(
        _Sentence(start, end, text[start:end], content(words(text[start:end])))
        for start, end in sentences(text, language)
    )


def _voice(source: Source, said: _Sentence) -> Voice:
    text = source.text[said.start : said.end]
    return Voice(source.ref, text.strip(), said.start, said.end)
