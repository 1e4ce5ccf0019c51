//! TLS: the server's certificate and key, and whose client certificates are accepted. Files that are
//! changed while it runs are read again; ones that cannot be used leave the last good ones in force.

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

use crate::file_changes::FileChanges;
use crate::notice::Notice;

/// Who may be let to read the key besides its owner: a group (as Debian's `ssl-cert` is), nobody else.
const TOO_OPEN: u32 = 0o037;

/// The files TLS is made of, all PEM.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The certificate, followed by those that lead to its authority.
    pub certificate: PathBuf,
    /// Its private key (PKCS#8, or the older forms of RSA and EC keys), readable by no others.
    pub key: PathBuf,
    /// Authorities of client certificates; given this, whoever has none of theirs is not let in.
    pub client_ca: Option<PathBuf>,
}

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Others can read the key.
    #[error("{path}: others can read this key (mode {mode:o}); chmod 600 it")]
    Readable {
        /// The key's file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// A file does not hold what it should.
    #[error("{path}: no PEM with {expected}: {why}")]
    Pem {
        /// The file.
        path: PathBuf,
        /// What should be in it.
        expected: &'static str,
        /// What is.
        why: String,
    },
    /// The files do not go together.
    #[error("{path}: {why}")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

/// TLS as the files have it.
#[derive(Debug)]
pub struct Tls {
    files: TlsFiles,
    file_changes: FileChanges,
    config: RwLock<Arc<ServerConfig>>,
}

impl Tls {
    /// Reads the files.
    ///
    /// # Errors
    /// [`TlsError`].
    pub fn load(files: TlsFiles) -> Result<Self, TlsError> {
        let watched = [Some(&files.certificate), Some(&files.key), files.client_ca.as_ref()];
        let file_changes = FileChanges::of(watched.into_iter().flatten().cloned().collect());
        let config = RwLock::new(Arc::new(config(&files)?));
        Ok(Self { files, file_changes, config })
    }

    /// What a connection is taken with, by the files as they are now.
    pub(crate) fn acceptor(&self, observer: &dyn Fn(&Notice)) -> TlsAcceptor {
        if self.file_changes.any_changed() {
            match config(&self.files) {
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

fn config(files: &TlsFiles) -> Result<ServerConfig, TlsError> {
    let chain = certificates(&files.certificate)?;
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
    fs::read(path).map_err(|error| TlsError::File { path: path.to_owned(), error })
}
