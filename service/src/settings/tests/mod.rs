//! The statements of a practice's settings.

mod audit;
mod keys;
mod practice;
mod trail;
