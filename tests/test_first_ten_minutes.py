"""The first ten minutes of a newcomer: all that README, ``examples/`` and ``./run`` say is run against one live product.

A command, an address or a way of checking that the documents name and nothing here tries fails the tests of its kind.
"""

import gzip
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from reviews.demo.answers import demo_answers
from tests.product import ROOT, await_page, environment, free_port, running
from tests.test_examples import EXAMPLES, NODES, WARNING, filled
from tests.waiting import GIVEN_UP_AFTER

README = (ROOT / "README.md").read_text(encoding="utf-8")
HOW_TO_RUN_EXAMPLES = (EXAMPLES / "README.md").read_text(encoding="utf-8")
NO_LOT = {f"HALLU_AUDIT_{name}": "0" for name in ("BASE", "BOUNDARY", "NEW")} | {"HALLU_BLIND_SHARE": "0"}
"""Which answers are audited is drawn anew for each installation; here none is."""
JUDGED_WITHIN = 120.0  # seconds on a busy machine

FIGURES = """\
property,property_name,currency,period,start,end,total_revenue,operating_expenses,net_operating_income,occupancy_rate
ELM,Elm House,USD,Q2 2024,2024-04-01,2024-06-30,2073500.00,900000.00,1173500.00,84.9
ELM,Elm House,USD,Q3 2024,2024-07-01,2024-09-30,2134567.89,900000.00,1234567.89,85.5
BIRCH,Birch Court,USD,Q3 2024,2024-07-01,2024-09-30,2355400.00,1000000.00,1355400.00,91.0
"""
QUESTION = "What was NOI in Q3 2024?"
SOURCE = {"id": "S0", "text": "Net operating income for Q3 2024 was $1,234,567.89."}
RIGHT, WRONG = "NOI was $1.2 million [S0].", "NOI was $1.5 million [S0]."
LABELLED = [
    {"question": QUESTION, "answer": answer, "sources": [SOURCE], "hallucinated": wrong}
    for answer, wrong in (("NOI was $1,234,567.89 [S0].", False), ("NOI was $1,324,567.89 [S0].", True))
]
SET = {
    "id": "made-1", "source": "Reports", "license": "CC-BY-4.0", "doc": "d1", "question": "What was revenue in 2019?",
    "answer_sentence": "The revenue in 2019 was $4,120 million.",
    "source_chunks": [{"id": "S0", "kind": "table", "text": "(in millions) | 2019 | 2018\nRevenue | $4,120 | $3,870"}],
    "perturbed_answer_sentence": "The revenue in 2019 was $3,870 million.", "perturbed_surface": "$3,870 million",
    "perturbation_kind": "off_period_value",
}  # fmt: skip


