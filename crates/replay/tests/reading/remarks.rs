//! Single records, and exactly what is remarked on them.

use replay::reading::{Departure, Explanation, Lost, Misread, Reading, ShoeRecord, Standing};
use replay::{Code, SeatMoney};

use super::found::checked;
use super::records::Record;
use crate::call_sheet::scenarios;

const BEGIN: &str = "open punto-banco seats=1,2,3\nshoe decks=8\nburn 2H 2\n";
/// A coup of four cards, which punto wins with 9 against 7.
const COUP: &str = "closed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7\n";

fn record(lines: &str) -> Record {
    let scenario = &scenarios(&format!("== one\n{BEGIN}{lines}\n"))[0];
    Record::new("one".to_owned(), "T".to_owned(), scenario.events())
}

fn alternatives(reading: &Reading<'_>) -> Vec<Vec<Vec<Explanation>>> {
    reading.shoes.iter().flat_map(|shoe| &shoe.remarks).map(|remark| remark.alternatives.clone()).collect()
}

/// The remarks on a record whose shoe has a whole coup after it.
fn remarked(lines: &str) -> Vec<Vec<Vec<Explanation>>> {
    alternatives(&record(&format!("{lines}{COUP}")).read())
}

#[test]
fn nothing_is_remarked_on_honest_coups() {
    assert!(
        remarked(&format!(
            "bet 1 seat 1 punto 1000\nclosed\n{}",
            "cards P:9D B:2C P:KD B:5S\nsettle punto 9-7 1=2000\n"
        ))
        .is_empty()
    );
}

#[test]
fn a_lost_card_is_one_remark_and_its_coup_has_a_place_for_it() {
    // Punto's third card, at position 8, is missing. Banca stands on 7.
    let record = record(
        "closed\ncards P:2D B:2C P:3D B:5S\nsettle banca 4-7\nclosed\ncards at=9 P:9D B:2C P:KD B:5S\nsettle punto 9-7\n",
    );
    let reading = record.read();
    let lost = Explanation::Lost { at: 9, coup: 1, what: Lost::Card };
    assert_eq!(alternatives(&reading), [[[lost]]]);
    let coup = &reading.shoes[0].coups[0];
    let places: Vec<(u16, bool)> =
        coup.cards.iter().map(|card| (card.position, card.sequence.is_some())).collect();
    assert_eq!(places, [(4, true), (5, true), (6, true), (7, true), (8, false)]);
    assert_eq!(coup.follows.len(), 1);
    assert!(reading.shoes[0].coups[1].follows.is_empty());
}

/// The reading found the card, and its coup had no place for it: the next card was out of order, and payouts were wrong.
#[test]
fn a_card_that_is_lost_before_the_cut_card_has_its_place() {
    let record = record("closed\ncards P:9D B:2C\ncut at=7\ncards at=7 B:5S\nsettle punto 9-7\n");
    let reading = record.read();
    let lost = Explanation::Lost { at: 7, coup: 1, what: Lost::Card };
    assert_eq!(alternatives(&reading), [[[lost]]]);
    let cards = &reading.shoes[0].coups[0].cards;
    let places: Vec<(u16, bool)> =
        cards.iter().map(|card| (card.position, card.sequence.is_some())).collect();
    assert_eq!(places, [(4, true), (5, true), (6, false), (7, true)]);
}

#[test]
fn a_card_recorded_twice_counts_once() {
    let record = record("closed\ncards P:9D B:2C\ncards at=5 B:2C\ncards P:KD B:5S\nsettle punto 9-7\n");
    let reading = record.read();
    let twice = Explanation::Doubled { at: 7, coup: 1, settlement: false };
    assert_eq!(alternatives(&reading), [[[twice]]]);
    assert_eq!(reading.shoes[0].coups[0].cards.len(), 4);
}

