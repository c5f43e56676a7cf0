"""The examples do what they say, against a live server."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from detection.models import Answer
from reviews.models import HallucinationReview
from tests.api_calls import Caller, drain

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.requirement("GOV-07")]

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
ANSWER = (EXAMPLES / "answer.json").read_text(encoding="utf-8")
WORKFLOW = json.loads((EXAMPLES / "n8n-workflow.json").read_text(encoding="utf-8"))
NODES = {node["name"]: node for node in WORKFLOW["nodes"]}
WARNING = "Note: 1 claim of this answer is not fully supported by the sources."


def outcome(command: list[str], url: str, body: str = ANSWER, key: str | None = None) -> tuple[int, str, str]:
    """Exit status, output and errors of an example, while the workers' work is done beside it."""
    variables = {**os.environ, "HALLU_URL": url, "HALLU_KEY": key or str(Caller("submit", "read").key)}
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    child = subprocess.Popen(command, cwd=EXAMPLES, env=variables, text=True, **pipes)
    assert child.stdin is not None
    child.stdin.write(body)
    child.stdin.close()
    child.stdin = None
    while child.poll() is None:
        drain()
        time.sleep(0.1)
    told, wrong = child.communicate()
    return child.returncode, told, wrong


def test_the_python_script_prints_the_answer_with_its_warning(live_server: Any) -> None:
    status, told, wrong = outcome([sys.executable, "check_answer.py"], live_server.url)
    assert (status, told) == (0, f"{json.loads(ANSWER)['answer']}\n\n{WARNING}\n")
    assert "contradicted: $1,324,567.89" in wrong
    assert HallucinationReview.objects.count() == 1


def test_the_python_script_leaves_a_clear_answer_alone(live_server: Any) -> None:
    true = ANSWER.replace("1,324,567.89", "1,234,567.89")
    status, told, wrong = outcome([sys.executable, "check_answer.py"], live_server.url, true)
    assert (status, told, wrong) == (0, "NOI was $1,234,567.89 [S0].\n", "")


@pytest.mark.parametrize("key", ["nonsense", None])
def test_what_could_not_be_checked_never_looks_clear(live_server: Any, key: str | None) -> None:
    url = live_server.url if key else "http://127.0.0.1:9"
    status, told, wrong = outcome([sys.executable, "check_answer.py"], url, key=key)
    assert status == 1
    assert told.endswith("Note: this answer could not be checked.\n")
    assert "check_answer: " in wrong


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_curl_script_prints_the_result(live_server: Any) -> None:
    status, told, wrong = outcome(["sh", "check_answer.sh"], live_server.url)
    assert (status, wrong) == (0, "")
    assert json.loads(told)["warning"] == WARNING


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_curl_script_fails_where_it_is_refused(live_server: Any) -> None:
    status, told, _ = outcome(["sh", "check_answer.sh"], live_server.url, key="nonsense")
    assert status != 0
    assert json.loads(told)["status"] == 401


# --- n8n is no dependency (examples/README.md says which one ran the workflow); here its requests are replayed ----
def test_the_workflow_has_what_the_command_line_of_n8n_imports() -> None:
    assert {"id", "versionId", "name", "active", "nodes", "connections", "settings"} <= {*WORKFLOW}
    assert WORKFLOW["active"] is False
    assert NODES["Check"]["credentials"]["httpHeaderAuth"]["id"] == "hallu"


def test_the_workflow_leads_from_the_answer_over_the_check_to_the_warning() -> None:
    way, name = [], "Start"
    while name:
        way.append(name)
        following = WORKFLOW["connections"].get(name, {"main": [[{"node": ""}]]})
        name = following["main"][0][0]["node"]
    assert way == ["Start", "Answer", "Check", "Add the warning"]
    assert {*way} == {*NODES}


def filled(template: str, item: dict[str, Any], url: str = "") -> str:
    """An n8n expression of the two kinds that the workflow uses, filled in."""
    text = template.removeprefix("=").replace("{{ $env.HALLU_URL }}", url)
    text = re.sub(r"\{\{ JSON\.stringify\(\$json\.(\w+)\) \}\}", lambda m: json.dumps(item[m[1]]), text)
    assert "{{" not in text
    return text


def test_the_workflows_request_gets_the_warning_that_it_adds(live_server: Any) -> None:
    item = json.loads(NODES["Answer"]["parameters"]["jsonOutput"])
    asked = NODES["Check"]["parameters"]
    headers = {one["name"]: one["value"] for one in asked["headerParameters"]["parameters"]}
    request = urllib.request.Request(
        filled(asked["url"], item, live_server.url),
        data=filled(asked["jsonBody"], item).encode(),
        headers={
            **headers,
            "Authorization": f"Bearer {Caller('submit', 'read').key}",
            "Content-Type": "application/json",
            "Prefer": "wait=0",
        },
        method=asked["method"],
    )
    with urllib.request.urlopen(request) as response:
        accepted = json.load(response)
    drain()
    assert Answer.objects.get(pk=accepted["id"]).text == item["answer"]
    result = Caller("read").get(f"answers/{accepted['id']}/").json()
    assert (result["status"], result["warning"]) == ("completed", WARNING)
    assert headers == {"Prefer": "wait=10"}


def test_the_workflow_adds_the_warning_of_a_finished_check_only() -> None:
    (adding,) = NODES["Add the warning"]["parameters"]["assignments"]["assignments"]
    assert adding["name"] == "answer"
    assert "$('Answer').item.json.answer" in adding["value"]
    assert "$json.status === 'completed' ? $json.warning :" in adding["value"]
    assert NODES["Check"]["onError"] == "continueRegularOutput"


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
@pytest.mark.parametrize(
    ("reply", "added"),
    [
        ({"status": "completed", "warning": "W"}, "A\n\nW"),
        ({"status": "completed", "warning": None}, "A"),
        ({"status": "queued"}, "A\n\nNote: this answer could not be checked."),
        ({"error": "no reply"}, "A\n\nNote: this answer could not be checked."),
    ],
)
def test_the_expression_that_adds_it_says_what_it_should(reply: dict[str, Any], added: str) -> None:
    (adding,) = NODES["Add the warning"]["parameters"]["assignments"]["assignments"]
    expression = adding["value"].removeprefix("={{").removesuffix("}}")
    script = f"const $json = {json.dumps(reply)}; const $ = () => ({{item: {{json: {{answer: 'A'}}}}}}); process.stdout.write({expression})"
    assert subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True).stdout == added
