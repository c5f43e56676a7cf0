"""What the information-budget detector tells an analyst, in plain words."""

from detection.core.strawberry.information import midpoint
from detection.core.strawberry.scoring import Beliefs
from detection.core.strawberry.sentences import CAUTIONS, FAILED, REASONS, SKIPPED
from detection.core.text import named_in, spoken
from detection.core.types import Score, Status


def reason(beliefs: Beliefs, result: Score, scoring: str, language: str = "en") -> str:
    """Why a claim with usable probabilities was found as it was, in ``language``."""
    shares = {name: _percent(p) for name, p in _shares(beliefs, result).items()}
    told = {name: f"{bits:.2f}" for name, bits in _bits(result).items()}
    return spoken(REASONS[_code(beliefs, result, scoring)], language).format(
        **shares, **told, scoring=scoring
    )


def with_caution(told: str, status: Status, method: str, language: str = "en") -> str:
    """A reason, and what to know of the verifier where it calls a statement supported."""
    if status != "supported" or method not in CAUTIONS:
        return told
    return f"{told} {spoken(CAUTIONS[method], language)}"


def values(beliefs: Beliefs, result: Score, scoring: str) -> dict[str, str]:
    """What the sentence of :func:`reason` names: shares from 0 to 1, and bits."""
    known = {**_shares(beliefs, result), **_bits(result), "scoring": scoring}
    return named_in(REASONS[_code(beliefs, result, scoring)], known)


def _shares(beliefs: Beliefs, result: Score) -> dict[str, float]:
    return {
        "p1": midpoint(beliefs.p1),
        "p0": midpoint(beliefs.p0),
        "p_no": midpoint(beliefs.p_no),
        "p_cited": beliefs.p_cited or 0.0,
        "low": beliefs.p1[0],
        "high": beliefs.p1[1],
        "target": beliefs.target,
        "confidence": result.confidence or 0.0,
    }


def _bits(result: Score) -> dict[str, float]:
    return {"required": midpoint(result.required_bits), "observed": midpoint(result.observed_bits)}


def _code(beliefs: Beliefs, result: Score, scoring: str) -> str:
    if scoring == "govil":
        return "grounded" if result.grounded else "not_grounded"
    if scoring != "information_budget":
        return "flagged" if result.flagged else "cleared"
    if result.finding == "uncertain" and beliefs.p1[0] >= beliefs.target:
        return "unprobed"
    return result.finding


def skip_reason(code: str, language: str = "en") -> str:
    """Why no verifier was asked about a statement, in ``language``."""
    return spoken(SKIPPED.get(code, SKIPPED["other"]), language).format(code=code)


def error_reason(code: str, language: str = "en") -> str:
    """Why a statement that was due has no usable result, in ``language``."""
    return spoken(FAILED.get(code, FAILED["other"]), language).format(code=code)


def _percent(p: float) -> str:
    return f"{p:.0%}"
