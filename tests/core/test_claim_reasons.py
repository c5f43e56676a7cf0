"""Every reason of a single claim, and of a refused strict answer, is a plain sentence in the answer's language."""

import string
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
import regex

from detection.core import claims, judge, strawberry
from detection.core.context import Context
from detection.core.generation import Generated, Request, Strictness, generate
from detection.core.generation import sentences as generation_sentences
from detection.core.matching import numeric, reasons
from detection.core.matching.reasons import sentences as numeric_sentences
from detection.core.matching.reasons.telling import called
from detection.core.pipeline import DETECTORS, OUT_OF_TIME, Report, conclude
from detection.core.ports import VerifierTimeout
from detection.core.statements import OVERLOAD
from detection.core.strawberry import SCORINGS, Beliefs, error_reason, reason, score, skip_reason
from detection.core.strawberry import sentences as strawberry_sentences
from detection.core.text import LANGUAGES, Texts
from detection.core.thresholds import DEFAULTS
from detection.core.types import (
    Case,
    Hallucination,
    JudgeMeasurement,
    LiftMeasured,
    NumberMeasured,
    NumericMeasurement,
    Slip,
    Source,
    StrawberryMeasurement,
)
from detection.core.verdict import findings, missing, report_of
from reviews.display.metric_names import METRICS
from tests.core.judges import Scripted
from tests.core.record_cases import case, figure, period
from tests.core.screened import Reading, screened
from tests.tables import each_case

pytestmark = pytest.mark.requirement("CIT-07")

OTHERS = ["he", "zh", "zh-TW"]
TABLES: dict[str, dict[str, Texts]] = {
    "numbers": dict(numeric_sentences.REASONS)
    | {"reckoned": numeric_sentences.RECKONED, "denied": numeric_sentences.DENIED},
    "parts": dict(numeric_sentences.PARTS),
    "slips": dict(numeric_sentences.SLIPS),
    "of a figure": dict(numeric_sentences.OF_A_FIGURE),
    "statements": dict(strawberry_sentences.REASONS),
    "skipped": dict(strawberry_sentences.SKIPPED),
    "failed": dict(strawberry_sentences.FAILED),
    "claims": dict(findings.REASONS),
    "refusals": dict(generation_sentences.SENTENCES),
}
NAMES = {
    "OAK",
    "MAPLE",
    "USD",
    "ILS",
    "CNY",
    "GovIL",
    "UTC",
    "Insurance",
    "expense",
    "spec",
    "pythea",
    "Net",
    "operating",
    "income",
}
"""What keeps its written form: properties, currencies, accounts, rules, labels of sources."""
LATIN = regex.compile(r"[A-Za-z]{2,}")


def leaked(text: str) -> set[str]:
    return {*LATIN.findall(text)} - NAMES


@each_case(
    "texts", [pytest.param(t, id=f"{of}-{code}") for of, table in TABLES.items() for code, t in table.items()]
)
def test_each_sentence_says_the_same_in_every_language(texts: Texts) -> None:
    names = {
        language: {name for _, name, _, _ in string.Formatter().parse(text) if name}
        for language, text in texts.items()
    }
    assert {*texts} == {*LANGUAGES}
    assert all(each == names["en"] for each in names.values())
    assert all(leaked(regex.sub(r"\{.*?\}", "", texts[language])) == set() for language in ("he", "zh"))


def test_words_behind_figures_have_their_own_elsewhere() -> None:
    texts = numeric_sentences.UNITS.values()
    assert all({*each} == {"he", "zh"} and leaked("".join(each.values())) == set() for each in texts)


ABOUT_RECORDS = (
    "NOI was $1,234,567.", "NOI was about $1.24 million.", "NOI was above $1.1 million.", "It was $2,100,000.",
    "NOI was $1,234,000.", "NOI was $9,876,543.", "NOI was $1,173,500.", "NOI was $1,134,567.", "NOI was $2,100,000.",
    "NOI was $1,243,567.", "NOI was $1,234,567K.", "NOI was $1,234.57.", "NOI was -$1,234,567.", "Occupancy was 94.2%.",
    "NOI rose 5.2% from Q2.", "NOI fell 5.2% from Q2.", "NOI rose 9.9% from Q2.", "NOI rose 23.5% from Q2.",
    "Occupancy rose 1.2 percentage points from Q2.", "NOI in 2024 was $4,808,067.", "NOI margin was 58.8%.",
    "Insurance expense was $80,000.", "Insurance expense was $1,234,567.", "It ended on 31 February 2024.",
    "It was signed on 15 March 2011.", "NOI in Q3 2024 rose.", "In 2024 it rose.",
)  # fmt: skip
ABOUT_SOURCES = (
    "NOI was $1,234,567.", "NOI was $1,243,567.", "NOI was $9,876,543.", "Revenue was $1,234,567.",
    "Expenses fell from $67,994 thousand by $38,294 thousand to $29,700 thousand.", "NOI was 67,994 in Q2 2024.",
)  # fmt: skip
TABLE = "| | Q2 2024 | Q3 2024 |\n|---|---|---|\n| Net operating income | 67,994 | 1,234,567 |"


