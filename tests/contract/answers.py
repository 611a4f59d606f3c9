"""What holds for requests and answers of whichever interface."""

import json
import uuid

import schemathesis

# Characters that are not printable either, but that not every dialect of patterns can name.
TAGS = {code: "?" for code in range(0xE0000, 0xE1000)}


def operation(case):
    return case.operation.definition.raw["operationId"]


def resolved(description, node):
    """A part of a description, or what it refers to."""
    while "$ref" in node:
        found = description
        for name in node["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        node = found
    return node


def answered(response):
    if response.headers.get("content-type", [""])[0] == "application/x-ndjson":
        return [json.loads(line) for line in response.content.splitlines()]
    return response.json() if response.content else None


@schemathesis.check
def request_id_on_every_answer(ctx, response, case):
    """Also on those that no response of the description covers."""
    request_ids = response.headers.get("x-request-id", [])
    assert len(request_ids) == 1, f"{len(request_ids)} request ids"
    assert str(uuid.UUID(request_ids[0])) == request_ids[0]



# What every answer carries, whatever the description of its status says; both descriptions have it in words.
EVERYWHERE = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
# What belongs to the message and not to the service, or to the body, which the description has anyway.
OF_THE_MESSAGE = {"connection", "content-encoding", "content-length", "content-type", "date", "keep-alive", "transfer-encoding", "vary"}


@schemathesis.check
def no_other_headers_than_described(ctx, response, case):
    """That those are there which are required, the checks of the description see to."""
    headers = response.headers
    for name, value in EVERYWHERE.items():
        assert headers.get(name) == [value], f"{name}: {headers.get(name)}"
    description = case.operation.schema.raw_schema
    answer = case.operation.definition.raw["responses"].get(str(response.status_code))
    if answer is not None:
        described = {name.lower() for name in resolved(description, answer).get("headers", {})}
        more = set(headers) - described - OF_THE_MESSAGE - set(EVERYWHERE)
        assert not more, f"{response.status_code} with {sorted(more)}, which the description lacks"
