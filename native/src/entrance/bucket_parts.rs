//! Parts and contents of a bucket that fails.

use super::bucket::Steps;
use bytes::Bytes;
use overturn_service::host::{Parts, PlatformError, Reader, Step};
use overturn_service::store::documents::stream::SEALED_CHUNK;
use serde_json::Value;
use std::future::pending;

/// The length of every part but the last, as `edge/src/r2.rs` cuts them.
const PART: u64 = 40 * SEALED_CHUNK as u64;
/// How many writes a part takes before it breaks or hangs.
const TAKEN: u32 = 3;

/// An object whose parts fail. Only here does it have parts of a length.
pub(super) struct FaultyParts {
    parts: Box<dyn Parts>,
    steps: Steps,
    length: u64,
    /// The writes to the part that is open.
    writes: u32,
}

impl FaultyParts {
    pub(super) fn over(parts: Box<dyn Parts>, steps: Steps) -> Box<dyn Parts> {
        Box::new(Self { parts, steps, length: 0, writes: 0 })
    }

    /// The name of the part at an offset.
    fn name(offset: u64) -> String {
        format!("part{}", offset.div_euclid(PART).saturating_add(1))
    }

    /// What happens to an open part that breaks or hangs.
    async fn stop(&self, part: &str) -> Result<(), PlatformError> {
        if self.steps.is(part, "hangs") {
            pending::<()>().await;
        }
        match self.steps.is(part, "breaks") {
            true => Err(PlatformError),
            false => Ok(()),
        }
    }

    /// The part that is open was stored.
    fn close(&mut self, part: &str) -> Result<(), PlatformError> {
        self.writes = 0;
        match self.steps.is(part, "loses") {
            true => Err(PlatformError),
            false => Ok(()),
        }
    }
}

impl Parts for FaultyParts {
    fn upload_id(&self) -> &str {
        self.parts.upload_id()
    }

    fn write(&mut self, bytes: Vec<u8>, bound: u64) -> Step<'_, Result<(), PlatformError>> {
        Box::pin(async move {
            let part = Self::name(self.length);
            if self.steps.is(&part, "fails") {
                return Err(PlatformError);
            }
            if self.writes >= TAKEN {
                self.stop(&part).await?;
            }
            let length = bytes.len() as u64;
            self.parts.write(bytes, bound).await?;
            self.length = self.length.saturating_add(length);
            self.writes = self.writes.saturating_add(1);
            match self.length.is_multiple_of(PART) {
                true => self.close(&part),
                false => Ok(()),
            }
        })
    }

    fn end(&mut self) -> Step<'_, Result<u64, PlatformError>> {
        Box::pin(async move {
            if self.writes > 0 {
                let part = Self::name(self.length);
                self.stop(&part).await?;
                self.close(&part)?;
            }
            self.parts.end().await
        })
    }

    fn complete(&mut self) -> Step<'_, Result<(), PlatformError>> {
        let Self { parts, steps, .. } = self;
        Box::pin(steps.step("complete", move || parts.complete()))
    }
}

/// What happens behind the first bytes of a content.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    Breaks,
    Ends,
    Hangs,
}

/// A content of which only the first bytes come.
pub(super) struct FaultyReader {
    content: Box<dyn Reader>,
    left: usize,
    behind: Behind,
}

impl FaultyReader {
    /// The content with a fault of the step `get`, such as `{"breaks": 9}`.
    pub(super) fn over(content: Box<dyn Reader>, fault: &Value) -> Box<dyn Reader> {
        let all = [("breaks", Behind::Breaks), ("ends", Behind::Ends), ("hangs", Behind::Hangs)];
        let found = all.into_iter().find_map(|(name, behind)| {
            let left = fault.get(name).and_then(Value::as_u64)?;
            Some((usize::try_from(left).ok()?, behind))
        });
        match found {
            Some((left, behind)) => Box::new(Self { content, left, behind }),
            None => content,
        }
    }
}

