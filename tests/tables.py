"""A table of cases as one test, for what is pure: every case is tried, and the test fails with all that do not hold.

``@each_case("text, value", [("5 %", 5), …])`` stands where ``pytest.mark.parametrize`` would, with the same arguments. A
test of its own for each of thousands of cases costs more than the cases do.
"""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]
Name = Callable[[Any], object]
LONGEST = 120
"""Characters of a case that its line shows."""


def each_case(
    names: str | Sequence[str], cases: Iterable[Any], ids: Name | Iterable[str] | None = None
) -> Callable[[Test], Test]:
    """Try a test on each of ``cases``, which give the arguments ``names`` their values."""
    fields = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = _named([_row(case, len(fields)) for case in cases], ids)
    if not rows:
        raise ValueError("a table without cases says nothing")

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def whole_table(**shared: Any) -> None:
            wrong = []
            for name, values in rows:
                try:
                    test(**shared, **dict(zip(fields, values, strict=True)))
                except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001  # told with the others
                    wrong.append(f"{name}\n    {type(failure).__name__}: {failure}")
            if wrong:
                pytest.fail(f"{len(wrong)} of {len(rows)} cases:\n" + "\n".join(wrong), pytrace=False)

        asked = [each for each in inspect.signature(test).parameters.values() if each.name not in fields]
        whole_table.__signature__ = inspect.Signature(asked)  # type: ignore[attr-defined]  # what pytest reads
        del whole_table.__wrapped__  # pytest would ask it for its arguments
        return whole_table

    return decorate


def _row(case: Any, size: int) -> tuple[str | None, Sequence[Any]]:
    """The name that a case gives itself, and its values."""
    if isinstance(case, type(pytest.param())):
        if case.marks:
            raise ValueError(f"a case of a table has no marks of its own: {case}")
        return str(case.id) if case.id else None, case.values
    return None, (case,) if size == 1 else case


def _named(
    rows: list[tuple[str | None, Sequence[Any]]], ids: Name | Iterable[str] | None
) -> list[tuple[str, Sequence[Any]]]:
    """Each case with the name of its own, that of ``ids``, or else its values."""
    if ids is None or callable(ids):
        given: list[Any] = [" ".join(str(ids(value) if ids else value) for value in row) for _, row in rows]
    else:
        given = list(ids)
    return [(own or str(name)[:LONGEST], row) for (own, row), name in zip(rows, given, strict=True)]
