//! A reader of TAP 14, as far as its specification lets a harness ignore nothing.

/// One test point.
#[derive(Debug, Default)]
pub(crate) struct Point {
    pub(crate) ok: bool,
    pub(crate) description: String,
    /// The reason of a TODO directive.
    pub(crate) todo: Option<String>,
    /// The message of its diagnosis.
    pub(crate) message: Option<String>,
}

/// The points of a whole stream.
pub(crate) fn read(text: &str) -> Vec<Point> {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("TAP version 14"));
    let plan = lines.next().and_then(|line| line.strip_prefix("1..")).expect("a plan");
    let mut points: Vec<Point> = Vec::new();
    while let Some(line) = lines.next() {
        if line == "  ---" {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "  ...").collect();
            let message = block.iter().find_map(|line| line.strip_prefix("  message: "));
            points.last_mut().expect("a point before its diagnosis").message = message.map(string);
            for item in block.iter().filter_map(|line| line.strip_prefix("    - ")) {
                string(item);
            }
            continue;
        }
        // A comment, for people.
        if !line.starts_with("# ") {
            points.push(point(line, points.len() + 1));
        }
    }
    assert_eq!(points.len(), plan.parse::<usize>().expect("a number"));
    points
}

fn point(line: &str, number: usize) -> Point {
    let (ok, rest) = match line.strip_prefix("not ok ") {
        Some(rest) => (false, rest),
        None => (true, line.strip_prefix("ok ").unwrap_or_else(|| panic!("no test point: {line}"))),
    };
    let rest = rest.strip_prefix(&format!("{number} - ")).unwrap_or_else(|| panic!("not number {number}: {line}"));
    let (description, directive) = split(rest);
    let todo = directive.map(|text| unescaped(text.trim().strip_prefix("TODO ").expect("a TODO")));
    Point { ok, description: unescaped(description.trim_end()), todo, message: None }
}

/// A `#` that no backslash escapes starts a directive.
fn split(text: &str) -> (&str, Option<&str>) {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '#' => return (&text[..at], Some(&text[at + 1..])),
            _ => {}
        }
    }
    (text, None)
}

fn unescaped(text: &str) -> String {
    text.replace("\\#", "#").replace("\\\\", "\\")
}

/// YAML takes the strings of JSON as they are.
fn string(text: &str) -> String {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
