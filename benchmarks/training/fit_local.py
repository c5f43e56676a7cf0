"""Fit the embedded verifier: ``python -m benchmarks.training.fit_local DATA`` (the folder of ``HALLU_DATA``).

Writes ``detection/verifiers/embedded/local_model.json``: two chained logistic models, the weights of common words,
and the figures of the fit. How it is fitted:

* Two kinds of rows: pairs of a claim and a text from public sets (``grounding_train.jsonl.gz``), and statements of answers as the
  verifier is asked about them (:mod:`benchmarks.training.answered`; ``training_answers.jsonl.gz`` and the pairs of
  :data:`LEARNT`). How often a claim is carried differs between them, so each kind has an intercept of its own and
  the weights are shared; the model that ships has the answers' intercept, so that its probability is one of statements in answers.
* No public source counts more than :data:`SOURCE_CAP` rows in all, so the large inference sets do not drown the
  claims that language models wrote about documents; all together they count :data:`PUBLIC`.
* The first step separates ``supported`` from everything else. A ``partial`` claim says
  more than its evidence, so it is not carried, but it counts half: much of it is.
* The second step separates ``refuted`` from ``unsupported``, over public rows. Where a source calls both ``unsupported`` its
  rows stay: that makes the step slower to call a claim contradicted, the graver of the two mistakes. A
  source whose every wrong claim is ``refuted`` teaches nothing here and is left out.
* Weights keep the sign their feature means: no text can make a claim likelier by what it lacks.
* Rows are added (``benchmarks/training/altered.py``): claims without evidence and with another document's,
  which is what p0 asks about, and supported claims with a number or a turning word changed; and statements of answers whose
  evidence was taken out, which count little (:data:`BESIDE`). They count in no figure but the second step's.
* Figures come from 5 folds that keep a group (one document, one premise, one pair) together, for each source
  beside plain word overlap, never pooled.
* It judges statements of a language only where the lower end of its AUROC over answers is above that of word overlap.
"""

import json
import math
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from scipy.optimize import minimize  # type: ignore[import-untyped]  # scipy ships no types
from scipy.special import expit  # type: ignore[import-untyped]  # as above
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold

from benchmarks.grounding_data import Row, auroc, bootstrap, by_family, read_rows, word_overlap
from benchmarks.training.altered import added_rows
from benchmarks.training.answered import ANSWERED, WITHOUT, answered_rows
from detection.core.text import words
from detection.verifiers.embedded.lexical import COMMON, FEATURES, features
from detection.verifiers.embedded.lexical_reading import read_passages, read_statement
from detection.verifiers.embedded.local import MODEL

SOURCE_CAP = 1000
PARTIAL = 0.5
FOLDS = 5
PUBLIC = 1.0
"""What a public row counts beside a statement of an answer."""
BESIDE = 0.4
"""What a statement counts whose evidence was taken out: answers come with theirs."""
LEARNT = ("c", "d", "e", "f", "g", "j")
"""Own pairs, looked at, that the verifier learns from."""
PAIRS = Path(__file__).parents[1] / "pairs"
RARE = 0.001
"""A word in fewer than this share of texts counts fully and is not stored."""

PENALTY = 0.5

CARRIED_SIGNS = dict.fromkeys(
    ("cover", "cover_exact", "cover_one", "cover_passage", "cover_all", "cover_words", "cover_squared",
     "covered_fully", "pairs", "precision", "figures_found"), 1,
) | dict.fromkeys(
    ("missing_everywhere", "new_names", "figures_missing", "figures_differ", "figures_nowhere",
     "negation_differs", "negation_covered", "opposites", "absolutes"), -1,
)  # fmt: skip
DENIED_SIGNS = dict.fromkeys(
    ("cover", "cover_all", "cover_squared", "figures_differ", "negation_differs", "negation_covered", "opposites"), 1
) | dict.fromkeys(("missing_everywhere", "new_names", "figures_found"), -1)  # fmt: skip


def common_words(rows: list[Row]) -> dict[str, float]:
    """Weights under 1 for common words: inverse document frequency, by language, scaled to rare = 1."""
    weights: dict[str, float] = {}
    for language in sorted({str(row["lang"]) for row in rows}):
        texts = {str(row[part]) for row in rows if row["lang"] == language for part in ("claim", "evidence")}
        counts = Counter(word for text in texts for word in set(words(text)))
        for word, count in counts.items():
            if count > RARE * len(texts) and count > 3 and not any(letter.isdigit() for letter in word):
                weight = math.log(count / len(texts)) / math.log(RARE)
                weights[word] = round(max(weight, COMMON), 2)
    return {word: weight for word, weight in sorted(weights.items()) if weight < 1}


