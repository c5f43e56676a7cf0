"""Search over answers: their texts and so every claim in them, their questions and their sources."""

from django.db.models import Exists, OuterRef, Q

from detection.models import Source
from detection.search import may_contain


def answers_saying(text: str, prefix: str = "") -> Q:
    """The condition that ``text`` stands in an answer, its question or a source of it, upper and lower case
    alike; for rows that reach the answer through ``prefix``. A claim is a span of its answer."""
    said = Q(text__icontains=text) | Q(title__icontains=text)
    sources = Source.objects.filter(said, answer=OuterRef(f"{prefix}pk"))
    in_answer = Q(**{f"{prefix}text__icontains": text})
    says = in_answer | Q(**{f"{prefix}question__icontains": text}) | Q(Exists(sources))
    return may_contain(text, f"{prefix}pk") & says
