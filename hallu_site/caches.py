"""The shared cache, with its values as JSON.

Django's own backends pickle what they keep, and whoever can write a pickle where a process reads it runs code there. What is
no JSON counts as absent.
"""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import environ
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.redis import RedisCache
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connections, router, transaction
from django.utils import timezone
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError
from redis.retry import Retry

ENTRIES = 20_000
"""Estimates are many and small; Django's own limit of 300 entries would push them out."""
_TABLE = "hallu_site.caches.JsonTableCache"
_REDIS = "hallu_site.caches.JsonRedisCache"


def configured(url: str, *, seconds: float) -> dict[str, Any]:
    """The entry of ``CACHES`` for a ``CACHE_URL``: a table or Redis, each of whose replies is waited for so long and which is
    not asked twice. Raises :class:`ImproperlyConfigured` for anything else."""
    found: dict[str, Any] = environ.Env.cache_url_config(url)
    if found["BACKEND"].endswith(".RedisCache"):
        bounds = {
            "socket_timeout": seconds,
            "socket_connect_timeout": seconds,
            "retry": Retry(NoBackoff(), 0),
        }
        return found | {"BACKEND": _REDIS, "OPTIONS": {"serializer": f"{__name__}.JsonSerializer"} | bounds}
    if found["BACKEND"].endswith(".DatabaseCache"):
        return found | {"BACKEND": _TABLE, "OPTIONS": {"MAX_ENTRIES": ENTRIES}}
    raise ImproperlyConfigured(
        "CACHE_URL: give dbcache://cache_entries or rediscache://host:port/number; other caches keep pickles."
    )


class JsonSerializer:
    """What Redis keeps: JSON, in which a whole number is what Redis counts with."""

    def dumps(self, value: object) -> bytes:
        """A value as JSON. Raises TypeError for what is none."""
        return json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        """The value; None for what is no JSON."""
        return _read(data)


class JsonRedisCache(RedisCache):
    """Django's Redis cache, to which what cannot be read is absent here too."""

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        """The values that are there."""
        return {key: value for key, value in super().get_many(keys, version).items() if value is not None}

    def delete_beginning(self, begin: str) -> None:
        """Delete whatever is kept under keys that begin so."""
        client = self._cache.get_client(None, write=True)
        found = client.scan_iter(match=f"{self.make_key(begin)}*", count=1000)
        for key in found:
            client.unlink(key)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Count on. Raises ValueError where there is no whole number."""
        try:
            return int(super().incr(key, delta, version))
        except ResponseError as error:
            raise ValueError(f"What is kept under “{key}” is no whole number.") from error


class JsonTableCache(DatabaseCache):
    """Django's cache table, written in one statement."""

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Count on. Raises ValueError where there is nothing, TypeError where there is no number."""
        with transaction.atomic(using=router.db_for_write(self.cache_model_class)):
            return super().incr(key, delta, version)  # SQLite's write lock makes reading and writing one step

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        """The values that are there and not too old."""
        named = {self.make_and_validate_key(key, version=version): key for key in keys}
        if not named:
            return {}
        connection = connections[router.db_for_read(self.cache_model_class)]
        places = ", ".join(["%s"] * len(named))
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT cache_key, value FROM {self._quoted(connection)} WHERE cache_key IN ({places}) AND expires > %s",  # noqa: S608 — the table is a setting
                [*named, connection.ops.adapt_datetimefield_value(_now())],
            )
            rows = cursor.fetchall()
        read = {named[key]: _read(text) for key, text in rows}
        return {key: value for key, value in read.items() if value is not None}

    def delete_beginning(self, begin: str) -> None:
        """Delete whatever is kept under keys that begin so."""
        first = self.make_key(begin)
        connection = connections[router.db_for_write(self.cache_model_class)]
        with connection.cursor() as cursor:
            cursor.execute(
                f"DELETE FROM {self._quoted(connection)} WHERE cache_key >= %s AND cache_key < %s",  # noqa: S608 — the table is a setting
                [first, f"{first}\U0010ffff"],
            )

    def delete_old(self, most: int) -> int:
        """Delete up to so many entries whose time is over, which are absent already; returns how many."""
        connection = connections[router.db_for_write(self.cache_model_class)]
        table = self._quoted(connection)
        with connection.cursor() as cursor:
            cursor.execute(
                f"DELETE FROM {table} WHERE cache_key IN (SELECT cache_key FROM {table} WHERE expires < %s LIMIT %s)",  # noqa: S608 — as above
                [connection.ops.adapt_datetimefield_value(_now()), most],
            )
            return int(cursor.rowcount)

    def _base_set(self, mode: str, key: str, value: object, timeout: Any = DEFAULT_TIMEOUT) -> bool:
        """Write an entry ("set"), unless there is one ("add"), or only its time ("touch"). Whether it was written."""
        until = self._until(timeout)
        connection = connections[router.db_for_write(self.cache_model_class)]
        table, adapt = self._quoted(connection), connection.ops.adapt_datetimefield_value
        with connection.cursor() as cursor:
            self._make_room(connection.alias, cursor, table)
            try:
                with transaction.atomic(using=connection.alias):
                    if mode == "touch":
                        cursor.execute(
                            f"UPDATE {table} SET expires = %s WHERE cache_key = %s",  # noqa: S608 — as above
                            [adapt(until), key],
                        )
                    else:
                        only = f" WHERE {table}.expires <= %s" if mode == "add" else ""
                        cursor.execute(
                            f"INSERT INTO {table} (cache_key, value, expires) VALUES (%s, %s, %s) "  # noqa: S608 — as above
                            "ON CONFLICT (cache_key) DO UPDATE SET value = excluded.value, expires = excluded.expires"
                            + only,
                            [key, json.dumps(value), adapt(until), *([adapt(_now())] if only else [])],
                        )
                    return bool(cursor.rowcount > 0)
            except DatabaseError:
                return False

    def _make_room(self, alias: str, cursor: Any, table: str) -> None:
        cursor.execute(f"SELECT COUNT(*) FROM {table}")  # noqa: S608 — as above
        (count,) = cursor.fetchone()
        if count > self._max_entries:
            self._cull(alias, cursor, _now(), count)  # type: ignore[attr-defined]  # not in the stubs

    def _until(self, timeout: Any) -> datetime:
        seconds = self.get_backend_timeout(timeout)
        if seconds is None:
            return datetime.max.replace(microsecond=0, tzinfo=UTC)
        return datetime.fromtimestamp(seconds, tz=UTC).replace(microsecond=0)

    def _quoted(self, connection: Any) -> str:
        return str(connection.ops.quote_name(self._table))  # type: ignore[attr-defined]  # not in the stubs


def _now() -> datetime:
    return timezone.now().replace(microsecond=0)


def _read(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
