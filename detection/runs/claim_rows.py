"""Claims between the core and their rows."""

from functools import lru_cache
from itertools import chain
from typing import Any

from django.db import connection
from django.db.models import FloatField

from detection.core import codec, pipeline
from detection.core.types import Claim as ReadClaim
from detection.models import Claim, DetectionRun
from detection.runs import result_numbers, results

TOGETHER = 1000
"""Claims that one statement writes; SQLite takes no more than 32,766 arguments."""


def row_of(run: DetectionRun, claim: ReadClaim) -> Claim:
    """The row of a claim as it was read; the columns of its finding are still empty."""
    return Claim(
        run=run,
        index=claim.index,
        kind=claim.kind,
        text=claim.text,
        start=claim.start,
        end=claim.end,
        sentence=claim.sentence,
        statement=claim.statement,
        citations=list(claim.citations),
        reading=codec.dump(claim),
        value=result_numbers.stated(claim)[:60],
    )


def claims_of(run: DetectionRun) -> tuple[ReadClaim, ...]:
    """The claims that were stored, as the core knows them."""
    rows = run.claims.filter(origin=Claim.Origin.DETECTOR).order_by("index")
    return tuple(codec.load(ReadClaim, reading) for reading in rows.values_list("reading", flat=True))


def write(run: DetectionRun, conclusion: pipeline.Conclusion) -> None:
    """Write each claim's finding into its row.

    One UPDATE for each kind of claim and each :data:`TOGETHER` of them: a large answer has 36,000, and a statement of its own for each
    costs the database more than all else that a run writes.
    """
    by_columns: dict[tuple[str, ...], list[list[Any]]] = {}
    for claim, finding in zip(conclusion.claims, conclusion.findings, strict=True):
        values = {
            "status": finding.status,
            "finding": finding.code,
            "reason": finding.reason,
            "flagged": claim.index in conclusion.flagged,
            **results.columns(conclusion, claim, finding),
        }
        by_columns.setdefault(tuple(values), []).append([claim.index, *values.values()])
    with connection.cursor() as cursor:
        for names, rows in by_columns.items():
            for first in range(0, len(rows), TOGETHER):
                those = rows[first : first + TOGETHER]
                cursor.execute(_update(names, len(those)), [*chain(*those), run.pk])


@lru_cache(maxsize=64)
def _update(names: tuple[str, ...], count: int) -> str:
    """The statement that writes these columns of so many claims of one run."""
    quote = connection.ops.quote_name
    given = ", ".join([f"({', '.join(['%s'] * (len(names) + 1))})"] * count)
    changes = ", ".join(f"{quote(name)} = {_typed(name)}" for name in names)
    return (
        f"WITH given ({', '.join(map(quote, ('claim', *names)))}) AS (VALUES {given}) "  # noqa: S608  # our own column names
        f"UPDATE {quote(Claim._meta.db_table)} AS told SET {changes} FROM given "
        f"WHERE told.run_id = %s AND told.{quote('index')} = given.claim AND told.origin = 'detector'"
    )


def _typed(name: str) -> str:
    """A column of what is given; one of floats is of no known type where all are NULL."""
    column = f"given.{connection.ops.quote_name(name)}"
    is_float = isinstance(Claim._meta.get_field(name), FloatField)
    return f"CAST({column} AS double precision)" if is_float else column
