//! What a practice's endpoints are told, and how (interface: Events, which it leaves open).

pub mod message;
