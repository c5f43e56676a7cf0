"""A database of a benchmark's own: that of ``DATABASE_URL`` under a test name, else a file in a temporary folder."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_database() -> Iterator[str]:
    """Set Django up over an empty, migrated database, gone at the end; gives its vendor. Once in a process, before
    anything of Django's is imported."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "HALLU_VAR": folder,
            "HALLU_TEST": "1",
            "DJANGO_SETTINGS_MODULE": "hallu_site.settings",
            "HALLU_LOG_LEVEL": "WARNING",
        }
        import django
        from django.conf import settings
        from django.db import connection
        from django.test.utils import setup_test_environment

        django.setup()
        settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
        setup_test_environment()
        connection.settings_dict["TEST"]["NAME"] = (
            None if connection.vendor != "sqlite" else f"{folder}/t.sqlite3"
        )
        connection.creation.create_test_db(verbosity=0)
        try:
            yield connection.vendor
        finally:
            connection.creation.destroy_test_db(connection.settings_dict["NAME"], verbosity=0)


def analyze() -> None:
    """Let the database's planner know what was filled in."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
