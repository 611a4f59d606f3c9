//! Documents of a practice: letters, records and forms that an appeal needs (interface: Documents).

pub mod content;
pub mod name;
