"""What was played, read from the record of one table as docs/judging.md ("Reading") says.

`read` takes the events of a table in their order, with the corrections that count, and says of which coup each is. Where the
record does not fit, it finds all cheapest explanations. No verdict depends on it yet.

It shares no code with the program, but whoever wrote it had read the program's reading and wrote the page at the same time. So it
shows that the page is complete, and it is not independent like judge.py.
"""

import heapq
from typing import NamedTuple

RANKS = "A23456789TJQK"
POINTS = {rank: (i + 1 if i < 9 else 0) for i, rank in enumerate(RANKS)}
SIDE = {"punto": 0, "banca": 1}
NEAR, AGAIN, OF_COUP = 16, 256, 1_024
MOST_COST, MOST_STEPS, MOST_EVENTS, MOST_LISTED, MOST_WAYS = 16, 20_000, 1_024, 16, 1_024
COUP_EVENTS = 6  # the fewest events of a coup

# Of each thing that may explain a record: its place in the list of its kind, and its cost.
LOST = {"loading": 4, "burn": 3, "end": 3, "bet": 3, "withdrawal": 3, "close": 2, "card": 5, "settlement": 4}
MISREAD = {
    "position": 2, "hand": 3, "face": 6, "burned": 3, "bet": 2, "total": 1, "winner": 2, "cut-card": 2, "cards-left": 2,
}
DEPARTED = {
    "drew": 3, "stood": 3, "short": 3, "not-closed": 2, "bet-late": 2, "id-reused": 3, "not-placed": 3, "line-without-bet": 3,
    "bet-without-line": 3, "no-refund": 3, "again": 3, "number": 3, "position": 4, "burn": 2, "no-burn": 3, "no-shoe": 3,
    "not-ended": 3,
}
KINDS = ("lost", "doubled", "moved", "mislabelled", "misread", "departed")
DOUBLED = {"settlement": 3, "event": 2}


class Why(NamedTuple):
    """One thing that explains a part of a record. They are ordered as their fields are."""

    kind: int  # which of KINDS
    at: int  # the sequence at which it shows
    coup: int  # the coup that it concerns, or 0
    place: int  # which of its kind
    about: tuple  # the bet, the hand, the card

    @property
    def word(self):
        """What it is."""
        lists = {"lost": LOST, "misread": MISREAD, "departed": DEPARTED, "doubled": DOUBLED}
        return list(lists.get(KINDS[self.kind], {"": 0}))[self.place]

    @property
    def cost(self):
        """What it costs."""
        kind = KINDS[self.kind]
        if kind in ("moved", "mislabelled"):
            return 3 if kind == "moved" else 2
        return {"lost": LOST, "misread": MISREAD, "departed": DEPARTED, "doubled": DOUBLED}[kind][self.word]

    @property
    def is_slip(self):
        """Whether the recording is wrong, and not the play."""
        return KINDS[self.kind] != "departed"


def why(kind, at, coup, word="", *about):
    """Something that explains a record."""
    lists = {"lost": LOST, "misread": MISREAD, "departed": DEPARTED, "doubled": DOUBLED}
    return Why(KINDS.index(kind), at, coup, list(lists[kind]).index(word) if word else 0, about)


class Shoe(NamedTuple):
    """A shoe as it stands."""

    cards: int  # 0: not known
    decks: int
    burned: bool = False
    may_burn_more: bool = False
    cut: bool = False
    ended: bool = False
    position: int | None = 1  # of the next card, where it is known
    number: int | None = 1  # of the next coup, where it is known
    refunds: frozenset = frozenset()  # void coups that await their stakes
    ruled: bool = False  # something is ruled on the next coup
    lacks_account: int | None = None  # the coup settled last, if it lacks the account of its bank
    hidden: tuple = (0, 0)  # events missing in it, and the number of the next coup before them
    loaded: int = 0

    def left(self):
        """How many cards are left, where that is known."""
        return max(self.cards + 1 - self.position, 0) if self.position is not None and self.cards else None

    def passes(self, cards):
        """Cards leave it."""
        return self if self.position is None else self._replace(position=self.position + cards)

    def is_past(self, number):
        """Whether a coup of this number began before, whatever is missing."""
        missing, before = self.hidden
        return (missing <= COUP_EVENTS * (number - 1) and number < before) or (self.number is not None and number < self.number)


UNKNOWN_SHOE = Shoe(cards=0, decks=0, burned=True, position=None, number=None)


