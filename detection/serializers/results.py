"""The Result as the API documents it. It is rendered by :mod:`detection.runs.results`; nothing is computed here."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from detection.core.types import CONCLUSIONS
from detection.core.verdict import OWED_FOR

STATUSES = ("queued", "running", "completed", "needs_attention")
DECIDED_BY = ("machine", "person", "supersession")
CHECKS = ("numeric", "strawberry", "judge")
PERSONS_WORDS = ("supported", "corrected", "rejected", "cannot_tell", "not_a_claim")
CLAIM_STATUSES = ("supported", "contradicted", "unsupported", "unverified", "not_checked")
SLOTS = ("metric", "property", "entity", "period", "unit", "role", "bound", "direction", "sign")
SLOT_VERDICTS = ("agree", "conflict", "open", "assumed")
NAMED_BY = ("sentence", "head", "before", "question", "link", "model")
OBJECT = {"type": "object", "additionalProperties": True}


class ReasonSerializer(serializers.Serializer[Any]):
    """Why a verdict is what it is; ``claim`` is the index of the claim it speaks of."""

    code = serializers.CharField()
    text = serializers.CharField()
    claim = serializers.IntegerField(
        allow_null=True, help_text="Null where it speaks of the answer as a whole."
    )
    values = serializers.DictField(
        child=serializers.CharField(),
        required=False,
        help_text="What `text` names, by name, so that a caller may say it in its own words. Absent from results stored "
        "before it was; what is not known, or does not belong to the sentence, has no key, and no value is null. All are text: "
        "numbers ungrouped, shares from 0 to 1.\n\n"
        "Of numbers: `claimed`, `claimed_unit`; what it was compared with as `value`, `unit`, `origin` (database, document, "
        "derived), `metric`, `property`, `period`, `source`, `arithmetic`; how far apart as `deviation` (a share of the value, "
        "without sign), `difference`, `days`; `tolerance` (a share, or days) where one decided; a recognised mistake as `slip`, with "
        "`slip_value`, `slip_metric` … of the figure that explains it; `nearest_value` … of what came nearest to a number that nothing "
        "states; `unread`, how many sources were not read.\n\n"
        "Of statements: `p1`, `p0`, `p_no`, `p_cited`, `low`, `high`, `target`, `confidence`, `required` and `observed` (bits), "
        "`scoring`; of a judge `notes`.\n\n"
        "Of the answer: what its sentence names, such as `ref`, `count`, `ratio`, `claims`, `grounded`, `total`; `name` and `why` of a "
        "check; `first`, `one`, `second` and `other` of sources that disagree.",
    )


class CoverageSerializer(serializers.Serializer[Any]):
    """How many claims there are and how many were checked."""

    claims = serializers.IntegerField()
    verified = serializers.IntegerField()
    unverified = serializers.IntegerField()
    not_checked = serializers.IntegerField()


class VerdictSerializer(serializers.Serializer[Any]):
    """What the measurements mean under the profile; ``action`` is advice."""

    has_hallucinations = serializers.BooleanField()
    answer_status = serializers.ChoiceField(
        [
            "success",
            "insufficient_context",
            "low_confidence",
            "hallucination_detected",
            "error",
            "not_verified",
        ]
    )
    risk_score = serializers.FloatField()
    risk_level = serializers.ChoiceField(["low", "moderate", "high"])
    action = serializers.ChoiceField(["accept", "refine_search", "reject"])
    needs_review = serializers.BooleanField()
    original_confidence = serializers.FloatField(allow_null=True)
    adjusted_confidence = serializers.FloatField(
        allow_null=True, help_text="Calibrated once a map is active for the verifier."
    )
    uncalibrated_confidence = serializers.FloatField(
        required=False, allow_null=True, help_text="The adjusted confidence before the map."
    )
    confidence_adjustment = serializers.FloatField(allow_null=True)
    reasons = ReasonSerializer(many=True)
    coverage = CoverageSerializer()


@extend_schema_field(OBJECT)
class ObjectField(serializers.JSONField):
    """An object whose keys are those of the detector's document."""


