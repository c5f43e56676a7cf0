"""``manage.py replay`` prints what another profile would have decided beside the active one."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from detection.models import DetectionRun, ThresholdProfile
from tests.api_calls import TRUE, WRONG, Caller, body, drain, portfolio

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_answers() -> None:
    portfolio()
    backend = Caller("submit")
    for text in (TRUE, WRONG):
        backend.post("answers/", body(text))
    drain()


def printed(version: int, since: str = "2020-01-01") -> str:
    out = StringIO()
    call_command("replay", profile=version, since=since, stdout=out)
    return out.getvalue()


def cells(text: str, name: str) -> list[str]:
    line = next(line for line in text.splitlines() if line.startswith(name))
    return re.split(r"\s{2,}", line)


def test_a_draft_that_opens_no_reviews_flags_nothing(two_answers: None) -> None:
    flagged = DetectionRun.objects.filter(needs_review=True).count()
    draft = ThresholdProfile.draft({"base": {"review_queue_enabled": False}})
    text = printed(draft.version)
    assert flagged
    assert cells(text, "flagged answers") == ["flagged answers", str(flagged), "0"]
    assert cells(text, "no longer flagged")[1].startswith(f"-{flagged} (0 wrong, 0 right, {flagged} without")
    assert cells(text, "newly flagged") == ["newly flagged", "0"]
    assert "2 answers" in text


def test_the_active_profile_beside_itself_changes_nothing(two_answers: None) -> None:
    text = printed(1)
    assert cells(text, "newly flagged") == ["newly flagged", "0"]
    assert cells(text, "no longer flagged") == ["no longer flagged", "0"]


def test_claims_that_would_need_a_measurement_are_counted(two_answers: None) -> None:
    draft = ThresholdProfile.draft({"base": {"minimum_claim_length": 0}})
    assert len(cells(printed(draft.version), "claims not measured")) == 3


@pytest.mark.parametrize(
    ("version", "since", "told"),
    [
        (99, "2020-01-01", "no profile version 99. Known: 1"),
        (1, "yesterday", "give a day as YYYY-MM-DD"),
        (1, "2999-01-01", "has not come yet"),
    ],
)
def test_wrong_input_says_what_to_do(two_answers: None, version: int, since: str, told: str) -> None:
    with pytest.raises(CommandError, match=told):
        printed(version, since)


def test_nothing_stored_is_said() -> None:
    with pytest.raises(CommandError, match="No answer was judged since 2020-01-01"):
        printed(1)
