"""Sources of which one says a statement and another denies it: a refuter speaks against it in the one and not in the other,
and both sentences speak of the same thing."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from detection.core.disputes.speaking import Spoken, spoken
from detection.core.lexicons import content
from detection.core.refuters import MOST_READ, Refutation, refutations
from detection.core.refuters.operators import CONDITION, DENIAL
from detection.core.refuters.reading import read
from detection.core.text import sentences, words
from detection.core.types import Dispute, Source, Voice

_CARRIED = 0.8
"""How much of a statement's words the sentence of a source has that says it."""
_SHARED = 0.6
"""How much of them the sentence has that denies it; it may be shorter, and say nothing that the other does not."""
_MOST = 2  # disputes told of one statement
_KEPT = 64  # sources whose sentences are kept


class _Sentence(NamedTuple):
    """A sentence of a source: where it stands, and its words."""

    start: int
    end: int
    words: frozenset[str]


def statements(claim: str, known: Sequence[Source], stated: Sequence[str], language: str) -> tuple[Dispute, ...]:
    """What one source says of ``claim``, a statement in ``language``, and another denies. ``stated`` are the texts of the sources
    without orders."""
    own = content(words(claim))
    near = [place for place, text in enumerate(stated) if text.strip() and _best(own, text, language)[0] >= _SHARED]
    if len(near) < 2 or not own:
        return ()
    near = sorted(near, key=lambda place: -_best(own, stated[place], language)[0])[:MOST_READ]
    denied = {place: refutations(claim, [stated[place]], language) for place in sorted(near)}
    found = []
    for place, against in denied.items():
        for one in against[:1]:
            bearer = next(_bearers(claim, own, stated, one, [p for p in denied if not denied[p]], place, language), None)
            if bearer is not None:
                found.append(Dispute(_voice(known, *bearer), _voice(known, place, _around(one, stated[place], language))))
    return tuple(found[:_MOST])


def _bearers(
    claim: str, own: frozenset[str], stated: Sequence[str], one: Refutation, places: Sequence[int], denying: int, language: str
) -> Iterator[tuple[int, _Sentence]]:
    """The sources that say the claim, each with the sentence that does, where the sentence that denies it speaks of the same."""
    against = _around(one, stated[denying], language)
    text = stated[denying]
    rest = f"{text[against.start : one.start]} {text[one.end : against.end]}"
    denial = f"{claim[: one.claim_start]} {claim[one.claim_end :]}"
    for place in places:
        share, best = _best(own, stated[place], language)
        if share >= _CARRIED and best is not None:
            said = stated[place][best.start : best.end]
            denying_text = text[against.start : against.end]
            if _is_plain(said, denying_text, one, against.start, language) and _is_same(
                spoken(claim), spoken(denial), spoken(said), spoken(denying_text), spoken(rest)
            ):
                yield place, best


def _is_plain(said: str, denying: str, one: Refutation, start: int, language: str) -> bool:
    """Whether the sentence that denies has, beside what is held against the claim, neither a denial ("not … without") nor a condition
    that the other sentence lacks."""
    reading = read(denying, language)
    places = (reading.span(mark) for mark in reading.operators.get(DENIAL, ()))
    further = [low for low, high in places if not (low < one.end - start and one.start - start < high)]
    ties = [len(read(text, language).operators.get(CONDITION, ())) for text in (said, denying)]
    return not further and ties[0] == ties[1]


def _is_same(claim: Spoken, bare: Spoken, carried: Spoken, denied: Spoken, rest: Spoken) -> bool:
    """Whether the sentence that denies speaks of nothing that the claim, or the sentence that carries it, does not speak of, and of most of what the
    claim does without the words that are denied."""
    if denied.counts - claim.counts - carried.counts or denied.periods != claim.periods:
        return False
    if rest.words - claim.words - carried.words:
        return False
    return len(bare.words & denied.words) >= _SHARED * len(bare.words)


def _best(own: frozenset[str], text: str, language: str) -> tuple[float, _Sentence | None]:
    """The sentence of a source that has most of the words of a statement, and how much of them."""
    found = max(_sentences(text, language), key=lambda one: len(own & one.words), default=None)
    return (len(own & found.words) / len(own), found) if found and own else (0.0, None)


@lru_cache(maxsize=_KEPT)
def _sentences(text: str, language: str) -> tuple[_Sentence, ...]:
    return tuple(
        _Sentence(start, end, content(words(text[start:end]))) for start, end in sentences(text, language)
    )


def _around(one: Refutation, text: str, language: str) -> _Sentence:
    """The sentence of a source in which a refutation stands."""
    inside = (each for each in _sentences(text, language) if each.start <= one.start < each.end)
    return next(inside, _Sentence(one.start, one.end, frozenset()))


def _voice(known: Sequence[Source], place: int, said: _Sentence) -> Voice:
    text = known[place].text[said.start : said.end]
    return Voice(known[place].ref, text.strip(), said.start, said.end)
