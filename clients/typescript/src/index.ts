export { Client } from "./client.js";
export * from "./codes.js";
export { ApiError, LostAnswerError, OverturnError, SendError, SignatureError } from "./errors.js";
export type { ItemResult, SandboxAdvice } from "./claims.js";
export type { ClientOptions, Options } from "./runtime.js";
export type * as Types from "./types.js";
export { verifyWebhook } from "./webhooks.js";
export type { WebhookEvent } from "./webhooks.js";
export { checkKey, checkToken, validate } from "@overturn/core";
