//! Remittances for other runtimes: the crate `overturn-remit` as a WebAssembly module that imports nothing.
//!
//! An instance of the module is one run. A host drops the instance after the run, because the memory of an instance never
//! shrinks. `abi.rs` says how a host calls it, and `clients/wasm/js/run.js` and `clients/wasm/python/overturn_remit.py` do so.

#[cfg(target_arch = "wasm32")]
mod abi;
mod pieces;
mod run;

pub use run::Run;
