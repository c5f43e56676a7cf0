"""What rows, columns, figures and properties are called, and which of them words name."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache

import regex

from detection.core import lexicons, numbers
from detection.core.evidence.tables.words import LEFT_OUT
from detection.core.lexicons import Words
from detection.core.quantities.features import HAN, Feature, features, is_meaning, sized
from detection.core.quantities.measures import MONTHS

NAMED = (0.5, 0.34)
"""How much of a label must be named for it to be spoken of: of a figure, and of whose it is."""
_UNIT = regex.compile(r"(?<=\w\s?)\(\p{L}{1,4}\)$")
_VOWELS = regex.compile("[אהוי]")  # letters that stand for vowels as well
_ROOT, _BEGINNING = 2, 6  # letters
_UNNAMED = 0.6
_TOLD = 0.4  # of the best score, where a word is in one label alone
_NEAR = 0.67  # of the best score: labels as near as this are named as well as the best


@dataclass(frozen=True, slots=True)
class Label:
    """A name with the sets of words by which it may be called: its own words, or the metric that they name; ``above``
    are those of the headings that it stands under."""

    text: str
    forms: tuple[frozenset[str], ...]
    above: tuple[frozenset[str], ...] = ()


@lru_cache(maxsize=16_384)
def label(text: str) -> Label:
    """The label of ``text``: its own words, and for each metric that a phrase of it names that metric with the rest; without
    a unit in brackets that no table knows."""
    found = features(Words(_UNIT.sub("", text) or text))
    sizes = [one.name for one in sized(Words(text))]
    words = frozenset((*sizes, *(one.name for one in found if not is_meaning(one.name))))
    named = _of_itself(text, [one for one in found if is_meaning(one.name)])
    merged = [(words - frozenset(one.inner)) | {one.name} for one in named]
    return Label(text, tuple(form for form in dict.fromkeys((words, *merged)) if form))


def _of_itself(text: str, named: Sequence[Feature]) -> list[Feature]:
    """The metrics that a name is of: those behind "after" or "before" are only left out of it or not yet taken off."""
    less = LEFT_OUT.search(numbers.fold(text)[0], 1)
    own = [one for one in named if less is None or one.start < less.start()]
    return own or list(named)


def _is_another_name(own: Set[str], words: Set[str]) -> bool:
    """Whether a label is called by a number or a letter, and ``words`` name another of that name: "Tower A", "Tower B"."""
    called = {one for one in own if " " in one}
    kinds = {one.partition(" ")[0] for one in words if " " in one}
    return not called & words and any(one.partition(" ")[0] in kinds for one in called)


def apart(own: Set[str], theirs: Set[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The words of each of two that the other lacks; not a Chinese pair of signs that are both in words of both: 店售 where
    both have 門店 and 售出."""
    signs = frozenset("".join(word for word in own & theirs if HAN.fullmatch(word)))
    first, second = (
        frozenset(word for word in words if not (HAN.fullmatch(word) and signs.issuperset(word)))
        for words in (own - theirs, theirs - own)
    )
    return first, second


def are_kin(some: Set[str], others: Set[str]) -> bool:
    """Whether a word of the first is one of the others, or of one root with it: "produced" and "production"."""
    return not some.isdisjoint(others) or not _roots(some).isdisjoint(_roots(others))


def _roots(words: Iterable[str]) -> set[str]:
    """The beginnings of long words, and the consonants of Hebrew ones, in which a verb and its noun are alike."""
    hebrew = {_VOWELS.sub("", word) for word in words if "א" <= word[0] <= "ת"}
    return {word for word in hebrew if len(word) >= _ROOT} | {
        word[:_BEGINNING] for word in words if word.isascii() and len(word) >= _BEGINNING
    }


def together(text: str, parts: Iterable[Label]) -> Label:
    """One label that may be called by the forms of any of ``parts``."""
    return Label(text, tuple(dict.fromkeys(form for part in parts for form in part.forms)))


@cache
def general() -> frozenset[str]:
    """Lemmas of words that only qualify: net, total, average, other."""
    tables = ("qualifiers", "totals", "entities", "roles", "aggregations", "directions", "order")
    words = {
        w
        for t in tables
        for keys in lexicons.table(t).values()
        for phrases in keys.values()
        for p in phrases
        for w in p.split()
    }
    return frozenset(lexicons.lemma(word) for word in words)


@cache
def totals() -> frozenset[str]:
    """Lemmas of the words that mean a total by themselves; "leases" does so only in "all leases"."""
    phrases = (
        phrase for keys in lexicons.table("totals").values() for some in keys.values() for phrase in some
    )
    return frozenset(lexicons.lemma(phrase) for phrase in phrases if " " not in phrase)


@cache
def _times() -> frozenset[str]:
    """Lemmas of the words for how long a stretch of time is: "annual" tells no figure from another."""
    told = (keys.get(unit, ()) for keys in lexicons.table("per").values() for unit in MONTHS)
    return frozenset(
        lexicons.lemma(word) for phrases in told for phrase in phrases for word in phrase.split()
    )


