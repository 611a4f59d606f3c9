//! Documents of practices.

pub mod stream;
