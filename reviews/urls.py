"""The screens' URLs, at the root of the site."""

from django.urls import path

from reviews.views import answers, facts, history, listing, monitoring, review, session, traces

urlpatterns = [
    path("", session.home, name="home"),
    path("login/", session.LogIn.as_view(), name="login"),
    path("logout/", session.LogOut.as_view(), name="logout"),
    path("queue/", listing.queue_page, name="queue"),
    path("queue/next/", listing.next_review, name="queue-next"),
    path("reviews/<int:pk>/", review.review, name="review"),
    path("reviews/<int:pk>/take/", review.take, name="review-take"),
    path("reviews/<int:pk>/release/", review.release, name="review-release"),
    path("reviews/<int:pk>/heartbeat/", review.heartbeat, name="review-heartbeat"),
    path("reviews/<int:pk>/claims/<int:claim>/verdict/", review.verdict, name="claim-verdict"),
    path("reviews/<int:pk>/resolve/", review.resolve, name="review-resolve"),
    path("reviews/<int:pk>/reopen/", review.reopen, name="review-reopen"),
    path("reviews/<int:pk>/history/", history.history, name="review-history"),
    path("answers/", answers.answers, name="answers"),
    path("answers/<uuid:pk>/", answers.answer, name="answer"),
    path("answers/<uuid:pk>/text/", answers.answer_text, name="answer-text"),
    path("traces/", traces.traces, name="traces"),
    path("traces/<uuid:pk>/", traces.trace, name="trace"),
    path("monitoring/", monitoring.rates, name="monitoring"),
    path("facts/", facts.facts, name="facts"),
    path("facts/rejected/", facts.rejected, name="facts-rejected"),
    path("facts/<uuid:pk>/", facts.fact, name="fact"),
]
