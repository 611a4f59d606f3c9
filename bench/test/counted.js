// The lean peer with only the database and the secret bound. The headers of an answer report the number of statements
// in each batch (X-Statements) and the number of log lines (X-Lines).

import peer, { Limiter } from "../peer/src/index.ts";

export { Limiter };

export default {
  async fetch(request, { DB, ENVIRONMENT, SEALING_KEYS }, context) {
    const batches = [];
    let lines = 0;
    console.log = () => (lines += 1);
    const counted = {
      prepare: (sql) => DB.prepare(sql),
      batch: (statements) => {
        batches.push(statements.length);
        return DB.batch(statements);
      },
    };
    const answer = await peer.fetch(request, { DB: counted, ENVIRONMENT, SEALING_KEYS }, context);
    const response = new Response(answer.body, answer);
    response.headers.set("X-Statements", batches.join());
    response.headers.set("X-Lines", String(lines));
    return response;
  },
};
