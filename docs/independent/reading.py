#!/usr/bin/env python3
"""Reads what was played from a table's events, as docs/judging.md says under "Reading".

    tape, steps, remarks = reading.read(events, book_of)

`events` are those of judge.laid: in their order, with the corrections that count. `book_of` gives the rulebook of an
opening, or nothing if it cannot be read. A step is one event where it is read; a remark is what the record says otherwise
than it was played. This was written from the page alone, by somebody who had not read the program's reading. judge.py
judges what it reads, and .ci/check_reading compares it with the program.

Play is a value (State) that events change. `Reader.ways` says in which ways an event may be read where play stands: an event
fits if one of them needs no explanation. If none does, `Reader.explain` looks for the cheapest explanations.
"""

import functools
import heapq
import itertools
from collections import Counter
from typing import NamedTuple

RANKS = "A23456789TJQK"
SIDES = {"punto": 0, "banca": 1}
END = 2  # beside the hands 0 and 1: no card is due
WINDOW, TWICE_WITHIN, LONGEST = 16, 256, 1024  # events
COUP_EVENTS = 6  # the fewest events of a coup
MOST_COST, MOST_STEPS, MOST_LISTED, STEPS_OF_ALL = 16, 20_000, 16, 100_000
STAKES = ("BetPlaced", "AbonoPlaced")
OF_BANK = ("BancoCalled", "DrawDecided", "BankSettled")
OF_PLAY = STAKES + OF_BANK + (
    "BetWithdrawn", "BetsClosed", "PuntoHolder", "CardDrawn", "CoupSettled",
    "ShoeLoaded", "BurnCards", "CutCardDrawn", "ShoeEnded",
)
ABOUT_BURN = ("burn-not-recorded", "burn-corrected")
ONCE = ("BetsClosed", "PuntoHolder", "BancoCalled", "DrawDecided", "BankSettled")  # what happens once in a coup

# What an explanation may have, in the order of the page, and what it costs.
THINGS = {
    "lost": {"loading": 4, "burn": 3, "end": 3, "bet": 3, "withdrawal": 3, "close": 2, "card": 5, "settlement": 4},
    "doubled": {"event": 2, "settlement": 3},
    "moved": {"": 3},
    "mislabelled": {"": 2},
    "misread": {
        "position": 2, "hand": 3, "face": 6, "burned": 3, "bet": 2, "total": 1, "winner": 2, "cut-card": 2, "cards-left": 2,
    },
    "departed": {
        "not-closed": 2, "bet-late": 2, "burned": 2, "position": 4, "drew": 3, "stood": 3, "short": 3, "id-reused": 3,
        "not-placed": 3, "line-without-bet": 3, "bet-without-line": 3, "kept": 3, "again": 3, "number": 3, "no-burn": 3,
        "no-shoe": 3, "not-ended": 3,
    },
}
KINDS = tuple(THINGS)
WORDS = {kind: tuple(of) for kind, of in THINGS.items()}


class One(NamedTuple):
    """One thing of an explanation; they are in order as the page orders them."""

    kind: int  # in KINDS
    at: int  # the sequence of the event at which it shows
    coup: int
    order: int  # of its word, in WORDS
    about: tuple  # the id of a bet, a hand, which card of it

    @property
    def word(self):
        """What it is about."""
        return WORDS[KINDS[self.kind]][self.order]

    @property
    def cost(self):
        """What it costs, unless another of its coup has paid for it."""
        return THINGS[KINDS[self.kind]][self.word]


class Step(NamedTuple):
    """One event where it is read."""

    place: int
    coup: int = 0  # its own, or none
    begins: bool = False  # that coup begins with it
    dropped: bool = False  # it was recorded twice, and counts for nothing
    loads: bool = False  # it is the first of a shoe whose loading was lost
    at_word: str = ""  # why it is taken at its word
    reads: tuple = ()  # ("lost", hand, position), ("to", hand), ("unread", hand, which)


class Remark(NamedTuple):
    """What the record says otherwise; the first alternative is the one that is followed."""

    at: int
    alternatives: list
    coups: list

    @property
    def is_certain(self):
        """Whether every explanation has it."""
        return len(self.alternatives) == 1


class Coup(NamedTuple):
    """A coup in play."""

    number: int
    label: int  # the number of the event with which it began
    alike: int = 0  # so many events it has, if all of them carry one other number
    labels: frozenset = frozenset()  # other numbers that are paid for
    closed: bool = False
    seguido: bool = False
    holder: bool = False
    account: bool = False
    hands: tuple = ((), ())
    astray: bool = False  # a card was lost, and nobody knows where it went
    said: tuple = (None, None)
    bets: tuple = ()
    void: bool = False
    ruled: bool = False
    open: bool = False  # whether its bets are closed is not known


class State(NamedTuple):
    """How play stands between two events."""

    book: object = None
    shoe: bool = False
    cards: int = 0
    decks: int = 0
    burned: bool = False
    more: bool = False  # more may be burned
    cut: bool = False
    ended: bool = False
    began: bool = False  # a coup began in the shoe
    next: int = 0  # position of the next card, or 0
    number: int = 0  # of the next coup, or 0
    awaits: frozenset = frozenset()  # void coups whose stakes are to be returned
    ruled: bool = False  # something is ruled on the next coup
    missed: int = 0  # the coup settled last, without its account
    coup: Coup = None

    @property
    def playing(self):
        """The coup in play, if one is."""
        return self.coup if self.coup and not (self.coup.void and not self.coup.bets) else None

    @property
    def is_on(self):
        """Whether a shoe is in play that did not end."""
        return self.shoe and not self.ended

    def of_coup(self, **changes):
        """The same, with another coup in play."""
        return self._replace(coup=self.coup._replace(**changes))


class Way(NamedTuple):
    """How an event may be read."""

    state: State
    things: tuple = ()
    cost: int = 0
    coup: int = 0
    begins: bool = False
    dropped: bool = False
    loads: bool = False
    reads: tuple = ()

    def to(self, state, **changes):
        """The same, with play standing otherwise."""
        return self._replace(state=state, **changes)

    def coup_is(self, **changes):
        """The same, with the coup in play standing otherwise."""
        return self._replace(state=self.state.of_coup(**changes))

    def but(self, one):
        """The same, with one thing more."""
        return self._replace(things=self.things + (one,), cost=self.cost + one.cost)


