"""What contrast pairs come to: rates with their intervals, the list to read failures by, the last accepted run.

Plain counting over what was judged; :mod:`benchmarks.contrast_screening` judges.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from typing import Any

FIGURES = ("false alarms", "misses", "both right", "not judged")
LOOKING, MEASURING = "looking", "measuring"
PARTS = (LOOKING, MEASURING)
SETS = {"w1": "English prose", "w2": "documents", "w3": "figures of record", "w4": "Hebrew and Chinese"}
DRAWN, SEED = 2000, 7
WILSON = 1.959964

Row = Mapping[str, Any]
Rate = tuple[float, float, float, int]
"""A share, the ends of its 95 % interval, and of how many."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One twin: ``flagged`` is None where it was not judged; ``told`` is what was found in it."""

    row: Row
    flagged: bool | None
    told: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The id of its row."""
        return str(self.row["id"])


@dataclass(frozen=True, slots=True)
class Pair:
    """A faithful answer and its twin with one falsification."""

    correct: Judged
    wrong: Judged

    def counts(self) -> tuple[float, float, float, float]:
        """What the pair adds to each of :data:`FIGURES`; what was not judged is neither right nor wrong."""
        correct, wrong = self.correct.flagged, self.wrong.flagged
        silent = ((correct is None) + (wrong is None)) / 2
        return (
            float(correct is True),
            float(wrong is False),
            float(correct is False and wrong is True),
            silent,
        )


def part_of(row: Row) -> str:
    """Odd numbers of pairs are for looking, even ones for measuring."""
    return LOOKING if int(str(row["pair"]).rpartition("-")[2]) % 2 else MEASURING


def in_fifth(row: Row) -> bool:
    """Whether a row is of the fixed fifth of all pairs."""
    return int.from_bytes(hashlib.sha256(str(row["pair"]).encode()).digest()[:8], "big") % 5 == 0


def pairs_of(judged: Sequence[Judged]) -> list[Pair]:
    """The pairs, in the order of the file. Raises :class:`ValueError` where a twin is missing or there twice."""
    twins: dict[str, dict[str, Judged]] = {}
    for one in judged:
        of_pair = twins.setdefault(str(one.row["pair"]), {})
        if of_pair.setdefault(str(one.row["label"]), one) is not one:
            raise ValueError(f"{one.id}: the pair has two answers labelled {one.row['label']}.")
    odd = [name for name, of_pair in twins.items() if set(of_pair) != {"correct", "wrong"}]
    if odd:
        raise ValueError(f"These pairs need a correct and a wrong answer: {', '.join(odd[:10])}.")
    return [Pair(of_pair["correct"], of_pair["wrong"]) for of_pair in twins.values()]


def groups_of(pair: Pair) -> Iterator[str]:
    """The lines of the table that a pair counts in."""
    row = pair.wrong.row
    prefix = pair.wrong.id[:2]
    yield "all"
    yield f"set {prefix} {SETS.get(prefix, '')}".strip()
    yield f"evidence {row['evidence']}"
    if prefix == "w2":
        yield f"layout {str(row['note'])[:3]}"
    yield f"language {row['lang']}"
    yield f"change {row['change']}"


def grouped(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """The pairs of each line of the table, all of them first and the kinds of line together."""
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        for name in groups_of(pair):
            found.setdefault(name, []).append(pair)
    order = ("all", "set", "evidence", "layout", "language", "change")
    return dict(sorted(found.items(), key=lambda item: (order.index(item[0].split()[0]), item[0])))


def wilson(share: float, count: int) -> tuple[float, float]:
    """The 95 % score interval of a share of ``count``."""
    if not count:
        return 0.0, 1.0
    spread = WILSON**2 / count
    middle = (share + spread / 2) / (1 + spread)
    half = WILSON / (1 + spread) * sqrt(share * (1 - share) / count + spread / (4 * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def rates(pairs: Sequence[Pair]) -> dict[str, Rate]:
    """Each of :data:`FIGURES` over these pairs. Of what was not judged the share is one of answers, and the interval
    that of as many pairs: twins are not independent."""
    shares = _shares([pair.counts() for pair in pairs])
    return {
        name: (share, *wilson(share, len(pairs)), len(pairs))
        for name, share in zip(FIGURES, shares, strict=True)
    }


def _shares(counts: Sequence[tuple[float, ...]]) -> list[float]:
    return [sum(column) / len(counts) for column in zip(*counts, strict=True)]


def listed(one: Judged) -> str:
    """One twin as a line of the list. Of the measuring part nothing is shown that could be learnt from."""
    row = one.row
    shown: dict[str, Any] = {"id": one.id, "label": row["label"], "flagged": one.flagged}
    if part_of(row) != MEASURING:
        named = {name: row[name] for name in ("pair", "change", "evidence", "lang")}
        shown = {**shown, "part": LOOKING, **named, **one.told}
    return json.dumps(shown, ensure_ascii=False, default=str)


def left(judged: Sequence[Judged], accepted: Mapping[str, bool | None]) -> list[str]:
    """Which figures are no longer those of the accepted run, a line each.

    Of all pairs and of each set, each figure's difference to the accepted run is bootstrapped over pairs, the same
    pairs for both runs; it has left where the 95 % interval of the difference does not hold 0. Better is told like
    worse: what is not accepted can be lost again unseen. Raises :class:`ValueError` for rows that the accepted run
    does not have, or has more of.
    """
    differing = {one.id for one in judged} ^ set(accepted)
    if differing:
        raise ValueError(
            f"The accepted run is of other rows ({len(differing)} differ): choose the same, or --accept."
        )
    then = pairs_of([Judged(one.row, accepted[one.id]) for one in judged])
    now, found = grouped(pairs_of(judged)), []
    for name, before in grouped(then).items():
        if name.split()[0] in ("all", "set"):
            found += [f"{name}: {line}" for line in _moved(before, now[name])]
    return found


def _moved(before: Sequence[Pair], after: Sequence[Pair]) -> Iterator[str]:
    """The figures that differ, as sentences."""
    was, now = ([pair.counts() for pair in pairs] for pairs in (before, after))
    steps = [tuple(b - a for a, b in zip(*both, strict=True)) for both in zip(was, now, strict=True)]
    if not any(map(any, steps)):
        return
    random = Random(SEED)
    drawn = [_shares(random.choices(steps, k=len(steps))) for _ in range(DRAWN)]
    for column, name in enumerate(FIGURES):
        values = sorted(each[column] for each in drawn)
        low, high = values[int(0.025 * DRAWN)], values[int(0.975 * DRAWN) - 1]
        if low > 0 or high < 0:
            old, new = _shares(was)[column], _shares(now)[column]
            yield f"{name} were {old:.1%}, are {new:.1%}: {new - old:+.1%} [{low:+.1%}, {high:+.1%}] of {len(steps)} pairs"
