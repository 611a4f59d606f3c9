//! The texts that are deployed beside the program.

use overturn_service::host::{Assets, PlatformError, Step};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// A folder of files. It need not be there.
#[derive(Clone)]
pub(crate) struct FolderAssets(Arc<Path>);

impl FolderAssets {
    pub(crate) fn new(folder: &Path) -> Self {
        Self(folder.into())
    }
}

impl Assets for FolderAssets {
    fn text<'a>(&'a self, name: &'a str) -> Step<'a, Result<Option<String>, PlatformError>> {
        Box::pin(async move {
            let is_plain = name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
            if !is_plain {
                return Ok(None);
            }
            let file = self.0.join(name);
            let read = spawn_blocking(move || fs::read_to_string(file)).await;
            match read.map_err(|_| PlatformError)? {
                Ok(text) => Ok(Some(text)),
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
                Err(_) => Err(PlatformError),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_by_its_name_below_the_folder() {
        let folder = std::env::temp_dir().join(format!("overturn-assets-{}", std::process::id()));
        fs::create_dir_all(folder.join("texts/api")).unwrap();
        fs::write(folder.join("texts/api/a.json"), "{}").unwrap();
        fs::write(folder.join("secret"), "no").unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.unwrap().block_on(async {
            let assets = FolderAssets::new(&folder.join("texts"));
            let found = assets.text("api/a.json").await.unwrap();
            assert_eq!(found.as_deref(), Some("{}"));
            for name in ["api/b.json", "../secret", "api/../../secret", "/secret", ""] {
                assert_eq!(assets.text(name).await, Ok(None), "{name}");
            }
        });
        fs::remove_dir_all(&folder).unwrap();
    }
}
