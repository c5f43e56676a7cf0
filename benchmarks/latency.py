"""How long does an answer take, and what memory is used? Against a running ``manage.py up``:

    python -m benchmarks.latency --key KEY [--url http://localhost:8000] [--answers 100] [--rate 10] [--up PID]

Posts typical answers (``perf_answers.jsonl`` of ``HALLU_DATA``, else one built-in) at a steady rate, each from
a thread of its own, and asks for each every 10 ms until it is completed. Prints the percentiles of POST and of
POST → completed, and with ``--up`` (the supervisor's process id) the proportional memory of each process.
"""

import argparse
import http.client
import json
import os
import re
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

BUILT_IN = (
    "Compared with the prior year, net operating income increased by 5.2 percent to $1,234,567 [S0]. "
    "Occupancy stood at 95.2% at the end of Q3 2024, and management expects leasing to remain steady [S1]. "
    "With a DSCR of 1.25x the property continues to satisfy the covenant of the senior loan [S2]. "
    "The operating expenses were $987,654.32, which represents 38% of the budget for the period [S0]. "
    "No material events affecting the rent roll were disclosed in the documents that were retrieved."
)
LIMIT_SECONDS = 60.0


def texts(count: int) -> list[str]:
    """``count`` answers of about 580 characters."""
    path = Path(os.environ.get("HALLU_DATA", ""), "perf_answers.jsonl")
    known = [BUILT_IN]
    if path.is_file():
        known = [json.loads(line)["answer"] for line in path.read_text(encoding="utf-8").splitlines()]
    return [known[number % len(known)] for number in range(count)]


def body(text: str) -> str:
    """A submission whose sources repeat most of what the answer says."""
    marks = sorted(set(re.findall(r"\[(S\d+)\]", text))) or ["S0"]
    cited = text.split(". ")
    sources = [{"id": mark, "text": ". ".join(cited[: n + 2]), "score": 0.8} for n, mark in enumerate(marks)]
    return json.dumps(
        {
            "question": "How did the property do?",
            "answer": text,
            "sources": sources,
            "original_confidence": 0.9,
        }
    )


class Caller:
    """One backend: posts an answer and waits for its result."""

    def __init__(self, url: str, key: str) -> None:
        self.address = urlsplit(url)
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self.posted: list[float] = []
        self.completed: list[float] = []
        self.failed: list[str] = []

    def ask(self, text: str) -> None:
        """Post, then ask until completed; times in milliseconds."""
        connection = http.client.HTTPConnection(
            self.address.hostname or "localhost", self.address.port, timeout=30
        )
        began = time.perf_counter()
        status, answer = self._call(connection, "POST", "/api/v1/answers/", body(text))
        self.posted.append((time.perf_counter() - began) * 1000)
        while status in (200, 202) and answer["status"] not in ("completed", "needs_attention"):
            time.sleep(0.01)
            if time.perf_counter() - began > LIMIT_SECONDS:
                break
            status, answer = self._call(connection, "GET", f"/api/v1/answers/{answer['id']}/")
        if status in (200, 202) and answer["status"] == "completed":
            self.completed.append((time.perf_counter() - began) * 1000)
        else:
            self.failed.append(f"{status} {answer.get('status')}")
        connection.close()

    def _call(
        self, connection: http.client.HTTPConnection, method: str, path: str, sent: str | None = None
    ) -> tuple[int, dict[str, Any]]:
        connection.request(method, path, sent, self.headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read() or b"{}")


def percentiles(times: list[float]) -> str:
    """``p50`` and ``p95`` of milliseconds."""
    if len(times) < 2:
        return "not enough to tell"
    steps = statistics.quantiles(times, n=20, method="inclusive")
    return f"p50 {steps[9]:.0f} ms, p95 {steps[18]:.0f} ms, most {max(times):.0f} ms"


def below(parent: int) -> Iterator[int]:
    """A process and all processes below it."""
    yield parent
    for task in Path(f"/proc/{parent}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from below(int(child))


def memory(up: int) -> Iterator[tuple[str, float]]:
    """Each process of a supervisor with its proportional set size in MB."""
    for pid in below(up):
        command = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
        pss = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
        yield name_of(command), int(pss.group(1)) / 1024 if pss else 0.0


def name_of(command: str) -> str:
    """The process's part in the installation, from its command line."""
    signs = {
        "supervisor.py": "supervisor",
        "gunicorn": "web",
        "--queues fast": "worker fast",
        "--queues verify": "worker verify",
    }
    for sign, name in signs.items():
        if sign in command:
            return name
    return "sweep" if command.endswith("sweep") else command[:14]


def main() -> int:
    """Measure and print; 1 when an answer did not complete."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--key", required=True)
    parser.add_argument("--url", default="http://localhost:8000")
    parser.add_argument("--answers", type=int, default=100)
    parser.add_argument("--rate", type=float, default=10.0, help="answers a second")
    parser.add_argument("--up", type=int, help="process id of manage.py up, for the memory")
    chosen = parser.parse_args()
    caller = Caller(chosen.url, chosen.key)
    load(caller, texts(chosen.answers), chosen.rate)
    print(f"{chosen.answers} answers at {chosen.rate:g}/s: {len(caller.completed)} completed")
    print(f"POST             {percentiles(caller.posted)}")
    print(f"POST → completed {percentiles(caller.completed)}")
    for name, megabytes in memory(chosen.up) if chosen.up else ():
        print(f"memory {name:<14} {megabytes:6.1f} MB")
    for failure in caller.failed:
        print(f"failed: {failure}")
    return 1 if caller.failed or len(caller.completed) < chosen.answers else 0


def load(caller: Caller, answers: list[str], rate: float) -> None:
    """Post at a steady rate, whatever the server does meanwhile."""
    threads, began = [], time.monotonic()
    for number, text in enumerate(answers):
        time.sleep(max(0.0, began + number / rate - time.monotonic()))
        threads.append(threading.Thread(target=caller.ask, args=[text]))
        threads[-1].start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    sys.exit(main())