class Coup(NamedTuple):
    """The coup in play."""

    number: int
    ruled: bool
    closed: bool = False
    holder: bool = False
    seguido: bool = False
    account: bool = False
    hands: tuple = ((), ())
    punto_stood: bool = False
    said: tuple = (None, None)  # whether each hand announced that it draws
    bets: tuple = ()  # the ids of those that stand, in their order
    void: bool = False

    def is_open(self):
        """Whether bets may be placed and taken back."""
        return not self.closed or (self.seguido and not self.holder)

    def place(self, bet):
        """With another bet."""
        return self._replace(bets=tuple(sorted(self.bets + (bet,))))

    def take_back(self, bet):
        """Without a bet."""
        place = self.bets.index(bet)
        return self._replace(bets=self.bets[:place] + self.bets[place + 1 :])

    def give(self, side, card):
        """With another card. A hand of three takes none."""
        hands = list(self.hands)
        if len(hands[side]) >= 3:
            return self
        stood = self.punto_stood or (side == 1 and len(hands[0]) == len(hands[1]) == 2)
        hands[side] += (card,)
        return self._replace(hands=tuple(hands), punto_stood=stood)

    def dealt(self):
        """How many cards the hands have."""
        return len(self.hands[0]) + len(self.hands[1])

    def both_have_two(self):
        """Whether each hand has two cards."""
        return min(map(len, self.hands)) >= 2

    def due(self, book):
        """The side to which a card is due, "none", or nothing where that is not known."""
        if self.void or self.ruled or book is None:
            return None
        if not self.both_have_two():
            return SIDE[book.order[min(self.dealt(), 3)]]
        if book.chemin:
            return self.chosen()
        twos = [total(hand[:2]) for hand in self.hands]
        if None in twos:
            return None
        if max(twos) >= 8 or len(self.hands[1]) == 3:
            return "none"
        if len(self.hands[0]) == 2 and not self.punto_stood:
            letter = book.punto[twos[0]]
            if letter != "P":
                return 0 if letter == "T" else None
        third = self.hands[0][2] if len(self.hands[0]) == 3 else None
        if third and third[0] == "?":
            return None
        points = POINTS[third[0]] if third else None
        letter = book.cell(twos[1], points, (twos[0] + points) % 10 if third else None)
        return {"T": 1, "P": "none"}.get(letter)

    def chosen(self):
        """At a bank, the hands have what they announced."""
        twos = [total(hand[:2]) for hand in self.hands]
        if any(two is not None and two >= 8 for two in twos) or len(self.hands[1]) == 3:
            return "none"
        if None in twos:
            return None
        punto = self.said[0] if len(self.hands[0]) == 2 and not self.punto_stood else False
        if punto:
            return 0
        if punto is None or self.said[1] is None:
            return None
        return 1 if self.said[1] else "none"

    def waits(self, book):
        """Whether a card is due."""
        return self.due(book) in (0, 1)

    def lines(self, settled):
        """The ids of lines without a bet, and of bets without a line, in their order."""
        lines, left = sorted(line["bet"] for line in settled["bets"]), list(self.bets)
        unknown = []
        for line in lines:
            if line in left:
                left.remove(line)
            else:
                unknown.append(line)
        return unknown, left

    def wrong_totals(self, settled, book):
        """What of the announced result cannot follow from the cards: both totals, the winner."""
        if self.void or self.ruled or book is None:
            return []
        punto, banca = [total(hand) if len(hand) >= 2 else None for hand in self.hands]
        wrong = [("total", 0)] if punto not in (None, settled["punto_total"]) else []
        wrong += [("total", 1)] if banca not in (None, settled["banca_total"]) else []
        if None not in (punto, banca):
            winner = "punto" if punto > banca else "banca" if banca > punto else "tie"
            wrong += [("winner",)] if winner != settled["winner"] else []
        return wrong

    def with_one_unread(self):
        """Each card that was read in turn, and the coup in which it was not."""
        for side in (0, 1):
            for place, card in enumerate(self.hands[side]):
                if card[0] != "?":
                    hands = list(self.hands)
                    hands[side] = hands[side][:place] + ("??",) + hands[side][place + 1 :]
                    yield side, place, self._replace(hands=tuple(hands))


def total(cards):
    """The total of cards, where all were read."""
    return None if any(card[0] == "?" for card in cards) else sum(POINTS[card[0]] for card in cards) % 10


class State(NamedTuple):
    """How play stands between two events."""

    shoe: Shoe | None = None
    coup: Coup | None = None
    begun: int = 0  # how many coups of the shoe began

    def of_coup(self, **changes):
        """With changes in the coup in play."""
        return self._replace(coup=self.coup._replace(**changes)) if self.coup else self

    def of_shoe(self, **changes):
        """With changes in the shoe."""
        return self._replace(shoe=self.shoe._replace(**changes)) if self.shoe else self

    def is_between(self):
        """Whether nothing is in play."""
        return self.coup is None or (self.coup.void and not self.coup.bets)

    def end_coup(self, book):
        """The coup in play is settled."""
        lacks = self.coup.number if not self.coup.account and book and book.chemin else None
        return self.of_shoe(lacks_account=lacks)._replace(coup=None)


RULINGS_ON_BURN = ("burn-not-recorded", "burn-corrected")
AT_BANK = ("BancoCalled", "DrawDecided", "BankSettled")
MAY_MOVE = {
    "BurnCards", "BetPlaced", "AbonoPlaced", "BancoCalled", "DrawDecided", "BankSettled", "BetWithdrawn", "BetsClosed",
    "PuntoHolder", "CardDrawn", "CutCardDrawn", "CoupSettled", "ShoeEnded", "ShoeLoaded",
}


def is_of_a_coup(event):
    """Whether it is a ruling on a coup."""
    return event.name == "IrregularityRecorded" and event.value["code"] not in RULINGS_ON_BURN


class Hole(NamedTuple):
    """Events of which nothing is known."""

    events: int


class Placed(NamedTuple):
    """An event as it is understood."""

    place: int  # among the parts of the record
    coup: int  # 0: of none
    begins: bool  # a coup begins with it
    dropped: bool = False  # it was recorded twice
    loads: bool = False  # a shoe begins with it whose loading was lost
    reads: tuple = ()  # ("lost", side or None, position), ("at", position), ("to", side), ("unread", side, place)
    at_word: str = ""  # "hole", "unexplained"


class Remark(NamedTuple):
    """What is wrong with the recording: of several lists one is true."""

    alternatives: tuple

    @property
    def at(self):
        """The first sequence at which it shows."""
        return min(each.at for one in self.alternatives for each in one)

    @property
    def coups(self):
        """The coups that it concerns."""
        return sorted({each.coup for one in self.alternatives for each in one if each.coup})

    @property
    def is_certain(self):
        """Whether it is known what is wrong."""
        return len(self.alternatives) == 1


