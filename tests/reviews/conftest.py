"""Pages are read as their parts follow one another: where a template breaks its lines says nothing of a page."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from detection.models import PersonEvent, ThresholdProfile
from detection.models.standing import standing
from reviews.models import HallucinationReview, Lease
from tests.api_calls import Caller, portfolio

BLOCKS = (
    "address|article|aside|blockquote|body|caption|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|"
    "form|h[1-6]|head|header|html|input|label|legend|li|link|main|meta|nav|ol|optgroup|option|p|script|section|"
    "select|summary|table|tbody|td|tfoot|th|thead|title|tr|ul"
)
"""Elements beside which a line break never shows. A button's shows outside of it only."""
TAG = re.compile(r"<[!/]?[a-z](?:\"[^\"]*\"|'[^']*'|[^\"'>])*>", re.IGNORECASE)
LINE_BREAK = re.compile(r"\s*\n\s*")
BREAK = re.compile(
    rf"(?P<after><(?:/?(?:{BLOCKS})\b|button\b)[^<>]*>)?"
    rf"[ \t]*\n\s*"
    rf"(?P<before>(?=<(?:/?(?:{BLOCKS})\b|/button\b)))?",
    re.IGNORECASE,
)


def unwrapped(html: str) -> str:
    """A page with each tag on one line, and without the line breaks around blocks; another is the space it shows."""

    def joined(found: re.Match[str]) -> str:
        if found["after"]:
            return found["after"]
        indented = found[0].rpartition("\n")[2]
        return "" if found["before"] is not None else " " if indented else found[0]

    def on_one_line(found: re.Match[str]) -> str:
        tag = found[0]
        return LINE_BREAK.sub(" ", tag).replace(" >", ">") if "\n" in tag or " >" in tag else tag

    return BREAK.sub(joined, TAG.sub(on_one_line, html))


@pytest.fixture(autouse=True)
def one_line_a_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test client's pages are unwrapped; a browser's are as they are."""
    request = Client.request

    def unwrapping(client: Client, **given: Any) -> Any:
        response = request(client, **given)
        if not response.streaming and response.headers.get("Content-Type", "").startswith("text/html"):
            response.content = unwrapped(response.content.decode()).encode()
        return response

    monkeypatch.setattr(Client, "request", unwrapping)


@pytest.fixture
def backend() -> Caller:
    """A key that submits and reads, over a portfolio."""
    portfolio()
    return Caller("submit", "read")


@pytest.fixture
def dana(reviewer: User) -> Caller:
    """A reviewer with a whole name, and a key that acts for her."""
    reviewer.first_name, reviewer.last_name = "Dana", "Levi"
    reviewer.save()
    return Caller("review", user=reviewer)


@pytest.fixture
def tolerant(db: None) -> None:
    """The active version lets numbers be off by their tolerance, which is off by default."""
    ThresholdProfile.draft({"base": {"exact_numbers": False}}).activate()


@pytest.fixture
def worked(review: HallucinationReview, reviewer: User) -> HallucinationReview:
    """A review with five events, and a reviewer who was added as ever."""
    PersonEvent.append(reviewer, "added", after=standing(reviewer))
    Lease.take(review, reviewer)
    Lease.release(review, reviewer)
    Lease.take(review, reviewer)
    Lease.release(review, reviewer)
    return review
