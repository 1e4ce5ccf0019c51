#!/usr/bin/env python3
"""Writes, for each limit of what a judge keeps, a record that fills it to the brim and one that goes one beyond.

    .ci/floods.py FOLDER

FOLDER gets two files for each limit, `LIMIT-brim.ndjson` and `LIMIT-beyond.ndjson`, for `.ci/check_judge`. The limits are those of
the table in `docs/judging.md` ("More than is kept"), read from that page. Those of LEFT_OUT have none here: `bytes-of-shoe` and
`rejudgings` are about how a judge works, and docs/independent/judge.py does not work that way; so many coups in one shoe take it hours.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUP = [("punto", "9D"), ("banca", "2C"), ("punto", "KD"), ("banca", "5S")]


def limits():
    """The table of the page: how many of each are kept."""
    rows = re.findall(r"^\| `([a-z-]+)` \| ([0-9,]+) \|", (ROOT / "docs/judging.md").read_text(), re.M)
    return {name: int(most.replace(",", "")) for name, most in rows}


def opening(book):
    """How a table is opened under a built-in rulebook."""
    lines = (ROOT / f"fixtures/rulebooks/{book}.ndjson").read_text().splitlines()
    return next(line["event"] for line in map(json.loads, lines) if "TableOpened" in line["event"])["TableOpened"]


class Table:
    """The record of one table."""

    def __init__(self, book="punto-banco"):
        self.lines, self.shoe, self.coup, self.position = [], 0, 0, 0
        self.opened = opening(book)
        self.record("TableOpened", self.opened)
        if "chemin" in self.opened["rulebook"]:
            for seat in self.opened["seats"][:5]:
                self.record("SeatTaken", {"seat": seat, "player": f"player-{seat}"})

    def record(self, kind, body):
        """Adds an event, a millisecond after the one before."""
        number = len(self.lines) + 1
        seconds, millis = divmod(number, 1000)
        time = f"2026-03-01T{20 + seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{millis:03}+01:00"
        self.lines.append({"table": "FLOOD", "sequence": number, "occurred_at": time, "event": {kind: body}})
        return number

    def load(self, name=None, serials=()):
        """Loads a shoe and burns its first cards."""
        self.shoe, self.coup, self.position = self.shoe + 1, 0, 0
        decks = self.opened["rulebook"]["shoe"]["decks"][-1]
        self.cards_held = 52 * decks
        shoe = {"shoe": name or f"S{self.shoe}", "decks": decks, "cards": self.cards_held, "deck_serials": list(serials), "back_colours": []}
        self.record("ShoeLoaded", shoe)

    def end(self):
        self.record("ShoeEnded", {"cards_left": self.cards_held - self.position})

    def burn(self):
        if self.opened["rulebook"]["burn"]["method"] == "none":
            return
        self.record("BurnCards", {"indicator": "2H", "burned": 2, "faces": []})
        self.position = 3

    def card(self, to, card):
        self.position += 1
        self.record("CardDrawn", {"coup": self.coup + 1, "position": self.position, "card": card, "to": to})

    def bet(self, bet, seat, stake=None, player=None, coup=None, kind="punto"):
        stake = stake or self.opened["limits"]["minimum"]
        body = {"coup": coup or self.coup + 1, "bet": bet, "seat": seat, "kind": kind, "stake": stake}
        self.record("BetPlaced", body | ({"player": player} if player else {}))

    def cards(self):
        for to, card in COUP:
            self.card(to, card)

    def settle(self, **returned):
        """Settles the coup in play, in which nobody bet unless it is said."""
        bets = [{"bet": int(bet[1:]), "returned": sum_, "commission": 0} for bet, sum_ in returned.items()]
        self.coup += 1
        return self.record("CoupSettled", {"coup": self.coup, "winner": "punto", "punto_total": 9, "banca_total": 7, "bets": bets})

    def closed(self):
        self.record("BetsClosed", {"coup": self.coup + 1})

    def play(self):
        """A coup that is right, without bets."""
        self.closed()
        self.cards()
        return self.settle()

    def void(self):
        self.record("CoupVoided", {"coup": self.coup + 1, "reason": "r", "ruled_by": "inspector-1", "countersigned_by": "manager-1"})

    def rule(self, coup=None):
        body = {"code": "nothing", "positions": [], "ruling": "r", "ruled_by": "inspector-1", "countersigned_by": "manager-1"}
        self.record("IrregularityRecorded", body | ({"coup": coup} if coup else {}))


def rulings_of_coup(count):
    table = Table()
    table.load(), table.burn()
    for _ in range(count):
        table.rule(1)
    table.play()
    return table


def removed_cards(count):
    table = Table()
    table.load(), table.burn(), table.closed()
    for _ in range(count):
        table.card("removed", "9D")
    table.cards(), table.settle()
    return table


def bet_ids(count):
    table = Table()
    table.load(), table.burn()
    for number in range(count):  # every other id: each is a range of its own
        table.bet(2 * number + 1, 1)
        if number % 64 == 63 or number == count - 1:
            table.void()
            stake = table.opened["limits"]["minimum"]
            table.settle(**{f"b{2 * each + 1}": stake for each in range(number - number % 64, number + 1)})
    return table


def bets_of_shoe(count):
    table = Table()
    table.load(), table.burn()
    stake = table.opened["limits"]["minimum"]
    for first in range(0, count, 64):
        some = range(first + 1, min(first + 64, count) + 1)
        for number in some:
            table.bet(number, 1)
        table.void()
        table.settle(**{f"b{number}": stake for number in some})
    return table


def shoe_ids(count):
    table = Table()
    for number in range(count):
        table.load()
        if number < count - 1:
            table.end()
    table.burn(), table.play()
    return table


def deck_serials(count):
    table = Table()
    for first in range(0, count, 8):
        table.load(serials=[f"D{number}" for number in range(first, min(first + 8, count))])
        if first + 8 < count:
            table.end()
    table.burn(), table.play()
    return table


def rulebook_texts(count):
    table = Table()
    table.lines.clear()
    for number in range(count):
        if number:
            table.record("TableClosed", {})
        book = table.opened["rulebook"] | {"id": "a-house", "title": f"House {number}"}
        table.record("TableOpened", table.opened | {"rulebook": book})
        table.load()
        if number < count - 1:  # a shoe for each, so that no other limit is reached
            table.end()
    table.burn(), table.play()
    return table


def players(count):
    table = Table()
    table.load(), table.burn()
    for first in range(0, count, 64):
        some = range(first, min(first + 64, count))
        for number in some:
            table.bet(number + 1, 1, player=f"p{number}")
        table.void()
        table.settle(**{f"b{number + 1}": table.opened["limits"]["minimum"] for number in some})
    return table


def at_a_bank():
    table = Table("chemin-de-fer-es-1979")
    table.load(), table.burn()
    return table


def take(table, how):
    least = table.opened["limits"]["minimum"]
    seat = table.opened["seats"][0]
    table.record("BankTaken", {"seat": seat, "player": f"player-{seat}", "amount": least, "how": how})
    return seat, table.opened["seats"][1], least


def at_bank_coup(table, calls=0, garajes=0):
    banker, seat, least = take(table, "turn")
    table.bet(1, seat, least, f"player-{seat}")
    for _ in range(calls):
        table.record("BancoCalled", {"coup": 1, "seat": seat, "player": f"player-{seat}", "call": "banco"})
    table.closed()
    table.record("PuntoHolder", {"coup": 1, "holder": {"seat": seat}})
    table.cards()
    table.record("BankSettled", {"coup": 1, "won": 0, "lost": least, "commission": 0, "bank": 0, "garaje": 0})
    for _ in range(garajes):
        table.record("GarajeSet", {"kind": "voluntary", "amount": 100})
    table.settle(b1=2 * least)
    return table


def bids(count):
    table = at_a_bank()
    seat = table.opened["seats"][0]
    for _ in range(count):
        table.record("BankBid", {"seat": seat, "player": f"player-{seat}", "amount": table.opened["limits"]["minimum"]})
    return at_bank_coup(table)


def calls(count):
    return at_bank_coup(at_a_bank(), calls=count)


def garajes(count):
    return at_bank_coup(at_a_bank(), garajes=count)


def waiting_events(count):
    table = Table()
    table.load(), table.burn(), table.closed(), table.cards()
    for number in range(count):
        table.bet(number + 1, 1, coup=2)
    table.settle()
    return table


def past_coups(count):
    table, first = Table(), None
    for number in range(count):
        if number % 8 == 0:
            if number:
                table.end()
            table.load(), table.burn()
        settled = table.play()
        first = first or settled
    table.end(), table.load(), table.burn()
    corrected = table.lines[first - 1]["event"]
    table.record("CorrectionRecorded", {"corrects": first, "corrected": corrected, "reason": "r", "signed_by": ["inspector-1", "manager-1"]})
    table.play()
    return table


# Which record fills which limit, and how many it takes.
FLOODS = {
    "rulings-of-coup": rulings_of_coup, "removed-cards": removed_cards, "cards-of-coup": removed_cards, "bet-ids": bet_ids,
    "shoe-ids": shoe_ids, "deck-serials": deck_serials, "rulebook-texts": rulebook_texts, "players": players, "bids": bids,
    "calls": calls, "garajes": garajes, "waiting-events": waiting_events, "past-coups": past_coups,
    "bets-of-shoe": bets_of_shoe,
}

LEFT_OUT = {"rejudgings", "bytes-of-shoe", "coups-of-shoe"}


def main(folder):
    kept = limits()
    left = set(kept) - set(FLOODS) - LEFT_OUT
    if left or set(FLOODS) - set(kept):
        sys.exit(f"docs/judging.md and {__file__} have other limits: {left or set(FLOODS) - set(kept)}")
    for name, flood in FLOODS.items():
        for how, count in (("brim", kept[name]), ("beyond", kept[name] + 1)):
            lines = flood(count).lines
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            (pathlib.Path(folder) / f"{name}-{how}.ndjson").write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
