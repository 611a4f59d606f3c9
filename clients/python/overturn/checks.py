"""What is wrong with an address or a key is said before anything is sent, and without repeating it."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from .core import Core
from .errors import OverturnError

LOCAL = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")
ORIGIN = re.compile(r"(https?://[^/?#]+)(.*)", re.DOTALL)


@lru_cache(maxsize=1)
def rules() -> Core:
    """The rules of the service, which need no network."""
    return Core(Path(__file__).with_name("overturn_core.wasm"))


def address(given: str) -> tuple[str, bool]:
    """The address of the service, without the slash at its end, and whether it is on this machine."""
    base = given.strip().rstrip("/")
    if not base:
        raise OverturnError("no address: set OVERTURN_URL, or give the address (base_url)")
    found = ORIGIN.fullmatch(base)
    origin, more = found.groups() if found else ("", "")
    is_local = LOCAL.fullmatch(origin) is not None
    if not origin.startswith("https://") and not is_local:
        raise OverturnError("the address must begin with https://, except on this machine")
    if more or re.search(r"[@\s]", origin):
        raise OverturnError("the address must be https://host or https://host:port, without a path or a user name")
    return base, is_local


def key_of(text: str | None) -> str | None:
    """The API key, if there is one."""
    return _checked("api_key (OVERTURN_API_KEY)", "API key", "ovt_", "check_key", text)


def token_of(text: str | None) -> str | None:
    """The API token, if there is one."""
    return _checked("api_token (OVERTURN_API_TOKEN)", "API token", "ovu_", "check_token", text)


def _checked(name: str, what: str, prefix: str, check: str, text: str | None) -> str | None:
    if not text:
        return None
    found = getattr(rules(), check)(text)
    if found["valid"]:
        return text
    reasons = {
        "prefix": f"it must begin with {prefix}live_ or {prefix}test_",
        "form": "it has not the length or the characters of one",
        "checksum": "its checksum is wrong, so it was mistyped or cut",
    }
    why = "it has a space or a line break" if re.search(r"\s", text) else reasons[found["problem"]]
    raise OverturnError(f"{name} is no {what}: {why}. Copy the whole {what} again; nothing was sent")
