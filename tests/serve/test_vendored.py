"""What is not ours among the files that browsers get: the bytes that are pinned, each with its licence, sent as it must be."""

import gzip
import hashlib
import tomllib
from importlib.resources import files

STATIC = files("pincite.serve") / "static"
VENDOR = STATIC / "vendor"
WORKER = "/static/vendor/pdfjs/pdf.worker.min.mjs"


def test_every_vendored_file_is_the_one_that_is_pinned():
    found = set()
    for name, package in tomllib.loads((VENDOR / "vendor.toml").read_text()).items():
        assert package["integrity"].startswith("sha512-") and package["licence"]
        assert (VENDOR / name / "LICENSE").is_file()
        for path, pinned in package["files"].items():
            content = (VENDOR / name / path).read_bytes()
            assert hashlib.sha256(content).hexdigest() == pinned["sha256"], path
            found.add(f"{name}/{path}")
    there = {str(path.relative_to(VENDOR)) for path in VENDOR.rglob("*") if path.is_file()}
    assert there == found | {"vendor.toml"}


def test_only_the_worker_of_the_viewer_may_run_webassembly(client):
    worker = client.get(WORKER)
    assert worker.headers["content-type"].startswith(("text/javascript", "application/javascript"))
    assert "'wasm-unsafe-eval'" in worker.headers["content-security-policy"]
    for address in ("/static/viewer.js", "/static/grid.js", "/static/plots.js", "/c/reports/"):
        policy = client.get(address).headers["content-security-policy"]
        assert "unsafe" not in policy and "default-src 'none'" in policy


def test_what_pages_load_stays_small():
    def packed(path):
        return len(gzip.compress((STATIC / path).read_bytes(), 6))

    font = "vendor/source-sans/source-sans-3-latin-wght-normal.woff2"
    assert packed("app.css") + packed("app.js") + (STATIC / font).stat().st_size < 100_000
    viewer = "viewer.js", "vendor/pdfjs/pdf.min.mjs", "vendor/pdfjs/pdf.worker.min.mjs"
    assert sum(map(packed, viewer)) < 1_000_000
    tables = "vendor/datatables/dataTables.min.js", "vendor/keytable/dataTables.keyTable.min.js"
    assert packed("grid.js") + sum(map(packed, tables)) < 60_000
    assert packed("plots.js") + packed("vendor/chartjs/chart.umd.min.js") < 80_000
