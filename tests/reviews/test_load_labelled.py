"""``manage.py load_labelled``: labelled sets become answers that were judged and settled, blind, with their probabilities."""

import gzip
import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from detection.models import Answer, DetectionRun, MonitoredRun
from reviews.demo import labelled
from reviews.models import ClaimVerdict, HallucinationReview, ReviewEvent, ReviewPass

EVIDENCE = "The tower has 312 units and opened in 2019. It belongs to a pension fund."
CLAIM = {"question": "", "lang": "en", "source": "made", "license": "MIT", "evidence": EVIDENCE}
SENTENCE = {
    "id": "fin-1", "source": "Reports", "license": "CC-BY-4.0", "doc": "d1", "question": "What was revenue in 2019?",
    "answer_sentence": "The revenue in 2019 was $4,120 million.",
    "source_chunks": [{"id": "S0", "kind": "table", "text": "(in millions) | 2019 | 2018\nRevenue | $4,120 | $3,870"}],
    "perturbed_answer_sentence": "The revenue in 2019 was $3,870 million.", "perturbed_surface": "$3,870 million",
    "perturbation_kind": "off_period_value",
}  # fmt: skip


def claim(n: int, text: str, label: str, **fields: Any) -> dict[str, Any]:
    """A row of claim and evidence."""
    return {"id": f"made-{n}", "group": f"g{n}", "claim": text, "label": label, **CLAIM, **fields}


ROWS = [
    claim(1, "The tower belongs to a pension fund.", "supported"),
    claim(2, "The tower belongs to a chain of cinemas.", "refuted"),
    claim(3, "A school of dentists bought all 41 lifts.", "unsupported"),
    claim(4, "The tower opened in 2019.", "supported"),
    SENTENCE,
]


def load(tmp_path: Path, *rows: Any, **options: Any) -> str:
    """Run the command over these rows; what it says, complaints included."""
    path, said = tmp_path / "rows.jsonl.gz", StringIO()
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    try:
        call_command("load_labelled", str(path), stdout=said, stderr=said, **options)
    except CommandError as error:
        said.write(str(error))
    return said.getvalue()


@pytest.mark.django_db
def test_every_answer_is_judged_and_settled_blind(tmp_path: Path) -> None:
    said = load(tmp_path, *ROWS)
    assert "6 answers, 6 chosen, 0 of them left out" in said
    assert DetectionRun.objects.filter(finished_at__isnull=False).count() == 6
    reviews = HallucinationReview.objects.all()
    assert {review.state for review in reviews} == {"resolved"}
    assert len(reviews) == 6
    assert all(given.blind and given.state == "submitted" for given in ReviewPass.objects.all())
    assert not ClaimVerdict.objects.filter(detector_visible=True).exists()
    assert all(ReviewEvent.broken_at(review) is None for review in reviews)


@pytest.mark.django_db
def test_verdicts_say_what_the_labels_say(tmp_path: Path) -> None:
    load(tmp_path, *ROWS)
    given = ClaimVerdict.objects.values_list("claim__run__answer__query__external_id", "claim__kind", "claim__text", "verdict", "reason_code")  # fmt: skip
    said = {
        (str(name).removeprefix("labelled:"), kind, text): (verdict, why)
        for name, kind, text, verdict, why in given
    }
    statements = {name: what for (name, kind, _), what in said.items() if kind == "statement"}
    assert statements == {
        "made-1": ("supported", ""),
        "made-2": ("rejected", "contradicted_by_source"),
        "made-3": ("rejected", "unsupported_inference"),
        "made-4": ("supported", ""),
        "fin-1:true": ("supported", ""),
        "fin-1:wrong": ("rejected", "wrong_period"),
    }
    assert said["fin-1:wrong", "currency", "$3,870 million"] == ("rejected", "wrong_period")
    assert said["fin-1:wrong", "date", "2019"] == ("supported", "")
    assert {what for (name, kind, _), what in said.items() if name == "made-3" and kind == "number"} == {
        ("cannot_tell", "")
    }


@pytest.mark.django_db
def test_unflagged_answers_are_audits_with_the_probability_of_their_label(tmp_path: Path) -> None:
    load(tmp_path, *ROWS)
    for run in DetectionRun.objects.all():
        review = HallucinationReview.objects.get(run=run)
        if run.needs_review:
            assert (review.selection_reason, run.audit_probability) == ("flagged", None)
        else:
            assert (review.selection_reason, review.selection_probability) == ("audit_random", 1.0)
            assert (run.audit_stratum, run.audit_probability) == ("labelled", 1.0)