def by_weight(weights: dict[str, float]) -> dict[str, str]:
    """The words of each weight in one line: a third of the size of a line a word."""
    lines: dict[str, list[str]] = {}
    for word, weight in sorted(weights.items(), key=lambda item: (item[1], item[0])):
        lines.setdefault(str(weight), []).append(word)
    return {weight: " ".join(each) for weight, each in lines.items()}


def feature_rows(rows: list[Row], weights: dict[str, float]) -> np.ndarray:
    """One row of features for each pair."""
    return np.array(
        [
            features(read_statement(str(row["claim"])), read_passages(str(row["evidence"])), weights)
            for row in rows
        ]
    )


def sample_weights(rows: list[Row]) -> np.ndarray:
    """How much each row counts: public sources capped, partial labels halved."""
    sizes = Counter(str(row["source"]) for row in rows)
    own = {ANSWERED: 1.0, WITHOUT: BESIDE}
    return np.array(
        [
            own[str(row["source"])]
            if row["source"] in own
            else PUBLIC
            * min(1.0, SOURCE_CAP / sizes[str(row["source"])])
            * (PARTIAL if row["label"] == "partial" else 1.0)
            for row in rows
        ]
    )


def is_public(rows: list[Row]) -> np.ndarray:
    """Which rows are claims that somebody paired with a text."""
    return np.array([float(row["source"] not in (ANSWERED, WITHOUT)) for row in rows])


@dataclass(frozen=True)
class Fitted:
    """A fitted logistic model."""

    intercept: float
    weights: np.ndarray

    def probabilities(self, x: np.ndarray) -> np.ndarray:
        """A probability for each row."""
        return np.asarray(expit(self.intercept + x @ self.weights))


def fit(
    x: np.ndarray, y: np.ndarray, weight: np.ndarray, signs: dict[str, int], public: np.ndarray
) -> Fitted:
    """Logistic regression with a ridge penalty whose weights keep their ``signs``, with a further intercept of ``public``
    rows, which is left out of what is fitted."""
    bounds = [(None, None)] * 2 + [
        {1: (0, None), -1: (None, 0)}.get(signs.get(name, 0), (None, None)) for name in FEATURES
    ]
    seen = np.column_stack([np.ones(len(y)), public, x])

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        z = seen @ theta
        error = weight * (expit(z) - y)
        penalised = np.concatenate([[0.0], theta[1:]])
        value = np.sum(weight * (np.logaddexp(0, z) - y * z)) + PENALTY * np.sum(penalised**2)
        return float(value), seen.T @ error + 2 * PENALTY * penalised

    found = minimize(
        loss, np.zeros(seen.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 2000}
    )
    return Fitted(float(found.x[0]), found.x[2:])


def out_of_fold(
    x: np.ndarray,
    y: np.ndarray,
    weight: np.ndarray,
    groups: list[str],
    signs: dict[str, int],
    public: np.ndarray,
    among: np.ndarray | None = None,
) -> np.ndarray:
    """Probabilities for every row from a model that saw nothing of its group; fitted ``among`` some rows."""
    found = np.zeros(len(y))
    for train, test in GroupKFold(FOLDS).split(x, y, groups):
        seen = train if among is None else train[among[train]]
        fitted = fit(x[seen], y[seen], weight[seen], signs, public[seen])
        found[test] = fitted.probabilities(x[test])
    return found


def calibration(p: np.ndarray, y: np.ndarray, weight: np.ndarray) -> dict[str, float]:
    """Log-loss, Brier score and expected calibration error over ten equal bins, weighted like the fit."""
    total = weight.sum()
    bins = np.minimum((p * 10).astype(int), 9)
    error = sum(abs(np.sum(weight[bins == b] * (p[bins == b] - y[bins == b]))) for b in range(10))
    return {
        "log_loss": round(float(log_loss(y, p, sample_weight=weight)), 4),
        "brier": round(float(np.sum(weight * (p - y) ** 2) / total), 4),
        "ece": round(float(error / total), 4),
    }


def source_figures(rows: list[Row], p: np.ndarray) -> dict[str, dict[str, float | int | None]]:
    """Rows, supported share and AUROC of each source, beside word overlap."""
    figures: dict[str, dict[str, float | int | None]] = {}
    for name, numbers in by_family(rows).items():
        labels = [int(rows[n]["y"]) for n in numbers]
        ours = auroc(labels, [p[n] for n in numbers])
        floor = auroc(labels, [word_overlap(rows[n]) for n in numbers])
        figures[name] = {
            "n": len(numbers),
            "supported": round(sum(labels) / len(labels), 3),
            "auroc": None if ours is None else round(ours, 3),
            "auroc_word_overlap": None if floor is None else round(floor, 3),
        }
    return figures


