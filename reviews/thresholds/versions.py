"""Versions of the thresholds as their pages show them (F23): the list, one with its history, two side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone

from detection.access import changes_thresholds
from detection.core.profile_values import Difference
from detection.models import ProfileEvent, ShadowFlag, ThresholdProfile
from detection.models.thresholds import MAY_BECOME_ACTIVE
from detection.profiles.gates import Gate, gate_of
from reviews.audit.events import Entry, entries
from reviews.rights import hidden_answers
from reviews.thresholds.shadow_standing import Standing, standing, visible_flags

State = ThresholdProfile.State
MOST_ANSWERS = 50
"""Answers on which a shadow differs that its page links to."""


@dataclass(frozen=True, slots=True)
class Offered:
    """What the person looking may do with a version now."""

    shadow: bool = False
    activate: bool = False
    ask: bool = False
    confirm: bool = False
    decline: bool = False
    retire: bool = False
    rollback: bool = False


@dataclass(frozen=True, slots=True)
class VersionPage:
    """One version. ``gate`` is what the gate says now of a draft or a shadow; of any other, what it said then."""

    profile: ThresholdProfile
    active: ThresholdProfile
    changes: Sequence[Difference]
    history: Sequence[Entry]
    gate: Gate | None
    offered: Offered
    standing: Standing | None
    differing: Sequence[ShadowFlag]


def version_page(profile: ThresholdProfile, user: User) -> VersionPage:
    """``profile`` as ``user`` sees it, beside the active one."""
    active = ThresholdProfile.active()
    gate = gate_of(profile, user) if profile.state in MAY_BECOME_ACTIVE else None
    shadow = profile.shadow_since is not None
    return VersionPage(
        profile=profile,
        active=active,
        changes=active.difference(profile),
        history=entries("profile", _events(profile)),
        gate=gate,
        offered=offered(profile, user, gate),
        standing=standing(profile, user, timezone.now()) if shadow else None,
        differing=_differing(profile, user) if shadow else (),
    )


def _events(profile: ThresholdProfile) -> QuerySet[ProfileEvent]:
    return profile.events.select_related("actor", "key", "profile").order_by("-seq")


def _differing(profile: ThresholdProfile, user: User) -> Sequence[ShadowFlag]:
    """The newest answers on which a shadow differs, without those that ``user`` may have to judge blind: to be listed
    here tells what was concluded."""
    flags = visible_flags(profile, user) & ShadowFlag.differing(profile)
    found = list(flags.select_related("run__answer")[:MOST_ANSWERS])
    hidden = hidden_answers(user, [flag.run.answer_id for flag in found])
    return [flag for flag in found if flag.run.answer_id not in hidden]


def offered(profile: ThresholdProfile, user: User, gate: Gate | None) -> Offered:
    """What ``user`` may do with ``profile``; the model decides again on every step."""
    if not changes_thresholds(user):
        return Offered()
    waiting = profile.asked_by_id is not None
    return Offered(
        shadow=profile.state == State.DRAFT,
        activate=gate is not None and gate.open,
        ask=gate is not None and not gate.open and not waiting,
        confirm=gate is not None and waiting and profile.asked_by_id != user.pk,
        decline=waiting,
        retire=profile.state == State.SHADOW,
        rollback=profile.can_come_back,
    )
