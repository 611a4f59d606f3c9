//! The command line.

use crate::load::Load;
use std::time::Duration;

/// The options of a run.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The parts to measure; by default the usual ones.
    pub(crate) parts: Vec<String>,
    /// Rounds of turns.
    pub(crate) rounds: usize,
    /// How long a turn of a Worker takes.
    pub(crate) turn: Duration,
    /// Numbers of connections.
    pub(crate) connections: Vec<usize>,
    /// Minutes of the memory run.
    pub(crate) minutes: u32,
    /// The loads, by the beginning of their names; by default all.
    pub(crate) loads: Vec<String>,
}

impl Options {
    /// Reads the command line.
    ///
    /// # Errors
    ///
    /// A message about the mistake.
    pub(crate) fn read(mut args: lexopt::Parser) -> Result<Self, lexopt::Error> {
        use lexopt::prelude::*;
        let mut options = Self {
            parts: Vec::new(),
            rounds: 7,
            turn: Duration::from_millis(1500),
            connections: Vec::new(),
            minutes: 10,
            loads: Vec::new(),
        };
        while let Some(arg) = args.next()? {
            match arg {
                Long("rounds") => options.rounds = args.value()?.parse()?,
                Long("turn-ms") => options.turn = Duration::from_millis(args.value()?.parse()?),
                Long("connections") => options.connections.push(args.value()?.parse()?),
                Long("minutes") => options.minutes = args.value()?.parse()?,
                Long("load") => options.loads.push(args.value()?.string()?),
                Value(part) => options.parts.push(part.string()?),
                other => return Err(other.unexpected()),
            }
        }
        if options.connections.is_empty() {
            options.connections = vec![1, 8, 16];
        }
        Ok(options)
    }

    /// True if the load is selected.
    pub(crate) fn wants(&self, load: Load) -> bool {
        self.loads.is_empty() || self.loads.iter().any(|name| load.name().starts_with(name))
    }
}
