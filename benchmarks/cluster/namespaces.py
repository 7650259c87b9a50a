"""Four hosts in network namespaces index on a cluster by TLS; one is cut off and one killed in the middle of the run.

    sudo python benchmarks/cluster/namespaces.py [--files 24]

Needs root and `ip`. The scheduler and the one who stores are on this side of a bridge, at 10.77.0.1; each worker is alone in a
namespace, with an address of its own. The corpus must hold every file once. Other clocks, disks and kernels are not shown.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from benchmarks.cluster.kills import Tally, compared  # noqa: E402
from tests.cluster.certificates import authority  # noqa: E402
from tests.cluster.hosts import Hosts  # noqa: E402

BRIDGE, NETWORK = "pincite0", "10.77.0"
VARIABLES = {
    "ca": "DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    "cert": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT",
    "key": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY",
}


def ip(words: str) -> None:
    """Run `ip`."""
    subprocess.run(["ip", *words.split()], check=True)


def begin(count: int) -> None:
    """Make the bridge and the hosts."""
    ip(f"link add {BRIDGE} type bridge")
    ip(f"addr add {NETWORK}.1/24 dev {BRIDGE}")
    ip(f"link set {BRIDGE} up")
    for number in range(count):
        ip(f"netns add pincite{number}")
        ip(f"link add pcv{number} type veth peer name eth0 netns pincite{number}")
        ip(f"link set pcv{number} master {BRIDGE} up")
        ip(f"-n pincite{number} addr add {NETWORK}.{10 + number}/24 dev eth0")
        ip(f"-n pincite{number} link set eth0 up")
        ip(f"-n pincite{number} link set lo up")


def over(count: int) -> None:
    """Take them away."""
    for number in range(count):
        subprocess.run(["ip", "netns", "delete", f"pincite{number}"], check=False)
    subprocess.run(["ip", "link", "delete", BRIDGE], check=False)


def main() -> None:
    """Print what became of the run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=24)
    parser.add_argument("--hosts", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder, corpus = Path(place, "files"), Path(place, "corpus")
        folder.mkdir()
        for number in range(options.files):
            pages = (
                f"Page {page} of {number}: output was {number * page} tonnes. " * 40
                for page in range(20)
            )
            (folder / f"{number}.txt").write_text("\f".join(pages))
        files = authority(Path(place, "certificates"))
        tls = (
            "--tls-ca-file",
            files["ca"],
            "--tls-cert",
            files["cert"],
            "--tls-key",
            files["key"],
        )
        begin(options.hosts)
        hosts = Hosts(Path(place), tls=tls, host=f"{NETWORK}.1")
        try:
            hosts.start(0)
            for number in range(options.hosts):
                hosts.start_worker(("ip", "netns", "exec", f"pincite{number}"))
            indexed(
                folder, corpus, hosts, {VARIABLES[name]: str(path) for name, path in files.items()}
            )
        finally:
            hosts.stop()
            over(options.hosts)


def indexed(folder: Path, corpus: Path, hosts: Hosts, known: dict[str, str]) -> None:
    """Index; cut one host off when a third of the files is stored, and kill the worker of another."""
    started, environment = time.monotonic(), {**os.environ, **known}
    words = [
        sys.executable,
        "-m",
        "pincite",
        "index",
        str(folder),
        "--corpus",
        str(corpus),
        "--on",
        hosts.address,
        "--json",
    ]
    writer = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    count = len(list(folder.iterdir()))
    while writer.poll() is None and stored(corpus) < count // 3:
        time.sleep(0.2)
    at = stored(corpus)
    ip("link set pcv0 down")
    hosts.kill_worker(1)
    print(
        f"{at} of {count} files are stored: one host is cut off, the worker of another killed",
        flush=True,
    )
    said, wrong = writer.communicate()
    if writer.returncode:
        sys.exit(f"the run failed: {wrong}")
    tally = Tally(files=count)
    compared(folder, corpus, tally)
    told = json.loads(said)
    print(json.dumps({
        "files": count, "problems": len(told["problems"]), "lost": tally.lost, "doubled": tally.doubled,
        "seconds": round(time.monotonic() - started),
    }))  # fmt: skip


def stored(corpus: Path) -> int:
    """How many copies of sources a corpus holds."""
    return len(list((corpus / "sources").glob("*.txt")))


if __name__ == "__main__":
    main()
