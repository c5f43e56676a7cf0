"""Threshold profiles and their moves."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import django_filters
from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from detection.access import READ, ForEveryProperty, HasScope, key_of
from detection.api.paging import Pages
from detection.api.queries import KnownQuery, Whole
from detection.models import ThresholdProfile
from detection.models.thresholds import Overtaken
from detection.problems import Conflict
from detection.profiles.gates import GateClosed, gate_of
from detection.serializers.profiles import (
    ActivationSerializer,
    MoveSerializer,
    ProfileSerializer,
    RollbackSerializer,
)


class ProfileFilter(django_filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Profiles by state and version."""

    version = Whole()

    class Meta:
        model = ThresholdProfile
        fields = ("state", "version")


class ProfileViewSet(
    KnownQuery,
    mixins.CreateModelMixin,
    mixins.ListModelMixin,
    mixins.RetrieveModelMixin,
    viewsets.GenericViewSet[ThresholdProfile],
):
    """Threshold profiles. A new one is a draft; the actions move it, and one is active at any time."""

    scopes = READ
    permission_classes = [HasScope, ForEveryProperty]
    queryset = ThresholdProfile.objects.order_by("-id")
    serializer_class = ProfileSerializer
    pagination_class = Pages
    filterset_class = ProfileFilter

    @extend_schema(request=ActivationSerializer, responses=ProfileSerializer)
    @action(detail=True, methods=["post"])
    def activate(self, request: Request, pk: str) -> Response:
        """Draft or shadow → active; the profile active until now retires. 409 while the gate is closed, with what
        it says (people can ask for it on the screens, and a second administrator confirms), and when another version
        became active meanwhile, with who and when."""
        profile, given = self.get_object(), _given(ActivationSerializer, request)
        gate = gate_of(profile, key_of(request))
        with _refusals():
            profile.activate(actor=key_of(request).acts_for, gate=gate, **given)
        return Response(ProfileSerializer(profile).data)

    @extend_schema(request=RollbackSerializer, responses={201: ProfileSerializer})
    @action(detail=True, methods=["post"])
    def rollback(self, request: Request, pk: str) -> Response:
        """Copy a version that was active once forward, as a new one that is active at once."""
        profile, given = self.get_object(), _given(RollbackSerializer, request)
        with _refusals():
            copy = profile.rollback(actor=key_of(request).acts_for, note=given["reason"], seen=given["seen"])
        return Response(ProfileSerializer(copy).data, status=status.HTTP_201_CREATED)

    @extend_schema(request=MoveSerializer, responses=ProfileSerializer)
    @action(detail=True, methods=["post"])
    def shadow(self, request: Request, pk: str) -> Response:
        """Draft → shadow."""
        return self._move(request, "shadow")

    @extend_schema(request=MoveSerializer, responses=ProfileSerializer)
    @action(detail=True, methods=["post"])
    def retire(self, request: Request, pk: str) -> Response:
        """Shadow → retired. The active profile retires only by activating another."""
        return self._move(request, "retire")

    def _move(self, request: Request, step: str) -> Response:
        profile = self.get_object()
        given = _given(MoveSerializer, request)
        if step == "retire" and profile.state == ThresholdProfile.State.ACTIVE:
            raise ValidationError({"state": "Activate another version; this one then retires by itself."})
        with transaction.atomic():
            getattr(profile, {"retire": "end_as_shadow"}.get(step, step))(
                actor=key_of(request).acts_for, reason=given["reason"]
            )
        return Response(ProfileSerializer(profile).data, status=status.HTTP_200_OK)


def _given(kind: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    form = kind(data=request.data)
    form.is_valid(raise_exception=True)
    given: dict[str, Any] = form.validated_data
    return given


@contextmanager
def _refusals() -> Iterator[None]:
    """What keeps a version from becoming active as a 409; nothing of the step stays."""
    try:
        with transaction.atomic():
            yield
    except GateClosed as closed:
        raise Conflict(str(closed), gate=closed.gate.kept()) from closed
    except Overtaken as late:
        raise Conflict(str(late), active_version=late.version, who=late.who, when=late.when) from late
