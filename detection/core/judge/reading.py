"""The small model's JSON turned into the judge's opinion, or into the fault that makes it unusable (CIT-04)."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from detection.core.judge.prompts import KINDS
from detection.core.types import Hallucination

SHARES = (
    "score", "completeness", "relevance", "answer_quality", "citation_quality", "confidence", "hallucination_risk",
)  # fmt: skip
TEXTS = ("reasoning", "decision", "hallucination_notes")
LONGEST_TEXT = 2000
MOST_FOUND = 200


class Unreadable(ValueError):
    """The answer is no opinion; the message says what is wrong with it, for the model and for people."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A judge's opinion as its form gives it: shares by name, texts by name, the hallucinations."""

    shares: Mapping[str, float]
    texts: Mapping[str, str]
    hallucinations: tuple[Hallucination, ...]


def read_opinion(answer: str, sentences: int) -> Opinion:
    """Read the form. Raises :class:`Unreadable` when it is no JSON object, or a value is missing, of another type
    or out of bounds: half an opinion is none."""
    found = _object(answer)
    listed = found.get("hallucinations")
    if not isinstance(listed, list) or len(listed) > MOST_FOUND:
        raise Unreadable('"hallucinations" is not a list.')
    return Opinion(
        shares={name: _share(found, name) for name in SHARES},
        texts={name: _text(found, name) for name in TEXTS},
        hallucinations=tuple(_hallucination(each, sentences) for each in listed),
    )


def _object(answer: str) -> dict[str, Any]:
    """The outermost braces of the answer: models like to put a fence or a sentence around them."""
    start, end = answer.find("{"), answer.rfind("}")
    try:
        found = json.loads(answer[start : end + 1])
    except (ValueError, RecursionError) as problem:
        raise Unreadable("It is not a JSON object.") from problem
    if not isinstance(found, dict):
        raise Unreadable("It is not a JSON object.")
    return found


def _share(found: Mapping[str, Any], name: str) -> float:
    value = found.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Unreadable(f'"{name}" is not a number.')
    if not 0 <= value <= 1:
        raise Unreadable(f'"{name}" is not between 0 and 1.')
    return float(value)


def _text(found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str):
        raise Unreadable(f'"{name}" is not a text.')
    return value.strip()[:LONGEST_TEXT]


def _hallucination(given: Any, sentences: int) -> Hallucination:
    if not isinstance(given, dict) or given.get("kind") not in KINDS:
        raise Unreadable(f'Each hallucination has a "kind": {", ".join(KINDS)}.')
    number = given.get("sentence")
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= sentences:
        raise Unreadable(f'Each hallucination has a "sentence" from 1 to {sentences}.')
    return Hallucination(given["kind"], number - 1, _text(given, "reason"))
