"""The rows of this process in another database than that of the test run: one that a test may break."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from hallu_site import production


@contextmanager
def connected_to(url: str) -> Iterator[None]:
    """Meanwhile the rows are those of the database at ``url``, where a commit waits for the disk as in production."""
    mine = dict(connection.settings_dict)
    options: dict[str, Any] = {"OPTIONS": {}} if connection.vendor == "postgresql" else {}
    connection.close()
    connection.settings_dict.update(options | production.database(url) | {"ENGINE": mine["ENGINE"]})
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(mine)
