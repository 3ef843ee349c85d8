//! The honest seam in one sentence: who was seen to cross, and where everybody else stands.

use super::status::Status;

/// What the sentence is about: a runtime's label, whether it is the probe's own, and where it stands.
pub type Standing<'s> = (&'s str, bool, Status);

/// The sentence. Whoever was not seen to cross is named with the words of its own status, and none is left out.
///
/// ```
/// use echomq_conformance::core::fleet::{seam::seam, status::Status};
/// assert_eq!(
///     seam(&[("A", false, Status::ClaimsNotVerified)]),
///     "No runtime was seen to hand a v2 job to another and to take one from it; A: claims v2, not verified here."
/// );
/// ```
pub fn seam(all: &[Standing<'_>]) -> String {
    seam_of(all, usize::MAX)
}

/// The same for a picture, which has room for so many names of each standing; the others are counted.
pub fn seam_of(all: &[Standing<'_>], most: usize) -> String {
    let crossed = |(_, _, status): &&Standing<'_>| matches!(status, Status::Passed | Status::PassedUnclaimed);
    let seen: Vec<&Standing<'_>> = all.iter().filter(crossed).collect();
    let mut parts = vec![if seen.is_empty() {
        "No runtime was seen to hand a v2 job to another and to take one from it".to_owned()
    } else {
        let labels: Vec<&str> = seen.iter().map(|(label, ..)| *label).collect();
        let whose = match seen.iter().filter(|(_, fixture, _)| *fixture).count() {
            own if own == seen.len() => ", the probe's own fixtures, and nobody else",
            0 => "",
            _ => ", some of them the probe's own fixtures",
        };
        format!("Seen to hand a v2 job to another and to take one from it: {}{whose}", listed(&labels, most))
    }];
    for status in Status::ALL {
        let those = all.iter().filter(|one| !crossed(one) && one.2 == status).map(|(label, ..)| *label);
        let labels: Vec<&str> = those.collect();
        if !labels.is_empty() {
            parts.push(format!("{}: {}", listed(&labels, most), status.words()));
        }
    }
    parts.join("; ") + "."
}

/// `a`, `a and b`, `a, b and c`; `a, b and 3 more`.
fn listed(words: &[&str], most: usize) -> String {
    match words {
        // One more takes no more room than to say so.
        [..] if words.len() > most.saturating_add(1) => {
            format!("{} and {} more", words[..most].join(", "), words.len() - most)
        }
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_left_out_and_fixtures_are_named_as_such() {
        let all = [
            ("R", true, Status::Passed),
            ("N", true, Status::Passed),
            ("B", false, Status::FailedByDesign),
            ("E", false, Status::ClaimsNotVerified),
            ("P", false, Status::Proposed),
            ("Q", false, Status::Proposed),
        ];
        assert_eq!(
            seam(&all),
            "Seen to hand a v2 job to another and to take one from it: R and N, the probe's own fixtures, and nobody else; \
             E: claims v2, not verified here; P and Q: proposed, does not exist, no evidence here; \
             B: never, by design, failed here as it must."
        );
        let mut real = all;
        real[3].2 = Status::Passed;
        assert!(seam(&real).contains("R, N and E, some of them the probe's own fixtures; "), "{}", seam(&real));
        let alone = [("E", false, Status::Passed), ("G", false, Status::PassedUnclaimed)];
        assert!(seam(&alone).ends_with("from it: E and G."), "{}", seam(&alone));
    }
}
