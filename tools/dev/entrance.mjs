// The Worker before the console and the service. It does what the platform does for every request.

// Two Host headers, or a name that no host can have: the platform answers 400. miniflare's Worker before the console would
// fail on the URL, and answer 500.
const WITH_HOST = /^https?:\/\/[a-z0-9._:[\]-]+\//i;
const isWhole = (url) => WITH_HOST.test(url) && URL.canParse(url);

const TEXTS = /^(text\/(html|css|javascript)|image\/svg\+xml|application\/(javascript|json|wasm))\b/;

/** Answers that are text are compressed for those who can read it. workerd does it when the answer says so. */
function compressed({ headers: asked }, answer) {
  const { status, body, headers } = answer;
  const isText = TEXTS.test(headers.get("Content-Type") ?? "") && !headers.has("Content-Encoding");
  if (status !== 200 || !body || !isText || !/\bgzip\b/.test(asked.get("Accept-Encoding") ?? "")) return answer;
  const smaller = new Response(body, answer);
  smaller.headers.set("Content-Encoding", "gzip");
  smaller.headers.append("Vary", "Accept-Encoding");
  return smaller;
}

export default {
  async fetch(request, { SERVICE }) {
    if (!isWhole(request.url)) return new Response("Bad Request", { status: 400 });
    return compressed(request, await SERVICE.fetch(request));
  },
};
