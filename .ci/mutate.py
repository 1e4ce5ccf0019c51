#!/usr/bin/env python3
"""Makes many short, slightly wrong histories out of honest ones.

    .ci/mutate.py --seed N --count N [--only KIND | --rough | --gaps | --lost] FILES... > histories.ndjson

Each history is the beginning of one honest table session, up to the end of some coup of its shoe, with
none to two seeded changes, under a table name of its own (M-000001, M-000002, ...), so that one file
holds many. The results of two judges for such a file can be compared line by line.

With --gaps each history is a whole session in which stretches of events are missing, as the numbering shows.
Nothing else is wrong.

With --lost each history is a whole session in which one value was recorded wrongly, was corrected in time, and the
correction is missing, as the numbering shows. Nothing else is wrong.
"""

import argparse
import copy
import datetime
import json
import random
import sys
import unicodedata

RANKS, SUITS = "A23456789TJQK", "CDHS"


class History:
    """The events of one table, each [sequence, time, name, value]."""

    def __init__(self, events, rng):
        self.events, self.rng = events, rng

    def places(self, *names):
        """The positions of events of these names."""
        return [i for i, event in enumerate(self.events) if event[2] in names]

    def pick(self, *names):
        """The position of one of them, or nothing."""
        places = self.places(*names)
        return self.rng.choice(places) if places else None

    def insert(self, place, name, value):
        """Inserts an event, and renumbers those behind it."""
        place = min(place, len(self.events))
        base = self.events[max(0, min(place, len(self.events) - 1))]
        self.events.insert(place, [0, base[1], name, value])
        self.shift_numbers(place)

    def shift_numbers(self, place):
        """Renumbers from one position on, keeping the gaps before it."""
        for i in range(place, len(self.events)):
            self.events[i][0] = (self.events[i - 1][0] if i else 0) + 1


# Each mutation changes a history in place. It returns false if there is nothing to change.


def card(history):
    """Another card."""
    i = history.pick("CardDrawn")
    if i is None:
        return False
    history.events[i][3]["card"] = history.rng.choice(RANKS) + history.rng.choice(SUITS)


def suit(history):
    """Another suit."""
    i = history.pick("CardDrawn")
    if i is None:
        return False
    value = history.events[i][3]
    value["card"] = value["card"][0] + history.rng.choice(SUITS) if value["card"] != "??" else "??"


def unread(history):
    """A card that was not read."""
    i = history.pick("CardDrawn")
    if i is None:
        return False
    value = history.events[i][3]
    value["card"] = history.rng.choice(["??", value["card"][0] + "?" if value["card"] != "??" else "??"])


def unread_some(history):
    """Several cards of the history that were not read."""
    for i in history.places("CardDrawn"):
        if history.rng.random() < 0.15:
            history.events[i][3]["card"] = "??"


def unread_burn(history):
    """A burn whose indicator was not read."""
    i = history.pick("BurnCards")
    if i is None:
        return False
    history.events[i][3]["indicator"] = "??"


def hand(history):
    """A card to another hand, or removed."""
    i = history.pick("CardDrawn")
    if i is None:
        return False
    history.events[i][3]["to"] = history.rng.choice(["punto", "banca", "removed"])


def total(history):
    """Another announced total."""
    i = history.pick("CoupSettled")
    if i is None:
        return False
    history.events[i][3][history.rng.choice(["punto_total", "banca_total"])] = history.rng.randrange(10)


def winner(history):
    """Another announced winner."""
    i = history.pick("CoupSettled")
    if i is None:
        return False
    history.events[i][3]["winner"] = history.rng.choice(["punto", "banca", "tie"])


def settled_bet(history):
    """One bet of one settlement, or nothing."""
    places = [i for i in history.places("CoupSettled") if history.events[i][3].get("bets")]
    if not places:
        return None, None
    bets = history.events[history.rng.choice(places)][3]["bets"]
    return bets, history.rng.choice(bets)


def returned(history):
    """Another sum returned."""
    _, bet = settled_bet(history)
    if bet is None:
        return False
    bet["returned"] = max(0, bet["returned"] + history.rng.choice([-1, 1, -100, 100, 500, -bet["returned"]]))


def commission(history):
    """Another commission, with or without its sum."""
    _, bet = settled_bet(history)
    if bet is None:
        return False
    by = history.rng.choice([-bet.get("commission", 0), 1, 50, -1])
    bet["commission"] = max(0, bet.get("commission", 0) + by)
    if history.rng.random() < 0.5:
        bet["returned"] = max(0, bet["returned"] - by)


def swap_payouts(history):
    """What one bet got goes to another."""
    bets, one = settled_bet(history)
    if one is None or len(bets) < 2:
        return False
    other = history.rng.choice([bet for bet in bets if bet is not one])
    one["returned"], other["returned"] = other["returned"], one["returned"]


def bet_list(history):
    """A bet left out of a settlement, there twice, or unknown."""
    bets, one = settled_bet(history)
    if one is None:
        return False
    how = history.rng.randrange(3)
    if how == 0:
        bets.remove(one)
    else:
        bets.append(dict(one) if how == 1 else {"bet": 900_000, "returned": history.rng.choice([0, 1000, 50_000])})


def drop(history):
    """Events that are missing: the numbering shows it."""
    count = history.rng.choice([1, 1, 1, 2, 3, 8, 20])
    place = history.rng.randrange(len(history.events))
    del history.events[place : place + count]
    return bool(history.events)


def drop_quietly(history):
    """An event that never happened: the numbering does not show it."""
    place = history.rng.randrange(1, len(history.events)) if len(history.events) > 1 else 0
    del history.events[place]
    history.shift_numbers(place)
    return bool(history.events)


