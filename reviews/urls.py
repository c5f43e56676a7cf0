"""The screens' URLs, at the root of the site."""

from django.urls import path

from reviews.account import acting, guidance, preferences, provider, second_factor, session
from reviews.answers import facts, traces
from reviews.answers import views as answers
from reviews.audit import views as audit
from reviews.calibration import views as calibration
from reviews.dashboard import monitoring
from reviews.dashboard import views as dashboard
from reviews.queue import my_work_views, several_views
from reviews.queue import views as listing
from reviews.review_page import deciding, flow, history, sources
from reviews.review_page import views as review
from reviews.thresholds import views as versions
from reviews.workbench import views as tuning

urlpatterns = [
    path("", my_work_views.home, name="home"),
    path("login/", session.LogIn.as_view(), name="login"),
    path("login/second-step/", second_factor.second_step, name="second-step"),
    path("login/provider/", provider.begin, name="provider-begin"),
    path("login/provider/back/", provider.back, name="provider-back"),
    path("logout/", session.LogOut.as_view(), name="logout"),
    path("me/", preferences.preferences, name="preferences"),
    path("me/keys/", preferences.keys, name="preferences-keys"),
    path("me/shortcuts/", preferences.shortcuts, name="preferences-shortcuts"),
    path("me/acting/", acting.acting, name="acting"),
    path("me/password/", preferences.Password.as_view(), name="password"),
    path("me/second-factor/", second_factor.own, name="second-factor"),
    path("help/", guidance.help_page, name="help"),
    path("queue/", listing.queue_page, name="queue"),
    path("queue/next/", listing.next_review, name="queue-next"),
    path("queue/live/", listing.live, name="queue-live"),
    path("queue/requeue/", listing.requeue, name="queue-requeue"),
    path("queue/several/", several_views.several, name="queue-several"),
    path("queue/undo/", several_views.undo, name="queue-undo"),
    path("reviews/<int:pk>/", review.review, name="review"),
    path("reviews/<int:pk>/take/", flow.take, name="review-take"),
    path("reviews/<int:pk>/release/", flow.release, name="review-release"),
    path("reviews/<int:pk>/heartbeat/", flow.heartbeat, name="review-heartbeat"),
    path("reviews/<int:pk>/claims/<int:claim>/verdict/", deciding.verdict, name="claim-verdict"),
    path("reviews/<int:pk>/resolve/", deciding.resolve, name="review-resolve"),
    path("reviews/<int:pk>/claims/", deciding.add_claim, name="review-add-claim"),
    path("reviews/<int:pk>/examine-rest/", deciding.examine_rest, name="review-examine-rest"),
    path("reviews/<int:pk>/undo/", deciding.undo, name="review-undo"),
    path("reviews/<int:pk>/state/", review.state, name="review-state"),
    path("reviews/<int:pk>/skip/", flow.skip, name="review-skip"),
    path("reviews/<int:pk>/snooze/", flow.snooze, name="review-snooze"),
    path("reviews/<int:pk>/wake/", flow.wake, name="review-wake"),
    path("reviews/<int:pk>/assign/", flow.assign, name="review-assign"),
    path("reviews/<int:pk>/rescreen/", flow.rescreen, name="review-rescreen"),
    path("reviews/<int:pk>/adopt/", flow.adopt, name="review-adopt"),
    path("reviews/<int:pk>/reopen/", deciding.reopen, name="review-reopen"),
    path("reviews/<int:pk>/history/", history.history, name="review-history"),
    path("answers/", answers.answers, name="answers"),
    path("answers/<uuid:pk>/", answers.answer, name="answer"),
    path("answers/<uuid:pk>/send/", answers.send, name="answer-send"),
    path("answers/<uuid:pk>/text/", answers.answer_text, name="answer-text"),
    path("answers/<uuid:pk>/sources/<int:position>/", sources.source, name="source"),
    path("traces/", traces.traces, name="traces"),
    path("traces/<uuid:pk>/", traces.trace, name="trace"),
    path("monitoring/", monitoring.rates, name="monitoring"),
    path("dashboard/", dashboard.dashboard, name="dashboard"),
    path("dashboard/blocks/<slug:block>/", dashboard.block, name="dashboard-block"),
    path("dashboard/<slug:tile>.csv", dashboard.tile_csv, name="dashboard-csv"),
    path("tuning/", tuning.workbench, name="tuning"),
    path("tuning/changes/", tuning.changing, name="tuning-changes"),
    path("tuning/suggest/", tuning.suggest, name="tuning-suggest"),
    path("tuning/suggest/draft/", tuning.draft_suggested, name="tuning-draft-suggested"),
    path("tuning/draft/", tuning.draft, name="tuning-draft"),
    path("tuning/limits/", tuning.limits, name="tuning-limits"),
    path("tuning/limits/draft/", tuning.draft_limits, name="tuning-limits-draft"),
    path("tuning/audits/", tuning.audits, name="tuning-audits"),
    path("tuning/calibration/", calibration.calibration, name="calibration"),
    path("tuning/calibration/fit/", calibration.fit, name="calibration-fit"),
    path("tuning/calibration/<int:pk>/activate/", calibration.activate, name="calibration-activate"),
    path("tuning/calibration/<int:pk>/deactivate/", calibration.deactivate, name="calibration-deactivate"),
    path("tuning/versions/", versions.versions, name="versions"),
    path("tuning/versions/compare/", versions.compare, name="versions-compare"),
    path("tuning/versions/new/", versions.new, name="version-new"),
    path("tuning/versions/file/", versions.read_file, name="version-file"),
    path("tuning/versions/<int:version>/", versions.version, name="version"),
    path("tuning/versions/<int:version>/export/", versions.export, name="version-export"),
    path("tuning/versions/<int:version>/step/", versions.step, name="version-step"),
    path("audit/", audit.log_page, name="audit"),
    path("audit/export/", audit.export, name="audit-export"),
    path("facts/", facts.facts, name="facts"),
    path("facts/rejected/", facts.rejected, name="facts-rejected"),
    path("facts/<uuid:pk>/", facts.fact, name="fact"),
]
