//! What a practice decides about itself (interface: the practice settings).

pub mod api_keys;
