"""A real receiver of spans: an HTTP server that takes OTLP and keeps what it was sent."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SENT = f"00-{TRACE}-{CALLER}-01"
"""The ``traceparent`` of a caller."""


class Received:
    """One span, its ids as hexadecimal digits."""

    def __init__(self, span: Any, process: str) -> None:
        self.name, self.process, self.kind = span.name, process, span.kind
        self.trace, self.id, self.parent = span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex()
        self.noted = {each.key: _value(each.value) for each in span.attributes}
        self.links = [link.trace_id.hex() for link in span.links]
        self.events = list(span.events)
        self.failed = span.status.code == 2
        self.message = span.status.message


def _value(value: Any) -> Any:
    return getattr(value, value.WhichOneof("value"))


class Receiver(ThreadingHTTPServer):
    """Listens at ``url``; ``spans`` is what came, ``raw`` the bytes of it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Taking)
        self.url = f"http://127.0.0.1:{self.server_port}/v1/traces"
        self.spans: list[Received] = []
        self.raw = b""

    def take(self, body: bytes) -> None:
        """Keep the spans of one request."""
        self.raw += body
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            about = {each.key: _value(each.value) for each in resource.resource.attributes}
            assert about["service.name"] == "hallu"
            for scope in resource.scope_spans:
                self.spans += [Received(span, about["hallu.process"]) for span in scope.spans]

    def named(self, name: str) -> Received:
        """The one span of that name."""
        (found,) = [span for span in self.spans if span.name == name]
        return found

    def names(self) -> set[str]:
        """The names of all that came."""
        return {span.name for span in self.spans}


class _Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert isinstance(self.server, Receiver)
        self.server.take(body)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A running receiver."""
    receiver = Receiver()
    threading.Thread(target=receiver.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield receiver
    finally:
        receiver.shutdown()
        receiver.server_close()
