"""What is known of the databases in ``tests/data/upgrade``, which ``tests/moving/made_by_older.py`` made on commit be6b570."""

import lzma
from pathlib import Path

from django.db import connection

from tests.moving.databases import opened

KEPT = Path(__file__).resolve().parents[1] / "data" / "upgrade"
SECRET_KEY = "kept-for-tests-kept-for-tests-kept-for-tests-kept-for-tests-"
MIGRATIONS = {"detection": "0023", "reviews": "0011"}
"""App → the last of its migrations there; those of reviews that came later are taken back with those of detection."""
PERSON, PASSWORD = "dana", "dana-9ac78e6f"
KEYS = {
    "sqlite": "hallu_f-PkOccZ7GbClZuIFZJ62vqO7CJMBIsB9TvF4TGWUpk5882f3d5",
    "postgresql": "hallu_oivLkl56kJEyR9OyeU5CP9K3TQdNlW8kLVbQS8i4BE8fb56f95b",
}
"""The demo's API key, by the kind of database."""


def load(url: str) -> None:
    """Fill the empty database at ``url``."""
    made = lzma.decompress((KEPT / f"{connection.vendor}.xz").read_bytes())
    if connection.vendor == "sqlite":
        Path(url.removeprefix("sqlite:///")).write_bytes(made)
        return
    with opened(url) as database:
        database.execute(made)
