"""``manage.py replay``: what another threshold profile would have decided, over what was measured already."""

import time
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from detection import answer_files
from detection.models import ThresholdProfile
from detection.operations.checks import INSTALLATION
from reviews.tuning.estimates import Estimate
from reviews.tuning.labels import labels
from reviews.tuning.replay import measured as measuring
from reviews.tuning.replay.columns import Array
from reviews.tuning.replay.deciding import Replayed, replay
from reviews.tuning.replay.measured import Measured
from reviews.tuning.what_if import Changed, WhatIf, what_if


class Command(BaseCommand):
    """Measures nothing and changes nothing: decides again and prints both profiles side by side."""

    help = "Decide stored measurements again under another profile, beside the active one."
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which profile, and from which day on."""
        parser.add_argument("--profile", type=int, required=True, help="Version of the profile to try.")
        parser.add_argument("--since", required=True, help="First day (UTC), for example 2026-03-01.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Load, decide twice, compare, print."""
        draft, active = answer_files.named_profile(options["profile"]), ThresholdProfile.active()
        first, now = answer_files.named_day("--since", options["since"]), timezone.now()
        loaded = measuring.window(answer_files.OPERATOR, first, now)
        if not len(loaded.run):
            raise CommandError(f"No answer was judged since {first:%Y-%m-%d}. Give an earlier day.")
        began = time.perf_counter()
        before, after = (replay(loaded, each.values, each.scoring) for each in (active, draft))
        took = time.perf_counter() - began
        days = (now - first).total_seconds() / 86_400
        compared = what_if(loaded, labels(loaded), before, after, days=days)
        self.stdout.write(
            f"Version {draft.version} ({draft.state}) beside version {active.version} (active), "
            f"{first:%Y-%m-%d} to {now:%Y-%m-%d}: {len(loaded.run):,} answers, {len(loaded.claim):,} claims."
        )
        for line in _table(
            [("", "active", f"version {draft.version}"), *_rows(loaded, before, after, compared)]
        ):
            self.stdout.write(line)
        self.stdout.write(f"Both decided in {took:.2f} s.")


def _rows(
    loaded: Measured, before: Replayed, after: Replayed, compared: WhatIf
) -> Iterable[tuple[str, str, str]]:
    yield "flagged answers", _count(before.needs_review), _count(after.needs_review)
    yield "with a hallucination", _count(before.has_hallucinations), _count(after.has_hallucinations)
    yield "flagged a day", f"{compared.load_before:.1f}", f"{compared.load_after:.1f}"
    yield "flagged claims", _count(before.flagged), _count(after.flagged)
    yield "newly flagged", "", _changed("+", compared.newly)
    yield "no longer flagged", "", _changed("-", compared.gone)
    yield "precision", _estimate(compared.before.precision), _estimate(compared.after.precision)
    yield "recall", _estimate(compared.before.recall), _estimate(compared.after.recall)
    yield "claims not measured", f"{before.not_measured:,}", f"{after.not_measured:,}"


def _count(mask: Array) -> str:
    return f"{int(mask.sum()):,}"


def _changed(sign: str, changed: Changed) -> str:
    """How many, and what is known of them."""
    if not changed.answers:
        return "0"
    return f"{sign}{changed.answers:,} ({changed.wrong} wrong, {changed.right} right, {changed.unlabelled} without a label)"


def _estimate(figure: Estimate) -> str:
    """A figure is never shown without its n."""
    if figure.value is None or figure.low is None or figure.high is None:
        return f"- (n = {figure.n})"
    return f"{figure.value:.2f} ({figure.low:.2f} to {figure.high:.2f}, n = {figure.n})"


def _table(rows: Iterable[tuple[str, str, str]]) -> list[str]:
    listed = list(rows)
    widths = [max(len(row[place]) for row in listed) for place in range(2)]
    return [f"{name:<{widths[0]}}  {one:<{widths[1]}}  {other}".rstrip() for name, one, other in listed]
