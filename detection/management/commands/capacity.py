"""``manage.py capacity``: what so many answers a day need (docs/scaling.md)."""

from argparse import ArgumentParser
from dataclasses import fields
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from detection.observing.capacity import Costs, Load, Need, need

WORDS = {
    "web": "CPU seconds of web for an answer",
    "worker": "CPU seconds of workers and sweeper for an answer",
    "database": "CPU seconds of the database for an answer",
    "broker": "CPU seconds of the broker for an answer",
    "rows": "rows that an answer leaves",
    "bytes": "bytes that an answer leaves, with its indexes",
    "claims": "statements of an answer",
    "calls": "calls of a verifier for a statement",
    "tokens_in": "tokens that a call reads",
    "tokens_out": "tokens that a call writes",
    "verified_in": "seconds that an answer waits for its verifier",
    "price_in": "US dollars for a million tokens read",
    "price_out": "US dollars for a million tokens written",
}


class Command(BaseCommand):
    """Prints the figures of :func:`detection.observing.capacity.need`; connects to nothing."""

    help = "Say what so many answers a day need: processors, places to wait for a verifier, tokens, money, storage."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The load, and each cost that was measured to be another."""
        parser.add_argument("--answers-per-day", type=float, required=True, metavar="N")
        parser.add_argument("--peak", type=float, default=3.0, help="The busiest hour over the average (3).")
        parser.add_argument(
            "--verified", type=float, default=1.0, help="Share of answers that a verifier is asked about (1)."
        )
        parser.add_argument(
            "--cached", type=float, default=0.0, help="Share of claims that its cache answers (0)."
        )
        parser.add_argument(
            "--headroom", type=float, default=1.5, help="How many times what comes can be judged (1.5)."
        )
        for field in fields(Costs):
            name = f"--{field.name.replace('_', '-')}"
            parser.add_argument(
                name, type=float, default=field.default, help=f"{WORDS[field.name]} ({field.default:g})."
            )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a figure a line. Raises :class:`CommandError` for what no load is."""
        if min(value for value in options.values() if isinstance(value, float)) < 0:
            raise CommandError("No figure is less than 0.")
        load = Load(options["answers_per_day"], options["peak"], options["verified"], options["cached"])
        costs = Costs(**{field.name: options[field.name] for field in fields(Costs)})
        try:
            found = need(load, costs, headroom=options["headroom"])
        except ValueError as error:
            raise CommandError(str(error)) from None
        for name, value in _told(load, found):
            self.stdout.write(f"{name:<42} {value}")


def _told(load: Load, found: Need) -> list[tuple[str, str]]:
    cores = found.web_cores + found.worker_cores + found.database_cores + found.broker_cores
    return [
        ("answers a second, average and peak", f"{load.average:,.2f} · {load.busiest:,.2f}"),
        ("processors at the peak, 60 % busy", f"{cores:,.2f}"),
        ("  of web", f"{found.web_cores:,.2f}"),
        ("  of workers", f"{found.worker_cores:,.2f}"),
        ("  of the database", f"{found.database_cores:,.2f}"),
        ("  of the broker", f"{found.broker_cores:,.2f}"),
        ("answers at a time in the lane verify", f"{found.slots:,}"),
        ("calls of a verifier a second, average", f"{found.calls:,.1f}"),
        ("tokens read a second, average", f"{found.tokens:,.0f}"),
        ("US dollars a day", f"{found.usd_a_day:,.2f}"),
        ("rows a second at the peak", f"{found.rows:,.0f}"),
        ("storage a day, GB", f"{found.bytes_a_day / 1e9:,.2f}"),
        ("answers that wait after an hour's outage", f"{found.backlog:,.0f}"),
        ("minutes until they are judged", f"{found.drained_in / 60:,.0f}"),
    ]
