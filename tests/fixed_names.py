"""The names that others hold: a version before at work beside this one, callers, scripts, stored rows, bookmarks.

``tests/data/fixed_names.json`` has them as they are, ``tests/test_fixed_names.py`` compares. After a name was added on
purpose, or taken away with all that it needs: ``python -m tests.fixed_names`` writes the file anew.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

HELD = Path(__file__).parent / "data" / "fixed_names.json"
ROOT = Path(__file__).resolve().parent.parent
OURS = ("hallu_site", "detection", "reviews")

FACES: dict[str, tuple[str, ...]] = {
    "detection.core.types": (),
    "detection.models": (),
    "reviews.toolkit": ("HallucinationDetector",),
    "detection.toolkit": ("Detector", "judge", "verify_claim", "verify_claims", "audit_trace", "gate_fact"),
    "detection.core.ports": (
        "Estimate", "Verifier", "VerifierError", "VerifierTimeout", "VerifierRateLimited", "Text", "TextModel", "failed",
    ),
    "detection.core.numbers": ("extract",),
    "detection.core.strawberry": ("score", "SCORINGS"),
}  # fmt: skip
"""Modules that callers import, with the names they may; none given: those of its ``__all__``."""


def apps() -> dict[str, str]:
    """Label → package. Labels stand in migrations, permissions and content types."""
    from django.apps import apps

    return {app.label: app.name for app in apps.get_app_configs() if app.label in OURS}


def tables() -> dict[str, str]:
    """Model → table."""
    from django.apps import apps

    return {
        each._meta.label: each._meta.db_table
        for label in OURS
        for each in apps.get_app_config(label).get_models()
    }


def migrations() -> dict[str, list[str]]:
    """App → its migrations, by the names that a database remembers."""
    folders = {label: ROOT / label / "migrations" for label in OURS}
    return {label: sorted(path.stem for path in folder.glob("0*.py")) for label, folder in folders.items()}


def choices() -> dict[str, list[str]]:
    """Field → the codes that it stores."""
    from django.apps import apps

    stored = [
        field
        for label in OURS
        for each in apps.get_app_config(label).get_models()
        for field in each._meta.fields
    ]
    return {str(field): [str(code) for code, _ in field.flatchoices] for field in stored if field.flatchoices}


def tasks() -> dict[str, str]:
    """Task → what its message carries."""
    from hallu_site.celery import app

    app.loader.import_default_modules()
    own = {name: task for name, task in app.tasks.items() if not name.startswith("celery.")}
    return {name: signature(task.run) for name, task in own.items()}


def queues() -> dict[str, Any]:
    """The queues, the limits of each task, and how messages are written."""
    from hallu_site.celery import app

    return {
        "queues": sorted(queue.name for queue in app.conf.task_queues),
        "default": app.conf.task_default_queue,
        "limits": app.conf.task_annotations,
        "serializer": app.conf.task_serializer,
        "accepted": app.conf.accept_content,
    }


def messages() -> dict[str, Any]:
    """What is sent for a row that waits: task, arguments, queue and headers, by the lane."""
    from reviews.lifecycle import publishing

    sent: dict[str, Any] = {}

    class App:
        def connection_for_write(self, **_: Any) -> None: ...

        def send_task(self, task: str, args: list[Any], queue: str, **more: Any) -> None:
            sent[lane] = {"task": task, "args": args, "queue": queue, "headers": more["headers"]}

    bell = publishing.Publisher(App())  # type: ignore[arg-type]  # it is asked for no more
    for lane in publishing.TASKS:
        bell.publish(1, lane, "R")
    return sent


def routes() -> dict[str, str | None]:
    """Path → the name of its route, the administration's own left out."""
    from django.urls import get_resolver

    return dict(_routes(get_resolver().url_patterns))


def _routes(patterns: list[Any], before: str = "") -> Iterator[tuple[str, str | None]]:
    for pattern in patterns:
        path = before + str(pattern.pattern)
        if path.startswith("admin/"):
            continue
        if hasattr(pattern, "url_patterns"):
            yield from _routes(pattern.url_patterns, path)
        else:
            yield path, pattern.name


