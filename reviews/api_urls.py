"""The API paths of answers, strict answers and reviews, under ``/api/v1/``."""

from rest_framework.routers import SimpleRouter

from reviews.api.answers import AnswerViewSet
from reviews.api.reviews import ReviewViewSet
from reviews.api.strict import StrictAnswerViewSet

router = SimpleRouter()
router.register("answers", AnswerViewSet, basename="answer")
router.register("reviews", ReviewViewSet, basename="api-review")
router.register("strict-answers", StrictAnswerViewSet, basename="strict-answer")
urlpatterns = router.urls
