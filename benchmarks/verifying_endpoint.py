"""What does verifying with an endpoint take? (python -m benchmarks.verifying_endpoint)

    python -m benchmarks.verifying_endpoint [--latency 100] [--price-in 0.15 --price-out 0.60] [--model]

Against a server on loopback that answers honestly after a fixed latency: how many calls an answer of ten claims with
three sets of citations makes, how long it takes beside the sum of its calls, and what 1, 5 and 10 claims cost over 500
and 2,000 tokens of context at the prices given (US dollars for a million tokens). The server counts a token for each
four characters; with ``--model`` tokens are counted by the small real model's tokenizer, and its answers are timed too.
"""

import argparse
import json
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from functools import partial
from typing import Any

from benchmarks.verifying import Times, heading
from benchmarks.verifying_cases import answer, read
from detection.core import strawberry
from detection.core.context import Context
from detection.core.types import Case, StrawberryMeasurement, Usage
from detection.verifiers import open_verifier
from tests.detection.fault_server import honest, question
from tests.detection.verifier_stub import Endpoint, Stub, forwards, serving
from tests.llm.endpoint import MODEL, missing, running

CHARACTERS_A_TOKEN = 4
Count = Callable[[str], int]


@contextmanager
def endpoint(latency: float, count: Count) -> Iterator[Stub]:
    """An honest endpoint that answers after ``latency`` seconds and counts tokens by ``count``."""

    def reply(asked: Endpoint, body: dict) -> None:
        time.sleep(latency)
        claim, context = question(body)
        said = json.loads(honest(claim, context))
        said["usage"]["prompt_tokens"] = sum(count(str(each["content"])) for each in body["messages"])
        asked.reply(200, json.dumps(said))

    with serving(reply) as stub:
        yield stub


def opened(url: str, **more: Any) -> Any:
    """The backend for an endpoint, with nothing kept of earlier answers."""
    return open_verifier({"backend": "external", "base_url": url, "model": MODEL, "timeout": 300, **more})


def calls(latency: float, rounds: int) -> None:
    """Calls of an answer, and its time beside the sum of theirs.

    The label's probability is read from the first token of an answer, so a call asks about one claim in one
    context: with all sources (p1), without the cited ones (p0), with the cited ones alone. The last is asked as
    contracts §4 wants it: wherever any permitted threshold could need it.
    """
    times, made, distinct = Times(), 0, 0
    with endpoint(latency, len) as stub:
        verifier = opened(stub.url)
        _verified(answer(1, seed=10_000), verifier)
        for seed in range(rounds):
            stub.asked.clear()
            measured = times.of(partial(_verified, answer(10, seed=seed), verifier))
            made, distinct = len(stub.asked), len({json.dumps(body) for body in stub.asked})
            probes = sum(lift.p_cited is not None for lift in measured.claims.values())
    print(
        f"10 claims, 3 sets of citations, {latency * 1000:.0f} ms a call: {made} calls, {distinct} of them distinct:"
    )
    print(f"10 for p1 in one context, 10 for p0 in three, {probes} with the cited sources alone in three")
    print(f"one after another they would take {made * latency * 1000:,.0f} ms")
    print(heading("ms, an answer"))
    print(times.row("10 claims over the endpoint"))


def _verified(case: Case, verifier: Any) -> StrawberryMeasurement:
    measured = strawberry.measure(Context(case, read(case), verifier=verifier))
    strawberry.decide(measured, Context())
    return measured


def costs(count: Count, named: str, prices: Mapping[str, str]) -> None:
    """Calls, tokens and money of an answer, by claims and context."""
    print(
        f"tokens counted by {named}; {prices['price_in']} and {prices['price_out']} US dollars a million in and out"
    )
    print(f"{'claims':>8}{'context':>10}{'calls':>8}{'tokens':>10}{'USD an answer':>16}{'USD a claim':>14}")
    with endpoint(0.0, count) as stub:
        for context in (500, 2000):
            for claims in (1, 5, 10):
                case, tokens = _of_size(claims, context, count)
                measured = _verified(case, opened(stub.url, **prices))
                paid = sum((lift.usage for lift in measured.claims.values()), Usage())
                each = (paid.usd or Decimal(0)) / claims
                print(
                    f"{claims:>8}{tokens:>10,}{paid.calls:>8}{paid.tokens:>10,}{paid.usd:>16.6f}{each:>14.6f}"
                )


def _of_size(claims: int, tokens: int, count: Count) -> tuple[Case, int]:
    """An answer whose sources have about so many tokens together."""
    characters = tokens * CHARACTERS_A_TOKEN // 5
    for _ in range(6):
        case = answer(claims, sources=5, characters=characters)
        found = sum(count(source.text) for source in case.sources)
        characters = max(1, characters * tokens // found)
    return case, found


def by_model(prices: Mapping[str, str], rounds: int) -> None:
    """The same costs by a real tokenizer, and a real model's answers timed beside what it says itself."""
    if names := missing():
        print(f"no real model: {' and '.join(names)} not installed")
        return
    with running() as real:
        address = real.terse.removesuffix("/v1")
        costs(partial(_tokens, address), f"{MODEL}'s tokenizer", prices)
        print()
        with serving(forwards(real.terse)) as stub:
            print(heading("ms, the real small model"))
            for count in (1, 5):
                _timed(count, stub, rounds)


def _timed(count: int, stub: Stub, rounds: int) -> None:
    """Whole answers of ``count`` claims over one short source (SPEC-08.36, SPEC-08.37)."""
    whole, own = Times(), Times()
    verifier = opened(stub.url, samples=1)
    for seed in range(rounds):
        case, before = (
            answer(count, sources=1, characters=150, cited=1, seed=100 * count + seed),
            len(stub.answered),
        )
        whole.of(partial(_verified, case, verifier))
        spent = [each["timings"] for each in stub.answered[before:]]
        own.clock.append(sum(each["prompt_ms"] + each["predicted_ms"] for each in spent))
        own.cpu.append(0.0)
    print(whole.row(f"{count} claims, {len(spent)} calls", 500 if count == 1 else 500 + 100 * count))
    print(own.row(f"{count} claims, the model's own, summed"))


def _tokens(address: str, text: str) -> int:
    body = json.dumps({"content": text}).encode()
    request = urllib.request.Request(f"{address}/tokenize", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return len(json.load(response)["tokens"])


def main() -> None:
    """Print all tables."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--latency", type=float, default=100, help="milliseconds of a call")
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--price-in", default="0.15")
    options.add_argument("--price-out", default="0.60")
    options.add_argument("--model", action="store_true", help="also with the small real model")
    chosen = options.parse_args()
    prices = {"price_in": chosen.price_in, "price_out": chosen.price_out}
    calls(chosen.latency / 1000, chosen.rounds)
    print()
    costs(lambda text: len(text) // CHARACTERS_A_TOKEN, "four characters each", prices)
    if chosen.model:
        print()
        by_model(prices, 3)


if __name__ == "__main__":
    main()