def schema() -> dict[str, list[str]]:
    """Every operation of the API with its parameters, and every body with its fields or values."""
    from drf_spectacular.generators import SchemaGenerator

    generator: Any = SchemaGenerator
    made = generator().get_schema(request=None, public=True)
    found = {
        f"{method.upper()} {path} {operation['operationId']}": sorted(
            p["name"] for p in operation.get("parameters", [])
        )
        for path, operations in made["paths"].items()
        for method, operation in operations.items()
    }
    for name, body in made["components"]["schemas"].items():
        found[name] = sorted(body.get("properties", [])) or [str(value) for value in body.get("enum", [])]
    return found


def commands() -> dict[str, list[str]]:
    """Command → its arguments, without those of every command."""
    from django.core.management import BaseCommand, get_commands, load_command_class

    common = _arguments(BaseCommand())
    own = {name: app for name, app in get_commands().items() if app in OURS}
    return {name: sorted(_arguments(load_command_class(app, name)) - common) for name, app in own.items()}


def _arguments(command: Any) -> set[str]:
    actions = command.create_parser("manage.py", "command")._actions
    return {name for action in actions for name in action.option_strings or [action.dest]}


def variables() -> dict[str, str]:
    """Variable of the environment → its place in the configuration file, where it has one."""
    from detection.configuration import VARIABLES

    read = re.findall(r'\benv\.\w+\(\s*"([A-Z_]+)"', (ROOT / "hallu_site" / "settings.py").read_text())
    return dict.fromkeys(read, "") | VARIABLES


def thresholds() -> dict[str, str]:
    """Threshold, by the name that profiles store → the phase that has to run again when it changes."""
    from detection.core.thresholds import form_fields

    return {each.name: each.metadata["phase"] for each in form_fields()}


def records() -> dict[str, list[str]]:
    """Record of the vocabulary → its fields, which are the keys of the stored JSON; and the words they use."""
    from detection.core import types

    named = {name: getattr(types, name) for name in types.__all__}
    stored = {name: [each.name for each in fields(it)] for name, it in named.items() if is_dataclass(it)}
    words = {
        name: [str(word) for word in get_args(it)]
        for name, it in named.items()
        if str(it).startswith("typing.Literal")
    }
    return stored | words


def faces() -> dict[str, str]:
    """Importable name → how it is called, or nothing for what is not called."""
    found = {}
    for face, names in FACES.items():
        module = import_module(face)
        for name in names or module.__all__:
            it = getattr(module, name)
            found[f"{face}.{name}"] = signature(it)
            if inspect.isclass(it) and face.endswith(("toolkit", "ports")):
                found |= {
                    f"{face}.{name}.{m}": signature(of)
                    for m, of in inspect.getmembers(it, inspect.isfunction)
                    if m[0] != "_"
                }
    return found


def signature(called: Any) -> str:
    """The parameters with their defaults, without what they are annotated with, which may live anywhere; nothing for what
    is no function and no class with parameters of its own."""
    if not (inspect.isroutine(called) or inspect.isclass(called)):
        return ""
    try:
        found = inspect.signature(called)
    except ValueError:  # an exception's, which is written in C
        return ""
    bare = [
        each.replace(annotation=inspect.Parameter.empty, default=_short(each.default))
        for each in found.parameters.values()
    ]
    told = str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    return "" if told == "(*args, **kwargs)" else told


def _short(default: Any) -> Any:
    """A record as a default counts by its type: its fields are held by themselves."""
    return type(default).__name__ if is_dataclass(default) else default


SECTIONS: dict[str, Callable[[], dict[str, Any]]] = {
    each.__name__: each
    for each in (
        apps, tables, migrations, choices, tasks, queues, messages, routes, schema, commands, variables, thresholds,
        records, faces,
    )
}  # fmt: skip


def now(section: str) -> dict[str, Any]:
    """One section as the code has it now, as it would be read back."""
    found: dict[str, Any] = json.loads(json.dumps(SECTIONS[section](), default=str))
    return found


def written(sections: dict[str, Any]) -> str:
    """A name a line, so that a difference reads as one."""
    parts = []
    for section, names in sections.items():
        lines = [
            f"    {json.dumps(name)}: {json.dumps(names[name], ensure_ascii=False)}" for name in sorted(names)
        ]
        parts.append(f'  "{section}": {{\n' + ",\n".join(lines) + "\n  }")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    import os

    import django

    os.environ |= {"DJANGO_SETTINGS_MODULE": "hallu_site.settings", "HALLU_TEST": "1"}
    django.setup()
    HELD.write_text(written({section: now(section) for section in SECTIONS}), encoding="utf-8")
