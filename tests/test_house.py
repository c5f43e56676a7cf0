"""The house rules that no linter holds: files, settings, locks, documents, unsafe starts."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from detection.configuration import VARIABLES
from hallu_site.production import Variables, kept_secret_key

ROOT = Path(__file__).resolve().parent.parent
ROOMS = "core|detection|reviews|hallu_site|tests|static|templates|benchmarks|docs|locale|examples"
NAMED_FOR_NOTHING = {"utils", "helpers", "manager", "service", "services", "misc", "common"}


def tracked_files() -> list[Path]:
    """Every file of the project, without what is ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def in_example() -> set[str]:
    """The variables that .env.example names, set or commented out."""
    return set(re.findall(r"^(?:# )?([A-Z][A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))


def in_compose_alone() -> set[str]:
    """The variables that only docker-compose.yml reads."""
    return set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text())) - in_settings()


def in_settings() -> set[str]:
    """The variables that settings read, those of the configuration tree among them."""
    return set(VARIABLES) | set(
        re.findall(r'\benv\.\w+\(\s*"([A-Z_]+)"', (ROOT / "hallu_site" / "settings.py").read_text())
    )


def pins(lock: str) -> dict[str, str]:
    """Package → version and marker of a lock file."""
    return dict(re.findall(r"^([\w.-]+)==(.+?) \\$", (ROOT / lock).read_text(), re.MULTILINE))


CHECK = ("manage.py", "check")


