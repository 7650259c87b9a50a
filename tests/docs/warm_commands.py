"""Commands forked from a process that has imported the package: what users run, a second sooner.

    python -m tests.docs.warm_commands SOCKET    # serves until its standard input is closed

`CLIENT` is the program that is called `pincite` meanwhile. It hands over its words, folder, variables and open files. A command
whose client was killed is killed.
"""

import array
import contextlib
import json
import os
import select
import signal
import socket
import sys

CLIENT = """#!{python} -SE
import array, json, os, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect({socket!r})
    told = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
    files = array.array("i", [0, 1, 2])
    line.sendmsg([len(told).to_bytes(4, "big")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)])
    line.sendall(told)
    os._exit(int(line.recv(16) or b"70"))
"""


def main() -> None:
    """Serve the commands that clients send to the socket."""
    import tests.preloaded  # noqa: F401

    listening = socket.socket(socket.AF_UNIX)
    listening.bind(sys.argv[1])
    listening.listen()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        ready, _, _ = select.select([listening, sys.stdin], [], [])
        if sys.stdin in ready:
            return
        line, _ = listening.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listening.close()
            _attend(line)
            os._exit(0)
        line.close()


def _attend(line: socket.socket) -> None:
    """Run a command in a child, and tell its client the exit code; kill it when the client is gone."""
    head, held, _, _ = line.recvmsg(4, socket.CMSG_LEN(12))
    files = array.array("i", held[0][2][:12])
    told = b""
    while len(told) < int.from_bytes(head, "big"):
        told += line.recv(1 << 16)
    words, folder, variables = json.loads(told)
    child = os.fork()
    if child == 0:
        line.close()
        _run(words, folder, variables, files)
    for number in (0, 1, 2, *files):
        os.close(number)
    with open(os.devnull, "r+b", buffering=0) as nothing:
        os.dup2(nothing.fileno(), 0)
    ended = os.pidfd_open(child)
    ready, _, _ = select.select([ended, line], [], [])
    if ended not in ready:
        os.killpg(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    with contextlib.suppress(OSError):
        line.sendall(str(os.waitstatus_to_exitcode(status) % 256).encode())


def _run(words: list[str], folder: str, variables: dict[str, str], files: array.array) -> None:
    from pincite.cli.main import main as command

    os.setpgid(0, 0)
    for number, given in enumerate(files):
        os.dup2(given, number)
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(folder)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")
    sys.argv = ["pincite", *words]
    code = 0
    try:
        command()
    except SystemExit as stop:
        code = int(stop.code or 0)
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 1
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
