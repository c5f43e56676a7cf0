"""What an answer claims: its statements, and the numbers inside them (GOV-01, SPEC-08.07…SPEC-08.09).

Every sentence with a word in it is a statement, or two where independent clauses meet, without what only says which evidence
it is from. All are read and numbered, also those that are no assertion; what to verify is decided later.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import regex

from detection.core import discourse, numbers, text
from detection.core.discourse import Stretch
from detection.core.patterns import late
from detection.core.quantities import unwritten
from detection.core.text import CLAUSE_BREAKS, CONFIDENCE, FINITE_VERBS
from detection.core.types import Case, Claim, NumericClaim

_MEANINGFUL = regex.compile(r"[\p{L}\p{N}]")
_BREAKS = {language: regex.compile(pattern) for language, pattern in CLAUSE_BREAKS.items()}
_VERBS = {language: regex.compile(pattern) for language, pattern in FINITE_VERBS.items()}
_CONFIDENCE = tuple(late(pattern, regex.IGNORECASE) for pattern in CONFIDENCE)
_SURE = regex.compile(r"confiden|certain|sure|ביטחון|בטחון|ודאות|置信|信心|把握", regex.IGNORECASE)
_CLAUSE_LENGTH = 12
_DIVISIBLE_LENGTH = 2000  # nothing longer is a sentence anybody wrote as one


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence while it is read: its place, its citations, and what it says of its own certainty."""

    index: int
    start: int
    end: int
    citations: tuple[str, ...]
    confidence: float | None
    confidence_span: tuple[int, int] | None


def read(case: Case) -> tuple[Claim, ...]:
    """All claims of the answer by position, a statement before its numbers; none for an empty answer.

    ``answer[claim.start:claim.end] == claim.text``. A statement keeps its citation marks in its text;
    clauses of one sentence share the citations of the sentence. Citations are source ids where they
    resolve and as written where they do not. The work is linear in the length of the answer.
    """
    if not case.answer.strip():
        return ()
    bare = text.bare(case.answer, case.language)
    found = _read(replace(case, answer=bare.text))
    if bare.text == case.answer:
        return tuple(found)
    return tuple(_moved(one, case.answer, bare.there) for one in found)


def bared(case: Case, claims: Sequence[Claim]) -> tuple[Case, Sequence[Claim], text.Bare]:
    """A case and its claims with the answer as it is read, without citation marks."""
    bare = text.bare(case.answer, case.language, cited=False)
    if bare.text == case.answer:
        return case, claims, bare
    moved = [_moved(one, bare.text, bare.here) for one in claims]
    return replace(case, answer=bare.text), moved, bare


def _moved(claim: Claim, answer: str, where: Callable[[int, int], tuple[int, int]]) -> Claim:
    """A claim where it stands in another form of its answer."""
    start, end = where(claim.start, claim.end)
    number = claim.number
    if number is not None:
        low, high = where(number.start, number.end)
        number = replace(number, text=answer[low:high], start=low, end=high)
    return replace(claim, text=answer[start:end], start=start, end=end, number=number)


def _read(case: Case) -> list[Claim]:
    spans = text.sentences(case.answer, case.language)
    found = _stated(case)
    starts = [number.start for number in found]
    claims: list[Claim] = []
    for sentence in _sentences(case, spans):
        inside = found[bisect_left(starts, sentence.start) : bisect_left(starts, sentence.end)]
        claims += _claims(case, sentence, inside, len(claims))
    return claims


def _stated(case: Case) -> list[NumericClaim]:
    """The numbers and the claims without digits, in order; those of "one in five" are one share."""
    written = numbers.extract(case.answer, case.language)
    spoken = unwritten(case.answer, case.language, written)
    ends = {one.end for one in spoken}
    return sorted(
        (*(one for one in written if one.end not in ends), *spoken), key=lambda one: (one.start, one.end)
    )


def source_ids(case: Case) -> dict[str, str]:
    """The ids an answer may cite, ids before parent ids (CIT-01), ready for :func:`text.resolve`."""
    own = [source.ref for source in case.sources]
    parents = [source.parent_ref for source in case.sources if source.parent_ref]
    return text.known_ids([*own, *parents])