class SlotWordsSerializer(serializers.Serializer[Any]):
    """Words that name a slot, and where they stand."""

    said = serializers.CharField()
    by = serializers.ChoiceField(NAMED_BY, required=False)
    start = serializers.IntegerField(required=False)
    end = serializers.IntegerField(required=False)


class SlotSerializer(serializers.Serializer[Any]):
    """One slot of a number beside that of what it was compared with: what the answer's words ``said``, what the evidence
    ``states``, absent where that is nothing; ``property`` for figures of record, ``entity`` for all others. ``assumed``: only the answer's own property or period fills it; ``by`` says
    where the words stand (``link``: nowhere), ``start`` and ``end`` where in the answer. ``parts``: words of several
    places that name it together, each by itself."""

    slot = serializers.ChoiceField(SLOTS)
    said = serializers.CharField(required=False)
    states = serializers.CharField(required=False)
    verdict = serializers.ChoiceField(SLOT_VERDICTS)
    by = serializers.ChoiceField(NAMED_BY, required=False)
    start = serializers.IntegerField(required=False)
    end = serializers.IntegerField(required=False)
    parts = SlotWordsSerializer(many=True, required=False)


class OverruledSerializer(serializers.Serializer[Any]):
    """What a check said that does not count, because another one proves otherwise or is graver."""

    by = serializers.ChoiceField(CHECKS)
    status = serializers.ChoiceField(CLAIM_STATUSES)
    finding = serializers.CharField()
    reason = serializers.CharField()


class ConclusionSerializer(serializers.Serializer[Any]):
    """The one conclusion of a claim: ``wrong`` (the evidence says something else), ``not_in_evidence`` (looked for and not
    there), ``doubtful`` (only an opinion is against it), ``supported``, ``not_checked``; ``by`` is the check that decided."""

    word = serializers.ChoiceField(CONCLUSIONS)
    by = serializers.ChoiceField(CHECKS)
    overruled = OverruledSerializer(many=True)


class VoiceSerializer(serializers.Serializer[Any]):
    """What one piece of evidence says: ``text`` stands at ``start:end`` of the source with this id; a figure of record has the id of
    its passage (``record: OAK, Q3 2024``) and no place."""

    source = serializers.CharField()  # type: ignore[assignment]  # a field's own "source" is another thing
    text = serializers.CharField()
    start = serializers.IntegerField(allow_null=True)
    end = serializers.IntegerField(allow_null=True)


class DisputeSerializer(serializers.Serializer[Any]):
    """Two pieces of evidence that say different things of what a claim speaks of: ``carried`` says what the claim says,
    ``against`` something else."""

    carried = VoiceSerializer()
    against = VoiceSerializer()


class ClaimEffectiveSerializer(serializers.Serializer[Any]):
    """The verdict on one claim that counts now. ``by`` person: the review that decides the answer has a verdict on this
    claim; machine: nobody gave one. ``conclusion``, ``status`` and ``finding`` beside it stay what the detectors said.
    Null is never support."""

    by = serializers.ChoiceField(DECIDED_BY[:2])
    who = serializers.CharField(allow_null=True, help_text="The person's name; null by machine.")
    at = serializers.DateTimeField(
        allow_null=True,
        help_text="When the person gave the verdict or the detectors ended; null where nothing is stored (`answers:detect`).",
    )
    word = serializers.ChoiceField(
        CONCLUSIONS,
        allow_null=True,
        help_text="By machine that of `conclusion`, null in results stored before it was drawn. By a person `supported`, or "
        "`wrong` if corrected or rejected; null if they could not tell or saw no claim there.",
    )
    verdict = serializers.ChoiceField(
        PERSONS_WORDS, allow_null=True, help_text="The person's own word; null by machine."
    )
    reason_code = serializers.CharField(
        allow_null=True, help_text="Why, as the person chose it; null by machine and where none was chosen."
    )
    corrected_value = serializers.CharField(
        allow_null=True, help_text="What the person put in its place; null unless corrected."
    )


