"""The reference of the API: its OpenAPI document, which is a file, and the page that shows it.

``manage.py schema`` makes the file from the views; the gate fails where it is stale. What is served is the file.
"""

import hashlib
import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from csp.middleware import CSPMiddleware
from django.http import HttpResponse, HttpResponseBase
from django.utils.decorators import decorator_from_middleware, method_decorator
from django.views.decorators.clickjacking import xframe_options_deny
from django.views.decorators.http import condition
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.views import APIView

from detection.api.queries import KnownQuery

SCHEMA = Path(__file__).with_name("openapi.json")


LIMITS_OF_DATABASES = frozenset({2**15 - 1, 2**31 - 1, 2**63 - 1, -(2**15), -(2**31), -(2**63)})
"""Of whole numbers: which of them a field has differs by the database that the document is made beside."""


def generated() -> str:
    """The document that the views give, as text of the file; the same beside every database."""
    generator: Any = SchemaGenerator()  # type: ignore[no-untyped-call]  # it has no types
    document = generator.get_schema(request=None, public=True)
    return json.dumps(_unlimited(document), ensure_ascii=False, indent=1) + "\n"


def _unlimited(node: Any) -> Any:
    """A part of the document without the limits of databases."""
    if isinstance(node, list):
        return [_unlimited(each) for each in node]
    if not isinstance(node, dict):
        return node
    whole = node.get("type") == "integer"
    return {
        name: _unlimited(value)
        for name, value in node.items()
        if not (
            whole and (name == "format" or (name in ("maximum", "minimum") and value in LIMITS_OF_DATABASES))
        )
    }


@cache
def _schema() -> bytes:
    return SCHEMA.read_bytes()


@cache
def _etag(*_: Any, **__: Any) -> str:
    return f'"{hashlib.sha256(_schema()).hexdigest()[:32]}"'


@cache
def _changed(*_: Any, **__: Any) -> datetime:
    return datetime.fromtimestamp(SCHEMA.stat().st_mtime, UTC)


class SchemaView(KnownQuery, APIView):
    """The OpenAPI document, for whoever asks."""

    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """There is JSON alone, whatever kind of document a generator asks for."""
        return super().perform_content_negotiation(request, force=True)

    @extend_schema(exclude=True)
    @method_decorator(condition(lambda _: _etag(), lambda _: _changed()))
    def get(self, request: Request) -> HttpResponseBase:
        """The file, or 304 for who has it."""
        return HttpResponse(_schema(), content_type="application/json", headers={"Cache-Control": "no-cache"})


docs = decorator_from_middleware(CSPMiddleware)(
    xframe_options_deny(SpectacularSwaggerSplitView.as_view(url_name="api-schema"))
)
"""The page over the document. It stands below ``/api/``, where no page's middleware runs: it brings its own policy."""
