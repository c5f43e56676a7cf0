"""A verifier that now and then says nothing, breaks, asks for patience or leaves out its probabilities."""

import json
import random
import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from tests.detection.fault_server import Does, perform, question
from tests.detection.verifier_stub import Endpoint, Stub, serving

CHOICE = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "YES"}, "logprobs": None}  # fmt: skip
BARE = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [CHOICE]}
FAULTS = {
    "hung": Does(hangs=True),
    "failed": Does("{}", 500),
    "asked for patience": Does('{"error": {"message": "slow down"}}', 429, {"Retry-After": "1"}),
    "left out its probabilities": Does(json.dumps(BARE)),
    "broke off": Does(cut=30),
}


class Verifier(NamedTuple):
    """Where it listens, and how often it did what."""

    url: str
    did: Counter[str]


@contextmanager
def verifier(share: float, seed: int) -> Iterator[Verifier]:
    """An endpoint that believes what the context says word for word, and fails in this share of requests."""
    chance, lock, did = random.Random(seed), threading.Lock(), Counter[str]()

    def answer(endpoint: Endpoint, body: dict) -> None:
        with lock:
            fault = chance.choice(list(FAULTS)) if chance.random() < share else "answered"
            did[fault] += 1
        perform(endpoint, FAULTS.get(fault, Does()), *question(body))

    with serving(answer) as stub:
        _forget(stub)
        yield Verifier(stub.url, did)


def _forget(stub: Stub) -> None:
    """Keep no body: a long run asks a million times."""
    stub.asked = deque(maxlen=1)  # type: ignore[assignment]  # a list for tests, which look at all
