"""Judges that answer from a script, and what they were asked."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from detection.core.ports import Judges, Text, VerifierError
from detection.core.types import Usage

CALM = {
    "score": 0.9, "completeness": 0.8, "relevance": 1, "answer_quality": 0.9, "citation_quality": 0.7,
    "reasoning": "It follows the sources.", "confidence": 0.9, "decision": "synthesize", "hallucination_risk": 0.1,
    "hallucination_notes": "", "hallucinations": [],
}  # fmt: skip
Answer = str | VerifierError | Callable[[], str]


def doubting(*found: tuple[str, int], **more: Any) -> dict[str, Any]:
    """A form that names hallucinations as (kind, sentence number)."""
    listed = [{"kind": kind, "sentence": number, "reason": f"{kind} here"} for kind, number in found]
    return (
        CALM
        | {"hallucination_risk": 0.5, "hallucination_notes": "See there.", "hallucinations": listed}
        | more
    )


class Scripted:
    """A text model that answers in turn from ``answers``; ``asked`` holds (system, prompt) pairs."""

    def __init__(self, name: str, *answers: Answer) -> None:
        self.name = name
        self.answers = list(answers)
        self.asked: list[tuple[str, str]] = []

    def complete(
        self, system: str, prompt: str, *, maximum_tokens: int = 512, temperature: float = 0.0
    ) -> Text:
        """The next answer of the script, the last one again and again."""
        self.asked.append((system, prompt))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, VerifierError):
            raise answer
        written = answer if isinstance(answer, str) else answer()
        return Text(written, self.name, Usage(1, 100, Decimal("0.01")), latency_ms=5.0)


def judges(*forms: Answer | dict[str, Any], critique: Answer = "Every sentence is right.") -> Judges:
    """A strong model that writes ``critique`` and a small one that answers with ``forms`` in turn."""
    written = [json.dumps(form) if isinstance(form, dict) else form for form in forms]
    return Judges(Scripted("strong", critique), Scripted("small", *written))
