// Remittances in the browser: files in, what would be sent, what is held, dates of birth, sending, and everything that can
// go wrong on the way.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { assertScreen, database, demo, heading, screens, signIn } from "./harness.mjs";
import { assertNoTrace, claim, lostLine, send as sendByKey } from "./practice_data.mjs";
import { file, payment, remittance, submission } from "./remittance_data.mjs";

const open = screens();
const PATH = "/api/v1/denials";
const isSend = (request) => request.method() === "POST" && new URL(request.url()).pathname === PATH;
const payments = (count, changes) => Array.from({ length: count }, () => payment(changes));
/** A remittance and the claim file that fits it. */
const pair = (all, known = all) => [file("canarybird.835", remittance(all)), file("sent.837", submission(known))];

/** Opens the page as somebody, and keeps what the browser asks for. */
async function remittances(role, options) {
  const opened = await open(options);
  const requests = [];
  // From now on, the browser's picker opens for the test only.
  opened.page.on("filechooser", () => {});
  opened.context.on("request", (request) => requests.push(request));
  await signIn(opened.page, role);
  await opened.page.goto("/claims/remittances");
  await heading(opened.page, "Remittances");
  return { ...opened, requests };
}

/** Chooses files and reads them. */
async function read(page, files) {
  await page.getByLabel("Choose files").setInputFiles(files);
  await page.getByRole("button", { name: /^Read \d+ files?$|^Read the files again$/ }).click();
  await page.getByRole("heading", { name: "What the files say" }).waitFor();
}

const figure = (page, what) => page.locator(".figures .card").filter({ hasText: what }).locator(".figure").innerText();
const toSend = (page, text) => page.getByRole("heading", { name: text }).waitFor();

