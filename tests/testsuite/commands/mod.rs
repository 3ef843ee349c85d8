//! The command table, held against real servers.

mod fixture;
mod operand_keys;
mod table;
