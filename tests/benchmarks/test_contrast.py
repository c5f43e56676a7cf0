"""Contrast pairs are counted as they are defined, and nothing of the measuring part is told."""

import gzip
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from benchmarks import contrast
from benchmarks.contrast_counting import (
    Judged,
    grouped,
    in_fifth,
    left,
    listed,
    pairs_of,
    part_of,
    rates,
    wilson,
)
from benchmarks.contrast_screening import LabelsVerifier, Screening, read_rows
from detection.core import pipeline
from detection.core.context import Context
from detection.core.stores import Store
from detection.core.thresholds import DEFAULTS

TWINS = (("c", "correct"), ("w", "wrong"))
FIGURES = """\
property,property_name,currency,period,start,end,net_operating_income
ELM,Elm Court,USD,Q3 2024,2024-07-01,2024-09-30,1540000
"""


def row(pair: str = "w1-made-001", label: str = "correct", **changed: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": f"{pair}-{label[0]}",
        "pair": pair,
        "label": label,
        "lang": "en",
        "evidence": "prose",
    }
    made |= {"question": "", "property": None, "period": None, "sources": [], "answer": "Secret."}
    made |= {"change": "none" if label == "correct" else "number", "wrong_text": None, "note": "hint"}
    return made | changed


def twins(pair: str, correct: bool | None, wrong: bool | None, **changed: Any) -> list[Judged]:
    return [
        Judged(row(pair, label, **changed), flagged, {"findings": ["what was found"]})
        for (_, label), flagged in zip(TWINS, (correct, wrong), strict=True)
    ]


def many(count: int, correct: bool | None, wrong: bool | None) -> list[Judged]:
    return [one for n in range(count) for one in twins(f"w3-made-{n:03}", correct, wrong, evidence="record")]


def test_what_was_not_judged_is_neither_right_nor_wrong_and_stays_in_the_denominators() -> None:
    judged = [
        *twins("w1-made-001", False, True),
        *twins("w1-made-002", True, False),
        *twins("w1-made-003", True, True),
        *twins("w1-made-004", None, True),
        *twins("w1-made-005", False, None),
    ]
    found = rates(pairs_of(judged))
    assert {name: share for name, (share, *_) in found.items()} == {
        "false alarms": 0.4,
        "misses": 0.2,
        "both right": 0.2,
        "not judged": 0.2,
    }
    assert {count for *_, count in found.values()} == {5}


def test_intervals_are_wilsons() -> None:
    assert wilson(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson(0.0, 0) == (0.0, 1.0)


def test_a_pair_counts_by_the_change_of_its_wrong_twin_and_documents_by_their_layout() -> None:
    judged = [*twins("w2-made-001", False, True, note="(d) one cell a line"), *many(1, True, True)]
    names = {name: len(pairs) for name, pairs in grouped(pairs_of(judged)).items()}
    assert names == {
        "all": 2,
        "set w2 documents": 1,
        "set w3 figures of record": 1,
        "evidence prose": 1,
        "evidence record": 1,
        "layout (d)": 1,
        "language en": 2,
        "change number": 2,
    }
    assert next(iter(names)) == "all"


def test_pairs_need_both_twins_once() -> None:
    one = twins("w1-made-001", False, True)
    with pytest.raises(ValueError, match="w1-made-001"):
        pairs_of(one[:1])
    with pytest.raises(ValueError, match="two answers"):
        pairs_of([*one, *twins("w1-made-001", False, True)])


def test_odd_pairs_are_for_looking_and_the_fifth_takes_whole_pairs() -> None:
    assert [part_of(row(f"w1-made-{n:03}")) for n in (1, 2, 13)] == ["looking", "measuring", "looking"]
    names = [f"w1-made-{n:03}" for n in range(500)]
    chosen = [name for name in names if in_fifth(row(name))]
    assert chosen == [name for name in names if in_fifth(row(name, "wrong"))]
    assert 70 < len(chosen) < 130
    assert chosen[:3] == ["w1-made-000", "w1-made-018", "w1-made-020"]


def test_the_list_tells_nothing_of_the_measuring_part() -> None:
    looking, measuring = twins("w1-made-001", True, None)[0], twins("w1-made-002", True, None)[1]
    assert json.loads(listed(measuring)) == {"id": "w1-made-002-w", "label": "wrong", "flagged": None}
    told = json.loads(listed(looking))
    assert told["findings"] == ["what was found"]
    assert (told["part"], told["pair"], told["change"]) == ("looking", "w1-made-001", "none")
    assert not {"note", "wrong_text", "answer"} & set(told)


def test_a_figure_leaves_the_accepted_run_when_too_many_answers_change_the_same_way() -> None:
    then = {one.id: one.flagged for one in many(40, False, True)}
    assert left(many(40, False, True), then) == []
    assert (
        left([*twins("w3-made-000", True, True, evidence="record"), *many(40, False, True)[2:]], then) == []
    )
    worse = [*many(8, True, True), *many(40, False, True)[16:]]
    lines = left(worse, then)
    assert [line.partition(" were")[0] for line in lines] == [
        "all: false alarms",
        "all: both right",
        "set w3 figures of record: false alarms",
        "set w3 figures of record: both right",
    ]
    assert "0.0%, are 20.0%" in lines[0]


def test_better_must_be_accepted_too_and_other_rows_are_no_comparison() -> None:
    then = {one.id: one.flagged for one in many(10, True, True)}
    assert "false alarms were 100.0%, are 0.0%" in left(many(10, False, True), then)[0]
    with pytest.raises(ValueError, match="other rows"):
        left(many(9, True, True), then)


def test_runs_are_accepted_by_name_and_hold_ids_and_flags_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "accepted.json"
    assert contrast.check(many(10, False, True), "numeric", path) == 1
    contrast.accept(many(10, False, True), "numeric", path)
    contrast.accept(many(10, None, True), "default detectors", path)
    kept = json.loads(path.read_text())
    assert set(kept) == {"numeric", "default detectors"}
    assert kept["default detectors"]["w3-made-000-c"] is None
    assert "Secret" not in path.read_text()
    assert contrast.check(many(10, False, True), "numeric", path) == 0
    assert contrast.check(many(10, True, False), "numeric", path) == 1
    assert "20 of 20 answers are judged otherwise" in capsys.readouterr().out


def test_the_table_has_a_line_for_each_group(capsys: pytest.CaptureFixture[str]) -> None:
    contrast.show(contrast.table_of(many(10, False, True)))
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split()[:5] == ["all", "10", "0.0%", "[0.0,", "27.8]"]
    assert any(line.startswith("change number") for line in lines)


def test_the_perfect_verifier_knows_what_is_wrong_and_guesses_without_evidence() -> None:
    answer = "Rent rose to $12 [S0]. The lease ends in May [S0]."
    verifier = LabelsVerifier(answer, "ends in May [S0]")
    full = "===== SOURCE =====\nRent rose to $12."
    rent, lease, guess = (
        *verifier.batch_estimate(["Rent rose to $12.", "The lease ends in May."], full),
        verifier.estimate_probability("Rent rose to $12.", DEFAULTS.placeholder),
    )
    assert (rent.yes, lease.yes, lease.no, guess.yes) == (
        (0.97, 0.97),
        (0.02, 0.02),
        (0.95, 0.95),
        (0.35, 0.35),
    )
    assert LabelsVerifier(answer).estimate_probability("The lease ends in May.", full).yes == (0.97, 0.97)


def test_rows_are_read_packed_or_not(tmp_path: Path) -> None:
    line = json.dumps(row()) + "\n"
    (tmp_path / "rows.jsonl").write_text(line)
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(line.encode()))
    assert read_rows(tmp_path / "rows.jsonl") == read_rows(tmp_path / "rows.jsonl.gz") == [row()]


