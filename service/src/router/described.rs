//! The route table as data, for the descriptions.

use super::Routes;
use super::exceptions::{EXCEPTIONS, Exception};
pub use super::methods::{Given, Holds};
use crate::call::Access;
use crate::extract::takes::Takes;

/// A method of a path.
#[derive(Debug)]
pub struct Operation {
    pub path: &'static str,
    /// In lower case.
    pub method: String,
    pub access: Access,
    /// The path of the function that answers.
    pub handler: &'static str,
    pub takes: Takes,
    pub gives: Option<Given>,
    /// What it takes and refuses otherwise than its handler's parameters say.
    pub exceptions: &'static [Exception],
}

/// Every method of every path.
#[must_use]
pub fn operations() -> Vec<Operation> {
    let routes = Routes::new().all.into_iter();
    let operations = routes.flat_map(|route| {
        let methods = route.methods.0.into_iter();
        methods.map(move |entry| {
            let name = format!("{} {}", entry.method, route.pattern);
            let exceptions = EXCEPTIONS.iter().find(|(of, _)| *of == name);
            Operation {
                path: route.pattern,
                method: entry.method.as_str().to_lowercase(),
                access: entry.access,
                handler: entry.handler,
                takes: entry.takes,
                gives: entry.gives,
                exceptions: exceptions.map_or(&[], |(_, exceptions)| exceptions),
            }
        })
    });
    operations.collect()
}