/// After the closing a bet begins another shoe. What was open before it was taken for something of that shoe.
#[test]
fn what_is_remarked_on_two_shoes_is_of_the_one_in_which_it_shows() {
    let lines = "closed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7 1=2000\nend 409\nclose\n\
                 bet 1 seat 1 punto 1000 coup=1\n";
    let record = record(lines);
    let reading = record.read();
    let shows: Vec<u64> =
        reading.shoes.iter().flat_map(|shoe| &shoe.remarks).map(|remark| remark.at).collect();
    let of_each: Vec<usize> = reading.shoes.iter().map(|shoe| shoe.remarks.len()).collect();
    assert_eq!((shows, of_each), (vec![9, 12], vec![1, 1]));
    assert_eq!(reading.shoes[0].coups[0].follows.len(), 1);
}

/// A bet that is recorded after a second coup of its number may be of the first, whose settlement names it.
#[test]
fn what_is_remarked_on_two_coups_of_one_number_is_of_both() {
    let lines = "closed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7 8=2000\n\
                 bet 9 seat 1 punto 1000 coup=1\nsettle punto 9-7 coup=1 9=2000\n\
                 bet 8 seat 2 punto 1000 coup=1\nend 409\nclose\n";
    let record = record(lines);
    let reading = record.read();
    let coups: Vec<(u32, usize)> =
        reading.shoes[0].coups.iter().map(|coup| (coup.number, coup.follows.len())).collect();
    assert_eq!(coups, [(1, 1), (1, 1)], "{:?}", alternatives(&reading));
    let found = checked(&record, &reading).found;
    assert!(found.iter().all(|found| found.code != Code::BetUnknown), "{found:?}");
}

/// It was read as a bet of the coup in play with a wrong number, which its settlement then left out.
#[test]
fn a_bet_that_comes_again_when_its_coup_is_over_is_no_bet_of_the_next() {
    let bet = "bet 1 seat 1 punto 1000";
    let record = record(&format!(
        "{bet}\nclosed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7 1=2000\n\
         bet 2 seat 2 punto 1000\n{bet} coup=1\nclosed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7 2=2000\n{COUP}"
    ));
    let reading = record.read();
    assert_eq!(alternatives(&reading), [[[Explanation::Doubled { at: 12, coup: 1, settlement: false }]]]);
    let bets: Vec<usize> = reading.shoes[0].coups.iter().map(|coup| coup.bets.len()).collect();
    assert_eq!(bets, [1, 1, 0]);
}

/// While the next coup is played, a bet comes for one that is settled, and nothing is paid for it: it is late, and that is all.
#[test]
fn a_bet_of_a_coup_that_was_settled_begins_none() {
    let lines = format!("{COUP}bet 2 seat 1 punto 1000\nbet 3 seat 2 punto 1000 coup=1\n{COUP}");
    let lines = lines.replace("settle punto 9-7\nbet 2", "settle punto 9-7 coup=1\nbet 2").replace(
        "coup=1\nclosed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7",
        "coup=1\nclosed coup=2\ncards coup=2 P:9D B:2C P:KD B:5S\nsettle punto 9-7 2=2000 coup=2",
    );
    let record = record(&lines);
    let found = checked(&record, &record.read()).found;
    let found: Vec<_> = found.iter().map(|found| (found.sequence, found.code, found.coup)).collect();
    assert_eq!(found, [(11, Code::BetLate, Some(1))]);
}

#[test]
fn a_settlement_recorded_twice_may_be_paid_twice() {
    let again = "settle punto 9-7 coup=1\n";
    let doubled = Explanation::Doubled { at: 10, coup: 1, settlement: true };
    let paid = Explanation::Departed { at: 10, coup: 1, how: Departure::Again };
    let found = remarked(&format!("{COUP}{again}"));
    assert_eq!(found.len(), 1);
    assert!(found[0].contains(&vec![doubled]) && found[0].contains(&vec![paid]), "{found:?}");
}

#[test]
fn who_pays_the_wrong_hand_cannot_call_it_a_misread_card() {
    // Punto has 9, banca 7.
    let found =
        remarked("bet 1 seat 1 banca 1000\nclosed\ncards P:9D B:2C P:KD B:5S\nsettle banca 6-7 1=1950\n");
    let misread = |what| Explanation::Misread { at: 10, coup: 1, what };
    let settlement = vec![misread(Misread::Total(baccarat::Side::Punto)), misread(Misread::Winner)];
    assert_eq!(found, [[settlement]]);
}

