//! A seeded make-believe casino: honest tables, and a catalogue of faults to plant.
//!
//! The same plan gives the same events on any machine. Nothing that judges may use this room.

mod bets;
mod chemin;
mod coup;
mod dealing;
mod dice;
mod fault;
mod rulings;
mod session;
mod shoe;
mod stream;

pub use fault::Fault;
pub use stream::{Plan, Planted, Simulation, simulate};
