"""The web process behind the nginx that is shipped: what is sent half, or taken slowly, stops nobody else."""

import json
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.faults.processes import wait_until
from tests.faults.served import Asked, Site, served, submission
from tests.moving.shipped import COMPOSE, ROOT, SERVICES
from tests.product import free_port

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("SEC-22"),
    pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not there: apt install nginx-light"),
]

SHIPPED = ROOT / "deploy" / "nginx.conf"
CLIENT, ATTACKER, CROWD = "127.0.0.2", "127.0.0.3", "127.0.0.4"
HALF = 50
MOST = int(re.findall(r"limit_conn addresses (\d+);", SHIPPED.read_text())[0])


def put(text: str, there: str, here: str) -> str:
    assert there in text, there
    return text.replace(there, here)


@contextmanager
def nginx(log: Path, application: int) -> Iterator[int]:
    """What is shipped, in front of the application at that port; gives its own, once it listens there."""
    port = free_port()
    with TemporaryDirectory() as folder, log.open("w") as told:
        Path(folder).chmod(0o755)  # started by root it becomes somebody else
        text = put(SHIPPED.read_text(), "/tmp/", f"{folder}/")
        text = put(text, "server web:8000 ", f"server 127.0.0.1:{application} ")
        text = put(text, "listen 8080;", f"listen 127.0.0.1:{port};")
        text = put(text, "/dev/stdout", f"{folder}/requests.log")
        configuration = Path(folder) / "nginx.conf"
        configuration.write_text(text)
        command = ["nginx", "-c", str(configuration), "-g", "daemon off;"]
        started = subprocess.Popen(command, stdout=told, stderr=told)

        def listens() -> bool:
            assert started.poll() is None, log.read_text()
            with closing(socket.socket()) as tried:
                return tried.connect_ex(("127.0.0.1", port)) == 0

        try:
            wait_until(listens, log)
            yield port
        finally:
            started.terminate()
            started.wait()


class Front:
    """The site behind nginx, asked from an address of one's own."""

    def __init__(self, site: Site, port: int) -> None:
        self.site, self.port = site, port

    def ask(self, asked: Asked, source: str = CLIENT, **more: str) -> tuple[int, Any, bytes]:
        """Status, headers and body."""
        link = HTTPConnection("127.0.0.1", self.port, source_address=(source, 0))
        headers = self.site.headers[asked.who] | {
            name.replace("_", "-"): value for name, value in more.items()
        }
        with closing(link):
            link.request(asked.method, asked.path, asked.body, headers)
            got = link.getresponse()
            return got.status, got.headers, got.read()

    def send(self, stack: ExitStack, sent: str, source: str) -> socket.socket:
        """A connection on which this was sent, and no more."""
        opened = stack.enter_context(socket.socket())
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.bind((source, 0))
        opened.connect(("127.0.0.1", self.port))
        opened.sendall(sent.encode())
        return opened

    def half_a_body(self) -> str:
        key = self.site.headers["key"]["Authorization"]
        return f'POST /api/v1/answers/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: {key}\r\nContent-Length: 90\r\n\r\n{{"ans'


@pytest.fixture
def front(tmp_path: Path) -> Iterator[Front]:
    with (
        served(tmp_path / "web.log", HALLU_BEHIND_PROXY="true") as site,
        nginx(tmp_path / "nginx.log", site.port) as port,
    ):
        yield Front(site, port)


def test_what_is_sent_half_or_taken_slowly_stops_nobody_else(front: Front) -> None:
    with ExitStack() as stack:
        for _ in range(HALF):
            front.send(stack, "GET /queue/ HTTP/1.1\r\nHost: loc", ATTACKER)
            front.send(stack, front.half_a_body(), ATTACKER)
            front.send(stack, "GET /api/v1/schema/ HTTP/1.1\r\nHost: localhost\r\n\r\n", CROWD)
        for number in range(6):
            assert front.ask(submission(number))[0] == 202
            assert front.ask(Asked("GET", "/queue/"))[0] == 200
            assert front.ask(Asked("GET", "/healthz", "nobody"))[0] == 200

        # One address holds no more than its share.
        answer = front.ask(Asked("GET", "/healthz", "nobody"))

        def is_refused() -> bool:
            """All of them at once: those that stand still are closed after some seconds."""
            nonlocal answer
            with ExitStack() as share:
                for _ in range(MOST):
                    front.send(share, front.half_a_body(), ATTACKER)
                answer = front.ask(Asked("GET", "/api/v1/answers/", "key"), ATTACKER)
            return answer[0] == 429

        wait_until(is_refused)
        _, headers, told = answer
        assert headers["Content-Type"] == "application/problem+json"
        assert json.loads(told)["instance"] == "/api/v1/answers/"
        assert front.ask(Asked("GET", "/queue/"))[0] == 200


def test_the_application_sees_who_asks_how_and_under_which_number(front: Front) -> None:
    wrong = {"Authorization": "Bearer wrong", "X_Forwarded_For": "9.9.9.9", "X_Request_ID": "mine-1"}
    status, headers, _ = front.ask(Asked("GET", "/api/v1/answers/", "key"), **wrong)
    assert (status, headers["X-Request-ID"]) == (401, "mine-1")
    told = f"request=mine-1 refused status=401 method=GET path='/api/v1/answers/' by=nobody address={CLIENT}"
    wait_until(lambda: told in front.site.log.read_text(), front.site.log)
    # A proxy before this one says how the client came; the metrics are open to this machine alone, and not through one.
    assert front.ask(Asked("GET", "/metrics", "nobody"))[0] == 403


def test_a_body_over_the_limit_gets_a_problem_from_either(front: Front) -> None:
    for size in (16 * 1024 * 1024 + 1, 18 * 1024 * 1024):
        status, headers, told = front.ask(Asked("POST", "/api/v1/answers/", "key", "x" * size))
        assert (status, headers["Content-Type"]) == (413, "application/problem+json")
        assert json.loads(told)["type"] == "urn:hallu:problem:too-large"


def test_while_the_application_is_away_a_problem_says_so(tmp_path: Path) -> None:
    with (
        nginx(tmp_path / "nginx.log", free_port()) as port,
        closing(HTTPConnection("127.0.0.1", port)) as link,
    ):
        link.request("GET", "/api/v1/answers/")
        got = link.getresponse()
        status, headers, told = got.status, got.headers, got.read()
        assert (status, headers["Content-Type"], headers["Retry-After"]) == (
            503,
            "application/problem+json",
            "5",
        )
        assert json.loads(told)["status"] == 503


def test_the_compose_file_puts_it_in_front_of_the_service_that_it_names() -> None:
    (at,) = re.findall(r"server (\w+):(\d+) ", SHIPPED.read_text())
    assert at == ("web", "8000")
    assert SERVICES["proxy"]["configs"] == [{"source": "nginx", "target": "/etc/nginx/nginx.conf"}]
    assert (ROOT / COMPOSE["configs"]["nginx"]["file"]) == SHIPPED
    assert all(port.endswith(":8080") for port in SERVICES["proxy"]["ports"])
    assert not SERVICES["web"].get("ports")
    assert SERVICES["proxy"]["read_only"]
