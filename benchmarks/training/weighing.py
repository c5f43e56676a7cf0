"""Learns what the features of explanations weigh, from contrast pairs.

    python -m benchmarks.training.weighing PAIRS[:odd]… [--out weights.json]

Each PAIRS is a ``.jsonl.gz`` with a ``.csv`` of figures of record beside it; ``:odd`` takes the pairs with an odd number
alone. A number of a correct answer is right; one that overlaps the falsified text of its twin is wrong, and so is, where no
number overlaps it, one that only the twin is refused for. Of each number the explanation that fits best now is taken, a
logistic regression is fitted on those, and so on for some rounds; a second one decides on the numbers that were refused, by how
well the best explanation fits. Both are fitted without chance. The least score of the second is where no more of the wrong
numbers than :data:`MOST_WRONG` would be taken for right, over numbers of sets that it was not fitted on.
"""

import argparse
import io
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from benchmarks.contrast_counting import LOOKING, Row, part_of
from benchmarks.contrast_screening import Screening, read_rows
from benchmarks.own_database import own_database
from detection.core.matching.numeric import Measuring
from detection.core.matching.weighing import weights
from detection.core.types import NumericClaim

OUT = Path(weights.__file__).with_name("weights.json")
MOST_WRONG = {"records": 0.10, "documents": 0.10}
ROUNDS, LEAST_SEEN, RIDGE, RIDGE_DECISION = 10, 8, 0.5, 0.3
DATES = frozenset(("date", "change"))
Features = Mapping[str, float]


class Number(NamedTuple):
    """One number of an answer: each way to it by name and features, and what was said of it; ``right`` is None where that is
    not known."""

    ways: Sequence[tuple[str, Features, bool]]
    told: weights.Refusal
    refused: bool
    right: bool | None
    group: str


class Recording(Measuring):
    """A measuring that keeps the ways to each number instead of weighing them."""

    def numbers(self, claims: Sequence[NumericClaim]) -> Iterator[tuple[NumericClaim, Any]]:
        """Each figure with its ways and what was said of it."""
        figures = [one for one in claims if self.other_than_a_figure(one) is None]
        for one in figures:
            self.compare(one, ())
        for one in figures:
            self.concluded(one, ())
        for one in figures:
            key = self._key(one, ())
            quantity, found = self._outcomes[key]
            refused = self.is_refused(key)
            others = sum(map(self.is_refused, self._made)) - refused
            ways = [
                (way.one.how, way.features, self.weigher.is_recorded(way.one))
                for way in self.weigher.explained(quantity)
            ]
            slip = found.slip.conflict if found.slip else ""
            recorded = not self._known.grids
            yield one, (ways, weights.Refusal(found.outcome, slip, one.kind, others, recorded), refused)


def read(row: Row) -> tuple[Row, list[tuple[int, str, Any]]]:
    """A row with the numbers of its answer: where each stands, its text, its ways and what was said of it."""
    context = Screening(("numeric",)).context(row)
    claims = [claim.number for claim in context.claims if claim.number is not None]
    figures = [one for one in claims if one.kind not in DATES]
    return row, [(one.start, one.text, told) for one, told in Recording(context, claims).numbers(figures)]


def numbers_of(path: Path, odd: bool) -> list[Number]:
    """All numbers of a set of pairs, labelled."""
    rows = [row for row in read_rows(path) if not odd or part_of(row) == LOOKING]
    with own_database():
        from django.core.management import call_command
        from django.db import connections

        call_command("import_financials", str(path).replace(".jsonl.gz", ".csv"), stdout=io.StringIO())
        connections.close_all()
        with get_context("fork").Pool() as pool:
            done = pool.map(read, rows, chunksize=8)
    pairs: dict[str, dict[str, Any]] = {}
    for row, found in done:
        pairs.setdefault(str(row["pair"]), {})[str(row["label"])] = (row, found)
    return [one for twins in pairs.values() for one in _labelled(twins, path.name)]


def _labelled(twins: Mapping[str, Any], group: str) -> Iterator[Number]:
    (_, correct), (row, wrong) = twins["correct"], twins["wrong"]
    for _, _, (ways, told, refused) in correct:
        yield Number(ways, told, refused, True, group)
    start = row["answer"].find(row["wrong_text"])
    end = start + len(row["wrong_text"])
    hit = [place < end and place + len(text) > start for place, text, _ in wrong]
    passed = Counter(text for _, text, told in correct if not told[2])
    for is_hit, (_, text, (ways, told, refused)) in zip(hit, wrong, strict=True):
        if is_hit or (not any(hit) and refused and passed[text]):
            yield Number(ways, told, refused, False, group)


