//! The service over HTTP, against workerd with a local D1.

mod correction;
mod refusal;
mod send;
mod validation;
