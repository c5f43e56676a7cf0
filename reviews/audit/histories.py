"""All histories there are, by the word for what they are about (F13)."""

from detection.models import (
    AccessEvent,
    CalibrationEvent,
    ErasureEvent,
    Event,
    FactEvent,
    PersonEvent,
    ProfileEvent,
)
from reviews.models import ReviewEvent

HISTORIES: dict[str, type[Event]] = {
    "review": ReviewEvent,
    "fact": FactEvent,
    "profile": ProfileEvent,
    "calibration": CalibrationEvent,
    "key": AccessEvent,
    "person": PersonEvent,
    "erasure": ErasureEvent,
}
