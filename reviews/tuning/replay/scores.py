"""The measured score behind each threshold, in the threshold's own unit, for histograms (review-queue §5.1).

Where a score needs other thresholds (a target, a length), they have their defaults: a histogram shows what was measured, and
moving one threshold must not move another's histogram.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from detection.core.citations import shares_enough
from detection.core.rules import compared
from detection.core.strawberry import share_of
from detection.core.thresholds import DEFAULTS
from detection.core.types import Score
from detection.core.verdict import CONDITIONS
from reviews.tuning.replay import rules, statements
from reviews.tuning.replay.arrays import ARRAYS
from reviews.tuning.replay.codes import CODE, TOLERANCES
from reviews.tuning.replay.columns import Array
from reviews.tuning.replay.measured import Measured
from reviews.tuning.replay.rows import NEVER_NEAR

Of = Literal["claim", "answer"]
WITHIN = [CODE[code] for code in ("exact", "approximate", "bound_ok", "derived", "inexact")]
"""The codes of numbers that are supported."""


@dataclass(frozen=True, slots=True)
class Scored:
    """n scores, float64 and finite; ``rows`` says of which claim or answer each is (its row in the :class:`Measured`). An
    answer may have several, one for each sentence."""

    values: Array
    of: Of
    rows: Array


def scores(measured: Measured, name: str) -> Scored | None:
    """The scores behind the threshold ``name``; None for a threshold that is compared with none (a switch, a severity)."""
    return SCORES[name](measured) if name in SCORES else None


def _kept(values: Array, of: Of, rows: Array) -> Scored:
    """Those of the scores that were measured."""
    there = np.isfinite(values)
    return Scored(values[there].astype(float), of, rows[there])


def _of_answer(column: str, counted: str | None = None) -> Callable[[Measured], Scored]:
    """A column of the answers, of those only that the bool column ``counted`` names."""

    def scored(measured: Measured) -> Scored:
        values = measured.answers[column].astype(float)
        if counted:
            values = np.where(measured.answers[counted], values, np.nan)
        return _kept(values, "answer", np.arange(len(values)))

    return scored


def _of_claim(column: str) -> Callable[[Measured], Scored]:
    return lambda measured: _kept(measured.claims[column], "claim", np.arange(len(measured.claim)))


def _of_lift(column: str) -> Callable[[Measured], Scored]:
    def scored(measured: Measured) -> Scored:
        lifts = measured.columns.tables["lifts"]
        return _kept(lifts[column].astype(float), "claim", lifts["of"])

    return scored


def _tolerance(name: str) -> Callable[[Measured], Scored]:
    """The smallest tolerance at which each number is supported, in per cent or days. Numbers that no tolerance supports
    have none."""

    def scored(measured: Measured) -> Scored:
        numbers, turns = measured.columns.tables["numbers"], measured.columns.tables["turns"]
        # the first setting of the switches compares with everything, relatively
        within = ((turns["switches"] & 1) != 0) & np.isin(turns["code"], WITHIN)
        smallest = np.full(len(numbers["of"]), np.inf)
        np.minimum.at(smallest, turns["of"][within], turns["at"][within])
        smallest[numbers["tolerance"] != TOLERANCES.index(name)] = np.inf
        return _kept(smallest, "claim", numbers["of"])

    return scored


def _lift(measured: Measured) -> Scored:
    lifts = measured.columns.tables["lifts"]
    return _kept(lifts["p1_low"] - lifts["p0_high"], "claim", lifts["of"])


def _scored(measured: Measured, scoring: str) -> Score:
    columns = measured.columns
    return statements.scored(DEFAULTS, columns, statements.targets(DEFAULTS, columns), scoring)


def _ratio_of_bits(measured: Measured) -> Scored:
    """Observed over required bits of statements that need any, at the cautious ends."""
    budget = _scored(measured, "information_budget")
    share = share_of(budget.required_bits, budget.observed_bits, ARRAYS)
    return _kept(share, "claim", measured.columns.tables["lifts"]["of"])


def _gap(measured: Measured) -> Scored:
    """The bits that unsupported statements lack."""
    budget = _scored(measured, "information_budget")
    gap = (sum(budget.required_bits) - sum(budget.observed_bits)) / 2
    unsupported = statements.found(budget).among(("unsupported",))
    return _kept(np.where(unsupported, gap, np.nan), "claim", measured.columns.tables["lifts"]["of"])


def _grounded_statements(measured: Measured) -> Scored:
    """GovIL's share of grounded statements of each answer that has any."""
    columns = measured.columns
    of = measured.claims["of"][columns.tables["lifts"]["of"]]
    grounded = statements.found(_scored(measured, "govil")).among(("supported",))
    return _share(measured, of, grounded & columns.tables["lifts"]["usable"])


