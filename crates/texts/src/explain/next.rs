//! What an inspector does next.

use replay::{Code, Reason};

use crate::{Texts, texts};

impl Texts {
    /// What an inspector does next with a finding of this code.
    #[must_use]
    pub fn what_next(self, code: Code) -> String {
        match code {
            Code::ShoeDecks
            | Code::ShoeCount
            | Code::ShoeSurplusCard
            | Code::ShoeCardsLeft
            | Code::ShoeMissing
            | Code::ShoeIdReused
            | Code::DeckReused => self.next_look_at_the_shoe(),
            Code::ShoeOrderCommitment => self.next_ask_for_the_order(),
            Code::ShoeCutDepth
            | Code::CutCardPosition
            | Code::CutCardMissing
            | Code::CoupAfterLast
            | Code::ShoeNotEnded
            | Code::PlayAfterEnd => self.next_look_at_the_cut_card(),
            Code::BurnCount | Code::BurnMissing | Code::BurnRepeated => self.next_look_at_the_burn(),
            Code::ShoePosition | Code::DealShort | Code::ThirdCardUnseen => self.next_look_for_the_card(),
            Code::CardBeforeBetsClosed
            | Code::BetLate
            | Code::BetWithdrawnLate
            | Code::BetCorrectedLate
            | Code::CorrectedLate => self.next_compare_the_close(),
            Code::BetBelowMinimum
            | Code::BetAboveMaximum
            | Code::BetMultiple
            | Code::BetForbiddenPair
            | Code::BetWithoutMain
            | Code::BetAboveMain
            | Code::LimitsRatio
            | Code::LimitsRange
            | Code::LimitsInCoup => self.next_ask_for_the_limits(),
            Code::BetUnknown
            | Code::BetNotSettled
            | Code::BetSettledTwice
            | Code::CoupNotSettled
            | Code::CoupSettledTwice
            | Code::BetKind => self.next_follow_the_lines(),
            Code::PayoutWrongSeat => self.next_look_at_the_seats_paid(),
            Code::CommissionMissing | Code::CommissionWrong => self.next_follow_the_commission(),
            Code::CommissionUncollected | Code::CommissionOverCollected => self.next_follow_the_boxes(),
            Code::VoidStakeKept | Code::VoidOverpaid => self.next_follow_the_stakes_back(),
            Code::CardRemoved => self.next_hear_about_the_card(),
            Code::RulingNotFollowed | Code::ClaimAfterPayment => self.next_hear_about_the_consequence(),
            Code::CorrectionTarget => self.next_compare_the_correction(),
            Code::SameSigner | Code::RulingUnsigned | Code::SignerPlays => self.next_hear_the_signers(),
            Code::RulebookNotApproved
            | Code::RulebookNotInForce
            | Code::RulebookAltered
            | Code::RulebookTwoTexts => self.next_ask_which_rulebook(),
            Code::TableNotOpen
            | Code::TableAlreadyOpen
            | Code::TableSeats
            | Code::GameWrong
            | Code::CurrencyWrong
            | Code::CurrencyChanged => self.next_ask_about_the_opening(),
            Code::BetSeat | Code::BetPlace | Code::SeatWrong => self.next_look_at_the_seats(),
            Code::PuntoHolder
            | Code::PuntoHolderLate
            | Code::DealOfferOrder
            | Code::DealNotOffered
            | Code::DealTakenAway
            | Code::DealKept
            | Code::DealByCroupier => self.next_look_at_the_dealer(),
            Code::BankWrong
            | Code::BankNotSettled
            | Code::BankAboveMaximum
            | Code::BankBelowMinimum
            | Code::GarajeNotAllowed
            | Code::GarajeAmount
            | Code::GarajeMissing
            | Code::TodoVa
            | Code::StakesAboveBank
            | Code::BancoStake
            | Code::AbonoNotAllowed
            | Code::AbonoCount
            | Code::AbonoAmount => self.next_follow_the_bank(),
            Code::BankMissing
            | Code::BankTurn
            | Code::BankKept
            | Code::BankTakenAway
            | Code::BankNotDealt
            | Code::BankBelowPassed
            | Code::AuctionExcluded
            | Code::AuctionWinner
            | Code::SaludoOwed
            | Code::SeatKept
            | Code::PlayersTooFew
            | Code::LeaveWrong
            | Code::BancoPriority
            | Code::BancoSeguido
            | Code::BancoLate => self.next_hear_the_croupier(),
            Code::NameLookAlike => self.next_ask_whose_the_names_are(),
            Code::NameUnseen => self.next_ask_who_wrote_the_name(),
            Code::SequenceConflict => self.next_compare_both_events(),
            Code::SequenceLate | Code::RecordedLate => self.next_ask_about_the_delay(),
            Code::TimeBackwards | Code::ClockAhead => self.next_ask_about_the_clock(),
            Code::MoreThanKept => self.next_ask_why_so_many(),
            Code::SequenceGap => self.next_ask_for_the_rest(),
            Code::CoupsNotRecorded => self.next_ask_for_the_coups(),
            Code::BetIdReused
            | Code::CoupNumber
            | Code::CoupLabel
            | Code::CoupOverlap
            | Code::CoupSettledEarly => self.next_compare_the_records(),
            Code::PayoutOver | Code::PayoutUnder => self.next_follow_the_money(),
            Code::DealOrder
            | Code::NaturalDrawn
            | Code::PuntoDrew
            | Code::PuntoStood
            | Code::BancaDrew
            | Code::BancaStood
            | Code::ExtraCard
            | Code::TotalWrong
            | Code::WinnerWrong
            | Code::DrawNotAsDecided => self.next_see_the_coup(),
        }
    }

