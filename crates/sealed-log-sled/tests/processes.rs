//! The tests that start processes of their own, in one program: a process that is being started holds the files of
//! all tests beside it for a moment, and with them the locks of their stores. So they are not in `all.rs`.

mod failing_disk;
mod full_disk;
mod mounting;
mod power_cut;
mod support;
mod torn;
