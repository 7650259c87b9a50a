"""llama.cpp's own server over a GGUF file: prints its address, and serves until its standard input ends."""

import sys

import xllamacpp


def parameters(path):
    """One slot and one thread, on a free port of loopback."""
    made = xllamacpp.CommonParams()
    made.model.path = path
    made.hostnames, made.port = ["127.0.0.1"], 0
    made.n_ctx, made.n_parallel, made.cpuparams.n_threads = 32768, 1, 1
    made.fit_params, made.cache_ram_mib, made.ui = False, 0, False
    return made


if __name__ == "__main__":
    server = xllamacpp.Server(parameters(sys.argv[1]))
    print(server.listening_address, flush=True)  # noqa: T201
    sys.stdin.read()
