#!/usr/bin/env python3
"""How long an honest table waits for its answers while everybody else attacks the service.

    cargo build --profile dist -p audit
    python3 tests/compare/under_attack.py [--seconds S]

One table posts an event every 50 ms on a connection that stays open, first alone, then during each of the attacks below, then during
all of them at once. Each attacker is a process of its own on the same machine, so that what is measured holds what they take of
the processor, too. Needs Linux and nothing but Python's own library.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time

from compare import AUDIT, listening, run

EVERY = 0.05
"""Seconds between two posts of the honest table."""


class Service:
    """`audit serve` with tokens."""

    def __init__(self, folder):
        self.tokens = {}
        for name, role in (("honest", "append"), ("attacker", "append"), ("reader", "read")):
            more = ["--producer", name] if role == "append" else []
            more += {"honest": ["--table", "honest"], "attacker": ["--all-tables"]}.get(name, [])
            made = run([AUDIT, "tokens", "new", "--tokens", folder / "tokens", "--role", role, *more, "--json"])
            self.tokens[name] = json.loads(made)["token"]
        command = [AUDIT, "serve", "--log", folder / "log", "--create", "--listen", "127.0.0.1:0", "--tokens", folder / "tokens", "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        host, _, port = listening(self.process).rpartition(":")
        self.address = (host, int(port))

    def most_memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.split("VmHWM:")[1].split()[0]) >> 10


def head(method, path, length, token=None):
    key = f"authorization: Bearer {token}\r\n" if token else ""
    return f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{key}content-length: {length}\r\n\r\n".encode()


def event(table, sequence, body):
    line = {"table": table, "sequence": sequence, "occurred_at": "2026-03-01T20:00:00+01:00", "event": body}
    return json.dumps(line, separators=(",", ":"))


def post(service, token, table, lines):
    connection = http.client.HTTPConnection(*service.address, timeout=60)
    headers = {"authorization": f"Bearer {token}", "content-type": "application/x-ndjson"}
    connection.request("POST", f"/v1/tables/{table}/events", "\n".join(lines), headers)
    connection.getresponse().read()
    connection.close()


def many_connections(service, count, first, drip=b""):
    """Opens so many connections, sends the beginning of a request on each, and goes on drop by drop."""
    held = []
    while True:
        while len(held) < count:
            try:
                one = socket.create_connection(service.address, timeout=5)
                one.sendall(first)
                held.append(one)
            except OSError:
                time.sleep(0.05)
                break
        alive = []
        for one in held:
            try:
                if drip:
                    one.sendall(drip)
                alive.append(one)
            except OSError:
                one.close()
        held = alive
        time.sleep(0.2)


def unfinished_forms(service):
    many_connections(service, 300, head("POST", "/desk/sign-in", 8_000) + b"token=", b"x")


def slow_heads(service):
    many_connections(service, 300, b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n", b"a: b\r\n")


def slow_posts(service):
    token = service.tokens["attacker"]
    many_connections(service, 100, head("POST", "/v1/tables/slow/events", 8 << 20, token) + b"{", b" ")


def archives_not_read(service):
    many_connections(service, 50, head("GET", "/v1/archive", 0, service.tokens["reader"]))


def streams(service):
    many_connections(service, 100, head("GET", "/v1/findings/stream", 0, service.tokens["reader"]))


def failed_sign_ins(service):
    while True:
        connection = http.client.HTTPConnection(*service.address, timeout=30)
        try:
            for _ in range(50):
                headers = {"content-type": "application/x-www-form-urlencoded"}
                connection.request("POST", "/desk/sign-in", "token=none", headers)
                connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)


def large_posts(service):
    """Bets of one coup without end, 16,384 in a post, and as many events under one number."""
    token, bet = service.tokens["attacker"], 0
    while True:
        try:
            lines = [event("flood", bet + each, {"BetPlaced": {"coup": 1, "bet": bet + each, "seat": 1, "kind": "punto", "stake": 500}})
                     for each in range(1, 16_385)]
            post(service, token, "flood", lines)
            bet += len(lines)
            same = [event("same", 7, {"BetsClosed": {"coup": 1 + each}}) for each in range(16_384)]
            post(service, token, "same", same)
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)


def costly_reads(service):
    token, paths = service.tokens["reader"], ("/v1/certificate", "/v1/findings?code=none", f"/v1/entries/{'ab' * 32}/proof")
    while True:
        try:
            for path in paths:
                connection = http.client.HTTPConnection(*service.address, timeout=60)
                connection.request("GET", path, headers={"authorization": f"Bearer {token}"})
                connection.getresponse().read()
                connection.close()
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)


ATTACKS = {
    "floods of events with a token": large_posts,
    "300 unfinished sign-in forms": unfinished_forms,
    "300 heads that do not end": slow_heads,
    "100 posts that do not end": slow_posts,
    "50 archives that nobody reads": archives_not_read,
    "100 streams": streams,
    "failed sign-ins": failed_sign_ins,
    "the most expensive queries": costly_reads,
}


def honest(service, seconds, sequence):
    """Posts for so long; gives the waits in milliseconds, how many posts were not accepted, and the next number."""
    waits, refused, token = [], 0, service.tokens["honest"]
    headers = {"authorization": f"Bearer {token}", "content-type": "application/x-ndjson"}
    connection = http.client.HTTPConnection(*service.address, timeout=60)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        began = time.monotonic()
        body = event("honest", sequence, {"BetsClosed": {"coup": 1}})
        try:
            connection.request("POST", "/v1/tables/honest/events", body, headers)
            answer = connection.getresponse()
            answer.read()
            status = answer.status
        except (OSError, http.client.HTTPException):
            connection.close()
            status = 0
        if status in (200, 201):
            sequence += 1
        else:
            refused += 1
        waits.append((time.monotonic() - began) * 1000)
        time.sleep(max(0.0, EVERY - (time.monotonic() - began)))
    connection.close()
    return sorted(waits), refused, sequence


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=20)
    seconds = arguments.parse_args().seconds
    with tempfile.TemporaryDirectory() as folder:
        service = Service(pathlib.Path(folder))
        sequence = 1
        print("| attack | p50 | p99 | longest | not accepted | most memory of the service so far |\n|---|---|---|---|---|---|")
        trials = [("none", [])] + [(name, [attack]) for name, attack in ATTACKS.items()] + [("all at once", list(ATTACKS.values()))]
        try:
            for name, attacks in trials:
                attackers = [multiprocessing.Process(target=attack, args=(service,), daemon=True) for attack in attacks]
                for attacker in attackers:
                    attacker.start()
                time.sleep(2 if attackers else 0)
                waits, refused, sequence = honest(service, seconds, sequence)
                for attacker in attackers:
                    os.kill(attacker.pid, signal.SIGKILL)
                    attacker.join()
                at = lambda part: waits[min(len(waits) - 1, int(len(waits) * part))]
                print(f"| {name} | {at(0.5):,.1f} ms | {at(0.99):,.1f} ms | {waits[-1]:,.0f} ms | {refused} of {len(waits)} | {service.most_memory():,} MiB |", flush=True)
                time.sleep(1)
        finally:
            service.process.terminate()
            service.process.wait()


if __name__ == "__main__":
    main()
