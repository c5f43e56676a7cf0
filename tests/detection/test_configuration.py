"""The tree of SPEC-08.34: a file, overridden by the environment, with every fault named."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from detection import configuration
from detection.configuration import LEAVES, VARIABLES, ConfigurationError, load, seconds
from detection.operations.checks import every_backend_is_used, verifier_is_configured
from detection.operations.verifying import OPERATIONS, backend_of
from detection.verifiers import BACKENDS
from tests.test_house import ROOT, start

DOCUMENT = """
hallucination:
  enabled: true
  backend:
    type: external
    default: local
  memory_gate:
    enabled: true
    min_confidence: 0.7
    reject_unsupported: false
  output_verification:
    enabled: false
    flag_threshold_bits: 3
  trace_auditing:
    enabled: true
    check_post_hoc: false
  batch_size: 25
  timeout: 500ms
  cache_ttl: 1h30m
"""


@pytest.fixture
def written(tmp_path: Path) -> Any:
    """``written(text)``: the path of a configuration file with this text."""

    def write(text: str) -> str:
        file = tmp_path / "hallucination.yaml"
        file.write_text(text)
        return str(file)

    return write


def faults(path: str = "", **environment: str) -> list[str]:
    with pytest.raises(ConfigurationError) as refused:
        load(path, environment)
    return str(refused.value).splitlines()


@pytest.mark.requirement("SPEC-08.34")
def test_the_documents_tree_is_read_from_a_file(written: Any) -> None:
    tree = load(written(DOCUMENT))
    assert tree["enabled"] is True
    assert tree["backend"] == {"type": "external", "default": "local"}
    assert (tree["memory_gate"]["enabled"], tree["memory_gate"]["min_confidence"]) == (True, 0.7)
    assert tree["memory_gate"]["reject_unsupported"] is False
    assert tree["memory_gate"]["max_gap_bits"] == 2.0
    assert tree["output_verification"]["enabled"] is False
    assert tree["output_verification"]["flag_threshold_bits"] == 3.0
    assert (tree["trace_auditing"]["enabled"], tree["trace_auditing"]["check_post_hoc"]) == (True, False)
    assert (tree["batch_size"], tree["timeout"], tree["cache_ttl"]) == (25, 0.5, 5400.0)


@pytest.mark.requirement("SPEC-08.35")
def test_by_default_nothing_that_costs_money_is_asked() -> None:
    tree = load()
    assert tree["backend"] == {"type": "local", "default": "local"}
    assert [tree[operation]["enabled"] for operation in OPERATIONS] == [True, False, False]
    assert not any(tree[operation]["backend"] for operation in OPERATIONS)


@pytest.mark.requirement("SPEC-08.34")
def test_the_environment_overrides_the_file(written: Any) -> None:
    given = {"HALLU_VERIFIER": "local", "HALLU_MEMORY_GATE": "off", "HALLU_OUTPUT_VERIFICATION": "TRUE",
             "HALLU_TRACE_AUDITING": "no", "HALLU_VERIFIER_TIMEOUT": "2s", "HALLU_VERIFIER_BATCH_SIZE": "7",
             "HALLU_VERIFIER_CACHE_TTL": ""}  # fmt: skip
    tree = load(written(DOCUMENT), given)
    assert tree["backend"]["type"] == "local"
    assert [tree[operation]["enabled"] for operation in OPERATIONS] == [True, False, False]
    assert (tree["timeout"], tree["batch_size"], tree["cache_ttl"]) == (2.0, 7, 5400.0)


@pytest.mark.requirement("SPEC-08.34")
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("hallucination: {memory_gat: {}}", "hallucination.memory_gat is not a setting. Known: enabled, backend,"),
        ("hallucination: {memory_gate: {enable: true}}", "hallucination.memory_gate.enable is not a setting. Known: enabled, min_confidence,"),
        ("halucination: {}", "halucination is not a setting. Known: hallucination."),
        ("hallucination: {enabled: maybe}", "hallucination.enabled: 'maybe' is not accepted; give true or false."),
        ("hallucination: {memory_gate: true}", "hallucination.memory_gate: give a mapping of enabled, min_confidence,"),
        ("hallucination: {memory_gate: {min_confidence: 1.5}}", "hallucination.memory_gate.min_confidence: 1.5 is not accepted; give a number from 0 to 1."),
        ("hallucination: {memory_gate: {min_confidence: true}}", "hallucination.memory_gate.min_confidence: True is not accepted"),
        ("hallucination: {batch_size: 2.5}", "hallucination.batch_size: 2.5 is not accepted; give a whole number from 1 to 400."),
        ("hallucination: {timeout: soon}", "hallucination.timeout: 'soon' is not accepted; give a duration such as 500ms, 10s or 1h, from 0.05 to 600 seconds."),
        ("hallucination: {timeout: 1h}", "hallucination.timeout: '1h' is not accepted"),
        ("hallucination: {backend: {type: oracle}}", "hallucination.backend.type: 'oracle' is not accepted; give local or self or external or haiku or configurable."),
        ("hallucination: {backend: {type: [local]}}", "hallucination.backend.type: ['local'] is not accepted"),
        ("hallucination: {trace_auditing: {backend: configurable}}", "hallucination.trace_auditing.backend: 'configurable' is not accepted; give nothing or local"),
        ("[hallucination]", "give a mapping with hallucination: at its top."),
        ("hallucination: {", "is not YAML:"),
    ],
)  # fmt: skip
def test_what_is_not_accepted_is_named_with_its_path(written: Any, text: str, named: str) -> None:
    (fault,) = faults(written(text))
    assert named in fault


@pytest.mark.requirement("SPEC-08.34")
def test_every_fault_is_named_at_once(written: Any) -> None:
    path = written("hallucination: {batch_size: 0, tiemout: 5s, backend: {typ: local}}")
    told = faults(path, HALLU_MEMORY_GATE="perhaps", HALLU_VERIFIER_TIMEOUT="nan")
    assert [fault.split(":")[0].split(" ")[0] for fault in told] == [
        "hallucination.batch_size",
        "hallucination.tiemout",
        "hallucination.backend.typ",
        "HALLU_MEMORY_GATE",
        "HALLU_VERIFIER_TIMEOUT",
    ]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert faults(str(tmp_path / "none.yaml")) == [
        f"HALLUCINATION_CONFIG: {tmp_path / 'none.yaml'} cannot be read (No such file or directory)."
    ]


@pytest.mark.parametrize("text", ["", "hallucination:", "hallucination: {memory_gate: }", "# only a comment"])
def test_an_empty_file_leaves_the_defaults(written: Any, text: str) -> None:
    assert load(written(text)) == load()


@given(
    hours=st.integers(0, 99), minutes=st.integers(0, 99), whole=st.integers(0, 99), part=st.integers(0, 999)
)
def test_a_duration_is_the_sum_of_its_parts(hours: int, minutes: int, whole: int, part: int) -> None:
    expected = hours * 3600 + minutes * 60 + whole + part / 1000
    assert seconds(f"{hours}h{minutes}m{whole}s{part}ms") == pytest.approx(expected)


@pytest.mark.parametrize("text", ["", "s", "10", "10 s", "-1s", "1y", "1h!", "0x1s"])
def test_what_is_no_duration_has_no_length(text: str) -> None:
    assert seconds(text) is None


@pytest.mark.requirement("SPEC-08.34")
def test_a_wrong_file_stops_the_start_and_names_the_key(tmp_path: Path, written: Any) -> None:
    refused = start(tmp_path, HALLUCINATION_CONFIG=written("hallucination: {memory_gate: {on: true}}"))
    assert refused.returncode == 1
    assert "hallucination.memory_gate." in refused.stderr
    assert "is not a setting" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.requirement("SPEC-08.34")
def test_a_verifier_of_the_file_without_its_address_is_named_by_the_check(
    tmp_path: Path, written: Any
) -> None:
    refused = start(tmp_path, HALLUCINATION_CONFIG=written("hallucination: {backend: {type: external}}"))
    assert refused.returncode == 1
    assert "Set HALLU_VERIFIER_BASE_URL." in refused.stderr
    overridden = start(
        tmp_path,
        HALLUCINATION_CONFIG=written("hallucination: {backend: {type: external}}"),
        HALLU_VERIFIER="local",
    )
    assert overridden.returncode == 0, overridden.stderr


@pytest.mark.requirement("SPEC-08.02")
@pytest.mark.requirement("SPEC-08.27")
def test_each_operation_may_have_a_backend_of_its_own(settings: Any) -> None:
    settings.HALLUCINATION = load(
        environment={
            "HALLU_VERIFIER": "configurable",
            "HALLU_VERIFIER_DEFAULT": "local",
            "HALLU_TRACE_AUDITING": "true",
            "HALLU_TRACE_AUDITING_VERIFIER": "external",
        }
    )
    settings.VERIFIER = {**settings.VERIFIER, "backend": "configurable", "base_url": "", "model": "m"}
    assert [backend_of(operation) for operation in OPERATIONS] == ["local", "local", "external"]
    assert [problem.hint for problem in verifier_is_configured()] == ["Set HALLU_VERIFIER_BASE_URL."]
    assert every_backend_is_used() == []


def test_an_operations_backend_that_does_not_count_is_pointed_out(settings: Any) -> None:
    settings.HALLUCINATION = load(environment={"HALLU_MEMORY_GATE_VERIFIER": "local"})
    assert [problem.msg for problem in every_backend_is_used()] == [
        "hallucination.memory_gate.backend is not used."
    ]


def test_the_tree_offers_the_backends_that_there_are() -> None:
    assert set(configuration.BACKENDS) == set(BACKENDS)


def test_every_setting_says_what_it_is_and_has_a_variable_of_its_own() -> None:
    assert all(leaf.metadata["help"].endswith(".") for leaf in LEAVES.values())
    assert len(VARIABLES) == len(LEAVES) > len(fields(configuration.Configuration))


@pytest.mark.requirement("SPEC-08.34")
def test_the_tree_that_operations_shows_is_the_default(written: Any) -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    shown = re.findall(r"```yaml\n(hallucination:\n.*?)```", page, re.DOTALL)
    assert [load(written(text)) for text in shown] == [load()]


def test_the_example_shows_the_default_of_every_variable() -> None:
    text = (ROOT / ".env.example").read_text()
    shown = dict(re.findall(r"^(?:# )?([A-Z][A-Z_]+)=(.*)$", text, re.MULTILINE))
    assert load(environment={name: shown[name] for name in VARIABLES}) == load()


def test_every_variable_of_the_tree_reaches_the_containers() -> None:
    environment = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["x-hallu"]["environment"]
    assert {name: environment.get(name) for name in VARIABLES} == {
        name: f"${{{name}:-}}" for name in VARIABLES
    }


def test_every_variable_of_a_verifier_reaches_the_containers() -> None:
    environment = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["x-hallu"]["environment"]
    text = (ROOT / ".env.example").read_text()
    named = set(re.findall(r"^(?:# )?(HALLU_(?:VERIFIER|HAIKU)[A-Z_]*)=", text, re.MULTILINE))
    assert "HALLU_VERIFIER_DAILY_USD" in named
    assert named - set(environment) == set()
