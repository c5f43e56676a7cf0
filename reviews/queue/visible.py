"""Which reviews a person or a key may see, and the order of the queue."""

from detection.access import Caller, answer_scope
from detection.models import ApiKey
from reviews.models import HallucinationReview
from reviews.models.queue_columns import ORDER
from reviews.queue.filters import Reviews


def visible_reviews(user: Caller) -> Reviews:
    """Every review whose answer ``user`` (a person or an API key) may see, in queue order.

    A review is about its answer's property, and that alone decides for a person: no answer is read to count.
    """
    about = "answer__" if isinstance(user, ApiKey) else ""
    return HallucinationReview.objects.filter(answer_scope(user, about)).order_by(*ORDER)
