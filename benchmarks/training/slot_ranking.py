"""Fits the weights of the ranking of slots (python -m benchmarks.training.slot_ranking FILE [--write MODULE]).

Needs numpy, scipy and scikit-learn. FILE holds rows as ``benchmarks/numeric_verification.py`` reads them. Two
steps, each in five folds by document: a conditional logit over the places of a row (which place states the
answer; "none" where it is computed), then a logistic regression over what the first step says of the places
that state a claimed value. The table printed is out of fold.
"""

import argparse
import hashlib
import json
import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize  # type: ignore[import-untyped]  # scipy ships no types
from sklearn.linear_model import LogisticRegression

from detection.core import claims
from detection.core.matching import Documents
from detection.core.retrieval import WORTH, About, Stated, is_beaten_in_its_sentence, support_features
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Source

FOLDS = 5
SLOT_PENALTY, SUPPORT_STRENGTH = 2.0, 1.0
EMPHASIS = {"wrong off_period_value": 1.2, "wrong wrong_table_value": 1.2}
"""How much a sentence of these kinds counts in the second step; the others count 1."""

Row = dict[str, Any]
Support = tuple[dict[str, float], float]


@dataclass
class Example:
    """One claimed number of one sentence with the places it can be held against."""

    name: str
    doc: str
    stated: list[Stated]
    matrix: np.ndarray
    agrees: np.ndarray
    ruled: np.ndarray

    def scores(self, weights: np.ndarray) -> np.ndarray:
        """What the places are worth under some weights, the last of which is that of "none"."""
        worth: np.ndarray = self.matrix @ weights[:-1] + self.ruled
        return worth

    @property
    def is_true(self) -> bool:
        """Whether the sentence is true."""
        return self.name.startswith("true")


def fold_of(doc: str) -> int:
    """The fold of a document, the same in every run."""
    return int(hashlib.md5(doc.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS


def sentences(row: Row) -> list[tuple[str, str, str]]:
    """Kind, sentence and surface of the true sentence and the wrong ones of a row."""
    true = (f"true {row['trace']}", row["answer_sentence"], row["gold_surface"])
    return [true, *((f"wrong {p['kind']}", p["sentence"], p["surface"]) for p in row["perturbations"])]


def examples(rows: list[Row]) -> tuple[list[Example], list[str]]:
    """Every claimed number, and the names of the features."""
    found: list[Example] = []
    for row in rows:
        sources = tuple(Source(chunk["id"], chunk["text"]) for chunk in row["source_chunks"])
        documents = Documents(Case(answer="", sources=sources), DEFAULTS.max_source_checks)
        for name, sentence, surface in sentences(row):
            stated = _stated(documents, sentence, surface, sources)
            found.append(Example(name, row["doc"], stated, np.empty(0), np.empty(0), np.empty(0)))
    names = sorted(
        {name for one in found for place in one.stated for name in place.ranked.features} - set(WORTH)
    )
    for one in found:
        values = [[place.ranked.features.get(name, 0.0) for name in names] for place in one.stated]
        one.matrix = np.array(values).reshape(len(one.stated), len(names))
        given = [place.ranked.features.items() for place in one.stated]
        one.ruled = np.array([sum(WORTH.get(name, 0.0) * value for name, value in items) for items in given])
        one.agrees = np.array([place.agrees for place in one.stated], dtype=bool)
    return found, names


def _stated(documents: Documents, sentence: str, surface: str, sources: tuple[Source, ...]) -> list[Stated]:
    """The places that the answer value can be held against."""
    read = claims.read(Case(answer=sentence, sources=sources))
    start = sentence.rfind(surface)
    for claim in read:
        if claim.number is None or claim.statement is None or claim.kind == "date":
            continue
        if claim.start < start + len(surface) and start < claim.end:
            return documents.stated(claim.number, read[claim.statement].text, (), About(claim.metric))
    return []


def fit_slots(found: list[Example], width: int) -> np.ndarray:
    """Weights of the features and, last, of "none": a conditional logit with a quadratic penalty."""
    usable = [
        one
        for one in found
        if one.is_true and len(one.stated) and (one.agrees.any() or "computed" in one.name)
    ]
    targets = [one.agrees if "direct" in one.name else np.zeros(len(one.stated), bool) for one in usable]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        total, slope = SLOT_PENALTY * float(weights @ weights), 2 * SLOT_PENALTY * weights
        for one, target in zip(usable, targets, strict=True):
            scores = np.append(one.scores(weights), weights[-1])
            shares = np.exp(scores - scores.max())
            wanted = shares * np.append(target, not target.any())
            total -= math.log(wanted.sum() / shares.sum())
            apart = shares / shares.sum() - wanted / wanted.sum()
            slope[:-1] += one.matrix.T @ apart[:-1]
            slope[-1] += apart[-1]
        return total, slope

    start = np.zeros(width + 1)
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400}).x  # type: ignore[no-any-return]


