"""Checks remittances in Python against what the crate itself says. Usage: check_remit.py overturn_remit.wasm remit.json"""

import io
import json
import sys
import tempfile
from datetime import datetime
from pathlib import Path

from overturn_remit import Remit
from wasmtime import Engine, Module


def settled(outcome):
    """Without the bytes that were handed over before a file could not be read any further. They depend on the chunks."""
    files = [{**file, "bytes": None} if file["error"] else file for file in outcome["files"]]
    return {**outcome, "files": files}


def chunks(data, size):
    return [data[at : at + size] for at in range(0, len(data), size)]


def ended(call):
    try:
        call()
    except ValueError as error:
        return str(error) == "the run has ended"
    return False


def main(wasm, golden):
    module = Module(Engine(), Path(wasm).read_bytes())
    assert module.imports == [], "the module imports nothing from its host"

    remit = Remit(wasm)
    golden = json.loads(Path(golden).read_text(encoding="utf-8"))
    now = datetime.fromisoformat(golden["now"].replace("Z", "+00:00"))
    made = 0
    for case in golden["runs"]:
        files = [(file["name"], file["latin1"].encode("latin-1")) for file in case["files"]]
        options = {**case["options"], "now": now}
        if "error" in case["outcome"]:
            try:
                remit.read(files, **options)
                raise AssertionError(case["name"])
            except ValueError as error:
                assert str(error) == case["outcome"]["error"], error
            made += 1
            continue
        expected = settled(case["outcome"])
        kinds = [lambda data: data, io.BytesIO, bytearray] + [lambda data, size=size: chunks(data, size) for size in (1, 7, 65536)]
        for kind in kinds:
            found = remit.read([(name, kind(data)) for name, data in files], **options)
            assert settled(found) == expected, case["name"]
            made += 1

    first = golden["runs"][0]
    with tempfile.TemporaryDirectory() as folder:
        for file in first["files"]:
            (Path(folder) / file["name"]).write_bytes(file["latin1"].encode("latin-1"))
        paths = [Path(folder) / file["name"] for file in first["files"]]
        found = remit.read(paths, now=now)
        assert found["claims"] == first["outcome"]["claims"]

    run = remit.run(now=now)
    run.open("not")
    assert not run.push(b"text before ISA*00*")
    run.open("era")
    assert run.push(first["files"][0]["latin1"].encode("latin-1"))
    assert run.claim_payments == 2
    assert [bool(file["error"]) for file in run.finish()["files"]] == [True, False]
    for call in [run.finish, run.close, lambda: run.push(b"x"), lambda: run.open("x"), lambda: run.claim_payments]:
        assert ended(call)
    print(f"Python {sys.version.split()[0]}, wasmtime: {made} runs over remittances")


main(*sys.argv[1:])
