"""A run screened: its pending detectors run, and each report stored as a row of its own."""

import logging
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace

from detection import logs, spans
from detection.core import codec, pipeline
from detection.core.context import Context
from detection.core.pipeline import Report
from detection.core.stores import Pending
from detection.models import DetectionRun, DetectorReport
from detection.models.runs import FAST, SLOW
from detection.operations import overload
from detection.runs import results, steps
from detection.runs.frames import FrameRows
from detection.verifiers.deadlines import Deadline

log = logging.getLogger(__name__)

PART_SECONDS = 4.0
"""After so much CPU time a worker leaves the rest of a run to its next message, so that a large answer ends no worker."""
KEPT_SECONDS = 0.25
"""For so long reports are held back, so that the quick ones are stored together; none is where an earlier attempt died."""
WAITING_SECONDS, LARGE_WAITING_SECONDS = 100.0, 1_100.0
"""So long after a part began verifiers are waited for, whatever its profile gives them: a task of the lanes is ended after 120 s, of the
large one after 1,200 (hallu_site/broker/configuration.py), and what was measured by then with it."""
RENEWED_SECONDS = 1.0
"""So long after a lease was renewed it is good enough for the next detector."""


def screen(
    run: DetectionRun,
    detectors: Collection[str] = (*FAST, *SLOW),
    *,
    context: Context | None = None,
    lacking: Sequence[str] | None = None,
    lease_seconds: int | None = None,
) -> steps.Prepared | None:
    """Run those of ``detectors`` that a run, whose claims are stored, still misses; what it is to conclude, None while a
    due report is missing. Its ``context``, with figures, is loaded where it is not given. Its lease is kept for ``lease_seconds``
    from the start of each detector and of the decision. ``lacking``: its reports that are missing, where the caller knows.

    A detector's failure is a report with that status. Raises
    :class:`~detection.models.runs.StaleLease` when the run was lost to another worker meanwhile.
    """
    rows = Rows(run, detectors, lease_seconds, lacking)
    context = context or steps.load(run, figures=any(name != "citation" for name in rows.missing))
    try:
        return steps.Prepared.of(run, context, pipeline.screen(context, rows), rows.took)
    except Pending:
        return None


class Rows:
    """The reports of one run, stored in transactions that lock the run."""

    def __init__(
        self,
        run: DetectionRun,
        detectors: Collection[str],
        lease_seconds: int | None = None,
        lacking: Sequence[str] | None = None,
    ) -> None:
        self.run, self.due, self._lease_seconds = run, run.due, lease_seconds
        self._lacking = list(run.missing() if lacking is None else lacking)
        self.missing = [name for name in self._lacking if name in detectors]
        self._begun = time.thread_time()
        self._waiting = Deadline(LARGE_WAITING_SECONDS if run.large else WAITING_SECONDS)
        self._started = self._stored = self._renewed = time.perf_counter()
        self._reports: dict[str, Report] = {}
        self._held_back: list[DetectorReport] = []
        self._took: dict[str, float] = {}
        self._span, self._open = spans.NOTHING, ExitStack()

    def pending(self) -> Iterator[str]:
        """The detectors that were missing when the screening began, one at least and as many as a part has time for."""
        for place, name in enumerate(self.missing):
            if place and self._is_over():
                return
            yield name

    def _is_over(self) -> bool:
        """Whether the time of a part is spent, where somebody leases the run for the next one."""
        return self._lease_seconds is not None and time.thread_time() - self._begun > PART_SECONDS

    def begin(self, name: str, context: Context) -> Context:
        """Keep the lease and start the clock; its span lasts until the report is kept."""
        self._renew()
        noted = {"hallu.run": self.run.pk, "hallu.claims": len(context.claims)}
        self._span = self._open.enter_context(spans.span(f"detector {name}", noted))
        self._started = time.perf_counter()
        overloaded = name == "strawberry" and overload.leaves_out(self.run)
        begun = steps.begun(name, context, large=self.run.large, within=self._waiting)
        return replace(begun, frames=FrameRows(self.run.answer_id), overloaded=overloaded)

    def keep(self, name: str, report: Report) -> None:
        """Take a report to be stored. What took longer than an answer of its size does is measured once more, in the lane of
        large ones."""
        self._span.note({"hallu.status": report.status})
        self._open.close()
        _log_failure(self.run, name, report)
        if self._lease_seconds is not None and name in FAST and _is_ended(report) and not self.run.large:
            self.run.enlarge()
            return
        self._reports[name] = report
        self._lacking.remove(name)
        now = time.perf_counter()
        self._took[name] = (now - self._started) * 1000
        self._held_back.append(self._row_of(name, report))
        if self.run.attempts > 1 or now - self._stored > KEPT_SECONDS:
            self._store()

    @property
    def took(self) -> Mapping[str, float] | None:
        """The milliseconds of every detector; None where other screenings brought some."""
        return self._took if len(self._took) == len(self.due) else None

    def _row_of(self, name: str, report: Report) -> DetectorReport:
        return DetectorReport(
            run=self.run,
            detector=name,
            status=report.status,
            reason=report.reason,
            measurements=codec.dump(report.measurement) if report.measurement else None,
            cost=results.cost_of(report.measurement),
            duration_ms=self._took[name],
        )

    def reports(self) -> Mapping[str, Report]:
        """The reports of all lanes, once the last is stored; with a part of its own where that took long."""
        self._store()
        if self._lacking or (self.missing and self._is_over()):
            raise Pending
        self._renew()
        return self._reports if len(self._reports) == len(self.due) else steps.reports_of(self.run)

    def _store(self) -> None:
        if self._held_back:
            self.run.store(self._held_back)
        self._held_back, self._stored = [], time.perf_counter()

    def _renew(self) -> None:
        now = time.perf_counter()
        if self._lease_seconds is not None and now - self._renewed > RENEWED_SECONDS:
            self.run.renew(seconds=self._lease_seconds)
            self._renewed = now


def _log_failure(run: DetectionRun, name: str, report: Report) -> None:
    """Only the kind of what a detector raised: its message may quote the answer."""
    if report.status not in ("ok", "skipped"):
        reason = report.reason if report.measurement else report.reason.partition(":")[0]
        event = "detector_report run=%s detector=%s status=%s reason=%s"
        log.warning(event, run.pk, name, report.status, reason, extra=logs.text(report.reason))


def _is_ended(report: Report) -> bool:
    """Whether a detector was ended before it could say anything."""
    return report.status == "timeout" and report.measurement is None