#[test]
fn a_late_bet_is_played_and_no_slip() {
    let found =
        remarked("closed\nbet 1 seat 1 punto 1000\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7 1=2000\n");
    assert!(found.is_empty(), "{found:?}");
}

/// Several late bets must not be excused by one close that was recorded too early.
#[test]
fn several_late_bets_are_late_as_one_is() {
    let bets = (1..=4).map(|bet| format!("bet {bet} seat 1 punto 1000\n")).collect::<String>();
    let found = remarked(&format!(
        "closed\n{bets}cards P:9D B:2C P:KD B:5S\nsettle punto 9-7 1=2000 2=2000 3=2000 4=2000\n"
    ));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_wrong_draw_is_played_and_no_slip() {
    // Banca stands on 5 against no third card.
    let found = remarked("closed\ncards P:9D B:2C P:8D B:3S\nsettle punto 7-5\n");
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_correction_counts_for_what_was_seen_and_not_for_what_was_decided_before_the_cards() {
    let record = record(
        "bet 1 seat 1 punto 1000\nclosed\ncards P:8D B:2C P:KD B:5S\n\
         correct back=4 card P:9D at=4\ncorrect back=7 bet 1 seat 1 punto 5000\nsettle punto 9-7 1=2000\n",
    );
    let reading = record.read();
    let standings: Vec<Standing> = reading.corrections.iter().map(|one| one.standing).collect();
    assert_eq!(standings, [Standing::Counts, Standing::Late]);
    let coup = &reading.shoes[0].coups[0];
    assert_eq!(coup.bets[0].placed.value.stake.get(), 1_000);
    assert_eq!(coup.cards[0].face.to_string(), "9D");
    assert!(alternatives(&reading).is_empty());
}

/// Whatever shows a slip before any shoe was loaded is remarked on as well.
#[test]
fn a_burn_recorded_before_its_shoe_is_one_remark() {
    let sheet = "== one\nopen punto-banco seats=1,2,3\nburn 2H 2\nshoe decks=8\nclosed\n\
                 cards at=4 P:9D B:2C P:KD B:5S\nsettle punto 9-7\n";
    let record = Record::new("one".to_owned(), "T".to_owned(), scenarios(sheet)[0].events());
    let reading = record.read();
    let found = alternatives(&reading);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains(&vec![Explanation::Moved { at: 2, coup: 0 }]), "{found:?}");
    assert_eq!(reading.shoes.iter().map(|shoe| shoe.burns.len()).sum::<usize>(), 1);
}

/// Nothing is certain of play under rules that no one knows.
#[test]
fn without_a_rulebook_that_can_be_read_nothing_is_remarked_on_draws_burns_and_totals() {
    let sheet = "== one\nopen punto-banco seats=1,2,3 but=\"format\":1->\"format\":9\nshoe decks=8\nclosed\n\
                 cards at=9 P:9D B:2C P:KD B:5S P:2D B:2H\nsettle punto 1-9\n";
    let record = Record::new("one".to_owned(), "T".to_owned(), scenarios(sheet)[0].events());
    let found = alternatives(&record.read());
    assert!(found.is_empty(), "{found:?}");
}

/// What is found at a bank that lies above its maximum once it has won, so that something has to be set aside.
fn found_at_a_full_bank(between: &str) -> Vec<(u64, Code, Option<u32>)> {
    let begin = "chemin\ntake 1 90000\nbet 1 seat 2 punto 90000\nclosed\ncards P:2D B:9C P:KD B:KS\n\
        bank won=90000 c=4500 bank=175500\n";
    let next = "bet 2 seat 2 punto 100000 coup=2\nclosed coup=2\ncards coup=2 P:2D B:9C P:KD B:KS\n\
        bank coup=2 won=100000 c=5000 bank=195000 garaje=75500\nsettle banca 2-9 2=0 coup=2\n";
    let scenario = &scenarios(&format!("== one\n{begin}{between}{next}"))[0];
    let record = Record::new("one".to_owned(), "T".to_owned(), scenario.events());
    let found = checked(&record, &record.read()).found;
    found.iter().map(|found| (found.sequence, found.code, found.coup)).collect()
}

#[test]
fn what_is_set_aside_after_an_account_counts_for_the_next_coup() {
    let aside = "garaje improper 75500\n";
    assert_eq!(found_at_a_full_bank(&format!("settle banca 2-9 1=0\n{aside}")), []);
    // The settlement is lost, or another bet of the coup follows.
    let lost = found_at_a_full_bank(aside);
    assert_eq!(lost, [(18, Code::CoupNotSettled, Some(1))]);
    let late = format!("settle banca 2-9 1=0 7=0\n{aside}bet 7 seat 3 punto 5000 coup=1\n");
    let found = found_at_a_full_bank(&late);
    assert!(found.iter().all(|(.., coup)| *coup == Some(1)), "{found:?}");
    // Also behind such a bet, which shows as late because something of the next coup is read before it.
    let late = format!("settle banca 2-9 1=0\nbet 7 seat 3 punto 5000 coup=1\n{aside}");
    assert_eq!(found_at_a_full_bank(&late), [(18, Code::BetLate, Some(1))]);
}

#[test]
fn what_is_set_aside_after_the_account_of_a_void_coup_counts_for_the_next() {
    let begin = "chemin\ntake 1 90000\nbet 1 seat 2 punto 90000\nclosed\ncards P:2D B:9C\nvoid\n";
    let back = "bank coup=1 bank=90000\ngaraje improper 15000\nsettle tie 0-0 1=90000 coup=1\n";
    let next = "bet 2 seat 2 punto 75000\nclosed\ncards P:2D B:9C P:KD B:KS\n\
        bank won=75000 c=3750 bank=146250 garaje=15000\nsettle banca 2-9 2=0\n";
    let scenario = &scenarios(&format!("== one\n{begin}{back}{next}"))[0];
    let record = Record::new("one".to_owned(), "T".to_owned(), scenario.events());
    let found = checked(&record, &record.read()).found;
    // The bank is below its maximum, so that nothing had to be set aside; what was is not in its next account.
    let codes: Vec<Code> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::GarajeAmount], "{found:#?}");
}

