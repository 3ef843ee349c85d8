//! What each policy says of each finding, as a table.

use std::collections::BTreeMap;

use yew::prelude::*;

use super::report::{File, Finding, MANY};
use crate::core::policy::Policy;
use crate::core::report::Verdict;
use crate::web::components::{PredictFirst, element, text, text_in, verdict_mark};

/// One place in the script, and what each policy says of it.
#[derive(Debug)]
struct Row<'f> {
    line: usize,
    command: &'f str,
    said: [Vec<&'f Finding>; Policy::ALL.len()],
}

/// The rows, by their places; and whether there are more.
fn rows(judged: &[File]) -> (Vec<Row<'_>>, bool) {
    let mut rows = BTreeMap::new();
    for (policy, file) in judged.iter().take(Policy::ALL.len()).enumerate() {
        for finding in &file.findings {
            let row = rows.entry((finding.place(), finding.command.as_str())).or_insert_with(|| Row {
                line: finding.line,
                command: &finding.command,
                said: Default::default(),
            });
            row.said[policy].push(finding);
        }
    }
    // Where one report was cut, nobody knows what it says of what comes after.
    let cut = judged.iter().filter(|file| file.found > file.findings.len()).filter_map(|file| file.findings.last());
    let last = cut.map(Finding::place).min();
    let all = rows.len();
    let rows = rows.into_iter().filter(|((place, _), _)| last.is_none_or(|last| *place <= last));
    let rows: Vec<Row<'_>> = rows.map(|(_, row)| row).take(MANY).collect();
    let more = last.is_some() || rows.len() < all;
    (rows, more)
}

pub(super) fn compare(judged: &[File], first: PredictFirst) -> Html {
    let head = |name: &str| html! { <th scope="col">{ name.to_owned() }</th> };
    let policies = Policy::ALL.iter().map(|policy| head(policy.id()));
    let (rows, more) = rows(judged);
    let rows = rows.into_iter().map(|row| {
        let what = format!("line {} {}", row.line, row.command);
        let cells = row.said.iter().map(|said| cell(said));
        html! { <tr><th scope="row">{ what.trim_end().to_owned() }</th>{ for cells }</tr> }
    });
    let further = more.then(|| text_in("p", "emq-note", "and more, which the command below lists"));
    html! {
        <div class={first.veiled("emq-scroll emq-compare")} tabindex="0" role="group" aria-label="what each policy says">
            <table>
                <thead><tr><th scope="col">{ "policy" }</th>{ for policies }</tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
            { for further }
        </div>
    }
}

fn cell(said: &[&Finding]) -> Html {
    let mut parts = Vec::new();
    for finding in said {
        let word = match finding.judged() {
            _ if !finding.suppressions.is_empty() => "allowed by a comment ",
            Verdict::Fail => "refused ",
            Verdict::Indeterminate => "left open ",
            Verdict::Pass => "allowed ",
        };
        let parts_of_one = vec![verdict_mark(Some(finding.judged())), text(word), text_in("code", "", &finding.rule)];
        parts.push(element("div", "", parts_of_one));
    }
    if parts.is_empty() {
        parts.push(text("nothing"));
    }
    element("td", "", parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(found: usize, findings: &[(usize, &str, &str)]) -> File {
        let finding = |&(line, command, rule): &(usize, &str, &str)| Finding {
            rule: rule.to_owned(),
            severity: "error".to_owned(),
            line,
            column: 1,
            end_line: line,
            end_column: 2,
            command: command.to_owned(),
            message: String::new(),
            help: String::new(),
            origin: Vec::new(),
            suppressions: Vec::new(),
        };
        let findings = findings.iter().map(finding).collect();
        File { verdict: String::new(), conforms: None, calls: 0, findings, found }
    }

    fn told(judged: &[File]) -> (Vec<(usize, [usize; 3])>, bool) {
        let (rows, more) = rows(judged);
        (rows.iter().map(|row| (row.line, [0, 1, 2].map(|policy| row.said[policy].len()))).collect(), more)
    }

    #[test]
    fn what_policies_say_of_one_place_is_one_row() {
        let judged = [
            file(2, &[(1, "SET", "a"), (2, "DEL", "a")]),
            file(1, &[(1, "SET", "a")]),
            file(2, &[(1, "SET", "b"), (1, "SET", "c")]),
        ];
        assert_eq!(told(&judged), (vec![(1, [1, 1, 2]), (2, [1, 0, 0])], false));
    }

    #[test]
    fn nothing_is_said_of_what_comes_after_a_cut() {
        let judged = [file(9, &[(1, "SET", "a")]), file(2, &[(1, "SET", "a"), (5, "SET", "a")]), file(0, &[])];
        assert_eq!(told(&judged), (vec![(1, [1, 1, 0])], true));
    }
}
