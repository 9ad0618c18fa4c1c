"""A real llama-server, out of the wheel that carries it, in a process of its own."""

import sys
import time

import xllamacpp


def main() -> None:
    """Serve a model until killed and print the address."""
    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.n_ctx = int(sys.argv[2])
    params.n_parallel = 1
    params.port = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1  # several wait for each other on a busy machine
    params.warmup = False
    params.verbosity = 0
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    while True:
        time.sleep(60)


if __name__ == "__main__":
    main()