impl Reader for FaultyReader {
    fn read(&mut self, least: usize) -> Step<'_, Result<Bytes, PlatformError>> {
        Box::pin(async move {
            let wanted = least.max(1).min(self.left);
            let mut bytes = match wanted {
                0 => Bytes::new(),
                _ => self.content.read(wanted).await?,
            };
            bytes.truncate(self.left);
            self.left = self.left.saturating_sub(bytes.len());
            // A read of more bytes than there are waits for what comes behind them.
            if bytes.len() < least.max(1) {
                match self.behind {
                    Behind::Ends => {}
                    Behind::Breaks => return Err(PlatformError),
                    Behind::Hangs => return pending().await,
                }
            }
            Ok(bytes)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;
    use serde_json::json;
    use std::future::ready;

    /// Zeros, and what is written to it.
    struct Zeros(usize);

    impl Reader for Zeros {
        fn read(&mut self, least: usize) -> Step<'_, Result<Bytes, PlatformError>> {
            let count = least.max(64 * 1024).min(self.0);
            self.0 = self.0.saturating_sub(count);
            Box::pin(ready(Ok(vec![0; count].into())))
        }
    }

    impl Parts for Zeros {
        fn upload_id(&self) -> &str {
            "id"
        }

        fn write(&mut self, bytes: Vec<u8>, _: u64) -> Step<'_, Result<(), PlatformError>> {
            self.0 = self.0.saturating_add(bytes.len());
            Box::pin(ready(Ok(())))
        }

        fn end(&mut self) -> Step<'_, Result<u64, PlatformError>> {
            Box::pin(ready(Ok(self.0 as u64)))
        }

        fn complete(&mut self) -> Step<'_, Result<(), PlatformError>> {
            Box::pin(ready(Ok(())))
        }
    }

    #[test]
    fn only_the_first_bytes_of_a_content_come() {
        let mut read = Vec::new();
        for fault in [json!({ "breaks": 200_000 }), json!({ "ends": 200_000 }), json!({ "hangs": 200_000 })] {
            let mut reader = FaultyReader::over(Box::new(Zeros(300_000)), &fault);
            let mut next = || {
                let read = reader.read(SEALED_CHUNK).now_or_never();
                read.map(|read| read.map(|bytes| bytes.len()))
            };
            read.push([next(), next()]);
        }
        let first = Some(Ok(SEALED_CHUNK));
        let rest = Some(Ok(200_000 - SEALED_CHUNK));
        assert_eq!(read, [[first, Some(Err(PlatformError))], [first, rest], [first, None]]);
    }

    /// How many chunks an object of 46 takes, and whether it ends.
    fn chunks(faults: Value) -> (usize, Option<Result<u64, PlatformError>>) {
        let mut parts = FaultyParts::over(Box::new(Zeros(0)), Steps::new(faults));
        for n in 0..46 {
            match parts.write(vec![0; SEALED_CHUNK], 0).now_or_never() {
                Some(Ok(())) => {}
                stopped => return (n, stopped.map(|stopped| stopped.map(|()| 0))),
            }
        }
        (46, parts.end().now_or_never())
    }

    #[test]
    fn a_part_fails_is_lost_breaks_and_hangs() {
        let failed = Some(Err(PlatformError));
        let whole = Some(Ok(46 * SEALED_CHUNK as u64));
        assert_eq!(chunks(json!({})), (46, whole));
        assert_eq!(chunks(json!({ "part1": "fails" })), (0, failed));
        assert_eq!(chunks(json!({ "part1": "loses" })), (39, failed));
        assert_eq!(chunks(json!({ "part2": "fails" })), (40, failed));
        assert_eq!(chunks(json!({ "part2": "loses" })), (46, failed));
        assert_eq!(chunks(json!({ "part2": "breaks" })), (43, failed));
        assert_eq!(chunks(json!({ "part1": "hangs" })), (3, None));
        assert_eq!(chunks(json!({ "part3": "fails" })), (46, whole));
    }
}
