"""What the features of an explanation weigh, learnt from answers of which it is known what is wrong in them.

``python -m benchmarks.training.weighing`` fits :file:`weights.json` again (two logistic regressions: how well an explanation
fits, and whether a number that is explained so well is right after all).
"""

import json
from collections.abc import Mapping
from functools import cache
from math import log1p
from pathlib import Path
from typing import NamedTuple

_LEAST, _MOST_OTHERS = -4.0, 4
Weights = Mapping[str, float]


class Refusal(NamedTuple):
    """What was said of a number before it was weighed: the outcome, the slot in which its value is another's, its kind,
    how many others of the answer are in the same case, and whether figures of record explain it."""

    outcome: str
    slip: str
    kind: str
    others: int
    recorded: bool


@cache
def _learnt() -> Mapping[str, Weights]:
    found: Mapping[str, Weights] = json.loads(
        Path(__file__).with_name("weights.json").read_text(encoding="utf-8")
    )
    return found


def fit(features: Weights) -> float:
    """How well an explanation fits, as a log-odds."""
    learnt = _learnt()["fit"]
    return sum(learnt.get(name, 0.0) * value for name, value in features.items())


def deciding(how: str, fitting: float, ways: int, told: Refusal) -> Weights:
    """The features of the decision on a number whose best explanation, of so many ``ways``, fits as well as ``fitting``."""
    score = max(fitting, _LEAST)
    return {
        "bias": 1.0,
        "fit": score,
        "fit record": score * told.recorded,
        "record": float(told.recorded),
        f"how {how}": 1.0,
        f"outcome {told.outcome}": 1.0,
        f"slip {told.slip}": 1.0,
        f"kind {told.kind}": 1.0,
        "others": min(told.others, _MOST_OTHERS) / _MOST_OTHERS,
        "ways": log1p(ways),
    }


def accepts(how: str, fitting: float, ways: int, told: Refusal) -> bool:
    """Whether a number that its nearest words do not lead to is right as its best explanation says."""
    learnt = _learnt()
    weighed = sum(
        learnt["decision"].get(name, 0.0) * value
        for name, value in deciding(how, fitting, ways, told).items()
    )
    return weighed >= learnt["least"]["records" if told.recorded else "documents"]
