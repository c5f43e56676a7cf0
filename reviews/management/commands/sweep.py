"""``manage.py sweep``: finds pending work in the database, whatever became of its message.

Any number of sweepers may run: publishing a run twice is harmless, since only one worker can take it.
"""

import logging
import time
from argparse import ArgumentParser
from datetime import datetime, timedelta
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import Error, close_old_connections
from django.utils import timezone
from kombu.exceptions import ChannelError

from detection import facts, runs, spans
from detection.history import heads
from detection.models import DetectionRequest, DetectionRun, StrictAnswer
from detection.observing import totals
from detection.operations import patience
from detection.operations.checks import BROKER_SETTINGS, INSTALLATION
from detection.operations.optional import BROKER
from reviews.audit.histories import HISTORIES
from reviews.erasing import retention
from reviews.lifecycle import owing, publishing
from reviews.models import HallucinationReview, Lease
from reviews.tuning.replay import blocks

logger = logging.getLogger(__name__)

GRACE_SECONDS = 5
AHEAD = 500
SHADOW = DetectionRun.Purpose.SHADOW
QUEUES = sorted({queue for lane, (_, queue) in publishing.TASKS.items() if lane not in publishing.AWAITED})


def sweep(now: datetime) -> int:
    """Publish the oldest pending runs and strict answers, take back expired review leases, wake snoozed reviews, have
    judged again what is owed a verification, verify facts that wait for it, pack what was measured, delete frames of chunks that nobody asks
    for any more, push out the heads of histories, erase what is older than it is kept, and delete requests that nobody waits for any more;
    returns how many rows were published.

    Rows younger than a few seconds are left to their own message. Shadow runs have none and come after all others.
    """
    Lease.expire(now)
    HallucinationReview.wake_due(now)
    owing.pay(now)
    totals.keep_up(now)
    published = _publish(now)
    facts.verify_due(now)
    blocks.keep_up()
    runs.forget(now)
    heads.push(HISTORIES, settings.AUDIT_HEADS, now)
    retention.sweep(now)
    DetectionRequest.forget_late(now)
    return published


def _publish(now: datetime) -> int:
    left = DetectionRun.take_back(now, AHEAD)  # however many messages wait: theirs is gone
    for run in left:
        publishing.publish(run)
    return len(left) + _publish_late(now)


def _publish_late(now: datetime) -> int:
    grace = now - timedelta(seconds=GRACE_SECONDS)
    late_runs = DetectionRun.pending(now).filter(created_at__lt=grace).order_by("id")
    asked = StrictAnswer.pending(now).filter(created_at__lt=grace).order_by("created_at")
    room = _room(now) if late_runs.exists() or asked.exists() else 0
    late = list(late_runs.exclude(purpose=SHADOW)[:room])
    late += late_runs.filter(purpose=SHADOW)[: room - len(late)]
    for run in late:
        noted = {"hallu.run": run.pk, "hallu.attempts": run.attempts}
        with spans.span("publish again", noted, parent=run.traceparent):
            publishing.publish(run)
    late_answers = list(asked[: room - len(late)])
    for row in late_answers:
        publishing.publish_strict(row)
    return len(late) + len(late_answers)


def _room(now: datetime) -> int:
    """How many messages are wanting: one for each pending row, :data:`AHEAD` at most.

    A long backlog whose messages are all there gets no second ones. Which run a waiting message is for is
    not looked at: a run whose message is lost becomes the oldest in time.
    """
    pending = sum(model.pending(now).order_by()[:AHEAD].count() for model in (DetectionRun, StrictAnswer))
    return max(0, min(AHEAD, pending) - _waiting())


def _waiting() -> int:
    """Messages that wait in the broker; as good as full while it is away."""
    return BROKER.ask(_counted, AHEAD)


def _counted() -> int:
    with current_app.connection_for_write(
        transport_options=publishing.options(), connect_timeout=0.3
    ) as connection:
        return sum(_depth(connection.default_channel, queue) for queue in QUEUES)


def _depth(channel: Any, queue: str) -> int:
    try:
        return int(channel.queue_declare(queue, passive=True).message_count)
    except ChannelError:
        return 0  # Redis keeps no empty queue


class Command(BaseCommand):
    """Sweeps every ``SWEEP_SECONDS`` until told to stop."""

    help = "Publish pending work again, take back expired review leases and wake snoozed reviews."
    requires_system_checks = (INSTALLATION, BROKER_SETTINGS)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """``--once`` for cron."""
        parser.add_argument("--once", action="store_true", help="Sweep once and end.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Sweep; a fault of the database costs one round, not the process."""
        if options["once"]:
            self.stdout.write(f"{sweep(timezone.now())} pending rows published.")
            return
        patience.limit("worker")
        spans.start("sweep")
        while True:
            try:
                sweep(timezone.now())
            except Error:
                logger.exception("sweep_failed")
            close_old_connections()
            time.sleep(settings.SWEEP_SECONDS)
