"""Citations as nobody should write them: every one is judged, none breaks anything."""

from typing import Any

import pytest

from detection import toolkit

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("CIT-01")]

LEASE = "The anchor tenant of the tower renewed its lease for ten years"
TEXT = f"{LEASE}."


def judged(answer: str, *ids: str, texts: dict[str, str] | None = None, **fields: Any) -> dict[str, Any]:
    given = [{"id": ref, "text": (texts or {}).get(ref, TEXT)} for ref in ids or ("S0",)]
    return toolkit.judge(answer, sources=given, **fields)


def cited(answer: str, *ids: str) -> tuple[list[str], list[str]]:
    found = judged(answer, *ids)["citations"]
    return found["valid_citations"], found["invalid_citations"]


@pytest.mark.parametrize(
    ("marks", "valid", "invalid"),
    [
        ("[[S0]]", ["S0"], []),
        ("[see [S0]]", ["S0"], []),
        ("[[[[S0]]]]", ["S0"], []),
        ("[S0", [], []),
        ("S0]", [], []),
        ("[S0 [S0]", ["S0"], []),
        ("[S0]]", ["S0"], []),
        ("][S0][", ["S0"], []),
        ("[[S7]", [], ["S7"]),
        ("[]", [], []),
        ("[S0\n]", [], []),
    ],
)
def test_nested_and_unclosed_brackets(marks: str, valid: list[str], invalid: list[str]) -> None:
    assert cited(f"{LEASE} {marks}.", "S0") == (valid, invalid)


@pytest.mark.parametrize(
    "ref",
    [
        "rent roll 2024",
        "reports/2024/q3.pdf",
        "C:\\reports\\q3.pdf",
        'the "final" report',
        "tenant's copy",
        'דו"ח רבעוני',
        "报告（三）",
        "a&b<c>",
        "https://example.com/a?b=c#d",
        "S0*",
        "{S0}",
        "%s",
    ],
)
def test_an_id_may_hold_spaces_slashes_and_quotes(ref: str) -> None:
    assert cited(f"{LEASE} [{ref}].", ref) == ([ref], [])


@pytest.mark.parametrize("mark", ["\u200f", "\u200e", "\u202b", "\u2067", "\ufeff"])
def test_marks_of_direction_in_a_citation_change_nothing(mark: str) -> None:
    assert cited(f"{LEASE} [{mark}S0{mark}].", "S0") == (["S0"], [])
    assert cited(f"{LEASE} {mark}[S0]{mark}.", "S0") == (["S0"], [])


def test_thousands_of_citations_are_counted_once_each() -> None:
    marks = "".join(f"[S{n}]" for n in range(5000))
    valid, invalid = cited(f"{LEASE} {marks}.", "S0", "S1")
    assert valid == ["S0", "S1"]
    assert len(invalid) == 4998


def test_sources_with_identical_text_are_each_other_s_equal() -> None:
    twins = judged(f"{LEASE} [S1].", "S0", "S1")
    assert twins["citations"]["misplaced_citations"] == []
    assert twins["citations"]["valid_citations"] == ["S1"]
    assert twins["verdict"]["risk_level"] == "low"


@pytest.mark.parametrize(
    "answer", ["[S0]", "[S0][S1]", "[S0]. [S1].", "  [S0] \n [S1]  ", "[S0], [S1]; [S0]"]
)
def test_an_answer_of_citations_only_claims_nothing(answer: str) -> None:
    found = judged(answer, "S0", "S1")
    assert found["verdict"]["risk_level"] == "low"
    assert found["verdict"]["has_hallucinations"] is False
    assert found["citations"]["note"] == "No valid claims found, cannot detect hallucinations"


def test_citations_alone_that_no_source_has_are_still_invalid() -> None:
    found = judged("[S7][S8]", "S0")
    assert found["citations"]["invalid_citations"] == ["S7", "S8"]
    assert found["verdict"]["risk_level"] == "high"


@pytest.mark.requirement("CIT-07")
@pytest.mark.parametrize(
    ("answer", "language", "status"),
    [
        ("Der Ankermieter hat seinen Mietvertrag um zehn Jahre verlängert [S0].", "de", "supported"),
        ("Арендатор башни продлил договор аренды на десять лет [S0].", None, "not_checked"),
        ("جدد المستأجر الرئيسي عقد الإيجار لمدة عشر سنوات [S0].", None, "not_checked"),
        ("テナントは賃貸契約を十年間更新しました [S0]。", None, "not_checked"),
    ],
)
def test_a_fourth_language_says_that_its_rules_are_generic_and_who_could_not_read_it(
    answer: str, language: str | None, status: str
) -> None:
    found = judged(answer, "S0", texts={"S0": answer.replace(" [S0]", "")}, language=language)
    assert found["citations"]["valid_citations"] == ["S0"]
    assert [claim["status"] for claim in found["claims"] if claim["kind"] == "statement"] == [status]
    assert "generic_language" in {reason["code"] for reason in found["verdict"]["reasons"]}
