"""A configured judge is asked at its endpoint: the critique of the strong model, the form of the small one."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from detection import toolkit
from detection.operations import verifying
from tests.core.judges import CALM, doubting
from tests.detection.verifier_stub import Endpoint, Stub, serving

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("CIT-05")]
ANSWER = "The anchor tenant left the building in August [S0]."
SOURCES = [{"id": "S0", "text": "The anchor tenant renewed its lease for ten years in August."}]


@pytest.fixture(autouse=True)
def opened_anew() -> Iterator[None]:
    verifying.forget()
    yield
    verifying.forget()


def says(*forms: Any) -> Any:
    """An endpoint whose strong model criticises and whose small one answers with ``forms`` in turn."""
    waiting = [form if isinstance(form, str) else json.dumps(form) for form in forms]

    def answer(endpoint: Endpoint, body: dict) -> None:
        if body.get("logprobs"):  # the first question finds out what the endpoint gives
            text = "YES"
        else:
            text = "Sentence 1 is wrong." if body["model"] == "strong" else waiting.pop(0)
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        whole = {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"]}
        endpoint.reply(200, json.dumps(whole | {"choices": [choice], "usage": usage}))

    return answer


def configure(settings: Any, url: str, **judge: Any) -> None:
    settings.VERIFIER = {**settings.VERIFIER, "base_url": url, "model": "other"}
    chosen = {"enabled": True, "model": "strong", "small_model": "small", "backend": ""} | judge
    settings.HALLUCINATION = {**settings.HALLUCINATION, "judge": chosen}


def written(stub: Stub) -> list[dict]:
    """The requests for words."""
    return [body for body in stub.asked if not body.get("logprobs")]


def judged() -> dict[str, Any]:
    return toolkit.judge(ANSWER, sources=SOURCES, detectors=["citation", "grounding", "judge"])


def test_the_opinion_and_its_cost_are_in_the_result(settings: Any) -> None:
    with serving(says(doubting(("contradictory", 1)))) as stub:
        configure(settings, stub.url)
        result = judged()
    assert [body["model"] for body in written(stub)] == ["strong", "small"]
    assert "Sentence 1 is wrong." in written(stub)[1]["messages"][-1]["content"]
    assert SOURCES[0]["text"] not in written(stub)[1]["messages"][-1]["content"]
    assert result["judge"]["models"] == ["strong", "small"]
    assert result["judge"]["hallucinations"][0]["kind"] == "contradictory"
    assert result["claims"][0]["status"] == "contradicted"
    assert result["claims"][0]["judge"] == [{"kind": "contradictory", "reason": "contradictory here"}]
    assert (result["cost"]["calls"], result["cost"]["tokens"]) == (2, 220)


def test_a_form_is_repaired_once_over_the_wire(settings: Any) -> None:
    with serving(says("no JSON", CALM)) as stub:
        configure(settings, stub.url)
        assert judged()["judge"]["score"] == 0.9
    assert [body["model"] for body in written(stub)] == ["strong", "small", "small"]


def test_an_unreadable_opinion_is_an_error_of_the_judge_and_asks_for_a_review(settings: Any) -> None:
    with serving(says("no JSON", "nor here")) as stub:
        configure(settings, stub.url)
        result = judged()
    assert result["judge"] is None
    assert result["checks"]["judge"]["status"] == "error"
    assert result["verdict"]["needs_review"]


def test_without_its_switch_no_model_is_asked(settings: Any) -> None:
    with serving(says(CALM)) as stub:
        configure(settings, stub.url, enabled=False)
        result = judged()
    assert stub.asked == []
    assert result["checks"]["judge"] == {"status": "skipped", "reason": "no text model is configured."}
