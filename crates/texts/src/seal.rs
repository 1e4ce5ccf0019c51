//! What exactly is wrong with a seal. In English each value says it itself; here is its Spanish.
//!
//! Every value is matched by name, so one that has no Spanish does not compile. The words of a disk or of a
//! decompressor stay as they are, behind `detalle:`.

mod errors;
mod phrases;

pub use errors::SealErrorInSpanish;
pub use phrases::SEAL_PHRASES;
use replay::Language;
use sealed_log::reader::{ArchiveDetail, FaultDetail, OtherRoot, Unreadable};

use crate::Texts;

impl Texts {
    /// What is wrong with a seal.
    #[must_use]
    pub fn fault_detail(self, detail: &FaultDetail) -> String {
        match self.language() {
            Language::English => detail.to_string(),
            Language::Spanish => spanish(detail),
        }
    }
}

fn spanish(detail: &FaultDetail) -> String {
    match detail {
        FaultDetail::OtherDigest { found, sealed } => {
            format!("la huella de la entrada es {found}; se selló {sealed}")
        }
        FaultDetail::OtherLeaf(found) => {
            format!("la huella {found} de la entrada no da el hash de hoja que se selló")
        }
        FaultDetail::NotAnEntry(error) => error.seal_error_in_spanish(),
        FaultDetail::Unreadable { count: 0, why } => {
            format!("hay entradas que no se pueden leer: {}", unreadable(why))
        }
        FaultDetail::Unreadable { count: 1, why } => {
            format!("la entrada no se puede leer: {}", unreadable(why))
        }
        FaultDetail::Unreadable { count, why } => {
            format!("{count} entradas no se pueden leer: {}", unreadable(why))
        }
        FaultDetail::LeavesUnreadable(why) => {
            format!("los hashes de hoja guardados de las entradas no se pueden leer: {}", unreadable(why))
        }
        FaultDetail::NotOpened(why) => format!("las entradas no se pueden leer (detalle: {why})"),
        FaultDetail::Gap { first, last } => format!("faltan las entradas de la {first} a la {last}"),
        FaultDetail::EndMissing { found, signed } => format!(
            "esta y todas las siguientes están dañadas o faltan: se pueden leer {found} entradas y se firmaron {signed}"
        ),
        FaultDetail::Shrunk { signed, read } => {
            format!("el registro tiene {signed} entradas y antes se leyeron {read}")
        }
        FaultDetail::TooFewRead { read, signed } => {
            format!("se leyeron {read} entradas y se firmaron {signed}")
        }
        FaultDetail::FarBeyond => {
            "las entradas siguen mucho más allá del punto de control; la lectura se detuvo aquí".to_owned()
        }
        FaultDetail::NothingNew => {
            "vienen cada vez más partes que no contienen ninguna entrada nueva; la lectura se detuvo aquí"
                .to_owned()
        }
        FaultDetail::Beyond { found, signed } => format!(
            "las entradas siguen más allá del punto de control: se encontraron {found} y se firmaron {signed}"
        ),
        FaultDetail::Behind { first, after } => {
            format!("detrás de la entrada {after} vienen entradas desde la {first}")
        }
        FaultDetail::PastTheLargestIndex => {
            "aquí hay entradas que no pueden tener índice: pasaría de 64 bits".to_owned()
        }
        FaultDetail::OtherPrevious { chain, named, newest } => {
            format!("nombra {named} como la entrada anterior de la cadena `{chain}`, pero esa es {newest}")
        }
        FaultDetail::NotAccountedFor => {
            "su contenido ya no está en el almacén y ningún aviso del registro lo justifica".to_owned()
        }
        FaultDetail::OwnChain(error) => {
            format!("lo que el registro dice de sí mismo no es correcto: {}", error.seal_error_in_spanish())
        }
        FaultDetail::NotANotice(error) => {
            format!("lo que el registro dice de sí mismo no se puede leer: {}", error.seal_error_in_spanish())
        }
        FaultDetail::Notice(error) => error.seal_error_in_spanish(),
        FaultDetail::BehindClosing { closed } => {
            format!("está detrás de la entrada {closed}, con la que se cerró el registro")
        }
        FaultDetail::Rotation(error) => {
            format!("la sustitución de la clave del registro no es válida: {}", error.seal_error_in_spanish())
        }
        FaultDetail::OtherRoot(other) => other_root(*other),
        FaultDetail::CheckpointNotBelieved(error) => {
            format!("el punto de control no se da por bueno: {}", error.seal_error_in_spanish())
        }
        FaultDetail::CheckpointUnreadable(error) => {
            format!("el punto de control no se puede leer: {}", error.seal_error_in_spanish())
        }
        FaultDetail::KeyUnreadable(error) => {
            format!("la clave de verificación no se puede leer: {}", error.seal_error_in_spanish())
        }
        FaultDetail::AnchorNotBelieved(error) => {
            format!(
                "un punto de control guardado en otro lugar no se da por bueno: {}",
                error.seal_error_in_spanish()
            )
        }
        FaultDetail::ShorterThanAnchor { found, kept } => {
            format!("el registro tiene {found} entradas; un punto de control guardado en otro lugar, {kept}")
        }
        FaultDetail::OtherThanAnchor(size) => format!(
            "las primeras {size} entradas no tienen la raíz de un punto de control guardado en otro lugar"
        ),
        FaultDetail::Archive(detail) => archive(*detail),
    }
}

