"""How often the periods of natural sentences are read rightly: ``python -m benchmarks.periods``.

``tests/core/period_phrases.jsonl`` holds sentences in three languages, each with the periods that it names, in order:
what they resolve to first, given the anchors and the end of the fiscal year, and what their words make of them. The
odd ones may be looked at, the even ones only measure. ``--show`` prints the odd ones that are missed.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from detection.core import periods
from detection.core.periods import Calendar, Mention, Span

PHRASES = Path(__file__).parents[1] / "tests" / "core" / "period_phrases.jsonl"
_ROUNDS = 40
_FLAGS = {"point": "point", "fuzzy": "fuzzy", "is_base": "base"}
_COUNTS = {"trailing": "ttm", "each": "each", "several": "several"}
_TO_DATE = {"": "", "year": "ytd", "quarter": "qtd", "month": "mtd", "now": "to_date=year", "on": ""}


def phrases() -> Iterator[dict[str, Any]]:
    """The rows of the set."""
    for line in PHRASES.read_text(encoding="utf-8").splitlines():
        yield {"anchors": ["2024-Q3"], "year_end": 12, "known": [], **json.loads(line)}


def span_of(form: str) -> Span:
    """The span of a form of the set: an ISO form, or ``2023-10..2024-09`` for whole months."""
    if ".." not in form:
        return periods.of_iso(form)
    first, last = form.split("..")
    return periods.of_iso(first)[0], periods.of_iso(last)[1]


def read(row: dict[str, Any]) -> list[str]:
    """What is found in a row's sentence, written as the set writes it."""
    calendar = Calendar(row["year_end"])
    anchors, known = ([span_of(form) for form in row[key]] for key in ("anchors", "known"))
    found = periods.find(row["text"], row["language"], calendar)
    return [_written(one, periods.resolve(one, anchors, calendar, known)) for one in found]


def _written(mention: Mention, spans: tuple[Span, ...]) -> str:
    together = mention.each or mention.several
    shown = "+".join(map(periods.iso, spans if together else spans[:1])) or "-"
    others = [] if together else [f"~{periods.iso(span)}" for span in spans[1:]]
    flags = [name for key, name in _FLAGS.items() if getattr(mention, key)]
    counts = [f"{name}={getattr(mention, key)}" for key, name in _COUNTS.items() if getattr(mention, key)]
    return " ".join(filter(None, [shown, *others, *flags, _TO_DATE[mention.to_date], *counts]))


def right(row: dict[str, Any], found: list[str]) -> bool:
    """Whether the periods found are those of the row, and are said to be the same of."""
    return len(found) == len(row["want"]) and all(map(_agrees, row["want"], found))


def _agrees(want: str, found: str) -> bool:
    wanted, got = want.split(), found.split()
    spans = [
        "+".join(periods.iso(span_of(one)) for one in form.split("+")) if form != "-" else form
        for form in (wanted[0], got[0])
    ]
    asked = {periods.iso(span_of(word[1:])) for word in wanted if word.startswith("~")}
    given = {word[1:] for word in got if word.startswith("~")}
    said = [{word for word in words[1:] if not word.startswith("~")} for words in (wanted, got)]
    return spans[0] == spans[1] and asked <= given and said[0] == said[1]


def main() -> None:
    """Print the rates of both halves and the time a sentence takes."""
    rows = list(phrases())
    counted: Counter[tuple[str, str, bool]] = Counter()
    for row in rows:
        found = read(row)
        good, half = right(row, found), "seen" if row["n"] % 2 else "measured"
        counted[half, row["language"], good] += 1
        if not good and half == "seen" and "--show" in sys.argv:
            print(f"{row['n']:4} {row['text']}\n     want {row['want']}\n     got  {found}")
    for half in ("seen", "measured"):
        parts = [
            (language, counted[half, language, True], counted[half, language, False])
            for language in ("en", "he", "zh")
        ]
        total, missed = sum(good + bad for _, good, bad in parts), sum(bad for *_, bad in parts)
        shown = ", ".join(f"{language} {good} of {good + bad}" for language, good, bad in parts)
        print(f"{half:9} {total - missed} of {total} = {100 * (total - missed) / total:.1f} % ({shown})")
    begun = time.process_time()
    for _ in range(_ROUNDS):
        for row in rows:
            periods.find(row["text"], row["language"])
    spent = (time.process_time() - begun) / _ROUNDS
    letters = sum(len(row["text"]) for row in rows)
    print(
        f"{spent / len(rows) * 1e6:.0f} µs a sentence of {letters / len(rows):.0f} characters, {spent / letters * 150e6:.0f} µs per 150"
    )


if __name__ == "__main__":
    main()
