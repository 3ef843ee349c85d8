//! Arguments that several subcommands share.

use clap::Args;

use super::failure::Failure;
use super::nearest::nearest;
use crate::core::judge::Options;
use crate::core::policy::Policy;
use crate::core::profile::{self, EMQ_1, Profile};

/// What a queue is held to.
#[derive(Args)]
#[command(next_help_heading = "What the queue is held to")]
pub(super) struct Rules {
    /// Which grammar of keys and which place of the version
    #[arg(long, value_name = "ID", default_value = EMQ_1.id, value_parser = profile)]
    profile: &'static Profile,
    /// When a key that a script touches counts as declared: strict, rooted, slot-rooted
    #[arg(long, value_name = "ID", default_value = "strict", value_parser = policy)]
    policy: Policy,
    /// What the version must read, instead of the profile's own
    #[arg(long, value_name = "VERSION", value_parser = not_blank)]
    expect_version: Option<String>,
    /// One more prefix of the old keyspace, beside the profile's own; may be given again
    #[arg(long, value_name = "PREFIX", value_parser = not_blank)]
    legacy_prefix: Vec<String>,
}

impl Rules {
    /// The profile.
    pub(super) fn profile(&self) -> &'static Profile {
        self.profile
    }

    /// Refuses what cannot be meant.
    pub(super) fn check(&self) -> Result<(), Failure> {
        legacy_prefixes(self.profile, &self.legacy_prefix)
    }

    /// The judge's options for one input.
    pub(super) fn options(&self, queue: Option<String>, source: Option<String>) -> Options {
        Options {
            profile: self.profile,
            policy: self.policy,
            expected_version: self.expect_version.clone(),
            legacy_prefixes: self.more_legacy_prefixes().map(|prefix| prefix.as_bytes().to_vec()).collect(),
            queue,
            source,
            ..Options::default()
        }
    }

    /// Those that the profile does not have already.
    fn more_legacy_prefixes(&self) -> impl Iterator<Item = &str> {
        let own = self.profile.legacy_prefixes;
        self.legacy_prefix.iter().map(String::as_str).filter(|prefix| !own.contains(prefix))
    }

    /// A queue's name, if it can be one.
    pub(super) fn queue<'q>(&self, name: &'q str) -> Result<&'q str, Failure> {
        queue(self.profile, name)
    }
}

/// Refuses prefixes of the old keyspace that the new one has, too.
pub(super) fn legacy_prefixes(profile: &Profile, named: &[String]) -> Result<(), Failure> {
    let prefix = profile.prefix;
    match named.iter().find(|left| profile.covers_own(left)) {
        None => Ok(()),
        Some(left) => Err(Failure::Input(anyhow::anyhow!(
            "--legacy-prefix {left:?} covers this profile's own keys, {prefix}{{…; {prefix} without a {{ after it is taken for the old keyspace already"
        ))),
    }
}

/// A word that may be anything but blank: nobody is called so, and no command is.
pub(super) fn not_blank(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("it is blank".to_owned()) } else { Ok(text.to_owned()) }
}

/// A queue's name, if it can be one under this profile.
pub(super) fn queue<'q>(profile: &Profile, name: &'q str) -> Result<&'q str, Failure> {
    if profile.allows_queue(name.as_bytes()) {
        return Ok(name);
    }
    let reserved = profile.reserved_name;
    Err(Failure::Input(anyhow::anyhow!(
        "{name:?} cannot be a queue's name; --queue takes 1 to 128 of the characters A-Z a-z 0-9 . _ - and not the word {reserved}"
    )))
}

pub(super) fn profile(id: &str) -> Result<&'static Profile, String> {
    profile::by_id(id).ok_or_else(|| unknown(id, profile::ALL.iter().map(|profile| profile.id)))
}

pub(super) fn policy(id: &str) -> Result<Policy, String> {
    let known = Policy::ALL.into_iter().find(|policy| policy.id() == id);
    known.ok_or_else(|| unknown(id, Policy::ALL.iter().map(|policy| policy.id())))
}

/// Says what there is, and what was probably meant.
pub(super) fn unknown(wrong: &str, names: impl Iterator<Item = &'static str> + Clone) -> String {
    let known = names.clone().collect::<Vec<_>>().join(", ");
    match nearest(wrong, names) {
        Some(meant) => format!("did you mean {meant}? there is {known}"),
        None => format!("there is {known}"),
    }
}
