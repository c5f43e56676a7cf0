"""The admin of what verification writes: facts, traces, strict answers, and what verifiers are and cost."""

from django.contrib import admin

from detection import models
from detection.admin.read_only import ReadOnlyAdmin


@admin.register(models.Fact, models.RejectedFact)
class FactAdmin(ReadOnlyAdmin):
    """What the memory gate let through, and what it did not."""

    about = ""
    list_display = ["__str__", "finding", "stated_confidence", "confidence", "budget_gap", "created_at"]
    list_filter = ["finding"]
    search_fields = ["content"]


@admin.register(models.Trace)
class TraceAdmin(ReadOnlyAdmin):
    """Audited traces."""

    about = ""
    list_display = ["__str__", "worst", "derivable", "method", "property", "language", "created_at"]
    list_filter = ["worst", "derivable", "method"]
    list_select_related = ["property"]
    search_fields = ["question"]


@admin.register(models.TraceStep)
class TraceStepAdmin(ReadOnlyAdmin):
    """What was found of each step."""

    about = "trace__"
    list_display = ["trace_id", "__str__", "finding", "budget_gap"]
    list_filter = ["status"]


@admin.register(models.StrictAnswer)
class StrictAnswerAdmin(ReadOnlyAdmin):
    """Answers written from sources alone."""

    about = ""
    list_display = ["__str__", "state", "is_safe", "preset", "property", "model", "created_at", "finished_at"]
    list_filter = ["status", "is_safe", "preset"]
    list_select_related = ["property"]


@admin.register(models.VerifierEndpoint)
class VerifierEndpointAdmin(ReadOnlyAdmin):
    """What endpoints can do, whether they are well, and their last errors."""

    list_display = [
        "model",
        "base_url",
        "logprobs",
        "top_logprobs",
        "probed_at",
        "down_since",
        "down_reason",
        "last_error",
        "last_error_at",
    ]


@admin.register(models.OwedVerification)
class OwedVerificationAdmin(ReadOnlyAdmin):
    """What answers were owed by their verifier, and what became of it."""

    about = "answer__"
    list_display = ["answer_id", "run_id", "reason", "since", "due_at", "tries", "ending", "ended_at"]
    list_filter = ["reason", "ending"]


@admin.register(models.VerifierSpending)
class VerifierSpendingAdmin(ReadOnlyAdmin):
    """What verifiers were asked and cost, by day."""

    list_display = ["day", "backend", "model", "calls", "cached", "missed", "tokens_in", "tokens_out", "usd"]
    list_filter = ["backend"]
    date_hierarchy = "day"


@admin.register(models.MetricTotals)
class MetricTotalsAdmin(ReadOnlyAdmin):
    """How far the metrics are counted."""

    list_display = ["__str__"]


@admin.register(models.LeftOut)
class LeftOutAdmin(ReadOnlyAdmin):
    """Calls that went without a store while it was away."""

    list_display = ["store", "calls", "last_at"]


@admin.register(models.CalibrationMap)
class CalibrationMapAdmin(ReadOnlyAdmin):
    """Calibration maps; they are fitted and activated on the calibration page."""

    list_display = ["verifier", "version", "method", "state", "fitted_n", "reported_n", "created_at"]
    list_filter = ["state", "method"]


@admin.register(models.ChunkFrames)
class ChunkFramesAdmin(ReadOnlyAdmin):
    """Which chunks are read, and when they were asked for last."""

    list_display = ["__str__", "used_on"]
    list_filter = ["reader_version"]
