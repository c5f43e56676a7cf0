"""How work grows with what it is given, told also on a machine that others use."""

import time
from collections.abc import Callable
from itertools import count

_ROUNDS = 6
_BLURRED = 0.02  # seconds within which two measurements are alike


def grows_at_most(work: Callable[[int, int], object], sizes: tuple[int, int], times: float) -> bool:
    """Whether the work of the larger of two sizes takes at most ``times`` the processor time of the smaller one.

    Each is measured again, the least of each counts, until it holds or :data:`_ROUNDS` are over: other work can only
    slow either, and what grows faster does so in every round. ``work`` takes the size and a number that is new each
    time, for texts that no cache has seen.
    """
    least = [float("inf"), float("inf")]
    new = count()
    work(sizes[0], next(new))
    for _ in range(_ROUNDS):
        least = [
            min(before, _spent(work, size, next(new))) for before, size in zip(least, sizes, strict=True)
        ]
        if least[1] <= _BLURRED + times * least[0]:
            return True
    return False


def _spent(work: Callable[[int, int], object], size: int, new: int) -> float:
    began = time.process_time()
    work(size, new)
    return time.process_time() - began