    /// What an inspector does next where something is undecided for this reason.
    #[must_use]
    pub fn what_next_undecided(self, reason: Reason) -> String {
        match reason {
            Reason::EventsMissing | Reason::EntryUnreadable => self.next_ask_for_the_rest(),
            Reason::LeftOut => self.next_verify_with_the_rest(),
            Reason::PayloadWithheld => self.next_ask_for_the_payload(),
            Reason::EventUnknown | Reason::RulebookUnreadable => self.next_newer_program(),
            Reason::RulebookMissing | Reason::RulebookUnapproved => self.next_ask_for_the_rulebook(),
            Reason::NotSettledYet | Reason::NotEndedYet | Reason::NotCollectedYet => self.next_verify_later(),
            Reason::CardUnread | Reason::SuitUnread => self.next_read_the_card(),
            Reason::Voided | Reason::Ruled => self.next_hear_the_ruling(),
            Reason::Corrected => self.next_check_the_correction(),
            Reason::RuleSilent => self.next_ask_the_authority(),
            Reason::LimitsUnknown => self.next_ask_which_limits(),
            Reason::PlayerUnnamed => self.next_ask_who_bet(),
            Reason::NameLookAlike => self.next_ask_whose_the_names_are(),
            Reason::BetAfterCardsByClock => self.next_see_when_it_was_bet(),
            Reason::MoreThanKept => self.next_ask_why_so_many(),
            Reason::ShoeMissing
            | Reason::PlayersNotCounted
            | Reason::BurnNotRecorded
            | Reason::DealNotRecorded
            | Reason::HolderNotRecorded => self.next_other_evidence(),
        }
    }
}

