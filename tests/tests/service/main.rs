//! The service over HTTP, against workerd with a local D1.

mod send;