class Learnt(NamedTuple):
    """Both regressions as weights by name."""

    fit: dict[str, float]
    decision: dict[str, float]

    def fits(self, features: Features) -> float:
        """How well an explanation fits."""
        return sum(self.fit.get(name, 0.0) * value for name, value in features.items())

    def deciding(self, one: Number) -> Features:
        """The features of the decision on a number."""
        how, features, recorded = max(one.ways, key=lambda way: self.fits(way[1]))
        return weights.deciding(how, self.fits(features), len(one.ways), one.told._replace(recorded=recorded))

    def decides(self, one: Number) -> float:
        """How sure it is that a number is right."""
        return sum(self.decision.get(name, 0.0) * value for name, value in self.deciding(one).items())


def learn(numbers: Sequence[Number]) -> Learnt:
    """Both regressions from labelled numbers with at least one way to them."""
    fitted = _fit([one for one in numbers if one.ways and one.right is not None])
    refused = [one for one in numbers if one.refused and one.ways and one.right is not None]
    found = Learnt(fitted, {})
    decision = _regressed(
        [found.deciding(one) for one in refused], [bool(one.right) for one in refused], RIDGE_DECISION
    )
    return Learnt(fitted, decision)


def _fit(numbers: Sequence[Number]) -> dict[str, float]:
    seen = Counter(name for one in numbers for _, features, _ in one.ways for name in features)
    kept = {name for name, count in seen.items() if count >= LEAST_SEEN}
    ways = [
        [{n: v for n, v in features.items() if n in kept} for _, features, _ in one.ways] for one in numbers
    ]
    right = [bool(one.right) for one in numbers]
    learnt: dict[str, float] = {name: _BEGIN.get(name, 0.0) for name in kept}
    for _ in range(ROUNDS):
        best = [
            max(some, key=lambda way: sum(learnt.get(n, 0.0) * v for n, v in way.items())) for some in ways
        ]
        learnt = _regressed(best, right, RIDGE)
    return learnt


_BEGIN = {
    "metric best 0": 1.0, "entity best 1": 1.0, "period at 0": 1.0, "period at 1": 0.7, "asked": 0.7, "unasked": -1.0,
    "operands near": 0.5, "period rival 0": -1.0, "entity rival 0": -1.0, "metric rival 0": -1.0,
}  # fmt: skip
"""Weights by which the first explanations are chosen."""


def _regressed(rows: Sequence[Features], right: Sequence[bool], ridge: float) -> dict[str, float]:
    """A logistic regression with both labels weighing as much; its intercept is the weight of ``bias``."""
    vectors = DictVectorizer()
    found = LogisticRegression(C=ridge, max_iter=5000, class_weight="balanced").fit(
        vectors.fit_transform(rows), right
    )
    learnt = dict(zip(vectors.get_feature_names_out(), map(float, found.coef_[0]), strict=True))
    learnt["bias"] = learnt.get("bias", 0.0) + float(found.intercept_[0])
    return {name: round(value, 4) for name, value in sorted(learnt.items()) if round(value, 4)}


def least(numbers: Sequence[Number]) -> dict[str, float]:
    """The least score of each kind of evidence, told by regressions that the set of a number took no part in."""
    scores: dict[str, list[tuple[float, bool]]] = {name: [] for name in MOST_WRONG}
    for group in sorted({one.group for one in numbers}):
        learnt = learn([one for one in numbers if one.group != group])
        for one in numbers:
            if one.group == group and one.refused and one.right is not None:
                score = learnt.decides(one) if one.ways else -np.inf
                scores["records" if one.told.recorded else "documents"].append((score, one.right))
    found = {}
    for name, some in scores.items():
        wrong, right = ([score for score, is_right in some if is_right is wanted] for wanted in (False, True))
        found[name] = round(float(np.quantile(wrong, 1 - MOST_WRONG[name], method="higher")), 3)
        taken = np.mean([score >= found[name] for score in right])
        print(
            f"{name}: {len(right)} right ones refused, {taken:.0%} taken at {found[name]}; {len(wrong)} wrong ones"
        )
    return found


def main(given: Sequence[str] | None = None) -> int:
    """Read, fit, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pairs", nargs="+")
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(given)
    paths = [Path(name.removesuffix(":odd")) for name in chosen.pairs]
    odd = [name.endswith(":odd") for name in chosen.pairs]
    # a process has one database: each set is read in one of its own
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as each:
        numbers = [one for some in each.map(numbers_of, paths, odd) for one in some]
    learnt = learn(numbers)
    made = {"fit": learnt.fit, "decision": learnt.decision, "least": least(numbers)}
    chosen.out.write_text(json.dumps(made, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    print(
        f"{len(numbers)} numbers, {len(learnt.fit)} weights of fit, {len(learnt.decision)} of the decision: {chosen.out}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
