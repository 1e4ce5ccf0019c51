//! Statements about people: who signed.

use events::Name;

use super::rows::statements;
use super::{All, Both};

statements! {
    /// About people.
    OfPeople
    TwoSignatures "two-signatures"
        "two people's signatures"
        "las firmas de dos personas"
    SignedTwice "signed-twice" { name: Name }
        "{name} twice"
        "{name} dos veces"
    SignedByOne "signed-by-one-under-two-names" { names: Both<Name> }
        "{names}"
        "{names}"
    SignedAlone "signed-alone" { name: Name }
        "signed by {name} alone"
        "firmado solo por {name}"
    NobodyWhoPlays "nobody-who-plays"
        "nobody who plays at the table"
        "nadie que juegue en la mesa"
    NamesApart "names-apart"
        "names that cannot be taken for one another"
        "nombres que no puedan confundirse"
    NamesAlike "names-alike" { names: Both<Name>, characters: All<Box<str>> }
        "{names}, with {characters}"
        "{names}, con {characters}"
    NamesTooMany "names-too-many" { names: u32 }
        "more than {names} names, not all of them in ASCII: not all are compared"
        "más de {names} nombres, no todos en ASCII: no se comparan todos"
    NameSeen "name-seen"
        "a name of characters that are seen"
        "un nombre de caracteres que se ven"
    NameUnseen "name-unseen" { name: Name, characters: All<Box<str>> }
        "{name}, with {characters}"
        "{name}, con {characters}"
    SignedBy "signed-by" { names: Both<Box<str>> }
        "signed by {names}"
        "firmado por {names}"
}
