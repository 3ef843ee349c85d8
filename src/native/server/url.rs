//! Server URLs: read, and shown without their password.

use redis::{Client, ConnectionAddr, ConnectionInfo, IntoConnectionInfo, RedisError, TlsCertificates};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use crate::core::bytes::shown;

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
    /// A password with a character that means something else in a URL.
    #[error(
        "{0} is no server URL: a `/`, `?` or `#` in a password is written %2F, %3F, %23; or give the password in EMQ_PASSWORD"
    )]
    NotEncoded(String),
    /// More than a server and a database.
    #[error(
        "{0} is no server URL: nothing may follow a `?` or `#`; the database is the path, valkey://HOST:PORT/2, and the password stands before the host or in EMQ_PASSWORD"
    )]
    Extra(String),
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
    let known = ["redis", "rediss", "valkey", "valkeys"]
        .iter()
        .any(|scheme| url.strip_prefix(scheme).is_some_and(|rest| rest.starts_with("://")));
    if known && is_not_encoded(url) {
        return Err(UrlError::NotEncoded(shown));
    }
    if known && url.contains(['?', '#']) {
        return Err(UrlError::Extra(shown));
    }
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
    // A user without a password still logs in as that user: never silently as the default one.
    if settings.username().is_some() && settings.password().is_none() {
        settings = settings.set_password("");
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

/// A URL without what may be a password, for messages; total, since a URL that does not parse may hold one too.
///
/// Nobody can tell where a password ends that was not percent-encoded, so it hides too much rather than too little: all
/// between `//` and the last `@`; from the first `pass` of a query to the end; a port that is no number.
pub fn redacted(url: &str) -> String {
    const HIDDEN: &str = "***";
    let scheme =
        url.find("://").filter(|&end| url[..end].bytes().all(|c| c.is_ascii_alphanumeric() || b"+-.".contains(&c)));
    let (scheme, rest) = url.split_at(scheme.map_or(0, |end| end + 3));
    let query = ["?pass", "&pass"].iter().filter_map(|word| rest.find(word)).min();
    let (login, place) = match (rest.rfind('@'), query) {
        (Some(at), Some(query)) if at > query => (HIDDEN, ""),
        (Some(at), _) => (HIDDEN, &rest[at..]),
        (None, _) => ("", rest),
    };
    let place = match ["?pass", "&pass"].iter().filter_map(|word| place.find(word)).min() {
        Some(query) => format!("{}pass={HIDDEN}", &place[..=query]),
        None => place.to_owned(),
    };
    let place = if login.is_empty() { without_odd_port(&place) } else { place };
    shown(format!("{scheme}{login}{place}").as_bytes()).into_owned()
}

/// Whether a URL asks for TLS.
pub(in crate::native) fn is_encrypted(url: &str) -> bool {
    ["valkeys:", "rediss:"].iter().any(|scheme| url.starts_with(scheme))
}

/// `USER:PASSWORD` without a host looks like `HOST:PORT`.
fn without_odd_port(place: &str) -> String {
    let (authority, rest) = place.split_at(place.find(['/', '?']).unwrap_or(place.len()));
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.bytes().all(|c| c.is_ascii_digit()) && !port.ends_with(']') => {
            format!("{host}:***")
        }
        _ => format!("{authority}{rest}"),
    }
}

/// Whether a character that a URL gives a meaning of its own stands before the last `@`: then it was meant for a password.
fn is_not_encoded(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    !url.contains("unix:") && rest.rfind('@').is_some_and(|at| rest[..at].contains(['/', '?', '#']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_shown() {
        for (url, shown) in [
            ("valkey://localhost:6379/2", "valkey://localhost:6379/2"),
            ("valkey://[::1]:6379/2?db=1", "valkey://[::1]:6379/2?db=1"),
            ("valkey://ann:secret@host:1/0", "valkey://***@host:1/0"),
            ("valkey://:secret@host", "valkey://***@host"),
            ("valkey://:se@cr:et@host", "valkey://***@host"),
            ("valkey://:S3?CRET@127.0.0.1:1", "valkey://***@127.0.0.1:1"),
            ("valkey://:S3://CRET@127.0.0.1:1", "valkey://***@127.0.0.1:1"),
            ("unix:///run/v.sock?user=ann&pass=secret&db=1", "unix:///run/v.sock?user=ann&pass=***"),
            ("unix:///run/v.sock?pass=se@cret", "unix://***"),
            ("valkey://:secret", "valkey://:***"),
            ("valkey://ann:sec/ret", "valkey://ann:***"),
            ("valkey:/:secret@host", "***@host"),
            (":secret@host", "***@host"),
            ("nonsense\u{1b}[2J", "nonsense\\x1b[2J"),
        ] {
            assert_eq!(redacted(url), shown);
        }
    }

    /// The error of a URL with such a password, whichever it is.
    fn every_error(password: &str) -> Vec<String> {
        let forms = [
            format!("valkey://:{password}@127.0.0.1:1"),
            format!("valkey://ann:{password}@127.0.0.1:1/x"),
            format!("valkeys://:{password}@[::1]:1"),
            format!("http://:{password}@host"),
            format!("valkey:/:{password}@host"),
            format!("ann:{password}@host"),
            format!("unix:///run/v.sock?pass={password}"),
            format!("unix://:{password}@/run/v.sock"),
        ];
        let shown = forms.iter().map(|url| redacted(url));
        let insecure = || Access { insecure: true, ..Access::default() };
        let errors = forms.iter().flat_map(|url| [client(url, Access::default()), client(url, insecure())]);
        shown.chain(errors.filter_map(Result::err).map(|error| error.to_string())).collect()
    }

    #[test]
    fn no_punctuation_makes_a_password_visible() {
        for c in (' '..='~').filter(|c| !c.is_ascii_alphanumeric()).chain(['\n', '\u{1b}', 'ż']) {
            for password in [format!("S3{c}CRET"), format!("{c}S3{c}{c}CRET{c}"), format!("S3{c}//CRET{c}@{c}S3")] {
                for text in every_error(&password) {
                    assert!(!text.contains("S3") && !text.contains("CRET"), "{password:?}: {text}");
                    assert!(!text.contains(['\n', '\u{1b}']), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn a_password_that_is_not_encoded_says_how_to() {
        check("valkey://:secr/et@host", "%2F");
        check("valkey://u#secret@host:1", "EMQ_PASSWORD");
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
    fn nothing_in_a_url_is_passed_over() {
        for extra in ["?db=9", "/0?db=9", "?", "#x", "/1#insecure", "?protocol=resp3"] {
            check(&format!("valkey://host{extra}"), "the database is the path");
        }
    }

    #[test]
    fn a_user_logs_in_as_that_user() {
        for (url, password) in
            [("valkey://ann@host", Some("")), ("valkey://ann:x@host", Some("x")), ("valkey://host", None)]
        {
            let client = client(url, Access::default()).expect("a URL");
            let settings = client.get_connection_info().redis_settings();
            assert_eq!(settings.password(), password, "{url}");
        }
    }

    #[test]
    fn tls_options_need_tls() {
        let access = Access { insecure: true, ..Access::default() };
        assert!(matches!(client("valkey://host", access), Err(UrlError::NotEncrypted(_))));
    }
}
