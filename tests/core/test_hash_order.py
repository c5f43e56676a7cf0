"""A verdict is the same in every worker process: Python orders the words of a set by a seed of each process's own."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
from tests.core.derivation_tables import TABLES, judged
from tests.core.test_derivations_chance import TWINS

for answer, table in (
    ("Rent grew by 6% from 2023 to 2024.", TWINS),
    ("The percentage change in rental income from 2023 to 2024 was 5.64%.", TABLES["en"]),
    ("总收入占 4,500。", TABLES["zh"]),
):
    print(judged(answer, table))
"""


def findings(seed: int) -> str:
    """What a process with this seed finds."""
    given = os.environ | {"PYTHONHASHSEED": str(seed), "PYTHONIOENCODING": "utf-8"}
    asked = [sys.executable, "-c", PROGRAM]
    return subprocess.run(asked, env=given, capture_output=True, encoding="utf-8", check=True).stdout


@pytest.mark.requirement("NUM-06")
def test_equal_rows_tie_in_every_process() -> None:
    """With the last two seeds, sums of weights in the order of a set told three alike rows apart by their last bit."""
    first, *others = (findings(seed) for seed in (0, 147, 164))
    assert first
    assert others == [first, first]
