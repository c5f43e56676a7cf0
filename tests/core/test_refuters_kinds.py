"""What speaks against a statement in its own evidence: each kind once where it does, and once where it only seems to."""

import pytest

from detection.core.refuters import Refutation, refutations

LEASE = (
    "The rent is payable quarterly in advance by direct debit. The tenant may sublet the upper floors with the consent of the "
    "landlord. The deposit is not returned before the final inspection of the premises. Storage rooms on the ground "
    "floor are used by all tenants of the building. Repairs of the heating system are carried out within three working days. "
    "Average occupancy of the northern buildings rose to 94% during the summer quarter. "
    "Access to the boiler room was refused to the lender, not to the borrower. Bicycles may be kept in the rear courtyard "
    "if the caretaker has been told. The contract for the roof was signed on 14 March 2023, and the works began on 2 May 2023."
)
HEBREW = (
    "השוכרת אינה רשאית להשכיר את המחסן התחתון לגורם אחר. שיעור התפוסה הממוצע בבניין הצפוני עלה במהלך הרבעון השלישי. "
    "תיקון מערכת החימום המרכזית יבוצע בתוך שלושה ימים מן ההודעה הראשונה."
)
CHINESE = "地下仓库维修费用不由物业公司承担。北区写字楼平均空置率较上季上升两个百分点。供暖系统维修将在三日内完成交付使用。"


def kinds(claim: str, evidence: str, language: str = "en") -> list[str]:
    return [one.kind for one in refutations(claim, [evidence], language)]


@pytest.mark.parametrize(
    ("kind", "claim"),
    [
        ("direction", "The rent is payable quarterly in arrears by direct debit."),
        ("direction", "Average occupancy of the northern buildings fell to 94% during the summer quarter."),
        ("negation", "The deposit is returned before the final inspection of the premises."),
        ("modality", "The tenant may not sublet the upper floors with the consent of the landlord."),
        ("quantifier", "Storage rooms on the ground floor are used by none of the tenants of the building."),
        ("parties", "Access to the boiler room was refused to the borrower, not to the lender."),
        ("condition", "Bicycles may be kept in the rear courtyard even if the caretaker has not been told."),
        ("date_role", "The works on the roof began on 14 March 2023."),
        ("unit", "Repairs of the heating system are carried out within three weeks."),
    ],
)
def test_an_operator_that_the_source_turns_round_refutes(kind: str, claim: str) -> None:
    assert kind in kinds(claim, LEASE)


@pytest.mark.parametrize(
    "claim",
    [
        "The rent is payable quarterly in advance by direct debit.",
        "Average occupancy of the northern buildings increased to 94% during the summer quarter.",
        "The deposit is never returned before the final inspection of the premises.",
        "The tenant is allowed to sublet the upper floors with the consent of the landlord.",
        "Storage rooms on the ground floor are used by every tenant of the building.",
        "Is the rent payable quarterly in arrears by direct debit?",
        "Parking costs fell last winter.",
    ],
)
def test_the_same_said_in_other_words_is_not_refuted(claim: str) -> None:
    assert kinds(claim, LEASE) == []


@pytest.mark.parametrize(
    ("kind", "claim", "evidence", "language"),
    [
        ("direction", "שיעור התפוסה הממוצע בבניין הצפוני ירד במהלך הרבעון השלישי.", HEBREW, "he"),
        ("modality", "השוכרת רשאית להשכיר את המחסן התחתון לגורם אחר.", HEBREW, "he"),
        ("unit", "תיקון מערכת החימום המרכזית יבוצע בתוך שלושה חודשים מן ההודעה הראשונה.", HEBREW, "he"),
        ("direction", "北区写字楼平均空置率较上季下降两个百分点。", CHINESE, "zh"),
        ("negation", "地下仓库维修费用由物业公司承担。", CHINESE, "zh"),
        ("unit", "供暖系统维修将在三个月内完成交付使用。", CHINESE, "zh"),
    ],
)
def test_hebrew_and_chinese_are_read_alike(kind: str, claim: str, evidence: str, language: str) -> None:
    assert kind in kinds(claim, evidence, language)


def test_both_spans_are_named() -> None:
    claim = "The rent is payable quarterly in arrears by direct debit."
    evidence = ["Nothing of note.", LEASE]
    (found,) = refutations(claim, evidence, "en")
    assert claim[found.claim_start : found.claim_end] == "in arrears"
    assert evidence[found.source_index][found.start : found.end] == "in advance"
    assert isinstance(found, Refutation)
    assert (found.kind, found.source_index) == ("direction", 1)
    assert 0 < found.alignment <= 1


def test_a_denial_on_both_sides_of_an_opposite_takes_it_back() -> None:
    claim = "Average occupancy of the northern buildings did not fall during the summer quarter."
    assert kinds(claim, LEASE) == []


def test_the_same_length_in_another_unit_is_no_other_unit() -> None:
    evidence = "The guarantee for the heating system runs for twelve months after the installation."
    assert (
        kinds("The guarantee for the heating system runs for a year after the installation.", evidence) == []
    )
    assert "unit" in kinds(
        "The guarantee for the heating system runs for twelve weeks after the installation.", evidence
    )


def test_what_another_sentence_of_the_evidence_says_itself_is_not_refuted() -> None:
    evidence = "Average rents of northern offices rose during the summer. Average rents of northern offices fell during the winter."
    assert kinds("Average rents of northern offices fell during the winter.", evidence) == []


DUTIES = "The landlord paints the shutters; the tenant paints its own rooms. The buyer collects the keys and the seller collects the meters."


@pytest.mark.parametrize("claim", ["The tenant paints the shutters.", "The seller collects the keys."])
def test_a_short_clause_of_another_party_refutes(claim: str) -> None:
    assert kinds(claim, DUTIES) == ["parties"]


@pytest.mark.parametrize(
    "claim",
    [
        "The landlord paints the shutters.",
        "The tenant paints its rooms.",
        "The shutters are painted by the landlord.",
        "The keys are collected by the buyer.",
        "The meters are collected by the seller.",
    ],
)
def test_a_short_clause_of_the_same_party_does_not(claim: str) -> None:
    assert kinds(claim, DUTIES) == []
