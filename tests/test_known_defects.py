"""The list of known defects names tests that exist, each with its cause."""

import pytest

from tests.known_defects import COLLECTED, LIST, listed, unknown


def test_every_known_defect_is_a_test(request: pytest.FixtureRequest) -> None:
    if any("::" in given for given in request.config.args):
        pytest.skip("single tests were asked for: their files are not collected as a whole")
    assert unknown(listed(LIST.read_text(encoding="utf-8")), request.config.stash[COLLECTED]) == []


def test_a_test_that_is_gone_is_unknown() -> None:
    here = "tests/test_known_defects.py"
    collected = frozenset({f"{here}::test_a"})
    assert unknown([f"{here}::test_a"], collected) == []
    assert unknown([f"{here}::test_b"], collected) == [f"{here}::test_b"]
    assert unknown(["tests/test_nowhere.py::test_a"], collected) == ["tests/test_nowhere.py::test_a"]
    assert unknown(["tests/conftest.py::test_a"], collected) == []


def test_each_group_has_its_cause() -> None:
    text = "# What this list is.\n\n# signs: a minus\n# is lost\ntests/a.py::b[x # y]\ntests/a.py::c\n# scale\na::d\n"
    assert listed(text) == {
        "tests/a.py::b[x # y]": "signs: a minus is lost",
        "tests/a.py::c": "signs: a minus is lost",
        "a::d": "scale",
    }


@pytest.mark.parametrize("text", ["a::b\n", "# cause\na::b\n\na::c\n", "# cause\na::b\na::b\n"])
def test_none_is_listed_without_a_cause_or_twice(text: str) -> None:
    with pytest.raises(ValueError, match=r"has no cause|is there twice"):
        listed(text)
