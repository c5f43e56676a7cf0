"""``GET /api/v1/dashboard/``: the tiles of the dashboard, and each with the figures of the page (review-queue §6)."""

from typing import Any, ClassVar

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from detection.access import key_of
from detection.api.queries import KnownQuery
from reviews.dashboard.query import DashboardQuery
from reviews.dashboard.registry import TILES


class TileListSerializer(serializers.Serializer[Any]):
    """A tile without its figures."""

    name = serializers.CharField()
    block = serializers.CharField()
    title = serializers.CharField()
    definition = serializers.CharField()
    unit = serializers.CharField(help_text="A share lies between 0 and 1; seconds are a duration.")
    url = serializers.CharField()


class TileRowSerializer(serializers.Serializer[Any]):
    """A part of a tile's figure."""

    group = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field, taken off the class
    value = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    unit = serializers.CharField(allow_null=True, help_text="Null for the tile's own.")


class TileWeekSerializer(serializers.Serializer[Any]):
    """A tile's value in the week that begins on ``week``, a Monday."""

    week = serializers.DateField()
    value = serializers.FloatField(allow_null=True)


class TileSerializer(TileListSerializer):
    """A tile with its figures: null where it is not known, and ``text`` then says why."""

    value = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Lower end of the 95 % interval.")
    high = serializers.FloatField(allow_null=True, help_text="Upper end of the 95 % interval.")
    text = serializers.CharField()
    trend = TileWeekSerializer(many=True)
    rows = TileRowSerializer(many=True)


def _named(name: str) -> dict[str, Any]:
    entry = TILES[name]
    return {
        "name": name,
        "block": entry.block,
        "title": entry.title,
        "definition": entry.definition,
        "unit": entry.unit,
        "url": reverse("api-dashboard-tile", args=[name]),
    }


class DashboardView(KnownQuery, APIView):
    """All tiles with what they mean."""

    scopes: ClassVar[dict[str, str]] = {"GET": "read"}

    @extend_schema(operation_id="dashboard", responses=TileListSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The tiles, in the order of the page."""
        return Response(TileListSerializer([_named(name) for name in TILES], many=True).data)


class TileView(KnownQuery, APIView):
    """One tile over the answers that the key may see."""

    scopes: ClassVar[dict[str, str]] = {"GET": "read"}
    query = {"GET": tuple(DashboardQuery().fields)}

    @extend_schema(
        operation_id="dashboard_tile",
        parameters=[DashboardQuery, OpenApiParameter("tile", str, "path", enum=list(TILES))],
        responses=TileSerializer,
    )
    def get(self, request: Request, tile: str) -> Response:
        """Its figures, as the page has them, unrounded."""
        form = DashboardQuery(data=request.query_params)
        form.is_valid(raise_exception=True)
        if tile not in TILES:
            raise Http404
        found = TILES[tile].work_out(form.scope(key_of(request)))
        weeks = [{"week": week, "value": value} for week, value in found.trend]
        figures = {name: getattr(found, name) for name in ("value", "n", "low", "high", "text", "rows")}
        return Response(TileSerializer({**_named(tile), **figures, "trend": weeks}).data)
