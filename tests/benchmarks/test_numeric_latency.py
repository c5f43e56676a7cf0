"""The latency benchmark runs to its end and prints every time that is asked for; the times themselves are no test."""

import re

import pytest
from django.db import connection

from benchmarks import extraction_speed, numeric_latency
from benchmarks.portfolio import portfolio
from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric

STATED = (
    "extraction, an answer",
    "database, a claim",
    *(
        f"{step}, {chunks} chunks"
        for step in ("documents, a claim", "verification, an answer", "whole, an answer")
        for chunks in ("new", "known")
    ),
)


@pytest.mark.requirement("NUM-15")
@pytest.mark.django_db
def test_every_time_asked_for_is_printed_with_its_percentiles_and_limit(
    capsys: pytest.CaptureFixture[str],
) -> None:
    book, queries = portfolio(), [0]

    def counted(execute, *query):  # type: ignore[no-untyped-def]
        queries[0] += 1
        return execute(*query)

    with connection.execute_wrapper(counted):
        numeric_latency.report(
            numeric_latency.asked(book, 2), numeric_latency.seeded(book), lambda: queries[0]
        )
    printed = capsys.readouterr().out
    assert "clock p50" in printed
    assert "CPU p95" in printed
    for step in STATED:
        line = next(line for line in printed.splitlines() if line.startswith(step))
        times = re.findall(r"\d+\.\d\d", line)
        assert len(times) == 6, line
        assert line.endswith(f" {numeric_latency.LIMITS[step]}")
    assert re.search(r"[1-9]\d*\.\d queries an answer", printed)


@pytest.mark.django_db
def test_what_is_timed_is_the_verification_of_figures_that_are_there() -> None:
    book = portfolio()
    build = numeric_latency.seeded(book)
    for one in numeric_latency.asked(book, 3):
        case = build(one)
        read = claims.read(case)
        decided = numeric.decide(numeric.measure(Context(case, read)), Context())
        numbers = [finding for finding in decided.findings if read[finding.claim].kind != "change"]
        assert len(case.sources) == 10
        assert len(numbers) == 7
        assert {finding.status for finding in numbers} == {"supported"}, numbers


def test_the_speed_benchmark_prints_ours_beside_the_bare_scans(capsys: pytest.CaptureFixture[str]) -> None:
    extraction_speed.paces([numeric_latency.asked(portfolio(), 1)[0].answer], rounds=1)
    extraction_speed.lengths(1_000)
    printed = capsys.readouterr().out
    for name in ("ours", "bare scan, re", "bare scan, regex", "ours, first pass", "1,000"):
        assert re.search(rf"^{name} .*\d", printed, re.MULTILINE), printed
