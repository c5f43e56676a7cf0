"""Real questions over real filings, all the way through: command line, HTTP, queue, browser.

    python -m benchmarks.real_input FILE                       every sentence through ``manage.py detect``
    python -m benchmarks.real_input FILE --url URL --key KEY   and 200 of them through a running server
    … --login NAME:PASSWORD [--screenshot OUT.png]             and one of those corrected in Chromium

FILE is the labelled file of numeric verification (a true and a wrong sentence with their sources a row).
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
POSTED, AT_ONCE, PATIENCE = 200, 20, 180.0
CHROMIUM_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def bodies(file: Path) -> list[dict[str, Any]]:
    """Two submissions a row: the true sentence and the wrong one, each with the row's sources."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [_body(row, name) for row in rows for name in ("answer_sentence", "perturbed_answer_sentence")]


def _body(row: dict[str, Any], name: str) -> dict[str, Any]:
    return {
        "external_id": f"{row['id']}:{name}",
        "question": row["question"],
        "answer": row[name],
        "original_confidence": 0.9,
        "sources": [{"id": chunk["id"], "text": chunk["text"]} for chunk in row["source_chunks"]],
    }


def through_the_command_line(submissions: list[dict[str, Any]]) -> None:
    """Judge all of them with ``manage.py detect`` and check every claim's offsets."""
    with tempfile.TemporaryDirectory() as folder:
        given, judged = Path(folder) / "in.jsonl", Path(folder) / "out.jsonl"
        given.write_text("\n".join(json.dumps(body) for body in submissions), encoding="utf-8")
        started = time.perf_counter()
        command = [sys.executable, "manage.py", "detect", str(given), "--output", str(judged)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        took = time.perf_counter() - started
        results = [json.loads(line) for line in judged.read_text(encoding="utf-8").splitlines()]
    claims = [
        (body["answer"], claim)
        for body, result in zip(submissions, results, strict=True)
        for claim in result["claims"]
    ]
    off = [
        claim["text"] for answer, claim in claims if answer[claim["start"] : claim["end"]] != claim["text"]
    ]
    print(
        f"manage.py detect: {len(results)} of {len(submissions)} answers, exit {done.returncode}, {took:.1f} s"
    )
    print(f"  claims {len(claims)}, offsets that do not slice back {len(off)}")
    print(done.stderr[-2000:] or "  nothing on stderr")


class Backend:
    """A backend that submits answers and reads results over HTTP."""

    def __init__(self, url: str, key: str) -> None:
        self.url, self.key = url.rstrip("/"), key

    def call(self, path: str, body: Any = None) -> Any:
        """One request; raises for any status that is not a success."""
        request = urllib.request.Request(self.url + path, method="POST" if body is not None else "GET")
        request.add_header("Authorization", f"Bearer {self.key}")
        request.add_header("Content-Type", "application/json")
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(request, data=data, timeout=60) as response:
            return json.loads(response.read())

    def submit_and_wait(self, body: dict[str, Any]) -> dict[str, Any]:
        """Post one answer and poll until it is judged or patience ends."""
        posted = self.call("/api/v1/answers/", body)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            result: dict[str, Any] = self.call(f"/api/v1/answers/{posted['id']}/")
            if result["status"] in ("completed", "needs_attention"):
                return result
            time.sleep(0.25)
        return {"id": posted["id"], "status": "not finished in time"}


def through_the_server(backend: Backend, submissions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Post 200 of them, 20 at a time, and count what became of them."""
    stamp = int(time.time())
    chosen = [{**body, "external_id": f"{body['external_id']}:{stamp}"} for body in submissions[:POSTED]]
    started = time.perf_counter()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(backend.submit_and_wait, chosen))
    completed = [result for result in results if result["status"] == "completed"]
    doubtful = [result for result in completed if result["verdict"]["needs_review"]]
    queued = [result for result in doubtful if result["review"]]
    print(f"HTTP: {len(completed)} of {len(chosen)} completed in {time.perf_counter() - started:.1f} s")
    print(f"  doubtful {len(doubtful)}, of these in the queue {len(queued)}")
    return queued


def with_a_wrong_number(results: list[dict[str, Any]]) -> dict[str, Any]:
    """The first result with a contradicted number, else the first."""
    wrong = (
        result
        for result in results
        if any(
            claim["kind"] != "statement" and claim["status"] == "contradicted" for claim in result["claims"]
        )
    )
    return next(wrong, results[0])


def through_the_browser(backend: Backend, result: dict[str, Any], login: str, screenshot: str) -> None:
    """Correct and resolve one review in Chromium, and read the resolution back."""
    from playwright.sync_api import sync_playwright

    name, password = login.split(":", 1)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 860})
        page.goto(f"{backend.url}/login/")
        page.fill("input[name=username]", name)
        page.fill("input[name=password]", password)
        page.click("[data-testid=login] button")
        page.goto(f"{backend.url}/reviews/{result['review']['id']}/")
        correct_and_resolve(page, screenshot)
        browser.close()
    read = backend.call(f"/api/v1/answers/{result['id']}/")
    print(f"Browser: review {read['review']}")


def correct_and_resolve(page: Any, screenshot: str) -> None:
    """Correct the first number that asks for a decision, reject what else does, then resolve."""
    page.locator("[data-testid=lease][data-state=mine]").wait_for()
    undecided = page.locator("[data-testid=claim][data-flagged=true][data-state=undecided]")
    numbers = page.locator("[data-testid=claim][data-flagged=true][data-state=undecided]:not(.statement)")
    verdict, value = "corrected", "$1.0 million"
    while undecided.count():
        left = undecided.count()
        (numbers if numbers.count() else undecided).first.click()
        page.locator(f"[data-testid=open-{verdict}]:visible").click()
        if value:
            page.locator("[data-testid=corrected-value]:visible").fill(value)
        page.locator(f"[data-testid=verdict-{verdict}]:visible").click()
        page.wait_for_function(
            "left => document.querySelectorAll('[data-testid=claim][data-flagged=true][data-state=undecided]').length < left", arg=left
        )  # fmt: skip
        verdict, value = "rejected", ""
    page.screenshot(path=screenshot, caret="initial")
    page.locator("[data-testid=resolve]").click()
    page.wait_for_load_state("networkidle")


def main() -> None:
    """Run the parts that the arguments ask for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--url")
    parser.add_argument("--key", default="")
    parser.add_argument("--login")
    parser.add_argument("--screenshot", default="walk.png")
    options = parser.parse_args()
    submissions = bodies(options.file)
    through_the_command_line(submissions)
    if options.url:
        backend = Backend(options.url, options.key)
        queued = through_the_server(backend, submissions)
        if options.login and queued:
            through_the_browser(backend, with_a_wrong_number(queued), options.login, options.screenshot)


if __name__ == "__main__":
    main()
