//! What a capture or a log leaves out is never taken for a breach, and never for a pass.

use echomq_conformance::core::capture::json;
use echomq_conformance::core::facts::LogIntake;
use echomq_conformance::core::judge::{MOST_QUEUES, Options, judge, judge_capture};
use echomq_conformance::core::policy::Policy;
use echomq_conformance::core::profile::{ECHOMQ_2X, EMQ_1, Profile};
use echomq_conformance::core::report::{Reports, Verdict};

use Verdict::{Fail, Indeterminate, Pass};

/// Judges events of one client, each `[origin, call, client, argv…]` as JSON, behind a conforming round trip.
#[track_caller]
fn check_capture(more: &str, expected: [Verdict; 5]) {
    let text = format!(
        r#"{{"format":"emq-capture/1","queue":"payments","events":[
        {{"seq":1,"time":1,"client":"a:1","db":0,"origin":"client","call":null,"argv":["HSET","emq:{{payments}}:meta","version","echomq:2.0.0"]}},
        {{"seq":2,"time":2,"client":"a:1","db":0,"origin":"client","call":null,"argv":["FCALL","f","1","emq:{{payments}}:wait"]}},
        {{"seq":3,"time":3,"client":"a:1","db":0,"origin":"script","call":2,"argv":["LLEN","emq:{{payments}}:wait"]}}{more}]}}"#
    );
    let capture = json::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {more}"));
    let options = Options { policy: Policy::SlotRooted, ..Options::default() };
    assert_eq!(verdicts(&judge_capture(&capture, &options)), expected, "{more}");
}

#[track_caller]
fn check_log(profile: &'static Profile, log: &str, expected: [Verdict; 5]) {
    let mut intake = LogIntake::new(profile);
    intake.feed(log.as_bytes());
    assert_eq!(verdicts(&judge(&intake.finish(), &Options { profile, ..Options::default() })), expected, "{log}");
}

fn verdicts(reports: &Reports) -> [Verdict; 5] {
    let Reports(reports) = reports;
    let found: Vec<Verdict> = reports[0].assertions.iter().map(|assertion| assertion.verdict).collect();
    found.try_into().expect("five assertions")
}

#[test]
fn what_a_script_does_is_its_callers_whoever_the_event_names() {
    for client in ["null", r#""a:1""#, r#""b:2""#] {
        let line = |key: &str| {
            format!(
                r#",{{"seq":4,"time":4,"client":{client},"db":0,"origin":"script","call":2,"argv":["SET","{key}","1"]}}"#
            )
        };
        check_capture(&line("bull:mails:1"), [Fail, Fail, Fail, Fail, Pass]);
        check_capture(&line("emq:{payments}:wait"), [Pass; 5]);
    }
}

