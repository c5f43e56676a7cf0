"""Whether the process lives, whether it can take an answer in, and whether answers get done.

``/healthz`` asks nobody, and gunicorn answers it without a thread (:mod:`hallu_site.liveness`).
"""

import uuid
from collections.abc import Iterator

from django.contrib.sessions.models import Session
from django.db import Error, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from detection.observing import progress
from detection.operations import optional
from hallu_site import startup

_migrated = False


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process answers at all."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when this process can take an answer in, 503 with what it lacks. A store that it goes without is named, and costs
    no readiness."""
    lacking = list(_lacking())
    without = [f"without {store}: {reason}" for store, reason in optional.left_alone().items()]
    lines = [*(lacking or ["ok"]), *without]
    return HttpResponse("\n".join([*lines, ""]), status=503 if lacking else 200, content_type="text/plain")


@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """200 while answers get done in every lane, 503 when the oldest waits too long or nothing moves; as JSON, with what was left out
    and what is owed."""
    now = timezone.now()
    try:
        lanes = progress.lanes(now)
        left_out, owed = progress.left_out(), progress.owed(now)
    except Error as error:
        return JsonResponse({"ok": False, "database": type(error).__name__}, status=503)
    fine = all(lane.fine for lane in lanes.values())
    told = {name: lane.told() for name, lane in lanes.items()}
    return JsonResponse(
        {"ok": fine, "lanes": told, "left_out": left_out, "owed": owed}, status=200 if fine else 503
    )


def _lacking() -> Iterator[str]:
    if startup.is_warming():
        yield "warming up"
    try:
        if waiting := _unapplied():
            yield f"migrations: {waiting} not applied"
        else:
            _write()
    except Error as error:
        yield f"database: {type(error).__name__}"


def _write() -> None:
    """Write a row and take it back: what can only be read takes nothing in."""
    with transaction.atomic():
        Session.objects.create(session_key=f"ready{uuid.uuid4().hex[:30]}", expire_date=timezone.now())
        transaction.set_rollback(True)


def _unapplied() -> int:
    """How many migrations this process knows and the database lacks; once there are none that holds."""
    global _migrated
    if _migrated:
        return 0
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    _migrated = not plan
    return len(plan)