class Tape:
    """The record: events and holes, each event with the rulebook in force."""

    def __init__(self, events, book_of):
        self.parts, self.books = [], []
        book = None
        for event in events:
            if event.gap:
                self.parts.append(Hole(event.gap))
                self.books.append(book)
            if event.name == "TableOpened":
                book = book_of(event.value["rulebook"])
            self.parts.append(event)
            self.books.append(book)

    def event(self, place):
        """The event at a place, unless a hole is there, or the end."""
        part = self.parts[place] if 0 <= place < len(self.parts) else None
        return None if isinstance(part, Hole) else part

    def is_repeated(self, place):
        """Whether the same was recorded before, in the same shoe and near."""
        event = self.event(place)
        for before in range(place - 1, max(place - AGAIN, 0) - 1, -1):
            each = self.event(before)
            if each is None or each.name == "ShoeLoaded":
                return False
            if each.name == event.name and each.value == event.value:
                return True
        return False

    def is_ruled(self, place, number):
        """Whether something is ruled in the coup that begins here."""
        for each in range(place, place + OF_COUP):
            event = self.event(each)
            if event is None or (event.name == "CoupSettled" and event.coup == number):
                return False
            if is_of_a_coup(event):
                return True
        return False

    # --- what fits ------------------------------------------------------------------------------

    def begin(self, state, number, place):
        """A coup begins."""
        shoe = state.shoe or UNKNOWN_SHOE
        ruled = shoe.ruled or self.is_ruled(place, number)
        shoe = shoe._replace(number=number + 1, lacks_account=None, ruled=False)
        return State(shoe, Coup(number, ruled), state.begun + 1)

    def joins(self, state, number, place):
        """Play as it stands with an event that names this coup, or nothing where it cannot be of it."""
        if state.coup and state.coup.number == number:
            return state
        shoe = state.shoe
        if state.is_between() and shoe and not shoe.ended and shoe.number in (None, number):
            return self.begin(state, number, place)
        return None

    def burned(self, state, book):
        """Play as it stands if cards were burned, or need not be; nothing if they had to be."""
        shoe = state.shoe
        if shoe and not shoe.burned and book is None:
            return state.of_shoe(burned=True, position=None)
        return state if shoe and (shoe.burned or burn_due(book, "??", shoe.decks) == "none") else None

    def follow(self, state, place):
        """How play stands after an event that fits, or nothing where it does not."""
        event, book = self.event(place), self.books[place]
        name, value, shoe, coup = event.name, event.value, state.shoe, state.coup
        if name in AT_BANK and not (book and book.chemin):
            return state
        if name == "ShoeLoaded":
            return loaded(event) if state.is_between() and (shoe is None or shoe.ended) else None
        if name == "BurnCards":
            if shoe is None or shoe.ended or coup or (shoe.burned and not shoe.may_burn_more) or shoe.number not in (None, 1):
                return None
            due = burn_due(book, value["indicator"], shoe.decks)
            if due == "none" or (due not in (None, value["burned"]) and not shoe.may_burn_more):
                return None
            # What a ruling lets be burned besides is used up by a second burn.
            shoe = shoe._replace(burned=True, may_burn_more=shoe.may_burn_more and not shoe.burned)
            return state._replace(shoe=shoe.passes(1 + value["burned"]))
        if name in ("BetPlaced", "AbonoPlaced"):
            state = self.joins(state, event.coup, place)
            fits = state and state.coup.is_open() and value["bet"] not in state.coup.bets
            return state._replace(coup=state.coup.place(value["bet"])) if fits else None
        if name == "BetWithdrawn":
            fits = coup and value["bet"] in coup.bets and coup.is_open()
            return state._replace(coup=coup.take_back(value["bet"])) if fits else None
        if name == "BetsClosed":
            state = self.joins(state, event.coup, place)
            return state.of_coup(closed=True) if state and not state.coup.dealt() and not state.coup.closed else None
        if name == "PuntoHolder":
            return state.of_coup(holder=True) if coup and coup.number == event.coup and not coup.holder else None
        if name == "CardDrawn":
            state = self.joins(state, event.coup, place)
            state = state and self.burned(state, book)
            if not state or not (state.coup.closed or state.coup.void) or state.shoe.position not in (None, value["position"]):
                return None
            state = state.of_shoe(position=value["position"] + 1)
            if value["to"] == "removed":
                return state
            side = SIDE[value["to"]]
            return state._replace(coup=state.coup.give(side, value["card"])) if state.coup.due(book) in (None, side) else None
        if name == "CutCardDrawn":
            fits = shoe and not shoe.ended and not shoe.cut and shoe.position in (None, value["position"])
            return state.of_shoe(cut=True) if fits else None
        if name == "CoupSettled":
            if coup and coup.number == event.coup:
                played = coup.void or (coup.closed and not coup.waits(book))
                fits = played and not coup.wrong_totals(value, book) and coup.lines(value) == ([], [])
                return state.end_coup(book) if fits else None
            return state.of_shoe(refunds=shoe.refunds - {event.coup}) if shoe and event.coup in shoe.refunds else None
        if name == "CoupVoided":
            over = shoe and (shoe.number is None or event.coup < shoe.number)
            if over and not (coup and coup.number == event.coup):
                return state.of_shoe(refunds=shoe.refunds | {event.coup})
            state = self.joins(state, event.coup, place)
            return state.of_coup(void=True) if state else None
        if name == "ShoeEnded":
            fits = state.is_between() and shoe and not shoe.ended and shoe.left() in (None, value["cards_left"])
            return state.of_shoe(ended=True) if fits else None
        if name == "TableOpened":
            return state if state.is_between() else None
        if name == "TableClosed":
            return state if state.is_between() and not left_by_closing(state, book) else None
        if name == "IrregularityRecorded":
            return rule(state, event)
        if name == "BancoCalled":
            state = self.joins(state, event.coup, place)
            return call(state, event) if state else None
        if name == "DrawDecided":
            state = self.joins(state, event.coup, place)
            return announce(state, event) if state and state.coup.said[SIDE[value["hand"]]] is None else None
        if name == "BankSettled":
            if shoe and shoe.lacks_account == event.coup:
                return state.of_shoe(lacks_account=None)
            state = self.joins(state, event.coup, place)
            return state.of_coup(account=True) if state and not state.coup.account else None
        return state

    # --- what an event may be that does not fit -----------------------------------------------------

    def possibilities(self, state, place):
        """What an event may be that does not fit, and how play stands then."""
        event, book = self.event(place), self.books[place]
        here = Way(state, event, state.coup.number if state.coup else 0)
        ways = getattr(self, "as_" + event.name, self.as_anything)(here, place, event, book)
        if self.is_repeated(place):
            of_shoe = event.name in ("ShoeEnded", "CutCardDrawn", "BurnCards", "ShoeLoaded")
            number = event.coup or (0 if of_shoe else here.coup)
            word = "settlement" if event.name == "CoupSettled" else "event"
            ways.append(here._replace(coup=number, dropped=True).because("doubled", word))
        return ways

    def as_anything(self, here, place, event, book):
        """It changes nothing."""
        return [here]

    def left(self, way):
        """The coup in play is left, if one is."""
        coup = way.state.coup
        if coup is None:
            return way
        if not coup.void:
            way = way.because("lost", "settlement")
        elif coup.bets:
            way = way.because("departed", "no-refund")
        return way._replace(state=way.state._replace(coup=None), coup=0)

    def joined(self, here, place, event):
        """Of the coup in play, or of one that begins."""
        state, number, ways = here.state, event.coup, []
        relabels = event.name != "CoupVoided"
        if state.coup:
            if state.coup.number == number:
                return [here]
            if not state.coup.void and relabels:
                ways.append(here.because("mislabelled"))
        over = self.left(here)
        begun = lambda way, new: way._replace(state=self.begin(way.state, new, place), coup=new)
        shoe = over.state.shoe
        if shoe and shoe.ended:
            ways.append(begun(self.without_loading(over), number))
            over = over.because("departed", "no-shoe").of_shoe(ended=False)
        elif shoe is None:
            over = over.because("departed", "no-shoe")
        due = shoe.number if shoe else None
        if due in (None, number):
            return ways + [begun(over, number)]
        ways.append(begun(over, number).because("departed", "number"))
        if state.coup is None and relabels:
            ways.append(begun(over, due).because("mislabelled"))
        return ways

    def without_loading(self, way):
        """A shoe was loaded, and that was not recorded."""
        return way.because("lost", "loading")._replace(state=State(UNKNOWN_SHOE), loads=True)

    def without_end(self, way):
        """The shoe in play is over, and no end of it is recorded."""
        way = way.of_shoe(ended=True)
        return [way.because("departed", "not-ended"), way.because("lost", "end")]

    def as_ShoeLoaded(self, here, place, event, book):
        """The shoe before did not end, or a coup in it."""
        over, shoe = self.left(here), here.state.shoe
        ways = self.without_end(over) if shoe and not shoe.ended else [over]
        return [way._replace(state=loaded(event)) for way in ways]

    def as_TableOpened(self, here, place, event, book):
        """A coup is left."""
        return [self.left(here)]

    def as_TableClosed(self, here, place, event, book):
        """A coup is left, or the shoe."""
        over = self.left(here)
        return self.without_end(over) if left_by_closing(here.state, book) else [over]

    def as_BurnCards(self, here, place, event, book):
        """Other cards were burned than had to be, or it was recorded wrongly."""
        state, burned = here.state, event.value["burned"]
        shoe = state.shoe
        if shoe is None or shoe.ended:
            return [self.without_loading(self.left(here)), here.because("departed", "no-shoe")]
        passes = lambda cards: here.with_shoe(shoe._replace(burned=True, may_burn_more=False).passes(1 + cards))
        if (shoe.burned and not shoe.may_burn_more) or state.coup or (shoe.number is not None and shoe.number > 1):
            return [passes(burned).because("departed", "again")]
        ways = [passes(burned).because("departed", "burn")]
        due = burn_due(book, event.value["indicator"], shoe.decks)
        if due not in (None, "none", burned):
            ways.append(passes(due).because("misread", "burned"))
        return ways

    def as_BetPlaced(self, here, place, event, book):
        """It came too late, or its id was used."""
        ways, bet = [], event.value["bet"]
        for way in self.joined(here, place, event):
            coup = way.state.coup
            new = way.with_coup(coup.place(bet))
            new = new if coup.is_open() else new.because("departed", "bet-late")
            ways.append(new.because("departed", "id-reused") if bet in coup.bets else new)
        return ways

    as_AbonoPlaced = as_BetPlaced

    def as_BetWithdrawn(self, here, place, event, book):
        """It came too late, or no such bet stands."""
        bet, coup = event.value["bet"], here.state.coup
        if coup and bet in coup.bets:
            late = here.because("departed", "bet-late")
            return [late.with_coup(coup.take_back(bet)), late]
        return [here.because("departed", "not-placed", bet), here.because("lost", "bet", bet)]

    def once(self, here, place, event, was, change):
        """Of a coup; again, if it was there."""
        ways = self.joined(here, place, event)
        return [change(way).because("departed", "again") if was(way.state.coup) else change(way) for way in ways]

    def as_BetsClosed(self, here, place, event, book):
        """The bets were closed."""
        return self.once(here, place, event, lambda coup: coup.closed or coup.dealt(), lambda way: way.of_coup(closed=True))

    def as_PuntoHolder(self, here, place, event, book):
        """Somebody holds punto's cards."""
        return self.once(here, place, event, lambda coup: coup.holder, lambda way: way.of_coup(holder=True))

    def as_BancoCalled(self, here, place, event, book):
        """Somebody plays for the bank."""
        return [way._replace(state=call(way.state, event)) for way in self.joined(here, place, event)]

    def of_past(self, here, event, ways):
        """What is recorded of a coup that was settled begins none."""
        shoe, coup = here.state.shoe, here.state.coup
        past = shoe and shoe.number is not None and event.coup < shoe.number
        ways = [way for way in ways if not past or way.state.begun == here.state.begun]
        if past and not (coup and coup.number == event.coup):
            ways.append(here._replace(coup=event.coup).because("departed", "again"))
        return ways

    def as_DrawDecided(self, here, place, event, book):
        """A hand announced something."""
        hand = SIDE[event.value["hand"]]
        said = lambda way: way._replace(state=announce(way.state, event))
        return self.of_past(here, event, self.once(here, place, event, lambda coup: coup.said[hand] is not None, said))

    def as_BankSettled(self, here, place, event, book):
        """The account of a bank."""
        ways = self.once(here, place, event, lambda coup: coup.account, lambda way: way.of_coup(account=True))
        return self.of_past(here, event, ways)

    def as_CutCardDrawn(self, here, place, event, book):
        """It came out again, or elsewhere."""
        shoe, position = here.state.shoe, event.value["position"]
        if shoe is None or shoe.ended:
            return [here.because("departed", "no-shoe")]
        out = here.of_shoe(cut=True)
        out = out.because("departed", "again") if shoe.cut else out
        if shoe.position in (None, position):
            return [out]
        return [out.because("misread", "cut-card")] + self.lost_between(out, shoe.position, position, book)

    def as_ShoeEnded(self, here, place, event, book):
        """It ended again, or other cards are left."""
        over = self.left(here)
        shoe = over.state.shoe
        if shoe is None:
            return [over.because("departed", "no-shoe")]
        if shoe.ended:
            return [over.because("departed", "again")]
        wrong = shoe.left() not in (None, event.value["cards_left"])
        over = over.of_shoe(ended=True)
        return [over.because("misread", "cards-left") if wrong else over]

    def as_CoupVoided(self, here, place, event, book):
        """Of a coup that is not in play."""
        ways = [way.of_coup(void=True) for way in self.joined(here, place, event)]
        shoe, coup = here.state.shoe, here.state.coup
        if shoe and shoe.number == event.coup and coup:
            for near in range(place + 1, place + NEAR + 1):
                each = self.event(near)
                if each is None:
                    break
                if each.name == "CoupSettled" and each.coup == coup.number:
                    return ways  # of the next coup, and read with it
        return ways + [here._replace(coup=event.coup).because("departed", "number")]

    def as_CardDrawn(self, here, place, event, book):
        """Each of its faults in turn."""
        ways = []
        for way in self.joined(here, place, event):
            for closed in self.once_closed(way):
                for burned in self.once_burned(closed, book):
                    for lies in self.at_position(burned, event.value["position"], book):
                        ways += self.dealt(lies, event, book)
        return ways

    def once_closed(self, way):
        """The bets were closed, or the close was lost, or they were not."""
        if way.state.coup.closed or way.state.coup.void:
            return [way]
        way = way.of_coup(closed=True)
        return [way.because("departed", "not-closed"), way.because("lost", "close")]

    def once_burned(self, way, book):
        """Cards were burned, or that was lost, or they were not."""
        burned = self.burned(way.state, book)
        if burned:
            return [way._replace(state=burned)]
        way = way.of_shoe(burned=True, position=None)
        return [way.because("departed", "no-burn"), way.because("lost", "burn")]

    def at_position(self, way, position, book):
        """It lies at the next position, or its position is wrong, or cards before it were lost."""
        due = way.state.shoe.position if way.state.shoe else None
        if due in (None, position):
            return [way.of_shoe(position=position + 1)]
        ways = [way.of_shoe(position=due + 1).because("misread", "position").reading("at", due)]
        ways.append(way.of_shoe(position=position + 1).because("departed", "position"))
        return ways + [lost.of_shoe(position=position + 1) for lost in self.lost_between(way, due, position, book)]

    def lost_between(self, way, due, position, book):
        """One or two cards were lost before a position."""
        if not 1 <= position - due <= 2:
            return []
        for lost in range(due, position):
            way = self.lose(way, lost, book)
        return [way.of_shoe(position=position)]

    def lose(self, way, position, book):
        """A card was lost, which went where one was due."""
        due = way.state.coup.due(book) if way.state.coup else None
        side = due if due in (0, 1) else None
        way = way.because("lost", "card").reading("lost", side, position)
        return way if side is None else way.with_coup(way.state.coup.give(side, "??"))

    def unread(self, way, fits):
        """One card of the coup was misread, so that something fits."""
        for side, place, coup in way.state.coup.with_one_unread():
            if fits(coup):
                yield way.because("misread", "face", side, place).reading("unread", side, place).with_coup(coup)

    def dealt(self, way, event, book):
        """The card was due to its hand, or not."""
        if event.value["to"] == "removed":
            return [way]
        side, card = SIDE[event.value["to"]], event.value["card"]
        coup = way.state.coup
        due = coup.due(book)
        gives = lambda way, to: way.with_coup(way.state.coup.give(to, card))
        if due in (None, side):
            return [gives(way, side)]
        ways = [gives(way, side).because("departed", "drew")]
        if due != "none":
            ways.append(gives(way, due).because("misread", "hand").reading("to", due))
        return ways + [gives(one, side) for one in self.unread(way, lambda coup: coup.due(book) in (None, side))]

    def as_CoupSettled(self, here, place, event, book):
        """Each of its faults in turn."""
        state, ways = here.state, []
        shoe, coup = state.shoe, state.coup
        past = shoe is not None and shoe.number is not None and event.coup < shoe.number
        own = coup is not None and coup.number == event.coup
        if past and not own:
            ways.append(here._replace(coup=event.coup).because("departed", "again"))
        for way in self.joined(here, place, event):
            if past and not own and way.coup == event.coup:
                continue
            for played in self.played_out(way, book):
                for totalled in self.totalled(played, event, book):
                    for lined in self.lined(totalled, event):
                        ways.append(lined._replace(state=lined.state.end_coup(book)))
        return ways

    def played_out(self, way, book):
        """No card is due any more, or one is."""
        coup = way.state.coup
        if not coup.waits(book):
            return [way]
        ways = [way.because("departed", "stood" if coup.both_have_two() else "short")]
        if coup.both_have_two():
            ways += self.unread(way, lambda coup: not coup.waits(book))
        for _ in range(2):
            way = self.lose(way, way.state.shoe.position or 0 if way.state.shoe else 0, book)
            way = way.with_shoe(way.state.shoe.passes(1)) if way.state.shoe else way
            if not way.state.coup.waits(book):
                ways.append(way)
                break
        return ways

    def totalled(self, way, event, book):
        """What was announced follows from the cards, or not."""
        wrong = way.state.coup.wrong_totals(event.value, book)
        if not wrong:
            return [way]
        ways = list(self.unread(way, lambda coup: not coup.wrong_totals(event.value, book)))
        for word in wrong:
            way = way.because("misread", *word)
        return ways + [way]

    def lined(self, way, event):
        """Each bet has a line, and each line a bet, or not."""
        unknown, left = way.state.coup.lines(event.value)
        both = min(len(unknown), len(left))
        for bet in unknown[:both]:
            way = way.because("misread", "bet", bet)
        if len(unknown) == len(left):
            return [way]
        played = lost = way
        for bet in unknown[both:]:
            played, lost = played.because("departed", "line-without-bet", bet), lost.because("lost", "bet", bet)
        for bet in left[both:]:
            played, lost = played.because("departed", "bet-without-line", bet), lost.because("lost", "withdrawal", bet)
        return [played, lost]

    # --- events taken at their word -------------------------------------------------------------------

    def believe(self, state, place):
        """How play stands after an event that is taken at its word."""
        event, book = self.event(place), self.books[place]
        name, value, number = event.name, event.value, event.coup
        names = name not in ("IrregularityRecorded", "CorrectionRecorded") and (name not in AT_BANK or bool(book and book.chemin))
        if number is not None and names and (state.coup is None or state.coup.number != number):
            again = name in ("CoupSettled", "CoupVoided", "BankSettled")
            if not (again and state.shoe and state.shoe.is_past(number)):
                state = self.begin(state, number, place)
        shoe, coup = state.shoe, state.coup
        if name == "ShoeLoaded":
            return loaded(event)
        if name == "BurnCards":
            return state._replace(shoe=shoe._replace(burned=True).passes(1 + value["burned"])) if shoe else state
        if name == "CardDrawn":
            state = state.of_shoe(burned=True, position=value["position"] + 1).of_coup(closed=True)
            given = state.coup and value["to"] in SIDE
            return state._replace(coup=state.coup.give(SIDE[value["to"]], value["card"])) if given else state
        if name in ("BetPlaced", "AbonoPlaced"):
            return state._replace(coup=coup.place(value["bet"])) if coup else state
        if name == "BetWithdrawn":
            return state._replace(coup=coup.take_back(value["bet"])) if coup and value["bet"] in coup.bets else state
        if name == "BancoCalled":
            return call(state, event)
        if name == "DrawDecided":
            return announce(state, event)
        if name in ("BetsClosed", "PuntoHolder", "BankSettled"):
            return state.of_coup(**{{"BetsClosed": "closed", "PuntoHolder": "holder", "BankSettled": "account"}[name]: True})
        if name == "CoupSettled":
            return state._replace(coup=None) if coup and coup.number == number else state
        if name == "CoupVoided":
            if coup and coup.number == number:
                return state.of_coup(void=True)
            return state.of_shoe(refunds=shoe.refunds | {number}) if shoe else state
        if name == "CutCardDrawn":
            return state.of_shoe(cut=True)
        if name == "ShoeEnded":
            return state._replace(coup=None).of_shoe(ended=True)
        if name in ("TableOpened", "TableClosed"):
            return state._replace(coup=None)
        return rule(state, event) if name == "IrregularityRecorded" else state

    def at_its_word(self, place, before, after):
        """An event as it says of itself."""
        named = self.event(place).coup
        number = named if named is not None else before.coup.number if before.coup else 0
        return Placed(place, number, after.begun > before.begun)


