"""Nothing that the product reads is a pickle: whoever can write to Redis or to the cache's table runs no code here."""

import ast
import base64
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from detection.access import throttle
from hallu_site.broker import configuration as broker
from hallu_site.caches import JsonSerializer, configured

ROOT = Path(__file__).parents[1]
RUNS_CODE = {
    "pickle",
    "cPickle",
    "_pickle",
    "dill",
    "cloudpickle",
    "marshal",
    "shelve",
    "joblib",
    "jsonpickle",
}
TOLD: list[str] = []


class Bomb:
    """What says that it ran once somebody reads it."""

    def __reduce__(self) -> Any:
        return tell, ()


def tell() -> None:
    """What a pickle would have run."""
    TOLD.append("it ran")


def imported(path: Path) -> Iterator[str]:
    """The first names of the modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


@pytest.mark.parametrize(
    "room", ["detection", "reviews", "hallu_site", "benchmarks", "examples", "docs", "."]
)
def test_no_module_imports_what_runs_code_when_it_reads(room: str) -> None:
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT.glob("*.py") if room == "." else (ROOT / room).rglob("*.py"))
        for name in imported(path)
        if name in RUNS_CODE
    }
    assert not found


def test_settings_keep_and_send_json_alone() -> None:
    assert {entry["BACKEND"] for entry in settings.CACHES.values()} <= {
        configured("dbcache://cache_entries", seconds=1)["BACKEND"],
        configured("rediscache://localhost:6379/1", seconds=1)["BACKEND"],
    }
    assert settings.SESSION_SERIALIZER.endswith("JSONSerializer")
    assert broker.accept_content == ["json"]
    assert broker.task_serializer == "json"


@pytest.mark.parametrize("url", ["locmemcache://", "filecache:///tmp/kept", "pymemcache://localhost:11211"])
def test_a_cache_that_would_keep_pickles_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="dbcache://"):
        configured(url, seconds=1)


def test_redis_is_read_as_json() -> None:
    assert configured("rediscache://localhost:6379/1", seconds=1)["OPTIONS"]["serializer"].endswith(
        "JsonSerializer"
    )


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_what_is_kept_comes_back(value: object) -> None:
    serializer = JsonSerializer()
    assert serializer.loads(serializer.dumps(value)) == value


def test_a_pickle_in_redis_is_nothing_and_runs_nothing() -> None:
    assert JsonSerializer().loads(pickle.dumps(Bomb())) is None
    assert not TOLD
    pickle.loads(pickle.dumps(Bomb()))  # noqa: S301 — the bomb does go off where somebody reads it
    assert TOLD.pop() == "it ran"


@pytest.mark.django_db
def test_a_pickle_in_the_cache_is_nothing_and_runs_nothing() -> None:
    cache = caches["default"]
    cache.set("verifier:estimate:x", {"yes": [0.5, 0.5]}, 60)
    assert cache.get("verifier:estimate:x") == {"yes": [0.5, 0.5]}
    plant(cache, cache.make_key("verifier:estimate:x"), pickle.dumps(Bomb()))
    assert cache.get("verifier:estimate:x") is None
    assert cache.get_many(["verifier:estimate:x"]) == {}
    assert not TOLD


@pytest.mark.django_db
@pytest.mark.parametrize("written", [pickle.dumps(Bomb()), b'["no", "number"]', b"[" * 200_000])
def test_a_counter_that_somebody_overwrote_counts_anew(written: bytes) -> None:
    cache, window = caches["default"], int(throttle.clock()) // throttle.WINDOW
    name = f"requests:0:{window}"
    cache.set(name, 1, 60)
    plant(cache, cache.make_key(name), written)
    assert throttle._take_block(0, window, 400) == 2
    assert throttle._take_block(0, window, 400) == 2
    assert cache.get(name) == 4
    assert not TOLD


def plant(cache: Any, key: str, written: bytes) -> None:
    """Write what is there past the cache: in a table pickles as Django itself keeps them, and JSON as it is."""
    if hasattr(cache, "_table"):
        with connection.cursor() as cursor:
            cursor.execute(
                f"UPDATE {cache._table} SET value = %s WHERE cache_key = %s",  # noqa: S608 — a setting
                [written.decode() if written.isascii() else base64.b64encode(written).decode(), key],
            )
            assert cursor.rowcount == 1
    else:
        cache._cache.get_client(key, write=True).set(key, written)


@pytest.mark.django_db
def test_the_table_adds_counts_touches_and_forgets() -> None:
    cache = caches["default"]
    assert cache.add("n", 0, 60)
    assert not cache.add("n", 9, 60)
    assert cache.incr("n", 4) == 4
    assert cache.touch("n", 60)
    assert not cache.touch("nothing", 60)
    cache.set("old", json.loads("[1]"), 0)
    assert cache.get("old") is None
    assert cache.add("old", 2, 60)
    assert cache.get("old") == 2
    assert cache.delete("n")
    assert cache.get("n") is None
    cache.set("for ever", "kept", None)
    assert cache.get("for ever") == "kept"
