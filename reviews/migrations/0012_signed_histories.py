"""How far the history of each review had come when hashes got a key is noted, signed (SEC-20)."""

from django.db import migrations

from detection.history.signing import note_plain_heads


def sign(apps, _editor):
    note_plain_heads(apps.get_model("detection", "PlainHead"), apps.get_model("reviews", "ReviewEvent"))


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0011_conclusions_of_before"),
        ("detection", "0026_signed_histories"),
    ]
    operations = [migrations.RunPython(sign, migrations.RunPython.noop)]
