"""What processor time does taking in one answer take? In this process, through the WSGI application:

    python -m benchmarks.posting [--posts 600] [--profile 40]

Fills a database of its own, that of ``DATABASE_URL`` under a test name or a SQLite file, posts typical answers
(:mod:`benchmarks.load`) and prints milliseconds of CPU for each: of the whole process, whose publisher sends a message to
the broker meanwhile, and of the thread that answers. With the statements that the database is asked, and ``--profile``
the functions that take most. The middle of ten blocks: a collection of garbage or a busy neighbour moves a few of them.
"""

import argparse
import cProfile
import io
import itertools
import json
import pstats
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any

from benchmarks.load import submission, texts
from benchmarks.own_database import own_database

BLOCKS = 10
WARM = 50


def environ(sent: bytes, key: str) -> dict[str, Any]:
    """A WSGI environment as gunicorn makes it."""
    return {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/api/v1/answers/",
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(sent)),
        "HTTP_HOST": "localhost:8000",
        "HTTP_ACCEPT": "*/*",
        "HTTP_AUTHORIZATION": f"Bearer {key}",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(sent),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }


def poster(key: str) -> Callable[[bytes], None]:
    """Posts one body through the application. Raises :class:`RuntimeError` for any answer but a 202."""
    from hallu_site.wsgi import application

    def post(sent: bytes) -> None:
        said: list[str] = []
        response = application(environ(sent, key), starting(said))
        told = b"".join(response)
        response.close()
        if not said[0].startswith("202"):
            raise RuntimeError(f"{said[0]}: {told[:500]!r}")

    return post


def starting(said: list[str]) -> Any:
    """What an application calls with its status, which is put into ``said``."""
    return lambda status, _headers, _fault=None: said.append(status)


def blocks(post: Callable[[bytes], None], sent: list[bytes]) -> Iterator[tuple[float, float]]:
    """Milliseconds of CPU a POST, of the process and of this thread, of each tenth."""
    size = len(sent) // BLOCKS
    for n in range(BLOCKS):
        whole, own = time.process_time(), time.thread_time()
        for each in sent[n * size : (n + 1) * size]:
            post(each)
        yield (time.process_time() - whole) / size * 1000, (time.thread_time() - own) / size * 1000


def statements(post: Callable[[bytes], None], sent: bytes) -> list[str]:
    """What one POST asks of the database."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as asked:
        post(sent)
    return [str(each["sql"]) for each in asked.captured_queries]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--posts", type=int, default=600)
    parser.add_argument("--profile", type=int, default=0, metavar="LINES", help="print the dearest functions")
    parser.add_argument("--statements", action="store_true", help="print what the database is asked")
    chosen = parser.parse_args()
    with own_database() as vendor:
        from detection.models import ApiKey

        _, key = ApiKey.issue("posting", ["submit"], all_properties=True)
        typical = itertools.islice(itertools.cycle(texts()), chosen.posts)
        post, sent = poster(key), [json.dumps(submission(text)).encode() for text in typical]
        for each in sent[:WARM]:
            post(each)
        profile = cProfile.Profile() if chosen.profile else None
        with profile or nullcontext():
            measured = list(blocks(post, sent))
        asked = statements(post, sent[0])
        whole, own = (statistics.median(times) for times in zip(*measured, strict=True))
        print(
            f"{vendor}: {chosen.posts} POSTs of {len(sent[0])} bytes: {whole:.2f} ms CPU a POST, "
            f"{own:.2f} of them where it is answered; {len(asked)} statements"
        )
        if chosen.statements:
            print("\n".join(each[:300] for each in asked))
        if profile:
            pstats.Stats(profile).sort_stats("cumtime").print_stats(chosen.profile)
    return 0


if __name__ == "__main__":
    sys.exit(main())