def start(
    tmp_path: Path, command: Sequence[str] = CHECK, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Load the settings in a process of its own, under these variables and no others of ours."""
    own = ("HALLU_", "DJANGO_", "DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL", "HALLUCINATION_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    given = {"HALLU_VAR": str(tmp_path), "HALLU_TEST": "false", **variables}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=kept | given, capture_output=True, text=True
    )


PRODUCTION = {
    "DATABASE_URL": "postgresql://hallu@localhost/hallu",
    "CELERY_BROKER_URL": "redis://localhost:6379/0",
    "DJANGO_SECRET_KEY": "kept-for-tests-" * 4,
    "DJANGO_DEBUG": "false",
}


def test_every_variable_of_the_settings_is_in_the_example_and_every_one_of_the_example_is_read() -> None:
    assert in_example() == in_settings() | in_compose_alone()


def test_operations_explains_every_variable() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    explained = set(re.findall(r"(?:`|# )([A-Z][A-Z_]+)\b", page))
    explained |= {f"HALLU_VERIFIER{end}" for end in re.findall(r"`(_[A-Z_]+)`", page)}
    assert in_example() <= explained


def test_no_module_reads_the_environment_but_the_settings() -> None:
    readers = [
        str(path.relative_to(ROOT))
        for path in tracked_files()
        if path.suffix == ".py"
        and path.relative_to(ROOT).parts[0] in {"detection", "reviews"}
        and re.search(r"os\.environ\b|os\.getenv|environ\.Env", path.read_text())
    ]
    assert readers == []


@pytest.mark.requirement("APP-06")
@pytest.mark.parametrize(
    ("unsafe", "reason"),
    [
        ({"DJANGO_SECRET_KEY": ""}, "DJANGO_SECRET_KEY is not set"),
        ({"CELERY_BROKER_URL": "djangodb://localhost"}, "embedded broker is for SQLite only"),
        ({"DJANGO_DEBUG": "true"}, "DJANGO_DEBUG must be off"),
        ({"DJANGO_SECRET_KEY": "k" * 60}, "DJANGO_SECRET_KEY is too easy to guess"),
        ({"DJANGO_SECRET_KEY": "Yt5-0fQwZ"}, "DJANGO_SECRET_KEY is too easy to guess"),
        ({"DJANGO_ALLOWED_HOSTS": "hallu.example.com,*"}, "lets any name in"),
        ({"HALLU_HTTPS": "false"}, "in the clear"),
        ({"HALLU_HTTPS": "perhaps"}, "give true or false or insecure"),
        (
            {"DATABASE_URL": "pgsql://hallu@localhost/hallu", "DJANGO_SECRET_KEY": ""},
            "DJANGO_SECRET_KEY is not set",
        ),
        ({"DATABASE_URL": "mysql://hallu@localhost/hallu"}, "neither PostgreSQL nor SQLite"),
        ({"HALLU_IDLE_MINUTES": "0"}, "HALLU_IDLE_MINUTES is 0; it is 1 at least."),
        ({"HALLU_TRUSTED_PROXIES": "-1"}, "HALLU_TRUSTED_PROXIES is -1; it is 0 at least."),
    ],
)
def test_an_unsafe_production_start_is_refused_in_one_line(
    tmp_path: Path, unsafe: dict[str, str], reason: str
) -> None:
    refused = start(tmp_path, **(PRODUCTION | unsafe))
    assert refused.returncode == 1
    assert reason in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not (tmp_path / "secret_key").exists()


def test_plain_http_is_served_in_production_where_it_is_asked_for_by_its_name(tmp_path: Path) -> None:
    started = start(tmp_path, **(PRODUCTION | {"HALLU_HTTPS": "insecure"}))
    assert started.returncode == 0, started.stderr


@pytest.mark.requirement("APP-06")
def test_a_local_start_needs_no_variable(tmp_path: Path) -> None:
    started = start(tmp_path)
    assert started.returncode == 0, started.stderr


def test_the_local_secret_key_is_kept_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    load = ("-c", "import hallu_site.settings")
    start(tmp_path, load)
    first = (tmp_path / "secret_key").read_text()
    start(tmp_path, load)
    assert (tmp_path / "secret_key").read_text() == first
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_of_processes_that_start_together_one_makes_the_local_secret_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = kept_secret_key(tmp_path)
    monkeypatch.setattr(Path, "exists", lambda _: False)  # as it was when this one looked
    assert kept_secret_key(tmp_path) == others
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_a_secret_that_begins_with_a_dollar_sign_is_no_name_of_another_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DJANGO_SECRET_KEY", "$HOME$")
    assert Variables().str("DJANGO_SECRET_KEY") == "$HOME$"


def test_every_command_the_readme_names_exists() -> None:
    from django.core.management import get_commands

    table = (ROOT / "README.md").read_text().split("## Commands")[1].split("##")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = {word for row in rows for word in re.findall(r"`([a-z_]+)", row)}
    assert len(named) >= 5
    assert named <= set(get_commands())


def test_every_link_and_path_of_the_documents_leads_somewhere() -> None:
    documents = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "adr").glob("*.md")]
    dead = [
        f"{document.name}: {target}"
        for document in documents
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text())
        if not (document.parent / target).exists()
    ]
    dead += [
        f"{document.name}: {path}"
        for document in documents
        for path in re.findall(rf"`((?:{ROOMS})/[\w./*-]*)`", document.read_text())
        if not any(found for base in (ROOT, ROOT / "detection") for found in base.glob(path))
    ]
    assert dead == []


def test_the_map_of_the_house_is_short() -> None:
    assert len((ROOT / "docs" / "architecture.md").read_text().split()) <= 1500


def test_scripts_of_the_readme_can_be_started() -> None:
    for script in ("run", "test", ".ci/run"):
        assert os.access(ROOT / script, os.X_OK), script


def test_the_requirements_page_is_current_and_every_row_that_is_due_is_proven() -> None:
    checked = subprocess.run(
        [sys.executable, "docs/build_requirements.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout


def test_development_installs_exactly_the_packages_of_production() -> None:
    production, development = pins("requirements.txt"), pins("requirements-dev.txt")
    assert len(production) > 30
    assert {name: development.get(name) for name in production} == production


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-anthropic.txt", "requirements-dev.txt"])
def test_every_locked_package_has_a_hash_and_every_direct_one_is_locked(lock: str) -> None:
    text = (ROOT / lock).read_text()
    entries = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    source = (ROOT / lock).with_suffix(".in").read_text()
    direct = {name.lower() for name in re.findall(r"^([A-Za-z][\w-]*)", source, re.MULTILINE)}
    assert direct <= set(pins(lock))


def test_every_direct_dependency_has_its_reason() -> None:
    reasons = (ROOT / "docs" / "adr" / "0004-dependencies.md").read_text()
    sources = "".join(file.read_text() for file in ROOT.glob("requirements*.in"))
    direct = set(re.findall(r"^([A-Za-z][\w-]*)", sources, re.MULTILINE))
    unexplained = {name for name in direct if name not in reasons and not name.startswith("types-")}
    assert unexplained - {"drf-spectacular-sidecar"} == set()


def test_no_file_is_named_for_nothing() -> None:
    python = [path for path in tracked_files() if path.suffix == ".py" and path.parts[-2] != "tests"]
    assert [path.name for path in python if path.stem in NAMED_FOR_NOTHING] == []


def test_files_stay_within_six_hundred_lines() -> None:
    """Tables of data may be longer."""
    code = [
        path
        for path in tracked_files()
        if path.suffix == ".py"
        and path.relative_to(ROOT).parts[0] in {"detection", "reviews", "hallu_site"}
        and "migrations" not in path.parts
        and not re.search(r"^(?:[A-Z_]+)(?:: [^=]+)? = [\[({]$", path.read_text(), re.MULTILINE)
    ]
    assert [path.name for path in code if len(path.read_text().splitlines()) > 600] == []


def test_the_core_imports_the_standard_library_and_regex_alone() -> None:
    foreign: set[str] = set()
    for path in (ROOT / "detection" / "core").rglob("*.py"):
        for module in re.findall(r"^\s*(?:from|import) (\w+)", path.read_text(), re.MULTILINE):
            if module not in sys.stdlib_module_names | {"regex", "detection"}:
                foreign.add(f"{path.name}: {module}")
    assert foreign == set()
