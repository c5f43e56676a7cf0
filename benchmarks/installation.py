"""A whole installation for a benchmark: its processes as ``manage.py process`` starts them, and what they use.

The benchmark's own process shares the installation's settings, so that it can read the rows and make keys.
"""

import os
import re
import secrets
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from hallu_site.supervisor import Child
from tests import servers
from tests.product import free_port

ROOT = Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
Owned = servers.Server | servers.Cluster


class Stores(NamedTuple):
    """A database, a broker and a cache by their addresses, and those servers among them that are the benchmark's own."""

    database: str
    broker: str
    cache: str
    own: Mapping[str, Owned]


@contextmanager
def stores(database: str, broker: str, folder: Path) -> Iterator[Stores]:
    """``sqlite``, ``postgresql`` and ``embedded``, ``redis``, ``rabbitmq`` are made in ``folder``; anything else is the
    address of what is there, and then ``CACHE_URL`` counts too."""
    own: dict[str, Owned] = {}
    cache = os.environ.get("CACHE_URL", "dbcache://cache_entries")
    with ExitStack() as stack:
        if database == "postgresql":
            own["database"] = stack.enter_context(servers.cluster(_made(folder / "cluster")))
        if broker == "redis":
            server = own["broker"] = stack.enter_context(servers.redis_server(_made(folder / "redis")))
            cache = f"{server.url.replace('redis:', 'rediscache:')}/1"
        if broker == "rabbitmq":
            own["broker"] = stack.enter_context(servers.rabbitmq_server(_made(folder / "rabbitmq")))
        addresses = {"sqlite": f"sqlite:///{folder}/hallu.sqlite3", "embedded": "djangodb://localhost"}
        addresses |= {
            {"database": database, "broker": broker}[kind]: server.url for kind, server in own.items()
        }
        yield Stores(addresses.get(database, database), addresses.get(broker, broker), cache, own)


def _made(folder: Path) -> Path:
    folder.mkdir()
    folder.chmod(0o755)  # started by root, PostgreSQL runs as a user of its own and must reach its data
    return folder


def set_up(there: Stores, folder: Path, **more: str) -> None:
    """Prepare an installation in ``folder`` and load Django on it; ``more`` are further variables."""
    os.environ |= {
        "HALLU_VAR": str(folder),
        "HALLU_PORT": str(free_port()),
        "DATABASE_URL": there.database,
        "CELERY_BROKER_URL": there.broker,
        "CACHE_URL": there.cache,
        "DJANGO_SETTINGS_MODULE": "hallu_site.settings",
        "DJANGO_SECRET_KEY": secrets.token_urlsafe(50),
        "HALLU_TEST": "false",  # a test that runs a benchmark has it start as production does
        "HALLU_HTTPS": "insecure",
        "HALLU_LOG_LEVEL": "WARNING",
        "HALLU_REQUESTS_PER_MINUTE": "10000000",
        "PYTHONWARNINGS": "ignore",  # Celery's remark on running as root
        **more,
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("createcachetable", verbosity=0)


class Installation:
    """Processes by name, each started again when it dies, as by the supervisor of ``./run``."""

    def __init__(self, commands: Mapping[str, Sequence[str]], log: Path) -> None:
        """``commands``: what follows ``manage.py process``."""
        self._log = log.open("a")
        self.children = {
            name: Child(name, [sys.executable, "manage.py", "process", *command], self._say)
            for name, command in commands.items()
        }
        self._groups: set[int] = set()

    def _say(self, name: str, line: str) -> None:
        if not self._log.closed:
            self._log.write(f"{time.strftime('%H:%M:%S')} {name:<8} | {line}\n")
            self._log.flush()

    def look(self) -> None:
        """Start what is not running; to be called again and again, by the thread that made this one's children."""
        for child in self.children.values():
            child.look()
            if child.process:
                self._groups.add(child.process.pid)

    def pid(self, name: str) -> int | None:
        """The main process of that name, which leads a group of its own; None while it does not run."""
        child = self.children[name]
        return child.process.pid if child.process and child.alive() else None

    def end(self) -> None:
        """End everything, what lost its parent too."""
        for group in self._groups:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        for child in self.children.values():
            if child.process:
                child.process.wait()
        self._log.close()


@contextmanager
def running(commands: Mapping[str, Sequence[str]], log: Path) -> Iterator[Installation]:
    """A running installation, ended with the block."""
    installation = Installation(commands, log)
    try:
        installation.look()
        yield installation
    finally:
        installation.end()


def below(parent: int) -> Iterator[int]:
    """The processes below a process."""
    with suppress(OSError):
        for task in Path(f"/proc/{parent}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield int(child)
                yield from below(int(child))


def cpu_seconds(parent: int) -> float:
    """CPU time of a process and of all below it, those that have ended too."""
    spent = 0.0
    for pid in (parent, *below(parent)):
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            spent += sum(int(field) for field in fields[11:15]) / TICKS
    return spent


def megabytes(parent: int) -> float:
    """Proportional set size of a process and of all below it."""
    size = 0
    for pid in (parent, *below(parent)):
        with suppress(OSError):
            found = re.search(
                r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE
            )
            size += int(found[1]) if found else 0
    return size / 1024
