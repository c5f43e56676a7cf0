"""Reading the page of the threshold workbench."""

import json
import re
from typing import Any

from django.test import Client
from django.urls import reverse


def page(client: Client, status: int = 200, **asked: Any) -> str:
    """The page for what is asked."""
    response = client.get(reverse("tuning"), asked)
    assert response.status_code == status
    return response.content.decode()


def block(html: str) -> dict[str, Any]:
    """The points that the slider moves over."""
    found = re.search(r'<script id="curve" type="application/json">(.*?)</script>', html, re.DOTALL)
    assert found
    points: dict[str, Any] = json.loads(found[1])
    return points


def slot(html: str, name: str) -> str:
    """The text that the page was sent with in a slot of the card."""
    found = re.search(rf'data-slot="{name}"[^>]*>(.*?)</', html)
    assert found
    return found[1].replace("&lt;", "<").replace("&amp;", "&")