# --- the product, and how one talks to it ------------------------------------------------------------
@dataclass
class Product:
    """A running product: its process, its folder, where it is, and what ``./run`` printed until it was ready."""

    process: subprocess.Popen[bytes]
    var: Path
    port: int
    output: Path
    printed: str
    opened: dict[str, Any] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Where it is, as printed, without the slash at the end."""
        return f"http://localhost:{self.port}"

    @property
    def key(self) -> str:
        """The API key that was printed."""
        return str(re.findall(r"API key +(hallu_\S+)", self.printed)[0])

    @property
    def people(self) -> dict[str, tuple[str, str]]:
        """Role → log-in name and password, as printed."""
        return {
            role: (name, word)
            for role, name, word in re.findall(r"^  (\w+) +(\w+) / (\S+)$", self.printed, re.MULTILINE)
        }

    def command(self, line: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """A line of a document, run by the shell as a newcomer would, in the folder of the checkout."""
        variables = environment(self.var, self.port) | NO_LOT | {"KEY": self.key}
        return subprocess.run(
            ["sh", "-c", line], cwd=ROOT, env=variables, input=given, capture_output=True, text=True
        )

    def done(self, line: str, given: str = "") -> str:
        """What a command that has to succeed says."""
        ended = self.command(line, given)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def get(self, path: str, browser: Any = None) -> tuple[int, str, str]:
        """Status, address after redirects, and text of a page, asked for with the key or by a browser."""
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"Bearer {self.key}"})
        with (browser.open if browser else urllib.request.urlopen)(request, timeout=60) as response:
            return response.status, response.url, response.read().decode()

    def ask(self, path: str, body: dict[str, Any], key: str = "") -> Any:
        """The reply to a POST with the key."""
        headers = {
            "Authorization": f"Bearer {key or self.key}",
            "Content-Type": "application/json",
            "Prefer": "wait=10",
        }
        request = urllib.request.Request(self.url + path, data=json.dumps(body).encode(), headers=headers)
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    def judged(self, reply: Any) -> Any:
        """The result that a reply holds, or promises."""
        end = time.monotonic() + JUDGED_WITHIN
        while reply["status"] != "completed":
            assert time.monotonic() < end, reply
            time.sleep(0.2)
            reply = json.loads(self.get(f"/api/v1/answers/{reply['id']}/")[2])
        return reply

    def browser(self, role: str) -> Any:
        """Somebody with a role, logged in with what was printed."""
        if role not in self.opened:
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
            page = self.get("/login/", opener)[2]
            token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[0]
            name, password = self.people[role]
            sent = {"csrfmiddlewaretoken": token, "username": name, "password": password}
            opener.open(self.url + "/login/", urlencode(sent).encode(), timeout=60).close()
            self.opened[role] = opener
        return self.opened[role]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """What ``./run`` starts."""
    var, port = tmp_path_factory.mktemp("newcomer") / "var", free_port()
    with running(var, port, **NO_LOT) as (process, output):
        await_page(process, port, output)
        yield Product(process, var, port, output, output.read_text())


@pytest.fixture(scope="module")
def figures(product: Product) -> Path:
    """A file with the figures of two properties, imported as README says."""
    file = product.var / "FILE.csv"
    file.write_text(FIGURES)
    product.done(f"{MANAGE}import_financials {file}")
    return file


def number(result: Any, text: str) -> Any:
    """The claim of a result with this text."""
    return next(claim for claim in result["claims"] if claim["text"] == text)


# --- what ./run prints -------------------------------------------------------------------------------
def test_every_address_that_is_printed_opens(product: Product) -> None:
    addresses = set(re.findall(r"http://[^\s\\]+", product.printed))
    assert len(addresses) >= 3
    for address in addresses - {f"{product.url}/api/v1/answers/"}:  # the curl line posts there
        assert product.get(address.removeprefix(product.url))[0] == 200


@pytest.mark.parametrize("role", ["viewer", "reviewer", "senior", "admin"])
def test_every_log_in_that_is_printed_signs_in(product: Product, role: str) -> None:
    name, _ = product.people[role]
    status, address, page = product.get("/me/", product.browser(role))
    assert (status, address) == (200, f"{product.url}/me/")
    assert name.title() in page


def test_no_other_log_in_is_printed(product: Product) -> None:
    assert set(product.people) == {"viewer", "reviewer", "senior", "admin"}


def printed_curl(product: Product) -> str:
    """The command that ``./run`` printed."""
    return str(re.findall(r"^  (curl .*?)\nAPI documentation", product.printed, re.MULTILINE | re.DOTALL)[0])


def body_of(curl: str) -> Any:
    """What a curl line posts."""
    words = shlex.split(curl.replace("\\\n", " "))
    return json.loads(words[words.index("-d") + 1])


def test_the_printed_curl_line_is_that_of_the_readme(product: Product) -> None:
    (of_the_readme,) = (line for line in shell_lines(README) if line.startswith("curl"))
    assert body_of(printed_curl(product)) == body_of(of_the_readme)
    assert body_of(of_the_readme) == {"question": QUESTION, "answer": RIGHT, "sources": [SOURCE]}


def posted(product: Product, line: str) -> Any:
    """The result that a curl line leads to."""
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    return product.judged(json.loads(product.done(line)))


@pytest.fixture(scope="module")
def answered(product: Product) -> Any:
    """The result of the README's answer, by the line that ``./run`` printed."""
    return posted(product, printed_curl(product))


