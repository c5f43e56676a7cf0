"""The trigger that keeps a run's stratum and probability is there again where SQLite has lost it: detection 0029 made its
table anew when it was migrated after reviews 0008."""

from django.db import migrations

from detection.append_only import frozen

GUARD = frozen(
    "detection_detectionrun",
    ("audit_stratum", "audit_probability"),
    once="OLD.audit_probability IS NOT NULL",
    name="audit_frozen",
)


class Migration(migrations.Migration):

    dependencies = [
        ('detection', '0034_erasures'),
        ('reviews', '0017_erased_answers'),
    ]

    operations = [GUARD.backwards(), GUARD]
