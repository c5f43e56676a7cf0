"""A new installation has its roles, and an administrator who is no superuser can do the work of one."""

import sqlite3
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from detection.access import ROLES
from tests import migrated

pytestmark = pytest.mark.requirement("APP-06")


def test_the_migrations_make_every_role_and_give_administrators_their_permissions(tmp_path: Path) -> None:
    migrated.install(tmp_path / "new.sqlite3")
    with sqlite3.connect(tmp_path / "new.sqlite3") as fresh:
        names = {name for (name,) in fresh.execute("SELECT name FROM auth_group")}
        given = fresh.execute(
            "SELECT codename FROM auth_permission JOIN auth_group_permissions ON permission_id = auth_permission.id"
            " JOIN auth_group ON group_id = auth_group.id WHERE auth_group.name = 'admin'"
        )
        assert {"add_user", "change_user", "add_apikey", "change_property"} <= {name for (name,) in given}
    assert names == set(ROLES)


@pytest.mark.django_db
def test_an_administrator_who_is_no_superuser_opens_the_lists_and_makes_a_property() -> None:
    admin = User.objects.create_user("ada", password="correct horse battery", is_staff=True)
    role, _ = Group.objects.get_or_create(name="admin")
    role.permissions.set(
        Permission.objects.filter(content_type__app_label__in=("auth", "detection", "reviews"))
    )
    admin.groups.add(role)
    browser = Client()
    browser.force_login(admin)
    assert b"Api keys" in browser.get("/admin/").content
    for page in ("auth/user", "detection/property", "detection/apikey", "detection/thresholdprofile"):
        assert browser.get(f"/admin/{page}/").status_code == 200, page
    made = browser.post(
        "/admin/detection/property/add/", {"code": "OAK", "name": "Oak Tower", "currency": "USD"}
    )
    assert made.status_code == 302
