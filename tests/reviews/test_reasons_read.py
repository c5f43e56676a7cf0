"""The page tells every reason in the reader's language, whatever the answer's is; what was delivered stays as it was."""

from typing import Any

import pytest
import regex
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation

from detection.models import DetectionRun
from detection.runs import retold
from reviews.models import HallucinationReview
from reviews.review_page.presentation import presentation
from tests.api_calls import portfolio
from tests.reviews.test_reasons_spoken import SPOKEN, judged, sentences

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("CIT-07")]
FOREIGN = regex.compile(r"\p{Hebrew}|\p{Han}")
AS_WRITTEN = regex.compile(r"ברבעון השלישי של 2024|2024年第三季度")
"""What a sentence quotes of the source."""


def reasons(result: Any) -> list[str]:
    """The sentences that the core wrote of claims, checks and the answer."""
    overruled = [one["reason"] for claim in result["claims"] for one in claim["conclusion"]["overruled"]]
    return [
        *(claim["reason"] for claim in result["claims"]),
        *(reason["text"] for reason in result["verdict"]["reasons"]),
        *(check["reason"] for check in result["checks"].values() if check["reason"]),
        *overruled,
    ]


@pytest.mark.parametrize("language", list(SPOKEN))
def test_an_english_reader_reads_english_of_a_foreign_answer(language: str) -> None:
    portfolio()
    delivered = judged(language)
    told = retold(DetectionRun.objects.get(), "en")
    assert [text for text in reasons(told) if FOREIGN.search(AS_WRITTEN.sub("", text))] == []
    assert len(reasons(told)) == len(reasons(delivered))
    assert all(FOREIGN.search(text) for text in sentences(delivered))
    stored: Any = DetectionRun.objects.get().result
    as_read = [claim | {"effective": None} for claim in delivered["claims"]]
    assert [claim | {"effective": None} for claim in stored["claims"]] == as_read


@pytest.mark.parametrize(
    ("reader", "script"), [("en", "[a-z]"), ("he", r"\p{Hebrew}"), ("zh-hant", r"\p{Han}")]
)
def test_the_page_tells_the_finding_in_the_readers_language(reader: str, script: str, reviewer: User) -> None:
    portfolio()
    judged("he")
    with translation.override(reader):
        page = presentation(HallucinationReview.objects.get(), reviewer)
    told = [panel.reason for panel in page.panels]
    assert len(told) > 3
    assert [text for text in told if not regex.search(script, text)] == []
    if reader != "he":
        assert [text for text in told if regex.search(r"\p{Hebrew}", AS_WRITTEN.sub("", text))] == []


def test_the_readers_language_comes_from_the_request(client: Client, reviewer: User) -> None:
    portfolio()
    judged("zh")
    client.force_login(reviewer)
    page = client.get(f"/reviews/{HallucinationReview.objects.get().pk}/?claim=2").content.decode()
    run: Any = DetectionRun.objects.get()
    (wrong, *_) = (claim for claim in run.result["claims"] if claim["finding"] == "transposed")
    assert wrong["reason"] not in page


def test_of_a_finding_that_is_found_otherwise_today_the_stored_sentence_stays() -> None:
    portfolio()
    judged("he")
    run: Any = DetectionRun.objects.get()
    older = [claim | {"finding": "of_another_time", "reason": "נמסר כך."} for claim in run.result["claims"]]
    run.result = run.result | {"claims": older}
    assert {claim["reason"] for claim in retold(run, "en")["claims"]} == {"נמסר כך."}


def test_a_result_whose_reports_are_gone_is_shown_as_it_was_delivered() -> None:
    portfolio()
    judged("he")
    run = DetectionRun.objects.get()
    run.reports.update(measurements={"schema": 99})
    assert retold(run, "en") == run.result


def test_a_reader_of_the_answers_language_costs_nothing(django_assert_num_queries: Any) -> None:
    portfolio()
    judged("zh")
    run = DetectionRun.objects.select_related("answer").get()
    with django_assert_num_queries(0):
        assert retold(run, "zh-hans") is run.result
