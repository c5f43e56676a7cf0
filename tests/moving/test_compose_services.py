"""Every service of the compose file that is ours, run here: its own command, environment and health check, on PostgreSQL and
on two Redis servers with the users that the file gives them. Names of hosts, ports and folders alone are this machine's."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest
from django.db import connection

from hallu_site.management.commands.process import LANES, PROCESSES
from tests import servers
from tests.faults.processes import database_url, wait_until
from tests.moving.shipped import ROOT, SERVICES, image_variables, interpolated, last
from tests.product import free_port

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("MOV-2"),
]

SECRET = "a-long-one"
ROLE = f"hallu_runtime_{uuid4().hex[:8]}"
HOST = "hallu.example.com"


@dataclass(slots=True)
class Composed:
    """The services on this machine: ``var``: the folder of their own; ``port``: where the site listens."""

    var: Path
    port: int
    replaced: dict[str, str]

    def here(self, value: Any) -> Any:
        """A value of the compose file with this machine's addresses."""
        if isinstance(value, list):
            return [self.here(part) for part in value]
        for there, ours in self.replaced.items():
            value = value.replace(there, ours)
        return value

    def variables(self, name: str) -> dict[str, str]:
        """What the service's process gets: of the image, of the compose file, and of the system."""
        given = dict.fromkeys(re.findall(r"\$\{([A-Z_]+):\?", str(SERVICES)), SECRET)
        given |= {"DJANGO_SECRET_KEY": "kept-for-tests-" * 4, "DJANGO_ALLOWED_HOSTS": HOST}
        stated = interpolated(SERVICES[name]["environment"], given)
        image = image_variables() | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
        kept = {
            name: os.environ[name] for name in ("PYTHONPYCACHEPREFIX", "HOME", "LANG") if name in os.environ
        }
        own = {
            "HALLU_VAR": str(self.var),
            "HALLU_PORT": str(self.port),
            "PYTHONDONTWRITEBYTECODE": "",
        }
        return kept | image | {key: self.here(value) for key, value in stated.items()} | own

    def command(self, name: str) -> list[str]:
        """The service's command, or that of the image."""
        return list(SERVICES[name].get("command") or last("CMD").list())

    def run(self, name: str, command: list[str]) -> subprocess.CompletedProcess[str]:
        """A command in the service, to its end."""
        return subprocess.run(command, cwd=ROOT, env=self.variables(name), capture_output=True, text=True)

    def healthy(self, name: str) -> bool:
        """Whether the service's health check says so."""
        kind, *test = self.here(interpolated(SERVICES[name]["healthcheck"]["test"], {}))
        return self.run(name, ["sh", "-c", *test] if kind == "CMD-SHELL" else test).returncode == 0

    def ask(self, path: str, key: str, body: dict[str, Any] | None = None) -> Any:
        """What the API answers, as the proxy in front would ask it."""
        headers = {
            "Host": HOST,
            "X-Forwarded-Proto": "https",
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
        }
        data = json.dumps(body).encode() if body else None
        with urlopen(Request(f"http://127.0.0.1:{self.port}{path}", data, headers)) as response:
            return json.load(response)


def users(service: str) -> list[str]:
    """The arguments of a Redis service that make its users."""
    command = interpolated(SERVICES[service]["command"], {f"REDIS_{service.upper()}_PASSWORD": SECRET})
    return list(command[command.index("--user") :])


@pytest.fixture
def composed(tmp_path: Path) -> Iterator[Composed]:
    """A copy of the database of this test run, and two Redis servers."""
    name = f"composed_{uuid4().hex[:8]}"
    mine = connection.settings_dict["NAME"]
    owner = database_url().replace(f"/{mine}", f"/{name}")
    at = re.sub(r"//[^/]*@", "//", owner)
    served = at.replace("//", f"//{ROLE}:{SECRET}@", 1)
    with ExitStack() as stack:
        connection.close()
        with connection._nodb_cursor() as cursor:
            # The threads of this process may still hold connections, of which a template must have none.
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [mine]
            )
            cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{mine}"')
        stack.callback(forget, name)
        replaced = {
            f"postgresql://hallu_runtime:{SECRET}@postgresql:5432/hallu": served,
            f"postgresql://hallu:{SECRET}@postgresql:5432/hallu": owner,
        }
        for service in ("broker", "cache"):
            folder = tmp_path / service
            folder.mkdir()
            url = stack.enter_context(servers.redis(folder, *users(service)))
            replaced[f"@{service}:6379"] = f"@{url.removeprefix('redis://')}"
        port = free_port()
        replaced |= {"127.0.0.1:8000": f"127.0.0.1:{port}", "//web:8000": f"//127.0.0.1:{port}"}
        yield Composed(tmp_path / "var", port, replaced)


def forget(database: str) -> None:
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{database}" WITH (FORCE)')
        cursor.execute(f'DROP ROLE IF EXISTS "{ROLE}"')


def test_every_service_starts_is_healthy_works_together_and_ends_when_told(
    composed: Composed, tmp_path: Path
) -> None:
    assert all(SERVICES[name]["healthcheck"] == SERVICES["fast"]["healthcheck"] for name in LANES)
    migration = composed.run("migrate", composed.command("migrate"))
    assert migration.returncode == 0, migration.stderr
    assert f"{ROLE} reads and writes rows, and owns nothing." in migration.stdout
    started = {}
    logs = {name: tmp_path / f"{name}.log" for name in PROCESSES}
    for name in PROCESSES:
        with logs[name].open("w") as log:
            started[name] = subprocess.Popen(
                composed.command(name),
                cwd=ROOT,
                env=composed.variables(name),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
    try:
        made = composed.run(
            "web",
            [
                "python",
                "manage.py",
                "create_api_key",
                "backend",
                "--scopes",
                "submit,read",
                "--all-properties",
            ],
        )
        (key,) = re.findall(r"hallu_[\w-]+", made.stdout)
        wait_until(lambda: composed.healthy("web"), *logs.values())
        sources = [{"id": "S0", "text": "Occupancy was 95.2%."}]
        sent = composed.ask(
            "/api/v1/answers/", key, {"answer": "Occupancy was 95.2% [S0].", "sources": sources}
        )
        wait_until(
            lambda: composed.ask(f"/api/v1/answers/{sent['id']}/", key)["status"] == "completed",
            *logs.values(),
        )
        for name in ("fast", "sweep"):
            wait_until(lambda asked=name: composed.healthy(asked), logs[name])  # type: ignore[misc]  # no default of a type
        with pytest.raises(HTTPError, match="401"):
            composed.ask("/api/v1/answers/", "hallu_wrong")
        for process in started.values():
            process.send_signal(signal.SIGTERM)
        ended = {name: process.wait() for name, process in started.items()}
        assert ended == dict.fromkeys(PROCESSES, 0) | {"sweep": -signal.SIGTERM}
        assert "served_by_owner" not in logs["web"].read_text()
    finally:
        for process in started.values():
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
