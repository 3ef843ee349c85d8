//! `emq-conform probe --url valkeys://`: TLS with an authority of one's own, a client certificate, or no check at all.
//!
//! On 8.0 alone: the 9.1 build at hand has no TLS.

use crate::common::command::{Run, run};
use crate::common::encrypted::Encrypted;
use crate::common::engines::valkey_8;
use echomq_conformance::native::server::PrivateServer;

fn probe(url: &str, more: &[&str]) -> Run {
    run(&[&["probe", "--timeout", "5s", "--url", url], more].concat())
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
    probe(&server.url, &[]).expect(3).says(&["cannot connect", "nobody who is trusted here", "--tls-ca", "--insecure"]);
    let other_name = server.url.replace("localhost", "127.0.0.1");
    probe(&other_name, &["--tls-ca", &ca]).expect(3).says(&["certificate is another name's", "into the URL"]);
}

#[test]
fn a_certificate_that_signed_itself_is_trusted_where_it_is_named_and_no_authoritys() {
    let server = Encrypted::self_signed(false);
    let ca = server.folder.text("ca.pem");
    probe(&server.url, &[]).expect(3).says(&["cannot connect", "--tls-ca FILE", "of a self-signed one, itself"]);
    probe(&server.url, &["--tls-ca", &ca]).expect(0);
    let server = Encrypted::self_signed(true);
    let ca = server.folder.text("ca.pem");
    for trust in [&[][..], &["--tls-ca", &ca]] {
        probe(&server.url, trust).expect(3).says(&["an authority's own certificate", "CA:FALSE", "--insecure"]);
    }
    probe(&server.url, &["--insecure"]).expect(0);
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
