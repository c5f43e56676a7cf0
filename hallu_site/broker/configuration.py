"""How Celery runs here. Read lazily by :mod:`hallu_site.celery`; lower-case names are Celery's own.

A task is at most a hint at a row: it may be lost, doubled or late and no answer is. So acknowledgement
is late, a lost worker gives its message back, nothing is kept as a result and messages carry ids only.
"""

from typing import Any

from django.conf import settings
from kombu import Queue
from kombu.transport import TRANSPORT_ALIASES

TRANSPORT_ALIASES["djangodb"] = "hallu_site.broker.transport:Transport"


def transport_options(url: str) -> dict[str, Any]:
    """What the worker's connection needs for the broker at ``url``."""
    if url.startswith("djangodb"):
        return {"polling_interval": 0.05, "visibility_timeout": 60}
    if url.startswith("redis"):
        # A message given to a second worker meanwhile finds its run held. Unacknowledged messages of a dead worker are
        # looked for at every fifth second; by default it is every hundredth.
        return {"visibility_timeout": 120, "unacked_restore_interval": 5, "unacked_restore_throttle": 1}
    return {}


broker_url = settings.CELERY_BROKER_URL
broker_transport_options = transport_options(broker_url)
broker_connection_timeout = 2.0
broker_connection_retry_on_startup = True
broker_connection_max_retries = None

task_serializer = "json"
accept_content = ["json"]
task_ignore_result = True
task_store_errors_even_if_ignored = False
result_backend = None

task_queues = [Queue(name) for name in ("fast", "verify", "large", "detect", "detect_verify")]
task_default_queue = "fast"
task_create_missing_queues = False
task_acks_late = True
task_reject_on_worker_lost = True
# Against what hangs alone: what computes for too long is ended by its CPU time (detection/operations/cpu_time.py), which a
# busy machine does not use up. Celery holds these on the prefork pool, by the clock; on threads the watchdog does.
task_annotations = {
    "reviews.screen": {"time_limit": 120},
    "reviews.verify": {"time_limit": 120},
    "reviews.judge_large": {"time_limit": 1200},
    "reviews.detect": {"time_limit": 120},
    "reviews.settle_demo": {"time_limit": 120},
    "reviews.answer_strictly": {"soft_time_limit": 100, "time_limit": 110},
}

worker_prefetch_multiplier = 1
worker_max_tasks_per_child = 5000  # Celery may notice the end of one up to five seconds late
worker_max_memory_per_child = 400_000
worker_cancel_long_running_tasks_on_connection_loss = True
worker_hijack_root_logger = False
# The embedded broker has no broadcast, which remote control is made of.
worker_enable_remote_control = not settings.EMBEDDED_BROKER
