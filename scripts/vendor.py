"""Copy the vendored files of the web pages from their packages in the npm registry, as `vendor.toml` beside them pins them.

    python scripts/vendor.py

Each package is checked against its integrity (sha512) before it is opened, each file against its sha256 before it is written.
"""

import base64
import hashlib
import io
import tarfile
import tomllib
import urllib.request
from pathlib import Path

VENDOR = Path(__file__).parent.parent / "pincite" / "serve" / "static" / "vendor"


def main() -> None:
    """Fetch every package and write its files."""
    for name, package in tomllib.loads((VENDOR / "vendor.toml").read_text()).items():
        content = urllib.request.urlopen(package["url"], timeout=120).read()
        found = base64.b64encode(hashlib.sha512(content).digest()).decode()
        if found != package["integrity"].removeprefix("sha512-"):
            raise SystemExit(f"{package['url']} is not the package that is pinned: sha512-{found}")
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            for path, pinned in package["files"].items():
                write(archive, VENDOR / name / path, pinned)


def write(archive: tarfile.TarFile, path: Path, pinned: dict[str, str]) -> None:
    """Write one file of a package. SystemExit when it is not the pinned one."""
    member = archive.extractfile(f"package/{pinned['from']}")
    content = member.read() if member else b""
    if hashlib.sha256(content).hexdigest() != pinned["sha256"]:
        raise SystemExit(f"{pinned['from']} is not the file that is pinned")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


if __name__ == "__main__":
    main()
