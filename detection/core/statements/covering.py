"""Statements that the quantities in them carry: nobody need be asked what verified figures say already."""

from collections.abc import Iterator, Mapping, Sequence

from detection.core import evidence, lexicons
from detection.core.lexicons import Words
from detection.core.quantities import Feature, content, lemmas
from detection.core.quantities.features import HAN
from detection.core.refuters import refutations
from detection.core.statements.orders import without_orders
from detection.core.text import sentences
from detection.core.types import Case, Claim, Finding, NumberMeasured, SlotCompared, Source, Status

MOST_OPEN = 1
"""Words that nothing explains and that a covered statement may have all the same: "the DSCR *eased* to 1.42x"."""
_READ = ("operations", "aggregations", "bounds", "units", "roles", "divisions", "multiples", "per", "rounding", "joints",
         "pairing", "totals", "bases", "order", "quantifiers", "months", "periods", "period_words", "reporting")  # fmt: skip
"""Tables of the lexicons whose words a quantity is read with, so that they have been compared with it, or that report one."""

_PAIR = 2  # characters of a Chinese word
NEAR = 400
"""How far from a figure its sentence is looked for, in characters."""
DOUBTED: tuple[Status, ...] = ("contradicted", "unsupported", "unverified")
"""Of one figure in it, what leaves a statement to a verifier."""

Place = tuple[int, int]
Compared = tuple[Claim, NumberMeasured | None]
"""A number of a statement and what it was compared with."""


def open_words(
    case: Case, claims: Sequence[Claim], measured: Mapping[int, NumberMeasured]
) -> Mapping[int, int]:
    """How many words of each statement with a figure nothing explains: no number in it, no slot that a number agrees in,
    no word of the question, none of the sentences that state its figures or come before. That a word stands elsewhere in
    the evidence explains nothing: "because of the outage" may be said there of something else. Statements are keyed by
    their index; one that a refuter speaks against is left out, for its figures do not say what is denied of it, and so is one
    with a figure that was not reached in time: it cannot be carried."""
    inside: dict[int, list[Compared]] = {}
    for claim in claims:
        if claim.statement is not None:
            inside.setdefault(claim.statement, []).append((claim, measured.get(claim.index)))
    asked = _names(case.question)
    known = evidence.texts(case)
    stated = [without_orders(source.text) for source in known]
    return {
        claim.index: len(list(_open(case.answer, claim, inside[claim.index], known, asked)))
        for claim in claims
        if claim.kind == "statement"
        and any(one.kind != "date" for one, _ in inside.get(claim.index, ()))
        and not any(number and number.timed_out for _, number in inside[claim.index])
        and not refutations(claim.text, stated, case.language)
    }


def covered(claims: Sequence[Claim], findings: Sequence[Finding], words: Mapping[int, int]) -> set[int]:
    """The statements that their figures carry: one at least is supported, none is wrong, missing or unverified, and hardly
    a word is left (``words``, of :func:`open_words`)."""
    carried: set[int] = set()
    doubted: set[int] = set()
    for claim, finding in zip(claims, findings, strict=True):
        if claim.statement is None:
            continue
        if finding.status in DOUBTED:
            doubted.add(claim.statement)
        elif finding.status == "supported" and claim.kind != "date":
            carried.add(claim.statement)
    few = {index for index, count in words.items() if count <= MOST_OPEN}
    return (carried & few) - doubted


def _names(text: str) -> frozenset[str]:
    return frozenset(one.name for one in lemmas(Words(text)))


def _beside(inside: Sequence[Compared], known: Sequence[Source]) -> Iterator[frozenset[str]]:
    """The words beside each figure that the statement's numbers equal, and of its source's title."""
    sources = {source.ref: source for source in known}
    equal = {
        (candidate.source, candidate.start)
        for _, number in inside
        for candidate in (number.candidates if number else ())
        if candidate.equal and candidate.source in sources and candidate.start is not None
    }
    told = {(ref, _told(sources[ref].text, start)) for ref, start in equal}
    return (_names(f"{sources[ref].title} {said}") for ref, said in told)


def _told(text: str, at: int) -> str:
    """The sentence that covers a place and the one before it, which says what "its" is; no farther than :data:`NEAR`."""
    first = max(0, at - NEAR)
    near = text[first : at + NEAR]
    before = 0
    for low, high in sentences(near):
        if at - first < high:
            return near[before:high]
        before = low
    return ""


def _places(inside: Sequence[Compared]) -> list[Place]:
    """Where the numbers of a statement stand, and the words of the slots in which each agrees with its evidence."""
    found = [(one.start, one.end) for one, _ in inside]
    for _, number in inside:
        found += [
            (slot.start, slot.end)
            for slot in _slots(number)
            if slot.start is not None and slot.end is not None and slot.by != "question"
        ]
    return found


def _slots(number: NumberMeasured | None) -> Iterator[SlotCompared]:
    if number is None:
        return
    yield from number.slots
    for candidate in number.candidates:
        if candidate.equal:
            yield from (slot for slot in candidate.slots if slot.verdict in ("agree", "assumed"))


def _open(
    answer: str, claim: Claim, inside: Sequence[Compared], known: Sequence[Source], asked: frozenset[str]
) -> Iterator[str]:
    """The words of a statement that nothing explains: none of those ``asked``, none beside what its numbers equal."""
    words = Words(answer[claim.start : claim.end])
    told = asked.union(*_beside(inside, known))
    explained = {at - claim.start for low, high in _places(inside) for at in range(low, high)}
    marks = [mark for name in _READ for mark in lexicons.phrases(name).find(words)]
    said = [place for word, place in zip(words.words, words.spans, strict=True) if not content(word)]
    for low, high in (*((mark.start, mark.end) for mark in marks), *said):
        explained.update(range(low, high))
    unread = [
        one for one in lemmas(words) if not _is_told(one, told) and not explained.issuperset(_span(one))
    ]
    yield from (one.name for one in unread if not HAN.search(one.name))
    yield from _han(
        words.folded, {at for one in unread if HAN.search(one.name) for at in _span(one)} - explained
    )


def _is_told(one: Feature, told: frozenset[str]) -> bool:
    return any(character.isdigit() for character in one.name) or one.name in told


def _span(one: Feature) -> range:
    return range(one.start, one.end)


def _han(text: str, places: set[int]) -> Iterator[str]:
    """Chinese characters that nothing explains as words of two: pairs that overlap would count each word two or three times."""
    word: list[int] = []
    for at in sorted(places):
        if word and (at > word[-1] + 1 or len(word) == _PAIR):
            yield text[word[0] : word[-1] + 1]
            word = []
        word.append(at)
    if word:
        yield text[word[0] : word[-1] + 1]
