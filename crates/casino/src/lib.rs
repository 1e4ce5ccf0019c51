//! A seeded, simulated casino: honest tables, and a catalogue of faults to plant.
//!
//! The same plan gives the same events on any machine. No crate that judges may use this one.

mod chemin;
mod fault;
mod forge;
mod planted;
mod play;
mod punto_banca;
mod session;
mod stream;

pub use fault::Fault;
pub use planted::Planted;
pub use stream::{Plan, Simulation, simulate};
