"""A key sees what it names, and all of it by a flag; it acts for a person who agreed; an answer knows for whom it came.

Keys that named no property saw all of them until now and go on, with the flag. On the way back, where naming none means
all again, a key that sees nothing is revoked.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q
from django.utils import timezone

from detection.append_only import frozen

FROZEN = frozen("detection_answer", ("question", "text"))


def flag(apps, schema_editor):
    """What a key saw it goes on to see; nobody has agreed to anything yet."""
    apps.get_model("detection", "ApiKey").objects.filter(properties=None).update(all_properties=True)


def revoke(apps, schema_editor):
    """No key may see more than before."""
    keys = apps.get_model("detection", "ApiKey").objects
    keys.filter(properties=None, all_properties=False, revoked=None).update(revoked=timezone.now())


class Migration(migrations.Migration):
    dependencies = [
        ("detection", "0023_conclusions_of_steps"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        FROZEN.backwards(),  # SQLite rebuilds the table, and drops its triggers
        migrations.AddField(
            "answer",
            "submitted_for",
            models.ForeignKey(
                blank=True,
                help_text="Whom the key acted for; empty where it acted for nobody, and for answers of before this was kept.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="submitted_answers",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        FROZEN,
        migrations.AddField(
            "apikey",
            "all_properties",
            models.BooleanField(
                db_default=False,
                default=False,
                help_text="It sees every property, those to come too. Without it, the properties that are named, and no others.",
            ),
        ),
        migrations.AddField("apikey", "consented_at", models.DateTimeField(blank=True, editable=False, null=True)),
        migrations.AddField(
            "propertygroup",
            "all_properties",
            models.BooleanField(
                db_default=False,
                default=False,
                help_text="Its members see every property, those to come too.",
            ),
        ),
        migrations.AlterField(
            "apikey",
            "user",
            models.ForeignKey(
                blank=True,
                help_text="Whose verdicts the review scope gives, once that person has agreed.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="api_keys",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(flag, revoke),
        migrations.AddConstraint(
            "apikey",
            models.CheckConstraint(
                condition=Q(consented_at__isnull=True) | Q(user__isnull=False),
                name="key_consent_is_of_a_person",
            ),
        ),
    ]
