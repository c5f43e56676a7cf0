"""The rows of detection: figures of record, answers, runs, thresholds, access and their histories."""

from detection.models.access import AccessEvent, ApiKey
from detection.models.answers import Answer, Query, Source
from detection.models.calibration import CalibrationEvent, CalibrationMap
from detection.models.endpoints import VerifierEndpoint, VerifierSpending
from detection.models.erasures import Erasable, ErasedRows, Erasure, ErasureEvent
from detection.models.events import Event, EventBody, PlainHead
from detection.models.facts import Fact, FactEvent, RejectedFact
from detection.models.finance import (
    FinancialMetrics,
    FinancialPeriod,
    IncomeStatementData,
    MetricAlias,
    Property,
    PropertyGroup,
)
from detection.models.frames import ChunkFrames
from detection.models.identities import Identity
from detection.models.metrics import LeftOut, MetricTotals
from detection.models.monitoring import MonitoredRun
from detection.models.owed import OwedVerification
from detection.models.requests import DetectionRequest
from detection.models.runs import Claim, DetectionRun, DetectorReport
from detection.models.second_factors import SecondFactor
from detection.models.shadows import ShadowFlag
from detection.models.standing import NotHeld, PersonEvent
from detection.models.strict import StrictAnswer
from detection.models.thresholds import ProfileEvent, ThresholdProfile
from detection.models.traces import Trace, TraceStep

__all__ = [
    "AccessEvent",
    "Answer",
    "ApiKey",
    "CalibrationEvent",
    "CalibrationMap",
    "ChunkFrames",
    "Claim",
    "DetectionRequest",
    "DetectionRun",
    "DetectorReport",
    "Erasable",
    "ErasedRows",
    "Erasure",
    "ErasureEvent",
    "Event",
    "EventBody",
    "Fact",
    "FactEvent",
    "FinancialMetrics",
    "FinancialPeriod",
    "Identity",
    "IncomeStatementData",
    "LeftOut",
    "MetricAlias",
    "MetricTotals",
    "MonitoredRun",
    "NotHeld",
    "OwedVerification",
    "PersonEvent",
    "PlainHead",
    "ProfileEvent",
    "Property",
    "PropertyGroup",
    "Query",
    "RejectedFact",
    "SecondFactor",
    "ShadowFlag",
    "Source",
    "StrictAnswer",
    "ThresholdProfile",
    "Trace",
    "TraceStep",
    "VerifierEndpoint",
    "VerifierSpending",
]