@pytest.mark.django_db
def test_a_share_hides_the_other_labels_and_stores_its_probability(tmp_path: Path) -> None:
    rows = [claim(n, f"The tower belongs to a pension fund, note {n}.", "supported") for n in range(12)]
    load(tmp_path, *rows, audit_share=0.5, seed=3)
    unflagged = DetectionRun.objects.filter(needs_review=False)
    audited = HallucinationReview.objects.filter(run__in=unflagged)
    expected = {
        name for name in unflagged.values_list("answer__query__external_id", flat=True)
        if labelled.drawn(3, str(name), 0.5)
    }  # fmt: skip
    assert set(audited.values_list("answer__query__external_id", flat=True)) == expected
    assert 0 < len(expected) < unflagged.count()
    assert set(unflagged.values_list("audit_probability", flat=True)) == {0.5}


@pytest.mark.django_db
def test_again_changes_nothing_and_finishes_what_was_left(tmp_path: Path) -> None:
    load(tmp_path, *ROWS[:2])
    verdicts = ClaimVerdict.objects.count()
    said = load(tmp_path, *ROWS[:2])
    assert "nothing new; 2 were there already." in said
    assert (Answer.objects.count(), ClaimVerdict.objects.count()) == (2, verdicts)


@pytest.mark.django_db
def test_times_lie_in_the_days_asked_for_and_groups_stay_together(tmp_path: Path) -> None:
    load(tmp_path, *ROWS, days=10.0)
    first = timezone.now() - timedelta(days=10, minutes=1)
    times = dict(DetectionRun.objects.values_list("answer__query__external_id", "finished_at"))
    assert all(first < at <= timezone.now() for at in times.values() if at)
    assert times["labelled:fin-1:true"] == times["labelled:fin-1:wrong"]
    assert len(set(times.values())) == 5
    run = DetectionRun.objects.order_by("finished_at")[0]
    assert run.finished_at is not None
    assert MonitoredRun.objects.get(run=run).finished_on == run.finished_at.date()


@pytest.mark.django_db
def test_sources_keep_their_licence(tmp_path: Path) -> None:
    load(tmp_path, ROWS[0])
    source = Answer.objects.get().sources.get()
    assert source.metadata == {"set": "made", "license": "MIT", "row": "made-1"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("row", "named"),
    [
        (claim(1, "It is tall.", "supported", license=""), "line 2: its licence is not stated (empty)"),
        (
            claim(1, "It is tall.", "supported", license="none stated"),
            "line 2: its licence is not stated (none stated)",
        ),
        (claim(1, "It is tall.", "maybe"), "line 2: the label 'maybe' is unknown"),
        (
            {"claim": "It is tall.", "license": "MIT"},
            "line 2: a field is missing or of the wrong kind ('label')",
        ),
        ("{not json", "line 2: this is no JSON object"),
        ([1], "line 2: this is no JSON object"),
    ],
)
def test_a_row_that_cannot_be_used_is_named_and_the_others_are_loaded(
    tmp_path: Path, row: Any, named: str
) -> None:
    said = load(tmp_path, ROWS[0], row, ROWS[1])
    assert named in said
    assert "1 line refused" in said
    assert Answer.objects.count() == 2


@pytest.mark.django_db
def test_an_answer_of_several_statements_is_left_out(tmp_path: Path) -> None:
    said = load(tmp_path, claim(1, "The tower has a gym. It belongs to a school of dentists.", "refuted"))
    assert "1 of them left out: not one statement" in said
    assert not Answer.objects.exists()


def test_a_group_is_in_one_split_by_its_name_and_three_in_ten_are_for_testing() -> None:
    assert sum(labelled.in_test(f"group {n}") for n in range(2000)) == 620


def test_a_production_database_is_refused(tmp_path: Path, settings: Any) -> None:
    settings.PRODUCTION = True
    assert "do not belong on a production database" in load(tmp_path, ROWS[0])


def test_a_missing_file_and_a_share_out_of_range_are_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"nowhere\.jsonl: No such file"):
        call_command("load_labelled", "nowhere.jsonl")
    assert "--audit-share: give a number from 0 to 1." in load(tmp_path, ROWS[0], audit_share=1.5)
