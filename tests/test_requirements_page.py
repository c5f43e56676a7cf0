"""The page of requirements cannot claim what no test proves."""

import tomllib
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from docs import build_requirements

MODULE = """
import pytest
pytestmark = [pytest.mark.requirement("APP-01"), pytest.mark.browser]

@pytest.mark.requirement("NUM-01")
@pytest.mark.requirement("NUM-02")
def test_two(): ...

class TestGroup:
    @pytest.mark.requirement("NUM-03")
    async def test_inside(self): ...

@pytest.mark.requirement("NUM-04")
def no_test(): ...
"""


@pytest.fixture
def found(tmp_path: Path) -> dict[str, list[str]]:
    """What is read out of one module of tests."""
    tests = tmp_path / "tests"
    (tests / "core").mkdir(parents=True)
    (tests / "core" / "test_x.py").write_text(MODULE)
    return dict(build_requirements.proofs(tests))


def table(*resolved: str) -> dict[str, Any]:
    """A table of two rows, one of them proven by the module."""
    rows = [{"id": f"NUM-{n:02d}", "due": due, "does": "It does."} for n, due in ((1, "A"), (9, "B"))]
    return {"resolved": list(resolved), "row": rows}


def test_marks_of_functions_classes_and_modules_are_found(found: dict[str, list[str]]) -> None:
    assert found == {
        "APP-01": ["tests/core/test_x.py::test_two", "tests/core/test_x.py::TestGroup::test_inside"],
        "NUM-01": ["tests/core/test_x.py::test_two"],
        "NUM-02": ["tests/core/test_x.py::test_two"],
        "NUM-03": ["tests/core/test_x.py::TestGroup::test_inside"],
    }


def test_a_row_without_a_test_is_named_once_its_part_is_resolved() -> None:
    proven = {"NUM-01": ["tests/test_x.py::test_two"]}
    current = build_requirements.page(table()["row"], proven)
    assert build_requirements.complaints(table("A"), proven, current) == []
    assert build_requirements.complaints(table("A", "B"), proven, current) == [
        "NUM-09 is due in part B and has no test: It does."
    ]


def test_a_mark_without_a_row_is_named() -> None:
    proven = {"NUM-99": ["tests/test_x.py::test_two"]}
    current = build_requirements.page(table()["row"], proven)
    assert build_requirements.complaints(table(), proven, current) == [
        "NUM-99 is named by tests/test_x.py::test_two but is no requirement"
    ]


def test_a_stale_page_is_named() -> None:
    assert build_requirements.complaints(table(), {}, "old") == [
        "docs/requirements.md is stale; run: python docs/build_requirements.py"
    ]


def test_every_row_of_the_documents_is_in_the_table_once() -> None:
    ids = [row["id"] for row in tomllib.loads(build_requirements.TABLE.read_text())["row"]]
    counts = {"NUM": 15, "GOV": 11, "RAG": 12, "CIT": 12, "APP": 6}
    expected = [f"{family}-{n:02d}" for family, count in counts.items() for n in range(1, count + 1)]
    gates = [f"SPEC-08.{n:02d}" for n in range(1, 44)]
    design = [
        sorted(
            {name for name in ids if name.startswith(family)}, key=lambda name: int(name.removeprefix(family))
        )
        for family in ("SEC-", "REL-", "MOV-")
    ]
    assert ids == [*expected, *gates, *chain(*design)]
