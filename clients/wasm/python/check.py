"""Checks the core in Python against the golden file. Usage: check.py overturn_core.wasm golden.json"""

import json
import sys
from datetime import datetime
from pathlib import Path

from overturn_core import Core
from wasmtime import Engine, Module

MEBIBYTE = 1024 * 1024


def main(wasm, golden):
    module = Module(Engine(), Path(wasm).read_bytes())
    assert module.imports == [], "the module imports nothing from its host"

    core = Core(wasm)
    golden = json.loads(Path(golden).read_text(encoding="utf-8"))
    for case in golden["requests"]:
        body = case["body"] if "body" in case else json.dumps(case["request"])
        now = datetime.fromisoformat(case.get("now", golden["now"]).replace("Z", "+00:00"))
        expected = {"errors": case["errors"], "advice": case["advice"]}
        encoded = body.encode()
        for request in [body, encoded, bytearray(encoded), memoryview(encoded)] + ([case["request"]] if "request" in case else []):
            assert core.validate(request, now) == expected, case["name"]
    for key in golden["keys"]:
        assert core.check_key(key["text"]) == key["answer"], key["text"]
    for token in golden["tokens"]:
        assert core.check_token(token["text"]) == token["answer"], token["text"]

    item = golden["requests"][0]["request"]
    assert core.validate(item) == {"errors": [], "advice": []}, "the clock is asked"
    fits = json.dumps(item).encode().ljust(2 * MEBIBYTE)
    assert core.validate(fits)["errors"] == []
    for over in [fits + b" ", fits * 4]:
        assert core.validate(over)["errors"] == ["body is over 2 MiB"]
    assert core.validate(b"\xff")["errors"] == ["body must be valid JSON"]
    assert core.moves["in_appeal"] == ["recovered", "closed"] and list(core.moves) != []
    assert sorted(core.moves) == sorted(core.statuses)

    cases = len(golden["requests"]) + len(golden["keys"]) + len(golden["tokens"])
    print(f"Python {sys.version.split()[0]}, wasmtime: {cases} cases")


main(*sys.argv[1:])
