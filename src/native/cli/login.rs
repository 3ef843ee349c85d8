//! How the tool logs in at a server that somebody names: certificates, and a password that is kept off the command line.

use std::env::{self, VarError};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;

use super::failure::Failure;
use crate::native::server::url::Access;
use crate::native::shown;

/// Certificates.
#[derive(Args)]
pub(super) struct Login {
    /// Trust the certificates in FILE (PEM) instead of the system's
    #[arg(long, value_name = "FILE", requires = "url")]
    tls_ca: Option<PathBuf>,
    /// Show the server the certificate in FILE (PEM)
    #[arg(long, value_name = "FILE", requires_all = ["url", "tls_key"])]
    tls_cert: Option<PathBuf>,
    /// The key of --tls-cert (PEM)
    #[arg(long, value_name = "FILE", requires_all = ["url", "tls_cert"])]
    tls_key: Option<PathBuf>,
    /// Trust any certificate: for a test server only
    #[arg(long, requires = "url", conflicts_with = "tls_ca")]
    insecure: bool,
}

impl Login {
    /// Every file that it names.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        [&self.tls_ca, &self.tls_cert, &self.tls_key].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Reads them all, and the password in `EMQ_PASSWORD`.
    pub(super) fn access(&self) -> Result<Access, Failure> {
        let identity = match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => Some((read(certificate)?, read(key)?)),
            _ => None,
        };
        Ok(Access {
            password: password()?,
            ca: self.tls_ca.as_deref().map(read).transpose()?,
            identity,
            insecure: self.insecure,
        })
    }
}

fn password() -> Result<Option<String>, Failure> {
    match env::var("EMQ_PASSWORD") {
        Ok(password) => Ok(Some(password).filter(|password| !password.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => {
            Err(Failure::Input(anyhow!("EMQ_PASSWORD is not UTF-8; write it into --url percent-encoded")))
        }
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file).with_context(|| format!("cannot read {}", shown::path(file))).map_err(Failure::Input)
}
