#!/usr/bin/env python3
"""Calculates from the events alone what every seat got beyond what was due, and compares it with `audit report`.

    .ci/check_money.py AUDIT FILE.ndjson...

This is no judge: it knows cards, tableau, paytables and commission, and nothing of findings. It was written without
the judge's code. Where a player is the bank it follows the bank as well. It declines records with a gap, with rulings that
change what is due, or with cards that were not read and decide a bet, because one sum is then no answer. Exit status 0:
every sum it calculated is the one in `owed.csv`.
"""

import concurrent.futures
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import prod

POINTS = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(n): n for n in range(2, 10)}


class Declined(Exception):
    """One sum would be no answer."""


class Uncovered(Declined):
    """No source says who is paid."""


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
    """What a bet returns, net of commission. On a kind that is not offered nothing can be won or lost."""
    table = book["bets"].get(bet["kind"])
    if table is None:
        return bet["stake"]
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
    for here, (kind, body) in enumerate(list(events)):
        if kind == "CorrectionRecorded":
            (new_kind, new), = body["corrected"].items()
            at = body["corrects"] - 1
            if at >= here or new_kind in ("TableOpened", "LimitsChanged"):
                continue  # it corrects what comes later, or what no correction changes: the first record counts
            if at < len(events) and events[at][0] == new_kind and new_kind in ("CardDrawn", "CoupSettled", "CommissionCollected", "BurnCards"):
                events[at] = (new_kind, new)
            elif at < len(events) and events[at][0] == new_kind and new_kind in ("BetPlaced", "AbonoPlaced"):
                # The chips that were on the table are those that the correction names; what is due follows the first record.
                events[at] = (new_kind, events[at][1] | {"put-down": new["stake"]})
            elif at < len(events) and events[at][0] == new_kind == "BankPassed" and new["seat"] == events[at][1]["seat"]:
                # What was taken away is what the correction names.
                events[at] = ("BankPassed", events[at][1] | {"amount": new["amount"]})
            elif at < len(events) and events[at][0] == new_kind == "BankTaken" and new["seat"] == events[at][1]["seat"]:
                events[at] = ("BankTaken", events[at][1] | {"raised": True})
            elif new_kind in ("GarajeSet", "BancoCalled", "DrawDecided", "PuntoHolder", "ShoeLoaded"):
                continue  # what is due follows the first record, and nobody put down or took away anything by it
            else:
                raise Declined(f"a correction of {new_kind}")
    return events


def decline_ruling(book, body):
    """What is due is not by the cards alone where a ruling says otherwise."""
    consequence = book.get("irregularities", {}).get(body["code"], {}).get("consequence", "ruling")
    if consequence not in ("ruling", "card-stays", "card-removed"):
        raise Declined("a ruling that changes what is due")


class Coup:
    def __init__(self):
        self.bets, self.gone, self.late, self.gone_late = [], set(), set(), set()
        self.cards, self.closed, self.settled, self.void = [], False, [], False


def seats_of(events):
    """Difference between what was recorded and what was due, by seat; 0 is the house."""
    book = next(body["rulebook"] for kind, body in events if kind == "TableOpened")
    if "chemin" in book:
        return at_a_bank(book, corrected(events))
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
            late = coup.closed or coup.cards
            (coup.gone_late if late else coup.gone).add(next(at for at, bet in enumerate(coup.bets) if bet["bet"] == body["bet"]))
        elif kind == "BetsClosed":
            coup.closed = True
        elif kind == "CardDrawn":
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
            boxes[body["seat"]] -= body["amount"]
        elif kind == "IrregularityRecorded":
            decline_ruling(book, body)
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
        ways = [None] if coup.void else worlds(book, coup, dealt, [card for position, card, _ in sorted(shoe) if position > last])
        for at, bet in enumerate(coup.bets):
            if at in coup.gone:
                continue
            put_down, back = bet.get("put-down", bet["stake"]), returned[bet["bet"]]
            if at in coup.gone_late:
                back += bet["stake"]
            if coup.void or at in coup.late:
                owed = bet["stake"]
            else:
                # What was paid leaves the cards that explain it; if none do, the nearest sum was due.
                owed, ways = nearest({id(way): due(book, bet, way) for way in ways}, ways, back)
            differences[bet["seat"]] += (back - put_down) - (owed - bet["stake"])
            boxes[bet["seat"]] += 0 if coup.void else marked[bet["bet"]]


FACES = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]


def readings_of(card):
    """What a card may be that was not read, or not whole."""
    return [face for face in FACES if all(c in ("?", f) for c, f in zip(card, face))]


