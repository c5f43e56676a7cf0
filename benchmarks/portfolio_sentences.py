"""Sentences about a portfolio as language models phrase them, with the figure each rests on.

A phrasing has ``{v}`` where the value stands. ``Stated`` holds the true value; what wrong values there are comes
from :mod:`benchmarks.numeric_database`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random

from benchmarks.portfolio import LINES, NAMES, Portfolio, kind_of
from detection.core.types import Kind

CALLED = {
    "en": {
        "total_revenue": ("total revenue", "revenue"),
        "gross_potential_rent": ("gross potential rent",),
        "operating_expenses": ("operating expenses", "total operating expenses", "opex"),
        "net_operating_income": ("NOI", "net operating income", "net operating income (NOI)"),
        "net_income": ("net income",),
        "debt_service": ("debt service",),
        "occupancy_rate": ("occupancy", "the occupancy rate", "physical occupancy"),
        "vacancy_rate": ("the vacancy rate",),
        "expense_ratio": ("the expense ratio", "the operating expense ratio"),
        "ltv": ("LTV", "the loan-to-value ratio"),
        "cap_rate": ("the cap rate",),
        "debt_yield": ("the debt yield",),
        "dscr": ("DSCR", "the debt service coverage ratio", "the DSCR"),
        **{code: (name.lower(),) for code, name in LINES.items()},
    },
    "he": {
        "total_revenue": ("סך ההכנסות",), "operating_expenses": ("הוצאות התפעול",),
        "net_operating_income": ("ההכנסה התפעולית הנקייה", "ה-NOI"), "net_income": ("הרווח הנקי",),
        "debt_service": ("שירות החוב",), "occupancy_rate": ("שיעור התפוסה", "התפוסה"),
        "ltv": ("יחס ההלוואה לשווי",), "cap_rate": ("שיעור ההיוון",), "dscr": ("יחס כיסוי החוב", "ה-DSCR"),
    },
    "zh": {
        "total_revenue": ("总收入",), "operating_expenses": ("运营费用",),
        "net_operating_income": ("净营业收入", "净运营收入"), "net_income": ("净利润",),
        "debt_service": ("偿债支出",), "occupancy_rate": ("出租率", "入住率"), "ltv": ("贷款价值比",),
        "cap_rate": ("资本化率",), "dscr": ("偿债覆盖率", "DSCR"),
    },
}  # fmt: skip
OWN = {  # phrasings of a figure of the asked-for period
    "en": (
        "{M} was {v} for {p}.", "In {p}, {o} reported {m} of {v}.", "{M} came in at {v} for {p}.",
        "For {p}, {m} at {o} stood at {v}.", "According to the financial data, {m} for {p} was {v}.",
        "The property's {b} for {p} was {v}, based on the financial records.", "{M} ({p}): {v}", "- **{M}**: {v}",
        "Based on the records provided, {m} at {o} was {v} in {p}.", "{M} was {v}.", "{o}'s {b} reached {v} in {p}.",
        "During {p}, {m} amounted to {v}.", "At {v}, {m} in {p} was in line with expectations.",
        "The {p} {b} of {v} reflects steady leasing activity.", "| {M} | {v} |", "{o} ended {p} with {m} of {v}.",
        "To answer your question: {m} for the {w} was {v}.", "{M} totaled {v} in the {w}." , "{M} is reported as {v}.",
        "The income statement and metrics show {m} at {v} for the quarter.",
        "Yes — {m} for {o} in {p} is {v} as recorded in the system.",
    ),
    "he": (
        "{M} עמד על {v} ברבעון {q} של {y}.", "ברבעון {q} של {y}, {m} היה {v}.", "{M} ברבעון {q} {y}: {v}",
        "לפי הנתונים הכספיים, {m} הסתכם ב-{v}.", "{M} של הנכס הגיע ל-{v} ברבעון ה{qw} של {y}.",
    ),
    "zh": (
        "{y}年第{qc}季度，{m}为{v}。", "{M}为{v}。", "根据财务数据，{y}年第{qc}季度的{m}达到{v}。",
        "该物业{y}年第{qc}季度{m}：{v}", "截至{y}年第{qc}季度末，{m}为{v}。",
    ),
}  # fmt: skip
BESIDE = (  # of another period, which the sentence names; {e} is its value
    "By comparison, {m} in {p} was {v}.", "In {p}, {m} had been {v}.", "{M} for {p} was {v}.",
    "That compares with {m} of {v} in {p}.",
)  # fmt: skip
MOVED = (  # {v} of the asked-for period, {e} of the one before, {l} its label
    "{M} moved from {e} in {l} to {v} in {p}.", "{M} was {v} in {p}, compared with {e} in {l}.",
    "{M} went from {e} to {v} between {l} and {p}.", "Compared to {e} in {l}, {m} was {v} in {p}.",
    "{M} came to {v} in {p} versus {e} in {l}.",
)  # fmt: skip
ELSEWHERE = (
    "{M} at {o} was {v} in {p}.", "For {o}, {m} was {v} in {p}.", "{o} reported {m} of {v} for {p}.",
    "{o}'s {b} for {p} stood at {v}.",
)  # fmt: skip
PAIRED = (
    "In {p}, {m} was {v} and {n} was {e}.", "{M} was {v} while {n} stood at {e} for {p}.",
    "{M} came in at {v}, with {n} at {e}.", "For {p}, {o} recorded {m} of {v} and {n} of {e}.",
)  # fmt: skip
_MONEY = ("cents", "cents", "dollars", "millions", "in words", "thousands")
_HEBREW = ("ראשון", "שני", "שלישי", "רביעי")


@dataclass(frozen=True)
class Stated:
    """A true sentence: ``before + value + after``, with what the value is of."""

    form: str
    language: str
    owner: str
    label: str
    before: str
    after: str
    value: Decimal
    kind: Kind
    style: str
    metric: str
    of: tuple[str, str]
    others: tuple[tuple[str, Decimal], ...] = field(default=())

    def text(self, shown: str | None = None) -> str:
        """The sentence, with another value where one is given."""
        return self.before + (self.shown(self.value) if shown is None else shown) + self.after

    def shown(self, value: Decimal) -> str:
        """A value in the style of this sentence."""
        return written(value, self.kind, self.style, self.language)


def written(value: Decimal, kind: Kind, style: str, language: str) -> str:
    """A value as people write it."""
    if style == "bare":
        return f"{value:.1f}"
    if kind == "percentage":
        sign = {"en": " percent"}.get(language, "%") if style == "in words" else "%"
        return f"{value:.1f}{sign}"
    if kind == "ratio":
        return f"{value:.2f}x" if style != "in words" else f"{value:.2f}"
    sign = "-" if value < 0 else ""
    size = abs(value)
    if language == "zh":
        return (
            f"{sign}{size:,.2f}美元" if style in ("cents", "dollars") else f"{sign}{size / 10000:.2f}万美元"
        )
    if language == "he":
        return f"{sign}{size:,.0f} $" if style != "in words" else f"{sign}{size / 10**6:.2f} מיליון דולר"
    return (
        sign
        + {
            "cents": f"${size:,.2f}",
            "dollars": f"${size:,.0f}",
            "millions": f"${size / 10**6:.2f}M",
            "in words": f"${size / 10**6:.2f} million",
            "thousands": f"${size / 1000:,.0f}K",
        }[style]
    )


def sentences(book: Portfolio, count: int, seed: int = 11) -> Iterator[Stated]:
    """``count`` true sentences of figures, of every form in turn, in three languages."""
    random = Random(seed)
    makers = (_own, _own, _own, _beside, _moved, _elsewhere, _paired, _foreign, _foreign)
    for number in range(count):
        yield makers[number % len(makers)](book, random)


def _own(book: Portfolio, random: Random, language: str = "en") -> Stated:
    return _of(book, random, random.choice(OWN[language]), "own figure", language)


def _foreign(book: Portfolio, random: Random) -> Stated:
    language = random.choice(("he", "zh"))
    return _of(book, random, random.choice(OWN[language]), f"own figure, {language}", language)


def _beside(book: Portfolio, random: Random) -> Stated:
    owner, label = _quarter(random)
    other = random.choice([name for code, name in book.periods if code == owner and name != label])
    return _of(
        book, random, random.choice(BESIDE), "another period's figure", "en", (owner, label), (owner, other)
    )


def _elsewhere(book: Portfolio, random: Random) -> Stated:
    owner, label = _quarter(random)
    other = random.choice([code for code in NAMES if code != owner])
    return _of(
        book,
        random,
        random.choice(ELSEWHERE),
        "another property's figure",
        "en",
        (owner, label),
        (other, label),
    )


def _moved(book: Portfolio, random: Random) -> Stated:
    place = random.choice([place for place in book.periods if before(place[1]) in _labels(book, place[0])])
    return _of(
        book,
        random,
        random.choice(MOVED),
        "from one period to the next",
        "en",
        place,
        beside=before(place[1]),
    )


def _paired(book: Portfolio, random: Random) -> Stated:
    return _of(book, random, random.choice(PAIRED), "two figures", "en", with_other=True)


def _of(
    book: Portfolio,
    random: Random,
    phrasing: str,
    form: str,
    language: str,
    place: tuple[str, str] | None = None,
    of: tuple[str, str] | None = None,
    beside: str | None = None,
    with_other: bool = False,
) -> Stated:
    """A sentence of one figure: of the slot ``of``, in an answer about ``place``."""
    owner, label = place or _quarter(random)
    of = of or (owner, label)
    metric, other = random.sample(list(CALLED[language]), 2)
    style = random.choice(_MONEY)
    if kind_of(metric) == "currency" and book.values[of][metric] < 200_000:
        style = random.choice(("cents", "dollars"))
    called, called_other = (random.choice(CALLED[language][name]) for name in (metric, other))
    kind = kind_of(metric)
    second = ""
    if with_other:
        second = written(book.values[of][other], kind_of(other), "cents", language)
    elif beside:
        second = written(book.values[of[0], beside][metric], kind, style, language)
    quarter, year = of[1].split()
    words = {
        "m": called, "M": called[0].upper() + called[1:], "b": called.removeprefix("the "), "n": called_other,
        "o": random.choice((of[0], NAMES[of[0]])), "p": of[1], "l": beside or "", "e": second, "y": year,
        "w": quarter_words(of[1]), "q": quarter[1:], "v": "{v}",
        "qc": dict(zip("1234", "一二三四", strict=True)).get(quarter[1:], ""),
        "qw": dict(zip("1234", _HEBREW, strict=True)).get(quarter[1:], ""),
    }  # fmt: skip
    start, _, end = phrasing.format(**words).partition("{v}")
    return Stated(form, language, owner, label, start, end, book.values[of][metric], kind, style, metric, of)


def _quarter(random: Random) -> tuple[str, str]:
    return random.choice(list(NAMES)), f"Q{random.randint(1, 4)} {random.choice((2023, 2024))}"


def _labels(book: Portfolio, owner: str) -> set[str]:
    return {label for code, label in book.periods if code == owner}


def before(label: str) -> str:
    """The label of the period before."""
    name, year = label.split()
    if name == "FY":
        return f"FY {int(year) - 1}"
    return f"Q{int(name[1]) - 1} {year}" if name != "Q1" else f"Q4 {int(year) - 1}"


def quarter_words(label: str) -> str:
    """``third quarter of 2024`` for ``Q3 2024``."""
    name, year = label.split()
    words = {"Q1": "first quarter", "Q2": "second quarter", "Q3": "third quarter", "Q4": "fourth quarter"}
    return f"{words[name]} of {year}" if name in words else f"fiscal year {year}"
