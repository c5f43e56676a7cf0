"""Questions to a verifier, grouped so that claims of one context share a batch (SPEC-08.29, GOV-09)."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from detection.core.ports import Estimate, Verifier, VerifierError, VerifierTimeout, failed
from detection.core.threads import carried
from detection.core.types import Expired

SIDE_BY_SIDE = 4
"""Contexts asked about at the same time (GOV-09)."""


def ask(verifier: Verifier, asked: Sequence[tuple[str, str]], expired: Expired) -> list[Estimate]:
    """Estimates for (context, claim text) pairs, in order; one batch a context, several side by side."""
    batches: dict[str, list[int]] = {}
    for position, (context, _) in enumerate(asked):
        batches.setdefault(context, []).append(position)
    if not batches:
        return []
    answers: dict[int, Estimate] = {}
    with ThreadPoolExecutor(min(SIDE_BY_SIDE, len(batches))) as pool:
        texts = [[asked[i][1] for i in positions] for positions in batches.values()]
        ask_one = carried(lambda batch, context: _batch(verifier, batch, context, expired))
        estimates = pool.map(ask_one, texts, batches)
        for positions, batch in zip(batches.values(), estimates, strict=True):
            answers |= dict(zip(positions, batch, strict=True))
    return [answers[i] for i in range(len(asked))]


def _batch(verifier: Verifier, texts: Sequence[str], context: str, expired: Expired) -> Sequence[Estimate]:
    """One batch; whatever goes wrong in it stays in it (SPEC-08.43)."""
    if expired():
        return [failed(VerifierTimeout())] * len(texts)
    try:
        estimates = verifier.batch_estimate(texts, context)
    except Exception as failure:  # noqa: BLE001 — a broken verifier must not take the answer with it
        return [failed(failure)] * len(texts)
    if len(estimates) != len(texts):
        return [failed(VerifierError())] * len(texts)
    return [estimate if _is_sound(estimate) else failed(VerifierError()) for estimate in estimates]


def _is_sound(estimate: Estimate) -> bool:
    """Whether an estimate is an error or holds probabilities: one that does not must not pass for belief."""
    pairs = (estimate.yes, estimate.no, estimate.unknown)
    return estimate.error is not None or all(0 <= low <= high <= 1 for low, high in pairs)