def duplicate(history):
    """An event recorded twice: under its number, or under the next."""
    place = history.rng.randrange(len(history.events))
    again = copy.deepcopy(history.events[place])
    history.events.insert(place + 1, again)
    if history.rng.random() < 0.6:
        history.shift_numbers(place + 1)


def conflict(history):
    """Another event under the same number."""
    place = history.rng.randrange(len(history.events))
    other = copy.deepcopy(history.rng.choice(history.events))
    other[0] = history.events[place][0]
    history.events.insert(place + history.rng.randrange(1, 3), other)


def swap(history):
    """Two events that happened the other way round."""
    if len(history.events) < 3:
        return False
    place = history.rng.randrange(1, len(history.events) - 1)
    one, other = history.events[place], history.events[place + 1]
    one[2:], other[2:] = other[2:], one[2:]


def late_arrival(history):
    """An event that comes later in the log than its number says: no fault."""
    place = history.rng.randrange(len(history.events))
    event = history.events.pop(place)
    history.events.insert(min(len(history.events), place + history.rng.randrange(1, 9)), event)


def stake(history):
    """Another stake."""
    i = history.pick("BetPlaced", "AbonoPlaced")
    if i is None:
        return False
    value = history.events[i][3]
    value["stake"] = max(1, history.rng.choice([value["stake"] + 1, value["stake"] * 20, 100, value["stake"] // 2, 10**7]))


def bet_field(history):
    """A bet of another kind, at another seat, of another player or of nobody's name."""
    i = history.pick("BetPlaced")
    if i is None:
        return False
    value, rng = history.events[i][3], history.rng
    others = [event[3] for event in history.events if event[2] == "BetPlaced"]
    how = rng.randrange(5)
    if how == 0:
        value["kind"] = rng.choice(["punto", "banca", "tie", "punto-pair", "unheard-of"])
    elif how == 1:
        value["seat"] = rng.choice([1, 2, 3, 5, 13, 77])
    elif how == 2:
        value["player"] = rng.choice(others).get("player", "player-1")
    elif how == 3:
        value.pop("player", None)
    else:
        value["bet"] = rng.choice(others)["bet"]


def nameless(history):
    """No bet has a name."""
    for i in history.places("BetPlaced"):
        if history.rng.random() < 0.8:
            history.events[i][3].pop("player", None)


def extra_bet(history):
    """One bet more."""
    i = history.pick("BetPlaced")
    if i is None:
        return False
    value = copy.deepcopy(history.events[i][3])
    value["bet"] = 800_000 + history.rng.randrange(1000)
    value["kind"] = history.rng.choice([value["kind"], "punto", "banca"])
    place = i + history.rng.randrange(1, 6)
    history.insert(min(place, len(history.events)), "BetPlaced", value)
    for event in history.events[place:]:
        if event[2] == "CoupSettled" and event[3]["coup"] == value["coup"] and history.rng.random() < 0.7:
            event[3]["bets"].append({"bet": value["bet"], "returned": history.rng.choice([0, value["stake"], 2 * value["stake"]])})
            break


def late_bet(history):
    """A bet that moves behind the close."""
    i = history.pick("BetPlaced")
    close = next((j for j in history.places("BetsClosed") if i is not None and j > i), None)
    if close is None:
        return False
    times = [event[1] for event in history.events]
    event = history.events.pop(i)
    history.events.insert(min(len(history.events), close + history.rng.randrange(0, 4)), event)
    history.shift_numbers(i)
    for event, time in zip(history.events, times):
        event[1] = time


def withdrawal(history):
    """A bet that is taken back."""
    i = history.pick("BetPlaced")
    if i is None:
        return False
    place = min(len(history.events), i + history.rng.randrange(1, 9))
    history.insert(place, "BetWithdrawn", {"bet": history.events[i][3]["bet"]})


def signatures(rng):
    """Who signs, rightly or not."""
    first = rng.choice(["inspector-1", "inspector-1", "player-1"])
    return first, rng.choice(["manager-1", "manager-1", "manager-1", None, "Inspector-1 "])


def correction(history):
    """A correction, of the same or of something else."""
    rng = history.rng
    i = history.pick("CardDrawn", "BetPlaced", "CoupSettled", "CoupSettled", "BurnCards", "SeatTaken", "TableOpened")
    if i is None:
        return False
    _, _, name, value = history.events[i]
    value = copy.deepcopy(value)
    if name == "CardDrawn":
        value["card"] = rng.choice([value["card"], rng.choice(RANKS) + rng.choice(SUITS)])
        value["position"] += rng.choice([0, 0, 0, 1])
    elif name == "BetPlaced":
        value["stake"] = rng.choice([value["stake"], value["stake"] + 5000, 5000])
    elif name == "CoupSettled" and value["bets"]:
        rng.choice(value["bets"])["returned"] += rng.choice([0, 100])
    place = min(len(history.events), i + rng.choice([1, 2, 3, 8, 20, -1]))
    if place < 1:
        return False
    names = signatures(rng)
    target = history.events[i][0]
    value = {"corrects": target, "corrected": {name: value}, "reason": "misread", "signed_by": [names[0], names[1] or "manager-1"]}
    history.insert(place, "CorrectionRecorded", value)


def void(history):
    """A coup is declared void, and its stakes come back, or not."""
    rng = history.rng
    i = history.pick("CoupSettled")
    if i is None:
        return False
    number = history.events[i][3]["coup"]
    first, second = signatures(rng)
    value = {"coup": number, "reason": "stuck cards", "ruled_by": first}
    if second:
        value["countersigned_by"] = second
    stakes = {
        event[3]["bet"]: event[3]["stake"] for event in history.events[:i]
        if event[2] in ("BetPlaced", "AbonoPlaced") and event[3]["coup"] == number
    }
    back = [{"bet": bet, "returned": sum_} for bet, sum_ in stakes.items()]
    how = rng.randrange(5)
    if back and how == 1:
        rng.choice(back)["returned"] += rng.choice([-100, 100])
    if how == 2:  # settled, then void, then what was still due
        paid = {bet["bet"]: bet["returned"] for bet in history.events[i][3]["bets"]}
        back = [{"bet": bet, "returned": max(0, sum_ - paid.get(bet, 0))} for bet, sum_ in stakes.items()]
        history.insert(i + 1, "CoupVoided", value)
        history.insert(i + 2, "CoupSettled", {"coup": number, "winner": "tie", "punto_total": 0, "banca_total": 0, "bets": back})
        return True
    if how == 3:
        history.insert(i + 1, "CoupVoided", value)
        return True
    history.events[i][3]["bets"] = back
    if how == 4:
        del history.events[i]
    history.insert(i, "CoupVoided", value)


def rightly_void(number):
    """A void that two people signed who may."""
    return {"coup": number, "reason": "stuck cards", "ruled_by": "inspector-1", "countersigned_by": "manager-1"}


def void_ahead(history):
    """The next coup is declared void while one is in play, before or after a bet of it."""
    i = history.pick("CardDrawn", "BetsClosed")
    if i is None:
        return False
    number = history.events[i][3]["coup"] + 1
    history.insert(i + 1, "CoupVoided", rightly_void(number))
    bets = [event[3] for event in history.events if event[2] == "BetPlaced"]
    if bets and history.rng.random() < 0.5:
        bet = copy.deepcopy(history.rng.choice(bets))
        bet["bet"], bet["coup"] = 700_000 + number, number
        history.insert(i + history.rng.choice([1, 2]), "BetPlaced", bet)


def void_after_collection(history):
    """A coup is declared void behind a collection of commission, and its stakes come back."""
    i = history.pick("CommissionCollected")
    settled = [j for j in history.places("CoupSettled") if i is not None and j < i]
    if not settled:
        return False
    number = history.events[settled[-1]][3]["coup"]
    history.insert(i + history.rng.choice([0, 1, 1]), "CoupVoided", rightly_void(number))


def behind_end(history):
    """Something of the last coup of a shoe is recorded behind its end."""
    i = history.pick("ShoeEnded")
    if i is None or i < 4:
        return False
    place = i - history.rng.randrange(1, 4)
    end = history.events.pop(i)
    history.events.insert(place, end)
    history.shift_numbers(place)
    bet = next((event[3] for event in reversed(history.events[:place]) if event[2] == "BetPlaced"), None)
    if bet and history.rng.random() < 0.4:
        value = copy.deepcopy(bet)
        value["bet"] = 600_000
        history.insert(place + 1, "BetPlaced", value)
        settled = next((event[3] for event in history.events[place:] if event[2] == "CoupSettled"), None)
        if settled and history.rng.random() < 0.5:
            settled["bets"].append({"bet": 600_000, "returned": 2 * value["stake"]})


def irregularity(history):
    """A ruling."""
    rng = history.rng
    i = history.pick("CardDrawn", "BurnCards")
    if i is None:
        return False
    value = history.events[i][3]
    first, second = signatures(rng)
    code = rng.choice(["card-face-up", "stuck-cards", "card-on-floor", "card-before-bets-closed", "dealing-error",
                       "burn-corrected", "burn-not-recorded", "punto-unseen-in-basket", "fifth-card", "device-failure"])
    ruling = {"code": code, "ruling": "as the house has it", "ruled_by": first}
    if second:
        ruling["countersigned_by"] = second
    if "coup" in value and rng.random() < 0.8:
        ruling["coup"] = value["coup"]
    if "position" in value and rng.random() < 0.8:
        ruling["positions"] = [value["position"]]
        if rng.random() < 0.5 and code == "card-face-up":
            history.events[i][3]["to"] = "removed"
    history.insert(min(len(history.events), i + rng.choice([0, 0, 1, 2])), "IrregularityRecorded", ruling)


def limits(history):
    """Limits that change, perhaps within a coup."""
    opened = history.pick("TableOpened")
    if opened is None or len(history.events) < 3:
        return False
    value = copy.deepcopy(history.events[opened][3]["limits"])
    how = history.rng.randrange(3)
    if how == 0:
        value["minimum"], value["maximum"] = value["minimum"] * 2, value["maximum"] * 2
    elif how == 1:
        value["maximum"] = value["minimum"] * 7
    history.insert(history.rng.randrange(1, len(history.events)), "LimitsChanged", value)


def coup_label(history):
    """Coups under other numbers."""
    i = history.rng.randrange(len(history.events))
    if "coup" not in history.events[i][3]:
        return False
    how = history.rng.randrange(3)
    if how == 0:
        history.events[i][3]["coup"] += 1
        return True
    number = history.events[i][3]["coup"]
    for event in history.events:
        if event[3].get("coup") == number and (how == 1 or event[2] == "CardDrawn"):
            event[3]["coup"] = number + 1
    return True


def positions(history):
    """Positions that are off by one from some card on."""
    i = history.pick("CardDrawn", "CutCardDrawn")
    if i is None:
        return False
    by = history.rng.choice([1, -1, 3])
    for event in history.events[i:]:
        if "position" in event[3]:
            event[3]["position"] = max(1, event[3]["position"] + by)


def no_close(history):
    """No close of the bets."""
    i = history.pick("BetsClosed")
    if i is None:
        return False
    del history.events[i]
    history.shift_numbers(i)


def settle_twice(history):
    """A second settlement."""
    i = history.pick("CoupSettled")
    if i is None:
        return False
    history.insert(i + history.rng.randrange(1, 4), "CoupSettled", copy.deepcopy(history.events[i][3]))


def collected(history):
    """Commission that is collected wrongly."""
    rng = history.rng
    i = history.pick("CommissionCollected")
    if i is not None and rng.random() < 0.6:
        value = history.events[i][3]
        value["amount"] = max(0, value["amount"] + rng.choice([-50, 50, 1]))
        return True
    value = {"seat": rng.choice([1, 2, 3, 5]), "amount": rng.choice([50, 250, 100_000]), "why": "request"}
    history.insert(rng.randrange(1, len(history.events) + 1), "CommissionCollected", value)


def burn(history):
    """Another burn."""
    i = history.pick("BurnCards")
    if i is None:
        return False
    value = history.events[i][3]
    value["burned"] = max(0, value["burned"] + history.rng.choice([-1, 1, 12]))
    value.pop("faces", None)


def shoe(history):
    """Another shoe than the rules ask for."""
    i = history.pick("ShoeLoaded")
    if i is None:
        return False
    value = history.events[i][3]
    field = history.rng.choice(["decks", "cards", "cards_behind_cut"])
    value[field] = (value.get(field) or 7) + history.rng.choice([-1, 1])


def end(history):
    """Another count of the cards left, or another position of the cut card."""
    i = history.pick("ShoeEnded", "CutCardDrawn")
    if i is None:
        return False
    field = "cards_left" if history.events[i][2] == "ShoeEnded" else "position"
    history.events[i][3][field] = max(0, history.events[i][3][field] + history.rng.choice([-1, 1]))


def seat(history):
    """Somebody sits down, gets up, or is offered the deal."""
    rng = history.rng
    name = rng.choice(["SeatTaken", "SeatLeft", "DealOffered", "DealAccepted", "DealDeclined"])
    value = {"seat": rng.choice([1, 2, 3, 4, 7, 10])}
    if name.startswith("Seat"):
        value["player"] = rng.choice(["player-1", "player-3", "newcomer"])
    history.insert(rng.randrange(1, len(history.events) + 1), name, value)


def holder(history):
    """Another holder of punto's cards."""
    i = history.pick("PuntoHolder")
    if i is None:
        return False
    history.events[i][3]["holder"] = history.rng.choice(["croupier", {"seat": 2}, {"seat": 7}])


def clock(history):
    """A clock that runs backwards."""
    i = history.rng.randrange(len(history.events))
    history.events[i][1] = history.events[max(0, i - history.rng.randrange(1, 20))][1]


def bank(history):
    """Another sum of the bank's."""
    i = history.pick("BankTaken", "BankPassed", "BankSettled", "GarajeSet", "BankBid")
    if i is None:
        return False
    value = history.events[i][3]
    field = history.rng.choice([name for name in ("amount", "won", "lost", "commission", "bank", "garaje") if name in value])
    value[field] = max(0, value[field] + history.rng.choice([-100, 100, 5000, -1]))


def decision(history):
    """Another decision, another call, another way of taking or giving up the bank."""
    i = history.pick("DrawDecided", "BancoCalled", "BankTaken", "BankPassed", "PlayersPresent", "LeaveGiven")
    if i is None:
        return False
    name, value, rng = history.events[i][2], history.events[i][3], history.rng
    if name == "DrawDecided":
        value["decision"] = rng.choice(["carta", "no"])
    elif name == "BancoCalled":
        value["call"] = rng.choice(["banco", "con-la-mesa", "ultimo-completo", "seguido", "asociado"])
    elif name == "BankTaken":
        value["how"] = rng.choice(["turn", "standing", "auction", "retaken", "minimum", "continued"])
    elif name == "BankPassed":
        value["why"] = rng.choice(["lost", "voluntary", "refused", "left", "shoe-end"])
    elif name == "PlayersPresent":
        value["players"] = rng.choice([2, 3, 4, 20])
    else:
        value["office"] = rng.choice(["director-de-juegos", "jefe-de-mesa", "nobody"])


# Rougher changes: what a table does that was opened twice, ruled on by a stranger, or written by a thief.


def reopened(history):
    """A table that is closed, or opened again, or both: between coups or in one."""
    opened = history.pick("TableOpened")
    if opened is None or len(history.events) < 3:
        return False
    rng = history.rng
    value = copy.deepcopy(history.events[opened][3])
    how = rng.randrange(5)
    if how == 0:
        value["limits"]["maximum"] *= 2
    elif how == 1:
        value["limits"]["minimum"] *= 2
    elif how == 2:
        value["currency"] = rng.choice(["EUR", "USD", "XXX", "ABC"])
    elif how == 3:
        value["seats"] = value["seats"][: rng.randrange(1, len(value["seats"]) + 1)]
    place = rng.randrange(opened + 1, len(history.events) + 1)
    if rng.random() < 0.6:  # after a settlement, where a table may well close
        settled = [i + 1 for i in history.places("CoupSettled") if i > opened]
        place = rng.choice(settled) if settled else place
    which = rng.randrange(4)
    if which != 2:
        history.insert(place, "TableClosed", {})
    if which != 3:
        later = place + (which != 2) + (rng.randrange(4) if rng.random() < 0.3 else 0)
        history.insert(later, "TableOpened", value)


ODD_CODES = [
    "card-face-up", "stuck-cards", "card-on-floor", "card-before-bets-closed", "dealing-error", "burn-corrected",
    "burn-not-recorded", "punto-unseen-in-basket", "fifth-card", "device-failure", "two-cards-at-once", "", "Stuck-Cards",
    "shoe-surplus-card", "player-absent", "bank-dispute", "x", "shoe-error", "card-damaged", "banker-drew",
]


def codes_of(history):
    """The codes that the rulebook of the table has a consequence for."""
    books = [event[3]["rulebook"] for event in history.events if event[2] == "TableOpened"]
    return [code for book in books for code in book.get("irregularities") or {}]


def odd_ruling(history):
    """A ruling under any code, on any coup and any positions, at any moment."""
    rng = history.rng
    place = rng.randrange(1, len(history.events) + 1)
    known = codes_of(history)
    code = rng.choice(known) if known and rng.random() < 0.6 else rng.choice(ODD_CODES) or "none"
    first, second = signatures(rng)
    ruling = {"code": code, "ruling": "as the house has it", "ruled_by": first}
    if second:
        ruling["countersigned_by"] = second
    numbers = [event[3]["coup"] for event in history.events[max(0, place - 6) : place + 6] if "coup" in event[3]]
    if numbers and rng.random() < 0.8:
        ruling["coup"] = max(1, rng.choice(numbers) + rng.choice([0, 0, 0, 0, 1, -1, 40]))
    drawn = [event[3]["position"] for event in history.events[max(0, place - 8) : place + 8] if event[2] == "CardDrawn"]
    if drawn and rng.random() < 0.6:
        ruling["positions"] = [max(1, rng.choice(drawn) + rng.choice([0, 0, 0, 1])) for _ in range(rng.choice([1, 1, 2, 3]))]
    history.insert(place, "IrregularityRecorded", ruling)


def bet_after_settlement(history):
    """A bet of a coup that is recorded after its settlement: the settlement pays it, or another one does, or none."""
    rng = history.rng
    i = history.pick("CoupSettled")
    if i is None:
        return False
    number = history.events[i][3]["coup"]
    bets = [j for j in history.places("BetPlaced", "AbonoPlaced") if j < i and history.events[j][3]["coup"] == number]
    if not bets:
        return False
    chosen = rng.choice(bets)
    place = min(len(history.events), i + rng.choice([1, 1, 2, 3]))
    if rng.random() < 0.5:  # the bet itself moves
        event = history.events.pop(chosen)
        history.insert(place - 1, event[2], event[3])
        history.shift_numbers(0)
        return True
    name, value = history.events[chosen][2], copy.deepcopy(history.events[chosen][3])
    value["bet"] = 500_000 + rng.randrange(1000)
    history.insert(place, name, value)
    line = {"bet": value["bet"], "returned": rng.choice([0, value["stake"], 2 * value["stake"]])}
    how = rng.randrange(3)
    if how == 0:
        history.events[i][3]["bets"].append(line)
    elif how == 1:
        again = dict(copy.deepcopy(history.events[i][3]), bets=[line])
        history.insert(place + 1, "CoupSettled", again)


def banker(history):
    """Another banker: taken by somebody else, passed by somebody else, taken or passed once more."""
    rng = history.rng
    i = history.pick("BankTaken", "BankPassed", "DealAccepted", "DealDeclined", "DealOffered")
    if i is None:
        return False
    _, _, name, value = history.events[i]
    names = [event[3]["player"] for event in history.events if event[3].get("player")]
    how = rng.randrange(6)
    if how == 0:
        value["seat"] = max(1, value["seat"] + rng.choice([-1, 1, 2]))
    elif how == 1 and "player" in value:
        value["player"] = rng.choice(names)
    elif how == 2:
        history.insert(rng.randrange(1, len(history.events) + 1), name, copy.deepcopy(value))
    elif how == 3:
        del history.events[i]
        history.shift_numbers(i)
    elif "player" in value:  # in the middle of a coup, or between two
        again = dict(copy.deepcopy(value), player=rng.choice(names))
        if how == 4:
            again["seat"] = max(1, again["seat"] + rng.choice([-1, 1]))
        place = history.pick("CardDrawn", "BetsClosed", "BetPlaced", "CoupSettled", "BankSettled")
        history.insert(len(history.events) if place is None else place + rng.choice([0, 1]), name, again)
    else:
        value["seat"] = max(1, value["seat"] + 1)


def another_value(history, name, field, value):
    """Another value for a field of an event: of the same type, and of the same words."""
    rng = history.rng
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        sums = ("stake", "amount", "won", "lost", "commission", "bank", "garaje", "minimum", "maximum", "multiple")
        most = 9 if field.endswith("_total") else 2**53 - 1
        return min(most, max(0 if field in sums else 1, value + rng.choice([1, -1, 100, 5000, -100] if field in sums else [1, -1])))
    words = {
        "to": ["punto", "banca", "removed"], "winner": ["punto", "banca", "tie"], "decision": ["carta", "no"],
        "hand": ["punto", "banca"], "counsel": ["croupier", "none"], "leave": ["unlimited-bank", "free-play"],
        "call": ["banco", "con-la-mesa", "ultimo-completo", "seguido", "asociado"],
        "how": ["turn", "standing", "auction", "retaken", "minimum", "continued"],
        "kind": ["punto", "banca", "tie"] if name == "BetPlaced" else ["voluntary", "compulsory", "improper", "todo-va"],
    }
    if field in words:
        return rng.choice(words[field])
    if field == "why":
        return rng.choice(["shoe-end", "leaving", "request"] if name == "CommissionCollected" else ["lost", "voluntary", "refused", "left", "shoe-end"])
    if field in ("card", "indicator"):
        return rng.choice(RANKS) + rng.choice(SUITS)
    if field == "holder":
        return rng.choice(["croupier", {"seat": 2}, {"seat": 4}])
    if field == "player":
        names = [event[3]["player"] for event in history.events if event[3].get("player")]
        return rng.choice(names + ["stranger"])
    if field == "bets" and value:
        line = rng.choice(value)
        for key in ("returned", "stake"):
            if key in line:
                line[key] = max(0, line[key] + rng.choice([100, -100, 5000]))
    return value


# No id of a shoe and no bet's is changed: a correction cannot, and another mutation does.
FIXED = {"rulebook", "reveal", "order_commitment", "deck_serials", "back_colours", "faces", "currency", "minor_digits"}


def correction_later(history):
    """A correction of any kind of event and any field of it, at any later moment."""
    rng = history.rng
    i = rng.randrange(len(history.events))
    if rng.random() < 0.7:  # each kind as often as every other
        kinds = sorted({event[2] for event in history.events})
        i = history.pick(rng.choice(kinds))
    target, _, name, value = history.events[i]
    value = copy.deepcopy(value)
    fields = [field for field in sorted(value) if field not in FIXED]
    if name == "CorrectionRecorded":
        return False
    if fields and rng.random() < 0.9:
        field = rng.choice(fields)
        value[field] = another_value(history, name, field, value[field])
    place = min(len(history.events), i + rng.choice([1, 1, 2, 3, 5, 8, 13, 30]))
    signed = ["inspector-1", "manager-1"] if rng.random() < 0.8 else [each or "x" for each in signatures(rng)]
    corrected = {"corrects": target, "corrected": {name: value}, "reason": "misread", "signed_by": signed}
    history.insert(place, "CorrectionRecorded", corrected)
    if rng.random() < 0.2:  # and that correction is corrected
        field = rng.choice(fields) if fields else None
        value = copy.deepcopy(value)
        if field:
            value[field] = another_value(history, name, field, value[field])
        named = rng.choice([target, history.events[place][0]])
        again = {"corrects": named, "corrected": {name: value}, "reason": "misread", "signed_by": ["inspector-1", "manager-1"]}
        history.insert(min(len(history.events), place + rng.choice([1, 2, 6])), "CorrectionRecorded", again)


def other_spelling(name, rng):
    """A name as another keyboard, system or thief writes it."""
    how = rng.randrange(9)
    if how == 0:
        return name.upper()
    if how == 1:
        return f" {name} "
    if how == 2:
        return name.replace("-", "\u2010")
    if how == 3:
        return name[:2] + "\u200b" + name[2:]
    if how == 4:
        return "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in name)
    if how == 5:
        return unicodedata.normalize(rng.choice(["NFC", "NFD"]), name.replace("e", "é").replace("o", "ö"))
    if how == 6:
        return name.replace("a", "а").replace("e", "е")  # Cyrillic
    if how == 7:
        return name.replace("l", "I").replace("s", "ſ")
    return name[:3] + "\u00ad" + name[3:].replace("-", "  -")


def spelling(history):
    """A name in another spelling: of a player, of who signs, of a deck or of a shoe."""
    rng = history.rng
    named = [event[3] for event in history.events if set(event[3]) & {"player", "ruled_by", "countersigned_by", "given_by"}]
    decks = [event[3] for event in history.events if event[3].get("deck_serials")]
    if decks and rng.random() < 0.15:
        value = rng.choice(decks)
        place = rng.randrange(len(value["deck_serials"]))
        value["deck_serials"][place] = other_spelling(rng.choice(rng.choice(decks)["deck_serials"]), rng)
        return True
    if not named:
        return False
    value = rng.choice(named)
    field = rng.choice([each for each in ("player", "ruled_by", "countersigned_by", "given_by") if each in value])
    old = value[field]
    if not old:
        return False
    spelt = other_spelling(old, rng)
    value[field] = spelt
    if rng.random() < 0.4:  # that one system writes it so everywhere
        for event in history.events:
            if event[3] is not value and event[2] == rng.choice(["BetPlaced", "SeatTaken"]) and event[3].get(field) == old:
                event[3][field] = spelt


def one_person_signs(history):
    """A void or a ruling that one person signs under two spellings, or a player under another one."""
    rng = history.rng
    i = history.pick("CoupSettled", "CardDrawn")
    if i is None:
        return False
    names = [event[3]["player"] for event in history.events[:i] if event[3].get("player")] + ["inspector-1"]
    first = rng.choice(names)
    second = other_spelling(rng.choice([first, first, rng.choice(names)]), rng)
    value = {"coup": history.events[i][3]["coup"], "reason": "stuck cards", "ruled_by": first, "countersigned_by": second}
    if rng.random() < 0.5:
        del value["reason"]
        history.insert(i, "IrregularityRecorded", dict(value, code="device-failure", ruling="as the house has it"))
    else:
        history.insert(i, "CoupVoided", value)


def otherwise(history):
    """An event recorded again in other words: another offset, another order of what has none."""
    rng = history.rng
    place = history.pick(rng.choice(["CoupSettled", "TableOpened", "LimitsChanged"])) if rng.random() < 0.6 else None
    if place is None:
        place = rng.randrange(len(history.events))
    sequence, time, name, value = copy.deepcopy(history.events[place])
    if rng.random() < 0.7:
        for field in ("bets", "seats", "partners", "positions", "deck_serials"):
            if isinstance(value.get(field), list) and rng.random() < 0.7:
                rng.shuffle(value[field])
        if "limits" in value:
            rng.shuffle(value["limits"].setdefault("bets", []))
    if rng.random() < 0.5:
        moment = datetime.datetime.fromisoformat(time)
        hours = rng.choice([0, 1, 2, -3, 9])
        time = moment.astimezone(datetime.timezone(datetime.timedelta(hours=hours))).isoformat()
    if rng.random() < 0.2:
        value = {field: each for field, each in value.items() if each not in ([], None)}
    history.events.insert(place + rng.randrange(1, 4), [sequence, time, name, value])


def lines_swapped(history):
    """The lines of a settlement in another order, or what two lines say the other way round."""
    bets, one = settled_bet(history)
    if one is None or len(bets) < 2:
        return False
    if history.rng.random() < 0.5:
        history.rng.shuffle(bets)
        return True
    other = history.rng.choice([bet for bet in bets if bet is not one])
    one["bet"], other["bet"] = other["bet"], one["bet"]


def twice_in_limits(history):
    """Limits of single kinds of bet: out of range, no multiple, or of one kind twice; a seat that is listed twice."""
    rng = history.rng
    opened = history.pick("TableOpened")
    if opened is None:
        return False
    value = history.events[opened][3]
    if rng.random() < 0.2:
        value["seats"].append(rng.choice(value["seats"]))
        return True
    into = value["limits"]
    if rng.random() < 0.5 and len(history.events) > 3:
        into = copy.deepcopy(into)
        history.insert(rng.randrange(opened + 1, len(history.events) + 1), "LimitsChanged", into)
    kinds = sorted(value["rulebook"]["bets"]) if isinstance(value["rulebook"].get("bets"), dict) else ["punto", "banca"]
    each = {"kind": rng.choice(kinds + ["unheard-of"])}
    if rng.random() < 0.7:
        each["minimum"] = rng.choice([into["minimum"], into["minimum"] * 2, into["minimum"] + 1, 1, into["maximum"]])
    if rng.random() < 0.8:
        each["maximum"] = rng.choice([into["maximum"], into["maximum"] * 40, into["minimum"], into["maximum"] + 1])
    into.setdefault("bets", []).append(each)
    if rng.random() < 0.3:
        into["bets"].append(dict(each, maximum=into["maximum"]))


def late_by_the_clock(history):
    """A bet whose own time is after a card of its coup, though it is recorded before it."""
    i = history.pick("BetPlaced", "AbonoPlaced")
    if i is None:
        return False
    number = history.events[i][3]["coup"]
    later = [event for event in history.events[i:] if event[2] in ("CardDrawn", "CoupSettled") and event[3]["coup"] == number]
    if not later:
        return False
    moment = datetime.datetime.fromisoformat(history.rng.choice(later)[1])
    history.events[i][1] = (moment + datetime.timedelta(seconds=history.rng.choice([0, 1, 2, 5, 60]))).isoformat()


def cut_between(history):
    """The cut card comes out elsewhere: between two coups, within one, or before one."""
    rng = history.rng
    i = history.pick("CoupSettled", "CardDrawn")
    if i is None:
        return False
    drawn = [event[3]["position"] for event in history.events[: i + 1] if event[2] == "CardDrawn"]
    if not drawn:
        return False
    history.insert(i + 1, "CutCardDrawn", {"position": drawn[-1] + rng.choice([1, 1, 1, 0, 2])})


def mid_shoe(history):
    """A record that begins somewhere in a shoe, numbered from there or not."""
    settled = history.places("CoupSettled", "BetsClosed", "BurnCards")
    if not settled:
        return False
    rng = history.rng
    place = rng.choice(settled) + 1
    opened = [event for event in history.events[:place] if event[2] in ("TableOpened", "BankTaken")]
    loaded = [event for event in history.events[:place] if event[2] == "ShoeLoaded"]
    kept = history.events[place:]
    if rng.random() < 0.7:
        unknown = {"code": "burn-not-recorded", "ruling": "connected later", "ruled_by": "inspector-1"}
        said = [[0, event[1], "IrregularityRecorded", unknown] for event in loaded[-1:] if rng.random() < 0.7]
        kept = opened[-1:] + (loaded[-1:] + said if rng.random() < 0.7 else []) + kept
    if not kept:
        return False
    history.events = kept
    if rng.random() < 0.5 or any(event[0] == 0 for event in kept):
        history.shift_numbers(0)


MUTATIONS = [
    card, suit, unread, unread_some, unread_burn, hand, total, winner, returned, commission, swap_payouts, bet_list, drop,
    drop_quietly, duplicate, conflict, swap, late_arrival, stake, bet_field, nameless, extra_bet, late_bet, withdrawal,
    correction, void, irregularity, limits, coup_label, positions, no_close, settle_twice, collected, burn, shoe, end,
    seat, holder, clock, bank, decision, void_ahead, behind_end, void_after_collection,
]
ROUGH = [
    reopened, odd_ruling, bet_after_settlement, banker, correction_later, spelling, one_person_signs, otherwise,
    lines_swapped, twice_in_limits, late_by_the_clock, cut_between, mid_shoe,
]


def read_sessions(files):
    """The events of each table of each file, in the order of their numbers."""
    sessions = []
    for file in files:
        tables = {}
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                name, value = next(iter(record["event"].items()))
                tables.setdefault(record["table"], []).append([record["sequence"], record["occurred_at"], name, value])
        sessions += [sorted(events, key=lambda event: event[0]) for events in tables.values()]
    return sessions


def cut(session, rng):
    """The session up to the end of some coup, or all of it."""
    ends = [i for i, event in enumerate(session) if event[2] == "CoupSettled"]
    if not ends or rng.random() < 0.08:
        return copy.deepcopy(session)
    place = ends[min(len(ends) - 1, rng.choice([0, 1, 1, 2, 2, 3, 4, 6]))] + 1
    kept = session[:place]
    if rng.random() < 0.5:  # the table closes in order
        drawn = [event[3]["position"] for event in kept if event[2] == "CardDrawn"]
        loaded = next((event[3] for event in kept if event[2] == "ShoeLoaded"), None)
        if loaded and drawn:
            kept = kept + [[place + 1, kept[-1][1], "ShoeEnded", {"cards_left": max(0, loaded["cards"] - max(drawn))}]]
            kept += [[place + 2, kept[-1][1], "TableClosed", {}]]
    return copy.deepcopy(kept)


def restless(session, rng):
    """The session with seats taken and left, and commission paid, in the middle of coups, which is no fault."""
    events = copy.deepcopy(session)
    for i in reversed([i for i, event in enumerate(events) if event[2] in ("SeatTaken", "SeatLeft", "CommissionCollected")]):
        seat, player, place = events[i][3]["seat"], events[i][3].get("player"), i
        before = next((e[2] for e in reversed(events[:i]) if e[2] in ("CoupSettled", "ShoeLoaded", "ShoeEnded")), "")
        most = i + rng.randrange(20) if before == "CoupSettled" else i  # in a shoe that began
        while place < most and place + 1 < len(events):
            _, _, name, value = events[place + 1]
            theirs = {value.get("seat"), value.get("player")} & {seat, player}
            if theirs or name not in ("BetPlaced", "BetsClosed", "PuntoHolder", "CardDrawn", "CoupSettled", "BankSettled"):
                break
            place += 1
        moved, times = events.pop(i), [event[1] for event in events[i : place + 1]]
        events.insert(place, moved)
        for event, time in zip(events[i:], sorted(times + [moved[1]])):
            event[1] = time
    for number, event in enumerate(events, 1):
        event[0] = number
    return events


def gaps(session, rng):
    """The session without some of its events: a length, a stride and a step choose which."""
    session = restless(session, rng)
    stride, run, step = rng.randrange(2, 40), rng.randrange(1, 12), 2 * rng.randrange(500) + 1
    start = rng.randrange(len(session))
    return [event for i, event in enumerate(session) if i < start or i * step // run % stride]


# What may be corrected, and until when (docs/judging.md, "Decisions and observations").
OBSERVED = {
    "BurnCards": ["indicator", "burned"], "CardDrawn": ["card"], "CoupSettled": ["winner", "punto_total", "banca_total", "bets"],
    "SeatTaken": ["seat", "player"], "SeatLeft": ["seat", "player"], "DealOffered": ["seat"], "DealAccepted": ["seat"],
    "DealDeclined": ["seat"], "CutCardDrawn": ["position"], "CommissionCollected": ["seat", "amount", "why"],
    "ShoeEnded": ["cards_left"], "PlayersPresent": ["players"], "BankSettled": ["won", "lost", "commission", "bank", "garaje"],
}
DECIDED = {
    "ShoeLoaded": ["decks", "cards"], "BetPlaced": ["seat", "player", "kind", "stake"], "PuntoHolder": ["holder"],
    "LimitsChanged": ["minimum", "maximum", "multiple"], "BankTaken": ["seat", "player", "amount", "how"],
    "BankPassed": ["seat", "player", "amount", "why"], "BancoCalled": ["seat", "player", "call"],
    "AbonoPlaced": ["seat", "player", "stake"], "GarajeSet": ["kind", "amount"], "DrawDecided": ["decision", "counsel"],
    "BankBid": ["seat", "player", "amount"], "LeaveGiven": ["leave"],
}
OF_NEXT_COUP = ("BetPlaced", "BetsClosed", "CardDrawn", "CoupSettled", "PuntoHolder", "BancoCalled", "AbonoPlaced")


def last_place(events, i):
    """The last place at which an event may still be corrected."""
    name, coup = events[i][2], events[i][3].get("coup")
    for place in range(i + 1, len(events)):
        _, _, later, value = events[place]
        if later == "ShoeLoaded":
            return place
        drawn = later == "CardDrawn" and coup in (None, value["coup"])
        begun = name == "LimitsChanged" and later in OF_NEXT_COUP
        settled = name == "DrawDecided" and later == "CoupSettled" and coup == value["coup"]
        if name in DECIDED and (drawn or begun or settled):
            return place
    return len(events)


def lost_correction(session, rng):
    """The session with one value recorded wrongly, and without the correction of it."""
    history = History(copy.deepcopy(session), rng)
    fields = OBSERVED | DECIDED
    kinds = sorted({event[2] for event in history.events} & fields.keys())
    i = history.pick(rng.choice(kinds))
    _, _, name, value = history.events[i]
    field = rng.choice([field for field in fields[name] if field in value] or [None])
    last = last_place(history.events, i)
    place = rng.randint(i + 1, last if rng.random() < 0.5 else min(last, i + 4))
    if field is None or place == len(history.events):
        return history.events, "nothing"
    before = copy.deepcopy(value[field])
    for _ in range(20):
        value[field] = another_value(history, name, field, copy.deepcopy(before))
        if value[field] != before:
            break
    for event in history.events[place:]:
        event[0] += 1
    return history.events, f"{name}.{field}"


def main():
    """Writes the histories."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--seed", type=int, required=True)
    options.add_argument("--count", type=int, required=True)
    options.add_argument("--only", help="one kind of change, once in each history")
    options.add_argument("--rough", action="store_true", help="only the rougher changes")
    options.add_argument("--gaps", action="store_true", help="whole sessions of which events are missing")
    options.add_argument("--lost", action="store_true", help="whole sessions of which one correction is missing")
    options.add_argument("--kinds", help="a file to note the changes of each history in")
    options.add_argument("files", nargs="+")
    chosen = options.parse_args()
    rng = random.Random(chosen.seed)
    sessions = read_sessions(chosen.files)
    named = {each.__name__: each for each in MUTATIONS + ROUGH}
    mutations = ROUGH if chosen.rough else MUTATIONS + ROUGH
    notes = []
    for number in range(1, chosen.count + 1):
        session, done = rng.choice(sessions), []
        if chosen.lost:
            events, what = lost_correction(session, rng)
            done.append(what)
        else:
            events = (gaps if chosen.gaps else cut)(session, rng)
        history = History(events, rng)
        for _ in range(0 if chosen.gaps or chosen.lost else 1 if chosen.only else rng.choice([0, 1, 1, 1, 1, 2, 2])):
            mutation = named[chosen.only] if chosen.only else rng.choice(mutations)
            if history.events and mutation(history) is not False:
                done.append(mutation.__name__)
        table = f"M-{number:06}"
        notes.append(f"{table} {' '.join(done)}\n")
        for sequence, time, name, value in history.events:
            record = {"table": table, "sequence": sequence, "occurred_at": time, "event": {name: value}}
            sys.stdout.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
    if chosen.kinds:
        with open(chosen.kinds, "w", encoding="utf-8") as file:
            file.writelines(notes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