def test_the_number_of_the_readmes_answer_is_supported(answered: Any) -> None:
    assert number(answered, "$1.2 million")["status"] == "supported"


def test_the_readmes_answer_is_no_hallucination(answered: Any) -> None:
    assert answered["verdict"]["has_hallucinations"] is False
    assert answered["verdict"]["needs_review"] is False
    assert {claim["conclusion"]["word"] for claim in answered["claims"]} == {"supported"}


def test_a_wrong_twin_of_the_readmes_answer_is_flagged(product: Product) -> None:
    result = posted(product, printed_curl(product).replace("$1.2 million", "$1.5 million"))
    assert result["verdict"]["has_hallucinations"] is True
    assert number(result, "$1.5 million")["status"] == "contradicted"
    assert number(result, "$1.5 million")["conclusion"]["word"] == "wrong"


def test_the_demos_four_weeks_are_settled_while_it_runs(product: Product) -> None:
    past, judged = {demo.name for demo in demo_answers() if demo.past}, set[str]()
    before = (datetime.now(UTC) - timedelta(hours=20)).strftime("%Y-%m-%dT%H:%M:%SZ")
    address = f"/api/v1/answers/?status=completed&page_size=200&created_before={before}"
    end = time.monotonic() + JUDGED_WITHIN
    while judged != past:
        assert time.monotonic() < end, sorted(past - judged)
        time.sleep(0.5)
        judged = {row["external_id"] for row in json.loads(product.get(address)[2])["results"]}


# --- the commands of the documents -------------------------------------------------------------------
def shell_lines(document: str) -> list[str]:
    """Every command of a document's shell blocks, without comments, as it is to be typed."""
    found: list[str] = []
    for block in re.findall(r"^```(?:sh|bash|shell|console)?\n(.*?)^```", document, re.MULTILINE | re.DOTALL):
        waiting = ""
        for line in block.splitlines():
            waiting += re.sub(r"\s+# .*$", "", line)
            if waiting.endswith("\\") or waiting.count("'") % 2:
                waiting += "\n"
            else:
                found.append(waiting)
                waiting = ""
        assert not waiting, "a command without an end"
    return [line for line in found if line]


def tabled(document: str, heading: str) -> list[str]:
    """The first cells of the table under a heading, without its head."""
    part = document.split(f"{heading}\n", 1)[1].split("\n## ", 1)[0]
    return [
        line.split(" | ", 1)[0].removeprefix("| ")
        for line in part.splitlines()
        if re.match(r"\| (?!$|\|)", line)
    ][1:]


MANAGE = ".venv/bin/python manage.py "


def commands_of_the_table() -> list[str]:
    """What the table of commands says may be typed, options in their brackets."""
    return [code for cell in tabled(README, "## Commands") for code in re.findall(r"`([^`]+)`", cell)]


