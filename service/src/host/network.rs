//! Connections that are not HTTP.

use super::step::{PlatformError, Step};
use bytes::Bytes;

/// Connections to programs that do not speak HTTP, such as the virus scanner.
pub trait Network {
    /// True if a host that begins with `/` is the path of a Unix socket.
    fn has_unix_sockets(&self) -> bool {
        false
    }

    /// Begins to connect. `None` if the address cannot be used.
    fn connect(&self, host: &str, port: u16, tls: bool) -> Option<Box<dyn Connection>>;
}

/// A connection. Dropping it closes it. Its steps go on by themselves: a write and a read can be under way at the same
/// time.
pub trait Connection {
    /// Ends when the connection is made. Asked for once, before the first write is done.
    fn opened(&mut self) -> Step<'static, Result<(), PlatformError>>;

    /// Writes bytes, one write after the other.
    fn write(&mut self, bytes: &[u8]) -> Step<'static, Result<(), PlatformError>>;

    /// The next bytes, none at the end. One read at a time.
    fn read(&mut self) -> Step<'static, Result<Bytes, PlatformError>>;
}
