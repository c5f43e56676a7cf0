"""What a step says and what it may be held against: the context, and the steps before it (SPEC-08.24).

Earlier steps become sources with ids like ``step 1``, so that a step is cited and scrubbed as any chunk is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from math import fsum

import regex

from detection.core import claims, numbers, text
from detection.core.traces.arithmetic import Equation, equations
from detection.core.types import Case, Claim, Source
from detection.core.types.traces import Reckoning, Step, Trace

_Amount = tuple[Decimal | str, str]

_STEP = regex.compile(r"(?:steps?|שלב|צעד|步骤|步驟)\s*[#:№.]?\s*(\d{1,4})", regex.IGNORECASE)
_CHINESE_STEP = regex.compile(r"第\s*(\d{1,4})\s*步")
_LETTER = regex.compile(r"\p{L}")
_NEARLY = 0.5
"""A step that shares this part of what the nearest one shares is near as well."""


@dataclass(frozen=True, slots=True)
class StepRead:
    """One step with its claims, the case it is judged in, all that it cites, what of that names nothing, the
    earlier steps (by index) that it cites or, citing none, shares most with, its own arithmetic, and which of its
    numbers (by claim index) are what such a step reckoned."""

    case: Case
    claims: tuple[Claim, ...]
    cited: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    near: tuple[int, ...] = ()
    reckoned: tuple[Reckoning, ...] = ()
    recalled: Mapping[int, tuple[int, ...]] = field(default_factory=dict)


def step_id(index: int) -> str:
    """The id under which the step with this index (from 0) is cited."""
    return f"step {index + 1}"


def step_named(ref: str) -> int | None:
    """The index of the step that a citation names (``step 1``, ``Step #1``, ``שלב 1``, ``步骤1``, ``第1步``), or None."""
    found = _STEP.fullmatch(ref.strip()) or _CHINESE_STEP.fullmatch(ref.strip())
    return int(found[1]) - 1 if found else None


def as_sources(steps: Iterable[Step]) -> tuple[Source, ...]:
    """Steps as sources, cited by :func:`step_id`."""
    return tuple(Source(step_id(index), step.text) for index, step in enumerate(steps))


def read(trace: Trace) -> Iterator[StepRead]:
    """The steps one after the other, their citations resolved; the caller may stop at any."""
    spread = Counter(word for source in trace.context for word in frozenset(text.words(source.text)))
    earlier: list[frozenset[str]] = []
    results: list[frozenset[_Amount]] = []
    for index, step in enumerate(trace.steps):
        words = frozenset(text.words(step.text))
        spread.update(words)
        one = _read(trace, index, _nearest(words, earlier, spread))
        yield replace(one, recalled=_recalled(one, results))
        earlier.append(words)
        results.append(_results(one))


def _read(trace: Trace, index: int, nearest: tuple[int, ...]) -> StepRead:
    step = trace.steps[index]
    case = Case(
        answer=step.text,
        question=trace.question,
        language=trace.language,
        sources=(*trace.context, *as_sources(trace.steps[:index])),
        original_confidence=step.confidence,
    )
    known = claims.source_ids(case)
    cited = [_cited(claim, step, known) for claim in own_claims(case)]
    given = [text.resolve(ref, known) or ref for ref in map(_named, step.citations) if ref.strip()]
    refs = tuple(dict.fromkeys([*given, *(ref for claim in cited for ref in claim.citations)]))
    unknown = tuple(ref for ref in refs if text.resolve(ref, known) is None)
    named = {step_named(ref) for claim in cited for ref in claim.citations}
    near = tuple(n for n in range(index) if n in named) or nearest
    return StepRead(case, tuple(cited), refs, unknown, near, reckonings(case, cited))


def _results(step: StepRead) -> frozenset[_Amount]:
    """What the step's own arithmetic comes to."""
    stated = (numbers.extract(r.result, step.case.language) for r in step.reckoned if r.holds)
    return frozenset((number.value, number.unit) for found in stated for number in found)


def _recalled(step: StepRead, results: Sequence[frozenset[_Amount]]) -> dict[int, tuple[int, ...]]:
    found = {}
    for claim in step.claims:
        steps = tuple(n for n in step.near if _amount(claim) in results[n])
        if steps:
            found[claim.index] = steps
    return found


def own_claims(case: Case) -> tuple[Claim, ...]:
    """The claims of a text. What it reckons with is not bound to what the result is called: in ``NOI was 900 less
    300`` neither number is an NOI."""
    operands = [span for equation in equations(case.answer) for span in equation.operands]
    return tuple(_unbound(claim) if _overlaps(claim, operands) else claim for claim in claims.read(case))


def reckonings(case: Case, read: Sequence[Claim]) -> tuple[Reckoning, ...]:
    """The arithmetic that the text does itself, each with the statement it stands in."""
    statements = [claim for claim in read if claim.kind == "statement"]
    return tuple(
        _reckoning(case, read, claim, equation)
        for equation in equations(case.answer)
        for claim in statements
        if claim.start <= equation.start < claim.end
    )


def _reckoning(case: Case, read: Sequence[Claim], statement: Claim, equation: Equation) -> Reckoning:
    result = case.answer[slice(*equation.result)]
    amounts = {(number.value, number.unit) for number in numbers.extract(result, case.language)}
    rest = text.strip_marks(statement.text).replace(equation.text, " ")
    return Reckoning(
        statement=statement.index,
        text=equation.text,
        value=equation.value,
        result=result,
        holds=equation.holds,
        numbers=tuple(claim.index for claim in read if _amount(claim) in amounts),
        operands=tuple(claim.index for claim in read if _overlaps(claim, equation.operands)),
        bare=_LETTER.search(rest) is None,
    )


def _amount(claim: Claim) -> _Amount | None:
    return (claim.number.value, claim.number.unit) if claim.number else None


def _unbound(claim: Claim) -> Claim:
    return replace(claim, metric=None, period=None, property=None)


def _overlaps(claim: Claim, spans: Iterable[tuple[int, int]]) -> bool:
    return claim.number is not None and any(claim.start < end and start < claim.end for start, end in spans)


def asked(case: Case, read: Sequence[Claim]) -> tuple[int, ...]:
    """The dates among the claims that the question states: they say what was asked, they assert nothing."""
    stated = {n.value for n in numbers.extract(case.question, case.language) if n.kind == "date"}
    return tuple(claim.index for claim in read if claim.kind == "date" and _value(claim) in stated)


def _value(claim: Claim) -> object:
    return claim.number.value if claim.number else None


def _cited(claim: Claim, step: Step, known: dict[str, str]) -> Claim:
    """The claim with its own citations and those of the whole step, each as the id that it means."""
    refs = (_named(ref) for ref in (*claim.citations, *step.citations))
    return replace(claim, citations=tuple(dict.fromkeys(text.resolve(ref, known) or ref for ref in refs)))


def _named(ref: str) -> str:
    """The id of the step that a citation names, else the citation."""
    index = step_named(ref)
    return ref if index is None else step_id(index)


def _nearest(
    own: frozenset[str], earlier: Sequence[frozenset[str]], spread: Mapping[str, int]
) -> tuple[int, ...]:
    """The earlier steps that share most words with this one, rare words counting more than common ones; all of
    them when none shares any. ``spread`` is in how many texts a word stands."""
    shares = [fsum(1 / spread[word] for word in own & known) for known in earlier]
    best = max(shares, default=0.0)
    return tuple(n for n, share in enumerate(shares) if share >= _NEARLY * best)