/** Sends what is shown, until it stands still with these words. */
async function send(page, end = /Done\./) {
  await page.getByRole("button", { name: /^Send [\d,]+ claims?$/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText(end).waitFor();
}

/** How many claims the practice has with these numbers. */
async function stored(all) {
  const rows = await Promise.all(
    [0, 1, 2].map((part) => all.filter((_, n) => n % 3 === part)).filter((some) => some.length > 0).map((some) =>
      database([`SELECT count(*) AS n FROM claims WHERE claim_number IN (SELECT value FROM json_each(?))`, JSON.stringify(some.map(({ number }) => number))]),
    ),
  );
  return rows.reduce((sum, [[row]]) => sum + row.n, 0);
}

const summary = (page, what) => page.locator(".amounts > div").filter({ hasText: what }).locator("dd").innerText();

test("files become claims: read here, completed, and sent once however often they are sent", async () => {
  const all = [...payments(3), payment({ paid: 60 })];
  const { page, context, requests } = await remittances("owner");
  await page.getByLabel("Choose files").setInputFiles(pair(all, all.slice(0, 2)));
  await assertScreen(page, "Remittances");
  await page.getByRole("button", { name: "Read 2 files" }).click();
  await page.getByRole("heading", { name: "What the files say" }).waitFor();
  assert.deepEqual(await Promise.all(["Claims to send", "Held back", "Not denied"].map((what) => figure(page, what))), ["2", "1", "1"]);
  await page.getByRole("region", { name: "Claims to send" }).getByRole("row", { name: new RegExp(`${all[0].number}.*Canarybird, ${all[0].first}`) }).waitFor();
  await page.getByRole("region", { name: "Denials held back" }).getByText("No date of birth").waitFor();
  await page.getByText("What became of its claims").click();
  await page.getByRole("row", { name: "Contractual 0" }).or(page.getByRole("row", { name: /Paid/ })).first().waitFor();

  // The field says what is wrong with a date, and the claim moves once it is right.
  const field = page.getByLabel(`Canarybird, ${all[2].first}`);
  await field.fill("6/2/84");
  await page.getByRole("button", { name: "Use these dates" }).click();
  await page.getByText("Enter a date that is not in the future").waitFor();
  await page.waitForFunction(() => document.activeElement?.matches(".births [aria-invalid]"));
  await assertScreen(page);
  await field.fill("6/2/1984");
  await page.getByRole("button", { name: "Use these dates" }).click();
  await toSend(page, /^Claims to send: 3,/);
  assert.equal(await figure(page, "Held back"), "0");

  // Until now, nothing of a patient or a claim has left the page.
  const said = requests.map((request) => `${request.url()} ${request.postData() ?? ""}`).join("\n");
  for (const trace of ["Canarybird", "canarybird", all[0].number]) assert.ok(!said.includes(trace), trace);
  await assertNoTrace(page, "Canarybird");
  await assertNoTrace(page, all[0].number);

  await page.getByRole("button", { name: "Send 3 claims" }).click();
  await page.getByRole("dialog", { name: "Send 3 claims?" }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await send(page);
  assert.match(await summary(page, "New"), /^3, \$/);
  assert.equal(await stored(all), 3);
  await assertNoTrace(page, "Canarybird");
  await assertNoTrace(page, all[0].number);

  // Another tab that knows nothing of this one.
  const other = await context.newPage();
  await other.goto("/claims/remittances");
  await read(other, pair(all.slice(0, 3)));
  await send(other);
  assert.match(await summary(other, "New"), /^0,/);
  assert.match(await summary(other, "Known already"), /^3, \$/);
  await assertScreen(other);
  assert.equal(await stored(all), 3);
  const [claimPage] = await Promise.all([context.waitForEvent("page"), other.getByRole("link", { name: all[0].number }).click()]);
  await heading(claimPage, new RegExp(all[0].number));

  // The service has all that was entered, so nothing asks. A date that changes afterwards is not sent, even half of it.
  await page.getByLabel(`Canarybird, ${all[2].first}`).fill("6/");
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await page.getByRole("dialog", { name: "Leave this page?" }).getByRole("button", { name: "Cancel" }).click();
  await page.getByLabel(`Canarybird, ${all[2].first}`).fill("6/2/1984");
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await heading(page, "Cedar Hill Family Medicine");
});

test("long claim numbers do not push the page sideways", async () => {
  const long = () => {
    const one = payment();
    return { ...one, number: one.number.padEnd(55, "7") };
  };
  const all = [long(), long(), long()];
  const { page } = await remittances("owner");
  await read(page, pair(all, all.slice(0, 2)));
  await page.getByRole("region", { name: "Claims to send" }).getByText(all[0].number).waitFor();
  await page.getByRole("region", { name: "Denials held back" }).getByText(all[2].number).waitFor();
  await assertScreen(page);
  await send(page);
  await page.reload();
  await read(page, pair(all.slice(0, 2)));
  await send(page);
  await page.getByRole("link", { name: all[0].number }).waitFor();
  await assertScreen(page);
});

test("files that are cut off, damaged or something else say so", async (t) => {
  const [whole, cut] = [payment(), payment()];
  const { page } = await remittances("member");
  const text = remittance([cut, payment()]);
  await read(page, [
    file("cut.835", text.slice(0, text.lastIndexOf("DTM*232"))),
    file("letter.txt", "Dear practice, we deny this claim."),
    file("empty.835", ""),
    file("late.835", `Payment of March\n${remittance([payment()])}`),
    ...pair([whole, cut]),
  ]);
  const card = (name) => page.locator(".lines > li").filter({ hasText: name });
  await card("cut.835").getByText("The file is cut off: denials of a transaction without its end (SE) are held.").waitFor();
  await card("letter.txt").getByText("This is not X12: it has no ISA segment.").waitFor();
  await card("empty.835").getByText("The file is empty.").waitFor();
  // A second remittance has the claim of the one that is cut off, and nothing says which is later.
  assert.deepEqual(await Promise.all(["Claims to send", "Held back"].map((what) => figure(page, what))), ["1", "1"]);
  // The summary says so before anything else.
  assert.equal(await figure(page, "Not fully read"), "4");
  assert.match(await page.locator(".figures .card").first().innerText(), /Not fully read/);
  const unread = page.getByRole("group", { name: "Files that were not fully read" });
  await unread.getByText("late.835: Not read: other text comes before ISA").waitFor();
  await unread.getByText("cut.835: The file is cut off").waitFor();
  assert.equal(await unread.getByRole("listitem").count(), 4);
  await assertScreen(page);

  // Of a folder, files of other kinds are named, and are no problem.
  const folder = await mkdtemp(join(tmpdir(), "remittances-"));
  t.after(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "march"));
  const more = payment();
  for (const [name, text] of [["a.835", remittance([more])], ["march/b.837", submission([more])], ["notes.txt", "x"], [".hidden", "x"]]) {
    await writeFile(join(folder, name), text);
  }
  const [picker] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Choose a folder" }).click()]);
  await picker.setFiles(folder);
  await page.getByText("3 files added.").waitFor();
  await page.getByText("What is below is not up to date.").waitFor();
  await page.getByRole("button", { name: "Read the files again" }).click();
  await toSend(page, /^Claims to send: 2,/);
  await page.getByText("1 other file in the folders left out").click();
  await page.getByText(/notes\.txt: This is not X12/).waitFor();
});

test("files are dropped with their folders, and a file that changed since then is named", async (t) => {
  const { page } = await remittances("owner");
  const one = payment();
  const transfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const [name, text] of files) transfer.items.add(new File([text], name));
    return transfer;
  }, [["a.835", remittance([one])], ["b.837", submission([one])]]);
  await page.locator(".drop-zone").dispatchEvent("drop", { dataTransfer: transfer });
  await page.getByRole("button", { name: "Read 2 files" }).click();
  await toSend(page, /^Claims to send: 1,/);
  const folder = await mkdtemp(join(tmpdir(), "remittances-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "changing.835");
  await writeFile(path, remittance([payment()]));
  await page.getByLabel("Choose files").setInputFiles(path);
  await writeFile(path, "something else that is longer than before".repeat(100));
  await page.getByRole("button", { name: "Read the files again" }).click();
  await page.getByRole("alert").getByText("A file was moved or changed after you chose it. Remove it, and choose it again: changing.835.").waitFor();
  await page.getByRole("button", { name: "Remove changing.835" }).click();
  await page.getByRole("button", { name: "Read the files again" }).click();
  await toSend(page, /^Claims to send: 1,/);
});

test("folders are dropped as they are on a disk", async (t) => {
  const { page, context } = await remittances("owner");
  const all = payments(2);
  const folder = await mkdtemp(join(tmpdir(), "remittances-"));
  t.after(() => rm(folder, { recursive: true }));
  const inside = join(folder, "February", "Blue Prairie");
  await mkdir(inside, { recursive: true });
  await writeFile(join(inside, "payments.txt"), remittance(all));
  await writeFile(join(folder, "February", "sent"), submission(all));
  await writeFile(join(folder, "February", "letter.pdf"), "%PDF-1.7");
  await writeFile(join(folder, "February", ".hidden"), remittance(payments(1)));
  const box = await page.locator(".drop-zone").boundingBox();
  const browser = await context.newCDPSession(page);
  const data = { items: [], files: [join(folder, "February")], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await browser.send("Input.dispatchDragEvent", { type, x: box.x + 20, y: box.y + 20, data });
  }
  await page.getByRole("button", { name: "Remove February/Blue Prairie/payments.txt" }).waitFor();
  await page.getByRole("button", { name: "Read 3 files" }).click();
  await toSend(page, /^Claims to send: 2,/);
  await page.getByText("1 other file in the folders left out").click();
  await page.getByText(/letter\.pdf: This is not X12/).waitFor();
});

test("files of one name, size and time are both read if they differ, and else once", async (t) => {
  const { page } = await remittances("owner");
  const [one, other] = [payment({ charge: 111 }), payment({ charge: 111 })];
  const folder = await mkdtemp(join(tmpdir(), "remittances-"));
  t.after(() => rm(folder, { recursive: true }));
  const paths = await Promise.all(
    [one, other].map(async (each, n) => {
      const path = join(folder, String(n), "payments.835");
      await mkdir(join(folder, String(n)));
      await writeFile(path, remittance([{ ...each, first: "Pat", member: "W1" }]));
      await utimes(path, 1_770_000_000, 1_770_000_000);
      return path;
    }),
  );
  for (const path of paths) await page.getByLabel("Choose files").setInputFiles(path);
  await page.getByText("1 file added.").waitFor();
  await page.getByRole("button", { name: "Read 2 files" }).waitFor();
  await page.getByLabel("Choose files").setInputFiles(paths[0]);
  await page.getByText("No new file.").waitFor();
  await read(page, [file("sent.837", submission([one, other].map((each) => ({ ...each, first: "Pat", member: "W1" }))))]);
  await toSend(page, /^Claims to send: 2,/);
  await page.getByRole("button", { name: "Remove payments.835" }).first().click();
  await page.getByRole("button", { name: "Read the files again" }).click();
  await toSend(page, /^Claims to send: 1,/);
});

test("staff have no remittances", async () => {
  const { page } = await open();
  await signIn(page, "staff");
  await page.goto("/claims/remittances");
  await page.waitForURL(({ pathname }) => pathname === "/queue");
  assert.equal(await page.getByLabel("Choose files").count(), 0);
});

test("the spreadsheet goes out and comes back, and the options change what comes out", async () => {
  const [first, second] = payments(2);
  const { page } = await remittances("owner");
  await read(page, [file("a.835", remittance([first, second]))]);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download as a spreadsheet (CSV)" }).click()]);
  const rows = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
  assert.match(rows[0], /^\uFEFF"key",.*"date_of_birth"$/);
  assert.equal(rows.length, 3);
  const choose = async (button, chosen) => {
    const [picker] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: button }).click()]);
    await picker.setFiles(chosen);
  };
  await choose("Upload the filled-in file", file("letter.csv", "Dear practice"));
  await page.getByText("This is not the spreadsheet").waitFor();
  // As a spreadsheet saves it: one date filled in, one wrong.
  const filled = [rows[0], ...rows.slice(1).map((row, n) => row.replace(/""$/, ["6/2/1984", "6/2/84"][n]))].join("\r\n");
  await choose("Upload the filled-in file", file("births.csv", filled));
  await page.getByText("2 dates taken from the file.").waitFor();
  await page.getByText("Enter a date that is not in the future").waitFor();
  await page.locator("[aria-invalid]").fill("1990-01-31");
  await page.getByRole("button", { name: "Use these dates" }).click();
  await toSend(page, /^Claims to send: 2,/);

  await page.getByText("More options").click();
  await page.getByRole("checkbox", { name: "Add the day of service to each claim number" }).check();
  await choose("Choose a file: plans of your payers", file("payers.csv", "payer_name,plan_type\nBlue Prairie Health,goldd\n"));
  await page.getByText("payers.csv is used.").waitFor();
  await page.getByRole("button", { name: "Read the files again" }).click();
  await page.getByRole("alert").getByText(/line 2: plan_type must be one of/).waitFor();
  await assertScreen(page);
  await choose("Choose a file: plans of your payers", file("payers.csv", "payer_name,plan_type\nBlue Prairie Health,erisa\n"));
  await page.getByRole("button", { name: "Read the files again" }).click();
  await page.getByRole("cell", { name: first.number }).or(page.getByRole("rowheader", { name: new RegExp(`^${first.number}.${first.served.slice(0, 4)}`) })).first().waitFor();
  const [claims] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download 2 claims" }).click()]);
  const lines = (await readFile(await claims.path(), "utf8")).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ patient }) => patient.date_of_birth).sort(), ["1984-06-02", "1990-01-31"]);
  assert.ok(lines.every(({ claim }) => claim.plan_type === "erisa" && claim.claim_number.length > first.number.length));
});

