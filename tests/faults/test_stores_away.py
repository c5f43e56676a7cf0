"""With Redis dead, frozen or slow every route answers as ever and about as soon, and the sweeper goes on."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from redis import Redis

from detection.models import DetectionRun, LeftOut
from reviews.models import HallucinationReview
from tests import servers
from tests.access_table import ADMIN_PAGES, OPEN, SCREENS, endpoints, every_route, of_a_model
from tests.faults.answers import pending_runs
from tests.faults.between import FAULTS, Between, between
from tests.faults.processes import running, sweeper, wait_until
from tests.faults.served import Asked, Site, served, submission
from tests.filled_routes import routes_filled

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("SPEC-08.43"),
]
PERMITS = "399"
"""Requests a minute: so few that each of them asks the cache."""
ADDED_SECONDS = 0.25
"""What a fault may add to a request in the mean. Before there was a port a dead Redis added 0.6 s and a frozen one 5 to 20."""


DETECTION = Asked(
    "POST",
    "/api/v1/answers:detect",
    "key",
    json.dumps(
        {
            "answer": "The tenants praised the new lobby [S0].",
            "sources": [{"id": "S0", "text": "The lobby was renovated. Many tenants wrote about it."}],
        }
    ),
)
"""Somebody who waits for a worker: where none can be told, they are sent to where answers are stored."""
NOT_IN_TIME = "urn:hallu:problem:not-in-time"


def every_request(filled: Callable[[str], str]) -> list[Asked]:
    """Each route of the API and of the screens in the URL table, with each of its methods."""
    screens = [
        Asked(method, filled(route), "nobody" if route == "logout/" else "person")
        for route, rows in (SCREENS | OPEN).items()
        for method in sorted(rows)
    ]
    return screens + [
        Asked(method, filled(f"api/v1/{path}"), "key", "" if method == "GET" else "{}")
        for method, path in sorted(endpoints())
    ]


def every_page_of_the_administration(filled: Callable[[str], str]) -> list[Asked]:
    """Of each model, and those that belong to none; they keep nothing in a store, so that the worst fault has to do."""
    ours = {route for route, _ in every_route() if route.startswith("admin/")}
    pages = {r for r in ours if of_a_model(r)} | {r for r, rows in ADMIN_PAGES.items() if "GET" in rows}
    return [Asked("GET", filled(route)) for route in sorted(pages) if "(?P" not in route]


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[tuple[Between, str]]:
    """A Redis of its own behind a network that can fail."""
    with servers.redis(tmp_path) as url, between(url) as found:
        yield found


def stores(url: str) -> dict[str, str]:
    """The variables of a process that has this Redis for its broker and its cache."""
    return {"CELERY_BROKER_URL": f"{url}/0", "CACHE_URL": f"{url}/1".replace("redis:", "rediscache:")}


@pytest.fixture
def site(redis: tuple[Between, str], tmp_path: Path) -> Iterator[Site]:
    network, url = redis
    verifier = {
        "HALLU_VERIFIER": "external",
        "HALLU_VERIFIER_BASE_URL": f"http://127.0.0.1:{network.port}/v1",
        "HALLU_VERIFIER_MODEL": "m",
        "HALLU_VERIFIER_TIMEOUT": "1s",
        "HALLU_DETECT_SECONDS": "2",
    }
    with served(tmp_path / "web.log", HALLU_REQUESTS_PER_MINUTE=PERMITS, **stores(url), **verifier) as opened:
        yield opened


@pytest.mark.requirement("APP-04")
def test_every_route_answers_as_ever_whatever_redis_does(redis: tuple[Between, str], site: Site) -> None:
    network, _ = redis
    filled = routes_filled()
    requests, administration = every_request(filled), every_page_of_the_administration(filled)
    well = site.walk(requests)
    assert [asked for asked, (status, _) in well.items() if status >= 500] == []
    for number, fault in enumerate(FAULTS):
        network.be(fault)
        found = site.walk(requests)
        wrong = {
            asked: (status, well[asked].status)
            for asked, (status, _) in found.items()
            if status != well[asked].status and (asked.method == "GET" or status >= 500)
        }
        assert wrong == {}, (fault, site.log.read_text()[-4000:])
        added = sum(answered.seconds - 2 * well[asked].seconds for asked, answered in found.items())
        assert added < ADDED_SECONDS * len(found), fault
        posts = site.walk([submission(10 * number + each) for each in range(10)])
        assert {status for status, _ in posts.values()} == {202}, fault
        status, result = site.ask(DETECTION)
        assert (status, json.loads(result)["type"]) == (503, NOT_IN_TIME), (fault, result)
        if fault == "frozen":
            assert [asked for asked, (status, _) in site.walk(administration).items() if status >= 500] == []
        network.be("well")
    assert DetectionRun.objects.filter(answer__query__external_id__startswith="a-").count() == 10 * len(
        FAULTS
    )
    assert LeftOut.objects.get(store="cache").calls > len(FAULTS)
    _, metrics = site.ask(Asked("GET", "/metrics", "nobody"))
    assert b'hallu_store_left_out_total{store="cache"}' in metrics


def test_the_dashboard_says_that_the_broker_is_away_until_it_takes_a_message(
    redis: tuple[Between, str], site: Site
) -> None:
    network, _ = redis

    def told_after_a_submission(number: int) -> bool:
        assert site.ask(submission(number))[0] == 202
        status, page = site.ask(Asked("GET", "/dashboard/"))
        assert status == 200
        return b"The message broker could not be reached" in page

    assert not told_after_a_submission(0)
    network.be("dead")
    wait_until(lambda: told_after_a_submission(1), site.log)
    network.be("well")
    wait_until(lambda: not told_after_a_submission(2), site.log)


def test_the_sweeper_goes_on_whatever_redis_does(
    redis: tuple[Between, str], tmp_path: Path, review: HallucinationReview, reviewer: User
) -> None:
    network, url = redis
    log = tmp_path / "sweep.log"
    (run,) = pending_runs()
    DetectionRun.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(hours=1))
    network.be("dead")
    sweeping = sweeper(log, **stores(url))
    with running(sweeping), Redis.from_url(f"{url}/0") as broker:
        for fault in FAULTS:
            network.be(fault)
            snoozed_and_due(review, reviewer)
            wait_until(lambda: HallucinationReview.objects.filter(pk=review.pk, state="open").exists(), log)
        assert sweeping.child.poll() is None
        network.be("well")
        wait_until(lambda: broker.llen("fast") > 0, log)


def snoozed_and_due(review: HallucinationReview, person: User) -> None:
    """The next sweep wakes it."""
    review.refresh_from_db()
    review.snooze(person, review.version, timezone.now() + timedelta(days=1))
    HallucinationReview.objects.filter(pk=review.pk).update(snoozed_until=timezone.now())
