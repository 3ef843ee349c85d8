//! Server URLs: read, and shown without their password.

use redis::{Client, ConnectionAddr, ConnectionInfo, IntoConnectionInfo, RedisError, TlsCertificates};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// What a URL is read with: certificates, and a password that is kept off the command line.
#[derive(Default)]
pub struct Access {
    /// A password for a URL that has none.
    pub password: Option<String>,
    /// PEM text of the certificates to trust instead of the system's.
    pub ca: Option<Vec<u8>>,
    /// PEM text of the client's own certificate and its key.
    pub identity: Option<(Vec<u8>, Vec<u8>)>,
    /// Trust any certificate.
    pub insecure: bool,
}

/// A URL that names no server. None of these repeats the URL: it may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum UrlError {
    /// Not one of the schemes.
    #[error(
        "{} is no server URL; write valkey://HOST:PORT, valkeys://HOST:PORT for TLS, or unix:///PATH (redis:// and rediss:// mean the same)",
        .0
    )]
    Scheme(String),
    /// A scheme we know with something else wrong.
    #[error("{url} is no server URL: {cause}")]
    Parts {
        /// The URL without its secrets.
        url: String,
        /// What is wrong.
        cause: RedisError,
    },
    /// TLS options where there is no TLS.
    #[error("{0} is not encrypted, so TLS options have no use; write valkeys:// for TLS")]
    NotEncrypted(String),
    /// A file to trust that holds nothing to trust.
    #[error("--tls-ca names a file without a certificate; give one in PEM form")]
    NoAuthority,
    /// Certificates that cannot be read.
    #[error("the TLS certificates cannot be used: {0}")]
    Certificates(RedisError),
}

/// The client for `url`.
pub(super) fn client(url: &str, access: Access) -> Result<Client, UrlError> {
    let shown = redacted(url);
    if redis::parse_redis_url(url).is_none() {
        return Err(UrlError::Scheme(shown));
    }
    let info = url.into_connection_info().map_err(|cause| UrlError::Parts { url: shown.clone(), cause })?;
    let mut settings = info.redis_settings().clone().set_protocol(redis::ProtocolVersion::RESP2);
    // The library would introduce itself, and every recording would hold that.
    settings = settings.set_skip_set_lib_name();
    if let (None, Some(password)) = (settings.password(), &access.password) {
        settings = settings.set_password(password);
    }
    let info = info.set_redis_settings(settings);
    if matches!(info.addr(), ConnectionAddr::TcpTls { .. }) {
        if access.ca.as_deref().is_some_and(|ca| CertificateDer::from_pem_slice(ca).is_err()) {
            return Err(UrlError::NoAuthority);
        }
        return encrypted(info, access).map_err(UrlError::Certificates);
    }
    if access.ca.is_some() || access.identity.is_some() || access.insecure {
        return Err(UrlError::NotEncrypted(shown));
    }
    Client::open(info).map_err(|cause| UrlError::Parts { url: shown, cause })
}

fn encrypted(info: ConnectionInfo, access: Access) -> Result<Client, RedisError> {
    // A second installation is refused and changes nothing.
    drop(rustls::crypto::ring::default_provider().install_default());
    let addr = match info.addr().clone() {
        ConnectionAddr::TcpTls { host, port, insecure, tls_params } => {
            ConnectionAddr::TcpTls { host, port, insecure: insecure || access.insecure, tls_params }
        }
        other => other,
    };
    let client_tls =
        access.identity.map(|(client_cert, client_key)| redis::ClientTlsConfig { client_cert, client_key });
    Client::build_with_tls(info.set_addr(addr), TlsCertificates { client_tls, root_cert: access.ca })
}

/// A URL with `***` for its password, for messages; total, since a URL that does not parse may hold one too.
pub fn redacted(url: &str) -> String {
    let (front, query) = url.split_once('?').unwrap_or((url, ""));
    let mut shown = match front.split_once("://") {
        Some((scheme, rest)) => match rest.rsplit_once('@') {
            Some((login, place)) => {
                let user = login.split_once(':').map_or(login, |(user, _)| user);
                let password = if login.contains(':') { ":***" } else { "" };
                format!("{scheme}://{user}{password}@{place}")
            }
            None => front.to_owned(),
        },
        None => front.rsplit_once('@').map_or_else(|| front.to_owned(), |(_, place)| format!("***@{place}")),
    };
    for (index, pair) in query.split('&').filter(|pair| !pair.is_empty()).enumerate() {
        shown.push(if index == 0 { '?' } else { '&' });
        shown.push_str(if pair.starts_with("pass") { "pass=***" } else { pair });
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_shown() {
        for (url, shown) in [
            ("valkey://localhost:6379/2", "valkey://localhost:6379/2"),
            ("valkey://ann:secret@host:1/0", "valkey://ann:***@host:1/0"),
            ("valkey://:secret@host", "valkey://:***@host"),
            ("valkey://:se@cr:et@host", "valkey://:***@host"),
            ("unix:///run/v.sock?user=ann&pass=secret&db=1", "unix:///run/v.sock?user=ann&pass=***&db=1"),
            (":secret@host", "***@host"),
            ("nonsense", "nonsense"),
        ] {
            assert_eq!(redacted(url), shown);
        }
    }

    #[track_caller]
    fn check(url: &str, part: &str) {
        let error = client(url, Access::default()).expect_err("the URL is none").to_string();
        assert!(error.contains(part), "{error}");
        assert!(!error.contains("secret"), "{error}");
    }

    #[test]
    fn a_url_that_is_none_says_why() {
        check("http://:secret@host", "valkey://HOST:PORT");
        check("host:6379", "host:6379 is no server URL");
        check("valkey://:secret@host/x", "database");
        check("valkey://:secret@host:99999999", "valkey://HOST:PORT");
    }

    #[test]
    fn tls_options_need_tls() {
        let access = Access { insecure: true, ..Access::default() };
        assert!(matches!(client("valkey://host", access), Err(UrlError::NotEncrypted(_))));
    }
}