test("many claims are read without holding up the page, and can be canceled", async () => {
  const all = payments(6000);
  const { page } = await remittances("owner");
  await page.getByLabel("Choose files").setInputFiles([...pair(all), file("again.835", remittance(payments(60_000)))]);
  await page.evaluate(() => {
    // While a progress bar shows.
    window.frames = 0;
    const tick = () => {
      if (document.querySelector("[role=progressbar], progress") !== null) window.frames += 1;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await page.getByRole("button", { name: "Read 3 files" }).click();
  await page.getByRole("progressbar", { name: "Files read" }).waitFor();
  const cancel = await page.getByRole("button", { name: "Cancel" }).elementHandle();
  await page.waitForFunction((button) => button === document.activeElement, cancel);
  await page.keyboard.press("Enter");
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Remove again.835" }).click();
  await page.getByRole("button", { name: "Read 2 files" }).click();
  await toSend(page, /^Claims to send: 6,000,/);
  assert.equal(await page.getByRole("region", { name: "Claims to send" }).getByRole("row").count(), 21);
  await page.getByRole("button", { name: "Next page" }).first().click();
  await page.getByText("21 to 40 of 6,000").waitFor();
  const frames = await page.evaluate(() => window.frames);
  assert.ok(frames > 10, `the page stood still but for ${frames} frames`);
});

test("a sending is stopped, interrupted by a reload, and continued without doubling anything", async () => {
  const all = payments(350);
  const { page, context } = await remittances("owner");
  await read(page, pair(all));
  // The first answer waits, so that the person can press Stop.
  let go;
  const held = new Promise((resolve) => (go = resolve));
  let count = 0;
  await context.route(`**${PATH}`, async (route) => {
    if (!isSend(route.request())) return route.fallback();
    count += 1;
    if (count === 1) await held;
    return route.fallback();
  });
  await send(page, "Keep this page open.");
  await page.getByRole("progressbar", { name: "Claims sent" }).waitFor();
  await assertScreen(page);
  // Leaving asks first.
  await page.getByRole("link", { name: "Home", exact: true }).click();
  const ask = page.getByRole("dialog", { name: "Leave this page?" });
  await ask.getByText("0 of 350 claims are sent.").waitFor();
  await ask.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  go();
  await page.getByText("Stopped. The others were not sent.").waitFor();
  await page.getByText("100 of 350 claims answered.").waitFor();
  assert.equal(await stored(all), 100);

  // A reload asks, too, and the page then says what had arrived. It knows no patient any more.
  page.once("dialog", (dialog) => dialog.accept());
  await page.reload();
  await page.getByText("At least 100 of 350 claims arrived.").waitFor();
  await assertNoTrace(page, "Canarybird");
  await assertNoTrace(page, all[0].number);
  assert.equal(await page.getByText("Canarybird").count(), 0);
  await read(page, pair(all));
  await send(page);
  assert.match(await summary(page, "New"), /^250,/);
  assert.match(await summary(page, "Known already"), /^100,/);
  assert.equal(await stored(all), 350);
  await page.reload();
  await heading(page, "Remittances");
  assert.equal(await page.getByText("The last sending was interrupted").count(), 0);
});

test("answers that are lost are asked for again under the same key, and the network comes back", async () => {
  const all = payments(120);
  const { page, context, requests, wrong } = await remittances("owner");
  await read(page, pair(all));
  let lost = 0;
  await context.route(`**${PATH}`, async (route) => {
    if (!isSend(route.request()) || lost === 3) return route.fallback();
    lost += 1;
    // The service has the claims, and the browser does not know it.
    await route.fetch();
    return route.abort("connectionreset");
  });
  await send(page, "This goes on by itself when the service can be reached.");
  await assertScreen(page);
  assert.equal(await stored(all), 100);
  await context.setOffline(true);
  await context.setOffline(false);
  await page.getByText(/Done\./).waitFor();
  const keys = requests.filter(isSend).map((request) => request.headers()["idempotency-key"]);
  assert.deepEqual([keys.length, new Set(keys.slice(0, 4)).size, new Set(keys).size], [5, 1, 2]);
  assert.equal(await stored(all), 120);
  lostLine(wrong);
});

test("a refused claim stops the sending, is named with the reason, and is left out", async () => {
  const all = payments(130);
  const taken = { claim_number: all[4].number, date_of_service: all[4].served };
  await sendByKey([claim(taken, { last_name: "Other", first_name: "Person" })]);
  const { page } = await remittances("owner");
  await read(page, pair(all));
  await send(page, "Stopped, because something was refused.");
  const alert = page.getByRole("alert").filter({ hasText: "We did not take this claim" });
  await alert.getByText(`${all[4].number}: The claim number is already used for a different patient.`).waitFor();
  await page.getByRole("button", { name: "Continue with the others" }).click();
  await page.getByText(/Done\./).waitFor();
  assert.match(await summary(page, "New"), /^129,/);
  assert.match(await summary(page, "Refused"), /^1,/);
  await page.getByRole("row", { name: new RegExp(`${all[4].number} Refused: The claim number is already used`) }).waitFor();
  await assertScreen(page);
});

test("all of it works by keyboard alone", async () => {
  const all = payments(2);
  const { page } = await remittances("owner");
  const focused = (name) => page.waitForFunction((name) => document.activeElement?.textContent?.startsWith(name), name);
  const tabTo = async (name) => {
    for (let n = 0; n < 60; n += 1) {
      const at = await page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id);
      if (at === name) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`the keyboard does not reach ${name}`);
  };
  await page.getByLabel("Choose files").focus();
  const [picker] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Space")]);
  await picker.setFiles(pair(all, all.slice(0, 1)));
  await tabTo("Read 2 files");
  await page.keyboard.press("Enter");
  await focused("What the files say");
  const field = page.getByLabel(`Canarybird, ${all[1].first}`);
  for (let n = 0; n < 20 && !(await field.evaluate((element) => element === document.activeElement)); n += 1) await page.keyboard.press("Tab");
  await page.keyboard.type("1984-06-02");
  await page.keyboard.press("Enter");
  await toSend(page, /^Claims to send: 2,/);
  await focused("What the files say");
  await tabTo("Send 2 claims");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.waitForFunction(() => document.activeElement?.closest("dialog"));
  await tabTo("Send");
  await page.keyboard.press("Enter");
  await page.getByText(/Done\./).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Sending");
});

test("without an agreement a person reads and downloads, and sees why sending is not possible", async () => {
  const { page } = await remittances("no_baa_owner");
  await read(page, pair(payments(1)));
  await page.getByText("You cannot send claims").waitFor();
  await page.getByText("Your practice has no agreement with us that is in force.").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Send/ }).count(), 0);
  await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download 1 claim" }).click()]);
  await assertScreen(page);
});

