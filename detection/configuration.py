"""The configuration tree of hallucination detection (SPEC-08.34): defaults, bounds and help, declared once.

:func:`load` lays a YAML file over the defaults and the environment over both. Plain Python: the settings
import it before Django is there. What costs money is off until it is configured (SPEC-08.35).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

import yaml

BACKENDS = ("local", "self", "external", "haiku")
ROOT = "hallucination"
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}  # fmt: skip
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+")
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")


class ConfigurationError(ValueError):
    """The configuration cannot be used; every fault has a line with its path and what is accepted."""


def _setting(
    default: Any,
    text: str,
    variable: str,
    low: float = 0.0,
    high: float = 1.0,
    *,
    duration: bool = False,
    choices: tuple[str, ...] = (),
) -> Any:
    """A leaf of the tree, with the environment variable that overrides it."""
    meta = {"help": text, "variable": variable, "low": low, "high": high, "duration": duration, "choices": choices}  # fmt: skip
    return field(default=default, metadata=meta)


def _own_backend(variable: str) -> Any:
    return _setting(
        "",
        "The backend of this operation where the type is configurable; empty: the default.",
        variable,
        choices=("", *BACKENDS),
    )


# One declaration a line reads as the table it is.
# fmt: off
@dataclass(frozen=True, slots=True)
class Backend:
    """Who verifies (SPEC-08.27)."""

    type: str = _setting("local", "One backend for every operation, or configurable.", "HALLU_VERIFIER", choices=(*BACKENDS, "configurable"))
    default: str = _setting("local", "Where the type is configurable: the backend of operations that name none.", "HALLU_VERIFIER_DEFAULT", choices=BACKENDS)


@dataclass(frozen=True, slots=True)
class MemoryGate:
    """Facts are verified before they are stored (SPEC-08.15)."""

    enabled: bool = _setting(False, "Verify facts before they are stored.", "HALLU_MEMORY_GATE")
    min_confidence: float = _setting(0.5, "Facts whose adjusted confidence is lower are refused.", "HALLU_MEMORY_GATE_MIN_CONFIDENCE")
    max_gap_bits: float = _setting(2.0, "Facts whose budget gap is larger, in bits, are not grounded (SPEC-08.16).", "HALLU_MEMORY_GATE_MAX_GAP_BITS", 0, 100)
    reject_unsupported: bool = _setting(True, "Refuse facts below min_confidence; false stores them, marked. A gap over max_gap_bits is refused in any case.", "HALLU_MEMORY_GATE_REJECT_UNSUPPORTED")
    backend: str = _own_backend("HALLU_MEMORY_GATE_VERIFIER")


@dataclass(frozen=True, slots=True)
class OutputVerification:
    """The statements of answers are verified, beside their delivery (SPEC-08.19, SPEC-08.39)."""

    enabled: bool = _setting(True, "Verify the statements of answers.", "HALLU_OUTPUT_VERIFICATION")
    flag_threshold_bits: float = _setting(5.0, "Answers whose doubtful statements lack more bits than this together are flagged (SPEC-08.22).", "HALLU_OUTPUT_VERIFICATION_FLAG_THRESHOLD_BITS", 0, 10_000)
    skip_above: int = _setting(1000, "When more runs than this wait for the verifier, answers go without and are judged again later; 0: never.", "HALLU_OUTPUT_VERIFICATION_SKIP_ABOVE", 0, 1_000_000)
    backend: str = _own_backend("HALLU_OUTPUT_VERIFICATION_VERIFIER")


@dataclass(frozen=True, slots=True)
class TraceAuditing:
    """The steps of reasoning traces are audited (SPEC-08.23)."""

    enabled: bool = _setting(False, "Audit reasoning traces.", "HALLU_TRACE_AUDITING")
    check_post_hoc: bool = _setting(True, "Test whether the answer follows from the steps alone (SPEC-08.25).", "HALLU_TRACE_AUDITING_CHECK_POST_HOC")
    backend: str = _own_backend("HALLU_TRACE_AUDITING_VERIFIER")


@dataclass(frozen=True, slots=True)
class Judge:
    """A language model's opinion of the whole answer, in two steps (CIT-04, CIT-05)."""

    enabled: bool = _setting(False, "Ask a language model for its opinion of each answer.", "HALLU_JUDGE")
    model: str = _setting("", "The strong model, for the critique; empty: the verifier's.", "HALLU_JUDGE_MODEL")
    small_model: str = _setting("", "The small model, for the form; empty: the strong one.", "HALLU_JUDGE_SMALL_MODEL")
    backend: str = _own_backend("HALLU_JUDGE_BACKEND")


