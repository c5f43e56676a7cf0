"""Logs that a machine can read and that hold nobody's texts (SPEC-08.41).

Every message is an event's name and ``key=%s`` pairs: ``log.info("run_concluded run=%s level=%s", …)``. As lines it is
written so; as JSON each pair is a member of its own. Texts of answers and sources are given as
``extra=text(…)`` and written only where the settings allow it; so are the messages of exceptions, which may quote them.
"""

import json
import logging
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError

PAIR = re.compile(r"(?:(\w+)=)?%[-#0 +]*\d*(?:\.\d+)?[a-zA-Z]")
TEXTLESS = (OSError, OperationalError, InterfaceError)
"""Exceptions whose messages are about machines."""

_request: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """The id of the request that this thread works for; empty when it works for none."""
    return _request.get()


@contextmanager
def working_for(request: str) -> Iterator[None]:
    """Work for a request: its id stands in every log record meanwhile."""
    token = _request.set(request)
    try:
        yield
    finally:
        _request.reset(token)


def text(words: str) -> dict[str, str]:
    """What a record may hold of a text: nothing, unless the settings allow it."""
    return {"text": words} if settings.LOG_TEXT else {}


class Lines(logging.Formatter):
    """A line for each record: time, level, logger, request, message."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, with the traceback below it."""
        request = f" request={request_id()}" if request_id() else ""
        words = f" text={record.text!r}" if hasattr(record, "text") else ""
        line = f"{_time(record)} {record.levelname} {record.name}{request} {_message(record)}{words}"
        return "\n".join([line, *_traceback(record)])


class Json(logging.Formatter):
    """A JSON object for each record, its ``key=%s`` pairs as members."""

    def format(self, record: logging.LogRecord) -> str:
        """The object, on one line."""
        message = _message(record)
        shown = {"time": _time(record), "level": record.levelname, "logger": record.name}
        shown |= {"request": request_id()} if request_id() else {}
        shown |= {"event": message.partition(" ")[0], "message": message}
        shown |= {"text": record.text} if hasattr(record, "text") else {}
        shown |= {"traceback": "\n".join(told)} if (told := _traceback(record)) else {}
        return json.dumps({**_pairs(record), **shown}, default=str, ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _message(record: logging.LogRecord) -> str:
    """The message; that of a failed task without its exception, which stands in the traceback."""
    failed = getattr(record, "data", None) if record.name == "celery.app.trace" else None
    if failed and record.exc_info:
        return f"task_failed task={failed.get('name')} args={failed.get('args')}"
    return record.getMessage()


def _pairs(record: logging.LogRecord) -> dict[str, Any]:
    """The named arguments of a message, by the names before them in its template."""
    if not isinstance(record.args, tuple) or not isinstance(record.msg, str):
        return {}
    names = PAIR.findall(record.msg.replace("%%", ""))
    return {name: _plain(value) for name, value in zip(names, record.args, strict=False) if name}


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | None) else str(value)


def _traceback(record: logging.LogRecord) -> list[str]:
    """The places of an exception and its causes, with their kinds; the message where it can quote no text."""
    error = record.exc_info[1] if record.exc_info else None
    lines: list[str] = []
    while error is not None:
        safe = settings.LOG_TEXT or isinstance(error, TEXTLESS)
        told = f"{type(error).__name__}: {error}" if safe else type(error).__name__
        lines = ["".join(traceback.format_tb(error.__traceback__)) + told, *lines]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return lines
