"""Threshold profiles and their moves."""

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from detection.access import READ, key_of
from detection.models import ThresholdProfile
from detection.paging import Pages
from detection.serializers.profiles import MoveSerializer, ProfileSerializer


class ProfileViewSet(
    mixins.CreateModelMixin,
    mixins.ListModelMixin,
    mixins.RetrieveModelMixin,
    viewsets.GenericViewSet[ThresholdProfile],
):
    """Threshold profiles. A new one is a draft; the actions move it, and one is active at any time."""

    scopes = READ
    queryset = ThresholdProfile.objects.order_by("-id")
    serializer_class = ProfileSerializer
    pagination_class = Pages
    filterset_fields = ["state", "version"]

    @extend_schema(request=MoveSerializer, responses=ProfileSerializer)
    @action(detail=True, methods=["post"])
    def activate(self, request: Request, pk: str) -> Response:
        """Draft or shadow → active; the profile active until now retires."""
        return self._move(request, "activate")

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
        form = MoveSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        if step == "retire" and profile.state == ThresholdProfile.State.ACTIVE:
            raise ValidationError({"state": "Activate another version; this one then retires by itself."})
        with transaction.atomic():
            getattr(profile, step)(actor=key_of(request).user, reason=form.validated_data["reason"])
        return Response(ProfileSerializer(profile).data, status=status.HTTP_200_OK)
