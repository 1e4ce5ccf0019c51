//! TLS from PEM files: certificate, key, and the authorities of client certificates. Changed files are read
//! again while the server runs; if they cannot be used, the previous ones stay in force.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{self, RootCertStore, ServerConfig};

use crate::expiry::Expiry;
use crate::file_changes::FileChanges;
use crate::notice::Notice;
use crate::pem_file::read_pem_file;

/// Permission bits the key file must not have. Its group may read it (as Debian's `ssl-cert` does), nobody
/// else.
const TOO_OPEN: u32 = 0o037;

/// The PEM files that TLS needs.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The certificate, followed by the intermediate certificates.
    pub certificate: PathBuf,
    /// The private key (PKCS#8, or the older forms of RSA and EC keys). Others must not be able to read the
    /// file.
    pub key: PathBuf,
    /// Authorities of client certificates. If this is set, a client without a certificate of theirs is
    /// refused.
    pub client_ca: Option<PathBuf>,
}

/// Why TLS cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// Others can read the key file.
    #[error("{path}: others can read this key (mode {mode:o}); chmod 600 it")]
    Readable {
        /// The key's file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// A file does not contain what it should.
    #[error("{path}: no PEM with {expected}: {why}")]
    Pem {
        /// The file.
        path: PathBuf,
        /// What the file should contain.
        expected: &'static str,
        /// What is wrong with its content.
        why: String,
    },
    /// The files do not fit together.
    #[error("{path}: {why}")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        why: String,
    },
}

/// The TLS configuration, kept up to date with its files.
#[derive(Debug)]
pub struct Tls {
    files: TlsFiles,
    file_changes: FileChanges,
    config: RwLock<Arc<ServerConfig>>,
    expiry: Expiry,
}

impl Tls {
    /// Reads the files.
    ///
    /// # Errors
    /// [`TlsError`].
    pub fn load(files: TlsFiles) -> Result<Self, TlsError> {
        let watched = [Some(&files.certificate), Some(&files.key), files.client_ca.as_ref()];
        let file_changes = FileChanges::of(watched.into_iter().flatten().cloned().collect());
        let expiry = Expiry::default();
        let config = RwLock::new(Arc::new(config(&files, &expiry)?));
        Ok(Self { files, file_changes, config, expiry })
    }

    /// When the first certificate of the chain in force expires, readable while it is in use.
    #[must_use]
    pub fn expiry(&self) -> Expiry {
        self.expiry.clone()
    }

    /// The acceptor for the next connection, made from the files as they are now.
    pub(crate) fn acceptor(&self, observer: &dyn Fn(&Notice)) -> TlsAcceptor {
        if self.file_changes.any_changed() {
            match config(&self.files, &self.expiry) {
                Ok(config) => {
                    *self.config.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config);
                    observer(&Notice::CertificateReloaded);
                }
                Err(error) => observer(&Notice::CertificateUnusable(error)),
            }
        }
        TlsAcceptor::from(Arc::clone(&self.config.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn config(files: &TlsFiles, expiry: &Expiry) -> Result<ServerConfig, TlsError> {
    let chain = certificates(&files.certificate)?;
    let expires = Expiry::of(&chain);
    let key = private_key(&files.key)?;
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(unusable(&files.certificate))?;
    let builder = match &files.client_ca {
        None => builder.with_no_client_auth(),
        Some(path) => builder.with_client_cert_verifier(client_verifier(path, provider)?),
    };
    let mut config = builder.with_single_cert(chain, key).map_err(unusable(&files.certificate))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    expiry.set(expires);
    Ok(config)
}

fn client_verifier(
    path: &Path,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn rustls::server::danger::ClientCertVerifier>, TlsError> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path)? {
        roots.add(certificate).map_err(unusable(path))?;
    }
    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
        .build()
        .map_err(|error| TlsError::Unusable { path: path.to_owned(), why: error.to_string() })
}

fn unusable(path: &Path) -> impl Fn(rustls::Error) -> TlsError {
    move |error| TlsError::Unusable { path: path.to_owned(), why: error.to_string() }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let expected = "certificates";
    let wrong = |why: String| TlsError::Pem { path: path.to_owned(), expected, why };
    let bytes = read(path)?;
    let chain: Result<Vec<_>, pem::Error> = CertificateDer::pem_slice_iter(&bytes).collect();
    match chain {
        Ok(chain) if chain.is_empty() => Err(wrong("there is none in it".to_owned())),
        Ok(chain) => Ok(chain),
        Err(error) => Err(wrong(error.to_string())),
    }
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    let file = |error| TlsError::File { path: path.to_owned(), error };
    let mode = fs::metadata(path).map_err(file)?.permissions().mode() & 0o777;
    if mode & TOO_OPEN != 0 {
        return Err(TlsError::Readable { path: path.to_owned(), mode });
    }
    PrivateKeyDer::from_pem_slice(&read(path)?).map_err(|error| TlsError::Pem {
        path: path.to_owned(),
        expected: "a private key",
        why: error.to_string(),
    })
}

fn read(path: &Path) -> Result<Vec<u8>, TlsError> {
    read_pem_file(path).map_err(|error| TlsError::File { path: path.to_owned(), error })
}
