"""The OpenID Connect provider that people sign in by, as it is configured; plain, since settings make it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from detection.roles import ROLES

ROLE, PROPERTIES = "role:", "properties:"
LOCAL = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True, slots=True)
class IdentityProvider:
    """Who says who people are. ``groups``: a value of the claim → what it gives, each ``role:…`` or ``properties:…``.

    ``creates``: whether people come by it who were not here before. ``emergency``: who still logs in by password.
    ``second_factors``: the values of the claim ``amr`` that count as a second factor.
    """

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    scopes: str
    groups_claim: str
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    creates: bool
    emergency: frozenset[str]
    second_factors: frozenset[str]

    @property
    def gives(self) -> set[str]:
        """All that any value of the claim gives; what is not here is given here by people, and stays."""
        return {target for _, targets in self.groups for target in targets}

    def given_by(self, claims: Mapping[str, Any]) -> set[str]:
        """What these claims give."""
        held = set(_texts(claims.get(self.groups_claim)))
        return {target for value, targets in self.groups if value in held for target in targets}

    def has_second_factor(self, claims: Mapping[str, Any]) -> bool:
        """Whether the provider says of this sign-in that it asked for a second factor, and that counts here."""
        return not self.second_factors.isdisjoint(_texts(claims.get("amr")))


def configured(
    issuer: str,
    *,
    client_id: str,
    client_secret: str,
    scopes: str,
    groups_claim: str,
    groups: str,
    creates: bool,
    emergency: Iterable[str],
    second_factors: Iterable[str],
) -> IdentityProvider | None:
    """The provider, None without an issuer. Raises :class:`ValueError`, with the variable's name, for what is no use."""
    if not issuer:
        return None
    parts = urlsplit(issuer)
    if not parts.hostname or (parts.scheme != "https" and parts.hostname not in LOCAL):
        raise ValueError("HALLU_OIDC_ISSUER is an https:// address.")
    if not client_id or not client_secret:
        raise ValueError("HALLU_OIDC_ISSUER needs HALLU_OIDC_CLIENT_ID and HALLU_OIDC_CLIENT_SECRET.")
    return IdentityProvider(
        issuer, client_id, client_secret, scopes, groups_claim, _mapping(groups), creates,
        frozenset(emergency), frozenset(second_factors),
    )  # fmt: skip


def _mapping(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    try:
        read = json.loads(text or "{}")
        mapping = {str(value): tuple(map(str, targets)) for value, targets in read.items()}
    except (ValueError, AttributeError, TypeError):
        raise ValueError('HALLU_OIDC_GROUPS is JSON: {"value of the claim": ["role:reviewer"]}.') from None
    for target in {target for targets in mapping.values() for target in targets}:
        known = (
            target.removeprefix(ROLE) in ROLES if target.startswith(ROLE) else target.startswith(PROPERTIES)
        )
        if not known:
            raise ValueError(
                f"HALLU_OIDC_GROUPS: {target!r} is neither role: with one of {', '.join(ROLES)} nor properties: with a"
                " group of properties."
            )
    return tuple(mapping.items())


def _texts(claim: Any) -> list[str]:
    """The texts of a claim that may be one or several."""
    several = claim if isinstance(claim, list) else [claim]
    return [text for text in several if isinstance(text, str)]
