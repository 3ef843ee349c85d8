//! Figures that stand still: what each says in each form, and that each form is what it should be.

mod cli;
mod docs;
mod fixtures;
mod hostile;
mod svg;