def thing(kind, word, event, coup=0, *about):
    """One thing of an explanation."""
    return One(KINDS.index(kind), event.sequence, coup, WORDS[kind].index(word), about)


# ---------------------------------------------------------------------------------------------
# Cards
# ---------------------------------------------------------------------------------------------


def points(card):
    """What a card may count."""
    return range(10) if card[0] == "?" else ((RANKS.index(card[0]) + 1) % 10 if card[0] not in "TJQK" else 0,)


@functools.lru_cache(100_000)
def totals(cards):
    """What a hand may count."""
    sums = {0}
    for card in cards:
        sums = {(total + each) % 10 for total in sums for each in points(card)}
    return frozenset(sums)


@functools.lru_cache(100_000)
def dues(book, hands, said):
    """Whom the next card may be due to: hands, or END if none is due."""
    punto, banca = hands
    if len(punto) < 2 or len(banca) < 2:
        return frozenset({SIDES[book.order[min(len(punto) + len(banca), 3)]]})
    found = set()
    for two_punto, two_banca in itertools.product(totals(punto[:2]), totals(banca[:2])):
        if two_punto > 7 or two_banca > 7 or len(banca) > 2:
            found.add(END)
        elif book.chemin:
            found |= chosen(len(punto) > 2, said)
        else:
            for third in points(punto[2]) if len(punto) > 2 else (None,):
                found |= drawn(book, two_punto, two_banca, third)
    return frozenset(found) if len(found) < 2 or book.chemin else frozenset({0, 1, END})


def drawn(book, punto, banca, third):
    """What the tableau says."""
    letter = "P" if third is not None else book.punto[punto]
    side = 0
    if letter == "P":
        side, letter = 1, book.cell(banca, third, (punto + (third or 0)) % 10)
    return {"T": {side}, "P": {END}}.get(letter, {0, 1, END})


def chosen(drew, said):
    """What the hands announced, where they may choose."""
    if not drew and said[0] == "carta":
        return {0}
    banca = {"carta": {1}, "no": {END}, None: {1, END}}[said[1]]
    return banca if drew or said[0] == "no" else banca | {0}


def due(state):
    """Whom the next card of the coup in play may be due to."""
    coup = state.coup
    if coup.void or coup.ruled or coup.astray or not state.book:
        return frozenset({0, 1, END})
    return dues(state.book, coup.hands, coup.said)


def is_short(coup):
    """Whether a hand has fewer than two cards."""
    return min(map(len, coup.hands)) < 2


def with_card(hands, side, card):
    """Both hands, and one card more; what is dealt to a hand of three is none of it."""
    hands = list(hands)
    if len(hands[side]) < 3:
        hands[side] += (card,)
    return tuple(hands)


def unread(coup):
    """The coup as it is if one card of it was misread: hand, which card, coup."""
    for side in (0, 1):
        for which, card in enumerate(coup.hands[side]):
            if card[0] != "?":
                hands = list(coup.hands)
                hands[side] = hands[side][:which] + ("??",) + hands[side][which + 1 :]
                yield side, which, coup._replace(hands=tuple(hands))


def misannounced(coup, value):
    """Which announced values do not follow from the cards, each by itself: the totals of 0 and 1, and the winner, 2."""
    hands = [range(10) if coup.astray or len(hand) < 2 else totals(hand) for hand in coup.hands]
    signs = {"punto": 1, "tie": 0, "banca": -1}
    may_win = any((one > other) - (one < other) == signs[value["winner"]] for one, other in itertools.product(*hands))
    wrong = [side for side in (0, 1) if value[("punto_total", "banca_total")[side]] not in hands[side]]
    return wrong + ([] if may_win else [2])


# ---------------------------------------------------------------------------------------------
# The record
# ---------------------------------------------------------------------------------------------


class Tape:
    """The events of a table, by their place."""

    def __init__(self, events, book_of):
        self.events = events
        self.books = {
            place: book_of(event.value["rulebook"]) for place, event in enumerate(events) if event.name == "TableOpened"
        }

    def event(self, place):
        """The event at a place."""
        return self.events[place]

    def hole(self, place):
        """The place behind the next hole, or the end."""
        ends = range(place + 1, len(self.events))
        return next((each for each in ends if self.events[each].gap), len(self.events))

    def ahead(self, place, count=LONGEST):
        """The events from a place on, up to the next hole."""
        return self.events[place : min(self.hole(place), place + count)]

    def behind(self, place):
        """The events from a place on, whatever is missing between them."""
        return self.events[place : place + LONGEST]

    def is_ruled(self, place, number):
        """Whether something is ruled in a coup that goes on here, up to its settlement."""
        found = False
        for event in self.ahead(place):
            if event.name == "CoupSettled" and event.coup == number:
                return found
            is_ruling = event.name == "IrregularityRecorded" and event.value["code"] not in ABOUT_BURN
            found = found or (is_ruling and event.coup in (None, number))
        return False

    def is_named(self, place, position):
        """Whether a ruling before a card names it."""
        before, shoe = self.events[max(0, place - LONGEST) : place], self.events[place].shoe
        rulings = [each for each in before if each.name == "IrregularityRecorded" and each.shoe == shoe]
        return any(position in each.value["positions"] for each in rulings)

    def is_recorded_before(self, place):
        """Whether the same was recorded before, in the same shoe and behind the last hole."""
        event = self.events[place]
        first = next((each for each in range(place, 0, -1) if self.events[each].gap), 0)
        before = self.events[max(first, place - TWICE_WITHIN) : place]
        return any(each.name == event.name and each.value == event.value and each.shoe == event.shoe for each in before)

    def is_recorded_again(self, place):
        """Whether the same is recorded again soon."""
        event = self.events[place]
        return any(each.name == event.name and each.value == event.value for each in self.ahead(place, WINDOW + 1)[1:])

    def comes_again(self, place, number):
        """Whether another event of the kind follows in a coup up to its settlement."""
        event = self.events[place]
        for each in self.ahead(place + 1):
            if each.name == "CoupSettled" and each.coup == number:
                return False
            if each.name == event.name and each.coup == number and each.value.get("hand") == event.value.get("hand"):
                return True
        return False

    @functools.cached_property
    def settled_next(self):
        """By place: the number of the coup that is settled next, or 0."""
        numbers = [0]
        for event in self.events[::-1]:
            numbers.append(event.coup if event.name == "CoupSettled" else numbers[-1])
        return numbers[:0:-1]

    def may_be_of(self, place, number, state):
        """Whether an event may be of a coup that it does not name."""
        event = self.events[place]
        if event.name == "CardDrawn":
            return state.next in (0, event.value["position"])
        if event.name not in STAKES:
            return event.name != "CoupVoided"
        bet, settled, closed, back = event.value["bet"], False, False, False
        for each in self.behind(place + 1):
            if each.name == "CoupSettled":
                if any(line["bet"] == bet for line in each.value["bets"]):
                    return each.coup == number or back
                settled = settled or each.coup == number
            closed = closed or (each.name == "BetsClosed" and each.coup == number)
            back = back or (each.name == "BetWithdrawn" and each.value["bet"] == bet and not closed)
        return back or not settled


