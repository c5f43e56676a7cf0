"""What a process has loaded when it begins to serve is out of every collection to come."""

import subprocess
import sys

SETTLED = """
import gc
from detection.operations import garbage
cycle = []
cycle.append(cycle)
assert gc.get_freeze_count() == 0
garbage.settle()
print(gc.get_freeze_count() > 0, gc.get_threshold()[0] == garbage.YOUNG)
loose = []
loose.append(loose)
del loose
print(gc.collect())
"""


def test_what_is_loaded_is_looked_through_no_more_and_what_is_made_still_is() -> None:
    done = subprocess.run([sys.executable, "-c", SETTLED], capture_output=True, text=True, check=True)
    frozen, threshold, collected = done.stdout.split()
    assert (frozen, threshold) == ("True", "True")
    assert int(collected) >= 1
