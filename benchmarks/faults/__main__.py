"""The command: see :mod:`benchmarks.faults`."""

import argparse
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import benchmarks.faults
from benchmarks.faults.breaking import COMMANDS, SMALL, Breaker
from benchmarks.faults.clients import Clients
from benchmarks.faults.endpoint import Verifier, verifier
from benchmarks.installation import Installation, Stores, running, set_up, stores

LANES = ("fast", "verify", "large")
EVERY_PRINTED, EVERY_KEPT = 10.0, 60.0
"""Seconds from one line of progress to the next: on the screen, in the report."""
LOOK = 0.1
TRIES = 100
SETTLED_EACH = 25
"""A person settles a review after every so many answers."""


def options() -> argparse.Namespace:
    """What the command is told."""
    parser = argparse.ArgumentParser(
        description=benchmarks.faults.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answers", type=int, default=500)
    parser.add_argument("--kills", type=int, default=8)
    parser.add_argument("--database", default="sqlite", help="sqlite, postgresql (a cluster of its own, which is killed too), or an address")  # fmt: skip
    parser.add_argument("--broker", default="embedded", help="embedded, redis or rabbitmq (of its own, which is killed too), or an address that nothing else uses")  # fmt: skip
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--backlog", type=int, default=200, help="clients wait while more answers are unfinished")  # fmt: skip
    parser.add_argument("--bad", type=float, default=0.02, help="the share of requests that the verifier does not answer well")  # fmt: skip
    parser.add_argument("--lease", type=int, default=30, help="HALLU_RUN_LEASE_SECONDS")
    parser.add_argument("--sweep", type=int, default=15, help="HALLU_SWEEP_SECONDS")
    parser.add_argument("--small", action="store_true", help="two workers for all lanes instead of one for each and one")  # fmt: skip
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=600.0, help="seconds without progress after which what waits is stuck")  # fmt: skip
    parser.add_argument("--report", type=Path, help="a file that gets a line of JSON a minute")
    parser.add_argument("--logs", type=Path, help="a file for what the processes say")
    return parser.parse_args()


class Run(NamedTuple):
    """What a run consists of."""

    told: argparse.Namespace
    there: Installation
    clients: Clients
    breaker: Breaker
    verifier: Verifier
    report: Path
    settled: dict[int, Any]


@contextmanager
def prepared(told: argparse.Namespace, folder: Path) -> Iterator[Run]:
    """A running installation with its stores and its verifier; the clients have not begun."""
    with ExitStack() as stack:
        bad = stack.enter_context(verifier(told.bad, told.seed))
        given = stack.enter_context(stores(told.database, told.broker, folder))
        set_up(
            given,
            folder,
            HALLU_RUN_LEASE_SECONDS=str(told.lease),
            HALLU_SWEEP_SECONDS=str(told.sweep),
            HALLU_VERIFIER="external",
            HALLU_VERIFIER_BASE_URL=bad.url,
            HALLU_VERIFIER_MODEL="m",
            HALLU_VERIFIER_TIMEOUT="3",
        )
        from django.conf import settings

        from benchmarks.faults import counting
        from detection.models import ApiKey

        key = ApiKey.issue("faults", ["submit", "read"])[1]
        counting.hire()
        forget(given)
        there = stack.enter_context(
            running(SMALL if told.small else COMMANDS, told.logs or folder / "processes.log")
        )
        clients = Clients(settings.HALLU_PORT, key, answers=range(told.answers), count=told.clients)
        breaker = Breaker(
            there,
            given.own,
            forget=lambda: forget(given),
            held=counting.held,
            stands_still=told.lease + 2 * told.sweep,
            chance=random.Random(told.seed),
        )
        yield Run(told, there, clients, breaker, bad, told.report or folder / "report.jsonl", {})


def forget(given: Stores) -> None:
    """Empty the broker, once it listens again if it was just killed."""
    for _ in range(TRIES):
        try:
            return _purge(given.broker)
        except Exception:  # noqa: BLE001 - whatever the client of a broker or a database raises that is starting
            time.sleep(0.5)
    raise RuntimeError("The broker does not listen.")


def _purge(broker: str) -> None:
    if broker.startswith("redis"):
        import redis

        redis.Redis.from_url(broker).flushdb()
        return
    from celery import current_app
    from kombu import Queue

    with current_app.connection_for_write() as connection:
        for queue in [Queue(lane)(connection.default_channel) for lane in LANES]:
            queue.declare()  # RabbitMQ empties none that was never there
            queue.purge()


