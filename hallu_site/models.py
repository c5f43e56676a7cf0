"""The rows of the embedded broker. No other part of the product reads or writes them."""

from django.db import models


class BrokerMessage(models.Model):
    """One message that a worker has not acknowledged yet.

    It can be fetched from ``visible_at`` on. A fetch moves that moment into the future, so that the message
    of a worker that died comes back by itself; ``deliveries`` counts fetches and tells them apart.
    """

    queue = models.CharField(max_length=100)
    payload = models.JSONField()
    visible_at = models.DateTimeField()
    deliveries = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["queue", "id"], name="message_fifo")]

    def __str__(self) -> str:
        return f"{self.queue} {self.pk}"
