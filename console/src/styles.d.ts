// The bundler takes styles out of the scripts that import them.
declare module "*.css";
