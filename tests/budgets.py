"""A test has a budget of processor time and fails over it; what the tests took stands at the end of the run.

A plugin (``-p tests.budgets`` in pyproject.toml). Counted is the processor time of the test process during the
call, all its threads: how much a test does, and the same beside other work, which a clock is not. Child processes
and waiting are not in it. The budget is the setting ``budget`` of pytest, or that of the marker ``budget(seconds)``, in
seconds of a processor that does :func:`_work` in :data:`REFERENCE`; a slower one has as many more as it is slower, at
the beginning of the run or behind a test that is over its budget: a shared one may become slower meanwhile. A test fails
at :data:`SPARE` times its budget.
"""

import time
from collections import defaultdict
from collections.abc import Generator
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath

import pytest

REFERENCE = 0.01
"""Seconds of processor time that the work by which processors are compared takes where budgets are met as written."""
SPARE = 3
"""How much slower than its arithmetic a shared processor may be at what needs memory. What budgets are for, work that
grows faster than what it is given, takes more than that."""
SHOWN = 20
"""The tests that a summary names, those with the most processor time."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The budget of a test that states none."""
    parser.addini("budget", "seconds of processor time that the call of a test may take", default="10")


def pytest_configure(config: pytest.Config) -> None:
    """Count from the start of the run."""
    config.pluginmanager.register(Summary())


def pace() -> float:
    """How many times slower this processor is now than the reference; 1 where it is faster."""
    return max(1.0, min(_work() for _ in range(5)) / REFERENCE)


pace_at_first = cache(pace)


def _work() -> float:
    """The processor time that a fixed piece of work takes, in seconds."""
    began, total = time.process_time(), 0
    for number in range(200_000):
        total += number * number % 7
    assert total
    return time.process_time() - began


def stated(item: pytest.Item) -> float:
    """The budget of a test, in seconds of the processor by which it was written."""
    marker = item.get_closest_marker("budget")
    return float(marker.args[0] if marker else item.config.getini("budget"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Count what the call takes; fail a test that passes and is far over its budget."""
    began, budget = time.process_time(), stated(item) * pace_at_first()
    try:
        yield
    finally:
        used = time.process_time() - began
        if used > SPARE * budget:
            budget = max(budget, stated(item) * pace())
        item.user_properties += [("processor", round(used, 3)), ("budget", round(budget, 1))]
    if used > SPARE * budget:
        pytest.fail(
            f"took {used:.1f} s of processor time, more than {SPARE} times its {budget:g} s", pytrace=False
        )


@dataclass
class Group:
    """What the tests of a folder took, in seconds: by the clock with set-up, by the processor in calls."""

    tests: int = 0
    clock: float = 0.0
    processor: float = 0.0


class Summary:
    """What the tests of all processes took."""

    def __init__(self) -> None:
        self.groups: dict[str, Group] = defaultdict(Group)
        self.calls: list[tuple[float, float, str]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add one phase of one test."""
        group = self.groups["/".join(PurePath(report.nodeid.split("::")[0]).parts[:2])]
        group.clock += report.duration
        noted = dict(report.user_properties)
        if report.when == "call" and "processor" in noted:
            group.tests += 1
            group.processor += float(str(noted["processor"]))
            self.calls.append((float(str(noted["processor"])), float(str(noted["budget"])), report.nodeid))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the folders and the dearest tests."""
        write = terminalreporter.write_line
        terminalreporter.section("budgets, seconds")
        write("  tests  by the clock  processor")
        for name, group in sorted(self.groups.items(), key=lambda each: -each[1].clock):
            write(f"{group.tests:7} {group.clock:13.1f} {group.processor:10.1f}  {name}")
        write("processor  of budget")
        for used, budget, test in sorted(self.calls, reverse=True)[:SHOWN]:
            write(f"{used:9.2f} {budget:10g}  {test}")
