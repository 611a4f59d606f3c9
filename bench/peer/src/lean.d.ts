/** True if this bundle is the lean peer. `bench/build.mjs` sets it at build time. */
declare const LEAN: boolean;
