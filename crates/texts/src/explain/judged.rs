//! How the judge comes to a finding.

use replay::Code;

use crate::{Texts, texts};

impl Texts {
    /// How the judge comes to a finding of this code.
    #[must_use]
    pub fn how_judged(self, code: Code) -> String {
        match code {
            Code::ShoeSurplusCard | Code::ShoeCardsLeft => self.judged_by_the_shoe(),
            Code::CutCardPosition | Code::CutCardMissing | Code::CoupAfterLast => {
                self.judged_by_the_cut_card()
            }
            Code::BurnCount | Code::BurnMissing | Code::BurnRepeated => self.judged_by_the_burn(),
            Code::DealOrder => self.judged_by_the_order(),
            Code::PuntoDrew | Code::PuntoStood | Code::BancaDrew | Code::BancaStood => {
                self.judged_by_the_tableau()
            }
            Code::TotalWrong | Code::WinnerWrong => self.judged_by_the_values(),
            Code::BetSeat | Code::BetPlace | Code::TableSeats | Code::SeatWrong => self.judged_by_the_seats(),
            Code::BetBelowMinimum | Code::BetAboveMaximum | Code::BetMultiple => self.judged_by_the_limits(),
            Code::CommissionMissing | Code::CommissionWrong => self.judged_by_the_commission(),
            Code::PayoutOver | Code::PayoutUnder | Code::PayoutWrongSeat => self.judged_by_the_payouts(),
            Code::BetLate | Code::BetWithdrawnLate => self.judged_by_the_close(),
            Code::BankMissing
            | Code::BankTurn
            | Code::BankKept
            | Code::BankTakenAway
            | Code::BankNotDealt
            | Code::SaludoOwed
            | Code::SeatKept => self.judged_by_the_bank(),
            Code::ShoeDecks | Code::ShoeCount | Code::ShoeCutDepth => self.judged_by_the_loading(),
            Code::ShoePosition => self.judged_by_the_positions(),
            Code::ShoeOrderCommitment => self.judged_by_the_commitment(),
            Code::ShoeMissing => self.judged_by_the_loaded_shoe(),
            Code::ShoeNotEnded | Code::PlayAfterEnd => self.judged_by_the_end_of_the_shoe(),
            Code::ShoeIdReused | Code::DeckReused => self.judged_by_what_came_before(),
            Code::NaturalDrawn => self.judged_by_the_natural(),
            Code::ExtraCard => self.judged_by_three_cards(),
            Code::DealShort => self.judged_by_two_cards_each(),
            Code::PuntoHolder | Code::PuntoHolderLate => self.judged_by_who_holds(),
            Code::DealOfferOrder
            | Code::DealNotOffered
            | Code::DealTakenAway
            | Code::DealKept
            | Code::DealByCroupier => self.judged_by_the_turn_to_deal(),
            Code::DrawNotAsDecided => self.judged_by_what_was_announced(),
            Code::ThirdCardUnseen => self.judged_by_the_open_card(),
            Code::CardBeforeBetsClosed => self.judged_by_the_close_before_the_card(),
            Code::BetCorrectedLate => self.judged_by_the_corrected_bet(),
            Code::CorrectedLate => self.judged_by_the_corrected_decision(),
            Code::LimitsRatio | Code::LimitsRange => self.judged_by_the_limits_stated(),
            Code::LimitsInCoup => self.judged_by_the_limits_between_coups(),
            Code::BetForbiddenPair => self.judged_by_the_bets_beside(),
            Code::BetWithoutMain | Code::BetAboveMain => self.judged_by_the_main_bet(),
            Code::BetKind => self.judged_by_the_kinds(),
            Code::BetUnknown | Code::BetNotSettled | Code::BetSettledTwice => self.judged_by_the_lines(),
            Code::CoupNotSettled | Code::CoupSettledTwice => self.judged_by_the_settlements(),
            Code::CommissionUncollected | Code::CommissionOverCollected => self.judged_by_the_boxes(),
            Code::BetIdReused => self.judged_by_the_ids_of_bets(),
            Code::CoupNumber | Code::CoupLabel => self.judged_by_the_numbers_of_coups(),
            Code::CoupOverlap | Code::CoupSettledEarly => self.judged_by_coup_after_coup(),
            Code::TableNotOpen | Code::TableAlreadyOpen => self.judged_by_the_opening(),
            Code::RulebookNotApproved | Code::RulebookAltered | Code::RulebookTwoTexts => {
                self.judged_by_the_digest()
            }
            Code::RulebookNotInForce => self.judged_by_the_day(),
            Code::CurrencyWrong | Code::CurrencyChanged => self.judged_by_the_currency(),
            Code::GameWrong => self.judged_by_the_game(),
            Code::SequenceGap => self.judged_by_the_numbering(),
            Code::CoupsNotRecorded => self.judged_by_the_first_coup(),
            Code::SequenceLate => self.judged_by_what_came_late(),
            Code::MoreThanKept => self.judged_by_what_is_kept(),
            Code::SequenceConflict => self.judged_by_the_first_of_its_number(),
            Code::TimeBackwards => self.judged_by_the_table_clock(),
            Code::ClockAhead => self.judged_by_the_log_clock(),
            Code::RecordedLate => self.judged_by_the_delay(),
            Code::CardRemoved => self.judged_by_the_removed_card(),
            Code::RulingNotFollowed => self.judged_by_the_consequence(),
            Code::VoidStakeKept | Code::VoidOverpaid => self.judged_by_the_void(),
            Code::CorrectionTarget => self.judged_by_the_corrected_event(),
            Code::SameSigner | Code::RulingUnsigned => self.judged_by_two_people(),
            Code::SignerPlays => self.judged_by_who_plays(),
            Code::NameLookAlike => self.judged_by_the_look_of_names(),
            Code::NameUnseen => self.judged_by_the_characters_of_names(),
            Code::ClaimAfterPayment => self.judged_by_the_payment(),
            Code::AuctionExcluded | Code::AuctionWinner | Code::BankBelowPassed => {
                self.judged_by_the_auction()
            }
            Code::BankWrong | Code::BankNotSettled => self.judged_by_the_account(),
            Code::BankBelowMinimum | Code::BankAboveMaximum => self.judged_by_the_size_of_the_bank(),
            Code::PlayersTooFew => self.judged_by_the_players(),
            Code::LeaveWrong => self.judged_by_the_leave(),
            Code::GarajeNotAllowed | Code::GarajeAmount | Code::GarajeMissing | Code::TodoVa => {
                self.judged_by_the_garaje()
            }
            Code::BancoStake | Code::BancoPriority | Code::BancoSeguido | Code::BancoLate => {
                self.judged_by_the_banco()
            }
            Code::AbonoNotAllowed | Code::AbonoCount | Code::AbonoAmount => self.judged_by_the_abonos(),
            Code::StakesAboveBank => self.judged_by_all_stakes(),
        }
    }
}