/// The codes that are found of a record.
fn found(lines: &str) -> Vec<Code> {
    let record = record(&format!("{lines}{COUP}"));
    checked(&record, &record.read()).found.iter().map(|found| found.code).collect()
}

/// Otherwise a thief who keeps the stakes of a void coup would deal one more card.
#[test]
fn a_card_that_was_not_due_hides_no_stake_of_a_void_coup() {
    let lines =
        "bet 1 seat 1 punto 1000\nclosed\ncards P:9D B:7C P:6D B:4C B:6H\nvoid\nsettle tie 0-0 1=0 coup=1\n";
    let found = found(lines);
    assert!(found.contains(&Code::VoidStakeKept), "{found:?}");
}

/// Which cards were dealt says nothing of when a bet was placed.
#[test]
fn a_misread_card_hides_no_late_bet() {
    let cards = "cards P:3D B:8H P:JH B:QS P:4D B:JS\nsettle punto 7-2 1=2000 2=0\n";
    let lines = format!("bet 1 seat 1 punto 1000\nclosed\nbet 2 seat 2 banca 1000\n{cards}");
    let found = found(&lines);
    assert!(found.contains(&Code::BetLate), "{found:?}");
}

/// A ruling concerns the coup that it names.
#[test]
fn a_ruling_on_the_next_coup_leaves_the_coup_in_play_as_it_is() {
    let ruled = "irregularity card-exposed by=inspector-1,manager-1 at=8 coup=2\n";
    let lines = format!(
        "bet 1 seat 1 punto 1000\nclosed\n{ruled}cards P:9D B:2C P:KD B:5S\nsettle punto 9-6 1=2000\n"
    );
    let found = alternatives(&record(&format!("{lines}{COUP}")).read());
    let total = Explanation::Misread { at: 11, coup: 1, what: Misread::Total(baccarat::Side::Banca) };
    assert_eq!(found, [[[total]]]);
}

