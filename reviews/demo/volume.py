"""Many answers out of few: rows multiplied inside the database, to see how screens behave after years of use.

Every copy of an answer brings its sources, run, claims, reports, review, passes and verdicts along. A copy is
older than the one before it by one step and says its number at the end of its text, so that searches differ
in how much they find. What is stored as JSON (the delivered result) is copied as it is.
"""

from dataclasses import dataclass
from datetime import timedelta
from itertools import islice

from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.models import Max, Min

from detection import search
from detection.models import (
    Answer,
    Claim,
    DetectionRun,
    DetectorReport,
    EventBody,
    MonitoredRun,
    Query,
    Source,
)
from reviews.models import ClaimVerdict, HallucinationReview, ReviewEvent, ReviewPass

TABLES: tuple[type[models.Model], ...] = (
    Query,
    Answer,
    Source,
    DetectionRun,
    DetectorReport,
    Claim,
    MonitoredRun,
    HallucinationReview,
    ReviewPass,
    ClaimVerdict,
)
NUMBERED = ("external_id",)
ENDED_BY_NUMBER = (Answer, "text")
BATCH = 5_000
INDEXING = {
    "postgresql": [
        "INSERT INTO detection_answersearch SELECT {key}, o.groups || n.groups FROM originals o, numbers n",
        "DROP TABLE originals, numbers",
    ],
    "sqlite": [
        "INSERT INTO detection_answersearch (answer_id) SELECT {key} FROM originals o, numbers n",
        "INSERT INTO detection_answersearch_groups (rowid, groups) "
        "SELECT kept.id, o.groups || ' ' || n.groups FROM originals o, numbers n "
        "JOIN detection_answersearch kept ON kept.answer_id = {key}",
        "DROP TABLE originals",
        "DROP TABLE numbers",
    ],
}
"""How the copies get into the index of searches, statement by statement."""


@dataclass(frozen=True, slots=True)
class Copies:
    """``count`` copies of every row, each ``step`` older than the one before; ``strides`` are how far the
    numeric keys of a table lie apart from copy to copy."""

    count: int
    step: timedelta
    strides: dict[type[models.Model], int]


@transaction.atomic
def multiply(count: int, *, days: float, reports: bool = True) -> None:
    """Add ``count`` copies of every answer that is there, spread over the ``days`` before it; on demand without the
    detectors' ``reports``, a third of the bytes, which no page reads."""
    strides = {table: _stride(table) for table in TABLES if table is not Answer}
    copies = Copies(count, timedelta(days=days / max(count, 1)), strides)
    originals = [(answer, search.groups_of(answer)) for answer in Answer.objects.all()]
    for table in TABLES:
        if reports or table is not DetectorReport:
            _copy(table, copies)
    _count_on_from_the_last_key()
    _index(originals, count)


def add_openings() -> int:
    """Give each review without a history the event of its opening; returns how many."""
    bare = HallucinationReview.objects.filter(events=None).order_by("pk")
    added, waiting = 0, bare.iterator(chunk_size=BATCH)
    while batch := [_opening(review) for review in islice(waiting, BATCH)]:
        added += len(ReviewEvent.write(batch))
    return added


def _opening(review: HallucinationReview) -> ReviewEvent:
    event = ReviewEvent(
        subject=review,
        seq=1,
        action="opened",
        profile_id=review.profile_id,
        created_at=review.created_at,
    )
    event.tell(EventBody(after={"selection_reason": review.selection_reason}))
    return event


def _stride(table: type[models.Model]) -> int:
    ends = table._default_manager.aggregate(least=Min("pk"), most=Max("pk"))
    return int(ends["most"] - ends["least"] + 1) if ends["least"] is not None else 1


def _copy(table: type[models.Model], copies: Copies) -> None:
    fields = [field for field in table._meta.concrete_fields if not field.generated]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(_value(table, field, copies) for field in fields)
    name = table._meta.db_table
    with connection.cursor() as cursor:  # names and numbers of our own, nothing from outside
        cursor.execute(
            f'INSERT INTO "{name}" ({columns}) '  # noqa: S608
            f"WITH RECURSIVE copies(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM copies WHERE k < {copies.count}) "
            f'SELECT {values} FROM copies CROSS JOIN "{name}" AS r'
        )


def _value(table: type[models.Model], field: "models.Field[object, object]", copies: Copies) -> str:
    """The SQL of a column in copy ``k``."""
    column = f'r."{field.column}"'
    points_at = field.related_model if field.is_relation else table if field.primary_key else None
    if points_at is Answer:
        return _uuid(column)
    if points_at in copies.strides:
        return f"{column} + k * {copies.strides[points_at]}"
    if isinstance(field, models.DateTimeField):
        return _earlier(column, copies.step)
    if field.name in NUMBERED or (table, field.name) == ENDED_BY_NUMBER:
        return f"{column} || ' #' || k"
    return column


def _index(originals: list[tuple[Answer, set[int]]], count: int) -> None:
    """Let the copies be found: by the groups of their originals and of the number at their end."""
    numbers = [(k, search.kept_groups(str(k))) for k in range(1, count + 1)]
    postgres = connection.vendor == "postgresql"
    kinds = {"key": "uuid", "groups": "int[]"} if postgres else {"key": "text", "groups": "text"}
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE originals (answer_id {key}, groups {groups})".format(**kinds))
        cursor.execute("CREATE TEMPORARY TABLE numbers (k integer, groups {groups})".format(**kinds))
        cursor.executemany(
            "INSERT INTO originals VALUES (%s, %s)",
            [(answer.pk if postgres else answer.pk.hex, _written(groups)) for answer, groups in originals],
        )
        cursor.executemany(
            "INSERT INTO numbers VALUES (%s, %s)", [(k, _written(groups)) for k, groups in numbers]
        )
        for statement in INDEXING[connection.vendor]:
            cursor.execute(statement.format(key=_uuid('o."answer_id"')))


def _written(groups: set[int]) -> list[int] | str:
    """Groups as the index of this database keeps them."""
    return sorted(groups) if connection.vendor == "postgresql" else " ".join(map(search.token, groups))


def _uuid(column: str) -> str:
    if connection.vendor == "sqlite":
        return f"printf('%08x', k) || substr({column}, 9)"
    return f"(lpad(to_hex(k), 8, '0') || substr({column}::text, 9))::uuid"


def _earlier(column: str, step: timedelta) -> str:
    seconds = step.total_seconds()
    if connection.vendor == "sqlite":
        return f"strftime('%Y-%m-%d %H:%M:%f000', {column}, '-' || (k * {seconds}) || ' seconds')"
    return f"{column} - k * interval '{seconds} seconds'"


def _count_on_from_the_last_key() -> None:
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(TABLES)):
            cursor.execute(statement)
