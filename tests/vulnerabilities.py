"""``python -m tests.vulnerabilities``: whether a pinned package has a known vulnerability, by pip-audit; the gate asks.

One that is known fails. A service that is away or knows nothing of the packages fails nothing, and is told: then nothing
was learnt.
"""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = "requirements-dev.txt"
SECONDS = 120
AWAY = re.compile(
    r"\b(?:ConnectionError|ProxyError|SSLError|\w*Timeout|ServiceError|Could not connect|HTTPError)\b"
)
"""How pip-audit says that it could not ask."""


def main(lock: Path, options: Sequence[str] = (), seconds: float = SECONDS) -> int:
    """Ask about every pin of a lock file and print what came back; 1 for a vulnerability, or when pip-audit is broken."""
    audit = [
        sys.executable,
        "-m",
        "pip_audit",
        "--require-hashes",
        "--disable-pip",
        "--progress-spinner",
        "off",
    ]
    command = [*audit, "--timeout", "10", "--format", "json", "-r", str(lock), *options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        print(f"NOT AUDITED: the service for vulnerabilities did not answer within {seconds:g} s.")
        return 0
    if not done.stdout.strip():
        return _without_report(done.stderr)
    asked = json.loads(done.stdout)["dependencies"]
    return _told(asked, [one for one in asked if one.get("vulns")])


def _told(asked: list[dict], vulnerable: list[dict]) -> int:
    for one in vulnerable:
        for flaw in one["vulns"]:
            fixed = ", ".join(flaw["fix_versions"]) or "no version yet"
            print(f"{one['name']} {one['version']}: {flaw['id']}, fixed in {fixed}.")
    unknown = [one["name"] for one in asked if "skip_reason" in one]
    if unknown:
        named = ", ".join(unknown[:5]) + (" …" if len(unknown) > 5 else "")
        print(f"NOT AUDITED: the service knows nothing of {len(unknown)} of {len(asked)} packages ({named}).")
    print(
        f"{len(asked) - len(unknown)} of {len(asked)} packages audited, {len(vulnerable)} with a vulnerability."
    )
    return int(bool(vulnerable))


def _without_report(said: str) -> int:
    if AWAY.search(said):
        print("NOT AUDITED: the service for vulnerabilities cannot be reached from here.")
        return 0
    print(f"pip-audit could not do its work:\n{said[-2000:]}")
    return 1


if __name__ == "__main__":
    sys.exit(main(ROOT / LOCK))
