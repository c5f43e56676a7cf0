"""What is done to an installation: ``kill -9`` of each of its processes, workers that stand still, a broker that forgets."""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from benchmarks.installation import Installation, Owned, below

COMMANDS = {
    "web": ["web", "--concurrency", "2"],
    "fast": ["fast"],
    "verify": ["verify"],
    "large": ["large"],
    "lanes": ["fast", "verify", "large", "--concurrency", "2"],
    "sweep 1": ["sweep"],
    "sweep 2": ["sweep"],
}
"""The processes. Each lane has two workers, so that one can finish what another lost."""
EVERY_LANE = ["fast", "verify", "large", "--concurrency", "2"]
SMALL = {
    "web": ["web", "--concurrency", "2"],
    "lanes 1": EVERY_LANE,
    "lanes 2": EVERY_LANE,
    "sweep 1": ["sweep"],
    "sweep 2": ["sweep"],
}
"""Fewer, since each takes seconds to start."""


@dataclass(slots=True)
class Kill:
    """Something was broken at a time (seconds since the epoch) while these runs were held."""

    what: str
    at: float
    held: list[int] = field(default_factory=list)


class Breaker:
    """Breaks one thing after the other; in what order is told by the seed."""

    def __init__(
        self,
        there: Installation,
        own: Mapping[str, Owned],
        *,
        forget: Callable[[], None],
        held: Callable[[], list[int]],
        stands_still: float,
        chance: random.Random,
    ) -> None:
        """``forget`` empties the broker, ``held`` are the runs under way, ``stands_still`` the seconds for which a worker is
        stopped: longer than its lease."""
        self._there, self._own, self._forget, self._held = there, own, forget, held
        self._still, self._chance = stands_still, chance
        self._workers = [name for name in there.children if name != "web" and not name.startswith("sweep")]
        self._stopped: list[tuple[float, int]] = []
        self._deck: list[str] = []
        self.kills: list[Kill] = []
        self.others: Counter[str] = Counter()

    def kill(self) -> bool:
        """Kill what is next; the main process alone, one of its children, or all of it. False while that is not there again
        after it was killed before."""
        what = self._next()
        if server := self._own.get(what):
            self.kills.append(Kill(what, time.time()))
            server.crash()
            return True
        pid = self._there.pid(what)
        if pid is None:
            self._deck.append(what)
            return False
        children = list(below(pid))
        how = self._chance.choice(["all of it", "its main process", "a child"] if children else ["all of it"])
        held = self._held() if what in self._workers else []
        self.kills.append(Kill(f"{what}: {how}", time.time(), held))
        with suppress(ProcessLookupError):
            if how == "all of it":
                os.killpg(pid, signal.SIGKILL)
            else:
                os.kill(self._chance.choice(children) if how == "a child" else pid, signal.SIGKILL)
        return True

    def _next(self) -> str:
        if not self._deck:
            self._deck = [*self._there.children, *self._own]
            self._chance.shuffle(self._deck)
        return self._deck.pop()

    def disturb(self) -> None:
        """By turns let a worker stand still for longer than its lease, and let the broker forget its messages."""
        if self.others.total() % 2:
            self._forget()
            self.others["messages forgotten"] += 1
            return
        pid = self._there.pid(self._chance.choice(self._workers))
        if pid is not None:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGSTOP)
            self._stopped.append((time.monotonic() + self._still, pid))
            self.others["workers stood still"] += 1

    def look(self, *, at_once: bool = False) -> None:
        """Let go on what stood still for long enough."""
        for due, pid in list(self._stopped):
            if at_once or time.monotonic() >= due:
                with suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGCONT)
                self._stopped.remove((due, pid))
