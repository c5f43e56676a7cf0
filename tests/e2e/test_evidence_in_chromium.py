"""Evidence beside every claim, texts in three scripts, missed claims: in a real browser (F01, F09, F25, F26, F28)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from detection.models import Claim, DetectionRun
from reviews.models import ClaimVerdict, HallucinationReview, Lease, ReviewPass
from tests.e2e.conftest import Open
from tests.e2e.reviewing import opened, positions, selected, state_of, visual_order
from tests.reviews import answers

pytestmark = [
    pytest.mark.browser,
    pytest.mark.requirement("APP-03"),
    pytest.mark.django_db(transaction=True),
]
Keep = Callable[[Page, str], None]


def evidence(page: Page) -> Any:
    """The evidence of the selected claim."""
    return page.locator("[data-testid=evidence]:visible")


def in_view(page: Page, query: str) -> bool:
    """Whether the first element of a query lies inside the viewport."""
    return bool(
        page.evaluate(
            """(query) => { const box = document.querySelector(query).getBoundingClientRect();
                 return box.top >= 0 && box.bottom <= innerHeight && box.width > 0; }""",
            query,
        )
    )


def test_the_evidence_of_the_next_claim_is_there_without_a_request(
    open_page: Open, keep: Keep, dana: User
) -> None:
    """F01: J swaps the evidence and brings the matched span into view, from what the page holds already."""
    review = answers.oak_plaza()
    page = open_page("dana", height=700)
    page.goto(f"/reviews/{review.pk}/?claim=1")
    expect(page.get_by_test_id("resolve")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.keyboard.press("j")
    selected(page, 2)
    shown = evidence(page)
    expect(shown.locator("mark.match")).to_have_text("1,234,567.89")
    assert in_view(page, "[data-testid=evidence]:not([hidden]) mark.match")
    expect(shown.get_by_test_id("column-label")).to_have_text("Q3 2024")
    expect(shown.get_by_test_id("row-label")).to_have_text("Net operating income")
    expect(shown.get_by_test_id("as-written")).to_contain_text("$1,243,567.89 → 1,243,567.89 USD, ± 0.005")
    expect(shown.get_by_test_id("scope").locator("[data-slot]")).to_have_count(4)
    expect(shown.get_by_test_id("record")).to_contain_text("data as of 2024-11-04")
    expect(shown.get_by_test_id("rank")).to_have_text("rank 1 of 2")
    expect(shown.get_by_test_id("similarity")).to_contain_text("0.91")
    expect(shown.get_by_test_id("rules")).to_contain_text("71 % of its words stand in [S0].")
    expect(shown.get_by_test_id("budget")).to_contain_text("The evidence adds too little to carry it.")
    keep(page, "evidence")
    for place in ("comparison", "chunk", "looked-at"):
        page.keyboard.press("BracketRight")
        focused = page.evaluate("document.activeElement.closest('[data-item]').outerHTML.slice(0, 200)")
        assert ("compared" if place == "comparison" else place) in focused
    page.keyboard.press("BracketLeft")
    assert "chunk" in page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
    page.keyboard.press("1")
    evidence(page).locator("mark.other a", has_text="85.5%").click()
    selected(page, 4)
    assert [url for url in asked if "/static/" not in url and "/state/" not in url] == []
    page.get_by_test_id("whole-source").locator("visible=true").first.click()
    expect(page.get_by_test_id("source-text")).to_contain_text("41 of 48 units")


NAMED = """() => [...document.querySelectorAll("#answer .naming.now")].map((words) =>
    [words.textContent, getComputedStyle(words, "::after").content.replaceAll('"', "")])"""


def named_twice() -> HallucinationReview:
    """An answer in which one word names a slot of two numbers, and one word another slot of each."""
    written = answers.Written("**NOI** was $5.00 in Q2 and at least $7.00 in Q3.")
    for text, period, more in (("$5.00", "Q2", []), ("$7.00", "Q3", [("bound", "at least")])):
        found = [
            answers.slot(name, said, said, "agree", start=at, end=at + len(said))
            for name, said in (("metric", "NOI"), ("period", period), *more)
            for at in [written.text.index(said)]
        ]
        written.claim(text, "currency", "contradicted", "contradicted", slots=found, evidence=[answers.record("6", "USD", "noi")],
            numeric=answers.number(text[1:], "6", "USD", "net_operating_income", tolerance=None))  # fmt: skip
    return written.store(*answers.portfolio())


def test_the_words_that_name_the_slots_of_the_selected_number_bear_their_names(
    open_page: Open, keep: Keep, dana: User
) -> None:
    """F01: with each step the marks follow the number; names are no text, and a phrase is found across them."""
    review = named_twice()
    page = opened(open_page("dana"), review)
    assert page.evaluate(NAMED) == [["NOI", "metric"], ["Q2", "period"]]
    page.keyboard.press("j")
    selected(page, 2)
    assert page.evaluate(NAMED) == [["NOI", "metric"], ["at least", "bound"], ["Q3", "period"]]
    assert page.evaluate("document.querySelector('#answer').textContent.trim()") == review.answer.text
    keep(page, "named")
    page.get_by_label("Find in the answer").fill("noi** was $5.00 in q2")
    expect(page.locator("#found")).to_have_text("1")
    bare = open_page("dana", f"/reviews/{review.pk}/?claim=2", java_script_enabled=False)
    assert bare.locator("#answer .naming.now").all_inner_texts() == ["NOI", "at least", "Q3"]


def test_a_recognised_mistake_is_accepted_with_one_key(open_page: Open, keep: Keep, dana: User) -> None:
    """F28: the chip says whose value it is; Y accepts it with its reason code."""
    page = opened(open_page("dana"), answers.off_period())
    expect(evidence(page).get_by_test_id("slip")).to_contain_text("The figure of another period")
    expect(evidence(page).get_by_test_id("slip")).to_contain_text("→ wrong period")
    keep(page, "why-wrong")
    page.keyboard.press("y")
    state_of(page, 1).to_have_attribute("data-state", "corrected")
    given = ClaimVerdict.objects.get()
    assert (given.verdict, given.reason_code, given.corrected_value) == (
        "corrected",
        "wrong_period",
        "$1,234,567.89",
    )


def select_text(page: Page, text: str) -> None:
    """Select ``text`` where it first stands in the answer, across marks if it must."""
    page.evaluate(
        """(text) => {
          const walker = document.createTreeWalker(document.querySelector('#answer'), NodeFilter.SHOW_TEXT);
          const nodes = [];
          let all = '';
          for (let node = walker.nextNode(); node; node = walker.nextNode()) { nodes.push([node, all.length]); all += node.data; }
          const from = all.indexOf(text), to = from + text.length;
          const at = (place) => { const [node, start] = nodes.findLast(([, begins]) => begins <= place); return [node, place - start]; };
          const [first, a] = at(from), [last, b] = at(to - 1);
          getSelection().setBaseAndExtent(first, a, last, b + 1);
        }""",
        text,
    )


def test_a_missed_claim_is_selected_and_stored_where_it_stands(
    open_page: Open, keep: Keep, dana: User
) -> None:
    """F26: a number after an emoji; the stored span is the selected text, in code points."""
    written = answers.Written("🏢🏢 Oak Plaza let 41 of 48 units; NOI was $5.00. It let 41 again.")
    written.claim(
        "$5.00", "currency", "unsupported", "not_found", numeric=answers.number("5", None, "USD", "")
    )
    review = written.store()
    page = opened(open_page("dana"), review)
    select_text(page, "41 again")
    expect(page.locator("#from-selection")).to_be_visible()
    keep(page, "missed-selected")
    page.keyboard.press("m")
    dialog = page.get_by_test_id("missed")
    expect(dialog.get_by_test_id("quote")).to_have_value("41 again")
    dialog.get_by_test_id("kind").select_option("number")
    keep(page, "missed")
    dialog.get_by_test_id("add-claim").click()
    expect(page.locator("#claims li[data-n='2']")).to_have_attribute("data-state", "rejected")
    added = Claim.objects.get(run=review.run, origin="reviewer")
    assert review.answer.text[added.start : added.end] == added.text == "41 again"
    page.reload()
    expect(page.locator("#answer mark.added")).to_have_text("41 again")
    state_of(page, 2).to_contain_text("added by a reviewer")
    page.locator("#claims li[data-n='2'] a").click()
    expect(evidence(page).get_by_test_id("nothing-found")).to_contain_text("The detectors did not check it")


def test_a_missed_claim_can_be_typed_without_scripts(open_page: Open, dana: User) -> None:
    """F26 without a script: the words are typed, the server finds them."""
    review = answers.oak_plaza()
    page = open_page("dana", java_script_enabled=False)
    page.goto(f"/reviews/{review.pk}/")
    page.get_by_test_id("take").click()
    page.get_by_test_id("open-missed").click()
    page.get_by_test_id("quote").fill("second quarter")
    page.get_by_test_id("add-claim").click()
    expect(page.locator("#answer mark.added")).to_have_text("second quarter")
    assert Claim.objects.get(origin="reviewer").text == "second quarter"


def reads_alike(page: Page, fragment: str) -> None:
    """The order of the characters, from the left, is that of the unmarked text."""
    text = f"הנתון היה {fragment} בתקופה, לפי הדוח של NOI."
    figure = fragment.removesuffix(" [S0]")
    written = answers.Written(text, language="he", question="מה היה הנתון?")
    written.claim(text, "statement", "unsupported", "unsupported", citations=["S0"], flagged=False)
    written.claim(
        figure, "number", "contradicted", "not_found", statement=0, numeric=answers.number("5", None, "", "")
    )
    opened(page, written.store())
    expect(page.locator("#answer p")).to_have_attribute("dir", "rtl")
    page.evaluate("document.querySelector('#answer').style.whiteSpace = 'pre'")
    marked = visual_order(positions(page, "#answer p"), text)
    number = page.locator("#answer mark.number").bounding_box()
    badge = page.locator("#answer sup[data-n='2']").bounding_box()
    page.evaluate("(text) => { document.querySelector('#answer p').textContent = text; }", text)
    assert marked == visual_order(positions(page, "#answer p"), text)
    assert number is not None
    assert badge is not None
    assert badge["x"] + badge["width"] <= number["x"] + 2


def test_hebrew_around_a_figure_reads_the_same_with_marks_as_without(open_page: Open, dana: User) -> None:
    """F09: in four answers, each with a figure that has its own direction."""
    page = open_page("dana", width=1900)
    for fragment in ("$1,234,567.89", "Q3 2024", "85.5% [S0]", "12.5-15%"):
        reads_alike(page, fragment)


def test_each_paragraph_has_its_direction_and_a_person_can_turn_it(
    open_page: Open, keep: Keep, dana: User
) -> None:
    """F09: a Hebrew answer with an English and a Chinese line; T turns the line of the selected claim for good."""
    written = answers.Written(
        "NOI היה $5.00 ברבעון.\nIt rose by $6.00 since.\n第三季淨營業收入為7.5％。", language="he"
    )
    for figure in ("$5.00", "$6.00", "7.5％"):
        written.claim(figure, "number", "unsupported", "not_found", numeric=answers.number("5", None, "", ""))
    review = written.store()
    page = opened(open_page("dana"), review)
    lines = page.locator("#answer p")
    looks = lines.evaluate_all("(lines) => lines.map((line) => [line.dir, line.lang])")
    assert looks == [["rtl", "he"], ["ltr", "en"], ["ltr", "zh-Hant"]]
    expect(page.locator("#answer mark", has_text="7.5％")).to_have_text("7.5％")
    keep(page, "three-scripts")
    page.keyboard.press("2")
    selected(page, 2)
    page.keyboard.press("t")
    expect(lines.nth(1)).to_have_attribute("dir", "rtl")
    expect(lines.nth(0)).to_have_attribute("dir", "rtl")
    expect(page.locator("#live")).to_contain_text("right to left")
    page.reload()
    expect(lines.nth(1)).to_have_attribute("dir", "rtl")
    expect(lines.nth(2)).to_have_attribute("dir", "ltr")


HOSTILE = (
    "<script>window.hacked = 1</script> <svg onload='window.hacked = 1'> [x](javascript:window.hacked=1)",
    "{{ 7|add:7 }} {% debug %} ${window.hacked = 1} <img src=x onerror='window.hacked = 1'>",
    "The price was \u202e00.5$\u202c today.\nThe next line is \u2067its own.",
    "Flood a" + "\u0301" * 5_000 + " done.",
    "x" * 200_000,
)


def test_a_hostile_answer_is_text_and_stays_in_its_place(open_page: Open, keep: Keep, dana: User) -> None:
    """HTML, templates, overrides, floods and 200 KB without a space: nothing runs, nothing overflows."""
    page = open_page("dana", width=320, height=700)
    for number, text in enumerate(HOSTILE):
        written = answers.Written(f"NOI was $5.00. {text}", question=text[:400])
        written.sources = [{"ref": "S0", "title": text[:200], "text": text[:50_000], "score": 0.5}]
        written.claim("$5.00", "currency", "unsupported", "not_found", citations=["S0"],
            reason=text[:300], numeric=answers.number("5", None, "USD", ""))  # fmt: skip
        opened(page, written.store())
        assert page.evaluate("window.hacked") is None
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, text[:60]
        assert page.locator("#answer :is(script, svg, img, b)").count() == 0
        keep(page, f"hostile-{number}")
    page.goto(f"/reviews/{HallucinationReview.objects.order_by('pk')[2].pk}/")
    expect(page.locator("#answer .sign[data-sign=RLO]")).to_be_visible()
    order = visual_order(positions(page, "#answer p:nth-of-type(2)"), "The next line is \u2067its own.")
    assert order.startswith("Thenextlineis")


def test_five_hundred_claims_are_shown_a_stretch_at_a_time(open_page: Open, dana: User) -> None:
    words = [f"{n + 10_000}" for n in range(500)]
    written = answers.Written(" ".join(words))
    for word in words:
        written.claim(word, "number", "unsupported", "not_found", numeric=answers.number(word, None, "", ""))
    review = written.store()
    page = open_page("dana")
    page.goto(f"/reviews/{review.pk}/?claim=49")
    expect(page.get_by_test_id("claim")).to_have_count(50)
    assert page.get_by_test_id("evidence").count() <= 16
    page.keyboard.press("j")
    selected(page, 50)
    page.keyboard.press("j")
    page.wait_for_url("**claim=51")
    selected(page, 51)
    page.locator("#claims li[data-n='90'] a").click()
    page.wait_for_url("**claim=90")
    selected(page, 90)


def sums(text: str, *figures: str, **more: Any) -> answers.Written:
    """An answer with doubtful sums of money."""
    written = answers.Written(text, **more)
    for figure in figures:
        numeric = answers.number(figure.removeprefix("$"), None, "USD", "")
        written.claim(figure, "currency", "unsupported", "not_found", numeric=numeric)
    return written


def test_what_was_said_of_an_older_answer_is_confirmed_with_one_key(
    open_page: Open, keep: Keep, dana: User
) -> None:
    """F25: a newer answer with one changed number: the unchanged claim has a suggestion, the changed one none."""
    old = sums("NOI was $5.00 and debt $6.00.", "$5.00", "$6.00").store()
    Lease.take(old, dana)
    for claim in old.run.claims.order_by("index"):
        ReviewPass.decide(old, dana, old.version, claim, "rejected", reason_code="wrong_value")
    page = open_page("dana")
    page.goto(f"/reviews/{old.pk}/")
    changed = sums("NOI was $5.00 and debt $7.00.", "$5.00", "$7.00", supersedes=old.answer)
    review = changed.store()
    page.reload()
    expect(page.get_by_test_id("newer-version")).to_have_attribute("href", f"/reviews/{review.pk}/")
    page.get_by_test_id("newer-version").click()
    expect(page.get_by_test_id("resolve")).to_be_visible()
    state_of(page, 1).to_have_attribute("data-carried", "rejected")
    state_of(page, 1).to_have_attribute("data-state", "undecided")
    assert page.locator("#claims li[data-n='2'][data-carried]").count() == 0
    expect(page.get_by_test_id("suggestions")).to_contain_text("1 suggestion to confirm")
    keep(page, "carried")
    page.keyboard.press("y")
    state_of(page, 1).to_have_attribute("data-state", "rejected")
    assert ClaimVerdict.objects.filter(carried_from__isnull=False, decided_at__isnull=False).count() == 1
    assert DetectionRun.objects.count() == 2
