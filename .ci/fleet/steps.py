#!/usr/bin/env python3
"""The first steps of docs/fleet.md with the program, on one server: what the page says, and what each command ends with.

    steps.py AUDIT NATS_SERVER"""

import json
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

audit, nats = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
# Longer than anything here takes: who takes over sooner did not wait for it.
LEASE = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(what, is_so, seconds=40):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := is_so():
            return found
        time.sleep(0.2)
    sys.exit(f"not within {seconds} s: {what}")


def check(what, is_so):
    if not is_so:
        sys.exit(f"not so: {what}")


def get(url, data=None):
    """Status and text of an answer; nothing while nobody listens."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, {"content-type": "application/x-ndjson"}), timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return None


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    port, monitor, running = free_port(), free_port(), []
    server = subprocess.Popen([nats, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", folder / "nats", "-m", str(monitor)], stderr=subprocess.DEVNULL)
    url, site = f"nats://127.0.0.1:{port}", "Casino de Ávila"

    def fleet(*words, status=0, of=site):
        done = subprocess.run([audit, "fleet", *words, "--server", url, "--site", of], capture_output=True, text=True)
        check(f"{words} ends with {status}, and not {done.returncode}: {done.stdout}{done.stderr}", done.returncode == status)
        return done.stdout + done.stderr

    def writer(holder):
        listen = free_port()
        command = [audit, "serve", "--from", url, "--site", site, "--partition", "1/1", "--holder", holder, "--lease-seconds", str(LEASE),
                   "--log", folder / holder, "--origin", f"casino.example/{holder}", "--listen", f"127.0.0.1:{listen}"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        running.append(process)
        return process, f"http://127.0.0.1:{listen}"

    def simulated(seed):
        file = folder / f"{seed}.ndjson"
        subprocess.run([audit, "simulate", "--tables", "2", "--shoes", "1", "--seed", str(seed), "--out", file], check=True, capture_output=True)
        events = [json.loads(line) for line in file.open()]
        file.write_text("".join(json.dumps(event | {"table": f"{seed}-{event['table']}"}) + "\n" for event in events))
        return file, len(events)

    try:
        until("the server answers", lambda: get(f"http://127.0.0.1:{monitor}/healthz"))
        check("a site that is not there is named", "audit fleet setup" in fleet("show", status=2))
        check("streams are made", fleet("setup", "--partitions", "1", "--replicas", "1").count("made ") == 4)
        check("streams are there", "receipt_Casino_20de_20_C3_81vila ya existe" in fleet("setup", "--partitions", "1", "--replicas", "1", "--lang", "es"))
        check("what differs is named", "partitions is 1 and not 2" in fleet("setup", "--partitions", "2", "--replicas", "1", status=2))
        check("nobody writes", json.loads(fleet("show", "--watch", "1", "--json", status=5))["attention"] == ["nobody-writes"])

        first, pages = writer("pit-1")
        until("the first writer serves", lambda: get(f"{pages}/livez") or get(f"{pages}/healthz"))
        second, later_pages = writer("pit-2")
        file, events = simulated(1)
        check("each event is sealed", f"sealed {events:,} events" in fleet("send", file))
        check("what is sealed is recognised", f"{events:,} were there already" in fleet("send", file))
        (folder / "wrong.ndjson").write_text("no event\n")
        check("a wrong line is named", "wrong.ndjson:1" in fleet("send", folder / "wrong.ndjson", status=4))
        page = until("the page shows the fleet", lambda: (get(f"{pages}/desk/house?lang=es") or (0, ""))[1])
        check("the page names the site and the writer", f"Las particiones de {site}" in page and "pit-1" in page)
        check("metrics count", "audit_fleet_messages_total" in get(f"{pages}/metrics")[1])
        check("posts are refused", get(f"{pages}/v1/tables/1-PB-01/events", file.read_bytes()[:200])[0] == 403)
        check("all is well", "pit-1" in fleet("show", "--watch", "2"))

        first.send_signal(signal.SIGTERM)
        began = time.monotonic()
        check("the first writer stops", first.wait(40) == 0)
        until("the second one takes over without waiting for the lease", lambda: get(f"{later_pages}/desk/house"), LEASE - 15)
        print(f"taken over {time.monotonic() - began:.1f} s after a stop")
        file, events = simulated(2)
        check("events go on", f"sealed {events:,} events" in fleet("send", file))
    finally:
        for process in running:
            process.terminate()
            process.wait(40)
        server.terminate()
        server.wait(40)
    logs = sorted(str(log.parent) for log in folder.glob("pit-*/p1-e*/key.pub"))
    done = subprocess.run([audit, "verify", "fleet", *logs, "--json"], capture_output=True, text=True)
    report = json.loads(done.stdout)
    verdicts = report["verdicts"]
    check(f"one chain of two logs: {logs}", len(logs) == 2 and len(report["chains"]) == 1)
    check(f"intact, complete and certified: {verdicts}", all(verdicts[one] == "yes" for one in ("intact", "complete", "certified")))
    check(f"the fleet is verified: {done.returncode}", done.returncode == 0 and report["sealed_twice"] == 0)
print("the steps of docs/fleet.md hold")
