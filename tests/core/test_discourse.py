"""The acts of sentences in three languages: what leads in, abstains, closes, advises or repeats is told from what asserts."""

from collections.abc import Sequence

import pytest

from detection.core import claims
from detection.core.context import Context
from detection.core.discourse import absence, act, stretches
from detection.core.pipeline import screen
from detection.core.ports import Estimate
from detection.core.stores import Memory
from detection.core.types import Case, Claim, Source
from tests.tables import each_case

LEASE = Source(
    "S0", "The rent is $5,000 a month. The tenant may break the lease in 2027 on six months' notice."
)


class Denying:
    """A verifier that believes nothing: whoever asks it about an abstention flags the answer."""

    name = "denying"

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        return Estimate((0.05, 0.05), (0.1, 0.1), (0.85, 0.85))

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        return [self.estimate_probability(claim, context) for claim in claims]


def read(answer: str, question: str = "", language: str = "en") -> tuple[Claim, ...]:
    return claims.read(Case(answer=answer, question=question, sources=(LEASE,), language=language))


@each_case(
    ("said", "sentence"),
    [
        ("abstention", "The documents do not say whether the tenant may sublet."),
        ("abstention", "Neither passage mentions a deposit."),
        ("abstention", "No, the memo doesn't mention a deposit [S0]."),
        ("abstention", "The deposit is not mentioned in the sources."),
        ("abstention", "Not stated in the passages."),
        ("abstention", "I could not find the deposit in the lease."),
        ("abstention", "Passage 3 gives no information on deposits."),
        ("abstention", "המסמכים אינם מציינים את גובה הפיקדון."),
        ("abstention", "אין במסמך מידע על פיקדון."),
        ("abstention", "资料没有说明押金金额。"),
        ("abstention", "這份合約並未提及押金。"),
        ("closing", "Let me know if you need anything else."),
        ("closing", "Hope this helps!"),
        ("closing", "אשמח לעזור בכל שאלה נוספת."),
        ("closing", "希望以上内容对您有帮助。"),
        ("advice", "You should consult the property manager."),
        ("advice", "I recommend contacting a lawyer."),
        ("advice", "מומלץ להתייעץ עם עורך דין."),
        ("advice", "建议您咨询律师。"),
        ("reply", "Yes."), ("reply", "No [S0]."), ("reply", "כן."), ("reply", "是的。"),
        ("reply", "Yes, narrowly."), ("reply", "Only just."), ("reply", "לא, לא ממש."), ("reply", "是的，完全。"),
        ("question", "You asked how much the rent is."),
        ("question", "שאלת מה גובה שכר הדירה."),
        ("question", "您问的是租金金额。"),
        ("question", "What is the rent?"),
        ("instruction", "Please contact the manager."),
        ("hedge", "The rent may have risen."),
    ],
)  # fmt: skip
def test_an_act_is_named(said: str, sentence: str) -> None:
    assert act(sentence) == said


@each_case(
    ("language", "sentence"),
    [
        ("en", "## Rent and service charges"),
        ("en", "**Our fleet in numbers**"),
        ("en", "Further repairs this spring [S0]:"),
        ("he", "תיקונים נוספים באביב:"),
        ("zh", "春季其他维修："),
    ],
)
def test_a_heading_asserts_nothing(language: str, sentence: str) -> None:
    assert act(sentence, language=language) == "heading"


@each_case(
    ("language", "sentence"),
    [
        ("en", "**The rent fell in spring**"),
        ("en", "The tenant is in default:"),
        ("en", "**Rent**: paid by the landlord"),
        ("en", "**No rent was paid.**"),
        ("he", "**שכר הדירה ירד באביב**"),
        ("zh", "**租金下降**"),
    ],
)
def test_marks_make_no_heading_of_what_asserts(language: str, sentence: str) -> None:
    assert act(sentence, language=language) is None


@each_case(
    "sentence",
    [
        "The rent is due monthly.",
        "The tenant does not give notice.",
        "The report does not bind the landlord.",
        "The price was not disclosed to the tenant before the sale.",
        "The landlord says nothing about himself.",
        "We recommend daily payouts, since they lower the risk.",
        "You should pay within 30 days.",
        "No rent was paid in 2024.",
        "Yes, comfortably above the limit.",
        "Clearly the rent rose.",
        "Nothing is paid when schools close.",
        "הדייר אינו משלם פיקדון.",
        "אין לפרסם טקסט שכתב כלי כזה.",
        "承租人没有支付押金。",
        "建议零售价为200元。",
    ],
)
def test_an_assertion_is_no_act(sentence: str) -> None:
    assert act(sentence) is None


