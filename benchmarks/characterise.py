"""What does the product do? Everything it answers and shows, in files that two trees can be compared by.

    HALLU_DATA=FOLDER python -m benchmarks.characterise OUT; diff -r OUT OTHER

For a refactoring, which must change nothing: run it before and after. It touches public faces only (``detection.toolkit``,
``reviews.toolkit``, models, management commands, URLs), so that the same file runs on both trees. Into ``OUT`` go

- ``answers/``: the whole Result of 2,000 answers under the default scoring and of every fourth of them under the other
  three (all four times 2,000 would take over five minutes on two busy cores), a line each; the answers are a seeded,
  even draw from the labelled sets, those with figures of record among them, and the demo's;
- ``faces.json``: the Python faces on fixed inputs;  ``schema.yml``: the OpenAPI schema;
- ``replay/``: stored demo answers decided again under other profiles;
- ``api/`` and ``pages/``: what the API gives and every screen shows of the demo, in several roles and languages. Of a page
  its text and what names, links and labels it, with white space collapsed.

The clock stands, but for ten minutes between two answers and two measurements; ids are counted instead of drawn, and
written as their number in the file; durations, tokens and hashes are left out. Two processes share the work, each with a
SQLite database of its own: some 190 s of processor time together.
"""

import argparse
import io
import itertools
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

import time_machine

from benchmarks.characterise_answers import drawn
from benchmarks.characterise_screens import api, screens
from benchmarks.own_database import own_database
from benchmarks.steady_text import keep, written

BEGIN = datetime(2026, 3, 2, 9, tzinfo=UTC)
ANSWERS, OTHERS_EACH = 2_000, 4
FORK = get_context("fork")
SCORINGS = ("information_budget", "spec08", "pythea", "govil")
CHANGED = {"base": {"currency_tolerance": 0.001, "overlap": 0.6, "severity_contradicted": 0.5}}
TOOK = re.compile(r"^Both decided in .*\n", re.MULTILINE)


@contextmanager
def standing() -> Iterator[Any]:
    """A clock that stands and ids that count on, so that whatever is sorted by them is sorted as it was made; no
    deadline ends, however busy the machine is."""
    ids = itertools.count(1)
    with (
        time_machine.travel(BEGIN, tick=False) as clock,
        patch("os.urandom", lambda size: next(ids).to_bytes(size, "big")),
        patch.object(time, "monotonic", lambda: 0.0),
        patch.object(time, "perf_counter", lambda: 0.0),
        patch.object(time, "thread_time", lambda: 0.0),
    ):
        yield clock


def answers(out: Path, total: int) -> None:
    """The Results of answers under each scoring."""
    from django.core.management import call_command

    from detection.models import FinancialPeriod, ThresholdProfile
    from detection.toolkit import judge

    call_command("seed_demo", stdout=io.StringIO())
    figures = Path(os.environ["HALLU_DATA"]) / "contrast_dev_figures.csv"
    call_command("import_financials", str(figures), stdout=io.StringIO())
    periods = {
        (each.property.code, each.label): each for each in FinancialPeriod.objects.select_related("property")
    }
    profiles = [ThresholdProfile(version=n, scoring=name) for n, name in enumerate(SCORINGS, start=1)]
    results: dict[str, list[str]] = {name: [] for name in SCORINGS}
    for at, given in enumerate(drawn(total)):
        period = periods.get((given.pop("property", ""), given.pop("period", "")))
        about = period.property if period else None
        for profile in profiles[: None if at % OTHERS_EACH == 0 else 1]:
            result = judge(**given, about=about, period=period, profile=profile)
            results[profile.scoring].append(written({"answer": at, "result": result}))
    for name, lines in results.items():
        keep(out / "answers" / f"{name}.jsonl", "\n".join(lines))


