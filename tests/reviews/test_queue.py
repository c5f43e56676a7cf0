"""The list: order, filters, pages and how many queries they cost."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from detection.models import Answer, ApiKey, FinancialPeriod, PropertyGroup, Source
from reviews.display.wording import about
from reviews.models import HallucinationReview, Lease, ReviewPass
from reviews.queue.counts import CAP, capped, count_text, counts
from reviews.queue.listing import ORDERS, Order, Page, beyond, filtered, page, visible_reviews
from tests.conftest import NOI, OCCUPANCY

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
Review = HallucinationReview
MakeReview = Callable[..., HallucinationReview]


def _age(review: HallucinationReview, hours: int) -> HallucinationReview:
    Review.objects.filter(pk=review.pk).update(created_at=timezone.now() - timedelta(hours=hours))
    return review


def _found(user: User, **params: str) -> list[int]:
    return [row.review.pk for row in page(filtered(visible_reviews(user), params, user)).rows]


def test_the_urgent_come_first_and_then_the_oldest(make_review: MakeReview, viewer: User) -> None:
    low = _age(make_review(risk_level="low"), 9)
    young = _age(make_review(risk_level="high"), 1)
    old = _age(make_review(risk_level="high"), 2)
    middle = _age(make_review(risk_level="moderate"), 5)
    assert _found(viewer) == [old.pk, young.pk, middle.pk, low.pk]


def _walk(user: User, size: int) -> list[Page]:
    pages = [page(visible_reviews(user), size=size)]
    while pages[-1].next:
        pages.append(page(visible_reviews(user), pages[-1].next, size))
    return pages


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
def test_pages_show_every_review_once_and_in_order(make_review: MakeReview, viewer: User, size: int) -> None:
    made = [
        make_review(risk_level=level) for level in ("low", "high", "high", "moderate", "low", "high", "high")
    ]
    at = timezone.now()
    Review.objects.update(created_at=at)  # equal times: the id decides
    expected = sorted(made, key=lambda review: (review.priority, review.pk))
    pages = _walk(viewer, size)
    assert [row.review for each in pages for row in each.rows] == expected
    assert len(pages) == -(-len(made) // size)


def test_a_row_that_arrives_between_two_pages_moves_none(make_review: MakeReview, viewer: User) -> None:
    first, second, third = (_age(make_review(), hours) for hours in (3, 2, 1))
    one = page(visible_reviews(viewer), size=1)
    _age(make_review(), 9)
    two = page(visible_reviews(viewer), one.next or "", size=5)
    assert [row.review.pk for row in one.rows + two.rows] == [first.pk, second.pk, third.pk]


@pytest.mark.parametrize("cursor", ["x", "bnVsbA==", "WzEsICIyMDI0IiwgMV0=", "ñ", "WzEsIDIsIDNd"])
def test_a_broken_cursor_says_so(viewer: User, cursor: str) -> None:
    with pytest.raises(ValueError, match="first one"):
        page(visible_reviews(viewer), cursor)


def test_a_row_adds_up_its_claims(make_review: MakeReview, viewer: User) -> None:
    review = make_review()
    review.run.claims.filter(text=NOI).update(deviation=-0.4)
    row = page(visible_reviews(viewer)).rows[0]
    assert (row.claims, row.flagged) == (3, 2)
    assert row.kinds == {"currency": (1, 1), "percentage": (1, 1), "date": (0, 1)}
    assert row.deviation == -0.4
    assert (row.excerpt, row.question) == (review.answer.text, "What was NOI?")


def _read(rows: Page) -> None:
    """Whatever a list shows of each row."""
    for row in rows.rows:
        review = row.review
        assert about(review) == f"{review.property.name} · Q3 2024"  # type: ignore[union-attr]  # each has one
        assert review.answer.language == "en"
        assert review.assignee is None
        assert (review.holder is None) is (review.state == "open")


def test_a_page_costs_two_queries_however_long(
    make_review: MakeReview,
    make_answer: Callable[..., Answer],
    make_period: Callable[..., FinancialPeriod],
    reviewer: User,
) -> None:
    for number in range(12):
        review = make_review(make_answer(period=make_period(f"P{number}")))
        if number % 2:
            Lease.take(review, reviewer)
    for size in (1, 12):
        with CaptureQueriesContext(connection) as queries:
            _read(page(visible_reviews(reviewer), size=size))
        assert len(queries) == 2, [query["sql"] for query in queries]


def test_a_page_never_reads_whole_texts(make_review: MakeReview, viewer: User) -> None:
    make_review()
    with CaptureQueriesContext(connection) as queries:
        page(visible_reviews(viewer))
    columns = queries[0]["sql"].split(" FROM ")[0]
    assert "SUBSTR" in columns.upper()
    assert '"detection_answer"."text",' not in columns.replace('("detection_answer"."text",', "")
    assert "corrected_answer" not in columns


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize(
    ("params", "order", "index"),
    [
        ({}, "", "review_queue_order"),
        ({}, "due", "review_queue_by_due"),
        ({}, "oldest", "review_queue_by_age"),
        ({}, "newest", "review_queue_by_age"),
        ({"language": "en"}, "", "review_queue_by_language"),
        ({"state": "resolved"}, "", "review_by_state"),
        ({"state": "all"}, "", "review_order"),
        ({"state": "all"}, "newest", "review_by_age"),
    ],
)
def test_a_page_at_any_depth_is_found_in_an_index_and_not_sorted(
    make_review: MakeReview, viewer: User, params: dict[str, str], order: str, index: str, *, back: bool
) -> None:
    for hours in range(3):
        _age(make_review(), hours)
    cursor = page(visible_reviews(viewer), size=1, order=ORDERS[order]).next
    assert cursor
    plan = _plan(filtered(Review.objects.all(), params), cursor, ORDERS[order], back=back)
    assert (index if connection.vendor == "sqlite" else "Index ") in plan
    assert "Seq Scan" not in plan
    assert "Sort" not in plan
    assert "TEMP B-TREE" not in plan


def _plan(reviews: Any, cursor: str, order: Order, *, back: bool) -> str:
    """How the database finds a page; with the few rows of a test PostgreSQL would rather read and sort them all, and takes
    any of two indexes that have the order."""
    with connection.cursor() as asked:
        if connection.vendor == "postgresql":
            for plain in ("seqscan", "bitmapscan", "sort"):
                asked.execute(f"SET LOCAL enable_{plain} = off")
    return str(beyond(reviews, cursor, order, back=back).values("pk")[:51].explain())


@pytest.fixture
def mixed(
    make_review: MakeReview, make_answer: Callable[..., Answer], make_period: Callable[..., FinancialPeriod]
) -> dict[str, HallucinationReview]:
    """Four reviews that differ in everything that one can filter by."""
    oak = make_answer(period=make_period("OAK", "Q3 2024"))
    elm = make_answer("ההכנסה הייתה 5% [S0]", period=make_period("ELM", "Q2 2024"), language="he")
    Source.objects.create(answer=elm, ref="S0", position=0, text="A rent roll of the Elm building")
    free = make_answer("收入为 7%。", language="zh")
    return {
        "oak": make_review(oak, risk_level="high"),
        "elm": make_review(elm, flagged={"5%": True}, risk_level="moderate"),
        "free": make_review(free, flagged={}, risk_level="low"),
    }


@pytest.mark.parametrize(
    ("params", "names"),
    [
        ({}, ["oak", "elm", "free"]),
        ({"risk": ""}, ["oak", "elm", "free"]),
        ({"risk": "high"}, ["oak"]),
        ({"risk": "moderate"}, ["elm"]),
        ({"risk": "extreme"}, []),
        ({"state": "open"}, ["oak", "elm", "free"]),
        ({"state": "resolved"}, []),
        ({"state": "unheard"}, []),
        ({"property": "OAK"}, ["oak"]),
        ({"property": "OAK", "risk": "low"}, []),
        ({"period": "Q2 2024"}, ["elm"]),
        ({"language": "zh"}, ["free"]),
        ({"kind": "percentage"}, ["oak"]),
        ({"kind": "date"}, []),
        ({"kind": "statement"}, ["elm"]),
        ({"assignee": "none"}, ["oak", "elm", "free"]),
        ({"q": "$1,612"}, ["oak"]),
        ({"q": "rent ROLL"}, ["elm"]),
        ({"q": "收入"}, ["free"]),
        ({"q": "הכנסה"}, ["elm"]),
        ({"q": "what was"}, ["oak", "elm", "free"]),
        ({"q": "100%_"}, []),
    ],
)
def test_filters_narrow_the_list(
    mixed: dict[str, HallucinationReview], viewer: User, params: dict[str, str], names: list[str]
) -> None:
    assert _found(viewer, **params) == [mixed[name].pk for name in names]


def test_filters_by_person(mixed: dict[str, HallucinationReview], reviewer: User, colleague: User) -> None:
    Lease.take(mixed["oak"], reviewer)
    Lease.take(mixed["elm"], colleague)
    Review.objects.filter(pk=mixed["free"].pk).update(assignee=reviewer)
    assert _found(reviewer, mine="held") == _found(colleague, holder="dana") == [mixed["oak"].pk]
    assert _found(reviewer, mine="assigned") == _found(colleague, assignee="dana") == [mixed["free"].pk]
    assert _found(colleague, assignee="me") == []
    assert _found(colleague, assignee="none") == [mixed["oak"].pk, mixed["elm"].pk]


def test_the_list_leaves_out_what_has_ended_unless_asked(
    mixed: dict[str, HallucinationReview], reviewer: User
) -> None:
    mixed["free"].resolve(reviewer, 1, final_confidence=0.5)
    mixed["elm"].void("duplicate")
    Review.objects.filter(pk=mixed["oak"].pk).update(state="snoozed", snoozed_until=timezone.now())
    assert _found(reviewer) == []
    assert _found(reviewer, state="resolved") == [mixed["free"].pk]
    assert len(_found(reviewer, state="all")) == 3


def test_people_and_keys_see_their_properties_only(
    mixed: dict[str, HallucinationReview], viewer: User, reviewer: User
) -> None:
    group = PropertyGroup.objects.create(name="north")
    elm = mixed["elm"].property
    assert elm is not None
    elm.groups.add(group)
    group.members.add(reviewer)
    assert _found(reviewer) == [mixed[name].pk for name in ("oak", "elm", "free")]
    assert _found(viewer) == [mixed[name].pk for name in ("oak", "free")]
    key, _ = ApiKey.issue("elm only", ["review"])
    key.properties.add(elm)
    assert list(visible_reviews(key)) == [mixed["elm"]]


def test_counts_say_why_nothing_is_free(make_review: MakeReview, reviewer: User, colleague: User) -> None:
    held, snoozed, assigned, mine, gone = (make_review() for _ in range(5))
    Lease.take(held, colleague)
    Lease.take(mine, reviewer)
    until = timezone.now() + timedelta(days=1)
    Review.objects.filter(pk=snoozed.pk).update(state="snoozed", snoozed_until=until)
    Review.objects.filter(pk=assigned.pk).update(assignee=colleague)
    Lease.take(gone, reviewer)
    for claim in gone.undecided():
        ReviewPass.decide(gone, reviewer, gone.version, claim, "supported")
    gone.resolve(reviewer, gone.version, final_confidence=0.9)
    facts = counts(reviewer)
    assert (facts.live, facts.free, facts.held_by_me) == (4, 1, 1)
    assert (facts.snoozed, facts.assigned_elsewhere, facts.judged_by_me) == (1, 1, 0)
    assert [(holder.name, holder.count) for holder in facts.holders] == [("erez", 1)]
    assert (facts.held_by_others, facts.holders[0].until) == (1, held.lease.expires_at)
    assert (facts.last_resolved_by, facts.last_resolved_at) == ("dana", gone.resolved_at)


def test_holders_are_named_once_with_their_soonest_end(
    make_review: MakeReview, reviewer: User, colleague: User
) -> None:
    first, second = make_review(), make_review()
    Lease.take(first, colleague)
    Lease.take(second, colleague)
    facts = counts(reviewer)
    assert [(holder.name, holder.count) for holder in facts.holders] == [("erez", 2)]
    assert facts.holders[0].until == first.lease.expires_at
    assert facts.free == 0


def test_an_empty_queue_counts_nothing(reviewer: User) -> None:
    facts = counts(reviewer)
    assert (facts.free, facts.live, facts.holders, facts.last_resolved_at) == (0, 0, [], None)


def test_counts_cost_the_same_for_any_number(
    make_review: MakeReview, reviewer: User, colleague: User
) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            counts(reviewer)
        return len(queries)

    Lease.take(make_review(), colleague)
    before = cost()
    for _ in range(5):
        Lease.take(make_review(), colleague)
    assert cost() == before <= 12


def test_large_counts_stop_at_the_cap(review: HallucinationReview) -> None:
    copies: dict[str, Any] = {
        f.attname: getattr(review, f.attname) for f in Review._meta.concrete_fields if f.name != "id"
    }
    Review.objects.bulk_create(Review(**copies | {"selection_reason": "gold"}) for _ in range(CAP + 5))
    assert capped(Review.objects.all()) == CAP + 1
    assert (count_text(CAP + 1), count_text(CAP), count_text(7)) == ("1,000+", "1,000", "7")


def test_only_flagged_claims_count_for_the_kind(make_review: MakeReview, viewer: User) -> None:
    make_review(flagged={NOI: True, OCCUPANCY: False})
    assert _found(viewer, kind="percentage") == []
