// A patient on the signing page, in a browser: `node sign.mjs HOW LINK`, where HOW is one of WAYS.

import assert from "node:assert/strict";
import { assertAccessible, newPage, withBrowser } from "./browser.mjs";

const NARROW = { width: 320, height: 568 };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const BORN = { Month: "2", Day: "29", Year: "1980" };

async function giveBirth(page, date = BORN) {
  for (const [label, value] of Object.entries(date)) await page.getByLabel(label).fill(value);
  await page.getByRole("button", { name: /^Contin/ }).click();
}

const heading = (page, name) => page.getByRole("heading", { level: 1, name }).waitFor();
const focused = (page) => page.evaluate(() => document.activeElement.id);
/** Waits until the element has the focus: a browser moves it some time after the page has loaded. */
const focusOn = (page, id) => page.locator(`#${id}:focus`).waitFor();
const name = (page) => page.getByLabel("Type your full name");
const agree = (page) => page.getByLabel("I have read the text above");
const finish = (page) => page.getByRole("button", { name: "Sign", exact: true }).click();
const drawn = (page) => page.locator("#drawing").inputValue();

/** How many points of the field to draw on have ink. */
const ink = (page) =>
  page.evaluate(() => {
    const pad = document.getElementById("pad");
    const { data } = pad.getContext("2d").getImageData(0, 0, pad.width, pad.height);
    return data.filter((value, n) => n % 4 === 3 && value > 0).length;
  });

/** Draws a line with the mouse, from and to parts of the field's size. */
async function line(page, [x1, y1], [x2, y2]) {
  const box = await page.locator("#pad").boundingBox();
  const at = (x, y) => [box.x + x * box.width, box.y + y * box.height];
  await page.mouse.move(...at(x1, y1));
  await page.mouse.down();
  await page.mouse.move(...at(x2, y2), { steps: 8 });
  await page.mouse.up();
}

/** With script switched off, on the narrowest screen: a typed name. */
async function typed(browser, link) {
  const { page, end } = await newPage(browser, { javaScriptEnabled: false, viewport: NARROW });
  await page.goto(link);
  await giveBirth(page, { ...BORN, Month: "Smarch" });
  await focusOn(page, "problem");
  assert.equal(await page.getByLabel("Year").inputValue(), "1980", "nothing is lost");
  await page.getByRole("link", { name: "Enter the month" }).click();
  await focusOn(page, "month");
  await giveBirth(page);
  await heading(page, "Authorization");
  assert.equal(await page.locator("#draw").isVisible(), false, "nothing to draw on that would not work");
  await finish(page);
  await focusOn(page, "problem");
  assert.equal(await page.getByText("draw", { exact: false }).locator("visible=true").count(), 0, "nor is it spoken of");
  assert.ok(await page.locator("#problem-consent").isVisible(), "what is wrong stands beside the box");
  await name(page).fill("Jane Doe");
  await agree(page).check();
  await finish(page);
  await heading(page, "Thank you");
  await end();
}

/** With script, on a phone: a drawing, with a finger and a mouse. */
async function drawing(browser, link) {
  const { page, end } = await newPage(browser, PHONE);
  await page.goto(link);
  await giveBirth(page);
  await page.locator("#draw").waitFor();
  await page.locator("#pad").scrollIntoViewIfNeeded();
  await line(page, [0.1, 0.2], [0.9, 0.8]);
  await page.getByText("The box has a drawing.").waitFor();
  assert.equal(JSON.parse(await drawn(page)).length, 1);
  await page.getByRole("button", { name: "Clear the drawing" }).click();
  await page.getByText("The box is empty.").waitFor();
  assert.deepEqual([await drawn(page), await ink(page)], ["", 0]);

  await line(page, [0.1, 0.5], [0.5, 0.1]);
  await finger(page);
  const strokes = JSON.parse(await drawn(page));
  assert.equal(strokes.length, 2);
  assert.deepEqual(strokes[0][0], [60, 100], "in the units of the field");
  assert.ok(strokes[1].length > 2, "a finger draws a line");
  await finish(page);
  await page.getByText("Tick the box").first().waitFor();
  assert.deepEqual(JSON.parse(await drawn(page)), strokes, "nothing is lost");
  // The script draws it some time after the text is there.
  const until = Date.now() + 20_000;
  while ((await ink(page)) <= 100) assert.ok(Date.now() < until, "and it is shown again");
  await agree(page).check();
  await finish(page);
  await heading(page, "Thank you");
  const picture = await page.getByRole("img", { name: "Signature, as drawn" }).boundingBox();
  assert.ok(picture.width > 200 && picture.height > 60, "the policy lets it show");
  await end();
}

