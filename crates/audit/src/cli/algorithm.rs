//! Which signature algorithm a new key is of.

use clap::ValueEnum;
use tlog::key::Algorithm;

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum AlgorithmAsked {
    /// Read by every verifier of checkpoints
    Ed25519,
    /// Withstands quantum computers; read by few verifiers yet
    #[value(name = "ml-dsa-44")]
    MlDsa44,
}

impl From<AlgorithmAsked> for Algorithm {
    fn from(asked: AlgorithmAsked) -> Self {
        match asked {
            AlgorithmAsked::Ed25519 => Self::Ed25519,
            AlgorithmAsked::MlDsa44 => Self::MlDsa44,
        }
    }
}
