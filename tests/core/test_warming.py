"""A worker that starts reads small answers first, so that no real one pays for what is loaded once."""

import subprocess
import sys

LOADED = """
from detection.core import lexicons
from detection.core.warming import warm
warm()
print(lexicons.phrases.cache_info().currsize, lexicons.concepts.cache_info().currsize)
"""


def test_the_words_of_the_lexicons_are_there_before_the_first_answer() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert [int(count) > 0 for count in done.stdout.split()] == [True, True]


SERVED = """
import hallu_site.wsgi
from hallu_site import startup
startup._warming.join()
from detection.core import lexicons
print(lexicons.phrases.cache_info().currsize, lexicons.concepts.cache_info().currsize, startup.is_warming())
"""


def test_a_web_process_is_warmed_beside_its_first_requests() -> None:
    done = subprocess.run([sys.executable, "-c", SERVED], capture_output=True, text=True, check=True)
    phrases, concepts, warming = done.stdout.split()
    assert (int(phrases) > 0, int(concepts) > 0, warming) == (True, True, "False")


def test_every_worker_is_warmed_when_it_starts() -> None:
    from celery.signals import worker_init

    from hallu_site.celery import warm_up

    assert warm_up in [receiver() for _, receiver in worker_init.receivers]
