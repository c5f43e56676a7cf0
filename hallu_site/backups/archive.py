"""The file of a backup: a zip of the database's own dump and of a manifest, which is written last.

What was torn while it was written or carried has no end, and what was changed has another checksum; both are refused
before anything of it reaches a database.
"""

import json
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

FORMAT = 1
DUMP, MANIFEST = "database", "manifest.json"


class NotWhole(Exception):
    """A file that is no whole backup; the text says why."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the dump holds. ``vendor``: which kind of database it is of; ``migrations``: app → those applied; ``rows``: table
    → how many."""

    made_at: str
    vendor: str
    migrations: dict[str, list[str]]
    rows: dict[str, int]
    format: int = FORMAT


@contextmanager
def written(path: Path) -> Iterator[zipfile.ZipFile]:
    """An archive that is at ``path`` once the block has ended well, readable by its owner alone. Until then it has another
    name, and afterwards none where the block failed."""
    part = path.with_name(f"{path.name}.part")
    try:
        with (
            os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file,
            zipfile.ZipFile(file, "w") as archive,
        ):
            yield archive
            archive.close()
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)


def dump_to(archive: zipfile.ZipFile, *, compress: bool) -> IO[bytes]:
    """Where the dump is written, of whatever length."""
    dump = zipfile.ZipInfo(DUMP)
    dump.compress_type = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    return archive.open(dump, "w", force_zip64=True)


def conclude(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    """Write the manifest behind the dump."""
    archive.writestr(MANIFEST, json.dumps(asdict(manifest), indent=1, sort_keys=True))


@contextmanager
def opened(path: Path) -> Iterator[tuple[Manifest, zipfile.ZipFile]]:
    """What a backup holds, every byte of it checked. Raises :class:`NotWhole`."""
    with _checked(path) as archive:
        yield _manifest(path, archive), archive


def _checked(path: Path) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(path)
        damaged = archive.testzip()
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise NotWhole(f"{path} is no whole backup: it is torn, or something else.") from error
    except OSError as error:
        raise NotWhole(f"{path} cannot be read: {error.strerror}.") from error
    if damaged:
        raise NotWhole(f"{path} is damaged: the checksum of its {damaged} is wrong.")
    return archive


def _manifest(path: Path, archive: zipfile.ZipFile) -> Manifest:
    try:
        manifest = Manifest(**json.loads(archive.read(MANIFEST)))
        archive.getinfo(DUMP)
    except (KeyError, TypeError, ValueError) as error:
        raise NotWhole(f"{path} is no backup of Hallu.") from error
    if manifest.format != FORMAT:
        raise NotWhole(f"{path} has format {manifest.format}, of a newer Hallu; this one reads {FORMAT}.")
    return manifest
