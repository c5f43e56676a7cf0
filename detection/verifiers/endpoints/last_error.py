"""The last error of an endpoint, noted for whoever looks after it."""

from collections.abc import Iterator
from contextlib import contextmanager

from detection.core.ports import VerifierError
from detection.verifiers.stores import Memory


class LastError:
    """What went wrong last at one endpoint, until a question is answered. Only changes are written; the first
    outcome always is, since another process may have left its error."""

    def __init__(self, memory: Memory, base_url: str, model: str) -> None:
        self._memory = memory
        self._place = (base_url, model)
        self._noted: str | None = None

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Around one question. What is raised passes through."""
        try:
            yield
        except VerifierError as failure:
            self._note(f"{failure.code}: {failure}")
            raise
        self._note("")

    def _note(self, error: str) -> None:
        if error != self._noted:
            self._noted = error
            self._memory.note(*self._place, error)
