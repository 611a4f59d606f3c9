//! The wider service over HTTP: accounts, sessions and a practice's settings.
#![allow(missing_docs, reason = "tests")]

mod agreements;
mod api_keys;
mod api_tokens;
mod audit;
mod csrf;
mod deliveries;
mod denials;
mod etags;
mod following;
mod invitation;
mod invitations;
mod limits;
mod link_limits;
mod links;
mod lists;
mod lost_answers;
mod magic_link;
mod members;
mod owners;
mod page_refusals;
mod pages;
mod password;
mod practice;
mod session_store;
mod sessions;
mod settings;
mod sign_in;
mod signing;
mod signing_attacks;
mod signing_staff;
mod staff;
mod staff_queue;
mod webhooks;
