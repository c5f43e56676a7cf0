"""Each of several test processes has Redis databases of its own, so that none sees another's messages.

A plugin that pytest loads before the settings are read (``-p tests.own_redis`` in pyproject.toml).
"""

import os
from urllib.parse import urlsplit, urlunsplit

PER_PROCESS = 2
"""Redis databases that one process uses: the broker's and the cache's."""


def of_process(url: str, number: int) -> str:
    """The address ``redis://host:port/database`` with the database of test process ``number`` (from 0)."""
    parts = urlsplit(url)
    database = int(parts.path.strip("/") or 0) + PER_PROCESS * number
    return urlunsplit(parts._replace(path=f"/{database}"))


process = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
for name in ("CELERY_BROKER_URL", "CACHE_URL"):
    if process and os.environ.get(name, "").startswith("redis"):
        os.environ[name] = of_process(os.environ[name], int(process))
