"""``manage.py evaluate``: figures over labelled answers, reckoned by hand where that can be done."""

import json
from dataclasses import replace
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from detection import evaluation
from detection.core import pipeline
from detection.evaluation import Judged
from detection.models import Answer
from tests.peers import peer

SOURCE = {"id": "S0", "text": "NOI was $1,234,567.89 in Q3 2024."}
RIGHT = {"answer": "NOI was $1,234,567.89 [S0].", "sources": [SOURCE], "hallucinated": False}
WRONG = {"answer": "NOI was $9,934,567.89 [S0].", "sources": [SOURCE], "hallucinated": True}
SPAN = {"start": 8, "end": 21}
ROW = Judged(
    hallucinated=True, flagged=True, risk=0.9, calls=2, tokens=10, usd=Decimal("0.01"), ms=4.0,
    claims={"claims": 3, "verified": 2, "unverified": 1, "not_checked": 0},
)  # fmt: skip


def rows(*told: tuple[bool, bool, float]) -> list[Judged]:
    """Rows of label, flag and risk."""
    return [replace(ROW, hallucinated=label, flagged=flag, risk=risk) for label, flag, risk in told]


def run(tmp_path: Path, *lines: Any, **options: Any) -> tuple[str, str]:
    """What the command prints, and what it complains of."""
    source, out, errors = tmp_path / "in.jsonl", StringIO(), StringIO()
    source.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    try:
        call_command("evaluate", str(source), stdout=out, stderr=errors, **options)
    except CommandError as error:
        errors.write(f"{error} exit {error.returncode}")
    return out.getvalue(), errors.getvalue()


def test_the_figures_are_those_reckoned_by_hand() -> None:
    found = evaluation.evaluate(
        rows(
            (True, True, 0.9), (True, True, 0.4), (True, False, 0.2), (False, True, 0.4), (False, False, 0.1)
        )
    )
    assert found.precision.value == pytest.approx(2 / 3)
    assert found.recall.value == pytest.approx(2 / 3)
    assert found.f1.value == pytest.approx(2 / 3)
    # Of 6 pairs: 0.9 beats both, 0.4 ties with one and beats the other, 0.2 beats one.
    assert found.auroc.value == pytest.approx((2 + 1.5 + 1) / 6)
    assert found.floor == {"precision": 0.6, "recall": 1.0, "f1": pytest.approx(0.75)}
    assert (found.precision.n, found.recall.n, found.auroc.n) == (3, 3, 5)
    assert found.coverage == {"claims": 15, "verified": 10, "unverified": 5, "not_checked": 0}
    assert found.cost == {"calls": 10, "tokens": 50, "usd": "0.05"}
    assert found.latency_ms == {"p50": 4.0, "p95": 4.0}


def test_intervals_hold_the_figure_and_shrink_with_more_answers() -> None:
    few = evaluation.evaluate(rows(*[(True, True, 0.9), (True, False, 0.3), (False, True, 0.5)] * 5))
    many = evaluation.evaluate(rows(*[(True, True, 0.9), (True, False, 0.3), (False, True, 0.5)] * 80))
    for name in ("precision", "recall", "f1", "auroc"):
        small, large = getattr(few, name), getattr(many, name)
        assert small.low <= small.value <= small.high
        assert large.high - large.low < small.high - small.low


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.9])), min_size=1))
def test_auroc_is_that_of_scikit_learn(told: list[tuple[bool, float]]) -> None:
    labels, scores = np.array([label for label, _ in told]), np.array([score for _, score in told])
    expected = peer("metrics").roc_auc_score(labels, scores) if len(set(labels.tolist())) == 2 else None
    assert evaluation.auroc(labels, scores) == (expected if expected is None else pytest.approx(expected))


@pytest.mark.parametrize("label", [True, False])
def test_one_class_alone_leaves_out_what_needs_both(label: bool) -> None:
    found = evaluation.evaluate(rows((label, label, 0.5), (label, label, 0.7)))
    assert found.auroc.value is None
    assert (found.recall.value is None) is (not label)
    assert "same label" in evaluation.told(found, 1)


def test_the_same_score_for_all_tells_nothing() -> None:
    found = evaluation.evaluate(rows((True, True, 0.5), (False, True, 0.5)))
    assert found.auroc.value == 0.5


def test_no_answers_are_said_to_be_none() -> None:
    found = evaluation.evaluate([])
    assert found.precision.value is None
    assert evaluation.told(found, 1) == "No labelled answers, so nothing to tell."


@pytest.mark.django_db
def test_answers_are_judged_for_real_and_nothing_is_stored(tmp_path: Path) -> None:
    target = tmp_path / "figures.json"
    wrong = WRONG | {"spans": [SPAN]}
    said, errors = run(tmp_path, RIGHT, wrong, detectors="numeric", json=str(target))
    assert errors == ""
    assert "2 answers, 1 labelled wrong, 1 flagged; thresholds of version 1." in said
    figures = json.loads(target.read_text())
    assert figures["precision"]["value"] == figures["recall"]["value"] == figures["auroc"]["value"] == 1.0
    assert figures["spans"] == {"value": 1.0, "low": 1.0, "high": 1.0, "n": 1}
    assert figures["bad_lines"] == 0
    assert not Answer.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("{not json", "line 2: The body is not JSON"),
        ({"answer": "x"}, "line 2: hallucinated: give true or false."),
        ({"answer": "x", "hallucinated": 1}, "line 2: hallucinated: give true or false."),
        ({"hallucinated": True}, "line 2: answer: This field is required"),
        ([1, 2], "line 2: hallucinated"),
        (WRONG | {"spans": [{"start": 8, "end": 99}]}, "line 2: spans: give start and end within the 27"),
        (WRONG | {"spans": ["all"]}, "line 2: spans"),
        (WRONG | {"spans": 4}, "line 2: spans: give a list."),
        (RIGHT | {"spans": [SPAN]}, "line 2: spans: an answer that is not hallucinated has none."),
    ],
)
def test_a_bad_line_is_named_and_skipped(tmp_path: Path, line: Any, named: str) -> None:
    said, errors = run(tmp_path, RIGHT, line, WRONG, detectors="numeric")
    assert "2 answers" in said
    assert named in errors
    assert errors.endswith("1 bad line skipped, named above. exit 1")


@pytest.mark.django_db
def test_a_detector_that_failed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: Any, **_named: Any) -> pipeline.Report:
        return pipeline.Report("error", None, "ValueError: no")

    monkeypatch.setattr(pipeline, "measure", broken)
    said, _ = run(tmp_path, RIGHT, WRONG, detectors="numeric")
    assert "numeric gave no result for 2 of 2 answers" in said


@pytest.mark.django_db
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    assert "No such file" in run(tmp_path, RIGHT, detectors="numeric", json=str(tmp_path / "no" / "x"))[1]
