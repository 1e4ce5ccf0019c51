//! The store on sled: the only crate that names sled.
