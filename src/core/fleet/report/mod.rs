//! Reports of a fleet, in the forms that people and programs read.

pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod svg;
pub mod text;
pub mod words;
