"""The memory gate in tests: switched on, with the verifier that a test wants."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from math import log
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.test import override_settings

from detection.facts import gate as facts
from detection.operations import verifying
from tests.detection.verifier_stub import Answer, Endpoint, completion

HURRIED = facts.FOR_STORING + 0.5
"""Half a second for the verifier."""
FACT = "Net operating income was $1,234,567.89 in Q3 2024."
WRONG = "Net operating income was $1,324,567.89 in Q3 2024."
GUESSED = "The tenants of the building are very happy."
EVIDENCE = "Net operating income for Q3 2024 was $1,234,567.89."


@contextmanager
def gate_on(url: str = "", model: str = "stub", *, seconds: float = 120.0, **gate: Any) -> Iterator[None]:
    """The gate with the ``local`` verifier, or with the endpoint at ``url``, opened; ``gate`` are its settings.

    It has ``seconds`` of time, many, so that an answer is not late because the machine is busy.
    """
    tree = settings.HALLUCINATION
    hallucination = tree | {"enabled": True, "memory_gate": tree["memory_gate"] | {"enabled": True} | gate}
    verifier = settings.VERIFIER | {"backend": "local"}
    if url:
        verifier |= {"backend": "external", "base_url": url, "model": model, "timeout": 60.0}
    verifying.forget()
    with (
        override_settings(HALLUCINATION=hallucination, VERIFIER=verifier),
        patch.multiple(facts, SECONDS=seconds, ROUND_SECONDS=seconds),
    ):
        try:
            verifying.verifier_for("memory_gate")
            yield
        finally:
            verifying.forget()


def believes(p1: float, p0: float, p_no: float = 0.01) -> Answer:
    """An endpoint that gives a claim ``p1`` with its evidence and ``p0`` where the evidence was removed."""

    def answer(endpoint: Endpoint, body: dict[str, Any]) -> None:
        yes = p0 if "[EVIDENCE REMOVED]" in json.dumps(body) else p1
        rest = max(1 - yes - p_no, 1e-9)
        endpoint.reply(200, completion({"YES": log(yes), "NO": log(p_no), "UNKNOWN": log(rest)}))

    return answer


class Held:
    """An endpoint that answers nothing until it is let go; dripping, it sends a byte now and then instead."""

    def __init__(self, *, drips: bool = False) -> None:
        self.free = threading.Event()
        self.drips = drips

    def __call__(self, endpoint: Endpoint, body: dict[str, Any]) -> None:
        if not self.drips:
            self.free.wait(60)
            return
        endpoint.send_response(200)
        endpoint.send_header("Content-Length", "100000")
        endpoint.end_headers()
        while not self.free.wait(0.05):
            try:
                endpoint.wfile.write(b" ")
                endpoint.wfile.flush()
            except OSError:
                return
