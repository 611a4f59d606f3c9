"""Rules for requests and answers of both interfaces."""

import json
import uuid

import schemathesis

# More characters that are not printable. Some pattern dialects cannot name them.
TAGS = {code: "?" for code in range(0xE0000, 0xE1000)}

# The steps of a sign-in at a provider. A browser makes these calls, so they answer with pages.
PAGES = {"beginOidc", "finishOidc", "beginSaml", "finishSaml", "showSamlMetadata"}

# The run's installation has no OpenID provider, no SAML key, no DNS resolver and no list of GitHub's keys, so these operations
# never succeed there. deliberate.py sees them refused. The tests over HTTP have all four and see them succeed:
# tests/tests/people/sso_* and leaks.rs.
UNSERVED = PAGES | {
    "addSsoProvider",
    "editSsoProvider",
    "removeSsoProvider",
    "verifySsoDomain",
    "showWaitingIdentity",
    "joinIdentity",
    "removeIdentity",
    "reportLeaksOfGithub",
}


def operation(case):
    return case.operation.definition.raw["operationId"]


def resolved(description, node):
    """A part of a description, or the target of its reference."""
    while "$ref" in node:
        found = description
        for name in node["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        node = found
    return node


def answered(response):
    """The body: JSON, lines of JSON, the bytes of a document, or the text of a page."""
    if "content-disposition" in response.headers:
        return response.content
    if response.headers.get("content-type", [""])[0] == "application/x-ndjson":
        return [json.loads(line) for line in response.content.splitlines()]
    if is_for_people(response):
        return response.text
    return response.json() if response.content else None


def is_for_people(response):
    """Pages, and the metadata for SAML providers."""
    kind = response.headers.get("content-type", [""])[0]
    return kind.startswith("text/html") or kind == "application/samlmetadata+xml"


@schemathesis.check
def request_id_on_every_answer(ctx, response, case):
    """Includes answers that the description does not cover."""
    request_ids = response.headers.get("x-request-id", [])
    assert len(request_ids) == 1, f"{len(request_ids)} request ids"
    assert str(uuid.UUID(request_ids[0])) == request_ids[0]



# The headers of every answer. Both descriptions mention them in words, not under each status.
EVERYWHERE = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "strict-transport-security": "max-age=31536000",
}
# The same, where a page may have its own value.
UNLESS_OWN = {"content-security-policy", "referrer-policy"}
# Headers about the message rather than the service, and about the body, which the description covers anyway.
OF_THE_MESSAGE = {"connection", "content-encoding", "content-length", "content-type", "date", "keep-alive", "transfer-encoding", "vary"}


@schemathesis.check
def no_other_headers_than_described(ctx, response, case):
    """The checks of the description already make sure that required headers are there."""
    headers = response.headers
    for name, value in EVERYWHERE.items():
        assert headers.get(name) == [value], f"{name}: {headers.get(name)}"
    assert UNLESS_OWN <= set(headers), f"{sorted(UNLESS_OWN - set(headers))} are missing"
    description = case.operation.schema.raw_schema
    answer = case.operation.definition.raw["responses"].get(str(response.status_code))
    if answer is not None:
        described = {name.lower() for name in resolved(description, answer).get("headers", {})}
        more = set(headers) - described - OF_THE_MESSAGE - set(EVERYWHERE) - UNLESS_OWN
        assert not more, f"{response.status_code} with {sorted(more)}, which the description lacks"