class Way(NamedTuple):
    """What an event may be."""

    state: State
    event: object
    coup: int  # of which it is; 0: of none
    whys: tuple = ()
    dropped: bool = False
    loads: bool = False
    reads: tuple = ()

    def because(self, kind, word="", *about):
        """With another explanation."""
        return self._replace(whys=self.whys + (why(kind, self.event.sequence, self.coup, word, *about),))

    def reading(self, *read):
        """With another way to read it."""
        return self._replace(reads=self.reads + (read,))

    def with_coup(self, coup):
        """With another coup in play."""
        return self._replace(state=self.state._replace(coup=coup))

    def with_shoe(self, shoe):
        """With another shoe."""
        return self._replace(state=self.state._replace(shoe=shoe))

    def of_coup(self, **changes):
        """With changes in the coup in play."""
        return self._replace(state=self.state.of_coup(**changes))

    def of_shoe(self, **changes):
        """With changes in the shoe."""
        return self._replace(state=self.state.of_shoe(**changes))


def loaded(event):
    """A shoe is loaded."""
    return State(Shoe(cards=event.value["cards"], decks=event.value["decks"], loaded=event.sequence))


def burn_due(book, indicator, decks):
    """How many cards have to be burned, "none", or nothing where that is not known."""
    if book is None:
        return None
    method = book.burn["method"]
    if method == "indicator":
        return None if indicator[0] == "?" else book.burn["values"][RANKS.index(indicator[0])]
    return {"decks": decks, "none": "none"}.get(method, book.burn.get("count"))