def lines(rows: list[Any]) -> str:
    """JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def run_itself(product: Product) -> None:
    assert f"ready at {product.url}/" in (product.var.parent / f"var-{product.port}.txt").read_text()


def run_its_tests(product: Product) -> None:
    said = product.done("./test -q tests/test_two_commands.py -k plain_shell")
    assert "1 passed" in said


def curl(product: Product) -> None:
    (line,) = (line for line in shell_lines(README) if line.startswith("curl"))
    result = posted(product, line.replace("http://localhost:8000", product.url))
    assert number(result, "$1.2 million")["status"] == "supported"


def detect(product: Product) -> None:
    asked, told = product.var / "IN.jsonl", product.var / "OUT.jsonl"
    asked.write_text(lines([{key: row[key] for key in row if key != "hallucinated"} for row in LABELLED]))
    product.done(f"{MANAGE}detect {asked} --output {told}")
    results = [json.loads(line) for line in told.read_text().splitlines()]
    assert [result["verdict"]["has_hallucinations"] for result in results] == [False, True]


def evaluate(product: Product) -> None:
    (product.var / "ANSWERS.jsonl").write_text(lines(LABELLED))
    told = product.var / "evaluated.json"
    said = product.done(f"{MANAGE}evaluate {product.var}/ANSWERS.jsonl --profile 1 --json {told}")
    assert said.startswith("2 answers, 1 labelled wrong, 1 flagged;")
    found = json.loads(told.read_text())
    assert (found["profile"], found["bad_lines"]) == (1, 0)
    assert product.done(f"{MANAGE}evaluate -", lines(LABELLED)).splitlines()[0] == said.splitlines()[0]


def replay(product: Product) -> None:
    key = re.findall(
        r"hallu_[\w-]+", product.done(f"{MANAGE}create_api_key owner --scopes admin --all-properties")
    )[0]
    drafted = product.ask("/api/v1/threshold-profiles/", {"values": {"base": {"overlap": 0.4}}}, key)
    assert drafted["version"] == 2
    said = product.done(f"{MANAGE}replay --profile 2 --since 2026-11-01")
    assert re.match(
        r"Version 2 \(draft\) beside version 1 \(active\), 2026-11-01 to \S+: [\d,]+ answers", said
    )


def load_labelled(product: Product) -> None:
    given = product.var / "SET.jsonl.gz"
    given.write_bytes(gzip.compress(lines([SET]).encode()))
    said = product.done(f"{MANAGE}load_labelled {given} --limit 500")
    assert "2 answers, 2 chosen" in said


def import_financials(product: Product) -> None:
    (product.var / "again.csv").write_text(FIGURES.replace("ELM,Elm House", "ASH,Ash House"))
    said = product.done(f"{MANAGE}import_financials {product.var}/again.csv --dry-run")
    assert "properties: " in said
    assert "new properties: ASH" in said


def create_api_key(product: Product) -> None:
    key = re.findall(
        r"hallu_[\w-]+", product.done(f"{MANAGE}create_api_key NAME --scopes submit,read --all-properties")
    )[0]
    assert product.ask("/api/v1/answers/", {"answer": "Nothing."}, key)["id"]


def rotate_api_key(product: Product) -> None:
    made = f"{MANAGE}create_api_key turned --scopes submit --all-properties"
    old, new = (
        re.findall(r"hallu_[\w-]+", product.done(command))[0]
        for command in (made, f"{MANAGE}rotate_api_key turned --overlap 1")
    )
    assert old != new
    for secret in (old, new):
        assert product.ask("/api/v1/answers/", {"answer": "Nothing."}, secret)["id"]


def seed_demo(product: Product) -> None:
    said = product.done(f"{MANAGE}seed_demo")
    assert "0 new answers" in said
    assert said.split("\n", 1)[1].strip() in product.printed


def verify_audit(product: Product) -> None:
    product.done(f"{MANAGE}sweep --once")
    said = product.done(f"{MANAGE}verify_audit --heads {product.var}/audit/heads.jsonl")
    assert "heads.jsonl, whole" in said


def verifier_status(product: Product) -> None:
    assert "local: output_verification" in product.done(f"{MANAGE}verifier_status --probe")


def catalogs(product: Product) -> None:
    assert " 0 faults" in product.done(f"{MANAGE}catalogs --check")


def backup_and_restore(product: Product) -> None:
    """Restored beside the product, with its secret key; the product's own database is in use."""
    kept, beside = product.var.with_suffix(".backup"), product.var.with_name("beside")
    beside.mkdir()
    shutil.copy(product.var / "secret_key", beside)
    product.done(f"{MANAGE}backup {kept}")
    assert "The database has tables" in product.command(f"{MANAGE}restore {kept}").stderr
    said = product.done(f"HALLU_VAR={beside} {MANAGE}restore {kept}")
    assert "Every table has the rows that it had." in said
    assert "All histories are whole." in said


def refused(command: str, why: str) -> Callable[[Product], None]:
    """A command that the product beside it leaves no room for; ``./run`` has run it."""

    def tried(product: Product) -> None:
        ended = product.command(MANAGE + command)
        assert ended.returncode == 1
        assert why in ended.stderr

    return tried


