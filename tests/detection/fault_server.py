"""An OpenAI-compatible endpoint whose faults are data: what it does with which question, one after another.

A script maps a piece of a claim to what is done with the questions about that claim, in order, the last for
good; all others are answered honestly: a claim whose words stand in the context is true. Behaviours are
plain values, so that a test is a row of a table.
"""

import socket
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from math import log

from tests.detection.verifier_stub import Answer, Endpoint, Stub, completion, serving
from tests.waiting import GIVEN_UP_AFTER

SURE, UNSURE = 0.97, 0.05
PIECE = 65_536


@dataclass(frozen=True, slots=True)
class Does:
    """What the endpoint does with one request; ``body`` None is the honest answer.

    What ``hangs`` says nothing while the test lasts; ``wait`` seconds pass before anything is sent and ``drip``
    seconds between two bytes of the body; the connection breaks after ``cut`` bytes of it; ``times`` repeats the
    body.
    """

    body: str | bytes | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hangs: bool = False
    wait: float = 0.0
    drip: float = 0.0
    cut: int | None = None
    times: int = 1


Script = Mapping[str, Sequence[Does]]


@contextmanager
def faulty(script: Script) -> Iterator[Stub]:
    """A running endpoint that plays ``script``."""
    with serving(plays(script)) as stub:
        yield stub


def plays(script: Script) -> Answer:
    """An endpoint's answers by a script."""
    turns: Counter[str] = Counter()
    lock = threading.Lock()

    def answer(endpoint: Endpoint, body: dict) -> None:
        claim, context = question(body)
        key = next((piece for piece in script if piece in claim), None)
        if key is None:
            return perform(endpoint, Does(), claim, context)
        with lock:
            turn = min(turns[key], len(script[key]) - 1)
            turns[key] += 1
        return perform(endpoint, script[key][turn], claim, context)

    return answer


def question(body: Mapping) -> tuple[str, str]:
    """The claim of a question, between its last marks (SPEC-08.12), and what stands before it."""
    asked = str(body["messages"][-1]["content"])
    context, _, rest = asked.rpartition("===== CLAIM ")
    return rest.partition("\n")[2].rpartition("\n===== END ")[0], context


def perform(endpoint: Endpoint, does: Does, claim: str, context: str) -> None:
    """Do it."""
    assert isinstance(endpoint.server, Stub)
    if endpoint.server.over.wait(GIVEN_UP_AFTER if does.hangs else does.wait):
        return
    body = honest(claim, context) if does.body is None else does.body
    sent = body.encode() if isinstance(body, str) else body
    headers = {"Content-Type": "application/json", "Content-Length": str(len(sent) * does.times)}
    endpoint.send_response(does.status)
    for name, value in {**headers, **does.headers}.items():
        endpoint.send_header(name, value)
    endpoint.end_headers()
    try:
        for _ in range(does.times):
            _send(endpoint, sent, does)
    except OSError:
        return  # the client has gone, as it should


def _send(endpoint: Endpoint, sent: bytes, does: Does) -> None:
    if does.cut is not None:
        endpoint.wfile.write(sent[: does.cut])
        endpoint.wfile.flush()
        endpoint.connection.shutdown(socket.SHUT_RDWR)
        return
    size = 1 if does.drip else PIECE
    for start in range(0, len(sent), size):
        endpoint.wfile.write(sent[start : start + size])
        if does.drip:
            endpoint.wfile.flush()
            assert isinstance(endpoint.server, Stub)
            if endpoint.server.over.wait(does.drip):
                return


def honest(claim: str, context: str) -> str:
    """A chat completion that believes what the context says word for word, and little else."""
    yes = SURE if claim.strip(" .\n") in context else UNSURE
    rest = 1 - yes
    listed = {"YES": log(yes), "NO": log(rest * 0.2), "UNKNOWN": log(rest * 0.8)}
    return completion(dict(sorted(listed.items(), key=lambda each: -each[1])))


@contextmanager
def never_accepting() -> Iterator[str]:
    """The base URL of a port at which connecting hangs: its queue of connections is full and stays so."""
    with ExitStack() as opened:
        listening = opened.enter_context(socket.socket())
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        for _ in range(4):
            filling = opened.enter_context(socket.socket())
            filling.setblocking(False)
            filling.connect_ex(listening.getsockname())
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
