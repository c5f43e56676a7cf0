"""What is read of chunks is kept in the database for every process, in a fixed number of queries, and not for ever."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import DatabaseError
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from detection import runs
from detection.core.evidence import READER, chunked, remembered
from detection.models import Answer, ChunkFrames, DetectionRun, Source
from detection.runs import frames, steps

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
TODAY = date(2026, 11, 23)
ANSWER = "NOI of tower 0 was $7,234 in Q3 2024 [S0]."
TABLE = (
    "| | Q3 2024 | Q2 2024 |\n|---|---|---|\n| Rent of tower {n} | {n}1,235 | 1,174 |\n| Parking | 55 | 56 |"
)


@pytest.fixture(autouse=True)
def fresh_process() -> Iterator[None]:
    """A process that has read nothing yet."""
    remembered.clear()
    yield
    remembered.clear()


def taken(make_answer: Callable[..., Answer], sources: int) -> DetectionRun:
    """A run of an answer with sources of prose and of tables, its claims read."""
    answer = make_answer(ANSWER)
    answer.requested_detectors = ["numeric"]
    answer.save()
    texts = [f"NOI of tower {n} was ${n + 7},234 in Q3 2024.\n\n{TABLE.format(n=n)}" for n in range(sources)]
    Source.objects.bulk_create(
        Source(answer=answer, ref=f"S{n}", text=text, position=n) for n, text in enumerate(texts)
    )
    run = DetectionRun.take(runs.start(answer).pk, seconds=30, limit=5)
    assert run is not None
    runs.read(run)
    return run


def asked(run: DetectionRun, connection: Any) -> int:
    """How many queries the screening of a run takes."""
    with CaptureQueriesContext(
        connection,
    ) as queries:
        runs.screen(run)
    return len(queries)


@pytest.mark.requirement("NUM-05")
def test_queries_do_not_grow_with_the_sources(make_answer: Callable[..., Answer]) -> None:
    from django.db import connection

    counts = {"new": set(), "stored": set(), "remembered": set()}  # type: dict[str, set[int]]
    for sources in (1, 10, 100):
        ChunkFrames.objects.all().delete()
        remembered.clear()
        counts["new"].add(asked(taken(make_answer, sources), connection))
        remembered.clear()
        counts["stored"].add(asked(taken(make_answer, sources), connection))
        counts["remembered"].add(asked(taken(make_answer, sources), connection))
    ((new,), (stored,), (held,)) = counts.values()
    assert stored == held + 2  # outlines, then frames
    assert new > stored  # and what is new, together


def test_what_one_process_read_no_other_reads_again(
    make_answer: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = runs.screen(taken(make_answer, 5))
    remembered.clear()
    for name in ("of_prose", "grids_in"):
        monkeypatch.setattr(chunked, name, lambda *_: pytest.fail("read again"))
    second = runs.screen(taken(make_answer, 5))
    assert first is not None
    assert second is not None
    assert [claim["status"] for claim in first.result["claims"]] == [
        claim["status"] for claim in second.result["claims"]
    ]
    assert ChunkFrames.objects.count() == 10


def test_frames_of_another_reader_are_not_taken(make_answer: Callable[..., Answer]) -> None:
    runs.screen(taken(make_answer, 1))
    ChunkFrames.objects.update(reader_version=READER + 1, frames=b"of another form")
    remembered.clear()
    assert runs.screen(taken(make_answer, 1)) is not None
    assert ChunkFrames.objects.filter(reader_version=READER).count() == 2


def test_a_screening_that_has_no_time_to_read_goes_on_from_what_is_kept(
    make_answer: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "READING_MS", 0)
    seen = []
    for _ in range(3):
        remembered.clear()
        prepared = runs.screen(taken(make_answer, 3))
        assert prepared is not None
        seen.append({claim["status"] for claim in prepared.result["claims"] if claim["kind"] == "currency"})
    assert seen[0] == {"unverified"}  # never support, and never a contradiction


def test_a_database_that_is_away_costs_the_reading_and_not_the_answer(
    make_answer: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise DatabaseError

    monkeypatch.setattr(ChunkFrames, "known", away)
    monkeypatch.setattr(ChunkFrames, "keep", away)
    prepared = runs.screen(taken(make_answer, 1))
    assert prepared is not None
    assert {c["status"] for c in prepared.result["claims"] if c["kind"] == "currency"} != {"unverified"}


def kept(key: str, days: int = 0, reader: int = READER) -> None:
    """A row that was used last so many days ago."""
    ChunkFrames.keep({key: b"x"}, reader, TODAY - timedelta(days=days))


def test_what_nobody_asks_for_is_deleted() -> None:
    kept("new")
    kept("month", days=29)
    kept("old", days=31)
    kept("other reader", days=1, reader=READER + 1)
    kept("other reader of today", reader=READER + 1)
    assert ChunkFrames.forget(TODAY, days=30, most=100, reader=READER) == 2
    left = set(ChunkFrames.objects.values_list("content_hash", flat=True))
    assert left == {"new", "month", "other reader of today"}


def test_no_more_rows_are_kept_than_may_be() -> None:
    for n in range(10):
        kept(f"row {n}", days=n)
    assert ChunkFrames.forget(TODAY, days=30, most=4, reader=READER) == 6
    assert set(ChunkFrames.objects.values_list("content_hash", flat=True)) == {f"row {n}" for n in range(4)}


def test_what_is_asked_for_stays() -> None:
    kept("row", days=29)
    assert ChunkFrames.known(["row", "none"], READER, TODAY) == {"row": b"x"}
    assert ChunkFrames.objects.get().used_on == TODAY


def test_what_two_workers_read_at_once_is_kept_once() -> None:
    for _ in range(2):
        kept("row")
    assert ChunkFrames.objects.count() == 1


def test_the_sweep_looks_once_an_hour(settings: Any) -> None:
    cache.delete("frames.forgotten")
    settings.FRAMES_MOST = 1
    now = timezone.now()
    for n in range(3):
        kept(f"row {n}")
    assert frames.forget(now) == 2
    kept("one more")
    assert frames.forget(now) == 0
    cache.delete("frames.forgotten")