def faces(out: Path) -> None:
    """What the Python faces return."""
    from detection import toolkit
    from detection.models import FinancialPeriod
    from reviews.toolkit import HallucinationDetector

    evidence = ["The lease of Harlow Books ends on 31 March 2027.", "Net operating income was $1,150,131.40."]
    said = (
        "The lease ends on 31 March 2027.",
        "Net operating income was $1,510,131.40.",
        "The tenant left in May.",
    )
    period = FinancialPeriod.objects.filter(property__code="OAK").order_by("start")[0]
    detector = HallucinationDetector()
    numeric = [
        detector.detect_hallucinations(
            text, [{"id": "S0", "text": evidence[1]}], period.property_id, period.pk
        )
        for text in (*said, "Revenue was 2.25 million and occupancy 85.5% [S0].", "", None)
    ]
    shown = {
        "verify_claim": [toolkit.verify_claim(text, evidence) for text in said],
        "verify_claims": toolkit.verify_claims(" ".join(said), evidence),
        "audit_trace": toolkit.audit_trace(
            [f"{said[0][:-1]} [S0].", f"{said[1][:-1]} [S1].", "So both are known [step 1]."],
            evidence, "When does the lease end?", said[0],
        ),
        "gate_fact": [toolkit.gate_fact(text, 0.9, evidence, about=period.property) for text in said],
        "detect_hallucinations": numeric,
        "adjust_confidence": [detector.adjust_confidence(0.9, each) for each in numeric],
    }  # fmt: skip
    keep(out / "faces.json", written(shown, 1))


def commands(out: Path) -> None:
    """The OpenAPI schema; and the window decided again under a changed profile and under every scoring."""
    from django.core.management import call_command

    from detection.models import ThresholdProfile

    call_command("spectacular", "--file", str(out / "schema.yml"))
    active = ThresholdProfile.active()
    drafts = [("changed", CHANGED, active.scoring), *((name, active.values, name) for name in SCORINGS)]
    for version, (name, values, scoring) in enumerate(drafts, start=active.version + 1):
        ThresholdProfile.objects.create(version=version, values=values, scoring=scoring, note=name)
        printed = io.StringIO()
        call_command("replay", profile=version, since="2026-02-01", stdout=printed)
        keep(out / "replay" / f"{name}.txt", TOOK.sub("", printed.getvalue()))


def demo(out: Path, clock: Any) -> None:
    """The demo with its reviews, a third of them resolved, and all that shows it."""
    from django.core.management import call_command
    from django.db.models.signals import post_save

    from detection.models import Answer, DetectorReport

    def later(created: bool, **_: Any) -> None:
        clock.shift(600 * created)

    for stored in (Answer, DetectorReport):
        post_save.connect(later, sender=stored)
    call_command("fill_queue", reviews=1, days=20, stdout=io.StringIO())
    clock.shift(3600)
    for part in (faces, commands, screens, api):
        part(out)


def half(work: Callable[[], None], name: str) -> None:
    """One of the two halves of the work, over a copy of the database that was just made."""
    from django.db import connection

    made = str(connection.settings_dict["NAME"])
    connection.settings_dict["NAME"] = shutil.copy(made, f"{made}.{name}")
    work()


def main() -> None:
    """Both halves side by side."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--answers", type=int, default=ANSWERS)
    given = parser.parse_args()
    if "HALLU_DATA" not in os.environ:
        raise SystemExit("Set HALLU_DATA to the folder of the labelled data.")
    os.environ |= {"HALLU_MEMORY_GATE": "true"}
    os.environ.pop("DATABASE_URL", None)
    with standing() as clock, own_database():
        from django.db import connections

        connections.close_all()
        work = {
            "answers": partial(answers, given.out, given.answers),
            "demo": partial(demo, given.out, clock),
        }
        halves = [FORK.Process(target=half, args=(each, name)) for name, each in work.items()]
        for each in halves:
            each.start()
        for each in halves:
            each.join()
    if any(each.exitcode for each in halves):
        raise SystemExit("One half failed, see above.")


if __name__ == "__main__":
    main()
