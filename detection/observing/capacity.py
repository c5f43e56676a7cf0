"""How much of everything so many answers a day need: the arithmetic behind docs/scaling.md.

Every default was measured with this product or is a price that endpoints quote; where, docs/scaling.md says. An installation
that measures otherwise gives its own. Seconds, bytes and US dollars throughout.
"""

import math
from dataclasses import dataclass

DAY = 86_400
BUSY = 0.6
"""How busy a processor may be at the peak."""
SLOTS_BUSY = 0.7
"""How busy the places are in which answers wait for a verifier."""
SHORT_WAIT = 0.1
"""How long an answer may wait for a place on average, as a share of what it is verified in."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What one answer costs: CPU seconds by process, rows and bytes that it leaves, and at its verifier calls and tokens."""

    web: float = 0.030
    worker: float = 0.200
    database: float = 0.020
    broker: float = 0.0005
    rows: float = 28.0
    bytes: float = 50_000.0
    claims: float = 5.0
    calls: float = 2.0
    """Of a claim: with the evidence and without."""
    tokens_in: float = 900.0
    tokens_out: float = 1.0
    """Of a call."""
    verified_in: float = 0.6
    """Seconds that an answer waits for its verifier."""
    price_in: float = 0.15
    price_out: float = 0.60
    """US dollars for a million tokens."""


@dataclass(frozen=True, slots=True)
class Load:
    """``answers`` a day, ``peak`` times as many at the busiest hour, of which a share is ``verified`` behind a network and of these
    claims the cache answers a share, ``cached``."""

    answers: float
    peak: float = 3.0
    verified: float = 1.0
    cached: float = 0.0

    @property
    def average(self) -> float:
        """Answers a second."""
        return self.answers / DAY

    @property
    def busiest(self) -> float:
        """Answers a second at the peak."""
        return self.average * self.peak

    @property
    def asked(self) -> float:
        """The share of all claims that a verifier is asked about."""
        return self.verified * (1 - self.cached)


@dataclass(frozen=True, slots=True)
class Need:
    """What a load needs. Cores, places to wait for a verifier and rows a second are for its peak, calls and tokens read a second are
    on average; a backlog is what an outage of an hour leaves, and drains in ``drained_in`` seconds."""

    web_cores: float
    worker_cores: float
    database_cores: float
    broker_cores: float
    slots: int
    calls: float
    tokens: float
    usd_a_day: float
    rows: float
    bytes_a_day: float
    backlog: float
    drained_in: float


def need(load: Load, costs: Costs | None = None, *, headroom: float = 1.5) -> Need:
    """What ``load`` needs, where all that serves bears ``headroom`` times its average. Raises :class:`ValueError` for headroom that
    drains nothing."""
    each = costs or Costs()
    calls = load.average * each.claims * each.calls * load.asked
    return Need(
        web_cores=cores(load.busiest, each.web),
        worker_cores=cores(load.busiest, each.worker),
        database_cores=cores(load.busiest, each.database),
        broker_cores=cores(load.busiest, each.broker),
        slots=slots(in_service(load.busiest * load.verified, each.verified_in)),
        calls=calls,
        tokens=calls * each.tokens_in,
        usd_a_day=calls * DAY * (each.tokens_in * each.price_in + each.tokens_out * each.price_out) / 1e6,
        rows=load.busiest * each.rows,
        bytes_a_day=load.answers * each.bytes,
        backlog=backlog(load.average, 3600),
        drained_in=drained_in(3600, headroom),
    )


def cores(rate: float, seconds: float, *, busy: float = BUSY) -> float:
    """Processors for ``rate`` answers a second that cost ``seconds`` of CPU time each."""
    return rate * seconds / busy


def in_service(rate: float, seconds: float) -> float:
    """How many are served at a time (Little: L = λ·W), in Erlang where ``seconds`` is the time of service."""
    return rate * seconds


def slots(erlang: float) -> int:
    """Places for so much work at a time: not busier than :data:`SLOTS_BUSY`, and none waits long for one on average."""
    if erlang <= 0:
        return 0
    places = max(math.ceil(erlang / SLOTS_BUSY), math.floor(erlang) + 1)
    while mean_wait(places, erlang) > SHORT_WAIT:
        places += 1
    return places


def mean_wait(places: int, erlang: float) -> float:
    """How long whoever comes waits for a place on average, in times of service (Erlang C); without end where there are too few."""
    return waits(places, erlang) / (places - erlang) if places > erlang else math.inf


def waits(places: int, erlang: float) -> float:
    """The share of those who come that must wait (Erlang C)."""
    if places <= erlang:
        return 1.0
    blocked = 1.0
    for place in range(1, places + 1):
        blocked = erlang * blocked / (place + erlang * blocked)
    busy = erlang / places
    return blocked / (1 - busy + busy * blocked)


def backlog(rate: float, seconds: float) -> float:
    """Answers that wait after so many ``seconds`` in which none was judged."""
    return rate * seconds


def drained_in(outage: float, headroom: float) -> float:
    """Seconds until what an ``outage`` left is judged, beside what comes, where ``headroom`` times as many can be judged as come. Raises
    :class:`ValueError` where none is left for it."""
    if headroom <= 1:
        raise ValueError("headroom is more than 1, or a backlog never drains")
    return outage / (headroom - 1)


def replicas(waiting: float, rate: float, seconds: float, *, places: int, within: float) -> int:
    """Workers of ``places`` each that judge what comes, and what is ``waiting`` ``within`` so many seconds, at ``seconds`` each."""
    return math.ceil((waiting * seconds / within + in_service(rate, seconds)) / places)
