//! The patient's signature: the staff's decisions (`handlers`), and the signing page (`page`).

pub(crate) mod handlers;
pub(crate) mod page;
