"""The act of a sentence, and the stretches of it that are judged."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import regex

from detection.core import text
from detection.core.discourse.forms import ONWARD, compiled

Act = Literal[
    "abstention", "closing", "advice", "reply", "preamble", "question", "instruction", "hedge", "heading"
]
_WORD = regex.compile(r"[\p{L}\p{N}]")
_LONGEST = 2000  # nothing longer is a sentence anybody wrote as one
_TITLE = 8  # words of the longest heading
_HEADS = regex.compile(r"\s*(?:#{1,6}\s.*|\*\*[^*]+\*\*\s*|__[^_]+__\s*|.*[:：][\s*_]*)")
_ENDS = regex.compile(r"[.!?。！？][\s*_]*$")
_VERBS = {language: regex.compile(pattern) for language, pattern in text.FINITE_VERBS.items()}
_FORMS: tuple[tuple[Act, str], ...] = (
    ("closing", "CLOSINGS"),
    ("reply", "REPLIES"),
    ("question", "RESTATED"),
    ("advice", "ADVICE"),
)


class Stretch(NamedTuple):
    """A part of a text that is judged by itself, and the act by which it asserts nothing of the world, None where it does."""

    start: int
    end: int
    act: Act | None


def act(sentence: str, question: str = "", language: str = "") -> Act | None:
    """What a sentence or clause does other than assert: abstain, close, advise to look elsewhere, only agree or deny, say the
    question again, ask, instruct, hedge, head what follows; None for an assertion. An abstention asserts too, but of the evidence."""
    plain = _masked(sentence)
    if len(plain) > _LONGEST:
        return None
    if compiled("ABSTENTIONS").match(plain):
        return "abstention"
    for name, table in _FORMS:
        if compiled(table).match(plain):
            return name
    if text.is_question(sentence, language) or _repeats(sentence, question):
        return "question"
    if text.is_instruction(sentence, language):
        return "instruction"
    if text.is_hedge(sentence, language):
        return "hedge"
    return "heading" if _heads(plain, language) else None


def stretches(sentence: str, question: str = "", language: str = "") -> Iterator[Stretch]:
    """The parts of a sentence or clause that are judged, in order: without a preamble that names the evidence, and what an
    abstention goes on to assert by itself. Offsets are those of ``sentence``; what leads in and nothing else is one stretch."""
    start, end = _body(sentence)
    if start >= end:
        yield Stretch(0, len(sentence), "preamble")
        return
    here = act(sentence[start:end], question, language)
    onward = _onward(sentence, start, end) if here == "abstention" else None
    if onward is None:
        yield Stretch(start, end, here)
        return
    low, high = onward
    yield Stretch(start, low, "abstention")
    yield Stretch(high, end, act(sentence[high:end], question, language))


def without_evidence(abstention: str) -> str:
    """An abstention without the words that name the evidence: "the lease" does not say what is missing."""
    found = compiled("ABSTENTIONS").match(_masked(abstention))
    for start, end in reversed(found.spans("evidence") if found else []):
        abstention = f"{abstention[:start]} {abstention[end:]}"
    return abstention


def _body(sentence: str) -> tuple[int, int]:
    """Where a sentence stands without what says only where it is from; an empty span where nothing else is there."""
    plain = _masked(sentence)
    if len(plain) > _LONGEST:
        return 0, len(sentence)
    found = compiled("PREAMBLES").match(plain)
    start = found.end() if found else 0
    behind = compiled("AFTERTHOUGHTS").search(plain, start)
    end = behind.start() if behind else len(sentence)
    return (start, end) if _WORD.search(plain, start, end) else (end, end)


def _onward(sentence: str, start: int, end: int) -> tuple[int, int] | None:
    """Where a sentence that abstains stops to do so, and where it goes on."""
    plain = _masked(sentence)
    begun = compiled("ABSTENTIONS").match(plain[start:end])
    after = ONWARD.search(plain, start + begun.end(), end) if begun else None
    return after.span() if after and _WORD.search(plain, after.end(), end) else None


def _heads(plain: str, language: str) -> bool:
    """Whether a few words without a verb are marked as a heading or lead to what follows: "Other costs in that quarter:"."""
    if not _HEADS.fullmatch(plain) or _ENDS.search(plain) or len(text.words(plain)) > _TITLE:
        return False
    verbs = _VERBS.get(language[:2])
    return verbs is not None and not verbs.search(plain)


def _repeats(sentence: str, question: str) -> bool:
    asked = text.words(question)
    return bool(asked) and text.words(sentence) == asked


def _masked(sentence: str) -> str:
    """The sentence with spaces in place of its citation marks."""
    for start, end in text.mark_spans(sentence):
        sentence = f"{sentence[:start]}{' ' * (end - start)}{sentence[end:]}"
    return sentence
