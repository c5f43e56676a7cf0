"""What does an installation bear? ``python -m benchmarks.load [--workers 1 2 4] [--answers 400]`` prints Markdown tables.

For SQLite with the embedded broker, then for PostgreSQL with Redis, both of its own, and each number of answers that a lane
judges at a time: starts the processes as ``manage.py process`` does, submits typical answers over HTTP as fast as
``--clients`` clients can, waits until all are judged, and does so again while a reviewer opens pages. CPU time is read from
/proc and does not grow with what else the machine does; the clock does.
"""

import argparse
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.faults.clients import Clients
from benchmarks.installation import Installation, cpu_seconds, megabytes, running, set_up, stores
from tests.servers import Cluster

CONFIGURATIONS = {"SQLite": ("sqlite", "embedded"), "PostgreSQL, Redis": ("postgresql", "redis")}
BUILT_IN = (
    "Compared with the prior year, net operating income increased by 5.2 percent to $1,234,567 [S0]. "
    "Occupancy stood at 95.2% at the end of Q3 2024, and management expects leasing to remain steady [S1]. "
    "With a DSCR of 1.25x the property continues to satisfy the covenant of the senior loan [S2]. "
    "The operating expenses were $987,654.32, which represents 38% of the budget for the period [S0]. "
    "No material events affecting the rent roll were disclosed in the documents that were retrieved."
)
PATIENCE = 600.0
"""Seconds without an answer judged after which the benchmark gives up."""


def texts() -> list[str]:
    """Typical answers of about 580 characters: ``perf_answers.jsonl`` of ``HALLU_DATA``, else one."""
    path = Path(os.environ.get("HALLU_DATA", ""), "perf_answers.jsonl")
    if not path.is_file():
        return [BUILT_IN]
    return [json.loads(line)["answer"] for line in path.read_text(encoding="utf-8").splitlines()]


def submission(text: str) -> dict[str, object]:
    """An answer whose sources repeat most of what it says."""
    marks = sorted(set(re.findall(r"\[(S\d+)\]", text))) or ["S0"]
    said = text.split(". ")
    sources = [{"id": mark, "text": ". ".join(said[: n + 2]), "score": 0.8} for n, mark in enumerate(marks)]
    return {
        "question": "How did the property do?",
        "answer": text,
        "sources": sources,
        "original_confidence": 0.9,
    }


class Reviewer(threading.Thread):
    """Opens one page after the other, with a pause as of somebody who reads."""

    def __init__(
        self, port: int, cookie: str, addresses: Callable[[], Mapping[str, str]], pause: float
    ) -> None:
        super().__init__(daemon=True)
        self._port, self._cookie, self._addresses, self._pause = port, cookie, addresses, pause
        self.over = threading.Event()
        self.seconds: dict[str, list[float]] = {}

    def run(self) -> None:
        """Until it is over."""
        while not self.over.is_set():
            for name, address in self._addresses().items():
                self.seconds.setdefault(name, []).append(self._open(address))
                self.over.wait(self._pause)

    def _open(self, address: str) -> float:
        connection, begun = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60), time.monotonic()
        connection.request("GET", address, headers={"Cookie": self._cookie})
        response = connection.getresponse()
        response.read()
        connection.close()
        if response.status != 200:
            raise SystemExit(f"{address} answered {response.status}.")
        return time.monotonic() - begun


def at(seconds: list[float], share: float) -> float:
    """The milliseconds that this share does not exceed."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000 if ordered else 0.0


def processes(workers: int) -> dict[str, list[str]]:
    """The installation: two web processes, both lanes with so many answers at a time, a sweeper."""
    lanes = {lane: [lane, "--concurrency", str(workers)] for lane in ("fast", "verify")}
    return {"web": ["web", "--concurrency", "2"], **lanes, "sweep": ["sweep"]}


class Load:
    """One configuration under load."""

    def __init__(
        self, there: Installation, own: Mapping[str, Any], told: argparse.Namespace, key: str
    ) -> None:
        from django.conf import settings

        from benchmarks.faults import counting

        self.there, self.own, self.told, self.port = there, own, told, settings.HALLU_PORT
        self.key, self.texts = key, texts()
        self.first = counting.ended()

    def pids(self) -> dict[str, int]:
        """The main process of each kind, those of the benchmark's own servers too."""
        found = {name: pid for name in self.there.children if (pid := self.there.pid(name))}
        for name, server in self.own.items():
            cluster = isinstance(server, Cluster)
            found[name] = server.server.get_pid() if cluster else server.process.pid
        return found

    def warm_up(self) -> None:
        """Let every process load what it loads once."""
        self._submitted(20)

    def _says(self, number: int) -> dict[str, object]:
        return submission(f"{self.texts[number % len(self.texts)]} This is number {number}.")

    def _submitted(self, count: int) -> tuple[Clients, float, float]:
        """Submit so many answers; when all were taken in, and when all were judged (seconds)."""
        from benchmarks.faults import counting

        numbers = range(self.first, self.first + count)
        self.first += count
        clients = Clients(
            self.port, self.key, answers=numbers, count=self.told.clients, repeats=0.0, says=self._says
        )
        begun = moved = time.monotonic()
        clients.start()
        taken = ended = 0.0
        while ended < self.first:
            self.there.look()
            time.sleep(0.05)
            if not taken and clients.done():
                taken = time.monotonic() - begun
            now = counting.ended()
            moved = time.monotonic() if now > ended else moved
            ended = now
            if time.monotonic() - moved > PATIENCE:
                raise SystemExit(f"{ended} of {self.first} answers were judged, and then none.")
        return clients, taken, time.monotonic() - begun

    def measured(self, reviewer: Reviewer | None = None) -> dict[str, Any]:
        """Submit the answers, wait for all, and say what it took."""
        before = {name: cpu_seconds(pid) for name, pid in self.pids().items()}
        if reviewer:
            reviewer.start()
        clients, taken, judged = self._submitted(self.told.answers)
        if reviewer:
            reviewer.over.set()
            reviewer.join()
        count = self.told.answers
        used = {name: cpu_seconds(pid) - before.get(name, 0.0) for name, pid in self.pids().items()}
        return {
            "post": [at(clients.ledger.seconds, share) for share in (0.5, 0.95, 0.99)],
            "posts": count / taken,
            "answers": count / judged,
            "cpu": {name: seconds / count * 1000 for name, seconds in used.items()},
            "said": dict(clients.ledger.said),
        }


