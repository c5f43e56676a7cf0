"""One verdict for claims of an answer that say the same: what is said of one is offered for the others."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from reviews.models import ClaimVerdict, HallucinationReview, Lease, ReviewPass
from reviews.review_page.presentation import presentation
from tests.reviews.answers import Written, number, portfolio, slot

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]


def answer(*claims: tuple[str, str, dict[str, Any]]) -> HallucinationReview:
    """A review of an answer of these claims one after the other (text, kind, the rest of the result)."""
    written = Written(" ".join(f"{n}: {text}" for n, (text, _, _) in enumerate(claims)))
    at = 0
    for text, kind, more in claims:
        at = written.text.index(text, at)
        written.claim(text, kind, "contradicted", "contradicted", **more)
        written.claims[-1] |= {"start": at, "end": at + len(text)}
        at += len(text)
    return written.store(*portfolio())


def offered(review: HallucinationReview, user: User) -> dict[int, int]:
    """The number of each claim that is offered a verdict, with that of the claim it comes from."""
    panels = presentation(review, user).panels
    return {panel.claim.n: panel.alike.n for panel in panels if panel.alike}


def settle(review: HallucinationReview, user: User, index: int = 0, verdict: str = "rejected") -> None:
    Lease.take(review, user)
    review.refresh_from_db()
    claim = review.run.claims.get(index=index)
    ReviewPass.decide(review, user, review.version, claim, verdict, reason_code="wrong_value")
    review.refresh_from_db()


def figure(value: str, **more: Any) -> dict[str, Any]:
    return {"numeric": number(value, None, "USD", **({"metric": "net_operating_income"} | more))}


@pytest.mark.parametrize(
    ("first", "second", "is_offered"),
    [
        (("The lease ends in May [S0].", "statement", {}), ("the lease  ends in May.", "statement", {}), True),
        (("The lease ends in May.", "statement", {}), ("The lease ends in June.", "statement", {}), False),
        (("$1.5 million", "currency", figure("1500000")), ("1,500,000 USD", "currency", figure("1500000")), True),
        (("$1.5 million", "currency", figure("1500000")), ("$1.6 million", "currency", figure("1600000")), False),
        (("$1.5", "currency", figure("1.5")), ("$1.5", "currency", figure("1.5", metric="total_revenue")), False),
        (("$1.5", "currency", figure("1.5")), ("$1.5", "currency", figure("1.5", period="Q2 2024")), False),
        (("92%", "percentage", {}), ("92%", "percentage", {}), False),
    ],
)  # fmt: skip
def test_a_verdict_is_offered_for_what_says_the_same(
    first: Any, second: Any, is_offered: bool, reviewer: User
) -> None:
    review = answer(first, second)
    assert offered(review, reviewer) == {}
    settle(review, reviewer)
    assert offered(review, reviewer) == ({2: 1} if is_offered else {})


def test_a_number_of_another_property_is_another_claim(reviewer: User) -> None:
    of = [figure("1.5") | {"slots": [slot("property", name, name, "agree")]} for name in ("OAK", "ELM")]
    review = answer(("$1.5", "currency", of[0]), ("$1.5", "currency", of[1]))
    settle(review, reviewer)
    assert offered(review, reviewer) == {}


def test_a_number_without_a_metric_says_the_same_in_the_same_place_of_the_same_sentence(
    reviewer: User,
) -> None:
    sentence = "5 of 5 units are let."
    review = answer(
        (sentence, "statement", {}), ("5", "number", {"statement": 0}), ("5", "number", {"statement": 0}),
    )  # fmt: skip
    settle(review, reviewer, index=1)
    assert offered(review, reviewer) == {}


def test_one_key_gives_the_whole_verdict_again(client: Client, reviewer: User) -> None:
    review = answer(("$1.5", "currency", figure("1.5")), ("1.5 USD", "currency", figure("1.5")))
    settle(review, reviewer)
    client.force_login(reviewer)
    page = client.get(f"/reviews/{review.pk}/?claim=2").content.decode()
    assert "As claim 1: rejected" in page
    second = review.run.claims.get(index=1)
    asked = {"version": review.version, "verdict": "rejected", "reason_code": "wrong_value", "idempotency_key": "k"}  # fmt: skip
    client.post(f"/reviews/{review.pk}/claims/{second.pk}/verdict/", asked)
    given = ClaimVerdict.objects.filter(decided_at__isnull=False)
    assert {(one.verdict, one.reason_code) for one in given} == {("rejected", "wrong_value")}
    assert given.count() == 2
    assert offered(HallucinationReview.objects.get(), reviewer) == {}
    assert 'data-testid="alike"' not in client.get(f"/reviews/{review.pk}/?claim=2").content.decode()


def test_a_colleague_who_judges_blind_is_offered_nobody_elses_verdict(
    reviewer: User, colleague: User
) -> None:
    review = answer(("$1.5", "currency", figure("1.5")), ("$1.5", "currency", figure("1.5")))
    settle(review, reviewer)
    HallucinationReview.objects.update(blind=True)
    review.refresh_from_db()
    assert offered(review, colleague) == {}
