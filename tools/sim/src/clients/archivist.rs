//! A member of a practice who uploads documents, reads them again and deletes some.

use super::Client;
use crate::check::answers::MARK;
use crate::model::Document;
use crate::network::Request;
use crate::platform::VIRUS;
use crate::states;
use overturn_tests::form::FormData;

const DOCUMENTS: &str = "/api/v1/documents";

/// Keeps documents for a while.
pub(super) async fn keep(client: &Client) {
    for _ in 0..client.world.plan.steps {
        if !client.world.is_day() {
            return;
        }
        client.world.pause(&client.dice, client.world.plan.pause * 2).await;
        let Some(document) = upload(client).await else {
            continue;
        };
        read(client, document).await;
        if client.dice.chance(4_000) {
            delete(client, document).await;
            read(client, document).await;
        }
    }
}

/// Uploads a document. Returns its place in the model.
async fn upload(client: &Client) -> Option<usize> {
    let (world, practice) = (&client.world, client.practice);
    let is_infected = world.plan.scans && client.dice.chance(2_000);
    let bytes = document(client, if is_infected { VIRUS } else { "" });
    let request = sent(client, &bytes);
    let (_, reply) = client.insist(&world.practices[practice].member, request).await?.reply?;
    if is_infected && reply.status == 422 {
        world.trace.sometimes(states::INFECTED);
    }
    if reply.status != 201 {
        return None;
    }
    world.trace.sometimes(states::UPLOADED);
    if world.model.borrow().moves.is_open(practice) {
        world.trace.sometimes(states::UPLOADED_MOVING);
    }
    let id = reply.json["id"].as_str()?.to_owned();
    let mut model = world.model.borrow_mut();
    model.documents.push(Document { practice, id, bytes, may_be_gone: is_infected, is_gone: false, is_infected });
    Some(model.documents.len() - 1)
}

/// The bytes of a new document.
pub(super) fn document(client: &Client, virus: &str) -> Vec<u8> {
    let text = format!("%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n% {}{virus}\n%%EOF\n", client.uuid());
    text.repeat(usize::try_from(client.dice.between(1, 40)).unwrap_or(1)).into_bytes()
}

/// The upload of a document.
pub(super) fn sent(client: &Client, bytes: &[u8]) -> Request {
    let name = format!("{MARK}{}Letter.pdf", client.practice);
    let form = FormData::default().file("file", &name, bytes).end();
    Request { method: "POST", body: Some(form), ..Request::get(DOCUMENTS) }
        .with("content-type", FormData::CONTENT_TYPE)
        .with("idempotency-key", client.uuid())
}

/// Reads a document, and compares it with what was sent.
pub(super) async fn read(client: &Client, document: usize) {
    let world = &client.world;
    let id = world.model.borrow().documents[document].id.clone();
    let request = Request::get(format!("{DOCUMENTS}/{id}/content"));
    let answered = client.call_as(&world.practices[client.practice].member, request).await;
    let Some((_, reply)) = answered.reply else {
        return;
    };
    let model = world.model.borrow();
    let Document { bytes, may_be_gone, is_gone, is_infected, .. } = &model.documents[document];
    match reply.status {
        200 if *is_infected => world.wrong(format!("document {id} comes back with a virus")),
        409 if !reply.text.contains("virus scan") => {}
        409 if !world.plan.scans => world.wrong(format!("document {id} waits for a scan that nobody makes")),
        409 => world.trace.sometimes(states::QUARANTINED),
        200 if *is_gone => world.wrong(format!("document {id} comes back after its deletion was answered")),
        200 if reply.text.as_bytes() != bytes => world.wrong(format!("document {id} comes back as another one")),
        200 => world.trace.sometimes(states::DOWNLOADED),
        404 if !may_be_gone => world.wrong(format!("document {id} is not there, and nobody deleted it")),
        _ => {}
    }
}

async fn delete(client: &Client, document: usize) {
    let world = &client.world;
    let id = {
        let mut model = world.model.borrow_mut();
        model.documents[document].may_be_gone = true;
        model.documents[document].id.clone()
    };
    let request = Request::delete(format!("{DOCUMENTS}/{id}"));
    let answered = client.insist(&world.practices[client.practice].member, request).await;
    if let Some((_, reply)) = answered.and_then(|answered| answered.reply)
        && reply.status == 204
    {
        world.trace.sometimes(states::DELETED);
        world.model.borrow_mut().documents[document].is_gone = true;
    }
}