def moments(count: int, answers: int, chance: random.Random) -> list[int]:
    """After how many finished answers something happens; the first soon, the last before all are finished."""
    return sorted(chance.randrange(answers // 20, answers * 19 // 20) for _ in range(count))


def play(run: Run) -> Iterator[Counter[str]]:
    """Let the clients submit and break things meanwhile; how far it is, again and again, until nothing is left to do."""
    from benchmarks.faults import counting

    told, chance = run.told, random.Random(run.told.seed + 1)
    kills = moments(told.kills, told.answers, chance)
    others = moments(max(2, told.kills // 4), told.answers, chance)
    ended, moved = 0, time.monotonic()
    accepted = run.clients.ledger.accepted
    run.clients.may_go_on = lambda: len(accepted) - ended < told.backlog
    run.clients.start()
    while True:
        run.there.look()
        run.breaker.look()
        now_ended, waiting = counting.ended(), counting.waiting()
        if now_ended // SETTLED_EACH > ended // SETTLED_EACH:
            run.settled.update(counting.settle())
        if now_ended != ended:
            ended, moved = now_ended, time.monotonic()
        while kills and ended >= kills[0] and run.breaker.kill():
            kills.pop(0)
        while others and ended >= others[0]:
            others.pop(0)
            run.breaker.disturb()
        yield Counter(accepted=len(accepted), ended=ended, waiting=waiting, kills=len(run.breaker.kills))
        if run.clients.done() and not waiting and not kills:
            return
        if time.monotonic() - moved > told.patience:
            return
        time.sleep(LOOK)


def watch(run: Run) -> None:
    """Play, and say how far it is."""
    from benchmarks.faults.counting import line

    begun, printed, kept = time.monotonic(), 0.0, 0.0
    for far in play(run):
        now = time.monotonic()
        if now - printed > EVERY_PRINTED:
            printed = now
            print(f"{now - begun:6.0f} s  {dict(far)}", flush=True)
        if now - kept > EVERY_KEPT:
            kept = now
            with run.report.open("a") as report:
                report.write(line(seconds=round(now - begun), **far) + "\n")


def outcome(run: Run) -> dict[str, Any]:
    """Everything that is counted at the end."""
    from benchmarks.faults import counting

    ledger, breaker = run.clients.ledger, run.breaker
    seconds, ordinary = counting.recovery(breaker.kills), counting.ordinary()
    return {
        "became": dict(counting.became(ledger.accepted)),
        "broken": counting.broken(ledger.accepted, ledger.differing, run.settled),
        "kills": dict(sorted(Counter(kill.what for kill in breaker.kills).items())),
        "others": dict(breaker.others),
        "recovery": {"runs": len(seconds), "p50": _at(seconds, 0.5), "p100": _at(seconds, 1.0)},
        "ordinary": {share: _at(ordinary, share) for share in (0.5, 0.95, 1.0)},
        "settled": len(run.settled),
        "attempts": counting.attempts(),
        "owed": counting.owed(),
        "said": dict(ledger.said),
        "refused": ledger.refused[:5],
        "verifier": dict(run.verifier.did),
    }


def _at(ordered: list[float], share: float) -> float | None:
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1) if ordered else None


def printed(found: dict[str, Any], told: argparse.Namespace, seconds: float) -> None:
    """The end of the output."""
    became = found["became"]
    print(f"\n{told.database} and {told.broker}, {seconds:.0f} s")
    print(
        f"accepted {became['accepted']:,} · completed {became['completed']:,} · waiting {became['waiting']:,} · needs "
        f"attention {became['attention']:,} · doubled {became['doubled']:,} · lost {became['lost']:,}"
    )
    print(f"{sum(found['kills'].values())} kills: {found['kills']}; {found['others']}")
    print(f"from a kill to the end of what was held: {found['recovery']} s")
    print(f"from its submission to the end of any answer, killed or not: {found['ordinary']} s")
    for name in ("settled", "attempts", "owed", "said", "refused", "verifier"):
        print(f"{name}: {found[name]}")
    for invariant, times in found["broken"].items():
        print(f"{'holds' if not times else f'BROKEN {times} times'}: {invariant}")


def main() -> int:
    """Break, count; 1 when an answer was lost, doubled or left, or an invariant does not hold."""
    told, begun = options(), time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # everything that was started ends first
    with tempfile.TemporaryDirectory(prefix="hallu-faults-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)  # started by root, PostgreSQL runs as a user of its own and must reach its data
        with prepared(told, folder) as run:
            try:
                watch(run)
            finally:
                run.clients.over.set()
                run.breaker.look(at_once=True)
            run.there.end()
            found = outcome(run)
            with run.report.open("a") as report:
                report.write(json.dumps(found) + "\n")
    printed(found, told, time.monotonic() - begun)
    whole = found["became"]["completed"] == found["became"]["accepted"] == told.answers
    return 0 if whole and not found["refused"] and not any(found["broken"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
