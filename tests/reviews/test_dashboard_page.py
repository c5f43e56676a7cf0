"""The dashboard as page, CSV and API: the same figures, for those who may see them, in few queries."""

import csv
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from detection.models import Property, PropertyGroup
from reviews.dashboard.page import figure
from reviews.dashboard.registry import BLOCKS, TILES
from tests.api_calls import Caller
from tests.reviews.dashboards import answers, opened, resolved, tile

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-05")]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def as_senior(senior: User) -> Client:
    client = Client()
    client.force_login(senior)
    return client


def some(senior: User, n: int) -> None:
    """``n`` reviews, half of them resolved, and as many answers that nobody flagged."""
    found = opened(answers(n))
    resolved(found[: n // 2], senior, "rejected", reason="wrong_value")
    quiet = answers(
        n, needs_review=False, has_hallucinations=False, audit_stratum="base", audit_probability=0.5
    )
    resolved(
        opened(quiet[: n // 2], selection_reason="audit_random", selection_probability=0.5),
        senior,
        "supported",
    )


def block(client: Client, name: str, query: str = "") -> str:
    response = client.get(reverse("dashboard-block", args=[name]) + query, headers=HTMX)
    assert response.status_code == 200
    return response.content.decode()


def test_the_page_shows_now_at_once_and_fetches_the_rest(as_senior: Client) -> None:
    html = as_senior.get(reverse("dashboard")).content.decode()
    assert 'aria-current="page">Dashboard' in html
    for name in BLOCKS:
        assert f'data-testid="block-{name}"' in html
        assert (f'hx-get="{reverse("dashboard-block", args=[name])}' in html) == (name != "now")
    assert 'data-testid="tile-overdue"' in html
    assert 'data-testid="tile-kappa"' not in html


def test_without_a_script_the_link_of_a_block_opens_it_on_the_page(as_senior: Client) -> None:
    html = as_senior.get(reverse("dashboard-block", args=["agreement"])).content.decode()
    assert "<h1>Dashboard</h1>" in html
    assert 'data-testid="tile-kappa"' in html


def test_an_empty_database_has_no_figure_that_it_cannot_have(as_senior: Client) -> None:
    for name in BLOCKS:
        for part in block(as_senior, name).split("<article ")[1:]:
            value = part.split('data-testid="value">')[1].split("<")[0]
            assert value != "–" or 'data-testid="text"' in part, part[:60]
            assert "%" not in value
    assert "Nothing needs attention." in block(as_senior, "alerts")


@pytest.mark.parametrize("name", TILES)
def test_page_csv_and_api_have_the_same_figures(as_senior: Client, senior: User, name: str) -> None:
    some(senior, 6)
    html = block(as_senior, TILES[name].block).split(f'data-testid="tile-{name}"')[1]
    written = as_senior.get(reverse("dashboard-csv", args=[name])).content.decode("utf-8-sig")
    rows = list(csv.DictReader(StringIO(written)))
    told = Caller("read", "review").get(f"dashboard/{name}/").json()
    if TILES[name].unit != "seconds":  # a time runs on between two requests
        assert rows[0]["value"] == ("" if told["value"] is None else repr_of(told["value"], rows[0]["value"]))
        shown = html.split('data-testid="value">')[1].split("<")[0]
        assert shown == figure(told["value"], TILES[name].unit)
    assert rows[0]["n"] == ("" if told["n"] is None else str(told["n"]))
    assert len(rows) == 1 + len(told["rows"]) + len(told["trend"])
    assert [row["label"] for row in rows[1 : 1 + len(told["rows"])]] == [row["label"] for row in told["rows"]]


def repr_of(value: float, written: str) -> str:
    """A number as the file has it, which writes whole ones without a point."""
    return str(int(value)) if "." not in written else repr(value)


def test_the_api_lists_all_tiles_with_what_they_mean(db: None) -> None:
    listed = Caller("read").get("dashboard/").json()
    assert [each["name"] for each in listed] == list(TILES)
    assert all(each["definition"] and each["url"].endswith(f"/dashboard/{each['name']}/") for each in listed)


def test_people_and_keys_see_only_their_properties(make_user: Any, make_period: Any) -> None:
    oak, elm = make_period("OAK").property, make_period("ELM").property
    for place, name in ((oak, "ella"), (elm, "otto")):
        group = PropertyGroup.objects.create(name=f"for {name}")
        group.properties.add(place)
        group.members.add(make_user(name, "viewer"))
    opened(answers(3, about=oak))
    opened(answers(1, about=elm))
    counted = {name: tile("open", User.objects.get(username=name)).value for name in ("ella", "otto")}
    assert counted == {"ella": 3, "otto": 1}
    client = Client()
    client.force_login(User.objects.get(username="otto"))
    html = client.get(reverse("dashboard")).content.decode()
    assert '<option value="ELM"' in html
    assert '<option value="OAK"' not in html
    assert "OAK" not in client.get(reverse("dashboard-csv", args=["flagged"])).content.decode()
    assert tile("flagged", User.objects.get(username="ella")).n == 3
    key = Caller("read").bound_to(Property.objects.get(code="ELM"))
    assert key.get("dashboard/open/").json()["value"] == 1


def test_a_name_that_a_spreadsheet_would_reckon_is_kept_as_text(as_senior: Client) -> None:
    answers(1, model="=1+1")
    assert ",'=1+1," in as_senior.get(reverse("dashboard-csv", args=["flagged"])).content.decode()


@pytest.mark.parametrize(
    "query", ["?from=2024-02-02&to=2024-01-01", "?from=2020-01-01&to=2024-01-01", "?from=x"]
)
def test_days_that_cannot_be_are_refused_with_the_reason(as_senior: Client, query: str) -> None:
    response = as_senior.get(reverse("dashboard") + query)
    assert response.status_code == 422
    assert "These days cannot be shown" in response.content.decode()
    assert as_senior.get(reverse("dashboard-csv", args=["open"]) + query).status_code == 422
    assert Caller("read").get(f"dashboard/open/{query}").status_code == 422


def test_unknown_tiles_and_blocks_are_not_found(as_senior: Client) -> None:
    assert as_senior.get(reverse("dashboard-csv", args=["nothing"])).status_code == 404
    assert as_senior.get(reverse("dashboard-block", args=["nothing"])).status_code == 404
    assert Caller("read").get("dashboard/nothing/").status_code == 404


def test_alerts_name_what_is_overdue_and_what_is_missed(as_senior: Client, senior: User) -> None:
    opened(answers(2), due_at=timezone.now() - timedelta(hours=1))
    quiet = answers(
        4, needs_review=False, has_hallucinations=False, audit_stratum="base", audit_probability=0.5
    )
    resolved(
        opened(quiet[:2], selection_reason="audit_random", selection_probability=0.5), senior, "rejected"
    )
    html = block(as_senior, "alerts")
    assert "2 reviews are overdue." in html
    assert "About 100.0 % of the unflagged answers are wrong (n = 2 audits)." in html
    assert '#tile-unflagged_wrong"' in html


def test_ten_reviews_and_two_hundred_take_as_many_queries(as_senior: Client, senior: User) -> None:
    some(senior, 10)
    addresses = [
        reverse("dashboard"),
        *(reverse("dashboard-block", args=[name]) for name in [*BLOCKS, "alerts"]),
    ]

    def counted() -> dict[str, int]:
        found = {}
        for address in addresses:
            with CaptureQueriesContext(
                connection,
            ) as queries:
                as_senior.get(address, headers={} if address == addresses[0] else HTMX)
            found[address] = len(queries)
        return found

    counted()  # what a process reads once
    few = counted()
    some(senior, 190)
    assert counted() == few
    assert max(few.values()) <= 45
