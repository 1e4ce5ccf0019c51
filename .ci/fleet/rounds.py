#!/usr/bin/env python3
"""A house on three servers, with two writers for each partition, while servers and writers are killed, paused and cut off.

    rounds.py AUDIT NATS_SERVER ROUNDS [SEED]

Each round sends a session of tables through the stream while something fails. Afterwards every event that was sent is
sealed once in the house's history, no log has two histories, and `audit verify fleet` says intact, complete and certified."""

import json
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

audit, nats, rounds = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], int(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
PARTITIONS, TTL = 2, 4
dice = random.Random(seed)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """One of three nats-servers."""

    def __init__(self, folder, number, ports, routes):
        self.port, self.monitor = ports[number], free_port()
        self.name = f"server-{number}"
        self.folder = folder / f"server-{number}"
        others = ",".join(f"nats://127.0.0.1:{port}" for port in routes)
        self.command = [
            nats, "-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd", str(self.folder), "-n", self.name,
            "--cluster_name", "house", "--cluster", f"nats://127.0.0.1:{routes[number]}", "--routes", others,
            # Whoever is behind a link that can be cut finds no way round it.
            "--no_advertise", "-m", str(self.monitor),
        ]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def says_it_is_healthy(self):
        try:
            return b'"ok"' in urllib.request.urlopen(f"http://127.0.0.1:{self.monitor}/healthz", timeout=5).read()
        except OSError:
            return False


class Link:
    """A way to a server that can be cut: nothing passes, and neither side learns of it. Once it is mended, what was
    under way arrives after all, or the connections are found to be gone."""

    def __init__(self, port):
        self.to, self.passes, self.pairs = port, threading.Event(), []
        self.passes.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            threading.Thread(target=self.connect, args=(near,), daemon=True).start()

    def connect(self, near):
        self.passes.wait()
        try:
            far = socket.create_connection(("127.0.0.1", self.to), timeout=5)
            far.settimeout(None)
        except OSError:
            return near.close()
        self.pairs.append((near, far))
        for one, other in ((near, far), (far, near)):
            threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    def carry(self, one, other):
        try:
            while data := one.recv(65_536):
                self.passes.wait()
                other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def mend(self, keep):
        pairs, self.pairs = self.pairs, []
        if keep:
            self.pairs = pairs
        for near, far in [] if keep else pairs:
            near.close()
            far.close()
        self.passes.set()


class Writer:
    """A program that writes a partition, or waits to."""

    def __init__(self, house, name, partition):
        self.house, self.name, self.partition = house, name, partition
        self.logs = house.folder / name
        self.links = [Link(server.port) for server in house.servers]
        self.start()

    def start(self):
        command = [audit, "serve", "--log", self.logs, "--listen", "127.0.0.1:0", "--site", "house", "--holder", self.name]
        command += ["--partition", f"{self.partition}/{PARTITIONS}", "--lease-seconds", str(TTL), "--origin", f"house.example/{self.name}"]
        for link in self.links:
            command += ["--from", f"nats://127.0.0.1:{link.port}"]
        with open(self.house.folder / f"{self.name}.said", "ab") as said:
            self.process = subprocess.Popen(command, stdout=said, stderr=said)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def ensure(self):
        if self.process.poll() is not None:
            self.start()


class House:
    def __init__(self, folder):
        self.folder = folder
        ports, routes = [free_port() for _ in range(3)], [free_port() for _ in range(3)]
        self.servers = [Server(folder, number, ports, routes) for number in range(3)]
        self.at = [part for port in ports for part in ("--server", f"nats://127.0.0.1:{port}")] + ["--site", "house"]
        until(60, "the site is set up", lambda: self.ask("setup", "--partitions", PARTITIONS).returncode == 0)
        self.writers = [Writer(self, f"{side}{number}", number) for number in (1, 2) for side in "ab"]

    def ask(self, what, *more):
        return subprocess.run([audit, "fleet", what, *self.at, *map(str, more)], capture_output=True, text=True)

    def send(self, file):
        said = open(self.folder / "sent.json", "w")
        return subprocess.Popen([audit, "fleet", "send", file, *self.at, "--patience", "120", "--batch", "10", "--json"], stdout=said)

    def shown(self):
        """The site as `audit fleet show` sees it; while servers elect their leaders, it is asked again."""
        for _ in range(60):
            said = self.ask("show", "--watch", "1", "--json").stdout
            if said:
                return json.loads(said)["fleet"]
        sys.exit("the site is not shown")

    def holder(self, partition):
        lease = self.shown()["partitions"][partition - 1]["lease"]
        return next((writer for writer in self.writers if lease and writer.name == lease["holder"]), None)

    def logs(self):
        return sorted(str(log) for writer in self.writers for log in writer.logs.glob("p*-e*") if (log / "checkpoint").exists())

    def stop(self):
        for process in [writer.process for writer in self.writers] + [server.process for server in self.servers]:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.terminate()
                process.wait(30)


def until(seconds, what, is_so):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_so():
            return
        time.sleep(0.2)
    sys.exit(f"not within {seconds} s: {what}")


def kill_server(house, _):
    server = dice.choice(house.servers)
    server.kill()
    time.sleep(dice.uniform(0.5, 3))
    server.start()


def kill_writer(_, writer):
    if writer:
        writer.kill()
        time.sleep(dice.uniform(0, TTL + 3))


def kill_both(house, writer):
    server = dice.choice(house.servers)
    server.kill()
    if writer:
        writer.kill()
    time.sleep(dice.uniform(0.5, 3))
    server.start()


def pause_writer(_, writer):
    if writer:
        writer.process.send_signal(signal.SIGSTOP)
        time.sleep(dice.uniform(TTL * 1.5, TTL * 3))
        writer.process.send_signal(signal.SIGCONT)


def stop_writer(_, writer):
    """As an operator does."""
    if writer:
        writer.process.terminate()
        writer.process.wait()


def cut_writer(_, writer):
    """The network between a writer and every server."""
    if writer:
        for link in writer.links:
            link.passes.clear()
        time.sleep(dice.uniform(1, TTL * 3))
        keep = dice.random() < 0.5
        for link in writer.links:
            link.mend(keep)


def lose_majority(house, _):
    """The leader of the stream hears of no other server: it stores nothing."""
    leader = house.shown()["streams"][0]["leader"]
    others = [server for server in house.servers if server.name != leader]
    for server in others:
        server.process.send_signal(signal.SIGSTOP)
    time.sleep(dice.uniform(1, 8))
    for server in others:
        server.process.send_signal(signal.SIGCONT)


def asked(server, subject, content=None):
    """What a server answers to one request of its JetStream API."""
    sent = json.dumps(content).encode() if content else b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as wire:
        answers = wire.makefile("rb")
        answers.readline()
        wire.sendall(b'CONNECT {"verbose":false}\r\nSUB _INBOX.rounds 1\r\n')
        wire.sendall(b"PUB $JS.API.%s _INBOX.rounds %d\r\n%s\r\n" % (subject.encode(), len(sent), sent))
        while not (line := answers.readline()).startswith(b"MSG"):
            if not line:
                raise OSError("no answer")
        return json.loads(answers.read(int(line.split()[-1])))


def refuse_writes(house, _):
    """A stream that stores nothing while every server says that it is healthy."""
    server = house.servers[0]
    config = asked(server, "STREAM.INFO.baccarat_house")["config"]
    refusing = asked(server, "STREAM.UPDATE.baccarat_house", config | {"max_msgs": 1})
    time.sleep(dice.uniform(1, 8))
    healthy = all(server.says_it_is_healthy() for server in house.servers)
    mended = asked(server, "STREAM.UPDATE.baccarat_house", config)
    for answer in (refusing, mended):
        if "error" in answer:
            sys.exit(f"the stream was not updated: {answer}")
    return "every server said that it is healthy" if healthy else "a server said that it is not healthy"


def pause_server(house, _):
    server = dice.choice(house.servers)
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(dice.uniform(1, 6))
    server.process.send_signal(signal.SIGCONT)


FAILURES = [kill_server, kill_writer, kill_both, pause_writer, pause_server, stop_writer, cut_writer, lose_majority, refuse_writes]

with tempfile.TemporaryDirectory() as folder:
    house = House(pathlib.Path(folder))
    try:
        sent, slowest = 0, 0.0
        until(30, "every partition has a writer", lambda: all(part["lease"] for part in house.shown()["partitions"]))
        for number in range(rounds):
            file = house.folder / "round.ndjson"
            (house.folder / "plain.ndjson").unlink(missing_ok=True)
            plan = ["--tables", "8", "--shoes", "3", "--seed", str(seed * 10_000 + number), "--rulebook", "punto-banco"]
            subprocess.run([audit, "simulate", *plan, "--out", house.folder / "plain.ndjson"], check=True, capture_output=True)
            with open(house.folder / "plain.ndjson") as plain, open(file, "w") as out:
                for line in plain:
                    event = json.loads(line)
                    event["table"] = f"R{number}-{event['table']}"
                    out.write(json.dumps(event, separators=(",", ":"), ensure_ascii=False) + "\n")
                    sent += 1
            victim = house.holder(dice.randint(1, PARTITIONS))
            sending = house.send(file)
            failure = FAILURES[number % len(FAILURES)]
            time.sleep(dice.uniform(0, 1))
            met = sending.poll() is None
            remark = failure(house, victim)
            began = time.monotonic()
            for writer in house.writers:
                writer.ensure()
            try:
                status = sending.wait(150)
            except subprocess.TimeoutExpired:
                sending.kill()
                sys.exit(f"round {number} ({failure.__name__}): what was sent has no receipts\n{house.ask('show').stdout}")
            took = time.monotonic() - began
            slowest = max(slowest, took)
            if status != 0:
                sys.exit(f"round {number} ({failure.__name__}): send ended with {status}: {(house.folder / 'sent.json').read_text()}")
            remark = "".join(f", {one}" for one in [remark, None if met else "too late"] if one)
            print(f"round {number}: {failure.__name__}{remark}, all receipts {took:.1f} s after it", flush=True)
        until(60, "no message waits", lambda: all(
            not part["consumer"] or part["consumer"]["pending"] + part["consumer"]["unacknowledged"] == 0
            for part in house.shown()["partitions"]))
    finally:
        house.stop()
    logs = house.logs()
    done = subprocess.run([audit, "verify", "fleet", *logs, "--json"], capture_output=True, text=True)
    report = json.loads(done.stdout)
    read = report["read"]
    print(subprocess.run([audit, "verify", "fleet", *logs], capture_output=True, text=True).stdout[:3000])
    print(f"{sent} events sent, {read['events']} in the history, {read['repeated_events']} of them once more, {report['sealed_twice']} "
          f"behind a handover; {len(logs)} logs; the slowest receipts {slowest:.1f} s after a failure; verify fleet: {done.returncode}")
    if done.returncode or read["events"] != sent or read["missing_events"] or read["repeated_events"]:
        sys.exit("not every event is sealed once, or the logs contradict each other")