/// What is remarked at a bank of 20,000, of which all is staked; the next coup follows.
fn at_the_bank(lines: &str) -> Vec<Vec<Vec<Explanation>>> {
    let begin = "chemin\ntake 1 20000\nbet 1 seat 2 punto 20000\nclosed\n";
    let at = if lines.contains("carta") { "at=6 " } else { "" };
    let next = format!("bet 2 seat 2 punto 20000\nclosed\ncards {at}P:9D B:2C P:KD B:5S\n");
    let scenario = &scenarios(&format!("== one\n{begin}{lines}{next}"))[0];
    alternatives(&Record::new("one".to_owned(), "T".to_owned(), scenario.events()).read())
}

#[test]
fn a_hand_that_may_choose_may_draw_or_stand() {
    let settled = "bank won=20000 c=1000 bank=39000\nsettle banca 5-7 1=0\n";
    assert!(at_the_bank(&format!("cards P:2D B:KC P:3S B:7S\n{settled}")).is_empty());
    let drew = "cards P:2D B:KC P:3S B:7S P:KS\n";
    assert!(at_the_bank(&format!("{drew}{settled}")).is_empty());
    assert!(at_the_bank(&format!("{drew}says banca no\n{settled}")).is_empty());
}

#[test]
fn what_a_hand_announced_and_an_account_may_be_recorded_twice() {
    let account = "bank won=20000 c=1000 bank=39000\n";
    let settled = "settle banca 5-7 1=0\n";
    let doubled = |found: Vec<Vec<Vec<Explanation>>>| match found.as_slice() {
        [one] => matches!(one[..], [ref only] if matches!(only[..], [Explanation::Doubled { coup: 1, .. }])),
        _ => false,
    };
    let cards = "cards P:2D B:KC P:3S B:7S\nsays punto no\n";
    assert!(doubled(at_the_bank(&format!("{cards}says punto no\n{account}{settled}"))));
    assert!(doubled(at_the_bank(&format!("{cards}{account}{account}{settled}"))));
    let after = "bank won=20000 c=1000 bank=39000 coup=1\n";
    assert!(at_the_bank(&format!("{cards}{settled}{after}")).is_empty(), "missed before, and recorded after");
    assert!(doubled(at_the_bank(&format!("{cards}{settled}{after}{after}"))));
}

/// A card that was announced is lost: that the next coup begins one position later shows it.
#[test]
fn a_card_that_was_announced_and_is_not_there_is_lost() {
    let found = at_the_bank(
        "cards P:2D B:KC P:3S B:7S\nsays punto carta\nsays banca no\n\
         bank won=20000 c=1000 bank=39000\nsettle banca 6-7 1=0\ncut at=6\n",
    );
    let lost = |one: &Explanation| matches!(one, Explanation::Lost { coup: 1, what: Lost::Card, .. });
    assert!(matches!(found.as_slice(), [one] if one.iter().all(|all| all.iter().any(lost))), "{found:?}");
}

#[test]
fn next_to_missing_events_nothing_is_explained() {
    let record = record(&format!("closed\ncards P:9D B:2C\nskip 2\nsettle punto 9-7\n{COUP}{COUP}"));
    let reading = record.read();
    assert!(alternatives(&reading).is_empty());
    let missing: Vec<usize> = reading.shoes[0].coups.iter().map(|coup| coup.missing.len()).collect();
    assert_eq!(missing, [1, 0, 0]);
}

/// It was read as more play of the shoe that had ended: a second burn, coups under used numbers, cards out of order.
#[test]
fn a_loading_that_was_lost_begins_a_shoe_all_the_same() {
    let lines = format!("{COUP}end 409\nshoe decks=8\nburn 2H 2\n{COUP}");
    let mut record = record(&lines);
    record.events.retain(|(sequence, event)| *sequence < 4 || event.body.name() != "ShoeLoaded");
    let events = record.events.iter().map(|(_, event)| event.clone());
    let record = Record::new(record.name.clone(), record.table.clone(), (1..).zip(events).collect());
    let reading = record.read();
    let lost = Explanation::Lost { at: 11, coup: 0, what: Lost::Loading };
    assert_eq!(alternatives(&reading), [[[lost]]]);
    let of = |shoe: &ShoeRecord<'_>| (shoe.began, shoe.is_loading_lost, shoe.coups.len(), shoe.burns.len());
    assert_eq!(reading.shoes.iter().map(of).collect::<Vec<_>>(), [(2, false, 1, 1), (11, true, 1, 1)]);
    let found = checked(&record, &reading).found;
    let codes: Vec<_> = found.iter().map(|found| (found.sequence, found.code)).collect();
    assert_eq!(codes, [(11, Code::ShoeMissing)]);
}

