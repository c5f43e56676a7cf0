"""Does the API keep to its document? ``python -m benchmarks.api_fuzzing [--seconds 900]``.

Starts the product on SQLite, with its workers and the demo, and has schemathesis ask it by its document: examples, values
at the limits of what the document says, random ones right and wrong, and what one answer leads to in the next. Asked are no
5xx and nothing that the document does not say. Ends with 1 where something was found; each finding names its request.
"""

import argparse
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import schemathesis

from benchmarks.installation import running, set_up, stores

PROCESSES = {"web": ["web"], "fast": ["fast"], "verify": ["verify"], "sweep": ["sweep"]}
NOT_SAID = "positive_data_acceptance,ignored_auth"
"""What is beyond a document: which rows there are, what stands twice, and that many wrong keys are a 429 and no 401."""
NOT_ASKED_FOR = ("fiscal_year_end_month", "seen")
LONGEST_QUERY = 3800


@schemathesis.hook
def filter_case(_context: Any, case: Any) -> bool:
    """No filter without a value, which counts as none whatever the document says its values are; no address beyond what the web
    server reads; no body without what the document does not ask for, which schemathesis takes for a fault all the same."""
    query = case.query or {}
    empty = any(value in ("", [""], []) or isinstance(value, dict) for value in query.values())
    left_out = getattr(case.meta and case.meta.phase.data, "parameter", None) in NOT_ASKED_FOR
    return not empty and len(urlencode(query, doseq=True)) < LONGEST_QUERY and not left_out


def key() -> str:
    """The key of a reviewer that may do everything, among the demo's rows."""
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from detection.models import ApiKey
    from detection.models.access import SCOPES

    call_command("seed_demo", stdout=io.StringIO())
    reviewer = User.objects.get(username="noam")
    row, plain = ApiKey.issue("fuzzing", list(SCOPES), user=reviewer, all_properties=True)
    row.agree(reviewer, row.last_event())
    return plain


def asked(port: int, plain: str, seconds: int) -> int:
    """Have the product at that port asked for so long; 0 where nothing was found."""
    command = [str(Path(sys.executable).with_name("schemathesis")), "run"]
    command += [f"http://127.0.0.1:{port}/api/v1/schema/", "--wait-for-schema", "120"]
    command += ["--header", f"Authorization: Bearer {plain}"]
    command += ["--max-time", str(seconds), "--exclude-checks", NOT_SAID, "--continue-on-failure"]
    command += [
        "--generation-database",
        "none",
        "--suppress-health-check",
        "all",
        "--warnings",
        "off",
        "--request-timeout",
        "60",
    ]
    return subprocess.run(command, env=os.environ | {"SCHEMATHESIS_HOOKS": __spec__.name}).returncode


def main() -> None:
    """Start the product, have it asked, end it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--seconds", type=int, default=900, help="for all of it; the limits alone take two minutes"
    )
    told = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="hallu-fuzzing-", ignore_cleanup_errors=True) as name,
        stores("sqlite", "embedded", Path(name)) as given,
    ):
        set_up(given, Path(name))
        from django.conf import settings
        from django.core.management import call_command

        call_command("collectstatic", interactive=False, verbosity=0)
        plain = key()
        with running(PROCESSES, Path(name) / "log"):
            sys.exit(asked(settings.HALLU_PORT, plain, told.seconds))


if __name__ == "__main__":
    main()