def worlds(book, coup, dealt, behind):
    """The hands of every reading of cards that were not read: one if all were. Readings that the record contradicts are left out."""
    options = list(map(readings_of, dealt))
    if max(map(len, options), default=1) == 1:
        hands = deal(book, dealt + behind)
        if hands is None:
            raise Declined("cards that are missing")
        return [hands]
    if prod(map(len, options)) > len(FACES) ** 2:
        raise Declined("more than two cards that were not read")
    lying, said = {side: len([to for _, _, to in coup.cards if to == side]) for side in ("punto", "banca")}, coup.settled[-1]
    ways = {}
    for cards in product(*options):
        hands = deal(book, list(cards))
        if hands and {"punto": len(hands[0]), "banca": len(hands[1])} == lying:
            ways[str(hands)] = hands
    if not ways:
        raise Declined("a draw that no reading of a card makes right")
    ways = list(ways.values())
    announced = lambda hands: (points(hands[0]), points(hands[1])) == (said["punto_total"], said["banca_total"])
    ways = list(filter(announced, ways)) or ways
    won = lambda hands: "tie" if points(hands[0]) == points(hands[1]) else "punto" if points(hands[0]) > points(hands[1]) else "banca"
    return [hands for hands in ways if won(hands) == said["winner"]] or ways


def nearest(sums, ways, back):
    """The sum that lies nearest to what came back, and the ways that are left."""
    owed = min(sums.values(), key=lambda each: abs(back - each))
    return owed, [way for way in ways if sums[id(way)] == back] or ways


class Banker:
    def __init__(self, body):
        self.who, self.bank, self.garaje, self.lost = (body["seat"], body.get("player")), body["amount"], 0, False
        self.raised = body.get("raised", False)


class BankCoup(Coup):
    def __init__(self):
        super().__init__()
        self.banker = self.held = self.account = None


def at_a_bank(book, events):
    """The same where a player is the bank."""
    most = next(body["limits"]["maximum"] for kind, body in events if kind == "TableOpened")
    coups, where, differences, banker = {}, {}, defaultdict(int), None

    def lacks():
        """The banker was not given what the bank holds."""
        differences[banker.who[0]] -= banker.bank + banker.garaje

    for kind, body in events:
        coup = None
        if isinstance(body, dict) and body.get("coup") is not None:
            coup = coups.setdefault(body["coup"], BankCoup())
            if coup.held is None:
                coup.banker, coup.held = banker, (banker.bank, banker.garaje) if banker else (0, 0)
                if banker:
                    banker.lost = False
        if kind in ("BetPlaced", "AbonoPlaced"):
            bet = body | {"kind": body.get("kind", "abono")}
            if bet["kind"] == "abono" and "abonos" not in book["chemin"]:
                raise Declined("an abono that the rulebook does not have")
            if coup.closed or coup.cards:
                coup.late.add(len(coup.bets))
            coup.bets.append(bet)
            where[bet["bet"]] = coup
        elif kind == "BetWithdrawn" and where.get(body["bet"]):
            coup = where[body["bet"]]
            late = coup.closed or coup.cards
            (coup.gone_late if late else coup.gone).add(next(at for at, bet in enumerate(coup.bets) if bet["bet"] == body["bet"]))
        elif kind == "BancoCalled" and body["call"] == "seguido":
            coup.closed = False
        elif kind == "BetsClosed":
            coup.closed = True
        elif kind == "CardDrawn" and body["to"] in ("punto", "banca"):
            coup.cards.append((body["position"], body["card"], body["to"]))
        elif kind == "BankTaken":
            if banker and banker.lost:
                lacks()
            banker = Banker(body)
        elif kind == "GarajeSet" and banker:
            if body["kind"] in ("voluntary", "improper"):
                moved = min(body["amount"], banker.bank)
                banker.bank, banker.garaje = banker.bank - moved, banker.garaje + moved
            elif body["kind"] == "todo-va":
                banker.garaje, banker.bank = max(0, banker.garaje - body["amount"]), banker.bank + body["amount"]
        elif kind == "BankSettled" and coup.account is None:
            coup.account = body
            if banker is coup.banker and banker:
                banker.bank, banker.garaje = body["bank"], body["garaje"]
        elif kind == "CoupSettled":
            coup.settled.append(body)
            if len(coup.settled) > 1 or coup.banker is None:
                raise Declined("a coup that is settled twice, or without a bank")
            try:
                came_to = settle(book, coup, most, differences)
            except Uncovered:
                if not coup.banker.raised or coup.account is None or coup.account["lost"]:
                    raise
                # Whose stake was not covered is not known. But no bank wins more than it holds.
                differences[coup.banker.who[0]] += max(0, coup.account["won"] - coup.held[0])
                came_to = None
            won, lost, fee = came_to or (0, 0, 0)
            if came_to is None:
                pass
            elif coup.account is None:
                differences[coup.banker.who[0]] -= max(0, won - fee)
                coup.banker.bank = max(0, coup.banker.bank + won - lost - fee)
            else:
                due_sum = max(0, coup.held[0] + won - lost - fee) + coup.held[1]
                differences[coup.banker.who[0]] += coup.account["bank"] + coup.account["garaje"] - due_sum
            coup.banker.lost = body["winner"] == "punto"
        elif kind == "IrregularityRecorded":
            decline_ruling(book, body)
        elif kind == "CoupVoided" and not coup.settled:
            raise Declined("a void coup at a player's bank")
        elif kind == "BankPassed":
            if banker and (body["seat"], body.get("player")) == banker.who:
                differences[banker.who[0]] += body["amount"] - banker.bank - banker.garaje
            else:
                differences[body["seat"]] += body["amount"]
                if banker:
                    lacks()
            banker = None
        elif kind == "DealOffered" and banker and banker.lost:
            lacks()
            banker.lost = False
        elif kind == "SeatLeft" and banker and body["seat"] == banker.who[0]:
            lacks()
            banker = None
    return {seat: sum_ for seat, sum_ in differences.items() if sum_}