def about_numbers(language: str) -> Iterator[tuple[str, str]]:
    """The code and the sentence of every number above."""
    cases = [case(answer) for answer in ABOUT_RECORDS]
    cases += [case(answer, database="unavailable", figures=()) for answer in ABOUT_RECORDS[:2]]
    sources = (
        Source("S0", TABLE),
        Source("S1", "NOI was $1,234,567. Costs were $67,994 thousand and $29,700 thousand."),
    )
    cases += [
        Case(answer=answer, sources=chosen)
        for answer in ABOUT_SOURCES
        for chosen in (sources, sources[:1], ())
    ]
    for subject in cases:
        measured = numeric.measure(Context(subject, claims.read(subject)))
        for found in numeric.decide(measured, Context(Case("", language=language))).findings:
            yield found.code, found.reason


@pytest.mark.parametrize("language", OTHERS)
def test_no_english_is_left_in_what_is_said_of_numbers(language: str) -> None:
    said = list(about_numbers(language))
    wrong = {text for _, text in said if leaked(text) or not regex.search(r"[\p{Hebrew}\p{Han}]", text)}
    assert wrong == set()
    assert {code for code, _ in said} >= {
        "exact", "approximate", "bound_ok", "unbound", "derived", "inexact", "contradicted", "transposed", "scale", "sign",
        "off_period", "off_property", "off_metric", "no_such_day", "not_found", "db_unavailable",
    }  # fmt: skip


def test_the_same_codes_are_found_whatever_the_language() -> None:
    codes = {language: [code for code, _ in about_numbers(language)] for language in (*LANGUAGES, "fr")}
    assert all(each == codes["en"] for each in codes.values())


def told(answer: str, language: str, **changed: Any) -> str:
    subject = case(answer, **changed)
    return (
        numeric.decide(
            numeric.measure(Context(subject, claims.read(subject))), Context(Case("", language=language))
        )
        .findings[0]
        .reason
    )


@pytest.mark.parametrize(
    ("answer", "hebrew", "chinese"),
    [
        (
            "NOI was $1,173,500.",
            "הערך 1,173,500 USD סוטה ב-4.95 % בלבד, אבל שווה לערך של הכנסה תפעולית נטו (OAK, Q2 2024), ולא הערך של התקופה המבוקשת; "
            "הכנסה תפעולית נטו (OAK, Q3 2024): 1,234,567 USD.",
            "1,173,500 USD 仅相差 4.95 %，但等于净营业收入（OAK, Q2 2024），而不是所问期间的值；净营业收入（OAK, Q3 2024）为 1,234,567 USD。",
        ),
        (
            "NOI was $1,234,567K.",
            "הערך 1,234,567,000 USD הוא הכנסה תפעולית נטו (OAK, Q3 2024) כפול 1,000; "
            "הכנסה תפעולית נטו (OAK, Q3 2024): 1,234,567 USD.",
            "1,234,567,000 USD 是净营业收入（OAK, Q3 2024）的 1,000 倍；净营业收入（OAK, Q3 2024）为 1,234,567 USD。",
        ),
        (
            "NOI fell 5.2% from Q2.",
            "הערך 5.2 % הוא השינוי בערך של הכנסה תפעולית נטו (OAK, Q2 2024–Q3 2024) בכיוון ההפוך: "
            "(1,173,500 − 1,234,567) / 1,173,500 = −5.2 %.",
            "5.2 % 是净营业收入（OAK, Q2 2024–Q3 2024）的变化，但方向相反：(1,173,500 − 1,234,567) / 1,173,500 = −5.2 %。",
        ),
        (
            "Insurance expense was $80,000.",
            "לפי מסד הנתונים הערך הוא 80,000 USD עבור Insurance expense (OAK, Q3 2024), כפי שנאמר בתשובה.",
            "据数据库，该值为 80,000 USD，即Insurance expense（OAK, Q3 2024），与回答一致。",
        ),
    ],
)  # fmt: skip
def test_a_reason_is_a_whole_sentence_with_the_figures_as_they_are_written(
    answer: str, hebrew: str, chinese: str
) -> None:
    assert regex.sub("[\u2068\u2069]", "", told(answer, "he")) == hebrew
    assert told(answer, "zh") == chinese


