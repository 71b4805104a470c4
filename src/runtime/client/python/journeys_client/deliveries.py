"""Deliveries for the tests of a receiver: any event signed as the service signs it, and a life's events as the network may
bring them, doubled and out of order. The lives themselves are generated from the service's rules. Needs no service.
"""
from __future__ import annotations

import hashlib
import hmac
import json
import random
import time
from typing import Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, TypeVar, Union

One = TypeVar("One")


class SignedDelivery(NamedTuple):
    # The exact bytes that are signed.
    body: bytes
    headers: Dict[str, str]


def signed_delivery(
    event: Mapping[str, object],
    secret: Union[str, Iterable[str]],
    *,
    at: Optional[float] = None,
    sequence: Optional[int] = None,
) -> SignedDelivery:
    """A genuine delivery. Of several secrets, as after a roll, each signs: the newest comes first.

    `at` is when it is signed, in seconds since 1970, now unless given: an old one is a replay. `sequence` is the event's number
    among those of its journey.
    """
    body = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
    t = str(int(time.time() if at is None else at))
    secrets = [secret] if isinstance(secret, str) else list(secret)
    signatures = [hmac.new(one.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest() for one in secrets]
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Journeys-Webhooks/1.0",
        "Service-Event-Id": str(event["id"]),
        "Service-Event-Type": str(event["type"]),
        "Service-Timestamp": t,
        "Service-Signature": ",".join([f"t={t}", *(f"v1={one}" for one in signatures)]),
    }
    if sequence is not None:
        headers["Service-Event-Sequence"] = str(sequence)
    return SignedDelivery(body, headers)


def disturbed(events: Sequence[One], seed: int) -> List[One]:
    """Every event at least once, some twice, some later than they happened. The same seed gives the same order."""
    chance = random.Random(seed).random
    doubled = [one for event in events for one in ([event, event] if chance() < 1 / 3 else [event])]
    places = [at + (chance() * len(doubled) if chance() < 1 / 3 else 0) for at in range(len(doubled))]
    return [doubled[at] for at in sorted(range(len(doubled)), key=lambda at: places[at])]
