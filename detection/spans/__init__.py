"""Spans of OpenTelemetry: what each step on the way of an answer takes, in the trace of whoever sent it.

Off unless ``HALLU_TRACES`` names where spans go: then a span is a block that does nothing, and what sends them
is not loaded. What is noted of a step are ids, lanes, states and counts, never words of an answer.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Literal, Protocol

from django.conf import settings

__all__ = [
    "NOTHING",
    "Kind",
    "Noted",
    "Parent",
    "Span",
    "header",
    "headers",
    "is_on",
    "span",
    "start",
    "stop",
]

Noted = Mapping[str, str | int | float | bool]
Kind = Literal["internal", "server", "client", "consumer"]
Parent = str | Callable[[], str] | None
"""A ``traceparent`` as W3C has it, or what gives one and is asked only where spans are on; empty: none, so that a trace
begins. None: the span that this thread is in."""


class Span:
    """A step that is going on; this one is of whoever has spans off, and tells nobody."""

    def note(self, noted: Noted) -> None:
        """Add what became known meanwhile."""

    def rename(self, name: str) -> None:
        """Give it the name that became known meanwhile."""


class Tracing(Protocol):
    """What :mod:`detection.spans.sending` does where spans are on."""

    def span(
        self, name: str, noted: Noted, *, parent: Parent, kind: Kind, linked: bool
    ) -> AbstractContextManager[Span]:
        """See :func:`span`."""
        ...

    def header(self) -> str:
        """See :func:`header`."""
        ...

    def stop(self) -> None:
        """See :func:`stop`."""
        ...


NOTHING = Span()
"""A step of which nobody is told."""
_OFF = nullcontext(NOTHING)
_tracing: Tracing | None = None


def start(process: str) -> None:
    """Send the spans of this process, which is a ``web``, a ``worker`` or a ``sweep``, where ``HALLU_TRACES`` says."""
    global _tracing
    if settings.TRACES and _tracing is None:
        from detection.spans.sending import Sending  # OpenTelemetry is loaded where it is used alone

        _tracing = Sending(settings.TRACES, process)


def stop() -> None:
    """Send what waits, for as long as :mod:`detection.spans.sending` allows, and be off."""
    global _tracing
    tracing, _tracing = _tracing, None
    if tracing:
        tracing.stop()


def is_on() -> bool:
    """Whether spans of this process are sent."""
    return _tracing is not None


def span(
    name: str,
    noted: Noted | None = None,
    *,
    parent: Parent = None,
    kind: Kind = "internal",
    linked: bool = False,
) -> AbstractContextManager[Span]:
    """A block that is one step. Of what it raises the kind alone is noted. ``linked`` names the span that this thread is in,
    where ``parent`` is of another trace."""
    if _tracing is None:
        return _OFF
    return _tracing.span(name, noted or {}, parent=parent, kind=kind, linked=linked)


def header() -> str:
    """The ``traceparent`` of the span that this thread is in; empty where it is in none."""
    return _tracing.header() if _tracing else ""


def headers() -> dict[str, str]:
    """What a request to somebody else takes along, so that what they do belongs to the trace."""
    given = header()
    return {"traceparent": given} if given else {}