def support_of(one: Example, weights: np.ndarray) -> dict[str, float] | None:
    """The features of the second step under some weights of the first; None where nothing agrees
    or what agrees is beaten in its own sentence."""
    scores = one.scores(weights)
    if not one.agrees.any():
        return None
    best = max(np.flatnonzero(one.agrees), key=lambda place: float(scores[place]))
    if is_beaten_in_its_sentence(one.stated[best], [place for place in one.stated if not place.agrees]):
        return None
    return support_features(one.stated, list(scores), float(weights[-1]))


def fit_support(found: list[Example], features: list[dict[str, float] | None]) -> Support:
    """Weights and base of the logistic regression over the sentences in which some place agrees."""
    pairs = zip(found, features, strict=True)
    used = [(one, given) for one, given in pairs if given is not None and one.name != "true computed"]
    names = sorted(used[0][1])
    fitted = LogisticRegression(C=SUPPORT_STRENGTH, max_iter=2000).fit(
        [[given[name] for name in names] for _, given in used],
        [one.is_true for one, _ in used],
        sample_weight=[EMPHASIS.get(one.name, 1.0) for one, _ in used],
    )
    return dict(zip(names, map(float, fitted.coef_[0]), strict=True)), float(fitted.intercept_[0])


def odds_of(given: dict[str, float] | None, support: Support) -> float:
    """The log-odds of support; hopeless where nothing agrees."""
    weights, base = support
    return -99.0 if given is None else base + sum(weights[name] * value for name, value in given.items())


def print_table(found: list[Example], odds: list[float]) -> None:
    """Share judged right by kind of sentence for some thresholds on the probability of support."""
    for threshold in (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6):
        cut = math.log(threshold / (1 - threshold))
        right: dict[str, list[bool]] = defaultdict(list)
        for one, value in zip(found, odds, strict=True):
            right[one.name].append((value > cut) == one.is_true)
        shares = (f"{name.split()[1][:12]} {np.mean(those):.1%}" for name, those in sorted(right.items()))
        print(f"{threshold:.2f}", *shares, sep="  ")


def written(names: list[str], weights: np.ndarray, support: Support) -> str:
    """The module of weights."""
    lines = [
        '"""The weights of the ranking, fitted by ``benchmarks/training/slot_ranking.py``; log-odds, larger is likelier."""',
        "",
        f"NONE = {weights[-1]:.3f}",
        '"""The weight of "no single figure of the sources is what the sentence asks for"."""',
        "",
        "WEIGHTS: dict[str, float] = {",
        *(f'    "{name}": {weight:.3f},' for name, weight in zip(names, weights[:-1], strict=True)),
        "}",
        f"SUPPORT_BASE = {support[1]:.3f}",
        "SUPPORT: dict[str, float] = {",
        *(f'    "{name}": {weight:.3f},' for name, weight in support[0].items()),
        "}",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Fit, print the out-of-fold table, and write the weights where asked."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("file", type=Path)
    options.add_argument("--write", type=Path, help="the module of weights to write")
    options.add_argument("--threshold", type=float, default=0.3, help="probability from which it is support")
    chosen = options.parse_args()
    rows = [json.loads(line) for line in chosen.file.read_text(encoding="utf-8").splitlines()]
    found, names = examples(rows)
    folds = np.array([fold_of(one.doc) for one in found])
    without = [
        fit_slots([one for one, own in zip(found, folds, strict=True) if own != fold], len(names))
        for fold in range(FOLDS)
    ]
    features = [support_of(one, without[fold]) for one, fold in zip(found, folds, strict=True)]
    odds = [0.0] * len(found)
    for fold in range(FOLDS):
        kept = [place for place, own in enumerate(folds) if own != fold]
        support = fit_support([found[place] for place in kept], [features[place] for place in kept])
        for place in np.flatnonzero(folds == fold):
            odds[place] = odds_of(features[place], support)
    print_table(found, odds)
    weights, base = fit_support(found, features)
    cut = math.log(chosen.threshold / (1 - chosen.threshold))
    module = written(names, fit_slots(found, len(names)), (weights, base - cut))
    print(module)
    if chosen.write:
        chosen.write.write_text(module, encoding="utf-8")


if __name__ == "__main__":
    main()
