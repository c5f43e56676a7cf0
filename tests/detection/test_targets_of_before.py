"""Profiles from before one half was the least target (migration 0021)."""

from importlib import import_module

import pytest
from django.apps import apps

from detection.models import ThresholdProfile

MIGRATION = import_module("detection.migrations.0021_no_target_under_half")


@pytest.mark.django_db
def test_a_profile_with_a_target_under_half_says_so_and_counts_it_as_half() -> None:
    low = {
        "base": {},
        "overrides": [{"when": {"language": "he"}, "values": {"target_by_method": {"local": 0.26}}}],
    }
    lowered = ThresholdProfile.objects.create(version=90, values=low, note="Fewer reviews.")
    other = ThresholdProfile.objects.create(version=91, values={"base": {}, "overrides": []}, note="Plain.")
    MIGRATION.say_so(apps, None)
    lowered.refresh_from_db()
    other.refresh_from_db()
    assert lowered.note == f"Fewer reviews. {MIGRATION.NOTE}"
    assert other.note == "Plain."
    assert lowered.resolve({"language": "he"}).target_by_method == {"local": 0.5}
