#!/usr/bin/env python3
"""Compares docs/independent/verify.py, written from docs/format.md and docs/events.cddl alone, with `audit` on the same
archives.

check_archive.py AUDIT: the honest fixture passes and gives back its events, and the damaged ones do not. Both programs
report the same for damaged copies.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(root / "docs" / "independent"))
import verify  # noqa: E402

audit = pathlib.Path(sys.argv[1]).resolve()
fixtures = root / "fixtures"


def check(holds, what):
    if not holds:
        sys.exit(what)


def theirs(data):
    """Whether docs/independent/verify.py finds the archive intact."""
    try:
        verify.verify(data, None, lambda *entry: list(verify.events(*entry)))
    except Exception:
        return False
    return True


def ours(data, place):
    """Whether `audit verify log` does: its exit status shows a broken seal and an unreadable file."""
    copy = place / "copy.auditlog"
    copy.write_bytes(data)
    return subprocess.run([audit, "verify", "log", copy], capture_output=True).returncode not in (3, 4)


read_back = []
honest = (fixtures / "honest.auditlog").read_bytes()
verify.verify(honest, None, lambda *entry: read_back.extend(verify.events(*entry)))
lines = (fixtures / "honest.ndjson").read_text().splitlines()
check(read_back == [json.loads(line) for line in lines], "verify.py does not give back the events of honest.ndjson")
for name in ("truncated", "bit-flipped"):
    check(not theirs((fixtures / f"{name}.auditlog").read_bytes()), f"verify.py lets {name}.auditlog pass")

place = pathlib.Path(tempfile.mkdtemp())
copies = 0
for name in ("honest", "slice"):
    whole = (fixtures / f"{name}.auditlog").read_bytes()
    check(theirs(whole) and ours(whole, place), f"one of the two does not find {name}.auditlog intact")
    for at in range(5, len(whole), len(whole) // 97):
        flipped = whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :]
        for damaged, what in ((flipped, f"byte {at} flipped"), (whole[:at], f"cut to {at} bytes")):
            copies += 1
            check(not theirs(damaged) and not ours(damaged, place), f"{name}, {what}: one of the two finds it intact")
events, log = fixtures / "honest.ndjson", place / "log"
for command in (["ingest", events, "--log", log, "--create"], ["keys", "rotate", log], ["export", log, "--out", place / "rotated"]):
    subprocess.run([audit, *command], check=True, capture_output=True)
rotated = (place / "rotated").read_bytes()
check(theirs(rotated) and ours(rotated, place), "one of the two does not honour a rotation of the log's key")
subprocess.run([audit, "demo", "demo"], cwd=place, check=True, capture_output=True)
key, kept, empty = place / "demo/crooked.pub", place / "demo/crooked.checkpoint", place / "empty"
empty.touch()
for name, options, status in (
    ("crooked", ["--key", key, "--checkpoint", kept], 0),
    ("resealed", ["--key", key], 0),
    ("resealed", ["--key", key, "--checkpoint", kept], 3),
    ("resealed", ["--key", key, "--checkpoint", place / "demo/honest/checkpoint"], 5),
    ("crooked", ["--key", empty], 2),
    ("crooked", ["--key", place / "mistyped.pub"], 2),
):
    archive = place / f"{name}.auditlog"
    subprocess.run([audit, "export", place / "demo" / name, "--out", archive, "--force"], check=True, capture_output=True)
    seen = verify.main([str(argument) for argument in [archive, *options]])
    check(seen == status, f"verify.py ends with {seen} and not {status}: {name} {options}")
print(f"verify.py and audit agree on honest.auditlog, slice.auditlog and {copies} damaged copies of them")
