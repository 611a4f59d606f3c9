//! The databases of the service. Each is a cell with the whole schema, and a practice lives in one of them. Everything
//! that the service hands out names the cell that made it, so what a practice asks takes no look-up.

mod route;

pub(crate) use route::of_call;
