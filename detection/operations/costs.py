"""What judging an answer costs, so that a small one never waits behind one that takes minutes.

Measured with ``benchmarks/large_answers.py``, which posts answers of figures and statements, one figure in 70 characters,
and divides the CPU time of the worker by their length; each second here is one of a core of 2.5 GHz. A slower machine
takes longer for small and large answers alike, so the border between them stays where it is.
"""

A_CHARACTER, A_SOURCE_CHARACTER = 30e-6, 1.5e-6
"""CPU seconds for a character of an answer and for one of its sources: read, measured, decided, written."""
SMALL_SECONDS = 1.0
"""What costs more is large: it has a lane of its own, and no web thread judges it."""


def is_large(answer: int, sources: int) -> bool:
    """Whether an answer of so many characters, with sources of so many together, is large."""
    return answer * A_CHARACTER + sources * A_SOURCE_CHARACTER > SMALL_SECONDS
