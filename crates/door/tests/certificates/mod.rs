//! Test authorities and the certificates they issue, as PEM files in a folder.
#![allow(clippy::unwrap_used, dead_code, reason = "each test file uses its part")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

/// An authority, and the folder of its certificates.
pub struct Authority {
    folder: PathBuf,
    name: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    /// A new authority, whose own certificate is `NAME.pem`.
    pub fn new(folder: &Path, name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().unwrap();
        fs::write(folder.join(format!("{name}.pem")), params.self_signed(&key).unwrap().pem()).unwrap();
        let issuer = Issuer::new(params, key);
        Self { folder: folder.to_owned(), name: name.to_owned(), issuer }
    }

    /// Its certificate.
    pub fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.pem", self.name))
    }

    /// Issues a certificate for somebody on this machine: `WHO.pem` and `WHO.key`.
    pub fn vouch(&self, who: &str) -> (PathBuf, PathBuf) {
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let mut params = CertificateParams::new(names).unwrap();
        params.distinguished_name.push(DnType::CommonName, who);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let at = |ending: &str| self.folder.join(format!("{who}.{ending}"));
        fs::write(at("pem"), certificate.pem()).unwrap();
        fs::write(at("key"), key.serialize_pem()).unwrap();
        fs::set_permissions(at("key"), fs::Permissions::from_mode(0o600)).unwrap();
        (at("pem"), at("key"))
    }
}
