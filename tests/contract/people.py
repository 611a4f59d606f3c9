"""The people of the demo data, and how they sign in as a browser would.

CONTRACT_DEMO is the file of the demo data.
"""

import base64
import hashlib
import hmac
import json
import os
import struct
import time

import requests

with open(os.environ["CONTRACT_DEMO"], encoding="utf-8") as demo:
    DEMO = json.load(demo)


def totp(secret, ahead=0):
    """The current code of an authenticator app, or a later one (RFC 6238)."""
    step = struct.pack(">Q", int(time.time()) // 30 + ahead)
    digest = hmac.new(base64.b32decode(secret), step, hashlib.sha1).digest()
    number = struct.unpack(">I", digest[digest[-1] & 15 :][:4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


class Page:
    """The session from the headers that set its cookies."""

    def __init__(self, set_cookies):
        cookies = dict(line.split(";")[0].split("=", 1) for line in set_cookies)
        self.session = cookies["__Host-session"]
        self.csrf = cookies["csrf_token"]

    def headers(self):
        """The headers that it sends with every request."""
        return {"Cookie": f"__Host-session={self.session}; csrf_token={self.csrf}", "X-CSRF-Token": self.csrf}


class Person(Page):
    """A person of the demo data who has passed both factors.

    A code works once. The service takes the next one already, as phones run fast, and only then is there one to wait for.
    """

    def __init__(self, label):
        user = DEMO["users"][label]
        asked = post("/api/v1/auth/session", {"email": user["email"], "password": user["password"]})
        assert asked.status_code == 402, f"{label} got {asked.status_code} for a password"
        for wait, ahead in ((False, 0), (False, 1), (True, 1)):
            if wait:
                time.sleep(30 - time.time() % 30)
            shown = {"continuation_token": asked.json()["continuation_token"], "code": totp(user["totp_secret"], ahead)}
            answer = post("/api/v1/auth/session/2fa", shown)
            if answer.status_code != 401:
                break
        assert answer.status_code == 200, f"{label} got {answer.status_code} for a code"
        super().__init__(answer.raw.headers.getlist("Set-Cookie"))
        self.id = answer.json()["user"]["id"]

    def token(self):
        """An API token with all scopes."""
        scopes = ["denials:read", "documents:write", "settings:read", "audit:read"]
        body = {"name": "The contract", "scopes": scopes, "expires_in_days": 1}
        made = post("/api/v1/settings/api_tokens", body, self.headers())
        assert made.status_code == 201, f"{made.status_code} for a token"
        return made.json()["token"]


def post(path, body, headers=None):
    return requests.post(DEMO["base_url"] + path, json=body, headers=headers, timeout=10)
