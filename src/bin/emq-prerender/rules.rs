//! `rules.html`: what each assertion and each rule means, with an anchor for each, from the texts that `emq-conform explain` prints.
//!
//! It is a page of its own, without scripts, in the styles of the first.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;
use echomq_conformance::core::assertions;
use echomq_conformance::core::lua::rules;

/// Its name, beside the page.
const NAME: &str = "rules.html";

/// Writes it beside a page whose markup is known: the styles have that page's names.
pub(super) fn write(folder: &Path, page: &str) -> anyhow::Result<()> {
    let is_wanted = |line: &&str| line.contains("rel=\"stylesheet\"") || line.contains("rel=\"icon\"");
    let styles: Vec<&str> = page.lines().filter(is_wanted).collect();
    let styles = styles.join("\n");
    fs::write(folder.join(NAME), document(&styles)).with_context(|| format!("cannot write {NAME}"))
}

fn document(styles: &str) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; \
         form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>What each rule means · EchoMQ 2.0</title>\n{styles}\n</head>\n<body>\n<main class=\"rules\">\n\
         <h1>What each rule means</h1>\n<p>The same as <code>emq-conform explain</code> prints. <a href=\"./\">Back to the lesson</a>.</p>\n"
    );
    out.push_str("<h2 id=\"assertions\">Assertions: what holds for a queue’s traffic</h2>\n");
    for about in assertions::ALL.iter().map(|assertion| assertion.about()) {
        let invariant = about.invariant.map(|invariant| format!(" ({invariant})")).unwrap_or_default();
        heading(&mut out, about.id, &format!("{}{invariant}", about.title));
        paragraph(&mut out, "", about.holds);
        paragraph(&mut out, "Why", about.why);
        examples(&mut out, ("Holds", about.good), ("Breaks", about.bad));
        for (head, text) in [
            ("To mend it", about.mend),
            ("Indeterminate", about.indeterminate),
            ("To settle it", about.settle),
            ("Source", about.source),
        ] {
            paragraph(&mut out, head, text);
        }
        out.push_str("</section>\n");
    }
    out.push_str("<h2 id=\"rules\">Rules: what is wrong with a script</h2>\n");
    for rules::Page { about, what, why, good, bad } in rules::pages() {
        heading(&mut out, about.id, about.title);
        paragraph(&mut out, "", what);
        paragraph(&mut out, "Why", why);
        examples(&mut out, ("Found in", bad), ("Instead", good));
        paragraph(&mut out, "To mend it", about.mend);
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

// Writing to a string does not fail.

fn heading(out: &mut String, id: &str, title: &str) {
    let _ =
        writeln!(out, "<section id=\"{id}\">\n<h3><a href=\"#{id}\"><code>{id}</code></a>: {}</h3>", escaped(title));
}

fn paragraph(out: &mut String, head: &str, text: &str) {
    let head = if head.is_empty() { String::new() } else { format!("<b>{head}:</b> ") };
    let _ = writeln!(out, "<p>{head}{}</p>", escaped(text));
}

fn examples(out: &mut String, first: (&str, &str), second: (&str, &str)) {
    for (head, code) in [first, second] {
        let _ = writeln!(out, "<p><b>{head}:</b> <code>{}</code></p>", escaped(code));
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
