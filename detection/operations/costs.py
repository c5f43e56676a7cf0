"""What judging an answer costs, so that a small one never waits behind one that takes minutes.

Measured with ``benchmarks/large_answers.py``: the CPU seconds of all its steps, for a million characters of an answer and
for ten million of sources, by their number. What costs more than its size lets expect is found out while it is judged: a
detector that is ended goes on in the lane of large answers.
"""

A_CHARACTER, A_SOURCE_CHARACTER = 30e-6, 1e-6
"""CPU seconds for a character of an answer and for one of its sources: read, measured, decided, written."""
SMALL_SECONDS = 1.0
"""What costs more is large: it has a lane of its own, and no web thread judges it."""


def is_large(answer: int, sources: int) -> bool:
    """Whether an answer of so many characters, with sources of so many together, is large."""
    return answer * A_CHARACTER + sources * A_SOURCE_CHARACTER > SMALL_SECONDS