@dataclass(frozen=True, slots=True)
class SlotReading:
    """A language model says which words name the slots of numbers; values never come from it (NUM-05)."""

    enabled: bool = _setting(False, "Ask a language model which words name metric, property, period and role of a number.", "HALLU_SLOT_READING")
    model: str = _setting("", "The model that is asked; empty: the verifier's.", "HALLU_SLOT_READING_MODEL")
    backend: str = _own_backend("HALLU_SLOT_READING_BACKEND")


@dataclass(frozen=True, slots=True)
class StrictGeneration:
    """Answers written from sources alone, or not at all (RAG-01…RAG-12)."""

    model: str = _setting("", "The model that writes; empty: the verifier's.", "HALLU_STRICT_MODEL")
    fallback: str = _setting("", "What is said instead of an answer; empty: a sentence in the question's language.", "HALLU_STRICT_FALLBACK")
    backend: str = _own_backend("HALLU_STRICT_BACKEND")


@dataclass(frozen=True, slots=True)
class Configuration:
    """The tree of SPEC-08.34. Durations are seconds."""

    enabled: bool = _setting(True, "Ask verifiers at all; false leaves the checks by rule alone.", "HALLU_VERIFICATION")
    backend: Backend = field(default_factory=Backend)
    memory_gate: MemoryGate = field(default_factory=MemoryGate)
    output_verification: OutputVerification = field(default_factory=OutputVerification)
    trace_auditing: TraceAuditing = field(default_factory=TraceAuditing)
    judge: Judge = field(default_factory=Judge)
    slot_reading: SlotReading = field(default_factory=SlotReading)
    strict_generation: StrictGeneration = field(default_factory=StrictGeneration)
    batch_size: int = _setting(10, "Most claims that one batch asks about.", "HALLU_VERIFIER_BATCH_SIZE", 1, 400)
    timeout: float = _setting(10.0, "Longest wait for a verifier's answer.", "HALLU_VERIFIER_TIMEOUT", 0.05, 600, duration=True)
    cache_ttl: float = _setting(3600.0, "How long an estimate is kept.", "HALLU_VERIFIER_CACHE_TTL", 0, 30 * 86400, duration=True)
# fmt: on


def _leaves(cls: Any, place: str = ROOT) -> Iterator[tuple[str, Field[Any]]]:
    for each in fields(cls):
        if is_dataclass(each.type):
            yield from _leaves(each.type, f"{place}.{each.name}")
        else:
            yield f"{place}.{each.name}", each


LEAVES = dict(_leaves(Configuration))
VARIABLES = {leaf.metadata["variable"]: path for path, leaf in LEAVES.items()}


