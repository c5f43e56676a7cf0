"""Threshold profiles as YAML files: what one system exports another can draft from (contracts §6).

A file names its ``hallu_profile`` schema, and holds scoring, base, overrides and note. It is refused with the line of
what is wrong; names in it are never taken for Python.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from detection.core.profile_values import Fault, Path, faults

SCHEMA = 1
LARGEST = 64 * 1024
"""Bytes; a profile with every threshold and a hundred overrides has a third of that."""
KEYS = ("hallu_profile", "version", "scoring", "note", "base", "overrides")
MOST_NAMED = 10


class NotAProfile(ValueError):
    """This file cannot become a draft; the message names lines and keys."""


@dataclass(frozen=True, slots=True)
class ProfileFile:
    """What a file says. ``version`` is the number it had where it came from, None when it had none."""

    scoring: str
    values: dict[str, Any]
    note: str
    version: int | None = None


class _Loader(yaml.SafeLoader):
    """YAML without anchors, which can make a small file endless, and without keys given twice."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            alias: Any = self.peek_event()  # type: ignore[no-untyped-call]  # so in its stubs
            raise NotAProfile(f"line {alias.start_mark.line + 1}: write values out, without * and &.")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _value in node.value:
            if str(key.value) in seen:
                raise NotAProfile(f"line {key.start_mark.line + 1}: {key.value} is given twice.")
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


def written(file: ProfileFile) -> str:
    """The file as YAML text."""
    content = {
        "hallu_profile": SCHEMA,
        "version": file.version,
        "scoring": file.scoring,
        "note": file.note,
        "base": dict(file.values.get("base") or {}),
        "overrides": list(file.values.get("overrides") or []),
    }
    text: str = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
    return text


def read(text: str, scorings: tuple[str, ...]) -> ProfileFile:
    """The profile that ``text`` holds. Raises :class:`NotAProfile` for what is no YAML, too large, of another
    schema, or has unknown keys, values out of bounds or a scoring that is none of ``scorings``."""
    if len(text.encode("utf-8", "replace")) > LARGEST:
        raise NotAProfile(f"The file is larger than {LARGEST // 1024} KB.")
    content, lines = _parsed(text)
    if not isinstance(content, dict):
        raise NotAProfile("line 1: give keys with values, beginning with hallu_profile.")
    if content.get("hallu_profile") != SCHEMA:
        raise NotAProfile(
            f"{_place(lines, ('hallu_profile',))}hallu_profile: this system reads schema {SCHEMA}, not {content.get('hallu_profile')}."
        )
    wrong = [
        *_wrong(content, scorings),
        *faults({"base": content.get("base") or {}, "overrides": content.get("overrides") or []}),
    ]
    if wrong:
        raise NotAProfile(" ".join(f"{_place(lines, fault.path)}{fault}" for fault in wrong[:MOST_NAMED]))
    values = {"base": content.get("base") or {}, "overrides": content.get("overrides") or []}
    return ProfileFile(content["scoring"], values, content.get("note") or "", content.get("version"))


def _parsed(text: str) -> tuple[Any, dict[Path, int]]:
    """The content, and the line of every key by its path."""
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        content = loader.construct_document(node) if node is not None else None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark else ""
        raise NotAProfile(
            f"{place}this is no YAML: {getattr(error, 'problem', None) or 'it cannot be read'}."
        ) from error
    except (RecursionError, ValueError, TypeError, OverflowError) as error:
        if isinstance(error, NotAProfile):
            raise
        raise NotAProfile("This is no YAML that a profile can be in.") from error
    return content, dict(_lines(node, ()))


def _lines(node: Any, path: Path) -> Iterator[tuple[Path, int]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield (*path, str(key.value)), key.start_mark.line + 1
            yield from _lines(value, (*path, str(key.value)))
    elif isinstance(node, yaml.SequenceNode):
        for place, item in enumerate(node.value):
            yield (*path, place), item.start_mark.line + 1
            yield from _lines(item, (*path, place))


def _wrong(content: Mapping[Any, Any], scorings: tuple[str, ...]) -> Iterator[Fault]:
    for key in content:
        if key not in KEYS:
            yield Fault((str(key),), f"{key}: a profile has {', '.join(KEYS)}.")
    if content.get("scoring") not in scorings:
        yield Fault(("scoring",), f"scoring: give {' or '.join(scorings)}.")
    if not isinstance(content.get("note") or "", str):
        yield Fault(("note",), "note: give a text.")
    if not isinstance(content.get("version"), int | None):
        yield Fault(("version",), "version: give a whole number.")


def _place(lines: Mapping[Path, int], path: Path) -> str:
    """``line 7: ``, of the nearest key that the file has."""
    while path and path not in lines:
        path = path[:-1]
    return f"line {lines[path]}: " if path else ""