def left_by_closing(state, book):
    """Whether a shoe is in play that does not stay so when the table closes."""
    overnight = book is None or book.data["shoe"].get("overnight", False)
    return not overnight and state.shoe is not None and not state.shoe.ended


def rule(state, event):
    """Something is ruled."""
    shoe, code = state.shoe, event.value["code"]
    if shoe is None:
        return state
    if code == "burn-not-recorded" and not shoe.burned:
        state = state.of_shoe(burned=True, position=None, number=None)
    elif code == "burn-corrected" and shoe.number == 1:
        state = state.of_shoe(may_burn_more=True)
    if is_of_a_coup(event):
        return state.of_coup(ruled=True) if state.coup else state.of_shoe(ruled=True)
    return state


def call(state, event):
    """Somebody plays for the bank."""
    return state.of_coup(seguido=state.coup.seguido or event.value["call"] == "seguido") if state.coup else state


def announce(state, event):
    """A hand announces whether it draws."""
    if state.coup is None:
        return state
    said = list(state.coup.said)
    said[SIDE[event.value["hand"]]] = event.value["decision"] == "carta"
    return state.of_coup(said=tuple(said))


# ---------------------------------------------------------------------------------------------
# All cheapest explanations of a stretch
# ---------------------------------------------------------------------------------------------


