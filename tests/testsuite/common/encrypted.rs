//! A server of the test's own that speaks TLS.
//!
//! It is 8.0: the 9.1 build at hand has no TLS.

use std::net::TcpListener;

use echomq_conformance::native::server::PrivateServer;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};

use super::engines::valkey_8;
use super::folder::Folder;

/// A server that speaks TLS, and the files to reach it.
pub(crate) struct Encrypted {
    pub(crate) folder: Folder,
    pub(crate) url: String,
    /// Where it speaks without.
    pub(crate) plain: String,
    _server: PrivateServer,
}

impl Encrypted {
    /// `clients` is the server's `tls-auth-clients`.
    pub(crate) fn start(clients: &str) -> Self {
        let folder = Folder::new();
        write_certificates(&folder);
        Self::with(folder, clients)
    }

    /// One whose certificate nobody else has signed; it may be an authority's, as `openssl req -x509` makes them.
    pub(crate) fn self_signed(is_authority: bool) -> Self {
        let folder = Folder::new();
        let mut parameters = CertificateParams::new(vec!["localhost".to_owned()]).expect("a name");
        parameters.is_ca = if is_authority { IsCa::Ca(BasicConstraints::Unconstrained) } else { IsCa::ExplicitNoCa };
        let key = KeyPair::generate().expect("a key");
        let certificate = parameters.self_signed(&key).expect("a certificate").pem();
        folder.write("server.key", key.serialize_pem());
        for name in ["ca.pem", "server.pem"] {
            folder.write(name, &certificate);
        }
        Self::with(folder, "no")
    }

    fn with(folder: Folder, clients: &str) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("its number").port();
        let files = ["ca.pem", "server.pem", "server.key"].map(|name| folder.text(name));
        let port = port.to_string();
        let options = [
            ["--tls-port", &port],
            ["--tls-ca-cert-file", &files[0]],
            ["--tls-cert-file", &files[1]],
            ["--tls-key-file", &files[2]],
            ["--tls-auth-clients", clients],
        ];
        let server =
            PrivateServer::start_with(&valkey_8(), options.as_flattened(), &|| false).expect("the server starts");
        let plain = server.url();
        Self { folder, url: format!("valkeys://localhost:{port}"), plain, _server: server }
    }
}

/// An authority, and what it signed for a server and a client.
pub(crate) fn write_certificates(folder: &Folder) {
    let mut authority = CertificateParams::default();
    authority.distinguished_name.push(DnType::CommonName, "authority");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().expect("a key");
    let authority = CertifiedIssuer::self_signed(authority, key).expect("an authority");
    folder.write("ca.pem", authority.pem());
    for name in ["server", "client"] {
        let key = KeyPair::generate().expect("a key");
        let mut parameters = CertificateParams::new(vec!["localhost".to_owned()]).expect("a name");
        parameters.distinguished_name.push(DnType::CommonName, name);
        let certificate = parameters.signed_by(&key, &authority).expect("a certificate");
        folder.write(&format!("{name}.pem"), certificate.pem());
        folder.write(&format!("{name}.key"), key.serialize_pem());
    }
}
