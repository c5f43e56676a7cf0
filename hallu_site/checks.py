"""System checks of what several settings together get wrong: how long something is waited for or held, and a broker that
may forget. Each contradiction costs time and no answer, so it is a warning."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, register
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from detection.observing.progress import TOO_OLD
from detection.operations.checks import BROKER_SETTINGS, INSTALLATION

SHORTEST_LEASE = 2
"""Seconds: a lease is prolonged whenever a third of it has passed, which a busy machine does not do to the moment."""
HEARTBEAT = 60
"""Seconds between two signs of life from the page of a review (``PULSE`` of static/lease.js)."""
BROKER_SECONDS = 0.5
"""How long the broker is waited for."""


@register(INSTALLATION)
def times_fit_together(**_given: Any) -> list[CheckMessage]:
    """What waits gives up before it is ended, and what is held stays held between two signs of life."""
    return [checks.Warning(what, hint=hint, id="hallu_site.W001") for what, hint in _contradictions()]


def _contradictions() -> Iterator[tuple[str, str]]:
    from hallu_site.broker import configuration  # only a process that speaks to the broker needs it

    limits = configuration.task_annotations
    lease, sweep = settings.RUN_LEASE_SECONDS, settings.SWEEP_SECONDS
    timeout, detect = settings.HALLUCINATION["timeout"], settings.HALLU_DETECT_SECONDS
    screen, asked = limits["reviews.verify"]["time_limit"], limits["reviews.detect"]["time_limit"]
    if timeout >= screen:
        yield (
            f"A verifier is waited for up to {timeout:g} s, but its worker is ended after {screen} s.",
            f"Set HALLU_VERIFIER_TIMEOUT to less than {screen}.",
        )
    if detect >= asked:
        yield (
            f"answers:detect waits up to {detect} s, but its worker is ended after {asked} s.",
            f"Set HALLU_DETECT_SECONDS to less than {asked}.",
        )
    if lease < SHORTEST_LEASE:
        yield (
            f"A run is held for {lease} s, too short to be prolonged in time.",
            f"Set HALLU_RUN_LEASE_SECONDS to {SHORTEST_LEASE} or more.",
        )
    if lease + sweep >= TOO_OLD.total_seconds():
        yield (
            f"What a dead worker held is taken up after {lease + sweep} s, but the alarm comes after {TOO_OLD.seconds}.",
            "Lower HALLU_RUN_LEASE_SECONDS or HALLU_SWEEP_SECONDS.",
        )
    if settings.REVIEW_LEASE_SECONDS <= HEARTBEAT:
        yield (
            f"A review is held for {settings.REVIEW_LEASE_SECONDS} s, but its page says only every {HEARTBEAT} s that"
            " somebody is there.",
            f"Set HALLU_REVIEW_LEASE_SECONDS to more than {HEARTBEAT}.",
        )


@register(BROKER_SETTINGS)
def broker_evicts_nothing(**_given: Any) -> list[CheckMessage]:
    """A Redis that makes room by forgetting messages does not say so. One that is away, or that tells its settings to
    administrators alone, is no fault here."""
    policy = _eviction_policy(settings.CELERY_BROKER_URL)
    if policy in ("", "noeviction"):
        return []
    return [
        checks.Warning(
            f"The broker may forget messages when its memory is full: its maxmemory-policy is {policy}.",
            hint="Set maxmemory-policy to noeviction.",
            id="hallu_site.W002",
        )
    ]


def _eviction_policy(url: str) -> str:
    """The ``maxmemory-policy`` of a Redis; nothing of what is no Redis, is away or does not say."""
    if not url.startswith(("redis://", "rediss://")):
        return ""
    bounds = {"socket_timeout": BROKER_SECONDS, "socket_connect_timeout": BROKER_SECONDS}
    try:
        with Redis.from_url(url, retry=Retry(NoBackoff(), 0), **bounds) as client:
            return str(client.info("memory").get("maxmemory_policy", ""))
    except (OSError, RedisError, ValueError):  # the last of an address that only Celery understands
        return ""