/// A bet of the next coup and the void of that coup, both recorded before the cards of the coup in play: each was too early, and
/// the coup in play has no late bet.
#[test]
fn a_bet_and_the_void_of_its_coup_may_both_be_too_early() {
    let lines = "bet 1 seat 1 punto 1000\nclosed\nbet 2 coup=2 seat 1 punto 1000\nvoid coup=2\n\
        cards P:9D B:2C P:KD B:5S coup=1\nsettle punto 9-7 1=2000 coup=1\nsettle punto 9-7 2=1000 coup=2\n";
    let record = record(lines);
    let reading = record.read();
    let early = |at| Explanation::Moved { at, coup: 2 };
    assert_eq!(alternatives(&reading), [[[early(6)]], [[early(7)]]]);
    let bets = reading.shoes[0].coups.iter().map(|coup| (coup.number, coup.bets.len()));
    assert_eq!(bets.collect::<Vec<_>>(), [(1, 1), (2, 1)]);
}

/// A void of the next coup that comes before the settlement: whatever is paid in the next coup was paid in a void coup.
#[test]
fn a_void_ahead_of_its_coup_is_read_with_it() {
    let second = "bet 2 seat 1 punto 1000\nclosed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7 2=2000\n";
    let lines = format!("closed\ncards P:9D B:2C P:KD B:5S\nvoid coup=2\nsettle punto 9-7 coup=1\n{second}");
    let record = record(&lines);
    let reading = record.read();
    let (void, settled) = (Explanation::Moved { at: 9, coup: 2 }, Explanation::Moved { at: 10, coup: 1 });
    assert_eq!(alternatives(&reading), [[[void], [settled]]]);
    let coup = &reading.shoes[0].coups[1];
    assert_eq!((coup.number, coup.rulings.len(), coup.bets.len()), (2, 1, 1));
    let found = checked(&record, &reading).found;
    let codes: Vec<_> = found.iter().map(|found| (found.code, found.coup)).collect();
    assert_eq!(codes, [(Code::CoupOverlap, Some(2)), (Code::VoidOverpaid, Some(2))]);
    assert_eq!(found[1].money, [SeatMoney::exactly(1, 1000)]);
}

/// Nothing was found of it at all: whoever paid a hand that had to draw could say that its card was lost.
#[test]
fn a_card_that_is_lost_at_the_end_of_the_record_is_a_finding() {
    let record =
        record("bet 1 seat 1 punto 1000\nclosed\ncards P:2D B:2C P:2H B:5S\nsettle punto 9-7 1=2000");
    let reading = record.read();
    let lost = Explanation::Lost { at: 10, coup: 1, what: Lost::Card };
    assert_eq!(alternatives(&reading), [[[lost]]]);
    let checked = checked(&record, &reading);
    let codes: Vec<_> = checked.found.iter().map(|found| (found.code, found.coup)).collect();
    assert_eq!(codes, [(Code::PuntoStood, Some(1))]);
}

/// The end of a shoe that was corrected was taken for a second one, so nobody asked for the order.
#[test]
fn an_end_that_was_corrected_has_to_reveal_the_order_all_the_same() {
    let begin = "open es-1979\nshoe commit=2H,3D,4D,9D,2C,KD,5S,rest\nburn 2H 2\n";
    let lines = format!("== one\n{begin}{COUP}end 304\ncorrect back=1 end 305\n");
    let record = Record::new("one".to_owned(), "T".to_owned(), scenarios(&lines)[0].events());
    let found = checked(&record, &record.read()).found;
    let codes: Vec<_> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::ShoeOrderCommitment]);
}
