"""What was measured, out of stored blocks of neighbouring runs, so that no page decodes JSON.

Finished runs never change; so a block holds as long as it has as many finished live runs as there are. The last one, to
which runs are still added, grows by what is new, in the process and from time to time in its table.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

import numpy as np
from django.db.models import Prefetch, Q, QuerySet

from detection import runs
from detection.core import codec
from detection.core.types import Case, Source
from detection.core.types import Claim as ReadClaim
from detection.core.verdict import Report
from detection.models import Claim, DetectionRun, DetectorReport, StrictAnswer
from detection.models import Source as SourceRow
from reviews.models.blocks import SIZE, Mark, MeasuredBlock
from reviews.tuning.replay.columns import SCHEMA, Array, Columns, Sheet, from_bytes, join
from reviews.tuning.replay.rows import Judged, write

log = logging.getLogger(__name__)

COUNTED = Q(finished_at__isnull=False, erasure__isnull=True) & ~Q(purpose="shadow")
"""The runs that count; of what was erased nothing is left to decide by."""
REMEMBERED = 64
"""Blocks that a process keeps: 32,000 runs, about 100 MB at five claims each."""
WORTH_STORING = 50
"""New runs from which on a block that is not full yet is stored again: building them takes a second or so."""

_blocks: "OrderedDict[int, Columns]" = OrderedDict()
_lock = threading.Lock()


def columns_of(wanted: Array) -> Columns:
    """What was measured in the runs with the keys ``wanted`` (int64, ascending, all of them finished and live)."""
    if not len(wanted):
        return Sheet().columns()
    firsts = set(np.unique(wanted - wanted % SIZE).tolist())
    within = _counted().filter(pk__gte=min(firsts), pk__lt=max(firsts) + SIZE)
    marks = {first: mark for first, mark in MeasuredBlock.marks(within).items() if first in firsts}
    held = _remembered(marks)
    lacking = {first: mark for first, mark in marks.items() if first not in held}
    for block in MeasuredBlock.valid(lacking, SCHEMA).iterator(chunk_size=20):
        held[block.first] = _remember(block.first, from_bytes(bytes(block.columns)))
    for first in sorted(lacking.keys() - held.keys()):
        held[first] = _build(first)
    joined = join([held[first] for first in sorted(held)])
    return joined.subset(np.isin(joined.tables["answers"]["run"], wanted))


def keep_up() -> bool:
    """Build the next block that is full, or has grown by enough to be worth it; False when there is none. For the sweep:
    one at a time, the oldest first."""
    newest = MeasuredBlock.objects.filter(schema=SCHEMA).order_by("-first").first()
    if newest and _worth_building(newest.first, newest.runs):
        _build(newest.first)
        return True
    first = _with_runs(newest.first + SIZE if newest else 0)
    if first is None or not _worth_building(first, 0):
        return False
    _build(first)
    return True


def _with_runs(least: int) -> int | None:
    """The first block from the key ``least`` on that has runs: what is behind it is not counted, there may be a million."""
    run = _counted().filter(pk__gte=least).order_by("pk").values_list("pk", flat=True).first()
    return None if run is None else run - run % SIZE


def _worth_building(first: int, known: int) -> bool:
    """Whether a block of which ``known`` runs are stored has new ones, and all that it can have or many."""
    grown = _counted().filter(pk__gte=first, pk__lt=first + SIZE).count() - known
    return grown > 0 and (_is_full(first) or grown >= WORTH_STORING)


def _is_full(first: int) -> bool:
    """Whether every key of the block is given out; some of its runs may still be unfinished."""
    return DetectionRun.objects.filter(pk__gte=first + SIZE).exists()


def forget() -> None:
    """Forget what this process remembers; for tests that count queries."""
    with _lock:
        _blocks.clear()


def _counted() -> "QuerySet[DetectionRun]":
    return DetectionRun.objects.filter(COUNTED)


def _remembered(marks: Mapping[int, Mark]) -> dict[int, Columns]:
    """The blocks that this process has and that agree with their marks."""
    with _lock:
        held = {first: _blocks[first] for first in marks if first in _blocks}
    return {first: columns for first, columns in held.items() if _agrees(columns, marks[first])}


def _agrees(columns: Columns, mark: Mark) -> bool:
    runs, latest = mark
    return (
        columns.rows == runs
        and latest is not None
        and columns.tables["answers"]["finished"].max() == latest.timestamp()
    )


def _remember(first: int, columns: Columns) -> Columns:
    with _lock:
        _blocks[first] = columns
        _blocks.move_to_end(first)
        while len(_blocks) > REMEMBERED:
            _blocks.popitem(last=False)
    return columns


def _build(first: int) -> Columns:
    """A block out of the rows of its runs, of those only that are not known yet; stored when it is full or much is new."""
    known = _known(first)
    new = _counted().filter(pk__gte=first, pk__lt=first + SIZE)
    if known is not None:
        new = new.exclude(pk__in=known.tables["answers"]["run"].tolist())
    sheet = Sheet()
    for judged in _judged(new):
        write(sheet, judged)
    added = sheet.columns()
    columns = added if known is None else join([known, added]).in_order()
    if columns.rows and (added.rows >= WORTH_STORING or _is_full(first)):
        latest = datetime.fromtimestamp(columns.tables["answers"]["finished"].max(), UTC)
        stored = columns.to_bytes()
        MeasuredBlock.keep(first, schema=SCHEMA, runs=columns.rows, latest=latest, columns=stored)
    return _remember(first, columns)


def _known(first: int) -> Columns | None:
    """What the process or the table has of a block already, if it still is part of it."""
    with _lock:
        known = _blocks.get(first)
    if known is None:
        stored = MeasuredBlock.objects.filter(first=first, schema=SCHEMA).first()
        known = from_bytes(bytes(stored.columns)) if stored else None
    if known is None or not known.rows:
        return None
    there = _counted().filter(pk__in=known.tables["answers"]["run"].tolist())
    mark = MeasuredBlock.marks(there).get(first, (0, None))
    return known if _agrees(known, mark) else None


def _judged(new: "QuerySet[DetectionRun]") -> Iterable[Judged]:
    """The runs with what was measured in them, in a fixed number of queries a hundred."""
    refused = StrictAnswer.Status.HALLUCINATION_DETECTED
    reasons = dict(
        StrictAnswer.objects.filter(status=refused, judged__runs__in=new).values_list("judged", "reason")
    )
    rows = (
        new.select_related("answer", "answer__property")
        .prefetch_related(
            Prefetch("claims", Claim.objects.filter(origin=Claim.Origin.DETECTOR).order_by("index"), "read"),
            Prefetch("reports", DetectorReport.objects.all()),
            Prefetch(
                "answer__sources", SourceRow.objects.defer("text", "metadata", "title").order_by("position")
            ),
        )
        .defer("result", "answer__text", "answer__question")
        .order_by("pk")
    )
    for run in rows.iterator(chunk_size=100):
        yield _one(run, reasons.get(run.answer_id))


def _reports(run: DetectionRun) -> dict[str, Report]:
    """The run's reports; those of a run whose measurements cannot be read count as broken, so that one old row does not
    stop all replays."""
    try:
        return runs.reports_of(run)
    except ValueError as error:
        log.warning("measurements_unreadable run=%s reason=%s", run.pk, error)
        return {name: Report("error") for name in run.due}


def _one(run: DetectionRun, refused: str | None) -> Judged:
    answer = run.answer
    sources = list(answer.sources.all())
    claims = list(getattr(run, "read"))  # noqa: B009  # prefetched under this name
    case = Case(
        answer="",
        sources=tuple(Source(row.ref, "", parent_ref=row.parent_ref, score=row.score) for row in sources),
        original_confidence=answer.original_confidence,
        iteration=answer.iteration,
        max_iterations=answer.max_iterations,
        refused=refused,
    )
    return Judged(
        run=run.pk,
        finished=run.finished_at.timestamp() if run.finished_at else 0.0,
        case=case,
        claims=[codec.load(ReadClaim, claim.reading) for claim in claims],
        keys=[claim.pk for claim in claims],
        reports=_reports(run),
        due=run.due,
        facets={
            "language": answer.language or None,
            # by its key: its code may be changed
            "property": str(answer.property_id) if answer.property_id else None,
            "question_type": answer.question_type or None,
            "source_quality": runs.source_quality([row.quality for row in sources]),
        },
        model=answer.model,
    )