fn unreadable(why: &Unreadable) -> String {
    match why {
        Unreadable::Header => "la cabecera del bloque contradice su longitud".to_owned(),
        Unreadable::TooLong { claimed, most } => {
            format!("dice tener {claimed} bytes; se admiten como mucho {most}")
        }
        Unreadable::NoDecompressor => "no hay descompresor".to_owned(),
        Unreadable::NotPacked(why) => format!("no se puede descomprimir (detalle: {why})"),
        Unreadable::OtherLength { found, stated } => {
            format!("descomprimido tiene {found} bytes en lugar de {stated}")
        }
        Unreadable::OtherSum { sum, found } => {
            format!("las longitudes de las entradas suman {sum} bytes en lugar de {found}")
        }
        Unreadable::OtherCount => "hay demasiado pocos o demasiados".to_owned(),
        Unreadable::Store(why) => format!("el almacén no lo devuelve (detalle: {why})"),
    }
}

fn other_root(other: OtherRoot) -> String {
    match other {
        OtherRoot::OfTheEntries => "las entradas no tienen la raíz que se firmó".to_owned(),
        OtherRoot::OfWhatWasKept => {
            "las entradas tienen la raíz que se firmó; se alteró lo que se guardó de ellas".to_owned()
        }
        OtherRoot::OfBoth => {
            "ni las entradas ni los hashes guardados de ellas tienen la raíz que se firmó".to_owned()
        }
        OtherRoot::OfThoseRead(size) => {
            format!("las {size} entradas que se leyeron no tienen la raíz que se firmó")
        }
    }
}

