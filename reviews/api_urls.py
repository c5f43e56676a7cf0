"""The API paths of answers and reviews, under ``/api/v1/``."""

from rest_framework.routers import SimpleRouter

from reviews.api.answers import AnswerViewSet
from reviews.api.reviews import ReviewViewSet

router = SimpleRouter()
router.register("answers", AnswerViewSet, basename="answer")
router.register("reviews", ReviewViewSet, basename="api-review")
urlpatterns = router.urls
