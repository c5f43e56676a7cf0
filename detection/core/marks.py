"""What a chunk is known by: hashes of its text and title. Apart from the reader of chunks, since the tables of an
installation name chunks by them, and most of its programs read none."""

import hashlib

MARK = 32
"""Hexadecimal digits of a chunk's own hash with which the keys of all that is kept of it begin."""


def hashed(*parts: str) -> str:
    """One hash of several texts."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def mark_of(title: str, text: str) -> str:
    """What the keys begin with under which anything is kept of a chunk, and of a document that begins with it."""
    return hashed(title, text)[:MARK]
