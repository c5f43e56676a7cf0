"""Whether evidence holds what an answer says that it does not tell."""

from collections.abc import Iterator
from functools import cache
from typing import Literal

from detection.core import evidence, lexicons, numbers, text
from detection.core.discourse.acts import without_evidence
from detection.core.lexicons import Words
from detection.core.quantities import lemmas
from detection.core.types import Case, Kind

Absence = Literal["absent", "present", "open"]
NEAR = 0.5
"""The share of the words asked for that a sentence of the evidence must hold to be near."""

_OWN = ("sources", "given", "tell", "told", "listed", "details", "according")
_VALUES: tuple[tuple[str, tuple[Kind, ...]], ...] = (
    ("asks_date", ("date",)),
    ("asks_value", ("currency", "percentage", "ratio", "number")),
)


def absence(case: Case, abstention: str) -> Absence:
    """``present`` where one sentence of the evidence holds every word of what is said to be missing, with a value of the kind
    that is asked for; ``absent`` where none holds even half of them; ``open`` between. An abstention that does not
    name what is missing means the question."""
    wanted = _topic(without_evidence(abstention)) or _topic(case.question)
    if not wanted:
        return "open"
    kinds = _kinds(f"{case.question}\n{abstention}")
    best = 0.0
    for sentence, words in _sentences(case):
        share = len(wanted & words) / len(wanted)
        if share == 1 and _has_value(sentence, kinds, case.language):
            return "present"
        best = max(best, share)
    return "absent" if best < NEAR else "open"


def _topic(said: str) -> frozenset[str]:
    """The words that carry meaning, without those that speak of the evidence itself."""
    words = Words(text.strip_marks(said))
    return frozenset(one.name for one in lemmas(words)) - _speaking()


@cache
def _speaking() -> frozenset[str]:
    listed = (keys[name] for keys in lexicons.table("discourse").values() for name in _OWN)
    return frozenset(one.name for phrases in listed for phrase in phrases for one in lemmas(Words(phrase)))


def _sentences(case: Case) -> Iterator[tuple[str, frozenset[str]]]:
    """Each sentence of the evidence with its words, and those of its title."""
    for source in evidence.texts(case):
        title = frozenset(one.name for one in lemmas(Words(source.title)))
        for start, end in text.sentences(source.text, case.language):
            sentence = source.text[start:end]
            yield sentence, title | {one.name for one in lemmas(Words(sentence))}


def _kinds(asked: str) -> frozenset[str]:
    found = {key for mark in lexicons.phrases("asking").find(Words(asked)) for key in mark.value}
    return frozenset(kind for key, kinds in _VALUES if key in found for kind in kinds)


def _has_value(sentence: str, kinds: frozenset[str], language: str) -> bool:
    return not kinds or any(number.kind in kinds for number in numbers.extract(sentence, language))
