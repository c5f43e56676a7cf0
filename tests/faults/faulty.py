"""Lets a worker's answers go wrong where they say so.

An answer that "dawdles" takes its time in every detector, one that "computes for ever" does that where its numbers are
compared, one that "hangs" never comes back from its slow detectors, one that "kills its worker" does, one that "takes all
memory" takes what its process may have.
"""

import os
import resource
import signal
import time
from types import SimpleNamespace
from typing import Any

from celery.signals import celeryd_init, worker_init, worker_process_init


def connect() -> None:
    """From now on, for a worker that starts in this process."""
    celeryd_init.connect(_limit)
    worker_init.connect(_let_detectors_fail)
    worker_process_init.connect(_limit_memory)


def _limit(conf: Any, **_: object) -> None:
    if limit := os.environ.get("FAULTY_HARD_LIMIT"):
        conf.task_annotations["reviews.screen"]["time_limit"] = int(limit)


def _limit_memory(**_: object) -> None:
    """Of a child of the pool, as a container limits it."""
    if megabytes := os.environ.get("FAULTY_MEMORY_MB"):
        resource.setrlimit(resource.RLIMIT_AS, (int(megabytes) << 20, resource.RLIM_INFINITY))


def go_wrong(text: str, detector: str) -> None:
    """Do what the answer's text says."""
    if "dawdles" in text:
        time.sleep(0.05)
    if "hangs" in text and detector in ("strawberry", "judge"):
        time.sleep(3600)
    if "takes all memory" in text:
        taken = []
        while True:
            taken.append(bytearray(1 << 20))
    if "kills its worker" in text:
        os.kill(os.getpid(), signal.SIGKILL)


def _let_detectors_fail(**_: object) -> None:
    from detection.core import pipeline  # only now are the apps loaded
    from detection.runs import steps
    from detection.verifiers.endpoints import circuit

    if os.environ.get("FAULTY_PATIENCE"):
        # One endpoint plays all faults at once: whatever a claim met, even as the probe after a pause, the next must be asked.
        circuit._is_the_endpoints = lambda failure: False

    measure, expires = pipeline.measure, steps._expires
    numeric = pipeline.DETECTORS["numeric"]

    def faulty(name: str, context: Any) -> Any:
        go_wrong(context.case.answer, name)
        return measure(name, context)

    def endless(context: Any) -> Any:
        while "computes for ever" in context.case.answer:
            pass
        return numeric.measure(context)

    pipeline.measure = faulty
    pipeline.DETECTORS["numeric"] = SimpleNamespace(measure=endless, decide=numeric.decide)
    if os.environ.get("FAULTY_CPU_SECONDS"):
        steps.DETECTOR_SECONDS = steps.LARGE_SECONDS = float(os.environ["FAULTY_CPU_SECONDS"])
    steps._expires = lambda clock, budget_ms: expires(clock, 60 * budget_ms)  # the machine may be busy
