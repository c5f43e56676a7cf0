"""A Hebrew and a Chinese answer from the API to the analyst's page: every reason is in the language of the answer."""

from typing import Any

import pytest
import regex
from django.contrib.auth.models import User
from django.test import Client
from django.utils.html import escape

from reviews.models import HallucinationReview
from tests.api_calls import Caller, body, drain, portfolio

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("CIT-07")]

LATIN = regex.compile(r"[A-Za-z]{2,}")
AS_WRITTEN = {"OAK", "USD", "NOI"}
"""A property's code, a currency and a metric as the source writes it."""
SPOKEN = {
    "he": {
        "answer": "ההכנסה התפעולית נטו ברבעון השלישי של 2024 הייתה 1,324,567.89$ [S0]. התפוסה הייתה 92% והנכס מכיל 77 חניות. "
        "מי הבעלים?",
        "source": "ההכנסה התפעולית נטו ברבעון השלישי של 2024 הייתה 1,234,567.89$.",
        "question": "מה הייתה ההכנסה התפעולית נטו?",
        "script": r"\p{Hebrew}",
    },
    "zh": {
        "answer": "2024年第三季度净营业收入为1,324,567.89美元[S0]。出租率为92%，该物业有77个停车位。业主是谁？",
        "source": "2024年第三季度净营业收入为1,234,567.89美元。",
        "question": "净营业收入是多少？",
        "script": r"\p{Han}",
    },
}


def judged(language: str) -> Any:
    """The result of the answer in ``language``, and what it was judged by."""
    said = SPOKEN[language]
    sources = [{"id": "S0", "text": said["source"]}]
    posted = body(said["answer"], question=said["question"], sources=sources)
    pk = Caller("submit").post("answers/", posted).json()["id"]
    drain()
    return Caller("read").get(f"answers/{pk}/").json()


def sentences(result: Any) -> list[str]:
    """Everything that a result says in sentences."""
    return [
        *(claim["reason"] for claim in result["claims"]),
        *(reason["text"] for reason in result["verdict"]["reasons"]),
        *(entry["problem"] for entry in result["self_correction"]),
        *(check["reason"] for check in result["checks"].values() if check["reason"]),
        *(row["reason"] for row in result["numeric"]["claims"]),
        result["warning"],
    ]


@pytest.mark.parametrize("language", list(SPOKEN))
def test_every_sentence_of_a_result_is_in_the_language_of_the_answer(language: str) -> None:
    portfolio()
    result = judged(language)
    said = sentences(result)
    assert {text for text in said if {*LATIN.findall(text)} - AS_WRITTEN} == set()
    assert all(regex.search(SPOKEN[language]["script"], text) for text in said)
    found = {claim["finding"] for claim in result["claims"]}
    assert {"transposed", "contradicted", "number_contradicted", "question"} <= found


@pytest.mark.parametrize("language", list(SPOKEN))
def test_an_analyst_of_that_language_reads_the_same_sentence(
    language: str, client: Client, reviewer: User
) -> None:
    portfolio()
    result = judged(language)
    wrong = next(claim for claim in result["claims"] if claim["finding"] == "contradicted")
    review = HallucinationReview.objects.get()
    client.force_login(reviewer)
    address, reader = f"/reviews/{review.pk}/?claim={wrong['index']}", {"accept-language": language}
    page = client.get(address, headers=reader).content.decode()
    assert escape(wrong["reason"]) in page


def test_an_answer_in_a_fourth_language_gets_english() -> None:
    answer = "Le revenu net d'exploitation du troisième trimestre était de $1,324,567.89 [S0]."
    pk = (
        Caller("submit")
        .post("answers/", body(answer, language="fr", property=None, period=None))
        .json()["id"]
    )
    drain()
    result = Caller("read").get(f"answers/{pk}/").json()
    assert {claim["reason"].isascii() for claim in result["claims"]} == {True}
    assert "generic_language" in {reason["code"] for reason in result["verdict"]["reasons"]}