def capacity(product: Product) -> None:
    """A million a day is ten a second or more, for which one processor does not do."""
    told = product.done(f"{MANAGE}capacity --answers-per-day 1000000")
    assert re.search(r"average and peak +11\.57 · 34\.72", told)
    (cores,) = re.findall(r"processors at the peak.* ([\d.]+)", told)
    assert float(cores) > 1


SHELL = """
import json
evidence = ["The tower has 312 units and opened in 2019. It belongs to a pension fund."]
true, false = "The tower belongs to a pension fund.", "The tower opened in 2009."
source = [{"id": "S0", "text": "Net operating income for Q3 2024 was $1,234,567.89."}]
def face(answer):
    from reviews.toolkit import HallucinationDetector
    sources, property_id, period_id = source, None, None
    return LINE
print("RESULT" + json.dumps({
    "claim": [verify_claim(said, evidence)["status"] for said in (true, false)],
    "claims": [one["status"] for one in verify_claims(true, evidence)],
    "fact": [gate_fact(said, 0.9, evidence)["status"] for said in (true, false)],
    "trace": [step["status"] for step in audit_trace([true], evidence)["steps"]],
    "judge": [judge(said, sources=source)["claims"][-1]["status"] for said in (RIGHT, WRONG)],
    "face": [face(said)["has_hallucinations"] for said in (RIGHT, WRONG)],
}, default=str))
"""


def shell(product: Product) -> None:
    """With the line of Python that README gives, and the gate switched on as it says."""
    (line,) = re.findall(r"In Python: `([^`]+)`", README)
    code = SHELL.replace("LINE", line).replace("RIGHT", repr(RIGHT)).replace("WRONG", repr(WRONG))
    said = product.done(f"HALLU_MEMORY_GATE=true {MANAGE}shell --command {shlex.quote(code)}")
    assert json.loads(said.split("RESULT")[1]) == {
        "claim": ["supported", "contradicted"],
        "claims": ["supported"],
        "fact": ["verified", "ErrFactNotGrounded"],
        "trace": ["ENTAILED"],
        "judge": ["supported", "contradicted"],
        "face": [False, True],
    }


TRIED: dict[str, Callable[[Product], None]] = {
    "./run": run_itself,
    "./test": run_its_tests,
    "curl": curl,
    f"{MANAGE}evaluate ANSWERS.jsonl": evaluate,
    f"{MANAGE}replay --profile 2 --since 2026-11-01": replay,
    f"{MANAGE}load_labelled SET.jsonl.gz --limit 500": load_labelled,
    "detect IN.jsonl --output OUT.jsonl": detect,
    "evaluate FILE [--profile N] [--json OUT]": evaluate,
    "replay --profile N --since DATE": replay,
    "load_labelled FILE…": load_labelled,
    "import_financials FILE [--dry-run]": import_financials,
    "create_api_key NAME --scopes submit,read --all-properties": create_api_key,
    "capacity --answers-per-day N": capacity,
    "rotate_api_key NAME [--overlap DAYS]": rotate_api_key,
    "seed_demo": seed_demo,
    "verify_audit [--heads FILE]": verify_audit,
    "shell": shell,
    "verifier_status [--probe] [--sampled]": verifier_status,
    "erase --answer ID… \\| --asked-by NAME": refused(
        "erase --answer 00000000-0000-0000-0000-000000000000 --dry-run", "There is no answer"
    ),
    "catalogs [--check]": catalogs,
    "prepare": refused("prepare", "cannot be used"),
    "up": refused("up", "Hallu already runs"),
    "backup FILE": backup_and_restore,
    "restore FILE": backup_and_restore,
    "process NAME": refused("process web fast", "can be one process together"),
}
"""Every command of README, as it stands there, and what tries it; the curl line by its first word."""


def test_no_command_of_the_readme_is_left_out() -> None:
    written = [line.split()[0] if line.startswith("curl") else line for line in shell_lines(README)]
    assert {*written, *commands_of_the_table()} == set(TRIED)


@pytest.mark.parametrize("tried", dict.fromkeys(TRIED.values()), ids=lambda tried: tried.__name__)
def test_every_command_of_the_readme_does_what_it_says(
    product: Product, tried: Callable[[Product], None]
) -> None:
    tried(product)