#[test]
fn a_left_out_element_of_keys_may_declare_any_key() {
    let call = |keys: &str, key: &str| {
        format!(
            r#",{{"seq":4,"time":4,"client":"a:1","db":0,"origin":"client","call":null,"argv":["FCALL","f","1",{keys}]}},
            {{"seq":5,"time":5,"client":"a:1","db":0,"origin":"script","call":4,"argv":["GET","{key}"]}}"#
        )
    };
    check_capture(&call(r#""emq:{payments}:01""#, "emq:{payments}:01"), [Pass; 5]);
    check_capture(&call(r#""emq:{payments}:01""#, "emq:{payments}:02"), [Pass, Pass, Pass, Fail, Pass]);
    let hidden = [Indeterminate, Indeterminate, Indeterminate, Indeterminate, Pass];
    check_capture(&call(r#"{"redacted":17}"#, "emq:{payments}:02"), hidden);
}

#[test]
fn a_left_out_field_may_be_the_version() {
    let command = |argv: &str| {
        format!(
            r#",{{"seq":4,"time":4,"client":"a:1","db":0,"origin":"client","call":null,"argv":[{argv}]}},
        {{"seq":5,"time":5,"client":"a:1","db":0,"origin":"client","call":null,"argv":["LLEN","emq:{{payments}}:wait"]}}"#
        )
    };
    let meta = r#""emq:{payments}:meta""#;
    let doubt = [Pass, Pass, Pass, Pass, Indeterminate];
    for length in [7, 6] {
        let expected = if length == 7 { doubt } else { [Pass; 5] };
        check_capture(&command(&format!(r#""HSET",{meta},{{"redacted":{length}}},{{"redacted":3}}"#)), expected);
        check_capture(&command(&format!(r#""HDEL",{meta},{{"redacted":{length}}}"#)), expected);
    }
    check_capture(&command(&format!(r#""HSET",{meta},"version",{{"redacted":3}}"#)), doubt);
}

const ROUND_TRIP: &str = "1.000001 [0 a:1] \"HSET\" \"emq:{payments}:meta\" \"version\" \"echomq:2.0.0\"\n\
     1.000002 [0 a:1] \"FCALL\" \"f\" \"1\" \"emq:{payments}:wait\"\n\
     1.000003 [0 lua] \"LLEN\" \"emq:{payments}:wait\"\n";

#[test]
fn a_damaged_line_may_hide_the_call_of_the_lines_after_it() {
    for damaged in ["1.000004 [0 lua] \"LLEN\" \"emq:{pa\" \"1\"x", "nonsense", "1.000004 [0 a:1] \"FCALL"] {
        let log = format!("{ROUND_TRIP}{damaged}\n1.000005 [0 lua] \"GET\" \"emq:{{payments}}:01\"\n");
        check_log(&EMQ_1, &log, [Indeterminate, Indeterminate, Indeterminate, Indeterminate, Pass]);
    }
}

#[test]
fn a_version_that_may_have_changed_is_in_doubt() {
    let doubt = [Pass, Pass, Pass, Pass, Indeterminate];
    for (change, expected) in [
        ("\"HSETEX\" \"emq:{payments}:meta\" \"FXX\" \"FIELDS\" \"1\" \"version\" \"bad\"", doubt),
        ("\"HSETEX\" \"emq:{payments}:meta\" \"EXAT\" \"1\" \"FIELDS\" \"1\" \"version\" \"echomq:2.0.0\"", doubt),
        (
            "\"HSETEX\" \"emq:{payments}:meta\" \"EX\" \"1\" \"FIELDS\" \"1\" \"version\" \"bad\"",
            [Pass, Pass, Pass, Pass, Fail],
        ),
        ("\"HSETEX\" \"emq:{payments}:meta\" \"FIELDS\" \"1\" \"version\" \"echomq:2.0.0\"", [Pass; 5]),
    ] {
        let log =
            format!("{ROUND_TRIP}1.000004 [0 a:1] {change}\n1.000005 [0 a:1] \"LLEN\" \"emq:{{payments}}:wait\"\n");
        check_log(&EMQ_1, &log, expected);
    }
    let trip = "1.000001 [0 a:1] \"SET\" \"{emq}:version\" \"echomq:2.4.2\"\n\
         1.000002 [0 a:1] \"FCALL\" \"f\" \"1\" \"emq:{payments}:pending\"\n\
         1.000003 [0 lua] \"ZCARD\" \"emq:{payments}:pending\"\n";
    for (change, expected) in [
        ("\"bullmq:5\" \"XX\"", doubt),
        ("\"bullmq:5\" \"IFEQ\" \"echomq:2.4.2\"", doubt),
        ("\"echomq:2.4.2\" \"EX\" \"10\"", doubt),
        ("\"bullmq:5\"", [Pass, Pass, Pass, Pass, Fail]),
        ("\"bullmq:5\" \"BOGUS\"", [Pass; 5]),
        ("\"bullmq:5\" \"NX\"", [Pass; 5]),
    ] {
        check_log(&ECHOMQ_2X, &format!("{trip}1.000004 [0 a:1] \"SET\" \"{{emq}}:version\" {change}\n"), expected);
    }
}

#[test]
fn queues_beyond_those_that_are_judged_are_no_pass() {
    let log = |queues: usize| {
        let of =
            |queue: usize| ROUND_TRIP.replace("payments", &format!("q{queue}")).replace("a:1", &format!("a:{queue}"));
        (0..queues).map(of).collect::<String>()
    };
    for (queues, reports, verdict) in
        [(MOST_QUEUES, MOST_QUEUES, Pass), (MOST_QUEUES + 1, MOST_QUEUES + 1, Indeterminate)]
    {
        let mut intake = LogIntake::new(&EMQ_1);
        intake.feed(log(queues).as_bytes());
        let found = judge(&intake.finish(), &Options::default());
        assert_eq!((found.0.len(), found.verdict()), (reports, verdict), "{queues} queues");
    }
}
