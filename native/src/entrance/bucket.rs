//! The bucket of documents: what it has, and one that fails on some of its steps.

use super::bucket_parts::{FaultyParts, FaultyReader};
use super::string;
use overturn_service::host::{Basics, Bucket, Parts, PlatformError, Reader, Step};
use serde_json::Value;
use std::error::Error;
use std::io::ErrorKind;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;
use std::{fs, io};

/// How often a read that waits for the end of its object looks.
const PAUSE: Duration = Duration::from_millis(20);

/// The names of the objects. Folders whose names begin with a dot have none.
pub(super) fn names(root: &Path) -> io::Result<Vec<String>> {
    let (mut names, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(folder) {
            // The first object makes it.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if !name.starts_with('.') {
                    folders.push(path);
                }
            } else if let Ok(below) = path.strip_prefix(root) {
                names.push(below.to_string_lossy().into_owned());
            }
        }
    }
    names.sort();
    Ok(names)
}

/// Takes bytes off the end of an object, or loses all of it.
pub(super) async fn shorten(bucket: &dyn Bucket, asked: &Value) -> Result<(), Box<dyn Error>> {
    let name = string(asked, "name")?;
    if asked.get("lose") == Some(&Value::Bool(true)) {
        return Ok(bucket.delete(name).await?);
    }
    let cut = asked.get("cut").and_then(Value::as_u64).ok_or("cut is missing")?;
    let size = bucket.size(name).await?.ok_or("there is no such object")?;
    let object = bucket.get(name, 0, size).await?;
    let mut bytes = object.ok_or("there is no such object")?.read_all().await?;
    bytes.truncate(usize::try_from(size.saturating_sub(cut))?);
    Ok(bucket.put(name, bytes).await?)
}

/// The faults of a bucket, by the names of its steps.
#[derive(Clone)]
pub(super) struct Steps(Rc<Value>);

impl Steps {
    pub(super) fn new(faults: Value) -> Self {
        Self(Rc::new(faults))
    }

    pub(super) fn fault(&self, step: &str) -> &Value {
        self.0.get(step).unwrap_or(&Value::Null)
    }

    pub(super) fn is(&self, step: &str, fault: &str) -> bool {
        self.fault(step).as_str() == Some(fault)
    }

    /// A step that fails, or is done and then fails.
    pub(super) async fn step<'a, T>(
        &self,
        name: &str,
        act: impl FnOnce() -> Step<'a, Result<T, PlatformError>>,
    ) -> Result<T, PlatformError> {
        if self.is(name, "fails") {
            return Err(PlatformError);
        }
        let done = act().await?;
        if self.is(name, "loses") {
            return Err(PlatformError);
        }
        Ok(done)
    }
}

/// A bucket that fails on some of its steps.
pub(super) struct FaultyBucket {
    bucket: Rc<dyn Bucket>,
    steps: Steps,
    basics: Basics,
}

impl FaultyBucket {
    pub(super) fn new(bucket: Rc<dyn Bucket>, faults: Value, basics: Basics) -> Self {
        Self { bucket, steps: Steps::new(faults), basics }
    }

    async fn read(&self, key: &str, offset: u64, length: u64) -> Result<Option<Box<dyn Reader>>, PlatformError> {
        if self.steps.is("get", "waits") {
            while self.bucket.size(key).await?.is_some() {
                self.basics.timer.sleep(PAUSE).await;
            }
        }
        let content = self.bucket.get(key, offset, length).await?;
        Ok(content.map(|content| FaultyReader::over(content, self.steps.fault("get"))))
    }
}

impl Bucket for FaultyBucket {
    fn put<'a>(&'a self, key: &'a str, bytes: Vec<u8>) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(self.steps.step("put", || self.bucket.put(key, bytes)))
    }

    fn size<'a>(&'a self, key: &'a str) -> Step<'a, Result<Option<u64>, PlatformError>> {
        Box::pin(self.steps.step("head", || self.bucket.size(key)))
    }

    fn begin<'a>(&'a self, key: &'a str) -> Step<'a, Result<Box<dyn Parts>, PlatformError>> {
        Box::pin(async move {
            let parts = self.steps.step("begin", || self.bucket.begin(key)).await?;
            Ok(FaultyParts::over(parts, self.steps.clone()))
        })
    }

    fn get<'a>(
        &'a self,
        key: &'a str,
        offset: u64,
        length: u64,
    ) -> Step<'a, Result<Option<Box<dyn Reader>>, PlatformError>> {
        let read = move || -> Step<'a, _> { Box::pin(self.read(key, offset, length)) };
        Box::pin(self.steps.step("get", read))
    }

    fn delete<'a>(&'a self, key: &'a str) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(self.steps.step("delete", || self.bucket.delete(key)))
    }

    fn abort<'a>(&'a self, key: &'a str, upload_id: &'a str) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(self.steps.step("abort", || self.bucket.abort(key, upload_id)))
    }
}
