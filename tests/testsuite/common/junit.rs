//! A strict reader of `JUnit` XML, by the elements and attributes that the schema of Jenkins' xunit plug-in knows.

use roxmltree::{Document, Node};

/// The suites, each with its cases and their outcomes.
pub(crate) fn read(text: &str) -> Vec<Vec<(String, String)>> {
    let document = Document::parse(text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    let root = document.root_element();
    node(root, "testsuites", &["name", "tests", "failures", "errors", "skipped", "time"]);
    let suites: Vec<Vec<(String, String)>> = elements(root).map(suite).collect();
    counts(root, suites.iter().flatten());
    suites
}

fn suite(suite: Node<'_, '_>) -> Vec<(String, String)> {
    node(suite, "testsuite", &["name", "tests", "failures", "errors", "skipped", "time"]);
    // The schema's order: properties, cases, what was printed.
    let order: Vec<&str> = elements(suite).map(|child| child.tag_name().name()).collect();
    let rank = |name: &str| ["properties", "testcase", "system-out"].iter().position(|known| *known == name);
    assert!(order.iter().map(|name| rank(name).expect(name)).is_sorted(), "{order:?}");
    let properties = elements(suite).find(|child| child.has_tag_name("properties")).expect("properties");
    elements(properties).for_each(|property| node(property, "property", &["name", "value"]));
    let cases: Vec<_> = elements(suite).filter(|child| child.has_tag_name("testcase")).map(case).collect();
    counts(suite, cases.iter());
    cases
}

fn case(case: Node<'_, '_>) -> (String, String) {
    node(case, "testcase", &["classname", "name", "time"]);
    let children: Vec<_> = elements(case).collect();
    let outcome = match children.as_slice() {
        [] => "passed",
        [child] => {
            let name = child.tag_name().name();
            match name {
                "failure" | "error" => node(*child, name, &["type", "message"]),
                _ => node(*child, "skipped", &["message"]),
            }
            name
        }
        _ => panic!("a case with {} outcomes", children.len()),
    };
    (case.attribute("name").expect("a name").to_owned(), outcome.to_owned())
}

/// An element of that name with exactly these attributes.
fn node(node: Node<'_, '_>, name: &str, attributes: &[&str]) {
    assert_eq!(node.tag_name().name(), name);
    let mut found: Vec<&str> = node.attributes().map(|attribute| attribute.name()).collect();
    let mut wanted = attributes.to_vec();
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted, "the attributes of {name}");
}

fn counts<'a>(node: Node<'_, '_>, cases: impl Iterator<Item = &'a (String, String)>) {
    let outcomes: Vec<&str> = cases.map(|(_, outcome)| outcome.as_str()).collect();
    let of = |outcome: &str| outcomes.iter().filter(|found| **found == outcome).count();
    let said = |name| node.attribute(name).expect(name).parse::<usize>().expect("a number");
    assert_eq!(said("tests"), outcomes.len());
    assert_eq!([said("failures"), said("errors"), said("skipped")], [of("failure"), of("error"), of("skipped")]);
}

fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}