# ---------------------------------------------------------------------------------------------
# In which ways an event may be read
# ---------------------------------------------------------------------------------------------


class Reader:
    """Reads one table."""

    def __init__(self, tape):
        self.tape = tape
        self.steps, self.remarks = [], []
        self.spent = 0
        # Events missing; the next coup, of which events came before its time; the coup in play at the end of a shoe.
        self.missing, self.following, self.left, self.left_open = 0, None, 0, 0

    def fit(self, state, place):
        """The way in which an event fits, if it does."""
        event, coup = self.tape.event(place), state.coup
        is_holder = state.number and event.name == "PuntoHolder"  # then it begins no coup where it fits
        if event.name == "CoupSettled" and coup and coup.number == event.coup and not (coup.closed or coup.open or coup.void):
            return None
        return next((way for way in self.ways(state, place) if not way.things and not (is_holder and way.begins)), None)

    def ways(self, state, place):
        """Every way in which an event may be read where it is recorded; one without things if it fits."""
        event = self.tape.event(place)
        read = getattr(self, "on_" + event.name, None)
        if read is None or (event.name in OF_BANK and not (state.book and state.book.chemin)):
            yield Way(state)
        else:
            yield from read(Way(state), event, place)

    # --- coups ----------------------------------------------------------------------------------

    def begin(self, state, number, place, label):
        """A coup begins."""
        coup = Coup(number, label, int(label != number), ruled=state.ruled or self.tape.is_ruled(place, number))
        return state._replace(coup=coup, number=number + 1, began=True, more=False, ruled=False, missed=0)

    def leave(self, way, event):
        """The coup in play, if there is one, is left."""
        coup = way.state.playing
        if not coup:
            return way
        if coup.alike > 1:
            return None
        left = thing("departed", "kept", event, coup.number) if coup.void else thing("lost", "settlement", event, coup.number)
        return way.to(way.state._replace(coup=None)).but(left)

    def join(self, way, event, place):
        """An event that names a coup finds it."""
        state, number = way.state, event.coup
        coup = state.playing
        if state.coup and state.coup.number == number and (coup or state.is_on):
            yield way.to(state.of_coup(alike=0), coup=number)
            return
        if not coup and state.is_on and state.number in (0, number):
            yield way.to(self.begin(state, number, place, number), coup=number, begins=True)
            return
        if coup and not coup.void and self.tape.may_be_of(place, coup.number, state):
            alike = coup.alike + 1 if coup.alike and coup.label == number else 0
            changed = state.of_coup(labels=coup.labels | {number}, alike=alike)
            changed = way.to(changed, coup=coup.number)
            paid = coup.label == coup.number and number in coup.labels
            yield changed if paid else changed.but(thing("mislabelled", "", event, coup.number))
        left = self.leave(way, event)
        if not left:
            return
        if state.is_on:
            yield from self.begin_other(left, event, place, not coup)
            return
        loaded = State(book=state.book, shoe=True, burned=True)
        yield left.to(self.begin(loaded, number, place, number), coup=number, begins=True, loads=True).but(
            thing("lost", "loading", event)
        )
        outside = left.to(left.state._replace(burned=True, shoe=True, ended=False))  # from then on a shoe is in play
        yield from self.begin_other(outside.but(thing("departed", "no-shoe", event, number)), event, place, not coup)

    def begin_other(self, way, event, place, may_be_next):
        """A coup begins with an event that may carry another number than the next."""
        state, number = way.state, event.coup
        own = way.to(self.begin(state, number, place, number), coup=number, begins=True)
        if state.number in (0, number):
            yield own
            return
        yield own.but(thing("departed", "number", event, number))
        if may_be_next and event.name != "CoupVoided" and self.tape.may_be_of(place, state.number, state):
            begun = self.begin(state, state.number, place, number)
            yield way.to(begun, coup=state.number, begins=True).but(thing("mislabelled", "", event, state.number))

    def may_bet(self, coup):
        """Whether bets may be placed and taken back."""
        return not coup.closed or coup.open or (coup.seguido and not coup.holder)

    # --- bets -----------------------------------------------------------------------------------

    def on_BetPlaced(self, way, event, place):
        """A bet joins its coup while bets may be placed, under an id of its own."""
        if way.state.coup and self.is_over(way.state, event.coup):
            yield way.to(way.state, coup=event.coup).but(thing("departed", "again", event, event.coup))
        for way in self.join(way, event, place):
            coup, bet = way.state.coup, event.value["bet"]
            if not self.may_bet(coup):
                way = way.but(thing("departed", "bet-late", event, coup.number))
            if bet in coup.bets:
                way = way.but(thing("departed", "id-reused", event, coup.number))
            yield way.coup_is(bets=coup.bets + (bet,))

    on_AbonoPlaced = on_BetPlaced

    def on_BetWithdrawn(self, way, event, place):
        """A bet that stands is taken back while bets may be."""
        coup, bet = way.state.coup, event.value["bet"]
        number = coup.number if coup else 0
        if coup and bet in coup.bets:
            gone = list(coup.bets)
            gone.remove(bet)
            way = way.to(way.state, coup=number)
            if self.may_bet(coup):
                yield way.coup_is(bets=tuple(gone))
            else:
                late = way.but(thing("departed", "bet-late", event, number))
                yield late
                yield late.coup_is(bets=tuple(gone))
            return
        yield way.to(way.state, coup=number).but(thing("departed", "not-placed", event, number, bet))
        yield way.to(way.state, coup=number).but(thing("lost", "bet", event, number, bet))

    def on_BetsClosed(self, way, event, place):
        """Bets are closed once, before the first card to a hand."""
        for way in self.join(way, event, place):
            coup = way.state.coup
            if (coup.closed and not coup.open) or any(coup.hands):
                way = way.but(thing("departed", "again", event, coup.number))
            yield way.coup_is(closed=True, open=False)

    def on_PuntoHolder(self, way, event, place):
        """Punto's cards are given to somebody, once."""
        is_known = way.state.number
        for way in self.join(way, event, place):
            if way.state.coup.holder:
                way = way.but(thing("departed", "again", event, way.coup))
            is_first = way.begins and not way.things and not is_known  # then bets were closed before
            yield way.coup_is(holder=True, closed=way.state.coup.closed or is_first)

    # --- the bank -------------------------------------------------------------------------------

    def on_BancoCalled(self, way, event, place):
        """Banco is called."""
        for way in self.join(way, event, place):
            yield way.coup_is(seguido=way.state.coup.seguido or event.value["call"] == "seguido")

    def on_DrawDecided(self, way, event, place):
        """A hand announces once whether it draws."""
        side = SIDES[event.value["hand"]]
        for way in self.join_or_over(way, event, place):
            if way.begins is None:
                yield way._replace(begins=False)
                continue
            coup = way.state.coup
            if coup.said[side]:
                yield way.but(thing("departed", "again", event, coup.number))
            else:
                said = (event.value["decision"], coup.said[1]) if side == 0 else (coup.said[0], event.value["decision"])
                yield way.coup_is(said=said)

    def on_BankSettled(self, way, event, place):
        """A coup has one account, which may come right after its settlement."""
        state = way.state
        if not state.playing and state.missed == event.coup:
            yield way.to(state._replace(missed=0), coup=event.coup)
            return
        for way in self.join_or_over(way, event, place):
            if way.begins is None:
                yield way._replace(begins=False)
            elif way.state.coup.account:
                yield way.but(thing("departed", "again", event, way.coup))
            else:
                yield way.coup_is(account=True)

    def join_or_over(self, way, event, place):
        """As any event of a coup, but of a coup that was settled it begins none (begins is then None)."""
        over = self.is_over(way.state, event.coup)
        if over:
            yield way.to(way.state, coup=event.coup, begins=None).but(thing("departed", "again", event, event.coup))
        for each in self.join(way, event, place):
            if not (over and each.begins):
                yield each

    def is_over(self, state, number):
        """Whether a coup lies before the one in play, or before the next."""
        return number < (state.coup.number if state.coup else state.number)

    # --- cards ----------------------------------------------------------------------------------

    def on_CardDrawn(self, way, event, place):
        """A card joins its coup, behind the close and the burn, at the next position, and is due."""
        value, state = event.value, way.state
        if state.next > value["position"] and event.coup < state.number - 1:
            yield way.to(state, dropped=True).but(thing("departed", "position", event))
        for joined in self.join(way, event, place):
            for closed in self.closed(joined, event, place):
                for burned in self.burned(closed, event):
                    for placed in self.placed(burned, event):
                        yield from self.dealt(placed, event)

    def closed(self, way, event, place):
        """The bets are closed before a card."""
        coup, value = way.state.coup, event.value
        if coup.closed or coup.void or coup.open or value["to"] == "removed" or self.tape.is_named(place, value["position"]):
            yield way
            return
        for one in (thing("lost", "close", event, coup.number), thing("departed", "not-closed", event, coup.number)):
            yield way.coup_is(closed=True).but(one)

    def burned(self, way, event):
        """Cards are burned before a card."""
        state = way.state
        if not state.burned and not state.book:
            way = way.to(state._replace(burned=True, next=0))
        if state.burned or not state.book or state.book.burn["method"] == "none":
            yield way
            return
        for one in (thing("lost", "burn", event, way.coup), thing("departed", "no-burn", event, way.coup)):
            yield way.to(state._replace(burned=True, next=0)).but(one)

    def placed(self, way, event):
        """A card lies at the next position."""
        state, position = way.state, event.value["position"]
        if state.next in (0, position):
            yield way.to(state._replace(next=position + 1))
            return
        if way.coup != event.coup:
            return
        yield way.to(state._replace(next=state.next + 1)).but(thing("misread", "position", event, way.coup))
        yield way.to(state._replace(next=position + 1)).but(thing("departed", "position", event, way.coup))
        if position - state.next in (1, 2):
            for _ in range(position - state.next):
                way = self.lose_card(way, event)
            yield way.to(way.state._replace(next=position + 1))

    def lose_card(self, way, event):
        """A card was lost: it went where one was due, or nobody knows where."""
        state, coup = way.state, way.state.coup
        sides = due(state) if coup else {0, 1, END}
        side = min(sides) if len(sides) == 1 and min(sides) != END else None
        if coup:
            way = way.coup_is(astray=True) if side is None else way.coup_is(hands=with_card(coup.hands, side, "??"))
        if way.state.next:
            way = way.to(way.state._replace(next=way.state.next + 1))
        lost = ("lost", side, state.next)
        return way._replace(reads=way.reads + (lost,)).but(thing("lost", "card", event, coup.number if coup else 0))

    def dealt(self, way, event):
        """A card goes to the hand that it is due to."""
        coup, value = way.state.coup, event.value
        if value["to"] == "removed":
            yield way
            return
        side, sides = SIDES[value["to"]], due(way.state)
        laid = way.coup_is(hands=with_card(coup.hands, side, value["card"]))
        if side in sides:
            yield laid
            return
        yield laid.but(thing("departed", "drew", event, coup.number))
        if len(sides) == 1 and END not in sides:
            other = 1 - side
            yield way.coup_is(hands=with_card(coup.hands, other, value["card"]))._replace(
                reads=way.reads + (("to", other),)
            ).but(thing("misread", "hand", event, coup.number))
        for hand, which, as_read in unread(coup):
            if side in due(way.state._replace(coup=as_read)):
                yield way.coup_is(hands=with_card(as_read.hands, side, value["card"]))._replace(
                    reads=way.reads + (("unread", hand, which),)
                ).but(thing("misread", "face", event, coup.number, hand, which))

    # --- settlements ----------------------------------------------------------------------------

    def on_CoupSettled(self, way, event, place):
        """A coup is settled when no card is due, as the cards say, with a line for each bet."""
        state, number = way.state, event.coup
        if number in state.awaits and not (state.playing and state.playing.number == number):
            yield way.to(state._replace(awaits=state.awaits - {number}), coup=number)
            return
        over = self.is_over(state, number)
        if over:
            yield way.to(state, coup=number).but(thing("departed", "again", event, number))
        for joined in self.join(way, event, place):
            if over and joined.begins:
                continue
            if joined.state.coup.void:
                yield from self.paid(joined, event)
                continue
            for played in self.played(joined, event):
                for announced in self.announced(played, event):
                    yield from self.paid(announced, event)

    def played(self, way, event):
        """No card is due before a settlement."""
        coup = way.state.coup
        if not coup.closed and not coup.open and not is_short(coup):
            way = way.but(thing("lost", "close", event, coup.number))
        if END in due(way.state):
            yield way
            return
        word = "short" if is_short(coup) else "stood"
        yield way.but(thing("departed", word, event, coup.number))
        if not is_short(coup):
            for hand, which, as_read in unread(coup):
                if END in due(way.state._replace(coup=as_read)):
                    yield way.to(way.state._replace(coup=as_read), reads=way.reads + (("unread", hand, which),)).but(
                        thing("misread", "face", event, coup.number, hand, which)
                    )
        for _ in range(2):
            if len(due(way.state)) != 1 or END in due(way.state):
                return
            way = self.lose_card(way, event)
            if END in due(way.state):
                yield way

    def announced(self, way, event):
        """What was announced follows from the cards."""
        coup, number = way.state.coup, way.coup
        if coup.ruled or not way.state.book:
            yield way
            return
        wrong, told = misannounced(coup, event.value), way
        for each in wrong:
            one = thing("misread", "winner", event, number) if each == 2 else thing("misread", "total", event, number, each)
            told = told.but(one)
        yield told
        for hand, which, as_read in unread(coup) if wrong else ():
            if not misannounced(as_read, event.value):
                yield way._replace(reads=way.reads + (("unread", hand, which),)).but(
                    thing("misread", "face", event, number, hand, which)
                )

    def paid(self, way, event):
        """A settlement has a line for each bet; then its coup is over."""
        state, coup = way.state, way.state.coup
        if coup.alike > 1:
            return
        missed = coup.number if state.book and state.book.chemin and not coup.account and not coup.void else 0
        way = way.to(state._replace(coup=None, missed=missed))
        lines, bets = (Counter(each) for each in ((line["bet"] for line in event.value["bets"]), coup.bets))
        lines, bets = sorted((lines - bets).elements()), sorted((bets - lines).elements())
        both = min(len(lines), len(bets))
        for bet in lines[:both]:
            way = way.but(thing("misread", "bet", event, coup.number, bet))
        departed = lost = way
        for bet in lines[both:]:
            departed = departed.but(thing("departed", "line-without-bet", event, coup.number, bet))
            lost = lost.but(thing("lost", "bet", event, coup.number, bet))
        for bet in bets[both:]:
            departed = departed.but(thing("departed", "bet-without-line", event, coup.number, bet))
            lost = lost.but(thing("lost", "withdrawal", event, coup.number, bet))
        yield departed
        if lost is not departed:
            yield lost

    def on_CoupVoided(self, way, event, place):
        """A coup is declared void: that in play, or one that was settled and then awaits its stakes."""
        state, number = way.state, event.coup
        coup = state.playing if not (state.coup and state.coup.number == number) else state.coup
        is_before = number < state.number if coup or state.number else state.is_on
        if is_before and not (coup and coup.number == number):
            yield way.to(state._replace(awaits=state.awaits | {number}))
            return
        soon = coup and number == state.number and any(
            each.name == "CoupSettled" and each.coup == coup.number for each in self.tape.ahead(place, WINDOW + 1)
        )
        if coup and coup.number != number and not soon:
            yield way.but(thing("departed", "number", event, number))
        for way in self.join(way, event, place):
            yield way.coup_is(void=True)

    # --- the shoe -------------------------------------------------------------------------------

    def end_shoe(self, way, event):
        """The coup in play is left, and the end of the shoe was lost or did not come."""
        left = self.leave(way, event)
        if not left:
            return
        if not left.state.shoe or left.state.ended:
            yield left
            return
        for one in (thing("lost", "end", event), thing("departed", "not-ended", event)):
            yield left.to(left.state._replace(ended=True)).but(one)

    def on_ShoeLoaded(self, way, event, place):
        """A shoe is loaded when the last one ended."""
        for way in self.end_shoe(way, event):
            book, value = way.state.book, event.value
            loaded = State(book=book, shoe=True, cards=value["cards"], decks=value["decks"], next=1, number=1)
            yield way.to(loaded)

    def on_TableClosed(self, way, event, place):
        """The table is closed when the shoe ended, or may stay."""
        if not way.state.book or way.state.book.data["shoe"].get("overnight"):
            left = self.leave(way, event)
            if left:
                yield left
        else:
            yield from self.end_shoe(way, event)

    def on_TableOpened(self, way, event, place):
        """The table is opened under a rulebook."""
        left = self.leave(way, event)
        if left:
            yield left.to(left.state._replace(book=self.tape.books[place]))

    def on_BurnCards(self, way, event, place):
        """Cards are burned before the first coup, once, as many as the indicator asks for."""
        state, value = way.state, event.value
        if not state.is_on:
            yield way.but(thing("departed", "no-shoe", event))
            way = way.to(State(book=state.book, shoe=True), loads=True).but(thing("lost", "loading", event))
        state = way.state
        start = state.next or 1
        after = state._replace(burned=True, more=False, next=start + 1 + value["burned"])
        if (state.burned or state.began) and not state.more:
            yield way.to(after).but(thing("departed", "again", event))
            return
        right = self.to_burn(state, value["indicator"])
        if state.more or not right or value["burned"] in right:
            yield way.to(after)
            return
        yield way.to(after).but(thing("departed", "burned", event))
        for count in right:
            yield way.to(after._replace(next=start + 1 + count)).but(thing("misread", "burned", event))

    def to_burn(self, state, indicator):
        """How many cards may have to be burned; none if that is not known."""
        if not state.book:
            return set()
        return {state.decks} - {0} if state.book.burn["method"] == "decks" else state.book.burned(indicator)

    def on_CutCardDrawn(self, way, event, place):
        """The cut card comes out once, before the next card."""
        state, position = way.state, event.value["position"]
        if state.cut:
            way = way.but(thing("departed", "again", event))
        out = state._replace(cut=True)
        if state.ended or state.next in (0, position):
            yield way.to(out)
            return
        yield way.to(out).but(thing("misread", "cut-card", event, state.playing.number if state.playing else 0))
        if position - state.next in (1, 2):
            for _ in range(position - state.next):
                way = self.lose_card(way, event)
            yield way.to(way.state._replace(cut=True))

    def on_ShoeEnded(self, way, event, place):
        """A shoe ends between coups, with the cards left that were not drawn."""
        way = self.leave(way, event)
        if not way:
            return
        state = way.state
        ended = state._replace(ended=True)
        if not state.shoe:
            yield way.to(ended, loads=True).but(thing("lost", "loading", event))
            way = way.but(thing("departed", "no-shoe", event))
        elif state.ended:
            way = way.but(thing("departed", "again", event))
        elif state.next and state.cards and event.value["cards_left"] != state.cards - state.next + 1:
            way = way.but(thing("misread", "cards-left", event))
        yield way.to(ended)

    def on_IrregularityRecorded(self, way, event, place):
        """A ruling; two of them are about the burn."""
        state, code = way.state, event.value["code"]
        if code == "burn-not-recorded":
            known = state.burned or state.began
            yield way if known else way.to(state._replace(burned=True, next=0, number=0))
        elif code == "burn-corrected":
            yield way.to(state._replace(more=not state.began))
        elif state.playing:
            yield way.coup_is(ruled=state.coup.ruled or event.coup in (None, state.coup.number))
        else:
            yield way.to(state._replace(ruled=True))

    # --- explanations ---------------------------------------------------------------------------

    def here(self, node, place):
        """The ways to read an event that does not fit, without another place for it."""
        event, tape = self.tape.event(place), self.tape
        yield from self.ways(node.state, place)
        if self.is_lacking(node.state, place):
            return
        if tape.is_recorded_before(place) or (event.name == "BetsClosed" and tape.is_recorded_again(place)):
            word = "settlement" if event.name == "CoupSettled" else "event"
            coup = self.coup_of(node.state, event)
            yield Way(node.state, coup=coup, dropped=True).but(thing("doubled", word, event, coup))

    def is_lacking(self, state, place):
        """Whether an event carries the number of a settled coup, and the coup in play lacks what happens once in a coup."""
        event, coup = self.tape.event(place), state.playing
        if event.name not in ONCE or not self.was_settled(place, event.coup) or not (coup or event.name == "BancoCalled"):
            return False
        number, cost = coup.number if coup else state.number, THINGS["mislabelled"][""]
        fits = any(way.coup == number and way.cost == cost and way.things for way in self.ways(state, place))
        return fits and not self.tape.comes_again(place, number)

    def coup_of(self, state, event):
        """The coup that an event names, or else the one in play."""
        is_of_shoe = event.name in ("CutCardDrawn", "BurnCards")
        return event.coup or (state.playing.number if state.playing and not is_of_shoe else 0)

    def explain(self, node):
        """The cheapest explanations of an event that does not fit: what is followed of them, or why there is none."""
        start, count = node.place, itertools.count()
        heap = [(0, next(count), node)]
        seen, found, best, reached, steps = set(), {}, MOST_COST, MOST_COST + 1, 0
        end = self.tape.hole(start)
        most = STEPS_OF_ALL + 16 * len(self.tape.events)
        while heap:
            cost, _, node = heapq.heappop(heap)
            if cost > best or (cost > reached and not found):
                break
            key = node._replace(trace=None, things=tuple(sorted(node.things)))
            if key in seen:
                continue
            seen.add(key)
            steps, self.spent = steps + 1, self.spent + 1
            if steps > MOST_STEPS or self.spent > most:
                return None
            node, goal = self.run(node, start, end)
            if goal == "hole":
                reached = cost
                continue
            if goal:
                best = cost
                things = tuple(sorted(goal.things))
                found.setdefault(things, goal)
                continue
            if node and node.place - start <= LONGEST:
                for more, child in self.children(node, end):
                    if cost + more <= best:
                        heapq.heappush(heap, (cost + more, next(count), child))
        if not found:
            return "hole" if reached <= MOST_COST else None
        order = sorted(found, key=lambda things: (sum(KINDS[one.kind] != "departed" for one in things), things))
        return order[:MOST_LISTED], found[order[0]]

    def run(self, node, start, end):
        """Reads on while events fit: the node at the next that does not, and the goal if it is reached."""
        goal = None
        while True:
            node = self.release(node, of_next=False)
            if node.place > start and not goal and node.held is None and not node.state.coup:
                goal = node
            node = self.release(node)
            if node.place == end:
                if goal or node.waits:
                    return None, goal
                is_last = end == len(self.tape.events)
                return None, node if is_last or not node.state.playing else "hole"
            if node.place in node.read:
                node = node._replace(place=node.place + 1, read=node.read - {node.place})
                continue
            if self.is_stuck(node):
                return None, None
            way = self.fit(node.state, node.place)
            if way is None:
                return node, None
            node = node.then(way)
            if goal and self.tape.event(node.place - 1).name == "CardDrawn":
                return None, goal

    def release(self, node, of_next=True):
        """Reads what was recorded too early at the first place at which it fits, bets of the next coup with its first event."""
        waits = [place for place in (node.held, *node.early) if place is not None]
        for place in sorted(waits, key=lambda place: self.tape.event(place).name != "CoupVoided"):
            event = self.tape.event(place)
            is_bet = event.name in STAKES + ("BetWithdrawn",)
            if is_bet and not (of_next and self.is_due(node, event)):
                continue
            way = self.fit(node.state, place)
            if way:
                early, held = tuple(each for each in node.early if each != place), None if node.held == place else node.held
                node = node.then(way, place)._replace(place=node.place, early=early, held=held)
        return node

    def is_due(self, node, event):
        """Whether the coup of a bet is in play, or begins with the next event."""
        coup, number = node.state.coup, event.coup
        if number is None or (coup and coup.number == number):
            return True
        return node.place < len(self.tape.events) and self.tape.event(node.place).coup == number

    def is_stuck(self, node):
        """Whether what was recorded too early cannot be read any more."""
        waits = node.early + ((node.held,) if node.held is not None else ())
        return any(
            node.place - place > WINDOW or self.holds(self.tape.event(place), self.tape.event(node.place), node.state)
            for place in waits
        )

    def holds(self, moved, over, state, is_late=False):
        """Whether an event is never moved over another; one that was recorded too late is read before the other."""
        if over.coup != moved.coup:
            return False
        if moved.name == "CardDrawn":
            return over.name == "CoupVoided" and not is_late
        if moved.name != "CoupSettled":
            return False
        is_claim = over.name == "CoupVoided" and bool(state.book and state.book.chemin)
        return over.name == "CoupSettled" or is_claim or (is_late and over.name in STAKES)

    def children(self, node, end):
        """What may be of an event that does not fit: each with its cost."""
        place, tape = node.place, self.tape
        event = tape.event(place)
        for way in self.here(node, place):
            yield way.cost, node.then(way)
        cost = THINGS["moved"][""]
        moved = node.things + (thing("moved", "", event, event.coup or 0),)
        if self.is_early(node, place):
            early = node._replace(place=place + 1, early=node.early + (place,))
            yield (0, early) if event.name == "BetWithdrawn" else (cost, early._replace(things=moved))
        cards_only = node.held is not None and tape.event(node.held).name == "CoupSettled"
        if node.read or (node.held is not None and not (cards_only and event.name == "CardDrawn")):
            return
        if node.held is None and (event.name in OF_PLAY or event.name == "CoupVoided"):
            yield cost, node._replace(place=place + 1, held=place, things=moved)
        if node.early:
            return
        for late in range(place + 1, min(end, place + WINDOW + 1)):
            moved_late = tape.event(late)
            if moved_late.name not in OF_PLAY or late in node.read or (cards_only and moved_late.name != "CardDrawn"):
                continue
            if any(self.holds(moved_late, over, node.state, is_late=True) for over in tape.events[place:late]):
                continue
            way = self.fit(node.state, late)
            if way:
                way = way.but(thing("moved", "", moved_late, moved_late.coup or 0))
                yield cost, node.then(way, late)._replace(place=place, read=node.read | {late})

    def is_early(self, node, place):
        """Whether it is a bet of the next coup, its withdrawal, or the void of that coup, before the coup in play is settled."""
        event, coup = self.tape.event(place), node.state.playing
        if not coup:
            return False
        if event.name == "BetWithdrawn":
            bets = [self.tape.event(each) for each in node.early]
            return any(each.name in STAKES and each.value["bet"] == event.value["bet"] for each in bets)
        if event.name == "CoupVoided":
            soon = self.tape.ahead(place, WINDOW + 1)
            settled = any(each.name == "CoupSettled" and each.coup == coup.number for each in soon)
            return event.coup == node.state.number and settled
        return event.name in STAKES and event.coup == node.state.number

    # --- from the first event to the last ---------------------------------------------------------

    def read(self):
        """Reads all events."""
        node, at_word, events = Node(0, State()), "", self.tape.events
        while node.place < len(events):
            event = events[node.place]
            if node.place in node.read:
                node = node._replace(place=node.place + 1, read=node.read - {node.place})
                continue
            if event.gap:
                at_word, self.missing = "hole", self.missing + event.gap
                state = node.state._replace(next=0, number=0, burned=True, more=True, cut=False, shoe=True, ended=False)
                node = node._replace(state=state)
            node = self.release(node)
            if at_word:
                state, step, over = self.at_word(node.state, node.place, at_word)
                at_word = "" if over else at_word
                node = node._replace(place=node.place + 1, state=state, trace=(node.trace, step))
                continue
            way = self.fit(node.state, node.place)
            if way:
                node = node.then(way)
                continue
            found = self.explain(node)
            if found is None or found == "hole":
                at_word = found or "unexplained"
            else:
                self.remark(found[0])
                node = found[1]._replace(things=())
        for place in node.early:  # of a coup of which nothing else is recorded
            node = node._replace(trace=(node.trace, Step(place, events[place].coup or 0)))
        while node.trace:
            trace, step = node.trace
            node = node._replace(trace=trace)
            self.steps.insert(0, step)

    def remark(self, lists):
        """What all explanations share is fact; where they differ, one remark lists what is left of each."""
        shared = functools.reduce(lambda one, other: one & other, map(Counter, lists))
        facts = [one for one in sorted(shared.elements()) if KINDS[one.kind] != "departed"]
        for at in sorted({one.at for one in facts}):
            self.tell([[one for one in facts if one.at == at]])
        if len(lists) > 1:
            self.tell([sorted((Counter(each) - shared).elements()) for each in lists])

    def tell(self, alternatives):
        """One remark."""
        every = [one for each in alternatives for one in each]
        self.remarks.append(Remark(min(one.at for one in every), alternatives, sorted({one.coup for one in every} - {0})))

    # --- at its word ----------------------------------------------------------------------------

    def at_word(self, state, place, why):
        """An event is taken at its word: play behind it, its step, and whether that is over."""
        event, coup = self.tape.event(place), state.coup
        stays = state, Step(place, at_word=why), False
        if event.name == "ShoeLoaded":
            self.missing, self.following = 0, None
            return self.fit(state._replace(coup=None, ended=True), place).state, Step(place), True
        if event.name == "TableOpened":
            self.left_open = coup.number if coup else self.left_open
            return (state._replace(book=self.tape.books[place], coup=None), *stays[1:])
        if event.name == "TableClosed":
            return (state._replace(coup=None), *stays[1:])
        if event.name == "ShoeEnded":
            self.left = coup.number if coup else self.left
            return (state._replace(ended=True, coup=None), *stays[1:])
        if event.name == "BurnCards":
            return (state._replace(next=0), *stays[1:])
        if event.name == "CutCardDrawn":
            return (state._replace(cut=True), *stays[1:])
        if event.name == "BetWithdrawn" and coup and event.value["bet"] in coup.bets:
            bets = tuple(each for each in coup.bets if each != event.value["bet"])
            return state.of_coup(bets=bets), Step(place, coup.number, at_word=why), False
        at_bank = state.book and state.book.chemin
        if event.name not in OF_PLAY + ("CoupVoided",) or event.coup is None or (event.name in OF_BANK and not at_bank):
            return stays
        return self.coup_at_word(state, event, place, why)

    def coup_at_word(self, state, event, place, why):
        """So is an event of a coup, which begins with it if it is not in play."""
        number, coup = event.coup, state.coup
        if event.name == "CardDrawn":
            state = state._replace(next=event.value["position"] + 1, burned=True)
        is_next = self.tape.settled_next[place] == coup.number if coup else False
        if coup and coup.number != number and is_next and event.name == "CardDrawn" and not self.has_cards(place, coup.number):
            number = coup.number
        if coup and coup.number == number and not self.is_another(place, coup):
            self.missing = 0
            state, over = self.note_at_word(state, event)
            return state, Step(place, number, at_word=why), over
        if coup and number == coup.number + 1 and is_next:
            self.following = self.following or self.begin(State(), number, place, number).coup
            if event.name in STAKES:
                self.following = self.following._replace(bets=self.following.bets + (event.value["bet"],))
            elif event.name == "BetsClosed":
                self.following = self.following._replace(open=True)
            elif event.name == "CoupVoided":
                self.following = self.following._replace(void=True)
            return state, Step(place, number, at_word=why), False
        is_again = event.name in ("CoupSettled", "CoupVoided", "BankSettled") or not coup and self.is_bet_alone(place)
        if is_again and (
            self.was_settled(place, number) or number == self.left_open or (why == "hole" and number == self.left)
        ):
            before = {"CoupSettled": COUP_EVENTS - 1, "BankSettled": COUP_EVENTS - 1}.get(event.name, 0)
            if self.missing < 3 + COUP_EVENTS * (number - 1) + before:
                return state, Step(place, number, at_word=why), False
        self.missing, self.following, self.left, self.left_open = 0, None, 0, 0
        begun = self.begin(state._replace(coup=None, shoe=True), number, place, number)._replace(more=state.more)
        state, over = self.note_at_word(begun, event)
        return state, Step(place, number, True, at_word=why), over

    def note_at_word(self, state, event):
        """Play behind an event of the coup in play, and whether the coup is over."""
        coup = state.coup
        if event.name in STAKES:
            state = state.of_coup(bets=coup.bets + (event.value["bet"],))
        elif event.name == "BetsClosed":
            state = state.of_coup(closed=True)
        elif event.name == "CardDrawn" and event.value["to"] != "removed":
            state = state.of_coup(hands=with_card(coup.hands, SIDES[event.value["to"]], event.value["card"]))
        elif event.name == "CoupVoided":
            state = state.of_coup(void=True)
        elif event.name == "CoupSettled":
            following, self.following = self.following, None
            number = following.number + 1 if following else state.number or coup.number + 1
            return state._replace(coup=following, number=number), True
        return state, False

    def is_another(self, place, coup):
        """Whether the number of the coup in play may be that of another, in a shoe that was loaded in missing events."""
        if not self.missing or self.missing < 4 + COUP_EVENTS * (coup.number - 1):
            return False
        for event in self.tape.behind(place):
            if event.name == "BetWithdrawn" and event.value["bet"] in coup.bets:
                return False
            if event.name == "CoupSettled" and event.coup == coup.number:
                return not any(line["bet"] in coup.bets for line in event.value["bets"])
        return True

    def has_cards(self, place, number):
        """Whether a coup has cards under its own number, in its shoe and up to its settlement."""
        shoe = self.tape.event(place).shoe
        before = self.tape.events[max(0, place - LONGEST) : place]
        behind = itertools.takewhile(lambda each: each.name != "CoupSettled" or each.coup != number, self.tape.behind(place))
        return any(each.name == "CardDrawn" and (each.coup, each.shoe) == (number, shoe) for each in [*before, *behind])

    def is_bet_alone(self, place):
        """Whether an event is a bet, and what is recorded next of any coup, but bets, is of another coup than the bet."""
        event = self.tape.event(place)
        behind = itertools.takewhile(lambda each: each.name not in ("ShoeLoaded", "TableOpened"), self.tape.behind(place))
        following = next((each for each in behind if each.name not in STAKES and each.coup is not None), event)
        return event.name in STAKES and following.coup != event.coup

    def was_settled(self, place, number):
        """Whether a coup was settled before in its shoe."""
        shoe = self.tape.event(place).shoe
        before = self.tape.events[:place]
        return any(each.name == "CoupSettled" and each.coup == number and each.shoe == shoe for each in before)


class Node(NamedTuple):
    """A reading up to a place."""

    place: int
    state: State
    things: tuple = ()
    held: int = None  # recorded too early, and to be read
    early: tuple = ()  # of the next coup
    read: frozenset = frozenset()  # recorded too late, and read already
    trace: tuple = None

    @property
    def waits(self):
        """Whether an event is still to be read, or to be passed."""
        return bool(self.early or self.read or self.held is not None)

    def then(self, way, place=None):
        """The reading with one event more."""
        at = self.place if place is None else place
        step, coup = step_of(way, at), self.state.coup
        if coup and coup.open and way.coup == coup.number:  # its close may be that of the coup before
            step = step._replace(at_word="unexplained")
        return self._replace(place=at + 1, state=way.state, things=self.things + way.things, trace=(self.trace, step))


def step_of(way, place):
    """The step of an event that is read in a way."""
    return Step(place, way.coup, way.begins, way.dropped, way.loads, "", way.reads)


def read(events, book_of):
    """Reads a table's events: the tape, the steps in the order of play, and the remarks."""
    reader = Reader(Tape(events, book_of))
    reader.read()
    return reader.tape, reader.steps, reader.remarks
