"""Denied claims from X12 remittances in Python, through WebAssembly. Nothing is uploaded.

Needs the package wasmtime. The module imports nothing, so any other WebAssembly runtime will do as well.
"""

import json
import os
import time
from pathlib import Path

from wasmtime import Engine, Instance, Module, Store, Trap

# The most bytes that cross at once.
_SLICE = 256 * 1024


class Remit:
    """Makes claims from remittances (835) and claim files (837), as `overturn remit` does.

    `path` is the path of overturn_remit.wasm. Threads may share the object: each run has an instance of its own.
    """

    def __init__(self, path):
        self._engine = Engine()
        self._module = Module(self._engine, Path(path).read_bytes())

    def run(self, **options):
        """Begins a run. The options are those of `read`."""
        return Run(self._engine, self._module, **options)

    def read(self, files, **options):
        """Reads files to their ends and returns the result of `Run.finish`.

        Each file is a path, or a pair of a name and bytes, a binary file object or an iterable of bytes. The files may come
        in any order, and the names are only for the report.

        The options: `now`, an aware datetime (without it, the clock is asked); `births`, `payers` and `carcs`, the texts of
        CSV files; `append_day`, True to append the day of service to every claim number; and `explain`, a claim number.

        Raises ValueError for an option that cannot be used. Its text names the option and the line.
        """
        with self.run(**options) as run:
            for file in files:
                name, data = file if isinstance(file, tuple) else (os.fspath(file), None)
                run.open(name)
                if data is not None:
                    _read(run, data)
                else:
                    with open(file, "rb") as opened:
                        _read(run, opened)
                run.close()
            return run.finish()


def _read(run, data):
    """Pushes bytes, what a file object has, or an iterable of bytes."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        data = [data]
    elif hasattr(data, "read"):
        data = iter(lambda source=data: source.read(_SLICE), b"")
    for chunk in data:
        if not run.push(chunk):
            break


class Run:
    """One run. `Remit.run` begins it. After `finish` or the end of a `with` block, every other call raises ValueError."""

    def __init__(self, engine, module, *, now=None, births=None, payers=None, carcs=None, append_day=False, explain=None):
        settings = {"births": births, "payers": payers, "carcs": carcs, "append_day": bool(append_day), "explain": explain}
        seconds = time.time() if now is None else now.timestamp()
        self._store = Store(engine)
        self._exports = Instance(self._store, module, []).exports(self._store)
        problem = self._answer(self._call("begin", self._write(json.dumps(settings).encode()), seconds * 1000))
        if problem:
            self.free()
            raise ValueError(problem.decode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.free()

    def open(self, name):
        """Begins a file, and ends the one before it."""
        self._call("open", self._write(name.encode(errors="replace")))

    def push(self, chunk):
        """Reads the next bytes of the file. Returns False if the rest of the file cannot be read; the report says why."""
        view = memoryview(chunk).cast("B")
        starts = range(0, max(len(view), 1), _SLICE)
        return all(self._call("push", self._write(bytes(view[at : at + _SLICE]))) for at in starts)

    def close(self):
        """Ends the file."""
        self._call("close")

    @property
    def claim_payments(self):
        """The claim payments that were read, without repeated ones."""
        return self._call("claim_payments") & 0xFFFF_FFFF

    def finish(self):
        """Decides on all claims and ends the run.

        Returns a dict with `claims`, `held`, `missing_births`, `births_template`, `births_bad_lines`, `files`, `counts` and
        `explanation`. The names are those of the npm package, whose remit.d.ts describes them.
        """
        try:
            report = json.loads(self._answer(self._call("finish")))
            lists = {name: self._list(name) for name in ["claims", "held", "missing_births"]}
            template = self._answer(self._call("births_template")).decode()
            return {**lists, "births_template": template, **report}
        finally:
            self.free()

    def free(self):
        """Ends the run without a result. Its memory goes."""
        self._exports = self._store = None

    def _call(self, name, *arguments):
        if self._exports is None:
            raise ValueError("the run has ended")
        try:
            return self._exports[name](self._store, *arguments)
        except Trap as cause:
            # The module catches every error but one: no more memory. After that its state is unknown.
            self.free()
            raise MemoryError("the run has failed, probably for lack of memory") from cause

    def _write(self, data):
        start = self._buffer(len(data))
        self._exports["memory"].write(self._store, data, start)
        return len(data)

    def _answer(self, length):
        length &= 0xFFFF_FFFF
        start = self._buffer(0)
        return bytes(self._exports["memory"].read(self._store, start, start + length))

    def _list(self, name):
        items = []
        while piece := self._answer(self._call(name)):
            items += json.loads(piece)
        return items

    def _buffer(self, room):
        """The address of the module's buffer, with room for this many bytes."""
        # Addresses are unsigned, but Python gets them as signed numbers.
        return self._call("reserve", room) & 0xFFFF_FFFF
