"""The audit of reasoning traces in the API (SPEC-08.23)."""

from typing import Any, ClassVar

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import mixins, status, viewsets
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from detection import traces
from detection.access import key_of, visible_traces
from detection.api import waiting
from detection.api.paging import AnswerPages
from detection.api.queries import KnownQuery, Moment
from detection.models import Trace, TraceStep
from detection.operations import verifying
from detection.problems import Conflict, TellsErased
from detection.serializers.traces import TraceRowSerializer, TraceSerializer, TraceSubmissionSerializer

SWITCHED_OFF = (
    "Trace auditing is switched off. HALLU_TRACE_AUDITING=true switches it on (in the configuration file: "
    "hallucination.trace_auditing.enabled); hallucination.enabled must be on as well."
)


class TraceFilter(django_filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Traces by the worst status of their steps, by whether the answer follows, by what they are about and when."""

    worst = django_filters.ChoiceFilter(choices=TraceStep.Status.choices)
    derivable = django_filters.ChoiceFilter(
        choices=[("true", "true"), ("false", "false"), ("unknown", "unknown")], method="by_derivable"
    )
    property = django_filters.CharFilter(field_name="property__code", help_text="Code.")
    language = django_filters.CharFilter()
    created_after = Moment(field_name="created_at", lookup_expr="gte")
    created_before = Moment(field_name="created_at", lookup_expr="lt")

    class Meta:
        model = Trace
        fields: list[str] = []

    def by_derivable(self, rows: QuerySet[Trace], _name: str, value: str) -> QuerySet[Trace]:
        """Traces whose answer follows from the steps, does not, or where that could not be told."""
        return rows.filter(derivable={"true": True, "false": False, "unknown": None}[value])


class TraceViewSet(
    TellsErased,
    KnownQuery,
    mixins.CreateModelMixin,
    mixins.ListModelMixin,
    mixins.RetrieveModelMixin,
    viewsets.GenericViewSet[Trace],
):
    """Audited reasoning traces: each step against its context, the answer against the steps."""

    scopes: ClassVar[dict[str, str]] = {"GET": "read", "POST": "submit"}
    queryset = Trace.objects.none()
    filterset_class = TraceFilter
    pagination_class = AnswerPages

    def get_queryset(self) -> QuerySet[Trace]:
        """The traces that the key may see; in a list without context and answer."""
        rows = visible_traces(key_of(self.request)).select_related("property", "profile")
        return rows.defer("context", "answer", "executor_answer") if self.action == "list" else rows

    def get_serializer_class(self) -> Any:
        """Rows in lists, everything in detail."""
        return TraceRowSerializer if self.action == "list" else TraceSerializer

    @extend_schema(
        request=TraceSubmissionSerializer,
        responses={
            201: OpenApiResponse(TraceSerializer, "Audited and stored."),
            409: OpenApiResponse(
                description="Trace auditing is switched off; the problem names the variable."
            ),
        },
    )
    def create(self, request: Request) -> Response:
        """Audit a trace now and store what is found; a stored audit never changes."""
        if not verifying.is_on("trace_auditing"):
            raise Conflict(SWITCHED_OFF, variable="HALLU_TRACE_AUDITING")
        caller = key_of(request)
        form = TraceSubmissionSerializer(data=request.data, context={"caller": caller})
        form.is_valid(raise_exception=True)
        with waiting.busy():
            row = traces.audit(form.trace(), caller=caller, about=form.validated_data.get("property"))
        place = reverse("trace-detail", args=[row.pk])
        return Response(
            TraceSerializer(row).data, status=status.HTTP_201_CREATED, headers={"Location": place}
        )
