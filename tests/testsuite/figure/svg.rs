//! What every picture must be: XML, alone, named, and no wider than it says.

use std::fs;
use std::path::Path;

use super::fixtures::is_odd;

/// Whether a picture is one that works as an image.
pub(super) fn check(file: &Path) -> Result<(), String> {
    let text = fs::read_to_string(file).expect("a picture");
    well(&text).map_err(|why| format!("{}: {why}", file.display()))
}

/// The same of a text.
pub(super) fn well(text: &str) -> Result<(), String> {
    const KNOWN: [&str; 10] = ["svg", "title", "desc", "style", "rect", "circle", "path", "g", "text", "tspan"];
    let document = roxmltree::Document::parse(text).map_err(|error| error.to_string())?;
    let root = document.root_element();
    let number = |node: &roxmltree::Node<'_, '_>, name: &str| -> Result<f64, String> {
        let value = node.attribute(name).ok_or(format!("no {name}"))?;
        value.parse().map_err(|_| format!("{name} is {value}"))
    };
    if root.attribute("role") != Some("img") {
        return Err("it has no role".to_owned());
    }
    let named: Vec<&str> =
        root.children().filter(roxmltree::Node::is_element).take(3).map(|node| node.tag_name().name()).collect();
    if named != ["title", "desc", "style"] {
        return Err(format!("it opens with {named:?}"));
    }
    for node in root.descendants().filter(roxmltree::Node::is_element) {
        let name = node.tag_name().name();
        if !KNOWN.contains(&name) {
            return Err(format!("an element <{name}>"));
        }
        if let Some(one) =
            node.attributes().find(|one| one.name().starts_with("on") || one.name() == "href" || one.name() == "id")
        {
            return Err(format!("an attribute {}", one.name()));
        }
    }
    let (wide, high) = (number(&root, "width")?, number(&root, "height")?);
    if !(200.0..2_100.0).contains(&wide) || !(60.0..12_000.0).contains(&high) {
        return Err(format!("{wide} by {high} pixels"));
    }
    for line in root.descendants().filter(|node| node.has_tag_name("text") || node.tag_name().name() == "text") {
        if line.attribute("transform").is_some() {
            continue;
        }
        let (x, y, long) = (number(&line, "x")?, number(&line, "y")?, number(&line, "textLength")?);
        if x < 0.0 || x + long > wide || y > high {
            let said: String = line.descendants().filter_map(|node| node.text()).collect();
            return Err(format!("from {x}, {long} long, at {y}, of {wide} by {high}: {said}"));
        }
    }
    let style = root
        .descendants()
        .find(|node| node.tag_name().name() == "style")
        .and_then(|node| node.text())
        .unwrap_or_default();
    if style.contains("url(")
        || style.contains("@import")
        || text.contains("://") && !text.contains("http://www.w3.org/2000/svg")
    {
        return Err("it names something elsewhere".to_owned());
    }
    match text.chars().find(|c| is_odd(*c)) {
        Some(odd) => Err(format!("{odd:?}")),
        None => Ok(()),
    }
}
