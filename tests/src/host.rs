//! The host that the service runs on: workerd, or the native program. `OVERTURN_HOST` names it, and the
//! native program is the default.
//!
//! A few tests are about one host. They begin with [`crate::only_on_workerd`] or [`crate::only_on_native`].

use std::sync::OnceLock;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Host {
    /// The built Worker under workerd, with local D1, KV, R2 and Durable Objects.
    Workerd,
    /// The program `overturn-server`, with SQLite and files.
    Native,
}

impl Host {
    /// The host of these tests.
    pub fn chosen() -> Self {
        static CHOSEN: OnceLock<Host> = OnceLock::new();
        *CHOSEN.get_or_init(|| match std::env::var("OVERTURN_HOST").as_deref() {
            Ok("native" | "") | Err(_) => Self::Native,
            Ok("workerd") => Self::Workerd,
            Ok(other) => panic!("OVERTURN_HOST is native or workerd, not {other}"),
        })
    }
}

/// How many databases the servers of the tests have: `OVERTURN_CELLS`, or one.
pub fn cells() -> u16 {
    static CELLS: OnceLock<u16> = OnceLock::new();
    *CELLS.get_or_init(|| match std::env::var("OVERTURN_CELLS").as_deref() {
        Ok("") | Err(_) => 1,
        Ok(number) => number.parse().expect("OVERTURN_CELLS is a number"),
    })
}

/// True if the tests run on the native program.
pub fn is_native() -> bool {
    Host::chosen() == Host::Native
}

/// Ends a test that is about workerd or a part of its platform if the host is another one. It says why.
#[macro_export]
macro_rules! only_on_workerd {
    ($why:literal) => {
        if $crate::host::is_native() {
            eprintln!("only on workerd: {}", $why);
            return;
        }
    };
}

/// Ends a test that only shows something of one database. It says why.
#[macro_export]
macro_rules! only_in_one_cell {
    ($why:literal) => {
        if $crate::host::cells() > 1 {
            eprintln!("only in one cell: {}", $why);
            return;
        }
    };
}

/// Ends a test that is about the native program if the host is another one. It says why.
#[macro_export]
macro_rules! only_on_native {
    ($why:literal) => {
        if !$crate::host::is_native() {
            eprintln!("only on the native host: {}", $why);
            return;
        }
    };
}
