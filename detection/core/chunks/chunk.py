"""A source chunk: its text folded for reading, and the way back to what it says as submitted (NUM-06)."""

from typing import NamedTuple

from detection.core.numbers import fold


class Chunk(NamedTuple):
    """A chunk named ``source``; ``origin`` gives the offset in ``text`` of each folded character where they differ."""

    source: str
    text: str
    folded: str
    origin: list[int] | None

    def original(self, start: int, end: int) -> tuple[int, int, str]:
        """Start, end and text as submitted of the folded stretch, which is not empty."""
        if self.origin is not None:
            start, end = self.origin[start], self.origin[end - 1] + 1
        return start, end, self.text[start:end]


def chunk_of(source: str, text: str) -> Chunk:
    """The chunk named ``source`` with its folded text."""
    folded, origin = fold(text)
    return Chunk(source, text, folded, origin)
