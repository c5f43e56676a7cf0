"""``/api/v1/reviews/``: everything a reviewer does, under the rules of the screens (review-queue F40)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from detection import problems
from detection.access import answer_scope, key_of
from detection.api.paging import Pages
from detection.api.queries import KnownQuery
from detection.models import Claim
from reviews.api.filters import ReviewFilter
from reviews.api.serializers import (
    LeaseSerializer,
    ReasonSerializer,
    ResolutionSerializer,
    ReviewRowSerializer,
    ReviewSerializer,
    VerdictGivenSerializer,
)
from reviews.api.submitting import idempotency_key
from reviews.models import Conflict, HallucinationReview, KeyReused, Lease, NotAllowed, ReviewPass, Undecided


@contextmanager
def as_problems() -> Iterator[None]:
    """A refused action as the problem it is: 409 with who and when, 403, or 422 naming the claims."""
    try:
        yield
    except Conflict as error:
        when = error.when.isoformat() if error.when else None
        raise problems.Conflict(str(error), who=error.who, when=when) from error
    except NotAllowed as error:
        raise PermissionDenied(str(error)) from error
    except Undecided as error:
        named = {f"claims[{c.index}]": [f"“{c.text[:80]}” has no verdict yet."] for c in error.claims}
        raise ValidationError(named) from error
    except KeyReused as error:
        raise ValidationError({"Idempotency-Key": str(error)}) from error


class ReviewViewSet(
    problems.TellsErased,
    KnownQuery,
    mixins.ListModelMixin,
    mixins.RetrieveModelMixin,
    viewsets.GenericViewSet[HallucinationReview],
):
    """Reviews; the key's user is the reviewer."""

    scopes = {"GET": "read review", "POST": "review"}
    queryset = HallucinationReview.objects.none()
    filterset_class = ReviewFilter
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[HallucinationReview]:
        """The reviews of answers that both the key and its user may see."""
        key = key_of(self.request)
        rows = HallucinationReview.objects.filter(answer_scope(key, "answer__"))
        if key.user:
            rows = rows.filter(answer_scope(key.user, "answer__"))
        return rows.select_related(
            "answer__query", "property", "period", "lease__user", "assignee", "resolved_by", "run"
        ).order_by("-id")

    def get_serializer_class(self) -> Any:
        """Rows in lists, everything in detail."""
        return ReviewRowSerializer if self.action == "list" else ReviewSerializer

    @extend_schema(request=None, responses=LeaseSerializer)
    @action(detail=True, methods=["post"])
    def take(self, request: Request, pk: str) -> Response:
        """Hold the review; taking what one holds extends it."""
        review, person = self.get_object(), _person(request)
        with as_problems():
            Lease.take(review, person)
        return _lease(review)

    @extend_schema(request=None, responses=LeaseSerializer)
    @action(detail=True, methods=["post"])
    def heartbeat(self, request: Request, pk: str) -> Response:
        """Keep the hold."""
        review, person = self.get_object(), _person(request)
        with as_problems():
            Lease.keep(review, person)
        return _lease(self.get_object())

    @extend_schema(request=ReasonSerializer, responses=ReviewSerializer)
    @action(detail=True, methods=["post"])
    def release(self, request: Request, pk: str) -> Response:
        """Give the review back; the draft stays."""
        review, person, given = self.get_object(), _person(request), _checked(ReasonSerializer, request)
        with as_problems():
            Lease.release(review, person, reason=given["reason"])
        return self._shown()

    @extend_schema(request=VerdictGivenSerializer, responses=ReviewSerializer)
    @action(detail=True, methods=["post"])
    def verdict(self, request: Request, pk: str) -> Response:
        """Give a verdict on one claim; it is saved at once."""
        review, person, given = self.get_object(), _person(request), _checked(VerdictGivenSerializer, request)
        claim = Claim.objects.filter(run=review.run_id, index=given.pop("claim")).first()
        if claim is None:
            raise ValidationError({"claim": "This review has no such claim."})
        with as_problems():
            ReviewPass.decide(
                review, person, given.pop("version"), claim, idempotency_key=idempotency_key(request), **given
            )
        return self._shown()

    @extend_schema(request=ResolutionSerializer, responses=ReviewSerializer)
    @action(detail=True, methods=["post"])
    def resolve(self, request: Request, pk: str) -> Response:
        """End the review; every claim that asks for a verdict must have one."""
        review, person, given = self.get_object(), _person(request), _checked(ResolutionSerializer, request)
        if "final_confidence" not in given:
            given["final_confidence"] = review.proposed_confidence()
        with as_problems():
            review.resolve(person, given.pop("version"), idempotency_key=idempotency_key(request), **given)
        return self._shown()

    @extend_schema(request=ReasonSerializer, responses=ReviewSerializer)
    @action(detail=True, methods=["post"])
    def reopen(self, request: Request, pk: str) -> Response:
        """Put a resolved review back into the queue."""
        review, person, given = self.get_object(), _person(request), _checked(ReasonSerializer, request)
        with as_problems():
            review.reopen(person, given["reason"])
        return self._shown()

    def _shown(self) -> Response:
        """The review as it stands now."""
        return Response(ReviewSerializer(self.get_object(), context=self.get_serializer_context()).data)


def _person(request: Request) -> User:
    """Whose verdicts the key would give. Raises a 403 for a key that acts for nobody."""
    person: User | None = key_of(request).user
    if person is None or not person.is_active:
        raise PermissionDenied("This API key acts for no active user, so it cannot review.")
    return person


def _checked(form: Any, request: Request) -> dict[str, Any]:
    checked = form(data=request.data)
    checked.is_valid(raise_exception=True)
    return dict(checked.validated_data)


def _lease(review: HallucinationReview) -> Response:
    return Response(LeaseSerializer({"expires_at": review.lease.expires_at, "version": review.version}).data)
