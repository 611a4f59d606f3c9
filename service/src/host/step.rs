//! One step of a host.

use futures_util::future::LocalBoxFuture;

/// What a host does for the service. Dropping it gives the work up, which may be done all the same.
pub type Step<'a, T> = LocalBoxFuture<'a, T>;

/// A part of the platform failed or did not answer. There is no cause: its text could hold a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the platform did not answer")]
pub struct PlatformError;
