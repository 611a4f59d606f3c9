use super::FileBucket;
use overturn_service::host::{Bucket as _, PlatformError};
use std::fs;
use std::ops::Deref;
use std::path::PathBuf;

const KEY: &str = "documents/00000000-0000-4000-8000-000000000001";

/// A bucket in a folder of its own.
struct Folder(FileBucket, PathBuf);

impl Deref for Folder {
    type Target = FileBucket;

    fn deref(&self) -> &FileBucket {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.1).unwrap();
    }
}

fn bucket(name: &str) -> Folder {
    let name = format!("overturn-bucket-{name}-{}", std::process::id());
    let path = std::env::temp_dir().join(name);
    Folder(FileBucket::open(&path).unwrap(), path)
}

impl Folder {
    fn half_written(&self) -> usize {
        fs::read_dir(self.1.join(".parts")).unwrap().count()
    }

    async fn all(&self, offset: u64, length: u64) -> Vec<u8> {
        let reader = self.get(KEY, offset, length).await.unwrap();
        reader.unwrap().read_all().await.unwrap()
    }
}

fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|n| (n % 251) as u8).collect()
}

#[tokio::test]
async fn an_object_is_stored_replaced_and_deleted() {
    let bucket = bucket("put");
    assert_eq!(bucket.size(KEY).await, Ok(None));
    assert!(bucket.get(KEY, 0, 1).await.unwrap().is_none());
    bucket.put(KEY, b"first".to_vec()).await.unwrap();
    bucket.put(KEY, b"second".to_vec()).await.unwrap();
    assert_eq!(bucket.size(KEY).await, Ok(Some(6)));
    assert_eq!(bucket.all(0, 6).await, b"second");
    assert_eq!(bucket.half_written(), 0);
    assert_eq!(bucket.size("documents").await, Ok(None), "a folder");
    assert!(bucket.get("documents", 0, 1).await.unwrap().is_none());
    // An object cannot be a folder as well, and nothing is left of the try.
    let below = format!("{KEY}/below");
    assert_eq!(bucket.put(&below, vec![1]).await, Err(PlatformError));
    assert_eq!(bucket.size(&below).await, Ok(None));
    assert_eq!(bucket.half_written(), 0);
    for _ in 0..2 {
        bucket.delete(KEY).await.unwrap();
        assert_eq!(bucket.size(KEY).await, Ok(None));
    }
}

#[tokio::test]
async fn a_key_stays_below_the_folder() {
    let bucket = bucket("keys");
    for key in ["", "/a", "a/", "a//b", "..", "a/../b", ".parts/a", "a..b", "A", "a b", "a\0"] {
        assert_eq!(bucket.put(key, vec![1]).await, Err(PlatformError), "{key}");
        assert_eq!(bucket.size(key).await, Err(PlatformError), "{key}");
        assert_eq!(bucket.delete(key).await, Err(PlatformError), "{key}");
    }
    bucket.put("a/b_c/0.x-y", vec![1]).await.unwrap();
    assert_eq!(bucket.size("a/b_c/0.x-y").await, Ok(Some(1)));
    bucket.abort(KEY, "../a/b_c/0.x-y").await.unwrap();
    assert_eq!(bucket.size("a/b_c/0.x-y").await, Ok(Some(1)));
}

#[tokio::test]
async fn parts_become_an_object_when_they_are_completed() {
    let bucket = bucket("parts");
    let whole = bytes(300_000);
    let mut parts = bucket.begin(KEY).await.unwrap();
    for (n, part) in whole.chunks(100_001).enumerate() {
        let bound = (whole.len() - n * 100_001) as u64;
        parts.write(part.to_vec(), bound).await.unwrap();
    }
    assert_eq!(parts.end().await, Ok(300_000));
    assert_eq!(bucket.size(KEY).await, Ok(None));
    parts.complete().await.unwrap();
    assert_eq!(bucket.size(KEY).await, Ok(Some(300_000)));
    assert_eq!(bucket.all(0, u64::MAX).await, whole);
    // What was completed is no longer an upload.
    assert!(parts.write(vec![1], 1).await.is_err());
    assert!(parts.complete().await.is_err());
    bucket.abort(KEY, parts.upload_id()).await.unwrap();
    assert_eq!(bucket.size(KEY).await, Ok(Some(300_000)));
    assert_eq!(bucket.half_written(), 0);
}

#[tokio::test]
async fn an_aborted_upload_leaves_nothing() {
    let bucket = bucket("abort");
    let mut parts = bucket.begin(KEY).await.unwrap();
    parts.write(bytes(10), 10).await.unwrap();
    assert_eq!(bucket.half_written(), 1);
    for _ in 0..2 {
        bucket.abort(KEY, parts.upload_id()).await.unwrap();
        assert_eq!(bucket.half_written(), 0);
    }
    assert!(parts.complete().await.is_err());
    assert_eq!(bucket.size(KEY).await, Ok(None));
}

#[tokio::test]
async fn a_range_is_read_in_pieces() {
    let bucket = bucket("range");
    let whole = bytes(400_000);
    bucket.put(KEY, whole.clone()).await.unwrap();
    let mut reader = bucket.get(KEY, 1_000, 300_000).await.unwrap().unwrap();
    // The reader goes on after the object is gone.
    bucket.delete(KEY).await.unwrap();
    let mut read = Vec::new();
    for (least, length) in [(1, 65_536), (100_000, 100_000), (1, 65_536), (99_999, 68_928), (1, 0)] {
        let piece = reader.read(least).await.unwrap();
        assert_eq!(piece.len(), length);
        read.extend_from_slice(&piece);
    }
    assert!(read == whole[1_000..301_000]);
    bucket.put(KEY, whole.clone()).await.unwrap();
    assert_eq!(bucket.all(399_990, 100).await, whole[399_990..], "its end");
    assert_eq!(bucket.all(400_001, 100).await, b"", "behind its end");
}

#[tokio::test]
async fn uploads_that_were_left_are_removed_after_a_week() {
    let bucket = bucket("left");
    let (old, new) = (bucket.begin(KEY).await.unwrap(), bucket.begin(KEY).await.unwrap());
    let path = |id: &str| bucket.1.join(".parts").join(id);
    let file = fs::File::options().write(true).open(path(old.upload_id())).unwrap();
    let day = std::time::Duration::from_secs(86_400);
    let modified = file.metadata().unwrap().modified().unwrap();
    file.set_modified(modified - 8 * day).unwrap();
    FileBucket::open(&bucket.1).unwrap();
    assert!(!path(old.upload_id()).exists());
    assert!(path(new.upload_id()).exists());
}
