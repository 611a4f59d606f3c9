// The functions that the platform calls. They pass each call on to the wasm module as directly as possible.
// wasm-bindgen makes `./index.js` from the crate.
//
// A panic ends the module's instance and every request in it. wasm-bindgen then makes a new instance for the next call;
// objects of the old one must be made again.

import { DurableObject } from "cloudflare:workers";
import * as wasm from "./index.js";

// The module sets `criticalError` after a panic, and counts its instances in `instanceId`.
const module = wasm.__worker_init_state();

function revive() {
  if (!module.criticalError) return;
  wasm.__wbg_reset_state();
  module.criticalError = false;
}

/** A call into the module. One that breaks it, such as a stack overflow, breaks it for no other. */
async function call(enter) {
  revive();
  try {
    return await enter();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) module.criticalError = true;
    throw error;
  }
}

export default {
  fetch: (request, env, ctx) =>
    call(() => {
      const response = wasm.fetch(request, env, ctx);
      // A client that disconnects must not cancel a write halfway.
      ctx.waitUntil(response);
      return response;
    }),

  queue: (batch, env, ctx) => call(() => wasm.queue(batch, env, ctx)),

  scheduled: (event, env, ctx) => call(() => wasm.scheduled(event, env, ctx)),
};

export class Limiter extends DurableObject {
  #object;
  #instance;

  /** The object in the module's present instance. */
  get #limiter() {
    if (this.#instance !== module.instanceId) {
      this.#object = new wasm.Limiter(this.ctx, this.env);
      this.#instance = module.instanceId;
    }
    return this.#object;
  }

  ask(group, limit, window, marks, unused) {
    return call(() => this.#limiter.ask(group, limit, window, marks, unused));
  }

  hold(group, limit, window, ahead) {
    return call(() => this.#limiter.hold(group, limit, window, ahead));
  }

  giveBack(group, at) {
    return call(() => this.#limiter.give_back(group, at));
  }

  alarm() {
    return call(() => this.#limiter.alarm());
  }
}
