#!/usr/bin/env python3
"""Compares tiles, proofs and checkpoints written by `audit` with a Merkle tree that is not ours.

check_tiles.py AUDIT FIXTURE: seals the fixture in two runs and exports its tiles. Then pymerkle makes every root,
tile and proof from the published entry digests alone.
"""
import base64
import pathlib
import subprocess
import sys
import tempfile

from pymerkle import InmemoryTree

audit, fixture = sys.argv[1:]
audit = pathlib.Path(audit).resolve()
events = pathlib.Path(fixture).resolve().read_text().splitlines()
place = pathlib.Path(tempfile.mkdtemp())


def run(*arguments):
    subprocess.run([audit, *map(str, arguments)], cwd=place, check=True, stdout=subprocess.DEVNULL)


def check(holds, what):
    if not holds:
        sys.exit(what)


def tree_of(entries):
    tree = InmemoryTree(algorithm="sha256")
    for entry in entries:
        tree.append_entry(entry)
    return tree


def root_of(entries):
    return tree_of(entries).get_root(len(entries))


def split(text):
    """Title lines, hashes, and the checkpoint's size and root."""
    head, checkpoint = text.split("\n\n")[:2]
    titles = [line for line in head.splitlines() if " " in line or "/tlog-proof@" in line]
    hashes = [base64.b64decode(line) for line in head.splitlines() if line not in titles]
    _, size, root = checkpoint.splitlines()
    return titles, hashes, int(size), base64.b64decode(root)


def extension(old, first, last, known):
    """The ranges whose roots are a consistency proof (RFC 9162 section 2.1.4.1)."""
    if old == last - first:
        return [] if known else [(first, last)]
    left = 1 << (last - first - 1).bit_length() - 1
    if old <= left:
        return extension(old, first, first + left, known) + [(first + left, last)]
    return extension(old - left, first + left, last, False) + [(first, first + left)]


def tile(level, number, width):
    """A tile or (level `entries`) a bundle, whole or partial."""
    return (place / "site/tile" / level / f"{number:03}{'' if width == 256 else f'.p/{width}'}").read_bytes()


(place / "first").write_text("\n".join(events[:300]))
(place / "whole").write_text("\n".join(events))
run("ingest", "first", "--log", "log", "--create", "--live", "--origin", "casino.example/sala/1")
(place / "older").write_text((place / "log/checkpoint").read_text())
run("ingest", "whole", "--log", "log", "--live")
run("export", "log", "--tiles", "site")
_, _, size, root = split("\n\n" + (place / "site/checkpoint").read_text())

entries, above = [], b""
for first in range(0, size, 256):
    width = min(256, size - first)
    bundle = tile("entries", first // 256, width)
    found = [bundle[at : at + 34] for at in range(0, len(bundle), 34)]
    check(len(found) == width and all(entry[:2] == b"\x00\x20" for entry in found), f"bundle at {first}")
    found = [entry[2:] for entry in found]
    leaves = b"".join(tree_of([]).hash_buff(entry) for entry in found)
    check(leaves == tile("0", first // 256, width), f"tile at {first} is not that of its entries")
    above += root_of(found) if width == 256 else b""
    entries += found
check(above == tile("1", 0, size // 256), "level 1 is not that of the tiles below")
tree = tree_of(entries)
check(tree.get_root(size) == root, "pymerkle makes another root of the published entries")

for index in (0, 1, 255, 256, 511, 600, size - 1):
    run("prove", "entry", "log", "--index", index, "--out", "proof", "--without-entry", "--force")
    titles, hashes, proven, _ = split((place / "proof").read_text())
    check(titles == ["c2sp.org/tlog-proof@v1", f"index {index}"], f"titles {titles}")
    check(hashes == tree.prove_inclusion(index + 1, proven).path[1:], f"pymerkle proves entry {index} otherwise")

_, _, old, old_root = split("\n\n" + (place / "older").read_text())
check(tree.get_root(old) == old_root, "pymerkle makes another root of the older checkpoint's entries")
run("prove", "checkpoint", "log", "older", "--out", "extension")
titles, hashes, new, _ = split((place / "extension").read_text())
ranges = extension(old, 0, new, True)
check(titles == [f"old {old}"], f"titles {titles}")
check(hashes == [root_of(entries[first:last]) for first, last in ranges], "pymerkle extends it otherwise")
print(f"pymerkle makes the same roots, tiles and proofs of {size} published entries")
