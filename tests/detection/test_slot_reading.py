"""A configured endpoint names slots: one question a text, kept, paid from the books; whatever it does, numbers are checked."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache

from detection import toolkit
from detection.core.ports import Numbered, Text, VerifierError
from detection.operations import verifying
from detection.verifiers.slot_reading import ModelSlotReader
from tests.detection.verifier_stub import Endpoint, Stub, sends, serving

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("NUM-05")]

TABLE = "| | Q2 2024 | Q3 2024 |\n|---|---|---|\n| Net operating income | 67,994 | 71,234 |\n| Operating expenses | 29,700 | 38,294 |"
ANSWER = "It came to $38,294. That is for Q3 2024, and the line is operating expenses."
RIGHT = {"number": 1, "written": "$38,294", "metric": "operating expenses", "period": "Q3 2024"}
INVENTED = {
    "number": 1,
    "written": "$38,294",
    "metric": "net operating income",
    "period": "Q2 2024",
    "value": "67,994",
}


@pytest.fixture(autouse=True)
def opened_anew() -> Iterator[None]:
    verifying.forget()
    cache.clear()
    yield
    verifying.forget()
    cache.clear()


def names(*entries: Any) -> Any:
    """An endpoint that proposes ``entries`` for every text; a text in their place is sent as it is."""
    said = entries[0] if entries and isinstance(entries[0], str) else json.dumps({"numbers": list(entries)})

    def answer(endpoint: Endpoint, body: dict) -> None:
        text = "YES" if body.get("logprobs") else said
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        whole = {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"]}
        endpoint.reply(200, json.dumps(whole | {"choices": [choice], "usage": usage}))

    return answer


def configure(settings: Any, url: str, **chosen: Any) -> None:
    settings.VERIFIER = {**settings.VERIFIER, "base_url": url, "model": "other", **chosen.pop("verifier", {})}
    tree = {"enabled": True, "model": "", "backend": ""} | chosen
    settings.HALLUCINATION = {**settings.HALLUCINATION, "slot_reading": tree}


def judged(answer: str = ANSWER) -> dict[str, Any]:
    """The rendered claim of the first figure."""
    result = toolkit.judge(answer, sources=[{"id": "S0", "text": TABLE}], detectors=["numeric"])
    return next(c for c in result["claims"] if c["kind"] == "currency")


def questions(stub: Stub) -> list[dict]:
    return [body for body in stub.asked if not body.get("logprobs")]


def test_right_slots_bind_a_number_and_say_who_found_them(settings: Any) -> None:
    assert judged()["finding"] != "exact"
    with serving(names(RIGHT)) as stub:
        configure(settings, stub.url)
        claim = judged()
    assert (claim["status"], claim["finding"]) == ("supported", "exact")
    assert {s["slot"]: s.get("by") for s in claim["slots"]}["metric"] == "model"
    (question,) = questions(stub)
    assert ANSWER in question["messages"][-1]["content"]


def test_a_text_is_asked_about_once(settings: Any) -> None:
    with serving(names(RIGHT)) as stub:
        configure(settings, stub.url)
        assert judged() == judged()
    assert len(questions(stub)) == 1


@pytest.mark.parametrize(
    "said",
    [INVENTED, RIGHT | {"number": 7}, RIGHT | {"written": "$71,234"}, {"number": "1"}, 5, "no JSON", '{"numbers": 3}', ""],
)  # fmt: skip
def test_what_is_invented_or_unreadable_changes_nothing(settings: Any, said: Any) -> None:
    plain = judged()
    with serving(names(said)) as stub:
        configure(settings, stub.url)
        assert judged() == plain
    assert questions(stub)


def test_an_endpoint_that_fails_costs_its_slots_and_no_number(settings: Any) -> None:
    plain = judged()
    with serving(sends("{}", 500)) as stub:
        configure(settings, stub.url)
        assert judged() == plain
    assert stub.asked


def test_spent_money_asks_nobody(settings: Any) -> None:
    plain = judged()
    with serving(names(RIGHT)) as stub:
        configure(settings, stub.url, verifier={"daily_usd": "0"})
        assert judged() == plain
    assert stub.asked == []


def test_it_is_off_until_it_is_switched_on(settings: Any) -> None:
    with serving(names(RIGHT)) as stub:
        configure(settings, stub.url, enabled=False)
        judged()
        configure(settings, "", enabled=True)
        judged()
    assert stub.asked == []


class Counting:
    """A model that fails first and then answers."""

    name = "counting"

    def __init__(self) -> None:
        self.asked = 0

    def complete(
        self, system: str, prompt: str, *, maximum_tokens: int = 512, temperature: float = 0.0
    ) -> Text:
        self.asked += 1
        if self.asked == 1:
            raise VerifierError("not now")
        return Text(json.dumps({"numbers": [RIGHT]}))


def test_a_failure_is_not_kept_and_an_answer_is() -> None:
    model = Counting()
    reader = ModelSlotReader(model, seconds=5, ttl=60, identity="")
    asked = Numbered(ANSWER, ((11, 18),))
    assert reader.propose([asked]) == [()]
    ((first,),), ((second,),) = reader.propose([asked]), reader.propose([asked])
    assert (first, model.asked) == (second, 2)
    assert (first.written, dict(first.words)["metric"]) == ("$38,294", "operating expenses")


def test_a_text_of_no_number_or_of_too_many_is_not_asked_about() -> None:
    model = Counting()
    reader = ModelSlotReader(model, seconds=5, ttl=60, identity="")
    assert reader.propose(
        [Numbered("words", ()), Numbered("1 " * 99, tuple((2 * n, 2 * n + 1) for n in range(99)))]
    ) == [(), ()]
    assert model.asked == 0