test("a session that ends in the middle leaves nothing of the patients, and says so after the next sign-in", async () => {
  const all = payments(150);
  const { page, context } = await remittances("member");
  await read(page, pair(all));
  let count = 0;
  await context.route(`**${PATH}`, async (route) => {
    if (!isSend(route.request())) return route.fallback();
    count += 1;
    if (count === 2) await context.clearCookies({ name: "__Host-session" });
    if (count === 2) return route.fulfill({ status: 401, json: { error: { code: "not_authenticated", message: "Sign in", request_id: "x" } } });
    return route.fallback();
  });
  await page.getByRole("button", { name: "Send 150 claims" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await heading(page, "Sign in");
  await assertNoTrace(page, "Canarybird");
  await assertNoTrace(page, all[0].number);
  await signIn(page, "member");
  await page.goto("/claims/remittances");
  await page.getByText("At least 100 of 150 claims arrived. Nothing of the patients was kept").waitFor();
  assert.equal(await page.getByText("Canarybird").count(), 0);
  await page.getByRole("button", { name: "Dismiss" }).click();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  assert.equal(await stored(all), 100);
});

test("the worker has no network, and the page says so if its module cannot be loaded", async () => {
  const { page, context, wrong } = await remittances("owner");
  let go;
  const held = new Promise((resolve) => (go = resolve));
  await context.route("**/*.wasm", async (route) => (await held, route.abort()));
  await page.getByLabel("Choose files").setInputFiles(pair(payments(1)));
  const read = page.getByRole("button", { name: "Read 2 files" });
  const [worker] = await Promise.all([page.waitForEvent("worker"), read.click()]);
  const refused = await worker.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective));
        fetch("/health").then(() => resolve("sent"), () => {});
      }),
  );
  assert.equal(refused, "connect-src");
  go();
  await page.getByRole("alert").getByText("A part of this page could not be loaded.").waitFor();
  wrong.length = 0;
});
