"""How well answers are judged, measured on answers somebody has labelled (``manage.py evaluate``, contracts §7).

An answer is positive when its label says that it holds something wrong, and predicted positive when the verdict says
``has_hallucinations``. Intervals are 95 % percentile intervals of a bootstrap over answers (Efron & Tibshirani 1993):
claims of one answer are not independent, so whole answers are drawn again.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

DRAWS = 1000
WRONG = ("contradicted", "unsupported")
SUCCEEDED = ("ok", "skipped")
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """What is kept of one labelled answer and its Result. ``spans`` counts the labelled wrong spans, ``found`` those
    that a wrong claim touches; ``failed`` names the detectors that gave no report."""

    hallucinated: bool
    flagged: bool
    risk: float
    claims: Mapping[str, int]
    calls: int
    tokens: int
    usd: Decimal
    ms: float
    failed: tuple[str, ...] = ()
    spans: int = 0
    found: int = 0


@dataclass(frozen=True, slots=True)
class Figure:
    """A share 0–1 with its 95 % interval and how many it is of; all but ``n`` None where there is nothing to tell."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All that ``manage.py evaluate`` prints; ``floor`` is what flagging every answer would give."""

    answers: int
    hallucinated: int
    flagged: int
    precision: Figure
    recall: Figure
    f1: Figure
    auroc: Figure
    floor: Mapping[str, float | None]
    spans: Figure
    coverage: Mapping[str, int]
    cost: Mapping[str, Any]
    latency_ms: Mapping[str, float | None]
    failed: Mapping[str, int] = field(default_factory=dict)


def judged(result: Mapping[str, Any], hallucinated: bool, spans: Sequence[tuple[int, int]] = ()) -> Judged:
    """What counts of a Result (contracts §2). ``spans`` are code points of the answer, the end exclusive."""
    verdict, cost = result["verdict"], result["cost"]
    wrong = [(c["start"], c["end"]) for c in result["claims"] if c["status"] in WRONG]
    return Judged(
        hallucinated=hallucinated,
        flagged=verdict["has_hallucinations"],
        risk=verdict["risk_score"],
        claims=verdict["coverage"],
        calls=cost["calls"],
        tokens=cost["tokens"],
        usd=Decimal(cost["usd"]),
        ms=result["timings_ms"]["total"],
        failed=tuple(name for name, check in result["checks"].items() if check["status"] not in SUCCEEDED),
        spans=len(spans),
        found=sum(any(start < last and first < end for first, last in wrong) for start, end in spans),
    )


def evaluate(rows: Sequence[Judged], *, draws: int = DRAWS, seed: int = 0) -> Evaluation:
    """The figures over ``rows``, none among them when there are none."""
    labels = np.array([row.hallucinated for row in rows], dtype=bool)
    positives, flagged = labels.astype(np.float64), _column(rows, "flagged")
    both, risk = positives * flagged, _column(rows, "risk")
    found, spans = _column(rows, "found"), _column(rows, "spans")
    figures = _figures(
        {
            "precision": (lambda w: _ratio(w @ both, w @ flagged), flagged.sum()),
            "recall": (lambda w: _ratio(w @ both, w @ positives), positives.sum()),
            "f1": (lambda w: _ratio(2 * (w @ both), w @ positives + w @ flagged), len(rows)),
            "auroc": (lambda w: auroc(labels, risk, w), len(rows)),
            "spans": (lambda w: _ratio(w @ found, w @ spans), spans.sum()),
        },
        _drawn(len(rows), draws, seed),
    )
    return Evaluation(
        answers=len(rows),
        hallucinated=int(labels.sum()),
        flagged=int(flagged.sum()),
        **figures,
        floor=_floor(labels),
        coverage=_coverage(rows),
        cost=_cost(rows),
        latency_ms=_latency(rows),
        failed=dict(Counter(name for row in rows for name in row.failed)),
    )


def auroc(labels: NDArray[np.bool_], scores: Floats, weights: Floats | None = None) -> float | None:
    """The chance that a positive scores above a negative, ties counting half (Mann–Whitney); None for one class alone.

    ``weights`` say how often each row counts.
    """
    counts = np.ones(len(scores)) if weights is None else weights
    _, place = np.unique(scores, return_inverse=True)
    positive = np.bincount(place, counts * labels)
    negative = np.bincount(place, counts * ~labels)
    pairs = positive.sum() * negative.sum()
    if not pairs:
        return None
    below = np.cumsum(negative) - negative
    return float((positive * (below + negative / 2)).sum() / pairs)


