"""Where a request comes from: the address that the last proxy which is trusted has seen (SEC-31)."""

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

NOWHERE = "0.0.0.0"  # noqa: S104 — nobody listens there: it stands for callers without an address


def client_address(request: HttpRequest) -> str:
    """The client's address; of IPv6 its network of 64 bits, all of which one client has.

    Each proxy adds to ``X-Forwarded-For`` whom it has seen, so that the entries from the right are those of the
    ``settings.HALLU_TRUSTED_PROXIES`` nearest ones; what stands left of them anybody may have written.
    """
    peer = _read(request.META.get("REMOTE_ADDR", "")) or NOWHERE
    trusted: int = settings.HALLU_TRUSTED_PROXIES
    seen = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    return (trusted and _read(seen[-min(trusted, len(seen))])) or peer


def _read(written: str) -> str:
    """An address without the port that some proxies add; empty for anything else."""
    text = written.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((int(address), 64), strict=False).network_address)
    return str(address)
