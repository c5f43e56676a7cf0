"""What the information-budget detector tells an analyst, in plain words."""

from detection.core.strawberry.information import midpoint
from detection.core.strawberry.scoring import Beliefs
from detection.core.strawberry.sentences import FAILED, REASONS, SKIPPED
from detection.core.text import spoken
from detection.core.types import Score


def reason(beliefs: Beliefs, result: Score, scoring: str, language: str = "en") -> str:
    """Why a claim with usable probabilities was found as it was, in ``language``."""
    return spoken(REASONS[_code(beliefs, result, scoring)], language).format(
        p1=_percent(midpoint(beliefs.p1)),
        p0=_percent(midpoint(beliefs.p0)),
        p_no=_percent(midpoint(beliefs.p_no)),
        p_cited=_percent(beliefs.p_cited or 0.0),
        low=_percent(beliefs.p1[0]),
        high=_percent(beliefs.p1[1]),
        target=_percent(beliefs.target),
        required=f"{midpoint(result.required_bits):.2f}",
        observed=f"{midpoint(result.observed_bits):.2f}",
        confidence=_percent(result.confidence or 0.0),
        scoring=scoring,
    )


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
