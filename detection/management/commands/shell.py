"""``manage.py shell`` with the detection functions imported (SPEC-08.31)."""

from django.core.management.commands import shell

from detection.toolkit import FOR_THE_SHELL


class Command(shell.Command):
    """Django's shell; ``verify_claim``, ``verify_claims``, ``audit_trace``, ``gate_fact`` and ``judge`` are there
    from the start."""

    def get_auto_imports(self) -> list[str]:
        """Models as always, and the toolkit's functions."""
        return [*(super().get_auto_imports() or []), *(f"detection.toolkit.{name}" for name in FOR_THE_SHELL)]
