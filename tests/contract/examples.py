"""Every example of the descriptions must match its schema, because callers copy the one and generate code
from the other."""

import sys
from pathlib import Path

import jsonschema_rs
import schemathesis

# The folder into which `cargo run -p overturn-api` wrote the descriptions.
FOLDER = Path(sys.argv[1])


def examples(node, path=""):
    """Each example in a part of a description: its place, its schema and its value."""
    if isinstance(node, list):
        for index, part in enumerate(node):
            yield from examples(part, f"{path}/{index}")
    if not isinstance(node, dict):
        return
    # Parameters, headers and bodies have a schema beside their examples. A schema has a list of examples.
    given, schema = node.get("examples"), node.get("schema")
    if schema and "example" in node:
        yield path, schema, node["example"]
    if schema and isinstance(given, dict):
        yield from ((f"{path}/{name}", schema, example["value"]) for name, example in given.items())
    if isinstance(given, list):
        yield from ((path, node, value) for value in given)
    # OpenAPI 3.0 has one example beside the schema.
    if not schema and "example" in node and {"type", "allOf", "oneOf"} & set(node):
        yield path, node, node["example"]
    for name, part in node.items():
        if name not in ("example", "examples"):
            yield from examples(part, f"{path}/{name}")


def with_null(node):
    """Turns a schema of OpenAPI 3.0, which has `nullable`, into JSON Schema."""
    if isinstance(node, list):
        return [with_null(part) for part in node]
    if not isinstance(node, dict):
        return node
    node = {name: with_null(part) for name, part in node.items()}
    return {"anyOf": [node, {"type": "null"}]} if node.pop("nullable", False) is True else node


def check(name):
    """The number of examples of a description, and their problems."""
    description = schemathesis.openapi.from_path(FOLDER / name).raw_schema
    found = list(examples(description))
    wrong = []
    for path, schema, value in found:
        # References point to `#/components`.
        whole = with_null({**schema, "components": description["components"]})
        validator = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
        wrong += [f"{name}{path}: {error.message}" for error in validator.iter_errors(value)]
    return len(found), wrong


counts, problems = zip(*(check(name) for name in ("openapi.json", "accounts.json")))
if any(problems):
    sys.exit("\n".join(sum(problems, [])))
print(f"{sum(counts)} examples fit their schemas")
