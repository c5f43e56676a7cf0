"""Every sentence of the pages of versions is looked up in the reader's language (F39)."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape
from django.utils.translation import gettext

from detection.core.thresholds import form_fields
from detection.models import DetectionRun, ShadowFlag, ThresholdProfile
from detection.profiles.gates import Gate
from reviews.models import Preferences
from tests.reviews import pseudo

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]


def test_the_pages_of_versions(
    make_user: Callable[..., User], make_run: Callable[..., DetectionRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, boaz = make_user("ada", "admin"), make_user("boaz", "admin")
    first = ThresholdProfile.draft({"base": {"overlap": 0.4}}, actor=ada)
    first.activate(actor=ada, gate=Gate(open=True, why="x", text="1", low=0.1, high=0.2))
    shadow = ThresholdProfile.draft(
        {"overrides": [{"when": {"language": "he"}, "values": {"overlap": 0.1}}]}, actor=ada
    )
    shadow.shadow(actor=ada)
    for flagged in (True, False):
        ShadowFlag.objects.create(
            run=make_run(flagged={}),
            profile=shadow,
            needs_review=flagged,
            delivered_needs_review=not flagged,
            risk_level="low",
        )
    shadow.ask(actor=boaz, reason="1", gate=Gate(open=False, why="x", text="1"))
    client = Client()
    client.force_login(ada)
    pseudo.speak(monkeypatch)
    paths = [reverse("versions"), reverse("versions-compare"), reverse("version-new")]
    paths += [reverse("version", args=[n]) for n in (1, 2, 3)]
    found = {}
    for path in paths:
        response = client.get(path)
        assert response.status_code == 200
        found[path] = pseudo.unmarked(response.content.decode(), "ada", "boaz")
    sent = client.post(reverse("version-new"), {"overlap": "7", "from": "1"})
    found["refused"] = pseudo.unmarked(sent.content.decode(), "ada", "Ensure this value")
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_what_each_threshold_does_is_told_in_the_readers_language(make_user: Callable[..., User]) -> None:
    ada = make_user("ada", "admin")
    Preferences.keep(ada, language="he")
    client = Client()
    client.force_login(ada)
    html = client.get(reverse("version-new")).content.decode()
    with translation.override("he"):
        helps = [gettext(declared.metadata["help"]) for declared in form_fields()]
    assert [text for text in helps if escape(text) not in html] == []
    assert not any(re.search("[A-Za-z]{6}", text) for text in helps)
    assert ">ברירת מחדל (כן)<" in html
