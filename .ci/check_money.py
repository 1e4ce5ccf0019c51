#!/usr/bin/env python3
"""Calculates from the events alone what every seat got beyond what was due, and compares it with `audit report`.

    .ci/check_money.py AUDIT FILE.ndjson...

This is no judge: it knows cards, tableau, paytables and commission, and nothing of findings. It was written without
the judge's code. It declines tables where a player is the bank, and records with a gap or with cards that were not
read, because one sum is then no answer. Exit status 0: every sum it calculated is the one in `owed.csv`.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile
from collections import defaultdict
from fractions import Fraction

POINTS = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(n): n for n in range(2, 10)}


class Declined(Exception):
    """One sum would be no answer."""


def points(cards):
    return sum(POINTS[card[0]] for card in cards) % 10


def rounded(amount, how):
    unit = how.get("unit", 1)
    units = amount / unit
    whole, rest = units.numerator // units.denominator, units - units.numerator // units.denominator
    half = Fraction(1, 2)
    mode = how["mode"]
    up = {"down": False, "up": rest > 0, "half-up": rest >= half, "half-even": rest > half or (rest == half and whole % 2)}
    return (whole + bool(up[mode])) * unit


def deal(book, cards):
    """The hands that these cards make when they are dealt in this order by the rules, or None if there are too few."""
    if len(cards) < 4:
        return None
    first = cards[:4]
    if book["deal"]["order"] == "alternate":
        punto, banca = [first[0], first[2]], [first[1], first[3]]
    else:
        punto, banca = first[:2], first[2:]
    rest = list(cards[4:])
    if max(points(punto), points(banca)) >= 8:
        return punto, banca
    third = None
    if book["tableau"]["punto"][points(punto)] == "T":
        if not rest:
            return None
        third = rest.pop(0)
        punto.append(third)
    row = book["tableau"]["banca"][points(banca)].replace(" ", "")
    if row[10 if third is None else points([third])] == "T":
        if not rest:
            return None
        banca.append(rest.pop(0))
    return punto, banca


def pair(hand):
    one, two = hand[:2]
    if one[0] != two[0]:
        return "none"
    if one[1] == two[1]:
        return "suited"
    red = "HD"
    return "same-colour" if (one[1] in red) == (two[1] in red) else "mixed"


def matches(row, punto, banca):
    hands = {"punto": punto, "banca": banca}
    totals = {side: points(hand) for side, hand in hands.items()}
    natural = {side: len(hand) == 2 and totals[side] >= 8 for side, hand in hands.items()}
    winner = "tie" if totals["punto"] == totals["banca"] else max(totals, key=totals.get)
    for key, wanted in row.items():
        if key in ("pays", "commission"):
            continue
        wanted = wanted if isinstance(wanted, list) else [wanted]
        side = key.split("-")[0]
        if key == "winner":
            holds = winner in wanted
        elif key == "margin":
            holds = abs(totals["punto"] - totals["banca"]) in wanted
        elif key == "cards":
            holds = len(punto) + len(banca) in wanted
        elif key.endswith("-total"):
            holds = totals[side] in wanted
        elif key.endswith("-cards"):
            holds = len(hands[side]) in wanted
        elif key.endswith("-natural"):
            holds = natural[side] in wanted
        elif key.endswith("-pair"):
            made = pair(hands[side])
            holds = made in wanted or ("any" in wanted and made != "none")
        else:
            raise Declined(f"condition {key}")
        if not holds:
            return False
    return True


def due(book, bet, hands):
    """What a bet returns, net of commission."""
    table = book["bets"].get(bet["kind"])
    if table is None:
        raise Declined(f"a bet on {bet['kind']}, which is not offered")
    row = next((row for row in table["rows"] if matches(row, *hands)), None)
    stake = bet["stake"]
    if row is None:
        return 0
    if row["pays"] == "push":
        return stake
    num, den = row["pays"].split(":")
    win = rounded(Fraction(stake) * Fraction(int(num), int(den)), book["payout-rounding"])
    fee = 0
    if "commission" in book and table.get("commission") and row.get("commission", True):
        fee = rounded(win * Fraction(book["commission"]["rate"]), book["commission"]["rounding"])
    return stake + win - fee


def read(path):
    """The events of each table in the order of their numbers, observations as they were corrected last."""
    tables = defaultdict(dict)
    for line in pathlib.Path(path).read_text().splitlines():
        if line.strip():
            event = json.loads(line)
            (kind, body), = event["event"].items()
            tables[event["table"]].setdefault(event["sequence"], (kind, body))
    for numbers in tables.values():
        if sorted(numbers) != list(range(1, len(numbers) + 1)):
            raise Declined("events are missing")
    return {table: [numbers[n] for n in sorted(numbers)] for table, numbers in tables.items()}


def corrected(events):
    """Corrections of what was observed, applied; a decision counts as it was taken, so its corrections do not."""
    events = list(events)
    for kind, body in list(events):
        if kind == "CorrectionRecorded":
            (new_kind, new), = body["corrected"].items()
            at = body["corrects"] - 1
            if at < len(events) and events[at][0] == new_kind and new_kind in ("CardDrawn", "CoupSettled", "CommissionCollected", "BurnCards"):
                events[at] = (new_kind, new)
            elif at < len(events) and events[at][0] == new_kind == "BetPlaced":
                # The chips that were on the table are those that the correction names; what is due follows the first record.
                events[at] = ("BetPlaced", events[at][1] | {"put-down": new["stake"]})
            else:
                raise Declined(f"a correction of {new_kind}")
    return events


class Coup:
    def __init__(self):
        self.bets, self.gone, self.late = [], set(), set()
        self.cards, self.closed, self.settled, self.void = [], False, [], False


def seats_of(events):
    """Difference between what was recorded and what was due, by seat; 0 is the house."""
    book = next(body["rulebook"] for kind, body in events if kind == "TableOpened")
    if "chemin" in book:
        raise Declined("a player is the bank")
    boxed = book.get("commission", {}).get("charge") == "boxed"
    coups, order, boxes = defaultdict(Coup), [], defaultdict(int)
    differences, where, shoe, left = defaultdict(int), {}, [], set()
    for kind, body in corrected(events):
        coup = coups[body["coup"]] if isinstance(body, dict) and body.get("coup") is not None else None
        if kind == "ShoeLoaded":
            if any(not one.settled and one.bets for one in coups.values()):
                raise Declined("a coup that was never settled")
            account(book, boxed, coups, shoe, differences, boxes)
            coups.clear()
            shoe = []
        elif kind == "BetPlaced":
            coup.bets.append(body)
            where[body["bet"]] = coup
            if coup.closed or coup.cards:
                coup.late.add(len(coup.bets) - 1)
        elif kind == "BetWithdrawn":
            coup = where.get(body["bet"])
            if coup is None:
                continue
            if coup.closed or coup.cards:
                raise Declined("a bet taken back late")
            coup.gone.add(next(at for at, bet in enumerate(coup.bets) if bet["bet"] == body["bet"]))
        elif kind == "BetsClosed":
            coup.closed = True
        elif kind == "CardDrawn":
            if "?" in body["card"]:
                raise Declined("a card that was not read")
            if body["to"] in ("punto", "banca"):
                coup.cards.append((body["position"], body["card"], body["to"]))
            shoe.append((body["position"], body["card"], body["coup"]))
        elif kind == "SeatLeft":
            left.add(body["seat"])
        elif kind == "SeatTaken":
            left.discard(body["seat"])
        elif kind == "CoupSettled":
            coup.settled.append(body)
        elif kind == "CoupVoided":
            coup.void = True
        elif kind == "CommissionCollected":
            if body["seat"] in left:
                raise Declined("commission that was paid after it was due")
            boxes[body["seat"]] -= body["amount"]
        elif kind == "IrregularityRecorded":
            raise Declined("an irregularity")
    account(book, boxed, coups, shoe, differences, boxes)
    kinds = [kind for kind, _ in events]
    is_over = "ShoeEnded" in kinds and "CardDrawn" not in kinds[kinds.index("ShoeEnded"):]
    for seat, owed in boxes.items():
        if is_over or owed < 0 or seat in left:
            differences[seat] += owed
    return {seat: sum_ for seat, sum_ in differences.items() if sum_}


def account(book, boxed, coups, shoe, differences, boxes):
    last_coup = next(reversed(coups.values()), None)
    for number, coup in coups.items():
        if not coup.settled and not (coup.void and coup is not last_coup):
            continue
        returned, marked = defaultdict(int), defaultdict(int)
        ids = [bet["bet"] for bet in coup.bets]
        if len(set(ids)) < len(ids):
            raise Declined("two bets under one id")
        for settled in coup.settled:
            for line in settled["bets"]:
                if line["bet"] not in ids:
                    differences[0] -= line["returned"]
                    continue
                if ids.index(line["bet"]) in coup.gone:
                    differences[0] -= line["returned"]
                    continue
                fee = line.get("commission", 0) if boxed else 0
                returned[line["bet"]] += line["returned"] - fee
                marked[line["bet"]] += fee
        dealt = [card for _, card, _ in sorted(coup.cards)]
        last = max((position for position, _, _ in coup.cards), default=0)
        hands = deal(book, dealt + [card for position, card, _ in sorted(shoe) if position > last])
        if hands is None and not coup.void:
            raise Declined("cards that are missing")
        for at, bet in enumerate(coup.bets):
            if at in coup.gone:
                continue
            owed = bet["stake"] if coup.void or at in coup.late else due(book, bet, hands)
            put_down = bet.get("put-down", bet["stake"])
            differences[bet["seat"]] += (returned[bet["bet"]] - put_down) - (owed - bet["stake"])
            boxes[bet["seat"]] += 0 if coup.void else marked[bet["bet"]]


def reported(audit, path, folder):
    log = folder / "log"
    subprocess.run([audit, "init", log], check=True, capture_output=True)
    subprocess.run([audit, "ingest", path, "--log", log], capture_output=True)
    subprocess.run([audit, "report", log, "--csv", folder / "csv"], capture_output=True)
    sums = defaultdict(lambda: defaultdict(int))
    with open(folder / "csv" / "owed.csv", newline="") as rows:
        for row in csv.DictReader(rows):
            net = int(row["gained_minor_units"]) - int(row["lost_minor_units"])
            sums[row["table"]][int(row["seat"])] += net
    return {table: {seat: net for seat, net in seats.items() if net} for table, seats in sums.items()}


def players(tables):
    """The sums of the players: what the house got is the balance."""
    sums = {table: {seat: net for seat, net in seats.items() if seat} for table, seats in tables.items()}
    return {table: seats for table, seats in sums.items() if seats}


def main():
    audit, *paths = sys.argv[1:]
    equal, declined, wrong = 0, [], []
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            try:
                expected = {table: seats_of(events) for table, events in read(path).items()}
            except Declined as why:
                declined.append((path, why))
                continue
            found = reported(audit, path, pathlib.Path(folder))
            expected, found = players(expected), players(found)
            if expected == found:
                equal += 1
            else:
                wrong.append(path)
                print(f"{path}: from the events {expected}; reported {found}")
    for path, why in declined:
        print(f"not calculated: {path}: {why}")
    print(f"{equal} equal, {len(wrong)} different, {len(declined)} not calculated")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
