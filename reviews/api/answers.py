"""``/api/v1/answers/``: submit, read, list, judge again."""

from collections.abc import Mapping
from typing import Any

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Substr
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import mixins, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from detection.access import key_of, visible_answers
from detection.api.paging import AnswerPages
from detection.api.queries import KnownQuery
from detection.models import Answer, OwedVerification
from detection.problems import TellsErased
from detection.serializers.results import ResultSerializer
from detection.serializers.submissions import SubmissionSerializer
from reviews.api import submitting
from reviews.api.filters import AnswerFilter
from reviews.api.serializers import AcceptedSerializer, AnswerRowSerializer
from reviews.lifecycle import intake
from reviews.lifecycle.results import live_runs, result_of
from reviews.models import HallucinationReview

EXCERPT = 240
HEADERS = [
    OpenApiParameter("Prefer", str, OpenApiParameter.HEADER, description="wait=N: wait up to N ≤ 10 seconds for the result."),
    OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER, description="The same key and body give the same answer."),
    OpenApiParameter("Location", OpenApiTypes.URI_REF, OpenApiParameter.HEADER, response=[202], description="Where the result will be."),
]  # fmt: skip


class AnswerViewSet(TellsErased, KnownQuery, mixins.ListModelMixin, viewsets.GenericViewSet[Answer]):
    """Answers and what was found in them."""

    scopes = {"GET": "read", "POST": "submit"}
    queryset = Answer.objects.none()
    serializer_class = AnswerRowSerializer
    filterset_class = AnswerFilter
    pagination_class = AnswerPages

    def get_queryset(self) -> QuerySet[Any]:
        """The answers that the key may see; in a list without their texts."""
        answers = visible_answers(key_of(self.request)).select_related(
            "query", "property", "period", "erasure"
        )
        return _light(answers) if self.action == "list" else answers

    @extend_schema(
        request=SubmissionSerializer,
        parameters=HEADERS,
        responses={
            202: OpenApiResponse(AcceptedSerializer, "Stored; detection is owed."),
            200: OpenApiResponse(ResultSerializer, "Stored, and the result was there in time."),
        },
    )
    def create(self, request: Request) -> HttpResponse:
        """Store an answer with its sources; detection starts by itself."""
        reply, stored = submitting.take_in(request, submitting.idempotency_key(request))
        headers = {"Location": reverse("answer-detail", args=[reply["id"]])}
        if not stored:
            headers["Idempotency-Replayed"] = "true"
        elif not submitting.preferred_wait(request):
            return Response(reply, status=status.HTTP_202_ACCEPTED, headers=headers)
        return self._reply(request, Answer.objects.get(pk=reply["id"]), reply, headers)

    @extend_schema(responses=ResultSerializer)
    def retrieve(self, request: Request, pk: str) -> HttpResponse:
        """The Result of an answer; unfinished, what is there of it."""
        return _result(self.get_object(), request)

    @extend_schema(
        request=None, parameters=HEADERS[:1], responses={202: AcceptedSerializer, 200: ResultSerializer}
    )
    @action(detail=True, methods=["post"])
    def rescreen(self, request: Request, pk: str) -> HttpResponse:
        """Judge the answer again under the active profile."""
        answer = self.get_object()
        try:
            intake.rescreen(answer)
        except intake.Gone:
            self.get_object()  # says by whose order
            raise
        reply = {"id": str(answer.pk), "external_id": answer.query.external_id, "status": "queued"}
        return self._reply(request, answer, reply, {"Location": reverse("answer-detail", args=[answer.pk])})

    def _reply(
        self, request: Request, answer: Answer, reply: dict[str, Any], headers: dict[str, str]
    ) -> HttpResponse:
        """202 with ``reply``, or 200 with the Result when the caller waits and it is there in time."""
        seconds = submitting.preferred_wait(request)
        if seconds and submitting.finished_in_time(answer, seconds, request):
            headers["Preference-Applied"] = f"wait={seconds}"
            return _result(answer, request, headers)
        return Response(
            {**reply, "status": submitting.state_of(answer)}, status=status.HTTP_202_ACCEPTED, headers=headers
        )


def _result(answer: Answer, request: Request, headers: Mapping[str, str] | None = None) -> HttpResponse:
    rendered = result_of(answer, key_of(request).user)
    return HttpResponse(rendered, content_type="application/json", headers=headers)


def _light(answers: QuerySet[Any]) -> QuerySet[Any]:
    """Everything a page of rows needs in three queries, without the texts."""
    newest = live_runs().filter(answer=OuterRef("pk")).values("pk")[:1]
    reviews = HallucinationReview.objects.exclude(selection_reason=HallucinationReview.SelectionReason.GOLD)
    rows: QuerySet[Any] = (
        answers.annotate(
            run_pk=Subquery(newest),
            answer_excerpt=Substr("text", 1, EXCERPT),
            question_excerpt=Substr("question", 1, EXCERPT),
        )
        .defer("text", "question")
        .prefetch_related(
            Prefetch("runs", live_runs().defer("result"), to_attr="latest_runs"),
            Prefetch("owed_verifications", OwedVerification.open(), to_attr="owed_now"),
            Prefetch("reviews", reviews.order_by("-id"), to_attr="latest_reviews"),
        )
    )
    return rows
