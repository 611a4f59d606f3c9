//! The bucket of documents, which fails on any step, before or after it is done.

use super::Ground;
use crate::faults::Fault;
use bytes::Bytes;
use overturn_service::host::{Bucket, Parts, PlatformError, Reader, Step};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The most bytes of one read, unless more are asked for.
const PIECE: usize = 64 * 1024;

#[derive(Clone)]
pub(crate) struct Objects {
    ground: Ground,
    whole: Rc<RefCell<BTreeMap<String, Vec<u8>>>>,
    begun: Rc<RefCell<BTreeMap<String, Vec<u8>>>>,
}

impl Objects {
    pub(crate) fn new(ground: Ground) -> Self {
        Self { ground, whole: Rc::default(), begun: Rc::default() }
    }

    /// All objects by their names.
    pub(crate) fn whole(&self) -> BTreeMap<String, Vec<u8>> {
        self.whole.borrow().clone()
    }

    /// How many objects were begun and neither completed nor aborted.
    pub(crate) fn begun(&self) -> usize {
        self.begun.borrow().len()
    }

    async fn step<T>(&self, act: impl FnOnce(&Self) -> T) -> Result<T, PlatformError> {
        let Ground { faults, dice, .. } = &self.ground;
        self.ground.trip().await;
        let fails = faults.strike(Fault::BucketFails);
        if fails && dice.chance(5_000) {
            return Err(PlatformError);
        }
        let done = act(self);
        if fails { Err(PlatformError) } else { Ok(done) }
    }
}

impl Bucket for Objects {
    fn put<'a>(&'a self, key: &'a str, bytes: Vec<u8>) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(self.step(move |of| {
            of.whole.borrow_mut().insert(key.to_owned(), bytes);
        }))
    }

    fn size<'a>(&'a self, key: &'a str) -> Step<'a, Result<Option<u64>, PlatformError>> {
        Box::pin(self.step(move |of| of.whole.borrow().get(key).map(|bytes| bytes.len() as u64)))
    }

    fn begin<'a>(&'a self, key: &'a str) -> Step<'a, Result<Box<dyn Parts>, PlatformError>> {
        Box::pin(self.step(move |of| {
            let upload_id = format!("upload-{}", of.ground.scheduler.next());
            of.begun.borrow_mut().insert(upload_id.clone(), Vec::new());
            let (key, objects) = (key.to_owned(), of.clone());
            Box::new(Upload { key, upload_id, written: 0, objects }) as Box<dyn Parts>
        }))
    }

    fn get<'a>(
        &'a self,
        key: &'a str,
        offset: u64,
        length: u64,
    ) -> Step<'a, Result<Option<Box<dyn Reader>>, PlatformError>> {
        Box::pin(self.step(move |of| {
            let whole = of.whole.borrow();
            let bytes = whole.get(key)?;
            let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
            let range = place(offset)..place(offset.saturating_add(length));
            Some(Box::new(Held(Bytes::copy_from_slice(&bytes[range]))) as Box<dyn Reader>)
        }))
    }

    fn delete<'a>(&'a self, key: &'a str) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(self.step(move |of| {
            of.whole.borrow_mut().remove(key);
        }))
    }

    fn abort<'a>(&'a self, _: &'a str, upload_id: &'a str) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(self.step(move |of| {
            of.begun.borrow_mut().remove(upload_id);
        }))
    }
}

struct Upload {
    key: String,
    upload_id: String,
    written: u64,
    objects: Objects,
}

impl Parts for Upload {
    fn upload_id(&self) -> &str {
        &self.upload_id
    }

    fn write(&mut self, bytes: Vec<u8>, _: u64) -> Step<'_, Result<(), PlatformError>> {
        self.written += bytes.len() as u64;
        let id = &self.upload_id;
        Box::pin(self.objects.step(move |of| {
            if let Some(begun) = of.begun.borrow_mut().get_mut(id) {
                begun.extend_from_slice(&bytes);
            }
        }))
    }

    fn end(&mut self) -> Step<'_, Result<u64, PlatformError>> {
        let written = self.written;
        Box::pin(self.objects.step(move |_| written))
    }

    fn complete(&mut self) -> Step<'_, Result<(), PlatformError>> {
        let Self { key, upload_id, objects, .. } = &*self;
        Box::pin(async move {
            let moved = objects.step(|of| {
                let begun = of.begun.borrow_mut().remove(upload_id);
                begun.map(|bytes| of.whole.borrow_mut().insert(key.clone(), bytes)).is_some()
            });
            moved.await?.then_some(()).ok_or(PlatformError)
        })
    }
}

/// Bytes in memory, read piece by piece.
struct Held(Bytes);

impl Reader for Held {
    fn read(&mut self, least: usize) -> Step<'_, Result<Bytes, PlatformError>> {
        let most = self.0.len().min(least.max(PIECE));
        Box::pin(std::future::ready(Ok(self.0.split_to(most))))
    }
}
