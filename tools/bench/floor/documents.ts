// The least that a document can cost: the body of the request goes straight to R2, and the object straight back. It
// neither reads the form nor seals, hashes, checks or records anything.

interface Env {
  DOCUMENTS: R2Bucket;
}

// wrangler.toml binds this class, but nothing calls it here.
export class Limiter {}

export default {
  async fetch(request: Request, { DOCUMENTS }: Env): Promise<Response> {
    if (request.method === "POST") {
      const id = crypto.randomUUID();
      await DOCUMENTS.put(id, request.body);
      return Response.json({ id }, { status: 201 });
    }
    const [, id] = /\/documents\/([^/]+)\/content$/.exec(request.url) ?? [];
    const object = id === undefined ? null : await DOCUMENTS.get(id);
    if (object === null) return new Response(null, { status: 404 });
    return new Response(object.body, { headers: { "Content-Length": String(object.size) } });
  },
};
