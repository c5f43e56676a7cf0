"""The two Redis servers of docker-compose.yml let nobody in without a password, and the product's user does all it needs there
and nothing else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kombu
import pytest
import yaml
from django.core.cache.backends.redis import RedisCache
from redis import Redis
from redis.exceptions import AuthenticationError, NoPermissionError

from hallu_site.broker.configuration import transport_options
from hallu_site.caches import configured
from tests import servers
from tests.waiting import GIVEN_UP_AFTER

SERVICES = yaml.safe_load((Path(__file__).parents[1] / "docker-compose.yml").read_text())["services"]
PASSWORD = "a-long-one"


@pytest.fixture(scope="module", params=["broker", "cache"])
def address(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The name of a service of the compose file, and host and port of a server with its users."""
    command = SERVICES[request.param]["command"]
    users = [f">{PASSWORD}" if part.startswith(">") else part for part in command[command.index("--user") :]]
    with servers.redis(tmp_path_factory.mktemp(request.param), *users) as url:
        yield request.param, url.removeprefix("redis://")


def test_nobody_is_let_in_without_the_password(address: tuple[str, str]) -> None:
    _, at = address
    for given in ("", "hallu:guessed@", "default:@"):
        with Redis.from_url(f"redis://{given}{at}") as client, pytest.raises(AuthenticationError):
            client.ping()


def test_the_products_user_changes_no_settings_and_empties_nothing(address: tuple[str, str]) -> None:
    _, at = address
    with Redis.from_url(f"redis://hallu:{PASSWORD}@{at}") as client:
        for command in ("CONFIG GET *", "FLUSHALL", "ACL LIST", "KEYS *", "SHUTDOWN", "REPLICAOF NO ONE"):
            with pytest.raises(NoPermissionError):
                client.execute_command(*command.split())


def test_each_server_does_what_it_is_there_for(address: tuple[str, str]) -> None:
    name, at = address
    if name == "cache":
        entry = configured(f"rediscache://hallu:{PASSWORD}@{at}/0", seconds=GIVEN_UP_AFTER)
        cache = RedisCache(entry["LOCATION"], {"OPTIONS": entry["OPTIONS"]})
        assert cache.add("n", 1, 60)
        assert cache.incr("n", 2) == 3
        cache.set("kept", [1, {"a": None}], 60)
        assert cache.get_many(["n", "kept"]) == {"n": 3, "kept": [1, {"a": None}]}
        assert cache.delete("kept")
    else:
        url = f"redis://hallu:{PASSWORD}@{at}/0"
        with kombu.Connection(url, transport_options=transport_options(url)) as connection:
            queue = connection.SimpleQueue("fast")
            queue.put({"run": 1})
            message = queue.get(timeout=30)
            assert message.payload == {"run": 1}
            message.ack()
            channel: Any = connection.default_channel  # kombu's types know only what all transports have
            channel.exchange_declare("celery.pidbox", type="fanout")
            queue.close()
