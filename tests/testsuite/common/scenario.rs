//! Scenarios: a few commands written down, run on a real server, and what MONITOR says of them.
//!
//! A line is `<client>> COMMAND argument…`; `<client>>+` sends it together with the client's next one, as a pipeline
//! does. An argument is a bare word, or quoted as MONITOR quotes; `@name` is the text of `fixtures/scripts/name.lua`, and
//! `sha1:name` its SHA-1. `include name` stands for another scenario's lines, `#` starts a comment.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use echomq_conformance::core::capture::monitor::Reader;
use echomq_conformance::native::server::{PrivateServer, Recorder, Target, recorder};

const PATIENCE: Duration = Duration::from_secs(20);

/// The log that a real server's MONITOR gives of the scenario in `file`, with times and addresses that never change.
pub(crate) fn record(program: &Path, file: &Path) -> String {
    let lines = lines(file);
    let server = PrivateServer::start(program).expect("a private server");
    let target = Target::private(&server, PATIENCE).expect("its address");
    let mut clients: BTreeMap<char, (redis::Connection, String)> = BTreeMap::new();
    for (client, _, _) in &lines {
        clients.entry(*client).or_insert_with(|| target.connect_named().expect("a connection"));
    }
    let (mut control, control_address) = target.connect_named().expect("a connection");
    let recording = Recorder::start(&target).expect("MONITOR");
    let mut pipes: BTreeMap<char, redis::Pipeline> = BTreeMap::new();
    for (client, held, argv) in lines {
        let pipe = pipes.entry(client).or_default();
        let command = argv.iter().fold(redis::Cmd::new(), |command, arg| command.clone().arg(arg).to_owned());
        pipe.add_command(command).ignore();
        if !held {
            let pipe = pipes.remove(&client).expect("just filled");
            // A scenario may hold commands that the server refuses: MONITOR shows what it shows.
            let _ = pipe.query::<()>(&mut clients.get_mut(&client).expect("connected").0);
        }
    }
    recorder::mark(&mut control, "the-end").expect("the marker");
    let mut log = String::from("OK\n");
    let mut seq = 0;
    let keep = |line: &str| {
        let (_, rest) = line.split_once(' ').expect("a time");
        if rest.contains(&control_address) {
            return;
        }
        seq += 1;
        // Once: a real address may be the one that another's stands for.
        let sent_by = |address: &str| format!(" {address}] ");
        let sender = clients.iter().find(|(_, (_, address))| rest.contains(&sent_by(address)));
        let rest = sender.map_or(rest.to_owned(), |(client, (_, address))| {
            rest.replacen(&sent_by(address), &sent_by(&format!("127.0.0.1:{}", 50_000 + u32::from(*client))), 1)
        });
        writeln!(log, "1795963025.{seq:06} {rest}").expect("writing to a string");
    };
    recording.finish("the-end", PATIENCE, keep).expect("the whole recording");
    log
}

type Line = (char, bool, Vec<Vec<u8>>);

fn lines(file: &Path) -> Vec<Line> {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(other) = line.strip_prefix("include ") {
            lines.extend(self::lines(&file.with_file_name(format!("{other}.include"))));
            continue;
        }
        let (client, rest) = line.split_once("> ").or_else(|| line.split_once(">+ ")).expect(line);
        let held = client.is_empty() || line[client.len()..].starts_with(">+");
        lines.push((client.chars().next().expect(line), held, words(rest)));
    }
    lines
}

/// The words of a command, by the reader that reads MONITOR's own quoting.
fn words(text: &str) -> Vec<Vec<u8>> {
    let mut quoted = String::from("1.000000 [0 a:1]");
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = if rest.starts_with('"') { closing_quote(rest) } else { rest.find(' ').unwrap_or(rest.len()) };
        let (word, after) = rest.split_at(end);
        rest = after.trim_start();
        let bare = !word.starts_with('"');
        write!(quoted, " {}{word}{}", if bare { "\"" } else { "" }, if bare { "\"" } else { "" }).expect("a string");
    }
    let event = Reader::new().line(quoted.as_bytes()).expect(text).expect(text);
    event.argv.iter().map(|arg| expanded(arg.as_slice())).collect()
}

fn closing_quote(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    panic!("no closing quote: {text}")
}

fn expanded(word: &[u8]) -> Vec<u8> {
    let script = |name: &[u8]| {
        let name = std::str::from_utf8(name).expect("a script's name");
        fs::read(Path::new("fixtures/scripts").join(format!("{name}.lua"))).expect(name)
    };
    match word {
        [b'@', name @ ..] => script(name),
        _ => match word.strip_prefix(b"sha1:") {
            Some(name) => sha1_smol::Sha1::from(script(name)).digest().to_string().into_bytes(),
            None => word.to_vec(),
        },
    }
}