class ClaimSerializer(serializers.Serializer[Any]):
    """One claim. A statement has ``strawberry`` and ``grounding``; a number has ``numeric`` and
    ``statement``, the index of the statement it stands in; ``slips`` are recognised mistakes by their codes
    (``text`` and ``says`` stand in older results alone, in English), ``looked_at`` is what else the number was compared with, ``searched`` where; ``slots`` are those of
    what the finding rests on, each of ``looked_at`` has its own. ``numeric.tolerance`` is null where none was applied. Offsets are code points into
    the answer. ``reason`` is a sentence in the answer's language, in English for languages other than Hebrew and Chinese."""

    index = serializers.IntegerField()
    kind = serializers.ChoiceField(
        ["statement", "currency", "percentage", "ratio", "date", "number", "change"]
    )
    text = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    sentence = serializers.IntegerField()
    statement = serializers.IntegerField(required=False, allow_null=True)
    citations = serializers.ListField(child=serializers.CharField())
    status = serializers.ChoiceField(CLAIM_STATUSES)
    finding = serializers.CharField()
    reason = serializers.CharField()
    conclusion = ConclusionSerializer(
        required=False, help_text="Absent from results stored before it was drawn."
    )
    disputed = DisputeSerializer(
        many=True,
        required=False,
        help_text="What evidence disagrees about; it changes neither status nor flag. Absent from results stored before "
        "it was measured.",
    )
    effective = ClaimEffectiveSerializer(
        allow_null=True,
        help_text="The verdict that counts now. Null while the answer has none, and where a newer answer has it.",
    )
    flagged = serializers.BooleanField()
    warning = serializers.CharField(allow_null=True)
    numeric = ObjectField(required=False, allow_null=True)
    strawberry = ObjectField(required=False, allow_null=True)
    grounding = ObjectField(required=False, allow_null=True)
    evidence = serializers.ListField(child=ObjectField())
    slips = serializers.ListField(child=ObjectField(), required=False)
    looked_at = serializers.ListField(child=ObjectField(), required=False)
    searched = ObjectField(required=False, allow_null=True)
    slots = SlotSerializer(many=True, required=False)


class CorrectionSerializer(serializers.Serializer[Any]):
    """What is wrong with one claim, for the agent that wrote it: ``problem`` is a sentence, ``expected`` the
    value that belongs there and ``source`` the one to rely on, null where they are not known."""

    claim = serializers.IntegerField()
    text = serializers.CharField()
    problem = serializers.CharField()
    expected = serializers.CharField(allow_null=True)
    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]  # a field's own "source" is another thing


class ResultReviewSerializer(serializers.Serializer[Any]):
    """The review of an answer; the decision's fields are there once it is resolved."""

    id = serializers.IntegerField()
    status = serializers.CharField()
    outcome = serializers.CharField(required=False)
    final_confidence = serializers.FloatField(required=False, allow_null=True)
    corrected_answer = serializers.CharField(required=False, allow_null=True)
    resolved_at = serializers.DateTimeField(required=False)


class EffectiveSerializer(serializers.Serializer[Any]):
    """The verdict that counts now, of the answer as it was delivered. ``verdict`` beside it stays what the detectors
    said. ``by`` machine: nobody has decided, or the newest review is in work again. ``person``: it is resolved.
    ``supersession``: a newer answer to the same query stands in its place. Null is never a success."""

    by = serializers.ChoiceField(DECIDED_BY)
    who = serializers.CharField(allow_null=True, help_text="The person's name; null where none decided.")
    at = serializers.DateTimeField(
        allow_null=True,
        help_text="When the detectors ended, the person resolved or the newer answer came; null where nothing is "
        "stored (`answers:detect`).",
    )
    has_hallucinations = serializers.BooleanField(
        allow_null=True,
        help_text="By a person: false if approved, true if corrected or rejected. Null where the person could not "
        "decide, and by supersession: read the newer answer.",
    )
    answer_status = serializers.CharField(
        allow_null=True,
        help_text="The verdict's, by a person `success` or `hallucination_detected`; null where has_hallucinations is.",
    )
    risk_level = serializers.ChoiceField(
        ["low", "moderate", "high"],
        allow_null=True,
        help_text="The verdict's; null where a person or a newer answer decides.",
    )
    outcome = serializers.CharField(
        allow_null=True, help_text="How the review ended, as in `review`; null where no person decided."
    )
    superseded_by = serializers.UUIDField(
        allow_null=True, help_text="The newer answer; null where there is none."
    )


