//! The payloads that a job is sent with: each is something that runtimes, their JSON or their Lua are known to change.

/// One payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload {
    /// Its name in reports.
    pub id: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// Its JSON text.
    pub text: String,
    /// What it holds, JSON leaves open: a runtime that says so, or that keeps only one of several members with one name, does not
    /// fail by it.
    pub optional: bool,
}

/// How long the long string is.
pub const LONG: usize = 1024 * 1024;
/// How deep the nested payload is.
pub const DEEP: usize = 100;

/// Every payload, in the order in which they are sent.
pub fn battery() -> Vec<Payload> {
    let payload = |id, about, text: &str| Payload { id, about, text: text.to_owned(), optional: false };
    vec![
        payload("plain", "an ordinary job", r#"{"amount":4200,"currency":"EUR","paid":false}"#),
        payload("unicode", "letters beyond ASCII, emoji, both directions", UNICODE),
        payload("empty-object", "an empty object", "{}"),
        payload("empty-array", "an empty array", "[]"),
        payload(
            "empties-within",
            "an empty array and an empty object side by side",
            r#"{"list":[],"map":{},"text":""}"#,
        ),
        payload("null", "null, alone", "null"),
        payload("integers", "integers that no double holds", INTEGERS),
        payload("floats", "numbers with fractions and exponents", FLOATS),
        payload("escapes", "every escape of JSON, NUL too", ESCAPES),
        payload("key-order", "members in no order, some named by numbers", r#"{"z":1,"a":2,"10":3,"9":4,"m":5}"#),
        payload("nested", "100 levels deep", &nested()),
        payload("long-string", "a string of 1 MiB", &format!("{{\"text\":\"{}\"}}", "emq 🐟 ".repeat(LONG / 9 + 1))),
        Payload { optional: true, ..payload("repeated-keys", "members with one name", r#"{"a":1,"b":2,"a":3}"#) },
    ]
}

const UNICODE: &str = "{\"polish\":\"zażółć gęślą jaźń\",\"japanese\":\"日本語\",\"family\":\"👩‍👩‍👧‍👦\",\"arabic\":\"مرحبا\",\"combined\":\"e\u{301}\",\"line\":\"\u{2028}\",\"last\":\"\u{10ffff}\",\"ключ\":1}";

const INTEGERS: &str = r#"{"over":9007199254740993,"under":-9007199254740995,"most":18446744073709551615,"longer":123456789012345678901234567890}"#;

const FLOATS: &str =
    r#"{"tenth":0.1,"smallest":5e-324,"largest":1.7976931348623157e308,"negative":-2.5,"whole":1.0,"exponent":1.5e-7}"#;

const ESCAPES: &str = r#"{"quote":"\"","backslash":"\\","slash":"\/","controls":"\b\f\n\r\t","nul":"a\u0000b","letter":"\u00e9","pair":"\ud83d\ude00"}"#;

fn nested() -> String {
    let half = DEEP / 2;
    r#"{"in":["#.repeat(half) + "1" + &"]}".repeat(half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::fleet::json;

    #[test]
    fn every_payload_is_json_on_one_line_and_has_its_name() {
        let all = battery();
        for payload in &all {
            assert!(json::parse(&payload.text).is_ok() && !payload.text.contains('\n'), "{}", payload.id);
        }
        let ids: std::collections::BTreeSet<_> = all.iter().map(|payload| payload.id).collect();
        assert_eq!(ids.len(), all.len());
        let text = |id| all.iter().find(|one| one.id == id).map(|one| one.text.clone()).unwrap_or_default();
        assert!(text("long-string").len() >= LONG);
        assert_eq!(text("nested").matches(['{', '[']).count(), DEEP);
    }
}
