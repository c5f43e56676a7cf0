"""What the rules found in one sentence: its citations, its words, what the judge says, what was not checked.

Reads the rendered Result; decides nothing. A number is shown with the rules of the sentence it stands in.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from detection.core.types import RECORD, is_of_record
from reviews.display import figures
from reviews.display.claim_rows import ClaimRow

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Result = Mapping[str, Any]

JUDGED: "dict[str, StrOrPromise]" = {
    "unsupported": _("no source supports it"),
    "contradictory": _("a source contradicts it"),
    "over_extrapolation": _("it goes further than the sources do"),
    "invalid_citation": _("a citation does not say it"),
    "uncited": _("it cites nothing"),
}
CHECKS: "dict[str, StrOrPromise]" = {
    "numeric": _("The check of numbers"),
    "citation": _("The check of citations"),
    "grounding": _("The check of words"),
    "strawberry": _("The verifier"),
    "judge": _("The judge"),
}
FAILED: "dict[str, StrOrPromise]" = {
    "timeout": _("ran out of time"),
    "error": _("failed"),
    "rate_limited": _("was refused for a while"),
    "away": _("was away"),
    "skipped": _("was left out"),
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing a rule found: ``code`` of the rule, its ``tone``, ``icon`` and ``name``, in words ``text``; ``told``
    is what somebody else wrote about it, ``source`` the source that would be better."""

    code: str
    tone: str
    icon: str
    name: "StrOrPromise"
    text: str
    told: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a sentence; ``sentence`` repeats it where it is not the claim itself."""

    found: Sequence[Rule] = ()
    sentence: str = ""


def rules(claim: ClaimRow, parent: Result, result: Result) -> Rules:
    """What the rules found in the statement ``parent`` that ``claim`` is or stands in."""
    if not parent or parent.get("kind") != "statement":
        return Rules()
    found = (*_citations(parent, result.get("citations") or {}), *_words(parent), *_judge(parent))
    return Rules(found, str(parent.get("text") or "") if claim.kind != "statement" else "")


def _citations(parent: Result, rules: Result) -> Iterator[Rule]:
    name, cited = _("Citation"), [str(ref) for ref in parent.get("citations") or []]
    missing = [ref for ref in cited if ref in (rules.get("invalid_citations") or [])]
    if missing:
        text = ngettext(
            "It cites %(sources)s, and there is no such source.",
            "It cites %(sources)s, and there are no such sources.",
            len(missing),
        )
        yield Rule("citation", "bad", "≠", name, text % {"sources": listed(missing)})
    better = _better(parent, rules)
    if better:
        text = gettext("It cites %(sources)s, but %(better)s says it.")
        told = {"sources": listed(cited), "better": listed([better])}
        yield Rule("misplaced", "warn", "?", _("Misplaced citation"), text % told, source=better)
    if not cited and _is_uncited(str(parent.get("text") or ""), rules):
        yield Rule(
            "citation", "warn", "?", name, gettext("It is long enough to need a source and cites none.")
        )
    if cited and not missing and not better:
        text = ngettext(
            "The source that it cites exists: %(sources)s.",
            "The sources that it cites exist: %(sources)s.",
            len(cited),
        )
        yield Rule("citation", "ok", "✓", name, text % {"sources": listed(cited)})
    yield from _phrases(parent, rules)


def _phrases(parent: Result, rules: Result) -> Iterator[Rule]:
    text = str(parent.get("text") or "").casefold()
    for phrase in rules.get("indicator_phrases") or []:
        if str(phrase).casefold() in text:
            words = gettext("It says “%(phrase)s”, which often stands where evidence is missing.")
            yield Rule("phrase", "warn", "?", _("Wording"), words % {"phrase": phrase})


def _better(parent: Result, rules: Result) -> str:
    wrong = rules.get("misplaced_citations") or []
    return next(
        (str(m["better"]) for m in wrong if m.get("claim") == parent.get("index") and m.get("better")), ""
    )


def _is_uncited(text: str, rules: Result) -> bool:
    """Whether a statement is among the sentences that should cite something; those are stored shortened."""
    text = " ".join(text.split())
    kept = (" ".join(str(sentence).split()) for sentence in rules.get("uncited_sentences") or [])
    return any(sentence and (sentence in text or text in sentence) for sentence in kept)


def _words(parent: Result) -> Iterator[Rule]:
    measured = parent.get("grounding")
    if not measured or measured.get("overlap") is None:
        return
    share, source = figures.apart(f"{100 * float(measured['overlap']):.0f} %"), measured.get("source")
    text = gettext("%(share)s of its words stand in %(source)s.") if source else ""
    words = text % {"share": share, "source": listed([str(source)])} if source else ""
    yield Rule("grounding", "", "", _("Words"), words or gettext("Its words stand in no source."))


def _judge(parent: Result) -> Iterator[Rule]:
    opinion = parent.get("judge")
    if opinion is None:
        return
    for each in opinion:
        text = str(JUDGED.get(str(each.get("kind")), each.get("kind")))
        yield Rule("judge", "doubt", "?", _("Judge"), text, told=str(each.get("reason") or ""))
    if not opinion:
        yield Rule("judge", "ok", "✓", _("Judge"), gettext("It has nothing against this sentence."))


def listed(refs: Sequence[str]) -> str:
    """Ids of sources as an answer writes them: ``[S0], [S1]``; figures of record by their property and period."""
    return ", ".join(map(_listed, refs))


def _listed(ref: str) -> str:
    if is_of_record(ref):
        return gettext("the figures of record of %(place)s") % {"place": ref.removeprefix(RECORD)}
    return figures.apart(f"[{ref}]")


def unchecked(kind: str, checks: Result) -> str:
    """Why a claim of this kind was not checked, when its check has no result; empty when it has one."""
    name = "strawberry" if kind == "statement" else "numeric"
    check = checks.get(name) or {}
    failed = FAILED.get(str(check.get("status")))
    if failed is None:
        return ""
    reason = str(check.get("reason") or "")
    told = {"check": CHECKS[name], "what": failed, "reason": reason}
    text = gettext("%(check)s %(what)s: %(reason)s") if reason else gettext("%(check)s %(what)s.")
    return text % told
