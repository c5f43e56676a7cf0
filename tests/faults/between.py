"""A network between a process and a server, which can refuse, freeze or be slow."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

FAULTS = ("dead", "frozen", "slow")
SLOW_SECONDS = 0.2


class Between:
    """Forwards connections on ``port`` to a server. ``dead`` refuses and cuts them, ``frozen`` takes them and says nothing,
    ``slow`` needs :data:`SLOW_SECONDS` for each piece."""

    def __init__(self, server: tuple[str, int] | str) -> None:
        """``server``: host and port, or the path of a socket."""
        self._server = server
        self._flows = threading.Event()
        self._slow = False
        self._ends: set[socket.socket] = set()
        self.port = 0
        self._listen()
        self._flows.set()

    def be(self, fault: str) -> None:
        """``dead``, ``frozen``, ``slow``, or anything else for well."""
        self._slow = fault == "slow"
        (self._flows.clear if fault == "frozen" else self._flows.set)()
        if fault == "dead":
            self.close()
        elif self._listener.fileno() < 0:
            self._listen()

    def close(self) -> None:
        """Take no connection more and cut those that there are."""
        for end in (self._listener, *self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def _listen(self) -> None:
        self._listener = socket.socket()
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.bind(("127.0.0.1", self.port))
        self._listener.listen(50)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=[self._listener], daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = self._connect()
                self._ends |= {near, far}
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._pump, args=ends, daemon=True).start()

    def _connect(self) -> socket.socket:
        if isinstance(self._server, tuple):
            return socket.create_connection(self._server)
        far = socket.socket(socket.AF_UNIX)
        far.connect(self._server)
        return far

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(65536):
                self._flows.wait()
                if self._slow:
                    time.sleep(SLOW_SECONDS)
                sink.sendall(piece)
        for end in (source, sink):
            self._ends.discard(end)
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@contextmanager
def between(url: str) -> Iterator[tuple[Between, str]]:
    """A network before the server at ``url``, and the address on this side of it."""
    parts = urlsplit(url)
    network = Between((parts.hostname or "", parts.port or 0))
    try:
        yield network, parts._replace(netloc=f"127.0.0.1:{network.port}").geturl()
    finally:
        network.be("well")
        network.close()
