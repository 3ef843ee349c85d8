//! What components do to the document besides drawing themselves.

mod use_follow;

pub use use_follow::use_follow;
