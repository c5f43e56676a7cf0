"""What does verifying claims cost us, without and with the embedded verifier? (python -m benchmarks.verifying)

    python -m benchmarks.verifying [--rounds 200]

Answers of :mod:`benchmarks.verifying_cases`: ten sources of about 575 characters, three sets of citations. Times
are clock times of this process in which nothing else runs; each round has texts of its own, so that what was read
for one is no help for the next, unless a row says "read before". Endpoints: :mod:`benchmarks.verifying_endpoint`.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Any, TypeVar

from benchmarks.verifying_cases import answer, read
from detection.core import strawberry
from detection.core.context import Context
from detection.core.ports import Estimate
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case
from detection.verifiers import open_verifier
from detection.verifiers.embedded.lexical_reading import read_passages
from detection.verifiers.embedded.local import LocalVerifier
from detection.verifiers.guarded import GuardedVerifier

Result = TypeVar("Result")

COUNTS = (1, 5, 10, 20)
LIFTED, PRIOR = Estimate((0.9, 0.9), (0.05, 0.05), (0.05, 0.05)), Estimate((0.1, 0.1), (0.1, 0.1), (0.8, 0.8))


class Instant:
    """A verifier that takes no time: evidence is belief."""

    name = "instant"

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        """Believe what has all its evidence."""
        return PRIOR if DEFAULTS.placeholder in context else LIFTED

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """One estimate for each claim."""
        return [self.estimate_probability(claim, context) for claim in claims]


@dataclass(slots=True)
class Times:
    """What a step took, round by round: milliseconds by the clock and of this process's CPU time."""

    clock: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def of(self, step: Callable[[], Result]) -> Result:
        """Time a step and return what it returns."""
        clock, cpu = time.perf_counter(), time.process_time()
        outcome = step()
        self.clock.append((time.perf_counter() - clock) * 1000)
        self.cpu.append((time.process_time() - cpu) * 1000)
        return outcome

    def row(self, name: str, asked: float | None = None) -> str:
        """The median and the 95th percentile of both."""
        shares = [
            sorted(times)[int(share * (len(times) - 1))]
            for times in (self.clock, self.cpu)
            for share in (0.5, 0.95)
        ]
        return (
            f"{name:<42}" + "".join(f"{each:>11.3f}" for each in shares) + (f"{asked:>8g}" if asked else "")
        )


def heading(name: str) -> str:
    """The columns of :meth:`Times.row`."""
    return (
        f"{name:<42}"
        + "".join(f"{each:>11}" for each in ("clock p50", "clock p95", "CPU p50", "CPU p95"))
        + "   asked"
    )


def overhead(rounds: int) -> None:
    """Our own time, with a verifier that takes none."""
    print(heading("ms, an answer, without the verifier"))
    for count in COUNTS:
        reading, measuring, deciding, guarding = Times(), Times(), Times(), Times()
        for seed in range(rounds):
            case = answer(count, seed=seed)
            found = reading.of(partial(read, case))
            context = Context(case, found, verifier=Instant())
            measured = measuring.of(partial(strawberry.measure, context))
            deciding.of(partial(strawberry.decide, measured, context))
            guarded, texts = GuardedVerifier(Instant(), timeout=10), [claim.text for claim in found]
            guarding.of(partial(guarded.batch_estimate, texts, _context(case)))
        for name, times in (
            ("read", reading),
            ("measured", measuring),
            ("decided", deciding),
            ("guards, a batch", guarding),
        ):
            print(times.row(f"{count} claims, {name}"))
        each = sum(median(times.cpu) for times in (reading, measuring, deciding, guarding, guarding)) / count
        print(f"{count} claims: {each * 1000:.0f} µs of CPU a claim in all, median")


def _context(case: Case) -> str:
    return "\n".join(source.text for source in case.sources)


def local(rounds: int) -> None:
    """Whole verifications with the embedded verifier: p1, p0 and probes of every claim, and the decision."""
    print(heading("ms, local, an answer"))
    for count in COUNTS:
        fresh, again, alone = Times(), Times(), Times()
        for seed in range(rounds):
            case = answer(count, seed=1000 * count + seed)
            texts, context = [claim.text for claim in read(case)], _context(case)
            read_passages.cache_clear()
            alone.of(partial(LocalVerifier().batch_estimate, texts, context))
            read_passages.cache_clear()
            fresh.of(partial(_verified, case))
            again.of(partial(_verified, case))
        asked = 20 + 5 * count if count > 1 else 20
        print(fresh.row(f"{count} claims", asked))
        print(again.row(f"{count} claims, sources read before", asked))
        print(alone.row(f"{count} claims, one batch of estimates", asked))


def _verified(case: Case) -> Any:
    verifier = open_verifier({"backend": "local"})
    return strawberry.decide(strawberry.measure(Context(case, read(case), verifier=verifier)), Context())


def kept(rounds: int) -> None:
    """Asking again what was asked before: the estimates come from the cache of the process."""
    one, whole = Times(), Times()
    for seed in range(rounds):
        case = answer(10, seed=seed)
        found, verifier, context = read(case), GuardedVerifier(Instant(), timeout=10), _context(case)
        texts = [claim.text for claim in found]
        verifier.batch_estimate(texts, context)
        one.of(partial(verifier.estimate_probability, texts[0], context))
        whole.of(partial(verifier.batch_estimate, texts, context))
    print(heading("ms, from the cache of the process"))
    print(one.row("one estimate", 1))
    print(whole.row("a batch of 10"))


def main() -> None:
    """Print all tables."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--rounds", type=int, default=200)
    chosen = options.parse_args()
    for table in (overhead, local, kept):
        table(chosen.rounds)
        print()


if __name__ == "__main__":
    main()
