"""The embedded broker keeps messages as rows: in order, none lost with its worker, none delivered twice."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from queue import Empty
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from kombu import Connection, Queue

from hallu_site import celery_app
from hallu_site.broker.transport import Channel
from hallu_site.models import BrokerMessage
from reviews.lifecycle import publishing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.requirement("APP-06")]


def embedded() -> Connection:
    """Opened by the product's own application: where it was not asked for anything, Kombu does not know ours."""
    opened: Connection = celery_app.connection_for_read("djangodb://localhost")
    return opened


@pytest.fixture
def broker() -> Iterator[Connection]:
    publishing.flush(5)  # of the tests before
    BrokerMessage.objects.all().delete()
    with embedded() as opened:
        yield opened


def publish(broker: Connection, *bodies: Any, queue: str = "fast") -> None:
    with broker.Producer() as producer:
        for body in bodies:
            producer.publish(body, routing_key=queue, declare=[Queue(queue)], serializer="json")


def channel(broker: Connection) -> Channel:
    opened = broker.default_channel
    assert isinstance(opened, Channel)
    return opened


def fetch(broker: Connection, queue: str = "fast") -> Any:
    return channel(broker).basic_get(queue)


def bodies(broker: Connection, queue: str = "fast") -> list[Any]:
    seen = []
    while message := fetch(broker, queue):
        seen.append(message.decode())
        message.ack()
    return seen


def let_visibility_end() -> None:
    BrokerMessage.objects.update(visible_at=timezone.now() - timedelta(seconds=1))


def test_each_queue_is_first_in_first_out(broker: Connection) -> None:
    publish(broker, 1, 2)
    publish(broker, "a", queue="verify")
    publish(broker, 3)
    assert bodies(broker) == [1, 2, 3]
    assert bodies(broker, "verify") == ["a"]


def test_text_of_any_script_and_nul_come_back_as_sent(broker: Connection) -> None:
    sent = ["הכנסה תפעולית", "净营业收入", "nul \x00 inside", "lone \ud800 surrogate"]
    publish(broker, *sent)
    assert bodies(broker) == sent


def test_an_acknowledged_message_is_gone(broker: Connection) -> None:
    publish(broker, 1)
    fetch(broker).ack()
    assert not BrokerMessage.objects.exists()


def test_a_fetched_message_is_hidden_from_others(broker: Connection) -> None:
    publish(broker, 1)
    held = fetch(broker)
    assert fetch(broker) is None
    held.ack()


def test_the_message_of_a_dead_worker_comes_back(broker: Connection) -> None:
    publish(broker, 1, 2)
    fetch(broker)
    let_visibility_end()
    assert bodies(broker) == [1, 2]


def test_messages_being_worked_on_do_not_count_as_waiting(broker: Connection) -> None:
    publish(broker, 1, 2)
    held = fetch(broker)
    assert channel(broker).queue_declare("fast", passive=True).message_count == 1
    held.ack()


def test_a_late_acknowledgement_leaves_the_new_delivery_alone(broker: Connection) -> None:
    publish(broker, 1)
    late = fetch(broker)
    let_visibility_end()
    fetch(broker)
    late.ack()
    assert BrokerMessage.objects.count() == 1


def test_a_requeued_message_keeps_its_place(broker: Connection) -> None:
    publish(broker, 1, 2)
    fetch(broker).requeue()
    assert bodies(broker) == [1, 2]


def test_a_rejected_message_is_dropped(broker: Connection) -> None:
    publish(broker, 1)
    fetch(broker).reject()
    assert not BrokerMessage.objects.exists()


def test_a_clean_stop_gives_unfinished_messages_back_at_once(broker: Connection) -> None:
    publish(broker, 1)
    with embedded() as stopping:
        fetch(stopping)
    assert bodies(broker) == [1]


def test_emptying_a_queue_says_how_many_went(broker: Connection) -> None:
    publish(broker, 1, 2, 3)
    assert channel(broker).queue_purge("fast") == 3
    assert bodies(broker) == []


def test_publishing_in_a_transaction_that_rolls_back_publishes_nothing(broker: Connection) -> None:
    with transaction.atomic():
        publish(broker, 1)
        transaction.set_rollback(True)
    assert bodies(broker) == []


def test_an_idle_poll_writes_nothing(broker: Connection) -> None:
    publish(broker, 1, queue="verify")
    polled = channel(broker)
    with (
        CaptureQueriesContext(
            connection,
        ) as queries,
        pytest.raises(Empty),
    ):
        polled._get("fast")
    assert [query["sql"].split()[0] for query in queries] == ["SELECT"]


def test_waiting_for_a_message_ends_in_time(broker: Connection) -> None:
    with broker.Consumer([Queue("fast")], callbacks=[]), pytest.raises(TimeoutError):
        broker.drain_events(timeout=0.01)


def test_many_consumers_share_the_messages_without_loss_or_double(broker: Connection) -> None:
    publish(broker, *range(120))
    seen: list[int] = []
    failures: list[BaseException] = []

    def consume() -> None:
        try:
            with embedded() as own:
                seen.extend(bodies(own))
        except BaseException as failure:  # noqa: BLE001 - a thread's failure must reach the assertion
            failures.append(failure)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=consume) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(seen) == list(range(120))