def addresses() -> dict[str, str]:
    """The pages that a reviewer opens."""
    from django.urls import reverse

    from reviews.models import HallucinationReview

    review = (
        HallucinationReview.objects.filter(state="open").order_by("?").values_list("pk", flat=True).first()
    )
    one = {"review": reverse("review", args=[review])} if review else {}
    return {"queue": reverse("queue"), **one, "dashboard": reverse("dashboard")}


def signed_in() -> str:
    """The cookie of somebody who may see everything."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    person = User.objects.create_superuser("load", password=None)
    browser = Client()
    browser.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}"


def one(told: argparse.Namespace) -> dict[int, dict[str, Any]]:
    """Measure the configuration of that name with each number of workers, in this process."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # everything that was started ends first
    database, broker = CONFIGURATIONS[told.one]
    with tempfile.TemporaryDirectory(prefix="hallu-load-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)  # started by root, PostgreSQL runs as a user of its own and must reach its data
        with stores(database, broker, folder) as given:
            set_up(given, folder, HALLU_SECOND_FACTOR="false")
            from django.core.management import call_command

            from detection.models import ApiKey

            call_command("collectstatic", interactive=False, verbosity=0)
            key, cookie, found = ApiKey.issue("load", ["submit", "read"])[1], signed_in(), {}
            for workers in told.workers:
                with running(processes(workers), folder / "log") as there:
                    found[workers] = _measured(Load(there, given.own, told, key), cookie, told.pause)
                print(f"{told.one}, {workers}: measured", file=sys.stderr, flush=True)
            return found


def _measured(load: Load, cookie: str, pause: float) -> dict[str, Any]:
    load.warm_up()
    alone = load.measured()
    reviewer = Reviewer(load.port, cookie, addresses, pause)
    together = load.measured(reviewer)
    memory = {kind: megabytes(pid) for kind, pid in load.pids().items() if kind != "database"}
    pages = {page: [at(each, 0.5), at(each, 0.95)] for page, each in reviewer.seconds.items()}
    return {"alone": alone, "together": together, "memory": memory, "pages": pages}


def table(rows: Mapping[tuple[str, int], dict[str, Any]]) -> None:
    """Print what was found."""
    print("| stores | answers at a time in each lane | POST p50 / p95 / p99 ms | POST/s | web CPU ms a POST | answers/s | CPU ms an answer: fast, verify, sweep, database, broker | of all |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|")
    for (name, workers), found in rows.items():
        for when in ("alone", "together"):
            part = found[when]
            cpu = part["cpu"]
            kinds = " · ".join(f"{cpu.get(kind, 0.0):.1f}" for kind in ("fast", "verify", "sweep", "database", "broker"))  # fmt: skip
            told = name if when == "alone" else f"{name}, pages meanwhile"
            print(
                f"| {told} | {workers} | {' / '.join(f'{ms:.0f}' for ms in part['post'])} | {part['posts']:.0f} | "
                f"{cpu['web']:.1f} | {part['answers']:.1f} | {kinds} | {sum(cpu.values()):.1f} |"
            )
    print("\n| stores | answers at a time | queue p50 / p95 ms | review | dashboard | memory MB (PSS): web, fast, verify, sweep |")  # fmt: skip
    print("|---|---|---|---|---|---|")
    for (name, workers), found in rows.items():
        pages = " | ".join(
            " / ".join(f"{ms:.0f}" for ms in found["pages"].get(page, ())) for page in ("queue", "review", "dashboard")
        )  # fmt: skip
        memory = " · ".join(f"{found['memory'][kind]:.0f}" for kind in ("web", "fast", "verify", "sweep"))
        print(f"| {name} | {workers} | {pages} | {memory} |")


def main() -> None:
    """Measure each configuration in a process of its own, then print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answers", type=int, default=400, help="in each of the two passes")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds from page to page")
    parser.add_argument("--stores", nargs="+", choices=CONFIGURATIONS, default=list(CONFIGURATIONS))
    parser.add_argument("--one", choices=CONFIGURATIONS, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.one:
        print(json.dumps(one(told)))
        return
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for name in told.stores:
        command = [sys.executable, "-m", "benchmarks.load", "--one", name]
        command += ["--workers", *map(str, told.workers), "--answers", str(told.answers)]
        command += ["--clients", str(told.clients), "--pause", str(told.pause)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
        measured = json.loads(done.stdout.splitlines()[-1])
        rows |= {(name, int(workers)): found for workers, found in measured.items()}
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end; {told.answers} answers a pass\n"
    )
    table(rows)


if __name__ == "__main__":
    main()
