"""The systemd units start what the compose file starts, as nobody who may do more than that."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hallu_site.management.commands.process import PROCESSES
from tests.moving.shipped import ROOT, SERVICES, UNITS, unit
from tests.test_house import in_settings

pytestmark = pytest.mark.requirement("MOV-2")

SERVICES_OF_UNITS = sorted(path.name for path in UNITS.glob("*.service"))
PYTHON = "/opt/hallu/.venv/bin/python "
EXPOSED = 2.0
"""Of ten, by ``systemd-analyze security``; 9.6 without any rule."""


def test_the_target_wants_every_process() -> None:
    wanted = unit("hallu.target")["Unit"]["Wants"].split()
    assert wanted == [f"hallu-process@{name}.service" for name in PROCESSES]
    assert unit("hallu-process@.service")["Service"]["ExecStart"] == f"{PYTHON}manage.py process %i"


def test_the_migration_does_what_the_one_of_the_compose_file_does() -> None:
    steps = unit("hallu-migrate.service")["Service"]["ExecStart"].splitlines()
    in_compose = SERVICES["migrate"]["command"][-1].split(" && ")
    assert [step.removeprefix(PYTHON) for step in steps[:3]] == [
        step.removeprefix("python ") for step in in_compose
    ]
    assert steps[3:] == [
        f"{PYTHON}manage.py collectstatic --no-input --verbosity 0"
    ]  # the image has done that


def test_every_program_is_there_and_every_variable_known() -> None:
    for name in SERVICES_OF_UNITS:
        service = unit(name)["Service"]
        assert set(re.findall(r"\b([A-Z_]+)=", service["Environment"])) <= in_settings() | {
            "PYTHONUNBUFFERED",
            "PYTHONDONTWRITEBYTECODE",
        }
        assert service["EnvironmentFile"].splitlines()[0] == "/etc/hallu/hallu.env", (
            "the first is what all have"
        )
        for command in service["ExecStart"].splitlines():
            assert command.startswith((f"{PYTHON}manage.py ", "find ")), name
            if command.startswith(PYTHON):
                called = command.split()[2]
                assert list(ROOT.glob(f"*/management/commands/{called}.py")) or called in {
                    "migrate",
                    "createcachetable",
                    "collectstatic",
                }


def test_a_process_that_ends_is_started_again_and_one_that_is_stopped_finishes() -> None:
    service = unit("hallu-process@.service")["Service"]
    assert (service["Restart"], service["KillMode"]) == ("always", "mixed")


@pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="systemd-analyze is not there: apt install systemd"
)
def test_systemd_takes_every_unit_and_finds_little_exposed(tmp_path: Path) -> None:
    shutil.copytree(UNITS, tmp_path, dirs_exist_ok=True)
    for path in tmp_path.glob("*.service"):
        path.write_text(
            path.read_text().replace(PYTHON, "/bin/true ")
        )  # which is there, unlike an installation
    units = sorted(str(path) for path in tmp_path.glob("hallu*.*") if path.is_file())
    verified = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True)
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")
    for name in SERVICES_OF_UNITS:
        rated = subprocess.run(
            ["systemd-analyze", "security", "--offline=true", "--no-pager", str(tmp_path / name)],
            capture_output=True,
            text=True,
        )
        exposed = re.search(r"Overall exposure level for \S+: ([\d.]+)", rated.stdout)
        assert exposed, rated.stderr
        assert float(exposed[1]) <= EXPOSED
