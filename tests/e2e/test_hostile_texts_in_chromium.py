"""X2: what anybody wrote is text on every page that shows it: nothing of it runs, loads, leads away or breaks the policy."""

from urllib.parse import urlsplit

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from playwright.sync_api import Dialog, Page, Request

from tests.e2e.conftest import Open
from tests.e2e.hostile import CANARY, PAYLOADS, RECKONED, plant
from tests.reviews.answers import person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.budget(20)]
LISTS = [
    *("/", "/queue/", "/queue/live/", "/answers/", "/traces/", "/facts/", "/facts/rejected/", "/audit/"),
    *("/dashboard/", "/monitoring/", "/tuning/", "/tuning/versions/", "/me/acting/"),
]
LOOKED = """([canary, sum]) => {
  const made = [...document.querySelectorAll("*")].filter((element) =>
    element.matches("base, iframe, frame, object, embed, marquee, math, meta[http-equiv], style, audio, video")
    || (element.matches("script, link, img, image") && (element.getAttribute("src") || element.getAttribute("href") || "").includes(canary))
    || [...element.attributes].some(({ name, value }) => /^(on|hx-on)/.test(name)
        || (/^(hx-get|hx-post|hx-vals|style|srcdoc)$/.test(name) && value.includes(canary))
        || (/^(href|src|action|formaction|data)$/.test(name) && /^\\s*(javascript|data:text)/i.test(value))));
  return { made: made.map((element) => element.outerHTML.slice(0, 200)), reckoned: document.documentElement.outerHTML.includes(sum),
    shown: document.body.textContent.includes(`${canary}()`) };
}"""
"""What only one of the payloads can have made of a page, and whether the page shows any."""


def pages_of_the_administration() -> list[str]:
    """The list of each model whose newest row holds a payload, and the page of that row."""
    found = []
    for model in admin.site._registry:
        newest = model._default_manager.order_by("-pk").first()
        if newest and CANARY in str(vars(newest)):
            path = f"/admin/{model._meta.label_lower.replace('.', '/')}/"
            found += [path, f"{path}{newest.pk}/change/"]
    return found


def watched(page: Page, wrong: list[str]) -> None:
    """Add to ``wrong`` whatever runs, asks the reader or asks for a payload's address on a page from now on."""

    def asked(request: Request) -> None:
        address = urlsplit(request.url)
        if CANARY in address.netloc + address.path:
            wrong.append(f"{request.url} of {page.url}")

    def opened(dialog: Dialog) -> None:
        wrong.append(f"asked on {page.url}")
        dialog.dismiss()

    page.context.expose_function(CANARY, lambda: wrong.append(f"ran on {page.url}"))
    page.on("request", asked)
    page.on("dialog", opened)


def test_sixty_payloads_in_every_text_stay_text_on_every_page_that_shows_it(
    open_page: Open, faults: list[str]
) -> None:
    assert len(set(PAYLOADS)) >= 60
    person("dana", "reviewer", "senior", "admin")
    User.objects.filter(username="dana").update(is_staff=True, is_superuser=True)
    planted, administered = list(plant()), pages_of_the_administration()
    assert len(administered) >= 20
    wrong: list[str] = []
    page = open_page("dana")
    watched(page, wrong)
    for path in [*planted, *LISTS, *administered]:
        response = page.goto(path)
        assert response is not None
        assert response.status == 200, (path, response.status)
        looked = page.evaluate(LOOKED, [CANARY, RECKONED])
        assert looked["shown"] or path not in planted, path
        wrong += [f"{path}: {made}" for made in looked["made"]]
        wrong += [f"{path}: reckoned"] if looked["reckoned"] else []
    assert wrong == []
    assert faults == []
