//! Input that means no good, over the real binary: it ends, says what it can, and what it draws is small, harmless and the same again.

use std::fmt::Write as _;
use std::fs;

use unicode_width::UnicodeWidthStr;

use super::fixtures::is_odd;
use super::svg;
use crate::common::command::run;
use crate::common::folder::Folder;

/// Draws it in every form, and holds each to what it must be.
#[track_caller]
fn holds(kind: &str, file: &str, says: &[&str]) {
    const MOST: usize = 400_000;
    let folder = Folder::new();
    let forms = ["svg", "html", "page"].map(|form| format!("--report={form}={}", folder.text(form)));
    let args = [&["figure", kind, file][..], &forms.each_ref().map(String::as_str)].concat();
    let text = run(&args).expect(0).stdout;
    for part in says {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
    let pieces = ["svg", "html", "page"].map(|form| folder.read(form));
    svg::well(&pieces[0]).unwrap_or_else(|why| panic!("{kind} {file}: {why}"));
    for piece in &pieces {
        assert!(!piece.contains("<script") && !piece.contains("]]>"), "{kind} {file}");
    }
    for piece in pieces.iter().chain([&text]) {
        assert!(piece.len() < MOST, "{kind} {file}: {} bytes", piece.len());
        assert_eq!(piece.chars().find(|c| is_odd(*c)), None, "{kind} {file}");
    }
    // As narrow as it may be, all of it has room.
    let narrow = ["--width=40".to_owned(), format!("--report=svg={}", folder.text("narrow"))];
    let narrow = run(&[&["figure", kind, file][..], &narrow.each_ref().map(String::as_str)].concat()).expect(0).stdout;
    assert_eq!(narrow.lines().find(|line| line.width() > 40), None, "{kind} {file}");
    svg::well(&folder.read("narrow")).unwrap_or_else(|why| panic!("{kind} {file}, narrow: {why}"));
    assert_eq!(narrow.chars().chain(folder.read("narrow").chars()).find(|c| is_odd(*c)), None, "{kind} {file}");
    // What is small is drawn once more: the same.
    if fs::metadata(file).expect("it is there").len() < 100_000 {
        assert!(run(&args).stdout == text && folder.read("svg") == pieces[0], "{kind} {file} is drawn in two ways");
    }
}

fn line(at: usize, command: &str) -> String {
    format!("1.{at:06} [0 127.0.0.1:5] {command}\n")
}

#[test]
fn what_acts_on_a_page_or_a_terminal_is_only_told() {
    let folder = Folder::new();
    let key = r#"emq:{q}:\x00\x1b[2J</script>]]>\xe2\x80\xae<script>alert(1)</script>&\"'\xef\xbf\xbf"#;
    let log =
        folder.write("a.log", line(1, &format!("\"SET\" \"{key}\" \"{key}\"")) + &line(2, &format!("\"{key}\" \"x\"")));
    for kind in ["conformance", "capture"] {
        holds(kind, &log, &["\\x00\\x1b[2J</script>"]);
    }
    let odd = folder.write("\u{202e}<script>\u{1b}[2J.lua", "redis.call('SET', '</script>]]>\u{202e}', 1) --\0\u{1b}");
    holds("script", &odd, &["undeclared-literal", "\\xe2\\x80\\xae"]);
}

/// A report's names come from whoever wrote it.
#[test]
fn runtimes_of_any_name_are_only_told() {
    const NAME: &str = r#""a\u001b[2J\u202e\u0085\u200b\ufdd0<b>&""#;
    let folder = Folder::new();
    let report = fs::read_to_string("fixtures/fleet/reports/hostile.json").expect("a report");
    let named = folder.write("named.json", report.replace("\"evil\"", NAME));
    holds("fleet", &named, &["a\\x1b[2J\\xe2\\x80\\xae\\xc2\\x85\\xe2\\x80\\x8b\u{fffd}<b>&"]);
}

#[test]
fn many_runtimes_with_long_names_are_told_by_whole_names_and_a_count() {
    let folder = Folder::new();
    let report = fs::read("fixtures/fleet/reports/hostile.json").expect("a report");
    let mut report: serde_json::Value = serde_json::from_slice(&report).expect("JSON");
    let one = report["runtimes"][0].clone();
    for n in 0..60 {
        let mut more = one.clone();
        more["name"] = format!("r{n}").into();
        more["label"] = format!("Runtime number {n} of a long list").into();
        report["runtimes"].as_array_mut().expect("a list").push(more);
    }
    let file = folder.write("many.json", report.to_string());
    holds("fleet", &file, &[]);
    let html = run(&["figure", "fleet", &file, "--format", "html"]).expect(0).stdout;
    let seam = html.split("the honest seam").nth(1).expect("a seam");
    assert!(seam.contains(" more: failed here"), "{seam}");
    assert!(seam.matches("Runtime number ").count() == seam.matches(" of a long list").count(), "{seam}");
    // What a person reads is cut by itself.
    for (label, ends) in [("x".repeat(5_000), "x…"), ("\u{1b}".repeat(5_000), "…")] {
        for member in report["runtimes"].as_array_mut().expect("a list") {
            member["label"] = label.clone().into();
        }
        let file = folder.write("long.json", report.to_string());
        holds("fleet", &file, &[]);
        let html = run(&["figure", "fleet", &file, "--format", "html"]).expect(0).stdout;
        let seam = html.split("the honest seam").nth(1).expect("a seam");
        assert!(seam.contains(ends) && seam.contains(" more: failed here"), "{seam}");
    }
}

#[test]
fn long_and_wide_queues_have_room_in_narrow_figures() {
    let folder = Folder::new();
    for (name, queue) in [("long", "q".repeat(80)), ("wide", "注文".repeat(30)), ("odd", "\\x00\\x1b".repeat(20))] {
        let log = line(1, &format!("\"GET\" \"emq:{{{queue}}}:wait\""))
            + &line(2, "\"GET\" \"emq:{注文注文注文注文注文注文注文注文注文}:wait\"");
        let log = folder.write(name, log);
        for kind in ["conformance", "capture"] {
            holds(kind, &log, &[]);
        }
    }
}

#[test]
fn thousands_of_keys_are_counted_and_some_are_named() {
    let folder = Folder::new();
    let many: String = (0..3_000).map(|n| line(n, &format!("\"SET\" \"emq:{{q}}:{n}\" \"k{n}\""))).collect();
    let log = folder.write("many.log", many);
    holds("conformance", &log, &["… 2940 more lines"]);
    holds("capture", &log, &["3000 keys in 1 slot", "and 2960 more keys"]);
    let mut queues = String::new();
    for n in 0..40 {
        queues += &line(n, &format!("\"GET\" \"emq:{{q{n}}}:wait\""));
    }
    let log = folder.write("queues.log", queues);
    holds("capture", &log, &["and 20 more queues"]);
    let mut call = String::from("\"EVALSHA\" \"abc\" \"4000\"");
    for n in 0..4_000 {
        let _ = write!(call, " \"emq:{{q}}:{n}\"");
    }
    let log = folder.write("call.log", line(1, &call));
    holds("conformance", &log, &["…:11 and 3988"]);
}

#[test]
fn eight_mebibytes_are_read_to_their_end() {
    let folder = Folder::new();
    let value = "v".repeat(4_000);
    let mut log = String::new();
    let mut at = 0;
    while log.len() < 8 << 20 {
        at += 1;
        log += &line(at, &format!("\"SET\" \"emq:{{q}}:{at}\" \"{value}\""));
    }
    holds("conformance", &folder.write("large.log", &log), &["queue q"]);
    let value = "w".repeat(200);
    let events: Vec<String> = (1..=30_000)
        .map(|n| format!("{{\"seq\":{n},\"origin\":\"client\",\"argv\":[\"SET\",\"emq:{{q}}:{n}\",\"{value}\"]}}"))
        .collect();
    let capture = format!("{{\"format\":\"emq-capture/1\",\"events\":[{}]}}", events.join(","));
    assert!(capture.len() > 7 << 20, "{}", capture.len());
    let capture = folder.write("large.json", capture);
    holds("conformance", &capture, &["more lines"]);
    holds("capture", &capture, &["30000 keys in 1 slot"]);
}

#[test]
fn scripts_at_the_limits_are_drawn() {
    let folder = Folder::new();
    let before = "redis.call('SET', ARGV[1] .. 'a', '";
    let long = format!("{before}{}')", "x".repeat((1 << 20) - before.len() - 2));
    holds("script", &folder.write("long.lua", &long), &["undeclared-argv", "…"]);
    holds("script", &folder.write("longer.lua", long + " "), &["not-followed", "1048576 bytes"]);
    let deep = format!("return {}KEYS[1]{}", "(".repeat(250), ")".repeat(250));
    holds("script", &folder.write("deep.lua", deep), &["invalid", "too many syntax levels"]);
    let statements = "redis.call('SET', ARGV[1] .. 'a', 1)\n".repeat(300);
    holds("script", &folder.write("many.lua", statements), &["1 of 300", "292 more findings"]);
    let chained = format!("local a = ARGV[1]\n{}redis.call('GET', a)", "a = a .. 'x'\n".repeat(400));
    holds("script", &folder.write("chained.lua", chained), &["… ", "lines"]);
    holds("script", &folder.write("no.lua", [0xff, 0xfe, 0x00, b'\n'].repeat(5_000)), &["invalid"]);
    holds("script", &folder.write("empty.lua", ""), &["declared"]);
}

#[test]
fn damaged_input_is_refused_or_told() {
    let folder = Folder::new();
    let log =
        folder.write("a.log", line(1, "\"GET\" \"emq:{q}:wait\"") + "no line\n" + &line(2, "\"GET\" \"emq:{q}:wait\""));
    holds("conformance", &log, &["line 2, byte 1"]);
    let fleet = |text: &str| folder.write("fleet.json", text);
    for (text, why) in [
        ("{", "EOF"),
        ("[]", "invalid"),
        (&"[".repeat(100_000), "invalid"),
        ("{\"format\":\"emq-fleet/2\"}", "missing field"),
    ] {
        run(&["figure", "fleet", &fleet(text)]).expect(2).says(&["fleet.json: ", why]);
    }
    let deep = folder.write("deep.json", format!("{{\"format\":{}", "[".repeat(100_000)));
    run(&["figure", "conformance", &deep]).expect(2).says(&["deep.json:1:"]);
}
