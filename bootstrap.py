"""From a fresh clone to the running product or its tests; called by ``./run`` and ``./test``.

Standard library only, since it runs before anything is installed. It makes ``.venv`` from the hashed lock
files, remembers which locks are installed there, and then hands over: ``run`` becomes ``manage.py up``,
``test`` becomes pytest. After the first time neither needs the network.
"""

import fcntl
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = str(VENV / "bin" / "python")
UV = str(VENV / "bin" / "uv")
INSTALLED = VENV / "installed-locks.json"
RUNTIME, DEVELOPMENT = "requirements.txt", "requirements-dev.txt"
SERVICES = ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL")


class SetupFailed(Exception):
    """A foreseeable failure of the set-up; its text is what the user reads."""


def say(text: str) -> None:
    """One line of progress."""
    print(f"hallu: {text}", flush=True)


def quietly(command: list[str], failure: str) -> None:
    """Run a command without its output; when it fails, raise :class:`SetupFailed` with the output's end."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise SetupFailed(f"{failure}\n{done.stdout[-2000:].rstrip()}")


# --- the virtual environment ------------------------------------------------------------------------
def fingerprint(lock: str) -> str:
    """SHA-256 of a lock file."""
    return hashlib.sha256((ROOT / lock).read_bytes()).hexdigest()


def installed_locks() -> dict[str, str]:
    """Lock file → fingerprint, as of the last installation; empty when there was none that finished."""
    return json.loads(INSTALLED.read_text()) if INSTALLED.exists() else {}


def lock_to_install(wanted: str, installed: dict[str, str]) -> str | None:
    """The lock file to install so that ``wanted`` is there, None when it already is.

    The development lock holds every package of the runtime lock. Where it has been installed once it is
    kept, so that ``./run`` and ``./test`` in turn do not undo each other's work.
    """
    lock = DEVELOPMENT if DEVELOPMENT in installed else wanted
    return None if installed.get(lock) == fingerprint(lock) else lock


@contextmanager
def alone() -> Iterator[None]:
    """Hold the folder's lock, so that ``./run`` and ``./test`` started together install one after the other."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def make_venv() -> None:
    """Make ``.venv``, or make it anew when its interpreter is gone or too old."""
    check = [PYTHON, "-c", "import pip, sys; sys.exit(sys.version_info < (3, 11))"]
    if Path(PYTHON).exists() and subprocess.run(check, capture_output=True).returncode == 0:
        return
    say(f"making .venv with Python {sys.version.split()[0]}")
    quietly(
        [sys.executable, "-m", "venv", "--clear", str(VENV)],
        "Python could not make a virtual environment (on Debian: apt install python3-venv).",
    )


def install_uv() -> bool:
    """Put the locked uv into ``.venv``; False when that is not possible here, and pip has to do."""
    if Path(UV).exists():
        return True
    locked = re.search(r"^uv==.*?(?=^\S|\Z)", (ROOT / DEVELOPMENT).read_text(), re.MULTILINE | re.DOTALL)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as only_uv:
        only_uv.write(locked.group() if locked else "")
        only_uv.flush()
        try:
            pip = [PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", only_uv.name]
            quietly(pip, "uv could not be installed")
        except SetupFailed:
            return False
    return Path(UV).exists()


def install_packages(lock: str) -> None:
    """Make ``.venv`` hold what a lock file names and nothing it leaves out, every file checked by its hash."""
    say(f"installing the packages of {lock} (once; it can take a minute)")
    failure = f"The packages of {lock} could not be installed. Is the package index reachable?"
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "-r", lock]
    if not install_uv():
        return quietly(pip, failure)
    uv = [UV, "pip", "sync", "--quiet", "--require-hashes", "--python", PYTHON, lock]
    try:
        quietly(uv, failure)
    except SetupFailed:
        say("uv could not install them; trying pip (about a minute)")
        quietly(pip, failure)


def set_up(wanted: str) -> None:
    """Bring ``.venv`` to the state of a lock file; does nothing when it is there already."""
    with alone():
        lock = lock_to_install(wanted, installed_locks())
        if lock is None and Path(PYTHON).exists():
            return
        make_venv()
        lock = lock_to_install(wanted, installed_locks()) or wanted
        install_packages(lock)
        locks = [RUNTIME, DEVELOPMENT] if lock == DEVELOPMENT else [RUNTIME]
        INSTALLED.write_text(json.dumps({name: fingerprint(name) for name in locks}))


# --- the two commands -------------------------------------------------------------------------------
def run(arguments: list[str]) -> int:
    """Set up, prepare the database and the demo, then become the supervisor of web, worker and sweeper."""
    if arguments:
        raise SetupFailed(
            "./run takes no arguments; its settings are environment variables, see .env.example."
        )
    set_up(RUNTIME)
    prepared = subprocess.run([PYTHON, "manage.py", "prepare"], cwd=ROOT, stdin=subprocess.DEVNULL)
    if prepared.returncode:
        return prepared.returncode
    os.chdir(ROOT)
    return os.execv(PYTHON, [PYTHON, "manage.py", "up"])


def test_environment(var: str) -> dict[str, str]:
    """The environment of a test run: its own folder, nothing of a running product, no key, SQLite; what is for the tests alone
    (labelled data, how many requests are made up) is kept.

    What Python compiles is kept beside the packages: every test process and every program that a test starts
    would compile Django again where the variable PYTHONDONTWRITEBYTECODE is set.
    """
    private = ("HALLU_", "HALLUCINATION_", "DJANGO_", "PYTHONDONTWRITEBYTECODE", *SERVICES)
    own = ("HALLU_DATA", "HALLU_EXAMPLES")
    kept = {n: v for n, v in os.environ.items() if n in own or not n.startswith(private)}
    return {"PYTHONPYCACHEPREFIX": str(VENV / "compiled"), **kept, "HALLU_TEST": "1", "HALLU_VAR": var}


def wait_for(command: list[str], environment: dict[str, str]) -> int:
    """Run a command to its end and return its exit status; Ctrl-C and TERM are the command's to act upon."""
    child = subprocess.Popen(command, cwd=ROOT, env=environment)
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue


def processes(arguments: list[str]) -> list[str]:
    """The options for a test process per core; none where the arguments say how many, or which tests."""
    chosen = ("-n", "--numprocesses", "--pdb", "--version", "tests/")
    return [] if any(argument.startswith(chosen) for argument in arguments) else ["-n", "auto"]


def test(arguments: list[str]) -> int:
    """Set up and pass the tests; ``--pg`` passes those that PostgreSQL or Redis may answer otherwise on them;
    the rest goes to pytest."""
    set_up(DEVELOPMENT)
    rest = [argument for argument in arguments if argument != "--pg"]
    with tempfile.TemporaryDirectory(prefix="hallu-test-", ignore_cleanup_errors=True) as var:
        environment = test_environment(var)
        if len(rest) == len(arguments):
            command = ["pytest", "-m", "not services"]
        else:
            command = ["tests.servers", "-m", "postgres or services"]
            environment |= {name: os.environ[name] for name in SERVICES if name in os.environ}
        return wait_for([PYTHON, "-m", *command, *processes(rest), *rest], environment)


COMMANDS = {"run": run, "test": test}

if __name__ == "__main__":
    try:
        sys.exit(COMMANDS[sys.argv[1]](sys.argv[2:]))
    except SetupFailed as reason:
        sys.exit(f"hallu: {reason}")
    except KeyboardInterrupt:
        sys.exit(130)
