"""Claims between the core and their rows."""

from typing import Any

from django.db import connection

from detection.core import codec, pipeline
from detection.core.types import Claim as ReadClaim
from detection.models import Claim, DetectionRun
from detection.runs import result_numbers, results


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

    One prepared UPDATE for each kind of claim, run once a claim: 36,000 claims take a second or two,
    with a query object for each they took half a minute of SQLite's one write lock.
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
        by_columns.setdefault(tuple(values), []).append([*values.values(), run.pk, claim.index])
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        for names, rows in by_columns.items():
            changes = ", ".join(f"{quote(name)} = %s" for name in names)
            cursor.executemany(
                f"UPDATE {quote(Claim._meta.db_table)} SET {changes} "  # noqa: S608  # our own column names
                f"WHERE run_id = %s AND {quote('index')} = %s AND origin = 'detector'",
                rows,
            )
