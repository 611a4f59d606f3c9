//! Documents at the end of the night: each has its object, each object its document, and nothing is half written.

use crate::world::World;
use overturn_service::operator;
use overturn_service::sqlite::read;
use overturn_service::store::documents::object_name;
use std::collections::BTreeSet;

pub(crate) fn check(world: &World) -> Vec<String> {
    let platform = &world.platform;
    let rows: Vec<_> = super::collect(world, |db| read(db, &operator::documents()));
    let rows: BTreeSet<String> = rows.into_iter().map(object_name).collect();
    let objects: BTreeSet<String> = platform.documents.whole().into_keys().collect();
    let mut problems = Vec::new();
    problems.extend(rows.difference(&objects).map(|name| format!("the object {name} of a document is not there")));
    problems.extend(objects.difference(&rows).map(|name| format!("the object {name} has no document")));
    if platform.documents.begun() > 0 {
        problems.push(format!("{} objects are half written", platform.documents.begun()));
    }
    let model = world.model.borrow();
    for document in model.documents.iter().filter(|document| !document.may_be_gone) {
        if !rows.iter().any(|name| name.contains(&document.id)) {
            problems.push(format!("document {} was uploaded and has no row", document.id));
        }
    }
    problems
}
