"""Texts that run, load or lead somewhere where a page takes them for more than text, and rows that hold them everywhere."""

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User

from detection import traces
from detection.models import (
    Answer,
    ApiKey,
    FinancialPeriod,
    IncomeStatementData,
    MetricAlias,
    Property,
    PropertyGroup,
    Query,
)
from reviews.models import HallucinationReview, Lease, ReviewPass
from tests.reviews import answers
from tests.reviews.test_facts_pages import rejected, remembered

CANARY = "canary"
"""What a payload calls, loads or leads to."""
RECKONED = "48612"
"""What a template makes of a payload, and what stands in none."""
ELEMENTS = """
<script>canary()</script> | <SCRIPT SRC=/canary.js></SCRIPT> | <scr<script>ipt>canary()</scr</script>ipt> | <img src=/canary.png>
<img src=x onerror=canary()> | <img/src=x/onerror=canary()> | <img src=x onerror=&#99;anary()> | <image href=/canary.png>
<svg onload=canary()> | <svg><script>canary()</script></svg> | <svg><animate onbegin=canary() attributeName=x> | <math href=javascript:canary()>x</math>
<body onload=canary()> | <iframe src=javascript:canary()> | <iframe srcdoc="<script>parent.canary()</script>"> | <frameset onload=canary()>
<object data=javascript:canary()> | <embed src=/canary> | <base href=//canary.invalid/> | <meta http-equiv=refresh content="0;url=/canary">
<link rel=stylesheet href=/canary.css> | <style>@import '/canary.css';</style> | <p style="background:url(/canary)">x | <dialog open onfocus=canary()>x
<details open ontoggle=canary()> | <input autofocus onfocus=canary()> | <select autofocus onfocus=canary()> | <textarea autofocus onfocus=canary()>
<video><source onerror=canary()> | <audio src=x onerror=canary()> | <marquee onstart=canary()> | <p contenteditable onblur=canary()>x
<a href=javascript:canary()>x</a> | <form action=javascript:canary()><button>x | <button formaction=javascript:canary()>x | <template><script>canary()</script>
<div hx-get=/canary hx-trigger=load> | <div hx-on:load=canary()> | <div hx-vals=js:canary() hx-get=/canary hx-trigger=load> | <noscript><p title="</noscript><img src=x onerror=canary()>">
"""
BREAKS = """
" onmouseover=canary() x=" | ' autofocus onfocus=canary() x=' | "><script>canary()</script> | '><script>canary()</script>
</textarea><script>canary()</script> | </title><script>canary()</script> | </script><script>canary()</script> | --><script>canary()</script>
]]><script>canary()</script> | \\u003cscript\\u003ecanary()\\u003c/script\\u003e | &lt;script&gt;canary()&lt;/script&gt; | %3Cscript%3Ecanary()%3C/script%3E
javascript:canary() | [x](javascript:canary()) | ![x](/canary.png) | <javascript:canary()>
{{ 48611|add:1 }} | {% debug %} | ${48611+1} | {{constructor.constructor('canary()')()}}
＜script＞canary()＜/script＞ | `${canary()}` | <%= 48611+1 %> | java&#9;script:canary()
"""
PAYLOADS = [
    payload.strip()
    for line in (ELEMENTS + BREAKS).strip().splitlines()
    for payload in line.split(" | ")
    if payload.strip()
]


def packed(longest: int) -> Iterator[str]:
    """All payloads that fit, as few texts of at most ``longest`` characters as hold them in their order."""
    text = ""
    for payload in PAYLOADS:
        if len(payload) > longest:
            continue
        if text and len(text) + 1 + len(payload) > longest:
            yield text
            text = ""
        text = f"{text} {payload}".strip()
    yield text


def plant() -> Iterator[str]:
    """Write each payload into what callers, reviewers and administrators write; the paths of the pages that show one text
    each. A field that is too short for any holds a shorter one."""
    for number, text in enumerate(packed(200)):
        yield from _one(number, text)
    for number, text in enumerate(packed(100)):
        ApiKey.issue(text, ["read"])
        PropertyGroup.objects.create(name=text)
        MetricAlias.objects.create(metric="net_operating_income", text=text, language="en")
        User.objects.create(username=f"named{number}", last_name=text)


def _one(number: int, text: str) -> Iterator[str]:
    oak = Property.objects.create(code=f"{number} <b onclick=canary()>", name=text)
    quarter = FinancialPeriod.objects.create(
        property=oak, label=f"{number} <i onclick=canary()>", start="2024-07-01", end="2024-09-30"
    )
    IncomeStatementData.objects.create(
        period=quarter, account_code=f"{number} <s>", account_name=text, amount=number
    )
    author = User.objects.create_user(f"author{number}", first_name=text[:150])
    author.groups.set(User.objects.get(username="dana").groups.all())
    review, ended = doubted(text).store(oak, quarter), doubted(text).store(oak, quarter)
    Query.objects.filter(pk=review.answer.query_id).update(external_id=text, asked_by=text)
    Answer.objects.filter(pk=review.answer_id).update(model=text)
    for one in (review, ended):
        _decided(one, author, text)
    ended.resolve(author, ended.version, final_confidence=0.5, corrected_answer=text, reason=text)
    trace = traces.audit(traces.trace_of([{"text": text, "citations": [text]}], context=[_source(text)], question=text, answer=text))  # fmt: skip
    fact = remembered(text, evidence=[_source(text)], reason=text, model=text, withdrawn_reason=text)
    rejected(text, evidence=[_source(text)], reason=text, model=text)
    yield from (f"/reviews/{one.pk}/" for one in (review, ended))
    yield from (f"/answers/{review.answer_id}/{part}" for part in ("", "sources/0/"))
    yield from (f"/traces/{trace.pk}/", f"/facts/{fact.pk}/")


def _source(text: str) -> dict[str, Any]:
    return {"id": "S0", "title": text, "text": text}


def doubted(text: str) -> answers.Written:
    """An answer with a doubtful statement and a wrong sum, all of whose texts are ``text``."""
    statement = f"NOI was $5.00 [S0]. {text}"
    written = answers.Written(statement, question=text, invalid=[text], rules={"indicator_phrases": [text]})
    table = f"{text}\n\n| {text} | Q3 |\n|---|---|\n| {text} | 7.00 |"
    written.sources = [
        {"ref": "S0", "title": text, "text": table, "score": 0.5, "metadata": {"page": text}},
        {"ref": text, "parent_ref": text, "title": text, "text": text, "score": 0.4},
    ]
    written.claim(statement, "statement", "unsupported", "unsupported", citations=["S0", text], reason=text,
        judge=[{"kind": "uncited", "reason": text}], grounding={"overlap": 0.5, "source": text})  # fmt: skip
    written.claim("$5.00", "currency", "contradicted", "off_period", statement=0, citations=["S0"], reason=text,
        slips=[{"code": "period", "text": text}], looked_at=[answers.look("7", "USD", text, says=text)],
        numeric=answers.number("5", "7", "USD", text[:60], arithmetic=text, period=text[:40]),
        evidence=[answers.record("7", "USD", text, period=text, property=text)])  # fmt: skip
    return written


def _decided(review: HallucinationReview, author: User, text: str) -> None:
    Lease.take(review, author)
    for claim in review.run.claims.order_by("index"):
        ReviewPass.decide(review, author, review.version, claim, "corrected", corrected_value=text, note=text)
