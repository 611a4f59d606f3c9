//! What an operator relies on: limits, silence about patients, cost that does not grow, settings that are complete.

mod canary;
mod growth;
mod limits;
mod operator;
mod recovery;
mod rotation;
mod settings;
mod shield;
