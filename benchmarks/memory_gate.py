"""How long does the memory gate hold its caller? (SPEC-08.38, P8; python -m benchmarks.memory_gate)

    python -m benchmarks.memory_gate [--facts 200] [--calls 50] [--database postgres://…]

``gate_fact`` with the embedded verifier, and with a real endpoint on loopback that hangs, drips a byte every 50 ms, breaks
the connection or answers 429. Each of those calls has a verifier opened anew, so that none is spared by what an
earlier one learnt; "in a row" keeps one verifier, as a server does. Times are clock times of the whole call, the fact
written down; the rows go into a test database of their own.
"""

import argparse
import os
import socket
import struct
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

AT_ONCE = 8
LIMIT_MS = 2000.0
SHARES = (0.5, 0.95, 1.0)
EVIDENCE = (
    "The report of the manager for the third quarter. Net operating income was ${noi:,.2f}, after operating expenses of "
    "${costs:,.2f}. Occupancy stood at {occupancy}% at the end of the quarter. The roof of building {n} was renewed."
)


def facts(count: int) -> Iterator[tuple[str, str]]:
    """Facts with their evidence, each of its own words; every fifth is not carried."""
    for n in range(count):
        noi = 1_000_000 + 7_919 * n
        text = EVIDENCE.format(noi=noi, costs=noi / 3, occupancy=80 + n % 20, n=n)
        stated = noi + 100_000 if n % 5 == 4 else noi
        yield f"Net operating income was ${stated:,.2f} in building {n}.", text


def main() -> None:
    """Run the benchmark on a test database of its own."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--facts", type=int, default=200, help="facts for the embedded verifier")
    options.add_argument("--calls", type=int, default=50, help="calls of each endpoint that misbehaves")
    options.add_argument("--database", help="URL of a PostgreSQL server; a temporary SQLite file without it")
    chosen = options.parse_args()
    folder = tempfile.mkdtemp(prefix="hallu-gate-")
    os.environ.update(HALLU_VAR=folder, HALLU_TEST="1", DJANGO_SETTINGS_MODULE="hallu_site.settings")
    os.environ.pop("DATABASE_URL", None)
    if chosen.database:
        os.environ["DATABASE_URL"] = chosen.database
    import django

    django.setup()
    from django.test.utils import setup_databases, teardown_databases

    made = setup_databases(verbosity=0, interactive=False)
    try:
        measured(chosen.facts, chosen.calls)
    finally:
        teardown_databases(made, verbosity=0)


def measured(count: int, calls: int) -> None:
    """Run and print every row."""
    from detection.facts import SECONDS
    from tests.detection.facts import Held, gate_on
    from tests.detection.verifier_stub import sends

    print(f"{'':44} calls    p50    p95    max ms  over 2 s  findings")
    with gate_on(seconds=SECONDS):
        show("embedded verifier", timed(facts(count)))
    for name, misbehaves in (
        ("hangs", Held),
        ("drips", lambda: Held(drips=True)),
        ("breaks the connection", lambda: broken),
        ("429", lambda: sends("{}", 429, Retry_After="60")),
    ):
        with misbehaving(misbehaves()):
            show(f"{name}, verifier opened anew", timed(facts(calls), before=opened_anew))
            show(f"{name}, in a row", timed(facts(calls)))
    with misbehaving(Held()):
        show(f"hangs, {AT_ONCE} at once, opened anew", side_by_side(facts(calls)))


@contextmanager
def misbehaving(answer: Any) -> Iterator[None]:
    """The gate with an endpoint that behaves so, let go at the end."""
    from detection.facts import SECONDS
    from tests.detection.facts import gate_on
    from tests.detection.verifier_stub import serving

    with serving(answer) as stub, gate_on(stub.url, seconds=SECONDS):
        try:
            yield
        finally:
            if hasattr(answer, "free"):
                answer.free.set()


def broken(endpoint: Any, body: Any) -> None:
    """Reset the connection in the middle of the answer."""
    endpoint.send_response(200)
    endpoint.send_header("Content-Length", "1000")
    endpoint.end_headers()
    endpoint.wfile.write(b'{"choices": [')
    endpoint.wfile.flush()
    endpoint.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    endpoint.close_connection = True


def opened_anew() -> None:
    """Forget the verifier and what it shares with others."""
    from django.core.cache import cache

    from detection.operations import verifying

    verifying.forget()
    cache.clear()
    verifying.verifier_for("memory_gate")


Timed = tuple[list[float], Counter[str]]


def timed(given: Iterator[tuple[str, str]], before: Callable[[], None] = lambda: None) -> Timed:
    """Milliseconds of each call, and what became of the facts."""
    took, findings = [], Counter[str]()
    for content, evidence in given:
        before()
        ms, finding = one(content, evidence)
        took.append(ms)
        findings[finding] += 1
    return took, findings


def side_by_side(given: Iterator[tuple[str, str]]) -> Timed:
    """The same with several callers at a time."""
    opened_anew()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(lambda pair: one(*pair), given))
    return [ms for ms, _ in found], Counter(finding for _, finding in found)


def one(content: str, evidence: str) -> tuple[float, str]:
    """Milliseconds of one call, and its finding."""
    from detection.facts import gate_fact

    started = time.perf_counter()
    gated = gate_fact(content, 0.9, evidence)
    return (time.perf_counter() - started) * 1000, gated.finding


def show(name: str, found: Timed) -> None:
    """One row."""
    took, findings = found
    ordered = sorted(took)
    cells = "".join(f"{share(ordered, part):7.0f}" for part in SHARES)
    over = sum(ms > LIMIT_MS for ms in took)
    words = ", ".join(f"{finding} {count}" for finding, count in findings.most_common())
    print(f"{name:44} {len(took):5d}{cells}     {over:6d}  {words}", flush=True)


def share(ordered: Sequence[float], part: float) -> float:
    """The value below which a part of them lies."""
    return ordered[min(int(part * len(ordered)), len(ordered) - 1)]


if __name__ == "__main__":
    main()
