#!/usr/bin/env python3
"""A second judge of baccarat records, written from the documents alone.

    python3 docs/independent/judge.py FILE      (or - for standard input)

Reads events as docs/events.md describes them, one JSON object a line, and prints one JSON object a
table: its coups and shoes with their verdicts, and its findings with their money. What it concludes is
said by docs/judging.md; the rules come from the rulebook that each table carries (docs/rulebooks.md)
and the names of the findings from docs/findings.md. Nothing of the first judge was looked at.

It is slow and short on purpose. Each table's events are put in order, corrections are laid over what
they correct, reading.py reads from them what was played, and that is then played once from the first event to
the last. Sums are integers and shares are fractions; nothing is ever a float.
"""

import contextlib
import copy
import datetime
import functools
import json
import math
import pathlib
import re
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations, product

import reading

DOCS = pathlib.Path(__file__).resolve().parent.parent
RANKS = "A23456789TJQK"
SUITS = "CDHS"
POINTS = {rank: (i + 1 if i < 9 else 0) for i, rank in enumerate(RANKS)}
FACES = [rank + suit for suit in SUITS for rank in RANKS]
LARGEST = 2**53 - 1
CLOCK_STEP = 1_000_000
MOST_EXTENSIONS, MOST_EXTENSION_BYTES = 1_024, 262_144  # of one shoe; each one beyond is an event that is not known
COUP_EVENTS = 6  # the fewest events of a coup: the close, four cards, the settlement
INCOMPLETE = {"sequence-gap", "sequence-late", "coups-not-recorded", "name-look-alike", "name-unseen", "more-than-kept"}


class Bad(Exception):
    """Input that is no event: reported with its line."""


# ---------------------------------------------------------------------------------------------
# Reading
# ---------------------------------------------------------------------------------------------

# Of each field: n a number, s a text, c a card, d a digest, l a list, o an object, b true or false.
# A ? may be left out or null, a ! may be left out and is never null.
FIELDS = {
    "ShoeLoaded": "shoe:s decks:n cards:n cards_behind_cut:n? deck_serials:l! back_colours:l! order_commitment:d?",
    "BurnCards": "indicator:c burned:n faces:l!",
    "BetPlaced": "coup:n bet:n seat:n player:s? kind:s stake:n",
    "CardDrawn": "coup:n position:n card:c to:s",
    "CoupSettled": "coup:n winner:s punto_total:n banca_total:n bets:l!",
    "TableOpened": "rulebook:o limits:o currency:s minor_digits:n seats:l",
    "TableClosed": "",
    "LimitsChanged": "minimum:n maximum:n multiple:n? bets:l!",
    "SeatTaken": "seat:n player:s",
    "SeatLeft": "seat:n player:s",
    "DealOffered": "seat:n",
    "DealAccepted": "seat:n",
    "DealDeclined": "seat:n",
    "BetWithdrawn": "bet:n",
    "BetsClosed": "coup:n",
    "PuntoHolder": "coup:n holder:h",
    "CutCardDrawn": "position:n",
    "CommissionCollected": "seat:n amount:n why:s",
    "CoupVoided": "coup:n reason:s ruled_by:s countersigned_by:s?",
    "IrregularityRecorded": "code:s coup:n? positions:l! ruling:s ruled_by:s countersigned_by:s?",
    "CorrectionRecorded": "corrects:n corrected:o reason:s signed_by:l",
    "ShoeEnded": "cards_left:n reveal:o?",
    "BankTaken": "seat:n player:s? amount:n how:s partners:l!",
    "BankPassed": "seat:n player:s? amount:n why:s",
    "BancoCalled": "coup:n seat:n player:s? call:s",
    "AbonoPlaced": "coup:n bet:n seat:n player:s? stake:n",
    "GarajeSet": "kind:s amount:n",
    "DrawDecided": "coup:n hand:s decision:s counsel:s!",
    "PlayersPresent": "players:n",
    "BankSettled": "coup:n won:n lost:n commission:n bank:n garaje:n",
    "BankBid": "seat:n player:s? amount:n",
    "LeaveGiven": "leave:s office:s given_by:s",
    "CardReplaced": "coup:n? position:n card:c reason:s ruled_by:s countersigned_by:s?",
    "ValuesComputed": "coup:n values:l",
    "ExtensionRecorded": "name:s data:s",
}
WORDS = {
    "to": "punto banca removed", "winner": "punto banca tie",
    "why": "shoe-end leaving request lost voluntary refused left",
    "how": "turn standing auction retaken minimum continued", "hand": "punto banca", "decision": "carta no",
    "counsel": "croupier none", "leave": "unlimited-bank free-play",
    "call": "banco con-la-mesa ultimo-completo seguido asociado",
}
PARTS = {
    ("CoupSettled", "bets"): "bet:n returned:n commission:n!",
    ("LimitsChanged", "bets"): "kind:s minimum:n? maximum:n?",
    ("BankTaken", "partners"): "player:s amount:n",
}
CARD = re.compile(r"^(\?\?|[A2-9TJQK][CDHS?])$")


def is_number(value):
    """Whether it is an integer of 0 or more."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST


def check_value(name, sort, value):
    """Refuses a value that is not of its field's sort."""
    fits = {
        "n": is_number(value),
        "s": isinstance(value, str),
        "c": isinstance(value, str) and bool(CARD.match(value)),
        "d": isinstance(value, str) and bool(re.match("^[0-9a-f]{64}$", value)),
        "l": isinstance(value, list),
        "o": isinstance(value, dict),
        "h": value == "croupier" or (isinstance(value, dict) and set(value) == {"seat"} and is_number(value["seat"])),
    }[sort]
    if not fits or (name in WORDS and value not in WORDS[name].split()):
        raise Bad(f"{name}: {value!r} is not what it should be")


def check_fields(where, spec, value):
    """Refuses unknown, missing and misshapen fields; fills in what was left out."""
    if not isinstance(value, dict):
        raise Bad(f"{where}: an object is due")
    named = dict(part.split(":") for part in spec.split())
    for name in value:
        if name not in named:
            raise Bad(f"{where}.{name}: unknown field")
    whole = {}
    for name, sort in named.items():
        got = value.get(name)
        if got is None and (sort.endswith("?") or (sort.endswith("!") and name not in value)):
            whole[name] = {"l": [], "n": None if sort.endswith("?") else 0}.get(sort[0])
            continue
        if name not in value:
            raise Bad(f"{where}.{name}: missing")
        check_value(name, sort[0], got)
        whole[name] = got
    return whole


def check_event(event):
    """An event's name and its fields, all of them there."""
    if not isinstance(event, dict) or len(event) != 1:
        raise Bad("event: an object with one key is due")
    name, value = next(iter(event.items()))
    if name not in FIELDS:
        raise Bad(f"event.{name}: unknown event")
    whole = check_fields(f"event.{name}", FIELDS[name], value)
    for (of, field), spec in PARTS.items():
        if of == name:
            whole[field] = [check_fields(f"event.{name}.{field}", spec, part) for part in whole[field]]
    if name == "TableOpened":
        whole["limits"] = check_fields("limits", FIELDS["LimitsChanged"], whole["limits"])
        part = PARTS["LimitsChanged", "bets"]
        whole["limits"]["bets"] = [check_fields("limits.bets", part, each) for each in whole["limits"]["bets"]]
    for field, sort in {"seats": "n", "positions": "n", "faces": "c", "signed_by": "s", "deck_serials": "s"}.items():
        for each in whole.get(field) or []:
            check_value(field[:-1] + " ", sort, each)
    if name == "CorrectionRecorded":
        whole["corrected"] = check_event(whole["corrected"])
    if name == "CorrectionRecorded" and len(whole["signed_by"]) != 2:
        raise Bad("signed_by: two names are due")
    if name == "ShoeEnded" and whole["reveal"] is not None:
        whole["reveal"] = check_fields("reveal", "nonce:d order:l", whole["reveal"])
        for card in whole["reveal"]["order"]:
            check_value("order ", "c", card)
    return name, whole


TIME = re.compile(r"^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(Z|z|[+-]\d\d:\d\d)$")


def read_time(text):
    """Microseconds since 1970, and the local day with its offset."""
    match = TIME.match(text) if isinstance(text, str) else None
    if not match:
        raise Bad(f"occurred_at: {text!r} is no time")
    *whole, part, zone = match.groups()
    try:
        local = datetime.datetime(*map(int, whole))
    except ValueError as error:
        raise Bad(f"occurred_at: {error}") from error
    minutes = 0 if zone in "Zz" else int(zone[:3]) * 60 + int(zone[0] + zone[4:])
    gone = local - datetime.datetime(1970, 1, 1)
    micros = (gone.days * 86400 + gone.seconds - minutes * 60) * 1_000_000 + int((part or "0").ljust(6, "0"))
    return micros, (text[:10], minutes)


def in_any_order(name, value):
    """What an event says, with lists whose order has no meaning in one order."""
    value = dict(value)
    if name == "CoupSettled":
        value["bets"] = sorted(value["bets"], key=lambda line: line["bet"])
    elif name == "LimitsChanged":
        value["bets"] = sorted(value["bets"], key=lambda limit: limit["kind"])
    elif name == "TableOpened":
        value["seats"] = sorted(value["seats"])
        value["limits"] = in_any_order("LimitsChanged", value["limits"])
    elif name == "CorrectionRecorded":
        kind, corrected = value["corrected"]
        value["corrected"] = kind, in_any_order(kind, corrected)
    return value


class Event:
    """One recorded event. Findings on it stand at `at`: its number, or that of its correction."""

    def __init__(self, sequence, name, value, micros, local):
        self.sequence = self.at = sequence
        self.name, self.value, self.micros, self.local = name, value, micros, local
        self.day = local[0]
        self.gap = 0  # how many events are missing right before it

    def same_as(self, other):
        """Whether it is the same event, however it is written."""
        one, two = ((each.name, each.micros, each.day, in_any_order(each.name, each.value)) for each in (self, other))
        return one == two

    @property
    def coup(self):
        """The coup it names, if any."""
        return self.value.get("coup")


def read_log(lines):
    """The events of each table in the order of the log."""
    tables = defaultdict(list)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line, object_pairs_hook=no_key_twice, parse_float=no_float)
            if not isinstance(record, dict) or set(record) != {"table", "sequence", "occurred_at", "event"}:
                raise Bad("an object with table, sequence, occurred_at and event is due")
            table, sequence = record["table"], record["sequence"]
            if not isinstance(table, str) or not re.match(r"^[A-Za-z0-9._-]{1,64}$", table):
                raise Bad("table: no name of a table")
            if not is_number(sequence) or sequence == 0:
                raise Bad("sequence: an integer of 1 or more is due")
            event = Event(sequence, *check_event(record["event"]), *read_time(record["occurred_at"]))
        except (ValueError, RecursionError) as error:
            raise Bad(f"{number}: {error}") from error
        except Bad as error:
            raise Bad(f"{number}: {error}") from error
        tables[table].append(event)
    return tables


def no_key_twice(pairs):
    """An object, unless a key stands in it twice."""
    whole = dict(pairs)
    if len(whole) != len(pairs):
        raise Bad("a key stands twice in one object")
    return whole


def no_float(text):
    """Numbers are whole."""
    raise Bad(f"{text} is no integer")


# ---------------------------------------------------------------------------------------------
# BLAKE3, for the order a shoe was committed to
# ---------------------------------------------------------------------------------------------

B3_IV = [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19]
B3_MIX = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
B3_MIX += [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
B3_ORDER = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]


def b3_compress(chain, block, counter, length, flags):
    """The sixteen words that one block of BLAKE3 comes to."""
    words = [int.from_bytes(block[i : i + 4], "little") for i in range(0, 64, 4)]
    state = chain + B3_IV[:4] + [counter & 0xFFFFFFFF, counter >> 32, length, flags]

    def turn(value, by):
        return (value >> by | value << (32 - by)) & 0xFFFFFFFF

    for _ in range(7):
        for i, (a, b, c, d) in enumerate(B3_MIX):
            for word, first, second in ((words[2 * i], 16, 12), (words[2 * i + 1], 8, 7)):
                state[a] = (state[a] + state[b] + word) & 0xFFFFFFFF
                state[d] = turn(state[d] ^ state[a], first)
                state[c] = (state[c] + state[d]) & 0xFFFFFFFF
                state[b] = turn(state[b] ^ state[c], second)
        words = [words[i] for i in B3_ORDER]
    return [state[i] ^ state[i + 8] for i in range(8)] + [state[i + 8] ^ chain[i] for i in range(8)]


def b3_node(data, counter):
    """The last compression of a chunk or of a tree of them: what to compress, not yet done."""
    if len(data) <= 1024:
        chain = B3_IV
        blocks = [data[i : i + 64] for i in range(0, len(data), 64)] or [b""]
        for i, block in enumerate(blocks):
            flags = (1 if i == 0 else 0) | (2 if i == len(blocks) - 1 else 0)
            args = (chain, block.ljust(64, b"\0"), counter, len(block), flags)
            if i < len(blocks) - 1:
                chain = b3_compress(*args)[:8]
        return args
    chunks = (len(data) + 1023) // 1024
    left = 1 << (chunks - 1).bit_length() - 1
    halves = [b3_node(data[: left * 1024], counter), b3_node(data[left * 1024 :], counter + left)]
    block = b"".join(word.to_bytes(4, "little") for half in halves for word in b3_compress(*half)[:8])
    return (B3_IV, block, 0, 64, 4)


def blake3(data):
    """The BLAKE3 digest, in hexadecimal."""
    chain, block, counter, length, flags = b3_node(data, 0)
    words = b3_compress(chain, block, counter, length, flags | 8)[:8]
    return b"".join(word.to_bytes(4, "little") for word in words).hex()


def card_code(card):
    """The byte of a card in a commitment."""
    if card == "??":
        return 0
    rank = RANKS.index(card[0]) + 1
    return 52 + rank if card[1] == "?" else 13 * SUITS.index(card[1]) + rank


# ---------------------------------------------------------------------------------------------
# The rulebook
# ---------------------------------------------------------------------------------------------


def share(text):
    """`5/100` as a fraction."""
    above, below = text.split("/")
    return Fraction(int(above), int(below))


def round_to(value, how):
    """A sum rounded as a `rounding` says."""
    unit = how["unit"]
    steps = value / unit
    low = steps.numerator // steps.denominator
    rest = steps - low
    up = {
        "down": False,
        "up": rest > 0,
        "half-up": rest >= Fraction(1, 2),
        "half-even": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and low % 2 == 1),
    }[how["mode"]]
    return (low + up) * unit


def odds(pays):
    """What a row pays for each unit staked: a fraction, 0 for a push, nothing for a loss."""
    if pays == "lose":
        return None
    if pays == "push":
        return Fraction(0)
    if " for " in pays:
        back, staked = pays.split(" for ")
        return Fraction(int(back) - int(staked), int(staked))
    won, staked = pays.split(":")
    return Fraction(int(won), int(staked))


CONDITIONS = {
    "winner", "punto-total", "banca-total", "margin", "punto-cards", "banca-cards", "cards",
    "punto-natural", "banca-natural", "punto-pair", "banca-pair",
}


class Row:
    """One row of a bet's table."""

    def __init__(self, data):
        self.conditions = {}
        for key, value in data.items():
            if key in CONDITIONS:
                self.conditions[key] = value if isinstance(value, list) else [value]
        self.odds = odds(data["pays"])
        self.commission = data.get("commission", True)

    def holds(self, result):
        """Whether all its conditions hold of a finished coup."""
        return all(any(meets(result[key], value) for value in values) for key, values in self.conditions.items())


def meets(fact, value):
    """Whether a fact is what a condition asks for; any pair is a pair of any kind."""
    return fact == value or (value == "any" and fact in ("suited", "same-colour", "mixed"))


class BetRule:
    """What the rulebook says of one bet."""

    def __init__(self, data):
        self.rows = [Row(row) for row in data["rows"]]
        self.commission = bool(data.get("commission", False))
        self.minimum_binds = bool(data.get("minimum-binds", False))
        self.cap = share(data["cap"]) if data.get("cap") else None
        self.requires = list(data.get("requires") or [])
        self.cap_of_required = share(data["cap-of-required"]) if data.get("cap-of-required") else None

    def row(self, result):
        """The first row that holds, or nothing: the stake is lost."""
        return next((row for row in self.rows if row.holds(result)), None)


@functools.cache
def rulebook_schema():
    """The keys of a rulebook, without those that only files have."""
    with open(DOCS / "schemas" / "rulebook.schema.json", encoding="utf-8") as text:
        schema = json.load(text)
    schema["properties"] = {key: of for key, of in schema["properties"].items() if key not in ("extends", "remove")}
    return schema


def check_keys(data, schema):
    """No key of a rulebook is unknown."""
    if isinstance(data, list):
        for each in data:
            check_keys(each, schema.get("items", {}))
    elif isinstance(data, dict):
        for key, value in data.items():
            of = schema.get("properties", {}).get(key, schema.get("additionalProperties", {}))
            if of is False:
                raise ValueError(key)
            check_keys(value, of if isinstance(of, dict) else {})


