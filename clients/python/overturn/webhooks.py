"""Messages of webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

from .errors import OverturnError, SignatureError

SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{43}=")


def verify_webhook(
    body: str | bytes,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> dict[str, Any]:
    """Verifies a message and gives its event: `{"type": …, "timestamp": …, "data": …}`.

    `body` is the body exactly as it arrived. `secrets` is the endpoint's secret, or both during a rotation. `tolerance` is
    how many seconds old or early a message may be; `now` is for tests. Raises `SignatureError` if none of the secrets
    signed the message, or it is too old, and `OverturnError` for what is no secret. Treat a `type` that you do not know as
    a success: kinds may be added.
    """
    every = [secrets] if isinstance(secrets, str) else list(secrets or [])
    if not every or not all(isinstance(one, str) and SECRET.fullmatch(one) for one in every):
        raise OverturnError("the secret must be that of the webhook: whsec_ and the base64 of 32 bytes")
    found = {name.lower(): value for name, value in headers.items()}
    try:
        message, timestamp, given = (found[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise SignatureError(f"the message has no {missing.args[0]}") from None
    is_number = timestamp.isascii() and timestamp.isdigit()
    if not is_number or abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise SignatureError("the message is too old, or the clock is wrong")
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{message}.{timestamp}.".encode() + content
    for secret in every:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        ours = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        # Each is compared in constant time.
        if any([hmac.compare_digest(ours, one.encode()) for one in given.split(" ")]):
            event: dict[str, Any] = json.loads(content)
            return event
    raise SignatureError("none of the secrets signed the message")
