"""Answers for the benchmarks of verification: claims over sources, some true, some not, with their citations."""

from collections.abc import Sequence
from math import ceil
from random import Random

from detection.core import claims
from detection.core.types import Case, Claim, Source

SUBJECTS = (
    "Net operating income", "Total revenue", "The occupancy rate", "Operating expenses", "The debt service",
    "Rental income", "The reserve account", "The loan balance", "The vacancy rate", "The insurance premium",
)  # fmt: skip
PLACES = ("Oak Plaza", "Cedar Court", "Harbour View", "Mill Lane", "Station Square")
FILLING = (
    "Management has reviewed the rent roll, the budget and the reserve account together with the lender.",
    "Insurance was renewed on the terms of the year before, and no claim was made during the period.",
    "The largest tenant occupies two floors and has an option to renew its lease in the spring.",
    "Repairs to the lifts were completed in the second month and cost less than had been planned.",
)


def answer(count: int, *, sources: int = 10, characters: int = 575, cited: int = 3, seed: int = 0) -> Case:
    """An answer of ``count`` statements over ``sources`` chunks of about ``characters`` each, citing ``cited``
    of them in turn; every third statement has a number that its source does not."""
    random = Random(seed)
    facts = [[_fact(random) for _ in range(ceil(count / cited))] for _ in range(sources)]
    said = []
    for number in range(count):
        fact = facts[number % cited][number // cited]
        said.append(f"{_wrong(fact) if number % 3 == 2 else fact} [S{number % cited}].")
    chunks = [_chunk(stated, characters, random) for stated in facts]
    return Case(" ".join(said), sources=tuple(Source(f"S{n}", text) for n, text in enumerate(chunks)))


def read(case: Case) -> Sequence[Claim]:
    """The claims that the verifier is asked about; the numbers are another detector's."""
    return [claim for claim in claims.read(case) if claim.kind == "statement"]


def _fact(random: Random) -> str:
    return (
        f"{random.choice(SUBJECTS)} of {random.choice(PLACES)} came to "
        f"${random.randrange(100, 10_000) * 100:,} in Q{random.randrange(1, 5)} 20{random.randrange(15, 25)}"
    )


def _wrong(fact: str) -> str:
    return fact.replace("$", "$9", 1)


def _chunk(facts: Sequence[str], characters: int, random: Random) -> str:
    sentences = [f"{fact}." for fact in facts]
    while sum(map(len, sentences)) + len(sentences) < characters:
        sentences.append(random.choice(FILLING))
    random.shuffle(sentences)
    return " ".join(sentences)
