//! Whose traffic `check` judges, and which prefixes it takes for the old keyspace.

use crate::common::command::{Run, run, run_with_input};

/// Connection 5 breaks a rule and touches the queue; 6 keeps them; 7 never touches the queue.
const LOG: &str = r#"1795963025.000001 [0 127.0.0.1:5] "CLIENT" "SETNAME" "old worker"
1795963025.000002 [0 127.0.0.1:5] "LPUSH" "emq:{payments}:wait" "1"
1795963025.000003 [0 127.0.0.1:5] "GET" "cache"
1795963025.000004 [0 127.0.0.1:6] "HSET" "emq:{payments}:meta" "version" "echomq:2.0.0"
1795963025.000005 [0 127.0.0.1:6] "EVAL" "return redis.call('GET', KEYS[1])" "1" "emq:{payments}:wait"
1795963025.000006 [0 lua] "GET" "emq:{payments}:wait"
1795963025.000007 [0 127.0.0.1:7] "GET" "elsewhere"
"#;

fn check(more: &[&str]) -> Run {
    run_with_input(&[&["check", "-", "--queue", "payments", "--format", "json"], more].concat(), LOG.as_bytes())
}

fn keyspace(run: &Run) -> (serde_json::Value, serde_json::Value) {
    let report = run.json();
    (report["assertions"][0]["verdict"].clone(), report["out_of_scope"]["connections"].clone())
}

#[test]
fn the_connections_of_the_queue_are_judged_unless_others_are_named() {
    for (more, code, verdict, outside) in [
        (&[][..], 1, "fail", 1),
        (&["--all-clients"], 1, "fail", 0),
        (&["--client", "127.0.0.1:6"], 0, "pass", 2),
        (&["--client", "old worker"], 1, "fail", 2),
        (&["--client", "127.0.0.1:6", "--client", "127.0.0.1:7"], 1, "fail", 1),
    ] {
        let run = check(more).expect(code);
        assert_eq!(keyspace(&run), (verdict.into(), outside.into()), "{more:?}");
        assert_eq!(run.json()["notes"].as_array().map(Vec::len), Some(0), "{more:?}");
    }
    let reads = check(&["--all-clients"]).json()["assertions"][0]["checked"].clone();
    assert!(reads.as_u64() > check(&[]).json()["assertions"][0]["checked"].as_u64());
}

