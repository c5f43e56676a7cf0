"""Defects that are known and not mended: tests that must fail, each with its cause.

``known_defects.txt`` holds the id of a test a line, under a comment that names the cause of the whole group; a blank
line ends it. A listed test that passes fails the run until its line is deleted, as does a line that is no test.
Listed is what the product does wrong: no test that is outdated, and none that fails now and then.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

LIST = Path(__file__).parent / "known_defects.txt"
COLLECTED = pytest.StashKey[frozenset[str]]()


def listed(text: str) -> dict[str, str]:
    """Id of a test → the cause it is known for. Raises :class:`ValueError` for one without, or named twice."""
    causes: dict[str, str] = {}
    cause: list[str] = []
    begun = True
    for line in text.splitlines():
        if line.startswith("#"):
            cause = [*([] if begun else cause), line.removeprefix("#").strip()]
            begun = False
        elif not line.strip():
            cause, begun = [], True
        elif not cause or line in causes:
            raise ValueError(f"{LIST.name}: {line} {'is there twice' if cause else 'has no cause'}.")
        else:
            causes[line], begun = " ".join(cause), True
    return causes


def expect_failures(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Mark the listed ones among all collected tests, before some of them are deselected."""
    causes = listed(LIST.read_text(encoding="utf-8"))
    config.stash[COLLECTED] = frozenset(item.nodeid for item in items)
    for item in items:
        if item.nodeid in causes:
            item.add_marker(pytest.mark.xfail(strict=True, reason=f"K: {causes[item.nodeid]}"))


def unknown(ids: Iterable[str], collected: frozenset[str]) -> list[str]:
    """Ids that are no test: their file is gone, or was collected without them."""
    files = {nodeid.partition("::")[0] for nodeid in collected}
    root = LIST.parent.parent
    return [
        nodeid
        for nodeid in ids
        for file in (nodeid.partition("::")[0],)
        if not (root / file).is_file() or (file in files and nodeid not in collected)
    ]
