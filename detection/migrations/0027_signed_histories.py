"""Hashes of histories are made with a key from here on: how far each chain had come without is noted, signed, and so is
what each API key may do (SEC-20)."""

from django.db import migrations, models

from detection.append_only import append_only, never_emptied
from detection.history.signing import note_plain_heads, note_standing

NEEDED = ("AccessEvent", "CalibrationEvent", "FactEvent", "PersonEvent", "ProfileEvent")


def sign(apps, _editor):
    for name in NEEDED:
        note_plain_heads(apps.get_model("detection", "PlainHead"), apps.get_model("detection", name))
    for key in apps.get_model("detection", "ApiKey").objects.order_by("pk"):
        note_standing(apps.get_model("detection", "AccessEvent"), key, of_key(key))


def of_key(key):
    return {
        "name": key.name,
        "scopes": sorted(key.scopes),
        "all_properties": key.all_properties,
        "properties": sorted(key.properties.values_list("code", flat=True)),
        "user": key.user.username if key.user else None,
        "expires": key.expires.isoformat() if key.expires else None,
        "consent": key.consented_at.isoformat() if key.consented_at else None,
    }


class Migration(migrations.Migration):
    dependencies = [
        ("detection", "0026_left_out"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]
    operations = [
        migrations.CreateModel(
            name="PlainHead",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("history", models.CharField(max_length=60)),
                ("subject", models.CharField(max_length=40)),
                ("seq", models.PositiveIntegerField()),
                ("hash", models.CharField(max_length=64)),
                ("signature", models.CharField(max_length=64)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("history", "subject"), name="one_plain_head_a_chain")
                ]
            },
        ),
        append_only("detection_plainhead"),
        never_emptied("detection_plainhead", ("history", "subject")),
        migrations.RunPython(sign, migrations.RunPython.noop),
    ]
