//! `emq-conform probe --url valkeys://`: TLS with an authority of one's own, a client certificate, or no check at all.
//!
//! On 8.0 alone: the 9.1 build at hand has no TLS.

mod common;

use std::net::TcpListener;

use common::command::{Run, run};
use common::engines::valkey_8;
use common::folder::Folder;
use echomq_conformance::native::server::PrivateServer;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};

/// A server that speaks TLS, and the files to reach it.
struct Encrypted {
    folder: Folder,
    url: String,
    _server: PrivateServer,
}

impl Encrypted {
    /// `clients` is the server's `tls-auth-clients`.
    fn start(clients: &str) -> Self {
        let folder = Folder::new();
        write_certificates(&folder);
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
        Self { folder, url: format!("valkeys://localhost:{port}"), _server: server }
    }
}

fn probe(url: &str, more: &[&str]) -> Run {
    run(&[&["probe", "--timeout", "5s", "--url", url], more].concat())
}

fn write_certificates(folder: &Folder) {
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

#[test]
fn an_authority_of_ones_own_is_trusted() {
    let server = Encrypted::start("no");
    let ca = server.folder.text("ca.pem");
    probe(&server.url, &["--tls-ca", &ca]).expect(0);
    probe(&server.url.replace("valkeys", "rediss"), &["--tls-ca", &ca]).expect(0);
    probe(&server.url, &["--insecure"]).expect(0);
}

#[test]
fn an_unknown_authority_or_another_name_is_refused() {
    let server = Encrypted::start("no");
    let ca = server.folder.text("ca.pem");
    probe(&server.url, &[]).expect(3).says(&["cannot connect", "certificate", "--tls-ca", "--insecure"]);
    let other_name = server.url.replace("localhost", "127.0.0.1");
    probe(&other_name, &["--tls-ca", &ca]).expect(3).says(&["certificate"]);
}

#[test]
fn a_client_certificate_is_shown_where_it_is_asked_for() {
    let server = Encrypted::start("yes");
    let [ca, certificate, key] = ["ca.pem", "client.pem", "client.key"].map(|name| server.folder.text(name));
    let trust = ["--tls-ca", &ca];
    probe(&server.url, &[&trust[..], &["--tls-cert", &certificate, "--tls-key", &key]].concat()).expect(0);
    probe(&server.url, &trust).expect(3).says(&["cannot connect", "--tls-cert"]);
}

#[test]
fn tls_on_one_side_alone_is_explained() {
    let server = Encrypted::start("no");
    let plain = server.url.replace("valkeys", "valkey");
    probe(&plain, &[]).expect(3).says(&["closed the connection", "valkeys://"]);
    let without = PrivateServer::start(&valkey_8()).expect("the server starts");
    let url = without.url().replace("valkey:", "valkeys:");
    run(&["probe", "--timeout", "500ms", "--url", &url, "--insecure"])
        .expect(3)
        .says(&["could not connect", "does it speak TLS?"]);
}

#[test]
fn wrong_files_and_options_are_bad_usage() {
    let server = Encrypted::start("no");
    let nonsense = server.folder.write("nonsense.pem", "nonsense");
    probe(&server.url, &["--tls-ca", "/nowhere/ca.pem"]).expect(2).says(&["/nowhere/ca.pem"]);
    probe(&server.url, &["--tls-ca", &nonsense]).expect(2).says(&["without a certificate"]);
    probe(&server.url, &["--tls-cert", &nonsense]).expect(2).says(&["--tls-key"]);
    probe("valkey://localhost:1", &["--insecure"]).expect(2).says(&["not encrypted", "valkeys://"]);
    run(&["probe", "--insecure"]).expect(2).says(&["--url"]);
}