def language_figures(rows: list[Row], p: np.ndarray) -> dict[str, dict[str, float]]:
    """Statements of answers of each language: how many, how many are right, AUROC with its 95 % interval over groups, and that of
    word overlap, which a verifier that knows something must beat."""
    found: dict[str, dict[str, float]] = {}
    for language in sorted({str(row["lang"]) for row in rows if row["source"] == ANSWERED}):
        at = [n for n, row in enumerate(rows) if row["source"] == ANSWERED and row["lang"] == language]
        labels, scores = [int(rows[n]["y"]) for n in at], [float(p[n]) for n in at]
        floor = auroc(labels, [word_overlap(rows[n]) for n in at])

        def area(chosen: list[int], labels: list[int] = labels, scores: list[float] = scores) -> float | None:
            return auroc([labels[n] for n in chosen], [scores[n] for n in chosen])

        low, high = bootstrap([str(rows[n]["group"]) for n in at], area)
        found[language] = {
            "n": len(at),
            "supported": round(sum(labels) / len(labels), 3),
            "auroc": round(auroc(labels, scores) or 0, 3),
            "low": round(low, 3),
            "high": round(high, 3),
            "auroc_word_overlap": round(floor or 0, 3),
        }
    return found


def stored(model: Fitted) -> dict[str, object]:
    """A model as JSON."""
    return {"intercept": round(model.intercept, 4), "weights": [round(float(w), 4) for w in model.weights]}


def main(data: Path) -> None:
    """Fit, print the figures, write the model."""
    rows = read_rows(data / "grounding_train.jsonl.gz")
    weights = common_words(rows)
    added = added_rows(rows)
    own = [(PAIRS / f"{name}.jsonl.gz", PAIRS / f"{name}.csv") for name in LEARNT]
    rows += answered_rows([(data / "training_answers.jsonl.gz", None), *own])
    real = len(rows)
    rows += added
    x = feature_rows(rows, weights)
    y = np.array([int(row["y"]) for row in rows])
    sample, public = sample_weights(rows), is_public(rows)
    groups = [str(row["group"]) for row in rows]
    p = out_of_fold(x, y, sample, groups, CARRIED_SIGNS, public)[:real]
    second, both, denied = refutations(rows)
    q = out_of_fold(x, denied, sample, groups, DENIED_SIGNS, np.zeros(len(rows)), second)
    answered = np.array([row["source"] == ANSWERED for row in rows[:real]])
    spoken = language_figures(rows[:real], p)
    model = {
        "date": datetime.now(UTC).date().isoformat(),
        "features": FEATURES,
        "languages": [name for name, each in spoken.items() if each["low"] > each["auroc_word_overlap"]],
        "carried": stored(fit(x, y, sample, CARRIED_SIGNS, public)),
        "denied": stored(
            fit(x[second], denied[second], sample[second], DENIED_SIGNS, np.zeros(second.sum()))
        ),
        "fit": {
            "data": "Statements of answers over documents and figures, the project's own, and claim and evidence pairs of "
            f"public sets, each with its licence below; 5 folds by group, at most {SOURCE_CAP} rows a public source, "
            "partial labels half; figures from unseen folds. Calibration is that of statements in answers.",
            "rows": real,
            "carried": calibration(p[answered], y[:real][answered], sample[:real][answered]),
            "denied": {
                "rows": int(second.sum()),
                "auroc": round(auroc(list(denied[both]), list(q[both])) or 0, 3),
            }
            | calibration(q[both], denied[both], sample[both]),
            "sources": source_figures(rows[:real], p),
            "languages": spoken,
            "licences": {str(row["source"]): str(row["license"]) for row in rows[:real]},
        },
        "common": by_weight(weights),
    }
    MODEL.write_text(json.dumps(model, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    report(model)


def refutations(rows: list[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rows of the second step, those of sources that know both its labels, and which are refuted."""
    labels: dict[str, set[str]] = {}
    for row in rows:
        labels.setdefault(str(row["source"]), set()).add(str(row["label"]))
    known = {name for name, each in labels.items() if {"refuted", "unsupported"} <= each}
    taken = np.array(
        [
            row["label"] in ("refuted", "unsupported") and row["source"] not in (ANSWERED, WITHOUT, "tabfact")
            for row in rows
        ]
    )
    both = np.array([row["source"] in known for row in rows]) & taken
    return taken, both, np.array([int(row["label"] == "refuted") for row in rows])


def report(model: dict) -> None:
    """Print what was fitted."""
    for step in ("carried", "denied"):
        print(step, model["fit"][step], "intercept", model[step]["intercept"])
        for name, weight in zip(FEATURES, model[step]["weights"], strict=True):
            print(f"  {name:20} {weight:8.3f}")
    print(f"{'source':24}{'n':>7}{'supported':>11}{'local':>8}{'overlap':>9}")
    for name, row in model["fit"]["sources"].items():
        print(
            f"{name:24}{row['n']:7}{row['supported']:11.3f}{row['auroc']!s:>8}{row['auroc_word_overlap']!s:>9}"
        )
    for language, row in model["fit"]["languages"].items():
        print(language, row)
    print("common words", sum(len(each.split()) for each in model["common"].values()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
