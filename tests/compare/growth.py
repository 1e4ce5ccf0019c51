#!/usr/bin/env python3
"""Processor time and memory against the number of events, as numbers for tests/compare/plots.py.

    python3 tests/compare/growth.py AUDIT COMMIT PROFILE [EVENTS ...] > docs/pictures/growth.tsv

The first N events of one simulated night of 20 tables are recorded in three ways, each durable at the end: by `audit
ingest`, in a PostgreSQL of its own (a row an event, in statements of 256 rows of one table, chained by hash in a
trigger, one transaction), and by copying the file. Then `audit` exports, verifies and reports what it sealed. A number
is the least of three runs. Time is that of all processors and threads (PostgreSQL: of server and client), which depends
less on what else runs than the time on the clock. Memory is the most that the process had in RAM; PostgreSQL shares its
memory between processes, so it has none here.
"""

import itertools
import os
import pathlib
import re
import shutil
import statistics
import sys
import tempfile
import time

import compare

RUNS = 3


# The system counts what a program holds when it starts another as the other's memory. So a small one starts them.
SPENT = """
import os, sys
nowhere = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[nowhere])
_, status, usage = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000)
"""


def spent(command, **rest):
    """Seconds of processors and the most megabytes of a command. A report may end with a finding or with something undecided."""
    told = compare.run([sys.executable, "-I", "-S", "-c", SPENT, *command], **rest)
    status, seconds, megabytes = told.split()
    if status not in ("0", "1", "5"):
        sys.exit(f"{' '.join(map(str, command))}: status {status}")
    return float(seconds), float(megabytes)


def statements(lines):
    """The lines as statements for PostgreSQL, each of up to 256 events of one table, in one transaction."""
    waiting = {}
    yield "BEGIN;\n"

    def rows(table, events):
        values = ",\n".join(f"('{table}', {number}, '{line}')" for number, line in events)
        return f"INSERT INTO events VALUES\n{values};\n"

    for line in lines:
        table, number = re.match(r'\{"table":"([^"]+)","sequence":(\d+)', line).groups()
        waiting.setdefault(table, []).append((number, line.rstrip("\n").replace("'", "''")))
        if len(waiting[table]) == 256:
            yield rows(table, waiting.pop(table))
    for table, events in waiting.items():
        yield rows(table, events)
    yield "COMMIT;\n"


def server_seconds(database):
    """What the processes of a PostgreSQL took of the processors, those that ended as well."""
    first = int((database.folder / "data" / "postmaster.pid").read_text().split()[0])
    ticks = 0
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (place / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        own, ended = sum(map(int, fields[11:13])), sum(map(int, fields[13:15]))
        if place.name == str(first):
            ticks += own + ended
        elif int(fields[1]) == first:
            ticks += own
    return ticks / os.sysconf("SC_CLK_TCK")


def into_postgres(database, file):
    as_user, user = database.client()
    database.sql("-c", "TRUNCATE heads, events, chain; CHECKPOINT")
    command = [*as_user, database.bin / "psql", *user, "-q", "-v", "ON_ERROR_STOP=1", "-f", file]
    before = server_seconds(database)
    client = spent(command, cwd="/")[0]
    # The process that served it is counted with the others once it has ended.
    time.sleep(0.5)
    return client + server_seconds(database) - before, None


def copied(file, there):
    """A plain file: the same bytes, appended and synced."""
    began = time.process_time()
    with open(file, "rb") as lines, open(there, "wb") as kept:
        shutil.copyfileobj(lines, kept, 1 << 20)
        kept.flush()
        os.fsync(kept.fileno())
    return time.process_time() - began, None


def steps(audit, place, file, rows, database):
    """What is measured, in the order in which it can be."""
    log, archive = place / "log", place / "log.auditlog"
    anew = lambda path: shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    yield "plain file", lambda: copied(file, place / "copy")
    yield "PostgreSQL", lambda: into_postgres(database, rows)
    yield "audit ingest", lambda: (anew(log), spent([audit, "ingest", file, "--log", log, "--create"]))[1]
    yield "audit export", lambda: (anew(archive), spent([audit, "export", log, "--out", archive]))[1]
    yield "audit verify (archive)", lambda: spent([audit, "verify", "log", archive])
    yield "audit verify (store)", lambda: spent([audit, "verify", "log", log])
    yield "audit report", lambda: spent([audit, "report", archive, "--out", place / "r.html", "--force"])


def main(audit, commit, profile, *sizes):
    audit = pathlib.Path(audit).resolve()
    sizes = sorted(map(int, sizes or (10_000, 100_000, 1_000_000)))
    compare.AUDIT = audit
    place = pathlib.Path(tempfile.mkdtemp(prefix="growth-"))
    place.chmod(0o755)
    load = os.getloadavg()[0]
    whole = place / "whole.ndjson"
    # A shoe has some 700 events.
    shoes = str(sizes[-1] // 20 // 600 + 1)
    compare.run([audit, "simulate", "--tables", "20", "--shoes", shoes, "--seed", "3", "--out", whole])
    folder = place / "postgres"
    folder.mkdir()
    database = compare.Postgres(folder)
    results = []
    try:
        for size in sizes:
            file, rows = place / "events.ndjson", place / "events.sql"
            with open(whole) as lines, open(file, "w") as first:
                first.writelines(itertools.islice(lines, size))
            with open(file) as lines, open(rows, "w") as out:
                written = sum(out.write(part) > 0 for part in statements(lines))
            if written < size // 256:
                sys.exit(f"the night has too few events for {size}")
            for name, measure in steps(audit, place, file, rows, database):
                runs = [measure() for _ in range(RUNS)]
                seconds = min(run[0] for run in runs)
                memory = min((run[1] for run in runs if run[1]), default=None)
                results.append((name, size, f"{seconds:.3f}", "" if memory is None else f"{memory:.0f}"))
                print(*results[-1], file=sys.stderr)
    finally:
        database.stop()
        shutil.rmtree(place, ignore_errors=True)
    print(f"# commit\t{commit}")
    print(f"# profile\t{profile}")
    load = statistics.mean([load, os.getloadavg()[0]])
    print(f"# machine\t{os.cpu_count()} processors, load average {load:.1f}")
    print("# columns\tseries, events, seconds of processors, megabytes")
    for result in results:
        print(*result, sep="\t")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
