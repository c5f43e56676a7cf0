"""A real model behind a real server, started once; without its packages the tests are skipped, or fail when
it is required."""

import os
from collections.abc import Iterator

import pytest

from tests.llm.endpoint import Endpoints, missing, running


@pytest.fixture(scope="session")
def endpoints() -> Iterator[Endpoints]:
    """The two endpoints of :mod:`tests.llm.endpoint`."""
    if names := missing():
        reason = f"No real model: {' and '.join(names)} not installed (requirements-dev.txt has them)."
        if os.environ.get("REQUIRE_LLM") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with running() as started:
        yield started
