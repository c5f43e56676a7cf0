"""Collecting garbage in a process that has loaded what it judges by: hundreds of thousands of objects that stay."""

import gc

YOUNG = 10_000
"""So many objects more than have gone are looked through at a time; an answer makes as many that go by themselves."""


def settle() -> None:
    """Leave what is loaded by now out of every collection to come."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
