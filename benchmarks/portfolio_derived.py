"""Sentences whose number follows from figures of a portfolio: change, growth, sum, average, share, ratio.

Each brings the wrong values that a model is likely to write instead: the change from another period, the
direction turned round, the share of another amount.
"""

from collections.abc import Callable, Iterator
from decimal import Decimal
from random import Random

from benchmarks.portfolio import NAMES, YEARS, Portfolio
from benchmarks.portfolio_sentences import CALLED, Stated, before, quarter_words
from detection.core.types import Kind

_AMOUNTS = (
    "total_revenue",
    "operating_expenses",
    "net_operating_income",
    "gross_potential_rent",
    "debt_service",
)
_RATES = ("occupancy_rate", "ltv", "vacancy_rate")
_GREW = {
    "sequential": (
        "{M} {rose} {v} from {l} to {p}.", "{M} {rose} by {v} compared to the prior quarter.", "{M} was {up} {v} quarter over quarter.",
        "Compared with {l}, {m} {rose} {v} in {p}.", "{M} {rose} {v} sequentially in {p}.", "This represents a {v} {increase} in {m} from {l}.",
        "In {p}, {m} {rose} {v} versus the previous quarter.", "Quarter-over-quarter, {m} {rose} by {v}.",
    ),
    "yearly": (
        "{M} {rose} {v} year over year.", "{M} was {up} {v} compared to {a}.", "On a year-over-year basis, {m} {rose} {v} in {p}.",
        "{M} {rose} by {v} from the same quarter last year.", "Versus {a}, {m} {rose} {v}.", "{M} in {p} was {v} {higher} than in {a}.",
    ),
    "yearly, he": ("{M} {rose} ב-{v} לעומת הרבעון המקביל אשתקד.", "לעומת {a}, {m} {rose} ב-{v}."),
    "yearly, zh": ("{m}同比{rose}{v}。", "与去年同期相比，{m}{rose}了{v}。"),
    "sequential, zh": ("{m}环比{rose}{v}。",),
}  # fmt: skip
_DIFFERENCE = (
    "{M} {rose} by {v} from {l} to {p}.", "{M} {rose} {v} compared with {l}.", "The {increase} in {m} from {l} to {p} was {v}.",
    "{M} was {v} {higher} in {p} than in {l}.",
)  # fmt: skip
_SUMS = (
    "Total {m} for the four quarters of {y} was {v}.", "For full-year {y}, {m} totaled {v}.", "{M} in {y} was {v}.",
    "Across all of {y}, {o} generated {v} of {m}.", "Combined, the four quarters of {y} produced {m} of {v}.",
)  # fmt: skip
_AVERAGES = (
    "Average {b} in {y} was {v}.", "{M} averaged {v} across the four quarters of {y}.", "On average, {m} was {v} during {y}.",
    "The average {b} for {y} was {v}.",
)  # fmt: skip
_SHARES = (
    "{N} represented {v} of total revenue in {p}.", "{N} accounted for {v} of revenue.", "In {p}, {n} consumed {v} of total revenue.",
    "{N} as a percentage of revenue was {v}.", "{N} made up {v} of total revenue for the {w}.",
)  # fmt: skip
_MARGINS = (
    "The NOI margin was {v} in {p}.",
    "NOI margin for {p} stood at {v}.",
    "This implies an NOI margin of {v}.",
)
_COVERS = (
    "NOI covered debt service {v} in {p}.", "With NOI covering debt service by {v}, coverage in {p} is adequate.",
    "Dividing NOI by debt service gives {v} for {p}.",
)  # fmt: skip
_BETWEEN = (
    "{M} was {v} {higher} than at {other}.", "At {o}, {m} in {p} was {v} {higher} than at {other}.",
    "{M} at {o} {exceeded} {other}'s by {v} in {p}.",
)  # fmt: skip
_TOGETHER = (
    "Combined {m} of {o} and {other} was {v} in {p}.",
    "Together, {o} and {other} generated {m} of {v} in {p}.",
)
_EXCEEDED = (
    "NOI exceeded debt service by {v} in {p}.",
    "The gap between NOI and debt service was {v} in {p}.",
)
_WORDS = {
    "en": {"rose": ("rose", "fell"), "up": ("up", "down"), "increase": ("increase", "decrease"),
           "higher": ("higher", "lower"), "exceeded": ("exceeded", "trailed")},
    "he": {"rose": ("עלה", "ירד")},
    "zh": {"rose": ("增长", "下降")},
}  # fmt: skip


