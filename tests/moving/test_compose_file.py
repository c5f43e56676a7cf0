"""The compose file is one by its specification, and names nothing that is not there."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from hallu_site.management.commands.process import PROCESSES
from tests.moving.shipped import COMPOSE, OURS, ROOT, SERVICES, interpolated
from tests.test_house import in_example, in_settings

pytestmark = pytest.mark.requirement("MOV-2")

SCHEMA = Path(__file__).resolve().parents[1] / "data" / "compose" / "compose-spec.json"
"""The Compose Specification, Apache-2.0: see the licence beside it."""
TEXT = (ROOT / "docker-compose.yml").read_text()
GIVEN = {name: f"given-{name.lower()}" for name in re.findall(r"\$\{([A-Z_]+):\?", TEXT)}
PORTS = {"postgresql": 5432, "broker": 6379, "cache": 6379}


def test_it_is_one_by_the_specification() -> None:
    import jsonschema  # two seconds, which every test process would take

    schema = json.loads(SCHEMA.read_text())
    faults = jsonschema.Draft202012Validator(schema).iter_errors(interpolated(COMPOSE, GIVEN))
    assert [f"{'/'.join(map(str, fault.absolute_path))}: {fault.message}" for fault in faults] == []


def test_every_process_is_a_service_that_is_started_by_its_name() -> None:
    assert set(OURS) == {*PROCESSES, "migrate"}
    started = {name: SERVICES[name].get("command") for name in PROCESSES}
    assert started.pop("web") is None  # the image's own
    assert started == {name: ["python", "manage.py", "process", name] for name in PROCESSES if name != "web"}


def test_every_variable_that_is_named_is_known() -> None:
    for name in OURS:
        assert set(SERVICES[name]["environment"]) <= in_settings(), name
    assert set(re.findall(r"\$\{([A-Z_]+)", TEXT)) <= in_example()


def test_no_secret_has_a_default() -> None:
    for use in re.findall(r"\$\{(?:POSTGRES_\w*PASSWORD|DJANGO_SECRET_KEY|REDIS_\w+_PASSWORD)[^}]*\}", TEXT):
        assert ":?" in use


def test_every_address_is_that_of_a_service_and_its_port() -> None:
    variables = interpolated(SERVICES["web"]["environment"], GIVEN)
    urls = [urlsplit(variables[name]) for name in ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL")]
    assert {str(url.hostname): url.port for url in urls} == PORTS
    assert len(urls) == 3


def test_what_is_waited_for_can_become_so() -> None:
    for name, service in SERVICES.items():
        for other, wanted in service.get("depends_on", {}).items():
            if wanted["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[other], f"{name} waits for {other}"
            else:
                assert SERVICES[other]["restart"] == "no", f"{name} waits for {other}"


def test_every_volume_is_declared_and_used() -> None:
    mounted = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}
    assert mounted == set(COMPOSE["volumes"])


def test_only_this_machine_is_let_in_and_what_serves_can_write_nowhere() -> None:
    for name, service in SERVICES.items():
        for published in interpolated(service.get("ports", []), GIVEN):
            assert published.startswith("127.0.0.1:"), name
    for name in OURS:
        assert (SERVICES[name]["read_only"], SERVICES[name]["cap_drop"]) == (True, ["ALL"])
        assert SERVICES[name]["security_opt"] == ["no-new-privileges:true"]


def test_a_broker_forgets_nothing_silently() -> None:
    assert "noeviction" in SERVICES["broker"]["command"]
