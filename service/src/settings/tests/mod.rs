//! The statements of a practice's settings.

mod audit;
mod practice;
mod trail;
