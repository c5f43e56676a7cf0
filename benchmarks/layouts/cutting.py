"""Texts cut as the usual splitters cut them."""

import re
from collections.abc import Callable, Sequence

from detection.core.types import Source


def whole(text: str) -> list[str]:
    """Not cut."""
    return [text]


def recursive(text: str, size: int = 1000, overlap: int = 200) -> list[str]:
    """LangChain's RecursiveCharacterTextSplitter: paragraphs, lines, words, each kept whole while it fits."""
    return _merged(_halved(text, size, ("\n\n", "\n", " ", "")), size, overlap)


def _halved(text: str, size: int, marks: Sequence[str]) -> list[str]:
    mark = next(mark for mark in marks if not mark or mark in text)
    rest = marks[marks.index(mark) + 1 :]
    parts = text.split(mark) if mark else list(text)
    found: list[str] = []
    for index, part in enumerate(parts):
        piece = (mark if index else "") + part
        found.extend(_halved(piece, size, rest) if len(piece) > size and rest else [piece])
    return found


def _merged(parts: Sequence[str], size: int, overlap: int) -> list[str]:
    chunks: list[str] = []
    held: list[str] = []
    total = 0
    for part in parts:
        if held and total + len(part) > size:
            chunks.append("".join(held).strip())
            while held and (total > overlap or total + len(part) > size):
                total -= len(held.pop(0))
        held.append(part)
        total += len(part)
    return [chunk for chunk in [*chunks, "".join(held).strip()] if chunk]


def sentences(text: str, size: int = 512, overlap: int = 100) -> list[str]:
    """LlamaIndex's SentenceSplitter: sentences and, where they are too long, clauses, filled up to so many tokens."""
    parts: list[str] = []
    for paragraph in re.split(r"(?<=\n\n\n)", text):
        for sentence in re.split(r"(?<=[.!?])(?=\s)", paragraph):
            fits = _tokens(sentence) <= size
            parts.extend(
                [sentence] if fits else re.findall(r"[^,.;。？！]+[,.;。？！]?|[,.;。？！]", sentence)
            )
    chunks: list[str] = []
    held: list[tuple[str, int]] = []
    for part in parts:
        count = _tokens(part)
        if held and sum(tokens for _, tokens in held) + count > size:
            chunks.append("".join(piece for piece, _ in held).strip())
            while held and sum(tokens for _, tokens in held) > overlap:
                held.pop(0)
        held.append((part, count))
    return [chunk for chunk in [*chunks, "".join(piece for piece, _ in held).strip()] if chunk]


def _tokens(text: str) -> int:
    """About as many tokens as a byte pair encoding counts."""
    return sum(
        1 + len(found) // 6 if found.isalpha() else 1 + len(found) // 3
        for found in re.findall(r"[^\W\d]+|\d+|[^\w\s]", text)
    )


SPLITTERS: dict[str, Callable[[str], list[str]]] = {
    "whole": whole,
    "recursive 1000/200": recursive,
    "sentences 512": sentences,
}


def chunks_of(name: str, text: str, split: Callable[[str], list[str]]) -> tuple[Source, ...]:
    """A text as chunks of one document of that name."""
    return tuple(Source(f"T{index}", chunk, "D1", name) for index, chunk in enumerate(split(text)))
