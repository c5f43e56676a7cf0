"""The gravest conclusion of each review of before, from the findings stored of its claims, a thousand rows at a time."""

from django.db import migrations
from django.db.models import Case, Exists, OuterRef, Q, Value, When

ROWS = 1000
OPINION = Q(kind="statement") & ~Q(finding="number_contradicted")


def fill(apps, schema_editor):
    reviews = apps.get_model("reviews", "HallucinationReview").objects.order_by("pk")
    claims = apps.get_model("detection", "Claim").objects.filter(run=OuterRef("run"), origin="detector")
    proved = claims.exclude(OPINION)
    against = Case(
        When(Exists(proved.filter(status="contradicted")), then=Value("wrong")),
        When(Exists(proved.filter(status="unsupported")), then=Value("not_in_evidence")),
        When(Exists(claims.filter(status__in=["contradicted", "unsupported"])), then=Value("doubtful")),
        default=Value(""),
    )
    last = 0
    while rows := list(reviews.filter(pk__gt=last).values_list("pk", flat=True)[:ROWS]):
        reviews.filter(pk__gte=rows[0], pk__lte=rows[-1]).update(against=against)
        last = rows[-1]


class Migration(migrations.Migration):
    atomic = False  # every thousand by itself, so that no lock is held for long; it may be run again
    dependencies = [("reviews", "0010_proof_before_doubt"), ("detection", "0020_not_verified")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
