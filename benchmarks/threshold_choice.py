"""What the workbench would choose on labelled sets, and what that gives where it was not chosen.

    python -m benchmarks.threshold_choice FILE… [--limit 1000] [--missed 10] [--least 100] [--here]

Loads the files as ``manage.py load_labelled`` does into a database of its own, every label used; or takes what that command
has loaded into this installation (``--here``). Groups are split as there: no
group is in both parts. For every set, language and for all together, each threshold of :data:`KNOBS` is chosen alone on the train
part, as the point of least cost of the workbench's curve, and its flags are compared with those of the defaults on the test
part. Cost is counted as the workbench does: a missed answer costs as much as ``--missed`` reviews; per 100 answers.
"""

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.own_database import own_database

KNOBS = (
    "target_by_method", "minimum_lift", "contradiction_probability", "minimum_claim_length", "overlap",
    "currency_tolerance", "percentage_tolerance", "ratio_tolerance", "date_tolerance_days", "exact_numbers",
    "verify_dates", "verify_numbers", "uncited_length", "citation_risk",
)  # fmt: skip
DEFAULTS: dict[str, Any] = {"base": {}, "overrides": []}
SCORING = "information_budget"


def read(files: Sequence[Path]) -> list[Any]:
    """The answers of each file in the order from which a limited number is taken."""
    from reviews.demo import labelled

    found = []
    for path in files:
        answers = [answer for _, row in labelled.read_file(path) for answer in labelled.answers_of(row)]
        found.append(sorted(answers, key=lambda answer: labelled.place(0, answer.name)))
    return found


def load(answers: Sequence[Any]) -> None:
    """Judge and resolve those that are one statement, and say how fast."""
    from datetime import UTC, datetime

    from reviews.demo import labelled, labelling

    loading = labelling.Loading(
        labelling.labeller(), share=1.0, seed=0, confidence=0.9, until=datetime.now(UTC), days=30
    )
    chosen = sorted(filter(labelled.is_one_statement, answers), key=loading.when)
    began = time.monotonic()
    for answer in chosen:
        labelling.load(answer, loading)
    taken = time.monotonic() - began
    print(f"{len(chosen)} answers judged and resolved in {taken:.0f} s, {len(chosen) / taken:.1f} a second")


def segments(measured: Any) -> Iterator[tuple[str, Any]]:
    """Names and masks: all, each language beside English, each set."""
    import numpy as np

    yield "all", np.ones(len(measured.run), bool)
    for code, language in enumerate(measured.languages):
        if language != "en":
            yield f"language {language}", measured.language == code
    for code, name in enumerate(measured.question_types):
        yield str(name), measured.question_type == code


def compare(
    name: str, measured: Any, labels: Any, wanted: Any, testing: Any, given: argparse.Namespace
) -> None:
    """Choose on the train part of a segment and print what it gives on its test part."""
    from reviews.tuning.curves import Costs, curve
    from reviews.tuning.grids import with_value
    from reviews.tuning.replay.deciding import Replays

    train, test = wanted & ~testing, wanted & testing
    told, asked = labels.part(measured, train), labels.part(measured, test)
    wrong = int((asked.answer == 1).sum())
    if min(train.sum(), test.sum()) < given.least or not 0 < wrong < (asked.answer >= 0).sum():
        return
    chosen_on, replays = Replays(measured.subset(train)), Replays(measured.subset(test))
    print(f"\n{name}: train {train.sum()}, test {test.sum()}, {wrong / test.sum():.0%} of the test wrong")
    _tell("flag everything", "", [True] * int(test.sum()), asked, given.missed)
    before = _tell("defaults", "", replays.at(DEFAULTS, SCORING).needs_review, asked, given.missed)
    for knob in KNOBS:
        found = curve(chosen_on, told, DEFAULTS, SCORING, knob, days=1, costs=Costs(missed=given.missed))
        if found.optimum in (None, found.active):
            continue
        value = found.at[found.optimum]
        flags = replays.at(with_value(DEFAULTS, knob, value), SCORING).needs_review
        _tell(knob, f"{found.at[found.active]} → {value}", flags, asked, given.missed, before)


def _tell(
    what: str, change: str, flags: Any, labels: Any, missed: float, before: float | None = None
) -> float:
    """Print one line of figures; the cost per 100 answers."""
    import numpy as np

    from reviews.tuning.estimates import performance

    flagged = np.asarray(flags, bool)
    found = performance(flagged, labels)
    p, r = found.precision, found.recall
    f1 = 2 * p.value * r.value / (p.value + r.value) if p.value and r.value else 0.0
    cost = 100 * (missed * (found.missed.value or 0.0) + found.flagged) / len(flagged)
    against = (
        ""
        if before is None
        else "  worse"
        if cost > before + 1e-9
        else "  same"
        if cost == before
        else "  better"
    )
    print(
        f"  {what:<26}{change:<16}precision {_share(p)}  recall {_share(r)}  F1 {f1:.3f}  cost {cost:7.1f}{against}",
        flush=True,
    )
    return cost


def _share(found: Any) -> str:
    if found.value is None:
        return f"{'–':<20}"
    return f"{found.value:.3f} ({found.low:.3f}–{found.high:.3f})"


def report(files: Sequence[Path], given: argparse.Namespace) -> None:
    """Every segment."""
    import numpy as np

    from detection.models import DetectionRun
    from reviews.demo.labelled import in_test
    from reviews.tuning.labels import labels
    from reviews.tuning.replay.measured import load as measure

    read_of = read(files)
    if not given.here:
        load([answer for answers in read_of for answer in answers[: given.limit]])
    groups = {answer.name: answer.group for answers in read_of for answer in answers}
    runs = DetectionRun.objects.filter(answer__query__external_id__startswith="labelled:")
    measured = measure(runs)
    names = dict(runs.values_list("pk", "answer__query__external_id"))
    testing = np.array([in_test(groups[names[pk]]) for pk in measured.run.tolist()])
    told = labels(measured)
    for name, wanted in segments(measured):
        compare(name, measured, told, wanted, testing, given)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, default=1000, help="answers of each file")
    parser.add_argument("--missed", type=float, default=10.0, help="reviews that a missed answer costs")
    parser.add_argument("--least", type=int, default=100, help="answers that a part needs to be shown")
    parser.add_argument("--here", action="store_true", help="what load_labelled loaded into this database")
    given = parser.parse_args()
    with _this_database() if given.here else own_database():
        report(given.files, given)


@contextmanager
def _this_database() -> Iterator[None]:
    """Django over the database of this installation."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hallu_site.settings")
    import django

    django.setup()
    yield


if __name__ == "__main__":
    main()