def test_an_equation_stays_from_left_to_right_inside_hebrew() -> None:
    assert "\u2068(1,234,567 − 1,173,500) / 1,173,500 = 5.2 %\u2069" in told("NOI rose 5.2% from Q2.", "he")
    assert "\u2068" not in told("NOI rose 5.2% from Q2.", "zh")
    assert told("NOI rose 5.2% from Q2.", "fr") == told("NOI rose 5.2% from Q2.", "en")


@each_case("language", OTHERS)
@each_case("code", list(numeric_sentences.SLIPS))
def test_a_slip_that_nothing_explains_is_named_all_the_same(code: Any, language: str) -> None:
    number = NumberMeasured("currency", Decimal(5), "USD", Decimal(0))
    bare = measured_source_candidate()
    said = reasons.reason("off_metric", number, None, Slip(code, "", bare), Decimal(0), None, language)
    assert leaked(said) == set()
    assert "S7" in said


def measured_source_candidate() -> Any:
    subject = Case("NOI was $5.", sources=(Source("S7", "NOI was $5."),))
    (measured,) = numeric.measure(Context(subject, claims.read(subject))).claims.values()
    return replace(measured.candidates[0], field=None, period=None)


def test_metrics_are_called_by_their_names_in_the_language() -> None:
    assert called("net_operating_income", "he") == "הכנסה תפעולית נטו"
    assert called("net_operating_income", "zh") == "净营业收入"
    assert [called("6120", "he"), called("net_operating_income", "en")] == [None, None]
    named = set(METRICS) - {"ebitda"}
    assert [(m, language) for m in named for language in ("he", "zh") if not called(m, language)] == []


# --- statements -------------------------------------------------------------------------------------------------
PROBABILITIES = [
    ((0.97, 0.97), (0.1, 0.1), (0.0, 0.0), True, None), ((0.97, 0.97), (0.1, 0.1), (0.9, 0.9), True, None),
    ((0.97, 0.97), (0.1, 0.1), (0.0, 0.0), False, None), ((0.97, 0.97), (0.96, 0.96), (0.0, 0.0), True, 0.96),
    ((0.97, 0.97), (0.96, 0.96), (0.0, 0.0), True, 0.3), ((0.97, 0.97), (0.96, 0.96), (0.0, 0.0), True, None),
    ((0.92, 0.92), (0.25, 0.25), (0.0, 0.0), True, None), ((0.5, 0.5), (0.25, 0.25), (0.0, 0.0), True, None),
    ((0.9, 0.99), (0.1, 0.1), (0.0, 0.0), True, None),
]  # fmt: skip


def about_statements(language: str) -> set[str]:
    said = set()
    for scoring in SCORINGS:
        for p1, p0, p_no, cited, alone in PROBABILITIES:
            result = score(p1, p0, p_no, cited=cited, target=0.95, scoring=scoring, p_cited=alone)
            beliefs = Beliefs(p1, p0, p_no, cited, 0.95, alone)
            said.add(reason(beliefs, result, scoring, language))
    return said


@pytest.mark.parametrize("language", OTHERS)
def test_no_english_is_left_in_what_is_said_of_statements(language: str) -> None:
    said = about_statements(language)
    said |= {skip_reason(code, language) for code in strawberry_sentences.SKIPPED}
    said |= {error_reason(code, language) for code in strawberry_sentences.FAILED}
    assert {text for text in said if leaked(text) - {"other"}} == set()
    assert len(about_statements("en")) == len(about_statements(language))


def test_a_code_that_nobody_foresaw_is_shown() -> None:
    for language in LANGUAGES:
        assert "new_code" in skip_reason("new_code", language)
        assert "new_code" in error_reason("new_code", language)


def test_a_verifiers_and_a_judges_findings_speak_the_language() -> None:
    lifts = StrawberryMeasurement({0: LiftMeasured(60, True, error="timeout")}, {1: "question"})
    late, asked = strawberry.decide(lifts, Context(Case("", language="he"))).findings
    assert (late.reason, asked.reason) == ("המאמת לא השיב בזמן.", "שאלה: אין בה טענה לאימות.")
    doubt = (Hallucination("unsupported", 0, "没有来源。", (0,)),)
    opinion = JudgeMeasurement(0.8, "", 0.9, "reject", 0.9, "", hallucinations=doubt)
    assert (
        judge.decide(opinion, Context(Case("", language="zh"))).findings[0].reason == "评审意见：没有来源。"
    )


