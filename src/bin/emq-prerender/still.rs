//! Markup without what only a living figure has a use for: all of it is loaded before any figure lives.
//!
//! That is what a control does once it works, how a figure finds its own parts, and what else a list offers; and end tags that HTML
//! lets be left out.

/// Attributes that go, each with its element, or of every element.
const OF_LIFE: [(&str, &str); 6] = [
    ("", "data-place"),
    ("button", "aria-keyshortcuts"),
    ("button", "aria-disabled"),
    ("button", "aria-pressed"),
    ("button", "title"),
    ("option", "value"),
];

/// End tags that go: what they end is ended by what follows, or by the end of what it stands in.
const ENDS: [&str; 7] = ["</li>", "</option>", "</dt>", "</dd>", "</td>", "</th>", "</tr>"];

/// A figure's markup as it stands in the page. The renderer escapes `<`, `>` and `"` in texts and values.
pub(super) fn still(markup: &str) -> String {
    let mut out = String::with_capacity(markup.len());
    let (before, tags) = markup.split_once('<').unwrap_or((markup, ""));
    out.push_str(before);
    for piece in tags.split('<').filter(|piece| !piece.is_empty()) {
        let (tag, text) = piece.split_once('>').unwrap_or((piece, ""));
        let tag = format!("<{tag}>");
        if tag.starts_with("<option") && !tag.contains(" selected=") {
            continue;
        }
        if !ENDS.contains(&tag.as_str()) {
            // A title that says what stands there says nothing.
            out.push_str(&without(tag.replace(&format!(" title=\"{text}\""), "")));
        }
        out.push_str(text);
    }
    out
}

/// A tag without those attributes.
fn without(mut tag: String) -> String {
    for (element, attribute) in OF_LIFE {
        let wanted = format!(" {attribute}=\"");
        let Some(at) = tag.find(&wanted).filter(|_| tag[1..].starts_with(element)) else { continue };
        let value = at + wanted.len();
        if let Some(length) = tag[value..].find('"') {
            tag.replace_range(at..=value + length, "");
        }
    }
    tag
}

#[cfg(test)]
mod tests {
    use super::still;

    #[test]
    fn what_a_control_does_once_it_works_goes() {
        let markup = r#"<ol><li data-place="line-1" class="a">x &lt; y</li></ol><button title="P" type="button" aria-keyshortcuts="P">p</button>"#;
        assert_eq!(still(markup), r#"<ol><li class="a">x &lt; y</ol><button type="button">p</button>"#);
        let markup = r#"<select><option value="0">a</option><option value="1" selected="">b</option></select>"#;
        assert_eq!(still(markup), r#"<select><option selected="">b</select>"#);
    }

    #[test]
    fn what_says_something_to_a_reader_stays() {
        assert_eq!(still(r#"<code title="emq:a">emq:a</code>"#), "<code>emq:a</code>");
        let kept = r#"a<code title="emq:{q}:a">emq</code> b<input value="2"><p>title="a" &gt; b</p>"#;
        assert_eq!(still(kept), kept);
        assert_eq!((still("").as_str(), still("a").as_str()), ("", "a"));
    }
}
