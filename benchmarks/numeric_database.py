"""Numbers verified against the financial database: true sentences and wrong ones of a made-up portfolio.

    python -m benchmarks.numeric_database [--sentences 1800] [--derived 1300] [--rows | --documents] [--show LINE]

Property and period of the answer are known, there are no sources; with ``--documents`` there are ten chunks of
tables and prose with the same figures, and no database. A true sentence counts as right when every
number and date of it is supported; a wrong one when its changed value is not. Near misses inside the
tolerance are supported as ``inexact`` by contract and reported apart. With ``--rows`` the figures are real rows
of a database of its own and come through ``detection.runs.evidence``. Intervals are bootstrapped over sentences.
"""

import argparse
import os
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random

from benchmarks.numeric_extraction import interval
from benchmarks.portfolio import LINES, NAMES, Portfolio, kind_of, portfolio
from benchmarks.portfolio_derived import derived_sentences
from benchmarks.portfolio_documents import from_documents
from benchmarks.portfolio_sentences import Stated, sentences
from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.types import Case, Finding

Build = Callable[[str, str, str, str], Case]
Wrong = tuple[str, str]  # kind and the changed value as written
_TOLERANCE = {"currency": 0.05, "percentage": 0.02, "ratio": 0.05}
_NEAR = {"currency": 0.04, "percentage": 0.015, "ratio": 0.04}
_SCALED = {"M": "K", "K": "M", " million": " thousand", "万美元": "亿美元", " מיליון": " מיליארד"}
_UNITS = {"currency": (("$", "€"), ("美元", "欧元"), ("דולר", "אירו")), "percentage": (("%", "x"), (" percent", " dollars")), "ratio": (("x", "%"),)}  # fmt: skip


def wrong_values(stated: Stated, book: Portfolio, random: Random) -> Iterator[Wrong]:
    """The wrong values of a sentence by kind, as it writes values; none that reads like the true one."""
    true = stated.shown(stated.value)
    direct = not stated.form.startswith(_DERIVED)
    made = [*_misread(stated, true, direct, random), *_elsewhere(stated, book, random, direct)]
    made += [(kind, stated.shown(value)) for kind, value in stated.others]
    for kind, shown in made:
        if shown != true and not _says_it(stated, shown):
            yield kind, shown


_DERIVED = (
    "growth", "difference", "points", "sum", "average", "share", "margin", "coverage", "between",
)  # fmt: skip


def _says_it(stated: Stated, shown: str) -> bool:
    """Whether a value written in another way still is the true one, rounded."""
    return shown.lstrip("-") == stated.shown(stated.value)


def _misread(stated: Stated, true: str, direct: bool, random: Random) -> Iterator[Wrong]:
    places = [place for place, character in enumerate(true) if character.isdigit()]
    digits = [place for place in places if place == places[0] or len(places) > 1]
    changed = [
        true[:place] + digit + true[place + 1 :]
        for place in digits
        for digit in "0123456789"
        if digit != true[place] and not (place == places[0] and digit == "0" and len(places) > 1)
    ]
    far = [
        one for one in changed if _apart(true, one) > (_TOLERANCE[stated.kind] * 1.001 if direct else 0.004)
    ]
    near = [one for one in changed if 0 < _apart(true, one) <= _NEAR[stated.kind]]
    if far:
        yield "digit", random.choice(far)
    if near and direct:
        yield "near miss", random.choice(near)
    pairs = [(a, b) for a, b in pairwise(places) if true[a] != true[b] and true[b] + true[a] != "0"]
    pairs = [(a, b) for a, b in pairs if not (a == places[0] and true[b] == "0")]
    if pairs:
        a, b = random.choice(pairs)
        yield "transposition", true[:a] + true[b] + true[a + 1 : b] + true[a] + true[b + 1 :]
    if direct:
        yield from _units(stated, true)


def _units(stated: Stated, true: str) -> Iterator[Wrong]:
    scaled = next((true.replace(unit, other) for unit, other in _SCALED.items() if unit in true), None)
    if scaled is None:
        factor = 1000 if stated.kind == "currency" else 10
        scaled = stated.shown(stated.value * factor)
    yield "scale", scaled
    yield "sign", f"-{true}"
    for unit, other in _UNITS[stated.kind]:
        if unit in true:
            yield "unit", true.replace(unit, other)


def _apart(true: str, other: str) -> float:
    one, two = (
        float("".join(c for c in text if c.isdigit() or c == ".").strip(".")) for text in (true, other)
    )
    return abs(one - two) / one if one else 1.0


def _elsewhere(stated: Stated, book: Portfolio, random: Random, direct: bool) -> Iterator[Wrong]:
    if not direct:
        return
    owner, label = stated.of
    kind = stated.kind
    periods = [name for code, name in book.periods if code == owner and name != label]
    yield "off-period", stated.shown(book.values[owner, random.choice(periods)][stated.metric])
    others = [code for code in NAMES if code != owner and (code, label) in book.values]
    yield "off-property", stated.shown(book.values[random.choice(others), label][stated.metric])
    metrics = [name for name in book.values[owner, label] if name != stated.metric and kind_of(name) == kind]
    if metrics:
        yield "off-metric", stated.shown(book.values[owner, label][random.choice(metrics)])


