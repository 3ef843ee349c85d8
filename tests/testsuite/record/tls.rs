//! `emq-conform record --url valkeys://`, of one server and of a cluster whose nodes speak TLS.
//!
//! On 8.0 alone: the 9.1 build at hand has no TLS.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use crate::common::cluster::Cluster;
use crate::common::command::run;
use crate::common::encrypted::{Encrypted, write_certificates};
use crate::common::engines::valkey_8;
use crate::common::folder::Folder;
use crate::common::recorder::{Recorder, commands, read};
use crate::common::shared::{connect, send};

#[test]
fn what_is_encrypted_is_recorded() {
    let server = Encrypted::start("no");
    let ca = server.folder.text("ca.pem");
    for (url, trust) in [
        (server.url.clone(), &["--tls-ca", &ca][..]),
        (server.url.replace("valkeys", "rediss"), &["--tls-ca", &ca]),
        (server.url.clone(), &["--insecure"]),
    ] {
        let recorder = Recorder::start_at(&url, trust);
        send(&mut connect(&server.plain), &["LPUSH", "emq:{q}:wait", "1"]);
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&["none lost"]);
        let capture = read(&folder);
        assert!(commands(&capture).contains(&"LPUSH emq:{q}:wait <1 bytes>".to_owned()), "{:?}", commands(&capture));
        assert_eq!(capture.dropped, 0);
    }
}

#[test]
fn a_client_certificate_is_shown_where_it_is_asked_for() {
    let server = Encrypted::start("yes");
    let [ca, certificate, key] = ["ca.pem", "client.pem", "client.key"].map(|name| server.folder.text(name));
    let recorder = Recorder::start_at(&server.url, &["--tls-ca", &ca, "--tls-cert", &certificate, "--tls-key", &key]);
    send(&mut connect(&server.plain), &["GET", "a"]);
    assert!(commands(&recorder.capture()).contains(&"GET a".to_owned()));
    let out = Folder::new();
    run(&["record", "--url", &server.url, "--tls-ca", &ca, "--out", &out.text("out.json"), "--timeout", "5s"])
        .expect(3)
        .says(&["cannot connect", "--tls-cert"]);
    assert!(out.names().is_empty(), "{:?}", out.names());
}

/// One that gets TLS where it speaks none waits for the rest of a command, or says that it is none.
#[test]
fn tls_on_one_side_alone_is_explained() {
    let server = Encrypted::start("no");
    let folder = Folder::new();
    let out = folder.text("out.json");
    let record = |url: &str, more: &[&str]| run(&[&["record", "--url", url, "--out", &out], more].concat()).expect(3);
    record(&server.url.replace("valkeys", "valkey"), &[]).says(&["closed the connection", "valkeys://"]);
    for scheme in ["valkeys:", "rediss:"] {
        let encrypted = server.plain.replace("valkey:", scheme);
        let silent = record(&encrypted, &["--timeout", "500ms"]);
        silent.says(&["cannot connect", "TLS", "starts with valkey://"]);
    }
    let talker = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("valkeys://{}", talker.local_addr().expect("its number"));
    let talking = thread::spawn(move || {
        let (mut stream, _) = talker.accept().expect("a client");
        stream.write_all(b"-ERR Protocol error: unbalanced quotes in request\r\n").expect("it listens");
        // Closed with something unread, the connection would be reset before it is heard.
        drop(stream.read_to_end(&mut Vec::new()));
    });
    record(&url, &["--timeout", "5s"]).says(&["what answers does not speak TLS", "starts with valkey://"]);
    talking.join().expect("it ends");
}

/// The other nodes are reached as the first: encrypted, and with the same trust.
#[test]
fn a_cluster_that_speaks_tls_is_followed() {
    let files = Folder::new();
    write_certificates(&files);
    let [ca, certificate, key] = ["ca.pem", "server.pem", "server.key"].map(|name| files.text(name));
    let options = [
        ["--tls-ca-cert-file", &ca],
        ["--tls-cert-file", &certificate],
        ["--tls-key-file", &key],
        ["--tls-auth-clients", "no"],
    ];
    let (cluster, ports) = Cluster::encrypted(&valkey_8(), options.as_flattened());
    let recorder = Recorder::start_at(&format!("valkeys://127.0.0.1:{}", ports[0]), &["--insecure"]);
    for queue in ["orders", "payments", "billing"] {
        let key = format!("emq:{{{queue}}}:wait");
        send(&mut connect(&cluster.nodes[Cluster::home(&key)].url()), &["LLEN", &key]);
    }
    let (run, folder) = recorder.interrupt();
    run.expect(0).says(&["a cluster of 3 primaries: valkeys://127.0.0.1:", "none lost"]);
    let held = commands(&read(&folder));
    assert_eq!(held.iter().filter(|command| command.starts_with("LLEN")).count(), 3, "{held:?}");
}
