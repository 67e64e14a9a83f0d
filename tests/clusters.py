"""A real Dask cluster on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from programs import until

import mossa
from mossa.cluster import workers


class Cluster:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder: Path, environment: dict[str, str] | None = None) -> None:
        self.environment = {**os.environ, **(environment or {})}
        self.file = folder / "scheduler.json"
        listen = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
        self.scheduler = self._start("dask_scheduler", *listen)
        until(lambda: self.file.exists() and self.file.read_text().endswith("}"))
        self.address: str = json.loads(self.file.read_text())["address"]
        join = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
        self._join = [*join, "--local-directory", str(folder)]
        self.workers = [self._start("dask_worker", *self._join) for _ in range(2)]

    def _start(self, name: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{name}", *options]
        return subprocess.Popen(
            [*command, "--scheduler-file", str(self.file)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self.environment,
        )

    def wait_for_workers(self) -> None:
        def ready() -> bool:
            try:
                with workers(cluster=self.address) as (_, threads):
                    return threads == 2
            except mossa.ClusterError:
                return False  # nobody there yet

        until(ready)

    def replace_worker(self, number: int) -> None:
        """Start another worker in the place of one that was killed."""
        self.workers[number].wait()
        self.workers[number] = self._start("dask_worker", *self._join)

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
