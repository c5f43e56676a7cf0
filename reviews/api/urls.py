"""The API paths of answers, strict answers and reviews, under ``/api/v1/``."""

from django.urls import path
from rest_framework.routers import SimpleRouter

from reviews.api.answers import AnswerViewSet
from reviews.api.calibration import CalibrationView
from reviews.api.dashboard import DashboardView, TileView
from reviews.api.detect import DetectView
from reviews.api.reviews import ReviewViewSet
from reviews.api.strict import StrictAnswerViewSet

router = SimpleRouter()
router.register("answers", AnswerViewSet, basename="answer")
router.register("reviews", ReviewViewSet, basename="api-review")
router.register("strict-answers", StrictAnswerViewSet, basename="strict-answer")
urlpatterns = [
    path("answers:detect", DetectView.as_view(), name="api-detect"),
    path("calibration/", CalibrationView.as_view(), name="api-calibration"),
    path("dashboard/", DashboardView.as_view(), name="api-dashboard"),
    path("dashboard/<slug:tile>/", TileView.as_view(), name="api-dashboard-tile"),
    *router.urls,
]