def _grounded_sentences(measured: Measured) -> Scored:
    overlaps = measured.columns.tables["overlaps"]
    return _share(measured, overlaps["of"], shares_enough({"words": overlaps["overlap"]}, DEFAULTS))


def _share(measured: Measured, of: Array, held: Array) -> Scored:
    total = measured.columns.count("answers", of)
    share = measured.columns.count("answers", of[held]) / np.maximum(total, 1)
    return _kept(np.where(total > 0, share, np.nan), "answer", np.arange(len(total)))


def _cited(column: str) -> Callable[[Measured], Scored]:
    """A figure of the citation rules, of answers for which they count."""

    def scored(measured: Measured) -> Scored:
        found = rules.cite(DEFAULTS, measured.columns)
        values = np.where(found["expected"], found[column], np.nan)
        return _kept(values, "answer", np.arange(len(values)))

    return scored


def _sentences(*, uncited: bool) -> Callable[[Measured], Scored]:
    """The lengths of sentences that claim something, in characters."""

    def scored(measured: Measured) -> Scored:
        held = measured.columns.tables["sentences"]
        counted = ~held["cites"] if uncited else np.ones(len(held["of"]), bool)
        return _kept(held["length"][counted].astype(float), "answer", held["of"][counted])

    return scored


def _to_limit(measured: Measured) -> Scored:
    left = measured.answers["to_limit"]
    return _kept(np.where(left < NEVER_NEAR, left, np.nan), "answer", np.arange(len(left)))


def _length_ratio(measured: Measured) -> Scored:
    length, context = measured.answers["answer_length"], measured.answers["context_length"]
    ratio = np.where(context > 0, length / np.maximum(context, 1), np.nan)
    return _kept(ratio, "answer", np.arange(len(ratio)))


def _lead_overlap(measured: Measured) -> Scored:
    claims = measured.claims
    weighted = np.where(claims["elsewhere"], claims["weighted"], np.nan)
    return _kept(weighted, "claim", np.arange(len(weighted)))


SCORES: Mapping[str, Callable[[Measured], Scored]] = {
    **{name: _tolerance(name) for name in TOLERANCES if name},
    **{name: _cited(column) for name, column in compared(CONDITIONS, "rules", "claims")},
    "uncited_length": _sentences(uncited=True),
    "claim_length": _sentences(uncited=False),
    "length_ratio": _length_ratio,
    "overlap": _of_claim("overlap"),
    "misplaced_margin": _of_claim("lead"),
    "misplaced_overlap": _lead_overlap,
    "grounded_share": _grounded_sentences,
    "minimum_score": _of_answer("mean_score"),
    "target_confidence": _of_lift("p1_low"),
    "minimum_lift": _lift,
    "borderline_ratio": _ratio_of_bits,
    "contradiction_probability": _of_lift("no_low"),
    "gap_medium_bits": _gap,
    "gap_high_bits": _gap,
    "minimum_claim_length": _of_lift("length"),
    "govil_evidence_use": _of_lift("govil_use"),
    "govil_confidence": _of_lift("govil_confidence"),
    "govil_grounded_share": _grounded_statements,
    "judge_risk": _of_answer("judge_risk", "judged"),
    "judge_risk_high": _of_answer("judge_risk", "judged"),
    "judge_confidence": _of_answer("judge_confidence"),
    "near_limit": _to_limit,
}
"""The score of each threshold that is compared with one."""
