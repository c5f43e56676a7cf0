"""What was erased is said nowhere any more; what was decided stays, and the histories are whole."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from detection import search
from detection.models import Answer, Claim, DetectionRun, Erased, EventBody, MonitoredRun, Source
from reviews.models import HallucinationReview, ReviewEvent, ReviewPass
from tests.api_calls import Caller
from tests.reviews.attacks import ran
from tests.reviews.erased import WORD, erased, said, saying, settled

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db,
    pytest.mark.requirement("SEC-19"),
    pytest.mark.usefixtures("guarded"),
]


@pytest.fixture
def answer(backend: Caller, dana: Caller) -> Answer:
    """An answer that was judged twice and settled."""
    answer = said(backend)
    settled(answer, dana)
    return answer


def test_no_word_of_it_is_left_in_any_column_of_any_table(answer: Answer) -> None:
    assert {"detection_answer.text", "detection_source.title", "detection_claim.text", "reviews_claimverdict.note",
            "detection_eventbody.after", "detection_query.asked_by", "detection_chunkframes.frames"} <= saying()  # fmt: skip
    assert Answer.objects.filter(search.may_contain(WORD)).exists()
    erased(answer)
    assert saying() == set()
    assert not Answer.objects.filter(search.may_contain(WORD)).exists()