def derived_sentences(book: Portfolio, count: int, seed: int = 13) -> Iterator[Stated]:
    """``count`` true sentences with a derived number, of every form in turn."""
    random = Random(seed)
    makers: tuple[Callable[[Portfolio, Random], Stated], ...] = (
        _growth, _growth, _growth, _difference, _points, _sum, _average, _share, _margin, _coverage, _between,
        _together, _surplus,
    )  # fmt: skip
    for number in range(count):
        yield makers[number % len(makers)](book, random)


def _place(random: Random) -> tuple[str, str]:
    return random.choice(list(NAMES)), f"Q{random.randint(1, 4)} {random.choice(YEARS[1:])}"


def _year_ago(label: str) -> str:
    name, year = label.split()
    return f"{name} {int(year) - 1}"


def _made(
    random: Random,
    form: str,
    phrasing: str,
    place: tuple[str, str],
    value: Decimal,
    style: tuple[Kind, str],
    *,
    metric: str = "net_operating_income",
    language: str = "en",
    rising: bool = True,
    others: tuple[tuple[str, Decimal], ...] = (),
    **words: str,
) -> Stated:
    owner, label = place
    called = random.choice(CALLED[language][metric])
    year = label.split()[1]
    given = {
        "m": called, "M": called[0].upper() + called[1:], "b": called.removeprefix("the "), "o": NAMES[owner],
        "p": label, "l": before(label), "a": _year_ago(label), "y": year, "w": quarter_words(label), "v": "{v}",
        **{name: pair[not rising] for name, pair in _WORDS[language].items()}, **words,
    }  # fmt: skip
    start, _, end = phrasing.format(**given).partition("{v}")
    kind, written = style
    return Stated(
        form, language, owner, label, start, end, value, kind, written, metric, place, tuple(others)
    )


def _percent(later: Decimal, earlier: Decimal) -> Decimal:
    return (later - earlier) / abs(earlier) * 100


def _growth(book: Portfolio, random: Random) -> Stated:
    place, step = _place(random), random.choice(list(_GREW))
    language = step.partition(", ")[2] or "en"
    metric = random.choice([name for name in _AMOUNTS if name in CALLED[language]])
    base = _year_ago(place[1]) if step.startswith("yearly") else before(place[1])
    other = before(place[1]) if step.startswith("yearly") else _year_ago(place[1])
    now, then, else_ = (book.values[place[0], label][metric] for label in (place[1], base, other))
    change, wrong = _percent(now, then), _percent(now, else_)
    another = random.choice([name for name in _AMOUNTS if name != metric])
    off = _percent(book.values[place][another], book.values[place[0], base][another])
    return _made(
        random, f"growth, {step}", random.choice(_GREW[step]), place, abs(change), ("percentage", "plain"),
        metric=metric, language=language, rising=change >= 0,
        others=(("off-period", abs(wrong)), ("off-metric", abs(off))),
    )  # fmt: skip


def _difference(book: Portfolio, random: Random) -> Stated:
    place, metric = _place(random), random.choice(_AMOUNTS)
    now, then = book.values[place][metric], book.values[place[0], before(place[1])][metric]
    year = book.values[place[0], _year_ago(place[1])][metric]
    return _made(
        random, "difference", random.choice(_DIFFERENCE), place, abs(now - then), ("currency", "dollars"),
        metric=metric, rising=now >= then, others=(("off-period", abs(now - year)),),
    )  # fmt: skip


def _points(book: Portfolio, random: Random) -> Stated:
    place, metric = _place(random), random.choice(_RATES)
    now, then = book.values[place][metric], book.values[place[0], before(place[1])][metric]
    phrasing = random.choice(("{M} {rose} {v} from {l} to {p}.", "{M} {rose} by {v} quarter over quarter."))
    unit = random.choice((" percentage points", " points", " percentage points"))
    return _made(
        random, "points", phrasing.replace("{v}", "{v}" + unit), place, abs(now - then), ("ratio", "in words"),
        metric=metric, rising=now >= then,
    )  # fmt: skip


def _quarters(book: Portfolio, owner: str, year: str, metric: str) -> list[Decimal]:
    return [book.values[owner, f"Q{number} {year}"][metric] for number in (1, 2, 3, 4)]


