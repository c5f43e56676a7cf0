"""``manage.py detect``: a file of answers in, a file of results out, nothing stored."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from detection.models import Answer

pytestmark = pytest.mark.django_db
GOOD = {
    "external_id": "q1",
    "answer": "NOI was $1,234,567.89 [S0].",
    "sources": [{"id": "S0", "text": "NOI was $1,234,567.89."}],
}
HEBREW = {
    "external_id": "q2",
    "answer": "שיעור התפוסה עמד על 85.5% [S0].",
    "sources": [{"id": "S0", "text": "שיעור התפוסה עמד על 85.5%."}],
}


def run(tmp_path: Path, *lines: Any, **options: Any) -> tuple[list[dict[str, Any]], str]:
    source, out, errors = tmp_path / "in.jsonl", tmp_path / "out.jsonl", StringIO()
    source.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    try:
        call_command("detect", str(source), output=str(out), stderr=errors, **options)
    except CommandError as error:
        errors.write(str(error))
    return [
        json.loads(line) for line in out.read_text().splitlines()
    ] if out.exists() else [], errors.getvalue()


def test_one_result_a_line_in_order_and_nothing_stored(tmp_path: Path) -> None:
    results, errors = run(tmp_path, GOOD, HEBREW)
    assert [result["external_id"] for result in results] == ["q1", "q2"]
    assert all(result["status"] == "completed" and result["verdict"] for result in results)
    assert errors == ""
    assert not Answer.objects.exists()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("{not json", "line 2: The body is not JSON"),
        ({"question": "no answer"}, "line 2: answer: This field is required"),
        ({"answer": "x", "sources": [{"id": "S0"}, {"id": "S0"}]}, "sources[1].id"),
        ('{"answer": "\\u0000"}', "NUL"),
        ('{"answer": "\\ud83d"}', "surrogate"),
    ],
)
def test_a_bad_line_is_named_and_skipped(tmp_path: Path, line: Any, named: str) -> None:
    results, errors = run(tmp_path, GOOD, line, HEBREW)
    assert len(results) == 2
    assert named in errors
    assert "1 bad line skipped" in errors


def test_only_the_named_detectors_run(tmp_path: Path) -> None:
    ((result,), _) = run(tmp_path, GOOD, detectors="numeric,citation")
    assert set(result["checks"]) == {"numeric", "citation"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"detectors": "magic"}, "Unknown detectors: magic"),
        ({"profile": 99}, "no profile version 99. Known: 1"),
    ],
)
def test_a_wrong_option_says_what_is_known(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    assert said in run(tmp_path, GOOD, **options)[1]


def test_a_missing_file_is_named() -> None:
    with pytest.raises(CommandError, match=r"nowhere\.jsonl: No such file"):
        call_command("detect", "nowhere.jsonl")
