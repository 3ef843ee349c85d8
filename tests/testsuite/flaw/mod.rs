//! The v1 flaw: what real servers say of it.

mod calls;
mod recorded;
mod servers;
