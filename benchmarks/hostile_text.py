"""Texts made to be slow, and large ordinary ones: CPU time, and what doubling costs (I15; python -m benchmarks.hostile_text).

Linear work doubles when the text does: a ratio above 2.5 is marked. Times are CPU times of this process, so that
other work on the machine counts little; a ratio of times below 20 ms says nothing and is not marked.
"""

import argparse
import random
import time
from collections.abc import Callable

from detection.core import citations, claims, numbers, text
from detection.core.citations import grounding
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.thresholds import Thresholds
from detection.core.types import Case, Source

FAMILIES = (
    "111,", "1.", "9", ",", "$", "(", "[", " ", "1 ", "Q1 ", "[S", "((((", "a ", "w", "$1,234.56 ", "5\n", "NOI $5 ", "Q1 2024 5 ",
    "1. A 2. B ", "million ", "one hundred ", "置信度 ", "五百万 ", "רבעון ",
)  # fmt: skip
DEADLINE = 8.0  # seconds that the numeric detector is given, less than a lane's limit
TOO_STEEP = 2.5
Reading = Callable[[str], object]


def milliseconds(work: Callable[[], object]) -> float:
    """CPU time of one call."""
    begin = time.process_time()
    work()
    return (time.process_time() - begin) * 1000


def ordinary(length: int, drawn: random.Random) -> str:
    """Sentences of a financial answer, no two alike, cut to ``length`` characters."""
    written: list[str] = []
    size = 0
    while size < length:
        written.append(_sentence(drawn))
        size += len(written[-1])
    return "".join(written)[:length]


def _sentence(drawn: random.Random) -> str:
    amount, share, quarter = drawn.randint(10**5, 10**7), drawn.randint(1, 999) / 10, drawn.randint(1, 4)
    return drawn.choice(
        (
            f"NOI was ${amount:,} in Q{quarter} 2024 and rose by {share} % [S{quarter}]. ",
            f"The DSCR of the property stood at about {share:.2f}x, above the covenant of 1.25x. ",
            f"Operating expenses fell to ${share} million, while occupancy reached {share} percent. ",
            "The lease has no renewal option and the tenant may leave at any time. ",
        )
    )


def growth(name: str, read: Reading, size: int) -> None:
    """Print each family's time at half of ``size`` and at ``size``, and their ratio."""
    print(f"\n{name:<14} {'family':<14} {'n':>9} {'CPU ms':>9} {'doubling':>9}")
    for family in FAMILIES:
        half, whole = (family * (length // len(family)) for length in (size // 2, size))
        first, second = milliseconds(lambda: read(half)), milliseconds(lambda: read(whole))  # noqa: B023 - called at once
        ratio = second / max(first, 0.001)
        mark = " !" if second > 20 and ratio > TOO_STEEP else ""
        print(f"{'':<14} {family!r:<14} {len(whole):>9} {second:>9.0f} {ratio:>8.2f}x{mark}", flush=True)


def detectors(title: str, answer: str, sources: tuple[Source, ...]) -> None:
    """Print what reading and measuring one answer costs, and the longest step between two deadline checks."""
    case = Case(answer=answer, sources=sources)
    read = claims.read(case)
    clock = _Clock()
    work: dict[str, Callable[[], object]] = {
        "claims.read": lambda: claims.read(case),
        "citation": lambda: citations.measure(Context(case, read)),
        "grounding": lambda: grounding.measure(Context(case, read)),
        "numeric": lambda: numeric.measure(Context(case, read, Thresholds(), expired=clock.expired)),
    }
    print(f"\n{title}: {len(answer)} characters, {len(read)} claims, {len(sources)} sources")
    for name, step in work.items():
        clock.start()
        print(f"  {name:<12} {milliseconds(step):>8.0f} ms", flush=True)
    print(f"  numeric: longest step {clock.longest * 1000:.0f} ms, deadline {DEADLINE:.0f} s")


class _Clock:
    """A deadline in CPU time that remembers the longest time between two questions."""

    def start(self) -> None:
        self.begun = self._asked = time.process_time()
        self.longest = 0.0

    def expired(self) -> bool:
        now = time.process_time()
        self.longest, self._asked = max(self.longest, now - self._asked), now
        return now - self.begun > DEADLINE


def main() -> None:
    """Run all tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=1_000_000, help="characters of the largest text")
    size = options.parse_args().size
    growth("extract", numbers.extract, size)
    growth("sentences", text.sentences, size)
    growth("claims.read", lambda written: claims.read(Case(answer=written)), size)
    drawn = random.Random(5)
    few = tuple(Source(f"S{index}", ordinary(2000, drawn)) for index in range(10))
    many = tuple(Source(f"S{index}", ordinary(100, drawn)) for index in range(10_000))
    detectors("Ordinary answer, few sources", ordinary(size, drawn), few)
    detectors("Ordinary answer, many sources", ordinary(size, drawn), many)
    detectors("Short numbers, few sources", "1 " * (size // 2), few)
    detectors("Amounts, many sources", "$1,234.56 " * (size // 10), many)


if __name__ == "__main__":
    main()