def test_every_address_of_the_readme_opens(product: Product) -> None:
    senior = product.browser("senior")
    paths = set(re.findall(r"`(/[\w/-]+)`", README)) | set(
        re.findall(r"http://localhost:8000(/[\w/]*)", README)
    )
    assert len(paths) >= 10
    for path in sorted(paths):
        status, address, _ = product.get(path, senior)
        assert (status, address) == (200, product.url + path)


# --- how a number is checked -------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Checked:
    """An answer about Elm House's third quarter; what its number is found to be, and what the page calls that."""

    answer: str
    number: str
    status: str
    finding: str
    word: str
    told: str = ""
    tolerant: bool = False
    question: str = QUESTION


WRONG_ROW = "wrong period, property, metric, scale, sign, digits swapped"
ROWS: dict[str, list[Checked]] = {
    "supported": [
        Checked("Net operating income was $1,234,567.89.", "$1,234,567.89", "supported", "exact", "supported"),
        Checked("NOI was $1.23 million.", "$1.23 million", "supported", "exact", "supported"),
    ],
    "within tolerance": [
        Checked("NOI was $1,240,000.00.", "$1,240,000.00", "supported", "inexact", "within tolerance", "0.4400 % apart", tolerant=True),
    ],
    "computed": [
        Checked(
            "NOI grew 5.2% from Q2 2024 to Q3 2024.", "5.2%", "supported", "derived", "Computed",
            "(1,234,567.89 − 1,173,500) / 1,173,500 = 5.2 %",
        ),
    ],
    WRONG_ROW: [
        Checked(f"NOI was {text}.", text, "contradicted", finding, word, told)
        for text, finding, word, told in (
            ("$1,173,500.00", "off_period", "wrong period", "equals net operating income of ELM, Q2 2024"),
            ("$1,355,400.00", "off_property", "wrong property", "net operating income of BIRCH"),
            ("$900,000.00", "off_metric", "wrong metric", "operating expenses"),
            ("$1,234.57", "scale", "wrong scale", "divided by 1,000"),
            ("-$1,234,567.89", "sign", "wrong sign", "opposite sign"),
            ("$1,324,567.89", "transposed", "digits swapped", "two digits changed round"),
        )
    ],
    "contradicted": [
        Checked("NOI was $1,900,000.00.", "$1,900,000.00", "contradicted", "contradicted", "contradicted", "53.90 % apart"),
    ],
    "not found": [
        Checked("Parking income was $77,777.00.", "$77,777.00", "unsupported", "not_found", "not found", "No figure of record states"),
    ],
    "not verified": [
        Checked(
            "In Q3 2024, Elm House came to $1,234,567.89.", "$1,234,567.89", "unverified", "unbound", "names no metric",
            "names no metric", question="How did Elm House do in Q3 2024?",
        ),
    ],
}  # fmt: skip


def test_no_row_of_how_a_number_is_checked_is_left_out() -> None:
    assert tabled(README, "## How a number is checked") == list(ROWS)


def activate(product: Product, values: dict[str, Any]) -> None:
    """Make these the thresholds of every answer from now on."""
    code = f"from detection.models import ThresholdProfile; ThresholdProfile.draft({values!r}).activate()"
    product.done(f"{MANAGE}shell --command {shlex.quote(code)}")


@pytest.mark.parametrize("row", [row for rows in ROWS.values() for row in rows], ids=lambda row: row.finding)
@pytest.mark.usefixtures("figures")
def test_a_number_is_checked_as_the_readme_says(product: Product, row: Checked) -> None:
    body = {
        "question": row.question,
        "answer": row.answer,
        "property": "ELM",
        "period": "Q3 2024",
    }
    if row.tolerant:
        activate(product, {"base": {"exact_numbers": False}})
    result = product.judged(product.ask("/api/v1/answers/", body))
    if row.tolerant:
        activate(product, {})
    claim = number(result, row.number)
    assert (claim["status"], claim["finding"]) == (row.status, row.finding)
    assert row.told in claim["reason"]
    assert {"expected", "deviation", "tolerance", "arithmetic"} <= set(claim["numeric"])
    page = product.get(f"/answers/{result['id']}/", product.browser("viewer"))[2]
    assert row.word in page


