"""The second factor of a person: a secret of which an app makes a code every 30 seconds (RFC 6238), and recovery codes.

The secret is stored sealed, of recovery codes only a keyed hash. Every way in and out is in the person's history.
"""

import base64
import logging
import secrets
from datetime import timedelta
from typing import Any

import pyotp
from django.contrib.auth.models import User
from django.db import models, transaction
from django.utils import timezone
from pyotp.exceptions import OTPVerificationError

from detection import keyed
from detection.models.standing import PersonEvent, changing

log = logging.getLogger(__name__)
LABEL = "second factor"
CODE, RECOVERY_CODE = "code_of_app", "recovery_code"
RECOVERY_CODES = 10
WINDOW = 1
"""How many codes before and after the present one are taken: clocks differ."""
MOST_WRONG = 20
REST = timedelta(minutes=15)
"""After so many wrong codes one after the other no further one is looked at for so long, but on a known device: whoever
tries codes knows the password, from however many addresses."""


class WrongCode(ValueError):
    """The code is not one of the secret's now."""


class Resting(Exception):
    """Too many codes were wrong; ``wait`` says how long none is looked at."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait


class SecondFactor(models.Model):
    """The second factor of ``user``. A code opens once: ``last_step`` is the number of the last that did."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="second_factor")
    secret = models.TextField()
    last_step = models.BigIntegerField()
    recovery = models.JSONField(default=list)
    wrong = models.PositiveIntegerField(default=0)
    wrong_at = models.DateTimeField(null=True)
    set_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"second factor of {self.user_id}"

    @classmethod
    def set(cls, person: User, secret: str, code: str, *, replaces: bool) -> list[str]:
        """Give ``person`` the second factor that makes ``code``, and return new recovery codes, which are never shown again.

        Raises :class:`WrongCode`, also where they have one and this does not say that it ``replaces`` it.
        """
        step, now = _step(secret, code), timezone.now()
        codes = _drawn()
        with changing(person, person):
            before = cls.objects.filter(user=person).first()
            if step is None or (before and not replaces):
                raise WrongCode
            own = cls(user=person, secret=keyed.sealed(LABEL, secret), last_step=step, set_at=now)
            own.recovery = _hashed(person, codes)
            if before:
                own.pk = before.pk
            own.save()
            if before:
                was, at = ({"set_at": one.set_at.isoformat()} for one in (before, own))
                PersonEvent.append(person, "second_factor_replaced", actor=person, before=was, after=at)
        return codes

    @classmethod
    @transaction.atomic
    def accept(cls, person: User, code: str, *, known_device: bool = False) -> str:
        """Spend a code: :data:`CODE` or :data:`RECOVERY_CODE`, empty for one that opens nothing. Raises :class:`Resting`."""
        own = cls.objects.select_for_update().filter(user=person).first()
        if own is None:
            return ""
        if not known_device:
            own._check_rests()
        kind = own._spend(code)
        own.wrong, own.wrong_at = (0, None) if kind else (own.wrong + 1, timezone.now())
        own.save(update_fields=["last_step", "recovery", "wrong", "wrong_at"])
        return kind

    @classmethod
    @transaction.atomic
    def renew_recovery(cls, person: User) -> list[str]:
        """New recovery codes, in place of all before; they are never shown again."""
        own = cls.objects.select_for_update().get(user=person)
        before, codes = len(own.recovery), _drawn()
        own.recovery = _hashed(person, codes)
        own.save(update_fields=["recovery"])
        own._write("recovery_codes_made", before)
        return codes

    @classmethod
    def remove(cls, person: User, *, actor: User | None) -> None:
        """Take the second factor away; ``actor`` None is whoever runs this machine. Raises
        :class:`~detection.models.NotHeld` where the person holds more than the actor."""
        with changing(actor, person):
            cls.objects.filter(user=person).delete()

    def _check_rests(self) -> None:
        wait = (self.wrong_at or timezone.now()) + REST - timezone.now()
        if self.wrong >= MOST_WRONG and wait > timedelta():
            raise Resting(wait)

    def _spend(self, code: str) -> str:
        try:
            step = _step(keyed.unsealed(LABEL, self.secret), code)
        except ValueError:  # the keys that sign histories are others: an administrator has to remove it
            log.error("second_factor_unreadable person=%s", self.user_id)
            return ""
        if step is not None and step > self.last_step:
            self.last_step = step
            return CODE
        left = [
            one for one in self.recovery if not keyed.is_signed(one, RECOVERY_CODE, _plain(self.user, code))
        ]
        before, self.recovery = len(self.recovery), left
        if len(left) == before:
            return ""
        self._write("recovery_code_used", before)
        return RECOVERY_CODE

    def _write(self, action: str, before: int) -> None:
        was, now = ({"recovery_codes": count} for count in (before, len(self.recovery)))
        PersonEvent.append(self.user, action, actor=self.user, before=was, after=now)


def offered() -> str:
    """A new secret, for an app."""
    return pyotp.random_base32()


def address(person: User, secret: str) -> str:
    """What an app reads from the picture: ``otpauth://…``."""
    return pyotp.TOTP(secret).provisioning_uri(name=person.username, issuer_name="Hallu")


def _step(secret: str, code: str) -> int | None:
    """The number of the 30 seconds that ``code`` is of; None for a wrong one."""
    typed = "".join(code.split())
    try:
        step: Any = pyotp.TOTP(secret).verify_and_get_timecode(
            typed, for_time=timezone.now(), valid_window=WINDOW
        )
    except OTPVerificationError:
        return None
    return int(step)


def _drawn() -> list[str]:
    """Recovery codes: 140 bits each, so that a plain hash keeps them, in letters that are not taken for others."""
    drawn = (base64.b32encode(secrets.token_bytes(20)).decode()[:28].lower() for _ in range(RECOVERY_CODES))
    return ["-".join(code[at : at + 7] for at in range(0, 28, 7)) for code in drawn]


def _hashed(person: User, codes: list[str]) -> list[str]:
    return [keyed.signed(RECOVERY_CODE, _plain(person, code)) for code in codes]


def _plain(person: User, code: str) -> str:
    """A recovery code as it is hashed, however it was typed."""
    letters = "".join(letter for letter in code.lower() if letter.isalnum())
    return f"{person.pk} {letters}"
