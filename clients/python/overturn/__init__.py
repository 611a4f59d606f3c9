"""A client of Overturn: sends denied claims, follows them, and verifies webhooks."""

from . import types
from .client import Client
from .codes import *  # noqa: F403
from .errors import ApiError, LostAnswerError, OverturnError, SendError, SignatureError
from .webhooks import verify_webhook

__all__ = ["ApiError", "Client", "LostAnswerError", "OverturnError", "SendError", "SignatureError", "types", "verify_webhook"]