class Node:
    """How far the record was read, which event is moved, and how play stands then."""

    def __init__(self, place, moved, state, cost):
        self.place, self.moved, self.state, self.cost = place, moved, state, cost
        self.came = []  # the ways that lead here: the node before, the event as it is understood, why


class Search:
    """Explains the record from where nothing is in play, over the event that does not fit, to where it can be read on."""

    def __init__(self, tape, start, state, trouble, most):
        self.tape, self.trouble, self.most = tape, trouble, min(most, MOST_STEPS)
        self.nodes, self.heap, self.steps = {}, [], 0
        self.count = 0
        self.reach(start, None, state, 0, None)

    def reach(self, place, moved, state, cost, way):
        """A way leads to a node."""
        if cost > MOST_COST or place > self.trouble + MOST_EVENTS:
            return
        key = (place, moved, state)
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = Node(place, moved, state, cost)
            self.steps += 1 + (len(state.coup.bets) if state.coup else 0) // 32
            self.push(node)
        elif cost < node.cost:
            node.cost, node.came = cost, []
            self.push(node)
        if cost == node.cost and way is not None:
            node.came.append(way)

    def push(self, node):
        """A node is to be continued."""
        self.count += 1
        heapq.heappush(self.heap, (node.cost, node.place, self.count, node))

    def explained(self):
        """What explains the stretch, or nothing where that was not found."""
        goals, cheapest, done = [], MOST_COST, set()
        while self.heap:
            cost, place, _, node = heapq.heappop(self.heap)
            if cost > node.cost or id(node) in done:
                continue
            if cost > cheapest or self.steps > self.most:
                break
            done.add(id(node))
            if place > self.trouble and self.is_goal(node):
                cheapest = cost
                goals.append(node)
            else:
                self.go_on(node)
        if self.steps > self.most or not goals:
            return None
        return self.compare(goals)

    def settled_again(self, first, second):
        """Whether both are settlements of one coup: the first counts."""
        one, two = self.tape.event(first), self.tape.event(second)
        return one.name == two.name == "CoupSettled" and one.coup == two.coup

    def is_claim(self, settled, void):
        """Whether a coup at a bank was settled first, and declared void second."""
        one, two, book = self.tape.event(settled), self.tape.event(void), self.tape.books[void]
        of_bank = two is not None and book is not None and book.chemin
        return bool(of_bank) and (one.name, two.name) == ("CoupSettled", "CoupVoided") and one.coup == two.coup

    def go_on(self, node):
        """The ways on from a node."""
        tape, place, moved, state, cost = self.tape, node.place, node.moved, node.state, node.cost
        if moved == ("read", place):
            return self.reach(place + 1, None, state, cost, (node, None, ()))
        if moved and moved[0] == "waits":
            waits = moved[1]
            after = tape.follow(state, waits)
            if after:
                self.reach(place, None, after, cost, (node, tape.at_its_word(waits, state, after), ()))
            if place - waits > NEAR or (tape.event(place) and (self.settled_again(waits, place) or self.is_claim(waits, place))):
                return None
        event = tape.event(place)
        if event is None:
            return None
        after = tape.follow(state, place)
        if after:
            return self.reach(place + 1, moved, after, cost, (node, tape.at_its_word(place, state, after), ()))
        for way in tape.possibilities(state, place):
            begins = way.state.begun > state.begun
            placed = Placed(place, way.coup, begins, way.dropped, way.loads, way.reads)
            self.reach(place + 1, moved, way.state, cost + sum(each.cost for each in way.whys), (node, placed, way.whys))
        if moved:
            return None
        moves = lambda event: (why("moved", event.sequence, event.coup or 0),)
        if event.name in MAY_MOVE or event.name == "CoupVoided":
            self.reach(place + 1, ("waits", place), state, cost + 3, (node, None, moves(event)))
        for later in range(place + 1, place + NEAR + 1):
            each = tape.event(later)
            if each is None:
                break
            if each.name not in MAY_MOVE or self.settled_again(place, later):
                continue
            after = tape.follow(state, later)
            if after:
                placed = tape.at_its_word(later, state, after)
                self.reach(place, ("read", later), after, cost + 3, (node, placed, moves(each)))
        return None

    def is_goal(self, node):
        """Whether the record can be read on from here, up to the next card."""
        if node.moved:
            return False
        state = node.state
        if self.tape.event(node.place) is None:
            return True
        if state.coup:
            return False
        for place in range(node.place, node.place + MOST_EVENTS):
            event = self.tape.event(place)
            if event is None:
                return True
            self.steps += (place - node.place) % 32 == 31
            state = self.tape.follow(state, place)
            if state is None:
                return False
            if event.name == "CardDrawn":
                return True
        return True

    def compare(self, goals):
        """All cheapest explanations, up to the same event."""
        to, found, ways = max(goal.place for goal in goals), {}, 0
        for goal in goals:
            state, rest = goal.state, []
            for place in range(goal.place, to):
                after = self.tape.follow(state, place) if self.tape.event(place) else None
                if after is None:
                    rest = None
                    break
                rest.append(self.tape.at_its_word(place, state, after))
                state = after
            if rest is None:
                continue
            stack = [(goal, (), None)]  # a node, what explains what follows it, and the events that follow, as a chain
            while stack:
                node, whys, placed = stack.pop()
                if not node.came:
                    ways += 1
                    if ways >= MOST_WAYS:
                        return None
                    chain = []
                    while placed:
                        chain.append(placed[0])
                        placed = placed[1]
                    found.setdefault(tuple(sorted(whys)), (chain + rest, state))
                for before, one, reasons in reversed(node.came):
                    stack.append((before, whys + reasons, (one, placed) if one else placed))
        if not found or len(found) > MOST_LISTED:
            return None
        followed = min(found, key=lambda whys: (sum(each.is_slip for each in whys), whys))
        placed, state = found[followed]
        others = sorted(whys for whys in found if whys != followed)
        return to, state, placed, [followed] + others


