"""``python -m tests.materials FILE``: the bill of materials of the product (CycloneDX), out of what is installed; the gate writes it.

It needs no network. Every package that is pinned must be installed as it is pinned, under a licence that an MIT product may be
made with; what only development needs is looked at too, and left out of the file.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PRODUCT, DEVELOPMENT = "requirements.txt", "requirements-dev.txt"
ALLOWED = frozenset(
    {
        "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "CNRI-Python", "ISC", "MIT", "MIT-0", "PSF-2.0",
        "Python-2.0", "Unlicense", "Zlib",
        "LGPL-3.0-only",  # of a library that is imported and never changed
        "MPL-2.0",  # of files that are never changed
    }
)  # fmt: skip
"""Licences by their SPDX names."""
CLASSIFIERS = {
    "License :: OSI Approved :: BSD License": "BSD-3-Clause",
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "License :: DFSG approved": "",
}
"""Older names, and what they stand for; empty: it says nothing."""
LOOKED_UP = {
    "axe-playwright-python": "MIT",
    "promql-parser": "MIT",
    "protobuf": "BSD-3-Clause",
    "uritemplate": "BSD-3-Clause OR Apache-2.0",
}
"""Packages that name theirs in a file, or in words of their own."""
Bill = dict[str, Any]


def pinned(lock: str) -> dict[str, str]:
    """Package → version, of those that a lock file pins for this machine."""
    entries = re.findall(r"^([\w.-]+)==([^ ;]+)(?: ; (.+?))? \\$", (ROOT / lock).read_text(), re.MULTILINE)
    return {
        canonicalize_name(name): version
        for name, version, marker in entries
        if not marker or Marker(marker).evaluate()
    }


def made() -> Bill:
    """The bill of all that is installed."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--no-validate"]
    done = subprocess.run([*command, sys.executable], capture_output=True, text=True, check=True)
    bill: Bill = json.loads(done.stdout)
    return bill


def of_product(bill: Bill, names: Sequence[str]) -> Bill:
    """The bill without what only development needs."""
    kept = [part for part in bill["components"] if canonicalize_name(part["name"]) in names]
    refs = {part["bom-ref"] for part in kept}
    needs = [
        need | {"dependsOn": [ref for ref in need.get("dependsOn", ()) if ref in refs]}
        for need in bill.get("dependencies", ())
        if need["ref"] in refs
    ]
    return bill | {"components": kept, "dependencies": needs}


def faults(bill: Bill, pins: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with a bill, in sentences."""
    parts: dict[str, Any] = {canonicalize_name(part["name"]): part for part in bill["components"]}
    for name, version in pins.items():
        if name not in parts:
            yield f"{name} {version} is pinned and not installed."
        elif parts[name]["version"] != version:
            yield f"{name} is pinned at {version} and installed at {parts[name]['version']}."
        else:
            yield from (f"{name}: {said}" for said in _licence_faults(name, parts[name]))


def _licence_faults(name: str, part: Mapping[str, Any]) -> Iterator[str]:
    named = [LOOKED_UP[name]] if name in LOOKED_UP else list(_licences(part))
    if not named:
        yield "it names no licence."
    for licence in named:
        ways = (way.split(" AND ") for way in licence.strip("()").split(" OR "))
        if not any(ALLOWED.issuperset(one.strip() for one in way) for way in ways):
            yield f"its licence {licence!r} is not among those that are allowed (tests/materials.py)."


def _licences(part: Mapping[str, Any]) -> Iterator[str]:
    for entry in part.get("licenses", ()):
        one = entry.get("license", {})
        said = entry.get("expression") or one.get("id") or CLASSIFIERS.get(one.get("name"), one.get("name"))
        if said:
            yield said


def main(path: Path) -> int:
    """Write the bill, and print what is wrong."""
    bill, product = made(), pinned(PRODUCT)
    path.write_text(json.dumps(of_product(bill, list(product)), indent=1, sort_keys=True))
    found = list(faults(bill, pinned(DEVELOPMENT)))
    print(
        "\n".join(found) or f"{len(product)} packages of the product in {path}, each as pinned and allowed."
    )
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
