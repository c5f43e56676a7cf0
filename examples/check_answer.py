"""Have an answer checked, and print it with the warning that its reader should see.

    HALLU_URL=http://localhost:8000 HALLU_KEY=... python check_answer.py < answer.json

``answer.json`` holds what your backend has anyway: ``question``, ``answer`` and ``sources`` (``id``, ``text``).
Standard library only. Exits with 1 when the answer could not be checked; it is printed with a note then.
"""

import json
import os
import sys
import time
import urllib.request
from typing import Any

SECONDS = 60.0
NOT_CHECKED = "Note: this answer could not be checked."


def call(path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """The reply to a POST of ``body``, or to a GET without one. Raises OSError for no reply or a refusal."""
    request = urllib.request.Request(
        os.environ["HALLU_URL"].rstrip("/") + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {os.environ['HALLU_KEY']}",
            "Content-Type": "application/json",
            "Prefer": "wait=10",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        reply: dict[str, Any] = json.load(response)
        return reply


def checked(answer: dict[str, Any]) -> dict[str, Any]:
    """The result for an answer; asks again until it is there. Raises OSError when it never comes."""
    result = call("/api/v1/answers/", answer)
    end = time.monotonic() + SECONDS
    while result["status"] != "completed":
        if result["status"] == "needs_attention" or time.monotonic() > end:
            raise TimeoutError(f"no result for {result['id']}: {result['status']}")
        time.sleep(0.5)
        result = call(f"/api/v1/answers/{result['id']}/")
    return result


def main() -> int:
    """Print the answer with its warning, and to stderr which claims are doubtful."""
    answer = json.load(sys.stdin)
    try:
        result = checked(answer)
    except OSError as failure:
        print(f"{answer['answer']}\n\n{NOT_CHECKED}")
        print(f"check_answer: {failure}", file=sys.stderr)
        return 1
    print("\n\n".join(part for part in (answer["answer"], result["warning"]) if part))
    for claim in result["claims"]:
        if claim["status"] in ("contradicted", "unsupported"):
            print(f"{claim['status']}: {claim['text']} ({claim['reason']})", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
