"""How far the history of each review had come when hashes got a key is noted, signed, and so is what each person may do, now
that there are roles (SEC-20)."""

from django.db import migrations
from django.db.models import Q

from detection.history.signing import note_plain_heads, note_standing


def sign(apps, _editor):
    note_plain_heads(apps.get_model("detection", "PlainHead"), apps.get_model("reviews", "ReviewEvent"))
    for person in apps.get_model("auth", "User").objects.order_by("pk"):
        told = standing(person, apps.get_model("auth", "Permission"))
        note_standing(apps.get_model("detection", "PersonEvent"), person, told)


def standing(person, permissions):
    groups = person.property_groups
    held = permissions.objects.filter(Q(user=person) | Q(group__user=person))
    named = {f"{app}.{name}" for app, name in held.values_list("content_type__app_label", "codename")}
    return {
        "user_name": person.username,
        "log_in": person.is_active,
        "administration": person.is_staff,
        "everything": person.is_superuser,
        "roles": sorted(person.groups.values_list("name", flat=True)),
        "permissions": [] if person.is_superuser else sorted(named),
        "property_groups": sorted(groups.values_list("name", flat=True)),
        "all_properties": groups.filter(all_properties=True).exists(),
    }


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0012_roles"),
        ("detection", "0027_signed_histories"),
    ]
    operations = [migrations.RunPython(sign, migrations.RunPython.noop)]
