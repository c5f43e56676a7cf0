"""Gunicorn's threaded worker, which answers ``/healthz`` in its own loop: it lives although all its threads are held.

A new connection is waited for in the loop too, so that one that says nothing holds no thread; one that begins to say
something and stops is read no longer than :data:`HEADER_SECONDS` and :data:`BODY_SECONDS`. A proxy in front that reads requests
whole (``deploy/nginx.conf``) keeps such from threads at all.
"""

import selectors
import time
from contextlib import suppress
from functools import partial
from socket import MSG_PEEK, SHUT_RD
from typing import Any

from gunicorn.workers.gthread import DEFAULT_WORKER_DATA_TIMEOUT, ThreadWorker

ASKED = (b"GET /healthz ", b"HEAD /healthz ")
LONGEST = max(map(len, ASKED))
HEADER_SECONDS, BODY_SECONDS = 10.0, 60.0
"""Within which the lines of a request, and from then on its body, have to be there."""
# What the middleware adds to other answers; browsers heed the first of them over https alone.
ANSWER = (
    b"HTTP/1.1 200 OK\r\n"
    b"Strict-Transport-Security: max-age=31536000; includeSubDomains; preload\r\n"
    b"Content-Security-Policy: default-src 'none'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'\r\n"
    b"X-Content-Type-Options: nosniff\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: 3\r\nConnection: close\r\n\r\n"
)


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """``--worker-class hallu_site.liveness.Worker``; what is inherited is bound to the version of the lock file."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.read_until: dict[Any, tuple[float, Any]] = {}
        """Until when each connection is read, and the request whose body is read, once its lines are there."""

    def handle(self, conn: Any) -> Any:
        """Read and answer a request, in a thread."""
        self.read_until[conn] = time.monotonic() + HEADER_SECONDS, None
        try:
            return super().handle(conn)
        finally:
            del self.read_until[conn]

    def handle_request(self, req: Any, conn: Any) -> Any:
        """Answer a request whose lines are there."""
        self.read_until[conn] = time.monotonic() + BODY_SECONDS, req
        return super().handle_request(req, conn)

    def murder_pending(self) -> None:
        """In the loop: close what says nothing, and read no further from what takes too long to say it."""
        super().murder_pending()
        now = time.monotonic()
        for conn, (until, req) in [*self.read_until.items()]:
            if until < now and not _is_read(req):
                with suppress(OSError):  # it has ended meanwhile
                    conn.sock.shutdown(SHUT_RD)

    def enqueue_req(self, conn: Any) -> None:
        """Hand a connection that has something to say to a thread, unless it asks whether this process lives."""
        if not (conn.initialized or conn.data_ready):
            self._await_data(conn)
        elif not conn.initialized and (asked := _asks_for_life(conn.sock)):
            self._answer(conn, asked)
        else:
            super().enqueue_req(conn)

    def _await_data(self, conn: Any) -> None:
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + DEFAULT_WORKER_DATA_TIMEOUT
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def _answer(self, conn: Any, asked: bytes) -> None:
        with suppress(OSError):
            conn.sock.recv(65536)  # what is left unread would reset the connection before the answer is there
            conn.sock.send(ANSWER + (b"ok\n" if asked.startswith(b"GET") else b""))
        self.nr_conns -= 1
        conn.close()


def _is_read(req: Any) -> bool:
    """Whether all of a request is there. Its caller may wait for long, and would look as if they had hung up."""
    return req is not None and getattr(req.body.reader, "length", None) == 0


def _asks_for_life(sock: Any) -> bytes:
    """The beginning of a request for ``/healthz``; empty for any other."""
    with suppress(OSError):
        begun = bytes(sock.recv(LONGEST, MSG_PEEK))
        if begun.startswith(ASKED):
            return begun
    return b""
