//! What a server said of a call, in words.

use yew::prelude::*;

use super::flaw::Said;
use super::flaw::anchors::did;
use crate::web::components::{element, text, text_in};

/// Its words, version by version where they differ, and how it left the queue.
pub(super) fn told(said: &[Said]) -> Vec<Html> {
    let Some(first) = said.first() else { return Vec::new() };
    let mut words = vec![text_in("b", "", did(first.outcome())), text(": ")];
    for one in said {
        if said.len() > 1 {
            words.push(text(&format!("{} ", one.versions)));
        }
        words.extend([text_in("code", "", one.words.trim_end_matches('.')), text(". ")]);
    }
    if let Some(key) = &first.logged {
        words.extend([text("ACL LOG names "), text_in("code", "", key), text(". ")]);
    }
    words.extend(left(first));
    words
}

/// How the queue was left.
fn left(said: &Said) -> Vec<Html> {
    let mut words = match (&said.moved, &said.unlocked) {
        (None, _) => vec![text("Nothing has changed.")],
        (Some(job), None) => vec![text(&format!("Job {job} is in active, and locked."))],
        (Some(job), Some(key)) => {
            let stays = if said.refused { "What it had done stays: job" } else { "Job" };
            vec![text(&format!("{stays} {job} is in active, and ")), text_in("code", "", key), text(" is not there.")]
        }
    };
    if said.stolen {
        words.push(text_in("b", "emq-bad", " The lock that another worker held for job 01 is this one’s now."));
    }
    words
}

/// A paragraph.
pub(super) fn said(words: Vec<Html>) -> Html {
    element("p", "", words)
}
