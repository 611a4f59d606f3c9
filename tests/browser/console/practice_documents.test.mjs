// The practice's documents: uploads by picker and by drop, refusals, lost lines, the list, downloads and deletions.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { createServer, request as forward } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { assertScreen, heading, origin, screens, signIn } from "./harness.mjs";
import { assertNoTrace, claim, lostLine, send } from "./practice_data.mjs";

const open = screens();
const folder = await mkdtemp(join(tmpdir(), "documents-"));
after(() => rm(folder, { recursive: true }));

let count = 0;
/** A text file with a name of its own, which names a patient. */
function letter(text = "We deny this claim.\n") {
  count += 1;
  return { name: `Canarybird ${process.pid}-${count}.txt`, mimeType: "text/plain", buffer: Buffer.from(`${text}${count}\n`) };
}
const row = (page, name) => page.getByRole("row").filter({ hasText: name });
const chosen = (page, name) => page.getByRole("list", { name: "Chosen files" }).getByRole("listitem").filter({ hasText: name });

/** Opens the documents as somebody. */
async function documents(role, options, path = "/documents") {
  const opened = await open(options);
  await signIn(opened.page, role);
  await opened.page.goto(path);
  await heading(opened.page, "Documents");
  return opened;
}

/** Chooses files, says that they are denial letters, and uploads them. */
async function upload(page, files) {
  await page.getByLabel("Choose files").setInputFiles(files);
  await page.getByRole("combobox", { name: "Kind of document" }).selectOption({ label: "Denial letter" });
  await page.getByRole("button", { name: /^Upload \d+ files?$/ }).click();
}

test("files from the picker belong to a claim, and are listed, downloaded and deleted", async () => {
  const [{ id, claim_number }] = await send([claim()]);
  const { page } = await documents("owner");
  const [one, two] = [letter(), letter()];
  await page.getByLabel("Choose files").setInputFiles([one, two]);
  await page.getByRole("button", { name: "Upload 2 files" }).click();
  await page.getByText("Kind of document needs a choice").first().waitFor();
  await assertScreen(page, "Documents");
  await page.getByRole("combobox", { name: "Kind of document" }).selectOption({ label: "Denial letter" });
  const number = page.getByRole("textbox", { name: "Claim number" }).first();
  // A mistyped number is said at its field, and the chosen files stay.
  await number.fill(`${claim_number}x`);
  await page.getByRole("button", { name: "Upload 2 files" }).click();
  await page.getByText("Claim number is not the number of a claim of your practice.").first().waitFor();
  await number.fill(claim_number);
  await page.getByRole("button", { name: "Upload 2 files" }).click();
  for (const { name } of [one, two]) {
    await chosen(page, name).getByText("Uploaded", { exact: true }).waitFor();
    await row(page, name).getByRole("link", { name: claim_number }).waitFor();
  }
  await assertScreen(page, "Documents");
  const [download] = await Promise.all([page.waitForEvent("download"), row(page, one.name).getByRole("button", { name: /^Download/ }).click()]);
  assert.equal(download.suggestedFilename(), one.name);
  assert.equal(await readFile(await download.path(), "utf8"), String(one.buffer));
  await assertNoTrace(page, "Canarybird");

  await page.goto(`/claims/${id}`);
  await page.getByRole("link", { name: "Documents of this claim" }).click();
  await row(page, two.name).waitFor();
  assert.equal(new URL(page.url()).search, `?claim_id=${id}`);
  await page.reload();
  await row(page, two.name).getByRole("button", { name: /^Delete/ }).click();
  await page.getByText("If you leave it, we keep it for 7 years after its claim is recovered or closed.").waitFor();
  await assertScreen(page);
  await page.getByRole("button", { name: "Delete the document" }).click();
  await row(page, two.name).waitFor({ state: "detached" });
  await page.getByText("The document is deleted.").waitFor();
  await row(page, one.name).waitFor();
  await page.getByRole("combobox", { name: "State" }).selectOption({ label: "Deleted" });
  await row(page, "Removed document").waitFor();
  await page.getByRole("combobox", { name: "Kind" }).selectOption({ label: "Medical record" });
  await page.getByText("Nothing matches these filters").waitFor();
  await page.goBack();
  await row(page, "Removed document").waitFor();
});

/** Drops files, as a person drags them from a folder. */
async function drop(page, files) {
  const transfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const { name, text } of files) transfer.items.add(new File([text], name));
    return transfer;
  }, files.map(({ name, buffer }) => ({ name, text: String(buffer) })));
  const zone = page.locator(".drop-zone");
  await zone.dispatchEvent("dragenter", { dataTransfer: transfer });
  await zone.dispatchEvent("drop", { dataTransfer: transfer });
}

