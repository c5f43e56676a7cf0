"""Routes of the URL table with rows that are there in their places."""

import re
from collections.abc import Callable

from django.contrib.auth.models import User

from tests.calibration_maps import drafted
from tests.reviews import answers
from tests.reviews.test_facts_pages import remembered
from tests.reviews.test_traces_page import audited


def routes_filled() -> Callable[[str], str]:
    """Makes an answer, its review, a trace, a fact, a map and a person; gives what fills the places of a route with them."""
    review = answers.oak_plaza()
    run = review.run.claims.first()
    assert run is not None
    trace, fact = audited().pk, remembered().pk
    known = {
        "reviews/<int:pk>/": review.pk,
        "answers/<uuid:pk>/": review.answer_id,
        "traces/<uuid:pk>/": trace,
        "facts/<uuid:pk>/": fact,
        "tuning/calibration/<int:pk>/": drafted().pk,
        "api/v1/reviews/ID/": review.pk,
        "api/v1/answers/ID/": review.answer_id,
        "api/v1/traces/ID/": trace,
        "api/v1/facts/ID/": fact,
    }
    rest = {
        "<int:claim>": run.pk,
        "<slug:tile>": "open",
        "<slug:block>": "now",
        "<int:position>": 0,
        "<int:version>": 1,
        "<id>": User.objects.create(username="looked-at").pk,
        "ID": 987654321,
    }

    def filled(route: str) -> str:
        for start, pk in known.items():
            if route.startswith(start):
                route = re.sub(r"<\w+:pk>|ID", str(pk), route, count=1)
        for place, value in rest.items():
            route = route.replace(place, str(value))
        return "/" + re.sub(r"<path:\w+>", "987654321", route)

    return filled