def _sum(book: Portfolio, random: Random) -> Stated:
    (owner, label), metric = _place(random), random.choice(_AMOUNTS[:3])
    values = _quarters(book, owner, "2024", metric)
    place = (owner, f"{label[:2]} 2024")
    return _made(
        random, "sum of quarters", random.choice(_SUMS), place, sum(values, Decimal(0)),
        ("currency", random.choice(("dollars", "millions", "in words"))), metric=metric,
        others=(("off-period", book.values[place][metric]), ("partial", sum(values[1:], Decimal(0)))),
    )  # fmt: skip


def _average(book: Portfolio, random: Random) -> Stated:
    (owner, label), metric = _place(random), random.choice(("occupancy_rate", "ltv", "net_operating_income"))
    values = _quarters(book, owner, "2024", metric)
    kind: tuple[Kind, str] = (
        ("currency", "dollars") if metric == "net_operating_income" else ("percentage", "plain")
    )
    return _made(
        random, "average of quarters", random.choice(_AVERAGES), (owner, f"{label[:2]} 2024"),
        sum(values, Decimal(0)) / 4, kind, metric=metric, others=(("off-period", values[int(label[1]) - 1]),),
    )  # fmt: skip


def _share(book: Portfolio, random: Random) -> Stated:
    place = _place(random)
    part = random.choice(("operating_expenses", "6110", "6120", "debt_service", "6130"))
    called = CALLED["en"][part][0]
    row = book.values[place]
    return _made(
        random, "share of revenue", random.choice(_SHARES), place, row[part] / row["total_revenue"] * 100,
        ("percentage", "plain"), metric=part, n=called, N=called[0].upper() + called[1:],
        others=(("off-metric", row["6140"] / row["total_revenue"] * 100),
                ("off-period", book.values[place[0], before(place[1])][part] / book.values[place[0], before(place[1])]["total_revenue"] * 100)),
    )  # fmt: skip


def _margin(book: Portfolio, random: Random) -> Stated:
    place = _place(random)
    row, past = book.values[place], book.values[place[0], before(place[1])]
    shares = [one["net_operating_income"] / one["total_revenue"] * 100 for one in (row, past)]
    return _made(
        random, "margin", random.choice(_MARGINS), place, shares[0], ("percentage", "plain"),
        others=(("off-period", shares[1]), ("off-metric", row["net_income"] / row["total_revenue"] * 100)),
    )  # fmt: skip


def _coverage(book: Portfolio, random: Random) -> Stated:
    place = _place(random)
    row, past = book.values[place], book.values[place[0], before(place[1])]
    covers = [one["net_operating_income"] / one["debt_service"] for one in (row, past)]
    return _made(
        random, "coverage", random.choice(_COVERS), place, covers[0], ("ratio", "plain"),
        others=(("off-period", covers[1]),),
    )  # fmt: skip


def _between(book: Portfolio, random: Random) -> Stated:
    place, metric = _place(random), random.choice(_AMOUNTS[:3])
    other, third = random.sample([code for code in NAMES if code != place[0]], 2)
    mine, theirs, else_ = (book.values[code, place[1]][metric] for code in (place[0], other, third))
    return _made(
        random, "between properties", random.choice(_BETWEEN), place, abs(mine - theirs), ("currency", "dollars"),
        metric=metric, rising=mine >= theirs, other=NAMES[other], others=(("off-property", abs(mine - else_)),),
    )  # fmt: skip


def _together(book: Portfolio, random: Random) -> Stated:
    place, metric = _place(random), random.choice(_AMOUNTS[:3])
    other = random.choice([code for code in NAMES if code != place[0]])
    mine, theirs = (book.values[code, place[1]][metric] for code in (place[0], other))
    return _made(
        random, "sum of properties", random.choice(_TOGETHER), place, mine + theirs, ("currency", "dollars"),
        metric=metric, other=NAMES[other], others=(("off-property", mine), ("partial", theirs)),
    )  # fmt: skip


def _surplus(book: Portfolio, random: Random) -> Stated:
    place = _place(random)
    row = book.values[place]
    return _made(
        random, "between metrics", random.choice(_EXCEEDED), place, row["net_operating_income"] - row["debt_service"],
        ("currency", "dollars"), others=(("off-metric", row["total_revenue"] - row["debt_service"]),),
    )  # fmt: skip
