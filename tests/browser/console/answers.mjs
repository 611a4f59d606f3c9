// Answers that the demo does not give by itself.

export const ID = "01980000-0000-7000-8000-000000000001";
export const NOW = new Date().toISOString();
const LATER = new Date(Date.now() + 9e8).toISOString();

/** Answers reads, or the calls of another method. */
export const shows = (page, url, json, method = "GET", status = 200) =>
  page.route(url, (route) => (route.request().method() === method ? route.fulfill({ status, json }) : route.fallback()));

/** Answers a read with what the demo has and some changes. */
export const changes = (page, url, change) =>
  page.route(url, async (route) => {
    const response = await route.fetch();
    if (route.request().method() !== "GET" || !response.ok()) return route.fulfill({ response });
    const json = await response.json();
    return route.fulfill({ response, json: { ...json, ...change(json) } });
  });

/** Has a change ask for a second factor. */
export function wantsFactor(page, url) {
  const error = { code: "two_factor_required", message: "Show it again.", request_id: "r" };
  return shows(page, url, { error, continuation_token: "t" }, "POST", 402);
}

/** Has a claim of the practice wait for its patient. */
export async function signs(page, id) {
  await changes(page, `**/api/v1/denials/${id}`, () => ({ signing: { status: "needed", appeal_button: true, link_expires_at: LATER } }));
  await shows(page, "**/signing_link", { link: "https://overturn.example/sign#0123456789", expires_at: LATER, tries_left: 5 });
}

/** A letter that nobody uploaded. */
export const DOCUMENT = {
  id: ID, name: "letter.pdf", kind: "denial_letter", content_type: "application/pdf", size: 12_345, sha256: "0".repeat(64),
  state: "available", may: ["download", "delete", "attach"], claim_id: null, claim_number: null, cases: [], reports: [],
  uploaded_at: NOW, uploaded_by: "practice",
};

/** A signature that nobody gave. */
export const SIGNATURE = {
  id: ID, relation: "guardian", language: "en", text: "I agree.\n".repeat(60), text_version: "1", name: "Robin Example", drawing: null,
  signed_at: NOW, ip: "192.0.2.1", user_agent: "Firefox",
};

export const RECOVERY_CODES = { recovery_codes: Array.from({ length: 10 }, (_, n) => `4f7k-9m2${n}`) };
