"""Writes the wheel of a package: `python wheel.py FOLDER VERSION OUT`. FOLDER has the package, its README and its license.

The same files give the same bytes.
"""

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

folder, version, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
info = f"overturn-{version}.dist-info"
metadata = f"""Metadata-Version: 2.4
Name: overturn
Version: {version}
Summary: A client of Overturn: sends denied claims, follows them, and verifies webhooks
License-Expression: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.10
Requires-Dist: wasmtime>=25
Description-Content-Type: text/markdown

"""
wheel = "Wheel-Version: 1.0\nGenerator: overturn\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
package = sorted(path for path in (folder / "overturn").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
files = {str(path.relative_to(folder)): path.read_bytes() for path in package}
files[f"{info}/METADATA"] = (metadata + (folder / "README.md").read_text("utf-8")).encode()
files[f"{info}/WHEEL"] = wheel.encode()
files[f"{info}/licenses/LICENSE"] = (folder / "LICENSE").read_bytes()


def line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


record = "".join(line(*one) for one in files.items()) + f"{info}/RECORD,,\n"
files[f"{info}/RECORD"] = record.encode()
with zipfile.ZipFile(out / f"overturn-{version}-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as archive:
    for name, content in files.items():
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = 0o644 << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, content)
