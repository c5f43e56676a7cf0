"""``manage.py verifier_status [--probe]``: which verifiers are used, what they can do, what they cost today."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from detection.core.ports import VerifierError
from detection.operations import verifier_state
from detection.operations.checks import INSTALLATION
from detection.operations.verifier_state import BackendState, VerifierState
from detection.verifiers import VerifierConfigError
from detection.verifiers.stores import Capability


class Command(BaseCommand):
    """Prints the state that all processes share."""

    help = "Say which verifiers are used, what their endpoints can do, and what they cost today."
    requires_system_checks = (INSTALLATION,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to ask."""
        parser.add_argument("--probe", action="store_true", help="Ask each endpoint anew what it can do.")
        parser.add_argument(
            "--sampled",
            action="store_true",
            help="Take it for what endpoints can do that they give no log-probabilities any more: sample instead, from now on.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Probe if wanted, then print."""
        if options["probe"]:
            for backend in verifier_state.in_use():
                self._probe(backend)
        if options["sampled"]:
            given_up = verifier_state.give_up_logprobs()
            self.stdout.write(f"Sampled from now on: {', '.join(given_up) or 'none that was not before'}.")
        state = verifier_state.state()
        if not state.backends:
            self.stdout.write("No operation that verifies is switched on.")
        for line in (line for backend in state.backends for line in _backend(backend)):
            self.stdout.write(line)
        for line in _money(state):
            self.stdout.write(line)

    def _probe(self, backend: str) -> None:
        if backend == "local":
            return
        try:
            self.stdout.write(f"{backend} answered: {_capability(verifier_state.probe(backend))}")
        except (VerifierConfigError, VerifierError) as failure:
            self.stderr.write(f"{backend} did not answer: {failure}")


def _backend(state: BackendState) -> list[str]:
    lines = [f"{state.backend}: {', '.join(state.operations)}"]
    if state.backend == "local":
        return lines
    lines.append(f"  model      {state.model or '-'} at {state.base_url or 'its provider’s own address'}")
    lines.append(f"  capability {_capability(state.capability)}")
    left_alone = f"left alone ({state.circuit}) for {state.wait:.0f} s more"
    lines.append(
        f"  circuit    {left_alone if state.wait else 'next request is a probe' if state.circuit else 'closed'}"
    )
    if state.down_since:
        lines.append(f"  down since {state.down_since:%Y-%m-%d %H:%M} UTC ({state.down_reason})")
    if state.last_error:
        lines.append(f"  last error {state.last_error_at:%Y-%m-%d %H:%M} UTC {state.last_error}")
    return lines


def _capability(capability: Capability | None) -> str:
    if capability is None:
        return "not known yet; found out with the first question"
    without = (
        "no log-probabilities any more: what is asked is owed"
        if capability.has_fallen
        else "no log-probabilities: sampled"
    )
    listed = f"{capability.top_logprobs} alternatives" if capability.logprobs else without
    told = [f"limit in {capability.limit_name}"]
    told += [] if capability.temperature else ["no temperature"]
    told += [f"reasoning effort {capability.reasoning_effort}"] if capability.reasoning_effort else []
    return f"{listed}, {', '.join(told)} (found out {capability.probed_at:%Y-%m-%d %H:%M} UTC)"


def _money(state: VerifierState) -> list[str]:
    limit = "no limit" if state.daily_usd is None else f"of {state.daily_usd} USD"
    spent = state.daily_usd is not None and state.spent_usd >= state.daily_usd
    lines = [f"today (UTC): {state.spent_usd:.6f} USD, {limit}{'; spent, nothing is asked' if spent else ''}"]
    lines += [
        f"  {row.backend} {row.model}: {row.calls} calls, {row.cached} claims from the cache, "
        f"{row.tokens_in} tokens read, {row.tokens_out} written, {row.usd:.6f} USD"
        for row in state.spending
    ]
    if state.shared_estimates is not None:
        lines.append(f"estimates shared in the cache: {state.shared_estimates}")
    return lines
