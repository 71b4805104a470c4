"""A client of the Journeys API and a verifier of its webhooks. It needs nothing but Python's standard library."""
from .answers import AnswerDetails
from .client import JourneysClient
from .errors import ApiError, ApiProblem, ConnectionFailed, JourneysError, TimedOut, UnexpectedAnswer
from .listing import Listing
from .problems import *  # noqa: F401,F403
from .problems import ERROR_CLASSES
from .webhooks import ReceivedHeaders, WebhookVerificationError, journey_id_of, verify_signature, verify_webhook

__all__ = [
    "AnswerDetails",
    "ApiError",
    "ApiProblem",
    "ConnectionFailed",
    "JourneysClient",
    "JourneysError",
    "Listing",
    "ReceivedHeaders",
    "TimedOut",
    "UnexpectedAnswer",
    "WebhookVerificationError",
    "journey_id_of",
    "verify_signature",
    "verify_webhook",
    *(one.__name__ for one in ERROR_CLASSES.values()),
]
