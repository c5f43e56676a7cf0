"""Writes docs/requirements.md: every requirement, and the tests that prove it.

``python docs/build_requirements.py`` writes the page; ``--check`` fails instead when the page is stale, when a
row that is due has no test, or when a test names a row that does not exist. Standard library only.
"""

import ast
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "requirements.toml"
PAGE = ROOT / "docs" / "requirements.md"
TESTS = ROOT / "tests"

FAMILIES = {
    "NUM": "Numeric claims",
    "GOV": "Use of evidence in sourced answers",
    "RAG": "Strict generation and grounding",
    "CIT": "Citations, judge and risk",
    "APP": "The application",
    "SPEC-08": "Information budget, gate and traces",
    "SEC": "Security",
    "REL": "Reliability",
    "MOV": "Moving and operating",
}
OPENING = """# Requirements and their tests

Made by `python docs/build_requirements.py` from [requirements.toml](requirements.toml) and the marks
`@pytest.mark.requirement("ID")` in `tests/`. The gate fails when this page is stale, or when a row due in a
finished part has no test.

"""

Row = dict[str, Any]
Proofs = dict[str, list[str]]


def mark_of(decorator: ast.expr) -> str | None:
    """The ID that a ``pytest.mark.requirement("ID")`` names; None for another decorator or list element."""
    if not (isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Attribute)):
        return None
    named = decorator.func.attr == "requirement" and decorator.args
    first = decorator.args[0] if named else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


def module_marks(tree: ast.Module) -> list[str]:
    """The IDs in a module's ``pytestmark``, which hold for all of its tests."""
    assigned = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets)
    ]
    marks = [mark_of(call) for value in assigned for call in ast.walk(value) if isinstance(call, ast.Call)]
    return [mark for mark in marks if mark]


def proven_in(body: list[ast.stmt], inherited: list[str], prefix: str = "") -> list[tuple[str, str]]:
    """(ID, test name) of every test function in a module's or a class's body."""
    found: list[tuple[str, str]] = []
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        own = [mark for decorator in node.decorator_list if (mark := mark_of(decorator))]
        if isinstance(node, ast.ClassDef):
            found += proven_in(node.body, inherited + own, f"{prefix}{node.name}::")
        elif node.name.startswith("test"):
            found += [(mark, f"{prefix}{node.name}") for mark in dict.fromkeys(inherited + own)]
    return found


def proofs(tests: Path = TESTS) -> Proofs:
    """ID → the tests that name it, as ``tests/…/test_x.py::test_y``, in order of file and line."""
    found: Proofs = defaultdict(list)
    for path in sorted(tests.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for mark, name in proven_in(tree.body, module_marks(tree)):
            found[mark].append(f"{path.relative_to(tests.parent).as_posix()}::{name}")
    return found


def family_of(row: Row) -> str:
    """The family of a row: the part of its ID before the number."""
    return next(family for family in FAMILIES if row["id"].startswith(family))


def page(rows: list[Row], found: Proofs) -> str:
    """The page's Markdown."""
    lines = [OPENING]
    for family, title in FAMILIES.items():
        lines += [f"## {title}\n\n", "| ID | what the system does | due | tests |\n|---|---|---|---|\n"]
        for row in rows:
            if family_of(row) == family:
                tests = "<br>".join(f"`{name}`" for name in found.get(row["id"], [])) or "–"
                lines.append(f"| {row['id']} | {row['does']} | {row['due']} | {tests} |\n")
        lines.append("\n")
    return "".join(lines).rstrip("\n") + "\n"


def complaints(table: dict[str, Any], found: Proofs, written: str) -> list[str]:
    """What is wrong, a line each; empty when all is well."""
    rows: list[Row] = table["row"]
    known = {row["id"] for row in rows}
    wrong = [
        f"{mark} is named by {found[mark][0]} but is no requirement" for mark in sorted(set(found) - known)
    ]
    wrong += [
        f"{row['id']} is due in part {row['due']} and has no test: {row['does']}"
        for row in rows
        if row["due"] in table["resolved"] and not found.get(row["id"])
    ]
    if written != page(rows, found):
        wrong.append("docs/requirements.md is stale; run: python docs/build_requirements.py")
    return wrong


def main(arguments: list[str]) -> int:
    """Write the page, or with ``--check`` say what is wrong and return 1."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    found = proofs()
    if "--check" not in arguments:
        PAGE.write_text(page(table["row"], found), encoding="utf-8")
        return 0
    wrong = complaints(table, found, PAGE.read_text(encoding="utf-8") if PAGE.exists() else "")
    print("\n".join(wrong) or f"{len(table['row'])} requirements, page current")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
