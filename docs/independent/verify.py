#!/usr/bin/env python3
"""An independent reader of `.auditlog` archives: checks the seal and decodes the events.

    python3 verify.py ARCHIVE [--key VERIFIER_KEY_OR_FILE] [--checkpoint FILE] [--events]

Written from docs/format.md and docs/events.cddl alone; it shares no code with the program. Beside the
standard library it needs three packages from PyPI: blake3, cbor2, zstandard.

--checkpoint is a checkpoint of this log that was kept before: the archive has to begin with what it signed. Without --key the key in the
archive is used, which whoever made the archive chose.

Exit status: 0 every byte is what was sealed; 2 wrong usage; 3 it is not; 4 this is no archive; 5 it holds what this reader does not know.
With --events the events are printed, one JSON object a line, as they were handed in. It does not judge the play.
"""
import base64
import datetime
import hashlib
import json
import pathlib
import sys

import cbor2
import zstandard
from blake3 import blake3

# --- Ed25519 (RFC 8032, section 5.1.7), verification only ---------------------------------------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def recover(y, sign):
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - x2) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(number, point):
    total = (0, 1, 1, 0)
    while number:
        if number & 1:
            total = add(total, point)
        point, number = add(point, point), number >> 1
    return total


def point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    x = recover(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover(BASE_Y, 0), BASE_Y, 1, recover(BASE_Y, 0) * BASE_Y % P)