# --- the examples ------------------------------------------------------------------------------------
def test_no_example_is_left_out() -> None:
    assert {path.name for path in EXAMPLES.iterdir() if path.is_file()} == {
        "README.md", "answer.json", "check_answer.py", "check_answer.sh", "n8n-workflow.json",
    }  # fmt: skip
    typed = re.findall(r"`([^`]*(?:python|sh) [^`]*)`", HOW_TO_RUN_EXAMPLES)
    assert typed == [
        "python manage.py create_api_key NAME --scopes submit,read --all-properties",
        "python check_answer.py < answer.json",
        "sh check_answer.sh < answer.json",
    ]


def of_an_example(product: Product, line: str) -> str:
    """What an example prints, started as its README says."""
    own = shlex.quote(str(ROOT / ".venv" / "bin"))
    return product.done(
        f"cd examples && PATH={own}:$PATH HALLU_URL={product.url} HALLU_KEY={product.key} && export HALLU_URL HALLU_KEY && {line}"
    )


def test_the_python_example_adds_its_warning(product: Product) -> None:
    assert of_an_example(product, "python check_answer.py < answer.json").endswith(f"\n\n{WARNING}\n")


def test_the_python_example_leaves_a_right_answer_alone(product: Product) -> None:
    right = of_an_example(product, "sed s/1,324,567.89/1,234,567.89/ answer.json | python check_answer.py")
    assert right == "NOI was $1,234,567.89 [S0].\n"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_curl_example_prints_the_result(product: Product) -> None:
    result = product.judged(json.loads(of_an_example(product, "sh check_answer.sh < answer.json")))
    assert result["warning"] == WARNING


def test_what_the_workflow_of_n8n_posts_is_judged(product: Product) -> None:
    item = json.loads(NODES["Answer"]["parameters"]["jsonOutput"])
    asked = NODES["Check"]["parameters"]
    assert filled(asked["url"], item, product.url) == f"{product.url}/api/v1/answers/"
    result = product.judged(product.ask("/api/v1/answers/", json.loads(filled(asked["jsonBody"], item))))
    assert (result["verdict"]["has_hallucinations"], result["warning"]) == (True, WARNING)


def test_the_address_that_stores_nothing_takes_the_same_body(product: Product) -> None:
    (path,) = re.findall(r"the same body to `([^`]+)`", " ".join(HOW_TO_RUN_EXAMPLES.split()))
    result = product.ask(path, json.loads((EXAMPLES / "answer.json").read_text()))
    assert (result["id"], result["verdict"]["has_hallucinations"]) == (None, True)


# --- stopping and starting again: the end of the product of this file ---------------------------------
def processes_of(var: Path) -> list[str]:
    """The command lines of every process that runs with this HALLU_VAR, whatever its session."""
    mark, found = f"HALLU_VAR={var}\0".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


def ended(product: subprocess.Popen[bytes], var: Path, output: Path) -> None:
    """Assert that ``./run`` comes to its end and leaves nothing running."""
    assert product.wait(GIVEN_UP_AFTER) == 0
    assert processes_of(var) == []
    assert "Traceback" not in output.read_text()


def welcome(printed: str) -> str:
    """The log-ins and the key that are printed."""
    return printed[printed.index("  viewer") :].split("API documentation")[0]


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc to see every process")
def test_ctrl_c_leaves_nothing_running_and_a_second_start_shows_the_same_log_ins(product: Product) -> None:
    var, port = product.var, product.port
    assert len(processes_of(var)) >= 4
    os.killpg(product.process.pid, signal.SIGINT)
    ended(product.process, var, product.output)
    with running(var, port, **NO_LOT) as (process, output):
        await_page(process, port, output)
        assert welcome(output.read_text()) == welcome(product.printed)
        process.terminate()
        ended(process, var, output)
