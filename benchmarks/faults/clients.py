"""Backends that submit answers over HTTP and try again until each is taken in."""

import http.client
import itertools
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

SECONDS = 15.0
"""How long a client waits for a response before it tries again."""
LONGEST_PAUSE = 2.0
SOURCE = "Net operating income of the property for Q3 2024 was ${figure}. Occupancy was 95.2%. The roof of house {number} was replaced."
ANSWERS = (
    "Net operating income was ${figure} in Q3 2024 [S0]. Occupancy was 95.2% [S0].",
    "Net operating income was ${figure} in Q3 2024 [S0]. The roof of house {number} was replaced [S0].",
    "Net operating income was $9,{figure} in Q3 2024 [S0]. Occupancy was 91.2% [S0]. The tenant of house {number} left.",
)
A_LARGE_ONE = 400
"""Every so manieth answer is large: its sources take a lane of their own."""
LARGE_CHARACTERS = 1_000_000


def submission(number: int) -> dict[str, object]:
    """The answer of that number; no two say the same."""
    said = {
        "figure": f"{100 + number % 900},{number // 900 % 1000:03},{number % 1000:03}.00",
        "number": number,
    }
    sources = [{"id": "S0", "text": SOURCE.format(**said)}]
    if number % A_LARGE_ONE == A_LARGE_ONE - 1:
        sources.append({"id": "S1", "text": "The garden is kept well. " * (LARGE_CHARACTERS // 25)})
    return {
        "external_id": f"a-{number}",
        "answer": ANSWERS[number % len(ANSWERS)].format(**said),
        "sources": sources,
        "original_confidence": 0.9,
    }


@dataclass(slots=True)
class Ledger:
    """What the clients know: the id of each answer that got a 2xx, what else was said, how long each response took."""

    accepted: dict[int, str] = field(default_factory=dict)
    said: Counter[str] = field(default_factory=Counter)
    differing: list[int] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


class Clients:
    """``count`` clients that submit answers, and wait while :attr:`may_go_on` says no."""

    def __init__(
        self,
        port: int,
        key: str,
        *,
        answers: range,
        count: int,
        repeats: float = 0.05,
        says: Callable[[int], dict[str, object]] = submission,
    ) -> None:
        """``answers`` are the numbers of those that are submitted, each with the body that ``says`` tells; ``repeats`` is the
        share of them that are submitted again although they were taken in (F14)."""
        self.port, self.ledger, self._repeats, self._says = port, Ledger(), repeats, says
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self._numbers = iter(answers)
        self._lock = threading.Lock()
        self.may_go_on: Callable[[], bool] = lambda: True
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self._work, args=[n], daemon=True) for n in range(count)]

    def start(self) -> None:
        """Begin."""
        for thread in self.threads:
            thread.start()

    def done(self) -> bool:
        """Whether every answer was taken in."""
        return not any(thread.is_alive() for thread in self.threads)

    def _next(self) -> int | None:
        with self._lock:
            return next(self._numbers, None)

    def _work(self, seed: int) -> None:
        chance, connection = random.Random(seed), self._connection()
        while not self.over.is_set() and (number := self._next()) is not None:
            while not self.may_go_on() and not self.over.wait(0.05):
                pass
            connection = self._insist(connection, number, chance)
            if chance.random() < self._repeats:
                connection = self._insist(connection, number, chance)

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)

    def _insist(
        self, connection: http.client.HTTPConnection, number: int, chance: random.Random
    ) -> http.client.HTTPConnection:
        """Submit one answer until it is taken in or refused for good; a connection to go on with."""
        body = json.dumps(self._says(number))
        headers = self._headers | {"Idempotency-Key": f"k-{number}"}
        for attempt in itertools.count():
            if self.over.is_set():
                return connection
            begun = time.monotonic()
            try:
                connection.request("POST", "/api/v1/answers/", body, headers)
                response = connection.getresponse()
                status, said = response.status, response.read()
            except (OSError, http.client.HTTPException) as error:
                self._heard(type(error).__name__)
                connection.close()
                connection = self._connection()
            else:
                self._heard(str(status), time.monotonic() - begun)
                if status < 300:
                    self._took(number, json.loads(said)["id"])
                    return connection
                if status < 500 and status not in (409, 429):
                    self.ledger.refused.append(f"{status} {said[:200]!r}")
                    return connection
            self.over.wait(chance.uniform(0, min(LONGEST_PAUSE, 0.1 * 2 ** min(attempt, 6))))
        return connection

    def _heard(self, what: str, seconds: float | None = None) -> None:
        with self._lock:
            self.ledger.said[what] += 1
            if seconds is not None:
                self.ledger.seconds.append(seconds)

    def _took(self, number: int, answer: str) -> None:
        with self._lock:
            if self.ledger.accepted.setdefault(number, answer) != answer:
                self.ledger.differing.append(number)
