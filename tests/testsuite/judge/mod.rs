//! The judge over captures and logs.

mod breaks;
mod databases;
mod fixed_capture;
mod fixtures;
mod formats;
mod hostile;
mod left_out;
mod sizes;