texts! {
    next_see_the_coup()
        "look at the coup with audit show coup, compare it with the video and the table sheet, and take a proof of it with you: audit prove coup"
        "mire la jugada con audit show coup, compárela con el vídeo y la hoja de mesa, y llévese una prueba: audit prove coup";
    next_follow_the_money()
        "the finding says which seat was overpaid or underpaid, and by how much; look at the bets with audit show coup, ask whether the sum was put right, and take a proof with you: audit prove coup"
        "el hallazgo dice qué departamento recibió cuánto de más o de menos; mire las apuestas con audit show coup, pregunte si la cantidad se regularizó y llévese una prueba: audit prove coup";
    next_compare_the_records()
        "ask the operator for the table system's own record of these events and compare the two; take a proof of the entry with you: audit prove entry"
        "pida al operador el registro propio del sistema de la mesa para estos sucesos y compare los dos; llévese una prueba de la entrada: audit prove entry";
    next_hear_the_signers()
        "interview those who signed and those who should have; their names are in the event that the finding names"
        "oiga a quien firmó y a quien debió firmar; los nombres están en el suceso que el hallazgo señala";
    next_ask_for_the_rest()
        "ask for a complete copy of the log and verify it against the checkpoint of your last visit; what is missing there too is missing from the record"
        "pida una copia completa del registro y verifíquela con el punto de control de su última visita; lo que también falte allí falta en el registro";
    next_ask_for_the_coups()
        "ask since when this table is recorded, and why; ask for the house's own papers on the coups that are not here, and count how often it happens at this table"
        "pregunte desde cuándo se registra esta mesa, y por qué; pida lo que la casa conserve de las jugadas que faltan, y cuente cuántas veces ocurre en esta mesa";
    next_verify_with_the_rest()
        "verify the whole log instead of the slice; if it continues another log, verify both together with audit verify fleet"
        "verifique el registro completo en lugar del extracto; si continúa otro registro, verifique ambos juntos con audit verify fleet";
    next_ask_for_the_payload()
        "ask for a copy that does not withhold it; where it was erased, the notice in the log says who ordered it and why"
        "pida una copia que no lo retenga; si se borró, el aviso del registro dice quién lo ordenó y por qué";
    next_newer_program()
        "verify the log with a newer version of this program"
        "verifique el registro con una versión más nueva de este programa";
    next_ask_for_the_rulebook()
        "ask which rulebook the table was licensed for, and why it was opened without it"
        "pregunte con qué reglamento estaba autorizada la mesa y por qué se abrió sin él";
    next_verify_later()
        "nothing is wrong: verify again once the shoe is over"
        "no hay nada malo: verifique de nuevo cuando termine el sabot";
    next_other_evidence()
        "the log alone cannot decide this; look at the coup with audit show coup and decide it by the video or the table sheet"
        "el registro solo no puede decidirlo; mire la jugada con audit show coup y decídalo con el vídeo o la hoja de mesa";
    next_look_at_the_shoe()
        "keep the cards of the shoe, if they are still there, and have them counted; ask for the record of which decks were delivered, checked and loaded, and list the coups with audit show shoe"
        "guarde las cartas del sabot, si aún están, y haga que se cuenten; pida el registro de qué barajas se entregaron, comprobaron y cargaron, y enumere las jugadas con audit show shoe";
    next_ask_for_the_order()
        "ask the supplier of the cards or the shuffling machine for the order and the nonce that were committed to, and compare them with the end of the shoe as recorded"
        "pida al proveedor de las cartas o de la barajadora el orden y el número aleatorio comprometidos, y compárelos con el final del sabot tal como consta";
    next_look_at_the_cut_card()
        "list the coups with audit show shoe and see on the video where the cut card was put, when it came out and which coup was dealt last"
        "enumere las jugadas con audit show shoe y vea en el vídeo dónde se puso la carta de detención, cuándo salió y qué jugada se repartió la última";
    next_look_at_the_burn()
        "see on the video how many cards were burned before the first coup, and after which first card; without the video ask for the table sheet of that shoe"
        "vea en el vídeo cuántas cartas se quemaron antes de la primera jugada, y tras qué primera carta; si no hay vídeo, pida la hoja de mesa de ese sabot";
    next_look_for_the_card()
        "see on the video which card was at that position and to whom it went; print the coup with audit show coup and ask whether a card was dealt that the table did not read"
        "vea en el vídeo qué carta estaba en esa posición y a quién fue; imprima la jugada con audit show coup y pregunte si se dio alguna carta que la mesa no leyó";
    next_compare_the_close()
        "see on the video whether the chips moved before or after «no va más»; the finding says what the bet won or saved by it. Look at who else bets like that at this table, and take a proof with you: audit prove coup"
        "vea en el vídeo si las fichas se movieron antes o después del «no va más»; el hallazgo dice lo que la apuesta ganó o se ahorró. Mire quién más apuesta así en esta mesa y llévese una prueba: audit prove coup";
    next_ask_for_the_limits()
        "compare the limits that the table recorded with those on its sign and with those it is licensed for; look at the bets of that player with audit show coup"
        "compare los límites que registró la mesa con los de su cartel y con los que tiene autorizados; mire las apuestas de ese jugador con audit show coup";
    next_follow_the_lines()
        "look at the bets with audit show coup, see on the video which chips were there and what was paid, and ask whether the sum was put right afterwards; take a proof with you: audit prove coup"
        "mire las apuestas con audit show coup, vea en el vídeo qué fichas había y qué se pagó, y pregunte si la cantidad se regularizó después; llévese una prueba: audit prove coup";
    next_look_at_the_seats_paid()
        "the finding names both seats; see on the video whose chips were pushed where, and ask whether the seat that was left out was paid later. A proof to take with you: audit prove coup"
        "el hallazgo nombra los dos departamentos; vea en el vídeo a quién se pagó, y pregunte si al que quedó sin cobrar se le pagó después. Una prueba para llevarse: audit prove coup";
    next_follow_the_commission()
        "print the boxes with audit show commission and see whether the house took the sum later; ask whether the dealer or the table system computes it, since an error of a system comes again and again"
        "imprima las casillas con audit show commission y vea si la casa cobró la cantidad después; pregunte si la calcula quien reparte o el sistema de la mesa, porque un error de un sistema se repite";
    next_follow_the_boxes()
        "print the box of that seat with audit show commission; ask the cashier whether the sum was collected after the record ended, or given back to the player"
        "imprima la casilla de ese departamento con audit show commission; pregunte en caja si la cantidad se cobró después del final del registro, o si se devolvió al jugador";
    next_follow_the_stakes_back()
        "the finding says which seat was overpaid or underpaid, and by how much; ask why the coup was declared void, interview those who signed it, and ask whether every player has the stake back"
        "el hallazgo dice qué departamento recibió cuánto de más o de menos; pregunte por qué se anuló la jugada, oiga a quienes lo firmaron y pregunte si cada jugador recuperó lo apostado";
    next_hear_about_the_card()
        "ask who took the card out and why no ruling was recorded; see on the video what the next card would have changed, and print the coup with audit show coup"
        "pregunte quién retiró la carta y por qué no consta ninguna resolución; vea en el vídeo qué habría cambiado la carta y muestre la jugada con audit show coup";
    next_hear_about_the_consequence()
        "interview those who ruled and countersigned, and put the paragraph of the rulebook in front of them (audit rules show); print the coup with audit show coup"
        "oiga a quien resolvió y a quien refrendó, con el párrafo del reglamento delante (audit rules show); muestre la jugada con audit show coup";
    next_compare_the_correction()
        "take the correction and the event that it names with you with audit prove entry; ask the operator what was to be corrected, and whether a right correction was recorded later"
        "llévese la corrección y el suceso que nombra con audit prove entry; pregunte al operador qué se quería corregir y si después se registró una corrección acertada";
    next_ask_which_rulebook()
        "ask for the text of this rulebook and print with audit rules diff what differs from the one you approved; ask who gave it to the table, and since when it is in use. Where the text is right, verify again with --approved and its digest"
        "pida el texto de este reglamento e imprima con audit rules diff lo que difiere del que usted aprobó; pregunte quién lo dio a la mesa y desde cuándo se usa. Si el texto es correcto, verifique de nuevo con --approved y su huella";
    next_ask_about_the_opening()
        "ask the operator how the table was opened that day, and compare it with the opening sheet; what the table system sends there is set up once, so look at its other days as well"
        "pregunte al operador cómo se abrió la mesa ese día y compárelo con la hoja de apertura; lo que el sistema de la mesa envía ahí se configura una vez, así que mire también los demás días";
    next_look_at_the_seats()
        "see on the video who sat there and who put the chips down; list who came and went with the table sheet, since the record of one seat is wrong"
        "vea en el vídeo quién se sentaba allí y quién puso las fichas; repase con la hoja de mesa quién llegó y se marchó, porque el registro de un departamento no es correcto";
    next_look_at_the_dealer()
        "no amount is affected; see on the video who had the shoe and punto's cards, and ask the croupier. Where it happens often, look at whose cards they were"
        "ningún importe queda afectado; vea en el vídeo quién tenía el sabot y las cartas del punto, y pregunte al crupier. Si ocurre a menudo, mire de quién eran las cartas";
    next_follow_the_bank()
        "list the coups with audit show shoe, which prints the bank before and after each; count the chips on the video, and ask whether banker and players settled the difference. A proof to take with you: audit prove coup"
        "enumere las jugadas con audit show shoe, que muestra la banca antes y después de cada una; cuente las fichas en el vídeo y pregunte si el banquero y los jugadores saldaron la diferencia. Una prueba para llevarse: audit prove coup";
    next_hear_the_croupier()
        "list the coups with audit show shoe, which shows who had the bank in each; interview the croupier and the player who was passed over, with the paragraph of the rulebook in front of them"
        "enumere las jugadas con audit show shoe, que muestra quién tuvo la banca en cada una; oiga al crupier y al jugador perjudicado, con el párrafo del reglamento delante";
    next_compare_both_events()
        "take both entries with you with audit prove entry and ask the operator which of the two events is the table's; a number given twice means that the table system began again, or that somebody else wrote in its name"
        "llévese las dos entradas con audit prove entry y pregunte al operador cuál de los dos sucesos es de la mesa; un número dado dos veces indica que el sistema de la mesa volvió a empezar, o que otro escribió en su nombre";
    next_ask_about_the_delay()
        "ask the operator where the events were meanwhile (a line that was down, a table system that was off) and who could change them there; compare them with the table system's own record"
        "pregunte al operador dónde estuvieron los sucesos entre tanto (una línea caída, un sistema de mesa apagado) y quién pudo cambiarlos allí; compárelos con el registro propio del sistema de la mesa";
    next_ask_about_the_clock()
        "ask how the table's clock is set and when it was set last; until it is right, do not match its times with the video by the clock alone, but coup by coup"
        "pregunte cómo se pone en hora el reloj de la mesa y cuándo se hizo por última vez; mientras no sea correcto, no case sus horas con el vídeo solo por el reloj, sino jugada a jugada";
    next_read_the_card()
        "the log alone cannot decide this: read the card off the video or the table sheet and work the coup out with audit show coup; ask why the table did not read it"
        "el registro solo no puede decidirlo: lea la carta en el vídeo o en la hoja de mesa y resuelva la jugada con audit show coup; pregunte por qué la mesa no la leyó";
    next_hear_the_ruling()
        "whether the ruling was right the log cannot show: interview those who signed and countersigned it, and see on the video what it was about"
        "si la resolución fue acertada no lo puede mostrar el registro: oiga a quien la firmó y a quien la refrendó, y vea en el vídeo de qué se trataba";
    next_check_the_correction()
        "ask what was corrected and why so late; work the coup out again by the video or the table sheet, with the correction in hand"
        "pregunte qué se corrigió y por qué tan tarde; resuelva la jugada de nuevo con el vídeo o la hoja de mesa, con la corrección en la mano";
    next_ask_the_authority()
        "the rulebook does not say what follows here; ask the authority how it reads the rule, and have it written into the next rulebook"
        "el reglamento no dice qué se sigue aquí; pregunte a la autoridad cómo interpreta la regla y haga que conste en el próximo reglamento";
    next_ask_which_limits()
        "ask for the events that are missing, or for the sheet that says which limits were in force at that time; compare the stake with them"
        "pida los sucesos que faltan, o la hoja que diga qué límites estaban vigentes entonces; compare con ellos lo apostado";
    next_ask_whose_the_names_are()
        "ask the operator which people these two names belong to, and how each came into the table's system; what one person did under both, add up; of a shoe or its decks, ask to see the decks of both shoes"
        "pregunte al operador de qué personas son los dos nombres y cómo llegó cada uno al sistema de la mesa; sume lo que una misma persona hizo con ambos; si son de un sabot o de sus barajas, pida ver las barajas de los dos sabots";
    next_ask_who_wrote_the_name()
        "ask the operator which system wrote the name and why it holds characters that cannot be seen; look for the same name without them"
        "pregunte al operador qué sistema escribió el nombre y por qué contiene caracteres que nadie ve; busque el mismo nombre sin ellos";
    next_see_when_it_was_bet()
        "see on the video whether the bet was there before the first card; ask how the table's clock is set, and who can write an event with a time and a number that contradict each other"
        "vea en el vídeo si la apuesta estaba puesta antes de la primera carta; pregunte cómo se pone en hora el reloj de la mesa y quién puede escribir un suceso cuya hora y cuyo número se contradicen";
    next_ask_why_so_many()
        "ask the operator why the table recorded so many, and look at what came after the first of them by hand, with audit show and the table system's own record"
        "pregunte al operador por qué la mesa registró tantos y examine a mano lo que vino después, con audit show y el registro propio del sistema de la mesa";
    next_ask_who_bet()
        "see on the video whose the bet without a name is, and add up what that player has on it; ask that tables name the players of all bets or of none"
        "vea en el vídeo de quién es la apuesta sin nombre y sume lo que ese jugador tiene en ella; pida que las mesas nombren a los jugadores de todas las apuestas o de ninguna";
}