EXAMPLE = {
    "id": "0f3c6c1e-7d0a-4a53-9f0e-0d5f3f1d9a11",
    "external_id": "nlq-123",
    "status": "completed",
    "verdict": {
        "has_hallucinations": False,
        "answer_status": "success",
        "risk_score": 0.0,
        "risk_level": "low",
        "action": "accept",
        "needs_review": False,
        "original_confidence": 0.95,
        "adjusted_confidence": 0.95,
        "uncalibrated_confidence": 0.95,
        "confidence_adjustment": 0.0,
        "reasons": [],
        "coverage": {"claims": 1, "verified": 1, "unverified": 0, "not_checked": 0},
    },
    "claims": [
        {
            "index": 0, "kind": "currency", "statement": None, "text": "$1,234,567.89", "start": 8, "end": 21,
            "sentence": 0, "citations": ["S0"], "status": "supported", "finding": "exact", "reason": "The database says 1,234,567.89 USD for net operating income of OAK, Q3 2024, as the answer does.",
            "effective": {
                "by": "machine", "who": None, "at": "2026-11-02T09:30:00+00:00", "word": "supported", "verdict": None,
                "reason_code": None, "corrected_value": None,
            },
            "conclusion": {"word": "supported", "by": "numeric", "overruled": []},
            "flagged": False, "warning": None, "evidence": [],
        }
    ],
    "self_correction": [],
    "effective": {
        "by": "machine", "who": None, "at": "2026-11-02T09:30:00+00:00", "has_hallucinations": False,
        "answer_status": "success", "risk_level": "low", "outcome": None, "superseded_by": None,
    },
    "review": None,
}  # fmt: skip


@extend_schema_serializer(examples=[OpenApiExample("A supported figure", EXAMPLE, response_only=True)])
class OwedSerializer(serializers.Serializer[Any]):
    """That an answer's statements are still to be verified: why, since when, not before when, and how often that was tried in
    vain. It is judged again by itself; until then ``answer_status`` is no ``success``."""

    reason = serializers.ChoiceField(OWED_FOR)
    since = serializers.DateTimeField()
    due_at = serializers.DateTimeField()
    tries = serializers.IntegerField()


class OwedOnceSerializer(OwedSerializer):
    """What an answer was owed after one of its runs, and how that ended; null while it has not."""

    run = serializers.IntegerField()
    ended_at = serializers.DateTimeField(allow_null=True)
    ending = serializers.ChoiceField(["judged_again", "settled", "superseded", "given_up"], allow_null=True)


class ResultSerializer(serializers.Serializer[Any]):
    """What was found. While ``status`` is queued or running, claims that wait for a check are ``unverified`` with the
    finding ``pending``. ``verdict`` is null until the run has finished; ``effective`` as well, unless a person or a newer
    answer decides. Both are null for the key of a reviewer while the answer is judged blind."""

    id = serializers.UUIDField(allow_null=True)
    external_id = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(STATUSES)
    verdict = VerdictSerializer(allow_null=True)
    effective = EffectiveSerializer(allow_null=True)
    claims = ClaimSerializer(many=True)
    numeric = ObjectField(allow_null=True)
    citations = ObjectField(allow_null=True)
    hallucination_check = ObjectField(allow_null=True)
    grounding = ObjectField(allow_null=True)
    judge = ObjectField(allow_null=True)
    checks = ObjectField()
    self_correction = CorrectionSerializer(many=True, required=False)
    warning = serializers.CharField(allow_null=True)
    profile = ObjectField()
    timings_ms = ObjectField()
    cost = ObjectField()
    failed_reason = serializers.CharField(required=False)
    verification_owed = OwedSerializer(allow_null=True, required=False)
    verification_history = OwedOnceSerializer(many=True, required=False)
    review = ResultReviewSerializer(allow_null=True)
