"""A client of the Journeys API and a verifier of its webhooks. It needs nothing but Python's standard library."""
from .client import *  # noqa: F401,F403
from .client import ERROR_CLASSES, JourneysClient
from .errors import ApiError, ApiProblem, ConnectionFailed, JourneysError, TimedOut, UnexpectedAnswer
from .transport import AnswerDetails, Listing
from .webhooks import WebhookVerificationError, verify_signature, verify_webhook

__all__ = [
    "AnswerDetails",
    "ApiError",
    "ApiProblem",
    "ConnectionFailed",
    "JourneysClient",
    "JourneysError",
    "Listing",
    "TimedOut",
    "UnexpectedAnswer",
    "WebhookVerificationError",
    "verify_signature",
    "verify_webhook",
    *(one.__name__ for one in ERROR_CLASSES.values()),
]
