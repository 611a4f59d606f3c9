"""What holds for requests and answers of whichever interface."""

import json
import uuid

import schemathesis

# Characters that are not printable either, but that not every dialect of patterns can name.
TAGS = {code: "?" for code in range(0xE0000, 0xE1000)}


def operation(case):
    return case.operation.definition.raw["operationId"]


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

