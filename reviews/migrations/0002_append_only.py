"""A review's history can be neither changed nor deleted."""

from django.db import migrations

from detection.append_only import append_only


class Migration(migrations.Migration):
    dependencies = [("reviews", "0001_initial")]
    operations = [append_only("reviews_reviewevent")]