def load(path: str = "", environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The tree as nested dictionaries: defaults, overlaid by the file at ``path``, overlaid by ``environment``
    (variable → text; an empty one is not set).

    Raises :class:`ConfigurationError` that names every fault: a missing or unreadable file, keys that are no
    settings, values that are not accepted, each with its path or variable.
    """
    faults: list[str] = []
    given = _file(path, faults) if path else {}
    chosen = _checked(given, faults)
    for variable, text in (environment or {}).items():
        if text:
            _take(chosen, VARIABLES[variable], lambda leaf, text=text: _of_text(leaf, text), variable, faults)
    if faults:
        raise ConfigurationError("\n".join(faults))
    return _overlaid(asdict(Configuration()), chosen)


def _file(path: str, faults: list[str]) -> Any:
    """What stands under ``hallucination:`` in the file."""
    try:
        held = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        faults.append(f"HALLUCINATION_CONFIG: {path} cannot be read ({error.strerror}).")
        return {}
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        faults.append(f"{path} is not YAML: {' '.join(str(error).split())}")
        return {}
    if held is None:
        return {}
    if not isinstance(held, dict):
        faults.append(f"{path}: give a mapping with {ROOT}: at its top.")
        return {}
    faults += [f"{path}: {key} is not a setting. Known: {ROOT}." for key in held if key != ROOT]
    return {} if held.get(ROOT) is None else held[ROOT]


def _checked(given: Any, faults: list[str], cls: Any = Configuration, place: str = ROOT) -> dict[str, Any]:
    """The accepted values of the file by path; what is not accepted is added to ``faults``."""
    if not isinstance(given, dict):
        faults.append(f"{place}: give a mapping of {', '.join(each.name for each in fields(cls))}.")
        return {}
    declared = {each.name: each for each in fields(cls)}
    chosen: dict[str, Any] = {}
    for key, value in given.items():
        path = f"{place}.{key}"
        if key not in declared:
            faults.append(f"{path} is not a setting. Known: {', '.join(declared)}.")
        elif is_dataclass(declared[key].type):
            chosen |= _checked({} if value is None else value, faults, declared[key].type, path)
        else:
            _take(chosen, path, lambda leaf, value=value: _of_value(leaf, value), path, faults)
    return chosen


def _take(chosen: dict[str, Any], path: str, read: Any, named: str, faults: list[str]) -> None:
    """Put one read value under its path, or its fault, under the name the reader knows, among the faults."""
    try:
        chosen[path] = read(LEAVES[path])
    except ValueError as reason:
        faults.append(f"{named}: {reason}")


def _of_text(leaf: Field[Any], text: str) -> Any:
    """A value of the environment. Raises :class:`ValueError` with what is accepted."""
    if leaf.type is bool:
        if text.lower() not in WORDS:
            raise ValueError(f"{text!r} is not accepted; give true or false.")
        return WORDS[text.lower()]
    if leaf.type is str:
        return _of_value(leaf, text)
    try:
        return _of_value(leaf, float(text))
    except ValueError:
        return _of_value(leaf, text)


def _of_value(leaf: Field[Any], value: Any) -> Any:
    """A value of the file. Raises :class:`ValueError` with what is accepted."""
    if leaf.type is bool:
        if not isinstance(value, bool):
            raise ValueError(f"{value!r} is not accepted; give true or false.")
        return value
    if leaf.type is str:
        if not isinstance(value, str) or (leaf.metadata["choices"] and value not in leaf.metadata["choices"]):
            raise ValueError(f"{value!r} is not accepted; give {_listed(leaf) or 'a text'}.")
        return value
    return _number(leaf, value)


def _listed(leaf: Field[Any]) -> str:
    return " or ".join(choice or "nothing" for choice in leaf.metadata["choices"])


def _number(leaf: Field[Any], value: Any) -> float | int:
    low, high, duration = (leaf.metadata[name] for name in ("low", "high", "duration"))
    number: Any = seconds(value) if duration and isinstance(value, str) else value
    counted = isinstance(number, int | float) and not isinstance(number, bool) and low <= number <= high
    if not counted or (leaf.type is int and number != int(number)):
        kind = "a duration such as 500ms, 10s or 1h," if duration else "a whole number" if leaf.type is int else "a number"  # fmt: skip
        unit = " seconds" if duration else ""
        raise ValueError(f"{value!r} is not accepted; give {kind} from {low:g} to {high:g}{unit}.")
    return int(number) if leaf.type is int else float(number)


def seconds(text: str) -> float | None:
    """The length of a duration such as ``500ms``, ``10s`` or ``1h30m``; None when it is none."""
    if not _DURATION.fullmatch(text.strip()):
        return None
    return sum(float(amount) * UNITS[unit] for amount, unit in _PART.findall(text))


def _overlaid(tree: dict[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The tree with the values at their paths."""
    for path, value in chosen.items():
        *parents, name = path.split(".")[1:]
        branch = tree
        for parent in parents:
            branch = branch[parent]
        branch[name] = value
    return tree
