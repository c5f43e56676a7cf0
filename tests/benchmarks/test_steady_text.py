"""What is compared between two trees holds what a page says, and nothing that is drawn or measured by a clock."""

from uuid import uuid4

from benchmarks.steady_text import Visible, numbered, written


def seen(page: str) -> list[str]:
    reader = Visible()
    reader.feed(page)
    return reader.lines


def test_a_page_indented_otherwise_says_the_same() -> None:
    tight = '<nav aria-label="Pages"><a href="/queue/">The  queue</a><b>3</b></nav>'
    airy = '<nav\n  aria-label="Pages">\n  <a class="new"\n     href="/queue/">\n The queue\n</a>\n<b>3</b>\n</nav>'
    assert seen(tight) == ["nav aria-label=Pages", "a href=/queue/", "The queue", "3"]
    assert seen(airy) == seen(tight)


def test_another_text_link_or_value_is_seen() -> None:
    page = '<a href="/queue/">Queue</a><input name="q" value="NOI">'
    for other in (
        page.replace("Queue", "Answers"),
        page.replace("/queue/", "/"),
        page.replace("NOI", "DSCR"),
    ):
        assert seen(other) != seen(page)


def test_scripts_styles_and_form_tokens_are_left_out() -> None:
    page = '<style>b {}</style><script>let a</script><input name="csrfmiddlewaretoken" value="x1"><p>Said</p>'
    assert seen(page) == ["Said"]


def test_drawn_ids_are_their_number_in_the_text_however_they_are_written() -> None:
    first, second = uuid4(), uuid4()
    text = f"{first} {second} {first.hex}"
    assert numbered(text) == "<id 1> <id 2> <id 1>"


def test_what_a_clock_measured_is_not_compared_and_the_rest_is() -> None:
    result = {"b": [{"timings_ms": {"total": 1.25}, "bits": 0.1}], "a": "א"}
    assert written(result) == '{"a": "א", "b": [{"bits": 0.1, "timings_ms": null}]}'