def settle(book, coup, most, differences):
    """What every stake brought beyond what was due; returns what the bank won and lost, and its commission."""
    hands = [[card for _, card, to in sorted(coup.cards) if to == side] for side in ("punto", "banca")]
    if min(map(len, hands)) < 2:
        raise Declined("cards that are missing")
    readings = [{points(cards) for cards in product(*map(readings_of, hand))} for hand in hands]
    said = coup.settled[0]["punto_total"], coup.settled[0]["banca_total"]
    fits = all(total in each for total, each in zip(said, readings))
    if max(map(len, readings)) > 1 and not fits:
        raise Declined("totals that no reading of a card makes right")
    punto, banca = said if fits else (readings[0].pop(), readings[1].pop())
    # A player's earlier stakes are within the bank first; what lies above it comes back.
    plays, sums = {}, defaultdict(int)
    for at, bet in enumerate(coup.bets):
        whose = (bet["kind"], bet.get("player") or bet["seat"])
        within = min(bet["stake"], max(0, (coup.held[0] if bet["kind"] == "punto" else most) - sums[whose]))
        if at in coup.late:
            within = min(bet["stake"], coup.held[0]) if bet["kind"] == "punto" else bet["stake"]
        elif at not in coup.gone:
            sums[whose] += bet["stake"]
        plays[at] = within
    stands = [at for at in plays if at not in coup.gone and at not in coup.gone_late]
    total = lambda kind: sum(plays[at] for at in stands if coup.bets[at]["kind"] == kind)
    covered = total("punto") <= coup.held[0] + total("abono")
    if not covered:
        # No source says who is paid. If all was covered at the close, it is known what was taken back too late.
        closed = lambda kind: sum(plays[at] for at in plays if coup.bets[at]["kind"] == kind and at not in coup.gone)
        if not coup.gone_late or coup.late or closed("punto") > coup.held[0] + closed("abono"):
            raise Uncovered("more is staked than bank and abonos hold")
    fee_on = lambda won: rounded(Fraction(won) * Fraction(book["commission"]["rate"]), book["commission"]["rounding"])
    lines = {line["bet"]: line["returned"] for line in coup.settled[0]["bets"]}
    for line in set(lines) - {bet["bet"] for at, bet in enumerate(coup.bets) if at not in coup.gone}:
        differences[0] -= lines[line]
    for at, bet in enumerate(coup.bets):
        if at in coup.gone or not (covered or at in coup.gone_late):
            continue
        own = bet["kind"] == "abono" and (bet["seat"], bet.get("player")) == coup.banker.who
        if punto == banca:
            owed = bet["stake"]
        elif (punto > banca) == (bet["kind"] == "punto"):
            owed = bet["stake"] + plays[at] - (fee_on(plays[at]) if own else 0)
        else:
            owed = bet["stake"] - plays[at]
        back = lines.get(bet["bet"], 0) + (bet["stake"] if at in coup.gone_late else 0)
        put_down = bet.get("put-down", bet["stake"])
        differences[bet["seat"]] += back - put_down - ((bet["stake"] if at in coup.late else owed) - bet["stake"])
    # What came too late plays for nothing by the rules, and what was taken back too late still plays.
    stands = [at for at in plays if at not in coup.gone and at not in coup.late]
    if (coup.late or coup.gone_late) and not (covered and total("punto") <= coup.held[0] + total("abono")):
        raise Declined("late bets of which nobody knows what they moved at the bank")
    part = min(coup.held[0], max(0, total("punto") - total("abono")))
    won, lost = (part, 0) if banca > punto else (0, part) if punto > banca else (0, 0)
    return (won, lost, fee_on(won)) if covered else None


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


def both(audit, path):
    """What a record comes to by the events and by the report, by player; or why it is not calculated."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            expected = {table: seats_of(events) for table, events in read(path).items()}
        except Declined as why:
            return why
        return players(expected), players(reported(audit, path, pathlib.Path(folder)))


def main():
    audit, *paths = sys.argv[1:]
    equal, declined, wrong = 0, [], []
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    for path, came_to in zip(paths, pool.map(lambda path: both(audit, path), paths)):
        if isinstance(came_to, Declined):
            declined.append((path, came_to))
            continue
        expected, found = came_to
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
