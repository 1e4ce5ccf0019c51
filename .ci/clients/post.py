"""Posts a file of events with the client that openapi-python-client generates, and keeps a receipt.
Usage: post.py URL TABLE EVENTS PROOF"""

import json
import pathlib
import sys

from table_client import Client
from table_client.api.certification import list_findings
from table_client.api.ingest import post_events
from table_client.models import Cause, Event, KnownCode, Problem, Receipts, Severity

url, table, events, proof = sys.argv[1:]
lines = pathlib.Path(events).read_text().splitlines()
client = Client(base_url=url)
answer = post_events.sync_detailed(table, client=client, body=[Event.from_dict(json.loads(line)) for line in lines])
posted = answer.parsed
assert isinstance(posted, Receipts), answer
receipt = posted.receipts[-1]
pathlib.Path(proof).write_text(receipt.proof)
found = list_findings.sync(client=client, severity=Severity.VIOLATION, code=KnownCode.NATURAL_DRAWN, limit=10)
refused = list_findings.sync(client=client, limit=0)
assert isinstance(refused, Problem), refused
# What a newer service says in words that this client does not know is kept as it is.
newer = Problem.from_dict({**refused.to_dict(), "type": "urn:audit:newer"})
assert newer.type_ == "urn:audit:newer" and newer.to_dict()["type"] == "urn:audit:newer", newer
assert Cause.from_dict({"entry": 1, "sequence": 2, "code": "newer"}).code == "newer"
assert Cause.from_dict({"entry": 1, "sequence": 2, "code": "natural-drawn"}).code is KnownCode.NATURAL_DRAWN
print(json.dumps({
    "recorded": posted.recorded,
    "already_there": posted.already_there,
    "index": receipt.index,
    "digest": receipt.digest,
    "findings": found.published,
    "refused": str(refused.type_),
}))
