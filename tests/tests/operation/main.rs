//! What an operator relies on: limits, no patient data outside, constant cost, complete settings.

mod alerts;
mod canary;
mod canary_columns;
mod canary_documents;
mod canary_hooks;
mod canary_people;
mod canary_signing;
mod canary_work;
mod cost;
mod demo_sso;
mod growth;
mod headers;
mod identity;
mod ip_ban;
mod kills;
mod limits;
mod mismatches;
mod native;
mod operator;
mod recovery;
mod rotation;
mod scanner;
mod search;
mod settings;
mod tour;
mod verify_trail;
