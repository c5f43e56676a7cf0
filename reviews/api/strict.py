"""``/api/v1/strict-answers/``: questions in, checked answers or the fallback out (RAG-01…RAG-12)."""

import re
from collections.abc import Callable
from typing import Any, ClassVar

import django_filters
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import mixins, status, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from detection.access import key_of, visible_strict_answers
from detection.api import waiting
from detection.api.paging import AnswerPages
from detection.api.queries import KnownQuery, Moment, TrueOrFalse
from detection.models import ApiKey, StrictAnswer
from detection.problems import TellsErased
from reviews.api import submitting
from reviews.api.strict_serializers import (
    StrictAnswerSerializer,
    StrictQuestionSerializer,
    StrictRowSerializer,
)
from reviews.lifecycle import strict
from reviews.models import IdempotencyRecord

HEADERS = [
    OpenApiParameter("Prefer", str, OpenApiParameter.HEADER, description="respond-async: do not wait for the answer."),
    OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER, description="The same key and body give the same answer."),
    OpenApiParameter("Location", OpenApiTypes.URI_REF, OpenApiParameter.HEADER, response=[201, 202], description="Where the answer is or will be."),
]  # fmt: skip
HEAVY = ("sources", "answer", "raw", "layers", "cited", "strictness", "cost", "audience")


class StrictAnswerFilter(django_filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Strict answers by outcome, by what they are about and when they were asked for."""

    status = django_filters.ChoiceFilter(
        choices=[(name, name) for name in (*StrictAnswer.Status.values, "unfinished")], method="by_status"
    )
    is_safe = TrueOrFalse()
    preset = django_filters.CharFilter()
    property = django_filters.CharFilter(field_name="property__code", help_text="Code.")
    language = django_filters.CharFilter()
    created_after = Moment(field_name="created_at", lookup_expr="gte")
    created_before = Moment(field_name="created_at", lookup_expr="lt")

    class Meta:
        model = StrictAnswer
        fields: list[str] = []

    def by_status(self, rows: QuerySet[StrictAnswer], _name: str, value: str) -> QuerySet[StrictAnswer]:
        """Strict answers of this outcome, or those without one."""
        return rows.filter(status="" if value == "unfinished" else value)


class StrictAnswerViewSet(
    TellsErased,
    KnownQuery,
    mixins.ListModelMixin,
    mixins.RetrieveModelMixin,
    viewsets.GenericViewSet[StrictAnswer],
):
    """Answers written from their sources alone: checked by every layer, or replaced by the fallback."""

    scopes: ClassVar[dict[str, str]] = {"GET": "read", "POST": "submit"}
    queryset = StrictAnswer.objects.none()
    filterset_class = StrictAnswerFilter
    pagination_class = AnswerPages

    def get_queryset(self) -> QuerySet[StrictAnswer]:
        """The strict answers that the key may see; in a list without their texts."""
        rows = visible_strict_answers(key_of(self.request)).select_related("property")
        return rows.defer(*HEAVY) if self.action == "list" else rows

    def get_serializer_class(self) -> Any:
        """Rows in lists, everything in detail."""
        return StrictRowSerializer if self.action == "list" else StrictAnswerSerializer

    @extend_schema(
        request=StrictQuestionSerializer,
        parameters=HEADERS,
        responses={
            201: OpenApiResponse(StrictAnswerSerializer, "Answered, or refused with the fallback."),
            202: OpenApiResponse(StrictAnswerSerializer, "Stored; a worker answers it."),
        },
    )
    def create(self, request: Request) -> Response:
        """Answer a question from its sources, or say that they do not tell. Nothing is streamed: a token that was not
        checked is never shown. While as many callers wait as may, a worker answers it."""
        with waiting.place() as free:
            later = _responds_later(request) or not free
            row, stored = self._take_in(request, strict.enqueue if later else strict.take)
            if stored and not later:
                strict.write(row)
        headers = {"Location": reverse("strict-answer-detail", args=[row.pk])}
        headers |= {"Preference-Applied": "respond-async"} if _responds_later(request) else {}
        headers |= {} if stored else {"Idempotency-Replayed": "true"}
        code = status.HTTP_201_CREATED if row.finished_at else status.HTTP_202_ACCEPTED
        return Response(self.get_serializer(row).data, status=code, headers=headers)

    def _take_in(
        self, request: Request, store: Callable[[strict.Question, ApiKey], StrictAnswer]
    ) -> tuple[StrictAnswer, bool]:
        """The row, and whether it was stored just now: the same key and body give the first one again."""
        caller, key = key_of(request), submitting.idempotency_key(request)
        body = {"strict_answer": request.data}  # the same words mean something else to the other endpoint
        earlier = submitting.earlier_reply(caller, key, body)
        if earlier is None:
            form = StrictQuestionSerializer(data=request.data, context={"caller": caller})
            form.is_valid(raise_exception=True)
            try:
                with transaction.atomic():
                    row = store(form.asked(), caller)
                    IdempotencyRecord.remember(caller, key, body, {"id": str(row.pk)})
                return row, True
            except IntegrityError:
                earlier = submitting.earlier_reply(caller, key, body)
                if earlier is None:
                    raise
        return StrictAnswer.objects.get(pk=earlier["id"]), False


def _responds_later(request: Request) -> bool:
    """Whether ``Prefer: respond-async`` was sent (RFC 7240)."""
    given = request.headers.get("Prefer", "")
    return re.search(r"(?:^|[,\s])respond-async(?:$|[,;\s])", given, re.IGNORECASE) is not None