fn archive(detail: ArchiveDetail) -> String {
    match detail {
        ArchiveDetail::HeadMissing => "falta la parte con el punto de control, o está alterada".to_owned(),
        ArchiveDetail::HeadAltered => {
            "la parte con el punto de control se alteró: su suma de comprobación no es correcta".to_owned()
        }
        ArchiveDetail::HeadLengths => {
            "la parte con el punto de control contradice sus propias longitudes".to_owned()
        }
        ArchiveDetail::BlockAltered => {
            "la suma de comprobación del bloque no es correcta: se alteró".to_owned()
        }
        ArchiveDetail::LeftOutAltered(at) => format!(
            "la parte del byte {at}, sobre entradas omitidas, se alteró: su suma de comprobación no es correcta"
        ),
        ArchiveDetail::LeftOutHashes(at) => {
            format!("la parte del byte {at}, sobre entradas omitidas, no tiene los hashes de un tramo así")
        }
        ArchiveDetail::Altered { first, last } => {
            format!("los bytes del {first} al {last} del archivo se alteraron")
        }
        ArchiveDetail::CutOff(at) => format!("el archivo está cortado en el byte {at}"),
        ArchiveDetail::IndexAltered => {
            "el índice se alteró: su suma de comprobación no es correcta".to_owned()
        }
        ArchiveDetail::IndexWrong => "el índice no dice lo que contiene el archivo".to_owned(),
        ArchiveDetail::TrailerAltered => "los últimos 64 bytes del archivo se alteraron".to_owned(),
        ArchiveDetail::TrailerWrong => "los últimos 64 bytes del archivo no dicen lo que contiene".to_owned(),
        ArchiveDetail::Surplus => "hay bytes detrás del final del archivo".to_owned(),
        ArchiveDetail::EndedTwice => "lo que se leía terminó dos veces".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sealed_log::entry::{Digest, EntryError, NameError};
    use sealed_log::keys::RotationError;
    use sealed_log::notice::{NoticeError, OwnChainError};
    use tlog::checkpoint::CheckpointError;
    use tlog::key::KeyError;
    use tlog::note::{NoteError, VerifierKey};

    const OF_ENTRIES: [EntryError; 9] = [
        EntryError::UnknownVersion(7),
        EntryError::Malformed { at: 3, why: "«why»" },
        EntryError::TooLong(70_000),
        EntryError::Producer(NameError::Length(80)),
        EntryError::Chain(NameError::Byte { at: 3, byte: 0x20 }),
        EntryError::ReservedChain,
        EntryError::ZeroFirst,
        EntryError::Count(5_000),
        EntryError::Overflow { first: 71, count: 72 },
    ];

    fn of_keys() -> Vec<NoteError> {
        let why = || "«why»".to_owned();
        vec![
            NoteError::Key(KeyError::Name(why())),
            NoteError::Key(KeyError::VerifierKey(why())),
            NoteError::Key(KeyError::SigningKey(why())),
            NoteError::Key(KeyError::WitnessKey(why())),
            NoteError::Key(KeyError::WitnessSigningKey(why())),
            NoteError::Form("«why»"),
            NoteError::NotSigned("casino.example".to_owned()),
            NoteError::BadSignature("casino.example".to_owned()),
        ]
    }

    fn of_rotations() -> Vec<RotationError> {
        let (old, new) = ("casino.example/1".to_owned(), "casino.example/2".to_owned());
        let mut all = vec![
            RotationError::Form("«why»"),
            RotationError::Names { old: old.clone(), new: new.clone() },
            RotationError::SameKey,
            RotationError::Index { says: 71 },
            RotationError::NotInForce { says: old, is: new },
            RotationError::TooMany,
        ];
        all.extend(of_keys().into_iter().map(RotationError::Note));
        all
    }

    fn of_notices() -> Vec<NoticeError> {
        let mut all = vec![
            NoticeError::Name { name: "x y".to_owned(), why: NameError::Length(80) },
            NoticeError::OneSigner("dpo".to_owned()),
            NoticeError::Reason(2_000),
            NoticeError::Entries,
            NoticeError::NotBefore(71),
            NoticeError::OtherDigest(71),
            NoticeError::UnknownKind(71),
            NoticeError::Gone,
            NoticeError::CheckpointLength(70_000),
            NoticeError::NotFirst,
            NoticeError::Itself("casino.example/1".to_owned()),
            NoticeError::Successor("casino.example/1".to_owned()),
            NoticeError::ClosedBeyond(71),
            NoticeError::ClosedRoot(71),
        ];
        all.extend(of_checkpoints().into_iter().map(NoticeError::Checkpoint));
        all.extend(OF_ENTRIES.into_iter().map(NoticeError::Form));
        all.extend(of_rotations().into_iter().map(NoticeError::Rotation));
        all
    }

    fn of_checkpoints() -> Vec<CheckpointError> {
        let (origin, key) = ("casino.example/1".to_owned(), "casino.example/2".to_owned());
        let mut all = vec![CheckpointError::Body("«why»"), CheckpointError::Origin { origin, key }];
        all.extend(of_keys().into_iter().map(CheckpointError::Note));
        all
    }

    fn of_blocks() -> Vec<Unreadable> {
        vec![
            Unreadable::Header,
            Unreadable::TooLong { claimed: 71, most: 72 },
            Unreadable::NoDecompressor,
            Unreadable::NotPacked("«why»".to_owned()),
            Unreadable::OtherLength { found: 71, stated: 72 },
            Unreadable::OtherSum { sum: 71, found: 72 },
            Unreadable::OtherCount,
            Unreadable::Store("«why»".to_owned()),
        ]
    }

    fn of_archives() -> Vec<ArchiveDetail> {
        vec![
            ArchiveDetail::HeadMissing,
            ArchiveDetail::HeadAltered,
            ArchiveDetail::HeadLengths,
            ArchiveDetail::BlockAltered,
            ArchiveDetail::LeftOutAltered(71),
            ArchiveDetail::LeftOutHashes(71),
            ArchiveDetail::Altered { first: 71, last: 72 },
            ArchiveDetail::CutOff(71),
            ArchiveDetail::IndexAltered,
            ArchiveDetail::IndexWrong,
            ArchiveDetail::TrailerAltered,
            ArchiveDetail::TrailerWrong,
            ArchiveDetail::Surplus,
            ArchiveDetail::EndedTwice,
        ]
    }

    /// One of every kind of detail, and of everything that one may hold.
    fn all() -> Vec<FaultDetail> {
        let digest = Digest::of(b"seven");
        let mut all = vec![
            FaultDetail::OtherDigest { found: digest, sealed: Digest::of(b"eight") },
            FaultDetail::OtherLeaf(digest),
            FaultDetail::NotOpened("«why»".to_owned()),
            FaultDetail::Gap { first: 71, last: 72 },
            FaultDetail::EndMissing { found: 71, signed: 72 },
            FaultDetail::Shrunk { signed: 71, read: 72 },
            FaultDetail::TooFewRead { read: 71, signed: 72 },
            FaultDetail::FarBeyond,
            FaultDetail::NothingNew,
            FaultDetail::Beyond { found: 71, signed: 72 },
            FaultDetail::Behind { first: 71, after: 72 },
            FaultDetail::PastTheLargestIndex,
            FaultDetail::OtherPrevious {
                chain: "mesa-1".to_owned(),
                named: Box::new(digest),
                newest: Box::new(Digest::of(b"eight")),
            },
            FaultDetail::NotAccountedFor,
            FaultDetail::OwnChain(OwnChainError::Withheld),
            FaultDetail::OwnChain(OwnChainError::Producer("pit".to_owned())),
            FaultDetail::OwnChain(OwnChainError::Count(71)),
            FaultDetail::OwnChain(OwnChainError::Position { expected: 71, found: 72 }),
            FaultDetail::OtherRoot(OtherRoot::OfTheEntries),
            FaultDetail::OtherRoot(OtherRoot::OfWhatWasKept),
            FaultDetail::OtherRoot(OtherRoot::OfBoth),
            FaultDetail::OtherRoot(OtherRoot::OfThoseRead(71)),
            FaultDetail::KeyUnreadable(KeyError::VerifierKey("«why»".to_owned())),
            FaultDetail::ShorterThanAnchor { found: 71, kept: 72 },
            FaultDetail::OtherThanAnchor(71),
            FaultDetail::BehindClosing { closed: 71 },
        ];
        all.extend(OF_ENTRIES.into_iter().map(FaultDetail::NotAnEntry));
        for why in of_blocks() {
            all.extend([0, 1, 71].map(|count| FaultDetail::Unreadable { count, why: why.clone() }));
            all.push(FaultDetail::LeavesUnreadable(why));
        }
        for error in of_notices() {
            all.extend([FaultDetail::NotANotice(error.clone()), FaultDetail::Notice(error)]);
        }
        all.extend(of_rotations().into_iter().map(FaultDetail::Rotation));
        for error in of_checkpoints() {
            all.extend([
                FaultDetail::CheckpointNotBelieved(error.clone()),
                FaultDetail::CheckpointUnreadable(error.clone()),
                FaultDetail::AnchorNotBelieved(error),
            ]);
        }
        all.extend(of_archives().into_iter().map(FaultDetail::Archive));
        all
    }

    /// Words that the English of a fault has and no Spanish one.
    const ENGLISH_WORDS: &[&str] = &[
        "the",
        "of",
        "and",
        "is",
        "are",
        "it",
        "its",
        "that",
        "this",
        "entry",
        "entries",
        "log",
        "was",
        "were",
        "not",
        "at",
        "by",
        "checkpoint",
        "key",
        "kept",
        "signed",
        "archive",
        "read",
        "missing",
        "altered",
        "root",
        "cannot",
        "name",
        "chain",
        "notice",
        "than",
        "most",
        "have",
        "has",
    ];

    #[test]
    fn every_fault_is_said_in_spanish_with_all_that_it_mentions() {
        let [english, spanish] = Language::ALL.map(Texts::of);
        for detail in all() {
            let (one, other) = (english.fault_detail(&detail), spanish.fault_detail(&detail));
            assert_eq!(one, detail.to_string());
            let words = other.split(|letter: char| letter.is_whitespace() || ",.:;()`".contains(letter));
            let left: Vec<&str> = words.filter(|word| ENGLISH_WORDS.contains(word)).collect();
            assert_eq!(left, Vec::<&str>::new(), "{other}");
            for mentioned in
                ["71", "72", "70000", "mesa-1", "pit", "dpo", "casino.example/1", "casino.example/2", "«why»"]
            {
                assert_eq!(one.contains(mentioned), other.contains(mentioned), "{one} / {other}");
            }
            let digests = |text: &str| text.matches(&Digest::of(b"seven").to_string()[..]).count();
            assert_eq!(digests(&one), digests(&other), "{other}");
        }
    }

    /// What a parser expected, or found wrong, is no detail in English.
    #[test]
    fn what_is_wrong_inside_is_said_in_spanish_too() {
        let why = "x+00000000+AAAA".parse::<VerifierKey>().err();
        let details = [
            FaultDetail::KeyUnreadable(why.unwrap_or(KeyError::Name("a key".to_owned()))),
            FaultDetail::NotAnEntry(EntryError::Malformed { at: 3, why: "text in UTF-8" }),
            FaultDetail::Rotation(RotationError::Form("a size in decimal digits in the third line")),
            FaultDetail::CheckpointUnreadable(CheckpointError::Body("an origin in the first line")),
            FaultDetail::CheckpointUnreadable(NoteError::Form("it has more than 100 signatures").into()),
        ];
        let spanish = Texts::of(Language::Spanish);
        for detail in details {
            let said = spanish.fault_detail(&detail);
            assert!(!said.contains("detalle"), "{said}");
        }
    }
}
