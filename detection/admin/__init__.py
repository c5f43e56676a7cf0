"""The administration of detection: figures of record to edit, what was written to look at, profiles to draft."""

from detection.admin import people, profiles, records, verification
from detection.admin.read_only import ReadOnlyAdmin, SeenAdmin

__all__ = ["ReadOnlyAdmin", "SeenAdmin", "people", "profiles", "records", "verification"]