test("dropped files are uploaded, and what is refused says why", async () => {
  const { page } = await documents("member");
  const good = letter();
  const program = { name: "Canarybird.pdf", buffer: Buffer.from("MZ\u0000\u0001program") };
  const archive = { name: "records.zip", buffer: Buffer.from("PK\u0003\u0004archive") };
  const empty = { name: "nothing.txt", buffer: Buffer.alloc(0) };
  await drop(page, [good, program, archive, empty]);
  await chosen(page, empty.name).getByText("The file is empty").waitFor();
  await page.getByRole("combobox", { name: "Kind of document" }).selectOption({ label: "Denial letter" });
  await page.getByRole("button", { name: "Upload 3 files" }).click();
  await chosen(page, good.name).getByText("Uploaded", { exact: true }).waitFor();
  for (const { name } of [program, archive]) {
    await chosen(page, name).getByRole("alert").getByText(/^Not uploaded: The file .+\./).waitFor();
  }
  assert.equal(await page.locator("form").filter({ hasText: "Kind of document" }).count(), 0, "nothing is left to send");
  await assertScreen(page, "Documents");
  await page.getByRole("button", { name: "Clear what is finished" }).click();
  assert.equal(await page.getByRole("list", { name: "Chosen files" }).count(), 0);
  // A file beside the zone does not replace the page.
  await page.locator("h1").dispatchEvent("drop", { dataTransfer: await page.evaluateHandle(() => new DataTransfer()) });
  await row(page, good.name).waitFor();
});

test("a file that is too large is said beside the file", async () => {
  const { page } = await documents("owner");
  const large = join(folder, "large.pdf");
  await writeFile(large, "%PDF");
  await truncate(large, 50 * 2 ** 20 + 1);
  await page.getByLabel("Choose files").setInputFiles(large);
  await chosen(page, "large.pdf").getByText("It must have at most 50 MiB").waitFor();
});

/** A line to the service that can lose the answers of uploads (`swallow`), stop in the middle of them (`hold`), and break. */
async function line(t) {
  const wire = { origin: "", uploads: 0, swallow: 0, hold: false, held: [], isBroken: false };
  wire.break = () => {
    wire.isBroken = true;
    for (const { socket } of wire.held.splice(0)) socket.destroy();
  };
  const server = createServer((asked, answer) => {
    const url = new URL(asked.url, origin);
    const isUpload = asked.method === "POST" && url.pathname === "/api/v1/documents";
    if (isUpload) wire.uploads += 1;
    // The browser tries a connection that it used before once more on its own.
    if (isUpload && wire.isBroken) return asked.socket.destroy();
    if (isUpload && wire.hold) return wire.held.push(asked);
    const headers = { ...asked.headers, host: url.host, ...(asked.headers.origin && { origin }) };
    asked.pipe(
      forward(url, { method: asked.method, headers }, (given) => {
        answer.writeHead(given.statusCode, given.headers);
        if (!isUpload || wire.swallow === 0) return given.pipe(answer);
        wire.swallow -= 1;
        // With its headers, the browser knows that the answer was lost, and does not send again on its own.
        answer.flushHeaders();
        return given.resume().on("end", () => setTimeout(() => answer.destroy(), 20));
      }),
    );
  });
  await new Promise((resolve) => server.listen(0, resolve));
  t.after(() => server.close().closeAllConnections());
  wire.origin = `http://localhost:${server.address().port}`;
  return wire;
}

test("an upload whose answer was lost is stored once", async (t) => {
  const wire = await line(t);
  const { page, wrong } = await documents("owner", { baseURL: wire.origin });
  // The first answer is lost, and also those of the tries that follow by themselves.
  wire.swallow = 3;
  const one = letter();
  await upload(page, [one]);
  await chosen(page, one.name).getByText("The service could not be reached").waitFor();
  await assertScreen(page, "Documents");
  await page.getByRole("button", { name: "Try again" }).click();
  await chosen(page, one.name).getByText("Uploaded", { exact: true }).waitFor();
  await row(page, one.name).waitFor();
  assert.equal(wire.uploads, 4);
  assert.equal(await row(page, one.name).count(), 1);
  lostLine(wrong);
});

test("an upload goes on by itself when the network is back, and can be canceled before", async (t) => {
  const wire = await line(t);
  const { page, context, wrong } = await documents("owner", { baseURL: wire.origin });
  wire.hold = true;
  const [one, two] = [letter("x".repeat(3_000_000)), letter()];
  await upload(page, [one, two]);
  await page.getByRole("progressbar", { name: `Upload of ${one.name}` }).waitFor();
  await assertScreen(page, "Documents");
  // Other screens can be looked at while files are on the way.
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await heading(page, "Cedar Hill Family Medicine");
  await page.goBack();
  await page.getByRole("button", { name: `Cancel ${two.name}` }).click();
  await chosen(page, two.name).getByText("Canceled").waitFor();
  await context.setOffline(true);
  wire.break();
  await chosen(page, one.name).getByText("The service could not be reached").waitFor();
  wire.hold = wire.isBroken = false;
  await context.setOffline(false);
  await chosen(page, one.name).getByText("Uploaded", { exact: true }).waitFor();
  await row(page, one.name).waitFor();
  assert.equal(await row(page, one.name).count(), 1);
  assert.equal(await row(page, two.name).count(), 0);
  lostLine(wrong);
});

test("a member deletes only what they uploaded", async () => {
  const { page: owners } = await documents("owner");
  const theirs = letter();
  await upload(owners, [theirs]);
  await row(owners, theirs.name).waitFor();
  const { page } = await documents("member");
  const own = letter();
  await upload(page, [own]);
  await row(page, own.name).getByRole("button", { name: /^Delete/ }).waitFor();
  await row(page, theirs.name).getByRole("button", { name: /^Download/ }).waitFor();
  assert.equal(await row(page, theirs.name).getByRole("button", { name: /^Delete/ }).count(), 0);
});

test("a new practice has no documents yet", async () => {
  const { page } = await documents("other_owner");
  await page.getByText("No documents yet").waitFor();
  await assertScreen(page, "Documents");
});
