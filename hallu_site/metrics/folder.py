"""Where the processes of web count what they were asked: files that outlive each of them, so that no counter falls when one is
replaced, and that begin anew with web itself."""

import fcntl
import itertools
import os
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder to Prometheus' client; where it names none, each process counts for itself."""
_held: list[IO[str]] = []


def given() -> Path | None:
    """The folder of the web that this process belongs to, None where it belongs to none."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


def emptied(places: Iterable[Path]) -> Path:
    """An empty folder for one web, the first of ``places`` where there can be one. Raises :class:`OSError` where there is none."""
    *others, last = places
    for place in others:
        with suppress(OSError):
            return _emptied(place)
    return _emptied(last)


def _emptied(folder: Path) -> Path:
    """Everybody may write to some places, and the folder of somebody else might lead elsewhere."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if folder.is_symlink() or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{folder} is somebody else's, or open to others")
    for file in folder.iterdir():
        file.unlink()
    return folder


@cache
def place() -> int:
    """The number that this process counts under in the folder that is :func:`given`: the lowest that no living process of its web
    has, so that it goes on where one that ended stopped, and there are never more files than processes."""
    return next(number for number in itertools.count() if _takes(number))


def _takes(number: int) -> bool:
    lock = Path(os.environ[VARIABLE], f"{number}.lock").open("w")  # noqa: SIM115 - held until the process ends, however it does
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return False
    _held.append(lock)
    return True
