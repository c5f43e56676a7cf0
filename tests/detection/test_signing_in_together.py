"""The same person signs in twice at the same moment, in real threads on real connections."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pyotp
import pytest
import time_machine
from django.contrib.auth.models import User

from detection import identity_provider
from detection.models import Identity, PersonEvent, SecondFactor
from detection.models.second_factors import CODE
from tests.detection.test_standing_together import together

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.mark.requirement("SEC-37")
def test_two_first_sign_ins_at_once_make_one_person() -> None:
    provider = identity_provider.configured(
        "https://id.example", client_id="c", client_secret="s", scopes="openid", groups_claim="groups", groups="",
        creates=True, emergency=(), second_factors=(),
    )  # fmt: skip
    assert provider

    def sign_in() -> None:
        Identity.signed_in(provider, {"sub": "u-1", "preferred_username": "noa"})

    assert together(*[sign_in] * 4) == [True] * 4
    person = User.objects.get()
    assert (person.username, Identity.objects.get().person) == ("noa", person)
    assert [event.action for event in PersonEvent.objects.all()] == ["added"]


@pytest.mark.requirement("SEC-38")
def test_a_code_that_is_shown_twice_at_once_opens_once(make_user: Callable[..., User]) -> None:
    ada, secret = make_user("ada", "admin"), pyotp.random_base32()
    kinds: list[str] = []
    with time_machine.travel(NOW, tick=False):
        SecondFactor.set(ada, secret, pyotp.TOTP(secret).at(NOW), replaces=False)
    with time_machine.travel(NOW + timedelta(seconds=30), tick=False):
        code = pyotp.TOTP(secret).at(NOW + timedelta(seconds=30))
        together(*[lambda: kinds.append(SecondFactor.accept(ada, code))] * 4)
    assert sorted(kinds) == ["", "", "", CODE]
