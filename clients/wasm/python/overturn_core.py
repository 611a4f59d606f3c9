"""The rules of Overturn in Python, through WebAssembly: find out before you send a claim whether the service would refuse it.

Needs the package wasmtime. The module imports nothing, so any other WebAssembly runtime will do as well.
"""

import json
import time
from pathlib import Path
from threading import Lock

from wasmtime import Instance, Module, Store


class Core:
    """An instance of the core. `path` is the path of overturn_core.wasm. Threads may share the instance."""

    def __init__(self, path):
        self._store = Store()
        module = Module(self._store.engine, Path(path).read_bytes())
        self._exports = Instance(self._store, module, []).exports(self._store)
        self._lock = Lock()
        with self._lock:
            constants = self._answer(self._exports["constants"](self._store))
        self._body_max = constants["bodyMax"]
        self.statuses = constants["statuses"]
        self.moves = constants["moves"]

    def validate(self, request, now=None):
        """Returns `{"errors": [...], "advice": [...]}` for a body: JSON as text or bytes (bytes, bytearray or
        memoryview), or a value to make JSON of.

        `now` is an aware datetime; without it, the clock is asked.
        """
        if isinstance(request, (bytes, bytearray, memoryview)):
            body = bytes(request)
        else:
            body = (request if isinstance(request, str) else json.dumps(request)).encode()
        seconds = time.time() if now is None else now.timestamp()
        return self._ask("validate", body, seconds * 1000) or {"errors": [], "advice": []}

    def check_key(self, text):
        """Checks without a network whether a text can be an API key: `{"valid": ..., "environment" or "problem": ...}`."""
        return self._ask("check_key", text.encode())

    def check_token(self, text):
        """The same for an API token."""
        return self._ask("check_token", text.encode())

    def _ask(self, name, question, *arguments):
        # One byte more than the limit shows the module that the body is too large.
        question = question[: self._body_max + 1]
        with self._lock:
            self._exports["memory"].write(self._store, question, self._buffer(len(question)))
            return self._answer(self._exports[name](self._store, len(question), *arguments))

    def _answer(self, length):
        """The answer in the module's buffer; None if there is none."""
        start = self._buffer(0)
        said = self._exports["memory"].read(self._store, start, start + length)
        return json.loads(said) if said else None

    def _buffer(self, room):
        """The address of the module's buffer, with room for this many bytes."""
        # Addresses are unsigned, but Python gets them as signed numbers.
        return self._exports["reserve"](self._store, room) & 0xFFFF_FFFF