/** Draws a line with a finger, which must not move the page instead. */
async function finger(page) {
  const devtools = await page.context().newCDPSession(page);
  const box = await page.locator("#pad").boundingBox();
  const before = await page.evaluate(() => scrollY);
  const touch = (type, points) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  const at = (part) => [{ x: box.x + box.width * 0.5, y: box.y + box.height * part }];
  await touch("touchStart", at(0.2));
  for (const part of [0.4, 0.6, 0.8]) await touch("touchMove", at(part));
  await touch("touchEnd", []);
  assert.equal(await page.evaluate(() => scrollY), before, "the page stays where it is");
}

/** With nothing but a keyboard, on the narrowest screen. */
async function keyboard(browser, link) {
  const { page, end } = await newPage(browser, { viewport: NARROW });
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const reach = async (id) => {
    for (let tries = 0; (await focused(page)) !== id; tries += 1) {
      assert.ok(tries < 10, `no way to ${id}`);
      await press("Tab");
    }
  };
  await page.goto(link);
  for (const [id, value] of [["month", "feb"], ["day", "29"], ["year", "1980"]]) {
    await reach(id);
    await page.keyboard.type(value);
  }
  await press("Tab", "Enter");
  await heading(page, "Authorization");
  await reach("name");
  await page.keyboard.type("Jane Doe");
  await reach("consent");
  await press("Space", "Tab", "Enter");
  await heading(page, "Thank you");
  await end();
}

/** Every page that there is, wide and narrow, light and dark. */
async function accessible(browser, link) {
  const { page, end } = await newPage(browser, { reducedMotion: "reduce" });
  const look = async () => {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await assertAccessible(page);
      }
    }
  };
  await page.goto(link);
  await look();
  await giveBirth(page, { Month: "x", Day: "", Year: "" });
  await look();
  await giveBirth(page);
  await page.locator("#draw").waitFor();
  await look();
  await finish(page);
  await heading(page, "Authorization");
  await page.locator("#draw").waitFor();
  await look();
  await name(page).fill("Jane Doe");
  await agree(page).check();
  await finish(page);
  await heading(page, "Thank you");
  await look();
  await page.goto(link);
  await heading(page, "This link does not work");
  await look();
  await end();
}

/** In Spanish, as the browser prefers it, and with the document in both languages before it is signed. */
async function spanish(browser, link) {
  const { page, end } = await newPage(browser, { locale: "es-MX", viewport: NARROW });
  const language = () => page.locator("html").getAttribute("lang");
  await page.goto(link);
  await heading(page, "Firme, por favor");
  await page.getByRole("button", { name: "English" }).click();
  await heading(page, "Please sign");
  await page.getByRole("button", { name: "Español" }).click();
  await giveBirth(page, { Mes: "ene", Día: "31", Año: "80" });
  await focusOn(page, "problem");
  await page.getByRole("link", { name: "Escriba el año" }).click();
  await giveBirth(page, { Mes: "feb", Día: "29", Año: "1980" });
  await heading(page, "Autorización");
  await page.getByRole("button", { name: "English" }).click();
  await heading(page, "Authorization");
  assert.equal(await language(), "en");
  await page.getByRole("button", { name: "Español" }).click();
  await heading(page, "Autorización");
  await assertAccessible(page);
  await page.getByRole("button", { name: "Firmar" }).click();
  await focusOn(page, "problem");
  await assertAccessible(page);
  await page.getByLabel("Escriba su nombre completo").fill("Jane Doe");
  await page.getByLabel("He leído").check();
  await page.getByRole("button", { name: "Firmar" }).click();
  await heading(page, "Gracias");
  assert.equal(await language(), "es");
  await assertAccessible(page);
  await end();
}

const WAYS = { typed, drawing, keyboard, accessible, spanish };
const [how, link] = process.argv.slice(2);
await withBrowser((browser) => WAYS[how](browser, link));