# --- claims without a finding of their own, and checks that did not end ----------------------------------------------
LATE = NumericMeasurement({1: NumberMeasured("currency", Decimal(5), "USD", Decimal(0), timed_out=True)})
FAILED = StrawberryMeasurement({0: LiftMeasured(60, True, error="verifier_auth")})


@each_case("language", OTHERS)
@each_case(
    ("due", "reports"),
    [
        ((), {}),
        (tuple(DETECTORS), {}),
        (tuple(DETECTORS), {name: Report("timeout", reason=OUT_OF_TIME) for name in DETECTORS}),
        (tuple(DETECTORS), {name: Report("skipped", reason=OVERLOAD) for name in DETECTORS}),
        (tuple(DETECTORS), {"strawberry": Report("error", reason=error_reason("rate_limited"))}),
        (tuple(DETECTORS), {"numeric": report_of(LATE), "strawberry": report_of(FAILED)}),
    ],
)
def test_what_was_not_checked_is_said_in_the_language(due: Any, reports: Any, language: str) -> None:
    subject = Case("NOI was $5.", language=language)
    end = conclude(Context(subject, claims.read(subject)), reports, due)
    said = [finding.reason for finding in end.findings] + [each.text for each in end.verdict.reasons]
    assert end.findings
    assert {text for text in said if leaked(text)} == set()


def test_what_a_report_left_undone_is_told_again_from_its_measurement() -> None:
    assert report_of(LATE).reason == "1 of 1 numbers were not reached in time."
    assert missing(report_of(LATE), "he") == "1 מתוך 1 מספרים לא נבדקו בזמן."
    assert missing(report_of(FAILED), "zh") == "1 条陈述中有 1 条：验证器拒绝了密钥。"
    assert missing(Report("error", reason="ValueError: odd"), "he") == "ValueError: odd"


# --- refusals of strict answers -----------------------------------------------------------------------------------
ASKED = {
    "he": ("מה היה ה-NOI ברבעון השלישי של 2024?", "ההכנסה התפעולית נטו ברבעון השלישי של 2024 הייתה 1,234,567 ש\"ח.",
           "ההכנסה התפעולית נטו ברבעון השלישי של 2024 הייתה 1,243,567 ש\"ח [S0]."),
    "zh": ("2024年第三季度的净营业收入是多少？", "2024年第三季度的净营业收入为1,234,567元。",
           "2024年第三季度的净营业收入为1,243,567元[S0]。"),
}  # fmt: skip


def refused(language: str, answer: Any, **changed: Any) -> Generated:
    question, source, _ = ASKED[language]
    subject = replace(Case("", question, sources=(Source("S0", source, score=0.9),)), **changed)
    asked = Request(Strictness(enforce_language=True))
    return generate(
        subject, Scripted("m", answer), DEFAULTS, asked, lambda given: screened(given, verifier=Reading())
    )


@pytest.mark.requirement("RAG-09")
@pytest.mark.parametrize("language", list(ASKED))
def test_a_refusal_is_told_in_the_language_of_the_question(language: str) -> None:
    _, source, wrong = ASKED[language]
    refusals = [
        refused(language, source, sources=()),
        refused(language, source, sources=(Source("S0", source, score=0.1),)),
        refused(language, source),
        refused(language, wrong),
        refused(language, f"{source} [S9]"),
        refused(language, f"{source} [S0]" * 30),
        refused(language, "NOI was 5 [S0]."),
        refused(language, ""),
    ]
    told_of = [layer.reason or "" for each in refusals for layer in each.layers]
    assert all(each.status != "success" and each.reason in told_of for each in refusals)
    allowed = {"en", "he", "zh", "NOI"}
    assert {text for text in told_of if leaked(text) - allowed} == set()
    assert len({each.reason for each in refusals}) >= 6


def test_a_models_own_error_is_passed_on_as_it_is() -> None:
    assert refused("he", VerifierTimeout("too late")).reason == "המודל לא נתן תשובה: too late."


def test_the_year_that_a_property_reports_in_quarters_is_told_without_english() -> None:
    quarters = tuple(period(f"Q{n} 2023", number=n) for n in (1, 2, 3, 4))
    figures = tuple(figure("net_operating_income", "100", each) for each in quarters)
    said = told("It was so in 2023.", "he", periods=quarters, figures=figures)
    assert leaked(said) == set()
