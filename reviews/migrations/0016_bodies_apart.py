"""What events of reviews tell stands apart from their rows, so that it can be erased (SEC-19)."""

from django.db import migrations

from detection.history.apart import bodies_apart


class Migration(migrations.Migration):
    dependencies = [("reviews", "0015_administrators_link_identities"), ("detection", "0033_bodies_apart")]
    operations = bodies_apart("reviews", "reviewevent")
