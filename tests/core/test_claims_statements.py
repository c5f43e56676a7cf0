"""The statements of an answer, their citations and what they say of their own certainty."""

import pytest

from detection.core.claims import read
from detection.core.types import Case, Claim, Source
from tests.tables import each_case

SOURCES = (Source("S0", "NOI was 5"), Source("S1", "Costs were 3", parent_ref="D9"), Source("2", "Rents"))


def statements(answer: str, language: str = "en", sources: tuple[Source, ...] = SOURCES) -> list[Claim]:
    found = read(Case(answer=answer, language=language, sources=sources))
    return [claim for claim in found if claim.kind == "statement"]


@pytest.mark.requirement("GOV-01")
@pytest.mark.requirement("SPEC-08.08")
def test_each_sentence_is_a_statement_with_its_citations_and_place() -> None:
    answer = "NOI was strong [S0]. Costs fell sharply. [S1][D9] Rents held."
    assert [(claim.text, claim.citations, claim.sentence) for claim in statements(answer)] == [
        ("NOI was strong [S0].", ("S0",), 0),
        ("Costs fell sharply. [S1][D9]", ("S1", "D9"), 1),
        ("Rents held.", (), 2),
    ]


@pytest.mark.requirement("GOV-01")
@pytest.mark.parametrize(
    ("answer", "cited"),
    [
        ("Rents held [Source 2, S0].", ("2", "S0")),
        ("Rents held [S0][S0].", ("S0",)),
        ("Rents held [S7].", ("S7",)),
        ("Rents held [1].", ("1",)),
        ("Rents held [sic].", ()),
    ],
)
def test_citations_are_source_ids_or_stay_as_written(answer: str, cited: tuple[str, ...]) -> None:
    assert statements(answer)[0].citations == cited


@pytest.mark.requirement("SPEC-08.07")
@pytest.mark.parametrize(
    ("language", "answer", "expected"),
    [
        (
            "en",
            "Revenue rose by a lot; expenses fell slightly [S0].",
            ["Revenue rose by a lot", "expenses fell slightly [S0]."],
        ),
        (
            "en",
            "Revenue rose by a lot, but expenses were flat.",
            ["Revenue rose by a lot", "expenses were flat."],
        ),
        ("he", "ההכנסה עלתה השנה, אך ההוצאות ירדו מאוד.", ["ההכנסה עלתה השנה", "ההוצאות ירדו מאוד."]),
        (
            "zh",
            "2024年第三季度营业收入增长了，但第三季度的营业支出下降了。",
            ["2024年第三季度营业收入增长了", "第三季度的营业支出下降了。"],
        ),
    ],
)
def test_independent_clauses_are_statements_of_their_own(
    language: str, answer: str, expected: list[str]
) -> None:
    found = statements(answer, language)
    assert [claim.text for claim in found] == expected
    assert len({(claim.sentence, claim.citations) for claim in found}) == 1


@pytest.mark.requirement("SPEC-08.07")
@pytest.mark.parametrize(
    "answer",
    [
        "Revenue rose by 5 %, and remained high.",
        "Revenue, rent and parking rose; all of them together.",
        "The tenants, but not the owner, were informed.",
        "Rents rose, and costs.",
    ],
)
def test_what_cannot_stand_alone_is_not_divided(answer: str) -> None:
    assert [claim.text for claim in statements(answer)] == [answer]


@pytest.mark.requirement("SPEC-08.09")
@each_case(
    ("language", "answer", "excluded"),
    [
        ("en", "What was NOI?", "question"),
        ("en", "Please contact the manager.", "instruction"),
        ("en", "NOI may have risen.", "hedge"),
        ("en", "NOI rose [S0].", None),
        ("he", "האם ההכנסה עלתה?", "question"),
        ("he", "אנא פנו למנהל.", "instruction"),
        ("he", "ייתכן שההכנסה עלתה.", "hedge"),
        ("he", "ההכנסה עלתה.", None),
        ("zh", "收入增长了吗？", "question"),
        ("zh", "请联系经理。", "instruction"),
        ("zh", "收入可能增长了。", "hedge"),
        ("zh", "收入增长了。", None),
    ],
)
def test_what_is_no_assertion_is_marked_so(language: str, answer: str, excluded: str | None) -> None:
    assert [claim.excluded for claim in statements(answer, language)] == [excluded]


@pytest.mark.requirement("SPEC-08.08")
@pytest.mark.parametrize(
    ("language", "answer", "confidence"),
    [
        ("en", "I am 90% confident that NOI rose.", 0.9),
        ("en", "NOI rose (confidence: 0.85).", 0.85),
        ("en", "NOI rose with 70 percent certain data and confidence of 75 %.", 0.7),
        ("en", "The 95% confidence interval is wide.", None),
        ("en", "Confidence fell by 5 %.", None),
        ("en", "NOI rose by 5 % (confidence: 300%).", None),
        ("he", "ההכנסה עלתה ברמת ביטחון של 80%.", 0.8),
        ("zh", "收入增长了（置信度：0.9）。", 0.9),
        ("zh", "收入增长了，置信度为85%。", 0.85),
    ],
)
def test_a_stated_confidence_is_read(language: str, answer: str, confidence: float | None) -> None:
    assert statements(answer, language)[0].confidence == confidence


@pytest.mark.parametrize("answer", ["", "   \n\t", "…", "---", "|---|---|", "[S0] [S1]", "\u200b"])
def test_an_answer_without_words_claims_nothing(answer: str) -> None:
    assert read(Case(answer=answer, sources=SOURCES)) == ()
