/** Whether this bundle is the lean peer. `bench/build.mjs` sets it, so no request pays for the question. */
declare const LEAN: boolean;
