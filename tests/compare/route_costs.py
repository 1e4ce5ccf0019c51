#!/usr/bin/env python3
"""What one request of each kind costs a service: processor time, memory, bytes of answer, lines of its log.

    cargo build --profile dist -p audit
    python3 tests/compare/route_costs.py [--shoes S]

Each request is the most expensive of its kind that is known here, asked of a log with a million events (at 60
shoes), one table of which has a finding for every second event. Processor time is the whole process's, so that what
a request leaves to other threads counts; live certification has caught up before each, and what it costs of a post
counts too. Memory is by how much the most in RAM during the request exceeds what it was before. Needs Linux and
nothing but Python's own library.
"""

import argparse
import http.client
import json
import os
import pathlib
import tempfile
import time
import urllib.request

import compare
from compare import AUDIT, run

TICK = os.sysconf("SC_CLK_TCK")
BODY, EVENTS = 8 << 20, 16_384
"""Most bytes and events of a post."""
LONGEST_WAIT = 120


class Service(compare.Audit):
    """`audit serve` over a folder, its lines kept."""

    def __init__(self, folder):
        self.lines = folder / "lines"
        with open(self.lines, "w", encoding="utf-8") as lines:
            super().__init__(folder, lines)
        self.address = self.url.removeprefix("http://")

    def seconds(self):
        """Processor time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory(self, which):
        """`VmRSS` or `VmHWM`, bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.split(f"{which}:")[1].split()[0]) << 10

    def ask(self, method, path, body=None):
        """Gives the status and how many bytes were answered."""
        connection = http.client.HTTPConnection(self.address, timeout=LONGEST_WAIT)
        connection.request(method, path, body, {"content-type": "application/x-ndjson"} if body else {})
        answer, length = connection.getresponse(), 0
        while piece := answer.read(1 << 20):
            length += len(piece)
        connection.close()
        return answer.status, length

    def text(self, path):
        return urllib.request.urlopen(f"{self.url}{path}").read().decode()

    def settle(self):
        """Waits until live certification has caught up and nothing runs any more."""
        self.certify_all()
        before = -1.0
        while (now := self.seconds()) > before:
            before = now
            time.sleep(0.3)

    def measure(self, what, method, path, body=None, times=1):
        """Asks so many times and prints the costs of one."""
        self.settle()
        pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5", encoding="ascii")
        memory, lines, began = self.memory("VmRSS"), self.lines.stat().st_size, self.seconds()
        for _ in range(times):
            status, length = self.ask(method, path, body)
        self.settle()
        cost = (self.seconds() - began) / times
        more = max(0, self.memory("VmHWM") - memory) / (1 << 20)
        written = (self.lines.stat().st_size - lines) / times
        print(f"| {what} | {status} | {cost * 1000:,.1f} ms | {more:,.0f} MiB | {length:,} | {written:,.0f} |", flush=True)


def small_event(table, sequence, micros):
    """About the shortest event there is."""
    at = f"2026-03-01T20:{micros // 60_000_000:02d}:{micros // 1_000_000 % 60:02d}.{micros % 1_000_000:06d}Z"
    event = {"table": table, "sequence": sequence, "occurred_at": at, "event": {"BetsClosed": {"coup": 1}}}
    return json.dumps(event, separators=(",", ":"))


def fit(lines):
    """As many lines as one post may have."""
    length, fitting = 0, []
    for line in lines:
        length += len(line) + 1
        if length > BODY or len(fitting) == EVENTS:
            break
        fitting.append(line)
    return "\n".join(fitting)


def prepare(folder, shoes):
    """A log of honest tables, and of one that leaves out every second event."""
    events = folder / "events.ndjson"
    run([AUDIT, "simulate", "--tables", 20, "--shoes", shoes, "--seed", 3, "--out", events])
    run([AUDIT, "ingest", events, "--log", folder / "log", "--create"])
    with open(events, encoding="utf-8") as lines:
        first = next(lines)
        table = json.loads(first)["table"]
        gaps = [line for line in lines if json.loads(line)["table"] == table][::2]
    (folder / "gaps.ndjson").write_text("".join(gaps).replace(f'"{table}"', '"gaps"'), encoding="utf-8")
    run([AUDIT, "ingest", folder / "gaps.ndjson", "--log", folder / "log"])
    return table


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--shoes", type=int, default=60)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        table = prepare(folder, arguments.parse_args().shoes)
        service = Service(folder)
        try:
            measure_all(service, table)
        finally:
            service.stop()


def measure_all(service, table):
    print("| request | status | processor time | memory | bytes answered | bytes logged |\n|---|---|---|---|---|---|")
    service.measure("`/healthz`", "GET", "/healthz", times=200)
    service.measure("`/openapi.json`", "GET", "/openapi.json", times=200)
    service.measure("`/checkpoint`", "GET", "/checkpoint", times=200)
    service.measure("`/tile/0/000`", "GET", "/tile/0/000", times=50)
    service.measure("`/tile/entries/000`", "GET", "/tile/entries/000", times=50)
    service.measure("`/v1/entries/I`", "GET", "/v1/entries/12345", times=50)
    service.measure("its proof", "GET", "/v1/entries/12345/proof", times=50)
    service.measure("its proof by a digest that is not there", "GET", f"/v1/entries/{'ab' * 32}/proof", times=5)
    service.measure("`/metrics`", "GET", "/metrics", times=50)
    service.measure("`/v1/tables`", "GET", "/v1/tables", times=50)
    service.measure("`/v1/tables/T`", "GET", f"/v1/tables/{table}", times=50)
    shoe = json.loads(service.text(f"/v1/tables/{table}"))["places"][0]["shoe"]
    for part in ("", "/coups/1", "/archive"):
        path = f"/v1/tables/{table}/shoes/{shoe}{part}"
        service.measure(f"`/v1/tables/T/shoes/S{part.replace('1', 'C')}`", "GET", path, times=20)
    service.measure("`/v1/findings`, 1,000 of them", "GET", "/v1/findings?limit=1000", times=20)
    service.measure("`/v1/findings`, none that is asked for", "GET", "/v1/findings?code=none", times=20)
    service.measure("`/v1/certificate`", "GET", "/v1/certificate", times=3)
    service.measure("`/v1/archive`", "GET", "/v1/archive")
    path = "/v1/tables/small/events"
    small = [small_event("small", number, number) for number in range(1, EVENTS + 1)]
    service.measure("16,384 of the shortest events", "POST", path, fit(small))
    service.measure("the same again", "POST", path, fit(small))
    service.measure("again, the last first", "POST", path, fit(fit(small).split("\n")[::-1]))
    other = [small_event("small", number, number + 1) for number in range(1, EVENTS + 1)]
    service.measure("other events under these numbers", "POST", path, fit(other))
    same = [small_event("same", 7, micros) for micros in range(EVENTS)]
    service.measure("16,384 under one number", "POST", "/v1/tables/same/events", fit(same))
    service.measure("an event under that number", "POST", "/v1/tables/same/events", small_event("same", 7, 999_999), times=5)
    pairs = (number for low in range(1, EVENTS // 2 + 1) for number in (low, (1 << 50) - low))
    far = [small_event("far", number, 1) for number in pairs]
    service.measure("16,384 numbers far apart", "POST", "/v1/tables/far/events", fit(far))
    service.measure("the same again", "POST", "/v1/tables/far/events", fit(far))
    service.measure("8 MiB that are no event", "POST", path, "x" * BODY)
    service.measure("8 MiB of one list in another", "POST", path, "[" * BODY)
    service.measure("a path that is not there", "GET", "/none", times=200)


if __name__ == "__main__":
    main()
