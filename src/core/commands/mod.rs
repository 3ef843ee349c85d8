//! Which keys a command touches: the engine's own key specifications, applied to a command's arguments.
//!
//! [`operand_keys`] answers as the server's `COMMAND GETKEYSANDFLAGS` does. It looks the command up in [`COMMANDS`], a
//! table generated from real servers, and for the few commands whose specifications do not tell everything it applies
//! the engine's own rule (`own_rule.rs`). What no specification knows, the keys that SORT reads through its BY and GET
//! patterns, comes apart, as [`KeyPattern`]s.
//!
//! ```
//! use echomq_conformance::core::commands::{Access, operand_keys};
//!
//! let argv: [&[u8]; 4] = [b"rename", b"emq:{q}:wait", b"emq:{q}:active", b""];
//! let operands = operand_keys(&argv[..3]).expect("two keys");
//! assert_eq!(operands.keys.iter().map(|key| key.index).collect::<Vec<_>>(), [1, 2]);
//! assert_eq!(operands.keys[1].flags.access(), Access::Write);
//! assert!(operand_keys(&argv).is_err(), "RENAME takes two keys");
//! ```
//!
//! # How the table is made
//!
//! `fixtures/commands/valkey-<version>.json` holds the reply of one server to COMMAND, a line a command.
//! `src/core/commands/table.rs` is the union of these files: where two servers differ, the newer one's row stands.
//! `tests/testsuite/commands/table` makes both, and fails when the table is not what the fixtures say. To refresh them:
//!
//! ```text
//! # one server → its fixture
//! EMQ_COMMANDS_FROM=/usr/bin/valkey-server cargo test the_table_is_what_the_fixtures_say
//! # the fixtures → table.rs
//! EMQ_BLESS=1 cargo test the_table_is_what_the_fixtures_say
//! ```
//!
//! `make commands` does it for each server the project is tested with. A further version is named in `VERSIONS` of
//! `tests/testsuite/commands/table/mod.rs`.
//!
//! # Where the answer differs from GETKEYSANDFLAGS
//!
//! On purpose, and each held by `tests/testsuite/commands/operand_keys`:
//!
//! - A command without key specifications has no operand keys. The server refuses the question ("The command has no
//!   key arguments"); here the answer is the empty list.
//! - A count of keys is a canonical decimal number. Where the specification refuses it, the server falls back on an
//!   older reader that takes `1x`, `01` or 2³²+1 for a 1, and answers with keys that carry no flags. The commands
//!   themselves refuse such a count when they run, so here it counts no keys.
//! - XREADGROUP without its GROUP, whose STREAMS comes too early for the specification, is refused; the server's
//!   fallback finds keys in it, though the command itself refuses to run.
//! - GEORADIUS and GEORADIUSBYMEMBER with several of STORE and STOREDIST write the last one only. Valkey 9.1 says so;
//!   8.0 reports the first of each kind.

mod command;
mod extract;
mod key_flags;
mod key_spec;
mod own_rule;
mod pattern;
mod role;
mod script;
mod table;

pub use command::{Command, CommandFlags, command};
pub use extract::{Flaw, KeyError, OperandKey, OperandKeys, operand_keys};
pub use key_flags::{Access, KeyFlags};
pub(in crate::core) use key_spec::is_word;
pub use pattern::{KeyPattern, PatternOption};
pub use role::Role;
pub use script::{ScriptCall, ScriptKind, calls_a_script, script_call};
pub use table::{COMMANDS, ENGINES};