/// An address is given out again once its connection has gone.
#[test]
fn after_quit_an_address_is_another_connection() {
    let kept: String =
        LOG.split_inclusive('\n').filter(|line| line.contains("127.0.0.1:6]") || line.contains("lua")).collect();
    let judged = |log: &str| run_with_input(&["check", "-", "--queue", "payments", "--format", "json"], log.as_bytes());
    let with = |last: &str| {
        let more =
            [last, r#""GET" "bull:other:wait""#].map(|words| format!("1795963025.000008 [0 127.0.0.1:6] {words}\n"));
        kept.clone() + &more.concat()
    };
    for quits in [r#""QUIT""#, r#""quit" "now""#] {
        assert_eq!(keyspace(&judged(&with(quits)).expect(0)), ("pass".into(), 1.into()));
    }
    for stays in [r#""PING""#, r#""GET" "QUIT""#] {
        assert_eq!(keyspace(&judged(&with(stays)).expect(1)).0, "fail");
    }
    // All of a unix socket's connections have its address.
    assert_eq!(keyspace(&judged(&with(r#""QUIT""#).replace("127.0.0.1:6", "unix:/v.sock")).expect(1)).0, "fail");
}

#[test]
fn a_connection_that_is_not_there_is_noted() {
    let report = check(&["--client", "127.0.0.1:9", "--client", "127.0.0.1:6"]).expect(0).json();
    let note =
        "no connection has the address or name 127.0.0.1:9; the input holds 127.0.0.1:5, 127.0.0.1:6, 127.0.0.1:7";
    assert_eq!(report["notes"], serde_json::json!([note]));
    check(&["--client", "nobody"]).expect(4);
}

#[test]
fn one_database_can_be_named() {
    let reports = |more: &[&str]| check(more).json();
    assert_eq!(reports(&["--db", "0"]), reports(&[]));
    let elsewhere = check(&["--db", "3"]).expect(4).json();
    assert_eq!(elsewhere["subject"]["db"], 3);
    let note = "nothing of it lies in database 3; the input holds payments in database 0";
    assert_eq!(elsewhere["notes"], serde_json::json!([note]));
    // What was read aside does not say in which database.
    let read = br#"{"format":"emq-capture/1","queue":"payments","events":[],"reads":[{"argv":["HGET","emq:{payments}:meta","version"],"reply":"1"}]}"#;
    for (more, code) in [(&[][..], 1), (&["--db", "7"], 4)] {
        run_with_input(&[&["check", "-"], more].concat(), read).expect(code);
    }
    for wrong in ["-1", "x", "4294967296", ""] {
        check(&["--db", wrong]).expect(2).says(&["--db"]);
    }
}

#[test]
fn the_two_exclude_each_other_and_a_name_is_a_name() {
    check(&["--client", "x", "--all-clients"]).expect(2).says(&["cannot be used with"]);
    check(&["--client", ""]).expect(2);
}

/// What is blank is nobody's name, no command and no version, wherever it may be given.
#[test]
fn a_blank_word_is_refused() {
    let record = ["record", "--url", "valkey://127.0.0.1:1", "--out", "/dev/null", "--queue", "q"];
    let options: [(&[&str], &[&str]); 3] = [
        (&["check", "-"], &["--client", "--queue", "--legacy-prefix", "--expect-version"]),
        (&record, &["--client", "--user", "--legacy-prefix"]),
        (&["probe"], &["--runtime", "--queue", "--legacy-prefix", "--expect-version"]),
    ];
    for (command, options) in options {
        for option in options {
            for blank in ["", " ", "\t"] {
                let run = run(&[command, &[option, blank]].concat()).expect(2);
                assert!(run.stderr.contains(option), "{command:?} {option} {blank:?}: {}", run.stderr);
            }
        }
    }
}

#[test]
fn a_prefix_of_the_own_keys_is_not_left() {
    for prefix in ["e", "em", "emq", "emq:{", "emq:{payments}:", "emq:{payments}:wait", "emq:{q"] {
        check(&["--legacy-prefix", prefix]).expect(2).says(&["--legacy-prefix", "own keys", prefix]);
        run(&["probe", "--legacy-prefix", prefix]).expect(2).says(&["own keys"]);
        let record = ["record", "--url", "valkey://127.0.0.1:1", "--out", "/dev/null", "--queue", "q"];
        run(&[&record[..], &["--legacy-prefix", prefix]].concat()).expect(2).says(&["own keys"]);
    }
    check(&["--legacy-prefix", ""]).expect(2);
    for prefix in ["emq:", "bull:", "emq-old:", "emq:payments", "x", "cach"] {
        assert_eq!(check(&["--legacy-prefix", prefix, "--client", "127.0.0.1:6"]).expect(0).stderr, "");
    }
    let left = check(&["--legacy-prefix", "cache"]).expect(1).json();
    assert_eq!(left["assertions"][2]["verdict"], "fail");
    assert_eq!(check(&[]).json()["assertions"][2]["verdict"], "pass");
}

/// A job of another queue says nothing of when this one's version was written; one of its own does.
#[test]
fn a_version_is_late_for_jobs_of_its_own_queue() {
    let write = |queue: &str| format!("[\"HSET\", \"emq:{{{queue}}}:meta\", \"version\", \"echomq:2.0.0\"]");
    let job = |queue: &str| format!("[\"HSET\", \"emq:{{{queue}}}:1\", \"state\", \"wait\"]");
    for (argvs, verdict) in
        [([write("p"), job("p"), write("q"), job("q")], "pass"), ([write("p"), job("q"), write("q"), job("p")], "fail")]
    {
        let line = |(seq, argv): (u32, &String)| {
            format!(
                "{{\"seq\": {seq}, \"time\": 1, \"client\": \"a:1\", \"db\": 0, \"origin\": \"client\", \"call\": null, \"argv\": {argv}}}"
            )
        };
        let events = (1..).zip(&argvs).map(line).collect::<Vec<_>>().join(",\n");
        let source = "{\"kind\": \"probe\", \"private\": true, \"left_out\": 0}";
        let capture = format!(
            "{{\"format\": \"emq-capture/1\", \"source\": {source}, \"events\": [\n{events}\n], \"dropped\": 0}}"
        );
        let report = run_with_input(&["check", "-", "--queue", "q", "--format", "json"], capture.as_bytes()).json();
        assert_eq!(report["assertions"][4]["verdict"], verdict, "{report:#}");
    }
}
