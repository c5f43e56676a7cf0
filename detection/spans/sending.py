"""Spans sent to an OTLP address in the background, by OpenTelemetry's own SDK, whose variables (``OTEL_…``) hold here too.

A receiver that is away, slow or full costs spans and nothing else: the queue is bounded, a batch has one second, and what
is not sent within it is dropped.
"""

import atexit
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Link, SpanKind, StatusCode, get_current_span
from opentelemetry.trace import Span as Opened
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from detection.spans import Kind, Noted, Parent, Span

log = logging.getLogger(__name__)

SECONDS = 1.0
"""For one batch; at its end a process has two to send at most."""
WAITING, BATCH, EVERY_MS = 1024, 512, 1000
LONGEST = 100
"""Characters of what is noted: enough for ids and names, too few for an answer."""

W3C = TraceContextTextMapPropagator()
KINDS = {
    "internal": SpanKind.INTERNAL,
    "server": SpanKind.SERVER,
    "client": SpanKind.CLIENT,
    "consumer": SpanKind.CONSUMER,
}


class _Sent(SpanExporter):
    """OpenTelemetry's exporter; the first of the failures in a row is logged, since it would log every one."""

    def __init__(self, address: str) -> None:
        self._inner = OTLPSpanExporter(endpoint=address, timeout=SECONDS)
        self._silent = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send a batch."""
        result = self._inner.export(spans)
        failed = result is not SpanExportResult.SUCCESS
        if failed and not self._silent:
            log.warning("spans_not_sent: the receiver of HALLU_TRACES did not take a batch of %d", len(spans))
        self._silent = failed
        return result

    def shutdown(self) -> None:
        """Send nothing more."""
        self._inner.shutdown()  # type: ignore[no-untyped-call]  # OpenTelemetry's


class _Going(Span):
    """A step that is going on."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    def note(self, noted: Noted) -> None:
        """Add what became known meanwhile."""
        self._opened.set_attributes(noted)

    def rename(self, name: str) -> None:
        """Give it another name."""
        self._opened.update_name(name)


class Sending:
    """Spans of one process and of those that it forks, sent to ``address``."""

    def __init__(self, address: str, process: str) -> None:
        self._provider = TracerProvider(
            resource=Resource.create({"service.name": "hallu"}).merge(Resource({"hallu.process": process})),
            span_limits=SpanLimits(max_span_attribute_length=LONGEST),
            shutdown_on_exit=False,
        )
        self._provider.add_span_processor(
            BatchSpanProcessor(
                _Sent(address),
                max_queue_size=WAITING,
                max_export_batch_size=BATCH,
                schedule_delay_millis=EVERY_MS,
            )
        )
        self._tracer = self._provider.get_tracer("hallu")
        atexit.register(self.stop)

    @contextmanager
    def span(self, name: str, noted: Noted, *, parent: Parent, kind: Kind, linked: bool) -> Iterator[_Going]:
        """One step; see :func:`detection.spans.span`."""
        here = get_current_span().get_span_context()
        with self._tracer.start_as_current_span(
            name,
            None if parent is None else _context_of(parent),
            kind=KINDS[kind],
            attributes=noted,
            links=[Link(here)] if linked and here.is_valid else [],
            record_exception=False,  # its message may quote the answer
            set_status_on_exception=False,
        ) as opened:
            try:
                yield _Going(opened)
            except BaseException as error:
                opened.set_attribute("error.type", type(error).__name__)
                opened.set_status(StatusCode.ERROR)
                raise

    def header(self) -> str:
        """The ``traceparent`` of the current span."""
        carrier: dict[str, str] = {}
        W3C.inject(carrier)
        return carrier.get("traceparent", "")

    def stop(self) -> None:
        """Send what waits, once."""
        atexit.unregister(self.stop)
        self._provider.shutdown()


def _context_of(parent: str | Callable[[], str]) -> Context:
    """The context of a ``traceparent``; an empty one, in which a trace begins, for what is none."""
    given = parent if isinstance(parent, str) else parent()
    return W3C.extract({"traceparent": given}, Context())
