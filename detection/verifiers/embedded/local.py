"""The embedded verifier: no key, no network, no cost (SPEC-08.27).

Two chained logistic models over the features of :mod:`detection.verifiers.embedded.lexical`: does the evidence
carry the claim, and if not, does it deny it? Their coefficients and the figures of their fit are in
``local_model.json``, written by ``benchmarks/training/fit_local.py``. It is a weak verifier: it knows
words, numbers and opposites, not meaning, and says so by never being sure. What a refuter
(:mod:`detection.core.refuters`) finds against a claim it believes as often as refuters were right.
"""

import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from detection.core.ports import Estimate
from detection.core.refuters import refutations
from detection.core.statements import read_context
from detection.core.text import detect_language
from detection.verifiers.embedded.lexical import FEATURES, features
from detection.verifiers.embedded.lexical_reading import Passage, read_passages, read_statement

MODEL = Path(__file__).with_name("local_model.json")
REFUTED = 0.84
"""Share of the refuters' firings that were right on statements that nobody had a look at (43 of 51; of those of today 54 of 60, ``benchmarks/refuters.py``,
but variants were chosen by such totals)."""
SILENT = Estimate()
"""Anything between 0 and 1: what it says of a language in which it knows nothing."""
FLOOR = 0.01
"""No claim is given less than this or more than 1 − this: features are no proof."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """One logistic model: a probability from features."""

    intercept: float
    weights: tuple[float, ...]

    def probability(self, values: Sequence[float]) -> float:
        """The probability for one row of features, never nearer to 0 or 1 than :data:`FLOOR`."""
        z = self.intercept + sum(w * x for w, x in zip(self.weights, values, strict=True))
        return min(max(1 / (1 + math.exp(-z)), FLOOR), 1 - FLOOR)


@dataclass(frozen=True, slots=True)
class LocalModel:
    """The fitted model. ``carried`` and ``denied`` are the two steps, ``common`` the weights of common
    words, ``languages`` those in which it knows more of statements than word overlap does, ``date`` its version."""

    carried: Logistic
    denied: Logistic
    common: Mapping[str, float]
    languages: frozenset[str]
    date: str

    @classmethod
    def read(cls, path: Path = MODEL) -> "LocalModel":
        """Read a model; a ValueError when it was fitted for other features."""
        stored = json.loads(path.read_text(encoding="utf-8"))
        if tuple(stored["features"]) != FEATURES:
            raise ValueError(
                f"{path.name} was fitted for other features; run benchmarks/training/fit_local.py."
            )
        carried, denied = (
            Logistic(stored[step]["intercept"], tuple(stored[step]["weights"]))
            for step in ("carried", "denied")
        )
        common = {word: float(weight) for weight, each in stored["common"].items() for word in each.split()}
        return cls(carried, denied, common, frozenset(stored["languages"]), stored["date"])


@lru_cache(maxsize=1)
def shipped_model() -> LocalModel:
    """The model that comes with the project, read once."""
    return LocalModel.read()


class LocalVerifier:
    """Estimates by evidence features: points that sum to 1. Of a claim in a language that it knows nothing of, only what a
    refuter finds; else anything between 0 and 1."""

    name = "local"

    def __init__(self, model: LocalModel | None = None) -> None:
        self.model = model or shipped_model()

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        """Estimate one claim; never fails."""
        return self.batch_estimate([claim], context)[0]

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """Estimate claims that share a context, in order."""
        chunks = read_context(context)
        passages = [passage for chunk in chunks for passage in read_passages(chunk)]
        return [self._estimate(claim, chunks, passages) for claim in claims]

    def _estimate(self, claim: str, chunks: Sequence[str], passages: Sequence[Passage]) -> Estimate:
        started = time.perf_counter()
        language = detect_language(claim)
        told = self._words(claim, passages) if language in self.model.languages else SILENT
        if refutations(claim, chunks, language):
            (low, high), (least, most) = told.yes, told.no
            told = Estimate(
                yes=(min(low, 1 - REFUTED), min(high, 1 - REFUTED)),
                no=(max(least, REFUTED), max(most, REFUTED)),
                unknown=(0.0, 1 - REFUTED),
            )
        return replace(
            told,
            method=self.name,
            model=f"local-{self.model.date}",
            latency_ms=(time.perf_counter() - started) * 1000,
        )

    def _words(self, claim: str, passages: Sequence[Passage]) -> Estimate:
        """What the words of a claim and of its evidence say, three points that sum to 1."""
        values = features(read_statement(claim), passages, self.model.common)
        yes = self.model.carried.probability(values)
        no = (1 - yes) * self.model.denied.probability(values)
        unknown = 1 - yes - no
        return Estimate(yes=(yes, yes), no=(no, no), unknown=(unknown, unknown))
