"""Tally partitioned logs on a cluster: a partial result for each partition, and one report.

    python docs/recipes/partitioned.py LOG... -- [OPTIONS OF manila stats]

The cluster is Dask's, here of local processes. Give Client the address of a scheduler to use another one; every
worker needs manila in its PATH and sees the logs.
"""

import pathlib
import subprocess
import sys
import tempfile

from dask.distributed import Client, LocalCluster


def tally(log, options):
    """Runs on a worker."""
    command = ["manila", "stats", "--partial", "-", *options, log]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def main(logs, options):
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        # The order of the parts is the order of the logs, whichever worker is done first.
        parts = client.gather([client.submit(tally, log, options) for log in logs])
    with tempfile.TemporaryDirectory() as directory:
        files = []
        for number, part in enumerate(parts):
            file = pathlib.Path(directory, f"{number}.part")
            file.write_bytes(part)
            files.append(str(file))
        command = ["manila", "stats", "--merge", "--format", "json", *files]
        return subprocess.run(command, check=True).returncode


if __name__ == "__main__":
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    sys.exit(main(words[:end], words[end + 1 :]))