@each_case(
    ("language", "sentence", "judged"),
    [
        ("en", "Based on the lease, the rent is due monthly.", "the rent is due monthly."),
        ("en", "According to passage 3, the rent is $5,000.", "the rent is $5,000."),
        ("en", "According to the passages [S0], the rent is $5,000.", "the rent is $5,000."),
        ("en", "The rent is $5,000, according to the documents provided.", "The rent is $5,000"),
        ("en", "The sources state that the rent is $5,000.", "the rent is $5,000."),
        ("en", "According to the chairman, the rent is $5,000.", "According to the chairman, the rent is $5,000."),
        ("en", "Based on the survey of 212 kennels, a night costs $44.", "Based on the survey of 212 kennels, a night costs $44."),
        ("he", "לפי המסמכים, שכר הדירה הוא 5,000 דולר.", "שכר הדירה הוא 5,000 דולר."),
        ("zh", "根据所提供的资料，租金为5,000美元。", "租金为5,000美元。"),
    ],
)  # fmt: skip
def test_a_preamble_is_cut_from_what_is_judged(language: str, sentence: str, judged: str) -> None:
    statement = read(sentence, language=language)[0]
    assert statement.text == judged == sentence[statement.start : statement.end]
    assert statement.excluded is None


def test_the_number_of_a_passage_is_none_of_the_answer() -> None:
    found = read("According to passages 1 and 2, the rent is $5,000 [S0].")
    assert [claim.text for claim in found if claim.kind != "statement"] == ["$5,000"]


def test_what_is_said_to_be_missing_states_no_number() -> None:
    found = read("The passages do not give the rent for 2031; the rent for 2027 is $5,000.")
    assert [claim.excluded for claim in found if claim.kind == "statement"] == ["abstention", None]
    assert [claim.text for claim in found if claim.kind == "currency"] == ["$5,000"]
    assert "2031" not in [claim.text for claim in found]


def test_an_abstention_that_goes_on_is_parted_from_what_it_asserts() -> None:
    sentence = "The lease does not mention a deposit, but the rent is $5,000."
    parts = [(sentence[one.start : one.end], one.act) for one in stretches(sentence)]
    assert parts == [("The lease does not mention a deposit", "abstention"), ("the rent is $5,000.", None)]


def test_the_question_said_again_asserts_nothing() -> None:
    (claim,) = read("What the rent is", question="What the rent is?")
    assert claim.excluded == "question"


@each_case(
    ("question", "abstention", "found"),
    [
        ("What deposit is due?", "The lease does not mention a deposit.", "absent"),
        ("What is the rent a month?", "The passages do not say.", "present"),
        ("When may the tenant break the lease?", "Not stated in the sources.", "present"),
        ("What notice must the landlord give?", "The passages do not say what notice the landlord gives.", "open"),
    ],
)  # fmt: skip
def test_an_abstention_is_compared_with_the_evidence(question: str, abstention: str, found: str) -> None:
    assert absence(Case(answer=abstention, question=question, sources=(LEASE,)), abstention) == found


@pytest.mark.parametrize(
    ("question", "answer", "flagged"),
    [
        (
            "What deposit is due?",
            "The lease does not mention a deposit. Let me know if you need more.",
            False,
        ),
        ("What is the rent a month?", "The passages do not say what the rent a month is.", True),
    ],
)
def test_an_answer_that_only_abstains_says_so_and_is_flagged_only_when_wrong(
    question: str, answer: str, flagged: bool
) -> None:
    case = Case(answer=answer, question=question, sources=(LEASE,))
    end = screen(
        Context(case, claims.read(case), verifier=Denying()),
        Memory(("numeric", "citation", "grounding", "strawberry")),
    )
    assert "abstains" in [reason.code for reason in end.verdict.reasons]
    assert (end.verdict.has_hallucinations or end.verdict.needs_review) is flagged
    assert end.findings[0].status == ("unsupported" if flagged else "not_checked")
