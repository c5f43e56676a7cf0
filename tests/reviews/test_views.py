"""The screens over HTTP: who may do what, what a refusal looks like, pages and fragments."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils.html import escape

from detection.models import PropertyGroup
from reviews.display import screen
from reviews.models import ClaimVerdict, HallucinationReview, Lease
from tests.reviews import answers

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def oak(db: None) -> HallucinationReview:
    return answers.oak_plaza()


@pytest.fixture
def as_user() -> Callable[[User], Client]:
    """A browser in which a person is logged in."""

    def logged_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return logged_in


def verdict_url(review: HallucinationReview, index: int = 1) -> str:
    return reverse("claim-verdict", args=[review.pk, review.run.claims.get(index=index).pk])


def give(
    client: Client, review: HallucinationReview, index: int = 1, *, htmx: bool = False, **data: Any
) -> HttpResponse:
    review.refresh_from_db()
    content = {"version": review.version, "verdict": "supported", **data}
    return client.post(verdict_url(review, index), content, headers=HTMX if htmx else {})  # type: ignore[return-value]


def pages(review: HallucinationReview) -> list[str]:
    pk = review.pk
    return [
        reverse("queue"),
        reverse("answers"),
        reverse("answer", args=[review.answer_id]),
        reverse("review", args=[pk]),
        reverse("review-history", args=[pk]),
    ]


def actions(review: HallucinationReview) -> list[str]:
    names = ("review-take", "review-heartbeat", "review-resolve", "review-reopen", "review-release")
    return [verdict_url(review), *(reverse(name, args=[review.pk]) for name in names)]


# --- who --------------------------------------------------------------------------------------------


def test_nobody_sees_anything_before_logging_in(client: Client, oak: HallucinationReview) -> None:
    for url in [*pages(oak), *actions(oak)]:
        response = client.get(url) if url in pages(oak) else client.post(url)
        assert response.status_code == 302, url
        assert response["Location"].startswith("/login/"), url


def test_a_fragment_without_a_session_gets_the_form_of_the_dialog(
    client: Client, oak: HallucinationReview
) -> None:
    response = client.post(verdict_url(oak), headers=HTMX)
    assert response.status_code == 401
    assert b'hx-post="/login/"' in response.content
    assert b"<html" not in response.content
    assert "HX-Redirect" not in response


def test_a_form_sent_without_a_session_leads_back_to_its_page(
    client: Client, oak: HallucinationReview
) -> None:
    here = f"/reviews/{oak.pk}/?claim=2"
    sent = client.post(verdict_url(oak), headers={"Referer": f"http://testserver{here}"})
    assert sent["Location"] == f"/login/?next=/reviews/{oak.pk}/%3Fclaim%3D2"
    foreign = client.post(verdict_url(oak), headers={"Referer": f"https://elsewhere.example{here}"})
    assert foreign["Location"] == "/login/?next=/queue/"


@pytest.mark.parametrize("role", ["viewer", "reviewer", "senior", "admin"])
def test_every_role_may_read(as_user: Any, make_user: Any, oak: HallucinationReview, role: str) -> None:
    client = as_user(make_user("pat", role))
    assert [client.get(url).status_code for url in pages(oak)] == [200] * 5


@pytest.mark.parametrize(
    ("role", "status"), [("viewer", 403), ("admin", 403), ("none", 403), ("reviewer", 302), ("senior", 302)]
)
def test_only_reviewers_and_seniors_may_judge(
    as_user: Any, make_user: Any, oak: HallucinationReview, role: str, status: int
) -> None:
    client = as_user(make_user("pat", *([role] if role != "none" else [])))
    assert client.post(reverse("review-take", args=[oak.pk])).status_code == status
    assert give(client, oak).status_code == status
    assert client.post(reverse("queue-next")).status_code == status
    assert ClaimVerdict.objects.exists() == (status == 302)


def test_a_viewer_sees_no_button_that_judges(as_user: Any, viewer: User, oak: HallucinationReview) -> None:
    html = as_user(viewer).get(reverse("review", args=[oak.pk])).content.decode()
    assert 'data-testid="verdict-' not in html
    assert 'data-testid="take"' not in html
    assert "Read only: your role may look, not judge." in html


def test_a_foreign_property_is_not_found_anywhere(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    assert oak.property is not None
    oak.property.groups.add(PropertyGroup.objects.create(name="others"))
    client = as_user(reviewer)
    for url in pages(oak)[2:]:
        assert client.get(url).status_code == 404, url
    for url in actions(oak):
        assert client.post(url, {"version": 1, "verdict": "supported"}).status_code == 404, url
    for url in pages(oak)[:2]:
        assert b"1,243,567.89" not in client.get(url).content


def test_reading_never_writes_and_writing_is_never_a_link(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    client = as_user(reviewer)
    client.get(reverse("review", args=[oak.pk]))
    oak.refresh_from_db()
    assert (oak.state, oak.holder) == ("open", None)
    for url in [*actions(oak), reverse("queue-next"), reverse("logout")]:
        assert client.get(url).status_code == 405, url


def test_a_form_without_its_token_changes_nothing(reviewer: User, oak: HallucinationReview) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(reviewer)
    for url in actions(oak):
        response = client.post(url, {"version": 1, "verdict": "supported"})
        assert response.status_code == 403
        assert b"too old to be trusted" in response.content
    assert not ClaimVerdict.objects.exists()


# --- judging ----------------------------------------------------------------------------------------


def test_a_plain_form_saves_a_verdict_and_goes_to_the_next_undecided_claim(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    response = give(as_user(reviewer), oak, verdict="rejected", reason_code="wrong_period", note="see Q2")
    assert response["Location"] == f"/reviews/{oak.pk}/?claim=3"
    saved = ClaimVerdict.objects.get()
    assert (saved.verdict, saved.reason_code, saved.note) == ("rejected", "wrong_period", "see Q2")


def test_a_fragment_saves_a_verdict_and_brings_the_parts_that_changed(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    response = give(as_user(reviewer), oak, htmx=True)
    html = response.content.decode()
    assert response.status_code == 200
    assert "<html" not in html
    for part in (
        'id="bar"',
        'id="claims" hx-swap-oob="true"',
        'id="corrected" hx-swap-oob="true"',
        'data-state="saved"',
    ):
        assert part in html
    assert "2 claims undecided" in response["HX-Trigger"]


def test_the_value_of_record_is_taken_on_the_server(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    give(as_user(reviewer), oak, verdict="database", corrected_value="$1")
    saved = ClaimVerdict.objects.get()
    assert (saved.verdict, saved.corrected_value, saved.reason_code) == (
        "corrected",
        "$1,234,567.89",
        "wrong_value",
    )


@pytest.mark.parametrize(
    "data", [{"verdict": "maybe"}, {"verdict": "corrected"}, {"version": "x"}, {"reason_code": "bad"}]
)
@pytest.mark.parametrize("htmx", [True, False])
def test_bad_input_is_named_and_nothing_saved(
    as_user: Any, reviewer: User, oak: HallucinationReview, data: dict[str, Any], htmx: bool
) -> None:
    Lease.take(oak, reviewer)
    response = give(as_user(reviewer), oak, htmx=htmx, **data)
    assert response.status_code == 422
    assert b'data-testid="form-error"' in response.content
    assert (b"<html" in response.content) is not htmx
    assert not ClaimVerdict.objects.exists()


def test_a_claim_of_another_review_is_not_found(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    foreign = answers.hebrew().run.claims.get(index=1)
    url = reverse("claim-verdict", args=[oak.pk, foreign.pk])
    assert as_user(reviewer).post(url, {"version": 1, "verdict": "supported"}).status_code == 404


@pytest.mark.parametrize("htmx", [True, False])
def test_a_stale_verdict_is_a_conflict_that_names_who_and_keeps_the_input(
    as_user: Any, reviewer: User, oak: HallucinationReview, htmx: bool
) -> None:
    client = as_user(reviewer)
    give(client, oak)
    stale = {"version": 1, "verdict": "rejected", "note": "my long thought"}
    response = client.post(verdict_url(oak, 2), stale, headers=HTMX if htmx else {})
    html = response.content.decode()
    assert response.status_code == 409
    assert "dana gave a verdict on claim 2: Supported." in html
    assert "my long thought" in html
    assert ("<html" in html) is not htmx
    assert ClaimVerdict.objects.count() == 1


def test_what_was_refused_can_be_given_again_over_theirs(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    client = as_user(reviewer)
    give(client, oak)
    stale = {"version": 1, "verdict": "rejected", "reason_code": "wrong_period", "note": "my long thought"}
    panel = client.post(verdict_url(oak, 2), stale, headers=HTMX).content.decode()
    again = dict(re.findall(r'name="(\w+)" value="([^"]*)"', panel))
    assert again["version"] != "1"
    assert client.post(verdict_url(oak, 2), again).status_code == 302
    assert ClaimVerdict.objects.get(verdict="rejected").note == "my long thought"


def test_the_whole_text_of_an_answer_is_there_as_text(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    response = as_user(reviewer).get(reverse("answer-text", args=[oak.answer_id]))
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response.content.decode() == oak.answer.text


def test_another_holder_is_named_and_nothing_is_saved(
    as_user: Any, reviewer: User, colleague: User, oak: HallucinationReview
) -> None:
    Lease.take(oak, colleague)
    client = as_user(reviewer)
    assert "erez is reviewing this" in client.get(reverse("review", args=[oak.pk])).content.decode()
    response = give(client, oak, htmx=True)
    assert (response.status_code, b"erez holds this review now" in response.content) == (409, True)
    assert not ClaimVerdict.objects.exists()


@pytest.mark.parametrize("htmx", [True, False])
def test_resolving_too_early_names_the_undecided_claims(
    as_user: Any, reviewer: User, oak: HallucinationReview, htmx: bool
) -> None:
    Lease.take(oak, reviewer)
    data = {"version": oak.version, "final_confidence": "0.7", "then": "next"}
    response = as_user(reviewer).post(
        reverse("review-resolve", args=[oak.pk]), data, headers=HTMX if htmx else {}
    )
    html = response.content.decode()
    assert response.status_code == 422
    assert "3 claims undecided" in html
    assert "2 <bdi>$1,243,567.89</bdi>" in html


def decide_all(client: Client, review: HallucinationReview) -> None:
    give(client, review, 1, verdict="database")
    give(client, review, 2)
    give(client, review, 5, verdict="cannot_tell")


def resolve(client: Client, review: HallucinationReview, then: str = "stay", **headers: str) -> HttpResponse:
    review.refresh_from_db()
    data = {"version": review.version, "final_confidence": "0.81", "then": then}
    return client.post(reverse("review-resolve", args=[review.pk]), data, headers=headers)  # type: ignore[return-value]


def test_a_resolved_review_shows_its_outcome_and_the_corrected_answer(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    client = as_user(reviewer)
    decide_all(client, oak)
    assert resolve(client, oak)["Location"] == f"/reviews/{oak.pk}/"
    oak.refresh_from_db()
    assert (oak.outcome, oak.final_confidence) == ("corrected", 0.81)
    html = client.get(f"/reviews/{oak.pk}/").content.decode()
    assert "Resolved: corrected" in html
    assert "<del>$1,243,567.89</del> <ins>$1,234,567.89</ins>" in html


def test_an_answer_without_a_confidence_is_resolved_without_one(as_user: Any, reviewer: User) -> None:
    written = answers.Written("NOI was $5.", original=None, adjusted=None)
    written.claim("$5", "currency", "unsupported", "not_found", numeric=answers.number("5", None, "USD", ""))
    review, client = written.store(), as_user(reviewer)
    give(client, review, 0, verdict="supported")
    field = re.search(
        r"<input[^>]*final_confidence[^>]*>", client.get(reverse("review", args=[review.pk])).content.decode()
    )
    assert field is not None
    assert "required" not in field.group()
    review.refresh_from_db()
    body = {"version": review.version, "final_confidence": "", "then": "stay"}
    assert client.post(reverse("review-resolve", args=[review.pk]), body).status_code == 302
    review.refresh_from_db()
    assert (review.state, review.final_confidence) == ("resolved", None)


def test_resolve_and_next_takes_the_next_review(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    following, client = answers.hebrew(), as_user(reviewer)
    decide_all(client, oak)
    response = resolve(client, oak, then="next", **HTMX)
    assert (response.status_code, response["HX-Redirect"]) == (204, f"/reviews/{following.pk}/")
    following.refresh_from_db()
    assert following.holder == reviewer


def test_the_last_review_leads_back_to_a_queue_that_says_who_finished_it(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    client = as_user(reviewer)
    decide_all(client, oak)
    assert resolve(client, oak, then="next")["Location"] == reverse("queue")
    html = client.get(reverse("queue")).content.decode()
    assert 'data-state="done"' in html
    assert "by dana" in html


def test_a_senior_reopens_with_a_reason(
    as_user: Any, reviewer: User, senior: User, oak: HallucinationReview
) -> None:
    client, above = as_user(reviewer), as_user(senior)
    decide_all(client, oak)
    resolve(client, oak)
    url = reverse("review-reopen", args=[oak.pk])
    assert above.post(url, {"reason": " "}).status_code == 422
    assert above.post(url, {"reason": "wrong record"}).status_code == 302
    oak.refresh_from_db()
    assert oak.state == "open"
    history = client.get(reverse("review-history", args=[oak.pk])).content.decode()
    for words in ("Verdict on claim 2", "Resolved", "Reopened", "wrong record", "sofia"):
        assert words in history


def test_released_reviews_can_be_taken_by_others(
    as_user: Any, reviewer: User, colleague: User, oak: HallucinationReview
) -> None:
    Lease.take(oak, reviewer)
    assert as_user(colleague).post(reverse("review-release", args=[oak.pk])).status_code == 403
    assert as_user(reviewer).post(reverse("review-release", args=[oak.pk])).status_code == 302
    assert as_user(colleague).post(reverse("review-take", args=[oak.pk])).status_code == 302


def test_a_heartbeat_answers_with_the_lease_alone(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    client = as_user(reviewer)
    url = reverse("review-heartbeat", args=[oak.pk])
    assert client.post(url, headers=HTMX).status_code == 409
    Lease.take(oak, reviewer)
    response = client.post(url, headers=HTMX)
    assert (response.status_code, b'data-state="mine"' in response.content) == (200, True)


# --- what pages carry -------------------------------------------------------------------------------


def test_nothing_is_cached_and_everything_is_under_the_policy(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    client = as_user(reviewer)
    for url in [*pages(oak), "/nowhere/"]:
        response = client.get(url)
        assert "script-src 'self'" in response["Content-Security-Policy"], url
        assert "unsafe" not in response["Content-Security-Policy"], url
        if response.status_code == 200:
            assert response["Cache-Control"] == "no-store", url
            assert "HX-Request" in response["Vary"], url


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<a href=javascript:alert(1) hx-get=/x hx-on:click=alert(1)>x</a>",
    "</textarea><svg onload=alert(1)>",
    "{{ 7|add:7 }}<b>{% now 'Y' %}",
]


@pytest.mark.parametrize("payload", HOSTILE)
def test_what_others_wrote_is_text_and_never_markup(as_user: Any, reviewer: User, payload: str) -> None:
    written = answers.Written(f"NOI was 5 {payload}", question=payload, invalid=[payload])
    written.sources = [
        {"ref": payload, "title": payload, "text": f"{payload} 5", "metadata": {"page": payload}}
    ]
    written.claim(payload, "statement", "unsupported", "unsupported", citations=[payload], reason=payload)
    review = written.store()
    client = as_user(reviewer)
    give(client, review, 0, verdict="corrected", corrected_value=payload, note=payload)
    for url in pages(review):
        html = client.get(url).content.decode()
        assert payload not in html, url
        assert escape(payload) in html, url


@pytest.mark.parametrize(
    "table",
    [
        "<table><tr><td>Work</td><td>2024</td></tr><tr><td>{}</td><td>5</td></tr><tr><td>Roof</td><td>7</td></tr></table>",
        "<table><caption>{}</caption><tr><td>Roof</td><td>5</td></tr><tr><td>Lift</td><td>7</td></tr></table>",
        "| Work | 2024 |\n|---|---|\n| {} | 5 |\n| Roof | 7 |",
        "Work,2024,2023\n{},5,6\nRoof,7,8\nLift,9,9",
    ],
)
@pytest.mark.parametrize(
    "payload",
    [
        "<script>alert(1)</script>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "<img src=x onerror=alert(1)>",
        "<b onclick='alert(1)'>bold",
    ],
)
def test_a_table_of_a_source_is_shown_without_any_of_its_markup(
    as_user: Any, reviewer: User, table: str, payload: str
) -> None:
    written = answers.Written("NOI was 5")
    written.sources = [{"ref": "S0", "title": "t", "text": table.format(payload)}]
    written.claim("NOI was 5", "statement", "unsupported", "unsupported", citations=["S0"])
    review = written.store()
    html = as_user(reviewer).get(reverse("review", args=[review.pk])).content.decode()
    assert 'data-testid="source-table"' in html
    assert not any(part in html for part in ("<script>alert", "<img src=x", "<b onclick"))


def test_filters_stand_in_the_address_and_narrow_the_list(
    as_user: Any, reviewer: User, oak: HallucinationReview
) -> None:
    hebrew, client = answers.hebrew(), as_user(reviewer)
    html = client.get(reverse("queue"), {"language": "he"}).content.decode()
    assert f'data-review-id="{hebrew.pk}"' in html
    assert f'data-review-id="{oak.pk}"' not in html
    fragment = client.get(reverse("queue"), {"q": "Debt service"}, headers=HTMX).content.decode()
    assert f'data-review-id="{oak.pk}"' in fragment
    assert "<html" not in fragment
    assert client.get(reverse("queue"), {"after": "nonsense"}).status_code == 302


def test_an_empty_list_tells_the_truth(as_user: Any, reviewer: User, colleague: User) -> None:
    client = as_user(reviewer)
    assert 'data-state="new"' in client.get(reverse("queue")).content.decode()
    review = answers.oak_plaza()
    assert "0 of 1 match" in client.get(reverse("queue"), {"q": "zebra"}).content.decode()
    Lease.take(review, colleague)
    assert "1 review is being reviewed by others: erez" in client.get(reverse("queue")).content.decode()
    answer = client.post(reverse("queue-next"), follow=True).content.decode()
    assert "1 review is being reviewed by others: erez" in answer


def test_answers_are_listed_and_opened_read_only(
    as_user: Any, viewer: User, oak: HallucinationReview
) -> None:
    client = as_user(viewer)
    html = client.get(reverse("answers"), {"risk": "high"}).content.decode()
    assert "0.95 → 0.76" in html
    assert "No answers match" in client.get(reverse("answers"), {"q": "zebra"}).content.decode()
    one = client.get(reverse("answer", args=[oak.answer_id])).content.decode()
    assert 'data-testid="comparison"' in one
    assert 'data-testid="verdict-' not in one


def test_problems_are_pages_for_people_and_fragments_for_htmx(as_user: Any, reviewer: User) -> None:
    client = as_user(reviewer)
    page, fragment = client.get("/reviews/999/"), client.get("/reviews/999/", headers=HTMX)
    assert (page.status_code, fragment.status_code) == (404, 404)
    assert b"<html" in page.content
    assert b"<html" not in fragment.content
    assert b'data-testid="problem"' in fragment.content


def test_a_broken_view_says_nothing_of_why(rf: RequestFactory) -> None:
    response = screen.broken(rf.get("/"))
    assert (response.status_code, b"Something broke" in response.content) == (500, True)
    assert screen.bad_request(rf.get("/"), ValueError("inner detail")).status_code == 400


@pytest.mark.requirement("SPEC-08.43")
def test_a_page_without_the_database_says_when_to_come_back(
    as_user: Any, reviewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = as_user(reviewer)
    client.raise_request_exception = False

    def away(*_: Any) -> None:
        raise OperationalError("no such host")

    for place in ("reviews.queue.views.queue_rows", "reviews.account.languages.Preferences.of"):
        monkeypatch.setattr(place, away)
        response = client.get("/queue/")
        assert (response.status_code, response["Retry-After"]) == (503, "5"), place
        assert b"Not available now" in response.content
        assert b"no such host" not in response.content


# --- the door ---------------------------------------------------------------------------------------


def test_the_log_in_says_what_is_wrong_and_goes_back_to_what_was_asked_for(
    client: Client, make_user: Any
) -> None:
    make_user("pat", "viewer")
    wrong = client.post("/login/", {"username": "pat", "password": "no"}).content.decode()
    assert 'data-testid="login-error"' in wrong
    assert 'value="pat"' in wrong
    data = {"username": "pat", "password": "correct horse battery", "next": "/answers/"}
    assert client.post("/login/", data)["Location"] == "/answers/"
    assert client.get("/")["Location"] == "/queue/"


def test_too_many_wrong_passwords_close_the_door_for_a_while(client: Client, make_user: Any) -> None:
    make_user("pat", "viewer")
    for _ in range(5):
        last = client.post("/login/", {"username": "pat", "password": "no"})
    assert last.status_code == 429
    assert b"Too many attempts" in last.content
    right = client.post("/login/", {"username": "pat", "password": "correct horse battery"})
    assert right.status_code == 429


@pytest.mark.postgres
def test_a_database_that_is_away_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise OperationalError("no such host")

    monkeypatch.setattr(connection, "cursor", away)
    response = client.get("/readyz")
    assert (response.status_code, response.content) == (503, b"database: OperationalError\n")
    assert client.get("/healthz").status_code == 200


def test_health_is_plain_and_open(client: Client) -> None:
    assert (client.get("/healthz").content, client.get("/readyz").content) == (b"ok\n", b"ok\n")
