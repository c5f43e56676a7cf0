"""The demo as its screens and its API show it, for :mod:`benchmarks.characterise`."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.steady_text import keep, numbered, shown

REVIEWS, LISTED = 40, 20
PAGES = {
    "noam": (
        "/", "/queue/", "/queue/?state=all", "/queue/?state=resolved&order=newest", "/queue/?q=occupancy", "/queue/live/",
        "/queue/?risk=high&language=he", "/answers/", "/answers/?q=NOI", "/facts/", "/facts/rejected/", "/traces/",
        "/monitoring/", "/dashboard/", "/dashboard/?days=7", "/audit/", "/audit/export/", "/help/", "/me/",
        "/tuning/", "/tuning/?days=90", "/tuning/?threshold=overlap&value=0.6&days=90",
        "/tuning/?threshold=severity_contradicted&value=0.5&objective=load", "/tuning/changes/?value=0.001",
        "/tuning/suggest/?days=90", "/tuning/calibration/", "/tuning/versions/", "/tuning/versions/1/",
        "/tuning/versions/2/", "/tuning/versions/2/export/", "/tuning/versions/compare/?one=1&other=2",
    ),
    "ada": ("/queue/", "/tuning/", "/tuning/versions/", "/tuning/versions/2/", "/tuning/versions/new/", "/audit/"),
    "dana": ("/", "/queue/", "/dashboard/", "/me/"),
    "vera": ("/queue/", "/answers/", "/dashboard/", "/tuning/"),
}  # fmt: skip
SPOKEN = ("/", "/queue/", "/dashboard/", "/tuning/", "/audit/", "/help/", "/monitoring/")


def ask(out: Path, client: Any, paths: Iterable[str], **headers: str) -> None:
    """Ask for every path and write what it shows under its name."""
    for place, path in enumerate(paths):
        name = numbered(path).strip("/") or "home"
        file = re.sub(r"[^\w.=-]+", "_", name)
        keep(out / f"{place:03}_{file}.txt", shown(client.get(path, headers=headers)))


def settle(client: Any, out: Path) -> None:
    """One review taken, decided and resolved through its forms, with what each of them shows."""
    from detection.models import Claim
    from reviews.models import HallucinationReview

    review = HallucinationReview.objects.filter(state="open").order_by("pk")[0]
    base, kept = f"/reviews/{review.pk}/", []

    def post(path: str, **sent: str) -> None:
        review.refresh_from_db()
        answered = client.post(f"{base}{path}", {"version": review.version, **sent}, follow=True)
        kept.append(f"── {path}\n{shown(answered)}")

    post("take/")
    for claim in Claim.objects.filter(run=review.run_id).order_by("index"):
        post(f"claims/{claim.pk}/verdict/", verdict="rejected", reason_code="wrong_value", comment="Not so.")
        post(f"claims/{claim.pk}/verdict/", verdict="supported")
    post("undo/")
    post("examine-rest/")
    post("resolve/", final_confidence="0.5")
    post("reopen/", reason="One more look.")
    keep(out / "settled.txt", "\n".join(kept))
    ask(out / "settled", client, (base, f"{base}history/", f"{base}state/"))


def screens(out: Path) -> None:
    """Every screen of the demo, for each role, and some in every language."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    from detection.models import Answer
    from reviews.models import HallucinationReview

    reviews = [
        f"/reviews/{pk}/"
        for pk in HallucinationReview.objects.order_by("pk").values_list("pk", flat=True)[:REVIEWS]
    ]
    listed = [f"/answers/{pk}/" for pk in Answer.objects.order_by("pk").values_list("pk", flat=True)[:LISTED]]
    for name, paths in PAGES.items():
        client = Client()
        client.force_login(User.objects.get(username=name))
        ask(out / "pages" / name, client, paths)
        if name != "noam":
            continue
        for language, _ in settings.LANGUAGES[1:]:
            client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
            ask(out / "pages" / language, client, (*SPOKEN, *reviews[:8], *listed[:4]))
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
        ask(out / "pages" / "reviews", client, [path + part for path in reviews for part in ("", "history/")])
        ask(
            out / "pages" / "answers",
            client,
            [path + part for path in listed for part in ("", "text/", "sources/0/")],
        )
        blocks = sorted(
            set(re.findall(r"/dashboard/[\w/-]+(?:\.csv|/)", client.get("/dashboard/").content.decode()))
        )
        ask(out / "pages" / "dashboard", client, blocks)
        settle(client, out / "pages")


def api(out: Path) -> None:
    """What the API gives to the demo's key: every list of the schema, and some answers and reviews whole."""
    from django.conf import settings
    from django.test import Client

    from detection.models import Answer
    from reviews.models import HallucinationReview

    key = json.loads((settings.HALLU_VAR / "demo.json").read_text())["API key"]
    schema = (out / "schema.yml").read_text(encoding="utf-8")
    paths = re.findall(r"^  (/api/v1/[^\s{]*):\n(?:    (?!get:).*\n)*?    get:", schema, re.MULTILINE)
    for name, table in (("answers", Answer), ("reviews", HallucinationReview)):
        keys = table._default_manager.order_by("pk").values_list("pk", flat=True)[:LISTED]
        paths += [f"/api/v1/{name}/{each}/" for each in keys]
    ask(out / "api", Client(), paths, authorization=f"Bearer {key}")
