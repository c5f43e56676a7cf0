"""The Dockerfile follows the rules of its kind, and builds what the product needs and no more."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pip._internal.commands import create_command

from tests.moving.shipped import ROOT, SERVICES, copy_image, dockerfile, image_variables, last
from tests.test_house import in_settings

pytestmark = pytest.mark.requirement("MOV-2")

PYTHONS = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PATH"}


def commands() -> list[str]:
    """Every command that the build runs."""
    runs = [instruction.words for instruction in dockerfile() if instruction.name == "RUN"]
    return [command.strip() for run in runs for command in run.split("&&")]


def test_every_base_is_named_by_its_release() -> None:
    bases = {instruction.words.split()[0] for instruction in dockerfile() if instruction.name == "FROM"}
    assert len(bases) == 1
    assert re.fullmatch(r"python:3\.\d+-slim-[a-z]+", bases.pop())


def test_what_runs_is_no_root_and_has_no_shell_between() -> None:
    names = [instruction.name for instruction in dockerfile()]
    assert last("USER").words == "10001"
    assert names.index("USER") < names.index("CMD")
    assert last("CMD").list() == ["python", "manage.py", "process", "web", "--host", "0.0.0.0"]  # noqa: S104
    assert last("HEALTHCHECK").list()[:2] == ["python", "-c"]


def test_packages_are_checked_by_their_hashes_and_pip_knows_its_options() -> None:
    (install,) = (command.split() for command in commands() if "pip install" in command)
    options, _ = create_command("install").parser.parse_args(install[2:])
    assert options.require_hashes
    assert options.requirements == ["requirements.txt"]
    assert not options.cache_dir


def test_debian_leaves_nothing_behind() -> None:
    (install,) = (command for command in commands() if command.startswith("apt-get install"))
    assert "--no-install-recommends" in install
    assert "--yes" in install
    assert "rm -rf /var/lib/apt/lists/*" in commands()


def test_backups_are_made_by_programs_of_the_servers_version() -> None:
    (version,) = re.findall(r"postgresql-client-(\d+)", " ".join(commands()))
    assert SERVICES["postgresql"]["image"] == f"postgres:{version}"


def test_what_is_copied_is_there_and_every_variable_is_known() -> None:
    for instruction in dockerfile():
        if instruction.name == "COPY" and not instruction.words.startswith("--from"):
            assert (ROOT / instruction.words.split()[0]).exists()
    named = set(re.findall(r"\b([A-Z][A-Z_]+)=", " ".join(commands())))
    assert (named | image_variables().keys()) - PYTHONS <= in_settings()


def test_one_port_is_listened_on_asked_and_passed_on_to() -> None:
    port = last("EXPOSE").words
    listens = re.search(r'"HALLU_PORT", default=(\d+)', (ROOT / "hallu_site" / "settings.py").read_text())
    assert listens
    assert listens[1] == port
    assert f"http://127.0.0.1:{port}/healthz" in last("HEALTHCHECK").list()[2]
    assert "ports" not in SERVICES["web"]  # the proxy alone is seen from outside
    nginx = (ROOT / "deploy" / "nginx.conf").read_text()
    assert re.findall(r"server web:(\d+)", nginx) == [port]
    published = [one.rsplit(":", 1)[1] for one in SERVICES["proxy"]["ports"]]
    assert published == re.findall(r"listen (\d+)", nginx)


def test_the_build_collects_the_files_of_pages_out_of_what_it_copies(tmp_path: Path) -> None:
    (collect,) = (command for command in commands() if "collectstatic" in command)
    app = copy_image(tmp_path)
    own = ("HALLU", "DJANGO_", "DATABASE_URL", "CELERY_", "CACHE_URL")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    here = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HALLU_VAR": str(tmp_path / "var"),
    }
    dry = ["sh", "-c", f"{collect} --dry-run"]  # writing would compress for seconds
    done = subprocess.run(dry, cwd=app, env=kept | here, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
