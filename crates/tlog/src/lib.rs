//! Transparency logs.

pub mod checkpoint;
pub mod cosignature;
pub mod extension;
#[cfg(test)]
mod fixture;
pub mod inclusion;
pub mod key;
pub mod note;
pub mod policy;
pub mod proof;
pub mod text;
pub mod tile;
pub mod tree;
