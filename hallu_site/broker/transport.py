"""``djangodb://``: a Celery broker that needs no service, its messages being rows of the database.

Made for one machine (see docs/adr/0002 for what was measured beside it). A message is fetched by claiming
it for ``visibility_timeout`` seconds and deleted when it is acknowledged; a worker killed in between
leaves it to the next one. Queues are first in, first out.
"""

import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from queue import Empty
from time import monotonic
from typing import Any

from django.db import Error, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from kombu.transport import base, virtual

from hallu_site.models import BrokerMessage

ANY = f"SELECT 1 FROM {BrokerMessage._meta.db_table} WHERE queue = %s AND visible_at <= %s LIMIT 1"  # noqa: S608  # our own name
"""Asked by every idle worker at every poll: as a query of the ORM, made anew each time, it took ten times as long."""


def _waits(queue: str, now: datetime) -> bool:
    """Whether a message of the queue can be fetched."""
    with connection.cursor() as cursor:
        cursor.execute(ANY, [queue, connection.ops.adapt_datetimefield_value(now)])
        return cursor.fetchone() is not None


def _delivered(tag: str) -> QuerySet[BrokerMessage]:
    """The message of a delivery tag (``row.delivery``), unless it was delivered anew meanwhile."""
    pk, delivery = tag.split(".")
    return BrokerMessage.objects.filter(pk=int(pk), deliveries=int(delivery))


class Channel(virtual.Channel):
    """Reads and writes messages; all state is in the rows, none in the process."""

    connection: Any
    visibility_timeout: float = 60.0
    from_transport_options = (*virtual.Channel.from_transport_options, "visibility_timeout")

    def _put(self, queue: str, message: Mapping[str, Any], **_: Any) -> None:
        BrokerMessage.objects.create(queue=queue, payload=message, visible_at=timezone.now())

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        now = timezone.now()
        try:
            # A plain look first: an idle poll must not take SQLite's one write lock.
            message = self._claim(queue, now) if _waits(queue, now) else None
        except Error:
            connection.close()
            raise
        if message is None:
            raise Empty
        payload: dict[str, Any] = message.payload
        payload["properties"]["delivery_tag"] = f"{message.pk}.{message.deliveries}"
        return payload

    @transaction.atomic
    def _claim(self, queue: str, now: datetime) -> BrokerMessage | None:
        visible = BrokerMessage.objects.filter(queue=queue, visible_at__lte=now)
        message = visible.select_for_update(skip_locked=True).order_by("id").first()
        if message:
            message.visible_at = now + timedelta(seconds=self.visibility_timeout)
            message.deliveries += 1
            message.save(update_fields=["visible_at", "deliveries"])
        return message

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """Delete the message; a worker thread calls this when its task has ended."""
        _delivered(delivery_tag).delete()
        super().basic_ack(delivery_tag, multiple)
        self.connection.woken.set()

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Give the message back at its old place in the queue, or drop it."""
        if not requeue:
            _delivered(delivery_tag).delete()
        super().basic_reject(delivery_tag, requeue)

    def _restore(self, message: virtual.Message) -> None:
        _delivered(str(message.delivery_tag)).update(visible_at=timezone.now())

    def _size(self, queue: str) -> int:
        """Messages that wait; those being worked on do not count, as with other brokers."""
        return BrokerMessage.objects.filter(queue=queue, visible_at__lte=timezone.now()).count()

    def _purge(self, queue: str) -> int:
        return BrokerMessage.objects.filter(queue=queue).delete()[0]


class Transport(virtual.Transport):
    """Polls every ``polling_interval`` seconds, at once after an acknowledgement."""

    Channel = Channel
    cycle: Any
    polling_interval = 0.05
    driver_type = driver_name = "djangodb"
    connection_errors = (*base.Transport.connection_errors, Error)
    channel_errors = base.Transport.channel_errors
    implements = virtual.Transport.implements.extend(exchange_type=frozenset(["direct"]))

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__(client, **options)
        self.woken = threading.Event()

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """Deliver one message; raises ``TimeoutError`` when none came within ``timeout`` seconds."""
        end = None if timeout is None else monotonic() + timeout
        while True:
            self.woken.clear()
            with suppress(Empty):
                self.cycle.get(self._deliver, timeout=timeout)
                return
            if end is not None and monotonic() >= end:
                raise TimeoutError
            # An ended task makes room for the next message: waiting out the poll would cap the throughput.
            self.woken.wait(self.polling_interval)

    def driver_version(self) -> str:
        """This transport has no driver but Django."""
        return "1"
