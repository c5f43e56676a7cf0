"""A real HTTP server that plays an OpenAI-compatible endpoint, well or badly."""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from detection.core.ports import Estimate
from detection.verifiers.unavailable import UnavailableVerifier
from tests.waiting import GIVEN_UP_AFTER

Answer = Callable[["Endpoint", dict], None]


class Endpoint(BaseHTTPRequestHandler):
    """Hands each request to the server's ``answer`` and remembers its body."""

    wbufsize = -1

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert isinstance(self.server, Stub)
        self.server.asked.append(body)
        self.server.traced.append(self.headers.get("traceparent", ""))
        self.server.answer(self, body)

    def reply(self, status: int, body: str, **headers: str) -> None:
        """Send a whole response."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args: object) -> None:
        """Keep the test output clean."""


class Stub(ThreadingHTTPServer):
    """The server; ``url`` is its base URL, ``asked`` the bodies it got, ``traced`` the traces they belong to, ``answered`` those it passed on, and
    ``over`` is set when its test has no more questions."""

    daemon_threads = True
    request_queue_size = 64  # claims come all at once

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Endpoint)
        self.answer = answer
        self.asked: list[dict] = []
        self.traced: list[str] = []
        self.answered: list[dict] = []
        self.over = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}/v1"


@contextmanager
def serving(answer: Answer) -> Iterator[Stub]:
    """A running stub."""
    stub = Stub(answer)
    thread = threading.Thread(target=stub.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        stub.over.set()
        stub.shutdown()
        stub.server_close()


def completion(*positions: dict[str, float], **choice: object) -> str:
    """A chat completion whose tokens have these alternatives, the first of each the emitted one."""
    content = [
        {
            "token": next(iter(listed)),
            "logprob": next(iter(listed.values())),
            "top_logprobs": [{"token": token, "logprob": value} for token, value in listed.items()],
        }
        for listed in positions
    ]
    message = {"role": "assistant", "content": "".join(str(token["token"]) for token in content)}
    whole = {
        "index": 0,
        "finish_reason": "stop",
        "message": message,
        "logprobs": {"content": content},
    } | choice
    return json.dumps(
        {
            "id": "c", "object": "chat.completion", "created": 0, "model": "stub", "choices": [whole],
            "usage": {"prompt_tokens": 200, "completion_tokens": 1, "total_tokens": 201},
        }
    )  # fmt: skip


def sends(body: str, status: int = 200, **headers: str) -> Answer:
    """An endpoint that always sends the same."""
    return lambda endpoint, _: endpoint.reply(status, body, **headers)


def hangs(endpoint: Endpoint, body: dict) -> None:
    """An endpoint that takes the question and says nothing while the test lasts."""
    assert isinstance(endpoint.server, Stub)
    endpoint.server.over.wait(GIVEN_UP_AFTER)


def trickles(endpoint: Endpoint, body: dict, status: int = 200) -> None:
    """An endpoint that sends one byte now and then, while the test lasts or until nobody listens."""
    assert isinstance(endpoint.server, Stub)
    endpoint.send_response(status)
    endpoint.send_header("Content-Length", "1000000")
    endpoint.end_headers()
    while not endpoint.server.over.wait(0.05):
        try:
            endpoint.wfile.write(b" ")
            endpoint.wfile.flush()
        except OSError:
            return


def forwards(url: str) -> Answer:
    """An endpoint that asks another one and passes on what it says, kept in the stub's ``answered``."""

    def answer(endpoint: Endpoint, body: dict) -> None:
        request = urllib.request.Request(
            f"{url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                said = response.read().decode()
        except urllib.error.HTTPError as refused:
            return endpoint.reply(refused.code, refused.read().decode())
        assert isinstance(endpoint.server, Stub)
        endpoint.server.answered.append(json.loads(said))
        return endpoint.reply(200, said)

    return answer


class Silent(UnavailableVerifier):
    """A verifier that answers once it is let go, and then that it is away."""

    def __init__(self, let_go: threading.Event) -> None:
        super().__init__("away")
        self._let_go = let_go

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """Wait, then fail."""
        self._let_go.wait(GIVEN_UP_AFTER)
        return super().batch_estimate(claims, context)


@contextmanager
def hanging() -> Iterator[Silent]:
    """A verifier in this process that answers nothing until the block ends."""
    let_go = threading.Event()
    try:
        yield Silent(let_go)
    finally:
        let_go.set()
