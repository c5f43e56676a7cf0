"""Rights that are given and taken at the same moment, in real threads on real connections."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection

from detection.models import ApiKey, NotHeld, PersonEvent
from detection.models.standing import changing

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("SEC-2"),
]


def together(*actions: Callable[[], object]) -> list[bool]:
    """Start all actions at once, each on a connection of its own; which of them were not refused."""
    start = Barrier(len(actions))

    def run(action: Callable[[], object]) -> bool:
        start.wait()
        try:
            action()
        except NotHeld:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(len(actions)) as threads:
        return list(threads.map(run, actions))


@pytest.mark.parametrize("round_", range(4))
def test_nobody_gives_what_is_being_taken_from_them(
    make_user: Callable[..., User], viewer: User, round_: int
) -> None:
    giver, owner = make_user("gil", "senior"), User.objects.create_superuser("olivia")
    role = Group.objects.get(name="senior")

    def give() -> None:
        with changing(giver, viewer):
            viewer.groups.add(role)

    def take() -> None:
        with changing(owner, giver):
            giver.groups.clear()

    given, taken = together(give, take)
    assert taken
    assert viewer.groups.filter(name="senior").exists() is given
    order = list(PersonEvent.objects.order_by("pk").values_list("actor__username", flat=True))
    assert order == (["gil", "olivia"] if given else ["olivia"])


@pytest.mark.parametrize("round_", range(4))
def test_no_consent_outlives_a_change_of_its_key(reviewer: User, round_: int) -> None:
    key, _ = ApiKey.issue("assistant", ["review"], user=reviewer)
    seen = key.last_event()

    def widen() -> None:
        ApiKey.objects.get(pk=key.pk).change(scopes=["review", "admin"])

    def agree() -> None:
        ApiKey.objects.get(pk=key.pk).agree(reviewer, seen)

    assert together(widen, agree)[0]
    key.refresh_from_db()
    assert (key.scopes, key.acts_for) == (["review", "admin"], None)
