"""The Dockerfile, the compose file and the systemd units, read as those who run them would."""

import json
import re
import shutil
from configparser import ConfigParser
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "deploy" / "systemd"


class _NoneTwice(yaml.SafeLoader):
    """Refuses a key that stands twice, of which YAML would silently keep the last."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        assert len(keys) == len(set(keys)), f"twice in one mapping: {keys}"
        return super().construct_mapping(node, deep)


COMPOSE: dict[str, Any] = yaml.load((ROOT / "docker-compose.yml").read_text(), _NoneTwice)  # noqa: S506 - a safe loader
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = [name for name, service in SERVICES.items() if service["image"] == "hallu"]


@dataclass(frozen=True, slots=True)
class Instruction:
    """One of a Dockerfile, with its words."""

    name: str
    words: str

    def list(self) -> list[str]:
        """Its words as a list, of an instruction in the form of one."""
        found: list[str] = json.loads(self.words[self.words.index("[") :])
        return found


def dockerfile() -> list[Instruction]:
    """The instructions of the Dockerfile."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = [line for line in text.replace("\\\n", "").splitlines() if line.strip()]
    return [Instruction(*line.split(maxsplit=1)) for line in lines]


def last(name: str) -> Instruction:
    """The last instruction of that name, which is the one that counts."""
    return [instruction for instruction in dockerfile() if instruction.name == name][-1]


def image_variables() -> dict[str, str]:
    """What the image sets."""
    return dict(word.split("=", 1) for word in last("ENV").words.split())


def copy_image(to: Path) -> Path:
    """The files that the build copies, where the image is to have them; what ``.dockerignore`` leaves out is not there."""
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    assert rules[0] == "*"
    for rule in rules[1:]:
        if rule.startswith("!"):
            source = ROOT / rule[1:]
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, to / rule[1:], **({"ignore": _ignored(rules)} if source.is_dir() else {}))
    return to


def _ignored(rules: list[str]) -> Any:
    patterns = [rule.removeprefix("**/") for rule in rules if rule.startswith("**/")]
    return lambda _, names: [name for name in names if any(fnmatch(name, pattern) for pattern in patterns)]


def interpolated(value: Any, given: dict[str, str]) -> Any:
    """A value of the compose file with its variables put in, as compose does."""
    if isinstance(value, list):
        return [interpolated(part, given) for part in value]
    if isinstance(value, dict):
        return {key: interpolated(part, given) for key, part in value.items()}

    def put(found: re.Match[str]) -> str:
        if found["name"] is None:
            return "$"
        if (known := given.get(found["name"])) or found["rule"] == ":-":
            return known or found["rest"]
        raise AssertionError(found["rest"])

    pattern = r"\$(?:\$|\{(?P<name>[A-Z_]+)(?P<rule>:[-?])(?P<rest>[^}]*)\})"
    return re.sub(pattern, put, value) if isinstance(value, str) else value


def unit(name: str) -> ConfigParser:
    """A systemd unit with what all services of Hallu have; of a key that stands several times, all values by lines."""
    read = ConfigParser(strict=False, interpolation=None, delimiters=("=",), dict_type=_Several)
    read.optionxform = str  # type: ignore[assignment,method-assign]  # systemd tells capitals apart
    paths = [UNITS / name]
    read.read([*paths, *(UNITS.glob("hallu-.service.d/*.conf") if name.endswith(".service") else [])])
    return read


class _Several(dict[str, Any]):
    def __setitem__(self, key: str, value: Any) -> None:
        if isinstance(value, list) and isinstance(self.get(key), list):
            value = self[key] + value
        super().__setitem__(key, value)