def test_an_unknown_detector_is_refused() -> None:
    chosen = contrast.options().parse_args(["f", "--figures", "c", "--detectors", "numbers"])
    with pytest.raises(SystemExit, match="numbers"):
        contrast.runs_of(chosen)


@pytest.fixture
def figures(db: None, tmp_path: Path) -> None:
    path = tmp_path / "figures.csv"
    path.write_text(FIGURES)
    call_command("import_financials", str(path), stdout=io.StringIO())


@pytest.mark.usefixtures("figures")
def test_answers_are_judged_by_the_figures_of_record_and_in_the_same_way_twice() -> None:
    about = {"property": "ELM", "period": "Q3 2024", "evidence": "record"}
    right = row(answer="Net operating income was $1,540,000.", **about)
    wrong = row(
        label="wrong", answer="Net operating income was $2,540,000.", wrong_text="$2,540,000", **about
    )
    screening = Screening(("numeric",))
    judged = [screening.judge(one) for one in (right, wrong)]
    assert [one.flagged for one in judged] == [False, True]
    (number,) = (one for one in judged[1].told["findings"] if one["kind"] == "currency")
    assert (number["text"], number["metric"]) == ("$2,540,000", "net_operating_income")
    assert {"code", "status", "reason", "severity", "property", "period"} <= set(number)
    assert [listed(screening.judge(one)) for one in (right, wrong)] == [listed(one) for one in judged]


@pytest.mark.django_db
def test_the_perfect_verifier_is_asked_in_place_of_the_configured_one() -> None:
    sources = [{"id": "S0", "text": "The lease of the bakery ends in June.", "title": "Lease"}]
    said = {"answer": "The lease of the bakery ends in May [S0].", "wrong_text": "ends in May"}
    judged = Screening(("strawberry",), labels=True).judge(row(label="wrong", sources=sources, **said))
    assert judged.flagged is True
    assert [one["code"] for one in judged.told["findings"] if one["kind"] == "statement"] == ["contradicted"]


@pytest.mark.django_db
def test_an_answer_that_was_not_verified_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = pipeline.screen

    def silent(context: Context, store: Store) -> pipeline.Conclusion:
        conclusion = screen(context, store)
        status: Any = "not_verified"
        return replace(conclusion, verdict=replace(conclusion.verdict, answer_status=status))

    assert Screening(("numeric",)).judge(row()).flagged is False
    monkeypatch.setattr(pipeline, "screen", silent)
    assert Screening(("numeric",)).judge(row()).flagged is None
