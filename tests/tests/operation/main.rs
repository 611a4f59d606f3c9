//! What an operator relies on: limits, silence about patients, cost that does not grow, settings that are complete.

mod alerts;
mod canary;
mod canary_columns;
mod canary_people;
mod canary_signing;
mod canary_work;
mod cost;
mod growth;
mod headers;
mod limits;
mod mismatches;
mod operator;
mod recovery;
mod rotation;
mod search;
mod settings;
mod shield;
mod tour;
mod verify_trail;
