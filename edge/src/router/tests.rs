use super::*;
use futures_util::FutureExt;

/// The answer to a request that did not come through `http`. Extractors look at the path first and then for the call.
fn refusal(method: &str, path: &str) -> AppError {
    let request = Request::builder().method(method).uri(path);
    let answer = table().call(request.body(Body::empty()).unwrap());
    let Ok(mut response) = answer.now_or_never().unwrap();
    response.extensions_mut().remove().unwrap()
}

#[test]
fn a_handler_takes_only_parts_that_its_route_names() {
    let paths = include_str!("../router.rs").split('"');
    let paths = paths.filter(|path| path.starts_with("/api/") && path.contains('{'));
    let mut seen = 0;
    for path in paths {
        for method in ["GET", "POST", "PATCH", "DELETE"] {
            match refusal(method, path) {
                AppError::NoMethod => {}
                AppError::Internal("call") => seen += 1,
                other => panic!("{method} {path}: {other:?}"),
            }
        }
    }
    assert!(seen > 30, "{seen}");
}

mod edits;