class Book:
    """A rulebook, or an error if it cannot be read as one."""

    def __init__(self, data):
        if data["format"] != 1:
            raise ValueError("format")
        check_keys(data, rulebook_schema())
        self.data, self.id = data, data["id"]
        self.bets = {name: BetRule(bet) for name, bet in data["bets"].items()}
        self.pairs = [tuple(pair["bets"]) for pair in data.get("forbidden-pairs") or []]
        self.payout_rounding = data["payout-rounding"]
        self.decks = data["shoe"]["decks"]
        self.reuse = bool(data["shoe"].get("reuse", False))
        cut = data["cut-card"]
        self.behind = cut["cards-behind"]
        self.still = {"finish-coup": 0, "one-more": 1, "five-more": 5}[cut["last-coup"]]
        self.first_counts = bool(cut.get("first-card-counts", False))
        self.burn = data["burn"]
        orders = {"alternate": ["punto", "banca"] * 2, "pairs": ["punto"] * 2 + ["banca"] * 2}
        self.order = orders[data["deal"]["order"]]
        self.dealer, self.holder = data["deal"]["dealer"], data["deal"]["punto-holder"]
        self.tie_break = data["deal"]["tie-break"]
        self.by_total = data.get("columns") == "punto-total"
        self.punto = data["tableau"]["punto"]
        self.banca = [row.replace(" ", "") for row in data["tableau"]["banca"]]
        if len(self.punto) != 8 or [len(row) for row in self.banca] != [11] * 8:
            raise ValueError("tableau")
        self.seats = data["seats"]["numbers"]
        self.own_place = data["seats"].get("own-place", False)
        self.may_leave_out = data["seats"].get("may-leave-out")
        self.limits = data["limits"]
        self.commission = data.get("commission")
        self.rate = share(self.commission["rate"]) if self.commission else Fraction(0)
        self.boxed = bool(self.commission) and self.commission["charge"] == "boxed"
        self.errors = {code: each["consequence"] for code, each in (data.get("irregularities") or {}).items()}
        self.countersigned = (data.get("rulings") or {}).get("countersigned", True)
        self.chemin = data.get("chemin")
        rows = [row for bet in self.bets.values() for row in bet.rows]
        self.needs_pairs = any("-pair" in key for row in rows for key in row.conditions)
        for bet in self.bets.values():  # has every sum worked out once, so that none fails later
            for row in bet.rows:
                self.due(bet, row, 100)

    def due(self, rule, row, stake):
        """What comes back, and the commission, of a stake that a row decides."""
        if row is None or row.odds is None:
            return 0, 0
        won = round_to(stake * row.odds, self.payout_rounding)
        fee = 0
        if self.commission and rule.commission and row.commission and won > 0:
            fee = round_to(won * self.rate, self.commission["rounding"])
        return (stake + won, fee) if self.boxed else (stake + won - fee, fee)

    def most_marked(self, limits):
        """The most commission that one bet can have marked: the largest stake, paid at the best odds of any row."""
        largest = 0
        for kind, rule in self.bets.items():
            own = next((each["maximum"] for each in limits["bets"] if each["kind"] == kind), None)
            high = limits["maximum"] if own is None else own
            if rule.cap is not None:
                high = min(high, int(limits["maximum"] * rule.cap))
            largest = max(largest, high)
        paid = [row.odds for rule in self.bets.values() for row in rule.rows if row.odds]
        won = largest * max((-(-each.numerator // each.denominator) for each in paid), default=1)
        return round_to(won * self.rate, self.commission["rounding"]) if self.commission else 0

    def best(self, stake):
        """The most that any bet can bring on a stake."""
        rows = [(rule, row) for rule in self.bets.values() for row in rule.rows]
        return max((self.due(rule, row, stake)[0] for rule, row in rows), default=0)

    def cell(self, two, third, total):
        """Banca's letter: its two-card total, punto's third card or nothing, punto's total."""
        if third is None:
            return self.banca[two][10]
        return self.banca[two][total if self.by_total else third]

    def burned(self, indicator):
        """The numbers of cards that may be burned after an indicator, which may not have been read."""
        method = self.burn["method"]
        if method == "indicator":
            values = self.burn["values"]
            return set(values) if indicator == "??" else {values[RANKS.index(indicator[0])]}
        return {self.burn["count"]} if method == "fixed" else set()


def read_book(data):
    """The rulebook, or nothing where it cannot be read."""
    try:
        return Book(data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError):
        return None


# ---------------------------------------------------------------------------------------------
# The hands of a coup, in every world that its unread cards allow
# ---------------------------------------------------------------------------------------------

# A hand is (0,), then (1, card), then (cards, two-card total, pair, total, third card's points).
EMPTY = ((0,), (0,))
SIDE = {"punto": 0, "banca": 1}


def pair_of(first, second):
    """What two cards make."""
    if first[0] != second[0]:
        return "none"
    if first[1] == second[1]:
        return "suited"
    red = [card[1] in "DH" for card in (first, second)]
    return "same-colour" if red[0] == red[1] else "mixed"


def with_card(hand, card):
    """A hand and one card more."""
    points = POINTS[card[0]]
    if hand[0] == 0:
        return (1, card)
    if hand[0] == 1:
        two = (POINTS[hand[1][0]] + points) % 10
        return (2, two, pair_of(hand[1], card), two, None)
    if hand[0] >= 3:  # what comes after a hand is full does not count
        return hand
    return (3, hand[1], hand[2], (hand[3] + points) % 10, points)


def total_of(hand):
    """A hand's total as it lies."""
    return 0 if hand[0] == 0 else POINTS[hand[1][0]] if hand[0] == 1 else hand[3]


def winner_of(world):
    """Who won with hands as they lie."""
    punto, banca = map(total_of, world)
    return "punto" if punto > banca else "banca" if banca > punto else "tie"


def result_of(world, changes=None):
    """A finished coup as the conditions of bets ask about it."""
    punto, banca = world
    totals = {"punto": total_of(punto), "banca": total_of(banca), **(changes or {}).get("totals", {})}
    winner = (changes or {}).get("winner") or max(("punto", "banca"), key=lambda side: totals[side])
    if totals["punto"] == totals["banca"] and not (changes or {}).get("winner"):
        winner = "tie"
    facts = {"winner": winner, "margin": abs(totals["punto"] - totals["banca"]), "cards": punto[0] + banca[0]}
    for side, hand in (("punto", punto), ("banca", banca)):
        facts[side + "-total"] = totals[side]
        facts[side + "-cards"] = hand[0]
        facts[side + "-natural"] = hand[0] == 2 and hand[1] >= 8
        facts[side + "-pair"] = hand[2] if hand[0] >= 2 else "none"
    return facts


class Play:
    """The hands of a coup in every world that is left, and the rules for the next card."""

    def __init__(self, book):
        self.book = book
        self.worlds = [EMPTY]
        self.sure = True  # no world has been dropped
        self.silent = False  # a cell that the source does not state was come to
        self.reported = set()
        self.free = self.bank_free = False  # chemin de fer: the hand may choose
        self.chart = True  # chemin de fer: banca's table binds the banker
        self.no_choice = False  # chemin de fer: the table binds, drawing where it leaves the choice
        self.fifth = self.zero = False  # chemin de fer: the fifth card is banca's; banca counts nothing
        self.nine = None  # chemin de fer: a card of punto's in the basket: its "first" two, its "third", or "either"

    def narrow(self, faulty):
        """Drops the worlds in which something is wrong; where all are, none, and says what is."""
        faults = [faulty(world) for world in self.worlds]
        kept = [world for world, fault in zip(self.worlds, faults) if fault is None]
        if not kept:
            return faults[-1]
        if len(kept) < len(self.worlds):
            self.sure, self.worlds = False, kept
        return None

    def natural(self, world):
        """Whether either hand has an 8 or 9 with its first two cards, or punto by a ruling."""
        return self.nine == "first" and world[0][0] == 2 or any(hand[0] >= 2 and hand[1] >= 8 for hand in (world[:1] if self.zero else world))

    def punto_cell(self, world):
        """What punto has to do with two cards: T, P, O or U."""
        two = world[0][1]
        letter = self.book.punto[two] if two < 8 else "P"
        if self.free and letter in "TP":
            letter = "O"
        return letter

    def banca_cell(self, world, ordered=True):
        """What banca has to do with two cards, punto's hand being as it lies; a card that is ordered counts where it drew."""
        punto, banca = world
        if self.zero:
            return "O"
        if ordered and self.fifth and punto[0] == 2:
            return "T"
        if banca[1] > 7:
            return "P"
        if self.nine:
            return "P" if banca[1] == 7 else "O"
        letter = self.book.cell(banca[1], punto[4] if punto[0] >= 3 else None, total_of(punto))
        if self.book.chemin and not self.no_choice and (self.bank_free or not self.chart):
            zero = (self.book.chemin.get("free-play") or {}).get("zero-draws", True)
            letter = "T" if banca[1] == 0 and (zero or not self.bank_free) else "O"
        if letter == "O" and self.no_choice:
            letter = "T"
        return letter

    def fault(self, world, to):
        """Why a card was not due to a hand, if it was not."""
        punto, banca = world
        full = world[SIDE[to]][0] >= 3
        if full and (punto[0] < 2 or banca[0] < 2 or not self.natural(world)):
            return "extra-card"
        if punto[0] < 2 or banca[0] < 2:
            dealt = punto[0] + banca[0]
            due = self.book.order[dealt] if dealt < 4 else ("punto" if punto[0] < 2 else "banca")
            return None if to == due else "deal-order"
        if self.natural(world):
            return "natural-drawn"
        if to == "punto":
            return "punto-drew" if self.letter(self.punto_cell(world)) == "P" else None
        if punto[0] == 2 and self.nine != "either" and self.letter(self.punto_cell(world)) == "T":
            return "punto-stood"
        return "banca-drew" if self.letter(self.banca_cell(world)) == "P" else None

    def letter(self, letter):
        """A letter of the table; one that is not stated leaves the coup open."""
        self.silent = self.silent or letter in "U?"
        return letter

    def card(self, to, options):
        """A card goes to a hand. What was wrong, if it was."""
        before = self.worlds
        code = self.narrow(lambda world: "punto-stood" if self.fault(world, to) == "punto-stood" else None)
        if code is None:
            faults = {self.fault(world, to) for world in self.worlds}
            code = self.narrow(lambda world: self.fault(world, to))
            if code is not None:
                self.worlds = before
                code = next((fault for fault in sorted(faults) if fault != "natural-drawn"), code)
        side = SIDE[to]
        self.add(side, options)
        mark = code if code != "extra-card" else (code, to)
        if code is None or mark in self.reported:
            return None
        self.reported.add(mark)
        return code

    def add(self, side, options):
        """Lays a card, any of the options, to a hand of every world."""
        if not self.book.needs_pairs:
            options = list({POINTS[card[0]]: card for card in options}.values())
        new = {}
        for world in self.worlds:
            for card in options:
                hand = with_card(world[side], card)
                new[(hand, world[1]) if side == 0 else (world[0], hand)] = None
        self.worlds = list(new)

    def missing(self, count, options):
        """Cards that were not recorded went where the rules send them."""
        for _ in range(count):
            before, grown = self.worlds, {}
            for to in ("punto", "banca"):
                self.worlds = [world for world in before if self.fault(world, to) is None]
                self.add(SIDE[to], options)
                grown.update(dict.fromkeys(self.worlds))
            if not grown:
                self.worlds = before
                return False
            self.worlds = list(grown)
        return True

    def short(self):
        """Whether a hand has fewer than two cards in every world."""
        return all(world[0][0] < 2 or world[1][0] < 2 for world in self.worlds)

    def stood(self):
        """Hands that stood although they had to draw."""
        codes = []
        for side, code in (("punto", "punto-stood"), ("banca", "banca-stood")):
            found = self.narrow(lambda world, side=side, code=code: self.stands(world, side, code))
            if found and found not in self.reported:
                codes.append(found)
                self.reported.add(found)
        return codes

    def stands(self, world, side, code):
        """The code where a hand of two cards had to draw."""
        if world[SIDE[side]][0] != 2 or self.natural(world) or world[1 - SIDE[side]][0] < 2:
            return None
        if side == "punto" and (world[1][0] >= 3 or self.nine == "either"):  # banca's third card ended the coup
            return None
        cell = self.punto_cell(world) if side == "punto" else self.banca_cell(world, ordered=False)
        return code if self.letter(cell) == "T" else None


def every_hand(book):
    """All that a hand may come to, as far as bets can tell it apart."""
    pairs = ("none", "suited", "same-colour", "mixed") if book.needs_pairs else ("none",)
    for total, pair in product(range(10), pairs):
        yield (2, total, pair, total, None)
        yield (3, 0, pair, total, total)


def completed(book, cards):
    """All that hands may come to of which cards were not dealt: any cards, but no third after a natural."""
    sides = []
    for side in ("punto", "banca"):
        dealt = [card for _, card, to in sorted(cards, key=lambda each: each[0]) if to == side][:3]
        hands = {(0,)}
        for at in range(2):
            options = [face for face in FACES if at >= len(dealt) or meets_card(face, dealt[at])]
            hands = {with_card(hand, card) for hand in hands for card in options}
        third = [face for face in FACES if len(dealt) < 3 or meets_card(face, dealt[2])]
        grown = {with_card(hand, card) for hand in hands if len(dealt) > 2 or hand[1] < 8 for card in third}
        grown = {(3, 0, hand[2], hand[3], hand[3]) for hand in grown}
        sides.append((set() if len(dealt) > 2 else hands, grown, len(dealt) < 3))
    (puntos, long_puntos, punto_grew), (bancas, long_bancas, banca_grew) = sides
    worlds = [*product(puntos, bancas), *product(long_puntos, long_bancas)]
    worlds += [hands for hands in product(puntos, long_bancas) if not (banca_grew and hands[0][1] >= 8)]
    worlds += [hands for hands in product(long_puntos, bancas) if not (punto_grew and hands[1][1] >= 8)]
    return list(dict.fromkeys(worlds))


def certain_part(amounts):
    """How much of one of several sums is certain: the nearest to zero, if all are on one side of it."""
    amounts = set(amounts)
    if not amounts or min(amounts) <= 0 <= max(amounts):
        return 0
    return min(amounts, key=abs)


def redeal(book, cards):
    """The worlds that cards come to when dealt by the rules, by suits not read; none where more are needed."""
    play, supply = Play(book), list(cards)
    for _ in range(7):
        due = next((to for to in ("punto", "banca") if must_draw(play, to)), None)
        if due is None:
            break
        card = supply.pop(0) if supply else None
        if card is None or card[0] == "?":
            return []
        play.add(SIDE[due], [face for face in FACES if meets_card(face, card)])
    return play.worlds


def must_draw(play, to):
    """Whether the next card is this hand's."""
    world = play.worlds[0]
    if play.fault(world, to) is not None:
        return False
    if world[0][0] < 2 or world[1][0] < 2:
        return True
    return (play.punto_cell(world) if to == "punto" else play.banca_cell(world)) == "T"


# ---------------------------------------------------------------------------------------------
# Putting a table's events in order
# ---------------------------------------------------------------------------------------------

UNCORRECTABLE = {"TableOpened", "TableClosed", "CoupVoided", "IrregularityRecorded", "CorrectionRecorded"}


def in_order(events):
    """A table's events by their numbers, each with the gap before it, and the numbers of conflicts."""
    first, conflicts = {}, set()
    for event in events:
        held = first.setdefault(event.sequence, event)
        if not held.same_as(event):
            conflicts.add(event.sequence)
    ordered = [first[number] for number in sorted(first)]
    for before, event in zip([None] + ordered, ordered):
        event.gap = event.sequence - (before.sequence if before else 0) - 1
    played, missing, unknown, extended = [], 0, 0, (0, 0)
    for event in ordered:  # what is no part of the play is passed over
        missing += event.gap
        if event.name == "ShoeLoaded":
            extended = 0, 0
        elif event.name == "ExtensionRecorded":
            size = sum(len(event.value[field].encode()) for field in ("name", "data"))
            extended = extended[0] + 1, extended[1] + size
            unknown += extended[0] > MOST_EXTENSIONS or extended[1] > MOST_EXTENSION_BYTES
        if event.name in ("ValuesComputed", "ExtensionRecorded"):
            continue
        event.gap, event.numbers_missing, event.replaces = missing + unknown, missing, None
        missing = unknown = 0
        if event.name == "CardReplaced":  # a ruling, and more
            value = event.value
            event.replaces = value["position"], value["card"]
            event.name, event.value = "IrregularityRecorded", {
                "code": "card-replaced", "coup": value["coup"], "positions": [value["position"]], "ruling": value["reason"],
                "ruled_by": value["ruled_by"], "countersigned_by": value["countersigned_by"],
            }
        played.append(event)
    return played, conflicts


def number_shoes(events):
    """Which shoe each event belongs to: how many were loaded up to it."""
    shoe = 0
    for event in events:
        shoe += event.name == "ShoeLoaded"
        event.shoe = shoe
        event.observes = None  # of a correction: what was observed, and should have said something else
        event.seats_later = []  # of the first: seats that are corrected in a later shoe


# Of each event that can be corrected: what says which event it is, besides the coup.
FIXED = {
    "CardDrawn": ("position", "to"), "BetPlaced": ("bet",), "AbonoPlaced": ("bet",), "BetWithdrawn": ("bet",),
    "ShoeLoaded": ("shoe", "order_commitment", "cards_behind_cut"),
}
# Until when what somebody chose may be corrected. Anything else is observed, and may be corrected at any time.
DECIDED = dict.fromkeys(
    "ShoeLoaded BetPlaced PuntoHolder BankTaken BankPassed BancoCalled AbonoPlaced GarajeSet BankBid LeaveGiven".split(),
    "first card",
)
DECIDED["DrawDecided"] = "next card"
NO_CLAUSE = {"BankBid", "LeaveGiven"}  # no source says until when these may change


def is_observed(name):
    """Whether an event says what someone saw, counted, paid or collected."""
    return name not in DECIDED and name not in ("LimitsChanged", "BetWithdrawn", "BetsClosed")


def laid(events, version="decided"):
    """A table's events in their order, with the corrections that count."""
    ordered, _ = in_order(events)
    for event in ordered:
        event.spelled = [event.value]
        event.value = fold_names(event.value)
    number_shoes(ordered)
    lay_corrections(ordered, version)
    return ordered


class Late:
    """A correction of a decision after its moment."""

    def __init__(self, target, correction, value):
        self.target, self.correction = target, correction
        self.before, self.value = target.value, value
        self.coup = None  # the coup it concerns
        self.by_clause = False

    @property
    def seats(self):
        """The seats whose money was decided."""
        return {value["seat"] for value in (self.before, self.value) if value.get("seat") is not None}

    @property
    def bet(self):
        """The bet that was decided, or the bank."""
        return BANK_NET if self.target.name == "BankTaken" else self.before.get("bet")


BANK_NET = -1  # in place of a bet's id: what the bank won


def lay_corrections(events, version):
    """Puts what was corrected in the place of the first; yields what cannot be corrected.

    What had been decided first counts, unless the record is to be judged as the late corrections have it (`corrected`).
    Of `first`, what was observed stays as it was first recorded.
    """
    as_corrected = version == "corrected"
    by_number = {event.sequence: event for event in events}
    wrong, earlier, too_late, late = [], [], [], []
    for correction in [event for event in events if event.name == "CorrectionRecorded"]:
        number = correction.value["corrects"]
        name, value = correction.value["corrected"]
        target = by_number.get(number)
        while target is not None and target.name == "CorrectionRecorded" and target.value["corrects"] < number:
            number = target.value["corrects"]
            target = by_number.get(number)
        if target is None and 0 < number < correction.sequence:
            earlier.append((correction.shoe, None))  # it is missing: what stands in its place is not known
            continue
        fits = target is not None and number < correction.sequence and target.name not in UNCORRECTABLE
        fits = fits and target.name == name and target.coup == value.get("coup")
        fits = fits and all(target.value[key] == value[key] for key in FIXED.get(name, ()))
        if fits and max(target.shoe, 1) != max(correction.shoe, 1):  # what was before the first shoe is judged with it
            earlier.append((target.shoe or correction.shoe, target.coup))
            if name == "SeatTaken":
                earlier.append((correction.shoe, None))
                events[0].seats_later.append((correction.shoe, target.value, value))
        elif fits and name == "LimitsChanged" and begun_since(events, number, correction):
            too_late.append(correction)
        elif fits and name in DECIDED and is_past(events, target, correction):
            late = [each for each in late if each.target is not target] + [Late(target, correction, value)]
            if as_corrected:
                late[-1].before = None
                target.value, target.at = value, correction.at
                target.spelled.append(correction.spelled[0]["corrected"][1])
        elif fits:
            if is_observed(name):
                correction.observes = target
            if version != "first" or not is_observed(name):
                target.value, target.at = value, correction.at
                target.spelled.append(correction.spelled[0]["corrected"][1])
        if not fits:
            wrong.append(correction)
    return wrong, earlier, too_late, late


def is_past(events, target, correction):
    """Whether the moment of a decision is past when it is corrected."""
    of_shoe = [each for each in events if max(each.shoe, 1) == max(target.shoe, 1)]  # what was before the first shoe is of it
    begun = 0
    if DECIDED[target.name] == "next card" or target.coup is None:
        begun = target.sequence
    else:  # a coup of its number may have been settled before
        same = [each for each in of_shoe if each.coup == target.coup]
        begun = max((each.sequence for each in same if each.name == "CoupSettled" and each.sequence < target.sequence), default=0)
    closed = 0  # since when the table is closed: then every coup with cards is over
    for each in of_shoe:
        if target.sequence < each.sequence < correction.sequence:
            closed = each.sequence if each.name == "TableClosed" else closed
    dealt = any(
        each.name == "CardDrawn" and each.value["to"] in SIDE and target.sequence < each.sequence < closed
        for each in of_shoe
    )
    if dealt:
        return True
    for each in of_shoe:
        if not begun < each.sequence < correction.sequence:
            continue
        if each.name == "CardDrawn" and (each.value["to"] in SIDE if target.coup is None else each.coup == target.coup):
            return True
        if each.name == "CoupSettled" and DECIDED[target.name] == "next card" and each.coup == target.coup:
            return True
    return False


def begun_since(events, number, correction):
    """Whether a coup was begun, or settled for the first time, between an event and its correction."""
    settled = set()
    for event in events:
        if event.shoe == correction.shoe and event.sequence < correction.sequence:
            begins = event.name in ("BetPlaced", "AbonoPlaced", "BancoCalled", "BetsClosed", "CardDrawn")
            begins = begins or (event.name == "CoupSettled" and event.coup not in settled)
            if begins and event.sequence > number:
                return True
            settled |= {event.coup} if event.name == "CoupSettled" else set()
    return False


# ---------------------------------------------------------------------------------------------
# What was read first (docs/judging.md, "What is found of what was read")
# ---------------------------------------------------------------------------------------------

AS_READ = "as read"  # about what a finding is that the reading shows
# What is not found in a coup of which it is not known which events are of it.
OF_OPEN_COUP = {
    "deal-order", "deal-short", "natural-drawn", "punto-drew", "punto-stood", "banca-drew", "banca-stood", "extra-card",
    "total-wrong", "winner-wrong", "bet-late", "bet-withdrawn-late", "bet-kind", "bet-unknown", "bet-not-settled",
    "bet-settled-twice", "payout-over", "payout-under", "payout-wrong-seat", "commission-missing", "commission-wrong",
    "void-stake-kept", "void-overpaid", "ruling-not-followed", "bank-wrong", "bank-not-settled",
}
OF_ORDER = {"coup-overlap", "coup-settled-early", "coup-not-settled", "card-before-bets-closed"}  # what is not found next to a hole
OF_SHOE = ("ShoeLoaded", "BurnCards", "CutCardDrawn", "ShoeEnded")
OF_PLAY = ("BetPlaced", "AbonoPlaced", "BetsClosed", "PuntoHolder", "CardDrawn", "CoupSettled")
AROUND = (
    "DealOffered", "DealAccepted", "DealDeclined", "SeatTaken", "SeatLeft", "LimitsChanged", "PlayersPresent", "LeaveGiven",
    "CommissionCollected", "BankTaken", "BankPassed", "BankBid", "GarajeSet",
)
OF_BANK = ("BancoCalled", "DrawDecided", "BankSettled")


class Doubt:
    """What is not known of a coup."""

    def __init__(self):
        self.everything = self.cards = self.order = self.stakes = self.holder = self.close = False


class Own(list):
    """The events of one coup but its void, in the order of play."""

    def __init__(self, number=0):
        super().__init__()
        self.number, self.doubt = number, Doubt()
        self.played = None  # the coup as it is judged, once it began
        self.is_early = False  # something of it is recorded before the coup before it was settled


class Understood:
    """What the reading says of one event."""

    def __init__(self, step):
        self.dropped, self.loads, self.begins, self.at_word = step.dropped, step.loads, step.begins, step.at_word
        self.coup = Own()  # its own
        self.lost = []  # cards that were lost before it: the hand and the position
        self.misread = self.burn_misread = self.mistyped = self.out_of_place = False
        self.is_behind = False  # a bet that came behind the settlement of its coup
        self.told = []  # what is found at it, and in which coup
        self.latest = None  # of what is read at another place: the latest time before it in its shoe


@functools.cache
def book_of_text(text):
    """A rulebook, read once."""
    return read_book(json.loads(text))


class AsRead:
    """A table's events as they are understood."""

    def __init__(self, events):
        tape, steps, self.remarks = reading.read(events, lambda data: book_of_text(json.dumps(data)))
        self.without_shoe = {}  # of events of a coup behind the closing of its table: what is found there
        self.coups = {}  # by shoe and number: of each such coup the events, in the order of play
        self.order = []  # the shoe and the events of each coup, in the order in which they began
        self.here = {}  # the last of each number in the shoe in play
        self.events = [tape.event(step.place) for step in steps]
        for event, step in zip(self.events, steps):
            event.read = Understood(step)
            event.said = event.value
        self.at = {event.sequence: event for event in self.events}
        self.certain = [one for remark in self.remarks if remark.is_certain for one in remark.alternatives[0]]
        self.moved = {one.at for one in self.certain if self.kind(one) == "moved"}
        every = [one for remark in self.remarks for each in remark.alternatives for one in each]
        self.may_be_moved = {one.at for one in every if self.kind(one) == "moved"}
        followed = [one for remark in self.remarks for one in remark.alternatives[0]]
        self.elsewhere = {one.at for one in followed if self.kind(one) == "moved"}  # also if another may have been moved
        withdrawn = [event for event in self.events if event.name == "BetWithdrawn" and event.sequence in self.elsewhere]
        self.taken_back_elsewhere = {event.value["bet"] for event in withdrawn}
        for event, step in zip(self.events, steps):
            self.understand(event, step)
        for remark in self.remarks:
            self.note(remark)
        for _, coup in self.order:
            self.take_bets_behind(coup)
        self.keep_shoes_in_place()
        for _, coup in self.order:
            self.tell_order(coup)
            self.tell_left(coup)
            self.tell_behind_end(coup)
        self.tell_overlaps()
        self.tell_closed()
        for event in [self.at[at] for at in self.elsewhere if at in self.at]:  # its clock is compared where it is recorded
            before = [each.micros for each in self.events if each.shoe == event.shoe and each.sequence < event.sequence]
            event.read.latest = max(before, default=event.micros)

    def kind(self, one):
        """The kind of an explanation."""
        return reading.KINDS[one.kind]

    def understand(self, event, step):
        """Its own coup, and how it is read."""
        if event.coup is not None and step.coup and not step.dropped and event.name in OF_PLAY + OF_BANK + ("CoupVoided",):
            if event.coup != step.coup:
                event.value = dict(event.value, coup=step.coup)
            if step.loads:  # what follows is of another shoe, of which no loading is recorded
                self.here = {}
            if step.begins or (event.shoe, step.coup) not in self.here:
                self.here[event.shoe, step.coup] = Own(step.coup)
            coup = event.read.coup = self.here[event.shoe, step.coup]
            if not coup and event.name != "CoupVoided":
                self.coups.setdefault((event.shoe, step.coup), []).append(coup)
                self.order.append((event.shoe, coup))
            coup += [event] if event.name != "CoupVoided" else []
        for read in step.reads:
            if read[0] == "lost":
                event.read.lost.append(read[1:])
            elif read[0] == "to":
                event.value = dict(event.value, to=("punto", "banca")[read[1]])
            elif read[0] == "unread":
                hand = ("punto", "banca")[read[1]]
                cards = [each for each in event.read.coup if each.name == "CardDrawn" and each.value["to"] == hand]
                if read[2] < len(cards):
                    cards[read[2]].read.misread = True

    def note(self, remark):
        """What a remark says of its events and coups."""
        every = [one for each in remark.alternatives for one in each]
        moves = [one for one in every if self.kind(one) in ("moved", "doubled")]
        if remark.is_certain or all(any(one in moves for one in each) for each in remark.alternatives):
            for one in moves:
                if one.at in self.at:
                    self.at[one.at].read.out_of_place = True
        only_moved = all(self.kind(one) == "moved" for one in every)
        is_open = not remark.is_certain and not only_moved
        coups = [(one, self.coup_at(one)) for one in every if one.coup]
        concerned = {id(coup): coup for _, coup in coups if coup}
        for coup in concerned.values():
            for one in every:
                own = one.coup and self.coup_at(one) is coup
                self.doubt(one, coup, own, is_open)
        for one in remark.alternatives[0]:
            self.tell(one, remark.is_certain)

    def coup_at(self, one):
        """The events of the coup of an explanation: of several with one number that to which its event belongs."""
        event = self.at.get(one.at)
        return self.events_of(event.shoe if event else 0, one.coup, one.at)

    def events_of(self, shoe, number, at):
        """The events of a coup that begins by a sequence."""
        same = self.coups.get((shoe, number)) or [Own(number)]
        has = [coup for coup in same if any(event.sequence == at for event in coup)]
        begun = [coup for coup in same if coup and min(event.sequence for event in coup) <= at]
        return (has or begun[-1:] or same)[0]

    def doubt(self, one, coup, is_own, is_open):
        """What of a coup would be otherwise if an explanation was not the right one."""
        doubt = coup.doubt
        kind, word, event = self.kind(one), one.word, self.at.get(one.at)
        name = event.name if event else ""
        own = event in coup
        if kind == "lost" and word in ("bet", "withdrawal") and is_own:
            doubt.stakes = True
            doubt.holder = doubt.holder or word == "bet" or not is_open
        said = own and name in ("DrawDecided", "BankSettled")
        subject = "nothing"
        if kind == "moved" and not said and is_own and (is_open or name not in ("CoupSettled", "CoupVoided")):
            subject = "place"
        elif kind == "mislabelled" or (kind == "doubled" and word != "settlement"):
            subject = "coup"
        elif kind == "lost" and (word != "close" or is_own):
            subject = {"card": "cards", "close": "close", "settlement": "coup"}.get(word, "nothing")
        elif kind == "misread":
            subject = {"face": "cards", "hand": "cards", "bet": "coup"}.get(word, "nothing")
        elif kind == "departed" and word in ("drew", "stood", "short", "position"):
            subject = "cards"
        elif kind == "departed" and word in ("number", "no-shoe"):
            subject = "coup"
        elif kind == "departed" and word == "again" and not said:
            settled = [each for each in self.coup_at(one) if each.name == "CoupSettled"]
            subject = "nothing" if event in settled[1:] or name in ("BetPlaced", "AbonoPlaced") else "coup"
        doubt.close = doubt.close or subject == "close"
        if subject == "close" or (subject == "place" and not is_open):
            doubt.order = True
        elif subject == "cards":
            doubt.cards = doubt.cards or is_open
        elif subject in ("coup", "place") and is_open:
            doubt.everything = True

    def tell(self, one, certain):
        """What is found of an explanation that is followed."""
        event, kind, word = self.at.get(one.at), self.kind(one), one.word
        if event is None:
            return
        if kind == "misread" and word == "burned":
            event.read.burn_misread = certain
        elif kind == "misread" and word == "bet":
            event.read.mistyped = certain
            event.read.told.append(("bet-unknown", self.coup_at(one)))
        elif kind == "misread" and word == "cut-card" and certain:
            event.read.told.append(("cut-card-position", Own()))
        elif kind == "misread" and word in ("hand", "face"):
            self.tell_as_recorded(event, self.coup_at(one))
        elif kind == "lost" and word == "card" and not self.shows_positions(event):
            self.tell_as_recorded(event, self.coup_at(one))
        elif kind == "departed" and not certain and word in ("drew", "stood", "short"):
            self.tell_as_recorded(event, self.coup_at(one), event)

    def shows_positions(self, event):
        """Whether an event from here on says how many cards left the shoe."""
        return any(
            each.name in ("CardDrawn", "CutCardDrawn", "ShoeEnded") and each.shoe == event.shoe and each.sequence >= event.sequence
            for each in self.events
        )

    def tell_as_recorded(self, event, coup, only=None):
        """The first that is wrong with the cards of a coup, and with what was announced, as they were recorded."""
        book = next((book_of_text(json.dumps(each.value["rulebook"])) for each in self.events[::-1]
                     if each.name == "TableOpened" and each.sequence < event.sequence), None)
        if book is None:
            return
        play, found = Play(book), []
        for each in sorted(coup, key=lambda each: each.sequence):
            if each.name == "CardDrawn" and each.said["to"] in SIDE:
                card = each.said["card"]
                found.append((each, play.card(each.said["to"], [face for face in FACES if meets_card(face, card)])))
            elif each.name == "CoupSettled":
                if play.short():
                    found.append((each, "deal-short"))
                    break
                found += [(each, code) for code in play.stood()]
                totals = {side + "-total": each.value[side + "_total"] for side in SIDE}
                for facts, code in ((totals, "total-wrong"), ({"winner": each.value["winner"]}, "winner-wrong")):
                    if play.narrow(lambda world: None if facts.items() <= result_of(world).items() else code):
                        found.append((each, code))
                break
        found = [(each, code) for each, code in found if code and (only is None or each is only)]
        for each, code in found if only else found[:1]:
            each.read.told.append((code, coup))

    def keep_shoes_in_place(self):
        """What is recorded of a shoe is judged where it is recorded, also if it is read at another place."""
        for settled in [event for event in self.events if event.name == "CoupSettled" and event.sequence in self.elsewhere]:
            place = self.events.index(settled)
            around = [each for each in self.events[:place] if each.sequence > settled.sequence and each.name in AROUND]
            before = [each for each in self.events[:place] if each not in around]
            self.events = before + [settled] + around + self.events[place + 1 :]  # whose turn it is follows from the result
            for event in around:
                event.read.out_of_place = True
        self.keep_between_coups()
        self.keep_before_early()
        kept = [event for event in self.events if event.name in OF_SHOE]
        self.events = [event for event in self.events if event.name not in OF_SHOE]
        for event in kept:  # what is read at another place does not say where that is
            behind = (
                i for i, each in enumerate(self.events)
                if each.sequence > event.sequence and each.sequence not in self.elsewhere and not each.read.is_behind
            )
            self.events.insert(next(behind, len(self.events)), event)

    def keep_between_coups(self):
        """What is recorded between two coups stays before a coup that begins with events that are read at another place."""
        place = 0
        while place < len(self.events):
            event, place = self.events[place], place + 1
            if not (event.read.begins and event.sequence in self.elsewhere):
                continue
            end = place
            while end < len(self.events) and (self.events[end].sequence in self.elsewhere or self.is_between(self.events[end])):
                end += 1
            run = self.events[place - 1 : end]
            self.events[place - 1 : end] = [each for each in run if self.is_between(each)] + [
                each for each in run if not self.is_between(each)
            ]
            place = end

    def keep_before_early(self):
        """A coup of which something came before the coup before it was settled is in play from its next bet, close, card or settlement."""
        for coup, after, first in self.find_early():
            first.read.coup.is_early = True
            names = ("BetPlaced", "AbonoPlaced", "BetsClosed", "CardDrawn", "CoupSettled")
            starts = [event.sequence for event in first.read.coup if event.name in names and event.sequence > after.sequence]
            place = end = min(self.events.index(event) for event in [first] + first.read.coup)
            while end < len(self.events) and self.events[end].name not in OF_SHOE + ("TableOpened", "TableClosed"):
                event = self.events[end]
                if event.sequence in starts[:1] or event.read.begins and event.read.coup not in (coup, first.read.coup):
                    break
                end += 1
            moved = [event for event in self.events[place + 1 : end] if self.is_between(event)]
            self.events[place:end] = moved + [event for event in self.events[place:end] if event not in moved]
            for event in moved:
                event.read.out_of_place = True

    def find_early(self):
        """Each coup of which something is recorded before the coup before it is over: that coup, what it is over with, and the first event."""
        voids = [event for event in self.events if event.name == "CoupVoided" and not event.read.dropped]
        for (shoe, coup), (shoe_after, own) in zip(self.order, self.order[1:] + [(None, None)]):
            void_alone = any(event.shoe == shoe and event.coup == coup.number + 1 and not event.read.coup for event in voids)
            own = Own(coup.number + 1) if shoe_after != shoe or (void_alone and own.number > coup.number + 1) else own
            settled = next((event for event in coup if event.name == "CoupSettled"), None)
            over = settled or next((event for event in voids if event.read.coup is coup), None)
            if over is None or any(event.read.at_word for event in coup + own):
                continue
            began = min(event.sequence for event in coup)
            early = [event for event in voids if event.shoe == shoe and event.coup == own.number and event.sequence > began]
            early = [event for event in early if event.read.coup is own or not event.read.coup] + own
            early = [event for event in early if event.sequence < over.sequence]
            if early:
                yield coup, over, min(early, key=lambda each: each.sequence)

    def is_between(self, event):
        """Whether an event stands between two coups, or right behind one."""
        compulsory = event.name == "GarajeSet" and event.value["kind"] == "compulsory"
        return event.name in AROUND and not compulsory or event.read.is_behind

    def take_bets_behind(self, coup):
        """A bet of a coup that was settled, while another is in play, belongs to its coup and came too late."""
        settled = next((place for place, event in enumerate(coup) if event.name == "CoupSettled"), len(coup))
        for event in coup[settled + 1 :]:
            if event.name in ("BetPlaced", "AbonoPlaced") and not event.read.dropped:
                event.read.is_behind = event.read.out_of_place = True
                self.events.remove(event)
                self.events.insert(self.events.index(coup[settled]), event)

    def tell_order(self, own_coup):
        """Under which number the events of a coup are recorded, and in which order."""
        wrong = min((event for event in own_coup if event.said["coup"] != own_coup.number), key=lambda each: each.sequence, default=None)
        if wrong:
            wrong.read.told.append(("coup-label" if len(own_coup) > 1 else "coup-number", own_coup))
        coup = [event for event in own_coup if not event.read.at_word]
        cards = [event for event in coup if event.name == "CardDrawn"]
        turned = [
            card for card in cards if card.sequence in self.elsewhere
            and any((each.sequence < card.sequence) != (each.value["position"] < card.value["position"]) for each in cards if each is not card)
        ]
        for card in turned:
            card.read.told.append(("shoe-position", own_coup))
        settled = [event for event in coup if event.name == "CoupSettled"][:1]
        own = [event for event in coup if event.name in OF_PLAY and event.name != "CoupSettled" and event not in turned]
        lines = {part["bet"] for part in settled[0].value["bets"]} if settled else set()
        stakes = [event for event in coup if event.name in ("BetPlaced", "AbonoPlaced")]
        shut = min((event.sequence for event in coup if event.name == "BetsClosed"), default=math.inf)
        late = [event for event in stakes if event.sequence > shut and event.value["bet"] not in lines]
        for bet in stakes:
            if bet.sequence in self.elsewhere or bet.value["bet"] in self.taken_back_elsewhere:
                self.tell_withdrawn(bet, own_coup)
        own = [event for event in own if event not in late and (not event.read.is_behind or event.value["bet"] in lines)]
        if settled and any(event.sequence > settled[0].sequence for event in own):
            settled[0].read.told.append(("coup-settled-early", own_coup))
        hands = [card.sequence for card in cards if card.value["to"] in SIDE and card not in turned]
        closes = [event for event in coup if event.name == "BetsClosed"]
        if hands and closes and all(close.sequence > min(hands) for close in closes):
            self.at[min(hands)].read.told.append(("card-before-bets-closed", own_coup))

    def tell_withdrawn(self, bet, coup):
        """A bet that is recorded behind its withdrawal."""
        for event in self.events[self.events.index(bet) :]:
            if event.name == "BetWithdrawn" and event.value["bet"] == bet.value["bet"] and event.sequence < bet.sequence:
                event.read.told.append(("bet-unknown", coup))

    def tell_left(self, coup):
        """A coup goes on behind the closing of its table, or the loading of another shoe."""
        settled = next((event for event in coup if event.name == "CoupSettled"), None)
        if settled is None or any(event.read.at_word for event in coup):
            return
        began = min(event.sequence for event in coup)
        over = [each for each in self.events if each.name in ("TableClosed", "ShoeLoaded") and not each.read.dropped]
        over = [each for each in over if began < each.sequence < settled.sequence]
        if over and not self.is_void(coup):
            over[0].read.told.append(("coup-not-settled", coup))
            first = min((event for event in coup if event.sequence > over[0].sequence), key=lambda each: each.sequence)
            opened = any(
                each.name == "TableOpened" and over[0].sequence < each.sequence < first.sequence for each in self.events
            )
            closed = over[0].name == "TableClosed" and not opened
            self.without_shoe[first.sequence] = ["table-not-open"] * closed + ["shoe-missing"]

    def tell_behind_end(self, coup):
        """A coup is settled behind the end of its shoe, and read before that."""
        for settled in [event for event in coup if event.name == "CoupSettled" and event.sequence in self.elsewhere]:
            ends = [event for event in self.events if event.name == "ShoeEnded" and event.shoe == settled.shoe and not event.read.dropped]
            if any(coup[0].sequence < end.sequence < settled.sequence for end in ends):
                settled.read.told.append(("play-after-end", coup))

    def tell_closed(self):
        """Whether the table is open is judged where an event is recorded."""
        doors = [each for each in self.events if each.name in ("TableOpened", "TableClosed") and not each.read.dropped]
        doors = sorted(each.sequence for each in doors)
        for event in self.events:
            last = max((each for each in doors if each < event.sequence), default=None)
            if event.coup is not None and event.sequence in self.elsewhere and last and self.at[last].name == "TableClosed":
                self.without_shoe.setdefault(event.sequence, ["table-not-open"])

    def is_void(self, coup):
        """Whether a coup is declared void."""
        voids = [each for each in self.events if each.name == "CoupVoided" and each.coup == coup.number]
        return any(each.shoe == coup[0].shoe for each in voids)

    def tell_overlaps(self):
        """What is recorded of a coup before the one before it is over."""
        for coup, over, first in self.find_early():
            if over.name == "CoupSettled" and over.sequence in self.moved:
                over.read.told.append(("coup-overlap", coup))
            else:
                first.read.told.append(("coup-overlap", first.read.coup))


# ---------------------------------------------------------------------------------------------
# What the judge keeps of coups, bets and shoes
# ---------------------------------------------------------------------------------------------


class Verdict:
    """What is certified, violated or undecided."""

    def __init__(self):
        self.violated = False
        self.open = []  # reasons, the first of which is reported

    def word(self):
        """The verdict."""
        return "violated" if self.violated else "undecided" if self.open else "certified"


class Bet:
    """A stake as it stands."""

    def __init__(self, event, kind):
        value = event.value
        self.event, self.at, self.id, self.kind = event, event.at, value["bet"], kind
        self.seat, self.player, self.stake = value["seat"], value.get("player"), value["stake"]
        self.late = self.withdrawn = self.gone_late = None  # findings, or that it was taken back
        self.plays = self.stake  # the part within its limits
        self.share_silent = self.misplaced = self.alike = False
        self.strange = None  # the finding that its kind is not offered
        self.key = self.id  # of a second bet under one id another

    def __repr__(self):
        return f"bet {self.id} {self.kind} {self.stake} at {self.seat}"


class Coup(Verdict):
    """A coup in play, or one that ended."""

    def __init__(self, number, shoe, book, events):
        super().__init__()
        self.number, self.shoe, self.book, self.events = number, shoe, book, events
        self.bets, self.cards, self.gone, self.holders = {}, [], [], []
        self.play = Play(book) if book else None
        self.closed = self.bets_closed = self.settled = self.void = None
        self.void_done = False
        self.again = False  # it has the number of a coup that was settled, and no cards
        self.awaits_stakes = False  # the next settlement of it gives its stakes back
        self.dealt = False
        self.card_before = 0  # the last card to a hand before its first
        self.perhaps_void = False  # its stakes came back, and its void may be missing
        self.lost_bets, self.bank_before = 0, None  # events missing that are no cards; what the bank held before they were
        self.missing_early = (0, 0)  # events missing before its first card that are no cards, and the last gap of them
        self.draws = []  # findings on cards, whose money the settlement tells
        self.returned, self.fees = Counter(), Counter()
        self.marks = Counter()
        self.doubt = events.doubt  # what the reading leaves open of it
        self.parts = {}  # of each bet: what came back, less what was marked in a box
        self.due_unknown = False  # a card should have gone elsewhere, and what it would have brought is not known
        self.nets = Counter()  # of each bet, and of the bank: what came back less what was staked
        self.bank_change = None  # by how much the account changes bank and garaje, at the banker's seat
        self.first_card = 0
        self.drawn_at = []  # of each of its cards: the sequence and the time
        self.left_at = None  # where play went on without its settlement
        self.former = None  # chemin de fer: the bank it is played against, if another was taken since it began
        self.gap = self.spare = 0  # events missing in it; those of them that may be bets
        self.unread = set()  # `card`, `suit`
        self.hidden = False  # cards may be missing
        self.limits = None
        self.changes = {}
        # of chemin de fer: calls of banco, what hands announced, the bank's account and compulsory garaje,
        # cards put beside a hand, the banker, whether the stakes leave it open what plays
        self.calls, self.decided, self.account, self.compulsory = [], {}, None, None
        self.dealt_by, self.silent_stakes, self.account_first = None, False, False
        self.garajes = []  # set aside behind its account
        self.may_be_natural = False  # by its cards alone
        self.early_garajes = []  # compulsory, set aside before the coup before it was settled
        self.ahead, self.since = False, 0  # begun before the coup before it was settled; and where
        self.third_at = {}  # where the third card of each hand came
        self.gap_at = 0  # behind the last gap since it began
        self.given_up = False  # nothing shows that it goes on behind that gap
        self.unjudged = self.refunded = False  # what came back of it, being void, is not known
        self.unruled = []  # cards removed without a ruling
        self.fresh = []  # bets placed while a banco seguido had opened them again
        self.early, self.at_close = None, 0  # punto's holder as reported before the close; cards drawn by then
        self.early_wrong = False  # and whether they went to another by the bets that stood when it was reported

    def standing(self):
        """Bets that were not taken back, in the order in which they were placed."""
        return [bet for bet in self.bets.values() if not bet.withdrawn and not bet.gone_late]

    def ways_to_count(self):
        """The bets that count where one that came too late, or was taken back too late, may or may not: every way of it."""
        left = [bet for bet in self.bets.values() if not bet.withdrawn]
        disputed = [bet for bet in left if bet.late or bet.gone_late]
        if len(disputed) > 4:
            return None
        ways = product((False, True), repeat=len(disputed))
        without = [{bet for bet, counts in zip(disputed, way) if not counts} for way in ways]
        return [[bet for bet in left if bet not in out] for out in without]

    def may_have_been_another(self, bet):
        """Whether a bet may have been corrected before the first card."""
        return self.missing_early[0] > 0 and bet.event.sequence < self.missing_early[1]

    def may_be_gone(self, bet):
        """Whether a bet may have been taken back in what is missing."""
        return bet.event.sequence < self.gap_at

    def undecided(self, reason):
        """Something that decides is not known."""
        if reason not in self.open:
            self.open.append(reason)


class Shoe(Verdict):
    """A shoe."""

    def __init__(self, event, ordinal):
        super().__init__()
        value = event.value
        self.begins_late = False  # its record may begin in the middle of it
        self.removed, self.replaced = {}, []  # cards taken away, by position; those of them that were replaced
        self.ruled_away = []  # taken away by a ruling that the rulebook does not have: nobody knows whether they were
        self.early_turns = []  # what was found on turns before its first coup, if it does not
        self.left_out = None  # where coups are left out of the record
        self.event, self.ordinal, self.id = event, ordinal, value["shoe"]
        self.decks, self.behind = value["decks"], value["cards_behind_cut"]
        self.lost_in = None  # the coup that lost a card which no position showed yet
        self.held = {value["cards"], 52 * value["decks"]}  # where they differ that is reported, and either may be right
        self.counts = [1]  # what the next position may be; the first goes by the last one recorded
        self.slack = 0  # cards that may be missing behind them
        self.number, self.number_slack = 0, 0
        self.cut_before_next = False
        self.seen, self.surplus = Counter(), set()  # how often faces were read, and which were recorded as too many
        self.skipped = []  # positions that were passed over: two cards may be the wrong way round
        self.burns, self.burn_settled = [], False
        self.burn_gap = 0  # events missing behind the burn, before the first coup
        self.burn_at = None  # the last burn, as long as no card was drawn after it
        self.cut, self.cut_told, self.last = None, False, None
        self.dealt = self.ended = self.end_told = False
        self.coups = []
        self.order = None  # the order committed to, where it was revealed rightly
        self.whole = Counter()  # faces read anywhere in the shoe
        self.whole_ranks = Counter()
        self.at_position = {}
        self.burn_differs = self.other_decks = False  # from that order; it has the cards of other decks
        self.misread = []  # events that read cards otherwise than the order that was revealed
        self.known = True  # nothing was missing in it so far
        self.hidden = []  # coups that may lie in what is missing: the first, the one behind them, and events missing
        self.another_since = 0  # how many of its coups began before another shoe may have
        self.doubted = self.free_number = False  # so much is missing that what follows may be of another shoe

    def undecided(self, reason):
        """Something that decides is not known."""
        if reason not in self.open:
            self.open.append(reason)

    def may_be_over(self):
        """Whether no further coup may begin; where events are missing, nobody knows."""
        return self.ended or not self.known or (self.last is not None and self.number >= self.last)

    def of_this(self):
        """Its coups, without those settled before another shoe may have begun."""
        return [coup for i, coup in enumerate(self.coups) if i >= self.another_since or not coup.settled]

    def cut_positions(self, behind):
        """Before which card the cut card may stand with so many behind it; nowhere where that is not known."""
        return set() if behind is None else {held - behind + 1 for held in self.held}

    def options(self, card, position):
        """The cards that one may be which was not wholly read."""
        if "?" not in card:
            return [card]
        if self.order and 0 < position <= len(self.order) and meets_card(self.order[position - 1], card):
            return [self.order[position - 1]]  # what opens its commitment is no other shoe's
        if self.doubted:
            return [face for face in FACES if meets_card(face, card)]
        found = [
            face for face in FACES
            if meets_card(face, card) and self.whole[face] < self.decks
            and (card[0] != "?" or self.whole_ranks[face[0]] < 4 * self.decks)
        ]
        return found or [face for face in FACES if meets_card(face, card)]


def meets_card(face, card):
    """Whether a face may be a card that was read in part."""
    return card == "??" or (face[0] == card[0] and card[1] in ("?", face[1]))


SHOE_WIDE = {
    "shoe-decks", "shoe-count", "shoe-cut-depth", "shoe-surplus-card", "shoe-position", "shoe-cards-left",
    "shoe-order-commitment", "shoe-not-ended", "burn-count", "burn-missing", "burn-repeated", "cut-card-position",
    "cut-card-missing", "coup-after-last", "coup-number", "play-after-end", "shoe-id-reused", "deck-reused",
}
SHOE_ALONE = {"time-backwards", "sequence-conflict", "cut-card-position"}
COUP_NAMES = {
    "BetPlaced", "CardDrawn", "CoupSettled", "BetsClosed", "PuntoHolder", "BancoCalled", "AbonoPlaced",
    "DrawDecided", "BankSettled",
}
# What has to be corrected for a finding to be none (docs/judging.md, "A correction that may be missing").
MENDED_AT_SETTLEMENT = {
    "total-wrong", "winner-wrong", "payout-over", "payout-under", "payout-wrong-seat", "commission-missing",
    "commission-wrong", "bet-not-settled", "bet-settled-twice", "bet-unknown", "void-stake-kept", "void-overpaid",
}
OF_PAYOUT = {"payout-over", "payout-under", "payout-wrong-seat", "commission-missing", "commission-wrong"}
MENDED_AT_EVENT = {"burn-count", "cut-card-position", "bank-wrong"}
MENDED_BY_LOADING_TOO = {"shoe-cards-left", "shoe-surplus-card"}
MENDED_UNTIL_CARDS = {"shoe-decks", "shoe-count", "deck-reused", "leave-wrong"}
RESTS_ON_BANK = {"garaje-amount", "garaje-missing", "abono-amount", "stakes-above-bank", "banco-stake", "bank-above-maximum"}
MENDED_BY_FACE = {"punto-drew", "punto-stood", "banca-drew", "banca-stood", "natural-drawn"}
ON_STAKES = {
    "bet-seat", "bet-kind", "bet-below-minimum", "bet-multiple", "bank-below-minimum", "bank-above-maximum", "garaje-amount",
    "todo-va", "stakes-above-bank", "banco-stake", "abono-count", "abono-amount",
}
ON_STAKES_OR_TURNS = {
    "bet-place", "bet-above-maximum", "bet-forbidden-pair", "bet-without-main", "bet-above-main", "punto-holder",
    "garaje-not-allowed", "banco-priority", "banco-seguido",
}
ON_TURNS = {
    "seat-wrong", "seat-kept", "players-too-few", "deal-offer-order", "deal-not-offered", "deal-taken-away", "deal-kept",
    "bank-missing", "bank-turn", "bank-kept", "bank-taken-away", "bank-not-dealt", "bank-below-passed", "auction-excluded",
    "auction-winner", "saludo-owed",
}
ON_BOXES = {"commission-uncollected", "commission-over-collected"}
ALWAYS, BEFORE_CARDS, BEFORE_COUP = math.inf, "first card", "coup begun"  # until when an event may be corrected
MOST_MENDED = 1024  # wrong events, and gaps, of a shoe
TURNS = {  # findings on whose turn it is
    "deal-offer-order", "deal-not-offered", "deal-taken-away", "bank-turn", "bank-taken-away", "bank-below-passed",
    "auction-excluded", "auction-winner", "saludo-owed",
}
OTHERS = ""  # whose debt in a box is not the owner's, and nobody knows more
MOST_IN_BOX = 16  # names that are told apart in one box
# How many of each are kept (docs/judging.md, "More than is kept"). What lies beyond is forgotten, and what is in play undecided. How
# many bytes of a shoe are kept is nothing that happens here.
MOST = {
    "bet-ids": 65536, "shoe-ids": 65536, "deck-serials": 65536, "rulebook-texts": 1024, "players": 4096, "bids": 1024,
    "past-coups": 2048,
}

BEFORE_LOADING = {"SeatTaken", "SeatLeft", "PlayersPresent"}  # what may stand between a burn that came too early and its shoe
DIGITS = {0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"}
DIGITS |= {3: "BHD IQD JOD KWD LYD OMR TND", 4: "CLF UYW"}
CURRENCIES = (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF "
    "CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF "
    "IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN "
    "MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS "
    "SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG ZWL"
)


OFFSETS = {  # the offsets that clocks have at a place, in minutes from UTC
    "AD": (60, 120), "IT": (60, 120), "MC": (60, 120), "MT": (60, 120), "ES": (0, 120), "GB": (0, 60), "IE": (0, 60),
    "PT": (-60, 60), "HK": (480, 480), "MO": (480, 480), "PH": (480, 480), "SG": (480, 480), "US": (-600, -240),
}


def day_at(place, event):
    """The day of an event where a rulebook holds: at the offset there that is nearest to the one the event states."""
    low, high = OFFSETS.get(str(place).split("-")[0], (-720, 840))
    offset = min(max(event.local[1], low), high)
    try:
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=event.micros, minutes=offset)
    except OverflowError:
        return event.day
    return moment.date().isoformat() if moment.year >= 1970 else event.day


def digits_of(currency):
    """How many decimals ISO 4217 gives a currency; nothing where it has no such one."""
    for digits, names in DIGITS.items():
        if currency in names.split():
            return digits
    return 2 if currency in CURRENCIES.split() else None


@functools.cache
def name_tables():
    """The sections of docs/names.txt: what each character stands for."""
    tables, section = {}, None
    with open(DOCS / "names.txt", encoding="utf-8") as lines:
        for line in map(str.strip, lines):
            if line.startswith("["):
                section = tables.setdefault(line[1:-1], {})
            elif line and not line.startswith("#"):
                codes, *row = line.split()
                first, _, last = codes.partition("..")
                for code in range(int(first, 16), int(last or first, 16) + 1):
                    section[chr(code)] = row
    for section in ("canonical", "fold", "look"):
        for character, row in tables[section].items():
            tables[section][character] = "".join(chr(int(code, 16)) for code in row)
    return tables


def decompose(text):
    """A text fully decomposed, without what is never seen, in canonical order."""
    tables, found = name_tables(), []
    for character in text:
        if character in tables["ignorable"]:
            continue
        syllable = ord(character) - 0xAC00
        if 0 <= syllable < 11172:
            found += [chr(0x1100 + syllable // 588), chr(0x1161 + syllable % 588 // 28)]
            found += [chr(0x11A7 + syllable % 28)] if syllable % 28 else []
        else:
            found += tables["canonical"].get(character, character)
    classes = [int(tables["class"].get(character, ["0"])[0]) for character in found]
    start = 0
    for place in range(len(found) + 1):
        if place == len(found) or classes[place] == 0:  # what stands between two starters is put in order
            order = sorted(range(start, place), key=lambda each: classes[each])
            found[start:place] = [found[each] for each in order]
            start = place + 1
    return "".join(found)


def mapped(text, section):
    """A text mapped by a section."""
    rows = name_tables()[section]
    return decompose("".join(rows.get(character, character) for character in decompose(text)))


WHITE = re.compile("[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def tidy(text):
    """Words with single blanks between them."""
    return " ".join(filter(None, WHITE.split(text)))


def is_plain(text):
    """Whether it is of printable ASCII alone."""
    return text.isascii() and text.isprintable()


@functools.cache
def fold(name):
    """A name as it is compared."""
    return tidy(name.lower() if name.isascii() else mapped(name, "fold")) or name


@functools.cache
def looks(name):
    """What a name looks like: two texts."""
    seen = "".join(character for character in name if character not in name_tables()["unseen"])
    first = mapped(mapped(mapped(seen, "fold"), "look"), "fold")
    second = mapped(mapped(mapped(mapped(seen, "look"), "fold"), "look"), "fold")
    return {tidy(first), tidy(second)}


def look_alike(one, other):
    """Whether two names may be taken for each other."""
    plain = all(" " <= character <= "~" for character in one + other)
    return not plain and fold(one) != fold(other) and bool(looks(one) & looks(other))


def people_in(value):
    """The names of people in an event, as they are spelled. Of a correction only who signs it."""
    people = [value[field] for field in ("player", "ruled_by", "countersigned_by", "given_by") if value.get(field)]
    people += value.get("signed_by", [])
    return people + [each["player"] for each in value.get("partners", [])]


def names_in(value):
    """All names in an event."""
    others = [value[field] for field in ("shoe", "office", "code", "currency", "name") if isinstance(value.get(field), str)]
    return people_in(value) + others + value.get("deck_serials", []) + value.get("back_colours", [])


# What is certain only if two names are two people's.
OF_TWO_PEOPLE = {
    "seat-wrong", "punto-holder", "bank-turn", "bank-kept", "bank-taken-away", "bank-not-dealt", "bank-below-passed",
    "auction-excluded", "auction-winner", "saludo-owed", "seat-kept", "banco-stake", "banco-priority", "banco-seguido",
}


NAMES = ("player", "ruled_by", "countersigned_by")


def fold_names(value):
    """An event's fields with its names as they are compared. An id of a shoe stays: it is printed."""
    folded = dict(value)
    for field in NAMES:
        if folded.get(field) is not None:
            folded[field] = fold(folded[field])
    for field in ("signed_by", "deck_serials"):
        if field in folded:
            folded[field] = [fold(name) for name in folded[field]]
    if "partners" in folded:
        folded["partners"] = [fold_names(each) for each in folded["partners"]]
    if "corrected" in folded:
        name, corrected = folded["corrected"]
        folded["corrected"] = (name, fold_names(corrected))
    return folded


def same_name(one, other):
    """Whether two names are one person's."""
    return one is not None and one == other


# ---------------------------------------------------------------------------------------------
# The judge of one table
# ---------------------------------------------------------------------------------------------


class Table:
    """Plays a table's record from its first event to its last."""

    def __init__(self, name, events, texts, off=frozenset(), version="decided"):
        self.name, self.texts = name, texts  # texts: each rulebook id's text in this log
        self.events, self.conflicts = in_order(events)
        for event in self.events:
            event.spelled = [event.value]
            event.value = fold_names(event.value)
        number_shoes(self.events)
        self.wrong_corrections, self.earlier, self.too_late, self.late = lay_corrections(self.events, version)
        self.read = AsRead(self.events)
        self.events = self.read.events
        self.spellings, self.alike, self.pairs, self.unseen, self.here_alike = set(), set(), set(), set(), False
        self.mendable, self.gaps = [], []  # see mend()
        self.wrong = {}  # of each shoe: the events that were recorded wrongly, and until when they may be corrected
        self.last_card = 0  # the last card to a hand
        self.begin_mending()
        self.passed = {}  # of each bank that was passed: the seat and what was taken away
        self.kept = None  # the rulebook of a shoe that stays loaded while the table is closed
        self.findings, self.coups, self.shoes = [], [], []
        self.reported = set()
        self.i = 0
        self.since = 0  # where the last gap between coups is
        self.is_open = False  # or None: not known
        self.book = self.last_book = self.limits = self.currency = None
        self.moneyless = False  # no money moves here
        self.limits_known = True
        self.table_seats = []
        self.shoe = self.coup = self.ahead = self.last = None
        self.burned_early = None
        self.waiting = []  # void coups that were settled before and may be settled again
        self.loose = []  # coups without a shoe that are over
        self.seats = {}  # seat to player, or to nothing where that is disputed; a missing seat is free
        self.took_last = {}  # of a seat that was taken while it was another's: who took it
        self.seats_left = set()  # seats that were left, and not taken since
        self.disputed = set()  # seats left under another name: taken or free
        self.seats_known, self.seats_recorded = True, False
        self.bet_ids, self.things = set(), {"shoe-id-reused": {}, "deck-reused": {}}
        self.bet_ranges = 0  # ranges of consecutive ids among them
        self.forgotten = set()  # limits that were reached since the table opened
        self.for_good = set()  # ids of which some were forgotten: whether a new one came before is not known any more
        self.foreign = set()  # whether an id of a shoe, or a serial number, was not printable ASCII: others never look alike
        self.own_texts = set()  # the texts that this table was opened under
        self.players, self.players_forgotten = set(), False  # who staked, or had the bank, in this shoe
        self.boxes = defaultdict(lambda: [0, 0])
        self.marks = defaultdict(Counter)  # of each box: for whom it was marked; under OTHERS for anybody else
        self.missed = 0  # most that missing events may have marked; nothing where there is no bound
        self.overdue = Counter()
        self.after_gap = 0  # events missing since the last coup of this shoe that was settled
        self.deal = Deal(self)
        self.bank = Bank(self)
        self.latest = self.before = None
        self.worst = None
        self.late_end = False  # it was reported that a shoe had no end when the table closed
        self.off = off  # shoes whose positions are off: what order they had says nothing
        self.found_off = set()

    # --- findings -----------------------------------------------------------------------------

    def find(self, code, at, coup=None, money=None, once=None, about=None, least=()):
        """Tells a finding, and makes its coup or shoe violated."""
        if once is not None:
            if once in self.reported:
                return None
            self.reported.add(once)
        if coup and coup.doubt.everything and code in OF_OPEN_COUP and about is not AS_READ:
            return {"sequence": at, "code": code, "coup": None, "money": []}
        if code in OF_TWO_PEOPLE and (self.here_alike or self.in_doubt(coup)):
            for each in [coup or self.shoe]:
                if each:
                    each.undecided("name-look-alike")
            return {"sequence": at, "code": code, "coup": None, "money": []}
        finding = {"sequence": at, "code": code, "coup": coup.number if coup else None, "money": pack(money)}
        if any(seat in least for seat, _ in finding["money"]):
            finding["at_least"] = [seat for seat, _ in finding["money"] if seat in least]
        self.findings.append(finding)
        if code in SHOE_ALONE:
            finding["coup"], coup = None, None
        shoe = self.shoe
        if shoe and shoe.begins_late and not shoe.coups and code in TURNS:  # the coups before may not be recorded
            shoe.early_turns.append(self.findings.pop())
            finding["_coup"], finding["_shoe"], finding["_about"] = coup, shoe, about
            return finding
        finding["_coup"], finding["_shoe"], finding["_about"] = coup, coup.shoe if coup else self.shoe, about
        if code not in INCOMPLETE:
            if coup:
                coup.violated = True
            shoe = coup.shoe if coup else self.shoe
            if shoe and (coup is None or code in SHOE_WIDE):
                shoe.violated = True
        return finding

    def forget(self, limit, at):
        """More of something is recorded than is kept: what is in play is undecided, and what begins before the table opens again."""
        for each in (self.coup, self.shoe):
            if each:
                each.undecided("more-than-kept")
        if limit not in self.forgotten:
            self.forgotten.add(limit)
            self.find("more-than-kept", at)

    def note_player(self, event):
        """Who stakes, or has the bank, plays in this shoe."""
        value = event.value
        names = [value["player"]] if event.name in ("BetPlaced", "AbonoPlaced", "BankTaken") else []
        for name in filter(None, names + [each["player"] for each in value.get("partners") or []]):
            if len(self.players) < MOST["players"]:
                self.players.add(name)
            elif name not in self.players:
                self.players_forgotten = True
        if self.players_forgotten:
            self.forget("players", event.at)

    def note_bet_id(self, bet, event):
        """The ids of bets are kept as ranges of consecutive ids."""
        if bet not in self.bet_ids:
            ranges = self.bet_ranges + 1 - (bet - 1 in self.bet_ids) - (bet + 1 in self.bet_ids)
            if ranges > MOST["bet-ids"]:
                self.for_good.add("bet-ids")
                self.bet_ids, ranges = set(), 1
            self.bet_ids.add(bet)
            self.bet_ranges = ranges
        if "bet-ids" in self.for_good:
            self.forget("bet-ids", event.at)

    def meet(self, event):
        """Notes the names in an event: who looks like somebody else, and what nobody sees."""
        unseen = name_tables()["unseen"] if any(not is_plain(text) for value in event.spelled for text in names_in(value)) else ()
        for value in event.spelled:
            for name in names_in(value):
                if unseen and name not in self.unseen and any(character in unseen for character in name):
                    self.unseen.add(name)
                    self.find("name-unseen", event.at)
            for name in people_in(value):
                if name in self.spellings:
                    continue
                found = False
                for other in self.spellings:
                    if look_alike(name, other):
                        self.alike |= {fold(name), fold(other)}
                        pair = frozenset((fold(name), fold(other)))
                        found = found or pair not in self.pairs
                        self.pairs.add(pair)
                self.spellings.add(name)
                if found:
                    self.find("name-look-alike", event.at)
        self.here_alike = bool(self.alike) and any(fold(name) in self.alike for value in event.spelled for name in people_in(value))
        if self.here_alike and event.name in ("BankTaken", "BankPassed", "BankBid") and self.shoe:
            self.shoe.undecided("name-look-alike")

    def forget_names(self):
        """A shoe is loaded: only those who sit are still remembered."""
        sitting = {player or self.took_last.get(seat) for seat, player in self.seats.items()}
        kept, self.alike = {name for name in self.spellings if fold(name) in sitting}, set()
        self.spellings = kept
        for one, other in combinations(sorted(kept), 2):
            if look_alike(one, other):
                self.alike |= {fold(one), fold(other)}

    def in_doubt(self, coup):
        """Whether somebody who plays in a coup looks like somebody else."""
        if not self.alike or coup is None:
            return False
        people = {bet.player for bet in coup.bets.values()} | {call.value["player"] for call in coup.calls}
        banker = self.bank.banker if self.bank.live and coup in (self.coup, self.ahead) else coup.dealt_by
        return bool((people | {banker[1] if banker else None}) & self.alike)

    def upcoming(self):
        """Events behind the one at hand, as far as the shoe goes."""
        for place in range(self.i + 1, len(self.events)):
            if self.events[place].name == "ShoeLoaded":
                return
            yield self.events[place]

    # --- the course ---------------------------------------------------------------------------

    def judge(self):
        """Plays the whole record."""
        for self.i, event in enumerate(self.events):
            if event.gap:
                self.gap(event)
                event.gap = 0
            found = len(self.findings)
            event = self.answered_early(event)
            if event.name == "ShoeLoaded" or (event.name == "TableOpened" and not self.kept):
                self.tell_clock()
            if event.name == "TableClosed":  # the shoe is over with it
                self.clock(event)
            self.meet(event)
            self.note_player(event)
            self.before_read(event)
            with self.bank.of(self.coup, event):
                if not event.read.dropped:
                    getattr(self, "on_" + event.name)(event)
                elif event.name in DROPPED:
                    DROPPED[event.name](self, event)
            self.after_read(event)
            if self.shoe or not self.shoes:
                self.note_mendable(event, self.findings[found:])
            if event.name != "TableClosed":
                self.clock(event)
            if event.sequence in self.conflicts and event.sequence - 1 not in self.conflicts:
                self.find("sequence-conflict", event.at)
            if event.sequence in self.conflicts and self.shoe:
                self.shoe.violated = True
        self.tell_without_shoe()
        self.finish()
        return self.report()

    def answered_early(self, event):
        """The event to be judged now: not an answer that was recorded right before the offer, which is judged behind it."""
        behind = self.events[self.i + 1 : self.i + 2]
        is_answer = event.name == "DealDeclined" or (event.name == "DealAccepted" and not self.bank.live)
        if not is_answer or not behind or behind[0].name != "DealOffered" or behind[0].gap:
            return event
        seat, asked = event.value["seat"], (self.bank if self.bank.live else self.deal).offered
        may_be_another = self.bank.live and asked is not None  # an answer to that offer, with a wrong seat
        if seat == asked or may_be_another or seat != behind[0].value["seat"]:
            return event
        self.find("deal-not-offered", event.at)
        self.clock(event)
        event.read.out_of_place = True
        self.events[self.i : self.i + 2] = behind + [event]
        return behind[0]

    def begin_mending(self):
        """A shoe is loaded: what was wrong before it counts for the one before."""
        self.early_gap = None  # the last gap between the loading and the first card
        self.bank_taken = (0, None)  # the last bank that was taken, and the last gap before the card that followed
        self.clusters, self.wrong_result = {}, None

    def note_mendable(self, event, found):
        """What is found, and which events a correction would have to mend for it to be none."""
        settling = event.name == "CoupSettled"
        resting = [finding for finding in found if self.bank.off and self.rests_on_wrong_bank(finding)]
        for finding in resting:
            self.note_needed(finding, {self.bank.off[0]: ALWAYS}, settling)
        found = [finding for finding in found if not any(each is finding for each in resting)]
        if event.name in ("BankTaken", "ShoeLoaded"):
            self.bank.off = None
        coup = None
        if settling:
            coup = next((coup for coup in reversed(self.coups) if coup.number == event.coup and coup.shoe is self.shoe), None)
            whole = coup and coup.settled is event and not coup.void
            found = found + [finding for finding in coup.draws if finding not in found] if whole else found
        misread = settling and any(finding["code"] == "total-wrong" for finding in found)
        if settling:
            wrong = [finding for finding in found if finding["code"] == "bank-wrong" and finding["_coup"] and not misread]
            if wrong:
                self.bank.off = wrong[0]["sequence"], wrong[0]["money"]
            elif coup and coup.settled is event and coup.account:
                if not coup.void or coup.account.sequence > coup.void.sequence:
                    self.bank.off = None
        for finding in found:
            if finding["code"] in MENDED_BY_FACE and not settling:
                continue  # noted with the settlement, or at the end
            self.note_needed(finding, self.needs_corrected(event, finding, coup, misread), settling)

    def note_needed(self, finding, needed, settling):
        """The events that would have to be corrected for it to be no finding."""
        if not needed:
            return
        wrong = self.wrong.setdefault(self.ordinal(), {})
        for at, until in needed.items():
            wrong.setdefault(at, until)
        if settling:
            self.wrong_result = next(iter(needed.items()))
        self.mendable.append((self.ordinal(), finding, set(needed)))

    def ordinal(self):
        """Which shoe is in play; what is before the first is of it."""
        return self.shoe.ordinal if self.shoe else 1

    def needs_corrected(self, event, finding, coup, misread):
        """Which events would have to be corrected for it to be no finding, and until when each may be."""
        code, at, shoe = finding["code"], finding["sequence"], self.shoe
        settling = event.name == "CoupSettled"
        loaded = shoe.event.sequence if shoe else at
        wrong = self.wrong.get(self.ordinal(), {})
        misloaded = loaded in wrong or (self.early_gap is not None and self.early_gap <= at)
        loading = {loaded: self.until_card(loaded) if self.early_gap is None else self.early_gap}
        faces = self.faces(coup or finding["_coup"], event.sequence)
        taken, gap = self.bank_taken
        if code in MENDED_UNTIL_CARDS:
            return {at: self.until_card(at)}
        if code in ("limits-ratio", "limits-range") and event.name == "LimitsChanged":
            return {at: BEFORE_COUP}
        if code in ON_STAKES | ON_STAKES_OR_TURNS | ON_TURNS | ON_BOXES:
            return dict([self.first_of(code, at, wrong, coup or self.coup)])
        if code == "shoe-order-commitment":
            if misloaded and shoe.other_decks:
                return loading
            return {each: ALWAYS for each in shoe.misread} if shoe.reveal_right else {}
        by_decks = code == "burn-count" and self.book is not None and self.book.burn["method"] == "decks"
        if misloaded and (by_decks or code in MENDED_BY_LOADING_TOO):
            return loading
        if code in MENDED_AT_EVENT | (MENDED_AT_SETTLEMENT if settling else set()):
            if misread:  # one face makes the result right, and all that follows from it
                return faces
            if code in ("commission-missing", "commission-wrong") and gap is not None:
                return {taken: gap}  # whose abonos are the banker's own decides it
            return {at: ALWAYS}
        if code in MENDED_BY_LOADING_TOO:
            return {at: ALWAYS}
        if code in MENDED_BY_FACE:
            alone = misread or not settling or coup.perhaps_void or finding["_about"] is AS_READ
            return faces if alone else faces | {event.sequence: ALWAYS}
        return {}

    def until_card(self, at):
        """Until when a decision may be corrected: never, where a card came since."""
        return at if self.last_card > at else BEFORE_CARDS

    def faces(self, coup, now):
        """The cards of a coup that were read otherwise than the order of the shoe has them; else its first."""
        first = coup.first_card if coup and coup.first_card else now
        last = max((sequence for sequence, _ in coup.drawn_at), default=first) if coup and coup.first_card else now
        misread = self.shoe.misread if self.shoe else []
        return {each: ALWAYS for each in misread if first <= each <= last} or {first: ALWAYS}

    def first_of(self, code, at, wrong, coup):
        """What stands for the wrong event of a cluster, and until when it may be corrected."""
        before, first_card = (coup.card_before, coup.first_card) if coup and coup.first_card else (at, at)
        if at > self.last_card:
            stakes, last = (self.card_before(), BEFORE_CARDS), ALWAYS
        elif before <= at <= first_card:
            stakes, last = (before, first_card), first_card
        else:
            stakes, last = (at, at), at
        turns = self.clusters.get("turns")
        if code in ON_STAKES:
            return turns if turns and stakes[0] < turns[0] <= last else stakes
        if code in ON_STAKES_OR_TURNS and stakes[0] in wrong:
            return stakes
        name = "boxes" if code in ON_BOXES else "turns"
        if name == "turns" and self.bank_taken[1] is not None:
            return self.bank_taken
        known = [self.clusters.get(name), self.wrong_result if name == "turns" else None]
        apart = lambda first: any(
            of == self.ordinal() and count > 0 and first < gap <= at for of, gap, count in self.gaps
        )
        known = [each for each in known if each and not apart(each[0])]
        self.clusters[name] = known[0] if known else (at, ALWAYS)
        return self.clusters[name]

    def card_before(self):
        """The last card to a hand, or the loading of the shoe behind it."""
        return max(self.last_card, self.shoe.event.sequence if self.shoe else 0)

    def rests_on_wrong_bank(self, finding):
        """Whether it is none if the account is corrected that says what the bank holds."""
        if finding["code"] == "bank-wrong":
            return finding["money"] == [[seat, -amount] for seat, amount in self.bank.off[1]]
        return finding["code"] in RESTS_ON_BANK

    def note_gap(self, of, event, count):
        """So many missing events are no cards: they may be corrections."""
        for at, until in self.wrong.get(of, {}).items():
            past = until == BEFORE_CARDS and self.last_card > at
            if past or (until == BEFORE_COUP and begun_since(self.events, at, event)):
                self.wrong[of][at] = event.sequence - 1
        self.gaps.append((of, event.sequence, count))
        if count > 0:
            if self.shoe and self.last_card < self.shoe.event.sequence:
                self.early_gap = event.sequence
            if self.last_card < self.bank_taken[0]:
                self.bank_taken = self.bank_taken[0], event.sequence

    def mend(self):
        """What missing events may have corrected is not found: in each shoe all that they can, or nothing."""
        noted = [finding for _, finding, _ in self.mendable]
        for coup in self.coups:  # its result is not recorded, or is that of a void coup
            draws = [finding for finding in coup.draws if finding["code"] in MENDED_BY_FACE and not any(each is finding for each in noted)]
            for finding in draws:
                self.shoe = coup.shoe
                faces = self.faces(coup, coup.first_card)
                self.note_needed(finding, faces, False)
        for ordinal in range(1, max(2, len(self.shoes) + 1)):
            shoe = next((shoe for shoe in self.shoes if shoe.ordinal == ordinal), None)
            gaps = sorted((at, count) for of, at, count in self.gaps if of == ordinal and count > 0)
            mendable = [(finding, needed) for of, finding, needed in self.mendable if of == ordinal]
            wrong = self.wrong.get(ordinal, {})
            mended = explained(wrong, gaps) if max(len(wrong), len(gaps)) <= MOST_MENDED else set()
            for finding, needed in mendable:
                if needed <= mended:
                    self.drop(finding)
                    if finding["_coup"]:
                        finding["_coup"].undecided("events-missing")
                    elif finding["_shoe"]:
                        finding["_shoe"].undecided("events-missing")
            for coup in shoe.coups if shoe else []:  # a card of it is another than was recorded
                first = coup.first_card or 0
                if any(at in mended and any(at == drawn for drawn, _ in coup.drawn_at) for at in shoe.misread):
                    coup.undecided("events-missing")

    def drop(self, finding):
        """A finding is none after all."""
        self.findings = [each for each in self.findings if each is not finding]
        coup, shoe = finding["_coup"], finding["_shoe"]
        grave = [each for each in self.findings if each["code"] not in INCOMPLETE]
        if coup:
            coup.violated = any(each["_coup"] is coup for each in grave)
        if shoe and (coup is None or finding["code"] in SHOE_WIDE):
            whole = [each for each in grave if each["_shoe"] is shoe and (each["_coup"] is None or each["code"] in SHOE_WIDE)]
            in_conflict = any(event.shoe == shoe.ordinal and event.sequence in self.conflicts for event in self.events)
            shoe.violated = bool(whole) or in_conflict

    def finish(self):
        """The record ends: what is in play is undecided."""
        self.tell_clock()
        for finding in [each for each in self.findings if each["code"] in OF_ORDER and each["_coup"] and each["_coup"].gap]:
            self.drop(finding)
        self.mend()
        for shoe in self.shoes:
            if shoe.begins_late:
                shoe.undecided("burn-not-recorded")
        for coup in self.waiting + [self.coup, self.ahead]:
            if coup:
                coup.undecided("not-settled-yet")
        for coup in (self.coup, self.ahead):
            if coup:
                self.coups.append(coup)
        shoe = self.shoe
        if shoe:
            self.settle_burn(shoe)
            if not shoe.ended:
                shoe.undecided("not-ended-yet")
            if any(low > 0 for low, _ in self.boxes.values()):
                shoe.undecided("not-collected-yet")
        for ordinal, number in self.earlier:
            for shoe in self.shoes:
                if shoe.ordinal == ordinal:
                    shoe.undecided("corrected")
                    for coup in shoe.coups:
                        if coup.number == number:
                            coup.undecided("corrected")

    def report(self):
        """What is printed of the table."""
        for coup in self.coups:
            if coup.shoe is None:
                coup.undecided("no-shoe")
        return {
            "table": self.name,
            "coups": [
                {"shoe": coup.shoe.id if coup.shoe else None, "coup": coup.number, "verdict": coup.word()}
                for coup in self.coups
            ],
            "shoes": [{"shoe": shoe.id, "verdict": shoe.word()} for shoe in self.shoes],
            "findings": sorted(map(printed, not_following(self.findings)), key=lambda each: (each["sequence"], each["code"], str(each))),
        }

    # --- what was read first --------------------------------------------------------------------

    def before_read(self, event):
        """What is understood of an event before it is played."""
        read, coup = event.read, self.coup
        self.tell_without_shoe(event)
        if event.name in DEAL and self.deal.lost is False and coup and not self.comes_later(coup):
            self.deal.unsettled()  # the settlement of the coup in play was lost
        if read.loads:  # a shoe whose loading was lost
            self.goes_on(event)
            self.put_away(event)
        for side, position in read.lost:
            if coup and coup.play and side is not None:
                coup.play.add(side, self.shoe.options("??", position) if self.shoe else FACES)
                coup.unread.add("card")
            if self.shoe:
                self.shoe.lost_in = coup

    def tell_without_shoe(self, event=None):
        """What is found behind the closing of a table is told where it is recorded, or at the end."""
        for sequence in list(self.read.without_shoe):
            is_here = event and sequence == event.sequence and sequence not in self.read.elsewhere
            if is_here or event is None or (sequence < event.sequence and not event.read.out_of_place):
                for code in self.read.without_shoe.pop(sequence):
                    self.find(code, self.read.at[sequence].at, once=code)

    def after_read(self, event):
        """What the reading shows of an event."""
        if event.read.at_word == "unexplained" and event.read.coup.played:
            event.read.coup.played.undecided("events-missing")
        if event.read.burn_misread and self.shoe:
            self.shoe.counts = []  # where the next card lies is as it is recorded
        for place, (code, events) in enumerate(event.read.told):
            coup = events.played
            if code == "cut-card-position" and not self.shoe:
                continue
            said = code, coup, event.at
            same = [each for each in self.findings if (each["code"], each["_coup"], each["sequence"]) == said]
            again = [each for each, _ in event.read.told[:place]].count(code) if code == "bet-unknown" else 0
            if len(same) <= again:
                found = self.find(code, event.at, coup, about=AS_READ)
                if found and code in MENDED_BY_FACE and event.name != "CoupSettled":
                    self.note_needed(found, self.faces(coup, event.sequence), False)

    def again_card(self, event):
        """A card was recorded again: it leaves the shoe as it is recorded, and goes to no hand."""
        coup = self.coup_again(event)
        if self.shoe and coup:
            self.position(event, coup)
            self.count_card(event.value["card"], event, coup)

    def coup_again(self, event):
        """The coup of what was recorded twice: that which it names, or else the one in play."""
        coups = [self.coup, self.ahead, self.last] + self.coups[::-1]
        return next((each for each in coups if each and each.shoe is self.shoe and each.number == event.coup), self.coup)

    def again_bet(self, event):
        """A bet was recorded again."""
        self.find("bet-id-reused", event.at, self.coup_again(event))

    def clock(self, event):
        """Remembers where the clock ran back furthest in a shoe."""
        if event.read.out_of_place:
            return
        latest = self.latest if event.read.latest is None else event.read.latest
        if latest is not None and latest - event.micros > CLOCK_STEP:
            back = latest - event.micros
            if self.worst is None or back > self.worst[0]:
                self.worst = (back, event.at)
        if event.read.latest is not None:
            return
        if event.name == "ShoeLoaded" or self.latest is None or event.micros > self.latest:
            self.latest = event.micros
        self.before = event.micros

    def tell_clock(self):
        """One finding for the whole shoe."""
        if self.worst and (self.book and self.is_open is not False or self.kept):
            self.find("time-backwards", self.worst[1])
        self.worst, self.latest = None, self.before

    # --- opening and closing ------------------------------------------------------------------

    def on_TableOpened(self, event):
        """A table opens under a rulebook."""
        value = event.value
        plays = [each for each in self.upcoming() if self.coup and each.read.coup is self.coup.events]
        over = event.read.at_word and all(each.name in ("BankSettled", "CoupSettled") for each in plays)
        if not (over and self.is_open is False):  # what was played at a closed table may be settled
            self.goes_on(event)
        if self.kept and self.kept != value["rulebook"]:  # it was kept for play under its own text
            self.find("shoe-not-ended", event.at)
            self.late_end = True
            self.put_away(event)
        self.kept = None
        if self.is_open:
            self.find("table-already-open", event.at)
        self.reported.discard("table-not-open")
        self.forgotten = set()
        self.is_open, self.limits_known = True, True
        self.seats, self.seats_left, self.disputed = {}, set(), set()
        self.seats_known, self.seats_recorded = True, False
        self.book = self.last_book = read_book(value["rulebook"])
        self.bank.rulebook(self.book)
        self.deal.close()
        self.check_text(event)
        self.moneyless = value["currency"] == "XXX"
        if not self.moneyless and digits_of(value["currency"]) != value["minor_digits"]:
            self.find("currency-wrong", event.at)
        if self.currency not in (None, value["currency"]):
            self.find("currency-changed", event.at)
        self.currency = value["currency"]
        self.table_seats = value["seats"]
        if self.book:
            if not seats_allowed(self.book, value["seats"]):
                self.find("table-seats", event.at)
            self.in_force(event)
        self.set_limits(value["limits"], event)

    def check_text(self, event):
        """Two texts under one id in one log."""
        book = event.value["rulebook"]
        text = json.dumps(book, sort_keys=True)
        if text not in self.own_texts and len(self.own_texts) >= MOST["rulebook-texts"]:
            self.forget("rulebook-texts", event.at)
            return
        self.own_texts.add(text)
        if isinstance(book.get("id"), str):
            known, here = self.texts.setdefault(book["id"], {}), (self.name, event.sequence)
            if known.setdefault(text, here) == here and text != next(iter(known)):  # the first opening under it
                self.find("rulebook-two-texts", event.at)

    def in_force(self, event):
        """Whether the rulebook holds on the day."""
        day = day_at(self.book.data.get("jurisdiction"), event) if self.book else None
        term = self.book.data.get("effective") or {} if self.book else {}
        early = isinstance(term.get("from"), str) and day < term["from"]
        late = isinstance(term.get("until"), str) and day > term["until"]
        if early or late:
            self.find("rulebook-not-in-force", event.at, self.coup, once=("force", id(self.book)))

    def set_limits(self, limits, event):
        """New limits, for the next coup."""
        self.limits, self.limits_known = limits, True
        if not self.book or self.is_open is False:
            return
        rule, least, most = self.book.limits, limits["minimum"], limits["maximum"]
        multiples = rule.get("maximum-over-minimum") or []
        if multiples and most not in [least * times for times in multiples]:
            self.find("limits-ratio", event.at)
        unit, wrong = limits["multiple"], least > most
        if unit is not None:
            wrong = wrong or unit == 0 or not rule.get("multiples-allowed", True)
            wrong = wrong or (rule.get("multiple-is-minimum", False) and unit != least)
        if wrong:
            self.find("limits-range", event.at)
        own = {}
        for each in limits["bets"]:  # the first listing of a kind counts
            own.setdefault(each["kind"], each)
        kinds = [each["kind"] for each in limits["bets"]]
        for kind, each in own.items():
            low = least if each["minimum"] is None else each["minimum"]
            high = most if each["maximum"] is None else each["maximum"]
            same = (low, high) == (least, most)
            off = bool(unit) and rule.get("multiple-is-minimum", False) and unit != low
            if kinds.count(kind) > 1 or not same and (low > high or off):
                self.find("limits-range", event.at)
            ratio = not same and multiples and high not in [low * times for times in multiples]
            capped = kind in self.book.bets and self.book.bets[kind].cap is not None
            if ratio and not capped and not self.book.chemin:
                self.find("limits-ratio", event.at)

    def on_LimitsChanged(self, event):
        """Limits change between coups."""
        self.needs_opening(event)
        coup = self.ahead if self.ahead and self.ahead.number == self.last_named() else self.coup
        if coup and not coup.void and (coup.bets or coup.cards or coup.dealt):
            self.find("limits-in-coup", event.at, coup)
        self.set_limits(event.value, event)
        if self.ahead and coup is not self.ahead:  # they bind in what is played behind the coup in play
            self.ahead.limits, self.ahead.limits_known = self.limits, True

    def needs_opening(self, event, coup=None):
        """Play at a table that is not open is reported once."""
        if self.is_open is False:
            self.find("table-not-open", event.at, coup, once="table-not-open")

    def on_TableClosed(self, event):
        """The table closes: nothing may be left open."""
        self.goes_on(event)
        self.needs_opening(event)
        stays = self.book and self.is_open is not False and self.book.data["shoe"].get("overnight")
        self.kept = self.book.data if stays and self.shoe and not self.shoe.ended else None
        if not self.kept:
            if self.shoe and not self.shoe.ended and not self.shoe.end_told:
                self.find("shoe-not-ended", event.at)
                self.late_end = True
            self.put_away(event)
        self.reported -= {"shoe-missing", "table-not-open"}
        self.bank.closed(event)
        self.is_open, self.book = False, None
        self.bank.rulebook(None)
        self.deal.close()

    def put_away(self, event):
        """The shoe in play is over."""
        self.boxes_due(event)
        self.settle_shoe_end()
        self.tell_clock()
        if self.shoe and not self.shoe.ended:
            self.shoe.undecided("not-ended-yet")
        self.shoe = self.last = None
        self.loose = []

    # --- seats --------------------------------------------------------------------------------

    def on_SeatTaken(self, event):
        """Somebody sits down at a free seat."""
        seat, player = event.value["seat"], event.value["player"]
        self.seats_recorded = True
        self.seats_left.discard(seat)
        exists = seat in self.table_seats or not self.table_seats or self.is_open is None
        free = seat not in self.seats or seat in self.disputed
        self.disputed.discard(seat)
        if not free or not exists:
            self.find("seat-wrong", event.at)
        if not free and not same_name(self.seats[seat], player):
            self.seats[seat] = None  # whose it is nobody knows
            self.took_last[seat] = player
        elif free:
            if None in self.marks.get(seat, ()):  # of whoever the box belonged to
                self.marks[seat][OTHERS] += self.marks[seat].pop(None)
            self.seats[seat] = player
            self.bank.sits(seat, player)

    def on_SeatLeft(self, event):
        """Somebody gets up, and has paid."""
        seat, player = event.value["seat"], event.value["player"]
        self.seats_recorded = True
        held = self.seats.get(seat)
        if held is not None and not same_name(held, player):
            self.find("seat-wrong", event.at)
            self.seats[seat] = None  # who left, and which seat, nobody knows
            self.took_last.pop(seat, None)
            self.disputed.add(seat)
            return
        if seat in self.seats_left:
            self.find("seat-wrong", event.at)
        self.seats.pop(seat, None)
        self.disputed.discard(seat)
        self.seats_left.add(seat)
        self.deal.left(seat)
        self.bank.left(seat, event)
        self.leave_box(event, seat, player)

    # --- shoes --------------------------------------------------------------------------------

    def check_reuse(self, event, shoe):
        """A shoe and its decks come once."""
        judged = [event.value[field] for field in ("shoe", "deck_serials")]
        spelled = next((each for each in event.spelled if [each["shoe"], [fold(name) for name in each["deck_serials"]]] == judged), event.value)
        firsts = {"used": set(), "alike": set()}
        for kind, names in ("shoe-id-reused", [spelled["shoe"]]), ("deck-reused", spelled["deck_serials"]):
            before = self.things[kind]
            for name in names:
                if not all(" " <= character <= "~" for character in name):
                    self.foreign.add(kind)
                if fold(name) in before:
                    firsts["used"].add(kind)
                elif kind in self.foreign and any(look_alike(name, other) for other in before.values()):
                    firsts["alike"].add(kind)
                before.setdefault(fold(name), name)
                if len(before) > MOST["shoe-ids"]:  # as many serial numbers as ids
                    before.pop(next(iter(before)))
                    self.for_good.add(kind)
        if self.book and not self.book.reuse:
            for kind, limit in ("shoe-id-reused", "shoe-ids"), ("deck-reused", "deck-serials"):
                if kind in self.for_good:
                    self.forget(limit, event.at)
            for kind in sorted(firsts["used"]):
                self.find(kind, event.at)
            if firsts["alike"]:
                self.find("name-look-alike", event.at)
                shoe.undecided("name-look-alike")

    def on_ShoeLoaded(self, event):
        """A shoe is loaded."""
        self.goes_on(event)
        if self.shoe and not self.shoe.ended and not self.shoe.end_told:
            self.find("shoe-not-ended", event.at)
        self.boxes_due(event)
        self.settle_shoe_end()
        value = event.value
        if self.shoes:
            self.begin_mending()
        self.shoe = shoe = Shoe(event, event.shoe)
        self.shoes.append(shoe)
        self.players, self.players_forgotten = set(), False
        self.note_player(event)
        if self.forgotten:
            shoe.undecided("more-than-kept")
        self.needs_opening(event)
        for ordinal, first, corrected in self.events[0].seats_later:
            if ordinal == event.shoe and same_name(self.seats.get(first["seat"]), first["player"]):
                if first["seat"] == corrected["seat"]:
                    self.seats[first["seat"]] = corrected["player"]
                else:  # nobody knows who has either
                    self.seats[first["seat"]] = self.seats[corrected["seat"]] = None
        self.in_force(event)
        self.forget_names()
        self.after_gap = 0
        self.last, self.loose = None, []
        self.reported -= {"shoe-missing", "play-after-end"}
        self.late_end = False
        self.look_ahead(shoe)
        if self.book and value["decks"] not in self.book.decks:
            self.find("shoe-decks", event.at)
        if value["cards"] != 52 * value["decks"]:
            self.find("shoe-count", event.at)
        if self.book and shoe.behind is not None and shoe.behind < self.book.behind:
            self.find("shoe-cut-depth", event.at)
        if not self.book:
            shoe.undecided("rulebook-missing")
        self.check_reuse(event, shoe)
        self.deal.new_shoe()
        self.bank.new_shoe()
        burn, self.burned_early = self.burned_early, None
        if burn is not None:  # recorded right before its shoe was loaded, and that is reported
            self.on_BurnCards(burn)

    def look_ahead(self, shoe):
        """What the record of the whole shoe shows of its cards."""
        end, drawn = None, []
        for event in self.upcoming():
            value, cards = event.value, []
            if event.name == "BurnCards":
                cards = [value["indicator"]] + value["faces"]
            elif event.name == "CardDrawn":
                cards = [value["card"]]
                drawn.append(event)
                shoe.at_position.setdefault(value["position"], value["card"])
            elif event.name == "ShoeEnded":
                end = event
                break
            for card in cards:
                shoe.whole[card] += 1
                shoe.whole_ranks[card[0]] += 1
        commitment = shoe.event.value["order_commitment"]
        reveal = end.value["reveal"] if end else None
        shoe.reveal_right = None
        if commitment and reveal:
            order = reveal["order"]
            whole = Counter(order) == Counter({face: shoe.decks for face in FACES})
            reported = blake3(bytes.fromhex(reveal["nonce"]) + bytes(map(card_code, order)))
            agrees = all(
                0 < place <= len(order) and meets_card(order[place - 1], card)
                for place, card in shoe.at_position.items()
            )
            shoe.reveal_right = whole and reported == commitment
            shoe.other_decks = not whole and reported == commitment
            if shoe.reveal_right and shoe.ordinal not in self.off:
                shoe.misread = [each.sequence for each in drawn if differs(order, each.value["position"], each.value["card"])]
            shoe.order = order if shoe.reveal_right and agrees and shoe.ordinal not in self.off else None
            shoe.revealed = order

    def on_BurnCards(self, event):
        """The first card is shown and others are burned."""
        shoe, value = self.shoe, event.value
        self.needs_opening(event)
        if shoe is None or shoe.ended:
            self.burned_early = event if self.leads_to_shoe() else None
        if shoe is None:
            self.find("shoe-missing", event.at, once="shoe-missing")
            return
        if shoe.doubted or (not shoe.known and (shoe.burns or shoe.coups)):  # the loading of another is missing
            shoe_doubted(shoe)
            return
        ruled = self.burn_ruled(shoe)
        shoe.begins_late, shoe.burn_gap = False, 0
        repeated = shoe.coups or (shoe.burns and not ruled) or shoe.ended
        if repeated:
            self.find("burn-repeated", event.at, self.coup)
            shoe.burn_settled = shoe.burn_settled or not shoe.burns  # its count is not judged
        if not shoe.burns or (ruled and not shoe.coups):
            shoe.burns.append(event)
        indicator = value["indicator"]
        position = shoe.counts[0]
        faces = [indicator] + (value["faces"] or ["??"] * value["burned"])
        for card in faces:
            self.count_card(card, event, None)
        if shoe.reveal_right and shoe.ordinal not in self.off and not repeated:
            if any(differs(shoe.revealed, place, card) for place, card in enumerate(faces, position)):
                shoe.order, shoe.burn_differs = None, True
                shoe.misread.insert(0, event.sequence)
        elif shoe.order and not repeated:
            right = shoe.order[position - 1 : position - 1 + len(faces)]
            if len(right) < len(faces) or not all(map(meets_card, right, faces)):
                shoe.order, shoe.reveal_right = None, False
        shoe.counts = [count + 1 + value["burned"] for count in shoe.counts]
        shoe.burn_at = event.at

    def leads_to_shoe(self):
        """Whether a shoe is loaded behind a burn, and nothing of play stands between."""
        for event in self.events[self.i + 1 :]:
            if event.name == "ShoeLoaded" and not event.gap:
                return True
            if event.gap or event.name not in BEFORE_LOADING:
                return False
        return False

    def burn_ruled(self, shoe):
        """Whether a ruling says that more cards are burned."""
        return any(
            each.name == "IrregularityRecorded" and each.value["code"] == "burn-corrected" and each.shoe == shoe.ordinal
            for each in self.events[: self.i]
        )

    def settle_burn(self, shoe):
        """Judges the burn once, when the first coup is dealt or the shoe is over."""
        if shoe.burn_settled or not self.book:
            return
        shoe.burn_settled = True
        if not shoe.burns:
            return
        first, extra = shoe.burns[0], shoe.burns[1:]
        burned = first.value["burned"] + sum(1 + each.value["burned"] for each in extra)
        if self.book.burn["method"] == "none":
            self.find("burn-count", first.at)
            return
        indicator = shoe.options(first.value["indicator"], 1)
        allowed = {shoe.decks}
        if self.book.burn["method"] != "decks":
            allowed = set().union(*(self.book.burned(card) for card in indicator))
        more = shoe.burn_gap + self.burn_ruled(shoe) >= 2 and len(allowed) == 1  # a ruling, and cards burned by it
        if burned not in allowed and not (more and burned < min(allowed)):
            self.find("burn-count", shoe.burns[-1].at)
        elif len(allowed) > 1:
            shoe.undecided("card-unread")
        elif first.value["faces"] and len(first.value["faces"]) != first.value["burned"] in allowed:
            self.find("burn-count", first.at)

    def count_card(self, card, event, coup):
        """No card more often than the decks hold it."""
        shoe = self.shoe
        if shoe is None or card == "??":
            return
        shoe.seen[card] += 1
        rank = card[0]
        more = Counter(shoe.replaced)
        may = Counter(shoe.ruled_away)
        held = {suit: shoe.decks + more[rank + suit] for suit in SUITS}
        within = shoe.seen[rank + "?"] + sum(min(shoe.seen[rank + suit], held[suit]) for suit in SUITS)
        spare = within - 4 * shoe.decks - sum(count for face, count in more.items() if face[0] == rank)
        of, perhaps = None, 0
        if "?" not in card and shoe.seen[card] > held[card[1]]:
            of, perhaps = card, may[card] + may[rank + "?"] - (shoe.seen[card] - held[card[1]])
        elif spare > 0:
            of, perhaps = rank, sum(count for face, count in may.items() if face[0] == rank) - spare
        if of is not None and perhaps >= 0 and any(face[0] == rank for face in may):
            shoe.undecided("ruled")
            return
        if of is not None and of not in shoe.surplus and not shoe.doubted:
            shoe.surplus.add(of)
            self.find("shoe-surplus-card", event.at, coup)

    def on_CutCardDrawn(self, event):
        """The cut card comes out."""
        shoe, place = self.shoe, event.value["position"]
        if shoe is None:
            self.find("shoe-missing", event.at, once="shoe-missing")
            return
        if shoe.doubted:
            return
        coup = self.coup if self.coup and self.coup.dealt else None
        if shoe.cut is not None:
            if shoe.number_slack < 2:  # else it may be another shoe's
                self.find("cut-card-position", event.at, coup)
            return
        nexts = shoe.counts or [place]  # if the count of the burn was misread, the next position is not known
        here = any(count <= place <= count + shoe.slack for count in nexts)
        put = shoe.cut_positions(shoe.behind)
        shifts = {count - nexts[0] for count in nexts}
        put_here = not put or any(place + shift in put for shift in shifts)
        too_deep = not put and self.book and max(shoe.held) - (place + min(shifts)) + 1 < self.book.behind
        wrong = ["shoe-cut-depth"] * bool(too_deep) + ["cut-card-position"] * (not here or not put_here)
        if wrong and shoe.number_slack >= 2:  # it is another shoe's, whose loading is missing
            return
        for code in wrong:
            self.find(code, event.at, coup)
        shoe.cut = event
        if self.book:
            if shoe.number_slack and shoe.slack:
                shoe.cut_before_next = True  # the coup it came out in may have begun in what is missing
            else:
                counts = self.coup is not None and not coup and self.book.first_counts  # it is one of those that may follow
                shoe.last = (self.coup.number if self.coup else shoe.number) + self.book.still - counts

    def on_ShoeEnded(self, event):
        """The shoe is over and its rest is counted."""
        coup = self.coup
        staked = coup is not None and any(not (bet.withdrawn or bet.gone_late) for bet in coup.bets.values())
        if coup is None or (coup.void and not staked) or not self.comes_later(coup):
            self.goes_on(event)
        shoe = self.shoe
        if shoe is None:
            if not self.late_end:
                self.find("shoe-missing", event.at, once="shoe-missing")
            self.late_end = False
            return
        again, shoe.ended = shoe.ended, True
        self.settle_burn(shoe)
        if shoe.order and not again and (len(shoe.counts) > 1 or shoe.skipped):
            self.found_off.add(shoe.ordinal)
        if shoe.doubted:
            self.bank.shoe_ended()
            return
        left = event.value["cards_left"]
        rests = {held + more - count + 1 for held in shoe.held for count in shoe.counts for more in range(len(shoe.replaced) + 1)}
        if not shoe.begins_late and not any(0 <= rest - left <= shoe.slack for rest in rests) and shoe.number_slack < 2:
            self.find("shoe-cards-left", event.at)
        if again:
            pass
        elif shoe.event.value["order_commitment"] and event.value["reveal"] is None:
            self.find("shoe-order-commitment", event.at)
        elif shoe.reveal_right is not None:
            agrees = all(
                0 < place <= len(shoe.revealed) and meets_card(shoe.revealed[place - 1], card)
                for place, card in shoe.at_position.items()
            )
            if len(shoe.counts) > 1 or shoe.skipped:
                agrees = True  # which card lies where is not known: that positions are wrong is reported
            if not shoe.reveal_right or not agrees or shoe.burn_differs:
                self.find("shoe-order-commitment", event.at)
        self.bank.shoe_ended()

    def settle_shoe_end(self):
        """Nothing is left to come for the shoe that is left."""
        if self.shoe:
            self.settle_burn(self.shoe)

    # --- coups: which one an event belongs to -------------------------------------------------

    def coup_for(self, event):
        """The coup of an event, begun if need be."""
        own = event.read.coup.played
        self.needs_opening(event, own if own is self.coup else None)
        if own and own in (self.coup, self.ahead):
            return own
        if self.coup and event.read.at_word and not event.read.begins and event.name != "CoupSettled":
            self.ahead = self.begin(event, keep=True)  # of the next coup, and the one in play is settled first
            if event.read.at_word != "hole":
                self.find("coup-overlap", event.at, self.ahead)
            return self.ahead
        self.goes_on(event)
        while self.coup:  # each that is left begins the next
            self.goes_on(event)
        self.coup = self.begin(event)
        return self.coup

    def comes_later(self, coup):
        """Whether anything of a coup is still to come before another shoe is loaded or the table is closed or opened."""
        for event in self.upcoming():
            if event.name in ("TableClosed", "TableOpened"):
                return False
            if event.read.coup is coup.events:
                return True
        return False

    def goes_on(self, event):
        """Play goes on: what should have been settled by now was not."""
        if event.name != "ShoeEnded":  # stakes that were paid may come back behind it
            for coup in self.waiting:
                if not coup.unjudged:
                    self.judge_void(coup, coup.void.at)
                    coup.void_done = True
            self.waiting = []
        coup = self.coup
        if coup is None:
            return
        self.deal.unsettled()
        if coup.void:
            money, stood = Counter(), [bet for bet in coup.standing() if not coup.may_be_gone(bet)]
            for bet in stood:
                money[bet.seat] -= bet.stake
            if stood and coup.void.sequence >= coup.gap_at:
                self.find("void-stake-kept", event.at, coup, money)
                coup.void_done = True  # what comes back later is another settlement
        elif event.coup is None and event.name != "TableOpened" or not any(
            each.name == "CoupSettled" and each.sequence > event.sequence for each in coup.events
        ):
            self.find("coup-not-settled", event.at, coup)  # else the next, or the opening, came too early
        self.bank.abandoned(coup)
        coup.left_at = event.sequence
        self.end(coup, event)

    def begin(self, event, keep=False):
        """Begins a coup."""
        shoe, number = self.shoe, event.coup
        if shoe and shoe.begins_late and not keep:
            self.leave_out(event, number)
        coup = event.read.coup.played = Coup(number, shoe, self.book if self.is_open is not False else None, event.read.coup)
        coup.limits, coup.limits_known = self.limits, self.limits_known
        coup.ahead, coup.since = keep, event.sequence
        if coup.book is None:
            coup.undecided("rulebook-missing")
        if self.forgotten:
            coup.undecided("more-than-kept")
        coup.gap = coup.spare = 0 if keep else self.after_gap
        if coup.gap:
            coup.undecided("events-missing")
        if shoe is None:
            self.find("shoe-missing", event.at, once="shoe-missing")
            coup.undecided("no-shoe")
            self.bank.begun_coup(event, coup)
            if not keep:
                self.last = None
            return coup
        old = next((old for old in reversed(shoe.coups[shoe.another_since :]) if old.number == number), None)
        left_void = old is not None and old.void is not None and not old.settled
        shoe.coups.append(coup)
        if shoe.ended and not keep:
            self.find("play-after-end", event.at, coup, once="play-after-end")
        first = number if shoe.free_number else shoe.number + 1
        hidden = min(number - 1, shoe.number_slack) if shoe.free_number else number - first
        shoe.free_number = False
        if shoe.cut_before_next and self.book:
            shoe.last = number + self.book.still
        shoe.cut_before_next = False
        if shoe.left_out == (event.at, number):
            self.find("coups-not-recorded", event.at, coup)
            if shoe.last is not None:  # they may all have come before the cut card
                shoe.last += number - first
        if not first <= number <= first + shoe.number_slack:
            self.find("coup-number", event.at, coup)
        else:
            if left_void and not shoe.number_slack:
                self.find("coup-number", event.at, coup)
            if hidden > 0:
                shoe.hidden.append((number - hidden, number, coup.gap))
            if shoe.last is not None and number > shoe.last and not shoe.ended and not self.is_read_otherwise(event):
                self.find("coup-after-last", event.at, coup)
        shoe.number, shoe.number_slack = number, 0
        self.bank.begun_coup(event, coup)
        if not keep:
            self.last = None
        return coup

    def is_read_otherwise(self, event):
        """Whether anything of a coup is recorded before the cut card came out, or it has a wrong number."""
        if any(code == "coup-number" for code, _ in event.read.told):
            return True
        first = min(each.sequence for each in event.read.coup + [event])
        cuts = [each.sequence for each in self.events if each.name == "CutCardDrawn" and each.shoe == event.shoe]
        return bool(cuts) and first < min(cuts)

    def leave_out(self, event, number):
        """The record does not begin with the shoe: coups that it leaves out are like a gap between two."""
        shoe = self.shoe
        first = 1 if shoe.free_number else shoe.number + 1
        hidden, early = number - first, shoe.early_turns
        shoe.early_turns = []
        if hidden <= shoe.number_slack:
            for finding in early:  # it begins with it after all
                self.findings.append(finding)
                shoe.violated = shoe.violated or finding["code"] not in INCOMPLETE
            return
        shoe.left_out = (event.at, number)
        shoe.number_slack = hidden
        shoe.known = False
        shoe.undecided("events-missing")
        self.gap_between(event, COUP_EVENTS * hidden)
        self.bank.gap(False)

    def end(self, coup, event):
        """A coup is over."""
        self.coups.append(coup)
        for _ in coup.unruled if coup.book and not coup.gap else []:
            self.find("card-removed", event.at, coup)
        self.last = coup
        self.loose += [] if coup.shoe else [coup]
        self.coup, self.ahead = self.ahead, None
        self.bank.set_early(self.coup)
        staked = any(bet.kind == "punto" for bet in coup.bets.values() if not bet.withdrawn)
        due = coup.book and (coup.book.holder == "highest-punto-bet" or (coup.book.holder == "banco" and staked))
        if due and coup.cards and not coup.holders and coup.shoe:
            coup.shoe.undecided("holder-not-recorded")

    def ended_coup(self, number):
        """The latest coup of this shoe that ended under a number."""
        if self.shoe and self.may_be_of_another_shoe(number, 0, COUP_EVENTS - 1):
            return None
        coups = self.shoe.of_this() if self.shoe else self.loose
        ended = [coup for coup in coups if coup.number == number and coup in self.coups]
        return ended[-1] if ended else None

    def hidden_coup(self, number):
        """A coup that may have been played in what is missing, of which nothing is recorded but that it was void."""
        shoe = self.shoe
        if shoe is None or any(coup.number == number for coup in shoe.of_this()):
            return None
        gaps = [events for first, following, events in shoe.hidden if first <= number < following]
        if shoe.ended and shoe.number < number <= shoe.number + shoe.number_slack:
            gaps = gaps or [self.after_gap]
        if not gaps or not gaps[-1]:
            return None
        coup = Coup(number, shoe, self.book, Own(number))
        coup.gap = coup.spare = gaps[-1]
        coup.given_up = True
        coup.undecided("events-missing")
        shoe.coups.append(coup)
        self.coups.append(coup)
        return coup

    def was_settled(self, number):
        """Whether a coup of this shoe that is over was settled under a number."""
        coup = self.ended_coup(number)
        return coup is not None and coup.settled is not None

    # --- bets ---------------------------------------------------------------------------------

    def on_BetPlaced(self, event):
        """A stake is laid down."""
        coup = self.coup_for(event)
        value = event.value
        self.place(coup, Bet(event, value["kind"]), event)

    def check_bet(self, coup, bet, event):
        """Whether there is money here, and such a seat."""
        if self.moneyless:
            self.moneyless = False
            self.find("currency-wrong", event.at)
        if self.table_seats and bet.seat not in self.table_seats and self.is_open:
            self.find("bet-seat", event.at, coup)

    def place(self, coup, bet, event, strange="bet-kind"):
        """Takes a bet in, whatever may be wrong with it."""
        book = coup.book
        if bet.id in self.bet_ids:
            self.find("bet-id-reused", event.at, coup)
            if bet.id in coup.bets:  # it stands beside the first
                bet.key = (bet.id, event.sequence)
        self.note_bet_id(bet.id, event)
        self.check_bet(coup, bet, event)
        sitting = self.seats.get(bet.seat)
        bet.alike = bet.player in self.alike
        bet.misplaced = not bet.alike and bet.player is not None and sitting is not None and not same_name(sitting, bet.player)
        if book and bet.kind not in book.bets:
            bet.strange = self.find(strange, event.at, coup)
        if self.is_late(coup, event):
            bet.late = self.find("bet-late", event.at, coup)
        elif coup.closed:
            coup.fresh.append(bet)
        coup.bets[bet.key] = bet

    def is_late(self, coup, event):
        """Whether a bet came too late, whatever was recorded at another place."""
        if not coup.doubt.order or not self.shut(coup):
            return self.shut(coup) or event.read.is_behind
        before = [each for each in coup.events if each.sequence < event.sequence and each.sequence not in self.read.may_be_moved]
        shut = any(each.name == "BetsClosed" or each.name == "CardDrawn" and each.value["to"] in SIDE for each in before)
        return event.read.is_behind or shut and event.sequence not in self.read.may_be_moved

    def on_BetWithdrawn(self, event):
        """A stake is taken back."""
        number = event.value["bet"]
        for coup in (self.coup, self.ahead):
            if coup and number in coup.bets and not coup.bets[number].withdrawn and not coup.bets[number].gone_late:
                bet = coup.bets[number]
                if self.shut(coup):
                    bet.gone_late = self.find("bet-withdrawn-late", event.at, coup)
                else:
                    bet.withdrawn = True
                    self.refused(coup, bet)
                return
        coup = self.coup
        if coup.spare if coup else self.after_gap:
            return
        self.find("bet-unknown", event.at, coup)

    def refused(self, coup, bet):
        """A stake that was taken back in time was none: whether its kind is offered is no question."""
        self.findings[:] = [each for each in self.findings if each is not bet.strange]
        bet.strange = None
        coup.violated = any(each["_coup"] is coup and each["code"] not in INCOMPLETE for each in self.findings)

    def on_BetsClosed(self, event):
        """No more bets."""
        coup = self.coup_for(event)
        if coup.early and not coup.bets_closed:
            self.find("punto-holder-late", coup.early.at, coup)
            coup.early = None
        if not coup.bets_closed:
            coup.bets_closed, coup.at_close = event, len(coup.cards)
        self.close(coup)

    def close(self, coup):
        """Judges once what stands when the bets are closed."""
        if coup.closed:
            return
        coup.closed = True
        if coup.book and coup.limits is not None:
            BetCheck(self, coup).run()
        if coup.early:
            if coup.early_wrong:
                self.find("punto-holder", coup.early.at, coup)
            coup.early = None  # a close that comes later says nothing of it

    def shut(self, coup):
        """Whether a bet of the coup comes too late."""
        return coup.closed and not self.bank.reopened(coup)

    def close_again(self, coup):
        """Judges what was placed while the bets were open again."""
        fresh, coup.fresh = coup.fresh, []
        if fresh and coup.book and coup.limits is not None:
            BetCheck(self, coup, fresh).run()

    def on_PuntoHolder(self, event):
        """Somebody is given punto's cards: once, after the close and before the first card."""
        coup = self.coup_for(event)
        dealt = coup.bets_closed and len(coup.cards) > coup.at_close and not self.bank.reopened(coup)
        if dealt:  # a card before the close, as it was recorded, is not the first card
            dealt = any(at > coup.bets_closed.sequence for at, _ in coup.drawn_at)
        coup.holders.append(event)
        self.close_again(coup)
        if not coup.book:
            pass
        elif len(coup.holders) > 1 or (dealt and not (coup.gap and coup.book and coup.book.chemin)):
            self.find("punto-holder-late", event.at, coup)
        elif coup.closed or coup.dealt:
            self.check_holder(coup, event)
        else:
            coup.early, coup.early_wrong = event, self.is_wrong_holder(coup, event)

    def check_holder(self, coup, event):
        """Whether they went to whom the rulebook says."""
        if self.is_wrong_holder(coup, event):
            self.find("punto-holder", event.at, coup)

    def is_wrong_holder(self, coup, event):
        """Whether the bets that stand say that they went to another."""
        book, holder = coup.book, event.value["holder"]
        if coup.doubt.holder or coup.doubt.close:  # a bet was lost, or it is not known which came in time
            coup.undecided("events-missing")
            return False
        if not book:
            return False
        got = None if holder == "croupier" else holder["seat"]
        if book.chemin:
            allowed = self.bank.holders(coup)
        elif book.holder == "croupier":
            allowed = {None}
        else:
            allowed = self.highest(coup, got)
        if allowed is None or got in allowed:
            if allowed is None and not book.chemin or allowed and len(allowed) > 1 and coup.gap:
                coup.undecided("events-missing")
            return False
        return not coup.spare

    def highest(self, coup, got):
        """The seats with the highest sum on punto of players who sit; nothing where that may be anybody."""
        ways = coup.ways_to_count()
        if ways is None:
            return None
        ways = [self.most_on_punto(coup, bets) for bets in ways]
        allowed = set().union(*(way[0] or set() for way in ways))
        anybody = any(way[0] is None for way in ways)
        if not any(got in way[1] for way in ways) and (anybody or got in allowed):
            coup.undecided("player-unnamed")
        return None if anybody else allowed

    def most_on_punto(self, coup, bets):
        """Who may hold the cards, and who may whosever the nameless boxes are."""
        bets = [bet for bet in bets if bet.kind in coup.book.bets]
        mixed = is_mixed(bets)
        claims, boxes = [], 0
        for owner, kinds in groups(bets).items():
            own = kinds.get("punto")
            if not own:
                continue
            whole = sum(bet.stake for bet in own)
            if mixed and not is_named(owner):
                boxes += whole
            else:
                claims.append((*self.claim(owner, own), whole, bets.index(own[0])))
        least = max((claim[2] for claim in claims if claim[1] == "yes"), default=None)
        if boxes and (least is None or boxes >= least):
            return None, set()
        may = [claim for claim in claims if claim[1] != "no"]
        best = [claim for claim in may if least is None or claim[2] + boxes >= least]
        if not boxes and all(claim[1] != "perhaps" for claim in claims) and best:
            if coup.book.tie_break == "first-placed":
                best = [min(best, key=lambda claim: claim[3])]
            elif coup.book.tie_break == "lowest-seat":
                best = [min(best, key=lambda claim: claim[0][0])]
        allowed = {seat for claim in best for seat in claim[0]} | ({None} if least is None else set())
        if not boxes:
            return allowed, allowed
        order = {"first-placed": lambda claim: claim[3], "lowest-seat": lambda claim: claim[0][0]}.get(coup.book.tie_break)

        def before(claim, other):
            if other[2] + boxes != claim[2]:
                return other[2] + boxes < claim[2]
            return order is None or not boxes and order(claim) < order(other)

        sure = [
            claim for claim in may
            if claim[1] == "yes" and all(before(claim, other) for other in may if other is not claim)
        ]
        return allowed, {seat for claim in sure for seat in claim[0]}

    def claim(self, owner, bets):
        """The seats at which somebody who staked on punto sits, and whether they do."""
        staked = sorted({bet.seat for bet in bets})
        if not is_named(owner):
            return staked, "yes"
        name = bets[0].player
        own = sorted(seat for seat, who in self.seats.items() if same_name(who, name))
        if own:
            return own + [seat for seat in staked if seat not in self.seats], "yes"
        free = [seat for seat in staked if seat not in self.seats]
        disputed = [seat for seat in staked if seat in self.seats and self.seats[seat] is None]
        if disputed or (free and not self.seats_known):
            return free + disputed, "perhaps"
        if free and not self.seats_recorded:
            return free, "yes"
        return staked, "no"

    # --- cards --------------------------------------------------------------------------------

    def on_CardDrawn(self, event):
        """A card leaves the shoe."""
        if event.value["to"] in SIDE:
            if self.coup and self.coup.number == event.coup and not self.coup.first_card:
                self.coup.card_before = self.card_before()
            self.last_card = event.sequence
        coup = self.coup_for(event)
        coup.drawn_at.append((event.sequence, event.micros))
        value, shoe = event.value, self.shoe
        if shoe is None:
            if coup.gap and not coup.dealt:
                self.lost_cards(coup, min(coup.gap, 6))
        else:
            self.position(event, coup)
            self.count_card(value["card"], event, coup)
        if value["to"] == "removed":
            if shoe:
                shoe.removed.setdefault(value["position"], value["card"])
                self.replace_cards()
            self.removed(event, coup)
            return
        if not coup.dealt and not coup.bets_closed:
            self.find("card-before-bets-closed", event.at, coup)
        if not coup.dealt:
            self.deal.dealt(coup, event)
            self.bank.dealt(coup, event)
        if shoe and not shoe.dealt:
            self.first_dealt(shoe, event, coup)
        self.close(coup)
        coup.dealt = True
        coup.first_card = coup.first_card or event.sequence
        self.check_rulings(event, coup)
        if coup.play:
            self.play_card(coup, event)

    def first_dealt(self, shoe, event, coup):
        """The first coup of a shoe: the burn is over."""
        shoe.dealt = True
        book = self.book
        if book and book.burn["method"] != "none" and not shoe.burns and shoe.known:
            if self.burn_waived():
                shoe.undecided("burn-not-recorded")
            else:
                self.find("burn-missing", event.at, coup)
        self.settle_burn(shoe)

    def position(self, event, coup):
        """Cards leave the shoe one behind the other."""
        shoe, place = self.shoe, event.value["position"]
        burn, shoe.burn_at = shoe.burn_at, None
        if not shoe.counts:  # where it stands is not known
            shoe.counts = [place]
            for each in dict.fromkeys((self.coup, coup)):  # of the one in play, or the next begun too early
                self.lost_cards(each, min(each.gap, 6))
        counts, slack = shoe.counts, shoe.slack
        fresh = not shoe.dealt and not shoe.burns and counts == [1]
        burns = shoe.known and self.book is not None and self.book.burn["method"] != "none"  # it is missing, and reported
        fresh = fresh and (self.burn_waived() or burns)
        ways = [missing for missing in range(slack + 1) if place - missing in counts]
        beyond = not slack and not shoe.doubted and place > max(shoe.held) + len(shoe.replaced)
        if beyond and place in counts:  # the shoe holds no more cards
            found = self.find("shoe-position", event.at, coup)
            if burn:
                self.mendable.append((shoe.ordinal, found, {burn}))
        elif place in counts and not slack:
            pass
        elif place in shoe.skipped and place not in counts:  # two cards the wrong way round: that is reported, and the count goes on behind both
            shoe.skipped.remove(place)
            shoe.counts = sorted({counts[0]} | {count + 1 for count in counts[1:]} - {place + 1})
            shoe.counts.remove(counts[0])
            shoe.counts.insert(0, counts[0])
            shoe.slack = 0
            return
        elif fresh:
            counts = [place]
        elif ways:  # of counts that are apart any may be the one that goes on
            counts = [count + missing for missing in ways for count in counts]
            for each in dict.fromkeys((self.coup, coup)):  # how many were burned may have been corrected in what is missing
                self.lost_cards(each, slack if burn and slack + max(ways) >= 2 else max(ways))
        else:
            found = self.find("shoe-position", event.at, shoe.lost_in or coup)
            if burn:  # how many were burned may have been corrected
                self.mendable.append((shoe.ordinal, found, {burn}))
            shoe.skipped += range(counts[0], place)
            counts = counts + [place]
        shoe.slack, shoe.lost_in = 0, None
        shoe.end_told = False
        shoe.counts = [place + 1] + sorted({count + 1 for count in counts} - {place + 1})
        put = shoe.cut_positions(shoe.behind) or shoe.cut_positions(self.book.behind if self.book else None)
        passed = put and all(count > max(put) for count in shoe.counts)
        if passed and shoe.cut is None and not shoe.cut_told:
            shoe.cut_told = True
            if shoe.known:
                self.find("cut-card-missing", event.at, coup)

    def burn_waived(self):
        """Whether the record says that it does not know what was burned."""
        return any(
            each.name == "IrregularityRecorded" and each.value["code"] == "burn-not-recorded"
            for each in self.events[: self.i] if each.shoe == self.shoe.ordinal
        )

    def lost_cards(self, coup, count):
        """Cards are missing right before one that was recorded: of this coup, or of the one before."""
        if coup.play and coup.gap and count > 0:
            worlds = dict.fromkeys(coup.play.worlds)
            for _ in range(count):
                if not coup.play.missing(1, FACES):
                    break
                worlds.update(dict.fromkeys(coup.play.worlds))
                coup.hidden = True
            coup.play.worlds = list(worlds)

    def tail_cards(self, coup):
        """A coup is settled whose last cards may be missing with the events before it."""
        shoe = self.shoe
        if shoe.doubted and not shoe.counts if shoe else not coup.dealt:
            self.lost_cards(coup, min(coup.gap, 8))
        if shoe is None or not shoe.slack:
            return
        missing = shoe.slack
        for each in self.upcoming():
            if each.gap or each.name == "TableClosed":
                break
            if each.name in ("CardDrawn", "CutCardDrawn"):
                if shoe.counts:  # else no position is known before it
                    missing = max(0, min(missing, each.value["position"] - shoe.counts[0]))
                break
        self.lost_cards(coup, min(missing, 8))

    def play_card(self, coup, event):
        """Lays a card to its hand and tells what was wrong with that."""
        value, shoe = event.value, self.shoe
        card = "??" if event.read.misread else value["card"]
        options = shoe.options(card, value["position"]) if shoe else [face for face in FACES if meets_card(face, card)]
        if len(options) > 1:
            coup.unread.add("card" if card == "??" else "suit")
        self.bank.before_card(coup, event)
        if all(world[SIDE[value["to"]]][0] == 2 for world in coup.play.worlds):
            coup.third_at.setdefault(value["to"], event.sequence)
        code = coup.play.card(value["to"], options)
        if code and not coup.hidden and not (coup.doubt.cards or coup.doubt.everything):
            coup.draws.append(self.find(code, event.at, coup))
        coup.cards.append((value["position"], options[0] if len(options) == 1 else card, value["to"]))

    # --- rulings ------------------------------------------------------------------------------

    def rulings(self, coup):
        """The rulings that act on a coup: in it, or before it since the last one. And those that name it and came while the last one was
        in play: they ask nothing."""
        found, fresh, early, lately, past, begun, void = [], [], [], None, set(), set(), None
        for event in self.events:
            if event.shoe != (coup.shoe.ordinal if coup.shoe else 0):
                continue
            if event.name == "CoupSettled" and event.coup == coup.number and event.sequence >= coup.since:
                break  # what is ruled behind its settlement changes nothing of it
            if event.name in COUP_NAMES or event.name == "CoupVoided":
                if lately != event.coup and event.coup not in begun | {coup.number}:
                    early = []
                lately = event.coup
                begun.add(lately)
                void = lately if event.name == "CoupVoided" else void
                if lately == coup.number:
                    found += [each for each in fresh if each.value["coup"] in (None, coup.number)]
                fresh = []
                if event.name == "CoupSettled":  # what is ruled behind it is of the next
                    lately = None
                    past.add(event.coup)
            if event.name == "IrregularityRecorded":
                named = event.value["coup"]
                if (named == coup.number and named in begun) or (named is None and lately == coup.number):
                    found.append(event)
                elif named not in past and lately in (None, void):  # else it is of the one in play, or over, or of none yet
                    fresh.append(event)
                elif named == coup.number:
                    early.append(event)
        return list(dict.fromkeys(found)), early

    def removed(self, event, coup):
        """A card is removed: a ruling has to name it."""
        place = event.value["position"]
        named = [each for each in self.rulings(coup)[0] if place in each.value["positions"]]
        errors = coup.book.errors if coup.book else {}
        asked = {errors.get(each.value["code"], "ruling") for each in named}
        coup.gone.append((place, event.value["card"]))
        if not named and any(place in each.value["positions"] for each in self.rulings(coup)[1]):
            coup.undecided("ruled")
        elif not named:
            if not coup.gap:
                coup.unruled.append(event)  # reported where the coup is over
        elif asked & {"card-stays", "next-coup"} and not asked & {"card-removed"}:
            self.find("ruling-not-followed", event.at, coup)
        elif not asked & {"card-removed", "higher-card", "lower-card", "banca-counts-zero"}:
            coup.undecided("ruled")

    def check_rulings(self, event, coup):
        """A card lies in a hand: no ruling may have sent it elsewhere."""
        place = event.value["position"]
        errors = coup.book.errors if coup.book else {}
        for ruling in self.rulings(coup)[0]:
            if place in ruling.value["positions"]:
                asked = errors.get(ruling.value["code"])
                astray = asked == "card-removed"
                if asked == "next-coup":
                    astray = ruling.value["coup"] in (None, coup.number) or coup.cards
                if astray:
                    once = ("ruling-not-followed", ruling.sequence, id(coup))
                    self.find("ruling-not-followed", max(event.at, ruling.at), coup, once=once)

    def replace_cards(self):
        """Which of the cards that were taken away were replaced by the same of another deck, as far as is recorded."""
        shoe, used = self.shoe, set()
        shoe.replaced, shoe.ruled_away = [], []
        rulings = [each for each in self.events[: self.i + 1] if each.shoe == shoe.ordinal and each.name == "IrregularityRecorded"]
        for each in rulings:
            position, card = each.replaces or (None, None)
            gone = shoe.removed.get(position)
            if gone and position not in used and gone[0] == card[0] and (gone[1] == card[1] or "?" in gone[1] + card[1]):
                used.add(position)
                shoe.replaced.append(gone if "?" not in gone else card)
        said = {each.replaces[0] for each in rulings if each.replaces}
        known = self.book.errors if self.book else {}
        for each in rulings:
            for position in each.value["positions"] if not each.replaces and each.value["code"] not in known else []:
                if position in shoe.removed and position not in said:
                    shoe.ruled_away.append(shoe.removed[position])

    def on_IrregularityRecorded(self, event):
        """A ruling."""
        value = event.value
        if event.replaces and self.shoe:
            self.replace_cards()
        ruling = value["code"] != "burn-not-recorded"
        shoe = self.shoe
        burns = self.book is None or self.book.burn["method"] != "none"
        if not ruling and burns and shoe and not shoe.burns and not shoe.coups:
            shoe.begins_late = True
        self.signed(event, [value["ruled_by"], value["countersigned_by"]], self.coup_named(value["coup"]), ruling)

    def last_named(self):
        """The coup that an event before this one names last: one that names none is of the same."""
        return next((each.coup for each in reversed(self.events[: self.i]) if each.name in COUP_NAMES), None)

    def coup_named(self, number):
        """The coup of a number; where none is named the one in play, or, once it is dealt, that of the event before."""
        if self.ahead and number in (None, self.ahead.number):
            if number is not None or (self.coup.dealt and self.last_named() == self.ahead.number):
                return self.ahead
        left = self.coups[-1] if self.coups else None
        if number is None and self.coup and left and left.left_at == self.coup.since and not (left.dealt or left.void or left.gap):
            return left  # that it was left shows once the next is settled
        if number is None or (self.coup and self.coup.number == number):
            return self.coup
        if not self.shoe and self.shoes:  # up to the loading of the next it is about the shoe that is over, and what follows
            loaded = self.shoes[-1].event.sequence
            return next((coup for coup in self.coups[::-1] if coup.number == number and coup.since > loaded), None)
        return self.ended_coup(number)

    def on_CorrectionRecorded(self, event):
        """A correction: what it corrects was judged by it already."""
        target, number = event, event.sequence + 1
        while target is not None and target.name == "CorrectionRecorded" and target.value["corrects"] < number:
            number = target.value["corrects"]
            target = next((each for each in self.events[: self.i] if each.sequence == number), None)
        coup = target.read.coup.played if target else None
        if not coup or max(target.shoe, 1) != max(event.shoe, 1):
            coup = self.coup_named(target.coup if target else None)
        for late in self.late:
            if late.correction is event:
                self.note_late(late)
        if target and target.shoe != event.shoe and event not in self.wrong_corrections:
            most = MOST["past-coups"]
            over = [
                [coup.since for coup in self.coups if coup.shoe is not self.shoe],
                [shoe.event.sequence for shoe in self.shoes[:-2]],  # the one before that in play is not put away yet
            ]
            if any(len(begins) >= most and number < begins[-most] for begins in over):
                self.find("more-than-kept", event.at, once="past-coups")
        if event in self.wrong_corrections:
            self.find("correction-target", event.at, coup)
        if event in self.too_late:  # limits under which a coup was begun stay what they were
            self.find("limits-in-coup", event.at, self.coup)
        self.signed(event, event.value["signed_by"], coup)

    def note_late(self, late):
        """A decision is corrected after its moment: which coup it concerns, and whether a clause says that it is late."""
        target, book = late.target, self.book
        cites = bool(book) and bool((book.data.get("betting") or {}).get("cite"))
        late.by_clause = bool(book) and target.name not in NO_CLAUSE and (target.name == "BetPlaced" or cites)
        late.shoe = self.shoe
        if target.name in ("BankPassed", "ShoeLoaded"):
            return
        coups = [coup for coup in self.coups if coup.shoe is self.shoe]
        if target.coup is not None:
            coups = [coup for coup in coups + [self.coup, self.ahead] if coup and coup.number == target.coup]
            coups = [coup for coup in coups if coup.since <= target.sequence]
            late.coup = coups[-1] if coups else None
        else:
            over = [coup for coup in coups if max(coup.first_card, coup.settled.sequence if coup.settled else 0) > target.sequence]
            late.coup = over[0] if over else self.coup if self.coup and self.coup.dealt else None

    def signed(self, event, names, coup, ruling=True):
        """Two persons sign a ruling, neither of whom plays."""
        if any(name in self.alike for name in names if name):
            for each in [coup if coup and coup is self.coup else self.shoe]:
                if each:
                    each.undecided("name-look-alike")
        if names[1] is None:
            if self.is_open is not False and self.book is not None and self.book.countersigned and ruling:
                self.find("ruling-unsigned", event.at, coup)
        elif same_name(*names):
            self.find("same-signer", event.at, coup)
        players = set(self.seats.values())
        for each in self.events[self.since : self.i]:
            if each.shoe == self.events[self.i].shoe and each.name in ("BetPlaced", "AbonoPlaced") and each.value.get("player"):
                players.add(each.value["player"])
        if any(same_name(name, player) for name in names for player in players):
            self.find("signer-plays", event.at, coup)

    def on_CoupVoided(self, event):
        """A coup is declared void."""
        value, coup = event.value, None
        if not (self.coup and self.coup.number == value["coup"]):
            coup = self.ended_coup(value["coup"]) or self.hidden_coup(value["coup"])
        coup = coup or self.coup_for(event)
        self.signed(event, [value["ruled_by"], value["countersigned_by"]], coup)
        if coup.void:
            return
        if coup is self.coup and coup.shoe and coup.shoe.ended:
            self.find("play-after-end", event.at, coup, once="play-after-end")
        coup.void = event
        self.deal.voided(coup)
        self.bank.voided(coup, event)
        if coup.given_up and coup is not self.coup:
            coup.unjudged = coup.book is None
            self.waiting.append(coup)
        if coup.settled and coup.void:
            for (seat, player), mark in coup.marks.items():
                self.unmark(seat, player, mark)
            coup.unjudged = coup.book is None  # in one game its stakes come back, in another no claim is heard
            self.waiting.append(coup)

    # --- settlement ---------------------------------------------------------------------------

    def on_CoupSettled(self, event):
        """A coup is settled, or settled again."""
        number = event.coup
        if self.settled_behind(event):
            return
        if not (self.coup and self.coup.number == number) and not (self.ahead and self.ahead.number == number):
            old = self.ended_coup(number)
            if old and (old.settled or (old.void and (old.given_up or old.void_done))):
                self.settle_again(old, event)
                return
            if old and old is event.read.coup.played and not event.read.begins:  # it was left, and begins none
                old.settled = event
                Settlement(self, old, event).run()
                return
        coup = self.coup_for(event)
        self.played_again(coup)
        self.close(coup)
        self.close_again(coup)
        coup.settled, self.after_gap = event, 0
        if self.in_doubt(coup):
            coup.undecided("name-look-alike")
        if coup.shoe is None:
            self.find("shoe-missing", event.at, once="shoe-missing")
        elif coup.shoe.ended:
            self.find("play-after-end", event.at, coup, once="play-after-end")
        self.bank.late_stakes(coup, event)
        coup.may_be_natural = bool(coup.play) and any(coup.play.natural(world) for world in coup.play.worlds)
        if self.void_may_be_missing(coup, event) or self.stakes_come_back_later(coup, event):
            Settlement(self, coup, event).leave_perhaps_void()
            self.bank.abandoned(coup)
            if self.bank.live and coup.play:
                self.bank.remember_calls(coup, {"punto", "banca"})
            self.deal.unsettled()
        else:
            self.ruled_void(coup, event)
            Settlement(self, coup, event).run()
            if coup.void:
                coup.void_done = True
            self.bank.settled(coup, event)
            self.deal.settled(coup, event)
        if coup is self.coup:
            self.end(coup, event)

    def settled_behind(self, event):
        """A settlement of a coup that is over, and whose shoe may be as well; whether it is one."""
        old = event.read.coup.played
        if old in (None, self.coup, self.ahead) or self.shoe or event.read.begins or event.read.at_word:
            return False
        self.needs_opening(event)
        self.find("shoe-missing", event.at, once="shoe-missing")
        if old.settled:
            self.settle_again(old, event)
        return True

    def played_again(self, coup):
        """Bets under the number of a coup that was settled, for which no card was drawn, come too late for it."""
        before = self.ended_coup(coup.number)
        was_settled = before and before is not coup and before.settled and not before.void
        if not was_settled or coup.void or self.void_later(coup) or coup.cards or coup.gone or coup.gap:
            return
        coup.again = True
        for bet in coup.standing():
            if not bet.late:
                bet.late = self.find("bet-late", bet.at, coup)

    def void_may_be_missing(self, coup, event):
        """Whether every stake comes back, which is not what was due, and one of the missing events may be the void."""
        back = Counter()
        for part in event.value["bets"]:
            if part["commission"]:
                return False
            back[part["bet"]] += part["returned"]
        stood = [bet for bet in coup.bets.values() if not (bet.withdrawn or bet.gone_late)]
        if any(0 < back[bet.id] < bet.stake for bet in stood):
            return False
        gone = sum(not back[bet.id] for bet in stood)
        if coup.void or coup.spare <= gone:  # one event is the void, and each bet that was taken back is one
            return False
        for judges in (self.finds_in_void, self.finds_as_played):
            table, coup_there, event_there = copy.deepcopy((self, coup, event))
            found = len(table.findings)
            judges(table, coup_there, event_there)
            if (len(table.findings) > found) != (judges is self.finds_as_played):
                return False
        return True

    def stakes_come_back_later(self, coup, event):
        """Whether it is settled again after a gap that may hold its void, and the two settlements return every stake."""
        if coup.void or self.bank.live or self.void_later(coup) or coup.shoe is None:
            return False
        missing, again = False, None
        for each in self.upcoming():
            if each.name in ("ShoeLoaded", "TableClosed"):
                return False
            missing = missing or each.gap > 0
            if each.coup == coup.number and each.name in COUP_NAMES:
                again = each
                break
        if again is None or again.name != "CoupSettled" or not missing:
            return False
        table, there, first, second = copy.deepcopy((self, coup, event, again))
        found = len(table.findings)
        table.take_back(there, first)
        table.take_back(there, second)
        table.judge_void(there, second.at)
        coup.awaits_stakes = len(table.findings) == found
        return coup.awaits_stakes

    @staticmethod
    def finds_in_void(table, coup, event):
        """What would be found if it had been declared void."""
        coup.spare -= 1
        table.take_back(coup, event)
        table.judge_void(coup, event.at)

    @staticmethod
    def finds_as_played(table, coup, event):
        """What would be found if it was played to its end."""
        table.ruled_void(coup, event)
        Settlement(table, coup, event).run()
        table.bank.settled(coup, event)

    def ruled_void(self, coup, event):
        """A coup that has to be void is not settled as if it were not."""
        errors = coup.book.errors if coup.book else {}
        has_to = any(errors.get(each.value["code"]) == "coup-void" for each in self.rulings(coup)[0])
        if has_to and not coup.void and not self.void_later(coup):
            self.find("ruling-not-followed", event.at, coup)

    def void_later(self, coup):
        """Whether the coup is declared void further on in the shoe."""
        return any(event.name == "CoupVoided" and event.coup == coup.number for event in self.upcoming())

    def settle_again(self, coup, event):
        """A second settlement: what gives the stakes of a void coup back, or one too many."""
        if coup.awaits_stakes:  # its void may be missing
            coup.awaits_stakes = False
            return
        if coup.void and coup.unjudged and not coup.refunded:
            coup.refunded = True
            self.waiting = [each for each in self.waiting if each is not coup]
            return
        if coup.void and not coup.void_done and not coup.unjudged:
            self.take_back(coup, event)
            self.judge_void(coup, event.at)
            coup.void_done = True
            self.waiting = [each for each in self.waiting if each is not coup]
            return
        money, lines = Counter(), Counter()
        for part in event.value["bets"]:
            coups = [coup, self.coup, self.ahead] + (coup.shoe.coups if coup.shoe else [])
            named = next((each for each in coups if each and part["bet"] in each.bets), None)
            same = [bet for bet in named.bets.values() if bet.id == part["bet"]] if named else [None]
            bet = same[min(lines[part["bet"]], len(same) - 1)]
            lines[part["bet"]] += 1
            money[bet.seat if bet else 0] += part["returned"] if bet else -part["returned"]
        self.find("coup-settled-twice", event.at, coup, money)

    def take_back(self, coup, event):
        """What a settlement returns of a coup that may be void: a line is the first bet's under its id that has none."""
        lines = Counter()
        for part in event.value["bets"]:
            stood = [bet for bet in coup.bets.values() if bet.id == part["bet"] and not (bet.withdrawn or bet.gone_late)]
            stood = stood or [bet for bet in coup.bets.values() if bet.id == part["bet"]][:1]
            place = min(lines[part["bet"]], len(stood) - 1)
            key = stood[place].key if stood else part["bet"]
            coup.returned[key] += part["returned"]
            coup.fees[key] += part["commission"]
            lines[part["bet"]] += 1

    def judge_void(self, coup, at):
        """Every stake of a void coup comes back exactly once."""
        for key, bet in coup.bets.items():
            due = 0 if bet.withdrawn or bet.gone_late else bet.stake
            if key not in coup.returned and key != bet.id:
                continue  # of two bets under one id there may be one line: that there are two is reported
            over = coup.returned[key] - due
            if not over and coup.fees[key]:  # it comes back without commission
                self.find("void-stake-kept", at, coup, {bet.seat: -coup.fees[key]})
            if over:
                if over < 0 and coup.may_be_gone(bet):
                    continue
                self.find("void-overpaid" if over > 0 else "void-stake-kept", at, coup, {bet.seat: over})
        for key in coup.returned:
            if key not in coup.bets and coup.returned[key]:
                if coup.shoe is None and coup.book is None:
                    continue  # a bet that was never placed, without a shoe, is no finding of its own
                if coup.spare:
                    coup.spare -= 1
                    continue
                self.find("void-overpaid", at, coup, {0: -coup.returned[key]})

    # --- boxes --------------------------------------------------------------------------------

    def mark(self, seat, player, amount):
        """Marks commission in a seat's box, as a debt of a player or of whoever the box belongs to."""
        if amount:
            low, high = self.boxes[seat]
            self.boxes[seat] = [low + amount, high + amount]
            marks = self.marks[seat]
            known = player in marks or len(set(marks) - {OTHERS}) < MOST_IN_BOX
            marks[player if known else OTHERS] += amount

    def unmark(self, seat, player, amount):
        """Takes a mark out again."""
        if self.boxes[seat][1]:
            self.boxes[seat] = [max(0, each - amount) for each in self.boxes[seat]]
            key = player if player in self.marks[seat] else OTHERS
            self.marks[seat][key] = max(0, self.marks[seat][key] - amount)
            self.forget_marks(seat)

    def forget_marks(self, seat):
        """An empty box holds nobody's debt."""
        if not self.boxes[seat][1]:
            self.marks.pop(seat, None)

    def leave_box(self, event, seat, player):
        """Whoever leaves a seat has paid; what the box holds for others they pay at the end of the shoe."""
        low, high = self.boxes[seat]
        others = sum(amount for name, amount in self.marks[seat].items() if name not in (None, player))
        others = min(others, high)
        owed = max(0, low - others)
        self.boxes[seat] = [min(low, others), others]
        self.marks[seat] = Counter({OTHERS: others})
        self.forget_marks(seat)
        self.overdue[seat] += owed
        if owed:
            self.find("commission-uncollected", event.at, None, {seat: owed}, least=[seat] if others or low < high else [])

    def mark_anywhere(self, amount):
        """Commission of a bet that was not recorded may be marked in any box."""
        if self.missed is not None:
            self.missed += amount

    def on_CommissionCollected(self, event):
        """A box is paid."""
        seat, amount = event.value["seat"], event.value["amount"]
        low, high = self.boxes[seat]
        self.boxes[seat] = [max(0, low - amount), max(0, high - amount)]
        self.forget_marks(seat)
        beyond = max(0, amount - high)
        late = min(self.overdue[seat], beyond)
        self.overdue[seat] -= late
        beyond -= late
        if self.missed is not None and self.last_book is not None:
            explained = min(self.missed, beyond)
            if beyond == explained:  # what is too much in any case uses up nothing that may explain another box
                self.missed -= explained
            else:
                least = [seat] if explained or low < high else []
                self.find("commission-over-collected", event.at, None, {seat: explained - beyond}, least=least)

    def boxes_due(self, event):
        """All boxes have to be empty by now."""
        money, least = {}, []
        for seat in sorted(self.boxes):
            low, high = self.boxes[seat]
            money[seat] = low
            least += [seat] if low < high else []
            self.overdue[seat] += low
            self.boxes[seat] = [0, 0]
        self.marks.clear()
        self.missed = 0
        if any(money.values()):
            self.find("commission-uncollected", event.at, None, money, least=least)

    # --- missing events -----------------------------------------------------------------------

    def gap(self, event):
        """Events are missing right before this one."""
        count, shoe, coup = event.gap, self.shoe, self.coup
        self.cards_missing = 0
        self.miss(event, count)
        of = shoe or (self.shoes[-1] if self.shoes else None)
        if coup:
            coup.lost_bets += count - self.cards_missing
        if coup and not coup.first_card and count > self.cards_missing:
            coup.missing_early = coup.missing_early[0] + count - self.cards_missing, event.sequence
        self.note_gap(of.ordinal if of else 1, event, count - self.cards_missing)

    def miss(self, event, count):
        """What missing events leave open."""
        shoe, coup = self.shoe, self.coup
        if event.numbers_missing:  # else it is of a kind that is not known
            self.find("sequence-gap", event.at)
        inside = coup is not None and self.same_coup_goes_on(event, coup)
        if coup and not inside and self.ahead:  # its settlement may be missing, and the coup begun before it goes on
            coup.undecided("events-missing")
            self.bank.abandoned(coup)
            self.end(coup, event)
            coup = self.coup
            inside = self.same_coup_goes_on(event, coup)
        for each in self.waiting:  # its stakes may have come back in what is missing
            each.undecided("events-missing")
            each.unjudged = True
        if coup:
            coup.undecided("events-missing")
            coup.gap += count
            coup.gap_at, coup.given_up = event.sequence, not inside
            coup.spare += 0 if inside else count
        if shoe:
            shoe.known = False
            shoe.burn_gap += 0 if shoe.coups else count
            shoe.undecided("events-missing")
            shoe.end_told = shoe.end_told or not inside  # its end may be missing
            if shoe.ended and not inside:  # and so may the next shoe
                self.reported.add("play-after-end")
            if inside:
                spare = coup.spare
                self.gap_inside(coup, shoe, count)
                self.gap_beside(coup.spare - spare)
            else:
                shoe.slack += count
                shoe.number_slack += count
                if not shoe.dealt and not shoe.burns:  # the burn may be missing, and with it many cards
                    shoe.slack += 14
        elif inside:  # no shoe says how many of them were cards
            coup.spare += count
            self.lost_cards(coup, min(count, 6))
            self.gap_beside(count)
        if not inside:
            self.gap_between(event, count)
        self.bank.gap(inside)

    def same_coup_goes_on(self, event, coup):
        """Whether the coup in play is the one that goes on behind a gap; behind the end of its shoe only a settlement shows it."""
        ended = False
        for each in self.events[self.events.index(event, self.i) :]:
            if each.name in ("ShoeLoaded", "TableOpened", "TableClosed"):
                return False
            if each.read.coup is coup.events:
                return not ended or each.name == "CoupSettled"
            if each.name == "BetWithdrawn" and each.value["bet"] in coup.bets:
                return True
            ended = ended or each.name == "ShoeEnded"
        return False

    def names_number(self, event, number):
        """Whether the first event from here on that is of a coup is of this number."""
        for each in self.events[self.events.index(event, self.i) :]:
            if each.name in ("ShoeLoaded", "ShoeEnded", "TableOpened", "TableClosed"):
                return False
            if each.name in COUP_NAMES or each.name == "CoupVoided":
                return each.coup == number
        return False

    def may_be_of_another_shoe(self, number, events, more):
        """Whether what is missing can have ended the shoe, loaded another and played up to this number, and so many more."""
        shoe = self.shoe
        burns = self.book is not None and self.book.burn["method"] != "none"
        needed = 1 + burns + (shoe is not None and not shoe.ended) + COUP_EVENTS * (number - 1) + more
        return events + (shoe.number_slack if shoe else 0) >= needed

    def gap_inside(self, coup, shoe, count):
        """A gap within one coup: how many of its cards are missing, and how many other events."""
        place = None
        for each in self.events[self.i :]:
            if each.name in ("ShoeLoaded", "TableClosed") or (each.gap and each is not self.events[self.i]):
                break
            if each.name in ("CardDrawn", "CutCardDrawn"):
                place = each.value["position"]
                break
        missing = place - shoe.counts[0] if place is not None and shoe.counts else None
        shared = missing and 0 < missing <= count + shoe.slack and shoe.slack  # with a gap before, in parts nobody knows
        if missing and not shared and not shoe.dealt and not shoe.burns and missing <= count + 14:
            shoe.slack += count + 14  # the burn may be missing, and with it many cards
            coup.spare += count - max(1, missing - 13)
            self.lost_cards(coup, count)
            return
        if missing is None or shared or not 0 <= missing <= count:  # or a position that is off says nothing
            shoe.slack += count if missing is None or shared else 0
            coup.spare += count
            self.lost_cards(coup, count)
            return
        if shoe.burn_at and count + missing >= 2:  # how many were burned may have been corrected in what is missing
            shoe.counts = [each + missing for each in shoe.counts]
            coup.spare += count
            self.lost_cards(coup, count)
            return
        coup.spare += count - missing
        self.cards_missing = missing
        if missing and coup.play:
            coup.play.missing(missing, FACES)
            coup.hidden = True
            coup.dealt = True
        shoe.counts = [each + missing for each in shoe.counts]

    def gap_beside(self, count):
        """So many events may be missing in a coup that are no cards of it: somebody may have sat down, left or paid."""
        if count > 0:
            self.bank.taken_before |= set(self.seats)
            self.seats, self.seats_left, self.disputed, self.seats_known = {}, set(), set(), False
            self.doubt_boxes(count, self.limits_known and self.limits)
            self.deal.gap()
            self.bank.seats_gap(count)
            if self.coup and not self.coup.first_card:  # it may have been corrected
                self.coup.bank_before = self.bank.bank if self.bank.sum_known else None
                self.bank.sum_known = False

    def gap_between(self, event, count):
        """A gap that may hold anything: openings, seats, limits, whole coups, another shoe."""
        self.after_gap += count
        if self.coup:
            if self.names_number(event, self.coup.number):  # or it is the same after all
                self.after_gap = max(self.after_gap, self.coup.gap)
            self.coups.append(self.coup)
            self.coup, self.ahead = self.ahead, None
        self.last, self.loose = None, []
        self.is_open, self.since = None, self.i
        self.seats, self.seats_left, self.disputed, self.seats_known = {}, set(), set(), False
        known, self.limits_known = self.limits_known and self.limits, False
        self.doubt_boxes(count, known)
        self.deal.gap()
        self.another_shoe()

    def doubt_boxes(self, count, known):
        """So many events may have marked commission, or collected all there is."""
        for box in self.boxes.values():
            box[0] = 0
        if known and self.book and self.missed is not None:
            self.missed += count * self.book.most_marked(self.limits) * len(self.table_seats)
        else:
            self.missed = None

    def another_shoe(self):
        """Whether what follows may be of a shoe whose loading is missing."""
        shoe = self.shoe
        if shoe is None:
            self.reported.add("shoe-missing")
            return
        number = None
        for each in self.events[self.i :]:
            if each.name in ("ShoeLoaded", "TableClosed"):
                break
            again = each.name == "CoupSettled" and self.was_settled(each.coup)
            if each.name in COUP_NAMES and not again:
                number = each.coup
                break
        again = number is not None and number <= shoe.number and not self.was_settled(number)
        if again or number is not None and shoe.number_slack >= 1 + COUP_EVENTS * (number - 1):
            shoe_doubted(shoe)


def differs(order, place, card):
    """Whether a card was read as another than lies there."""
    return card != "??" and not (0 < place <= len(order) and meets_card(order[place - 1], card))


def explained(wrong, gaps):
    """The wrong events that have a gap in which they may have been corrected, if each can have a missing event of its own there."""
    last = {at: max((gap for gap, _ in gaps if at < gap <= (until if until not in (BEFORE_CARDS, BEFORE_COUP) else ALWAYS)), default=None) for at, until in wrong.items()}
    open_ = sorted(at for at, gap in last.items() if gap is not None)
    waiting, mended = [], set()
    for gap, count in gaps:
        waiting += [(last[at], at) for at in open_ if at < gap and at not in mended and (last[at], at) not in waiting]
        waiting.sort()
        done, waiting = waiting[: min(count, MOST_MENDED)], waiting[min(count, MOST_MENDED) :]
        mended |= {at for _, at in done}
        if waiting and waiting[0][0] <= gap:
            return set()
    return mended


def shoe_doubted(shoe):
    """What follows may be of another shoe: of this one nothing but what stands together is judged."""
    shoe.doubted = shoe.free_number = True
    shoe.another_since = len(shoe.coups)
    shoe.counts, shoe.slack, shoe.last, shoe.cut_before_next = [], 0, None, False


def pack(money):
    """Money by seat, without those to whom nothing happened."""
    return [[seat, sum_] for seat, sum_ in sorted((money or {}).items()) if sum_]


def seats_allowed(book, seats):
    """Whether a table may have these seats."""
    if len(set(seats)) < len(seats) or not seats or not set(seats) <= set(book.seats):
        return False
    left_out = [seat for seat in book.seats if seat < max(seats) and seat not in seats]
    return book.may_leave_out is None or set(left_out) <= set(book.may_leave_out)


# ---------------------------------------------------------------------------------------------
# Bets when they are closed
# ---------------------------------------------------------------------------------------------


class BetCheck:
    """Holds what stands at the close against limits, caps, required bets and forbidden pairs."""

    def __init__(self, table, coup, fresh=None):
        self.table, self.coup, self.book, self.fresh = table, coup, coup.book, fresh
        self.bets = [bet for bet in coup.standing() if bet.kind in coup.book.bets and not bet.late]
        for bet in self.bets:  # a name may look like one that came after the bet
            bet.alike = bet.player in table.alike
        self.groups = groups(self.bets)
        self.mixed = is_mixed(self.bets)

    def run(self):
        """Tells what is wrong whoever the nameless bets belong to."""
        if self.coup.doubt.everything or self.coup.doubt.order:
            self.coup.undecided("events-missing")
            return
        faults = self.faults()
        if self.coup.spare or self.coup.doubt.stakes:
            return
        for code, bet in faults:
            if self.coup.limits_known or code in NO_LIMITS:
                self.table.find(code, bet.at, self.coup)
            else:
                self.coup.undecided("limits-unknown")

    def on(self, kind, *sorts):
        """What each player, each whose name looks like another, or each box has on a kind."""
        return [
            sum(bet.stake for bet in kinds[kind])
            for owner, kinds in self.groups.items() if owner[0] in sorts and kind in kinds
        ]

    def own(self, owner, kind):
        """What one has on a kind."""
        return sum(bet.stake for bet in self.groups[owner].get(kind, []))

    def most(self, owner, kind):
        """Most that one may have on a kind, whosever the boxes are."""
        if not self.mixed:
            return self.own(owner, kind)
        boxes, alike = sum(self.on(kind, "box")), sum(self.on(kind, "alike"))
        if owner[0] == "box":
            return boxes + max(self.on(kind, "player") + [alike])
        return boxes + (alike if owner[0] == "alike" else self.own(owner, kind))

    def may_join(self, owner, kind):
        """Whether another's bets on a kind may be the same player's."""
        if not self.mixed:
            return False
        sorts = {"player": ("box",), "alike": ("box", "alike"), "box": ("box", "alike", "player")}[owner[0]]
        return any(kind in kinds for other, kinds in self.groups.items() if other != owner and other[0] in sorts)

    def unnamed(self, bets=()):
        """Whose the boxes are decides whether a rule was kept, and perhaps what of these bets plays."""
        self.coup.undecided("player-unnamed")
        if self.policy() != "paid-in-full":
            for bet in bets:
                bet.share_silent = True

    def policy(self):
        """What becomes of a stake above its limit."""
        return self.book.limits.get("over-limit", "paid-in-full")

    def within(self, bets, top):
        """Which part of each stake plays, where their sum is above its limit."""
        left = int(top)
        for bet in bets:
            if self.policy() == "capped":
                bet.plays = min(bet.plays, max(0, left))
            elif self.policy() != "paid-in-full" and bet.stake > left:
                bet.plays = 0
            left -= min(bet.stake, max(0, left))

    def range_of(self, kind):
        """The least and the largest stake on a kind of bet."""
        limits, rule = self.coup.limits, self.book.bets[kind]
        own = next((each for each in limits["bets"] if each["kind"] == kind), {"minimum": None, "maximum": None})
        low = own["minimum"]
        if low is None:
            within = kind == "abono" and ((self.book.chemin or {}).get("abonos") or {}).get("within-limits", False)
            low = limits["minimum"] if rule.minimum_binds or within else 0
        high = limits["maximum"] if own["maximum"] is None else own["maximum"]
        if rule.cap is not None:
            high = min(high, limits["maximum"] * rule.cap)
        if self.book.chemin:
            high = self.table.bank.most(self.coup, kind, own["maximum"])
        return low, high

    def faults(self):
        """What is wrong, each with the bet at which it stands."""
        found, unit = [], self.coup.limits["multiple"]
        for owner, kinds in self.groups.items():
            for kind, bets in kinds.items():
                if self.fresh is not None and not any(bet in self.fresh for bet in bets):
                    continue
                low, high = self.range_of(kind)
                whole, most = sum(bet.stake for bet in bets), self.most(owner, kind)
                if whole < low <= most:
                    self.unnamed()
                elif whole < low:
                    found.append(("bet-below-minimum", bets[-1]))
                if high is not None and whole > high:
                    found.append(("bet-above-maximum", crossing(bets, high)))
                    self.within(bets, high)
                elif high is not None and most > high:
                    self.unnamed(bets)
                if unit and whole % unit:
                    odd = {sort: len([each for each in self.on(kind, sort) if each % unit]) for sort in ("player", "alike", "box")}
                    joins = odd["box"] or owner[0] == "alike" and odd["alike"] > 1
                    if self.mixed and sum(odd.values()) > 1 and joins:
                        self.unnamed()
                    else:
                        found.append(("bet-multiple", bets[-1]))
                found += self.main_fault(owner, kind, bets)
                found += self.pair_fault(owner, kind, bets)
                if self.book.own_place:
                    found += [("bet-place", bet) for bet in bets if bet.misplaced][:1]
        return found

    def main_fault(self, owner, kind, bets):
        """A side bet without its main bet, or too large beside it."""
        rule, whole = self.book.bets[kind], sum(bet.stake for bet in bets)
        if not rule.requires:
            return []
        if not any(main in self.groups[owner] for main in rule.requires):
            if any(self.may_join(owner, main) for main in rule.requires):
                self.unnamed(bets)
                return []
            self.within(bets, 0)
            return [("bet-without-main", bets[0])]
        if rule.cap_of_required is None:
            return []
        cap = rule.cap_of_required * sum(self.own(owner, main) for main in rule.requires)
        largest = rule.cap_of_required * sum(self.most(owner, main) for main in rule.requires)
        if whole <= cap:
            return []
        if whole <= largest:
            self.unnamed(bets)
            return []
        self.within(bets, cap)
        if largest > cap:
            self.unnamed(bets)
        return [("bet-above-main", crossing(bets, cap))]

    def pair_fault(self, owner, kind, bets):
        """Bets that exclude each other: the later one should not stand."""
        others = {other for pair in self.book.pairs if kind in pair and len(set(pair)) > 1 for other in pair} - {kind}
        place = self.bets.index(bets[0])
        own = self.groups[owner]
        if any(other in own and self.bets.index(own[other][0]) < place for other in others):
            return [("bet-forbidden-pair", bets[0])]
        if any(other not in own and self.may_join(owner, other) for other in others):
            self.unnamed()
        return []


NO_LIMITS = {"bet-without-main", "bet-above-main", "bet-forbidden-pair", "bet-place"}


def owner_of(bet):
    """Whose a bet is: its player's, or its box's."""
    if bet.alike:  # nobody knows whose
        return "alike", bet.player
    return ("player", bet.player) if bet.player is not None else ("box", bet.seat)


def is_named(owner):
    """Whether it is a player and no box."""
    return owner[0] == "player"


def is_mixed(bets):
    """Whether some bets have names and others have none."""
    return len({bet.player is None for bet in bets}) > 1 or any(bet.alike for bet in bets)


def groups(bets):
    """Each player's bets by kind, in the order in which they were placed."""
    found = defaultdict(lambda: defaultdict(list))
    for bet in bets:
        found[owner_of(bet)][bet.kind].append(bet)
    return {owner: dict(kinds) for owner, kinds in found.items()}


def crossing(bets, top):
    """The bet that makes their sum larger than it may be."""
    whole = 0
    for bet in bets:
        whole += bet.stake
        if whole > top:
            return bet
    return bets[-1]


# ---------------------------------------------------------------------------------------------
# The settlement of a coup
# ---------------------------------------------------------------------------------------------


class Settlement:
    """Holds a settlement against the hands, in every world that is left."""

    def __init__(self, table, coup, event):
        self.table, self.coup, self.event = table, coup, event
        self.play, self.book = coup.play, coup.book
        self.parts = {}  # of each bet: what was returned, and the commission
        self.completed = None  # what hands that lack cards may come to
        self.base = {}  # of each bet of which several sums may be due, and it got none of them: the nearest, if it got more or less than all

    def tell(self, code, money=None, least=()):
        """A finding at the settlement."""
        return self.table.find(code, self.event.at, self.coup, money, least=least)

    def run(self):
        """Judges it."""
        coup, table = self.coup, self.table
        if coup.void:
            table.take_back(coup, self.event)
            table.judge_void(coup, self.event.at)
            return
        if coup.doubt.everything:
            self.take_parts(True)
            coup.undecided("events-missing")
            return
        if not self.book:  # nobody knows what it marked, or whether it did
            table.missed = None
            for box in table.boxes.values():
                box[0] = 0
        voided = table.void_later(coup) and not (self.book and self.book.chemin)
        self.take_parts(voided)
        hands = self.judge_hands() if self.play else False
        if not voided:
            self.late_by_clock()
        if not voided and self.book:
            for bet in coup.standing():
                coup.nets[bet.seat, bet.id] += self.parts.get(bet.key, (0, 0))[0] - bet.stake
            account, bank = coup.account, table.bank
            if bank.live and account and bank.banker:
                value = account.value
                net = value["won"] - value["lost"] - value["commission"]
                coup.nets[bank.banker[0], BANK_NET] += net
                change = value["bank"] + value["garaje"] - bank.bank - bank.garaje
                coup.bank_change = bank.banker[0], change if bank.sum_known else net
        if not voided:
            boxed = self.book is not None and self.book.boxed
            coup.parts = {key: back - (fee if boxed else 0) for key, (back, fee) in self.parts.items()}
            self.judge_bets(hands)
            self.late_money(hands)
            if self.play:
                self.draw_money(hands)
        self.leave_open()

    def leave_perhaps_void(self):
        """Every stake comes back, and whether the coup was declared void is not known."""
        self.coup.perhaps_void = True
        self.take_parts(False)
        self.coup.parts = {key: back for key, (back, _) in self.parts.items()}
        self.coup.undecided("events-missing")

    def take_parts(self, voided):
        """What was settled, and whether there are such bets."""
        coup = self.coup
        self.table.take_back(coup, self.event)
        of_none = self.mistyped()
        for part in self.event.value["bets"]:
            same = [bet for bet in coup.bets.values() if bet.id == part["bet"]] or of_none.get(part["bet"], [])
            bet = next((bet for bet in same if bet.key not in self.parts and not bet.withdrawn), None)
            bet, returned = bet or (same[0] if same else None), part["returned"]
            plays = bet is not None and not bet.withdrawn and bet.key not in self.parts
            if bet is not None and not plays and self.book and self.book.boxed:
                self.table.boxes[bet.seat][1] += part["commission"]  # it may be marked there, or not
            elif bet is not None and self.book and self.book.boxed:
                self.table.mark(bet.seat, bet.player, part["commission"])
                if coup.may_have_been_another(bet):  # it may belong into another box
                    self.table.boxes[bet.seat][0] = max(0, self.table.boxes[bet.seat][0] - part["commission"])
                    if self.table.missed is not None:
                        self.table.missed += part["commission"]
                coup.marks[bet.seat, bet.player] += part["commission"]
            elif part["commission"] and self.book and self.book.boxed:
                self.table.mark_anywhere(part["commission"])
            if voided:
                continue
            if bet is None or bet.withdrawn:
                if coup.shoe is not None or self.book:
                    self.unknown(returned)
            elif bet.key in self.parts:
                self.tell("bet-settled-twice", {bet.seat: returned})
            else:
                self.parts[bet.key] = (returned, part["commission"])

    def mistyped(self):
        """The bet of each line whose id was mistyped: the first of those that have no line."""
        if not self.event.read.mistyped:
            return {}
        ids = {bet.id for bet in self.coup.bets.values()}
        lines, left = [part["bet"] for part in self.event.value["bets"]], []
        rest = Counter(lines)
        for bet in self.coup.standing():
            if rest[bet.id]:
                rest[bet.id] -= 1
            else:
                left.append(bet)
        return {line: [bet] for line, bet in zip([line for line in lines if line not in ids], left)}

    def unknown(self, returned):
        """A bet was settled that was not recorded."""
        coup, least = self.coup, []
        if coup.spare > 0:
            coup.spare -= 1
            best = self.best_of_one_bet()
            if best is None:
                return
            returned, least = returned - best, [0] if best else []
            if returned <= 0:
                return
        self.tell("bet-unknown", {0: -returned}, least)

    def best_of_one_bet(self):
        """The most that a bet which is not recorded may bring; nothing where that is not known."""
        coup, bank = self.coup, self.table.bank
        if not coup.limits_known or not coup.limits or not self.book:
            return None
        sums = [coup.limits["maximum"]] + [each["maximum"] or 0 for each in coup.limits["bets"]]
        if self.book.chemin:  # the bank is the limit against it
            early = coup.missing_early[0] > 0  # one event is either the correction of the bank or a bet
            held = coup.bank_before if early and coup.lost_bets == 1 else bank.bank if bank.sum_known and not early else None
            if not bank.known or held is None:
                return None
            sums.append(held)
        return self.book.best(max(sums))

    # --- hands --------------------------------------------------------------------------------

    def judge_hands(self):
        """Third cards that were not drawn, the totals and the winner; whether there are hands to pay by."""
        play, coup, value = self.play, self.coup, self.event.value
        if coup.doubt.cards:  # the hands may have come to anything
            play.worlds = [tuple(hands) for hands in product(every_hand(self.book), repeat=2)]
            coup.undecided("events-missing")
            if not self.book.chemin:  # what is recorded for one bet says nothing about another
                self.completed = play.worlds
            return True
        if coup.gap:
            self.table.tail_cards(coup)
        if coup.hidden:  # the hands may have come to anything
            play.worlds = [tuple(hands) for hands in product(every_hand(self.book), repeat=2)]
        if play.narrow(lambda world: "deal-short" if min(world[0][0], world[1][0]) < 2 else None):
            if not coup.again:
                self.tell("deal-short")
                if not (self.book.chemin and self.table.rulings(coup)[0]):
                    self.completed = completed(self.book, coup.cards)
            return False
        changes = self.table.bank.changes(coup)
        for code in [] if changes.get("no-draws") or coup.hidden else play.stood():
            coup.draws.append(self.tell(code))
        coup.changes = changes
        play.narrow(self.table.bank.misfit(coup))
        self.announced({side + "-total": value[side + "_total"] for side in ("punto", "banca")}, "total-wrong")
        self.announced({"winner": value["winner"]}, "winner-wrong")
        return True

    def announced(self, facts, code):
        """Holds what was announced against the hands."""
        if self.play.narrow(lambda world: None if facts.items() <= self.result(world).items() else code):
            self.tell(code)

    def result(self, world):
        """A world's result, as rulings may have changed it."""
        return result_of(world, self.coup.changes)

    def dues(self, bet, stake=None, kind=None):
        """What is due for a bet in each world that is left."""
        rule = self.book.bets[kind or bet.kind]
        plays = bet.plays if stake is None else stake
        kept = bet.stake - bet.plays if stake is None else 0
        dues = {}
        for world in self.completed or self.play.worlds:
            back, fee = self.book.due(rule, rule.row(self.result(world)), plays)
            back, fee = self.table.bank.due(self.coup, bet, back, fee, plays)
            dues[world] = (back + kept, fee)
        if self.completed:  # or the coup should have been void
            dues[None] = (bet.stake, 0)
        return dues

    def nets(self, dues):
        """What a seat gets by each of these sums: less what is marked in its box."""
        return {back - (fee if self.book.boxed else 0) for back, fee in dues}

    # --- payouts ------------------------------------------------------------------------------

    def judge_bets(self, hands):
        """Every bet that stood, in the order in which they were placed."""
        coup, wrong = self.coup, []
        hands = hands or bool(self.completed)
        for bet in coup.standing():
            offered = self.book and bet.kind in self.book.bets and not bet.share_silent
            offered = offered and (self.table.bank.sure or not self.book.chemin)
            if bet.key not in self.parts:
                if bet.kind != NO_ABONOS:
                    self.left_out(bet, hands and offered)
            elif hands and offered:
                returned, fee = self.parts[bet.key]
                dues = self.dues(bet)
                if self.completed:
                    is_wrong = (returned, fee) not in dues.values()
                else:
                    is_wrong = self.play.narrow(lambda world: None if dues[world] == (returned, fee) else "payout")
                if is_wrong:
                    order = lambda each: (abs(returned - each[0]), abs(fee - each[1]), each[0])
                    due, got = min(dues.values(), key=order), min(self.nets([(returned, fee)]))
                    certain = None
                    if len(set(dues.values())) > 1:
                        certain = certain_part(got - net for net in self.nets(dues.values()))
                        if certain:
                            self.base[bet.key] = got - certain
                        certain = certain, len(self.nets(dues.values())) > 1
                    wrong.append((bet, returned, fee, *due, certain))
        told = self.tell_payouts(wrong)
        if len({bet.key for _, bets in told for bet in bets}) <= coup.missing_early[0]:  # so many may have been corrected before the cards
            for finding, bets in told:
                if all(map(self.may_have_been_another, bets)):
                    self.table.drop(finding)

    def may_have_been_another(self, bet):
        """Whether what a bet returned may be right, if it was corrected before the first card."""
        returned, fee = self.parts[bet.key]
        best = self.best_of_one_bet()
        fits = best is None or returned - (fee if self.book.boxed else 0) <= best
        return self.coup.may_have_been_another(bet) and fits

    def left_out(self, bet, known):
        """A bet that was not settled."""
        if self.coup.may_be_gone(bet) or bet.event.read.is_behind:
            return
        if any(each.id == bet.id and key in self.parts for key, each in self.coup.bets.items()):
            return  # of two bets under one id a settlement may have one line: that there are two is reported
        nets = self.nets(self.dues(bet).values()) if known else set()
        certain = -nets.pop() if len(nets) == 1 else certain_part(-net for net in nets)
        if nets and certain:
            self.base[bet.key] = -certain
        self.tell("bet-not-settled", {bet.seat: certain}, [bet.seat] if nets else [])

    def tell_payouts(self, wrong):
        """One finding for each bet at most, and one for two that belong together."""
        paired, told = set(), []
        exact = [each for each in wrong if each[5] is None]
        for short, over in product(exact, exact):
            amount = short[3] - short[1]
            whole = amount > 0 and amount in (short[3] - short[0].stake, short[3])
            other = short[0].seat != over[0].seat and not paired & {short[0].key, over[0].key}
            if whole and other and over[1] - over[3] == amount:
                marks = [each[2] - each[4] if self.book.boxed else 0 for each in (short, over)]
                found = self.tell("payout-wrong-seat", {short[0].seat: -amount - marks[0], over[0].seat: amount - marks[1]})
                told.append((found, [short[0], over[0]]))
                paired |= {short[0].key, over[0].key}
        for bet, returned, fee, back, due, certain in wrong:
            if certain is not None:
                code, _ = self.payout(bet, returned, fee, back, due, True)
                told.append((self.tell(code, {bet.seat: certain[0]}, [bet.seat] if certain[1] else []), [bet]))
            elif bet.key not in paired:
                apart = self.marked_beside(bet, returned, fee, back, due)
                told += [(apart, [bet])] if apart else []
                told.append((self.tell(*self.payout(bet, returned, fee, back, due, bool(apart))), [bet]))
        return told

    def marked_beside(self, bet, returned, fee, back, due):
        """A mark in a box that fits neither what was due nor what was paid is an error beside a wrong payout."""
        if not self.book.boxed or returned == back or fee == due:
            return False
        paid = [max(0, returned - bet.stake)]
        if back > bet.stake and returned * (back - bet.stake) % back == 0:  # the same odds on another stake
            paid.append(returned * (back - bet.stake) // back)
        if all(fee != round_to(won * self.book.rate, self.book.commission["rounding"]) for won in paid):
            return self.tell("commission-missing" if fee == 0 else "commission-wrong", {bet.seat: due - fee})
        return None

    def payout(self, bet, returned, fee, back, due, apart):
        """What is wrong with one payout, and the money."""
        of_fee = "commission-missing" if fee == 0 else "commission-wrong"
        if self.book.boxed:
            if returned == back:
                return of_fee, {bet.seat: due - fee}
        elif returned == back:
            return of_fee, {0: fee - due}
        elif returned + fee == back + due:
            return of_fee, {bet.seat: returned - back}
        marks = fee - due if self.book.boxed and not apart else 0
        return ("payout-over" if returned > back else "payout-under"), {bet.seat: returned - back - marks}

    # --- money of what was found before -------------------------------------------------------

    def late_by_clock(self):
        """A bet that by its own time came after cards that are recorded after it leaves the coup open."""
        coup = self.coup
        step = ((self.book.data.get("clock") or {}) if self.book else {}).get("step", CLOCK_STEP)
        for bet in coup.bets.values():
            if bet.late or bet.withdrawn:
                continue
            cards = sorted(micros for sequence, micros in coup.drawn_at if sequence > bet.event.sequence)
            if cards and (bet.event.micros > cards[0] + step or (len(cards) >= 4 and bet.event.micros > cards[-1])):
                coup.undecided("bet-after-cards-by-clock")

    def late_money(self, hands):
        """What late bets brought, and what came of bets taken back too late."""
        told_of = set()
        for bet in self.coup.bets.values():
            boxed = self.book is not None and self.book.boxed
            back, fee = self.parts.get(bet.key, (None, 0))
            returned = back if back is None or not boxed else back - fee
            silent = bet.share_silent
            if bet.gone_late and self.book and self.book.chemin:
                silent = not self.table.bank.covered_at_close(self.coup)
            any_hands = hands or (self.completed and not self.book.chemin)
            known = any_hands and self.book and bet.kind in self.book.bets and not silent
            known = known and (self.table.bank.sure and self.coup.dealt_by or not self.book.chemin)
            told = returned is not None or not self.coup.may_be_gone(bet) or bet.event.read.is_behind
            backs = {back - (fee if boxed else 0) for back, fee in self.dues(bet).values()} if known else set()
            got = (returned or 0) - bet.stake
            if bet.late and bet.gone_late:
                bet.late["money"] = pack({bet.seat: returned or 0})
            elif bet.late and told:
                told_of.add(bet.key)
                base = self.base.get(bet.key, got + bet.stake)
                bet.late["money"] = pack({bet.seat: (backs.pop() if len(backs) == 1 else base) - bet.stake})
            elif bet.gone_late and len(backs) == 1:
                told_of.add(bet.key)
                bet.gone_late["money"] = pack({bet.seat: bet.stake + (returned or 0) - backs.pop()})
            elif bet.gone_late and backs and not self.book.chemin:
                certain = certain_part(bet.stake + (returned or 0) - net for net in backs)
                bet.gone_late["money"] = pack({bet.seat: certain})
                if certain:
                    bet.gone_late["at_least"] = [bet.seat]
            if bet.strange and not bet.late and told and not bet.withdrawn:
                bet.strange["money"] = pack({bet.seat: (returned or 0) + (bet.stake if bet.gone_late else 0) - bet.stake})
        if self.book and self.book.chemin and hands and self.play:
            self.late_at_bank(told_of)

    def late_at_bank(self, told_of):
        """What bets that came too late, or were taken back too late, moved at the bank, for those whose money is told."""
        coup, bank, moved = self.coup, self.table.bank, []
        late = [bet for bet in coup.bets.values() if bet.kind in self.book.bets and not bet.withdrawn]
        late = [bet for bet in late if bool(bet.late) != bool(bet.gone_late)]
        winners = {bank.result(coup, world) for world in self.play.worlds}
        if not late or len(winners) != 1 or not bank.sure or not coup.dealt_by:
            return
        standing, winner = {bet.key for bet in coup.standing()}, winners.pop()
        if coup.account and bank.is_account_by_rules(coup, coup.account, winner, bank.bank):
            return
        before = bank.net_of(coup, standing, winner)
        for bet in late:
            standing = standing ^ {bet.key}
            after = bank.net_of(coup, standing, winner)
            if before is None or after is None:
                return
            moved.append((bet, before - after))
            before = after
        for bet, change in moved:
            if bet.key in told_of:
                finding = bet.late or bet.gone_late
                money = Counter({seat: units for seat, units in finding["money"]})
                money[coup.dealt_by[0]] += change
                finding["money"] = pack(money)

    def draw_money(self, hands):
        """What a card against the rules moved: the settlement less what the cards dealt rightly bring."""
        coup = self.coup
        coup.due_unknown = bool(coup.draws)
        if not coup.draws or coup.hidden or self.book.chemin:
            return
        cards = sorted(coup.cards, key=lambda each: each[0])
        worlds = redeal(self.book, [card for _, card, _ in cards] + self.behind(coup))
        money = Counter()
        for bet in coup.bets.values():
            if bet.kind in self.book.bets and not bet.withdrawn and not bet.late:
                rule, net = self.book.bets[bet.kind], lambda back, fee: back - (fee if self.book.boxed else 0)
                rightly = {net(*self.book.due(rule, rule.row(result_of(world)), bet.plays)) for world in worlds}
                if len(rightly) != 1:  # a suit that was not read decides it
                    return
                dealt = {net(*due) for due in self.dues(bet).values()} if hands else set()
                if len(dealt) != 1:
                    dealt = {self.base.get(bet.key, net(*self.parts.get(bet.key, (0, 0))))}
                money[bet.seat] += dealt.pop() - rightly.pop() - bet.stake + bet.plays
        first = [finding for finding in coup.draws if finding["code"] != "extra-card"][:1]
        coup.due_unknown = False
        for finding in first:
            finding["money"] = pack(money)

    def behind(self, coup):
        """The cards of the shoe that came next: what a hand that stood wrongly would have been dealt."""
        cards, place = [], max(position for position, _, _ in coup.cards) + 1
        for each in self.table.upcoming():
            if each.name == "CardDrawn":
                if each.value["position"] != place + len(cards) or each.value["to"] == "removed":
                    break
                options = coup.shoe.options(each.value["card"], each.value["position"]) if coup.shoe else []
                card = options[0] if len(options) == 1 else each.value["card"]
                if "?" in card:
                    break
                cards.append(card)
        return cards

    def leave_open(self):
        """Why the coup is undecided, if it is."""
        coup, play = self.coup, self.play
        if play:
            if coup.unread and not play.sure:
                coup.undecided("card-unread" if "card" in coup.unread else "suit-unread")
            if play.silent:
                coup.undecided("rule-silent")


# ---------------------------------------------------------------------------------------------
# Who deals, where players do
# ---------------------------------------------------------------------------------------------


class Deal:
    """Follows the deal round the table."""

    def __init__(self, table):
        self.table = table
        self.close()

    def close(self):
        """The table is closed: the next one begins anew."""
        self.dealer = self.offered = self.pointer = None
        self.recorded = False  # whether this record mentions the deal at all
        self.lost = False  # or None: it may be kept or passed
        self.owed = True  # it has to be offered before the next card
        self.asked = set()  # since it had to be offered
        self.kept = False  # it was kept wrongly, and may still be offered on
        self.fresh, self.known, self.turn_stays = True, True, False

    def rule(self):
        """Who deals."""
        return self.table.book.dealer if self.table.book and self.table.is_open is not False else None

    def by_croupier(self, event):
        """Where the croupier deals nobody has anything to say."""
        if self.rule() == "croupier":
            self.table.find("deal-by-croupier", event.at)
        return self.rule() in (None, "croupier")

    def taken(self):
        """Seats that are known to be taken."""
        return set(self.table.seats) - self.table.disputed

    def passes_over(self, start, seat):
        """Whether an offer passes over a seat that is taken, upwards and round the table."""
        if start < seat:
            return any(start < each < seat for each in self.taken())
        return any(each > start or each < seat for each in self.taken())

    def out_of_turn(self, seat):
        """Whether it is not this seat's turn; a seat that nobody was recorded to take may have been taken before."""
        if self.turn_stays and self.dealer == seat and self.lost is not True:
            return False
        anew = self.fresh and not self.turn_stays
        over = self.passes_over(self.pointer or 0, seat) and not (anew and not self.passes_over(0, seat))
        return over or seat in self.table.seats_left

    def give_up(self):
        """Nobody has it, and it has to be offered to all but who had it."""
        self.asked = {self.dealer}
        self.dealer, self.lost, self.owed, self.kept = None, False, True, False

    def offer(self, event):
        """The deal is offered to a seat."""
        seat = event.value["seat"]
        if self.by_croupier(event):
            return
        if self.rule() == "players" and self.known:
            if self.dealer is not None and self.lost is False and not self.fresh and not self.kept:
                self.table.find("deal-taken-away", event.at)
            elif self.out_of_turn(seat):
                self.table.find("deal-offer-order", event.at)
        if self.dealer not in (None, seat):
            self.give_up()
        self.asked.add(seat)
        self.offered = self.pointer = seat

    def accept(self, event):
        """Somebody takes the deal."""
        seat = event.value["seat"]
        if self.by_croupier(event):
            return
        if self.offered != seat and self.known:
            self.table.find("deal-not-offered", event.at)
        self.dealer = self.pointer = seat
        self.offered, self.lost, self.owed, self.kept = None, False, False, False
        self.asked, self.known = set(), True

    def decline(self, event):
        """Somebody lets it pass, or gives it up."""
        seat = event.value["seat"]
        if self.by_croupier(event):
            return
        if self.dealer == seat:
            self.give_up()
        elif self.offered == seat or not self.known:
            self.offered = None
        else:
            self.table.find("deal-not-offered", event.at)

    def dealt(self, coup, event):
        """A coup is dealt: the deal was offered as it had to be. An offer without an answer leaves open who deals."""
        if self.rule() == "players" and not self.recorded and self.table.shoe:
            self.table.shoe.undecided("deal-not-recorded")
        must = self.owed if self.lost is False else self.lost is True
        self.fresh, self.lost, self.owed = False, False, False
        asks = must and self.offered is None and self.recorded and self.known and self.rule() == "players"
        asks = asks and not (coup.events.is_early and event.read.out_of_place)
        if asks and not self.taken() <= self.asked and not coup.gap:
            self.table.find("deal-kept", event.at, coup)
            self.kept = True

    def settled(self, coup, event):
        """Whoever deals loses the deal when punto wins."""
        if self.dealer is None or not coup.play:
            return
        winners = {winner_of(world) for world in coup.play.worlds} | {event.value["winner"]}
        open_ = coup.void or self.table.void_later(coup) or coup.play.short()
        self.lost = None if open_ or ("punto" in winners and len(winners) > 1) else winners == {"punto"}
        if self.lost is not False:
            self.asked = {self.dealer}
            ahead = self.table.ahead
            if ahead and ahead.dealt:  # its first card was recorded too early, which is reported
                self.lost, self.owed, self.kept = False, False, True

    def unsettled(self):
        """A coup is void, or left without settlement: the deal may be kept or passed."""
        if self.dealer is not None:
            self.lost, self.asked = None, {self.dealer}

    def voided(self, coup):
        """A coup is declared void before it was settled."""
        if not coup.settled:
            self.unsettled()

    def left(self, seat):
        """Whoever deals gets up."""
        if self.dealer == seat:
            self.give_up()
        if self.offered == seat:
            self.offered = None

    def new_shoe(self):
        """The turn may go on or begin anew, unless the rulebook says that it goes on."""
        self.fresh = True
        self.turn_stays = bool(self.table.book) and self.table.book.data["deal"].get("new-shoe") == "goes-on"

    def gap(self):
        """Not known until it is recorded again."""
        recorded = self.recorded
        self.close()
        self.recorded = recorded
        self.owed = self.known = self.fresh = False


def delegate(name):
    """An event that is the deal's or the bank's."""

    def handle(self, event):
        chemin = self.book is not None and self.book.chemin
        if name in DEAL and self.is_open is False:
            return  # who is offered the deal does not play
        if name not in DEAL and event.coup is None:
            self.needs_opening(event)
        if name in DEAL and not chemin:
            self.deal.recorded = True
            getattr(self.deal, DEAL[name])(event)
        elif name == "AbonoPlaced" and self.book and not chemin:
            self.place(self.coup_for(event), Bet(event, NO_ABONOS), event, "game-wrong")
        elif name == "DealAccepted" or (name not in DEAL and not chemin and self.book):
            coup = self.coup if self.coup and event.coup == self.coup.number else None
            self.find("game-wrong", event.at, coup)
        elif self.book:
            getattr(self.bank, "on_" + name)(event)
        elif name == "AbonoPlaced":  # without a rulebook nothing else of it begins a coup
            self.coup_for(event).bets.setdefault(event.value["bet"], Bet(event, "abono"))

    return handle


NO_ABONOS = "an abono where there are none"  # no rulebook has a bet of this kind
DEAL = {"DealOffered": "offer", "DealAccepted": "accept", "DealDeclined": "decline"}
CHEMIN = "BankTaken BankPassed BancoCalled AbonoPlaced GarajeSet DrawDecided PlayersPresent BankSettled BankBid LeaveGiven"
for _name in list(DEAL) + CHEMIN.split():
    setattr(Table, "on_" + _name, delegate(_name))


# ---------------------------------------------------------------------------------------------
# Chemin de fer: a player is the bank
# ---------------------------------------------------------------------------------------------


OWN = (  # what is a bank's own
    "banker", "put_up", "bank", "garaje", "winnings", "lost", "dealt_once", "won_last", "partners", "sum_known",
    "left_banker", "gone_told",
)


class Bank:
    """Follows the bank round the table, and its money from coup to coup."""

    def __init__(self, table):
        self.table = table
        self.leaves, self.leaves_known = set(), True
        self.off = None  # the account that says what the bank holds, if that is wrong: its sequence, and its money
        self.counted = None  # the event that last counted players
        self.book = None
        self.clear()
        self.known = True

    def clear(self):
        """Nobody has the bank and nothing is remembered."""
        self.sum_known = True
        self.banker = None  # (seat, player, sits)
        self.last_banker = None
        self.put_up = self.bank = self.garaje = 0
        self.winnings = 0  # won, and neither lost again nor set aside; nothing where a coup is not known
        self.lost, self.dealt_once, self.won_last = False, False, False
        self.partners, self.excluded = [], []
        self.offered = self.asked = self.pointer = self.bought_from = self.last_seat = None
        self.passed = None  # what the bank was given up for by choice
        self.refused, self.retakes = False, None
        self.fresh = True
        self.declined, self.owed = set(), None
        self.refusals = Counter()
        self.newcomers = set()
        self.taken_before, self.missed_seats = set(), 0  # who sat before missing events of a coup, and how many these are
        self.bids = []
        self.todo_va = False
        self.compulsory = None
        self.silent = False
        self.last_calls, self.calls_known = set(), True  # who may call banco seguido
        self.before = None  # what the bank before this one was
        self.gone_told = False
        self.left_banker = False
        self.owed_in = None  # the coup of the account that was only recorded wrongly
        self.owes_back = 0  # by how much an account was off that was only recorded wrongly
        self.recorded = None  # what the bank holds by what was set aside, if that was only recorded wrongly
        self.passed_early = None  # for the end of a shoe that lasted then

    @contextlib.contextmanager
    def of(self, coup, event):
        """The bank that a coup is played against, though somebody took another while it was played."""
        if coup is None or coup.former is None or event.name not in COUP_NAMES or event.coup != coup.number:
            yield
            return
        present = {name: getattr(self, name) for name in OWN}
        self.__dict__.update(coup.former)
        yield
        coup.former = {name: getattr(self, name) for name in OWN}
        self.__dict__.update(present)
        if coup.settled and coup.former["banker"] == self.banker:
            self.lost = coup.former["lost"]

    # --- the table ----------------------------------------------------------------------------

    def rulebook(self, book):
        """The table opens under a rulebook."""
        self.book = book if book and book.chemin else None
        self.leaves, self.counted, self.known = set(), None, True
        self.leaves_known = True
        self.begun = False
        self.bids_forgotten = False
        self.clear()

    @property
    def live(self):
        """Whether this game is played, and who has the bank is known."""
        return self.book is not None

    @property
    def sure(self):
        """Whether who has the bank is known, and what it holds."""
        return self.known and self.sum_known

    def tell(self, code, event, coup=None, money=None, once=None):
        """A finding, unless what it rests on is not known."""
        if self.known:
            about = self.uncovered(coup) if coup and code == "garaje-amount" else (self.banker, self.bank, self.garaje)
            return self.table.find(code, event.at, coup, money, once, about)
        return None

    def least(self):
        """The least stake."""
        return (self.table.limits or {}).get("minimum", 0)

    def maximum(self):
        """The most the bank may have in play; nothing where it is unlimited."""
        return None if "unlimited-bank" in self.leaves else self.book.chemin["bank"]["maximum"] * self.least()

    def sits_at(self, seat, player):
        """Whether a player sits there: not where another is known to, and not who sits elsewhere."""
        seats = self.table.seats
        if seat in seats or player is None:
            return player is None or seats[seat] in (None, player)
        return seat not in self.table.seats_left and not any(same_name(who, player) for who in seats.values())

    def closed(self, event):
        """The table closes: nobody has the bank any longer."""
        if self.live and self.banker and not self.left_banker:
            money = {self.banker[0]: -(self.bank + self.garaje)} if self.sum_known else None
            self.tell("bank-not-settled", event, None, money)
        self.clear()

    def sits(self, seat, player):
        """Somebody sits down; during a shoe that is a newcomer."""
        shoe = self.table.shoe
        if self.live and shoe and shoe.coups and not shoe.ended and self.book.chemin["turn"].get("newcomers-pass"):
            self.newcomers.add(seat)
        self.refusals[seat] = 0

    def left(self, seat, event):
        """Somebody gets up; whoever has the bank has to have passed it."""
        if self.live and self.banker and self.banker[0] == seat and self.banker[2]:
            money = {seat: -(self.bank + self.garaje)} if self.sum_known else None
            self.tell("bank-not-settled", event, None, money)
            self.banker = None
        self.newcomers.discard(seat)
        self.taken_before.discard(seat)
        self.refusals[seat] = 0
        if self.owed == seat:
            self.owed = None
        if self.offered == seat:
            self.offered = None
        self.declined.discard(seat)

    def new_shoe(self):
        """The turn may go on or begin anew."""
        self.passed_early = None
        self.fresh, self.begun = True, False
        self.newcomers = set()
        if self.live and not self.known:
            self.table.shoe.undecided("events-missing")

    def shoe_ended(self):
        """The shoe is over; whoever won its last coup may go on in the next."""
        self.passed_early = None

    def seats_gap(self, count):
        """Somebody may have sat down or left while a coup was played."""
        self.refusals, self.newcomers, self.owed, self.counted = Counter(), set(), None, None
        self.missed_seats += count

    def gap(self, inside):
        """Behind a gap the bank is not known until it is recorded again."""
        self.leaves_known = False  # some may have been given in what is missing
        if self.live and not inside:
            self.clear()
            self.known = self.calls_known = False
            self.counted = None
        elif self.live:
            self.todo_va = True  # a garaje may be missing

    def begun_coup(self, event, coup):
        """Whoever refused too often has left by the time a coup begins, and what lies above the maximum is set aside."""
        self.plays_on()
        if self.live and self.owed is not None:
            self.tell("seat-kept", event, coup)
            self.owed = None
        if not self.live or self.table.is_open is False or coup.ahead:
            return
        if event.name != "CoupSettled":  # else nothing was dealt against a bank
            self.ask_bank(event, coup)
        if not self.sure or not self.banker or coup.gap or coup.events.is_early or event.name in ("CardDrawn", "DrawDecided"):
            return
        top, held, self.recorded = self.maximum(), self.recorded or self.bank, None
        if top is not None and held > top:
            if self.leaves_known:
                self.table.find("bank-above-maximum", event.at, coup, about=(held, top))
                self.go_on_from(top, self.garaje + self.bank - top)
            else:
                coup.undecided("events-missing")

    # --- the turn -----------------------------------------------------------------------------

    def round(self, behind, everybody=False):
        """The occupied seats from a seat's right on, the last banker's left out or not."""
        seats = sorted(self.table.seats)
        after = [seat for seat in seats if behind is None or seat > behind]
        after += [seat for seat in seats if seat not in after]
        last = self.last_banker[0] if self.last_banker and self.last_banker[2] and not everybody else None
        return [seat for seat in after if seat != last] or after

    def next_seats(self):
        """The seats to which the bank may go now. Whether whoever lost it is passed over no source says."""
        by_choice = self.passed is not None or self.refused
        return self.due_seats(False) | (set() if by_choice else self.due_seats(True))

    def due_seats(self, everybody):
        """The seats whose turn it is, where the last banker has one or not."""
        if self.asked in self.declined:  # the one behind whoever was asked last, though that was out of turn
            return {seat for seat in [seat for seat in self.round(self.asked, everybody) if seat not in self.declined][:1]}
        waiting = [seat for seat in self.round(self.pointer, everybody) if seat not in self.declined]
        allowed = set(waiting[:1])
        if self.fresh and self.table.seats:
            everyone = [seat for seat in sorted(self.table.seats) if seat not in self.declined]
            allowed |= set(everyone[:1]) | set(waiting[:1])
        return allowed

    def plays_on(self):
        """Play goes on in a shoe for whose end the bank was passed."""
        early, self.passed_early = self.passed_early, None
        if early:
            self.tell("bank-taken-away", early)

    def on_DealOffered(self, event):
        """The bank is offered to a seat."""
        self.plays_on()
        seat = event.value["seat"]
        if self.banker and not self.lost:
            self.tell("bank-taken-away", event)
        elif self.banker:
            self.lost_and_gone(event)
        if self.known and self.table.seats_known and not self.bids_forgotten and not self.banker and seat not in self.next_seats():
            self.tell("deal-offer-order", event)
        if self.fresh and not self.declined and seat == min(self.table.seats, default=seat):
            self.pointer = None  # the turn begins anew
        self.offered = self.asked = seat

    def lost_and_gone(self, event):
        """The banker lost, and nothing says what they took away."""
        money = {self.banker[0]: -(self.bank + self.garaje)} if self.sum_known else None
        if not self.gone_told:
            self.tell("bank-not-settled", event, None, money)
        self.gone_told = True

    def on_DealDeclined(self, event):
        """A seat lets the bank pass."""
        self.plays_on()
        seat = event.value["seat"]
        if self.offered != seat:
            self.tell("deal-not-offered", event)
            return
        self.offered = None
        self.declined.add(seat)
        if seat in self.newcomers:
            self.newcomers.discard(seat)
            return
        self.refusals[seat] += 1
        if self.refusals[seat] >= self.book.chemin["turn"]["leaves-after"] and self.table.seats_known:
            self.owed = seat

    def everyone_declined(self):
        """Whether no seated player wants the bank."""
        return set(self.round(self.pointer)) <= self.declined or not self.table.seats_known

    def on_BankBid(self, event):
        """A bid."""
        value = event.value
        if any(same_name(value["player"], name) for name in self.excluded):
            self.tell("auction-excluded", event)
        else:
            sits = self.sits_at(value["seat"], value["player"])
            if len(self.bids) < MOST["bids"]:
                self.bids.append((value["amount"], value["seat"], value["player"], sits))
            else:  # who bid most is not known any more
                self.bids_forgotten = True
                self.table.forget("bids", event.at)

    def on_BankTaken(self, event):
        """Somebody has the bank."""
        self.table.bank_taken = (event.sequence, None)
        self.plays_on()
        table, value = self.table, event.value
        seat, player, amount, how = value["seat"], value["player"], value["amount"], value["how"]
        table.needs_opening(event)
        sits = self.sits_at(seat, player)
        if self.banker and self.lost:
            self.lost_and_gone(event)
        elif self.banker:
            self.tell("bank-taken-away", event)
        elif not self.rightful(event, sits):
            self.tell("bank-turn", event)
        if seat in self.newcomers and sits and how == "turn":
            self.tell("saludo-owed", event)
        self.check_sum(event)
        if amount < self.least():
            self.tell("bank-below-minimum", event)
        if not self.known:
            self.known = True
            for shoe in table.shoes[-1:]:
                shoe.undecided("events-missing")
        self.take(value, sits)

    def take(self, value, sits):
        """The bank is somebody's from now on, but that of the coup in play, which goes on against the one before."""
        coup = self.table.coup
        if self.banker and coup and not coup.ahead and coup.former is None:
            coup.former, coup.garajes = {name: getattr(self, name) for name in OWN}, []
        seat, player, how = value["seat"], value["player"], value["how"]
        if how not in ("retaken", "continued"):  # else it is the same bank, bought or not
            passed = self.last_banker if self.passed is not None else None
            self.bought_from = passed and (passed[0] if passed[2] else self.last_seat)
        if sits:
            self.last_seat = seat
        elif self.bought_from is None:
            self.bought_from = self.last_seat
        self.banker = (seat, player, sits)
        self.put_up = self.bank = value["amount"]
        self.sum_known = True
        self.garaje = self.winnings = 0
        self.partners = [each["player"] for each in value["partners"]]
        self.lost = self.dealt_once = self.won_last = self.left_banker = self.gone_told = False
        self.offered, self.asked, self.declined, self.bids, self.passed = None, None, set(), [], None
        self.refused, self.fresh, self.todo_va, self.compulsory = False, False, False, None
        self.refusals[seat] = 0

    def rightful(self, event, sits):
        """Whether the bank went to somebody who may have it, in this way."""
        value, how = event.value, event.value["how"]
        seat, player = value["seat"], value["player"]
        if not self.known or not self.table.seats_known or self.bids_forgotten:
            return True
        done = self.everyone_declined()
        if how == "auction" and not done and not self.refused:
            return False
        if how == "turn":
            return sits and (self.offered == seat or seat in self.next_seats())
        if how == "standing":
            return done and not sits
        if how == "auction":
            return self.auctioned(event, done)
        if how == "retaken":
            return done and self.retakes is not None and same_name(self.retakes[1], player)
        if how == "minimum":
            return done and seat == next(iter(self.round(self.pointer)), None)
        return self.retakes is not None and same_name(self.retakes[1], player) and self.retakes[3]

    def auctioned(self, event, done):
        """Whether an auction was due; its winner is distinguished."""
        value = event.value
        if any(same_name(value["player"], name) for name in self.excluded):
            if not any(same_name(value["player"], bid[2]) for bid in self.bids):
                self.tell("auction-excluded", event)
        elif self.bids:
            top = max(bid[0] for bid in self.bids)
            best = [bid for bid in self.bids if bid[0] == top]
            best = [bid for bid in best if bid[3]] or best
            if not any(same_name(bid[2], value["player"]) for bid in best):
                self.tell("auction-winner", event)
        elif self.known:
            self.tell("auction-winner", event)
        return done or self.refused

    def check_sum(self, event):
        """For what the bank is taken."""
        amount, how = event.value["amount"], event.value["how"]
        wrong = False
        if how in ("turn", "standing") and self.passed is not None:
            wrong = amount < self.passed
        elif how == "auction":
            own = [bid[0] for bid in self.bids if same_name(bid[2], event.value["player"])]
            wrong = bool(own) and amount < max(own)
        elif how == "retaken" and self.passed is not None:
            wrong = amount != self.passed
        elif how == "continued" and self.retakes and self.retakes[3]:
            wrong = self.retakes[2] not in (None, amount)
        if wrong:
            self.tell("bank-below-passed", event)

    def on_BankPassed(self, event):
        """The banker is the banker no longer."""
        value, table = event.value, self.table
        seat, player, why = value["seat"], value["player"], value["why"]
        table.passed[event.sequence] = (seat, value["amount"])
        if not self.banker:
            self.tell("bank-turn", event, None, {seat: value["amount"]})
            self.pointer = seat
            self.last_banker, self.before = (seat, player, True), 0
            return
        if table.coup and table.coup.account and table.coup.dealt_by == self.banker:
            self.abandoned(table.coup)  # nobody knows who lost
        if (seat, player) != self.banker[:2]:  # no more is judged of it, and the bank goes on from there
            money = Counter({seat: value["amount"]})
            if self.sum_known:
                money[self.banker[0]] -= self.bank + self.garaje
            self.tell("bank-turn", event, None, money)
            self.banker = (seat, player, self.sits_at(seat, player))
            self.pass_on(value)
            return
        self.come_back(event)
        if self.sum_known and value["amount"] != self.bank + self.garaje:
            over = value["amount"] - self.bank - self.garaje
            self.tell("bank-wrong", event, None, {self.banker[0]: over})
        if why == "lost" and self.lost is False:
            self.tell("bank-taken-away", event)
        elif why == "shoe-end" and table.shoe and not table.shoe.may_be_over():
            self.passed_early = event
        elif why in ("voluntary", "left") and not self.dealt_once:
            self.tell("bank-not-dealt", event)
        self.pass_on(value)

    def pass_on(self, value):
        """The bank goes on from whoever gave it up."""
        why = value["why"]
        given_up = why in ("voluntary", "left") and self.lost is False
        refused = why == "refused" and not self.dealt_once  # else the word is wrong, and nothing goes by it
        held = self.bank if self.sum_known else None
        self.retakes = (*self.banker[:2], held, self.won_last and why == "shoe-end")
        excluded = [self.banker[1]] + self.partners
        if refused:
            self.excluded = excluded[:1] + self.excluded
        else:
            self.excluded = excluded if given_up else []
        known = self.bank + self.garaje if self.sum_known else value["amount"]
        self.passed = min(value["amount"], known) if given_up else None
        own = self.banker[0] if self.banker[2] else self.last_seat
        after_loss = self.bought_from if self.bought_from is not None else self.banker[0]
        self.pointer = own if given_up or refused else after_loss
        self.refused = refused
        self.last_banker, self.banker = self.banker, None
        self.before = held or 0
        self.bids, self.declined, self.asked = [], set(), None
        self.lost, self.put_up, self.bank, self.garaje = False, 0, 0, 0

    # --- play ---------------------------------------------------------------------------------

    def on_PlayersPresent(self, event):
        """Players are counted."""
        self.counted = event

    def on_LeaveGiven(self, event):
        """Leave is given."""
        leave, office = event.value["leave"], event.value["office"]
        if leave == "free-play":
            rule = self.book.chemin.get("free-play")
            wrong = rule is None or rule.get("office") != office or self.begun
        else:
            wrong = not self.book.chemin["bank"].get("may-be-unlimited", False)
        if wrong:
            coup = self.table.coup
            self.table.find("leave-wrong", event.at, coup)
        else:
            self.leaves.add(leave)

    def on_GarajeSet(self, event):
        """Money leaves play or comes back."""
        kind, table = event.value["kind"], self.table
        coup = table.ahead if table.ahead and table.last_named() == table.ahead.number else table.coup
        if coup and coup.former:
            self.set_garaje(event, None)  # by whoever took the bank since: it is before the next coup
        elif coup and coup.ahead and not coup.bets_closed and not coup.account and kind != "compulsory":
            self.set_garaje(event, None)  # it began too early: what is set aside until it is dealt is before it
        elif coup and coup.account and kind != "compulsory":
            coup.garajes.append(event)
        elif coup and kind != "compulsory":
            self.tell("garaje-not-allowed", event, coup)
        else:
            self.set_garaje(event, coup)

    def set_garaje(self, event, coup):
        """What is set aside in a coup, or before one."""
        kind, amount = event.value["kind"], event.value["amount"]
        if not self.banker:
            if coup is None:  # in a coup it is reported of the coup
                self.tell("bank-missing", event, coup)
            return
        if kind == "compulsory":
            self.compulsory_set(event, coup)
        elif kind == "todo-va":
            if self.maximum() is not None and self.leaves_known:
                self.tell("todo-va", event, coup)
            elif self.sum_known and amount != self.garaje:
                self.tell("garaje-amount", event, coup)
            self.bank, self.garaje, self.todo_va = self.bank + amount, max(0, self.garaje - amount), True
        else:
            self.set_aside(event, coup)

    def compulsory_set(self, event, coup):
        """What the stakes do not cover is set aside for one coup."""
        if coup is not None and coup is self.table.ahead:  # against which bank it is played shows later
            coup.early_garajes.append(event)
        elif coup is None:
            self.tell("garaje-amount", event, coup)
        elif self.sum_known and not coup.gap and not coup.doubt.stakes and event.value["amount"] != self.uncovered(coup):
            self.tell("garaje-amount", event, coup)
        if coup:
            coup.compulsory = event

    def set_early(self, coup):
        """The coup before this one is over."""
        for event in coup.early_garajes if coup and self.banker and not self.lost else []:
            self.compulsory_set(event, coup)

    def set_aside(self, event, coup):
        """Winnings, or what lies above the maximum, leave play until the banker does."""
        kind, amount = event.value["kind"], event.value["amount"]
        if not self.sum_known:
            return
        top, rightly = self.maximum(), None
        if kind == "improper":
            above = 0 if top is None else max(0, self.bank - top)
            self.come_back(event)
            if self.leaves_known and amount != above:
                self.tell("garaje-amount", event, coup)
                rightly = self.bank - above, self.garaje + above
        else:
            winnings = self.winnings
            self.winnings = None if winnings is None else max(0, winnings - amount)
            times = (self.book.chemin.get("garaje") or {}).get("voluntary-over")
            if times is None:
                self.silent = True
            elif winnings is None:
                pass
            elif winnings <= times * self.least():
                if self.table.limits_known:
                    self.tell("garaje-not-allowed", event, coup)
            elif amount > winnings:
                self.tell("garaje-amount", event, coup)
        self.garaje += min(amount, self.bank)
        self.bank -= min(amount, self.bank)
        if rightly:
            self.recorded = self.bank  # the maximum is asked of what is recorded
            self.go_on_from(*rightly)

    def go_on_from(self, bank, garaje):
        """What is wrong of a bank may only be recorded so: then its next record goes on from what was due."""
        if self.sure and (bank, garaje) != (self.bank, self.garaje) and self.goes_on_from(bank, garaje):
            self.owes_back = self.owes_back + self.bank + self.garaje - bank - garaje
            self.bank, self.garaje = bank, garaje

    def goes_on_from(self, bank, garaje):
        """Whether the next record of a bank fits what it was due to hold, and not what is recorded of it."""
        top, said, total = self.maximum(), self.bank, self.bank + self.garaje
        for event in self.table.upcoming():
            value, amount = event.value, event.value.get("amount")
            if event.gap or event.name in ("BankTaken", "TableClosed", "TableOpened"):
                return False
            if event.name == "BankPassed":
                return amount == bank + garaje != total
            if event.name == "BankSettled" and not event.read.dropped:
                return (value["bank"] - value["won"] + value["lost"] + value["commission"], value["garaje"]) == (bank, garaje)
            if event.name == "GarajeSet" and value["kind"] == "improper":
                above = [0 if top is None else max(0, each - top) for each in (bank, said)]
                if amount in above and above[0] != above[1]:  # else it says nothing of which it goes on from
                    return amount == above[0]
            if event.name == "GarajeSet" and value["kind"] != "compulsory":
                bank, said, garaje = bank - amount, said - amount, garaje + amount
        return False

    def come_back(self, event):
        """What an account was off comes back at the next record of the bank."""
        if self.owes_back:
            follows = self.tell("bank-wrong", event, self.owed_in, {self.banker[0]: -self.owes_back})
            (follows or {})["_follows"] = True
        self.owes_back = 0

    def most(self, coup, kind, own):
        """The most that a player may stake: what the bank holds."""
        if kind == "punto":
            return self.bank if self.known and self.banker and self.sum_known and not coup.gap else None
        return coup.limits["maximum"] if own is None else own

    def played(self, coup):
        """What plays against the bank, abonos taken off."""
        stakes = sum(bet.plays for bet in coup.standing() if bet.kind == "punto")
        if self.book.chemin.get("abonos") is None:
            return stakes
        return max(0, stakes - sum(bet.plays for bet in coup.standing() if bet.kind == "abono"))

    def uncovered(self, coup):
        """What the stakes leave of the bank."""
        return max(0, self.bank - sum(bet.plays for bet in coup.standing() if bet.kind == "punto"))

    def on_BancoCalled(self, event):
        """Somebody plays for the bank."""
        coup = self.table.coup_for(event)
        value = event.value
        if value["call"] == "seguido":
            if self.calls_known and not any(same_name(value["player"], name) for name in self.last_calls):
                self.tell("banco-seguido", event, coup)
        elif coup.closed:
            self.tell("banco-late", event, coup)
            return
        coup.calls.append(event)

    def on_AbonoPlaced(self, event):
        """A stake beside the bank."""
        coup, table = self.table.coup_for(event), self.table
        rule = self.book.chemin.get("abonos")
        if rule is None:
            table.place(coup, Bet(event, NO_ABONOS), event, "abono-not-allowed")
            return
        bet = Bet(event, "abono")
        bet.alike = bet.player in table.alike
        table.check_bet(coup, bet, event)
        if len([each for each in coup.bets.values() if each.kind == "abono"]) >= rule["most"]:
            table.find("abono-count", event.at, coup)
        if bet.id in table.bet_ids:
            table.find("bet-id-reused", event.at, coup)
            if bet.id in coup.bets:  # it stands beside the first
                bet.key = (bet.id, event.sequence)
        table.note_bet_id(bet.id, event)
        if table.is_late(coup, event):
            bet.late = table.find("bet-late", event.at, coup)
        elif coup.closed:
            coup.fresh.append(bet)
        coup.bets[bet.key] = bet

    def dealt(self, coup, event):
        """The first card of a coup: there is a bank and there are players."""
        if not self.live or self.table.is_open is False:
            return
        self.begun = self.table.shoe is not None
        coup.dealt_by, coup.bank_before = self.banker, self.bank
        if coup.ahead and not coup.void:
            self.ask_bank(event, coup)
        self.table.close(coup)
        self.check_stakes(coup)
        self.free_play(coup)
        self.dealt_once = True

    def ask_bank(self, event, coup):
        """A coup begins, or is dealt where it began too early: somebody has the bank, and there are enough players."""
        if not self.known:
            coup.undecided("events-missing")
        if coup.shoe and coup.shoe.ended:
            pass  # that it is played at all is reported
        elif not self.banker:
            self.tell("bank-missing", event, coup)
        elif self.lost:
            self.tell("bank-kept", event, coup)
            self.lost = None
        if self.silent:
            coup.undecided("rule-silent")
        self.silent = False
        self.count_players(coup, event)

    def count_players(self, coup, event):
        """Whether there are as many players as the game needs."""
        least, seated = self.book.chemin["players"]["least"], len(self.taken_before | set(self.table.seats))
        if self.counted is None:
            if seated - self.missed_seats < least:
                coup.undecided("players-not-counted")
        elif max(self.counted.value["players"], seated) < least:
            self.table.find("players-too-few", event.at, coup)

    def check_stakes(self, coup):
        """What is staked against what the bank holds."""
        if not self.known or not self.banker or not coup.limits:
            return
        if coup.gap or not self.sum_known or coup.doubt.stakes or coup.doubt.order:
            coup.undecided("events-missing")
            return
        stood = [bet for bet in coup.bets.values() if not bet.withdrawn]  # when the bets were closed
        bets = [bet for bet in stood if bet.kind == "punto" and not bet.late]
        stakes = sum(bet.plays for bet in bets)
        beside = [bet for bet in stood if bet.kind == "abono"] if self.book.chemin.get("abonos") else []
        abonos = [bet for bet in beside if not bet.late]
        late, beside = sum(bet.plays for bet in beside if bet.late), sum(bet.plays for bet in abonos)
        if stakes - beside > self.bank:
            self.table.find("stakes-above-bank", crossing(bets, self.bank).at, coup, about=(self.bank, stakes, beside))
            if stakes - beside - late > self.bank:  # with those that came too late it may be known who is paid
                coup.silent_stakes = True
                for bet in bets + abonos:
                    bet.share_silent = True
        elif beside > max(0, stakes - self.bank):
            self.table.find("abono-amount", abonos[-1].at, coup, about=(self.bank, stakes, beside))
        self.check_banco(coup, bets)

    def late_stakes(self, coup, event):
        """Bets placed or taken back too late may take the stakes beyond bank and abonos: no source says who is paid then."""
        if not self.live or not self.known or not self.banker or not self.sum_known or coup.gap or coup.doubt.stakes:
            return
        early = coup.bets_closed.sequence if coup.bets_closed else event.sequence
        disputed = any(bet.late or bet.event.sequence > early for bet in coup.standing())
        if self.played(coup) > self.bank and (disputed or any(bet.gone_late for bet in coup.bets.values())):
            coup.silent_stakes = True
            for bet in coup.standing():
                bet.share_silent = True
        elif coup.silent_stakes and self.played(coup) <= self.bank:  # what was taken back since took them within it
            coup.silent_stakes = False
            for bet in coup.bets.values():
                bet.share_silent = False

    def covered_at_close(self, coup):
        """Whether what was staked in time was covered, whatever was taken back too late; late abonos cover as well."""
        bets = [bet for bet in coup.bets.values() if not bet.withdrawn]
        abonos = sum(bet.plays for bet in bets if bet.kind == "abono") if self.book.chemin.get("abonos") else 0
        return sum(bet.plays for bet in bets if bet.kind == "punto" and not bet.late) <= self.bank + abonos

    def check_banco(self, coup, bets):
        """Whether a banco is the whole bank, or half of it, and whose it is."""
        calls = coup.calls
        sums, seats = Counter(), self.table.seats
        if not self.table.seats_known or any(bet.player is None and seats.get(bet.seat, "") is None for bet in bets):
            return  # nobody knows whose the seat is
        callers = {call.value["seat"]: call.value["player"] for call in calls}
        for bet in bets:  # without a name it is whose the seat is, or of whoever called there
            sums[bet.player or seats.get(bet.seat) or callers.get(bet.seat)] += bet.stake
        together = [call for call in calls if call.value["call"] == "asociado"]
        whole = [call for call in calls if call.value["call"] in ("banco", "seguido")]
        played = [call for call in whole + together if sums[call.value["player"]]]
        for call in calls:
            staked, kind = sums[call.value["player"]], call.value["call"]
            if kind in ("con-la-mesa", "ultimo-completo"):  # whoever calls the whole bank goes before
                if not whole + together and 2 * staked not in (self.bank, self.bank - 1, self.bank + 1):
                    self.tell("banco-stake", call, coup)
            elif kind in ("banco", "seguido") and call in played and staked != self.bank:
                self.tell("banco-stake", call, coup)
        if together and any(call in together for call in played):
            if sum(sums[name] for name in {call.value["player"] for call in together}) < self.bank:
                self.tell("banco-stake", together[-1], coup)
        if whole and not played:
            self.tell("banco-stake", whole[0], coup)
        if len(whole + together) > 1 and played:
            best = min(whole + together, key=self.priority)
            if self.priority(played[0]) > self.priority(best):
                self.tell("banco-priority", played[0], coup)

    def priority(self, call):
        """Banco seguido, then who sits, from the banker's right on, then who stands, then newcomers, then associations."""
        seat, player, kind = call.value["seat"], call.value["player"], call.value["call"]
        order = sorted(self.table.table_seats or [seat])
        behind = self.banker[0] if self.banker else 0
        ring = [each for each in order if each > behind] + [each for each in order if each <= behind]
        place = ring.index(seat) if seat in ring else len(ring)
        sits = self.sits_at(seat, player)
        return (kind != "seguido", kind == "asociado", seat in self.newcomers and sits, not sits, place)

    def holders(self, coup):
        """To whom punto's cards may go."""
        if not self.known or not self.banker or not self.table.seats_known:
            return None
        ways = coup.ways_to_count()
        return None if ways is None else set().union(*(self.holders_of(coup, bets) for bets in ways))

    def holders_of(self, coup, bets):
        """The same by these bets."""
        bets = [bet for bet in bets if bet.kind == "punto"]
        sums, staked, seats = Counter(), set(), self.table.seats
        for bet in bets:  # without a name it is of whoever sits at its seat
            staked.add(bet.player or seats.get(bet.seat))
            own = [seat for seat in sorted(seats) if same_name(seats[seat], bet.player)]
            if self.sits_at(bet.seat, bet.player):
                sums[bet.seat] += bet.stake
            elif own:  # what whoever sits stakes at other seats is theirs too
                sums[own[0]] += bet.stake
        bound = ("seguido", "con-la-mesa", "ultimo-completo")  # whoever called so and staked nothing is reported by that
        calls = [call for call in coup.calls if call.value["player"] in staked or call.value["call"] in bound]
        for kinds in (("banco", "seguido"), ("ultimo-completo",), ("con-la-mesa",), ("asociado",)):
            callers = {call.value["seat"] for call in calls if call.value["call"] in kinds}
            if callers:
                return callers
        if not sums:
            return {None} if not bets else {None} | {bet.seat for bet in bets}
        best = [seat for seat in sums if sums[seat] == max(sums.values())]
        behind = self.banker[0] if self.banker else 0
        highest = {min(best, key=lambda seat: (seat <= behind, seat))}
        last = self.last_banker
        larger = last and not self.dealt_once and self.before is not None and self.put_up > self.before
        if larger and (sums[last[0]] or (not last[2] and any(bet.player == last[1] for bet in bets))):
            highest.add(last[0])  # 08.V: who was the bank before a larger one may take the cards for one coup
        return highest

    def reopened(self, coup):
        """Whether a banco seguido has opened the bets again: until somebody holds punto's cards."""
        return self.live and not coup.holders and any(call.value["call"] == "seguido" for call in coup.calls)

    def free_play(self, coup):
        """Whoever calls banco plays freely where leave was given, and so does the banker."""
        if not coup.play:
            return
        played = {bet.player or self.table.seats.get(bet.seat) for bet in coup.standing() if bet.kind == "punto"}
        callers = [call for call in coup.calls if call.value["call"] in ("banco", "seguido", "asociado")]
        granted = any(call.value["player"] in played for call in callers)
        missing = coup.spare > 0 and not granted  # the bet that says so, and perhaps the call
        free = granted or missing if "free-play" in self.leaves else missing and not self.leaves_known
        coup.play.free = coup.play.bank_free = free
        coup.play.chart = self.book.chemin["chart"]["binds"] == "always"

    def on_DrawDecided(self, event):
        """A hand says whether it draws."""
        over = event.read.coup.played
        if over and over.settled:  # it changes nothing of a coup that is over
            return
        coup, value = self.table.coup_for(event), event.value
        coup.decided[value["hand"]] = event
        play = coup.play
        if play and value["counsel"] == "croupier" and value["hand"] == "banca":
            play.chart = True
            play.bank_free = play.bank_free and self.book.chemin["chart"]["binds"] != "asked"

    # --- cards --------------------------------------------------------------------------------

    def consequences(self, coup):
        """What the rulings on a coup ask for, each with its ruling."""
        errors = self.book.errors if self.book else {}
        return [(errors.get(each.value["code"], "ruling"), each) for each in self.table.rulings(coup)[0]]

    def before_card(self, coup, event):
        """What is known by the time of a card: rulings that bind, third cards that were not read."""
        if not self.live or not coup.play:
            return
        play, value = coup.play, event.value
        self.bind(coup, event)
        full = all(world[SIDE[value["to"]]][0] == 2 and min(world[0][0], world[1][0]) >= 2 for world in play.worlds)
        over = all(play.natural(world) for world in play.worlds)  # that a card is drawn at all is reported
        if full and value["card"] == "??" and not over:
            self.table.find("third-card-unseen", event.at, coup)

    def basket(self, coup, before):
        """Which card of punto's fell into the basket, by the rulings before an event."""
        asked = [each.value["positions"] for asked, each in self.consequences(coup) if asked == "punto-counts-nine"
                 and (before is None or each.sequence < before.sequence)]  # fmt: skip
        hand = [position for position, _, side in coup.cards if side == "punto"]
        dealt = {position for position, _, _ in coup.cards} | {position for position, _ in coup.gone}
        if not asked:
            return None
        if any(set(named) & set(hand[:2]) for named in asked):
            return "first"
        return "either" if any(set(named) <= dealt for named in asked) else "third"

    def bind(self, coup, before=None):
        """Rulings by which the table binds, or a card is banca's."""
        play = coup.play
        play.nine = self.basket(coup, before)
        for asked, _ in self.consequences(coup):
            if asked in ("chart-binds", "chart-draws"):
                play.chart, play.bank_free = True, False
                play.no_choice = play.no_choice or asked == "chart-draws"
            elif asked == "banca-takes-card":
                play.fifth = True
            elif asked == "banca-counts-zero":
                play.zero = True

    def changes(self, coup):
        """How rulings change the totals or the winner."""
        changes = {"totals": {}}
        if not self.live:
            return changes
        if coup.play:
            self.bind(coup)
        for asked, ruling in self.consequences(coup):
            if asked == "punto-counts-nine":
                changes["totals"]["punto"] = 9
                coup.undecided("ruled")
            elif asked == "banca-counts-zero":
                thirds = {hand[4] if hand[0] >= 3 else 0 for _, hand in coup.play.worlds}
                changes["totals"]["banca"] = thirds.pop() if len(thirds) == 1 else 0
            elif asked in ("banca-loses", "punto-loses"):
                changes["winner"] = "punto" if asked == "banca-loses" else "banca"
                coup.undecided("ruled")
            if asked in ("punto-counts-nine", "banca-loses", "punto-loses"):
                changes["no-draws"] = True
        return changes

    def check_two(self, coup, event):
        """Of two third cards punto keeps the one that gives it more, banca the one that gives it less; the other goes."""
        for asked, ruling in self.consequences(coup):
            if asked not in ("higher-card", "lower-card") or coup.void:
                continue
            to, named = "punto" if asked == "higher-card" else "banca", ruling.value["positions"]
            hand = [(position, card) for position, card, side in coup.cards if side == to]
            kept = next((hand[2][1] for place in named if len(hand) > 2 and hand[2][0] == place), None)
            gone = next((card for place in named for position, card in coup.gone if position == place), None)
            if kept is None or gone is None:
                self.table.find("ruling-not-followed", event.at, coup)
                continue
            if any(card[0] == "?" for card in (hand[0][1], hand[1][1], kept, gone)):
                continue
            two = 0 if to == "banca" and coup.play.zero else sum(POINTS[card[0]] for _, card in hand[:2])
            whole, other = ((two + POINTS[card[0]]) % 10 for card in (kept, gone))
            if whole < other if to == "punto" else whole > other:
                self.table.find("ruling-not-followed", event.at, coup)

    def check_decisions(self, coup, event):
        """Whether hands were dealt as they had announced; one card is wrong in one way."""
        play, broke = coup.play, {}
        if coup.draws or coup.gap or coup.may_be_natural:
            return
        if play.nine in ("first", "either") and all(world[0][0] == 2 for world in play.worlds):
            return
        for hand, decided in coup.decided.items():
            drew = any(world[SIDE[hand]][0] >= 3 for world in play.worlds)
            said = decided.value["decision"]
            if drew and said == "no" and decided.sequence < coup.third_at.get(hand, 0):
                broke[hand] = "drew"
            elif not drew and said == "carta":
                broke[hand] = "stood"
        if broke == {"punto": "stood", "banca": "drew"}:
            del broke["banca"]
        for _ in broke:
            self.table.find("draw-not-as-decided", event.at, coup)

    def check_fifth(self, coup, event):
        """A card that a ruling makes banca's, where punto has two, is its third; where punto drew, it is punto's."""
        for asked, ruling in self.consequences(coup):
            if asked != "banca-takes-card" or coup.gap:
                continue
            thirds = {}
            for to in ("punto", "banca"):
                hand = [position for position, _, side in coup.cards if side == to]
                thirds[to] = hand[2] if len(hand) > 2 else None
            two = len([1 for _, _, side in coup.cards if side == "punto"]) == 2
            due = thirds["banca" if two else "punto"]
            if any(position != due for position in ruling.value["positions"]):
                self.table.find("ruling-not-followed", event.at, coup)

    # --- settlement ---------------------------------------------------------------------------

    def due(self, coup, bet, back, fee, plays):
        """The commission is the bank's; of abonos only the banker's own pays it."""
        own = bet.kind == "abono" and self.banker is not None and same_name(bet.player, self.banker[1])
        if self.live and own and (bet.seat == self.banker[0] or not self.table.seats_known):
            won = max(0, back - plays)
            if won > 0 and self.book.commission and self.book.rate:
                own = round_to(won * self.book.rate, self.book.commission["rounding"])
                return back - own, own
        return back, fee

    def on_BankSettled(self, event):
        """What the coup comes to for the bank."""
        table, number = self.table, event.coup
        old = table.ended_coup(number) if table.coup is None or table.coup.number != number else None
        if old is not None and old.settled:  # it stands behind the settlement, where it was missed
            if old is not table.last or old.void:
                return
            if old.account:
                self.another_account(event, old)
            elif self.banker == old.dealt_by:
                old.account = event
                self.take_account(event)
            return
        coup = table.coup_for(event)
        first = not coup.bets and not coup.cards and not coup.closed
        if coup.account and not (coup.ahead and coup.account_first):  # one that came ahead of its coup is reported by that
            self.another_account(event, coup)
        else:
            coup.account, coup.account_first = event, first

    def another_account(self, event, coup):
        """A coup has one account: another is wrong, and changes nothing."""
        if self.live and not coup.gap:
            self.tell("bank-wrong", event, coup)

    def settled(self, coup, event):
        """Judges the bank's account once the coup is settled."""
        if not self.live:
            return
        account = coup.account
        play = coup.play
        if play:
            self.check_two(coup, event)
        if coup.bets and not coup.dealt and not coup.void:  # else what is staked was compared with the first card
            self.check_stakes(coup)
        if play and (coup.void or not play.short()):
            self.check_fifth(coup, event)
        if not self.known or not self.banker or not play:
            if play and not coup.void:
                self.remember_calls(coup, {"punto", "banca"} if play.short() else {self.result(coup, world) for world in play.worlds})
            self.take_account(account, coup)
            return
        if play.short() and not coup.void:  # nobody can tell what it came to
            if coup.dealt:
                self.check_garaje(coup, event)
            self.winnings = None
            self.take_account(account, coup)
            self.after(coup, {"punto", "banca"})
            return
        if coup.ahead and self.lost and not coup.void:
            self.tell("bank-kept", event, coup)
        if not coup.void:
            self.check_decisions(coup, event)
            self.check_garaje(coup, event)
        before = self.bank
        winners = {self.result(coup, world) for world in play.worlds}
        if play.short() or coup.void:
            winners = {"tie"}
        expected = {winner: self.comes_to(coup, winner) for winner in winners}
        known = [each for each in expected.values() if account and self.is_account(account, each, before)]
        known = known or (list(expected.values()) if len(expected) == 1 else [])
        if coup.gap or coup.silent_stakes or (not known and not coup.void):
            self.winnings = None  # what was won is not known
        elif not coup.void and self.winnings is not None:
            won, lost, fee = known[0]
            self.winnings = max(0, self.winnings + won - fee - lost)
        if account is None:
            if coup.spare if coup.void else coup.gap:  # void, it changed nothing, but something may have been set aside
                self.sum_known = False
            elif not coup.void:
                kept = {won - fee for won, _, fee in expected.values()}
                certain = self.sum_known and len(set(expected.values())) == 1
                money = {self.banker[0]: -kept.pop()} if certain else None
                self.tell("bank-not-settled", event, coup, money)
            won, lost, fee = next(iter(expected.values()))
            self.bank = max(0, self.bank + won - lost - fee)
        else:
            early = coup.void and account.sequence < coup.void.sequence  # it was of the coup before it was void
            rightly = None
            self.come_back(account)
            told = coup.void or not (coup.silent_stakes or coup.doubt.stakes)
            if self.sum_known and not coup.gap and not early and told:
                self.judge_account(coup, account, expected, before)
                won, lost, fee = known[0] if len(known) == 1 else next(iter(expected.values()))
                rightly = (max(0, before + won - lost - fee), self.garaje) if len(expected) == 1 else None
            if not early:
                self.take_account(account, coup)
                if rightly:
                    self.owed_in = coup
                    self.go_on_from(*rightly)
            elif coup.spare:
                self.sum_known = False
        self.after(coup, winners if coup.void else winners | {event.value["winner"]})
        self.take_garajes(coup)

    def abandoned(self, coup):
        """A coup is left without settlement: the bank goes on with its account, where there is one."""
        if coup.former:
            if coup.former["banker"] == self.banker:
                self.lost = None
            return
        if self.live and not coup.void and coup.account and self.banker == coup.dealt_by:
            self.winnings, self.lost = None, None
            self.take_account(coup.account, coup)
        elif self.live and not coup.void and coup.gap_at and self.banker:
            self.sum_known = False
        self.take_garajes(coup)

    def take_garajes(self, coup):
        """What was set aside between the account of a coup and its settlement is of the next coup."""
        for event in coup.garajes:
            self.set_garaje(event, None)
        coup.garajes = []

    def take_account(self, account, coup=None):
        """The bank goes on with what is said of it, unless that may have been corrected in a gap of its coup."""
        if account and self.banker:
            self.bank, self.garaje = account.value["bank"], account.value["garaje"]
            self.sum_known = coup is None or coup.void or not coup.gap or coup.gap_at <= account.sequence

    def result(self, coup, world):
        """Who won in a world."""
        return result_of(world, coup.changes)["winner"]

    def misfit(self, coup):
        """Tells the worlds that the bank's account does not fit."""
        open_stakes = coup.silent_stakes or (coup.doubt.stakes and not coup.void)
        asked = self.live and coup.account and self.banker and self.sure and not open_stakes

        def misfits(world):
            if not asked or self.is_account(coup.account, self.comes_to(coup, self.result(coup, world)), self.bank):
                return None
            return "bank-wrong"

        return misfits

    def is_account(self, account, comes_to, before):
        """Whether an account says this."""
        value, (won, lost, fee) = account.value, comes_to
        said = (value["won"], value["lost"], value["commission"], value["bank"], value["garaje"])
        return said == (won, lost, fee, before + won - lost - fee, self.garaje)

    def comes_to(self, coup, winner):
        """Won, lost and commission of the bank."""
        stake = self.played(coup)
        won, lost = (stake if winner == "banca" else 0), (stake if winner == "punto" else 0)
        return won, lost, self.fee(won)

    def is_account_by_rules(self, coup, account, winner, before):
        """Whether an account says what the coup comes to if nothing that was done too late counts."""
        keys = {bet.key for bet in coup.bets.values() if not bet.late and not bet.withdrawn}
        net = self.net_of(coup, keys, winner)
        if net is None or not any(bet.late or bet.gone_late for bet in coup.bets.values()):
            return False
        value = account.value
        won = value["won"] - value["lost"] - value["commission"] == net and value["lost"] == (-net if winner == "punto" else 0)
        right = won and value["commission"] == (self.fee(value["won"]) if winner == "banca" else 0)
        return right and (winner != "tie" or value["won"] == 0) and (value["bank"], value["garaje"]) == (before + net, self.garaje)

    def net_of(self, coup, keys, winner):
        """What the bank gains with these bets; None if more is staked than bank and abonos hold."""
        bets = [bet for bet in coup.bets.values() if bet.key in keys]
        stakes = sum(bet.plays for bet in bets if bet.kind == "punto")
        beside = sum(bet.plays for bet in bets if bet.kind == "abono") if self.book.chemin.get("abonos") else 0
        if stakes > self.bank + beside:
            return None
        part = min(max(0, stakes - beside), self.bank)
        return {"banca": part - self.fee(part), "punto": -part}.get(winner, 0)

    def fee(self, won):
        """The commission on what the bank won."""
        return round_to(won * self.book.rate, self.book.commission["rounding"]) if won > 0 and self.book.commission else 0

    def judge_account(self, coup, account, expected, before):
        """Compares what is said of the bank with what the hands and the stakes come to."""
        value, seat = account.value, self.banker[0]
        if any(self.is_account_by_rules(coup, account, winner, before) for winner in expected):
            return
        nearest = min(
            expected.values(),
            key=lambda each: (
                (value["won"], value["lost"], value["commission"]) != each
                or value["bank"] != before + each[0] - each[1] - each[2] or value["garaje"] != self.garaje,
                abs(value["won"] - value["lost"] - each[0] + each[1]),
            ),
        )
        found = [self.account_faults(value, before, each) for each in {nearest: None, **dict.fromkeys(expected.values())}]
        if len(found) == 1 and self.is_fee_mistyped(value, before, nearest):
            self.table.find(next(iter(found[0])), account.at, coup, {0: value["commission"] - nearest[2]})
            return
        for code, amount in found[0].items():
            certain = amount if len(found) == 1 else certain_part(each.get(code, 0) for each in found)
            self.table.find(code, account.at, coup, {seat: certain}, least=[seat] if len(found) > 1 else [])

    def is_fee_mistyped(self, value, before, due):
        """Whether an account is right but for the commission that it names."""
        won, lost, fee = due
        said = value["won"], value["lost"], value["bank"], value["garaje"]
        return value["commission"] != fee and said == (won, lost, max(0, before + won - lost - fee), self.garaje)

    def account_faults(self, value, before, due):
        """What is wrong with an account, by code, and how much the bank is off, if so much was won, lost and paid in commission."""
        (won, lost, fee), faults = due, {}
        if value["commission"] not in (fee, self.fee(value["won"])):  # one that fits a wrong win is reported with it
            code = "commission-missing" if value["commission"] == 0 else "commission-wrong"
            faults[code] = fee - value["commission"]
            fee = value["commission"]
        bank = max(0, before + won - lost - fee)
        if (value["won"], value["lost"], value["bank"], value["garaje"]) != (won, lost, bank, self.garaje):
            faults["bank-wrong"] = value["bank"] + value["garaje"] - bank - self.garaje
        return faults

    def check_garaje(self, coup, event):
        """What the stakes did not cover was set aside."""
        if coup.silent_stakes or not self.sum_known or coup.doubt.stakes:
            return
        if self.uncovered(coup) and not self.todo_va and coup.compulsory is None and not coup.gap:
            self.tell("garaje-missing", event, coup)

    def after(self, coup, winners):
        """What the coup means for the next one."""
        self.todo_va = False
        if coup.void:
            return
        self.lost = True if winners == {"punto"} else None if "punto" in winners else False
        self.won_last = bool(winners & {"banca", "tie"})
        self.remember_calls(coup, winners)
        for seat, who in self.table.seats.items():
            if self.banker and self.banker[1] == who:
                self.newcomers.discard(seat)

    def remember_calls(self, coup, winners):
        """Who may call banco seguido."""
        calls = coup.calls
        sits = self.table.seats
        stood = [bet for bet in coup.bets.values() if not bet.withdrawn]  # when the bets were closed
        called = {call.value["seat"]: call.value["player"] for call in calls}
        staked = {bet.player or sits.get(bet.seat) or called.get(bet.seat) for bet in stood if bet.kind == "punto"}
        callers = {call.value["player"] for call in calls if call.value["call"] in ("banco", "seguido")}
        if len(staked) == 1:
            callers |= staked
        if coup.gap or len(winners) > 1:
            self.calls_known = False
        elif winners == {"tie"}:  # no source says whether who called banco in a tie may call it again
            self.last_calls |= self.granted(coup, staked)
        else:
            self.calls_known = True
            self.last_calls = callers & staked if "banca" in winners else set()

    def granted(self, coup, staked):
        """Whoever played for the whole bank."""
        whole = [call for call in coup.calls if call.value["call"] in ("banco", "seguido", "asociado")]
        played = [call for call in whole if call.value["player"] in staked]
        return {min(played, key=self.priority).value["player"]} if played else set()

    def voided(self, coup, event):
        """A void coup leaves the bank as it was; it is too late once stakes were paid."""
        if not self.live:
            return
        if coup.settled:
            self.table.find("claim-after-payment", event.at, coup)
            coup.void = None


# ---------------------------------------------------------------------------------------------


# What is judged of an event that was recorded again.
DROPPED = {
    "CardDrawn": Table.again_card,
    "BetPlaced": Table.again_bet,
    "AbonoPlaced": Table.again_bet,
    "PuntoHolder": lambda table, event: table.find("punto-holder-late", event.at, table.coup_again(event)),
    "BetWithdrawn": lambda table, event: table.find("bet-unknown", event.at, table.coup),
    "BankSettled": lambda table, event: table.find("bank-wrong", event.at, table.coup_again(event)),
    "BurnCards": lambda table, event: table.find("burn-repeated", event.at, table.coup),
    "CutCardDrawn": Table.on_CutCardDrawn,
    "ShoeEnded": Table.on_ShoeEnded,
}


def not_following(findings):
    """Those that do not follow from another one."""
    return [each for each in findings if "_follows" not in each]


def printed(finding):
    """A finding without what only the judge needs."""
    return {key: value for key, value in finding.items() if not key.startswith("_")}


def play(name, events, texts, version):
    """Plays a table; again where the positions of a shoe turn out to be off, whose order then says nothing."""
    again = [copy.copy(event) for event in events]
    table = Table(name, [copy.copy(event) for event in events], texts, version=version)
    table.judge()
    if table.found_off:
        table = Table(name, again, texts, table.found_off, version)
        table.judge()
    return table


def judge(name, events, texts):
    """Judges a table, as it was decided. What decisions that were corrected too late would have changed is one finding."""
    decided = play(name, events, texts, "decided")
    corrected_by = compare_first(decided, name, events, texts)
    if decided.late:
        corrected = play(name, events, texts, "corrected")
        groups = defaultdict(list)
        for late in decided.late:
            groups[id(late.coup) if late.coup else -late.correction.sequence].append(late)
        for group in groups.values():
            Weighing(group, decided, corrected).run()
    return dict(decided.report(), corrected=corrected_by)


# Money of findings that is not about what a recorded bet returned, nor about what was due.
BESIDE = {
    "bet-unknown", "bet-settled-twice", "coup-settled-twice", "bank-not-settled", "bank-taken-away", "bank-turn",
    "commission-missing", "commission-wrong", "claim-after-payment",
}


def compare_first(decided, name, events, texts):
    """What corrections of observations moved: each coup as first recorded beside the coup as corrected."""
    signed = defaultdict(list)  # by shoe, and coup
    for event in decided.events:
        if event.observes is not None:
            own = event.observes.coup if event.observes.shoe == event.shoe else None
            signed[event.shoe, own] += event.value["signed_by"]
    if not signed:
        return []
    first, told = play(name, events, texts, "first"), []
    for coup in decided.coups:
        ordinal = coup.shoe.ordinal if coup.shoe else 0
        other = next((each for each in first.coups if key_of(each) == key_of(coup)), None)
        sums = [sums_of(decided, coup), sums_of(first, other)]
        own = signed.get((ordinal, coup.number))
        signers = own or [each for (shoe, _), names in signed.items() if shoe == ordinal for each in names]
        seats = []
        for seat in sorted({seat for each in sums if each for seat in each} | ({0} if own and None in sums else set())):
            if None in sums:
                moved = None
            else:
                (after_due, after), (before_due, before) = (each.get(seat, (0, 0)) for each in sums)
                moved = max(abs(after_due - before_due), abs(after - before))
            if moved or (moved is None and own):
                seats.append([seat, moved])
        if seats:
            folded = {fold(each) for each in signers}
            told.append({"shoe": coup.shoe.id if coup.shoe else None, "coup": coup.number, "signers": sorted(folded), "seats": seats})
    return told


def sums_of(table, coup):
    """What was due to each seat of a coup, and what came back; nothing where that is not known of one of them."""
    if coup is None or coup.open or coup.due_unknown or not (coup.settled or coup.void):
        return None
    sums = defaultdict(lambda: [0, 0])
    for bet in coup.bets.values():
        if not bet.withdrawn or bet.gone_late:
            back = bet.stake if coup.void or bet.gone_late else 0
            if not coup.void:
                back += coup.parts.get(bet.key, 0)
            sums[bet.seat][0] += back
            sums[bet.seat][1] += back
    if coup.bank_change and not coup.void:
        seat, change = coup.bank_change
        sums[seat][0] += change
        sums[seat][1] += change
    for finding in table.findings:
        if finding["_coup"] is coup:
            for seat, amount in finding["money"]:
                beside = finding["code"] in BESIDE and (seat == 0 or not finding["code"].startswith("commission"))
                if coup.void or beside:
                    sums[seat][1] += amount
                else:
                    sums[seat][0] -= amount
    return {seat: tuple(both) for seat, both in sums.items()}


class Weighing:
    """What late corrections of one coup moved: the coup as it was decided beside the coup as they have it."""

    def __init__(self, group, decided, corrected):
        self.group, self.decided, self.corrected = group, decided, corrected
        self.coup = group[0].coup
        self.moved = {}
        self.told = {id(table): told_in(table) for table in (decided, corrected)}

    def last(self, concerns):
        """The last correction that concerns something, or the last of all."""
        return next((late for late in reversed(self.group) if concerns(late)), self.group[-1])

    def add(self, late, seat, amount):
        """Money that a correction moved."""
        self.moved.setdefault(late.correction.sequence, Counter())[seat] += amount

    def run(self):
        """Compares, and reports what differs."""
        group, coup = self.group, self.coup
        if coup and coup in (self.decided.coup, self.decided.ahead):  # what they moved shows once it is settled
            return
        self.gone = set()
        of_shoe = any(late.target.name == "ShoeLoaded" for late in group)
        gone, fresh = self.only_in(self.decided, self.corrected), self.only_in(self.corrected, self.decided)
        before = coup.nets if coup else Counter()
        after_coup = next((each for each in self.corrected.coups if coup and key_of(each) == key_of(coup)), None)
        after = after_coup.nets if after_coup else Counter()
        differs = bool(gone or fresh) or before.keys() != after.keys()
        for seat, bet in sorted(before.keys() | after.keys()):
            change = after[seat, bet] - before[seat, bet]
            if change:
                self.add(self.last(lambda late: late.bet == bet), seat, change)
        for late in group:
            first, last = (table.passed.get(late.target.sequence) for table in (self.decided, self.corrected))
            if first != last:
                for passed, sign in ((last, 1), (first, -1)):
                    if passed:
                        self.add(late, passed[0], sign * passed[1])
        for finding in gone if not of_shoe else []:
            for seat, amount in finding["money"]:
                self.gone.add(seat)
                self.add(self.last(lambda late: seat in late.seats), seat, amount)
            self.decided.drop(finding)
        self.add_bank(after_coup)
        if not (differs or self.moved):
            if coup and coup.left_at:
                for late in group:
                    if late.correction.sequence < coup.left_at and late.before != late.value:
                        self.report(late, None)
            return
        if not self.moved:
            self.moved[group[-1].correction.sequence] = Counter()
        told = [late for late in group if late.correction.sequence in self.moved]
        if not all(late.by_clause for late in told):
            if coup:
                coup.undecided("corrected")
            return
        for late in told:
            self.report(late, self.moved[late.correction.sequence])

    def add_bank(self, other):
        """What a bank that holds another sum won or lost beyond what it held."""
        coup = self.coup
        if not (coup and other and coup.account and other.account and coup.dealt_by and other.dealt_by):
            return
        seat = coup.dealt_by[0]
        if coup.dealt_by != other.dealt_by or coup.bank_before == other.bank_before or seat in self.gone:
            return
        sums = [
            min(each.account.value["won"], each.bank_before) - min(each.account.value["lost"], each.bank_before)
            for each in (coup, other)
        ]
        if sums[0] != sums[1]:
            self.add(self.last(lambda late: late.bet == BANK_NET), seat, sums[1] - sums[0])

    def report(self, late, money):
        """One finding at the correction, or none where no clause says that it is late."""
        if not late.by_clause:
            if self.coup:
                self.coup.undecided("corrected")
            return
        code = "bet-corrected-late" if late.target.name == "BetPlaced" else "corrected-late"
        shoe, self.decided.shoe = self.decided.shoe, late.shoe
        self.decided.find(code, late.correction.at, self.coup, money)
        self.decided.shoe = shoe

    def only_in(self, one, other):
        """The findings on the coup and on the corrected events that one has and the other has not."""
        others = [self.said(other, finding) for finding in other.findings if self.concerns(finding)]
        return [finding for finding in one.findings if self.concerns(finding) and self.said(one, finding) not in others]

    def said(self, table, finding):
        """What has to be the same: also what was recorded, and what was expected."""
        signed = finding["code"] in ("same-signer", "signer-plays", "correction-target")
        recorded = None if signed else self.told[id(table)].get(finding["sequence"])
        return finding["code"], finding["coup"], finding["money"], recorded, finding["_about"]

    def concerns(self, finding):
        """Whether a finding may follow from one of the corrections."""
        shoe, coup = finding["_shoe"], finding["_coup"]
        for late in self.group:
            if (shoe.ordinal if shoe else None) != (late.shoe.ordinal if late.shoe else None):
                continue
            of_coup = self.coup and coup and key_of(coup) == key_of(self.coup) and finding["code"] not in SHOE_WIDE
            located = finding["sequence"] in (late.target.sequence, late.correction.sequence)
            if of_coup or located or late.target.name == "ShoeLoaded":
                return True
        return False


def told_in(table):
    """What the event says at which a finding is located."""
    return {each.at: told_by(each) for each in table.events if each.name != "CorrectionRecorded"}


def told_by(event):
    """What a finding on an event says was recorded: of a bet its kind and its stake."""
    if event.name in ("BetPlaced", "AbonoPlaced"):
        return event.value.get("kind"), event.value["stake"]
    return event.value


def key_of(coup):
    """The same coup, however it is played."""
    return coup.shoe.ordinal if coup.shoe else 0, coup.number, coup.since


def main(arguments):
    """Judges a file and prints what it comes to."""
    if len(arguments) != 1:
        print("usage: judge.py FILE|-", file=sys.stderr)
        return 2
    name = arguments[0]
    try:
        with (open(0, encoding="utf-8") if name == "-" else open(name, encoding="utf-8")) as lines:
            tables = read_log(lines)
    except (Bad, OSError, UnicodeDecodeError) as error:
        print(f"judge.py: {name}:{error}", file=sys.stderr)
        return 2
    texts = {}
    for table in sorted(tables):
        print(json.dumps(judge(table, tables[table], texts), ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
