//! Checks that the files named in the documents exist.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the sources. Every path in a document begins with one of them.
const FOLDERS: [&str; 12] = [
    "clients/",
    "console/",
    "core/",
    "docs/",
    "edge/",
    "identity/",
    "native/",
    "payer/",
    "remit/",
    "service/",
    "tests/",
    "tools/",
];

/// The documents about the current state. The changelog is left out, because it names files of the past.
fn documents(root: &Path) -> Vec<PathBuf> {
    let named = [
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "payer/README.md",
        "payer/suite/README.md",
        "tools/bench/README.md",
        "clients/wasm/README.md",
    ];
    let mut documents = named.map(|name| root.join(name)).to_vec();
    for folder in ["docs", "docs/guides", "docs/operations"] {
        let pages = fs::read_dir(root.join(folder)).unwrap();
        let pages = pages.map(|entry| entry.unwrap().path());
        documents.extend(pages.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    documents
}

/// A document without its code blocks.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

/// Paths in code style, relative to the root.
fn named(prose: &str) -> impl Iterator<Item = &str> {
    prose
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|code| FOLDERS.iter().any(|folder| code.starts_with(folder)))
        .filter(|code| !code.contains([' ', '*', '<', '{', '…']) && !code.contains("NNNN"))
}

/// Targets of links to files, relative to the document's folder.
fn linked(prose: &str) -> impl Iterator<Item = &str> {
    prose
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', '#']).next())
        .filter(|target| !target.is_empty() && !target.contains("://"))
}

#[test]
fn the_documents_name_files_that_exist() {
    let root = PathBuf::from("../..");
    let mut missing = Vec::new();
    let mut found = 0;
    for document in documents(&root) {
        let text = prose(&fs::read_to_string(&document).unwrap());
        let folder = document.parent().unwrap();
        let named = named(&text).map(|path| root.join(path));
        let linked = linked(&text).map(|path| folder.join(path));
        for path in named.chain(linked) {
            found += 1;
            if !path.exists() {
                missing.push(format!("{}: {}", document.display(), path.display()));
            }
        }
    }
    assert!(found > 100, "{found}");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
