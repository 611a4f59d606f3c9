//! Tests with documents that they sign themselves.

mod accepted;
mod claims;
mod encrypted;
mod facts;
mod kit;
mod mutations;
mod provider;
mod request;
mod shapes;
mod signatures;
mod text;
mod wrapping;
