"""Every tunable number, declared once: default, bounds, help, group and phase (contracts §6).

``phase`` tells what a change costs: ``decide`` is replayed over stored measurements, ``measure`` and
``read`` need the detectors to run again. Forms, the admin, the API and the workbench are generated from
:func:`form_fields`; nothing else repeats a default or a bound.
"""

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, Literal, cast

Phase = Literal["decide", "measure", "read"]
Value = float | int | bool | str | tuple[str, ...] | Mapping[str, float]


def _tunable(
    default: Value,
    text: str,
    low: float | None = None,
    high: float | None = None,
    *,
    group: str,
    phase: Phase = "decide",
    choices: tuple[str, ...] = (),
) -> Any:
    """A dataclass field that carries its own bounds, help text, group and phase."""
    meta = {"help": text, "low": low, "high": high, "group": group, "phase": phase, "choices": choices}
    if isinstance(default, Mapping):
        return field(default_factory=lambda: dict(default), metadata=meta)
    return field(default=default, metadata=meta)


INDICATORS = (
    "as we know", "in general", "typically", "usually", "it is well known", "common knowledge",
    "everyone knows", "כידוע", "באופן כללי", "בדרך כלל", "ידוע לכל", "众所周知", "一般来说", "通常",
    "眾所周知", "一般來說",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Thresholds:
    """One flat record of all thresholds; a profile resolves to it before anything is decided."""

    # One declaration a line reads as the table it is.
    # fmt: off
    # numbers (NUM-07, NUM-08, NUM-10, NUM-13)
    currency_tolerance: float = _tunable(5.0, "Currency: largest deviation from the expected value, in per cent.", 0, 100, group="numeric")
    percentage_tolerance: float = _tunable(2.0, "Percentages: largest deviation, in per cent of the expected value.", 0, 100, group="numeric")
    percentage_points: bool = _tunable(False, "Compare percentages in points instead of relatively.", group="numeric")
    ratio_tolerance: float = _tunable(5.0, "Ratios: largest deviation, in per cent.", 0, 100, group="numeric")
    date_tolerance_days: int = _tunable(7, "Dates: how many days either end may be off.", 0, 366, group="numeric")
    exact_numbers: bool = _tunable(True, "Call a number contradicted that is inside the tolerance but outside its own rounding.", group="numeric")
    verify_currency: bool = _tunable(True, "Verify currency amounts.", group="numeric")
    verify_percentages: bool = _tunable(True, "Verify percentages.", group="numeric")
    verify_dates: bool = _tunable(True, "Verify dates.", group="numeric")
    verify_ratios: bool = _tunable(True, "Verify ratios.", group="numeric")
    verify_numbers: bool = _tunable(True, "Verify plain numbers.", group="numeric")
    verify_against_database: bool = _tunable(True, "Compare numbers with the financial database.", group="numeric")
    verify_against_documents: bool = _tunable(True, "Compare numbers with the source chunks.", group="numeric")
    max_source_checks: int = _tunable(10, "How many chunks are read for one number.", 1, 1000, group="numeric", phase="measure")
    verification_deadline_ms: int = _tunable(100, "Time for verifying the numbers of one answer, in milliseconds.", 1, 60000, group="numeric", phase="measure")
    confidence_penalty: float = _tunable(20.0, "Taken off the confidence of an answer with unverified claims, in per cent.", 0, 100, group="numeric")
    log_unverified_claims: bool = _tunable(True, "Write unverified numbers to the log.", group="numeric")

    # citations (CIT-01…CIT-03, RAG-05, RAG-07)
    citations_expected: str = _tunable("auto", "Whether citation rules count towards risk: auto = when the answer has a mark and came with sources.", group="citations", choices=("auto", "always", "never"))
    uncited_length: int = _tunable(50, "Sentences longer than this (characters) need a citation.", 0, 10000, group="citations")
    claim_length: int = _tunable(20, "Sentences longer than this (characters) count in the citation ratio.", 0, 10000, group="citations")
    citation_risk: float = _tunable(0.3, "Rule risk above this is a risk.", 0, 1, group="citations")
    citation_risk_high: float = _tunable(0.6, "Rule risk above this is high.", 0, 1, group="citations")
    uncited_high: int = _tunable(3, "This many long sentences without citation make the risk high.", 1, 1000, group="citations")
    citation_ratio_low: float = _tunable(0.3, "A citation ratio under this, with enough claims, makes the risk high.", 0, 1, group="citations")
    citation_ratio_claims: int = _tunable(3, "How many claims are enough for that.", 1, 1000, group="citations")
    citation_ratio_good: float = _tunable(0.7, "A citation ratio from here on is needed for low risk.", 0, 1, group="citations")
    citation_ratio_rule: str = _tunable("sentences", "Which ratio decides: sentences with a valid citation, or the document's literal one.", group="citations", choices=("sentences", "literal"))
    indicator_phrases: tuple[str, ...] = _tunable(INDICATORS, "Phrases that point to outside knowledge.", group="citations")
    length_ratio: float = _tunable(2.0, "An answer longer than this many times its context is suspect.", 0, 1000, group="citations")

    # groundedness (RAG-02, RAG-08)
    overlap: float = _tunable(0.5, "A sentence is grounded from this word overlap with a chunk on.", 0, 1, group="grounding")
    overlap_rule: str = _tunable("words", "Which overlap decides: every word alike, or by what each is worth.", group="grounding", choices=("words", "weighted"))
    misplaced_margin: float = _tunable(0.3, "A cited source is the wrong one when another shares this much more of the sentence.", 0, 1, group="citations")
    misplaced_overlap: float = _tunable(0.6, "And shares at least this much of it.", 0, 1, group="citations")
    grounded_share: float = _tunable(0.7, "An answer is grounded from this share of grounded sentences on.", 0, 1, group="grounding")
    sources_required: bool = _tunable(False, "An answer without sources has insufficient context.", group="grounding")
    minimum_score: float = _tunable(0.6, "Mean source score under this is low confidence.", 0, 1, group="grounding")

    # information budget (contracts §4)
    target_confidence: float = _tunable(0.95, "Confidence a claim must reach when none is stated.", 0.5, 0.999, group="strawberry")
    target_by_method: Mapping[str, float] = _tunable({"local": 0.5}, "Largest target for each verifier method, for one which never says .95. Under one half nothing is called supported.", 0.5, 0.999, group="strawberry")
    minimum_lift: float = _tunable(0.15, "Smallest p1 − p0 that counts as evidence being used.", 0, 1, group="strawberry")
    borderline_ratio: float = _tunable(0.85, "Share of the needed bits from which a claim is borderline.", 0, 1, group="strawberry")
    contradiction_probability: float = _tunable(0.5, "Probability of NO from which a claim is contradicted.", 0, 1, group="strawberry")
    strict_budget: bool = _tunable(False, "Call borderline claims unsupported.", group="strawberry")
    gap_medium_bits: float = _tunable(2.0, "Budget gap from which an unsupported claim is of medium severity.", 0, 100, group="strawberry")
    gap_high_bits: float = _tunable(10.0, "Budget gap from which it is of high severity.", 0, 100, group="strawberry")
    minimum_claim_length: int = _tunable(15, "Shorter statements are not verified.", 0, 1000, group="strawberry")
    maximum_verified_claims: int = _tunable(10, "How many statements of an answer are verified.", 0, 1000, group="strawberry", phase="measure")
    verifier_deadline_ms: int = _tunable(10000, "Time for the verifier on one answer, in milliseconds.", 50, 600000, group="strawberry", phase="measure")
    placeholder: str = _tunable("[EVIDENCE REMOVED]", "What stands in place of scrubbed evidence.", group="strawberry", phase="measure")
    near_duplicate: float = _tunable(0.8, "Chunks with this shingle overlap are scrubbed together.", 0, 1, group="strawberry", phase="measure")
    leave_one_out: bool = _tunable(False, "Also ask without each cited source alone, to show what each citation adds; costs one question a citation.", group="strawberry", phase="measure")
    govil_evidence_use: float = _tunable(0.15, "GovIL scoring: p1 − p0 above this means the evidence was used.", 0, 1, group="strawberry")
    govil_confidence: float = _tunable(0.45, "GovIL scoring: confidence above this is grounded.", 0, 1, group="strawberry")
    govil_grounded_share: float = _tunable(0.7, "GovIL scoring: share of grounded claims that makes the answer grounded.", 0, 1, group="strawberry")

    # judge and risk (CIT-06…CIT-08)
    judge_risk: float = _tunable(0.3, "Judge risk above this is moderate.", 0, 1, group="risk")
    judge_risk_high: float = _tunable(0.6, "Judge risk above this is high.", 0, 1, group="risk")
    judge_confidence: float = _tunable(0.5, "An opinion less sure of itself than this doubts no statement.", 0, 1, group="risk")
    cascade: float = _tunable(0.6, "Rule risk above this decides without the judge.", 0, 1, group="risk", phase="measure")
    near_limit: int = _tunable(3, "This many iterations before the limit a risky answer is accepted, marked.", 0, 100, group="risk")
    severity_contradicted: float = _tunable(0.9, "Risk of a contradicted claim.", 0, 1, group="risk")
    severity_unsupported_high: float = _tunable(0.7, "Risk of an unsupported claim with a large budget gap.", 0, 1, group="risk")
    severity_unsupported: float = _tunable(0.45, "Risk of an unsupported claim.", 0, 1, group="risk")
    severity_unsupported_low: float = _tunable(0.3, "Risk of an unsupported claim with a small budget gap.", 0, 1, group="risk")
    severity_unverified: float = _tunable(0.2, "Risk of a claim that could not be checked.", 0, 1, group="risk")
    severity_borderline: float = _tunable(0.1, "Risk of a borderline claim.", 0, 1, group="risk")
    severity_inexact: float = _tunable(0.05, "Risk of a number inside the tolerance but outside its rounding.", 0, 1, group="risk")

    # review policy (NUM-11)
    review_queue_enabled: bool = _tunable(True, "Put doubtful answers into the review queue.", group="review")
    clean_to_review: float = _tunable(10.0, "Of correct answers, at most so many in a hundred may be flagged because the verifier doubts their statements.", 0, 50, group="review")
    doubt_limits: Mapping[str, float] = _tunable({}, "Doubt that answers may have, by language, kind and verifier, learnt from audited answers. Others have the limits that ship, or one half.", 0.5, 1, group="review")
    doubt_limits_for: float = _tunable(10.0, "Of how many correct answers in a hundred the learnt limits were to be exceeded.", 0, 50, group="review")
    auto_flag_unverified: bool = _tunable(True, "Flag answers with unverified claims by themselves.", group="review")
    review_uncertain: bool = _tunable(False, "Open a review for answers whose only doubt is an uncertain claim.", group="review")
    review_not_verified: bool = _tunable(False, "Open a review for answers whose statements no verifier could judge.", group="review")
    review_disputed: bool = _tunable(False, "Open a review for answers about which their evidence disagrees.", group="review")
    review_injection: bool = _tunable(True, "Open a review when a source, the question or the answer gives orders to the verifier.", group="review")
    # fmt: on

    def severity(self, status: str) -> float:
        """The share of risk of a claim of this status, 0 to 1, where no rule of its own says otherwise."""
        return float(getattr(self, f"severity_{status}", 0.0))

    def changed(self, **values: Value) -> "Thresholds":
        """A copy with other values. Raises :class:`ValueError` naming the field when one is out of bounds."""
        return replace(self, **cast(dict[str, Any], validated(values)))


DEFAULTS = Thresholds()


def form_fields() -> tuple[Field[Any], ...]:
    """The declared fields, in order, for forms, API and documentation."""
    return fields(Thresholds)


def validated(values: Mapping[str, object]) -> dict[str, object]:
    """Check names, types and bounds of a partial record.

    Returns the values ready for :class:`Thresholds`; raises :class:`ValueError` whose message names the
    field and what it accepts.
    """
    declared = {f.name: f for f in form_fields()}
    checked: dict[str, object] = {}
    for name, value in values.items():
        if name not in declared:
            raise ValueError(f"{name}: there is no such threshold.")
        checked[name] = _checked(declared[name], value)
    return checked


def _checked(declared: Field[Any], value: object) -> object:
    default = getattr(DEFAULTS, declared.name)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ValueError(f"{declared.name}: give true or false.")
        return value
    if isinstance(default, tuple):
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
            raise ValueError(f"{declared.name}: give a list of texts.")
        return tuple(value)
    if isinstance(default, Mapping):
        if not isinstance(value, Mapping):
            raise ValueError(f"{declared.name}: give a number for each name.")
        return {str(key): _bounded(declared, number) for key, number in value.items()}
    if isinstance(default, str):
        return _chosen(declared, value)
    number = _bounded(declared, value)
    return int(number) if isinstance(default, int) else number


def _chosen(declared: Field[Any], value: object) -> str:
    choices = declared.metadata["choices"]
    if not isinstance(value, str) or (choices and value not in choices):
        raise ValueError(f"{declared.name}: give {' or '.join(choices) or 'a text'}.")
    return value


def _bounded(declared: Field[Any], value: object) -> float:
    low, high = declared.metadata["low"], declared.metadata["high"]
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
    if number is None or not low <= number <= high:
        raise ValueError(f"{declared.name}: give a number from {low} to {high}.")
    if isinstance(getattr(DEFAULTS, declared.name), int) and number != int(number):
        raise ValueError(f"{declared.name}: give a whole number from {low} to {high}.")
    return number


def resolve(values: Mapping[str, Any], facets: Mapping[str, str | None]) -> Thresholds:
    """The flat record of a profile for one answer.

    ``values`` is ``{"base": {...}, "overrides": [{"when": {facet: value}, "values": {...}}]}``; overrides
    whose ``when`` agrees with ``facets`` (language, property, question_type, source_quality) are laid over
    the base in order (CIT-10).
    """
    merged = dict(values.get("base", {}))
    for override in values.get("overrides", []):
        if all(facets.get(facet) == wanted for facet, wanted in override["when"].items()):
            merged.update(override["values"])
    if "target_by_method" in merged:
        merged["target_by_method"] = _lifted(merged["target_by_method"])
    return DEFAULTS.changed(**merged)


def _lifted(targets: Mapping[str, float]) -> Mapping[str, float]:
    """Targets of profiles from before one half was the least: there, it counts as one half."""
    least = Thresholds.__dataclass_fields__["target_by_method"].metadata["low"]
    return {method: max(target, least) for method, target in targets.items()}