def _sentences(case: Case, spans: Sequence[tuple[int, int]]) -> Iterator[_Sentence]:
    marks = text.citation_marks(case.answer, source_ids(case))
    starts = [start for _, start, _ in marks]
    for index, (start, end) in enumerate(spans):
        refs = (ref for ref, _, _ in marks[bisect_left(starts, start) : bisect_left(starts, end)])
        confidence, place = _stated_confidence(case.answer, start, end)
        yield _Sentence(index, start, end, tuple(dict.fromkeys(refs)), confidence, place)


def _claims(case: Case, sentence: _Sentence, inside: list[NumericClaim], index: int) -> list[Claim]:
    """The statements of one sentence, each followed by its numbers, numbered from ``index``."""
    if sentence.confidence_span:
        low, high = sentence.confidence_span
        inside = [one for one in inside if one.end <= low or one.start >= high]
    spans = [said for span in _assertions(case, sentence) for said in _stretches(case, *span)]
    if not spans:
        return []
    inside = [number for number in inside if not _names_evidence(number, spans)]
    firsts = [said.start for said in spans]
    owners = [max(bisect_right(firsts, number.start) - 1, 0) for number in inside]
    claims: list[Claim] = []
    for order, said in enumerate(spans):
        statement = _statement(case, sentence, said, index + len(claims))
        claims.append(statement)
        for number in inside[bisect_left(owners, order) : bisect_right(owners, order)]:
            claims.append(_number(number, statement, index + len(claims)))
    return claims


def _stretches(case: Case, start: int, end: int) -> Iterator[Stretch]:
    for said in discourse.stretches(case.answer[start:end], case.question, case.language):
        yield Stretch(start + said.start, start + said.end, said.act)


def _names_evidence(number: NumericClaim, spans: Sequence[Stretch]) -> bool:
    """Whether a number stands in a preamble, or in what an abstention says to be missing: it is not claimed."""
    said = next((each for each in spans if each.start <= number.start < each.end), None)
    return said is None or said.act in ("abstention", "preamble")


def _statement(case: Case, sentence: _Sentence, said: Stretch, index: int) -> Claim:
    return Claim(
        index=index,
        kind="statement",
        text=case.answer[said.start : said.end],
        start=said.start,
        end=said.end,
        sentence=sentence.index,
        citations=sentence.citations,
        confidence=sentence.confidence,
        excluded=said.act,
    )


def _number(number: NumericClaim, statement: Claim, index: int) -> Claim:
    return Claim(
        index=index,
        kind=number.kind,
        text=number.text,
        start=number.start,
        end=number.end,
        sentence=statement.sentence,
        citations=statement.citations,
        statement=statement.index,
        number=number,
    )


def _assertions(case: Case, sentence: _Sentence) -> list[tuple[int, int]]:
    """The spans of a sentence's assertions; empty when it holds no word outside its citation marks.

    A sentence is divided only at a semicolon or a conjunction after a comma, and only when both sides have a
    finite verb of their own: a wrong division costs more than a missed one.
    """
    start, end = sentence.start, sentence.end
    if not _MEANINGFUL.search(text.strip_marks(case.answer[start:end])):
        return []
    breaks, verbs = _BREAKS.get(case.language[:2]), _VERBS.get(case.language[:2])
    spans: list[tuple[int, int]] = []
    if breaks and verbs and end - start <= _DIVISIBLE_LENGTH:
        for found in breaks.finditer(case.answer, start, end):
            if _stands_alone(case.answer, start, found.start(), verbs) and _stands_alone(
                case.answer, found.end(), _clause_end(breaks, case.answer, found.end(), end), verbs
            ):
                spans.append((start, found.start()))
                start = found.end()
    return [*spans, (start, end)]


def _clause_end(breaks: "regex.Pattern[str]", answer: str, start: int, end: int) -> int:
    following = breaks.search(answer, start, end)
    return following.start() if following else end


def _stands_alone(answer: str, start: int, end: int, verbs: "regex.Pattern[str]") -> bool:
    verb = verbs.search(answer, start, end)
    # a clause that begins with its verb shares the subject of the one before it
    return verb is not None and verb.start() > start and end - start >= _CLAUSE_LENGTH


def _stated_confidence(answer: str, start: int, end: int) -> tuple[float | None, tuple[int, int] | None]:
    """The confidence a sentence states (SPEC-08.08), 0 to 1, and where; None and None when it states none."""
    for pattern in _CONFIDENCE if _SURE.search(answer, start, end) else ():
        if found := pattern.search(answer, start, end):
            given = found.groupdict()
            value = float(given["percent"]) / 100 if given.get("percent") else float(given["share"])
            if value <= 1:
                return value, found.span()
    return None, None
