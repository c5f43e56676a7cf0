"""The memory gate in the API: facts in, facts out, and what was rejected."""

from typing import Any, ClassVar

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import mixins, status, viewsets
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from detection import facts
from detection.access import key_of, visible_facts, visible_rejected_facts
from detection.api import waiting
from detection.api.paging import AnswerPages
from detection.api.queries import KnownQuery, Moment, TrueOrFalse
from detection.models import Fact, RejectedFact
from detection.problems import Conflict, TellsErased
from detection.serializers.facts import (
    FactSerializer,
    FactSubmissionSerializer,
    GatedSerializer,
    RejectedFactSerializer,
)

NOT_GROUNDED = f"urn:hallu:problem:{facts.NOT_GROUNDED}"
REASON = OpenApiParameter("reason", str, description="Why the fact is withdrawn; kept in its history.")
LONGEST_REASON = 2000


class RejectedFactFilter(django_filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """By words in the content, by finding, by what it is about and when it came."""

    search = django_filters.CharFilter(field_name="content", lookup_expr="icontains")
    finding = django_filters.CharFilter()
    property = django_filters.CharFilter(field_name="property__code", help_text="Code.")
    created_after = Moment(field_name="created_at", lookup_expr="gte")
    created_before = Moment(field_name="created_at", lookup_expr="lt")

    class Meta:
        model = RejectedFact
        fields: list[str] = []


class FactFilter(RejectedFactFilter):
    """By status and trust as well. Withdrawn facts are given out only where they are asked for."""

    status = django_filters.ChoiceFilter(choices=Fact.Status.choices, method="by_status")
    reduced = TrueOrFalse()

    class Meta:
        model = Fact
        fields: list[str] = []

    def by_status(self, rows: QuerySet[Fact], _name: str, value: str) -> QuerySet[Fact]:
        """Facts of this status."""
        return rows.filter(status=value)


class FactViewSet(
    TellsErased,
    KnownQuery,
    mixins.CreateModelMixin,
    mixins.ListModelMixin,
    mixins.RetrieveModelMixin,
    mixins.DestroyModelMixin,
    viewsets.GenericViewSet[Fact],
):
    """Facts that are remembered, each with its evidence and with the confidence that the evidence carries."""

    scopes: ClassVar[dict[str, str]] = {"GET": "read", "POST": "submit", "DELETE": "submit"}
    queryset = Fact.objects.none()
    serializer_class = FactSerializer
    filterset_class = FactFilter
    query = {"DELETE": ("reason",)}
    pagination_class = AnswerPages

    def get_queryset(self) -> QuerySet[Fact]:
        """The facts that the key may see; in a list without those withdrawn, unless it asks for them."""
        rows = visible_facts(key_of(self.request)).select_related("property")
        if self.action == "list" and "status" not in self.request.query_params:
            rows = rows.exclude(status=Fact.Status.WITHDRAWN)
        return rows.defer("measurement")

    @extend_schema(
        request=FactSubmissionSerializer,
        responses={
            201: OpenApiResponse(GatedSerializer, "Remembered."),
            409: OpenApiResponse(
                description="Not grounded: a problem of the type ErrFactNotGrounded with the figures."
            ),
        },
    )
    def create(self, request: Request) -> Response:
        """Verify a fact against its evidence and remember it, within two seconds. Where the evidence does not carry it,
        nothing is remembered: 409. A verifier that is late or fails costs confidence and not the fact. While the gate
        is switched off, facts are stored ``unverified``."""
        gated = self._gated(request)
        shown = dict(GatedSerializer(gated).data)
        if gated.stored:
            return Response(shown, status=status.HTTP_201_CREATED)
        del shown["status"]  # of a problem it is the code
        raise Conflict(gated.reason, **shown, type=NOT_GROUNDED)

    def _gated(self, request: Request) -> facts.Gated:
        caller = key_of(request)
        form = FactSubmissionSerializer(data=request.data, context={"caller": caller})
        form.is_valid(raise_exception=True)
        given: dict[str, Any] = form.validated_data
        try:
            with waiting.busy():
                return facts.gate_fact(
                    given["content"],
                    given["confidence"],
                    given.get("evidence") or (),
                    about=given.get("property"),
                    language=given.get("language") or "",
                    submitted_by=caller,
                )
        except facts.NoAssertion as refusal:
            raise ValidationError({"content": str(refusal)}) from refusal
        except facts.UnsoundFact as fault:
            raise ValidationError({fault.field: str(fault)}) from fault

    @extend_schema(parameters=[REASON], responses={204: None})
    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Withdraw a fact: it is no longer given out as memory, its row and its history stay."""
        reason = request.query_params.get("reason", "")[:LONGEST_REASON]
        self.get_object().withdraw(actor=key_of(request).acts_for, reason=reason)
        return Response(status=status.HTTP_204_NO_CONTENT)


class RejectedFactViewSet(
    KnownQuery, mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[RejectedFact]
):
    """Facts that their evidence did not carry, for analysis; never memory."""

    scopes: ClassVar[dict[str, str]] = {"GET": "review"}
    queryset = RejectedFact.objects.none()
    serializer_class = RejectedFactSerializer
    filterset_class = RejectedFactFilter
    pagination_class = AnswerPages

    def get_queryset(self) -> QuerySet[RejectedFact]:
        """The rejected facts that the key may see."""
        rows = visible_rejected_facts(key_of(self.request))
        return rows.select_related("property").defer("measurement")