texts! {
    judged_by_the_shoe()
        "every card that comes out is counted against the decks that were loaded; no card can come out more often than they hold it, and what is left must be the rest"
        "cada carta que sale se cuenta contra las barajas que se cargaron; ninguna puede salir más veces de las que la contienen, y lo que queda debe ser el resto";
    judged_by_the_cut_card()
        "the position of every card is counted on from the first; the cut card lies where the shoe was loaded with it, and the rulebook says which coup is then the last"
        "se cuenta la posición de cada carta desde la primera; la carta de detención está donde se puso al cargar el sabot, y el reglamento dice qué jugada es entonces la última";
    judged_by_the_burn()
        "the rulebook says how many cards are burned, often from the first card; the recorded burn is counted before the first coup"
        "el reglamento dice cuántas cartas se queman, a menudo según la primera; la quema registrada se cuenta antes de la primera jugada";
    judged_by_the_order()
        "the rulebook says in which order the first four cards fall; each is compared with the hand that it went to"
        "el reglamento dice en qué orden caen las cuatro primeras cartas; cada una se compara con la mano a la que fue";
    judged_by_the_tableau()
        "both totals are computed from the cards; the tableau of the rulebook says whether a third card is drawn, by the total and, for banca, by the value of punto's third card. audit show coup prints each step"
        "ambas puntuaciones se calculan de las cartas; el cuadro del reglamento dice si se pide tercera carta, según los puntos y, para la banca, según el valor de la tercera carta del punto. audit show coup muestra cada paso";
    judged_by_the_values()
        "totals and winner are computed from the cards, never taken from what was announced, and then compared with it"
        "las puntuaciones y la mano ganadora se calculan de las cartas, nunca se toman de lo anunciado, y después se comparan con ello";
    judged_by_the_seats()
        "the seats are those of the rulebook and of the table's opening; who sits where follows from the recorded arrivals and departures"
        "los departamentos son los del reglamento y los de la apertura de la mesa; quién se sienta dónde se sigue de las llegadas y salidas registradas";
    judged_by_the_limits()
        "the bets of one player on one thing are added up at the close and compared with the limits that were in force at the table"
        "las apuestas de un jugador a una misma cosa se suman al «no va más» y se comparan con los límites vigentes en la mesa";
    judged_by_the_commission()
        "the commission on each winning bet is computed by the rulebook's rate and rounding; boxes are added up by shoe and seat. audit show commission prints them"
        "la comisión de cada apuesta ganadora se calcula con el tipo y el redondeo del reglamento; las casillas se suman por sabot y departamento. audit show commission las muestra";
    judged_by_the_payouts()
        "what each bet returns is computed from the cards by the rulebook's paytable and compared, bet by bet, with what was recorded"
        "lo que devuelve cada apuesta se calcula de las cartas con la tabla de pagos del reglamento y se compara, apuesta por apuesta, con lo registrado";
    judged_by_the_close()
        "after «no va más» or the first card nothing may be bet, taken back or changed; the order of the events decides"
        "después del «no va más» o de la primera carta no se puede apostar, retirar ni cambiar nada; decide el orden de los sucesos";
    judged_by_the_bank()
        "who has the bank, what it holds and whose turn it is are followed coup by coup from the opening of the table; each call and each sum is compared with that account"
        "quién tiene la banca, cuánto contiene y de quién es el turno se siguen jugada a jugada desde la apertura de la mesa; cada petición y cada cantidad se compara con esa cuenta";
    judged_by_the_loading()
        "what was recorded when the shoe was loaded (its decks, its cards, where the cut card was put) is compared with what the rulebook asks for"
        "lo que se registró al cargar el sabot (sus barajas, sus cartas, dónde se puso la carta de detención) se compara con lo que pide el reglamento";
    judged_by_the_positions()
        "every card carries its position in the shoe, those burned and removed as well; each position must be the one after the last"
        "cada carta lleva su posición en el sabot, también las quemadas y las retiradas; cada posición debe ser la que sigue a la última";
    judged_by_the_commitment()
        "when the shoe was loaded a digest of the order of its cards was recorded; the order made known at its end must give that digest, hold the decks' cards and agree with what came out"
        "al cargar el sabot se registró una huella del orden de sus cartas; el orden que se da a conocer al final debe dar esa huella, contener las cartas de las barajas y concordar con las que salieron";
    judged_by_the_loaded_shoe()
        "a card may only come out of a shoe that was loaded before; without one it is not known which cards there were"
        "una carta solo puede salir de un sabot que se haya cargado antes; sin él nadie sabe qué cartas había";
    judged_by_the_end_of_the_shoe()
        "a shoe goes from its loading to its recorded end; the end must come before the next shoe and before the table closes, and nothing is dealt after it"
        "un sabot va desde que se carga hasta su final registrado; el final debe constar antes del sabot siguiente y del cierre de la mesa, y detrás no se reparte nada";
    judged_by_what_came_before()
        "the ids of shoes and the serial numbers of decks are remembered for each table, the newest 65,536 of each; unless the rulebook allows it none may come again"
        "se recuerdan por mesa los identificadores de los sabots y los números de serie de las barajas, los 65.536 más nuevos de cada clase; si el reglamento no lo permite, ninguno puede repetirse";
    judged_by_the_natural()
        "both totals are computed from the first four cards; an 8 or a 9 of either hand ends the coup, and no card may follow. audit show coup prints each step"
        "ambas puntuaciones se calculan de las cuatro primeras cartas; un 8 o un 9 de cualquiera de las manos termina la jugada, y no puede seguir ninguna carta. audit show coup muestra cada paso";
    judged_by_three_cards()
        "the cards of each hand are counted: none has more than three"
        "se cuentan las cartas de cada mano: ninguna tiene más de tres";
    judged_by_two_cards_each()
        "the cards of each hand are counted at the settlement: each must have two at least, or totals and payouts cannot be derived"
        "se cuentan las cartas de cada mano en la liquidación: cada una debe tener dos al menos, o no se pueden derivar puntuaciones ni pagos";
    judged_by_who_holds()
        "between the close and the first card it is recorded, once, who holds punto's cards; who it has to be is derived from the bets at the close and from who sits"
        "entre el «no va más» y la primera carta se registra, una vez, quién lleva las cartas del punto; quién ha de ser se deriva de las apuestas del cierre y de quién se sienta";
    judged_by_the_turn_to_deal()
        "the deal is followed from offer to offer: upwards from the lowest seat, kept until punto wins, or until its dealer gives it up or leaves; every offer and answer is compared with whose turn it was"
        "el reparto se sigue de ofrecimiento en ofrecimiento: hacia arriba desde el departamento más bajo, y se conserva hasta que gana el punto o quien lo tiene lo cede o se marcha; cada ofrecimiento y cada respuesta se compara con de quién era el turno";
    judged_by_what_was_announced()
        "what a hand announced («carta» or «no») is compared with whether it was dealt a card, where both hands drew by the rules"
        "lo que anunció una mano («carta» o «no») se compara con si se le dio carta, cuando ambas manos jugaron según las reglas";
    judged_by_the_open_card()
        "a third card is dealt face up here, so the table could read it: its rank has to be recorded"
        "aquí la tercera carta se da descubierta, así que la mesa pudo leerla: su valor tiene que constar";
    judged_by_the_close_before_the_card()
        "«no va más» must be recorded before the first card of its coup; the order of the events decides"
        "el «no va más» debe constar antes de la primera carta de su jugada; decide el orden de los sucesos";
    judged_by_the_corrected_bet()
        "a bet cannot be changed once a card of its coup was drawn: what was staked before the first card counts, and the money is the difference between what the seat got by the record as corrected and what was due by the first bet"
        "una apuesta no puede cambiar cuando ya ha salido una carta de su jugada: vale lo apostado antes de la primera carta, y el dinero es la diferencia entre lo que el departamento cobró según el registro corregido y lo que correspondía a la primera apuesta";
    judged_by_the_corrected_decision()
        "what had been decided before the cards (the bank, an abono, a call, what is set aside, who holds the cards, what a hand announced, what the shoe was loaded with) counts; the coup is judged with it and with the correction, and the difference is the finding and its money"
        "vale lo decidido antes de las cartas (la banca, un abono, un banco, el garaje, quién lleva las cartas, lo que anunció una mano, con qué se cargó el sabot); la jugada se juzga así y con la corrección, y la diferencia es el hallazgo y su dinero";
    judged_by_the_limits_stated()
        "the limits recorded for the table are compared with one another and with the ratios and multiples that the rulebook allows"
        "los límites registrados para la mesa se comparan entre sí y con las proporciones y múltiplos que permite el reglamento";
    judged_by_the_limits_between_coups()
        "the limits in force when a coup begins hold to its end; a change recorded in between counts from the next coup on"
        "los límites vigentes al empezar una jugada valen hasta que termina; un cambio registrado entre medias cuenta desde la jugada siguiente";
    judged_by_the_bets_beside()
        "the bets of one player in a coup are taken together at the close, over all seats, and compared with the pairs that the rulebook forbids"
        "las apuestas de un jugador en una jugada se toman juntas al «no va más», de todos los departamentos, y se comparan con las parejas que prohíbe el reglamento";
    judged_by_the_main_bet()
        "a player's side bet is compared at the close with what the same player has on the bet that it requires"
        "la apuesta complementaria de un jugador se compara al «no va más» con lo que el mismo jugador tiene en la apuesta que exige";
    judged_by_the_kinds()
        "the kind of the bet is looked for among the bets that the rulebook offers; a kind that it does not have returns the stake"
        "la clase de la apuesta se busca entre las que ofrece el reglamento; una clase que no tiene devuelve lo apostado";
    judged_by_the_lines()
        "the bets of the coup and the lines of its settlement are compared: each bet has one line, and each line a bet"
        "las apuestas de la jugada y las líneas de su liquidación se confrontan: cada apuesta tiene una línea, y cada línea una apuesta";
    judged_by_the_settlements()
        "every coup that was begun has one settlement, or was declared void, before play continues"
        "cada jugada empezada tiene una liquidación, o se anuló, antes de que siga el juego";
    judged_by_the_boxes()
        "what was marked in the box of a seat and what was collected from it are added up; the box has to be empty when the player leaves, when the shoe is over and when the table closes. audit show commission prints them"
        "se suma lo anotado en la casilla de un departamento y lo cobrado de ella; la casilla debe quedar vacía cuando el jugador se marcha, cuando termina el sabot y cuando se cierra la mesa. audit show commission las muestra";
    judged_by_the_ids_of_bets()
        "the id of a bet is never used twice at a table; the lines of a settlement name bets by it"
        "el identificador de una apuesta no se usa dos veces en una mesa; las líneas de una liquidación nombran las apuestas por él";
    judged_by_the_numbers_of_coups()
        "the coups of a shoe are numbered from 1 without a gap, and every event of a coup carries its number"
        "las jugadas de un sabot se numeran desde 1 sin saltos, y cada suceso de una jugada lleva su número";
    judged_by_the_first_coup()
        "the record says that it does not know the burn of the shoe, and its coups do not follow one another from 1: it began in the middle of the shoe, or is a list that leaves out coups. What was played in the others is not shown"
        "el registro dice que no conoce la quema del sabot, y sus jugadas no se siguen desde la 1: empezó en mitad del sabot, o es una lista que se salta jugadas. Lo que se jugó en las demás no consta";
    judged_by_coup_after_coup()
        "a coup is over with its settlement: all that is played in it comes before, and what belongs to the next coup comes after"
        "una jugada termina con su liquidación: todo lo que se juega en ella va antes, y lo de la jugada siguiente, después";
    judged_by_the_opening()
        "a table is in play from its opening, which says the rulebook, to its closing; an opening needs a closing before the next"
        "una mesa está en juego desde su apertura, que dice el reglamento, hasta su cierre; entre una apertura y la siguiente tiene que haber un cierre";
    judged_by_the_digest()
        "a rulebook is known by the digest of its text; the one that the table was opened under is compared with the approved digests (--approved), or with the built-in rulebooks and the others of the log"
        "un reglamento se conoce por la huella de su texto; la de la apertura de la mesa se compara con las huellas aprobadas (--approved), o con los reglamentos incorporados y los demás del registro";
    judged_by_the_day()
        "the days on which the table was in play are compared with the first and the last day on which the rulebook says that it holds"
        "los días en que la mesa estuvo en juego se comparan con el primero y el último en que el reglamento dice que rige";
    judged_by_the_currency()
        "the currency and its digits are looked up in ISO 4217, and compared with those of the table's openings before"
        "la moneda y sus decimales se buscan en ISO 4217 y se comparan con los de las aperturas anteriores de la mesa";
    judged_by_the_game()
        "the rulebook says which game is played, punto y banca or chemin de fer; some events exist in one of them alone"
        "el reglamento dice a qué se juega, punto y banca o chemin de fer; algunos sucesos existen solo en uno de los dos";
    judged_by_the_numbering()
        "a table numbers its events from 1; an event whose predecessors do not come within 512 events of the table is judged with a gap before it"
        "una mesa numera sus sucesos desde 1; un suceso cuyos anteriores no llegan en 512 sucesos de la mesa se juzga con un hueco delante";
    judged_by_what_came_late()
        "an event that comes after its successors is judged in its place, as far as its shoe can still be played again; this one came after that, or could not be compared with the first event of its number"
        "un suceso que llega después de los que le siguen se juzga en su lugar, mientras su sabot se pueda volver a reproducir; este llegó más tarde aún, o no se pudo comparar con el primero de su número";
    judged_by_what_is_kept()
        "nobody may fill the judge's memory, so it keeps a limited number of each thing, far more than an honest table has; beyond that it forgets, and from there until the table opens again nothing is certified"
        "nadie debe poder llenar la memoria del programa, así que conserva de cada cosa un número limitado, muy superior al de una mesa honrada; lo que pasa de ahí se olvida, y desde entonces hasta que la mesa se abre de nuevo no se certifica nada";
    judged_by_the_first_of_its_number()
        "an event recorded again under its number is compared, field by field, with the first; the first is judged"
        "un suceso registrado otra vez con su número se compara, campo por campo, con el primero; se juzga el primero";
    judged_by_the_table_clock()
        "the time of every event is compared with the latest before it in the shoe; it may lie back by no more than the rulebook allows, a second where it says nothing"
        "la hora de cada suceso se compara con la más avanzada de las anteriores en el sabot; puede quedar atrás lo que permita el reglamento, un segundo si no dice nada";
    judged_by_the_log_clock()
        "the time that an event states is compared with the time at which the service took it in; it may lie ahead by no more than the rulebook allows, five minutes where it says nothing"
        "la hora que dice un suceso se compara con aquella en que lo recibió el servicio; puede adelantarse lo que permita el reglamento, cinco minutos si no dice nada";
    judged_by_the_delay()
        "the time at which the service took an event in is compared with the time that the event states; the rulebook says how long after the fact it may come. Events read from a file are only counted"
        "la hora en que el servicio recibió un suceso se compara con la que dice el suceso; el reglamento dice cuánto después puede llegar. Los leídos de un archivo solo se cuentan";
    judged_by_the_removed_card()
        "a card drawn to `removed` needs a ruling that names its position, recorded in that coup or since the coup before"
        "una carta retirada del juego (`removed`) necesita una resolución que nombre su posición, registrada en esa jugada o desde la anterior";
    judged_by_the_consequence()
        "the rulebook's [irregularities] say what has to follow from the irregularity that was recorded; the events after the ruling are compared with it"
        "las [irregularities] del reglamento dicen qué ha de seguir a la irregularidad registrada; los sucesos posteriores a la resolución se comparan con ello";
    judged_by_the_void()
        "a void coup gives every stake back once, whole and without commission; all that was returned for the coup is added up and compared with the stakes"
        "una jugada nula devuelve cada apuesta una vez, entera y sin comisión; todo lo devuelto por la jugada se suma y se compara con lo apostado";
    judged_by_the_corrected_event()
        "a correction names an event before it, of the same shoe, kind and coup (a card at the same position, a bet of the same id); openings, closings, voids and rulings cannot be corrected"
        "una corrección nombra un suceso anterior del mismo sabot, clase y jugada (una carta de la misma posición, una apuesta del mismo identificador); aperturas, cierres, anulaciones y resoluciones no se pueden corregir";
    judged_by_two_people()
        "a ruling, a void and a correction name who signs and who countersigns, unless the rulebook says that one signature is enough; names that differ only in capitals, blanks or spelling (composed, full-width or invisible characters) are one person's"
        "una resolución, una anulación y una corrección nombran a quien firma y a quien refrenda, salvo que el reglamento diga que basta una firma; los nombres que solo difieren en mayúsculas, espacios o grafía (caracteres compuestos, de ancho completo o invisibles) son de una misma persona";
    judged_by_who_plays()
        "a person who has a seat at that time, or had a bet or the bank in this shoe before, plays at the table; the names that signed are compared with theirs"
        "quien tiene un departamento en ese momento, o ha tenido antes una apuesta o la banca en este sabot, juega en la mesa; los nombres que firmaron se comparan con los suyos";
    judged_by_the_look_of_names()
        "all names of the table's players and signers are compared by what they look like (Unicode's table of confusable characters); two that look alike and are not one name are reported once, with the code points in which they differ from plain letters; so are the id of a shoe and the serials of its decks that look like those of a shoe before"
        "todos los nombres de jugadores y firmantes de la mesa se comparan por su aspecto (la tabla de caracteres confundibles de Unicode); dos que se parecen y no son el mismo se señalan una vez, con los códigos de los caracteres que no son letras corrientes; también el identificador de un sabot y los números de serie de sus barajas que se parecen a los de un sabot anterior";
    judged_by_the_characters_of_names()
        "control and format characters (Unicode's categories Cc and Cf) in a name are reported once for each name; the name is kept as it arrived"
        "los caracteres de control y de formato (categorías Cc y Cf de Unicode) de un nombre se señalan una vez por nombre; el nombre se conserva como llegó";
    judged_by_the_payment()
        "in chemin de fer no claim is allowed once the stakes are paid; a void that comes after the settlement of its coup is one"
        "en chemin de fer no se admite ninguna reclamación una vez pagadas las apuestas; una anulación posterior a la liquidación de su jugada lo es";
    judged_by_the_auction()
        "the bids for a bank that was given up are followed: who may bid, which bid is the highest, and for which sum the bank is then taken"
        "se siguen las pujas por una banca cedida: quién puede pujar, cuál es la más alta y por qué cantidad se toma después la banca";
    judged_by_the_account()
        "what a coup won, lost and owes in commission is computed from the hands and the stakes, and compared with the account recorded for it; the bank continues with what the account says"
        "lo que una jugada ganó, perdió y debe de comisión se calcula de las manos y las apuestas, y se compara con la cuenta registrada; la banca sigue con lo que dice la cuenta";
    judged_by_the_size_of_the_bank()
        "what the bank has in play is compared with the least stake of the table and with the maximum that the rulebook allows, unless leave for an unlimited bank was recorded"
        "lo que la banca pone en juego se compara con la apuesta mínima de la mesa y con el máximo que permite el reglamento, salvo que conste autorización para una banca sin máximo";
    judged_by_the_players()
        "the last count of the players, or the seats taken where they were not counted, is compared with the least that the rulebook asks for"
        "el último recuento de los jugadores, o los departamentos ocupados si nadie contó, se compara con el mínimo que pide el reglamento";
    judged_by_the_leave()
        "the office that gave the leave, and when, is compared with the office and the moment that the rulebook provides for"
        "quién dio la autorización y cuándo se compara con el cargo y el momento que prevé el reglamento";
    judged_by_the_garaje()
        "what has to be set aside follows from the bank, its maximum and the stakes; what may be set aside by choice, from what the banker has won. Each recorded garaje is compared with that"
        "lo que se ha de apartar se sigue de la banca, su máximo y las apuestas; lo que se puede apartar por voluntad, de lo que ha ganado el banquero. Cada garaje registrado se compara con ello";
    judged_by_the_banco()
        "who may play for the bank follows from who called, from the seats counted from the banker's right, and from the coup before; the stake is compared with the bank, or with half of it"
        "quién puede jugar por la banca se sigue de quién lo pidió, de los departamentos contados desde la derecha del banquero y de la jugada anterior; lo apostado se compara con la banca, o con su mitad";
    judged_by_the_abonos()
        "the abonos of a coup are counted and added up; together they cover exactly the amount by which the stakes exceed the bank"
        "los abonos de una jugada se cuentan y se suman; entre todos cubren exactamente lo que las apuestas exceden de la banca";
    judged_by_all_stakes()
        "the stakes of all players are added up at the close and compared with what the bank has in play, abonos included"
        "las apuestas de todos los jugadores se suman al «no va más» y se comparan con lo que la banca tiene en juego, abonos incluidos";
}