def remarks_of(alternatives):
    """What all explanations share is one remark for each event; where they differ, one lists them."""
    first, others = alternatives[0], alternatives[1:]
    shared = [one for one in first if all(one in other for other in others)]
    certain = {}
    for one in shared:
        if one.is_slip:
            certain.setdefault(one.at, []).append(one)
    remarks = [Remark((tuple(slips),)) for _, slips in sorted(certain.items())]
    if others:
        remarks.append(Remark(tuple(tuple(one for one in each if one not in shared) for each in alternatives)))
    return remarks


def read(events, book_of):
    """The events of a table as they are understood, in the order of play, and the remarks.

    `book_of` gives the rulebook of an opening, or nothing where it cannot be read.
    """
    tape = Tape(events, book_of)
    state, place, at_word = State(), 0, ""
    steps, remarks, between = [], [], (0, state, 0)
    budget = 5 * MOST_STEPS + 16 * len(tape.parts)
    while place < len(tape.parts):
        part = tape.parts[place]
        if isinstance(part, Hole):
            if state.shoe:
                missing, before = state.shoe.hidden
                hidden = missing + part.events, max(state.shoe.number or 0, before)
                state = state.of_shoe(hidden=hidden, position=None, number=None, burned=True, may_burn_more=True)
            at_word, place = "hole", place + 1
            continue
        if not at_word:
            if state.coup is None:
                between = place, state, len(steps)
            after = tape.follow(state, place)
            if after:
                steps.append(tape.at_its_word(place, state, after))
                state, place = after, place + 1
                continue
            start, before, known = between
            search = Search(tape, start, before, place, budget) if place - start <= MOST_EVENTS else None
            found = search.explained() if search else None
            budget = max(budget - (search.steps if search else 0), 0)
            meets_hole = found and found[1].coup and found[0] < len(tape.parts) and tape.event(found[0]) is None
            if found and not meets_hole:
                place, state, placed, alternatives = found
                steps[known:] = placed
                remarks += remarks_of(alternatives)
                continue
            at_word = "hole" if meets_hole else "unexplained"
        after = tape.believe(state, place)
        steps.append(tape.at_its_word(place, state, after)._replace(at_word=at_word))
        state = after
        if part.name == "ShoeLoaded" or (part.name == "CoupSettled" and state.coup is None):
            at_word = ""
        place += 1
    return tape, steps, remarks
