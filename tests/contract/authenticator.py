"""An authenticator in software. Its private key is 1, so the public key is the generator of P-256, and signing takes no library."""

import base64
import hashlib
import json

GENERATOR = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
ID = hashlib.sha256(b"the contract's passkey").digest()
# The person is present and verified.
FLAGS, ATTESTED = 0x05, 0x40


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def client_data(kind, options, origin):
    data = {"type": kind, "challenge": options["challenge"], "origin": origin, "crossOrigin": False}
    return json.dumps(data, separators=(",", ":")).encode()


def credential(response):
    common = {"id": encode(ID), "rawId": encode(ID), "type": "public-key", "clientExtensionResults": {}}
    return {**common, "authenticatorAttachment": "platform", "response": response}


def create(options, origin):
    """The response to the options of a registration."""
    x, y = (part.to_bytes(32, "big") for part in GENERATOR)
    key = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + x + b"\x22\x58\x20" + y
    rp = hashlib.sha256(options["rp"]["id"].encode()).digest()
    data = rp + bytes([FLAGS | ATTESTED]) + bytes(4) + bytes(16) + len(ID).to_bytes(2, "big") + ID + key
    attested = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
    said = client_data("webauthn.create", options, origin)
    response = {"clientDataJSON": encode(said), "attestationObject": encode(attested), "transports": ["internal"]}
    return credential(response)


def get(options, origin, user):
    """The response to the options of an assertion. `user` is the user handle."""
    data = hashlib.sha256(options["rpId"].encode()).digest() + bytes([FLAGS]) + bytes(4)
    said = client_data("webauthn.get", options, origin)
    digest = int.from_bytes(hashlib.sha256(data + hashlib.sha256(said).digest()).digest(), "big")
    # The nonce is 1 as well, like the key.
    r = GENERATOR[0] % ORDER
    signature = der(r, (digest + r) % ORDER)
    response = {"clientDataJSON": encode(said), "authenticatorData": encode(data), "signature": encode(signature)}
    return credential({**response, "userHandle": user})


def der(*numbers):
    """A sequence of two positive numbers."""
    parts = b""
    for number in numbers:
        data = number.to_bytes(number.bit_length() // 8 + 1, "big")
        parts += bytes([2, len(data)]) + data
    return bytes([0x30, len(parts)]) + parts
