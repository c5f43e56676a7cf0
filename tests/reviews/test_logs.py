"""Logs: an event and its figures, as lines or JSON, with the request they belong to and without anybody's texts (SPEC-08.41)."""

import json
import logging
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from detection import logs
from detection.core import pipeline
from detection.core.context import Context
from tests.api_calls import Caller
from tests.faults import broker
from tests.faults.processes import running, wait_until, worker

pytestmark = pytest.mark.requirement("SPEC-08.41")

ANSWER = "Net operating income was $9,999,999.00 in Q3 2024 [S0]. Zebras graze behind the loading dock [S0]."
SOURCE = "Net operating income for Q3 2024 was $1,234,567.89. A lavender hedge surrounds the car park."
SECRET = re.compile("zebra|graze|loading dock|9,999|1,234,567|lavender|car park", re.IGNORECASE)


class Written:
    """What a formatter makes of every record meanwhile."""

    def __init__(self, formatter: logging.Formatter) -> None:
        self.out = StringIO()
        self.handler = logging.StreamHandler(self.out)
        self.handler.setFormatter(formatter)

    @property
    def text(self) -> str:
        return self.out.getvalue()

    def events(self, name: str) -> list[dict[str, Any]]:
        records = [json.loads(line) for line in self.text.splitlines()]
        return [record for record in records if record["event"] == name]


@pytest.fixture
def written() -> Iterator[Written]:
    """The JSON records of the root logger."""
    kept, root = Written(logs.Json()), logging.getLogger()
    level = root.level
    root.addHandler(kept.handler)
    root.setLevel(logging.INFO)
    yield kept
    root.removeHandler(kept.handler)
    root.setLevel(level)


def submitted(**headers: str) -> Any:
    return Caller("submit", "read").post(
        "answers/", {"answer": ANSWER, "sources": [{"id": "S0", "text": SOURCE}]}, **headers
    )


def record(
    message: str, *arguments: Any, error: Exception | None = None, extra: dict[str, str] | None = None
) -> logging.LogRecord:
    exc_info = (type(error), error, error.__traceback__) if error else None
    made = logging.LogRecord("hallu", logging.INFO, "x.py", 1, message, arguments, exc_info)
    vars(made).update(extra or {})
    return made


def test_as_json_every_pair_is_a_member() -> None:
    made = record("step_done run=%s share=%.2f by=%s ok=%s", 5, 0.25, "local", True)
    shown = json.loads(logs.Json().format(made))
    assert shown.pop("time").endswith("+00:00")
    assert shown == {
        "level": "INFO",
        "logger": "hallu",
        "event": "step_done",
        "message": "step_done run=5 share=0.25 by=local ok=True",
        "run": 5,
        "share": 0.25,
        "by": "local",
        "ok": True,
    }


def test_a_value_cannot_pose_as_a_pair_or_break_the_line() -> None:
    made = record("step_done by=%s run=%s", "x level=FATAL\n{}", 5)
    shown = json.loads(logs.Json().format(made))
    assert (shown["by"], shown["run"], shown["level"]) == ("x level=FATAL\n{}", 5, "INFO")
    assert "\n" not in logs.Json().format(made)


def test_a_message_of_others_is_told_as_it_is() -> None:
    shown = json.loads(logs.Json().format(record("Listening at: %s", "socket")))
    assert shown["message"] == "Listening at: socket"
    assert json.loads(logs.Json().format(record("100 %")))["message"] == "100 %"


def test_as_a_line_the_request_stands_before_the_message() -> None:
    with logs.working_for("r-7"):
        line = logs.Lines().format(record("step_done run=%s", 5))
    assert line.endswith(" INFO hallu request=r-7 step_done run=5")


@pytest.mark.parametrize("formatter", [logs.Lines(), logs.Json()])
def test_an_exceptions_message_is_kept_back_where_it_may_quote_a_text(formatter: logging.Formatter) -> None:
    quoting = RuntimeError(ANSWER)
    quoting.__cause__ = FileNotFoundError(2, "No such file", "/nowhere")
    told = formatter.format(record("read_failed", error=quoting))
    assert "RuntimeError" in told
    assert "FileNotFoundError: [Errno 2] No such file: '/nowhere'" in told
    assert not SECRET.search(told)


def test_texts_are_written_where_the_settings_allow_it(settings: Any) -> None:
    assert logs.text("a sentence") == {}
    settings.LOG_TEXT = True
    made = record("claim_doubtful run=%s", 1, extra=logs.text("a sentence"))
    assert json.loads(logs.Json().format(made))["text"] == "a sentence"
    assert logs.Lines().format(made).endswith("claim_doubtful run=1 text='a sentence'")


@pytest.mark.django_db(transaction=True)
def test_a_run_is_retraceable_by_its_log_and_the_log_quotes_nobody(written: Written) -> None:
    broker.empty()
    submitted()
    broker.deliver()
    (concluded,) = written.events("run_concluded")
    doubtful = written.events("claim_doubtful")
    assert {each["run"] for each in doubtful} == {concluded["run"]}
    assert len(doubtful) == concluded["contradicted"] + concluded["unsupported"] + concluded["unverified"] > 0
    statement = next(each for each in doubtful if each["kind"] == "statement")
    assert {
        "claim",
        "finding",
        "p1",
        "p0",
        "required_bits",
        "observed_bits",
        "gap_bits",
        "method",
        "latency_ms",
    } <= set(statement)
    assert statement["method"] == "local"
    assert 0 <= statement["p1"] <= 1
    assert not SECRET.search(written.text)


@pytest.mark.django_db(transaction=True)
def test_a_failing_detector_is_logged_by_kind_and_quotes_nobody(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(context: Context) -> Any:
        raise RuntimeError(f"cannot read {context.case.answer}")

    monkeypatch.setattr(pipeline.DETECTORS["grounding"], "measure", fail)
    broker.empty()
    submitted()
    broker.deliver()
    (report,) = written.events("detector_report")
    assert (report["detector"], report["status"], report["reason"]) == ("grounding", "error", "RuntimeError")
    assert not SECRET.search(written.text)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given", "kept"), [("r-42.a_B", True), ("two words", False), ("x" * 65, False), ("", False)]
)
def test_a_request_has_one_id_the_callers_where_it_is_plain(given: str, kept: bool) -> None:
    answered = Caller("read").get("answers/", x_request_id=given)["X-Request-ID"]
    assert (answered == given) if kept else re.fullmatch("[0-9a-f]{32}", answered)
    assert logs.request_id() == ""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("pool", ["threads", "prefork"])
def test_the_requests_id_stands_in_the_workers_log(tmp_path: Path, pool: str) -> None:
    broker.empty()
    log = tmp_path / "worker.log"
    with running(worker(log, pool=pool, HALLU_LOG_FORMAT="json", HALLU_LOG_LEVEL="INFO")):
        submitted(x_request_id="r-17")
        wait_until(lambda: "run_concluded" in log.read_text(), log)
    (concluded,) = (json.loads(line) for line in log.read_text().splitlines() if '"run_concluded"' in line)
    assert concluded["request"] == "r-17"
    assert not SECRET.search(log.read_text())
