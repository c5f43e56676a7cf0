"""Where the keys that sign histories come from, and what they accept."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from detection import keyed
from hallu_site.production import audit_keys

pytestmark = pytest.mark.requirement("SEC-20")


def test_without_any_it_is_derived_from_the_secret_key() -> None:
    (key,) = audit_keys("", "", "a secret with spaces")
    assert (len(key), b"secret" in key) == (32, False)
    assert audit_keys("", "", "another") != (key,)


def test_the_secret_key_of_before_can_be_given_behind_a_new_one() -> None:
    (before,) = audit_keys("", "", "the-secret-key")
    assert audit_keys("new the-secret-key", "", "ignored")[1:] == (before,)


def test_a_file_gives_a_key_a_line(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("new\nold\n")
    assert audit_keys("", str(tmp_path / "keys"), "ignored") == audit_keys("new old", "", "ignored")


def test_a_file_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"HALLU_AUDIT_KEY_FILE: .* No such file"):
        audit_keys("", str(tmp_path / "none"), "ignored")


def test_the_first_key_signs_and_every_key_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "AUDIT_KEYS", (b"old",))
    old = keyed.signed("label", "content")
    monkeypatch.setattr(settings, "AUDIT_KEYS", (b"new", b"old"))
    new = keyed.signed("label", "content")
    assert old != new
    assert keyed.is_signed(old, "label", "content")
    assert keyed.is_signed(new, "label", "content")
    monkeypatch.setattr(settings, "AUDIT_KEYS", (b"new",))
    assert not keyed.is_signed(old, "label", "content")


@pytest.mark.parametrize(("label", "content"), [("other", "content"), ("label", "contents")])
def test_nothing_else_has_the_same_signature(label: str, content: str) -> None:
    assert not keyed.is_signed(keyed.signed("label", "content"), label, content)


def test_what_is_no_signature_is_none() -> None:
    assert not keyed.is_signed("ā", "label", "content")