def _drawn(rows: int, draws: int, seed: int) -> Iterator[Floats]:
    """How often each row counts: once each, then for every repetition as often as it was drawn."""
    if rows:
        yield np.ones(rows)
        chance = np.random.default_rng(seed)
        for _ in range(draws):
            yield chance.multinomial(rows, np.full(rows, 1 / rows)).astype(np.float64)


def _figures(
    asked: Mapping[str, tuple[Callable[[Floats], float | None], float]], drawn: Iterator[Floats]
) -> dict[str, Figure]:
    """Each figure under the first weights, with its interval over the others; with each how many it is of."""
    told: dict[str, list[float | None]] = {name: [] for name in asked}
    for weights in drawn:
        for name, (figure, _) in asked.items():
            told[name].append(figure(weights))
    return {name: _figure(told[name], int(n)) for name, (_, n) in asked.items()}


def _figure(values: Sequence[float | None], n: int) -> Figure:
    there = [value for value in values if value is not None]
    if not values or values[0] is None:
        return Figure(None, n=n)
    low, high = np.percentile(there[1:] or there, [2.5, 97.5])
    return Figure(values[0], float(low), float(high), n)


def _ratio(part: Any, whole: Any) -> float | None:
    return float(part / whole) if whole else None


def _column(rows: Sequence[Judged], name: str) -> Floats:
    return np.array([getattr(row, name) for row in rows], dtype=np.float64)


def _floor(labels: NDArray[np.bool_]) -> dict[str, float | None]:
    """Precision, recall and F1 of flagging every answer: what any detector has to beat."""
    if not labels.any():
        return {"precision": 0.0 if len(labels) else None, "recall": None, "f1": None}
    share = float(labels.mean())
    return {"precision": share, "recall": 1.0, "f1": 2 * share / (1 + share)}


def _coverage(rows: Sequence[Judged]) -> dict[str, int]:
    names = ("claims", "verified", "unverified", "not_checked")
    return {name: sum(row.claims[name] for row in rows) for name in names}


def _cost(rows: Sequence[Judged]) -> dict[str, Any]:
    usd = sum((row.usd for row in rows), Decimal(0))
    return {
        "calls": sum(row.calls for row in rows),
        "tokens": sum(row.tokens for row in rows),
        "usd": str(usd),
    }


def _latency(rows: Sequence[Judged]) -> dict[str, float | None]:
    """Milliseconds of detection an answer."""
    if not rows:
        return {"p50": None, "p95": None}
    p50, p95 = np.percentile(_column(rows, "ms"), [50, 95])
    return {"p50": float(p50), "p95": float(p95)}


def told(found: Evaluation, profile: int) -> str:
    """The figures as lines for a terminal."""
    if not found.answers:
        return "No labelled answers, so nothing to tell."
    lines = [
        f"{found.answers} answers, {found.hallucinated} labelled wrong, {found.flagged} flagged; "
        f"thresholds of version {profile}.",
        *_warnings(found),
        _line("precision", found.precision, "flagged"),
        _line("recall", found.recall, "labelled wrong"),
        _line("F1", found.f1, "answers"),
        _line("AUROC of the risk", found.auroc, "answers"),
        f"{'flag everything':<18} " + ", ".join(f"{name} {_plain(v)}" for name, v in found.floor.items()),
    ]
    if found.spans.n:
        lines.append(_line("spans found", found.spans, "labelled spans"))
    return "\n".join([*lines, *_amounts(found)])


def _warnings(found: Evaluation) -> list[str]:
    lines = []
    if found.hallucinated in (0, found.answers):
        lines.append(
            "All answers have the same label: what needs both is left out. Add answers of the other kind."
        )
    for name, count in sorted(found.failed.items()):
        lines.append(f"{name} gave no result for {count} of {found.answers} answers; they count as judged.")
    return lines


def _line(name: str, figure: Figure, of: str) -> str:
    interval = "" if figure.value is None else f"  95 %: {figure.low:.3f}–{figure.high:.3f}"
    return f"{name:<18} {_plain(figure.value)}{interval}  n = {figure.n} {of}"


def _amounts(found: Evaluation) -> Sequence[str]:
    claims, cost, latency = found.coverage, found.cost, found.latency_ms
    every = max(claims["claims"], 1)
    parts = ", ".join(
        f"{claims[name]} {name.replace('_', ' ')} ({claims[name] / every:.1%})"
        for name in ("verified", "unverified", "not_checked")
    )
    return (
        f"{'claims':<18} {claims['claims']}: {parts}",
        f"{'cost':<18} {cost['calls']} calls, {cost['tokens']} tokens, ${cost['usd']}",
        f"{'time an answer':<18} p50 {latency['p50']:.1f} ms, p95 {latency['p95']:.1f} ms",
    )


def _plain(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
