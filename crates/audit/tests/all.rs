//! The integration tests of this crate, in one program: a module for each subject.
#![allow(clippy::unwrap_used)]

mod access;
mod backup;
mod bounded;
mod broken_and_mixed_up;
mod budgets;
#[path = "../../door/tests/certificates/mod.rs"]
mod certificates;
mod check;
mod cli;
mod command;
mod creation;
mod crowd;
mod demo;
mod desk;
mod earlier;
mod errors;
mod faults_below;
mod fleet;
mod floods;
mod formats;
#[path = "../../door/tests/frames/mod.rs"]
mod frames;
mod health;
mod hostile;
mod inspecting;
mod integrators;
mod keys;
mod long_checkpoint;
mod machine;
mod mutated_input;
mod noise;
#[path = "../../door/tests/ports/mod.rs"]
mod ports;
mod power_cut;
mod proofs;
mod quiz;
mod recovery;
mod release;
mod report;
mod robust;
mod rulebook_docs;
mod rules_new;
mod rules_print;
mod rulings;
mod sample;
mod sentences;
mod serve;
mod settings;
mod slices;
mod spanish;
mod traces;
mod trusted;
mod unsent;
mod watch;
mod witness;
