#!/usr/bin/env python3
"""Checks the golden bytes with a CBOR decoder that is not ours, and the CDDL file with a CDDL parser."""
import json
import pathlib
import sys

import cbor2
import pycddl

root = pathlib.Path(__file__).resolve().parent.parent
rows = [line.split("\t") for line in (root / "crates/events/golden/events.tsv").read_text().splitlines()]
cddl = (root / "docs/events.cddl").read_text()
pycddl.Schema(cddl)
for name, line, golden in rows:
    payload = bytes.fromhex(golden)
    decoded = cbor2.loads(payload)
    if cbor2.dumps(decoded, canonical=True) != payload:
        sys.exit(f"{name}: cbor2 spells it otherwise")
    minor, events = decoded
    event = json.loads(line)
    body = next(iter(event["event"].values()))
    micros, offset, kind, fields = events[0]
    if (minor, len(events), micros, offset) != (int(kind > 22) + int(kind > 32), 1, 1772395445123456, 60):
        sys.exit(f"{name}: time or envelope differ")
    for key in ("coup", "bet", "shoe", "seat"):
        if key in body and not any(field == body[key] for field in fields):
            sys.exit(f"{name}: {key} {body[key]} is not among {fields}")
print(f"{len(rows)} golden payloads are spelled by cbor2 as they are here")
