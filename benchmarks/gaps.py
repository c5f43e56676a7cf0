"""Sentences with gaps: what they ask for, and how they are filled."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

_GAP = re.compile(r"\{([^}]+)\}")
_TURNS = {"M": re.compile(r"\[\[(.*?)\|(.*?)\]\]"), "N": re.compile(r"<<(.*?)\|(.*?)>>")}
_BEGINS = re.compile(r"(?:^|(?<=[.!?] )|(?<=\n- )|(?<=^- ))[a-z]")


def templates(path: Path) -> list[dict[str, str]]:
    """The sentences with gaps of a file: ``id``, ``kind`` and ``text`` of each, and its ``role`` where some are sources."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def asked(text: str) -> set[str]:
    """The names of the gaps of a sentence."""
    return {*_GAP.findall(text)}


def turned(text: str, measure: str, *, up: bool) -> str:
    """A sentence with the one of two wordings that fits where a measure, ``M`` or ``N``, has risen, or has not."""
    return _TURNS[measure].sub(r"\1" if up else r"\2", text)


def filled(text: str, gaps: Mapping[str, str]) -> str:
    """A sentence with its gaps filled, its beginnings in capitals."""
    made = _GAP.sub(lambda found: gaps[found[1]], text)
    return _BEGINS.sub(lambda found: found[0].upper(), made)
