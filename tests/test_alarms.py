"""Dashboard and alarms ask for what /metrics gives, and every alarm says what to do (SPEC-08.40)."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import promql_parser
import pytest
import yaml
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone

from detection.observing import totals

ROOT = Path(__file__).resolve().parent.parent
ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yml"
DASHBOARD = ROOT / "deploy" / "grafana" / "hallu.json"
OPERATIONS = ROOT / "docs" / "operations.md"
SEVERITIES = {"page", "warn"}

pytestmark = pytest.mark.requirement("SPEC-08.40")


class Selector(NamedTuple):
    """One series that an expression reads."""

    name: str
    labels: dict[str, tuple[str, str]]


def alarms() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load(ALERTS.read_text())["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(DASHBOARD.read_text())["panels"]
    return [panel for panel in found if panel["type"] != "row"]


def expressions() -> list[str]:
    """All of them, Grafana's own interval filled in."""
    asked = [target["expr"] for panel in panels() for target in panel["targets"]]
    return [rule["expr"] for rule in alarms()] + [each.replace("$__rate_interval", "5m") for each in asked]


def selectors(expression: str) -> list[Selector]:
    """The series that Prometheus would read for an expression. Raises ValueError for what it could not parse."""
    return list(_selectors(promql_parser.parse(expression)))


def _selectors(node: Any) -> Iterator[Selector]:
    if isinstance(node, promql_parser.VectorSelector):
        named = {each.name: (str(each.op), each.value) for each in node.matchers.matchers}
        yield Selector(node.name or "", named)
    for part in ("expr", "lhs", "rhs", "vector_selector", "param"):
        inner = getattr(node, part, None)
        if inner is not None and not isinstance(inner, str | float | int):
            yield from _selectors(inner)
    for inner in getattr(node, "args", None) or ():
        yield from _selectors(inner)


def test_selectors_are_found_wherever_they_stand_in_an_expression() -> None:
    told = selectors(
        'topk(3, histogram_quantile(0.9, sum by (le) (rate(a{x="1"}[5m])))) / (b or -c) > max(d)'
    )
    assert [each.name for each in told] == ["a", "b", "c", "d"]
    with pytest.raises(ValueError, match=r"\w"):
        selectors("sum by (rate(")


@pytest.mark.django_db
def test_every_metric_that_is_asked_for_is_given() -> None:
    totals.keep_up(timezone.now() - timedelta(minutes=10))
    shown = Client().get("/metrics").content.decode()
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", shown, re.MULTILINE))
    given = set(kinds) | {f"{name}_bucket" for name, kind in kinds.items() if kind == "histogram"}
    asked = {selector.name for each in expressions() for selector in selectors(each)}
    assert len(asked) > 20
    assert asked <= given


def test_every_route_that_is_asked_for_is_one() -> None:
    asked = {
        route
        for each in expressions()
        for selector in selectors(each)
        for route in selector.labels.get("route", ("", ""))[1].split("|")
        if route
    }
    known = {str(name) for name in _names(get_resolver())}
    assert {"answer-list", "review"} <= asked <= known


def _names(resolver: Any) -> Iterator[Any]:
    for pattern in resolver.url_patterns:
        yield from _names(pattern) if hasattr(pattern, "url_patterns") else [pattern.name]


def test_every_alarm_has_its_severity_its_sentence_and_its_entry_and_no_entry_lacks_an_alarm() -> None:
    told = OPERATIONS.read_text().split("\n## Alarms\n")[1].split("\n## ")[0]
    entries = dict(re.findall(r"^### (\w+)\n(Page|Warn)\. ", told, re.MULTILINE))
    rules = {rule["alert"]: rule for rule in alarms()}
    assert list(entries) == list(rules)
    for name, rule in rules.items():
        severity = rule["labels"]["severity"]
        assert severity in SEVERITIES
        assert entries[name] == severity.capitalize()
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["annotations"]["runbook"] == f"docs/operations.md#{name.lower()}"


def test_the_metrics_page_names_every_metric_that_is_asked_for() -> None:
    page = OPERATIONS.read_text().split("\n## Metrics\n")[1].split("\n### ")[0]
    asked = {selector.name for each in expressions() for selector in selectors(each)}
    ends = set(re.findall(r"`(_\w+)`", page))
    unnamed = {
        name
        for name in asked
        if re.sub("_bucket$", "", name) not in page and not any(name.endswith(end) for end in ends)
    }
    assert unnamed == set()


def test_no_two_panels_stand_in_one_place_and_each_has_its_data() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        place = panel["gridPos"]
        cells = {(place["x"] + dx, place["y"] + dy) for dx in range(place["w"]) for dy in range(place["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells
        assert panel["datasource"] == {"type": "prometheus", "uid": "${source}"}
        assert len({target["refId"] for target in panel["targets"]}) == len(panel["targets"]) > 0
    numbers = [panel["id"] for panel in json.loads(DASHBOARD.read_text())["panels"]]
    assert len(set(numbers)) == len(numbers)


def test_prometheus_itself_takes_the_alarms() -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed (apt install prometheus)")
    checked = subprocess.run([promtool, "check", "rules", str(ALERTS)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
