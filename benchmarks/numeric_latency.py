"""How long does it take to verify the numbers of a typical answer? (NUM-15; python -m benchmarks.numeric_latency)

    python -m benchmarks.numeric_latency [--answers 300] [--database postgres://…]

Every answer states six figures of a made-up portfolio and has ten sources of about a thousand characters, tables and
prose; the figures are rows of a test database of its own, made for the run and dropped after it: SQLite, or the
server that ``--database`` names. Everything runs in this process, one answer after another. What a process has read
of a chunk it remembers for other answers; so every answer is measured with chunks that are new and with the same
chunks known. Printed are the percentiles of each step, by the clock and in CPU time of this process, and the queries
of an answer.
"""

import argparse
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from random import Random
from typing import Any

from benchmarks.portfolio import COLUMNS, LINES, NAMES, Portfolio, portfolio
from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.numbers import extract
from detection.core.types import Case, Claim, Source

LIMITS = {  # milliseconds: what NUM-15 allows, and what this project asks of itself
    "extraction, an answer": 10, "database, a claim": 50,
    "documents, a claim, new chunks": 30, "documents, a claim, known chunks": 30,
    "verification, an answer, new chunks": 5, "verification, an answer, known chunks": 5,
    "whole, an answer, new chunks": 100, "whole, an answer, known chunks": 100,
}  # fmt: skip
SHARES = (0.5, 0.95, 0.99)
Clock = tuple[float, float]
Build = Callable[["Asked"], Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer about a property's period, with its sources."""

    owner: str
    label: str
    answer: str
    sources: tuple[Source, ...]


def asked(book: Portfolio, count: int, seed: int = 7) -> list[Asked]:
    """``count`` answers about the quarters of the portfolio, each with ten sources that hold its figures."""
    random = Random(seed)
    quarters = [place for place in book.values if place[1].startswith("Q")]
    return [_asked(book, *random.choice(quarters), random) for _ in range(count)]


def _asked(book: Portfolio, owner: str, label: str, random: Random) -> Asked:
    row, name = book.values[owner, label], NAMES[owner]
    answer = (
        f"For {label}, {name} reported total revenue of ${row['total_revenue']:,.2f} [S0]. "
        f"Net operating income was ${row['net_operating_income'] / 1_000_000:.2f} million after operating expenses of "
        f"${row['operating_expenses']:,.0f} [S1]. Occupancy stood at {row['occupancy_rate']}% at the end of the period, and "
        "management expects leasing activity to remain steady over the coming months [S2]. With a debt service "
        f"coverage ratio of {row['dscr']}x, the property continues to satisfy the covenant of the senior loan [S4]. "
        f"Property taxes of ${row['6110']:,.2f} were the largest single cost of the property [S3]. "
        "No other material events were disclosed in the documents that were retrieved for this question."
    )
    shown = _nearby(book, owner, label)
    texts = [table(book, owner, shown, fields, random.choice(("|", "\t", ","))) for fields in GROUPS]
    texts += [prose(book, owner, period) for period in shown]
    return Asked(owner, label, answer, tuple(Source(f"S{n}", text) for n, text in enumerate(texts[:10])))


GROUPS = (
    ("total_revenue", "gross_potential_rent", "operating_expenses", "net_operating_income", "net_income"),
    ("net_operating_income", "operating_expenses", "debt_service", "net_income"),
    ("occupancy_rate", "vacancy_rate", "expense_ratio", "ltv", "cap_rate", "debt_yield"),
    tuple(LINES),
    ("dscr", "debt_service", "net_operating_income"),
)


def _nearby(book: Portfolio, owner: str, label: str) -> list[str]:
    """The period and four others of the same property, in order of time."""
    labels = [name for code, name in book.periods if code == owner and name.startswith("Q")]
    first = max(0, min(labels.index(label) - 2, len(labels) - 5))
    return labels[first : first + 5]


def table(book: Portfolio, owner: str, labels: Sequence[str], fields: Sequence[str], separator: str) -> str:
    """The figures of an owner in some periods as lines of cells, parted by `separator`."""
    names = {**{field: name for field, (name, _) in COLUMNS.items()}, **LINES}
    amount = "{}" if separator == "," else "{:,}"
    rows = [["Statement of " + NAMES[owner], *labels]]
    for field in fields:
        values = [book.values[owner, label][field] for label in labels]
        rows.append([names[field].capitalize(), *(amount.format(value) for value in values)])
    return "\n".join(separator.join(row) for row in rows)


def prose(book: Portfolio, owner: str, label: str) -> str:
    """The figures of an owner in one period, in dollars and per cent, as sentences."""
    row = book.values[owner, label]
    return (
        f"In {label} the total revenue of {NAMES[owner]} was ${row['total_revenue']:,.2f}, of which rents are by far the "
        f"largest part. Operating expenses came to ${row['operating_expenses']:,.2f}, which leaves a net operating income of "
        f"${row['net_operating_income']:,.2f}. Occupancy was {row['occupancy_rate']} percent and vacancy "
        f"{row['vacancy_rate']} percent. The debt service coverage ratio stood at {row['dscr']}x against a covenant of "
        "1.20x. Insurance was renewed on the terms of the year before, and no lease of more than two percent of the "
        f"rent ends within the next {row['6110'].to_integral_value() % 7 + 2} quarters. "
        + "Management has reviewed the rent roll, the budget and the reserve account together with the lender. "
        * 3
    )


def milliseconds(step: Callable[[], Any]) -> tuple[Any, Clock]:
    """What ``step`` returns, and what it took by the clock and in CPU time."""
    clock, cpu = time.perf_counter(), time.process_time()
    outcome = step()
    return outcome, ((time.perf_counter() - clock) * 1000, (time.process_time() - cpu) * 1000)


def measured(one: Asked, build: Build) -> dict[str, Clock]:
    """What each step of one answer takes; steps for a claim are the answer's divided by its numbers."""
    found, extraction = milliseconds(lambda: extract(one.answer))
    case, figures = milliseconds(lambda: build(one))
    read, reading = milliseconds(lambda: claims.read(case))
    alone = replace(case, sources=())
    _, records = milliseconds(lambda: numeric.measure(Context(alone, read)))
    steps = {
        "extraction, an answer": extraction,
        "figures from the database": figures,
        "claims read": reading,
        "database, a claim": _over(_sum(figures, records), len(found)),
    }
    for chunks in ("new", "known"):
        measuring, documents = _with_chunks(case, read, known=chunks == "known")
        steps |= {
            f"measured and decided, {chunks} chunks": measuring,
            f"documents, a claim, {chunks} chunks": _over(documents, len(found)),
            f"verification, an answer, {chunks} chunks": _sum(figures, measuring),
            f"whole, an answer, {chunks} chunks": _sum(figures, reading, measuring),
        }
    return steps


def _with_chunks(case: Case, read: Sequence[Claim], *, known: bool) -> tuple[Clock, Clock]:
    """Measuring and deciding, and measuring against the documents alone, with every chunk read before or none."""
    alone = replace(case, figures=(), periods=(), database="not_asked")
    clocks = []
    for one in (case, alone):
        context = Context(one if known else replace(one, sources=_new(one.sources)), read)
        stored, measuring = milliseconds(partial(numeric.measure, context))
        _, deciding = milliseconds(partial(numeric.decide, stored, context))
        clocks.append((measuring, deciding))
    return _sum(*clocks[0]), clocks[1][0]


_EVER = count()


def _new(sources: Sequence[Source]) -> tuple[Source, ...]:
    """The sources as nobody has read them before."""
    return tuple(replace(source, text=f"{source.text}\nPart {next(_EVER)}.") for source in sources)


def _sum(*clocks: Clock) -> Clock:
    return sum(clock for clock, _ in clocks), sum(cpu for _, cpu in clocks)


def _over(clock: Clock, count: int) -> Clock:
    return clock[0] / count, clock[1] / count


def report(answers: Sequence[Asked], build: Build, queries: Callable[[], int]) -> None:
    """Measure every answer and print the table."""
    build(answers[0])
    steps: dict[str, list[Clock]] = defaultdict(list)
    asked_before = queries()
    for one in answers:
        for step, clock in measured(one, build).items():
            steps[step].append(clock)
    each = (queries() - asked_before) / len(answers)
    heads = [f"{kind} p{share * 100:.0f}" for kind in ("clock", "CPU") for share in SHARES]
    print(f"{'milliseconds':<38}" + "".join(f"{head:>11}" for head in heads) + "      limit")
    for step, clocks in steps.items():
        columns = [sorted(column) for column in zip(*clocks, strict=True)]
        shares = [column[int(share * (len(column) - 1))] for column in columns for share in SHARES]
        limit = f"{LIMITS[step]:>11}" if step in LIMITS else ""
        print(f"{step:<38}" + "".join(f"{share:>11.2f}" for share in shares) + limit)
    numbers = sum(len(extract(one.answer)) for one in answers) / len(answers)
    length = sum(len(source.text) for one in answers for source in one.sources) / len(answers)
    print(
        f"{numbers:.1f} numbers and {length:,.0f} characters of sources an answer; {each:.1f} queries an answer"
    )


def seeded(book: Portfolio) -> Build:
    """Make the portfolio's rows; returns what builds the case of an answer from them."""
    from detection.models import FinancialMetrics, FinancialPeriod, IncomeStatementData, Property
    from detection.runs import evidence

    owners = {code: Property.objects.create(code=code, name=name) for code, name in NAMES.items()}
    rows = {}
    for (owner, label), period in book.periods.items():
        values = book.values[owner, label]
        row = FinancialPeriod.objects.create(
            property=owners[owner], label=label, start=period.start, end=period.end
        )
        FinancialMetrics.objects.create(period=row, **{field: values[field] for field in COLUMNS})
        IncomeStatementData.objects.bulk_create(
            IncomeStatementData(period=row, account_code=code, account_name=name, amount=values[code])
            for code, name in LINES.items()
        )
        rows[owner, label] = row

    def build(one: Asked) -> Any:
        about, period = owners[one.owner], rows[one.owner, one.label]
        return evidence.build(answer=one.answer, sources=one.sources, about=about, period=period)

    return build


def main() -> None:
    """Run the benchmark on a test database of its own."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--answers", type=int, default=300)
    options.add_argument("--database", help="URL of a PostgreSQL server; a temporary SQLite file without it")
    chosen = options.parse_args()
    os.environ.update(
        HALLU_VAR=tempfile.mkdtemp(prefix="hallu-latency-"), DJANGO_SETTINGS_MODULE="hallu_site.settings"
    )
    os.environ.pop("DATABASE_URL", None)
    if chosen.database:
        os.environ["DATABASE_URL"] = chosen.database
        os.environ["HALLU_TEST"] = "1"  # a server's database is production otherwise, and refuses to start
    import django

    django.setup()
    from django.db import connection
    from django.test.utils import setup_databases, teardown_databases

    made = setup_databases(verbosity=0, interactive=False)
    try:
        book, asked_for = portfolio(), [0]

        def counted(execute: Any, *query: Any) -> Any:
            asked_for[0] += 1
            return execute(*query)

        with connection.execute_wrapper(counted):
            build = seeded(book)
            print(f"{connection.vendor}, {chosen.answers} answers")
            report(asked(book, chosen.answers), build, lambda: asked_for[0])
    finally:
        teardown_databases(made, verbosity=0)


if __name__ == "__main__":
    main()
