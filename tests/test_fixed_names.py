"""What others hold by its name keeps it: workers of the version before, their messages, callers, stored rows."""

import json
from typing import Any

import pytest

from tests import fixed_names

HELD: dict[str, dict[str, Any]] = json.loads(fixed_names.HELD.read_text(encoding="utf-8"))


def test_every_kind_of_name_is_held() -> None:
    assert sorted(HELD) == sorted(fixed_names.SECTIONS)
    assert all(HELD.values())


@pytest.mark.parametrize("section", fixed_names.SECTIONS)
def test_a_name_that_others_hold_is_neither_lost_nor_changed(section: str) -> None:
    """A new name goes into the file too, so that it is held from then on: see tests/fixed_names.py."""
    held, found = HELD[section], fixed_names.now(section)
    assert {"lost": held.keys() - found.keys(), "not held yet": found.keys() - held.keys()} == {
        "lost": set(),
        "not held yet": set(),
    }
    changed = {name: (held[name], found[name]) for name in held if held[name] != found[name]}
    assert changed == {}, "name: (as held, as found)"