def signed(public, message, signature):
    a, r = point(public), point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or a is None or r is None or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    left, right = times(s, BASE), add(r, times(h, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 == (left[1] * right[2] - right[1] * left[2]) % P


# --- the archive --------------------------------------------------------------------------------


class Unknown(Exception):
    """The archive holds something that only a newer reader knows."""


class NoArchive(Exception):
    pass


class Broken(Exception):
    pass


def must(holds, what):
    if not holds:
        raise Broken(what)


def check(data):
    return blake3(data).digest()


def number(data):
    return int.from_bytes(data, "big")


class Bytes:
    """A run of bytes that is taken piece by piece."""

    def __init__(self, data, what):
        self.data, self.at, self.what = data, 0, what

    def take(self, count):
        piece = self.data[self.at : self.at + count]
        must(len(piece) == count, f"{self.what} ends after {len(self.data)} bytes")
        self.at += count
        return piece


def sections(data):
    """Offset, tag and body of every section; the trailer last, as tag b'end'."""
    if data[:8] != b"AUDITLOG":
        raise NoArchive("this is no archive: it does not begin with AUDITLOG")
    version = number(data[8:12])
    if version not in (1, 2):
        raise NoArchive(f"this archive has format version {version}; this reader knows 1 and 2")
    expected = bytes(4) if version == 1 else check(data[:12])[:4]
    must(data[12:16] == expected, "the preamble was altered: its last four bytes are not what they must be")
    must(len(data) >= 80, "the archive is cut off")
    rest = Bytes(data[: len(data) - 64], "the archive")
    rest.at = 16
    while rest.at < len(rest.data):
        offset = rest.at
        head = rest.take(16)
        must(check(head[:12])[:4] == head[12:], f"the section's head at byte {offset} was altered")
        body = rest.take(number(head[4:12]))
        must(check(body) == rest.take(32), f"the section at byte {offset} was altered")
        yield offset, head[:4], body
    yield len(data) - 64, b"end", data[len(data) - 64 :]


def head_section(body):
    rest = Bytes(body, "section HEAD")
    checkpoint = rest.take(number(rest.take(4))).decode()
    key = rest.take(number(rest.take(4))).decode()
    must(rest.at == len(body), "section HEAD has bytes behind its end")
    return checkpoint, key


def bundle(body):
    """Log index of the first entry, and the entries with the digests beside them."""
    rest = Bytes(body, "a bundle")
    first, count, size = number(rest.take(8)), number(rest.take(4)), number(rest.take(4))
    must(1 <= count <= 4096 and size <= 1 << 20, f"the bundle at entry {first} claims too much")
    digests = [rest.take(32) for _ in range(count)]
    packed = body[rest.at :]
    room = 2 * count + size
    plain = zstandard.ZstdDecompressor().decompress(packed, max_output_size=room + 1)
    must(len(plain) == room, f"the bundle at entry {first} does not unpack to what it claims")
    rest = Bytes(plain, "a bundle")
    lengths = [number(rest.take(2)) for _ in range(count)]
    must(sum(lengths) == size, f"the bundle at entry {first} does not unpack to what it claims")
    return first, [(rest.take(length), digest) for length, digest in zip(lengths, digests)]


def left_out(body):
    """First index and end of a stretch that is left out, and its subtrees: size and root of each."""
    rest = Bytes(body, "section LEFT")
    first, count = number(rest.take(8)), number(rest.take(8))
    place, end, subtrees = first, first + count, []
    must(count > 0 and end < 1 << 64, "section LEFT leaves nothing out")
    while place < end:
        size = 1 << (end - place).bit_length() - 1
        while place % size:
            size //= 2
        subtrees.append((size, rest.take(32)))
        place += size
    must(rest.at == len(body), "section LEFT has bytes behind its end")
    return first, end, subtrees


# --- entries, tree, checkpoint ------------------------------------------------------------------


def entry(index, data, digest, chains, gap, own):
    """Checks one entry, or what stands in for it, and its link; gives its table, first sequence and payload,
    which is None where it is withheld. Behind a stretch left out a chain may go on from what is not here."""
    fields = cbor2.loads(data)
    plain = isinstance(fields, list) and len(fields) == 8 and fields[0] in (0, 1)
    must(plain and cbor2.dumps(fields, canonical=True) == data, f"entry {index} is no canonical entry")
    if fields[0] == 0:
        _, claimed, _, table, first, count, previous, _ = fields
        payload = None
        must(claimed == digest, f"what stands in for entry {index} has another digest")
    else:
        _, _, table, first, count, previous, _, payload = fields
        must(check(data) == digest, f"entry {index} was altered")
    newest, seen = chains.get(table, (bytes(32), 0))
    must(previous == newest or seen < gap, f"entry {index} does not follow table {table}'s last entry")
    chains[table] = digest, index + 1
    if table == "@log":
        own.follow(index, fields if fields[0] else [0], previous != newest)
    own.digests[index] = digest
    return table, first, count, payload


class Tree:
    """RFC 6962, from the right edge: the full subtrees it is made of, largest first."""

    def __init__(self):
        self.edge, self.size = [], 0

    def push(self, node, width=1):
        must(self.size % width == 0, "a subtree does not fit where it stands")
        self.size += width
        while self.size % (2 * width) == 0:
            node, width = hashlib.sha256(b"\1" + self.edge.pop() + node).digest(), 2 * width
        self.edge.append(node)

    def root(self):
        if not self.edge:
            return hashlib.sha256().digest()
        edge = list(self.edge)
        root = edge.pop()
        while edge:
            root = hashlib.sha256(b"\1" + edge.pop() + root).digest()
        return root


def public_key(text):
    name, rest = text.strip().split("+", 1)
    key_id, material = rest.split("+", 1)
    raw = base64.b64decode(material, validate=True)
    must(raw[0] == 1 and len(raw) == 33, "the verifier key is not an Ed25519 key")
    expected = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
    must(expected.hex() == key_id, "the verifier key's id is not that of its name and key")
    return name, expected, raw[1:]


def signed_text(note, key):
    """The text of a note that the key signed."""
    text, separator, lines = note.rpartition("\n\n")
    must(separator, "a note has no signatures")
    text += "\n"
    name, key_id, public = public_key(key)
    good = False
    for line in lines.splitlines():
        mark, signer, blob = line.split(" ")
        raw = base64.b64decode(blob, validate=True)
        if (mark, signer, raw[:4]) == ("\u2014", name, key_id):
            good = signed(public, text.encode(), raw[4:])
            must(good, f"a signature is not that of {key.strip()}")
    must(good, f"a note is not signed by {key.strip()}")
    return name, text


class OwnChain:
    """The chain @log: which position comes next, the digests that a notice may name, notices of unknown kinds."""

    def __init__(self):
        self.last, self.digests, self.unknown = 0, {}, []
        self.closed, self.others = None, []

    def follow(self, index, fields, may_skip):
        """Checks the header of an entry on @log; `fields` are those of the entry, whole or redacted."""
        must(fields[0] == 1, f"the notice in entry {index} is withheld")
        producer, _, position, count = fields[1:5]
        must(producer == "audit", f"the notice in entry {index} is by another producer than the log")
        must(count == 1, f"the notice in entry {index} covers several positions")
        due = self.last + 1
        must(position == due or may_skip and position > due, f"entry {index} is notice {position}, {due} comes next")
        self.last = position

    def erased(self, index, fields):
        """Compares what a notice of erased payloads names with the entries before it."""
        for named, digest in fields[1]:
            must(named < index, f"the notice in entry {index} names entry {named}, which is not before it")
            known = self.digests.get(named, digest)  # an entry that is left out cannot be compared
            must(known == digest, f"the notice in entry {index} names entry {named} with another digest")


    def close(self, index, size, root, successor):
        """Takes the notice that closes the log, and compares its root with the entries."""
        must(size <= index, f"the notice in entry {index} closes the log after {size} entries, and fewer stand before it")
        tree, known = Tree(), [self.digests.get(place) for place in range(size)]
        if None not in known:  # entries that are left out cannot be compared
            for digest in known:
                tree.push(hashlib.sha256(b"\0" + digest).digest())
            must(tree.root() == root, f"the notice in entry {index} closes the log with another root")
        self.closed = index
        self.others += [successor] if successor else []


def noted(index, payload, keys, own):
    """Takes a notice of the chain @log: a rotation of the log's key, erased payloads, a log before or behind this one."""
    fields = cbor2.loads(payload)
    must(cbor2.dumps(fields, canonical=True) == payload, f"the notice in entry {index} is not canonical")
    behind = own.closed is not None and fields[0] not in (2, 3)
    must(not behind, f"entry {index} comes after entry {own.closed}, which closed the log")
    if fields[0] == 4:
        must(index == 0 and len(fields) == 2, f"the notice in entry {index} says which log this one continues")
        origin, size, root = fields[1].partition("\n\n")[0].splitlines()[:3]
        must(str(int(size)) == size and len(base64.b64decode(root, validate=True)) == 32, "entry 0 names no checkpoint")
        own.others.append(origin)
        return
    if fields[0] == 5:
        own.close(index, *fields[1:])
        return
    if fields[0] in (2, 3):
        own.erased(index, fields)
        return
    if fields[0] != 1:
        own.unknown.append(fields[0])
        return
    title, origin, size, old, new = fields[1].rpartition("\n\n")[0].splitlines()
    must(title == "audit log key rotation" and int(size) == index, f"the rotation in entry {index} is no rotation")
    must(not keys or keys[-1][1] == old, f"the rotation in entry {index} is of a key that is not in force")
    for key in (old, new):
        must(signed_text(fields[1], key)[0] == origin, f"the rotation in entry {index} is of another log")
    if not keys:
        keys.append((0, old))
    keys.append((index + 1, new))


def checkpoint(note, key, keys):
    """Size and root that the log's key signed: the one in force at that size, where it passed on."""
    size = int(note.splitlines()[1])
    if any(known == key.strip() for _, known in keys):
        key = [known for since, known in keys if since <= size][-1]
    name, text = signed_text(note, key)
    origin, size, root = text.splitlines()
    must(origin == name, "the checkpoint is another log's")
    must(str(int(size)) == size, "the checkpoint's size is not a plain number")
    return origin, int(size), base64.b64decode(root, validate=True)


# --- events (docs/events.cddl) ------------------------------------------------------------------

RANKS, SUITS = "A23456789TJQK", "CDHS"


def face(code):
    if code == 0:
        return "??"
    if code > 52:
        return RANKS[code - 53] + "?"
    return RANKS[(code - 1) % 13] + SUITS[(code - 1) // 13]


def faces(codes):
    return [face(code) for code in codes]


def same(value):
    return value


def one_of(*words):
    return lambda place: words[place]


def record(*fields):
    """A reader of an array of named fields; `?` leaves out null, nothing and 0, as JSON does."""

    def read(values):
        must(len(values) == len(fields), "an event has another number of fields than its kind")
        view = {}
        for (name, reader), value in zip(fields, values):
            if name.endswith("?"):
                if value in (None, [], 0):
                    continue
                name = name[:-1]
            view[name] = reader(value)
        return view

    return read


def each(reader):
    return lambda values: [reader(value) for value in values]


SETTLED = record(("bet", same), ("returned", same), ("commission?", same))
LIMIT = record(("kind", same), ("minimum?", same), ("maximum?", same))
LIMITS = record(("minimum", same), ("maximum", same), ("multiple?", same), ("bets?", each(LIMIT)))
REVEAL = record(("nonce", bytes.hex), ("order", faces))
SEAT = record(("seat", same), ("player?", same))
DEAL = record(("seat", same))


def corrected(value):
    name, reader = KINDS[value[0]]
    return {name: reader(value[1])}


KINDS = {
    1: ("ShoeLoaded", record(("shoe", same), ("decks", same), ("cards", same), ("cards_behind_cut?", same),
                             ("deck_serials?", same), ("back_colours?", same), ("order_commitment?", bytes.hex))),
    2: ("BurnCards", record(("indicator", face), ("burned", same), ("faces?", faces))),
    3: ("BetPlaced", record(("coup", same), ("bet", same), ("seat", same), ("player?", same), ("kind", same),
                            ("stake", same))),
    4: ("CardDrawn", record(("coup", same), ("position", same), ("card", face),
                            ("to", one_of("punto", "banca", "removed")))),
    5: ("CoupSettled", record(("coup", same), ("winner", one_of("punto", "banca", "tie")), ("punto_total", same),
                              ("banca_total", same), ("bets", each(SETTLED)))),
    6: ("TableOpened", record(("rulebook", json.loads), ("limits", LIMITS), ("currency", same),
                              ("minor_digits", same), ("seats", same))),
    7: ("TableClosed", record()),
    8: ("LimitsChanged", LIMITS),
    9: ("SeatTaken", SEAT),
    10: ("SeatLeft", SEAT),
    11: ("DealOffered", DEAL),
    12: ("DealAccepted", DEAL),
    13: ("DealDeclined", DEAL),
    14: ("BetWithdrawn", record(("bet", same))),
    15: ("BetsClosed", record(("coup", same))),
    16: ("PuntoHolder", record(("coup", same), ("holder", lambda seat: {"seat": seat} if seat else "croupier"))),
    17: ("CutCardDrawn", record(("position", same))),
    18: ("CommissionCollected", record(("seat", same), ("amount", same),
                                       ("why", one_of("shoe-end", "leaving", "request")))),
    19: ("CoupVoided", record(("coup", same), ("reason", same), ("ruled_by", same), ("countersigned_by?", same))),
    20: ("IrregularityRecorded", record(("code", same), ("coup?", same), ("positions?", same), ("ruling", same),
                                        ("ruled_by", same), ("countersigned_by?", same))),
    21: ("CorrectionRecorded", record(("corrects", same), ("corrected", corrected), ("reason", same),
                                      ("signed_by", same))),
    22: ("ShoeEnded", record(("cards_left", same), ("reveal?", REVEAL))),
    23: ("BankTaken", record(("seat", same), ("player?", same), ("amount", same),
                             ("how", one_of("turn", "standing", "auction", "retaken", "minimum", "continued")),
                             ("partners?", each(record(("player", same), ("amount", same)))))),
    24: ("BankPassed", record(("seat", same), ("player?", same), ("amount", same),
                              ("why", one_of("lost", "voluntary", "refused", "left", "shoe-end")))),
    25: ("BancoCalled", record(("coup", same), ("seat", same), ("player?", same),
                               ("call", one_of("banco", "con-la-mesa", "ultimo-completo", "seguido", "asociado")))),
    26: ("AbonoPlaced", record(("coup", same), ("bet", same), ("seat", same), ("player?", same), ("stake", same))),
    27: ("GarajeSet", record(("kind", one_of("voluntary", "compulsory", "improper", "todo-va")), ("amount", same))),
    28: ("DrawDecided", record(("coup", same), ("hand", one_of("punto", "banca")), ("decision", one_of("no", "carta")),
                               ("counsel?", lambda asked: "croupier" if asked else None))),
    29: ("PlayersPresent", record(("players", same))),
    30: ("BankSettled", record(("coup", same), ("won", same), ("lost", same), ("commission", same), ("bank", same),
                               ("garaje", same))),
    31: ("BankBid", record(("seat", same), ("player?", same), ("amount", same))),
    32: ("LeaveGiven", record(("leave", one_of("unlimited-bank", "free-play")), ("office", same), ("given_by", same))),
    33: ("CardReplaced", record(("coup?", same), ("position", same), ("card", face), ("reason", same),
                                ("ruled_by", same), ("countersigned_by?", same))),
    34: ("ValuesComputed", record(("coup", same), ("values", each(one_of("winner", "punto-total", "banca-total"))))),
    35: ("ExtensionRecorded", record(("name", same), ("data", same))),
}


MINOR = 2


# Where the names of an event are: the indexes of its fields that are names or lists of names.
NAMED = {
    1: (0, 4, 5), 3: (3,), 6: (2,), 9: (1,), 10: (1,), 19: (2, 3), 20: (0, 4, 5), 21: (3,), 23: (1, 4), 24: (1,), 25: (2,),
    26: (3,), 31: (1,), 32: (1, 2), 33: (4, 5), 35: (0,),
}


def has_control(value):
    """Whether a name, or one of a list, has a control character (Cc)."""
    if isinstance(value, list):
        return any(map(has_control, value))
    return isinstance(value, str) and any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in value)


def least_minor(kind, body):
    """The least minor version that has an event; a correction needs what the corrected event needs."""
    if any(has_control(body[field]) for field in NAMED.get(kind, ())):
        return 2
    return least_minor(*body[1]) if kind == 21 else 2 if kind > 32 else 1 if kind > 22 else 0


def moment(micros, offset):
    zone = datetime.timezone(datetime.timedelta(minutes=offset))
    then = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(microseconds=micros)
    return then.astimezone(zone).isoformat(timespec="microseconds")


def events(table, first, count, payload):
    if payload is None or table == "@log":
        return  # withheld; or what the log says of itself
    fields = cbor2.loads(payload)
    must(cbor2.dumps(fields, canonical=True) == payload, f"the payload at {table} {first} is not canonical")
    minor, listed = fields
    if minor > MINOR:
        raise Unknown(f"the events at {table} {first} are of minor version {minor}, and this reader knows {MINOR}")
    must(len(listed) == count and minor == max(least_minor(kind, body) for _, _, kind, body in listed), f"the payload at {table} {first} is of another version or length")
    for sequence, (micros, offset, kind, body) in enumerate(listed, first):
        name, reader = KINDS[kind]
        yield {"table": table, "sequence": sequence, "occurred_at": moment(micros, offset), "event": {name: reader(body)}}


# --- the whole ----------------------------------------------------------------------------------


class Kept:
    """A checkpoint that was kept before, and whether the entries give its root where it ends."""

    def __init__(self, note):
        self.note, self.size = note, int(note.splitlines()[1])
        self.root = hashlib.sha256().digest() if self.size == 0 else None

    def look(self, tree):
        if tree.size == self.size:
            self.root = tree.root()

    def check(self, key, keys, left_out):
        try:
            _, size, root = checkpoint(self.note, key, keys)
        except Broken as error:
            raise Unknown(f"the checkpoint that was kept proves nothing here: {error}") from None
        if self.root is None and left_out:
            raise Unknown("the checkpoint that was kept ends among entries that are left out")
        must(self.root == root, f"not anchored: it does not begin with the {size} entries of the checkpoint that was kept")


def verify(data, given, report, kept=None):
    tree, chains, bundles, keys, shown, gap = Tree(), {}, [], [], 0, 0
    note, key, end, own = None, None, None, OwnChain()
    for offset, tag, body in sections(data):
        if tag == b"HEAD":
            must(note is None and offset == 16, "section HEAD is not at the beginning")
            note, key = head_section(body)
        elif tag == b"BNDL":
            first, entries = bundle(body)
            must(first == tree.size, f"the bundle at byte {offset} begins with entry {first}, not {tree.size}")
            bundles.append((offset, first, len(entries)))
            shown += len(entries)
            for raw, digest in entries:
                view = entry(tree.size, raw, digest, chains, gap, own)
                behind = own.closed is not None and view[0] != "@log"
                must(not behind, f"entry {tree.size} comes after entry {own.closed}, which closed the log")
                if view[0] == "@log":
                    noted(tree.size, view[3], keys, own)
                tree.push(hashlib.sha256(b"\0" + digest).digest())
                if kept:
                    kept.look(tree)
                report(*view)
        elif tag == b"LEFT":
            first, gap, subtrees = left_out(body)
            must(first == tree.size, f"section LEFT at byte {offset} begins with entry {first}, not {tree.size}")
            for width, node in subtrees:
                tree.push(node, width)
                if kept:
                    kept.look(tree)
        elif tag == b"INDX":
            must(end is None, "the archive has two indexes")
            rest, end = Bytes(body, "section INDX"), offset
            for known in bundles:
                record_of = (number(rest.take(8)), number(rest.take(8)), number(rest.take(4)))
                must(record_of == known, f"the index lies about the bundle at byte {known[0]}")
                for _ in range(number(rest.take(4))):
                    rest.take(number(rest.take(1)) + 16)
            must(rest.at == len(body), "section INDX has bytes behind its end")
        elif tag == b"end":
            trailer = [number(body[place : place + 8]) for place in (0, 8, 16)]
            must(trailer == [end, len(bundles), shown], "the trailer does not fit the archive: it is cut or altered")
            must(check(body[:24]) == body[24:56] and body[56:] == b"AUDITEND", "the trailer was altered")
        else:
            raise Broken(f"the section at byte {offset} is of no kind this reader knows")
    must(note is not None and end is not None, "the archive is cut off")
    must(note, "the archive carries no checkpoint: nothing says what it should hold")
    key = key if given is None else given
    origin, size, root = checkpoint(note, key, keys)
    must(size == tree.size, f"{size} entries were signed for and {tree.size} are here or left out")
    must(tree.root() == root, "the entries do not give the root that was signed")
    must(origin not in own.others, "the log names itself as the one before or behind it")
    if kept:
        kept.check(key, keys, shown < size)
    if own.unknown:
        raise Unknown(f"a notice of kind {own.unknown[0]} is not known to this reader; what it changes is not known")
    return origin, size, root, shown


def main(arguments):
    show = "--events" in arguments
    arguments = [argument for argument in arguments if argument != "--events"]

    def option(name):
        if name not in arguments:
            return None
        place = arguments.index(name)
        value = arguments[place + 1 : place + 2]
        del arguments[place : place + 2]
        return value[0] if value else ""

    given, kept = option("--key"), option("--checkpoint")
    if len(arguments) != 1 or given == "" or kept == "":
        print(__doc__, file=sys.stderr)
        return 2
    try:
        if given is not None:
            if pathlib.Path(given).is_file():
                given = pathlib.Path(given).read_text()
            public_key(given)
    except (ValueError, IndexError, Broken):
        print("--key: there is no such file with a verifier key, and it is none itself (NAME+ID+BASE64)", file=sys.stderr)
        return 2
    try:
        kept = kept and Kept(pathlib.Path(kept).read_text())
    except (OSError, ValueError, IndexError) as error:
        print(f"--checkpoint: {error}", file=sys.stderr)
        return 2

    def report(table, first, count, payload):
        for event in events(table, first, count, payload):
            if show:
                print(json.dumps(event, ensure_ascii=False, separators=(",", ":")))

    try:
        origin, size, root, shown = verify(pathlib.Path(arguments[0]).read_bytes(), given, report, kept)
    except (NoArchive, OSError) as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 4
    except Unknown as error:
        print(f"{arguments[0]}: nothing wrong was found, but: {error}", file=sys.stderr)
        return 5
    except Exception as error:  # whatever a damaged byte leads to, it is not what was sealed
        said = str(error) if str(error).startswith("not anchored") else f"not intact: {error}"
        print(f"{arguments[0]}: {said}", file=sys.stderr)
        return 3
    here = "" if shown == size else f", {shown} of them here"
    by = "" if given else ", by the key in the archive itself"
    print(f"intact{by}: {origin}, {size} entries{here}, root {base64.b64encode(root).decode()}", file=sys.stderr)
    if kept:
        print(f"anchored: it begins with the {kept.size} entries of the checkpoint that was kept", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
