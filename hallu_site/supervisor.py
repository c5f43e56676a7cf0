"""Runs the processes of one installation side by side and starts again what dies.

``manage.py up`` makes sure that all is well and becomes this program: ``python supervisor.py PORT COMMANDS``,
the commands by name as JSON. Standard library only, so that watching over the others takes little memory.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType

HOST = "127.0.0.1"
TETHER = Path(__file__).with_name("tether.py")
FIRST_DELAY, LONGEST_DELAY, SETTLED = 0.5, 30.0, 10.0
GRACE_SECONDS = 10.0


class Child:
    """One process of the installation, started anew whenever it ends; every line it prints gets its name."""

    def __init__(self, name: str, command: Sequence[str], say: Callable[[str, str], None]) -> None:
        self.name, self.command, self.say = name, command, say
        self.process: subprocess.Popen[str] | None = None
        self.started = self.due = 0.0
        self.delay = FIRST_DELAY

    def start(self) -> None:
        """Start it in a session of its own, so that Ctrl-C reaches the supervisor alone."""
        self.started = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603 - the supervisor's own command line
            [sys.executable, str(TETHER), str(os.getpid()), *self.command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        threading.Thread(target=self._repeat, args=[self.process], daemon=True).start()

    def _repeat(self, process: subprocess.Popen[str]) -> None:
        for line in process.stdout or ():
            self.say(self.name, line.rstrip())

    def look(self) -> None:
        """Start it again if it died: at once the first time, ever later if it keeps dying."""
        if self.process is None:
            if time.monotonic() >= self.due:
                self.start()
        elif self.process.poll() is not None:
            lived = time.monotonic() - self.started
            self.delay = FIRST_DELAY if lived > SETTLED else min(self.delay * 2, LONGEST_DELAY)
            self.due = time.monotonic() + self.delay
            self.say(self.name, f"ended with {self.process.returncode}, starts again in {self.delay:g} s")
            self.process = None

    def signal(self, number: int) -> None:
        """Signal the main process alone: a busy pool hangs when its children are told too."""
        if self.alive() and self.process:
            self.process.send_signal(number)

    def kill(self) -> None:
        """End the process and all that it started."""
        if self.process is not None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                return
            self.process.wait()

    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None


class Supervisor:
    """Keeps ``commands`` (by name) running until a signal says stop, then leaves nothing running."""

    def __init__(self, commands: Mapping[str, Sequence[str]], say: Callable[[str, str], None]) -> None:
        self.children = [Child(name, command, say) for name, command in commands.items()]
        self.stopping = False

    def run(self, ready: Callable[[], bool]) -> None:
        """Start everything and keep it running; ``ready`` is asked until it says yes."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        announced = False
        try:
            while not self.stopping:
                for child in self.children:
                    child.look()
                announced = announced or ready()
                time.sleep(0.2)
        finally:
            self.end()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True

    def end(self) -> None:
        """TERM to each, KILL to what is left after the grace."""
        for child in self.children:
            child.signal(signal.SIGTERM)
        deadline = time.monotonic() + GRACE_SECONDS
        while any(child.alive() for child in self.children) and time.monotonic() < deadline:
            time.sleep(0.05)
        for child in self.children:
            child.kill()


def say(name: str, line: str) -> None:
    """Print one line of one process."""
    print(f"{name:<6} | {line}", flush=True)


def answers(port: int) -> bool:
    """Whether the web process takes connections yet; says so when it does."""
    with socket.socket() as probe:
        if probe.connect_ex((HOST, port)):
            return False
    say("up", f"ready at http://localhost:{port}/ · Ctrl-C stops all of it")
    return True


if __name__ == "__main__":
    PORT = int(sys.argv[1])
    Supervisor(json.loads(sys.argv[2]), say).run(ready=lambda: answers(PORT))