class Axis:
    """The labels of one direction of a grid, and how well words name each of them.

    A word that few labels have weighs more (inverse document frequency); a label's score is the share of its weight
    that the words carry, each by its own weight, 0 to 1.
    """

    def __init__(self, name: str, labels: Sequence[Label], least: float = NAMED[0]) -> None:
        self.name, self.labels, self.least = name, tuple(labels), least
        self.has_headings = any(one.above for one in labels)
        having = Counter(word for one in labels for word in frozenset().union(*one.forms))
        self.worth = {word: math.log(1 + len(labels) / count) for word, count in having.items()}
        self._scripts = [
            {word.isascii() for form in one.forms for word in form if not is_meaning(word)} for one in labels
        ]
        self._alone = frozenset(word for word, count in having.items() if count == 1)
        self._places: dict[tuple[str, tuple[frozenset[str], ...]], int] = {}
        self._of: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._whole: dict[tuple[int, int], float] = {}
        for index, one in enumerate(labels):
            self._places.setdefault((one.text, one.above), index)
            for place, form in enumerate(one.forms):
                self._whole[index, place] = math.fsum(self.worth[word] for word in form)
                for word in form:
                    self._of[word].append((index, place))

    @property
    def words(self) -> Collection[str]:
        """All words of its labels."""
        return self._of.keys()

    def place(self, one: Label) -> int:
        """The index of the label that is called as ``one`` is and stands under the same headings; KeyError where none does."""
        return self._places[one.text, one.above]

    def words_of(self, index: int) -> frozenset[str]:
        """The words of a label, whatever form it is called by."""
        return frozenset().union(*self.labels[index].forms)

    def scores(self, words: Mapping[str, float]) -> dict[int, float]:
        """How well ``words`` name each label of which they name anything."""
        return {index: score for index, (score, _, _) in self._covered(words).items()}

    def _covered(self, words: Mapping[str, float]) -> dict[int, tuple[float, float, frozenset[str]]]:
        """For each label the weighted share of its best form that words name, the share without their weights, and
        which words name any of its forms."""
        carried: dict[tuple[int, int], list[str]] = defaultdict(list)
        for word in words:
            for form in self._of.get(word, ()):
                carried[form].append(word)
        best: dict[int, tuple[float, float, frozenset[str]]] = {}
        for (index, place), parts in carried.items():
            whole = self._whole[index, place]
            score = math.fsum(self.worth[word] * words[word] for word in parts) / whole
            plain = math.fsum(self.worth[word] for word in parts) / whole
            under = self._under(index, words)
            before = best.get(index, (0.0, 0.0, frozenset()))
            told = before[2] | frozenset(parts)
            best[index] = (*max((score * under, plain), before[:2]), told)
        return best

    def _tells(self, parts: frozenset[str]) -> bool:
        """Whether a word among ``parts`` is in one label alone and says what that is, not only which kind of it."""
        return any(word in self._alone and word not in general() for word in parts)

    def is_other(self, index: int, words: Set[str], rivals: Iterable[int]) -> bool:
        """Whether ``words`` tell a rival from a label: they name most of what only the rival is called, and nothing of what
        only this one is. Rivals are those of its own sentence, or called alike: "Berlin leased", "Paris leased"."""
        own = self.words_of(index)
        if _is_another_name(own, words):
            return True
        for rival in rivals:
            theirs = self.words_of(rival)
            only, more = apart(own, theirs)
            beside = self.labels[index].text == self.labels[rival].text
            strange, telling = bool(only) and not are_kin(only, words), more - _times()
            told = strange and 2 * len(telling & words) > len(telling)
            if strange and words and words <= more & self._alone - general():
                return True
            if told and (beside or 2 * len(own & theirs) >= min(len(own), len(theirs))):
                return True
            if beside and only - words and more and theirs <= words:
                return True  # "the first floor pays $25, the second floor $30": the verb is said once
        return False

    def _translate(self, index: int, other: int, words: Mapping[str, float]) -> bool:
        """Whether two labels are names of one metric among ``words``, the first in another script than they."""
        if not self._called(index, words) & self._called(other, words):
            return False
        told = {
            one.isascii()
            for form in self.labels[other].forms
            for one in form
            if one in words and not is_meaning(one)
        }
        return told.isdisjoint(self._scripts[index])

    def _called(self, index: int, words: Mapping[str, float]) -> frozenset[str]:
        """The metrics among ``words`` of which a label is a name, no part of it left over."""
        alone = (next(iter(form)) for form in self.labels[index].forms if len(form) == 1)
        return frozenset(word for word in alone if word in words and is_meaning(word))

    def _under(self, index: int, words: Mapping[str, float]) -> float:
        """A label counts less while the headings that it stands under are not named."""
        above = self.labels[index].above
        if not above:
            return 1.0
        named = sum(min(1.0, 2 * words.get(word, 0)) for word in above[0])
        return _UNNAMED + (1 - _UNNAMED) * named / len(above[0])

    def named(
        self, words: Mapping[str, float], among: frozenset[int] | None = None
    ) -> tuple[tuple[int, ...], float]:
        """The labels that ``words`` name best, and how well; none where nothing is named well enough.

        Of two labels of which one is named by some of the words that name the other, only the other is meant; not where
        the words name the metric that both are called, each in its language.
        """
        covered = {
            index: (score, parts)
            for index, (score, plain, parts) in self._covered(words).items()
            if (plain >= self.least or self._tells(parts))
            and (plain >= 1 or not parts <= totals())  # "total" alone names no total revenue
            and (among is None or index in among)
        }
        if not covered:
            return (), 0.0
        alike: dict[frozenset[str], list[int]] = defaultdict(list)  # a list of a thousand lines has few
        for index, (_, parts) in covered.items():
            alike[parts].append(index)
        fuller = {
            own: [other for parts, some in alike.items() if own < parts for other in some] for own in alike
        }
        whole = {
            index: one
            for index, one in covered.items()
            if all(self._translate(index, other, words) for other in fuller[one[1]])
        }
        best = max(score for score, _ in whole.values())
        kept = [
            i
            for i, (score, parts) in whole.items()
            if score >= best * _NEAR or (score >= best * _TOLD and self._tells(parts))
        ]
        return tuple(sorted(kept, key=lambda index: (-covered[index][0], index))), best
