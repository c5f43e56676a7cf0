"""Requests made from the OpenAPI document, right and wrong ones: no 5xx, and nothing that the document does not say.

The requests are the same in every run. ``HALLU_EXAMPLES=300 ./test tests/test_api_fuzzed.py`` makes more of them, others each time.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from detection.models.access import SCOPES
from hallu_site import reference
from reviews.models import HallucinationReview
from tests.api_calls import WRONG, Caller, submitted
from tests.filled_routes import routes_filled

EXAMPLES = int(os.environ.get("HALLU_EXAMPLES", "6"))
"""Requests for each operation, and as many again whose data are wrong on purpose."""
NOT_SAID = [positive_data_acceptance]
"""What is beyond a document: which rows there are, and what stands twice."""
SIGNALS = (request_started, request_finished)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.requirement("APP-04"),
    pytest.mark.budget(max(60, 10 * EXAMPLES)),
]


def _open(document: Any) -> Any:
    """The document without its keys: one that may do everything is sent with each request (tests/test_access.py)."""
    for operations in document["paths"].values():
        for operation in operations.values():
            operation.pop("security", None)
    return document


def _no_filter(case: Any) -> list[Any]:
    """A filter without a value counts as none, whatever the document says its values are."""
    empty = any(value in ("", [""], [], {}) for value in (case.query or {}).values())
    return [negative_data_rejection] if empty else []


@pytest.fixture
def api(reviewer: Any, mode: schemathesis.GenerationMode) -> Iterator[tuple[Any, dict[str, str]]]:
    """The document over the application, and the headers of a key that may do everything, among some rows."""
    urls = routes_filled()
    caller = Caller(*SCOPES, user=reviewer)
    submitted(caller, WRONG, property=None, period=None)
    answer = submitted(caller, WRONG)
    schema: Any = schemathesis.openapi.from_dict(_open(json.loads(reference.SCHEMA.read_text())))
    schema.app = WSGIHandler()
    known = {
        "/api/v1/answers/{id}/": f"/api/v1/answers/{answer}/",
        "/api/v1/reviews/{id}/": f"/api/v1/reviews/{HallucinationReview.objects.latest('pk').pk}/",
        "/api/v1/traces/{id}/": urls("api/v1/traces/ID/"),
        "/api/v1/facts/{id}/": urls("api/v1/facts/ID/"),
    }

    def there(context: Any, parameters: Any) -> Any:
        """Half of the time the id of a row that is there."""
        start = context.operation.path.partition("{id}/")[0] + "{id}/"
        if parameters and "id" in parameters and start in known and hash(str(parameters["id"])) % 2:
            parameters["id"] = known[start].rstrip("/").rpartition("/")[2]
        return parameters

    if mode is schemathesis.GenerationMode.POSITIVE:
        schema.hook("map_path_parameters")(there)
    for signal in SIGNALS:  # a request would end the connection on which the test's transaction is
        signal.disconnect(close_old_connections)
    yield schema, {"Authorization": f"Bearer {caller.key}"}
    for signal in SIGNALS:
        signal.connect(close_old_connections)


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode))
def test_every_operation_keeps_to_the_document(api: Any, mode: schemathesis.GenerationMode) -> None:
    schema, headers = api
    faults: dict[str, str] = {}
    for found in schema.get_all_operations():
        operation = found.ok()

        @settings(
            max_examples=EXAMPLES,
            derandomize="HALLU_EXAMPLES" not in os.environ,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def keeps(case: Any) -> None:
            response = case.call(headers=headers)
            case.validate_response(response, excluded_checks=[*NOT_SAID, *_no_filter(case)])

        try:
            keeps()
        except* Unsatisfiable:  # nothing of it can be wrong
            assert operation.label == "GET /api/v1/dashboard/"
        except* Exception as group:  # noqa: BLE001 - each operation that fails is named
            faults[operation.label] = "\n".join(map(str, group.exceptions))
    assert not faults, "\n\n".join(f"{label}\n{said[:3000]}" for label, said in faults.items())
