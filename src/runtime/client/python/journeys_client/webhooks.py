"""Proves that a delivery came from the service, unchanged and just now. It keeps no ids: find duplicates by the event's id."""
from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import TYPE_CHECKING, Any, Iterable, List, Mapping, NoReturn, Optional, Protocol, Tuple, Union

if TYPE_CHECKING:
    from .contract import Event

# A signature that is older, or further in the future, is refused.
DEFAULT_TOLERANCE_SECONDS = 300

_HEADER = re.compile(r"t=([0-9]{1,12})((?:,v[0-9]+=[0-9a-f]+)+)")
_V1_LENGTH = len("v1=") + 64


class ReceivedHeaders(Protocol):
    """The headers of a request, as every framework has them: a mapping, or http.server's message."""

    def items(self) -> Iterable[Tuple[str, Any]]: ...


class WebhookVerificationError(Exception):
    """The only error that a request can cause: answer it with 400. `reason` is one of

    BODY_NOT_RAW, MISSING_SIGNATURE, MALFORMED_SIGNATURE, NO_MATCH, STALE_TIMESTAMP, FUTURE_TIMESTAMP, MALFORMED_BODY.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason


def verify_signature(
    body: Union[bytes, bytearray, memoryview, str],
    secret: Union[str, Iterable[str]],
    *,
    headers: Optional[ReceivedHeaders] = None,
    signature: Optional[str] = None,
    tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> None:
    """Verifies a signature over any body. `secret` is the whole text as it was shown; of several any one may match."""
    secrets = _secrets(secret)
    if not tolerance_seconds >= 0:
        raise TypeError("tolerance_seconds is a number from 0")
    if not isinstance(body, (bytes, bytearray, memoryview, str)):
        raise WebhookVerificationError("BODY_NOT_RAW", "Pass the raw body: the bytes exactly as received, or their text")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    given = _in_headers(headers) if signature is None and headers is not None else signature
    t, values = _read(given)
    matches = False
    # Every value is compared with that of every secret, so that the time taken does not show which one matched.
    for key in secrets:
        expected = "v1=" + hmac.new(key.encode(), t.encode() + b"." + raw, hashlib.sha256).hexdigest()
        for value in values:
            matches = hmac.compare_digest(value, expected) or matches
    if not matches:
        raise WebhookVerificationError("NO_MATCH", "No v1 matches. Is the body exactly what arrived, and the secret whole?")
    age = int(time.time() if now is None else now) - int(t)
    if age > tolerance_seconds:
        raise WebhookVerificationError("STALE_TIMESTAMP", f"Signed {age} s ago: a replay, or this clock is fast")
    if -age > tolerance_seconds:
        raise WebhookVerificationError("FUTURE_TIMESTAMP", f"Signed {-age} s from now: this clock is slow")


def verify_webhook(
    body: Union[bytes, bytearray, memoryview, str],
    secret: Union[str, Iterable[str]],
    *,
    headers: Optional[ReceivedHeaders] = None,
    signature: Optional[str] = None,
    tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> "Event":
    """Verifies a delivery and returns its event. Takes what `verify_signature` takes."""
    verify_signature(
        body, secret, headers=headers, signature=signature, tolerance_seconds=tolerance_seconds, now=now
    )
    try:
        event = json.loads(body if isinstance(body, str) else bytes(body).decode(), parse_constant=_refuse)
    except ValueError:
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("id"), str) or not isinstance(event.get("type"), str):
        raise WebhookVerificationError("MALFORMED_BODY", "The signature is genuine, but the body is not an event")
    return event  # type: ignore[return-value]


def journey_id_of(event: Mapping[str, Any]) -> Optional[str]:
    """The id of the journey that an event tells of, also of a type that is newer than this package. None: of none, as a ping."""
    data = event.get("data")
    found = data.get("journeyId") if isinstance(data, dict) else None
    return found if isinstance(found, str) else None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _in_headers(headers: ReceivedHeaders) -> Optional[str]:
    found: List[str] = []
    for name, value in headers.items():
        if name.lower() == "service-signature":
            found += [value] if isinstance(value, str) else list(value)
    # Two signature headers are no choice. Joined, they have a form that is refused.
    return ", ".join(found) if found else None


def _read(signature: Any) -> Tuple[str, List[str]]:
    if signature is None or signature == "":
        raise WebhookVerificationError("MISSING_SIGNATURE", "The request has no Service-Signature header")
    header = _HEADER.fullmatch(signature) if isinstance(signature, str) else None
    values = [value for value in header[2].split(",") if value.startswith("v1=")] if header else []
    if header is None or not values or any(len(value) != _V1_LENGTH for value in values):
        raise WebhookVerificationError(
            "MALFORMED_SIGNATURE", "Service-Signature is not t=<unix seconds>,v1=<64 lower-case hex characters>"
        )
    return header[1], values


def _secrets(secret: Union[str, Iterable[str]]) -> List[str]:
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets:
        raise TypeError("At least one secret is needed")
    for one in secrets:
        if not isinstance(one, str) or one == "":
            raise TypeError("A secret is the text as it was shown: whsec_...")
        if re.search(r"\s", one):
            raise TypeError("The secret contains white space: often a line break, from the file it is in")
    return secrets
