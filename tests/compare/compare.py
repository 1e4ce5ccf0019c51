#!/usr/bin/env python3
"""The service beside a plain append-and-sync file server and PostgreSQL, in one run on one machine.

    cargo build --profile dist -p audit && cargo build --profile dist -p audit-tests --example plain_file
    python3 tests/compare/compare.py [--seconds S] [--connections C] [--only audit,plain,postgres]

All three get the same events from as many connections: as fast as they answer, at half of that rate, and
from one quiet writer. `audit load` also checks every receipt; the others have none. PostgreSQL runs from
Debian's package in a cluster of its own in a temporary folder, as the user postgres where this is root, driven
by its own pgbench over a socket; every event becomes a row with a chained hash (hash_chain.sql).
Needs nothing but Python's own library.
"""

import argparse
import glob
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target")) / "dist"
AUDIT, PLAIN = TARGET / "audit", TARGET / "examples" / "plain_file"
QUIET_RATE = 20


def run(command, **rest):
    """Runs a command; gives what it printed."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **rest)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def listening(process):
    """The address at which `audit serve --json` says that it listens."""
    said = ""
    while not said.rstrip().endswith("}"):
        line = process.stdout.readline()
        if not line:
            sys.exit(f"audit serve did not start: {said}")
        said += line
    return json.loads(said)["listening"]


class Audit:
    """`audit serve`, driven by `audit load`."""

    name = "audit serve"

    def __init__(self, folder, lines=subprocess.DEVNULL):
        command = [AUDIT, "serve", "--log", folder / "log", "--create", "--listen", "127.0.0.1:0", "--json"]
        command += ["--log-format", "json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=lines, text=True)
        self.url = f"http://{listening(self.process)}"

    def load(self, connections, batch, seconds, rate=None):
        self.certify_all()
        command = [AUDIT, "load", "--url", self.url, "--connections", connections, "--batch", batch]
        command += ["--seconds", seconds, "--json"] + (["--rate", rate] if rate else [])
        return json.loads(run(command))["load"]

    def certify_all(self):
        """Waits until live certification has caught up with what was posted before."""
        lag, began = "audit_follower_lag_entries 0\n", time.monotonic()
        while lag not in urllib.request.urlopen(f"{self.url}/metrics").read().decode():
            time.sleep(0.1)
        waited = time.monotonic() - began
        if waited > 0.5:
            print(f"live certification caught up {waited:.0f} s after the load before", file=sys.stderr)

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Plain:
    """A server that appends bodies to a file and syncs it, driven by the same load."""

    name = "plain file"

    def __init__(self, folder):
        self.process = subprocess.Popen([PLAIN, "serve", folder], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def load(self, connections, batch, seconds, rate=None):
        command = [PLAIN, "drive", self.url, connections, batch, seconds] + ([rate] if rate else [])
        return json.loads(run(command))["load"]

    stop = Audit.stop


class Postgres:
    """PostgreSQL with a trigger that chains hashes, driven by pgbench."""

    name = "PostgreSQL"
    settings = ["fsync=on", "synchronous_commit=on", "shared_buffers=512MB", "max_wal_size=4GB",
                "max_connections=200", "listen_addresses=''"]

    def __init__(self, folder):
        self.folder = folder
        places = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        if not places:
            sys.exit("PostgreSQL is not here: apt-get install postgresql")
        self.bin = pathlib.Path(places[-1])
        self.as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self.as_user:
            shutil.chown(folder, "postgres")
        self.tool("initdb", "-D", folder / "data", "-A", "trust", "-E", "UTF8", "--no-locale")
        options = " ".join(f"-c {setting}" for setting in self.settings)
        options += f" -c unix_socket_directories='{folder}'"
        self.tool("pg_ctl", "-D", folder / "data", "-w", "-l", folder / "log", "-o", options, "start")
        self.sql("-f", HERE / "hash_chain.sql")
        self.lines = run([AUDIT, "simulate", "--rulebook", "mini-punto-banco", "--shoes", 4]).splitlines()

    def tool(self, name, *rest):
        # Its output goes to a file: the server it starts would keep a pipe open.
        with open(os.devnull, "w") as nowhere:
            command = [*self.as_user, str(self.bin / name), *map(str, rest)]
            subprocess.run(command, check=True, stdout=nowhere, cwd="/")

    def client(self):
        user = ["-U", "postgres"] if self.as_user else []
        return [*self.as_user, "env", f"PGHOST={self.folder}", "PGDATABASE=postgres"], user

    def sql(self, *rest):
        before, user = self.client()
        text = {"input": (HERE / "hash_chain.sql").read_text()} if "-f" in rest else {}
        rest = ["-f", "-"] if "-f" in rest else rest
        return run([*before, self.bin / "psql", *user, "-q", "-v", "ON_ERROR_STOP=1", *rest], cwd="/", **text)

    def scripts(self, batch):
        """pgbench scripts, each posting other events, numbered on from where its connection was."""
        files = []
        for number in range(8):
            lines = self.lines[number * batch:(number + 1) * batch]
            rows = ",\n".join(
                "(:run || '-' || :client_id, :next - %d, '%s')" % (len(lines) - at, line.replace("'", "''"))
                for at, line in enumerate(lines))
            file = self.folder / f"post-{batch}-{number}.sql"
            file.write_text(f"\\set next :next + {len(lines)}\nINSERT INTO events VALUES\n{rows};\n")
            file.chmod(0o644)
            files += ["-f", file]
        return files

    def load(self, connections, batch, seconds, rate=None):
        logs = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        if self.as_user:
            shutil.chown(logs, "postgres")
        before, user = self.client()
        command = [*before, self.bin / "pgbench", *user, "-n", "-M", "simple", "-c", connections, "-j",
                   min(2, connections), "-T", seconds, "-D", "next=1", "-D", f"run={time.monotonic_ns()}", "-l",
                   "--log-prefix", logs / "posts", *self.scripts(batch)]
        run(command + (["-R", rate / batch] if rate else []), cwd="/")
        times = sorted(int(line.split()[2]) for file in logs.iterdir() for line in file.open()
                       if line.split()[2].isdigit())
        within = lambda hundredths: times[min(len(times) - 1, len(times) * hundredths // 100)]
        return {
            "posts_a_second": len(times) // seconds,
            "events_a_second": len(times) * batch // seconds,
            "answered_microseconds": {"p50": within(50), "p99": within(99), "max": times[-1]},
        }

    def stop(self):
        self.tool("pg_ctl", "-D", self.folder / "data", "-m", "fast", "stop")


def flush(folder, pause=0.0):
    """Milliseconds that a sync of a file takes to which a page was appended, the median of 200 at this pace."""
    times = []
    with open(folder / "flush", "wb") as file:
        for _ in range(200):
            time.sleep(pause)
            began = time.perf_counter_ns()
            os.write(file.fileno(), b"x" * 4096)
            os.fdatasync(file.fileno())
            times.append((time.perf_counter_ns() - began) / 1e6)
    return sorted(times)[100]


def flushes(folder):
    return f"{flush(folder):.2f} ms, at the quiet writer's pace {flush(folder, 1 / QUIET_RATE):.2f} ms"


def rows(store, ask):
    """Measures one of them; gives rows of the table."""
    for batch in (256, 1):
        fast = store.load(ask.connections, batch, ask.seconds)
        yield [store.name, f"{batch} a post", ask.connections, "max", fast]
        half = max(batch, fast["events_a_second"] // 2)
        slow = store.load(ask.connections, batch, ask.seconds, half)
        yield [store.name, f"{batch} a post", ask.connections, "half", slow]
    quiet = store.load(1, 1, ask.seconds, QUIET_RATE)
    yield [store.name, "1 a post", 1, f"{QUIET_RATE} a second", quiet]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--only", default="audit,plain,postgres")
    parser.add_argument("--folder", default=None, help="where to put the files: the disk that is measured")
    ask = parser.parse_args()
    place = pathlib.Path(tempfile.mkdtemp(prefix="compare-", dir=ask.folder))
    before = os.getloadavg()[0]
    print(f"load average {before:.1f}, one flush of this disk {flushes(place)}\n")
    if before > 0.5:
        print("others work on this machine, and slow down what is measured\n", file=sys.stderr)
    kinds = {"audit": Audit, "plain": Plain, "postgres": Postgres}
    print("| | events | connections | rate | posts/s | events/s | p50 ms | p99 ms | max ms |")
    print("|---|---|---|---|---|---|---|---|---|")
    for kind in ask.only.split(","):
        folder = pathlib.Path(tempfile.mkdtemp(prefix=f"compare-{kind}-", dir=ask.folder))
        store = kinds[kind](folder)
        try:
            for name, batch, connections, rate, told in rows(store, ask):
                times = [f"{told['answered_microseconds'][key] / 1000:.1f}" for key in ("p50", "p99", "max")]
                cells = [name, batch, connections, rate, f"{told['posts_a_second']:,}", f"{told['events_a_second']:,}"]
                print("| " + " | ".join(map(str, cells + times)) + " |", flush=True)
        finally:
            store.stop()
            shutil.rmtree(folder, ignore_errors=True)
    print(f"\none flush of this disk afterwards {flushes(place)}")
    shutil.rmtree(place)


if __name__ == "__main__":
    main()
