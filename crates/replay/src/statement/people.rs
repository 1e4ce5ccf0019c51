//! Statements about people: who signed.

use events::Name;

use super::Both;
use super::rows::statements;

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
    SignedBy "signed-by" { names: Both<Box<str>> }
        "signed by {names}"
        "firmado por {names}"
}
