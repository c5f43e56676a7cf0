"""The page of the four rates: who sees it, what it shows, without script."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from detection.models import MonitoredRun, Property, PropertyGroup
from tests.api_calls import Caller, body, drain, portfolio

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("CIT-11")]
INVALID = "The tenant of the tower renewed its lease [S7]."


@pytest.fixture
def as_viewer(viewer: User) -> Client:
    client = Client()
    client.force_login(viewer)
    return client


@pytest.fixture
def two_answers() -> Property:
    """One answer about OAK this week and one five weeks ago."""
    oak = portfolio()
    backend = Caller("submit")
    for text in (INVALID, INVALID.replace("S7", "S0")):
        backend.post("answers/", body(text, model="writer-1"))
    drain()
    oldest = MonitoredRun.objects.order_by("pk").first()
    assert oldest is not None
    MonitoredRun.objects.filter(pk=oldest.pk).update(finished_on=timezone.now().date() - timedelta(days=35))
    return oak


def page(client: Client, query: str = "") -> str:
    response = client.get(reverse("monitoring") + query)
    assert response.status_code == 200
    return response.content.decode()


def test_there_is_a_row_for_each_week_newest_first(as_viewer: Client, two_answers: Property) -> None:
    html = page(as_viewer)
    days = re.findall(r'data-testid="week"><th scope="row" data-label="Days"><time datetime="([^"]+)"', html)
    assert days == sorted(days, reverse=True)
    assert 12 <= len(days) <= 13
    rows = html.split('data-testid="week"')[1:]
    assert [row.count("of 1 citation<") for row in rows].count(1) == 2
    assert "100.0 %" in rows[5]
    assert "0.0 %" in rows[0]
    assert "– <" in rows[2]


def test_all_weeks_together_stand_on_top_with_their_numbers(as_viewer: Client, two_answers: Property) -> None:
    total = page(as_viewer).split('data-testid="total"')[1].split("</tr>")[0]
    assert '50.0 %</bdi> <span class="dim">of 2 citations' in total
    assert "of 2 answers" in total


def test_it_is_narrowed_by_days_property_model_and_language(as_viewer: Client, two_answers: Property) -> None:
    today = timezone.now().date()
    html = page(as_viewer, f"?from={today}&to={today}&property=OAK&model=writer-1&language=en")
    assert html.count('data-testid="week"') == 1
    assert "of 1 answer<" in html
    assert '<option dir="auto" selected>OAK</option>' in html
    assert '<option dir="auto" selected>writer-1</option>' in html


def test_what_does_not_match_says_so_and_offers_a_way_back(as_viewer: Client, two_answers: Property) -> None:
    html = page(as_viewer, "?language=he")
    assert "No answers match" in html
    assert f'href="{reverse("monitoring")}">Clear filters' in html
    assert '<option value="he" selected>Hebrew</option>' in html


def test_without_answers_it_says_that_there_are_none(as_viewer: Client) -> None:
    html = page(as_viewer)
    assert "No answers yet" in html
    assert "%" not in html.split('data-testid="empty"')[1].split("</section>")[0]


@pytest.mark.parametrize("query", ["?from=2024-02-31", "?from=2024-09-02&to=2024-09-01", "?from=2020-01-01"])
def test_impossible_days_are_named(as_viewer: Client, two_answers: Property, query: str) -> None:
    html = page(as_viewer, query)
    assert re.search(r'data-testid="faults".*<li>From: ', html)
    assert 'data-testid="week"' not in html


def test_a_person_sees_the_rates_of_their_properties_only(
    as_viewer: Client, viewer: User, two_answers: Property, make_user: Callable[..., User]
) -> None:
    group = PropertyGroup.objects.create(name="east")
    two_answers.groups.add(group)
    assert "No answers yet" in page(as_viewer)
    assert ">OAK<" not in page(as_viewer)
    viewer.property_groups.add(group)
    assert "of 2 answers" in page(as_viewer)


def test_nobody_sees_it_before_logging_in(client: Client) -> None:
    assert client.get(reverse("monitoring"))["Location"].startswith("/login/")


def test_the_navigation_leads_there(as_viewer: Client) -> None:
    assert '<a href="/monitoring/" aria-current="page">Monitoring</a>' in page(as_viewer)
