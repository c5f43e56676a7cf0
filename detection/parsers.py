"""Reading a request's JSON so that nothing malformed gets further than this.

What JSON leaves to the reader is refused here with the place named: ``NaN`` and ``Infinity``, numbers beyond
a float, keys given twice, nesting deeper than any body of this API, NUL characters and lone surrogates
(neither can be stored in PostgreSQL, nor sent back as UTF-8).
"""

import codecs
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any, NoReturn

from django.conf import settings
from rest_framework.exceptions import ParseError, UnsupportedMediaType, ValidationError
from rest_framework.parsers import BaseParser

from detection.problems import TooLarge

DEEPEST = 64
CHUNK = 64 * 1024
MOST_DISCARDED = 64 * 1024 * 1024
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class StrictJSONParser(BaseParser):
    """``application/json`` in UTF-8, within ``DATA_UPLOAD_MAX_MEMORY_SIZE`` bytes.

    Raises a 400 for what is not JSON, 413 without keeping a body that is too large, 415 for another
    encoding, 422 naming the field that holds characters which cannot be stored.
    """

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The body as Python values."""
        request = (parser_context or {})["request"]
        _refuse_size(request.META, stream)
        _refuse_charset(media_type or "")
        parsed = loads(_whole(request.META, stream))
        unstorable = {path: [fault] for path, fault in faults(parsed)}
        if unstorable:
            raise ValidationError(unstorable)
        return parsed


def _refuse_size(meta: Mapping[str, Any], stream: IO[Any]) -> None:
    limit, size = settings.DATA_UPLOAD_MAX_MEMORY_SIZE, int(meta.get("CONTENT_LENGTH") or 0)
    if limit is None or size <= limit:
        return
    # Most clients send all of a body before they read; closed on earlier, they would never see the 413.
    for _ in range(0, min(size, MOST_DISCARDED), CHUNK):
        stream.read(CHUNK)
    raise TooLarge(f"The body is larger than {limit} bytes.")


def _whole(meta: Mapping[str, Any], stream: IO[Any]) -> bytes:
    """The body, all of it. Raises :class:`ParseError` where it ends too early."""
    size, body = int(meta.get("CONTENT_LENGTH") or 0), bytes(stream.read())
    if len(body) < size:
        raise ParseError(f"The body ended after {len(body)} of {size} bytes, or did not come in time.")
    return body


def _refuse_charset(media_type: str) -> None:
    named = re.search(r"charset\s*=\s*\"?([\w.-]+)", media_type, re.IGNORECASE)
    if named and named[1].lower() not in ("utf-8", "utf8"):
        raise UnsupportedMediaType(media_type, "JSON is read as UTF-8 only.")


def loads(body: bytes) -> Any:
    """JSON text as Python values. Raises :class:`ParseError` with the reason for anything else."""
    if body.startswith(codecs.BOM_UTF8):
        raise ParseError("The body starts with a byte order mark; send UTF-8 without one.")
    try:
        return json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_each_key_once,
            parse_float=_finite,
            parse_constant=_no_constant,
        )
    except UnicodeDecodeError as error:
        raise ParseError(f"The body is not UTF-8: byte {error.start} cannot be read.") from error
    except json.JSONDecodeError as error:
        raise ParseError(f"The body is not JSON: {error}.") from error
    except RecursionError as error:
        raise ParseError(f"The body is nested deeper than {DEEPEST} levels.") from error
    except ValueError as error:  # an integer with more digits than Python reads
        raise ParseError(f"The body holds a number that cannot be read: {error}.") from error


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]  # add returns None
        raise ParseError(f"The key {escaped(twice)!r} is given twice in one object.")
    return built


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ParseError(f"The number {digits[:40]} is too large.")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ParseError(f"{name} is not JSON.")


def faults(parsed: Any) -> Iterator[tuple[str, str]]:
    """(path, what is wrong) for each text or key that cannot be stored.

    Raises :class:`ParseError` when the values are nested deeper than :data:`DEEPEST`.
    """
    waiting: list[tuple[str, Any, int]] = [("", parsed, 0)]
    while waiting:
        path, value, depth = waiting.pop()
        if depth > DEEPEST:
            raise ParseError(f"The body is nested deeper than {DEEPEST} levels.")
        if isinstance(value, str):
            if UNSTORABLE.search(value):
                yield path or "body", _fault(value)
        elif isinstance(value, dict):
            for key, inner in value.items():
                inside = f"{path}.{escaped(key)}" if path else escaped(key)
                if UNSTORABLE.search(key):
                    yield inside, _fault(key)
                waiting.append((inside, inner, depth + 1))
        elif isinstance(value, list):
            waiting.extend((f"{path}[{n}]", inner, depth + 1) for n, inner in enumerate(value))


def _fault(text: str) -> str:
    found = UNSTORABLE.search(text)
    at = found.start() if found else 0
    if text[at] == "\x00":
        return f"A NUL character stands at position {at}."
    return f"Half of a surrogate pair stands at position {at}."


def escaped(text: str) -> str:
    """``text`` with everything that cannot be sent back written as an escape."""
    return UNSTORABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)[:200]
