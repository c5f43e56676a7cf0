"""What the information-budget detector tells an analyst, in plain words."""

from detection.core.information import midpoint
from detection.core.scoring import Beliefs
from detection.core.types import Score

REASONS = {
    "supported": "With its evidence the verifier gives this {p1}, without it {p0}: the cited evidence carries it.",
    "supported_uncited": "The sources carry this ({p1}), but the answer cites none of them for it.",
    "supported_redundant": "The cited evidence carries this ({p_cited}); other sources say the same ({p0} without it).",
    "miscited": "The sources carry this ({p1}), but not the cited ones: they alone give {p_cited}.",
    "borderline": "Nearly carried: the evidence gives {observed} of the {required} bits that a confidence of {target} needs.",
    "unsupported": "The evidence does not carry this: {p1} with it, {p0} without it, where {target} is needed.",
    "contradicted": "The evidence speaks against this: the verifier gives {p_no} that it is false.",
    "uncertain": "Not decided: with its evidence this is between {low} and {high}, where {target} is needed.",
}

UNPROBED = "Not decided: this is {p1} with and {p0} without its evidence, and the cited sources alone were not tried."

FLAGGED = "Flagged by the {scoring} rule: {observed} bits observed where {required} are required."
CLEARED = "Passed by the {scoring} rule: {observed} bits observed where {required} are required."
GROUNDED = "{verdict} by the GovIL rule: confidence {confidence}, {p1} with the evidence and {p0} without it."

SKIPPED = {
    "question": "A question: it asserts nothing to verify.",
    "instruction": "An instruction: it asserts nothing to verify.",
    "hedge": "Hedged: it does not claim to be so.",
    "too_short": "Too short to verify.",
    "claim_limit": "Beyond the number of statements verified for one answer.",
    "overload": "Skipped because too many answers waited for the verifier; this one is judged again later.",
}

FAILED = {
    "timeout": "The verifier did not answer in time.",
    "rate_limited": "The verifier asked to wait.",
    "not_measured": "Not measured under the thresholds of the time.",
    "verifier_no_logprobs": "The verifier's model gives no probabilities.",
    "verifier_no_label": "The verifier answered neither yes nor no.",
    "verifier_auth": "The verifier refused the key.",
    "verifier_empty_choices": "The verifier's model gave no answer.",
    "verifier_bad_json": "The verifier's answer could not be read.",
    "verifier_unreachable": "The verifier could not be reached.",
    "verifier_context_too_long": "The sources are longer than the verifier's model can read.",
    "budget_spent": "Today's money for verifiers is spent; nothing is asked until tomorrow (UTC).",
    "verifier_unavailable": "The verifier could not be opened; an administrator has to look at its settings.",
}


def reason(beliefs: Beliefs, result: Score, scoring: str) -> str:
    """Why a claim with usable probabilities was found as it was."""
    return _pattern(beliefs, result, scoring).format(
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
        verdict="Grounded" if result.grounded else "Not grounded",
        scoring=scoring,
    )


def _pattern(beliefs: Beliefs, result: Score, scoring: str) -> str:
    if scoring == "govil":
        return GROUNDED
    if scoring != "information_budget":
        return FLAGGED if result.flagged else CLEARED
    if result.finding == "uncertain" and beliefs.p1[0] >= beliefs.target:
        return UNPROBED
    return REASONS[result.finding]


def skip_reason(code: str) -> str:
    """Why a statement was deliberately not checked."""
    return SKIPPED.get(code, f"Not checked ({code}).")


def error_reason(code: str) -> str:
    """Why a statement that was due has no usable result."""
    return FAILED.get(code, f"The verifier failed ({code}).")


def _percent(p: float) -> str:
    return f"{p:.0%}"