def judged(case: Case) -> list[tuple[int, int, Finding]]:
    """Every number of an answer with where it stands and what was found."""
    read = claims.read(case)
    decided = numeric.decide(numeric.measure(Context(case, read)), Context())
    return [(read[f.claim].start, read[f.claim].end, f) for f in decided.findings]


def from_memory(book: Portfolio) -> Build:
    """Cases with the portfolio's figures as they are."""
    figures, properties, aliases = book.figures(), book.properties(), book.aliases()

    def build(answer: str, language: str, owner: str, label: str) -> Case:
        return Case(
            answer=answer, language=language, figures=figures, periods=book.of(owner), aliases=aliases,
            properties=properties, property=owner, period=book.periods[owner, label], database="ok",
        )  # fmt: skip

    return build


def from_rows(book: Portfolio) -> Build:
    """Cases whose figures are rows of an SQLite database in a folder of its own, through ``detection.runs.evidence``."""
    os.environ.update(
        HALLU_VAR=tempfile.mkdtemp(prefix="hallu-portfolio-"), DJANGO_SETTINGS_MODULE="hallu_site.settings"
    )
    os.environ.pop("DATABASE_URL", None)
    import django

    django.setup()
    from django.core.management import call_command

    from detection.models import FinancialMetrics, FinancialPeriod, IncomeStatementData, Property
    from detection.runs import evidence

    call_command("migrate", verbosity=0)
    owners = {code: Property.objects.create(code=code, name=name) for code, name in NAMES.items()}
    rows = {}
    for (owner, label), period in book.periods.items():
        row = FinancialPeriod.objects.create(
            property=owners[owner], label=label, start=period.start, end=period.end
        )
        values = book.values[owner, label]
        FinancialMetrics.objects.create(
            period=row, **{name: value for name, value in values.items() if name not in LINES}
        )
        IncomeStatementData.objects.bulk_create(
            IncomeStatementData(period=row, account_code=code, account_name=name, amount=values[code])
            for code, name in LINES.items()
        )
        rows[owner, label] = row

    def build(answer: str, language: str, owner: str, label: str) -> Case:
        return evidence.build(
            answer=answer, sources=(), about=owners[owner], period=rows[owner, label], language=language
        )

    return build


def run(book: Portfolio, stated: list[Stated], build: Build, shown: str | None) -> None:
    """Judge every sentence and its wrong versions and print a line for each kind."""
    random = Random(17)
    right: dict[str, list[int]] = defaultdict(list)
    codes: dict[str, Counter[str]] = defaultdict(Counter)
    times = []
    for one in stated:
        for line, text, value in _versions(one, book, random):
            case = build(text, one.language, one.owner, one.label)
            begin = time.process_time()
            found = judged(case)
            times.append((time.process_time() - begin) * 1000)
            start, end = len(one.before), len(one.before) + len(value)
            said = [f for a, b, f in found if not value or (a < end and start < b)]
            supported = bool(said) and all(finding.status == "supported" for finding in said)
            good = supported is not bool(value)
            right[line].append(good)
            codes[line].update([finding.code for finding in said] or ["nothing read"])
            if shown and line.startswith(shown) and not good:
                print(f"{one.owner} {one.label} | {text} | {[f'{f.code}: {f.reason}' for f in said]}")
    _print(right, codes)
    times.sort()
    print(
        f"processor time of a sentence: p50 {times[len(times) // 2]:.2f} ms, p95 {times[int(len(times) * 0.95)]:.2f} ms"
    )


def _versions(one: Stated, book: Portfolio, random: Random) -> Iterator[tuple[str, str, str]]:
    """The line, the text and the wrong value of a sentence as it is true (no value) and of each wrong one."""
    yield f"true: {one.form}", one.text(), ""
    derived = "derived " if one.form.startswith(_DERIVED) else ""
    for kind, value in wrong_values(one, book, random):
        yield f"wrong: {derived}{kind}", one.text(value), value


def _print(right: dict[str, list[int]], codes: dict[str, Counter[str]]) -> None:
    """A line for each kind, then all true ones and all wrong ones, near misses apart."""
    for line in sorted(right):
        share, low, high = interval([(good, 1) for good in right[line]])
        print(
            f"{line:<36} {share:7.2%}  [{low:.2%}, {high:.2%}] {len(right[line]):6}  {codes[line].most_common(5)}"
        )
    for group in ("true: ", "wrong: "):
        hits = [
            good
            for line, goods in right.items()
            if line.startswith(group) and "near miss" not in line
            for good in goods
        ]
        share, low, high = interval([(good, 1) for good in hits])
        print(f"{'all ' + group.strip(': '):<36} {share:7.2%}  [{low:.2%}, {high:.2%}] {len(hits):6}")


def main() -> None:
    """Run the benchmark as the command line says."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    options.add_argument("--sentences", type=int, default=1800)
    options.add_argument("--derived", type=int, default=1300)
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--rows", action="store_true", help="through real rows and detection.runs.evidence")
    options.add_argument("--documents", action="store_true", help="figures in sources alone")
    options.add_argument("--show", help="print the wrongly judged sentences of the lines that begin so")
    chosen = options.parse_args()
    book = portfolio(chosen.seed)
    stated = [
        *sentences(book, chosen.sentences, chosen.seed),
        *derived_sentences(book, chosen.derived, chosen.seed),
    ]
    given = from_documents if chosen.documents else from_rows if chosen.rows else from_memory
    run(book, stated, given(book), chosen.show)


if __name__ == "__main__":
    main()
