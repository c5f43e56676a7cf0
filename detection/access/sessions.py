"""Ending the sessions of one person."""

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils import timezone


def end_of(person: User, *, but: str | None = None) -> None:
    """End every session of ``person`` except the one with the key ``but``. Sessions name nobody outside what they keep, so
    all that live are read."""
    living = Session.objects.filter(expire_date__gt=timezone.now()).exclude(pk=but or "")
    theirs = [each.pk for each in living.iterator() if each.get_decoded().get(SESSION_KEY) == str(person.pk)]
    Session.objects.filter(pk__in=theirs).delete()
